"""Fitting a calibrator: candidates from simple to rich, chosen by papers that were held out."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from benchmark import InputError, Label, Where
from benchmark.counting import counted
from calibration.calibrator import Calibrator, Curve, distributions_of
from calibration.conformal import conformal_limit, fit_rule, needed_mass
from calibration.crosstabs import Floats, Ints, codes
from calibration.features import RECIPES, SPREADS, features_of, stated_distribution
from calibration.isotonic import Steps, fit_isotonic
from calibration.joining import Account, Judged, join_labels, references
from calibration.ordinal import Ordinal, fit_ordinal
from calibration.quality import Quality, quality, ranked_losses
from calibration.resampling import FEWEST_CLUSTERS
from calibration.samples import one_judge

__all__ = ["Calibration", "calibrate"]

FEWEST_LABELS = 50
MANY_LABELS = 1000
FOLDS = 10
ISOTONIC = "isotonic over"


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted calibrator and what was seen on the way.

    Attributes:
        calibrator: What is kept.
        account: What became of the labels.
        candidates: Mean ranked probability score of each candidate, out of fold.
        before: Figures of the judge's own words.
        after: Figures of the calibrated distributions, out of fold.
        notes: What a reader should know.
    """

    calibrator: Calibrator
    account: Account
    candidates: dict[str, float]
    before: Quality
    after: Quality
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """What was seen, for a JSON file."""
        return {
            "format": 1,
            "labels": self.account.as_json(),
            "calibrator": self.calibrator.model_dump(mode="json"),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class _Data:
    verdicts: list[Judged]
    levels: Ints
    weights: Floats
    papers: Ints
    names: list[str]


def calibrate(
    verdicts: Sequence[Judged],
    labels: Sequence[Label],
    *,
    coverage: float = 0.9,
    accepted_risk: float = 0.1,
    loss: Literal["off_by_two", "wrong"] = "off_by_two",
) -> Calibration:
    """Fit a calibrator for one judge.

    Args:
        verdicts: Of one judge.
        labels: Readings of levels held for true; those that say only pass or fail are left out.
        coverage: Of the prediction sets.
        accepted_risk: For the rule of what goes to a person.
        loss: What that risk is of.

    Raises:
        InputError: Judges are mixed, or labels or papers are too few.
    """
    judge = one_judge(verdicts)
    usable = [one for one in labels if one.level is not None]
    joined = join_labels(verdicts, usable)
    data = _data({pair.verdict.key: pair.verdict for pair in joined.pairs},
                 [pair.label for pair in joined.pairs])  # fmt: skip
    papers = len(data.names)
    if len(data.verdicts) < FEWEST_LABELS or papers < FEWEST_CLUSTERS:
        if labels and not usable:
            raise InputError(
                "the labels say pass or fail, and a calibration needs levels",
                where=Where("labels"),
                remedy="Label levels, 0 to 4: judge labels sample",
            )
        met = counted(len(data.verdicts), "label with a level meets", "labels with a level meet")
        raise InputError(
            f"{met} verdicts of {judge!r}, in {counted(papers, 'paper')}; a calibration needs "
            f"{FEWEST_LABELS} in {FEWEST_CLUSTERS}",
            where=Where("labels"),
            remedy="Label more: judge labels sample",
        )
    held_out, chosen, candidates = _choose(data)
    recipe = chosen.removeprefix(ISOTONIC).strip()
    model, curves = _fit(data, recipe, isotonic=chosen != recipe)
    before = quality(stated_distribution(data.verdicts), data.levels, data.weights)
    after = quality(held_out, data.levels, data.weights)
    rule = fit_rule(
        held_out, data.levels, data.papers, data.weights, accepted=accepted_risk, loss=loss
    )
    limit, notes = _set_limit(held_out, data, coverage)
    prompts = {one.prompt_hash for one in data.verdicts}
    kinds = Counter(pair.label.kind for pair in joined.pairs)
    if not kinds["person"]:
        notes.append("no label is a person's: levels are calibrated to another reader's")
    if after.ranked >= before.ranked:
        notes.append("out of fold the calibration is no better than the judge's own words")
    if rule.limit is None:
        notes.append(
            f"at a risk of {accepted_risk:g} nothing can be answered without a person: the bound "
            "on the risk of even the surest answers is above it"
        )
    calibrator = Calibrator(
        judge=judge,
        prompt_hash=prompts.pop() if len(prompts) == 1 else "",
        model=chosen,
        features=RECIPES[recipe],
        thresholds=model.thresholds,
        slopes=model.slopes,
        curves=tuple(Curve(knots=one.knots, values=one.values) for one in curves),
        labels=len(data.verdicts),
        papers=papers,
        kinds=dict(sorted(kinds.items())),
        data=_digest(data),
        coverage=coverage,
        set_limit=limit,
        loss=loss,
        accepted_risk=accepted_risk,
        answer_limit=rule.limit,
        quality={
            "before": before.as_json(),
            "after": after.as_json(),
            "candidates": candidates,
            "risk_curve": rule.as_json()["curve"],
        },
    )
    return Calibration(calibrator, joined.account, candidates, before, after, tuple(notes))


def _data(verdict_of: dict[tuple[str, str], Judged], labels: Sequence[Label]) -> _Data:
    kept = [
        (verdict_of[label.submission, label.sau], int(label.level), weight * label.weight)
        for label, weight in references(labels)
        if label.level is not None
    ]
    papers, names = codes([verdict.paper for verdict, _, _ in kept])
    return _Data(
        [verdict for verdict, _, _ in kept],
        np.array([level for _, level, _ in kept], dtype=np.int64),
        np.array([weight for _, _, weight in kept], dtype=np.float64),
        papers,
        names,
    )


def _folds(data: _Data) -> Ints:
    """The fold of each label: papers dealt by their share of labels, the largest first."""
    sizes = np.bincount(data.papers, minlength=len(data.names))
    order = sorted(range(len(data.names)), key=lambda paper: (-sizes[paper], data.names[paper]))
    count = min(FOLDS, len(data.names))
    filled = [0] * count
    fold_of = np.zeros(len(data.names), dtype=np.int64)
    for paper in order:
        fold = filled.index(min(filled))
        fold_of[paper] = fold
        filled[fold] += int(sizes[paper])
    return fold_of[data.papers]


def _choose(data: _Data) -> tuple[Floats, str, dict[str, float]]:
    """Distributions out of fold, by the simplest candidate that is not clearly worse than best."""
    folds = _folds(data)
    names = list(RECIPES)
    if len(data.verdicts) >= MANY_LABELS:
        names += [f"{ISOTONIC} {name}" for name in list(RECIPES)[1:]]
    found: dict[str, Floats] = {}
    for name in names:
        recipe = name.removeprefix(ISOTONIC).strip()
        held_out = np.zeros((len(data.verdicts), 5))
        for fold in range(int(folds.max()) + 1):
            out = folds == fold
            model, curves = _fit(data, recipe, isotonic=name != recipe, mask=~out)
            features = features_of([data.verdicts[row] for row in np.flatnonzero(out)],
                                   RECIPES[recipe])  # fmt: skip
            held_out[out] = distributions_of(model, curves, features)
        found[name] = held_out
    losses = {name: ranked_losses(each, data.levels) for name, each in found.items()}
    means = {name: float(np.average(each, weights=data.weights)) for name, each in losses.items()}
    best = min(names, key=lambda name: means[name])
    for name in names:
        apart = (losses[name] - losses[best]) * data.weights / data.weights.sum()
        by_paper = np.bincount(data.papers, apart, minlength=len(data.names))
        count = len(data.names)
        spread = float(by_paper.std(ddof=1)) * count**0.5
        if by_paper.sum() <= spread:
            return found[name], name, means
    return found[best], best, means


def _fit(
    data: _Data, recipe: str, *, isotonic: bool, mask: np.ndarray | None = None
) -> tuple[Ordinal, tuple[Steps, ...]]:
    rows = np.arange(len(data.verdicts)) if mask is None else np.flatnonzero(mask)
    names = RECIPES[recipe]
    features = features_of([data.verdicts[row] for row in rows], names)
    levels, weights = data.levels[rows], data.weights[rows]
    spread = np.array([SPREADS[name] for name in names])
    model = fit_ordinal(features, levels, weights, spread=spread)
    if not isotonic:
        return model, ()
    location = model.location(features)
    # One label more on either side of each cut keeps every chance away from 0 and 1.
    share = 1 / (weights.sum() + 2)
    curves = []
    for cut in (1, 2, 3, 4):
        steps = fit_isotonic(location, (levels >= cut).astype(np.float64), weights)
        values = tuple(share + (1 - 2 * share) * value for value in steps.values)
        curves.append(Steps(steps.knots, values))
    return model, tuple(curves)


def _set_limit(held_out: Floats, data: _Data, coverage: float) -> tuple[float | None, list[str]]:
    needed = needed_mass(held_out)[np.arange(len(data.levels)), data.levels]
    try:
        return conformal_limit(needed, data.papers, coverage), []
    except InputError as error:
        return None, [f"no prediction sets: {error.problem}"]


def _digest(data: _Data) -> str:
    """SHA-256 of what was fitted on, whatever its order."""
    rows = sorted(
        [one.submission, one.sau, one.level, one.confidence, int(level), float(weight)]
        for one, level, weight in zip(data.verdicts, data.levels, data.weights, strict=True)
    )
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
