"""A calibrator: from a verdict to a distribution over levels, fitted on labels, kept in a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmark import InputError, Where
from calibration.conformal import answers, prediction_sets, risks
from calibration.crosstabs import Floats
from calibration.features import RECIPES, features_of
from calibration.fitted_files import load_fitted
from calibration.isotonic import Steps
from calibration.joining import Judged
from calibration.ordinal import Ordinal

__all__ = ["Calibrated", "Calibrator", "distributions_of", "load_calibrator"]

LEVELS = 5


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Curve(_Part):
    """A rising curve: the chance of a cut or above, over the model's location."""

    knots: tuple[float, ...]
    values: tuple[Annotated[float, Field(ge=0, le=1)], ...]

    @model_validator(mode="after")
    def _rises(self) -> Curve:
        if not self.knots or len(self.knots) != len(self.values):
            raise ValueError("a curve has as many values as knots, and at least one")
        if any(a >= b for a, b in zip(self.knots, self.knots[1:], strict=False)):
            raise ValueError("a curve's knots do not rise")
        return self


class Calibrator(_Part):
    """The file's content.

    Attributes:
        judge: The judge that it is for; it is never applied to another's verdicts.
        prompt_hash: Of the judge's prompt, where the labels met verdicts of one prompt.
        model: Name of the candidate that was chosen.
        features: What it sees.
        thresholds: Of the ordinal model.
        slopes: One a feature.
        curves: Where labels were thousands: the isotonic curve of each cut over the location.
        labels: Labels that it was fitted on.
        papers: Papers that these are from.
        kinds: Labels by kind of annotator.
        data: SHA-256 of the labels and verdicts that it was fitted on.
        coverage: Of the prediction sets.
        set_limit: Mass up to which levels enter a set; `None` where no set can be promised.
        loss: What the rule for passing on counts as lost.
        accepted_risk: The risk that the user accepts.
        answer_limit: Answer where the model's own risk is at most this; `None`: never.
        quality: Figures before and after, out of fold, for people to read.
    """

    format: Literal[1] = 1
    judge: str
    prompt_hash: str = ""
    model: str
    features: tuple[str, ...]
    thresholds: tuple[float, ...] = Field(min_length=LEVELS - 1, max_length=LEVELS - 1)
    slopes: tuple[float, ...]
    curves: tuple[Curve, ...] = ()
    labels: int
    papers: int
    kinds: dict[str, int]
    data: str
    coverage: Annotated[float, Field(gt=0, lt=1)]
    set_limit: float | None
    loss: Literal["off_by_two", "wrong"]
    accepted_risk: Annotated[float, Field(gt=0, lt=1)]
    answer_limit: float | None
    quality: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self) -> Calibrator:
        known = {name for recipe in RECIPES.values() for name in recipe}
        if unknown := [name for name in self.features if name not in known]:
            raise ValueError(f"this version has no feature {unknown[0]!r}")
        if len(self.features) != len(self.slopes):
            raise ValueError("there are not as many slopes as features")
        if self.curves and len(self.curves) != LEVELS - 1:
            raise ValueError(f"there should be {LEVELS - 1} curves")
        if any(a >= b for a, b in zip(self.thresholds, self.thresholds[1:], strict=False)):
            raise ValueError("the thresholds do not rise")
        return self

    def apply(self, verdicts: Sequence[Judged]) -> list[Calibrated]:
        """Calibrate verdicts that have a level, in their order.

        Raises:
            InputError: A verdict is another judge's, or came from another prompt.
        """
        for one in verdicts:
            wrong = (
                f"the judge {one.judge!r}"
                if one.judge != self.judge
                else "another prompt"
                if self.prompt_hash and one.prompt_hash != self.prompt_hash
                else ""
            )
            if wrong or one.level is None:
                raise InputError(
                    f"the calibration was fitted on verdicts of {self.judge!r}, and this one is of "
                    f"{wrong}"
                    if wrong
                    else "a verdict without a level cannot be calibrated",
                    where=Where("calibration", key=f"{one.submission} {one.sau}"),
                    remedy="Fit a calibration for it: judge calibrate",
                )
        if not verdicts:
            return []
        stated = self.distributions(verdicts)
        sets = (
            [None] * len(verdicts)
            if self.set_limit is None
            else prediction_sets(stated, self.set_limit)
        )
        own = risks(stated, self.loss)
        return [
            Calibrated(
                distribution=tuple(float(share) for share in row),
                answer=int(answer),
                expected=float(row @ np.arange(LEVELS)) / (LEVELS - 1),
                levels=levels,
                risk=float(risk),
                to_person=self.answer_limit is None or bool(risk > self.answer_limit),
            )
            for row, answer, levels, risk in zip(stated, answers(stated), sets, own, strict=True)
        ]

    def distributions(self, verdicts: Sequence[Judged]) -> Floats:
        """The chance of each level; shape (n, levels)."""
        model = Ordinal(self.thresholds, self.slopes)
        curves = tuple(Steps(one.knots, one.values) for one in self.curves)
        return distributions_of(model, curves, features_of(verdicts, self.features))

    def save(self, path: Path) -> None:
        """Write the file."""
        text = json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a verdict is worth.

    Attributes:
        distribution: The chance of each level.
        answer: The middle of it.
        expected: Its mean on the scale 0 to 1.
        levels: Lowest and highest level of the prediction set; `None` where none is promised.
        risk: The model's own chance that the answer is lost.
        to_person: The answer is not sure enough: a person should read this one.
    """

    distribution: tuple[float, ...]
    answer: int
    expected: float
    levels: tuple[int, int] | None
    risk: float
    to_person: bool


def distributions_of(model: Ordinal, curves: Sequence[Steps], features: Floats) -> Floats:
    """The chance of each level by the model, through the curves where there are any."""
    if not curves:
        return model.distribution(features)
    location = model.location(features)
    above = np.stack([curve.at(location) for curve in curves], axis=1)
    above = np.minimum.accumulate(above, axis=1)
    ones, zeros = np.ones((len(location), 1)), np.zeros((len(location), 1))
    shares: Floats = -np.diff(np.hstack([ones, above, zeros]), axis=1)
    return shares


def load_calibrator(path: Path) -> Calibrator:
    """Read a calibration file.

    Raises:
        InputError: It cannot be read or is none.
    """
    return load_fitted(
        Calibrator,
        path,
        none="this is no calibration",
        unread="the calibration cannot be read",
        remedy="Fit it again: judge calibrate",
    )
