"""The cascade's rule: what its bounds promise, on made papers whose claims hang together."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Drift, Failure, InputError, Label
from calibration.cascade_rule import CascadeRule, RulePoint, load_rule, loss_of, said
from calibration.joining import Judged
from calibration.risk_control import CascadeFit, conformal_bound, fit_cascade, meet, risk_curve
from tests.calibration.made import read, seen

Floats = npt.NDArray[np.float64]


def world(
    generator: np.random.Generator, papers: int, claims: int
) -> tuple[Floats, Floats, npt.NDArray[np.int64]]:
    """Risks as a judge states them, losses as they come, and papers that differ a good deal.

    Each paper is harder or easier than the judge believes, all its claims together.
    """
    paper = np.repeat(np.arange(papers), claims)
    stated = generator.beta(1.2, 3.0, papers * claims)
    shift = generator.normal(0.0, 0.8, papers)[paper]
    odds = np.log(stated / (1 - stated)) + shift
    lost = (generator.random(papers * claims) < 1 / (1 + np.exp(-odds))).astype(np.float64)
    return stated, lost, paper


def chosen_limit(points: list[RulePoint], risk: float, bound: str) -> float:
    limit = -1.0
    for point in points:
        if getattr(point, bound) > risk:
            break
        limit = point.limit
    return limit


@pytest.mark.parametrize(("papers", "claims", "risk"), [(24, 40, 0.08), (10, 20, 0.15)])
def test_conformal_the_expected_loss_of_a_new_paper_is_held(
    papers: int, claims: int, risk: float
) -> None:
    generator = np.random.default_rng(11)
    after, shares = [], []
    for _ in range(200):
        risks, lost, paper = world(generator, papers + 1, claims)
        known = paper < papers
        points = risk_curve(risks[known], lost[known], paper[known], np.ones(known.sum()))
        limit = chosen_limit(points, risk, "conformal")
        new = ~known
        after.append(float((lost[new] * (risks[new] <= limit)).mean()))
        shares.append(float((risks[new] <= limit).mean()))
    mean, error = np.mean(after), np.std(after) / np.sqrt(len(after))
    assert mean <= risk + 2 * error
    # It answers something for the promise, and does not waste the risk by much more than it must.
    assert np.mean(shares) > 0.15
    assert mean >= risk / 3 - 2 / (papers + 1)


def test_upper_the_mean_loss_over_papers_is_held_nearly_always() -> None:
    generator = np.random.default_rng(12)
    held = []
    risks, lost, paper = world(generator, 4000, 40)
    order = np.argsort(risks, kind="stable")
    truth = np.cumsum(lost[order]) / len(lost)  # by limit, over very many papers
    for _ in range(200):
        risks_, lost_, paper_ = world(generator, 24, 40)
        points = risk_curve(risks_, lost_, paper_, np.ones(len(risks_)))
        limit = chosen_limit(points, 0.08, "upper")
        at = int(np.searchsorted(risks[order], limit, side="right"))
        held.append((truth[at - 1] if at else 0.0) <= 0.08)
    assert np.mean(held) >= 0.93
    del paper


def test_claims_taken_one_by_one_would_promise_too_much() -> None:
    """What grouping by paper is for: with one claim as the unit the bound is broken."""
    generator = np.random.default_rng(13)
    risk, broken = 0.08, 0
    risks, lost, _ = world(generator, 4000, 40)
    order = np.argsort(risks, kind="stable")
    truth = np.cumsum(lost[order]) / len(lost)
    for _ in range(100):
        risks_, lost_, paper_ = world(generator, 8, 120)
        alone = np.arange(len(risks_), dtype=np.int64)
        limits = []
        for units in (alone, paper_):
            points = risk_curve(risks_, lost_, units, np.ones(len(risks_)))
            limits.append(chosen_limit(points, risk, "upper"))
        at = int(np.searchsorted(risks[order], limits[0], side="right"))
        broken += (truth[at - 1] if at else 0.0) > risk
        assert limits[1] <= limits[0]
    assert broken / 100 > 0.15


@given(
    st.lists(
        st.tuples(
            st.floats(0, 1, allow_subnormal=False), st.sampled_from([0.0, 0.25, 0.5, 1.0]),
            st.integers(0, 6), st.sampled_from([0.5, 1.0, 3.0]),
        ),
        min_size=7, max_size=60,
    ),
    st.floats(0, 1), st.floats(0, 1),
)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_a_higher_risk_never_answers_less(
    rows: list[tuple[float, float, int, float]], one: float, other: float
) -> None:
    names = sorted({row[2] for row in rows})
    papers = np.array([names.index(row[2]) for row in rows])
    points = risk_curve(
        np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), papers,
        np.array([row[3] for row in rows]),
    )  # fmt: skip
    for before, after in pairwise(points):
        assert before.limit < after.limit
        assert before.share <= after.share + 1e-12
        assert before.lost <= after.lost + 1e-12
        assert before.conformal <= after.conformal + 1e-12
    low, high = sorted((one, other))
    for bound in ("conformal", "upper"):
        assert chosen_limit(points, low, bound) <= chosen_limit(points, high, bound)
    for point in points:
        # The theorem's own form, at the last point that is taken.
        assert point.conformal >= point.lost * len(names) / (len(names) + 1) - 1e-12
        assert point.conformal >= 1 / (len(names) + 1) - 1e-12
        assert point.upper >= point.lost - 1e-12


@given(st.permutations(range(30)), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_order_and_names_change_nothing(order: list[int], turn: int) -> None:
    generator = np.random.default_rng(5)
    risks, lost, paper = world(generator, 6, 5)
    points = risk_curve(risks, lost, paper, np.ones(30))
    renamed = (paper + turn) % 6
    again = risk_curve(risks[order], lost[order], renamed[order], np.ones(30))
    assert [p.limit for p in points] == [p.limit for p in again]
    for one, two in zip(points, again, strict=True):
        assert one.lost == pytest.approx(two.lost)
        assert one.conformal == pytest.approx(two.conformal)
        assert one.share == pytest.approx(two.share)


def test_the_conformal_bound_is_the_theorems() -> None:
    losses = np.array([0.0, 0.1, 0.2])
    assert conformal_bound(losses) == pytest.approx(3 / 4 * 0.1 + 1 / 4)
    assert conformal_bound(np.ones(3)) == 1.0


def test_losses() -> None:
    assert loss_of(1, 2, loss="cut", cut=2) == 1.0
    assert loss_of(2, 4, loss="cut", cut=2) == 0.0
    assert loss_of(2, 4, loss="cut", cut=3) == 1.0
    assert loss_of(4, 1, loss="distance", cut=2) == 0.75


# ---- the whole fit ------------------------------------------------------------------------------

FAILURES = [Failure.MISSING, Failure.MISMATCH, Failure.INCOMPLETE, Failure.INCOMPLETE, Failure.NONE]


def graded(
    paper: int, number: int, level: int, confidence: float = 0.6, *, verified: float = 1.0
) -> Judged:
    drift = Drift.NONE if level == 4 else Drift.NUMERICAL
    return seen(
        f"agent/p{paper:02}", f"p{paper:02}-{number}", level, failure=FAILURES[level], drift=drift,
        confidence=confidence, verified=verified,
    )  # fmt: skip


def made(papers: int, claims: int, *, harsh: int = 0) -> tuple[list[Judged], list[Label]]:
    """A first judge that is mostly right where it is sure, and a labeller who may be harsher."""
    generator = np.random.default_rng(3)
    verdicts, labels = [], []
    for paper in range(papers):
        for number in range(claims):
            level, sure = int(generator.integers(0, 5)), float(generator.random())
            true = level if generator.random() < 0.3 + 0.7 * sure else int(generator.integers(0, 5))
            verdicts.append(graded(paper, number, level, sure))
            labels.append(read(f"agent/p{paper:02}", f"p{paper:02}-{number}", max(0, true - harsh)))
    return verdicts, labels


def fitted(papers: int = 20, claims: int = 20, **settings_: object) -> CascadeFit:
    verdicts, labels = made(papers, claims)
    return fit_cascade(meet(verdicts, labels), judge_hash="0" * 12, **settings_)  # type: ignore[arg-type]


def test_a_rule_answers_the_surest_and_keeps_its_promise_on_new_papers() -> None:
    verdicts, labels = made(60, 20)
    old = [one for one in verdicts if one.paper < "p20"]
    fit = fit_cascade(meet(old, labels), judge_hash="x", loss="cut", cut=2)
    rule = fit.rule
    assert (rule.labels, rule.papers) == (400, 20)
    point = rule.point(0.12, "conformal")
    assert point is not None
    new = [one for one in verdicts if one.paper >= "p20"]
    truth = {(one.submission, one.sau): one.level for one in labels}
    answered = [
        (one, what)
        for one, what in zip(new, rule.decide(new), strict=True)
        if what.risk <= point.limit
    ]
    assert len(answered) / len(new) == pytest.approx(point.share, abs=0.1)
    assert point.share > 0.2
    sure = np.mean([one.confidence for one, _ in answered])
    assert sure > np.mean([one.confidence for one in new]) + 0.05
    lost = sum(
        loss_of(what.level or 0, int(truth[one.key] or 0), loss="cut", cut=2)
        for one, what in answered
    )
    assert lost / len(new) <= 0.12


def test_a_rule_is_kept_in_a_file_and_read_back(tmp_path: Path) -> None:
    fit = fitted()
    fit.rule.save(tmp_path / "deep" / "rule.json")
    assert load_rule(tmp_path / "deep" / "rule.json") == fit.rule
    assert len((tmp_path / "deep" / "rule.json").read_bytes()) < 40_000
    text = fit.rule.model_dump_json()
    for wrong, words in (
        ("{}", "no rule of a cascade"),
        (text.replace('"is_D1"', '"is_D9"'), "no feature 'is_D9'"),
        (text.replace('"cut":2', '"cut":0'), "greater than or equal to 1"),
    ):
        (tmp_path / "wrong.json").write_text(wrong, encoding="utf-8")
        with pytest.raises(InputError, match=words):
            load_rule(tmp_path / "wrong.json")
    with pytest.raises(InputError, match="cannot be read"):
        load_rule(tmp_path / "none.json")


def test_same_labels_same_rule_whatever_their_order() -> None:
    verdicts, labels = made(8, 10)
    one = fit_cascade(meet(verdicts, labels), judge_hash="x").rule
    two = fit_cascade(meet(verdicts[::-1], labels[::-1]), judge_hash="x").rule
    assert one == two
    changed = [*labels[:-1], read("agent/p07", "p07-9", (int(labels[-1].level or 0) + 1) % 5)]
    assert fit_cascade(meet(verdicts, changed), judge_hash="x").rule.data != one.data


@pytest.mark.parametrize(("papers", "claims"), [(4, 40), (8, 5)])
def test_too_few_labels_or_papers_are_refused(papers: int, claims: int) -> None:
    with pytest.raises(InputError, match="needs 50 in 5"):
        fitted(papers, claims)


def test_verdicts_of_two_judges_are_refused() -> None:
    verdicts, labels = made(8, 10)
    mixed = [*verdicts[:-1], seen("agent/p07", "p07-9", 2, judge="other")]
    with pytest.raises(InputError, match="2 judges are mixed"):
        fit_cascade(meet(mixed, labels), judge_hash="x")


def test_few_papers_promise_little() -> None:
    rule = fitted(8, 20).rule
    assert rule.least("conformal") >= 1 / 9
    assert rule.point(0.05, "conformal") is None


def test_on_the_labels_scale_levels_move_only_where_drift_and_failure_go_along() -> None:
    low = np.array([[0.05, 0.9, 0.03, 0.01, 0.01]])
    incomplete, met = graded(0, 0, 2, verified=1.0), graded(0, 1, 4, verified=1.0)
    missing = seen("a/p", "s", 0, failure=Failure.MISSING, drift=Drift.METHODOLOGICAL)
    part, full, none = (
        said([one], low, loss="distance", cut=2, scale="labels")[0]
        for one in (incomplete, met, missing)
    )
    assert part.level == 1
    assert part.risk == pytest.approx((0.05 + 0.03 + 0.02 + 0.03) / 4)
    assert full.level == 4  # what is faithful has no failure that a lower level could go with
    assert full.risk > 0.7
    assert none.level == 0  # `missing` is never a quarter of a claim
    own = said([incomplete], low, loss="distance", cut=2, scale="own")[0]
    assert own.level == 2
    # Below the pass mark any level loses the same; the nearest one that `incomplete` goes with.
    zero = np.array([[0.9, 0.05, 0.03, 0.01, 0.01]])
    assert said([incomplete], zero, loss="cut", cut=2, scale="labels")[0].level == 1
    # Without a quote nothing is raised above 0.
    stub = seen("a/p", "s", 0, failure=Failure.STUB, drift=Drift.METHODOLOGICAL)
    assert said([stub], low, loss="distance", cut=2, scale="labels")[0].level == 0


def test_a_harsher_labeller_is_met_on_his_scale() -> None:
    verdicts, labels = made(14, 20, harsh=1)
    shares = {}
    for scale in ("own", "labels"):
        rule: CascadeRule = fit_cascade(
            meet(verdicts, labels), judge_hash="x", loss="distance", scale=scale,  # type: ignore[arg-type]
        ).rule  # fmt: skip
        point = rule.point(0.12, "upper")
        shares[scale] = 0.0 if point is None else point.share
    assert shares["labels"] > shares["own"]


def test_a_verdict_without_a_level_never_stands() -> None:
    rule = fitted(8, 20).rule
    for scale in ("own", "labels"):
        other = rule.model_copy(update={"scale": scale})
        assert other.decide([seen("a/p", "s", None)])[0].risk > 1
    assert rule.decide([]) == []


@pytest.mark.parametrize(("papers", "said_so"), [(8, True), (24, False)])
def test_few_papers_are_said_to_be_few_for_upper(papers: int, *, said_so: bool) -> None:
    verdicts, labels = made(papers, 10)
    notes = fit_cascade(meet(verdicts, labels), judge_hash="x").notes
    assert any("few for the bound upper" in note for note in notes) is said_so
