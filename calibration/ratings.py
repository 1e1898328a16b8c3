"""Readings as arrays: who read which item how, with the item's paper, agent and dimension."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchmark import Dimension, Drift, Failure, InputError, Label, Where
from calibration.crosstabs import Floats, Ints, cluster_tables, codes
from calibration.joining import Judged, Pair

__all__ = ["BY", "CLUSTERS", "ClusterBy", "PairTable", "pair_table", "words_of"]

ClusterBy = Literal["paper", "submission", "agent", "claim"]
CLUSTERS: tuple[ClusterBy, ...] = ("paper", "submission", "agent", "claim")
BY = ("dimension", "paper", "agent")
LEVELS = 5

_DIMENSIONS = [one.value for one in Dimension]
_WORDS: dict[str, list[str]] = {
    "drift": [one.value for one in Drift],
    "failure": [one.value for one in Failure],
}


@dataclass(frozen=True, slots=True)
class PairTable:
    """Pairs of readings of the same items, by item.

    Attributes:
        first: Class that the first reader gave, shape (n,).
        second: Class that the second gave, shape (n,).
        classes: Number of classes of either.
        groups: The number of each pair's paper, agent, dimension, submission and claim, each (n,).
        names: What these numbers stand for.
        weights: What each pair counts, shape (n,).
    """

    first: Ints
    second: Ints
    classes: tuple[int, int]
    groups: dict[str, Ints]
    names: dict[str, list[str]]
    weights: Floats

    def __len__(self) -> int:
        return len(self.first)

    def tables(self, cluster: str, *, rows: Ints | None = None) -> Floats:
        """Cross tables by cluster, of all pairs or of some."""
        kept = slice(None) if rows is None else rows
        return cluster_tables(
            self.first[kept],
            self.second[kept],
            self.groups[cluster][kept],
            shape=self.classes,
            count=len(self.names[cluster]),
            weights=self.weights[kept],
        )

    def tables_by(self, by: str, cluster: str) -> Iterator[Floats]:
        """Cross tables by cluster of each group in turn, each of shape (clusters, k, l)."""
        order = np.argsort(self.groups[by], kind="stable")
        counts = np.bincount(self.groups[by], minlength=len(self.names[by]))
        for rows in np.split(order, np.cumsum(counts)[:-1]):
            yield self.tables(cluster, rows=rows)

    def count(self, cluster: str) -> int:
        """How many clusters have a pair."""
        return len(np.unique(self.groups[cluster]))


def pair_table(
    first: Sequence[int],
    second: Sequence[int],
    about: Sequence[Judged],
    *,
    classes: tuple[int, int] = (LEVELS, LEVELS),
    weights: Sequence[float] | None = None,
) -> PairTable:
    """Put readings into arrays.

    Args:
        first: The first reader's classes.
        second: The second's.
        about: For each pair a verdict on the item, for its paper, agent and dimension.
        classes: Number of classes of either.
        weights: What each pair counts; 1 where not given.
    """
    groups: dict[str, Ints] = {}
    names: dict[str, list[str]] = {}
    for cluster, values in (
        ("paper", [one.paper for one in about]),
        ("agent", [one.agent for one in about]),
        ("submission", [one.submission for one in about]),
        ("claim", [one.sau for one in about]),
        ("dimension", [one.dimension.value for one in about]),
    ):
        groups[cluster], names[cluster] = codes(values)
    return PairTable(
        np.asarray(first, dtype=np.int64),
        np.asarray(second, dtype=np.int64),
        classes,
        groups,
        names,
        np.ones(len(about)) if weights is None else np.asarray(weights, dtype=np.float64),
    )


def words_of(pairs: Iterable[tuple[Pair, float]], field: str) -> tuple[PairTable, list[str]]:
    """Pairs of drift or failure words, where both said one; and the words by class."""
    words = _WORDS[field]
    place = {word: number for number, word in enumerate(words)}
    kept = [
        (place[said.value], place[read.value], pair.verdict, weight)
        for pair, weight in pairs
        if (said := getattr(pair.verdict, field)) is not None
        and (read := getattr(pair.label, field)) is not None
    ]
    first, second, about, weights = zip(*kept, strict=True) if kept else ((), (), (), ())
    shape = (len(words), len(words))
    return pair_table(first, second, about, classes=shape, weights=weights), words


def level_of(label: Label) -> int:
    """The level of a label that has one.

    Raises:
        InputError: It has none.
    """
    if label.level is None:
        raise InputError(
            "the label says pass or fail and no level",
            where=Where("labels", key=f"{label.submission} {label.sau}"),
            remedy="Compare pass and fail at a cut",
        )
    return int(label.level)
