"""Foreseen levels, which are no verdicts by the rubric: told by the judge's name, and said."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["foreseeing", "foreseen_by", "foreseen_remarks"]

_SAYS = "embedded, foreseeing "
_NAME = re.compile(rf"{_SAYS}(\S+)")
_WHAT = (
    "foreseen: what SA-Bench's published scorer would most likely have given with {}; they are "
    "not verdicts by the rubric"
)


def foreseeing(published: str) -> str:
    """The name of the judge that foresees the levels of a published one."""
    return _SAYS + published


def foreseen_by(judge: str) -> str | None:
    """The published judge whose levels a judge of that name foresees; `None` where it does not."""
    found = _NAME.fullmatch(judge)
    return found[1] if found else None


def foreseen_remarks(judges: Iterable[str]) -> list[str]:
    """One sentence for each published judge that is foreseen.

    Args:
        judges: The names of all who judged, members of panels too.
    """
    names = sorted(set(judges))
    foreseen = [(name, whose) for name in names if (whose := foreseen_by(name))]
    if len(names) == 1:
        return [f"levels are {_WHAT.format(whose)}" for _, whose in foreseen]
    return [f"levels of the judge {name!r} are {_WHAT.format(whose)}" for name, whose in foreseen]
