"""The values that a claim states, one by one and as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["OTHER_READING", "Readings", "Value", "readings_of"]

OTHER_READING = 0.6
"""How much of a value another reading of it is: 10 % is 0.1, and may stand as 10."""

_MAX_VALUES = 12
_MAX_NEAR = 10


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a claim states, with the words beside it.

    Attributes:
        term: Its term, `#` and the canonical form.
        also: Terms of other readings.
        weight: How much of a value of its own it is, 0 to 1.
        near: Terms of the words around it, nearest first.
        written: As written.
    """

    term: str
    also: tuple[str, ...]
    weight: float
    near: tuple[str, ...]
    written: str


@dataclass(frozen=True, slots=True)
class Readings:
    """The values of a claim, the first twelve of them, and what stands near them, side by side.

    Attributes:
        terms: The terms of all readings.
        value: The number of the value that each is a reading of.
        factor: How much of the value each reading is.
        weight: The value's own weight.
        near: The terms of the words around the values.
        near_value: The number of the value that each stands near.
    """

    terms: list[str]
    value: npt.NDArray[np.int64]
    factor: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]
    near: list[str]
    near_value: npt.NDArray[np.int64]

    @property
    def count(self) -> int:
        """How many values there are."""
        return int(self.value[-1]) + 1 if len(self.value) else 0


def readings_of(values: Sequence[Value]) -> Readings:
    """The values as arrays."""
    rows = [
        (term, number, factor, value.weight)
        for number, value in enumerate(values[:_MAX_VALUES])
        for term, factor in ((value.term, 1.0), *((also, OTHER_READING) for also in value.also))
    ]
    near = [
        (name, number)
        for number, value in enumerate(values[:_MAX_VALUES])
        for name in value.near[:_MAX_NEAR]
    ]
    return Readings(
        [term for term, *_ in rows],
        np.array([number for _, number, _, _ in rows], np.int64),
        np.array([factor for _, _, factor, _ in rows], np.float64),
        np.array([weight for *_, weight in rows], np.float64),
        [name for name, _ in near],
        np.array([number for _, number in near], np.int64),
    )
