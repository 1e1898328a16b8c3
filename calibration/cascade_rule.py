"""The rule of a cascade: which verdicts of the first judge may stand, kept in a small file.

A proportional-odds model turns a verdict of the first judge into the chance of each level on the
labels' scale, and so into the chance (or the size) of the loss if the verdict stood. A curve says,
for each limit of that risk, what share of claims would be answered and what that would lose. Which
limit is taken is decided when the rule is used, by the risk that is accepted then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmark import Failure, Level
from calibration.crosstabs import Floats
from calibration.features import features_of
from calibration.fitted_files import load_fitted
from calibration.joining import Judged
from calibration.ordinal import Ordinal

__all__ = [
    "FEATURES",
    "Bound",
    "CascadeRule",
    "Loss",
    "RulePoint",
    "Said",
    "Scale",
    "cascade_features",
    "load_rule",
    "loss_of",
    "said",
]

Loss = Literal["cut", "distance"]
"""`cut`: the two levels lie on different sides of a pass mark, 0 or 1. `distance`: how far they are
apart, a quarter a level, 0 to 1; a bound on it is one on the shift of every mean score too."""

Bound = Literal["conformal", "upper"]
"""`conformal`: on the expected loss of a claim of a new paper, exact for exchangeable papers.
`upper`: on the mean loss over papers, with 95 % confidence, for papers enough."""

Scale = Literal["own", "labels"]
"""`own`: a verdict stands as it is or not at all. `labels`: its level is moved to the labels' scale
as far as its drift and failure go with the new level."""

LEVELS = 5
_NEVER = 2.0
"""The risk of what is never answered: above every limit."""

_KINDS = tuple(Failure)


def _failed(kind: Failure, one: Judged) -> float:
    return float(one.failure is kind)


_OWN: dict[str, Callable[[Judged], float]] = {
    f"failure_{kind.value}": partial(_failed, kind) for kind in _KINDS
}
FEATURES = (
    *("level", "at_least_1", "at_least_2", "at_least_3", "at_least_4"),
    *("confidence", "level_times_confidence"),
    *("expected_level", "chance_1", "chance_2", "chance_3", "chance_4"),
    *("is_D1", "is_D2", "is_D3", "is_D4"),
    *_OWN,
)
"""What the model sees of a verdict: what every judge says, and nothing of how it came to it."""


def cascade_features(verdicts: Sequence[Judged], names: Sequence[str] = FEATURES) -> Floats:
    """The named features; shape (n, k).

    Raises:
        KeyError: A name is not known.
    """
    columns = []
    for name in names:
        if own := _OWN.get(name):
            columns.append(np.array([own(one) for one in verdicts], dtype=np.float64))
        else:
            columns.append(features_of(verdicts, (name,))[:, 0])
    return np.stack(columns, axis=1) if columns else np.zeros((len(verdicts), 0))


@dataclass(frozen=True, slots=True)
class Said:
    """What a verdict of the first judge comes to.

    Attributes:
        level: The level that would stand; `None` where the judge gave none.
        risk: The model's own expectation of the loss if it stood, 0 to 1; above 1 where it cannot.
    """

    level: int | None
    risk: float


def loss_of(answer: int, level: int, *, loss: Loss, cut: int) -> float:
    """What is lost where one level stands in place of another; 0 to 1."""
    if loss == "cut":
        return float((answer >= cut) != (level >= cut))
    return abs(answer - level) / (LEVELS - 1)


def said(
    verdicts: Sequence[Judged], chances: Floats, *, loss: Loss, cut: int, scale: Scale
) -> list[Said]:
    """What each verdict would answer, and at what risk.

    Args:
        verdicts: Of the first judge.
        chances: Of each level on the labels' scale, shape (n, levels).
        loss: What counts as lost.
        cut: The pass mark of `cut`.
        scale: Whether levels are moved.
    """
    levels = range(LEVELS)
    table = np.array([[loss_of(a, b, loss=loss, cut=cut) for b in levels] for a in levels])
    apart = np.array([[loss_of(a, b, loss="distance", cut=cut) for b in levels] for a in levels])
    losses, distances = chances @ table.T, chances @ apart.T
    found = []
    for one, lost, away in zip(verdicts, losses, distances, strict=True):
        if one.level is None:
            found.append(Said(None, _NEVER))
            continue
        may = _may_become(one) if scale == "labels" else (one.level,)
        # Of levels that lose the same the one that is least far off.
        level = min(may, key=lambda each: (round(float(lost[each]), 9), float(away[each])))
        found.append(Said(level, float(lost[level])))
    return found


def _may_become(one: Judged) -> tuple[int, ...]:
    """The levels that a verdict's drift, failure and quotes go with, its own first."""
    assert one.level is not None
    own = int(one.level)
    if one.failure is None or own == Level.FAITHFUL:
        return (own,)
    others = {int(each) for each in one.failure.levels} - {own, int(Level.FAITHFUL)}
    if not one.verified:
        others &= {0}  # a level above 0 stands on a quote
    return (own, *sorted(others))


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


_Share = Annotated[float, Field(ge=0, le=1)]


class RulePoint(_Part):
    """Answering where the risk is at most `limit`, papers held out.

    Attributes:
        limit: Of the model's own risk.
        share: Share of the labelled claims that is then answered.
        lost: Mean loss over all claims, those that are not answered losing nothing; each paper
            counts the same.
        conformal: Bound on the expected loss of a claim of a new paper.
        upper: One-sided 95 % bound on the mean loss over papers.
    """

    limit: float
    share: _Share
    lost: _Share
    conformal: _Share
    upper: _Share


class CascadeRule(_Part):
    """The file's content.

    Attributes:
        meaning: What the bound says, in words.
        judge: The first judge's name.
        model: Its version.
        judge_hash: Fingerprint of all that decides its answers: the rule is for no other.
        labels_of: Labels by who gave them.
        kinds: Labels by kind of annotator.
        labels: Labels in all.
        papers: Papers that they are from.
        data: SHA-256 of the labels and verdicts that it was fitted on.
        loss: What counts as lost.
        cut: The pass mark of the loss `cut`: at this level or above.
        scale: Whether levels are moved to the labels' scale.
        features: What the model sees.
        thresholds: Of the proportional-odds model.
        slopes: One a feature.
        points: The curve, by rising limit.
    """

    format: Literal[1] = 1
    kind: Literal["cascade rule"] = "cascade rule"
    meaning: str
    judge: str
    model: str | None
    judge_hash: str
    labels_of: dict[str, int]
    kinds: dict[str, int]
    labels: int
    papers: Annotated[int, Field(ge=1)]
    data: str
    loss: Loss
    cut: Annotated[int, Field(ge=1, le=4)]
    scale: Scale
    features: tuple[str, ...]
    thresholds: tuple[float, ...] = Field(min_length=LEVELS - 1, max_length=LEVELS - 1)
    slopes: tuple[float, ...]
    points: tuple[RulePoint, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits(self) -> CascadeRule:
        if unknown := [name for name in self.features if name not in FEATURES]:
            raise ValueError(f"this version has no feature {unknown[0]!r}")
        if len(self.features) != len(self.slopes):
            raise ValueError("there are not as many slopes as features")
        if any(a >= b for a, b in pairwise(self.thresholds)):
            raise ValueError("the thresholds do not rise")
        limits = [point.limit for point in self.points]
        if any(a >= b for a, b in pairwise(limits)):
            raise ValueError("the limits of the curve do not rise")
        return self

    def decide(self, verdicts: Sequence[Judged]) -> list[Said]:
        """What each verdict would answer, and at what risk; in their order."""
        if not verdicts:
            return []
        model = Ordinal(self.thresholds, self.slopes)
        chances = model.distribution(cascade_features(verdicts, self.features))
        return said(verdicts, chances, loss=self.loss, cut=self.cut, scale=self.scale)

    def point(self, risk: float, bound: Bound) -> RulePoint | None:
        """The last point of the curve up to which the bound stays at or below a risk.

        From the strictest limit on, stopped at the first that fails; `None` where that is the
        first one. What is accepted at a risk is accepted at every higher one.
        """
        chosen = None
        for point in self.points:
            if (point.conformal if bound == "conformal" else point.upper) > risk:
                break
            chosen = point
        return chosen

    def least(self, bound: Bound) -> float:
        """The smallest risk at which anything is answered."""
        first = self.points[0]
        return first.conformal if bound == "conformal" else first.upper

    def save(self, path: Path) -> None:
        """Write the file.

        Raises:
            OSError: It cannot be written.
        """
        text = json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8", newline="\n")


def load_rule(path: Path) -> CascadeRule:
    """Read a rule.

    Raises:
        InputError: It cannot be read or is none.
    """
    return load_fitted(
        CascadeRule,
        path,
        none="this is no rule of a cascade",
        unread="the cascade's rule cannot be read",
        remedy="Fit one: judge calibrate --cascade",
    )
