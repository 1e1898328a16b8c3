"""The figures of a distilled judge, against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.distill import (
    area_under_curve,
    error_of_chances,
    group_means,
    quadratic_agreement,
    rank_correlation,
)


def test_ranks_and_areas_by_hand() -> None:
    assert rank_correlation(np.array([1.0, 2, 3]), np.array([10.0, 20, 15])) == pytest.approx(0.5)
    score, positive = np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, False, True, True])
    assert area_under_curve(score, positive) == pytest.approx(3.5 / 4)


def test_what_is_not_defined_is_no_number() -> None:
    assert math.isnan(rank_correlation(np.ones(3), np.arange(3.0)))
    assert math.isnan(area_under_curve(np.arange(3.0), np.zeros(3, np.bool_)))


def test_agreement_by_hand() -> None:
    assert quadratic_agreement(np.array([0, 4, 2]), np.array([0, 4, 2])) == pytest.approx(1.0)
    assert quadratic_agreement(np.array([0, 4]), np.array([4, 0])) == pytest.approx(-1.0)


def test_means_of_groups_keep_the_order_of_sight() -> None:
    means, others = group_means(["b", "a", "b"], np.array([1.0, 5, 3]), np.array([0.0, 1, 1]))
    assert means.tolist() == [2.0, 5.0]
    assert others.tolist() == [0.5, 1.0]


def test_chances_that_come_true_have_no_error() -> None:
    chance = np.repeat([0.0, 0.5, 1.0], 10)
    came = np.array([False] * 10 + [False, True] * 5 + [True] * 10)
    assert error_of_chances(chance, came) == pytest.approx(0.0)
    assert error_of_chances(1 - chance, came) == pytest.approx(2 / 3)


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=2, max_size=40))
def test_the_area_turns_round_with_the_score(pairs: list[tuple[int, bool]]) -> None:
    score = np.array([float(value) for value, _ in pairs])
    positive = np.array([came for _, came in pairs])
    area = area_under_curve(score, positive)
    if math.isnan(area):
        assert positive.all() or not positive.any()
    else:
        assert area + area_under_curve(-score, positive) == pytest.approx(1.0)
