"""Letters without which a pattern cannot match: looked for first, since that is much quicker."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Hinted", "hints_of", "lowered"]

_ENDS = frozenset(".^$[](){}\\")  # what is no letter, and leaves the letter before it as it is
_MAYBE = frozenset("?*{")  # what leaves it open whether the letter before stands there


def lowered(text: str) -> str:
    """In lower case, letter by letter: a sigma that ends a word as any other."""
    return text.lower().replace("ς", "σ")


def hints_of(pattern: str) -> tuple[str, ...]:
    """For each alternative of a pattern the longest letters that it demands, lower-cased.

    Of brackets nothing is taken. Where an alternative demands no letter its hint is empty, which
    stands in every text.
    """
    return tuple(dict.fromkeys(_longest(each) for each in _alternatives(pattern)))


@dataclass(frozen=True, slots=True)
class Hinted:
    """A pattern, in either case, that is tried only where a text holds one of its hints.

    Attributes:
        pattern: The pattern.
        hints: Of `hints_of`.
    """

    pattern: re.Pattern[str]
    hints: tuple[str, ...]

    @classmethod
    def of(cls, pattern: str) -> Hinted:
        """From the pattern as written."""
        return cls(re.compile(pattern, re.IGNORECASE), hints_of(pattern))

    def can_match(self, low: str) -> bool:
        """Whether a text may match, from what `lowered` makes of it."""
        for hint in self.hints:  # noqa: SIM110 - asked for each pattern and claim
            if hint in low:
                return True
        return False

    def search(self, text: str, low: str | None = None) -> re.Match[str] | None:
        """As `re.Pattern.search`; with the text in lower case where that is at hand."""
        if self.can_match(lowered(text) if low is None else low):
            return self.pattern.search(text)
        return None

    def count(self, text: str, low: str) -> int:
        """How often it matches."""
        if not self.can_match(low):
            return 0
        return sum(1 for _ in self.pattern.finditer(text))


def _alternatives(pattern: str) -> list[list[str]]:
    """The pattern's atoms outside of brackets, by alternative; what is no letter is empty."""
    found: list[list[str]] = [[]]
    depth = place = 0
    while place < len(pattern):
        sign = pattern[place]
        if sign == "[":
            place = _class_end(pattern, place)
            atom = ""
        elif sign == "\\":
            place += 1
            atom = "" if pattern[place].isalnum() else pattern[place]
        elif sign in "()":
            depth += 1 if sign == "(" else -1
            atom = ""
        elif sign == "|" and not depth:
            found.append([])
            place += 1
            continue
        elif sign in _MAYBE:
            if not depth and found[-1]:
                found[-1][-1] = ""
            if sign == "{":
                place = pattern.index("}", place)
            atom = ""
        else:
            atom = "" if sign in _ENDS or sign == "+" else sign
        if not depth:
            found[-1].append(atom)
        place += 1
    return found


def _class_end(pattern: str, place: int) -> int:
    """Where a class of letters that begins at a place ends."""
    place += 1
    while pattern[place] != "]":
        place += 2 if pattern[place] == "\\" else 1
    return place


def _longest(atoms: list[str]) -> str:
    runs = "".join(atom or "\0" for atom in atoms).split("\0")
    return lowered(max(runs, key=len))
