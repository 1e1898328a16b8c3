"""How many times a number of the code is off the one that a claim has."""

from __future__ import annotations

import math
from collections.abc import Iterable

__all__ = ["ratio_of"]

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
