"""How well a score ranks and predicts levels: the figures that a distilled judge is held to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from calibration.crosstabs import Floats, Ints
from calibration.quality import calibration_error, reliability

__all__ = [
    "area_under_curve",
    "error_of_chances",
    "group_means",
    "quadratic_agreement",
    "rank_correlation",
]


def _ranks(values: Floats) -> Floats:
    """Mid-ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's rank correlation on mid-ranks; not a number where one side is constant."""
    first, second = _ranks(one), _ranks(other)
    if first.std() == 0 or second.std() == 0:
        return float("nan")
    return float(np.corrcoef(first, second)[0, 1])


def area_under_curve(score: Floats, positive: npt.NDArray[np.bool_]) -> float:
    """The chance that a positive one scores higher than a negative one, ties counting half."""
    ones = int(positive.sum())
    rest = len(score) - ones
    if not ones or not rest:
        return float("nan")
    return float((_ranks(score)[positive].sum() - ones * (ones + 1) / 2) / (ones * rest))


def quadratic_agreement(one: Ints, other: Ints) -> float:
    """Quadratic-weighted kappa of two readings of five levels (J. Cohen 1968)."""
    table = np.zeros((5, 5))
    np.add.at(table, (one, other), 1)
    cost = (np.arange(5)[:, np.newaxis] - np.arange(5)) ** 2
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    expected = float((cost * chance).sum())
    return 1 - float((cost * table).sum()) / expected if expected else float("nan")


def group_means(groups: Sequence[Hashable], *columns: Floats) -> tuple[Floats, ...]:
    """The mean of each column in each group, groups in the order of first sight."""
    members: defaultdict[Hashable, list[int]] = defaultdict(list)
    for row, group in enumerate(groups):
        members[group].append(row)
    return tuple(
        np.array([float(column[rows].mean()) for rows in members.values()]) for column in columns
    )


def error_of_chances(chance: Floats, came: npt.NDArray[np.bool_]) -> float:
    """Expected calibration error in ten bins of about equal size."""
    return calibration_error(reliability(chance, came.astype(np.float64), np.ones(len(chance))))
