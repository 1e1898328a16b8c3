from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from judge.intervals import bootstrap_means, expanded_tail, paper_weights, rank_ranges


def column(values: list[float]) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


def test_the_interval_is_the_one_of_a_plain_loop_over_draws() -> None:
    generator = np.random.default_rng(3)
    scores, counts = generator.random(9) * 20, generator.integers(1, 40, 9).astype(float)
    weights = paper_weights(9, draws=500, seed=11)
    means = sorted(
        sum(w * s for w, s in zip(draw, scores, strict=True))
        / sum(w * c for w, c in zip(draw, counts, strict=True))
        for draw in weights
    )

    (interval,) = bootstrap_means(scores[:, None], counts[:, None], draws=500, seed=11)

    assert interval is not None
    tail = expanded_tail(9)
    assert interval.low == pytest.approx(np.quantile(means, tail))
    assert interval.high == pytest.approx(np.quantile(means, 1 - tail))


@pytest.mark.parametrize("papers", [8, 12, 30])
def test_a_95_percent_interval_holds_the_truth_about_that_often(papers: int) -> None:
    generator = np.random.default_rng(5)
    # 800 benchmarks whose papers' means are skewed to the low side, as real ones are: mean 2/7.
    worlds = generator.beta(2, 5, (papers, 800))
    intervals = bootstrap_means(worlds, np.ones_like(worlds), draws=2000)
    holds = [one is not None and one.low <= 2 / 7 <= one.high for one in intervals]
    assert 0.92 <= np.mean(holds) <= 0.98


# Quantiles of Student's t for 97.5 %, from printed tables.
@pytest.mark.parametrize(
    ("papers", "t"), [(2, 12.706), (3, 4.303), (5, 2.776), (8, 2.365), (30, 2.045), (101, 1.984)]
)
def test_tails_are_those_of_the_t_distribution(papers: int, t: float) -> None:
    wanted = NormalDist().cdf(-math.sqrt(papers / (papers - 1)) * t)
    assert expanded_tail(papers) == pytest.approx(wanted, rel=0.02)


def test_tails_come_to_those_of_the_plain_interval_with_many_papers() -> None:
    tails = [expanded_tail(papers) for papers in (5, 10, 50, 1000)]
    assert tails == sorted(tails)
    assert tails[-1] == pytest.approx(0.025, rel=0.02)


@given(
    arrays(float, st.tuples(st.integers(8, 12), st.integers(1, 3)), elements=st.floats(0, 1)),
    st.integers(0, 2**31),
)
@settings(max_examples=50, deadline=None)
def test_intervals_stay_within_what_papers_say_and_repeat(means: np.ndarray, seed: int) -> None:
    ones = np.ones_like(means)
    first = bootstrap_means(means, ones, draws=200, seed=seed)
    assert first == bootstrap_means(means, ones, draws=200, seed=seed)
    for place, interval in enumerate(first):
        assert interval is not None
        slack = 1e-12
        assert means[:, place].min() - slack <= interval.low <= interval.high
        assert interval.high <= means[:, place].max() + slack


def test_papers_without_anything_are_not_drawn() -> None:
    scores = [0.2, 0.8, 0.4, 0.5, 0.9, 0.1, 0.3, 0.6]
    some = bootstrap_means(column([*scores, 0, 0]), column([1] * 8 + [0, 0]), draws=300)
    alone = bootstrap_means(column(scores), column([1] * 8), draws=300)
    assert alone[0] is not None
    assert some == alone


@pytest.mark.parametrize("papers", [[1.0], [1.0, 0.0], [1.0] * 7, [1.0] * 7 + [0.0], [0.0, 0.0]])
def test_too_few_papers_give_no_interval(papers: list[float]) -> None:
    assert bootstrap_means(column([0.5] * len(papers)), column(papers)) == [None]


@pytest.mark.parametrize(
    ("above", "below", "words"),
    [
        (np.ones((2, 2)), np.ones((2, 1)), "shapes"),
        (column([np.nan, 1]), column([1, 1]), "not finite"),
        (column([1, 1]), column([-1, 1]), "negative"),
    ],
)
def test_figures_that_cannot_be_are_refused(
    above: np.ndarray, below: np.ndarray, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        bootstrap_means(above, below)


def test_ranks_that_hold_on_every_paper_have_no_range_and_equals_share_the_better() -> None:
    better, worse = [0.5, 0.6, 0.7], [0.1, 0.2, 0.3]
    values = np.array([better, worse, worse]).T
    assert rank_ranges(values) == [(1, 1), (2, 2), (2, 2)]


def test_ranks_that_hang_on_single_papers_have_a_range() -> None:
    values = np.array([[0.9, 0.1, 0.5, 0.2], [0.1, 0.8, 0.4, 0.3]]).T
    assert rank_ranges(values) == [(1, 2), (1, 2)]
