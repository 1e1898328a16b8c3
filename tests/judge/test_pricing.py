from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import InputError
from judge import pricing
from judge.pricing import Price, PriceTable, how_to_price, price
from judge.verdict import Usage

USAGE = Usage(input_tokens=1_000_000, cached_tokens=600_000, output_tokens=100_000)


def table(tmp_path: Path, text: str) -> PriceTable:
    path = tmp_path / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    return PriceTable.load(path)


def test_the_users_table_prices_by_name_then_by_pattern(tmp_path: Path) -> None:
    prices = table(
        tmp_path,
        "date: 2026-11-20\nmodels:\n"
        "  big-*: {input: 9, output: 9}\n"
        "  big-one: {input: 2, cached: 0.5, output: 10}\n"
        "  mine: {input: 0, output: 0}\n",
    )
    assert price("big-one", USAGE, table=prices) == pytest.approx(0.4 * 2 + 0.6 * 0.5 + 1)
    assert price("big-two", USAGE, table=prices) == pytest.approx(9.9)
    assert price("mine", USAGE, table=prices) == 0.0
    assert prices.date.isoformat() == "2026-11-20"


def test_unknown_is_none_and_never_zero(tmp_path: Path) -> None:
    prices = table(tmp_path, "date: 2026-11-20\nmodels: {m: {input: 1, output: 1}}\n")
    assert price("other", USAGE, table=prices) is None
    assert price("m", Usage(input_tokens=5), table=prices) is None
    assert price("m", Usage(output_tokens=5), table=prices) is None
    # A local model may bear a famous name.
    assert price("gpt-5", USAGE, provider="openai", base_url="http://127.0.0.1:8000/v1") is None
    assert price("no-such-model-at-all", USAGE, provider="openai") is None
    assert price("m", USAGE) is None


counts = st.integers(0, 10**7)


@given(new=counts, cached=counts, written=counts, output=counts)
def test_a_cache_price_that_is_missing_is_the_dearer_one(
    new: int, cached: int, written: int, output: int
) -> None:
    usage = Usage(
        input_tokens=new + cached + written,
        cached_tokens=cached,
        written_tokens=written,
        output_tokens=output,
    )
    plain = Price(input=3, output=15).of(usage)
    exact = Price(input=3, output=15, cached=0.3, written=3.75).of(usage)
    assert plain is not None
    assert exact is not None
    assert plain == pytest.approx((3 * (new + cached + written) + 15 * output) / 1e6)
    assert exact == pytest.approx((3 * new + 0.3 * cached + 3.75 * written + 15 * output) / 1e6)


def test_the_vendors_prices_come_from_the_package_where_it_is() -> None:
    pytest.importorskip("genai_prices", reason="the extra `prices` is not installed")
    usage = Usage(input_tokens=1000, cached_tokens=100, written_tokens=200, output_tokens=50)
    cost = price(
        "claude-sonnet-4-5", usage, provider="anthropic", base_url="https://api.anthropic.com"
    )
    assert cost == pytest.approx((700 * 3 + 100 * 0.3 + 200 * 3.75 + 50 * 15) / 1e6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("models: {m: {input: 1, output: 1}}", "of which day"),
        ("date: tomorrow\nmodels: {}", "of which day"),
        ("date: 2026-11-20", "no `models`"),
        ("date: 2026-11-20\nmodels: [", "not YAML"),
        ("date: 2026-11-20\nmodels: {m: {input: 1}}", r"prices.yaml:2: models.m: .*`output`"),
        ("date: 2026-11-20\nmodels: {m: {input: 1, output: 1, cache: 1}}", "models.m"),
        ("date: 2026-11-20\nmodels: {m: {input: -1, output: 1}}", "input is -1"),
        ("date: 2026-11-20\nmodels: {m: {input: '1', output: 1}}", "input is '1'"),
        ("date: 2026-11-20\nmodels: {}\ncurrency: EUR", "unknown key 'currency'"),
    ],
)
def test_a_table_that_is_wrong_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        table(tmp_path, text)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"judge\.prices"):
        PriceTable.load(tmp_path / "gone.yaml")


def test_what_to_do_about_a_price_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    by_hand = "give it by judge.prices"
    # Elsewhere than at the vendor a package knows nothing.
    here = how_to_price(provider="openai", base_url="http://127.0.0.1:8000/v1")
    assert here == by_hand
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    pricing._genai_prices.cache_clear()
    try:
        assert 'pip install ".[prices]"' in how_to_price(provider="openai")
        assert how_to_price(provider="exchange") == by_hand
    finally:
        pricing._genai_prices.cache_clear()
