"""Small trees, as they are shipped: plain numbers, walked by a few lines.

A tree is five rows of numbers, one a node: the feature that it asks for (-1 for a leaf), the value
up to which an answer goes left, whether what is not a number goes left, the left child (the right
one is behind it), and what a claim would get if the tree ended there.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Forest", "Tree", "parse_forest"]


@dataclass(frozen=True, slots=True)
class Tree:
    """One tree; node 0 is its root."""

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    missing_left: tuple[bool, ...]
    left: tuple[int, ...]
    value: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """The tree as it is shipped."""
        return {
            "feature": list(self.feature),
            "threshold": list(self.threshold),
            "missing_left": [int(each) for each in self.missing_left],
            "left": list(self.left),
            "value": list(self.value),
        }


@dataclass(frozen=True, slots=True)
class Forest:
    """A sum of trees.

    Attributes:
        features: Names, by position.
        base: What every claim gets before any tree.
        trees: The trees.
    """

    features: tuple[str, ...]
    base: float
    trees: tuple[Tree, ...]

    def score(self, features: Mapping[str, float]) -> tuple[float, dict[str, float]]:
        """The score of a claim, and what each feature added to it on the way.

        What a feature adds is how the value changes from a node that asks for it to the next
        node; all of it and the values of the roots sum to the score.
        """
        numbers = [features[name] for name in self.features]
        total = self.base
        added: defaultdict[int, float] = defaultdict(float)
        for tree in self.trees:
            node = 0
            value = tree.value[0]
            total += value
            while (asked := tree.feature[node]) >= 0:
                number = numbers[asked]
                goes_left = (
                    tree.missing_left[node]
                    if math.isnan(number)
                    else number <= tree.threshold[node]
                )
                node = tree.left[node] + (not goes_left)
                change = tree.value[node] - value
                added[asked] += change
                total += change
                value = tree.value[node]
        return total, {self.features[place]: change for place, change in added.items()}


def parse_forest(record: Mapping[str, Any], features: Sequence[str]) -> Forest:
    """A forest from the JSON that the fit writes.

    Raises:
        ValueError: A tree asks for a feature that there is not, or its nodes do not fit together.
    """
    trees: list[Tree] = []
    for item in record["trees"]:
        tree = Tree(
            tuple(map(int, item["feature"])),
            tuple(map(float, item["threshold"])),
            tuple(map(bool, item["missing_left"])),
            tuple(map(int, item["left"])),
            tuple(map(float, item["value"])),
        )
        count = len(tree.feature)
        for node, (asked, left) in enumerate(zip(tree.feature, tree.left, strict=True)):
            # Children stand behind their parent, so that every walk ends.
            if asked >= len(features) or (asked >= 0 and not node < left < count - 1):
                raise ValueError(f"node {node} of tree {len(trees)} does not fit")
        trees.append(tree)
    return Forest(tuple(features), float(record["base"]), tuple(trees))
