"""Keeping graded text apart from the question.

Three things hold at once. Each line of a graded file carries its number and a bar, so no line of it
can look like a line of the prompt. The fence's token is a hash of what it encloses: text that
wanted to hold its own fence would have to hold its own hash. And characters that a person would not
see, or would see in another order, are spelt out.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection

from retrieval.tokens import SHOWN_LINE_CHARACTERS

__all__ = ["MAX_LINE_CHARACTERS", "fence", "number_lines", "show_line", "spell_out"]

MAX_LINE_CHARACTERS = SHOWN_LINE_CHARACTERS
"""Longer lines are cut for display; what is beyond is data, not code that people wrote."""

_FENCE_SHAPE = re.compile(
    r"<<<(?=\s*/?\s*(?:end\s+)?(?:repository|evidence|claim|paper)\b)", re.IGNORECASE
)


def fence(*texts: str) -> str:
    """The token for a fence around these texts: 16 hexadecimal digits that depend on all of them.

    The same texts give the same token, so that a repeated question hits the cache.
    """
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()[:16]


def spell_out(text: str) -> tuple[str, bool]:
    """Make hidden characters visible as `⟦U+202E⟧` and break look-alikes of a fence.

    Returns:
        The text, and whether anything was changed. Tabs and line ends are left as they are.
    """
    if text.isascii() and "<<<" not in text and text.isprintable():
        return text, False
    pieces: list[str] = []
    changed = False
    for character in text:
        if character in "\t\n":
            pieces.append(character)
        elif unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
            pieces.append(f"⟦U+{ord(character):04X}⟧")
            changed = True
        else:
            pieces.append(character)
    spelt = "".join(pieces)
    broken = _FENCE_SHAPE.sub("‹‹‹", spelt)
    return broken, changed or broken != spelt


def show_line(line: str) -> tuple[str, bool]:
    """A line as it is shown: characters spelt out, and cut where it is too long.

    Returns:
        The line, and whether hidden characters or fence look-alikes were found.
    """
    shown, changed = spell_out(line)
    if len(shown) > MAX_LINE_CHARACTERS:
        shown = f"{shown[:MAX_LINE_CHARACTERS]} …[{len(shown) - MAX_LINE_CHARACTERS} more]"
    return shown, changed


def number_lines(text: str, first: int, left_out: Collection[int] = ()) -> tuple[str, bool]:
    """Put its number and a bar before each line.

    Args:
        text: Lines joined by newlines.
        first: Number of the first line.
        left_out: Numbers of lines that are not shown.

    Returns:
        The numbered lines, and whether hidden characters or fence look-alikes were found.
    """
    lines, left_out = text.split("\n"), frozenset(left_out)
    width = len(str(first + len(lines) - 1))
    numbered: list[str] = []
    suspect = False
    for number, line in enumerate(lines, first):
        if number in left_out:
            continue
        shown, changed = show_line(line)
        suspect = suspect or changed
        numbered.append(f"{number:>{width}}| {shown}")
    return "\n".join(numbered), suspect
