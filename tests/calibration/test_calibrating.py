"""Calibration: its parts against second implementations, its promises by simulation, its file."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError, Label
from calibration.calibrator import load_calibrator
from calibration.conformal import (
    answers,
    conformal_limit,
    fit_rule,
    needed_mass,
    prediction_sets,
    risks,
)
from calibration.fitting import calibrate
from calibration.isotonic import fit_isotonic
from calibration.joining import Judged
from calibration.ordinal import fit_ordinal
from calibration.quality import calibration_error, log_losses, quality, ranked_losses
from tests.benchmarks.drawing import World
from tests.calibration.made import read, seen
from tests.calibration.second import second_implementation


def drawn(seed: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    features = generator.standard_normal((size, 2))
    latent = features @ [1.2, -0.5] + generator.logistic(size=size)
    return features, np.digitize(latent, [-1.0, 0.5, 1.2, 2.5])


def test_the_ordinal_model_is_that_of_statsmodels() -> None:
    ordinal = second_implementation("statsmodels.miscmodels.ordinal_model")
    features, levels = drawn(1, 300)
    ours = fit_ordinal(features, levels, np.ones(300), spread=1e6)
    # Ours has a fifth of a made-up label at each level: the same as five of each against one.
    many = np.vstack([np.repeat(features, 5, axis=0), np.zeros((5, 2))])
    told = np.concatenate([np.repeat(levels, 5), np.arange(5)])
    with warnings.catch_warnings():
        # It goes on until not a digit changes, and then warns that nothing changes.
        warnings.simplefilter("ignore")
        theirs = ordinal.OrderedModel(told, many, distr="logit").fit(
            method="bfgs", disp=False, maxiter=500, gtol=1e-9
        )
    thresholds = theirs.model.transform_threshold_params(theirs.params)[1:-1]
    assert ours.slopes == pytest.approx(list(theirs.params[:2]), abs=1e-6)
    assert ours.thresholds == pytest.approx(list(thresholds), abs=1e-6)


@given(st.integers(0, 4), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_the_ordinal_model_exists_for_a_single_level_and_parted_data(level: int, size: int) -> None:
    features = np.linspace(-1, 1, size)[:, None]
    for levels in (np.full(size, level), (features[:, 0] > 0).astype(np.int64) * level):
        model = fit_ordinal(features, levels, np.ones(size))
        stated = model.distribution(features)
        assert np.isfinite(stated).all()
        np.testing.assert_allclose(stated.sum(1), 1, atol=1e-9)
        assert (np.diff(model.thresholds) > 0).all()


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1), st.floats(0.1, 3)), min_size=1))
@settings(max_examples=40, deadline=None)
def test_isotonic_regression_is_that_of_scikit_learn(
    rows: list[tuple[int, float, float]],
) -> None:
    isotonic = second_implementation("sklearn.isotonic")
    where, what, weights = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    theirs = isotonic.IsotonicRegression().fit(where, what, sample_weight=weights)
    ours = fit_isotonic(where, what, weights).at(where)
    np.testing.assert_allclose(ours, theirs.predict(where), atol=1e-9)


def test_losses_are_those_of_scikit_learn() -> None:
    metrics = second_implementation("sklearn.metrics")
    generator = np.random.default_rng(0)
    stated = generator.dirichlet(np.ones(5), 200)
    levels = generator.integers(0, 5, 200)
    assert log_losses(stated, levels).mean() == pytest.approx(
        metrics.log_loss(levels, stated, labels=range(5)), abs=1e-9
    )
    briers = [
        metrics.brier_score_loss(levels >= cut, stated[:, cut:].sum(1)) for cut in (1, 2, 3, 4)
    ]
    assert ranked_losses(stated, levels).mean() == pytest.approx(np.mean(briers), abs=1e-9)


def test_calibration_error_is_the_gap_between_stated_and_true() -> None:
    stated = np.tile([0.2, 0.2, 0.2, 0.2, 0.2], (100, 1))
    levels = np.zeros(100, dtype=np.int64)
    figures = quality(stated, levels, np.ones(100))
    assert figures.error == pytest.approx((0.8 + 0.6 + 0.4 + 0.2) / 4)
    (only,) = figures.reliability["1"]
    assert (only.stated, only.came, only.count) == (pytest.approx(0.8), 0.0, 100)
    assert calibration_error((only,)) == pytest.approx(0.8)


def test_sets_are_runs_of_levels_that_grow_with_their_mass() -> None:
    stated = np.array([[0.1, 0.5, 0.25, 0.1, 0.05], [0.9, 0.05, 0.03, 0.01, 0.01]])
    np.testing.assert_allclose(needed_mass(stated)[0], [0.85, 0.5, 0.75, 0.95, 1.0])
    assert prediction_sets(stated, 0.0) == [(1, 1), (0, 0)]
    assert prediction_sets(stated, 0.8) == [(1, 2), (0, 0)]
    assert prediction_sets(stated, 1.0) == [(0, 4), (0, 4)]
    np.testing.assert_array_equal(answers(stated), [1, 0])
    np.testing.assert_allclose(risks(stated, "wrong"), [0.5, 0.1])
    np.testing.assert_allclose(risks(stated, "off_by_two"), [0.15, 0.05])


def test_sets_hold_the_level_of_a_new_papers_claims_as_often_as_promised() -> None:
    generator = np.random.default_rng(4)
    held = []
    for _ in range(300):
        truth, judge = World(shared=0.5).draw(generator, 16, 12)
        stated = np.full((truth.size, 5), 0.1)
        stated[np.arange(truth.size), judge.ravel()] = 0.6
        papers = np.repeat(np.arange(16), 12)
        old, new = papers < 15, papers == 15
        needed = needed_mass(stated)[np.arange(truth.size), truth.ravel()]
        limit = conformal_limit(needed[old], papers[old], 0.9)
        sets = prediction_sets(stated[new], limit)
        held += [
            low <= level <= high
            for (low, high), level in zip(sets, truth.ravel()[new], strict=True)
        ]
    assert np.mean(held) > 0.89


def test_eight_papers_promise_no_more_than_eight_ninths() -> None:
    with pytest.raises(InputError, match=r"8 papers can promise a coverage of 0\.889"):
        conformal_limit(np.zeros(8), np.arange(8), 0.9)


def test_the_rule_answers_more_where_more_risk_is_accepted_and_keeps_it() -> None:
    generator = np.random.default_rng(2)
    stated = generator.dirichlet(np.full(5, 0.3), 3000)
    levels = np.array([generator.choice(5, p=row) for row in stated])
    papers, ones = np.repeat(np.arange(30), 100), np.ones(3000)
    limits = []
    for accepted in (0.001, 0.05, 0.1, 0.3):
        rule = fit_rule(stated, levels, papers, ones, accepted=accepted)
        limits.append(-1.0 if rule.limit is None else rule.limit)
        kept = risks(stated, "off_by_two") <= limits[-1]
        if kept.any():
            assert (np.abs(levels - answers(stated)) >= 2)[kept].mean() <= accepted
    assert limits == sorted(limits)
    assert limits[0] == -1.0
    assert limits[-1] > 0


def world(papers: int, claims: int, seed: int = 0) -> tuple[list[Judged], list[Label]]:
    truth, judge = World(skill=0.85, bias=-0.6).draw(np.random.default_rng(seed), papers, claims)
    verdicts, labels = [], []
    for paper in range(papers):
        for claim in range(claims):
            where = f"a/p{paper}", f"p{paper}-{claim}"
            verdicts.append(seen(*where, int(judge[paper, claim]), confidence=0.9))
            labels.append(read(*where, int(truth[paper, claim])))
    return verdicts, labels


def test_a_hundred_labels_calibrate_and_do_not_overfit() -> None:
    gains = []
    for seed in range(6):
        verdicts, labels = world(10, 10, seed)
        found = calibrate(verdicts, labels)
        fresh, truth = world(40, 10, seed + 100)
        levels = np.array([int(one.level or 0) for one in truth])
        stated = found.calibrator.distributions(fresh)
        gains.append(found.before.ranked - ranked_losses(stated, levels).mean())
        assert "isotonic" not in found.calibrator.model
    assert min(gains) > 0


def test_thousands_of_labels_may_take_the_isotonic_shape() -> None:
    verdicts, labels = world(20, 50)
    found = calibrate(verdicts, labels)
    assert any(name.startswith("isotonic") for name in found.candidates)
    assert found.after.ranked < found.before.ranked
    assert found.after.error < 0.05 < found.before.error


def test_a_calibration_is_kept_in_a_file_and_bound_to_its_judge(tmp_path: Path) -> None:
    verdicts, labels = world(12, 12)
    found = calibrate(verdicts, labels, coverage=0.8, accepted_risk=0.2)
    again = calibrate(verdicts[::-1], labels[::-1], coverage=0.8, accepted_risk=0.2)
    assert found.calibrator.data == again.calibrator.data
    path = tmp_path / "calibration.json"
    found.calibrator.save(path)
    kept = load_calibrator(path)
    assert kept == found.calibrator
    results = kept.apply(verdicts)
    for one in results:
        assert sum(one.distribution) == pytest.approx(1)
        assert 0 <= one.expected <= 1
        assert one.levels is not None
        assert one.levels[0] <= one.answer <= one.levels[1]
    with pytest.raises(InputError, match="this one is of the judge 'other'"):
        kept.apply([replace(verdicts[0], judge="other")])
    json.dumps(found.as_json(), allow_nan=False)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"slopes": []}, "as many slopes"),
        ({"thresholds": [1, 0, 2, 3]}, "thresholds do not rise"),
        ({"features": ["moon"], "slopes": [1.0]}, "no feature 'moon'"),
        ({"extra": 1}, "Extra inputs"),
        ({"format": 2}, "Input should be 1"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, change: dict[str, object], part: str) -> None:
    verdicts, labels = world(12, 12)
    record = calibrate(verdicts, labels).calibrator.model_dump(mode="json")
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(record | change), encoding="utf-8")
    with pytest.raises(InputError, match=part):
        load_calibrator(path)


def test_too_few_labels_are_refused() -> None:
    verdicts, labels = world(4, 30)
    with pytest.raises(InputError, match=r"120 labels with a level .* in 4 papers"):
        calibrate(verdicts, labels)
    with pytest.raises(InputError, match="40 labels"):
        calibrate(*world(8, 5))
