"""Means with the judge's error taken out, for claims clustered in papers.

Two estimators of an agent's true mean, each with its assumptions in the result:

- `ppi_mean`: prediction-powered inference with the power-tuned weight (A. Angelopoulos, J. Duchi,
  T. Zrnic, *PPI++: Efficient Prediction-Powered Inference*, 2023), in its form for labels that are
  a sample of the judged claims: the labels' weighted mean, moved by what the judge says of all
  claims against what it says of the labelled ones. Valid however bad the judge is; a bad judge
  only gets weight 0.
- `rogan_gladen`: for pass and fail at a cut, the judge's share of passes corrected by its
  sensitivity and specificity (W. Rogan, B. Gladen, 1978).

Both get their interval from leaving out one paper at a time, with Student's t at (papers with
labels - 1) degrees of freedom: everything that is estimated, the weight too, is estimated again
each time. `raw_mean` is what the judge says as it stands, for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.crosstabs import Floats
from calibration.estimates import (
    SAMPLED,
    Estimate,
    Sums,
    check_labels,
    estimate_of,
    refused,
    standard_error,
    without_each,
)
from calibration.figures import Figure
from calibration.resampling import FEWEST_CLUSTERS, LEVEL
from calibration.samples import Sample
from calibration.student import student_quantile, student_two_sided

__all__ = ["independent_ppi_mean", "pooled_mean", "ppi_mean", "raw_mean", "tuned_weight"]

_MOST = 2.0
"""A weight above this would be a judge of another scale, not of another strictness."""


def raw_mean(sample: Sample, *, level: float = LEVEL) -> Estimate:
    """The mean of what the judge says, its errors included.

    Raises:
        InputError: There is no verdict.
    """
    sums = Sums.of(sample)
    if not sums.count.sum():
        raise refused("no verdict has a level", "Run the judge first")

    def mean(part: Sums) -> float:
        return float(part.predicted.sum() / part.count.sum())

    return estimate_of(
        "raw", mean, sums, df=None, labels=0, level=level, assumptions=(
            "the judge is right, or wrong by nothing on the average",
            SAMPLED[1],
        ),
    )  # fmt: skip


def ppi_mean(sample: Sample, *, weight: float | None = None, level: float = LEVEL) -> Estimate:
    """The true mean by prediction-powered inference, clustered by paper.

    Args:
        sample: Verdicts of one judge on one agent, some of them labelled.
        weight: How much the judge's word counts; chosen for the least variance where not given.
        level: Coverage aimed at.

    Raises:
        InputError: Too few labels or papers, or labels that are no fair draw: the message says so.
    """
    sums = Sums.of(sample)
    notes = check_labels(sample, sums)

    def mean(part: Sums) -> float:
        chosen = tuned_weight(part) if weight is None else weight
        truth = part.truth.sum() / part.stands.sum()
        shift = part.predicted.sum() / part.count.sum() - part.foretold.sum() / part.stands.sum()
        return float(truth + chosen * shift)

    estimate = estimate_of(
        "ppi++", mean, sums, df=sample.labelled_papers - 1, labels=sample.labels, level=level,
        assumptions=SAMPLED, notes=notes,
    )  # fmt: skip
    return replace(estimate, weight=tuned_weight(sums) if weight is None else weight)


def tuned_weight(sums: Sums) -> float:
    """The judge's weight of least variance: the slope of truth on its word, claim by claim.

    For labels that are a draw of the judged claims, Var(mean truth - w (mean word of the labelled -
    mean word of all)) is least at Cov(truth, word) / Var(word), whatever share is labelled. Tuning
    by how papers' means vary would be the least for papers, but from few papers it is so uncertain
    that its interval is wider and holds less often (see `tests/benchmarks/coverage.py`). Any weight
    is valid, so this one only decides the width.
    """
    stands = sums.stands.sum()
    truth, word = sums.truth.sum() / stands, sums.foretold.sum() / stands
    spread = float(sums.square.sum() / stands - word**2)
    if spread < 1e-12:
        return 0.0
    return float(np.clip((sums.shared.sum() / stands - truth * word) / spread, 0.0, _MOST))


def pooled_mean(
    sample: Sample, everything: Sample, agents: Sequence[Sample], *, level: float = LEVEL
) -> Estimate:
    """One agent's mean, corrected by the judge's mean error on the labels of all agents.

    For labels too few to correct each agent by its own. Differences between agents are then those
    that the judge sees: this moves the scale and not the order.

    Args:
        sample: The agent's verdicts.
        everything: All agents' verdicts, over the same papers.
        agents: Each agent's verdicts, to see whether the judge errs alike for all.
        level: Coverage aimed at.

    Raises:
        InputError: Too few labels, or a judge that errs differently for some agent.
    """
    sums, pool = Sums.of(sample), Sums.of(everything)
    notes = check_labels(everything, pool)
    if not sums.count.sum():
        raise refused("no verdict has a level", "Run the judge first")
    _check_alike(agents, pool)

    def mean(own: np.ndarray) -> float:
        mine, all_ = sums.kept(own), pool.kept(own)
        word = mine.predicted.sum() / mine.count.sum()
        return float(word + (all_.truth.sum() - all_.foretold.sum()) / all_.stands.sum())

    size = len(sample.papers)
    everyone = np.ones(size, dtype=bool)
    value = mean(everyone)
    left_out = np.full(size, value)
    present = np.flatnonzero((sums.count > 0) | (pool.stands > 0))
    for paper in present:
        mask = everyone.copy()
        mask[paper] = False
        if sums.count[mask].sum():
            left_out[paper] = mean(mask)
    df = everything.labelled_papers - 1
    error = standard_error(value, left_out, len(present))
    reach = student_quantile((1 + level) / 2, df) * error
    return Estimate(
        Figure(value, value - reach, value + reach), "pooled", left_out, len(present), df,
        everything.labels, 1.0,
        ("the judge's mean error is the same for every agent", *SAMPLED), notes,
    )  # fmt: skip


def _check_alike(agents: Sequence[Sample], pool: Sums) -> None:
    """Refuse where the judge's mean error on some agent stands out from that on all."""

    def error(part: Sums) -> float:
        stands = part.stands.sum()
        return float((part.truth.sum() - part.foretold.sum()) / stands) if stands else math.nan

    whole, whole_out = error(pool), without_each(error, pool, error(pool))
    found: list[tuple[float, float, int]] = []
    for place, agent in enumerate(agents):
        sums = Sums.of(agent)
        papers = int((sums.stands > 0).sum())
        if papers < FEWEST_CLUSTERS:
            continue
        apart = error(sums) - whole
        left_out = without_each(error, sums, error(sums)) - whole_out
        spread = standard_error(apart, left_out, int((pool.count > 0).sum()))
        if spread > 1e-12:
            found.append((student_two_sided(apart / spread, papers - 1), apart, place))
    if found and min(found)[0] * len(found) < 0.05:
        p, apart, place = min(found)
        raise refused(
            f"the judge errs differently for one agent (number {place + 1} by name: truth is "
            f"{apart:+.2f} of its word against all agents' mean, p = {p * len(found):.2g} adjusted "
            f"for {len(found)})",
            "Correct each agent by its own labels, with --correction ppi",
        )


def independent_ppi_mean(
    truth: Floats, predicted: Floats, unlabelled: Floats, *, weight: float | None = None
) -> tuple[float, float]:
    """PPI++ of a mean for independent items, as its paper gives it: no clusters.

    What `ppi_mean` becomes without papers; kept as the bridge to other implementations. Needs two
    labelled items or more.

    Args:
        truth: True scores of the labelled items, shape (n,).
        predicted: Predictions for them, shape (n,).
        unlabelled: Predictions for the others, shape (m,).
        weight: The judge's weight; tuned where not given, and kept between 0 and 1.

    Returns:
        The mean and the weight.
    """
    if weight is None:
        both = np.concatenate([predicted, unlabelled])
        shared = float(((truth - truth.mean()) * (predicted - predicted.mean())).mean())
        spread = float(both.var(ddof=1)) * (1 + len(truth) / len(unlabelled))
        weight = 0.0 if spread < 1e-18 else min(max(shared / spread, 0.0), 1.0)
    value = float(weight * unlabelled.mean() + (truth - weight * predicted).mean())
    return value, weight
