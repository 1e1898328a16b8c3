"""Trees as they are shipped: walked rightly, and refused where they do not fit together."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.trees import parse_forest

SPLIT = {
    "feature": [0, -1, 1, -1, -1],
    "threshold": [0.5, 0.0, 2.0, 0.0, 0.0],
    "missing_left": [1, 0, 0, 0, 0],
    "left": [1, 0, 3, 0, 0],
    "value": [0.2, -1.0, 1.0, 0.5, 3.0],
}
NAMES = ("words", "values")


def _score(words: float, values: float) -> float:
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
    assert _score(words, values) == pytest.approx(1.0 + 2 * leaf)


_NODES = st.recursive(
    st.floats(-3, 3),
    lambda below: st.tuples(st.integers(0, 1), st.floats(-2, 2), st.booleans(), below, below),
    max_leaves=12,
)


def _rows(node: Any) -> dict[str, list[Any]]:
    """A nested tree as the rows that are shipped."""
    waiting = [node]
    rows: dict[str, list[Any]] = {name: [] for name in SPLIT}
    for place in range(10_000):
        if place == len(waiting):
            return rows
        one = waiting[place]
        inner = isinstance(one, tuple)
        feature, threshold, missing, *children = one if inner else (-1, 0.0, False)
        for name, value in zip(
            SPLIT,
            (feature, threshold, missing, len(waiting) if inner else 0, 0.0 if inner else one),
            strict=True,
        ):
            rows[name].append(value)
        waiting += children
    raise AssertionError


def _walked(node: Any, numbers: tuple[float, float]) -> float:
    while isinstance(node, tuple):
        feature, threshold, missing, left, right = node
        number = numbers[feature]
        goes_left = missing if math.isnan(number) else number <= threshold
        node = left if goes_left else right
    return float(node)


_NUMBER = st.one_of(st.just(math.nan), st.floats(-3, 3))


@given(st.lists(_NODES, max_size=5), _NUMBER, _NUMBER)
def test_all_trees_together_say_what_each_says_alone(
    nodes: list[Any], words: float, values: float
) -> None:
    forest = parse_forest({"base": 0.5, "trees": [_rows(node) for node in nodes]}, NAMES)
    alone = [_walked(node, (words, values)) for node in nodes]
    assert forest.score({"words": words, "values": values}) == math.fsum([0.5, *alone])


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
