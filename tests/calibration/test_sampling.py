"""What to label next, and how much of it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, InputError
from calibration.joining import Judged
from calibration.samples import Sample
from calibration.sampling import draw_sample, plan_labels
from tests.benchmarks.drawing import World
from tests.calibration.made import seen


def verdicts(papers: int = 10, claims: int = 40) -> list[Judged]:
    generator = np.random.default_rng(0)
    _, judge = World().draw(generator, papers, claims)
    return [
        seen(
            f"a/p{paper}",
            f"p{paper}-{claim}",
            int(judge[paper, claim]),
            dimension=Dimension(f"D{claim % 4 + 1}"),
            confidence=float(generator.random()),
        )
        for paper in range(papers)
        for claim in range(claims)
    ]


@given(st.integers(1, 400), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_draw_has_the_size_asked_for_and_no_pair_twice(count: int, seed: int) -> None:
    drawn = draw_sample(verdicts(), count, seed=seed)
    assert len(drawn) == count == len({one.verdict.key for one in drawn})
    assert all(one.weight >= 1 - 1e-9 for one in drawn)


def test_weighted_means_over_draws_are_those_of_all() -> None:
    pool = verdicts()
    truth = {one.key: place % 7 for place, one in enumerate(pool)}
    totals = [
        sum(one.weight * truth[one.verdict.key] for one in draw_sample(pool, 60, seed=seed))
        for seed in range(600)
    ]
    assert np.mean(totals) == pytest.approx(sum(truth.values()), rel=0.02)


def test_rare_levels_and_every_dimension_are_seen_and_unsure_ones_more_often() -> None:
    pool = verdicts()
    draws = [draw_sample(pool, 60, seed=seed) for seed in range(50)]
    wanted = {(one.dimension, one.level) for one in pool}
    assert all({(d.verdict.dimension, d.verdict.level) for d in draw} == wanted for draw in draws)
    mean = np.mean([one.confidence or 0 for one in pool])
    assert np.mean([d.verdict.confidence or 0 for draw in draws for d in draw]) < mean
    papers = Counter(one.verdict.paper for draw in draws for one in draw)
    assert min(papers.values()) > 0.5 * max(papers.values())


def test_labelled_pairs_are_left_out_and_too_much_is_refused() -> None:
    pool = verdicts(2, 10)
    already = {one.key for one in pool[:15]}
    drawn = draw_sample(pool, 5, already=already)
    assert not already & {one.verdict.key for one in drawn}
    with pytest.raises(InputError, match="6 cannot be drawn from 5"):
        draw_sample(pool, 6, already=already)


def pilot(skill: float) -> Sample:
    generator = np.random.default_rng(1)
    truth, judge = World(skill=skill, alike=0.05).draw(generator, 30, 50)
    labelled = np.zeros(truth.size, dtype=bool)
    labelled[generator.choice(truth.size, 400, replace=False)] = True
    return Sample(
        judge.ravel() / 4, np.where(labelled, truth.ravel() / 4, 0), labelled,
        np.ones(truth.size), np.repeat(np.arange(30), 50), tuple(map(str, range(30))), (),
    )  # fmt: skip


def test_a_good_judge_saves_labels_and_a_bad_one_does_not() -> None:
    good, bad = plan_labels(pilot(0.95), 0.02), plan_labels(pilot(0.0), 0.02)
    assert good.these[1] < 0.6 * good.these[0]
    assert bad.these[1] == pytest.approx(bad.these[0], rel=0.1)
    assert good.explained > 0.5 > bad.explained


def test_what_no_number_of_labels_reaches_is_said() -> None:
    plan = plan_labels(pilot(0.8), 0.001)
    assert plan.general == (None, None)
    assert plan.floor > 0.001
    assert plan.these[0] <= 1500


def test_the_planned_number_of_labels_gives_the_width() -> None:
    """The mean of a world's own claims, estimated from as many labels as the plan says."""
    plan = plan_labels(pilot(0.9), 0.03)
    generator = np.random.default_rng(5)
    apart = []
    for _ in range(300):
        truth, judge = World(skill=0.9, alike=0.05).draw(generator, 30, 50)
        true, word = truth.ravel() / 4, judge.ravel() / 4
        chosen = generator.choice(true.size, plan.these[1], replace=False)
        slope = np.cov(true[chosen], word[chosen])[0, 1] / word[chosen].var()
        estimate = true[chosen].mean() - slope * (word[chosen].mean() - word.mean())
        apart.append(abs(estimate - true.mean()))
    assert 0.9 < np.mean(np.array(apart) <= 0.03) < 0.99


def test_a_pilot_that_is_too_small_is_refused() -> None:
    sample = pilot(0.8)
    few = sample.labelled & (sample.clusters < 3)
    with pytest.raises(InputError, match="too small a pilot"):
        plan_labels(
            Sample(
                sample.predicted, sample.truth, few, sample.weights, sample.clusters,
                sample.papers, (),
            ),
            0.02,
        )  # fmt: skip
