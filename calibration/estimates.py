"""An estimated mean: what it is made of, its error, and when it must be refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmark import InputError, Where
from benchmark.counting import counted
from calibration.crosstabs import Floats
from calibration.figures import Figure
from calibration.resampling import FEWEST_CLUSTERS
from calibration.samples import Sample
from calibration.student import student_quantile, student_two_sided

__all__ = [
    "FEWEST_LABELS",
    "SAMPLED",
    "Estimate",
    "Pulls",
    "Sums",
    "check_labels",
    "check_share",
    "estimate_of",
    "refused",
    "representative_p",
    "short_of",
    "standard_error",
    "without_each",
]

FEWEST_LABELS = 20
FEWEST_FOR_SHARE = 60
FEWEST_OF_EACH = 8
"""What a share of passes needs: labels, and of these passes and fails. With fewer its 95 %
intervals hold in 87 to 93 %."""
NOT_REPRESENTATIVE = 0.001
"""Below this chance, labels differ too much from the rest to be a fair draw of it."""

SAMPLED = (
    "the labelled claims are a random draw of the judged ones (with the stated weights)",
    "papers are a random draw of the papers that the mean is meant for; within one, anything goes",
    "labels are the truth",
)


@dataclass(frozen=True, slots=True)
class Pulls:
    """How far each labelled claim pulls a mean over fixed papers, where claims were drawn.

    Attributes:
        keys: (paper, SAU) of each label.
        pull: What it adds to the mean's error, shape (labels,).
        open: The share of claims that its draw left open: 1 less its chance, shape (labels,).
        claims: Claims that were drawn from.
    """

    keys: tuple[tuple[str, str], ...]
    pull: Floats
    open: Floats
    claims: int

    @property
    def variance(self) -> float:
        """Of the mean."""
        return float((self.pull**2 * self.open).sum())

    def covariance(self, other: Pulls) -> float:
        """With another agent's mean over the same claims.

        Claims that both agents' labels are about were drawn together, as far as there are more of
        them than two draws of their own would share by chance.
        """
        mine = dict(zip(self.keys, self.pull, strict=True))
        both = [
            (mine[key], pull) for key, pull in zip(other.keys, other.pull, strict=True)
            if key in mine
        ]  # fmt: skip
        if not both:
            return 0.0
        by_chance = len(self.keys) * len(other.keys) / self.claims
        together = max(0.0, 1 - by_chance / len(both))
        return together * float(sum(one * two for one, two in both))


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated mean.

    Attributes:
        figure: The mean on the scale 0 to 1, with its interval.
        method: `raw`, `ppi++` or `rogan-gladen`.
        left_out: The mean without each paper in turn, shape (papers,): what differences between
            agents are tested with.
        papers: How many papers took part; those of `left_out` that did not leave it unchanged.
        df: Degrees of freedom of the interval.
        labels: Labels used.
        weight: How much the judge's word counts (PPI++ only).
        assumptions: What must hold for the interval to hold.
        notes: What a reader should know of this one.
        fixed: It is about these papers alone.
        pulls: Where papers are fixed: what each label adds to the error, in place of `left_out`;
            `None` where nothing was drawn.
    """

    figure: Figure
    method: str
    left_out: Floats = field(repr=False)
    papers: int
    df: float
    labels: int
    weight: float | None
    assumptions: tuple[str, ...]
    notes: tuple[str, ...] = ()
    fixed: bool = False
    pulls: Pulls | None = field(default=None, repr=False)

    @property
    def error(self) -> float:
        """The standard error; 0 for what was counted whole."""
        if self.fixed:
            return 0.0 if self.pulls is None else math.sqrt(self.pulls.variance)
        return standard_error(self.figure.value, self.left_out, self.papers)

    def as_json(self) -> dict[str, Any]:
        """The estimate for a JSON file."""
        return {
            "method": self.method,
            **self.figure.as_json(),
            "standard_error": self.error,
            "papers": self.papers,
            "labels": self.labels,
            "weight": self.weight,
            "assumptions": list(self.assumptions),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums by paper, each of shape (papers,).

    Attributes:
        count: Verdicts.
        predicted: The judge's scores.
        stands: Weights of the labelled verdicts; below, sums over these with their weights.
        truth: True scores.
        foretold: The judge's scores.
        shared: Products of the two.
        square: Squares of the judge's scores.
    """

    count: Floats
    predicted: Floats
    stands: Floats
    truth: Floats
    foretold: Floats
    shared: Floats
    square: Floats

    @classmethod
    def of(cls, sample: Sample) -> Sums:
        """Add a sample up by paper."""
        size = len(sample.papers)
        weight = np.where(sample.labelled, sample.weights, 0.0)

        def by_paper(values: Floats | None) -> Floats:
            return np.bincount(sample.clusters, values, minlength=size).astype(np.float64)

        return cls(
            by_paper(None),
            by_paper(sample.predicted),
            by_paper(weight),
            by_paper(weight * sample.truth),
            by_paper(weight * sample.predicted),
            by_paper(weight * sample.truth * sample.predicted),
            by_paper(weight * sample.predicted**2),
        )

    def kept(self, mask: np.ndarray) -> Sums:
        """The sums of the papers in a mask."""
        return Sums(
            self.count[mask],
            self.predicted[mask],
            self.stands[mask],
            self.truth[mask],
            self.foretold[mask],
            self.shared[mask],
            self.square[mask],
        )


def standard_error(value: float, left_out: Floats, papers: int) -> float:
    """The jackknife's standard error; papers that do not take part add nothing."""
    centre = value if papers < 2 else value + (left_out - value).sum() / papers
    apart = np.where(left_out == value, 0.0, (left_out - centre) ** 2)
    return math.sqrt((papers - 1) / papers * float(apart.sum())) if papers > 1 else 0.0


def representative_p(sample: Sample) -> float | None:
    """The chance that labels drawn at random differ this much from the rest in the judge's word.

    `None` where that cannot be said: everything is labelled, or too few papers.
    """
    return _representative(Sums.of(sample))


def _representative(sums: Sums) -> float | None:
    def apart(part: Sums) -> float:
        stands = part.stands.sum()
        if not stands:
            return math.nan
        every = part.predicted.sum() / part.count.sum()
        return float(part.foretold.sum() / stands - every)

    value = apart(sums)
    left_out = without_each(apart, sums, value)
    papers = int((sums.count > 0).sum())
    df = int((sums.stands > 0).sum()) - 1
    if df < 1 or not np.isfinite(left_out).all():
        return None
    error = standard_error(value, left_out, papers)
    if error < 1e-12:
        return 1.0 if abs(value) < 1e-12 else None
    return student_two_sided(value / error, df)


def check_labels(sample: Sample, sums: Sums) -> tuple[str, ...]:
    """Refuse what no correction can be made from; give the notes otherwise."""
    if sample.labels < FEWEST_LABELS or sample.labelled_papers < FEWEST_CLUSTERS:
        raise refused(*short_of(sample.labels, sample.labelled_papers))
    check_share(sample)
    p = _representative(sums)
    if p is not None and p < NOT_REPRESENTATIVE:
        raise refused(
            "the labelled claims are no fair draw: the judge's mean on them differs from its mean "
            f"on all (p = {p:.1g})",
            "Draw what to label with judge labels sample, and keep the weights it writes",
        )
    if p is not None and p < 0.05:
        return (f"the judge's mean on the labelled claims differs from that on all (p = {p:.2g})",)
    return ()


def check_share(sample: Sample) -> None:
    """Refuse labels too few for a share of passes; a sample of means passes."""
    if not np.isin(sample.predicted, (0.0, 1.0)).all() or sample.labels == len(sample.predicted):
        return
    passes = float(sample.truth[sample.labelled].sum())
    fewest = min(passes, sample.labels - passes)
    if sample.labels < FEWEST_FOR_SHARE or fewest < FEWEST_OF_EACH:
        raise refused(
            f"{counted(sample.labels, 'label')} with {passes:g} that pass: a share needs "
            f"{FEWEST_FOR_SHARE}, with {FEWEST_OF_EACH} that pass and {FEWEST_OF_EACH} that fail, "
            "or its interval does not hold",
            "Draw more with judge labels sample, or score the mean, without --cut",
        )


def short_of(labels: int, papers: int | None, *, fewest: int = FEWEST_LABELS) -> tuple[str, str]:
    """Say what is missing for a correction: the problem and the remedy.

    Args:
        labels: Labels that there are.
        papers: Papers that they are in; `None` where that does not count.
        fewest: Labels that it takes.
    """
    more = max(fewest - labels, 0)
    places = 0 if papers is None else max(FEWEST_CLUSTERS - papers, 0)
    where = "" if papers is None else f" in {counted(papers, 'paper')}"
    need = f"{fewest}" + ("" if papers is None else f" in {FEWEST_CLUSTERS} papers")
    have = f"{counted(labels, 'label')}{where}" if labels else "no label is about these verdicts"
    short = counted(more, "more label") if more else "labels"
    if places:
        short += f"{',' if more else ''} in {counted(places, 'more paper')}"
    return (
        f"{have}: a correction needs {need}, or its interval does not hold; {short} to go",
        "Draw them with judge labels sample --per agent; where each agent has too few, "
        "--correction pooled takes all together",
    )


def without_each(mean: Callable[[Sums], float], sums: Sums, value: float) -> Floats:
    """The mean without each paper in turn, shape (papers,); `value` where a paper has nothing."""
    left_out = np.full(len(sums.count), value)
    for paper in np.flatnonzero(sums.count > 0):
        mask = np.ones(len(sums.count), dtype=bool)
        mask[paper] = False
        part = sums.kept(mask)
        left_out[paper] = mean(part) if part.count.sum() else value
    return left_out


def estimate_of(
    method: str,
    mean: Callable[[Sums], float],
    sums: Sums,
    *,
    df: int | None,
    labels: int,
    level: float,
    assumptions: tuple[str, ...],
    notes: tuple[str, ...] = (),
) -> Estimate:
    """An estimate with its interval, from a mean as a function of sums by paper.

    Args:
        method: The estimator's name.
        mean: The mean.
        sums: Of all papers.
        df: Degrees of freedom; papers - 1 where not given.
        labels: Labels used.
        level: Coverage aimed at.
        assumptions: What must hold.
        notes: What a reader should know.
    """
    value = mean(sums)
    papers = int((sums.count > 0).sum())
    left_out = without_each(mean, sums, value)
    df = papers - 1 if df is None else df
    if papers < FEWEST_CLUSTERS:
        figure = Figure(
            value, why_no_interval=f"{counted(papers, 'paper')}: fewer than {FEWEST_CLUSTERS}"
        )
    else:
        reach = student_quantile((1 + level) / 2, df) * standard_error(value, left_out, papers)
        figure = Figure(value, value - reach, value + reach)
    return Estimate(figure, method, left_out, papers, df, labels, None, assumptions, notes)


def refused(problem: str, remedy: str) -> InputError:
    """Say why an estimate cannot be had, and what to do."""
    return InputError(problem, where=Where("labels"), remedy=remedy)
