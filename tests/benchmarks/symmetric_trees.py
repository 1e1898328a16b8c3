"""Fitting symmetric trees to put the right items of each list first; no test, a part of a fit.

Boosting with the gradients of LambdaMART (Burges 2010, "From RankNet to LambdaRank to
LambdaMART"): pairs of items weigh by what exchanging them would change in NDCG. All nodes of a
level ask the same question, so that trees are worked out for many items at once. The same data
and seed give the same trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Lists", "Tree", "fit_trees"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DEPTH = 3
RATE = 0.1
BINS = 32
_RIDGE = 5.0
_LISTS_USED, _FEATURES_USED = 0.6, 0.5  # of each tree, by chance
_LAST_RANK = 40
_SEED = 7


@dataclass(frozen=True, slots=True)
class Lists:
    """Items in lists.

    Attributes:
        features: (features, items), list by list.
        grade: How good each item is: 0, 1, 2, ...
        start: What each is worth before any tree.
        bounds: Where each list starts, and one more.
    """

    features: npt.NDArray[np.int16]
    grade: Ints
    start: Floats
    bounds: Ints


@dataclass(frozen=True, slots=True)
class Tree:
    """One question a level, `feature > above`, and what each leaf adds."""

    splits: tuple[tuple[int, int], ...]
    values: Floats


def fit_trees(lists: Lists, count: int) -> list[Tree]:
    """Fit some trees one after another."""
    random = np.random.default_rng(_SEED)
    items = len(lists.grade)
    sizes = np.diff(lists.bounds)
    list_of = np.repeat(np.arange(len(sizes)), sizes)
    edges = [_edges(row) for row in lists.features]
    binned = np.stack(
        [
            np.searchsorted(own, row, side="left")
            for own, row in zip(edges, lists.features, strict=True)
        ]
    )
    pairs = _Pairs.of(lists, list_of)
    worth = lists.start.copy()
    trees: list[Tree] = []
    for _ in range(count):
        gradient, curvature = pairs.gradients(worth, lists.bounds, list_of)
        rows = np.flatnonzero((random.random(len(sizes)) < _LISTS_USED)[list_of])
        asked = np.flatnonzero(random.random(len(edges)) < _FEATURES_USED)
        splits = _grow(binned[:, rows], gradient[rows], curvature[rows], edges, asked.tolist())
        leaf = np.zeros(items, np.int64)
        for feature, place in splits:
            leaf = leaf * 2 + (binned[feature] > place)
        leaves = 1 << len(splits)
        up = np.bincount(leaf[rows], gradient[rows], leaves)
        down = np.bincount(leaf[rows], curvature[rows], leaves)
        values = RATE * up / (down + _RIDGE)
        worth += values[leaf]
        trees.append(Tree(tuple((f, int(edges[f][place])) for f, place in splits), values))
    return trees


def _edges(row: npt.NDArray[np.int16]) -> Ints:
    """The numbers above which a feature may be asked for."""
    shares = np.linspace(0, 1, BINS + 1)[1:-1]
    cut = np.quantile(row.astype(np.float64), shares, method="lower")
    return np.unique(cut).astype(np.int64)


def _grow(
    binned: Ints, gradient: Floats, curvature: Floats, edges: Sequence[Ints], asked: Sequence[int]
) -> list[tuple[int, int]]:
    """The best question of each level, one after another."""
    leaf = np.zeros(binned.shape[1], np.int64)
    splits: list[tuple[int, int]] = []
    width = BINS + 1
    for level in range(DEPTH):
        leaves = 1 << level
        best, found = -1.0, (0, 0)
        for feature in asked:
            if not len(edges[feature]):
                continue
            key = leaf * width + binned[feature]
            up = np.bincount(key, gradient, leaves * width).reshape(leaves, width).cumsum(axis=1)
            down = np.bincount(key, curvature, leaves * width).reshape(leaves, width)
            down = down.cumsum(axis=1)
            gain = up**2 / (down + _RIDGE)
            gain += (up[:, -1:] - up) ** 2 / (down[:, -1:] - down + _RIDGE)
            gains = gain.sum(axis=0)[: len(edges[feature])].round(9)
            place = int(gains.argmax())
            if gains[place] > best:
                best, found = float(gains[place]), (feature, place)
        splits.append(found)
        leaf = leaf * 2 + (binned[found[0]] > found[1])
    return splits


@dataclass(frozen=True, slots=True)
class _Pairs:
    """All pairs of items of one list of which the first has the higher grade.

    Attributes:
        better: The first items.
        worse: The second ones.
        weight: What they differ in, as a share of the best that their list could have.
    """

    better: Ints
    worse: Ints
    weight: Floats

    @classmethod
    def of(cls, lists: Lists, list_of: Ints) -> _Pairs:
        better, worse = [], []
        gain = 2.0**lists.grade - 1
        ideal = np.ones(len(lists.bounds) - 1)
        for number, (begin, end) in enumerate(
            zip(lists.bounds[:-1], lists.bounds[1:], strict=True)
        ):
            own = lists.grade[begin:end]
            for item in np.flatnonzero(own).tolist():
                below = np.flatnonzero(own < own[item])
                better.append(np.full(len(below), begin + item))
                worse.append(begin + below)
            top = np.sort(gain[begin:end])[::-1][:_LAST_RANK]
            ideal[number] = max(float((top * _discounts(len(top))).sum()), 1e-9)
        first, second = np.concatenate(better), np.concatenate(worse)
        return cls(first, second, (gain[first] - gain[second]) / ideal[list_of[first]])

    def gradients(self, worth: Floats, bounds: Ints, list_of: Ints) -> tuple[Floats, Floats]:
        """How each item should move, and how sure that is."""
        items = len(worth)
        order = np.lexsort((-worth, list_of))
        rank = np.empty(items, np.int64)
        rank[order] = np.arange(items) - bounds[list_of]
        discount = _discounts(int(rank.max()) + 1)[rank]
        gap = np.clip(worth[self.better] - worth[self.worse], -30, 30)
        wrong = 1 / (1 + np.exp(gap))
        share = self.weight * np.abs(discount[self.better] - discount[self.worse])
        pull, sure = share * wrong, share * wrong * (1 - wrong)
        gradient = _sums(self.better, pull, items) - _sums(self.worse, pull, items)
        curvature = _sums(self.better, sure, items) + _sums(self.worse, sure, items)
        return gradient, curvature


def _sums(item: Ints, weight: Floats, count: int) -> Floats:
    return np.bincount(item, weight, count).astype(np.float64)


def _discounts(count: int) -> Floats:
    ranks = np.arange(count)
    found: Floats = np.where(ranks < _LAST_RANK, 1 / np.log2(ranks + 2.0), 0.0)
    return found
