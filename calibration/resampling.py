"""Intervals for measures of cross tables, and paired tests, with papers as what varies.

The default is the delete-one-paper jackknife with Student's t at (papers - 1) degrees of freedom
or fewer (see `degrees_of_freedom`), taken on a stretched (logit) scale for measures with bounds
(B. Efron, C. Stein 1981; A. Davison, D. Hinkley, *Bootstrap Methods*, 1997, section 2.7). The
percentile bootstrap over papers is there too; with few papers it is too narrow, as
`python -m tests.benchmarks.coverage` shows, so it is not the default.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from calibration.crosstabs import Floats
from calibration.figures import Figure, Undefined
from calibration.measures import Measure
from calibration.student import student_quantile, student_two_sided

__all__ = [
    "DRAWS",
    "FEWEST_CLUSTERS",
    "LEVEL",
    "SEED",
    "Comparison",
    "IntervalMethod",
    "Setting",
    "compare_paired",
    "degrees_of_freedom",
    "draw_weights",
    "figure_of",
    "jackknife_error",
]

DRAWS = 2000
LEVEL = 0.95
SEED = 20260401
FEWEST_CLUSTERS = 5
"""Below this, clusters say too little of how clusters vary for an interval that holds."""

_UNSETTLED = 0.01
"""Share of resamples without a value from which on a bootstrap interval is refused."""

IntervalMethod = Literal["jackknife", "bootstrap", "naive"]


@dataclass(frozen=True, slots=True)
class Setting:
    """How intervals are made.

    Attributes:
        method: `jackknife` or `bootstrap` over clusters; `naive` takes every pair for independent
            and is there to show how wrong that is.
        cluster: What the clusters are called in sentences.
        level: Coverage aimed at.
        draws: Of the bootstrap.
        seed: Of the bootstrap.
    """

    method: IntervalMethod = "jackknife"
    cluster: str = "paper"
    level: float = LEVEL
    draws: int = DRAWS
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Comparison:
    """A difference between two judges on the same items.

    Attributes:
        difference: First less second, with its interval; or why there is none.
        p: Two-sided chance of a difference at least this large if there were none; `None` where
            it cannot be had.
    """

    difference: Figure | Undefined
    p: float | None

    def as_json(self) -> dict[str, Any]:
        """The comparison for a JSON file."""
        return {**self.difference.as_json(), "p": self.p}


@lru_cache(maxsize=32)
def draw_weights(clusters: int, *, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """How often each cluster is drawn in each resample; shape (draws, clusters)."""
    generator = np.random.default_rng([seed, clusters])
    shares = np.full(clusters, 1 / clusters)
    weights = generator.multinomial(clusters, shares, size=draws).astype(np.float64)
    weights.flags.writeable = False
    return weights


def jackknife_error(left_out: Floats) -> float:
    """Standard error from the values with one cluster left out each, shape (clusters,)."""
    count = left_out.size
    return math.sqrt((count - 1) / count * float(((left_out - left_out.mean()) ** 2).sum()))


def degrees_of_freedom(left_out: Floats) -> float:
    """How much the jackknife's error can be trusted: clusters - 1, fewer where a few decide it.

    By matching the variance of the estimated variance (F. Satterthwaite 1946), which grows with the
    excess kurtosis of what single clusters contribute. Kappa and AC2, which rare large errors
    decide, need this to hold with few papers; without it their 95 % intervals hold in 92 %.
    """
    count = left_out.size
    apart = left_out - left_out.mean()
    second = float((apart**2).mean())
    if second < 1e-24:
        return count - 1
    kurtosis = float((apart**4).mean()) / second**2
    excess = (count + 1) / (count - 1) * kurtosis - 3 * (count - 1) / (count + 1)
    return 2 / (2 / (count - 1) + max(0.0, excess) / count)


def figure_of(measure: Measure, tables: Floats, setting: Setting) -> Figure | Undefined:
    """A measure of all clusters together, with its interval.

    Args:
        measure: What to measure.
        tables: Cross tables by cluster, shape (clusters, k, l).
        setting: How.
    """
    tables = tables[tables.sum((1, 2)) > 0]
    if not len(tables):
        return Undefined("no pairs")
    whole = tables.sum(0)
    value = float(measure.function(whole))
    if math.isnan(value):
        return Undefined(measure.undefined)
    if setting.method == "naive":
        return _naive(measure, whole, value, setting)
    refusal = _refusal(len(tables), setting)
    if refusal:
        return Figure(value, why_no_interval=refusal)
    if setting.method == "bootstrap":
        return _bootstrap(measure, tables, value, setting)
    left_out = measure.function(whole - tables)
    if np.isnan(left_out).any():
        return Figure(
            value, why_no_interval=f"it hangs on one {setting.cluster}: without it, undefined"
        )
    low, high = measure.bounds
    inside = low < value < high
    error = jackknife_error(left_out)
    if error < 1e-12:
        where = "the same" if inside else "at its bound"
        return Figure(value, why_no_interval=f"{where} in every resample")
    df = len(tables) - 1 if measure.steady else degrees_of_freedom(left_out)
    t = student_quantile((1 + setting.level) / 2, df)
    if not inside:
        return Figure(value, max(low, value - t * error), min(high, value + t * error))
    # The error on the stretched scale, by its derivative: leaving a paper out may reach a bound.
    stretched = math.log((value - low) / (high - value))
    reach = t * error * (high - low) / ((value - low) * (high - value))
    ends = [low + (high - low) * _logistic(stretched + side * reach) for side in (-1, 1)]
    return Figure(value, ends[0], ends[1])


def _logistic(x: float) -> float:
    if x >= 0:
        return 1 / (1 + math.exp(-min(x, 700)))
    return math.exp(max(x, -700)) / (1 + math.exp(max(x, -700)))


def _refusal(clusters: int, setting: Setting) -> str:
    if clusters >= FEWEST_CLUSTERS:
        return ""
    return (
        f"{clusters} {setting.cluster}{'' if clusters == 1 else 's'}: fewer than "
        f"{FEWEST_CLUSTERS} say too little of how {setting.cluster}s vary"
    )


def _bootstrap(measure: Measure, tables: Floats, value: float, setting: Setting) -> Figure:
    weights = draw_weights(len(tables), draws=setting.draws, seed=setting.seed)
    values = measure.function(np.tensordot(weights, tables, axes=1))
    missing = float(np.isnan(values).mean())
    if missing > _UNSETTLED:
        return Figure(value, why_no_interval=f"undefined in {missing:.0%} of the resamples")
    tail = (1 - setting.level) / 2
    low, high = np.quantile(values[~np.isnan(values)], [tail, 1 - tail])
    return Figure(value, float(low), float(high))


def _naive(measure: Measure, whole: Floats, value: float, setting: Setting) -> Figure:
    """Resample single pairs: a multinomial over the cells."""
    total = round(float(whole.sum()))
    generator = np.random.default_rng([setting.seed, total])
    shares = (whole / whole.sum()).ravel()
    drawn = generator.multinomial(total, shares, size=setting.draws).astype(np.float64)
    values = measure.function(drawn.reshape(-1, *whole.shape))
    values = values[~np.isnan(values)]
    tail = (1 - setting.level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Figure(value, float(low), float(high))


def compare_paired(
    function: Callable[[Floats], Floats], first: Floats, second: Floats, setting: Setting
) -> Comparison:
    """Test whether two judges differ in a measure, on the same items in the same clusters.

    The difference without each cluster in turn carries what the two have in common.

    Args:
        function: The measure.
        first: Cross tables of the first judge by cluster, shape (clusters, k, l).
        second: Of the second judge, of the same items.
        setting: How; the method is always the jackknife.
    """
    kept = first.sum((1, 2)) > 0
    first, second = first[kept], second[kept]
    if not len(first):
        return Comparison(Undefined("no items that both judged"), None)
    whole = [tables.sum(0) for tables in (first, second)]
    value = float(function(whole[0])) - float(function(whole[1]))
    if math.isnan(value):
        return Comparison(Undefined("the measure is undefined for one of the judges"), None)
    refusal = _refusal(len(first), setting)
    left_out = function(whole[0] - first) - function(whole[1] - second)
    if not refusal and np.isnan(left_out).any():
        refusal = f"it hangs on one {setting.cluster}: without it, undefined"
    if refusal:
        return Comparison(Figure(value, why_no_interval=refusal), None)
    error = jackknife_error(left_out)
    if error < 1e-12:
        reason = "the same in every resample"
        p = 1.0 if abs(value) < 1e-12 else None
        return Comparison(Figure(value, why_no_interval=reason), p)
    df = degrees_of_freedom(left_out)
    reach = student_quantile((1 + setting.level) / 2, df) * error
    p = student_two_sided(value / error, df)
    return Comparison(Figure(value, value - reach, value + reach), p)
