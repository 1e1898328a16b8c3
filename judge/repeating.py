"""From several answers to one question to one verdict: the median level, with the spread kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median_low

from judge.questioning import Held, Interview
from judge.verdict import Status

__all__ = ["middle", "spread"]


def spread(held: Sequence[Held | None]) -> tuple[int | None, ...]:
    """The level of each answer in the order of asking; `None` for an answer without one."""
    return tuple(
        None if one is None or one.checked.level is None else int(one.checked.level) for one in held
    )


def middle(
    interviews: Sequence[Interview], held: Sequence[Held | None]
) -> tuple[Interview, Held] | None:
    """The answer that speaks for all of them.

    Where more than half give a level, it is the surest of those at the median level (the lower of
    two in the middle), its confidence no higher than the share of answers that agree with it. Where
    not, it is the first that abstains.

    Args:
        interviews: The conversations, in the order of asking.
        held: What each came to; `None` for one without an answer.

    Returns:
        A conversation and what it came to; `None` where none can speak for all.
    """
    pairs = [(i, h) for i, h in zip(interviews, held, strict=True) if h is not None]
    graded = [(i, h) for i, h in pairs if h.checked.status is Status.GRADED]
    if 2 * len(graded) <= len(held):
        if len(pairs) < len(held):
            return None
        return next((i, h) for i, h in pairs if h.checked.status is not Status.GRADED)
    levels = [int(h.checked.level) for _, h in graded if h.checked.level is not None]
    level = median_low(levels)
    interview, best = max(
        ((i, h) for i, h in graded if h.checked.level == level),
        key=lambda pair: pair[1].checked.confidence or 0.0,
    )
    if len(held) == 1:
        return interview, best
    share = levels.count(level) / len(held)
    flags = list(best.flags)
    if share < 1:
        flags.append("answers_differ")
    if len(pairs) < len(held):
        flags.append("answer_missing")
    confidence = best.checked.confidence
    checked = replace(
        best.checked, confidence=None if confidence is None else min(confidence, share)
    )
    return interview, replace(best, checked=checked, flags=tuple(flags))
