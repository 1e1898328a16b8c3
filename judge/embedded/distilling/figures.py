"""What a fit shows on papers, and on agents, that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from benchmark import Level
from calibration.distill import (
    area_under_curve,
    error_of_chances,
    group_means,
    quadratic_agreement,
    rank_correlation,
)
from calibration.ordinal import fit_ordinal
from judge.embedded.distilling.labelled import FITTED_SUITE, OWN_SCALE, Row, papers_of
from judge.embedded.distilling.learning import Scale, fit_scale, fit_trees, predict
from judge.embedded.distilling.seeing import Seen

__all__ = [
    "HeldOut",
    "against_reference",
    "hold_out",
    "own_figures",
    "read_by",
    "reference_figures",
    "unseen_agents",
]

Float = npt.NDArray[np.float64]
PAPER_FOLDS = 8
AGENT_FOLDS = 3
Say = Callable[[str], None]


@dataclass(slots=True)
class HeldOut:
    """Predictions for rows whose paper the trees have not seen.

    Attributes:
        rows: All rows.
        seen: What was measured of them.
        score: The trees' score.
        expected: The expected level on the readings' scale.
        levels: The level.
        chance: The chance of level 2 or more.
        confidence: The chance of the level given.
        chances: The chance of each level; shape (n, 5).
    """

    rows: Sequence[Row]
    seen: Seen
    score: Float
    expected: Float = field(default_factory=lambda: np.zeros(0))
    levels: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    chance: Float = field(default_factory=lambda: np.zeros(0))
    confidence: Float = field(default_factory=lambda: np.zeros(0))
    chances: Float = field(default_factory=lambda: np.zeros((0, 5)))

    def __post_init__(self) -> None:
        if len(self.chances) != len(self.rows):
            self.chances = np.zeros((len(self.rows), len(Level)))

    def mask(self, **wanted: str) -> npt.NDArray[np.bool_]:
        """The rows with some attributes."""
        return np.array(
            [all(getattr(row, key) == value for key, value in wanted.items()) for row in self.rows]
        )


def fitted(rows: Sequence[Row]) -> npt.NDArray[np.bool_]:
    """Rows that may be fitted: not the half of the suite that is only looked at."""
    return np.array(
        [row.source not in {"suite", "mutant"} or row.paper in FITTED_SUITE for row in rows]
    )


def _folds(rows: Sequence[Row]) -> npt.NDArray[np.int64]:
    papers = {row.paper for row in rows if row.source not in {"suite", "mutant"}}
    suite = {row.paper for row in rows if row.source in {"suite", "mutant"}}
    number = {paper: place % PAPER_FOLDS for place, paper in enumerate(sorted(papers))}
    number |= {paper: place % PAPER_FOLDS for place, paper in enumerate(sorted(suite))}
    return np.array([number[row.paper] for row in rows])


def hold_out(rows: Sequence[Row], seen: Seen, say: Say) -> HeldOut:
    """Predict each row by trees, and by a scale, that were fitted without its paper."""
    may, fold = fitted(rows), _folds(rows)
    score = np.zeros(len(rows))
    for number in range(PAPER_FOLDS):
        here = fold == number
        score[here] = predict(fit_trees(rows, seen.features, may & ~here), seen.features[here])
        say(f"  fold {number + 1} of {PAPER_FOLDS}")
    found = HeldOut(rows, seen, score)
    count = len(rows)
    found.expected, found.chance = np.zeros(count), np.zeros(count)
    found.levels, found.confidence = np.zeros(count, np.int64), np.zeros(count)
    for paper in papers_of(rows):
        here = np.array([row.paper == paper for row in rows])
        scale = fit_scale(rows, score, seen.features, seen.highest, may & ~here)
        read_by(found, here, scale)
    return found


def read_by(found: HeldOut, here: npt.NDArray[np.bool_], scale: Scale) -> None:
    """Read the scores of some rows by a scale, under the ceilings of the rules."""
    args = found.score[here], found.seen.features[here], found.seen.highest[here]
    chances = scale.chances(*args)
    expected = scale.expected(*args)
    levels = scale.levels(expected, args[2])
    found.expected[here], found.levels[here] = expected, levels
    found.chances[here] = chances
    found.chance[here] = chances[:, 2:].sum(axis=1)
    found.confidence[here] = chances[np.arange(len(levels)), levels]


def own_figures(found: HeldOut, here: npt.NDArray[np.bool_]) -> dict[str, float]:
    """Figures against labels by the rubric; several of one claim count as their mean in ranks."""
    rows = [row for row, on in zip(found.rows, here, strict=True) if on]
    truth = np.array([row.level for row in rows])
    keys = [(row.root, row.sau) for row in rows]
    expected, label = group_means(keys, found.expected[here], truth.astype(np.float64))
    (score,) = group_means(keys, found.score[here])
    levels = found.levels[here]
    return {
        "pairs": float(len(expected)),
        "score_rank_correlation": rank_correlation(score, label),
        "score_auc_2": area_under_curve(score, label > 1.5),
        "rank_correlation": rank_correlation(expected, label),
        "auc_2": area_under_curve(expected, label > 1.5),
        "weighted_kappa": quadratic_agreement(levels, truth),
        "exact": float((levels == truth).mean()),
        "mean": float(levels.mean()) / 4,
        "label_mean": float(truth.mean()) / 4,
        "ece_2": error_of_chances(found.chance[here], truth >= 2),
        "confidence": float(found.confidence[here].mean()),
    }


def reference_figures(found: HeldOut) -> Iterator[tuple[str, dict[str, float]]]:
    """Figures against each reference judge, then over both; each judge's scale apart."""
    judges = sorted({row.source for row in found.rows} - OWN_SCALE)
    every = np.zeros(len(found.rows), np.bool_)
    chance, expected = np.zeros(len(found.rows)), np.zeros(len(found.rows))
    level = np.array([row.level for row in found.rows])
    folds = _folds(found.rows)
    for judge in judges:
        here = found.mask(source=judge)
        every |= here
        for number in range(PAPER_FOLDS):  # the judge's scale too is fitted without the paper
            out, rest = here & (folds == number), here & (folds != number)
            inputs = found.score[:, None]
            mean, spread = inputs[rest].mean(), inputs[rest].std() + 1e-9
            ordinal = fit_ordinal(
                (inputs[rest] - mean) / spread, level[rest], np.ones(int(rest.sum())), spread=5.0
            )
            shares = ordinal.distribution((inputs[out] - mean) / spread)
            chance[out] = shares[:, 2:].sum(axis=1)
            expected[out] = shares @ np.arange(5)
        yield judge, _reference(found, here, chance, expected, level)
    if every.any():
        yield "both", _reference(found, every, chance, expected, level)


def _reference(
    found: HeldOut,
    here: npt.NDArray[np.bool_],
    chance: Float,
    expected: Float,
    level: npt.NDArray[np.int64],
) -> dict[str, float]:
    rows = [row for row, on in zip(found.rows, here, strict=True) if on]
    return against_reference(rows, level[here], chance[here], expected[here])


def against_reference(
    rows: Sequence[Row], truth: npt.NDArray[np.int64], chance: Float, expected: Float
) -> dict[str, float]:
    """Figures of predicted published verdicts: of claims, of repositories and of agents.

    Args:
        rows: The verdicts.
        truth: Their levels.
        chance: The predicted chance of level 2 or more.
        expected: The predicted level.
    """
    repositories = [(row.agent, row.paper) for row in rows]
    said, was = group_means(repositories, expected, truth.astype(np.float64))
    agents = [row.agent for row in rows]
    means, true_means = group_means(agents, expected / 4, truth / 4)
    return {
        "verdicts": float(len(rows)),
        "auc_2": area_under_curve(chance, truth >= 2),
        "auc_1": area_under_curve(expected, truth >= 1),
        "rank_correlation": rank_correlation(expected, truth.astype(np.float64)),
        "repository_rank_correlation": rank_correlation(said, was),
        "largest_config_error": float(np.abs(means - true_means).max()),
        "ece_2": error_of_chances(chance, truth >= 2),
    }


def unseen_agents(rows: Sequence[Row], seen: Seen, say: Say) -> HeldOut:
    """Scores of reference verdicts by trees that saw neither their papers nor their agents."""
    may = fitted(rows)
    papers = sorted({row.paper for row in rows if row.source not in {"suite", "mutant"}})
    agents = sorted({row.agent for row in rows if row.source not in OWN_SCALE})
    paper_fold = {paper: place % 4 for place, paper in enumerate(papers)}
    agent_fold = {agent: place % AGENT_FOLDS for place, agent in enumerate(agents)}
    p = np.array([paper_fold.get(row.paper, -1) for row in rows])
    a = np.array([agent_fold.get(row.agent, -1) for row in rows])
    score = np.zeros(len(rows))
    for one in range(4):
        for other in range(AGENT_FOLDS):
            here = (p == one) & (a == other)
            chosen = may & (p != one) & (a != other)
            score[here] = predict(fit_trees(rows, seen.features, chosen), seen.features[here])
        say(f"  papers {one + 1} of 4")
    return HeldOut(rows, seen, score)
