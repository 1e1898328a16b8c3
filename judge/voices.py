"""What else was said of a verdict's claim, in words: members of a panel, repeats, odds."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark import Level
from judge.level_odds import LevelOdds
from judge.verdict import MemberSaid, Verdict

__all__ = ["voices_of"]

_COMPUTED = frozenset({"embedded"})


def voices_of(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Rows of a name and words, for people; none where one answer was all."""
    for one in verdict.members:
        yield one.provenance.judge, _said(one)
    if verdict.levels and not verdict.members:
        yield "answers", _levels(verdict.levels)
    if verdict.odds is not None:
        here = verdict.provenance.provider in _COMPUTED
        yield "chances" if here else "log probabilities", _odds(verdict.odds)


def _said(one: MemberSaid) -> str:
    if one.level is None or one.drift is None or one.failure is None:
        return f"{one.status.value}: {one.reason}"
    words = f"{Level(one.level).score:g}, {one.drift.value}, {one.failure.value}"
    if one.confidence is not None:
        words += f", confidence {one.confidence:.2f}"
    if one.levels:
        words += f" (answers {_levels(one.levels)})"
    return f"{words}. {one.rationale}"


def _levels(levels: tuple[int | None, ...]) -> str:
    return ", ".join("none" if level is None else f"{Level(level).score:g}" for level in levels)


def _odds(odds: LevelOdds) -> str:
    if odds.probabilities is None or odds.expected_level is None:
        return odds.reason
    each = ", ".join(
        f"{Level(level).score:g} {mass:.0%}"
        for level, mass in enumerate(odds.probabilities)
        if mass >= 0.005
    )
    return f"expected score {odds.expected_level / 4:.3f}: {each}"
