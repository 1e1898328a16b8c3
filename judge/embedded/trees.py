"""Small trees, as they are shipped: plain numbers, all walked at once.

A tree is five rows of numbers, one a node: the feature that it asks for (-1 for a leaf), the value
up to which an answer goes left, whether what is not a number goes left, the left child (the right
one is behind it), and what a claim would get if the tree ended there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Forest", "parse_forest"]

_Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Forest:
    """A sum of trees, their nodes in one row; a leaf leads to itself.

    Attributes:
        features: Names, by position.
        base: What every claim gets before any tree.
        roots: The first node of each tree.
        depth: Steps after which every walk has ended.
        column: The feature that each node asks for; of nodes where what is not a number goes left,
            that and the number of features.
        threshold: Up to which an answer goes left.
        left: The left child; the right one is behind it.
        value: What a claim gets that ends there.
    """

    features: tuple[str, ...]
    base: float
    roots: _Whole
    depth: int
    column: _Whole
    threshold: npt.NDArray[np.float64]
    left: _Whole
    value: npt.NDArray[np.float64]

    def score(self, features: Mapping[str, float]) -> float:
        """The score of a claim."""
        numbers = np.array([features[name] for name in self.features] or [0.0], np.float64)
        missing = np.isnan(numbers)
        right, left = np.where(missing, np.inf, numbers), np.where(missing, -np.inf, numbers)
        # Where each node leads: to ask all of them takes less time than a few at each step.
        leads = self.left + (np.concatenate((right, left)).take(self.column) > self.threshold)
        node = self.roots
        for _ in range(self.depth):
            node = leads.take(node)
        # Rounded once, so that neither the order of trees nor the machine matters.
        return math.fsum((self.base, *self.value.take(node).tolist()))


def parse_forest(record: Mapping[str, Any], features: Sequence[str]) -> Forest:
    """A forest from the JSON that the fit writes.

    Raises:
        ValueError: A tree asks for a feature that there is not, or its nodes do not fit together.
    """
    rows: dict[str, list[Any]] = {
        "feature": [], "threshold": [], "missing_left": [], "left": [], "value": []
    }  # fmt: skip
    roots: list[int] = []
    depth = 0
    for number, item in enumerate(record["trees"]):
        first = len(rows["feature"])
        roots.append(first)
        count = len(item["feature"])
        steps = [0] * count
        for node, (asked, left) in enumerate(zip(item["feature"], item["left"], strict=True)):
            # Children stand behind their parent, so that every walk ends.
            if asked >= len(features) or (asked >= 0 and not node < left < count - 1):
                raise ValueError(f"node {node} of tree {number} does not fit")
            inner = asked >= 0
            if inner:
                steps[left] = steps[left + 1] = steps[node] + 1
            rows["feature"].append(int(asked) if inner else 0)
            rows["left"].append(first + (int(left) if inner else node))
        depth = max(depth, *steps, 0)
        leaf = [asked < 0 for asked in item["feature"]]
        ends = zip(item["threshold"], item["missing_left"], leaf, strict=True)
        for threshold, missing_left, is_leaf in ends:
            rows["threshold"].append(math.inf if is_leaf else float(threshold))
            rows["missing_left"].append(is_leaf or bool(missing_left))
        rows["value"] += map(float, item["value"])
    if len({len(row) for row in rows.values()}) > 1:
        raise ValueError("the rows of a tree are not of one length")
    missing_left = np.array(rows["missing_left"], np.int64)
    return Forest(
        tuple(features),
        float(record["base"]),
        np.array(roots, np.int64),
        depth,
        np.array(rows["feature"], np.int64) + max(len(features), 1) * missing_left,
        np.array(rows["threshold"], np.float64),
        np.array(rows["left"], np.int64),
        np.array(rows["value"], np.float64),
    )
