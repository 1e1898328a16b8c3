"""Names and years of a claim that cite other papers, and which no program holds."""

from __future__ import annotations

import re
from functools import lru_cache

from judge.embedded.signs import is_of_word

__all__ = ["is_cited"]

_NAME = r"[A-Z][^\W\d_]+(?:-[A-Z][^\W\d_]+)?"
_YEAR = r"(?:19|20)\d\d[a-z]?"
_CITED = re.compile(
    rf"{_NAME}(?:\s+(?:{_NAME}|and|&))*\s+et al\.?(?:,?\s*\(?{_YEAR}\)?)?"
    rf"|{_NAME},?\s+(?:and|&)\s+{_NAME},?\s*\(?{_YEAR}\)?"
    rf"|\((?:e\.g\.,?\s+|see\s+|cf\.\s+)?{_NAME}(?:,?\s+(?:and|&)\s+{_NAME})*,\s*{_YEAR}\)"
)


@lru_cache(maxsize=4096)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _CITED.finditer(text))


def is_cited(text: str, word: str) -> bool:
    """Whether a claim has a word or year in citations of other papers alone."""
    spans = _spans(text)
    if not spans or not word:
        return False
    place, found = text.find(word), False
    while place >= 0:
        behind = place + len(word)
        if is_of_word(text[place - 1 : place]) or is_of_word(text[behind : behind + 1]):
            place = text.find(word, place + 1)
            continue
        if not any(start <= place < end for start, end in spans):
            return False
        found = True
        place = text.find(word, behind)
    return found
