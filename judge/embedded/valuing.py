"""Features of values: which of the claimed values take effect, and what stands in their place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from judge.embedded.library import CARRIED
from judge.embedded.looking import Findings
from judge.embedded.parts import Claim
from judge.embedded.survey import Standing, Survey
from judge.embedded.values import ValueFinding, ValueState
from judge.embedded.wording import Wording
from retrieval.values import FactSource
from retrieval.words import join

__all__ = ["VALUES", "measure_values"]

VALUES: Mapping[str, tuple[int, str]] = {
    "values_beside": (
        1,
        "share of the values live beside their names, nothing overriding them; defaults of known "
        "calls count less",
    ),
    "values_elsewhere": (0, "share of the values live, away from their names"),
    "values_live": (0, "share of the values that stand anywhere in live code"),
    "values_absent": (
        -1,
        "share of the values that stand in no live code, nor does their name with another",
    ),
    "values_idle": (-1, "share of the values in code or configuration that does not act"),
    "values_other": (-1, "share of the values whose name is live with another value"),
    "values_overridden": (-1, "share of the values that something overrides"),
    "values_contradicted": (-1, "share of the values not beside their name, which has another"),
    "least_ratio": (0, "how many times off the nearest wrong value is, as a logarithm"),
    "mean_ratio": (0, "how many times off wrong values are, mean logarithm"),
    "values_unread": (0, "share of the values given to a name that nothing reads"),
    "values_passed": (0, "share of the values that are passed to a call, an option or a setting"),
    "values_together": (0, "share of the values within 10 live lines"),
    "values_at_words": (0, "share of the values within the 40 live lines that hold most words"),
    "exact_values": (0, "share of the values of two digits or more in live code"),
    "first_value": (0, "how well the first value stands, 0 to 1"),
    "values_score": (1, "how well the values stand, mean"),
}
"""The features, by name: the sign that each may have (0 for either), and its meaning."""

_SCORE = {
    ValueState.BESIDE: 1.0,
    ValueState.IMPLIED: 0.7,
    ValueState.ELSEWHERE: 0.5,
    ValueState.OVERRIDDEN: 0.1,
    ValueState.IDLE: 0.0,
    ValueState.OTHER: 0.0,
    ValueState.ABSENT: 0.0,
}
# A value that stands only where it does not act is worth no more than one that stands nowhere.
_NOT_LIVE = frozenset({ValueState.ABSENT, ValueState.OTHER, ValueState.IDLE})
_NEEDS_READER = frozenset(
    {FactSource.ASSIGNMENT, FactSource.DEFAULT, FactSource.FIELD, FactSource.DICT}
)
_PASSED = frozenset({FactSource.KEYWORD, FactSource.OPTION, FactSource.FLAG, FactSource.CONFIG})


def measure_values(
    survey: Survey, claim: Claim, found: Findings, wording: Wording
) -> dict[str, float]:
    """The features of `VALUES`; not numbers where the claim states no value."""
    values = found.values
    total = sum(value.value.weight for value in values)
    if not total:
        return dict.fromkeys(VALUES, math.nan)

    def shares(chosen: Callable[[ValueFinding], bool]) -> float:
        return sum(v.value.weight for v in values if chosen(v)) / total

    def states(*wanted: ValueState) -> float:
        return shares(lambda v: v.state in wanted)

    live = [
        len(rows) > 0 or value.state is ValueState.BESIDE
        for (rows, _), value in zip(wording.values, values, strict=True)
    ]
    wrong = [v for v in values if v.other is not None and v.state is not ValueState.BESIDE]
    ratios = [math.log10(v.ratio) for v in wrong if v.ratio > 1]
    beside = [v for v in values if v.state is ValueState.BESIDE]
    kinds = [_use(survey, value) for value in beside]
    exact = [n for n, value in enumerate(claim.values) if _digits(value.term) >= 2]
    return {
        "values_beside": states(ValueState.BESIDE) + CARRIED * states(ValueState.IMPLIED),
        "values_elsewhere": states(ValueState.ELSEWHERE),
        "values_live": sum(live) / len(live),
        "values_absent": shares(lambda v: v.other is None and v.state in _NOT_LIVE),
        "values_idle": states(ValueState.IDLE),
        "values_other": shares(lambda v: v.other is not None and v.state in _NOT_LIVE),
        "values_overridden": states(ValueState.OVERRIDDEN),
        "values_contradicted": sum(v.value.weight for v in wrong) / total,
        "least_ratio": min(ratios, default=0.0),
        "mean_ratio": sum(ratios) / len(values),
        "values_unread": kinds.count("unread") / len(values),
        "values_passed": kinds.count("passed") / len(values),
        "values_together": wording.cover_of([(rows, 1.0) for rows, _ in wording.values]).most(10)
        / len(values),
        "values_at_words": _at_words(wording),
        "exact_values": sum(live[n] for n in exact) / len(exact) if exact else math.nan,
        "first_value": _SCORE[values[0].state],
        "values_score": sum(_SCORE[v.state] * v.value.weight for v in values) / total,
    }


def _digits(term: str) -> int:
    """The significant digits of a value's term."""
    return len(term[1:].partition("e")[0].replace(".", "").strip("0"))


def _at_words(wording: Wording) -> float:
    windows = wording.cover.within(40)
    if not len(windows) or not wording.total:
        return 0.0
    first = int(np.argmax(windows))
    here = [bool(np.any((rows >= first) & (rows < first + 40))) for rows, _ in wording.values]
    return sum(here) / len(here)


def _use(survey: Survey, value: ValueFinding) -> str:
    """Whether the name that a value is given to is read: `passed`, `read`, `unread` or empty."""
    path, number = survey.place(value.line)
    wanted = {value.value.term, *value.value.also}
    kinds: set[str] = set()
    for fact in survey.facts_at(path, number):
        if not wanted & {"#" + form for form in survey.forms(fact)}:
            continue
        if fact.source in _PASSED:
            return "passed"
        if fact.source in _NEEDS_READER:
            key = join(fact.name.rpartition(".")[2])
            places = survey.places(key)
            others = len(places.live) > 1 if places.standing is Standing.LIVE else False
            kinds.add("read" if others else "unread")
    return "read" if "read" in kinds else "unread" if kinds else ""
