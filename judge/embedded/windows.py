"""How much of a claim stands together, in live lines in a row; comments and blanks left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Float", "Items", "Rows", "cover"]

Rows = npt.NDArray[np.int64]
Float = npt.NDArray[np.float64]
Items = Sequence[tuple[Rows, float]]


def cover(items: Items, size: int, count: int) -> Float:
    """For each window of `size` rows, by its first row, the weight of the items that stand in it.

    Args:
        items: Rows of each item, rising, with its weight. An item counts once a window.
        size: Rows of a window.
        count: Rows in all.

    Returns:
        Shape (count,).
    """
    change = np.zeros(count + 1)
    for rows, weight in items:
        if not len(rows):
            continue
        starts = rows - (size - 1)
        # Where two windows' first rows would overlap, the later begins behind the earlier.
        starts[1:] = np.maximum(starts[1:], rows[:-1] + 1)
        if starts[0] < 0:
            starts = np.maximum(starts, 0)
        change[starts] += weight
        change[rows + 1] -= weight
    return np.cumsum(change[:count])
