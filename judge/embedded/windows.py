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
    filled = [(rows, weight) for rows, weight in items if len(rows)]
    if not filled:
        return np.zeros(count)
    lengths = [len(rows) for rows, _ in filled]
    ends = np.concatenate([rows for rows, _ in filled])
    weights = np.repeat([weight for _, weight in filled], lengths)
    starts = ends - (size - 1)
    own = starts.copy()
    # Where two windows' first rows would overlap, the later begins behind the earlier.
    np.maximum(starts[1:], ends[:-1] + 1, out=starts[1:])
    first = np.cumsum([0, *lengths[:-1]])
    starts[first] = own[first]
    np.maximum(starts, 0, out=starts)
    change = np.bincount(starts, weights, count + 1)
    change -= np.bincount(ends + 1, weights, count + 1)
    return np.cumsum(change[:count])
