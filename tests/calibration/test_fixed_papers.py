"""Means over these papers alone: what a draw of their claims leaves open, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError, Label
from calibration.estimates import Estimate
from calibration.figures import Figure, Undefined
from calibration.fixed import FEWEST_FIXED, fixed_difference, fixed_ppi_mean, fixed_raw_mean
from calibration.joining import Judged
from calibration.samples import Sample
from calibration.scores import score_agents
from tests.benchmarks.coverage import FIXED, WORLDS, drawn
from tests.benchmarks.drawing import World
from tests.calibration.made import read, seen

SHAPE = (10, 40, 100)


def one(seed: int = 1, shape: tuple[int, int, int] = SHAPE) -> tuple[Sample, np.ndarray]:
    return drawn(np.random.default_rng(seed), World(), shape, 0)


def test_without_the_judges_word_it_is_the_mean_of_a_draw_from_a_finite_population() -> None:
    """The textbook's formula (Cochran 1977, 2.19), written out here."""
    sample, _ = one()
    estimate = fixed_ppi_mean(sample, weight=0.0)
    known = sample.truth[sample.labelled]
    error = np.sqrt(known.var(ddof=1) / len(known) * (1 - len(known) / len(sample.predicted)))
    assert estimate.figure.value == pytest.approx(known.mean(), abs=1e-12)
    assert estimate.error == pytest.approx(float(error), abs=1e-12)


def test_the_judges_word_narrows_the_interval_and_all_labels_close_it() -> None:
    sample, truth = one()
    alone, helped = fixed_ppi_mean(sample, weight=0.0), fixed_ppi_mean(sample)
    assert helped.error < 0.9 * alone.error
    everything = replace(sample, truth=truth, labelled=np.ones(truth.size, dtype=bool))
    whole = fixed_ppi_mean(everything)
    assert whole.figure.value == pytest.approx(truth.mean(), abs=1e-12)
    assert whole.error == 0
    raw = fixed_raw_mean(sample).figure
    assert raw == Figure(
        float(sample.predicted.mean()),
        why_no_interval="every claim of these papers was judged: what is open is the judge's "
        "error alone",
    )


@given(st.floats(0.1, 50), st.integers(0, 3))
@settings(max_examples=15, deadline=None)
def test_a_common_factor_of_the_weights_and_the_order_of_claims_change_nothing(
    factor: float, seed: int
) -> None:
    sample, _ = one(seed)
    order = np.random.default_rng(seed).permutation(len(sample.predicted))
    other = Sample(
        sample.predicted[order],
        sample.truth[order],
        sample.labelled[order],
        sample.weights[order] * factor,
        sample.clusters[order],
        sample.papers,
        tuple(sample.keys[place] for place in order),
    )
    first, second = fixed_ppi_mean(sample), fixed_ppi_mean(other)
    assert second.figure.value == pytest.approx(first.figure.value, abs=1e-9)
    assert second.error == pytest.approx(first.error, rel=1e-9)


def test_intervals_hold_with_eight_papers_and_a_hundred_labels() -> None:
    """A small version of `tests.benchmarks.coverage --only fixed`; the draws are the same."""
    assert (8, 50, 100) in FIXED
    generator = np.random.default_rng(3)
    held = []
    for _ in range(400):
        sample, truth = drawn(generator, WORLDS[1], (8, 50, 100), 0)
        try:
            figure = fixed_ppi_mean(sample).figure
        except InputError:  # a refusal is an honest answer
            continue
        assert figure.low is not None
        assert figure.high is not None
        held.append(figure.low <= truth.mean() <= figure.high)
    assert len(held) > 390
    assert 0.92 < np.mean(held) < 0.98


def test_agents_labelled_on_the_same_claims_share_the_error_of_the_draw() -> None:
    sample, truth = one()
    better = np.minimum(truth + 0.25, 1.0)
    other = replace(
        sample,
        truth=np.where(sample.labelled, better, 0.0),
        predicted=np.minimum(sample.predicted + 0.25, 1.0),
    )
    first, second = fixed_ppi_mean(other), fixed_ppi_mean(sample)
    together = fixed_difference(first, second, 0.95).difference
    assert isinstance(together, Figure)
    assert together.low is not None
    assert together.low > 0
    apart = np.hypot(first.error, second.error)
    assert (together.half_width or 0) < 0.75 * 1.97 * apart


@pytest.mark.parametrize(
    ("case", "part"),
    [
        ("few", f"49 labels: a correction needs {FEWEST_FIXED}.*1 more label to go"),
        ("some papers", "labels are in 5 of 10 papers"),
        ("chosen by level", "no fair draw"),
        ("rare passes", "that pass: a share needs 60, with 8 that pass"),
    ],
)
def test_labels_that_are_no_draw_of_these_papers_are_refused(case: str, part: str) -> None:
    sample, truth = one()
    if case == "few":
        sample, _ = one(shape=(10, 40, 49))
    elif case == "some papers":
        labelled = sample.clusters < 5
        sample = replace(sample, labelled=labelled, truth=np.where(labelled, truth, 0))
    elif case == "chosen by level":
        labelled = (sample.predicted >= 0.5) | (np.arange(truth.size) % 20 == 0)
        sample = replace(sample, labelled=labelled, truth=np.where(labelled, truth, 0))
    else:
        sample = replace(
            sample,
            predicted=(sample.predicted >= 1).astype(float),
            truth=np.where(sample.labelled & (sample.truth >= 1), 1.0, 0.0),
        )
    with pytest.raises(InputError, match=part):
        fixed_ppi_mean(sample)


def agents(labels: int) -> tuple[list[Judged], list[Label]]:
    verdicts, readings = [], []
    for agent, lift in (("low", 0), ("high", 1)):
        generator = np.random.default_rng(5)
        truth, judge = World(skill=0.9).draw(generator, 6, 30)
        chosen = set(generator.choice(truth.size, labels, replace=False).tolist())
        for place in range(truth.size):
            paper, claim = divmod(place, 30)
            where = f"{agent}/p{paper}", f"p{paper}-{claim}"
            verdicts.append(seen(*where, min(4, int(judge[paper, claim]) + lift)))
            if place in chosen:
                readings.append(read(*where, min(4, int(truth[paper, claim]) + lift)))
    return verdicts, readings


def test_scores_of_fixed_papers_are_narrower_and_ranked() -> None:
    verdicts, labels = agents(90)
    fixed = score_agents(verdicts, labels, papers="fixed")
    sampled = score_agents(verdicts, labels)
    assert fixed.papers == "fixed"
    for one_, other in zip(fixed.agents, sampled.agents, strict=True):
        assert isinstance(one_.corrected, Estimate)
        assert isinstance(other.corrected, Estimate)
        assert one_.corrected.figure.value == pytest.approx(other.corrected.figure.value)
        assert one_.corrected.error < other.corrected.error
        assert one_.raw.figure.low is None
    assert [(one_.agent, one_.ranks) for one_ in fixed.agents] == [
        ("high", (1, 1)),
        ("low", (2, 2)),
    ]
    json.dumps(fixed.as_json(), allow_nan=False)


def test_as_judged_fixed_papers_leave_nothing_to_test() -> None:
    verdicts, labels = agents(90)
    report = score_agents(verdicts, labels, papers="fixed", correction="none")
    (difference,) = report.differences
    assert difference.comparison.p is None
    assert isinstance(difference.comparison.difference, Figure)
    assert {one_.ranks for one_ in report.agents} == {None}
    few = score_agents(verdicts, labels[:30], papers="fixed")
    assert all(isinstance(one_.corrected, Undefined) for one_ in few.agents)
    with pytest.raises(InputError, match="pooled needs papers that are a sample"):
        score_agents(verdicts, labels, papers="fixed", correction="pooled")
