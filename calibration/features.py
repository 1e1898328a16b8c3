"""What a calibrator sees of a verdict: a few numbers about 0, of about size 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from benchmark import Dimension
from calibration.crosstabs import Floats
from calibration.joining import Judged

__all__ = ["RECIPES", "SPREADS", "features_of", "stated_distribution"]

_UNKNOWN_CONFIDENCE = 0.5


def _is_of(dimension: Dimension, one: Judged) -> float:
    return float(one.dimension is dimension)


def _chance(level: int, one: Judged) -> float:
    """The chance of a level or a higher one, about 0; by the level given where it has no odds."""
    if one.chances is None:
        return float((one.level or 0) >= level) - 0.5
    return sum(one.chances[level:]) - 0.5


def _expected(one: Judged) -> float:
    if one.chances is None:
        return ((one.level or 0) - 2) / 2
    return (sum(level * chance for level, chance in enumerate(one.chances)) - 2) / 2


def _confidence(one: Judged) -> float:
    return _UNKNOWN_CONFIDENCE if one.confidence is None else one.confidence


_FEATURES: dict[str, Callable[[Judged], float]] = {
    "level": lambda one: ((one.level or 0) - 2) / 2,
    "at_least_1": lambda one: float((one.level or 0) >= 1) - 0.5,
    "at_least_2": lambda one: float((one.level or 0) >= 2) - 0.5,
    "at_least_3": lambda one: float((one.level or 0) >= 3) - 0.5,
    "at_least_4": lambda one: float((one.level or 0) >= 4) - 0.5,
    "confidence": lambda one: 2 * _confidence(one) - 1,
    "level_times_confidence": lambda one: ((one.level or 0) - 2) / 2 * (2 * _confidence(one) - 1),
    "expected_level": _expected,
    **{f"chance_{level}": partial(_chance, level) for level in (1, 2, 3, 4)},
    "incomplete_evidence": lambda one: float(one.complete is False),
    "unverified_citations": lambda one: 0.0 if one.verified is None else 1 - one.verified,
    "no_citations": lambda one: float(one.verified is None),
    **{f"is_{dimension.value}": partial(_is_of, dimension) for dimension in Dimension},
}

_LEVEL = ("level",)
_STEPS = (*_LEVEL, "at_least_1", "at_least_2", "at_least_3", "at_least_4")
_SURE = ("confidence", "level_times_confidence")
_WHERE = tuple(f"is_{dimension.value}" for dimension in Dimension)
_SEEN = ("incomplete_evidence", "unverified_citations", "no_citations")

RECIPES: dict[str, tuple[str, ...]] = {
    "prevalence": (),
    "level": _LEVEL,
    "level and confidence": (*_LEVEL, *_SURE),
    "steps and confidence": (*_STEPS, *_SURE),
    "level, confidence and dimension": (*_LEVEL, *_SURE, *_WHERE),
    "steps, confidence, dimension and evidence": (*_STEPS, *_SURE, *_WHERE, *_SEEN),
}
"""The candidates, the simplest first."""

SPREADS: dict[str, float] = {
    "level": 3.0,
    **dict.fromkeys(_STEPS[1:], 1.0),
    **dict.fromkeys(_SURE, 1.0),
    **dict.fromkeys(_WHERE, 0.5),
    **dict.fromkeys(_SEEN, 0.5),
}
"""How far each slope may go before the prior holds it back."""


def features_of(verdicts: Sequence[Judged], names: Sequence[str]) -> Floats:
    """The named features; shape (n, k).

    Raises:
        KeyError: A name is not known.
    """
    columns = [[_FEATURES[name](one) for one in verdicts] for name in names]
    if not columns:
        return np.zeros((len(verdicts), 0))
    return np.array(columns, dtype=np.float64).T


def stated_distribution(verdicts: Sequence[Judged], *, levels: int = 5) -> Floats:
    """What the judge's own words amount to: its confidence on its level, the rest spread evenly.

    A judge that states none is taken for sure to .95; certainty is never more than .99 or less
    than even odds. Shape (n, levels).
    """
    sure = np.clip([0.95 if one.confidence is None else one.confidence for one in verdicts],
                   1 / levels, 0.99)  # fmt: skip
    stated = np.repeat(((1 - sure) / (levels - 1))[:, None], levels, axis=1)
    stated[np.arange(len(verdicts)), [one.level or 0 for one in verdicts]] = sure
    return stated
