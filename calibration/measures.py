"""Measures of agreement as functions of cross tables, many tables at once.

Each takes an array of shape (..., k, k) of counts or weights, first reader down, second across,
and gives an array of shape (...,), with NaN where it is undefined; `measure_of` and the resampling
turn NaN into a reason before anyone sees it. Classes are ordered and one step apart.

Sources: J. Cohen 1968 (weighted kappa); K. L. Gwet, *Handbook of Inter-Rater Reliability*, 4th
edition 2014, chapter 3 (AC2); K. Krippendorff, *Content Analysis*, chapter 12 (alpha, ordinal
differences); C. Spearman 1904, on mid-ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibration.crosstabs import Floats

__all__ = [
    "BINARY",
    "ORDINAL",
    "PASSING",
    "Measure",
    "alpha_of_coincidences",
    "area_under_curve",
    "class_f1",
    "exact",
    "f1_of",
    "gwet_ac2",
    "krippendorff_alpha",
    "macro_f1",
    "mean_error",
    "quadratic_kappa",
    "spearman",
    "true_negative_rate",
    "true_positive_rate",
    "within_one",
]


@dataclass(frozen=True, slots=True)
class Measure:
    """A named measure.

    Attributes:
        name: Its key in JSON.
        title: Its name in tables.
        function: From tables to values.
        undefined: Why it does not exist, where it does not (for a table that is not empty).
        bounds: What it can be, for intervals that should stay inside.
        steady: Its error takes papers - 1 degrees of freedom: all errors are alike large, and fewer
            would make its intervals wider than they should be.
    """

    name: str
    title: str
    function: Callable[[Floats], Floats]
    undefined: str
    bounds: tuple[float, float]
    steady: bool = False


def _ratio(above: Floats, below: Floats) -> Floats:
    """A quotient, NaN where the divisor is 0 (but for rounding)."""
    fine = np.abs(below) > 1e-12
    return np.where(fine, above / np.where(fine, below, 1.0), np.nan)


def _distance(classes: int) -> Floats:
    steps = np.arange(classes, dtype=np.float64)
    return np.subtract.outer(steps, steps)


def exact(tables: Floats) -> Floats:
    """Share of pairs in the same class."""
    return _ratio(np.trace(tables, axis1=-2, axis2=-1), tables.sum((-2, -1)))


def within_one(tables: Floats) -> Floats:
    """Share of pairs at most one class apart."""
    near = np.abs(_distance(tables.shape[-1])) <= 1
    return _ratio((tables * near).sum((-2, -1)), tables.sum((-2, -1)))


def mean_error(tables: Floats) -> Floats:
    """Mean of first less second, in shares of the scale: 1 is from the lowest class to the top."""
    steps = _distance(tables.shape[-1]) / (tables.shape[-1] - 1)
    return _ratio((tables * steps).sum((-2, -1)), tables.sum((-2, -1)))


def quadratic_kappa(tables: Floats) -> Floats:
    """Cohen's kappa, disagreement weighed by the square of its size."""
    total = tables.sum((-2, -1))
    square = _distance(tables.shape[-1]) ** 2
    seen = (tables * square).sum((-2, -1)) * total
    rows, columns = tables.sum(-1), tables.sum(-2)
    chance = np.einsum("...i,ij,...j->...", rows, square, columns)
    return 1 - _ratio(seen, chance)


def gwet_ac2(tables: Floats) -> Floats:
    """Gwet's AC2 with quadratic weights; chance from the mean of both readers' margins."""
    classes = tables.shape[-1]
    weights = 1 - _distance(classes) ** 2 / (classes - 1) ** 2
    total = tables.sum((-2, -1))
    agreed = _ratio((tables * weights).sum((-2, -1)), total)
    margins = (tables.sum(-1) + tables.sum(-2)) / 2
    shares = _ratio(margins, total[..., None])
    chance = weights.sum() / (classes * (classes - 1)) * (shares * (1 - shares)).sum(-1)
    return _ratio(agreed - chance, 1 - chance)


def krippendorff_alpha(tables: Floats) -> Floats:
    """Krippendorff's alpha with ordinal differences, of the pairs of two readers."""
    return alpha_of_coincidences(tables + np.swapaxes(tables, -1, -2))


def alpha_of_coincidences(tables: Floats) -> Floats:
    """Krippendorff's ordinal alpha of coincidence tables."""
    margins = tables.sum(-1)
    total = margins.sum(-1)
    upto = np.cumsum(margins, axis=-1)
    middle = upto - margins / 2
    difference = (middle[..., :, None] - middle[..., None, :]) ** 2
    seen = (tables * difference).sum((-2, -1))
    chance = np.einsum("...i,...ij,...j->...", margins, difference, margins)
    return 1 - _ratio(seen * (total - 1), chance)


def spearman(tables: Floats) -> Floats:
    """Spearman's rank correlation: Pearson's of the mid-ranks, ties and all."""
    rows, columns = tables.sum(-1), tables.sum(-2)
    total = rows.sum(-1)
    first = np.cumsum(rows, axis=-1) - rows / 2 - total[..., None] / 2
    second = np.cumsum(columns, axis=-1) - columns / 2 - total[..., None] / 2
    shared = np.einsum("...i,...ij,...j->...", first, tables, second)
    spread = (rows * first**2).sum(-1) * (columns * second**2).sum(-1)
    scale = np.maximum(total, 1.0) ** 6
    fine = spread > 1e-12 * scale
    return np.where(fine, shared / np.sqrt(np.where(fine, spread, 1.0)), np.nan)


def class_f1(tables: Floats) -> Floats:
    """F1 of each class, shape (..., k): NaN where neither reader used the class."""
    hits = np.diagonal(tables, axis1=-2, axis2=-1)
    return _ratio(2 * hits, tables.sum(-1) + tables.sum(-2))


def macro_f1(tables: Floats) -> Floats:
    """Mean F1 over the classes that either reader used."""
    each = class_f1(tables)
    used = ~np.isnan(each)
    return _ratio(np.where(used, each, 0.0).sum(-1), used.sum(-1).astype(np.float64))


def f1_of(tables: Floats, place: int) -> Floats:
    """F1 of one class."""
    return class_f1(tables)[..., place]


def area_under_curve(tables: Floats) -> Floats:
    """AUC of levels (down) for fail and pass (across): the chance that a pass has the higher one.

    Equal levels count half. Tables of shape (..., k, 2).
    """
    fails, passes = tables[..., 0], tables[..., 1]
    below = np.cumsum(fails, axis=-1) - fails / 2
    return _ratio((passes * below).sum(-1), passes.sum(-1) * fails.sum(-1))


def true_positive_rate(tables: Floats, cut: int, other: int) -> Floats:
    """Of what the second reader has at `other` or above, the share the first has at `cut`."""
    return _ratio(tables[..., cut:, other:].sum((-2, -1)), tables[..., other:].sum((-2, -1)))


def true_negative_rate(tables: Floats, cut: int, other: int) -> Floats:
    """Of what the second reader has below `other`, the share that the first has below `cut`."""
    return _ratio(tables[..., :cut, :other].sum((-2, -1)), tables[..., :other].sum((-2, -1)))


_ONE_CLASS = "both readers used one and the same level throughout"
ORDINAL: tuple[Measure, ...] = (
    Measure("exact", "exact", exact, "no pairs", (0, 1)),
    Measure("within_one", "within one level", within_one, "no pairs", (0, 1)),
    Measure("quadratic_kappa", "quadratic kappa", quadratic_kappa, _ONE_CLASS, (-1, 1)),
    # Chance agreement of five levels with these weights is .75 at most, so AC2 can fall to -3.
    Measure("gwet_ac2", "Gwet AC2", gwet_ac2, "no pairs", (-3, 1)),
    Measure("krippendorff_alpha", "Krippendorff alpha", krippendorff_alpha, _ONE_CLASS, (-1, 1)),
    Measure("spearman", "Spearman", spearman, "a reader used one level throughout", (-1, 1)),
    Measure("mean_error", "mean error", mean_error, "no pairs", (-1, 1)),
    Measure("macro_f1", "macro F1", macro_f1, "no pairs", (0, 1)),
)
"""What two readers of levels are compared by."""

BINARY: tuple[Measure, ...] = (
    Measure("exact", "exact", exact, "no pairs", (0, 1), steady=True),
    Measure("kappa", "kappa", quadratic_kappa, _ONE_CLASS, (-1, 1)),
    Measure("gwet_ac1", "Gwet AC1", gwet_ac2, "no pairs", (-1, 1), steady=True),
    Measure("macro_f1", "macro F1", macro_f1, "no pairs", (0, 1)),
)
"""What two readers of pass or fail are compared by."""

PASSING: tuple[Measure, ...] = (
    Measure("auc", "AUC", area_under_curve, "labels are all pass or all fail", (0, 1)),
)
"""What levels are compared with pass or fail by, without a cut."""
