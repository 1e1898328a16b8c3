"""Trees as they are shipped: walked rightly, and refused where they do not fit together."""

from __future__ import annotations

import math
from typing import Any

import pytest

from judge.embedded.trees import parse_forest

SPLIT = {
    "feature": [0, -1, 1, -1, -1],
    "threshold": [0.5, 0.0, 2.0, 0.0, 0.0],
    "missing_left": [1, 0, 0, 0, 0],
    "left": [1, 0, 3, 0, 0],
    "value": [0.2, -1.0, 1.0, 0.5, 3.0],
}
NAMES = ("words", "values")


def _score(words: float, values: float) -> tuple[float, dict[str, float]]:
    forest = parse_forest({"base": 1.0, "trees": [SPLIT, SPLIT]}, NAMES)
    return forest.score({"words": words, "values": values})


@pytest.mark.parametrize(
    ("words", "values", "leaf"),
    [
        (0.5, 9.0, -1.0),
        (0.6, 2.0, 0.5),
        (0.6, 2.1, 3.0),
        (math.nan, 9.0, -1.0),
        (0.6, math.nan, 3.0),
    ],
)
def test_each_row_ends_in_its_leaf(words: float, values: float, leaf: float) -> None:
    assert _score(words, values)[0] == pytest.approx(1.0 + 2 * leaf)


def test_what_features_add_sums_to_the_score() -> None:
    score, added = _score(0.6, 2.1)
    assert added == {"words": pytest.approx(1.6), "values": pytest.approx(4.0)}
    assert score == pytest.approx(1.0 + 2 * 0.2 + sum(added.values()))


@pytest.mark.parametrize(
    "change",
    [
        {"feature": [2, -1, 1, -1, -1]},  # there is no such feature
        {"left": [0, 0, 3, 0, 0]},  # a node that is its own child
        {"left": [4, 0, 3, 0, 0]},  # a right child beyond the end
    ],
)
def test_a_tree_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="node 0 of tree 0"):
        parse_forest({"base": 0.0, "trees": [{**SPLIT, **change}]}, NAMES)
