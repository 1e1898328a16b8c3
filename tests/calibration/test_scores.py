"""Corrected scores: against a second implementation, by simulation, and where they refuse."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError, Label
from calibration.correction import independent_ppi_mean, ppi_mean, raw_mean
from calibration.estimates import Estimate
from calibration.figures import Figure, Undefined
from calibration.joining import Judged
from calibration.passes import rogan_gladen
from calibration.samples import Sample, one_judge
from calibration.scores import holm, labels_of_run, score_agents
from tests.benchmarks.drawing import World
from tests.calibration.made import read, seen
from tests.calibration.second import second_implementation


def sample(seed: int, papers: int, claims: int, labels: int, *, cut: int = 0) -> Sample:
    generator = np.random.default_rng(seed)
    truth, judge = World().draw(generator, papers, claims)
    labelled = np.zeros(truth.size, dtype=bool)
    labelled[generator.choice(truth.size, labels, replace=False)] = True
    true, word = truth.ravel() / 4, judge.ravel() / 4
    if cut:
        true, word = (true * 4 >= cut).astype(float), (word * 4 >= cut).astype(float)
    return Sample(
        predicted=word,
        truth=np.where(labelled, true, 0),
        labelled=labelled,
        weights=np.ones(truth.size),
        clusters=np.repeat(np.arange(papers), claims),
        papers=tuple(f"p{n}" for n in range(papers)),
        keys=tuple(("p", str(n)) for n in range(truth.size)),
    )


@pytest.mark.parametrize("seed", range(4))
def test_prediction_powered_means_are_those_of_ppi_python(seed: int) -> None:
    ppi = second_implementation("ppi_py")
    one = sample(seed, 10, 30, 60)
    known = one.labelled
    arrays = one.truth[known], one.predicted[known], one.predicted[~known]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tuned = float(np.squeeze(ppi.ppi_mean_pointestimate(*arrays)))
        fixed = {
            weight: float(np.squeeze(ppi.ppi_mean_pointestimate(*arrays, lam=weight)))
            for weight in (0.0, 0.4, 1.0)
        }
    assert independent_ppi_mean(*arrays)[0] == pytest.approx(tuned, abs=1e-9)
    # A weight on all claims is one on the unlabelled alone, times the share that is unlabelled.
    unlabelled = float((~known).mean())
    for weight, value in fixed.items():
        mean = ppi_mean(one, weight=weight / unlabelled).figure.value
        assert mean == pytest.approx(value, abs=1e-9)
        assert independent_ppi_mean(*arrays, weight=weight)[0] == pytest.approx(value, abs=1e-9)


def test_the_raw_error_is_that_of_a_cluster_robust_regression() -> None:
    api = second_implementation("statsmodels.api")
    one = sample(1, 12, 20, 100)
    fit = api.OLS(one.predicted, np.ones(len(one.predicted))).fit(
        cov_type="cluster", cov_kwds={"groups": one.clusters, "use_correction": False}
    )
    # Equal papers: leaving one out is the robust error times papers / (papers - 1).
    assert raw_mean(one).figure.value == pytest.approx(float(fit.params[0]), abs=1e-9)
    assert raw_mean(one).error == pytest.approx(float(fit.bse[0]) * (12 / 11) ** 0.5, abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_holm_is_that_of_statsmodels(ps: list[float]) -> None:
    theirs = second_implementation("statsmodels.stats.multitest").multipletests(ps, method="holm")[
        1
    ]
    assert holm(ps) == pytest.approx(list(theirs), abs=1e-12)
    assert holm([*ps, None])[-1] is None


def coverage(method: Callable[[Sample], Estimate], cut: int, papers: int, labels: int) -> float:
    truth = World().draw(np.random.default_rng(0), 20000, 20)[0]
    target = float((truth >= cut).mean()) if cut else float(truth.mean() / 4)
    held = []
    for seed in range(250):
        try:
            figure = method(sample(seed, papers, 50, labels, cut=cut)).figure
        except InputError:  # a refusal is an honest answer
            continue
        assert figure.low is not None
        assert figure.high is not None
        held.append(figure.low <= target <= figure.high)
    assert len(held) > 200
    return float(np.mean(held))


def test_corrected_intervals_hold_where_the_judges_own_does_not() -> None:
    """A small version of `python -m tests.benchmarks.coverage`; the draws are fixed."""
    assert coverage(ppi_mean, 0, 8, 100) > 0.92
    assert coverage(rogan_gladen, 2, 20, 400) > 0.92
    assert coverage(raw_mean, 0, 20, 300) < 0.6


def test_a_judge_that_knows_nothing_costs_nothing() -> None:
    one = sample(3, 20, 50, 200)
    noise = replace(one, predicted=np.random.default_rng(1).permutation(one.predicted))
    with_noise, labels_alone = ppi_mean(noise), ppi_mean(noise, weight=0.0)
    assert with_noise.weight == pytest.approx(0, abs=0.15)
    assert with_noise.figure.value == pytest.approx(labels_alone.figure.value, abs=0.01)


def test_a_whole_labelling_is_its_mean() -> None:
    one = sample(3, 10, 20, 200)
    assert ppi_mean(one).figure.value == pytest.approx(one.truth.mean(), abs=1e-12)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda one: replace(one, labelled=np.zeros_like(one.labelled)), "no label is about"),
        (
            lambda one: replace(one, labelled=one.labelled & (one.clusters < 4)),
            "labels in 4 papers",
        ),
        (lambda one: replace(one, labelled=one.predicted >= 0.5), "no fair draw"),
    ],
)
def test_labels_that_cannot_carry_a_correction_are_refused(
    change: Callable[[Sample], Sample], part: str
) -> None:
    with pytest.raises(InputError, match=part):
        ppi_mean(change(sample(2, 10, 30, 100)))


def test_a_judge_no_better_than_a_coin_is_refused_for_passes() -> None:
    one = sample(2, 10, 30, 150, cut=2)
    coin = np.random.default_rng(0).integers(0, 2, len(one.predicted)).astype(float)
    with pytest.raises(InputError, match="cannot be told from a coin"):
        rogan_gladen(replace(one, predicted=coin))


def agents(seed: int = 1, better: float = 0.6) -> tuple[list[Judged], list[Label]]:
    generator = np.random.default_rng(seed)
    verdicts, labels = [], []
    for agent, lift in (("low", 0.0), ("even", 0.0), ("high", better)):
        truth, judge = World().draw(np.random.default_rng(9), 12, 25)
        lifted = generator.random(truth.shape) < lift
        truth, judge = np.minimum(truth + lifted, 4), np.minimum(judge + lifted, 4)
        for paper in range(12):
            for claim in range(25):
                where = f"{agent}/p{paper:02}", f"p{paper}-{claim}"
                verdicts.append(seen(*where, int(judge[paper, claim])))
                if generator.random() < 0.4:
                    labels.append(read(*where, int(truth[paper, claim])))
    return verdicts, labels


@pytest.mark.parametrize("correction", ["none", "ppi", "pooled"])
def test_agents_are_compared_and_ranked_only_where_it_holds(correction: str) -> None:
    report = score_agents(*agents(), correction=correction)  # type: ignore[arg-type]
    assert report.agents[0].agent == "high"
    assert report.agents[0].ranks == (1, 1)
    assert {one.agent: one.ranks for one in report.agents[1:]} == {"even": (2, 3), "low": (2, 3)}
    assert report.ranked_by == ("raw" if correction == "none" else "corrected")
    firm = [one for one in report.differences if (one.adjusted_p or 0) < 0.05]
    assert {(one.first, one.second) for one in firm} == {("high", "even"), ("high", "low")}
    json.dumps(report.as_json(), allow_nan=False)


def test_a_refusal_for_one_agent_ranks_all_by_the_raw_score_and_says_so() -> None:
    verdicts, labels = agents()
    report = score_agents(verdicts, [one for one in labels if not one.submission.startswith("low")])
    low = next(one for one in report.agents if one.agent == "low")
    assert isinstance(low.corrected, Undefined)
    assert report.ranked_by == "raw"
    assert any("1 of 3 agents has no corrected score" in note for note in report.notes)
    assert any("it takes 20 more labels to give each 20" in note for note in report.notes)


def test_a_refusal_says_how_many_labels_and_papers_are_missing() -> None:
    verdicts, labels = agents()
    few = [one for one in labels if one.submission in {"low/p00", "low/p01", "low/p02"}][:13]
    report = score_agents(verdicts, few)
    low = next(one for one in report.agents if one.agent == "low")
    assert isinstance(low.corrected, Undefined)
    assert "a correction needs 20 in 5 papers" in low.corrected.reason
    assert "7 more labels, in 3 more papers to go" in low.corrected.reason
    assert "judge labels sample --per agent" in low.corrected.reason


def test_passes_without_a_cut_are_refused() -> None:
    verdicts, labels = agents()
    passes = [replace(one, level=None, passed=True) for one in labels]
    with pytest.raises(InputError, match="pass or fail and no level"):
        score_agents(verdicts, passes)


def test_judges_are_never_mixed() -> None:
    verdicts, labels = agents()
    mixed = [replace(one, judge="other") if one.agent == "low" else one for one in verdicts]
    with pytest.raises(InputError, match="2 judges are mixed"):
        score_agents(mixed, labels)
    with pytest.raises(InputError, match="no verdict has a level"):
        one_judge([])


def test_pooling_is_refused_where_the_judge_favours_an_agent() -> None:
    verdicts, labels = agents()
    favoured = [
        replace(one, level=min(4, (one.level or 0) + 2)) if one.agent == "low" else one
        for one in verdicts
    ]
    report = score_agents(favoured, labels, correction="pooled")
    corrected = report.agents[0].corrected
    assert isinstance(corrected, Undefined)
    assert "errs differently for one agent" in corrected.reason


def test_a_better_judges_sample_corrects_a_cheap_one() -> None:
    verdicts, labels = agents()
    expensive = [
        seen(one.submission, one.sau, int(one.level or 0), judge="expensive") for one in labels
    ]
    readings = labels_of_run(expensive)
    assert readings[0].kind == "model"
    report = score_agents(verdicts, readings)
    assert all(isinstance(one.corrected, Estimate) for one in report.agents)
    assert any("no label is a person's" in note for note in report.notes)


def test_agents_on_other_claims_are_compared_on_what_they_share() -> None:
    verdicts, labels = agents()
    fewer = [one for one in verdicts if not (one.agent == "low" and one.sau.endswith("-3"))]
    report = score_agents(fewer, labels, correction="none")
    claims = {(one.first, one.second): one.claims for one in report.differences}
    assert claims["high", "low"] == 12 * 24
    assert claims["high", "even"] == 12 * 25
    assert all(isinstance(one.comparison.difference, Figure) for one in report.differences)
