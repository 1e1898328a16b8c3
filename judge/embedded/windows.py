"""How much of a claim stands together, in live lines in a row; comments and blanks left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

__all__ = ["Cover", "Float", "Items", "Rows", "cover", "summed"]

Rows = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]
Items = Sequence[tuple[Rows, float]]


class Cover:
    """The weight of items in windows of rows; each size is counted once.

    Args:
        items: Rows of each item, rising, with its weight. An item counts once a window.
        count: Rows in all.
    """

    def __init__(self, items: Items, count: int) -> None:
        self._count = count
        self._sizes: dict[int, Float] = {}
        filled = [item for item in items if len(item[0])]
        self._is_empty = not filled
        if not filled:
            return
        lengths = [len(rows) for rows, _ in filled]
        self._ends = ends = np.concatenate([rows for rows, _ in filled])
        self._weights = np.array([weight for _, weight in filled], np.float64).repeat(lengths)
        behind = ends + 1
        # Where two windows' first rows would overlap, the later begins behind the earlier.
        self._lowest = np.zeros_like(ends)
        self._lowest[1:] = behind[:-1]
        self._lowest[list(accumulate(lengths[:-1], initial=0))] = 0
        self._closing = np.bincount(behind, self._weights, count + 1)

    def within(self, size: int) -> Float:
        """For each window of `size` rows, by its first row, the weight of the items in it.

        Returns:
            Shape (count,); not to be changed.
        """
        known = self._sizes.get(size)
        if known is None:
            known = self._sizes[size] = self._within(size)
        return known

    def most(self, size: int) -> float:
        """The weight in the best window of `size` rows; 0 where there are no rows."""
        if self._is_empty:
            return 0.0
        return float(np.maximum.reduce(self.within(size), initial=0.0))

    def _within(self, size: int) -> Float:
        if self._is_empty:
            return np.zeros(self._count)
        starts = np.maximum(self._ends - (size - 1), self._lowest)
        change = np.bincount(starts, self._weights, self._count + 1)
        change -= self._closing
        return change[: self._count].cumsum()


def cover(items: Items, size: int, count: int) -> Float:
    """For each window of `size` rows, by its first row, the weight of the items that stand in it.

    Args:
        items: Rows of each item, rising, with its weight. An item counts once a window.
        size: Rows of a window.
        count: Rows in all.

    Returns:
        Shape (count,).
    """
    return Cover(items, count).within(size)


def summed(items: Items, count: int) -> Float:
    """For each number below `count` the weight of the items that hold it, added up in their order.

    Args:
        items: Numbers of each item, each once, with its weight.
        count: How many numbers there are.

    Returns:
        Shape (count,).
    """
    filled = [item for item in items if len(item[0])]
    if not filled:
        return np.zeros(count)
    weights = np.array([weight for _, weight in filled], np.float64)
    numbers = np.concatenate([own for own, _ in filled])
    repeated = weights.repeat([len(own) for own, _ in filled])
    return np.bincount(numbers, repeated, count).astype(np.float64, copy=False)
