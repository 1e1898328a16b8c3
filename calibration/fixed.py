"""Means over these papers and no others: the labelled claims are what varies, not the papers.

Another question than `correction` answers. There, papers are a sample of papers like them, and how
papers differ is most of the error. Here the claims of these papers are all there is: had every one
been labelled, nothing would be open. So the error is that of a draw from a finite population (W. G.
Cochran, *Sampling Techniques*, 1977, chapters 2 and 7: the ratio and difference estimators), and
goes to 0 as labels come to cover all claims.
"""

from __future__ import annotations

import math

import numpy as np

from benchmark.counting import counted
from calibration.correction import tuned_weight
from calibration.crosstabs import Floats
from calibration.estimates import (
    NOT_REPRESENTATIVE,
    Estimate,
    Pulls,
    Sums,
    check_share,
    refused,
    short_of,
)
from calibration.figures import Figure
from calibration.resampling import LEVEL, Comparison, degrees_of_freedom
from calibration.samples import Sample
from calibration.student import student_quantile, student_two_sided

__all__ = ["FEWEST_FIXED", "fixed_difference", "fixed_ppi_mean", "fixed_raw_mean"]

ASSUMED = (
    "the labelled claims were drawn claim by claim from all judged claims of these papers (with "
    "the stated weights)",
    "nothing is said of other papers",
    "labels are the truth",
)
_ALL_JUDGED = "every claim of these papers was judged: what is open is the judge's error alone"
FEWEST_FIXED = 50
"""Labels that an interval needs: with 25 a 95 % one holds in 91 to 94 %, errors being skewed."""
_UNEVEN = 3.0
"""How much smaller than the average a claim's chance can be in `draw_sample`."""


def fixed_raw_mean(sample: Sample) -> Estimate:
    """What the judge says of these papers' claims: a count, with no interval.

    Raises:
        InputError: There is no verdict.
    """
    if not len(sample.predicted):
        raise refused("no verdict has a level", "Run the judge first")
    value = float(sample.predicted.mean())
    papers = len(np.unique(sample.clusters))
    return Estimate(
        Figure(value, why_no_interval=_ALL_JUDGED), "raw", np.full(len(sample.papers), value),
        papers, max(papers - 1, 0), 0, None, ("the judge is right", ASSUMED[1]), fixed=True,
    )  # fmt: skip


def fixed_ppi_mean(
    sample: Sample, *, weight: float | None = None, level: float = LEVEL
) -> Estimate:
    """The true mean over these papers' claims, by prediction-powered inference.

    Args:
        sample: Verdicts of one judge on one agent, some of them labelled.
        weight: How much the judge's word counts; chosen for the least variance where not given.
        level: Coverage aimed at.

    Raises:
        InputError: Too few labels, or labels that are no fair draw of these papers' claims.
    """
    known = sample.labelled
    count, everything = sample.labels, len(sample.predicted)
    if not count or (count < FEWEST_FIXED and count < everything):
        raise refused(*short_of(count, None, fewest=FEWEST_FIXED))
    check_share(sample)
    _check_papers(sample)
    truth, word = sample.truth[known], sample.predicted[known]
    stands = sample.weights[known]
    total = float(stands.sum())
    chosen = tuned_weight(Sums.of(sample)) if weight is None else weight
    value = float(
        (stands * truth).sum() / total
        + chosen * (sample.predicted.mean() - (stands * word).sum() / total)
    )
    open_ = _open(stands, everything)
    estimated = 1 if weight is not None else 2
    pull = _pull(truth - chosen * word, stands, estimated)
    df = max(degrees_of_freedom(pull * np.sqrt(open_)), 1.0)
    notes = _check_fair(sample, word, stands, open_, df)
    pulls = Pulls(
        tuple(key for key, labelled in zip(sample.keys, known, strict=True) if labelled),
        pull,
        open_,
        everything,
    )
    reach = student_quantile((1 + level) / 2, df) * math.sqrt(pulls.variance)
    return Estimate(
        Figure(value, value - reach, value + reach), "ppi++, papers fixed",
        np.full(len(sample.papers), value), len(np.unique(sample.clusters)), df, count, chosen,
        ASSUMED, notes, fixed=True, pulls=pulls,
    )  # fmt: skip


def fixed_difference(first: Estimate, second: Estimate, level: float) -> Comparison:
    """The difference of two agents' means over the same claims of these papers."""
    value = first.figure.value - second.figure.value
    if first.pulls is None or second.pulls is None:
        return Comparison(Figure(value, why_no_interval=_ALL_JUDGED), None)
    shared = first.pulls.covariance(second.pulls)
    variance = first.pulls.variance + second.pulls.variance - 2 * shared
    if variance < 1e-24:
        p = 1.0 if abs(value) < 1e-12 else None
        return Comparison(Figure(value, why_no_interval="the labels leave nothing open"), p)
    error, df = math.sqrt(variance), min(first.df, second.df)
    reach = student_quantile((1 + level) / 2, df) * error
    p = student_two_sided(value / error, df)
    return Comparison(Figure(value, value - reach, value + reach), p)


def _pull(values: Floats, stands: Floats, estimated: int) -> Floats:
    """What each label adds to the error of a weighted mean."""
    total = stands.sum()
    count = len(values)
    mean = (stands * values).sum() / total
    pull: Floats = stands * (values - mean) / total
    return pull * math.sqrt(count / max(count - estimated, 1))


def _open(stands: Floats, everything: int) -> Floats:
    """One less each label's chance of being drawn, from what it stands for."""
    chance = float(stands.sum()) / (everything * stands)
    left: Floats = 1 - np.minimum(chance, 1.0)
    return left


def _check_papers(sample: Sample) -> None:
    """Refuse labels of some papers only: they are no draw of the claims of all of them."""
    size = len(sample.papers)
    claims = np.bincount(sample.clusters, minlength=size)
    labels = np.bincount(sample.clusters[sample.labelled], minlength=size)
    unseen = (labels == 0) & (claims > 0)
    expected = float(claims[unseen].sum()) * sample.labels / len(sample.predicted) / _UNEVEN
    # The chance that a draw claim by claim passes all of these papers over.
    if math.exp(-expected) < NOT_REPRESENTATIVE:
        raise refused(
            f"labels are in {int((labels > 0).sum())} of "
            f"{counted(int((claims > 0).sum()), 'paper')}: they "
            "are no draw of these papers' claims",
            "Draw what to label with judge labels sample, or leave papers a sample (--papers "
            "sample)",
        )


def _check_fair(
    sample: Sample, word: Floats, stands: Floats, open_: Floats, df: float
) -> tuple[str, ...]:
    """Refuse labels on which the judge's mean is another than on all; notes otherwise."""
    apart = float((stands * word).sum() / stands.sum() - sample.predicted.mean())
    error = math.sqrt(float((_pull(word, stands, 1) ** 2 * open_).sum()))
    if error < 1e-12:
        return ()
    p = student_two_sided(apart / error, df)
    if p < NOT_REPRESENTATIVE:
        raise refused(
            "the labelled claims are no fair draw: the judge's mean on them differs from its mean "
            f"on all (p = {p:.1g})",
            "Draw what to label with judge labels sample, and keep the weights it writes",
        )
    if p < 0.05:
        return (f"the judge's mean on the labelled claims differs from that on all (p = {p:.2g})",)
    return ()
