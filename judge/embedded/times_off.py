"""How many times a number of the code is off the one that a claim has."""

from __future__ import annotations

import math
from collections.abc import Iterable

from judge.embedded.survey import Survey
from judge.embedded.units import in_unit
from retrieval.numbers import canonical
from retrieval.query import Value
from retrieval.values import Fact

__all__ = ["ratio_of", "ratio_to", "times_off"]

_FAR = 1e3


def ratio_of(forms: Iterable[str], found: str) -> float:
    """How many times a value is off the nearest of some forms, at least 1 and at most 1,000."""
    return min((_ratio(form, found) for form in forms), default=_FAR)


def _ratio(claimed: str, found: str) -> float:
    try:
        one, two = float(claimed), float(found)
    except (ValueError, OverflowError):
        return _FAR
    if one == two:
        return 1.0
    if not (math.isfinite(one) and math.isfinite(two)) or one == 0 or two == 0:
        return _FAR
    return min(_FAR, max(one / two, two / one))


def ratio_to(survey: Survey, value: Value, fact: Fact) -> float:
    """How many times what a fact gives is off a claimed value, as of `times_off`."""
    form = canonical(fact.value)
    if form is None:
        return 0.0
    return min(times_off(value, each) for each in in_unit(survey, fact, form))


def times_off(value: Value, form: str) -> float:
    """How many times a number is off a claimed value, 1 to 1,000; 0 where one of them is none."""
    try:
        claimed, found = float(value.term[1:]), float(form)
    except (ValueError, OverflowError):
        return 0.0
    if not (math.isfinite(claimed) and math.isfinite(found)):
        return 0.0
    if claimed == found:
        return 1.0
    if claimed == 0 or found == 0:
        return _FAR
    return min(_FAR, max(claimed / found, found / claimed))
