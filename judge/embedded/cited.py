"""Names and years of a claim that cite other papers, and which no program holds."""

from __future__ import annotations

import re
from functools import lru_cache

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
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
    return bool(places) and all(
        any(start <= place < end for start, end in spans) for place in places
    )
