"""What a random audit says: a figure with an interval that holds though claims hang together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.audit import PaperCounts, audit_risk


@st.composite
def papers(draw: st.DrawFn) -> list[PaperCounts]:
    found = []
    for _ in range(draw(st.integers(1, 12))):
        claims = draw(st.integers(1, 40))
        answerable = draw(st.integers(0, claims))
        audited = draw(st.integers(0, answerable))
        lost = audited * draw(st.sampled_from([0.0, 0.25, 0.5, 1.0]))
        found.append(PaperCounts(claims, answerable, audited, lost))
    return found


@given(papers())
def test_a_figure_lies_in_its_interval_and_both_in_0_to_1(counts: list[PaperCounts]) -> None:
    found = audit_risk(counts)
    if not sum(one.audited for one in counts):
        assert (found.risk, found.low, found.high) == (None, None, None)
        return
    assert found.risk is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.risk + 1e-12
    assert found.risk <= found.high + 1e-12 <= 1 + 2e-12
    share = sum(one.answerable for one in counts) / sum(one.claims for one in counts)
    assert found.risk <= share + 1e-12
    if sum(one.audited > 0 for one in counts) < 5:
        assert "taken for independent" in found.caveat


@given(papers(), st.randoms())
def test_the_order_of_papers_changes_nothing(counts: list[PaperCounts], random: object) -> None:
    again = list(counts)
    random.shuffle(again)  # type: ignore[attr-defined]
    one, two = audit_risk(counts), audit_risk(again)
    assert one.risk == pytest.approx(two.risk)
    assert one.low == pytest.approx(two.low)
    assert one.high == pytest.approx(two.high)


def test_nothing_lost_among_few_says_little() -> None:
    few = audit_risk([PaperCounts(20, 10, 1, 0.0) for _ in range(6)])
    many = audit_risk([PaperCounts(200, 100, 100, 0.0) for _ in range(6)])
    assert few.low == many.low == 0.0
    assert few.high is not None
    assert many.high is not None
    assert few.high > 0.15
    assert many.high < 0.01


def test_the_interval_holds_where_papers_differ() -> None:
    generator = np.random.default_rng(4)
    held = []
    for _ in range(400):
        rates = generator.beta(1, 9, 30)
        lost = generator.binomial(20, rates)
        found = audit_risk([PaperCounts(50, 25, 20, float(each)) for each in lost])
        assert found.low is not None
        assert found.high is not None
        held.append(found.low <= 0.5 * 0.1 <= found.high)
    assert np.mean(held) >= 0.93
