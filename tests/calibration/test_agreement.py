"""The agreement study: joins, intervals, refusals, and what must change nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Drift, Failure, Label
from calibration.agreement import agreement
from calibration.figures import Figure, Undefined
from calibration.joining import Judged, copies, join_labels, references
from calibration.measures import ORDINAL, exact
from calibration.resampling import Setting, compare_paired, figure_of
from tests.benchmarks.drawing import World
from tests.calibration.made import read, seen


def world(papers: int = 8, claims: int = 12, seed: int = 1) -> tuple[list[Judged], list[Label]]:
    truth, judge = World().draw(np.random.default_rng(seed), papers, claims)
    verdicts, labels = [], []
    for paper in range(papers):
        for claim in range(claims):
            where = f"a{claim % 2}/p{paper}", f"p{paper}-{claim}"
            verdicts.append(seen(*where, int(judge[paper, claim])))
            labels.append(read(*where, int(truth[paper, claim])))
    return verdicts, labels


def test_what_did_not_match_is_told_with_its_reason() -> None:
    verdicts = [
        seen("a/p", "s1", 2),
        seen("a/p", "s2", None, reason="truncated: cut off"),
        seen("b/p", "s3", 1),
    ]
    labels = [
        read("a/p", "s1", 2),
        read("a/p", "s2", 0),
        read("a/p", "s3", 0),
        read("A/P", "s1", 0),
        read("a/p", "S-1", 0),
    ]
    joined = join_labels(verdicts, labels)
    assert [pair.verdict.sau for pair in joined.pairs] == ["s1"]
    assert joined.account.unmatched == {
        "no verdict is about this claim": (1, "a/p S-1; did you mean s1?"),
        "no verdict is about this claim of this submission": (1, "a/p s3"),
        "no verdict is about this submission": (1, "A/P s1; did you mean a/p?"),
        "the verdict has no level, it is error (truncated)": (1, "a/p s2"),
    }
    assert "1 of 5 labels met a verdict; 1 of 2 graded" in joined.account.sentences()[0]


def test_an_adjudication_outweighs_and_else_every_reading_counts_its_share() -> None:
    labels = [
        read("a/p", "s", 1),
        read("a/p", "s", 3, annotator="bo"),
        read("a/p", "t", 1),
        read("a/p", "t", 3, annotator="bo"),
        read("a/p", "t", 2, annotator="cy", adjudicated=True),
    ]
    assert [(one.sau, one.level, weight) for one, weight in references(labels)] == [
        ("s", 1, 0.5),
        ("s", 3, 0.5),
        ("t", 2, 1.0),
    ]
    report = agreement([seen("a/p", "s", 1), seen("a/p", "t", 2)], labels)
    assert [(one[:2], dict(one[2])) for one in report.conflicts] == [
        (("a/p", "s"), {"ann": "1", "bo": "3"})
    ]
    together = report.judges[0]
    assert together.second == "all annotators"
    assert together.figures["exact"] == Figure(
        0.75, why_no_interval="1 paper: fewer than 5 say too little of how papers vary"
    )


def test_copies_are_reported_and_careful_agreement_is_not() -> None:
    first = [read("a/p", f"s{n}", n % 5, note=f"line {n}") for n in range(25)]
    copied = [replace(one, annotator="bo") for one in first]
    own_words = [replace(one, annotator="cy", note=f"see {one.note}") for one in first]
    assert copies([*first, *copied, *own_words]) == (("ann", "bo", 25),)
    report = agreement([seen("a/p", f"s{n}", n % 5) for n in range(25)], [*first, *copied])
    assert any("look like copies" in note for note in report.notes)


@pytest.mark.parametrize("case", ["constant", "zeros", "one paper", "one pair", "none", "pass"])
def test_every_odd_case_is_a_number_or_a_named_refusal(case: str) -> None:
    verdicts, labels = world()
    if case == "constant":
        verdicts = [replace(one, level=1) for one in verdicts]
    elif case == "zeros":
        verdicts = [replace(one, level=0) for one in verdicts]
        labels = [read(one.submission, one.sau, 0) for one in labels]
    elif case == "one paper":
        verdicts = [one for one in verdicts if one.paper == "p0"]
    elif case == "one pair":
        verdicts = verdicts[:1]
    elif case == "none":
        verdicts = []
    else:
        labels = [read(one.submission, one.sau, None, passed=one.level == 4) for one in labels]
    for method in ("jackknife", "bootstrap", "naive"):
        report = agreement(verdicts, labels, setting=Setting(method=method, draws=50))
        text = json.dumps(report.as_json(), allow_nan=False)
        assert "NaN" not in text
    if case == "constant":
        figures = report.judges[0].figures
        assert figures["spearman"] == Undefined("a reader used one level throughout")
        assert isinstance(figures["quadratic_kappa"], Figure)
        assert abs(figures["quadratic_kappa"].value) < 1e-12
    if case == "zeros":
        assert isinstance(report.judges[0].figures["quadratic_kappa"], Undefined)
    if case == "pass":
        assert report.judges[0].scale == "pass"
        assert set(report.judges[0].cuts) == {"1", "2", "3", "4"}
        count, figures = report.judges[0].groups["agent"]["a0"]
        assert count == 48
        assert isinstance(figures["kappa_at_2"], Figure)


@given(st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_order_and_the_names_of_papers_change_nothing(random: object) -> None:
    verdicts, labels = world(6, 6)
    before = agreement(verdicts, labels).as_json()

    def renamed(name: str) -> str:
        return name.replace("p", "zq")

    shuffled: tuple[list[Judged], list[Label]] = list(verdicts), list(labels)
    for each in shuffled:
        random.shuffle(each)  # type: ignore[attr-defined]
    assert agreement(*shuffled).as_json() == before
    other = agreement(
        [replace(one, paper=renamed(one.paper)) for one in verdicts], labels
    ).as_json()
    for now, then in zip(other["judges"], before["judges"], strict=True):
        assert_close(now["figures"], then["figures"])


def assert_close(now: dict[str, dict[str, float]], then: dict[str, dict[str, float]]) -> None:
    assert now.keys() == then.keys()
    for name, figure in now.items():
        assert figure == pytest.approx(then[name], abs=1e-12)


def test_drift_failure_cuts_and_constants_are_told() -> None:
    verdicts, labels = world()
    words = (Drift.NUMERICAL, Failure.MISMATCH)
    verdicts = [replace(one, drift=words[0], failure=words[1]) for one in verdicts]
    labels = [replace(one, drift=words[0], failure=Failure.STUB) for one in labels]
    match = agreement(verdicts, labels).judges[0]
    assert match.drift["numerical"] == Figure(1.0, why_no_interval="at its bound in every resample")
    assert match.failure["mismatch"].value == match.failure["stub"].value == 0  # type: ignore[union-attr]
    counts = np.bincount([int(one.level or 0) for one in labels], minlength=5)
    assert match.constant["exact"] == (int(counts.argmax()), counts.max() / counts.sum())
    assert set(match.groups) == {"dimension", "paper", "agent"}
    count, figures = match.groups["agent"]["a0"]
    assert count == 48
    assert isinstance(figures["exact"], Figure)


def test_every_group_has_its_table_its_rates_and_its_words() -> None:
    verdicts, labels = world(10, 20)
    words = (Drift.NUMERICAL, Failure.MISMATCH)
    verdicts = [replace(one, drift=words[0], failure=words[1]) for one in verdicts]
    labels = [replace(one, drift=words[0], failure=words[1]) for one in labels]
    match = agreement(verdicts, labels).judges[0]
    record = match.as_json()
    for by in ("dimension", "paper", "agent"):
        tables = [one["confusion"] for one in record["groups"][by].values()]
        assert np.sum(tables, axis=0).tolist() == match.confusion
        assert sum(one["pairs"] for one in record["groups"][by].values()) == 200
    agent = record["groups"]["agent"]["a1"]
    alone = agreement(
        [one for one in verdicts if one.agent == "a1"],
        [one for one in labels if one.submission.startswith("a1/")],
    ).judges[0]
    assert agent["confusion"] == alone.confusion
    assert agent["drift_f1"] == {"numerical": alone.drift["numerical"].as_json()}
    assert agent["failure_f1"].keys() == {"mismatch"}
    rate = alone.cuts["2"]["true_positive_rate"].as_json()
    assert agent["figures"]["true_positive_rate_at_2"] == rate


def test_two_judges_are_tested_on_what_both_judged() -> None:
    verdicts, labels = world(10, 20)
    truth = {(one.submission, one.sau): int(one.level or 0) for one in labels}
    better = [replace(one, judge="better", level=truth[one.key]) for one in verdicts[:-7]]
    report = agreement([*verdicts, *better], labels)
    (contrast,) = report.contrasts
    assert (contrast.first, contrast.second, contrast.pairs) == ("better", "toy", 193)
    kappa = contrast.differences["quadratic_kappa"]
    assert isinstance(kappa.difference, Figure)
    assert kappa.difference.low is not None
    assert kappa.difference.low > 0
    assert kappa.p is not None
    assert kappa.p < 0.01
    assert [(one.first, one.second) for one in report.between] == [("better", "toy")]
    assert any("no figure mixes them" in note for note in report.notes)


def test_two_judges_are_tested_on_passes_at_every_cut() -> None:
    verdicts, labels = world(10, 20)
    passes = [read(one.submission, one.sau, None, passed=(one.level or 0) >= 2) for one in labels]
    truth = {(one.submission, one.sau): int(one.level or 0) for one in labels}
    better = [replace(one, judge="better", level=truth[one.key]) for one in verdicts]
    report = agreement([*verdicts, *better], passes)
    (contrast,) = report.contrasts
    assert (contrast.first, contrast.scale, contrast.pairs) == ("better", "pass", 200)
    kappa = contrast.differences["kappa_at_2"]
    matches = {one.first: one.cuts["2"]["kappa"] for one in report.judges}
    assert isinstance(kappa.difference, Figure)
    assert kappa.difference.value == pytest.approx(
        matches["better"].value - matches["toy"].value,  # type: ignore[union-attr]
        abs=1e-12,
    )
    assert kappa.p is not None
    assert kappa.p < 0.01
    assert contrast.differences["auc"].p is not None
    assert report.judges[0].figures["auc"].value > report.judges[1].figures["auc"].value  # type: ignore[union-attr]
    # With labels of both kinds each is compared by itself.
    mixed = agreement([*verdicts, *better], [*labels[:100], *passes[100:]])
    assert [(one.scale, one.pairs) for one in mixed.contrasts] == [("levels", 100), ("pass", 100)]


def test_claims_as_what_varies_give_one_paper_intervals_and_say_what_of() -> None:
    verdicts, labels = world(1, 60)
    by_paper = agreement(verdicts, labels).judges[0].figures["exact"]
    report = agreement(verdicts, labels, cluster="claim")
    by_claim = report.judges[0].figures["exact"]
    assert isinstance(by_paper, Figure)
    assert isinstance(by_claim, Figure)
    assert by_paper.low is None
    assert by_claim.value == by_paper.value
    # Sixty independent claims: the binomial's error, on the logit scale.
    width = 1.96 * (by_claim.value * (1 - by_claim.value) / 60) ** 0.5
    assert by_claim.half_width == pytest.approx(width, rel=0.1)
    assert any("these papers alone" in note for note in report.notes)


def test_few_readings_give_no_interval_for_within_one() -> None:
    few = agreement(*world(8, 13)).judges[0].figures["within_one"]
    many = agreement(*world(8, 40)).judges[0].figures["within_one"]
    assert isinstance(few, Figure)
    assert isinstance(many, Figure)
    assert few.why_no_interval == "104 readings: fewer than 300 hold too few misses"
    assert many.low is not None


def test_a_judge_does_not_differ_from_itself() -> None:
    tables = np.random.default_rng(0).integers(0, 9, (8, 5, 5)).astype(float)
    same = compare_paired(exact, tables, tables, Setting())
    assert same.p == 1.0
    assert isinstance(same.difference, Figure)
    assert same.difference.value == 0


def cover(method: str, worlds: int, papers: int, claims: int) -> float:
    """Share of worlds in which the interval of exact agreement holds the truth."""
    world = World(shared=0.5)
    generator = np.random.default_rng(5)
    big = tables_of(*world.draw(generator, 20000, 20))
    truth = float(exact(big.sum(0)))
    held = 0
    for _ in range(worlds):
        figure = figure_of(
            ORDINAL[0],
            tables_of(*world.draw(generator, papers, claims)),
            Setting(method=method, draws=200),  # type: ignore[arg-type]
        )
        assert isinstance(figure, Figure)
        assert figure.low is not None
        assert figure.high is not None
        held += figure.low <= truth <= figure.high
    return held / worlds


def tables_of(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> np.ndarray:
    first, second = np.asarray(first), np.asarray(second)
    flat = np.arange(len(first))[:, None] * 25 + first * 5 + second
    return np.bincount(flat.ravel(), minlength=len(first) * 25).reshape(-1, 5, 5).astype(float)


def test_intervals_by_paper_hold_and_those_by_pair_do_not() -> None:
    """A small version of `python -m tests.benchmarks.coverage`; the draws are fixed."""
    assert cover("jackknife", 300, 10, 50) > 0.92
    assert cover("naive", 150, 10, 50) < 0.85
