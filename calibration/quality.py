"""How good a stated distribution over levels is, against the levels that were true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.crosstabs import Floats, Ints

__all__ = ["Bin", "Quality", "calibration_error", "log_losses", "quality", "ranked_losses",
           "reliability"]  # fmt: skip

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about the same stated chance: what was stated, what came, and how many."""

    stated: float
    came: float
    count: int


@dataclass(frozen=True, slots=True)
class Quality:
    """The figures of one set of distributions.

    Attributes:
        log_loss: Mean of -log(chance given to the true level).
        ranked: Mean ranked probability score, 0 to 1: squared distance of the cumulative chances.
        error: Expected calibration error of "level at or above the cut", mean over the four cuts.
        reliability: By cut, stated against true shares, in bins of equal size.
    """

    log_loss: float
    ranked: float
    error: float
    reliability: dict[str, tuple[Bin, ...]]

    def as_json(self) -> dict[str, Any]:
        """The figures for a JSON file."""
        return {
            "log_loss": self.log_loss,
            "ranked_probability_score": self.ranked,
            "expected_calibration_error": self.error,
            "reliability": {
                cut: [{"stated": b.stated, "came": b.came, "count": b.count} for b in bins]
                for cut, bins in self.reliability.items()
            },
        }


def log_losses(distributions: Floats, levels: Ints) -> Floats:
    """-log of the chance given to each true level; shape (n,)."""
    seen = distributions[np.arange(len(levels)), levels]
    losses: Floats = -np.log(np.clip(seen, 1e-12, 1.0))
    return losses


def ranked_losses(distributions: Floats, levels: Ints) -> Floats:
    """Ranked probability score of each, divided by the number of cuts; shape (n,)."""
    cuts = distributions.shape[1] - 1
    stated = np.cumsum(distributions, axis=1)[:, :cuts]
    true = (levels[:, None] <= np.arange(cuts)).astype(np.float64)
    losses: Floats = ((stated - true) ** 2).sum(1) / cuts
    return losses


def reliability(stated: Floats, came: Floats, weights: Floats) -> tuple[Bin, ...]:
    """Stated against true shares, in ten bins of about equal size or fewer, ties together."""
    order = np.argsort(stated, kind="stable")
    stated, came, weights = stated[order], came[order], weights[order]
    ends = np.searchsorted(stated, np.quantile(stated, np.linspace(0, 1, BINS + 1)[1:-1]), "right")
    bins = []
    for part in np.split(np.arange(len(stated)), np.unique(ends)):
        if part.size:
            mass = weights[part].sum()
            bins.append(
                Bin(
                    float((stated[part] * weights[part]).sum() / mass),
                    float((came[part] * weights[part]).sum() / mass),
                    int(part.size),
                )
            )
    return tuple(bins)


def calibration_error(bins: tuple[Bin, ...]) -> float:
    """Mean distance of stated from true shares, bins weighing by their size."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.stated - one.came) for one in bins) / total


def quality(distributions: Floats, levels: Ints, weights: Floats) -> Quality:
    """All figures.

    Args:
        distributions: Shape (n, levels), rows sum to 1.
        levels: The true ones, shape (n,).
        weights: What each counts, shape (n,).
    """
    above = 1 - np.cumsum(distributions, axis=1)
    curves = {
        str(cut): reliability(above[:, cut - 1], (levels >= cut).astype(np.float64), weights)
        for cut in range(1, distributions.shape[1])
    }
    errors = [calibration_error(bins) for bins in curves.values()]
    return Quality(
        float(np.average(log_losses(distributions, levels), weights=weights)),
        float(np.average(ranked_losses(distributions, levels), weights=weights)),
        sum(errors) / len(errors),
        curves,
    )
