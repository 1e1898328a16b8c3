"""Clauses that say of one thing what comes before it and what behind: `S after A and before B`."""

from __future__ import annotations

import re

__all__ = ["between"]

_Span = tuple[int, int]
_BETWEEN = re.compile(
    r"\b(?P<one>after|before)\b(?!\s+that\b)(?P<first>[^.;]{0,200}?)"
    r"(?P<comma>,?)\s+(?:and|but|yet|still)\s+"
    r"(?:right |only |directly |just |always )?\b(?P<two>after|before)\b(?!\s+that\b)",
    re.IGNORECASE,
)


def between(text: str, start: int, end: int) -> list[tuple[_Span, _Span]] | None:
    """The orders of a sentence that says both, each as (what comes first, what comes second).

    Both words are about the same subject, which stands in front of them, or behind a comma where
    nothing does: the one nearest to the second word would be read the wrong way round.

    Args:
        text: What the sentence stands in.
        start: Where it begins.
        end: Where it ends.

    Returns:
        `None` for a sentence that does not say both.
    """
    match = _BETWEEN.search(text, start, end)
    if match is None or match["one"].lower() == match["two"].lower():
        return None
    subject, last = (start, match.start()), (match.end(), end)
    sides = [(match["one"], match.span("first")), (match["two"], last)]
    comma = text.find(",", match.end(), end)
    if not text[slice(*subject)].strip(" ,"):
        if comma < 0:
            return []
        subject, sides[1] = (comma, end), (match["two"], (match.end(), comma))
    elif comma >= 0:
        # `S after A, and before B, T`: what is before B may be T.
        sides[1:] = [] if match["comma"] else [(match["two"], (match.end(), comma))]
    return [
        (subject, side) if word.lower() == "before" else (side, subject) for word, side in sides
    ]
