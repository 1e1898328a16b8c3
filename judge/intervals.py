"""Intervals for means, by a bootstrap that resamples papers.

The claims of one paper share its difficulty, and the repositories written for it share its text,
so papers and not verdicts are what is drawn again (B. Efron, R. Tibshirani, *An Introduction to
the Bootstrap*, 1993, chapter 13: the percentile interval; chapter 8: resampling whole clusters).
A mean is a ratio of two sums over papers, which covers both means that are reported: a mean of
papers' means (every denominator 1) and a mean over claims (denominators count claims).

The plain percentile interval is too narrow with few papers: it leaves out the factor n/(n-1) of
the variance and the step from the normal to the t distribution. Its tails are therefore taken
further out, at Φ(-√(n/(n-1)) · t) for the t quantile of n-1 degrees of freedom (T. Hesterberg,
"What Teachers Should Know About the Bootstrap", *The American Statistician* 69(4), 2015,
section 5.3: the expanded percentile interval). Below `MIN_PAPERS` even that cannot help, since no
draw leaves the range of the papers at hand, and there is no interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

__all__ = [
    "DRAWS",
    "LEVEL",
    "MIN_PAPERS",
    "SEED",
    "Floats",
    "Interval",
    "bootstrap_means",
    "paper_weights",
    "rank_ranges",
]

DRAWS = 4000
LEVEL = 0.95
SEED = 20260401
MIN_PAPERS = 8
"""Fewer papers give no interval. On skewed means (beta(2, 5)) a "95 %" interval holds the truth in
94 % of benchmarks of 30 papers and 93 % of 8, but 90 % of 5, and with three the whole range of
their means holds it three times in four."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of an interval, in the unit of the mean."""

    low: float
    high: float


def paper_weights(papers: int, *, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """How often each paper is drawn in each draw.

    The same arguments give the same weights, so that two agents on the same papers are compared
    on the same draws.

    Args:
        papers: How many papers there are to draw from, and how many each draw takes.
        draws: How many draws.
        seed: Of the generator.

    Returns:
        An array of shape (draws, papers) of counts; each row sums to `papers`.

    Raises:
        ValueError: Fewer than one paper or draw.
    """
    if papers < 1 or draws < 1:
        raise ValueError(f"{papers} papers and {draws} draws: both must be at least 1")
    generator = np.random.default_rng([seed, papers])
    return generator.multinomial(papers, np.full(papers, 1 / papers), size=draws).astype(np.float64)


@cache
def expanded_tail(papers: int, level: float = LEVEL) -> float:
    """The share of draws that lies beyond each end of the expanded percentile interval.

    Args:
        papers: How many are drawn from, at least 2.
        level: Coverage that the interval aims at.

    Returns:
        A share below `(1 - level) / 2`, which it approaches as papers become many.
    """
    freedom = papers - 1
    t = _t_quantile((1 + level) / 2, freedom)
    return NormalDist().cdf(-math.sqrt(papers / freedom) * t)


def _t_quantile(probability: float, freedom: int) -> float:
    """Student's t quantile above the median, by bisection on the distribution's closed form."""
    low, high = 0.0, 1.0
    while _t_cdf(high, freedom) < probability:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if _t_cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _t_cdf(t: float, freedom: int) -> float:
    """P(T <= t) for t >= 0 and whole degrees of freedom (Abramowitz and Stegun, 26.7.3, 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    odd = freedom % 2 == 1
    term, total = (math.cos(angle), 0.0) if odd else (1.0, 0.0)
    for step in range(2 if odd else 1, freedom, 2):
        total += term
        term *= square * step / (step + 1)
    between = math.sin(angle) * total
    if odd:
        between = 2 / math.pi * (angle + between)
    return (1 + between) / 2


def bootstrap_means(
    numerators: Floats,
    denominators: Floats,
    *,
    level: float = LEVEL,
    draws: int = DRAWS,
    seed: int = SEED,
) -> list[Interval | None]:
    """Intervals for many means at once.

    Column k's mean is `numerators[:, k].sum() / denominators[:, k].sum()`. Only the papers that
    column k has anything of (denominator above 0) are drawn for it, so no draw divides by 0.

    Args:
        numerators: Shape (papers, means): sums of scores.
        denominators: Shape (papers, means): what they are divided by; 0 where a paper has none.
        level: Coverage that the interval aims at, between 0 and 1.
        draws: Bootstrap draws.
        seed: Of the generator.

    Returns:
        One interval per column; `None` where fewer than `MIN_PAPERS` papers have anything.

    Raises:
        ValueError: Shapes differ, a value is not finite, a denominator is negative, or `level` is
            not between 0 and 1.
    """
    if numerators.ndim != 2 or numerators.shape != denominators.shape:
        raise ValueError(f"shapes {numerators.shape} and {denominators.shape} should be one matrix")
    if not (np.isfinite(numerators).all() and np.isfinite(denominators).all()):
        raise ValueError("a sum or a count is not finite")
    if (denominators < 0).any():
        raise ValueError("a denominator is negative")
    if not 0 < level < 1:
        raise ValueError(f"a level of {level} is not between 0 and 1")

    present = denominators > 0
    by_papers: dict[bytes, list[int]] = {}
    for column in range(numerators.shape[1]):
        by_papers.setdefault(present[:, column].tobytes(), []).append(column)

    intervals: list[Interval | None] = [None] * numerators.shape[1]
    for columns in by_papers.values():
        rows = np.flatnonzero(present[:, columns[0]])
        if rows.size < MIN_PAPERS:
            continue
        tail = expanded_tail(rows.size, level)
        weights = paper_weights(rows.size, draws=draws, seed=seed)
        above, below = numerators[rows][:, columns], denominators[rows][:, columns]
        means = (weights @ above) / (weights @ below)
        ends = np.quantile(means, [tail, 1 - tail], axis=0)
        for place, column in enumerate(columns):
            intervals[column] = Interval(float(ends[0, place]), float(ends[1, place]))
    return intervals


def rank_ranges(
    values: Floats, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED
) -> list[tuple[int, int]]:
    """The ranks that agents take over the draws: which differences would outlive other papers.

    Args:
        values: Shape (papers, agents): every agent's mean on every paper, all finite; at least
            two papers.
        level: Share of draws that the range holds.
        draws: Bootstrap draws.
        seed: Of the generator.

    Returns:
        Best and worst rank per agent, from 1; equal means share the better rank.

    Raises:
        ValueError: A value is not finite, or there are fewer than two papers.
    """
    if values.ndim != 2 or values.shape[0] < 2 or not np.isfinite(values).all():
        raise ValueError("ranks need finite means of every agent on two papers or more")
    # Rounding keeps two agents with equal papers from being told apart by the last bit of a sum.
    means = np.round(paper_weights(values.shape[0], draws=draws, seed=seed) @ values, 9)
    ranks = np.empty(means.shape, dtype=np.int64)
    for agent in range(means.shape[1]):
        ranks[:, agent] = 1 + (means > means[:, [agent]]).sum(axis=1)
    tail = (1 - level) / 2
    low = np.quantile(ranks, tail, axis=0, method="lower")
    high = np.quantile(ranks, 1 - tail, axis=0, method="higher")
    return [(int(best), int(worst)) for best, worst in zip(low, high, strict=True)]
