"""The fit that foresees published verdicts, and what it shows on papers and agents not seen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from judge.embedded.distilling.figures import (
    AGENT_FOLDS,
    PAPER_FOLDS,
    Say,
    against_reference,
)
from judge.embedded.distilling.labelled import Row, papers_of
from judge.embedded.distilling.learning import forest_of, told
from judge.embedded.distilling.seeing import Seen
from judge.embedded.features import FEATURES, MEASURES
from judge.embedded.foreseen import JUDGES, which
from judge.embedded.glimpse import GLIMPSE

__all__ = ["Published", "foreseen_figures", "write_foreseen"]

Float = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
NAMES = (*FEATURES, *GLIMPSE, *which(JUDGES[0]))
_SETTINGS: Mapping[str, Any] = {"objective": "binary", "learning_rate": 0.08}
_ROUNDS = 120
_SIGNS = [FEATURES[name][0] if name in FEATURES else 0 for name in NAMES]
_LEVELS = range(1, 5)


class Published:
    """The published verdicts among some labels, and what is told of each.

    Attributes:
        rows: The verdicts.
        table: Shape (n, features), in the order of `NAMES`.
        level: 0 to 4.
    """

    def __init__(self, rows: Sequence[Row], seen: Seen) -> None:
        here = np.array([row.source in JUDGES for row in rows], np.bool_)
        self.rows = [row for row, on in zip(rows, here, strict=True) if on]
        used = [list(MEASURES).index(name) for name in FEATURES]
        by = np.array([list(which(row.source).values()) for row in self.rows])
        self.table = np.hstack([seen.features[here][:, used], seen.glimpse[here], by])
        self.level = np.array([row.level for row in self.rows])

    def fit(self, chosen: Mask) -> list[dict[str, Any]]:
        """The trees of each level."""
        return [
            forest_of(
                self.table[chosen],
                (self.level[chosen] >= level).astype(np.float64),
                {**_SETTINGS, "monotone_constraints": _SIGNS, "rounds": _ROUNDS},
            )
            for level in _LEVELS
        ]

    def chances(self, levels: Sequence[Mapping[str, Any]], chosen: Mask) -> Float:
        """The chance that each chosen verdict reaches levels 1 to 4; shape (n, 4)."""
        scores = np.column_stack([told(trees, self.table[chosen]) for trees in levels])
        return np.asarray(np.minimum.accumulate(1 / (1 + np.exp(-scores)), axis=1))

    def hold_out(self, say: Say, *, agents: bool) -> Float:
        """The same of all, by trees that saw neither the paper nor, if wanted, the agent."""
        papers = papers_of(self.rows)
        names = sorted({row.agent for row in self.rows})
        folds, groups = (4, AGENT_FOLDS) if agents else (PAPER_FOLDS, 1)
        paper = np.array([papers.index(row.paper) % folds for row in self.rows])
        agent = np.array([names.index(row.agent) % groups for row in self.rows])
        found = np.zeros((len(self.rows), len(_LEVELS)))
        for one in range(folds):
            for other in range(groups):
                here = (paper == one) & (agent == other)
                rest = (paper != one) & (agent != other) if agents else paper != one
                found[here] = self.chances(self.fit(rest), here)
            say(f"  foreseen: papers {one + 1} of {folds}")
        return found


def foreseen_figures(
    published: Published, reached: Float
) -> Iterator[tuple[str, dict[str, float]]]:
    """Figures against each judge's published verdicts, then over both.

    `largest_level_error` is that of agents' means of levels, as a report shows them, and
    `largest_config_error` that of expected levels.
    """
    source = np.array([row.source for row in published.rows])
    expected = reached.sum(axis=1)
    levels = np.floor(expected + 0.5)
    for name, here in (*((judge, source == judge) for judge in JUDGES), ("both", source != "")):
        rows = [row for row, on in zip(published.rows, here, strict=True) if on]
        own = published.level[here]
        of_levels = against_reference(rows, own, reached[here, 1], levels[here])
        yield (
            name,
            {
                **against_reference(rows, own, reached[here, 1], expected[here]),
                "largest_level_error": of_levels["largest_config_error"],
            },
        )


def write_foreseen(path: Path, published: Published, head: dict[str, Any]) -> int:
    """Fit on all of them, write `foreseen.json`, and return the number of its trees."""
    levels = published.fit(np.ones(len(published.rows), np.bool_))
    record = {**head, "features": list(NAMES), "levels": levels}
    text = json.dumps(record, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return sum(len(each["trees"]) for each in levels)
