"""Isotonic regression by pooling adjacent violators: no shape but rising."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.crosstabs import Floats

__all__ = ["Steps", "fit_isotonic"]


@dataclass(frozen=True, slots=True)
class Steps:
    """A rising function: linear between its knots, constant outside.

    Attributes:
        knots: Where, strictly rising.
        values: What, rising.
    """

    knots: tuple[float, ...]
    values: tuple[float, ...]

    def at(self, where: Floats) -> Floats:
        """The function's values."""
        values: Floats = np.interp(where, self.knots, self.values)
        return values


def fit_isotonic(where: Floats, what: Floats, weights: Floats) -> Steps:
    """The rising function of least squared error.

    Args:
        where: Shape (n,); equal places share one value.
        what: Shape (n,).
        weights: Shape (n,), above 0.

    Raises:
        ValueError: There is nothing to fit.
    """
    if not len(where):
        raise ValueError("nothing to fit")
    places, number = np.unique(where, return_inverse=True)
    mass = np.bincount(number, weights)
    mean = np.bincount(number, weights * what) / mass
    # Blocks of (mean, mass, first place, last place), merged while they fall.
    blocks: list[tuple[float, float, int, int]] = []
    for place, (value, weight) in enumerate(zip(mean, mass, strict=True)):
        block = (float(value), float(weight), place, place)
        while blocks and blocks[-1][0] >= block[0]:
            before = blocks.pop()
            total = before[1] + block[1]
            block = (
                (before[0] * before[1] + block[0] * block[1]) / total, total, before[2], block[3],
            )  # fmt: skip
        blocks.append(block)
    knots: list[float] = []
    values: list[float] = []
    for value, _, first, last in blocks:
        for place in dict.fromkeys((first, last)):
            knots.append(float(places[place]))
            values.append(value)
    return Steps(tuple(knots), tuple(values))
