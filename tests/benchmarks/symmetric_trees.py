"""Fitting symmetric trees to put the right items of each list first; no test, a part of a fit.

What trees add up to is the logarithm of a density: how much of what is sought a token of an item
holds. Each list's tokens are spread by it (a softmax over its items, each as often as it has
tokens), and boosting moves this spread towards where what is sought stands. To take items by their
density is what finds most within a budget. All nodes of a level ask the same question, so that
trees are worked out for many items at once. The same data and seed give the same trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Lists", "Tree", "fit_trees"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DEPTH = 4
RATE = 0.12
BINS = 32
_RIDGE = 0.1
_LISTS_USED, _FEATURES_USED = 0.6, 0.5  # of each tree, by chance
_LEAST = 1e-8  # of what is known of any item
_SEED = 7


@dataclass(frozen=True, slots=True)
class Lists:
    """Items in lists.

    Attributes:
        features: (features, items), list by list.
        share: How much of what its list's query seeks each item holds.
        tokens: What each takes.
        start: The logarithm of what each is worth before any tree.
        bounds: Where each list starts, and one more; none is empty.
    """

    features: npt.NDArray[np.int16]
    share: Floats
    tokens: Floats
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
    first, sizes = lists.bounds[:-1], np.diff(lists.bounds)
    list_of = np.repeat(np.arange(len(sizes)), sizes)
    found = np.add.reduceat(lists.share, first)[list_of]
    edges = [_edges(row) for row in lists.features]
    binned = np.stack(
        [
            np.searchsorted(own, row, side="left")
            for own, row in zip(edges, lists.features, strict=True)
        ]
    )
    worth = lists.start + np.log(lists.tokens)
    trees: list[Tree] = []
    for _ in range(count):
        spread = np.exp(worth - np.maximum.reduceat(worth, first)[list_of])
        spread /= np.add.reduceat(spread, first)[list_of]
        gradient = lists.share - found * spread
        curvature = np.maximum(found * spread * (1 - spread), _LEAST)
        rows = np.flatnonzero((random.random(len(sizes)) < _LISTS_USED)[list_of])
        asked = np.flatnonzero(random.random(len(edges)) < _FEATURES_USED)
        splits = _grow(binned[:, rows], gradient[rows], curvature[rows], edges, asked.tolist())
        leaf = np.zeros(len(worth), np.int64)
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
