"""Every measure against a second implementation, and what none of them may do."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calibration import measures
from calibration.crosstabs import cluster_tables, coincidences
from calibration.student import student_quantile, student_two_sided
from tests.calibration.second import second_implementation

LEVELS = st.integers(0, 4)
PAIRS = st.lists(st.tuples(LEVELS, LEVELS), min_size=2, max_size=80)


def table(first: np.ndarray, second: np.ndarray, classes: int = 5) -> np.ndarray:
    zeros = np.zeros(len(first), dtype=np.int64)
    return cluster_tables(first, second, zeros, shape=(classes, classes), count=1)[0]


def drawn(seed: int, size: int = 300) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    first = generator.choice(5, size, p=[0.39, 0.44, 0.09, 0.03, 0.05])
    second = np.clip(first + generator.integers(-1, 2, size), 0, 4)
    return first, second


@pytest.mark.parametrize("seed", range(5))
def test_kappa_f1_and_rates_are_those_of_scikit_learn(seed: int) -> None:
    metrics = second_implementation("sklearn.metrics")
    first, second = drawn(seed)
    counts = table(first, second)
    assert measures.quadratic_kappa(counts) == pytest.approx(
        metrics.cohen_kappa_score(first, second, weights="quadratic"), abs=1e-9
    )
    assert measures.exact(counts) == pytest.approx(metrics.accuracy_score(second, first), abs=1e-9)
    assert measures.macro_f1(counts) == pytest.approx(
        metrics.f1_score(second, first, average="macro"), abs=1e-9
    )
    for cut in (1, 2, 3, 4):
        assert measures.true_positive_rate(counts, cut, cut) == pytest.approx(
            metrics.recall_score(second >= cut, first >= cut), abs=1e-9
        )
        assert measures.true_negative_rate(counts, cut, cut) == pytest.approx(
            metrics.recall_score(second < cut, first < cut), abs=1e-9
        )


@pytest.mark.parametrize("seed", range(5))
def test_the_area_under_the_curve_is_that_of_scikit_learn(seed: int) -> None:
    metrics = second_implementation("sklearn.metrics")
    first, second = drawn(seed)
    passed = (second >= 2).astype(np.int64)
    zeros = np.zeros(len(first), dtype=np.int64)
    counts = cluster_tables(first, passed, zeros, shape=(5, 2), count=1)[0]
    theirs = metrics.roc_auc_score(passed, first)
    assert measures.area_under_curve(counts) == pytest.approx(theirs, abs=1e-9)
    assert np.isnan(measures.area_under_curve(counts * [1, 0]))


@pytest.mark.parametrize("seed", range(5))
def test_rank_correlation_is_that_of_scipy(seed: int) -> None:
    stats = second_implementation("scipy.stats")
    first, second = drawn(seed)
    assert measures.spearman(table(first, second)) == pytest.approx(
        stats.spearmanr(first, second).statistic, abs=1e-9
    )


@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_krippendorff_also_with_holes_and_three_readers(seed: int) -> None:
    krippendorff = second_implementation("krippendorff")
    first, second = drawn(seed, 90)
    third = np.clip(first + np.random.default_rng(seed + 9).integers(0, 2, 90), 0, 4)
    assert measures.krippendorff_alpha(table(first, second)) == pytest.approx(
        krippendorff.alpha([first, second], level_of_measurement="ordinal",
                           value_domain=range(5)),
        abs=1e-9,
    )  # fmt: skip
    readings = np.stack([first, second, third]).astype(float)
    readings[np.random.default_rng(seed).random(readings.shape) < 0.3] = np.nan
    reader, item = np.nonzero(~np.isnan(readings))
    values = readings[reader, item].astype(np.int64)
    clusters = item % 7
    tables = coincidences(item, values, clusters, classes=5, count=7)
    assert measures.alpha_of_coincidences(tables.sum(0)) == pytest.approx(
        krippendorff.alpha(readings, level_of_measurement="ordinal", value_domain=range(5)),
        abs=1e-9,
    )


@pytest.mark.parametrize("seed", range(3))
def test_ac2_and_kappa_are_those_of_irrcac(seed: int) -> None:
    raw = second_implementation("irrCAC.raw")
    pandas = second_implementation("pandas")
    first, second = drawn(seed, 120)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cac = raw.CAC(
            pandas.DataFrame({"a": first, "b": second}),
            weights="quadratic",
            categories=[0, 1, 2, 3, 4],
            digits=15,
        )
        gwet = cac.gwet()["est"]["coefficient_value"]
        conger = cac.conger()["est"]["coefficient_value"]
    counts = table(first, second)
    assert measures.gwet_ac2(counts) == pytest.approx(gwet, abs=1e-9)
    assert measures.quadratic_kappa(counts) == pytest.approx(conger, abs=1e-9)


def test_kappa_is_that_of_statsmodels() -> None:
    rater = second_implementation("statsmodels.stats.inter_rater")
    counts = table(*drawn(3))
    theirs = rater.cohens_kappa(counts, wt="quadratic", return_results=False)
    assert measures.quadratic_kappa(counts) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 3.5, 7, 29, 400])
def test_students_t_is_that_of_scipy(df: float) -> None:
    stats = second_implementation("scipy.stats")
    for probability in (0.0005, 0.025, 0.3, 0.5, 0.9, 0.975, 0.9999):
        assert student_quantile(probability, df) == pytest.approx(
            stats.t.ppf(probability, df), rel=1e-9, abs=1e-9
        )
    for t in (-40.0, -1.3, 0.0, 0.2, 2.0, 9.0):
        assert student_two_sided(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-9)


def test_known_values() -> None:
    """Worked by hand, so that something holds where no second implementation is installed."""
    counts = np.zeros((5, 5))
    counts[0, 0], counts[4, 4], counts[0, 4], counts[1, 0] = 4, 3, 1, 2
    assert measures.exact(counts) == pytest.approx(0.7)
    assert measures.within_one(counts) == pytest.approx(0.9)
    assert measures.mean_error(counts) == pytest.approx((2 * 0.25 - 1) / 10)
    # 1 - 10 * 18 / (5·4·16 + 2·6·1 + 2·4·9 + 3·6·16)
    assert measures.quadratic_kappa(counts) == pytest.approx(1 - 180 / 692)
    assert student_quantile(0.975, 7) == pytest.approx(2.364624251, abs=1e-8)


@given(PAIRS)
@example([(0, 3), (0, 4), (1, 4)])
@settings(max_examples=150, deadline=None)
def test_measures_stay_inside_their_bounds_and_ignore_order(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs).T
    counts = table(first, second)
    turned = table(first[::-1], second[::-1])
    for measure in measures.ORDINAL:
        value = float(measure.function(counts))
        assert math.isnan(value) or measure.bounds[0] - 1e-9 <= value <= measure.bounds[1] + 1e-9
        np.testing.assert_equal(value, float(measure.function(turned)))


@given(PAIRS, st.floats(0.1, 50))
@settings(max_examples=60, deadline=None)
def test_a_common_weight_cancels_but_for_alphas_small_sample_term(
    pairs: list[tuple[int, int]], factor: float
) -> None:
    counts = table(*np.array(pairs).T)
    for measure in measures.ORDINAL:
        if measure.name != "krippendorff_alpha":
            np.testing.assert_allclose(
                measure.function(counts * factor), measure.function(counts), atol=1e-9
            )


@given(st.lists(PAIRS, min_size=2, max_size=4))
@settings(max_examples=40, deadline=None)
def test_many_tables_at_once_are_each_table_alone(samples: list[list[tuple[int, int]]]) -> None:
    tables = np.stack([table(*np.array(pairs).T) for pairs in samples])
    for measure in measures.ORDINAL:
        alone = [float(measure.function(one)) for one in tables]
        np.testing.assert_allclose(measure.function(tables), alone, atol=1e-12)
