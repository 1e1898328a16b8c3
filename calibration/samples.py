"""What the estimators of a mean start from: all verdicts of one agent, and those with a truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchmark import InputError, Label, Where
from calibration.crosstabs import Floats, Ints
from calibration.joining import Judged, references

__all__ = ["PAPERS", "Papers", "Sample", "one_judge", "sample_of"]

Papers = Literal["sample", "fixed"]
PAPERS: tuple[Papers, ...] = ("sample", "fixed")
"""What a mean is meant for: papers like these, of which they are a sample; or these papers alone.
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """Arrays over all graded verdicts of one agent, or of several.

    Attributes:
        predicted: The judge's score of each verdict, 0 to 1, shape (n,).
        truth: What is held for true, where `labelled`; 0 elsewhere, shape (n,).
        labelled: Whether there is a truth, shape (n,).
        weights: For a labelled verdict how many it stands for (inverse of its chance of being
            drawn), shape (n,); 1 where labels were drawn with equal chances.
        clusters: Number of the paper of each verdict, shape (n,).
        papers: What these numbers stand for.
        keys: (paper, SAU) of each verdict: the same for agents with the same claims.
    """

    predicted: Floats
    truth: Floats
    labelled: np.ndarray
    weights: Floats
    clusters: Ints
    papers: tuple[str, ...]
    keys: tuple[tuple[str, str], ...]

    @property
    def labels(self) -> int:
        """How many verdicts have a truth."""
        return int(self.labelled.sum())

    @property
    def labelled_papers(self) -> int:
        """In how many papers."""
        return len(np.unique(self.clusters[self.labelled]))


def one_judge(verdicts: Iterable[Judged], *, where: str = "run") -> str:
    """The name of the one judge of all verdicts.

    Raises:
        InputError: There are several, or none.
    """
    judges = sorted({one.judge for one in verdicts if one.level is not None})
    if len(judges) == 1:
        return judges[0]
    if not judges:
        raise InputError("no verdict has a level", where=Where(where), remedy="Run the judge first")
    raise InputError(
        f"verdicts of {len(judges)} judges are mixed ({', '.join(judges)}): each has its own "
        "errors, and one correction does not fit all",
        where=Where(where),
        remedy="Name one of them with --judge",
    )


def sample_of(
    verdicts: Sequence[Judged],
    labels: Iterable[Label],
    *,
    papers: Sequence[str] | None = None,
    cut: int | None = None,
) -> Sample:
    """Put verdicts and their truths into arrays, in the order of paper, SAU and submission.

    Where a pair has several readings and no adjudication, the truth is their mean.

    Args:
        verdicts: Of one judge; those without a level are left out.
        labels: Readings. Those of levels count where `cut` is not given.
        papers: The papers to number clusters by; those of the verdicts where not given.
        cut: Scores become pass (1) from this level on and fail (0) below; labels that say only
            pass or fail count then too.
    """
    graded = sorted(
        (one for one in verdicts if one.level is not None),
        key=lambda one: (one.paper, one.sau, one.submission),
    )
    names = sorted(set(papers) if papers is not None else {one.paper for one in graded})
    number = {name: place for place, name in enumerate(names)}
    truths: dict[tuple[str, str], float] = {}
    stands: dict[tuple[str, str], float] = {}
    usable = [one for one in labels if one.level is not None or cut is not None]
    for label, share in references(usable):
        key = label.submission, label.sau
        truths[key] = truths.get(key, 0.0) + share * _score(label, cut)
        stands[key] = label.weight
    levels = np.array([one.level or 0 for one in graded], dtype=np.float64)
    return Sample(
        predicted=levels / 4 if cut is None else (levels >= cut).astype(np.float64),
        truth=np.array([truths.get(one.key, 0.0) for one in graded], dtype=np.float64),
        labelled=np.array([one.key in truths for one in graded], dtype=bool),
        weights=np.array([stands.get(one.key, 1.0) for one in graded], dtype=np.float64),
        clusters=np.array([number[one.paper] for one in graded], dtype=np.int64),
        papers=tuple(names),
        keys=tuple((one.paper, one.sau) for one in graded),
    )


def _score(label: Label, cut: int | None) -> float:
    if label.level is None:
        return float(bool(label.passed))
    return label.level.score if cut is None else float(label.level >= cut)
