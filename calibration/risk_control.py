"""Fitting the rule of a cascade: how much the first judge may answer at a risk, from labels.

What is controlled is the loss over all claims: a claim that goes on to the second judge loses
nothing, one that the first judge answers loses by where its level is against the label's. That
can only grow with the limit, so conformal risk control applies (A. Angelopoulos, S. Bates,
A. Fisch, L. Lei, T. Schuster, *Conformal Risk Control*, 2022, theorem 1): with n exchangeable
units of mean loss R(limit), each at most B, the largest limit with

    n / (n + 1) * R(limit) + B / (n + 1) <= risk

holds the expected loss of a further unit at or below the risk. Claims of one paper are not
exchangeable with those of another, so a unit is a paper, its loss the mean over its claims, and
B is 1 (Y. Lee, R. Barber, R. Willett 2023, on hierarchical data). The risk of each verdict comes
from a model fitted without its paper (K. Cohen, S. Park, O. Simeone, S. Shamai, *Cross-Validation
Conformal Risk Control*, 2024).

`upper` is the other bound: limits are tried from the strictest on, each by a one-sided 95 % bound
on the mean loss over papers, until the first fails (A. Angelopoulos, S. Bates, E. Candes,
M. Jordan, L. Lei, *Learn then Test*, 2021, fixed-sequence testing). Its p-value is Student's t over
papers with one lost claim added, which holds nearly, not exactly.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from benchmark import InputError, Label, Where
from benchmark.counting import counted
from calibration.cascade_rule import (
    FEATURES,
    CascadeRule,
    Loss,
    RulePoint,
    Said,
    Scale,
    cascade_features,
    loss_of,
    said,
)
from calibration.crosstabs import Floats, Ints, codes
from calibration.joining import Account, Judged, join_labels, references
from calibration.ordinal import Ordinal, fit_ordinal
from calibration.resampling import FEWEST_CLUSTERS
from calibration.samples import one_judge
from calibration.student import student_quantile

__all__ = [
    "CascadeFit",
    "Labelled",
    "conformal_bound",
    "fit_cascade",
    "meet",
    "risk_curve",
    "upper_bound",
]

FEWEST_LABELS = 50
FOLDS = 12
_POINTS = 100
_CONFIDENCE = 0.95
_FEW_PAPERS = 24
"""With fewer, `upper` misses more than it says where a few papers carry most of the loss."""
_SPREAD = 1.0
"""Standard deviation of the prior of each slope of the model."""


@dataclass(frozen=True, slots=True)
class CascadeFit:
    """A fitted rule and what was seen on the way.

    Attributes:
        rule: What is kept.
        account: What became of the labels.
        notes: What a reader should know.
    """

    rule: CascadeRule
    account: Account
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """What was seen, for a JSON file."""
        return {
            "format": 1,
            "labels": self.account.as_json(),
            "rule": self.rule.model_dump(mode="json"),
            "notes": list(self.notes),
        }


def conformal_bound(losses: Floats) -> float:
    """Bound on the expected loss of a further unit, from the mean losses of n of them, 0 to 1."""
    count = losses.size
    return min(1.0, (float(losses.sum()) + 1.0) / (count + 1))


def upper_bound(losses: Floats, sizes: Floats) -> float:
    """One-sided 95 % bound on the mean of units' losses, with one claim more lost than was seen.

    Args:
        losses: Mean loss of each unit, shape (n,).
        sizes: Claims of each, shape (n,): the more there are, the less one of them says.
    """
    count = losses.size
    if count < FEWEST_CLUSTERS:
        return 1.0
    mean = float(losses.mean())
    one = 1.0 / float(sizes.sum())
    spread = math.sqrt(float(((losses - mean) ** 2).sum()) / (count - 1) / count + one**2)
    return min(1.0, mean + one + _reach(count - 1) * spread)


@lru_cache(maxsize=64)
def _reach(freedom: int) -> float:
    return student_quantile(_CONFIDENCE, freedom)


def risk_curve(risks: Floats, losses: Floats, papers: Ints, weights: Floats) -> list[RulePoint]:
    """What answering up to each limit loses.

    Args:
        risks: The model's own, papers held out; shape (n,). Above 1: never answered.
        losses: What is lost where the verdict stands, 0 to 1, shape (n,).
        papers: Number of each label's paper, from 0 without gaps, shape (n,).
        weights: What each counts, shape (n,).

    Returns:
        Points by rising limit.
    """
    possible = np.unique(risks[risks <= 1])
    if possible.size > _POINTS:
        at = np.linspace(0, possible.size - 1, _POINTS).round().astype(int)
        shares = np.quantile(risks[risks <= 1], np.linspace(0, 1, _POINTS), method="higher")
        possible = np.unique(np.concatenate([possible[at], shares]))
    mass = np.bincount(papers, weights)
    sizes = np.bincount(papers).astype(np.float64)
    points = []
    for limit in possible:
        kept = risks <= limit
        by_paper = np.bincount(papers, losses * weights * kept, minlength=mass.size) / mass
        by_paper = np.clip(by_paper, 0.0, 1.0)
        points.append(
            RulePoint(
                limit=float(limit),
                share=min(1.0, float(weights[kept].sum() / weights.sum())),
                lost=float(by_paper.mean()),
                conformal=conformal_bound(by_paper),
                upper=upper_bound(by_paper, sizes),
            )
        )
    return points


@dataclass(frozen=True, slots=True)
class Labelled:
    """Verdicts of the first judge with their labels, and what models make of them.

    Attributes:
        judge: The first judge's name.
        rows: Verdict, level of the label, what it counts, and the label.
        levels: The labels' levels, shape (n,).
        weights: What each counts, shape (n,).
        papers: Number of each one's paper, shape (n,).
        count: How many papers there are.
        chances: Of each level, by models that have not seen the paper; shape (n, levels).
        model: The model that has seen them all.
        account: What became of the labels.
    """

    judge: str
    rows: list[tuple[Judged, int, float, Label]]
    levels: Ints
    weights: Floats
    papers: Ints
    count: int
    chances: Floats
    model: Ordinal
    account: Account


def meet(verdicts: Sequence[Judged], labels: Sequence[Label]) -> Labelled:
    """Join labels to verdicts of the first judge, and fit the models; rules are cheap from here.

    Args:
        verdicts: Of the first judge.
        labels: Readings of levels, by people or by the second judge; those that say only pass or
            fail are left out.

    Raises:
        InputError: Judges are mixed, or labels or papers are too few.
    """
    judge = one_judge(verdicts)
    joined = join_labels(verdicts, [one for one in labels if one.level is not None])
    verdict_of = {pair.verdict.key: pair.verdict for pair in joined.pairs}
    rows = [
        (verdict_of[label.submission, label.sau], int(label.level), weight * label.weight, label)
        for label, weight in references([pair.label for pair in joined.pairs])
        if label.level is not None
    ]
    papers, names = codes([verdict.paper for verdict, _, _, _ in rows])
    if len(rows) < FEWEST_LABELS or len(names) < FEWEST_CLUSTERS:
        met = counted(len(rows), "label with a level meets", "labels with a level meet")
        raise InputError(
            f"{met} verdicts of {judge!r}, in {counted(len(names), 'paper')}; a cascade's rule "
            f"needs {FEWEST_LABELS} in {FEWEST_CLUSTERS}",
            where=Where("labels"),
            remedy="Label more: judge labels sample",
        )
    levels = np.array([level for _, level, _, _ in rows], dtype=np.int64)
    weights = np.array([weight for _, _, weight, _ in rows], dtype=np.float64)
    features = cascade_features([verdict for verdict, _, _, _ in rows])
    return Labelled(
        judge=judge,
        rows=rows,
        levels=levels,
        weights=weights,
        papers=papers,
        count=len(names),
        chances=_held_out(features, levels, weights, papers),
        model=fit_ordinal(features, levels, weights, spread=_SPREAD),
        account=joined.account,
    )


def fit_cascade(
    labelled: Labelled,
    *,
    judge_hash: str,
    model: str | None = None,
    loss: Loss = "cut",
    cut: int = 2,
    scale: Scale = "own",
) -> CascadeFit:
    """Fit a rule for one first judge.

    Args:
        labelled: Its verdicts with their labels.
        judge_hash: Fingerprint of the first judge.
        model: Its version.
        loss: What counts as lost.
        cut: The pass mark of the loss `cut`.
        scale: Whether levels are moved to the labels' scale.
    """
    seen = [verdict for verdict, _, _, _ in labelled.rows]
    found = said(seen, labelled.chances, loss=loss, cut=cut, scale=scale)
    risks, losses = _risks_and_losses(found, labelled.levels, loss=loss, cut=cut)
    kinds = Counter(label.kind for _, _, _, label in labelled.rows)
    notes = []
    if not kinds["person"]:
        notes.append("no label is a person's: what is bounded is the loss against another reader")
    notes.append(
        f"{counted(labelled.count, 'paper')} can promise a conformal risk of "
        f"{1 / (labelled.count + 1):.3f} "
        "and not less; the bound upper can promise less, and holds nearly"
    )
    if labelled.count < _FEW_PAPERS:
        notes.append(
            f"{counted(labelled.count, 'paper is', 'papers are')} few for the bound upper: where "
            "they differ much in what is lost, it may hold in 78 to 85 % of cases and not in 95"
        )
    whose = Counter(label.annotator for _, _, _, label in labelled.rows)
    rule = CascadeRule(
        meaning=_meaning(loss, cut, labelled.count),
        judge=labelled.judge,
        model=model,
        judge_hash=judge_hash,
        labels_of=dict(whose.most_common(20)),
        kinds=dict(sorted(kinds.items())),
        labels=len(labelled.rows),
        papers=labelled.count,
        data=_digest(labelled.rows),
        loss=loss,
        cut=cut,
        scale=scale,
        features=FEATURES,
        thresholds=labelled.model.thresholds,
        slopes=labelled.model.slopes,
        points=tuple(risk_curve(risks, losses, labelled.papers, labelled.weights)),
    )
    return CascadeFit(rule, labelled.account, tuple(notes))


def _held_out(features: Floats, levels: Ints, weights: Floats, papers: Ints) -> Floats:
    """The chance of each level by models that have not seen the row's paper; shape (n, levels)."""
    folds = _folds(papers)
    chances = np.zeros((len(levels), 5))
    for fold in range(int(folds.max()) + 1):
        out = folds == fold
        model: Ordinal = fit_ordinal(features[~out], levels[~out], weights[~out], spread=_SPREAD)
        chances[out] = model.distribution(features[out])
    return chances


def _folds(papers: Ints) -> Ints:
    """The fold of each row: papers dealt to the fold that has fewest rows, the largest first."""
    sizes = np.bincount(papers)
    filled = [0] * min(FOLDS, sizes.size)
    fold_of = np.zeros(sizes.size, dtype=np.int64)
    for paper in sorted(range(sizes.size), key=lambda each: (-sizes[each], each)):
        fold = filled.index(min(filled))
        fold_of[paper] = fold
        filled[fold] += int(sizes[paper])
    return fold_of[papers]


def _risks_and_losses(
    found: Sequence[Said], levels: Ints, *, loss: Loss, cut: int
) -> tuple[Floats, Floats]:
    risks = np.array([one.risk for one in found], dtype=np.float64)
    losses = np.array(
        [
            0.0 if one.level is None else loss_of(one.level, int(level), loss=loss, cut=cut)
            for one, level in zip(found, levels, strict=True)
        ],
        dtype=np.float64,
    )
    return risks, losses


def _meaning(loss: Loss, cut: int, papers: int) -> str:
    lost = (
        f"share of claims whose level falls on the other side of {cut / 4:g} than the label's"
        if loss == "cut"
        else "distance of the level from the label's, on the scale 0 to 1"
    )
    return (
        f"Loss: {lost}, over all claims, those that go on to the second judge losing nothing. "
        "conformal bounds its expectation for a claim of a new paper, if that is like the "
        f"{counted(papers, 'paper')} of the labels; upper bounds its mean over papers with 95 % "
        "confidence, nearly."
    )


def _digest(rows: Sequence[tuple[Judged, int, float, Label]]) -> str:
    """SHA-256 of what was fitted on, whatever its order."""
    plain = sorted(
        [one.submission, one.sau, one.level, one.confidence, level, weight, label.annotator]
        for one, level, weight, label in rows
    )
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()
