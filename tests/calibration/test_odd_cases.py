"""Odd data: every estimator gives finite numbers or a refusal that names its reason."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError, Label, Level
from calibration.anchors import check_anchors
from calibration.changes import compare_runs
from calibration.fitting import calibrate
from calibration.joining import Judged
from calibration.samples import sample_of
from calibration.sampling import plan_labels
from calibration.scores import score_agents
from tests.benchmarks.drawing import World
from tests.calibration.made import read, seen

CASES = (
    "plain",
    "constant judge",
    "constant labels",
    "all zeros",
    "one paper",
    "one agent",
    "one label",
    "one verdict",
    "uneven weights",
    "half of it pass or fail",
    "two annotators, one silent on a paper",
    "every claim labelled",
)


def world(case: str, seed: int = 1) -> tuple[list[Judged], list[Label]]:
    generator = np.random.default_rng(seed)
    truth, judge = World().draw(generator, 7, 24)
    verdicts, labels = [], []
    for paper in range(7):
        for claim in range(24):
            where = f"a{claim % 2}/p{paper}", f"p{paper}-{claim // 2}"
            verdicts.append(seen(*where, int(judge[paper, claim]), confidence=0.5))
            if case == "every claim labelled" or generator.random() < 0.6:
                labels.append(read(*where, int(truth[paper, claim])))
    if case == "constant judge":
        verdicts = [replace(one, level=2) for one in verdicts]
    elif case == "constant labels":
        labels = [replace(one, level=Level(1)) for one in labels]
    elif case == "all zeros":
        verdicts = [replace(one, level=0) for one in verdicts]
        labels = [replace(one, level=Level(0)) for one in labels]
    elif case == "one paper":
        verdicts = [one for one in verdicts if one.paper == "p3"]
    elif case == "one agent":
        verdicts = [one for one in verdicts if one.agent == "a1"]
    elif case == "one label":
        labels = labels[:1]
    elif case == "one verdict":
        verdicts = verdicts[:1]
    elif case == "uneven weights":
        labels = [replace(one, weight=10.0 ** (place % 7 - 3)) for place, one in enumerate(labels)]
    elif case == "half of it pass or fail":
        labels = [
            replace(one, level=None, passed=one.level == 4) if place % 2 else one
            for place, one in enumerate(labels)
        ]
    elif case == "two annotators, one silent on a paper":
        other = [replace(one, annotator="bo") for one in labels if "p2" not in one.submission]
        labels += other
    return verdicts, labels


def finite(record: Any) -> None:
    """Refuse NaN, infinities, and empty reasons."""
    text = json.dumps(record, allow_nan=False)
    assert '"undefined": ""' not in text


def told(error: InputError) -> None:
    """A refusal says what is wrong and what to do."""
    assert error.problem
    assert error.remedy


@pytest.mark.parametrize("papers", ["sample", "fixed"])
@pytest.mark.parametrize("cut", [None, 1, 4])
@pytest.mark.parametrize("case", CASES)
def test_scores_are_numbers_or_refusals(case: str, cut: int | None, papers: str) -> None:
    verdicts, labels = world(case)
    for correction in ("none", "ppi", "pooled", "rogan-gladen"):
        try:
            report = score_agents(
                verdicts, labels, correction=correction, cut=cut, papers=papers  # type: ignore[arg-type]
            )  # fmt: skip
        except InputError as error:
            told(error)
            # What the judge says as it stands can always be had.
            assert correction != "none" or "pass or fail" in error.problem  # noqa: PT017
            continue
        finite(report.as_json())
        for one in report.agents:
            if one.ranks is not None:
                assert 1 <= one.ranks[0] <= one.ranks[1] <= len(report.agents)


@pytest.mark.parametrize("case", CASES)
def test_calibration_plans_anchors_and_comparisons_are_numbers_or_refusals(case: str) -> None:
    verdicts, labels = world(case)
    later = [replace(one, level=(one.level or 0) // 2) for one in verdicts]
    then = {one.key: int(one.level or 0) for one in verdicts}
    for part in (
        lambda: calibrate(verdicts, labels, coverage=0.8).as_json(),
        lambda: plan_labels(sample_of(verdicts, labels), 0.05).as_json(),
        lambda: check_anchors(then, later, labels, within=0.1).as_json(),
        lambda: compare_runs(verdicts, later).as_json(),
    ):
        try:
            finite(part())
        except InputError as error:
            told(error)


@given(st.randoms(use_true_random=False), st.sampled_from(["sample", "fixed"]))
@settings(max_examples=10, deadline=None)
def test_order_and_the_names_of_papers_change_no_score(random: Any, papers: Any) -> None:
    verdicts, labels = world("plain")
    before = score_agents(verdicts, labels, papers=papers).as_json()
    shuffled = list(verdicts), list(labels)
    for each in shuffled:
        random.shuffle(each)
    assert_close(score_agents(*shuffled, papers=papers).as_json(), before)
    renamed = [replace(one, paper=f"z{9 - int(one.paper[1])}") for one in verdicts]
    assert_close(score_agents(renamed, labels, papers=papers).as_json(), before)


def assert_close(now: Any, then: Any) -> None:
    if isinstance(then, dict):
        assert now.keys() == then.keys()
        for key in then:
            assert_close(now[key], then[key])
    elif isinstance(then, list):
        assert len(now) == len(then)
        for one, other in zip(now, then, strict=True):
            assert_close(one, other)
    elif isinstance(then, float):
        assert now == pytest.approx(then, abs=1e-9)
    else:
        assert now == then
