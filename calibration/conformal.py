"""Prediction sets that hold the true level with a chosen chance, and a rule for what to pass on.

Sets: runs of levels around the likeliest, as wide as out-of-fold labels showed is needed, papers
and not labels being what is exchangeable. Each paper weighs the same and one weight stands for the
paper to come (Y. Lee, R. Barber, R. Willett 2023, hierarchical conformal prediction), so from G
papers no more than G / (G + 1) can be promised.

Rule: answer where the model's own risk is below a limit; the limit is the largest for which the
upper bound of the risk seen so far stays below what the user accepts, tried from the strictest on
and stopped at the first failure (A. Angelopoulos et al. 2021, fixed-sequence testing).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmark import InputError, Where
from benchmark.counting import counted
from calibration.crosstabs import Floats, Ints
from calibration.resampling import FEWEST_CLUSTERS
from calibration.student import student_quantile

__all__ = ["AbstainRule", "RiskPoint", "answers", "conformal_limit", "fit_rule", "needed_mass",
           "prediction_sets", "risks"]  # fmt: skip

LOSSES = ("off_by_two", "wrong")
_LEAST_SHARE = 0.2
"""Where the sequence of limits starts: answering less than this is not worth a rule."""


def needed_mass(distributions: Floats) -> Floats:
    """For each level, the mass of the narrowest run around the likeliest level that holds it.

    Runs grow by the likelier neighbour. Shape (n, levels), as the distributions.
    """
    count, levels = distributions.shape
    rows = np.arange(count)
    first = last = distributions.argmax(1)
    mass = distributions[rows, first].copy()
    needed = np.full((count, levels), 1.0)
    needed[rows, first] = mass
    for _ in range(levels - 1):
        below = np.where(first > 0, distributions[rows, np.maximum(first - 1, 0)], -1.0)
        above = np.where(
            last < levels - 1, distributions[rows, np.minimum(last + 1, levels - 1)], -1.0
        )
        down = below >= above
        added = np.where(down, first - 1, last + 1)
        mass = mass + np.maximum(below, above)
        needed[rows, added] = mass
        first, last = np.where(down, first - 1, first), np.where(down, last, last + 1)
    return needed


def conformal_limit(needed: Floats, papers: Ints, coverage: float) -> float:
    """The mass up to which levels enter the sets, for a coverage of a new paper's claims.

    Args:
        needed: `needed_mass` at the true level of each label, out of fold; shape (n,).
        papers: Number of each label's paper, shape (n,).
        coverage: The chance wanted, below 1.

    Raises:
        InputError: There are too few papers for this coverage.
    """
    distinct, place = np.unique(papers, return_inverse=True)
    count = len(distinct)
    if coverage > count / (count + 1):
        raise InputError(
            f"labels of {counted(count, 'paper')} can promise a coverage of "
            f"{count / (count + 1):.3f} at most",
            where=Where("--coverage", key=str(coverage)),
            remedy="Ask for less, or label more papers",
        )
    weights = 1 / (np.bincount(place)[place] * (count + 1))
    order = np.argsort(needed, kind="stable")
    upto = np.cumsum(weights[order])
    reached = int(np.searchsorted(upto, coverage - 1e-12))
    return float(needed[order][min(reached, len(order) - 1)])


def prediction_sets(distributions: Floats, limit: float) -> list[tuple[int, int]]:
    """The lowest and highest level of each set; never empty."""
    needed = needed_mass(distributions)
    inside = needed <= limit + 1e-12
    inside[np.arange(len(needed)), distributions.argmax(1)] = True
    levels = distributions.shape[1]
    low = inside.argmax(1)
    high = levels - 1 - inside[:, ::-1].argmax(1)
    return [(int(a), int(b)) for a, b in zip(low, high, strict=True)]


def answers(distributions: Floats) -> Ints:
    """The level to answer: the middle of the distribution, which is least far off."""
    levels: Ints = (np.cumsum(distributions, axis=1) < 0.5).sum(1).astype(np.int64)
    return levels


def risks(distributions: Floats, loss: str) -> Floats:
    """The model's own chance that its answer is wrong, or two levels off or more; shape (n,)."""
    steps = np.arange(distributions.shape[1])
    apart = np.abs(steps[None, :] - answers(distributions)[:, None])
    lost: Floats = (distributions * (apart >= (2 if loss == "off_by_two" else 1))).sum(1)
    return lost


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Answering only where the model's own risk is at most `limit`.

    Attributes:
        limit: Of the model's own risk.
        share: Share of claims then answered.
        risk: Share of these that was lost.
        upper: One-sided 95 % bound on it, papers being what varies; 1 where it cannot be had.
    """

    limit: float
    share: float
    risk: float
    upper: float


@dataclass(frozen=True, slots=True)
class AbstainRule:
    """What is answered and what goes to a person.

    Attributes:
        loss: `off_by_two` (two levels off or more) or `wrong`.
        accepted: The risk that the user accepts.
        limit: Answer where the model's own risk is at most this; `None`: nothing can be answered
            at this risk.
        curve: Share answered against risk.
    """

    loss: str
    accepted: float
    limit: float | None
    curve: tuple[RiskPoint, ...]

    def as_json(self) -> dict[str, Any]:
        """The rule for a JSON file."""
        return {
            "loss": self.loss,
            "accepted_risk": self.accepted,
            "limit": self.limit,
            "curve": [
                {"limit": p.limit, "share": p.share, "risk": p.risk, "upper": p.upper}
                for p in self.curve
            ],
        }


def fit_rule(
    distributions: Floats,
    levels: Ints,
    papers: Ints,
    weights: Floats,
    *,
    accepted: float,
    loss: str = "off_by_two",
) -> AbstainRule:
    """Fit the limit on out-of-fold distributions.

    Args:
        distributions: Shape (n, levels).
        levels: The true ones, shape (n,).
        papers: Number of each label's paper, shape (n,).
        weights: What each counts, shape (n,).
        accepted: The risk that the user accepts.
        loss: What counts as lost.
    """
    own = risks(distributions, loss)
    apart = np.abs(levels - answers(distributions))
    lost = (apart >= (2 if loss == "off_by_two" else 1)).astype(np.float64)
    total = float(weights.sum())
    limits = np.unique(np.quantile(own, np.linspace(_LEAST_SHARE, 1, 17), method="higher"))
    curve = []
    for limit in limits:
        kept = own <= limit
        mass = weights[kept]
        risk = float((lost[kept] * mass).sum() / mass.sum())
        upper = _upper(lost[kept], papers[kept], mass, risk)
        curve.append(RiskPoint(float(limit), float(mass.sum() / total), risk, upper))
    chosen = None
    for point in curve:
        if point.upper > accepted:
            break
        chosen = point.limit
    return AbstainRule(loss, accepted, chosen, tuple(curve))


def _upper(lost: Floats, papers: Ints, weights: Floats, risk: float) -> float:
    """A bound on a share from how papers vary, with one lost claim more than was seen."""
    count = len(np.unique(papers))
    if count < FEWEST_CLUSTERS:
        return 1.0
    mass = float(weights.sum())
    apart = np.bincount(papers, (lost - risk) * weights) / mass
    spread = math.sqrt(count / (count - 1) * float((apart**2).sum()))
    cautious = (risk * mass + float(weights.max())) / (mass + float(weights.max()))
    return min(1.0, cautious + student_quantile(0.95, count - 1) * spread)
