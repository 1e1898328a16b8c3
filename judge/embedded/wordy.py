"""What only says something: names as long as sentences, and what is printed, logged or asserted."""

from __future__ import annotations

import re
from functools import lru_cache

from retrieval.words import token_terms, word_parts

__all__ = ["is_wordy", "name_terms", "told_part", "unquoted"]

# No identifier of 90 generated repositories has so many words, and one has a word less.
# Letters that stand alone are symbols and not words.
_SENTENCE = 9
_SHORTEST = 3 * _SENTENCE - 1


@lru_cache(maxsize=65536)
def is_wordy(name: str) -> bool:
    """Whether an identifier is a sentence, which counts no more than a comment."""
    if len(name) < _SHORTEST:
        return False
    words = [part for part in word_parts(name) if len(part) > 1 and not part.isdigit()]
    return len(words) >= _SENTENCE


@lru_cache(maxsize=200_000)
def name_terms(token: str) -> tuple[str, ...]:
    """All terms of one token of code; none of one that is a sentence."""
    return () if is_wordy(token) else token_terms(token)


# Calls that only put into words what is told.
_WORDING_NAMES = """
print str repr format len round int float bool list tuple dict set sorted type sum min max abs
join items keys values item tolist upper lower title replace strip ljust rjust center time
isinstance hasattr all any range enumerate zip numel size dim
"""
_WORDING = frozenset(_WORDING_NAMES.split())
_CALLED = re.compile(r"(\w+)\s*\(")
_HEAD = re.compile(r"\s*[\w.]+\s*\(?")
_NEVER_WORKS = re.compile(r"\s*raise\b")


# Not possessive, as Python before 3.11.5 gets that wrong.
_TEXT = re.compile(r"([fF]?)[rRbBuU]?(['\"])((?:\\.|(?!\2)[^\\])*)\2")
_HOLE = re.compile(r"\{([^{}]*)\}")


def unquoted(code: str) -> str:
    """A line without its strings, but with what is filled into them."""
    if "'" not in code and '"' not in code:
        return code
    return _TEXT.sub(
        lambda text: f" {', '.join(_HOLE.findall(text[3]))} " if text[1] else " ", code
    )


def told_part(code: str, *, inside: bool) -> tuple[str, bool]:
    """What is worked with in a line that tells something, and whether that goes on below.

    Args:
        code: The line, its strings blanked.
        inside: Whether it goes on with a statement that began above.

    Returns:
        Its code from the first call on that works something out, empty where there is none; and
        whether there is one.
    """
    if _NEVER_WORKS.match(code):
        return "", False
    head = None if inside else _HEAD.match(code)
    for call in _CALLED.finditer(code, head.end() if head is not None else 0):
        if call[1] not in _WORDING:
            return code[call.start() :], True
    return "", False
