"""What follows from the features without any weights: bounds on the level, drift and failure."""

from __future__ import annotations

from collections.abc import Mapping

from benchmark import Dimension, Drift, Failure, Level
from judge.embedded.looking import Findings
from judge.embedded.parts import Claim
from judge.embedded.values import ValueState

__all__ = ["bounded", "drift_and_failure"]

_AXIS = {
    Dimension.D1: Drift.NUMERICAL,
    Dimension.D2: Drift.METHODOLOGICAL,
    Dimension.D3: Drift.PROTOCOL,
    Dimension.D4: Drift.ORDERING,
}


def bounded(level: int, features: Mapping[str, float], *, proof: bool) -> Level:
    """The level within what the rubric allows: nothing live is 0, what cannot act at most 2."""
    if not proof or not features["words_live"] > 0:
        return Level.ABSENT
    if features["idle_better"] > 0.25:
        level = min(level, Level.PARTIAL)
    return Level(level)


def drift_and_failure(
    level: Level, claim: Claim, features: Mapping[str, float], found: Findings
) -> tuple[Drift, Failure]:
    """The kind of divergence and its reason; none of either exactly at level 4."""
    if level is Level.FAITHFUL:
        return Drift.NONE, Failure.NONE
    wrong_value = any(v.state in {ValueState.OTHER, ValueState.OVERRIDDEN} for v in found.values)
    drift = Drift.NUMERICAL if wrong_value else _AXIS[claim.dimension]
    if found.order is not None and found.order < 0:
        drift = Drift.ORDERING
    return drift, _failure(level, claim, features, wrong_value=wrong_value)


def _failure(
    level: Level, claim: Claim, features: Mapping[str, float], *, wrong_value: bool
) -> Failure:
    if level >= Level.MINOR:
        return Failure.MISMATCH if wrong_value else Failure.INCOMPLETE
    if features["stub_match"] > 0:
        return Failure.STUB
    if features["idle_better"] > 0.05 or features["values_idle"] > 0.4:
        return Failure.UNREACHABLE
    if claim.dimension is Dimension.D3 and features["made_up_data"] > 0:
        return Failure.EXTERNAL
    if wrong_value:
        return Failure.MISMATCH
    if level is Level.ABSENT:
        more_text = features["words_text"] > max(0.3, features["words_live"])
        return Failure.MENTION_ONLY if more_text else Failure.MISSING
    if features["names_missing"] > 0.4 or features["words_live"] < 0.35:
        return Failure.INCOMPLETE
    return Failure.MISMATCH
