"""Cross tables by cluster: everything that agreement needs, small whatever the number of pairs.

Every measure of agreement used here is a function of a table of (first reader's class, second
reader's class), so a resample of papers is a sum of the papers' tables and a million pairs cost no
more than their counting.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Floats", "Ints", "cluster_tables", "codes", "coincidences"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def codes(names: Sequence[str]) -> tuple[Ints, list[str]]:
    """Number the distinct names, in their order.

    Returns:
        The number of each name, from 0, and the names by number.
    """
    distinct = sorted(set(names))
    number = {name: place for place, name in enumerate(distinct)}
    return np.fromiter(map(number.__getitem__, names), dtype=np.int64, count=len(names)), distinct


def cluster_tables(
    first: Ints,
    second: Ints,
    clusters: Ints,
    *,
    shape: tuple[int, int],
    count: int,
    weights: Floats | None = None,
) -> Floats:
    """Count pairs by cluster and by both classes.

    Args:
        first: Classes of the first reader, from 0; shape (n,).
        second: Classes of the second, shape (n,).
        clusters: Number of each pair's cluster, shape (n,).
        shape: Number of classes of the first and of the second.
        count: Number of clusters.
        weights: What each pair counts; 1 where not given.

    Returns:
        Sums of weights, shape (count, *shape).
    """
    rows, columns = shape
    flat = (clusters * rows + first) * columns + second
    sums = np.bincount(flat, weights=weights, minlength=count * rows * columns)
    return sums.astype(np.float64).reshape(count, rows, columns)


def coincidences(items: Ints, values: Ints, clusters: Ints, *, classes: int, count: int) -> Floats:
    """Krippendorff's coincidences by cluster, for any number of readers, each of any items.

    Each item with m readings adds every ordered pair of two of them, weighing 1 / (m - 1); items
    with one reading add nothing (K. Krippendorff, *Content Analysis*, chapter 12).

    Args:
        items: Number of the item of each reading, shape (n,).
        values: Class of each reading, shape (n,).
        clusters: Number of the cluster of each reading's item, shape (n,).
        classes: Number of classes.
        count: Number of clusters.

    Returns:
        Shape (count, classes, classes); each table is symmetric.
    """
    total = int(items.max()) + 1 if items.size else 0
    counts = np.bincount(items * classes + values, minlength=total * classes)
    by_item = counts.astype(np.float64).reshape(total, classes)
    cluster_of = np.zeros(total, dtype=np.int64)
    cluster_of[items] = clusters
    readings = by_item.sum(axis=1)
    kept = readings > 1
    by_item, cluster_of, readings = by_item[kept], cluster_of[kept], readings[kept]
    share = by_item / (readings - 1)[:, None]
    tables = np.zeros((count, classes, classes))
    for row in range(classes):
        for column in range(classes):
            product = share[:, row] * (by_item[:, column] - (row == column))
            tables[:, row, column] = np.bincount(cluster_of, weights=product, minlength=count)
    return tables
