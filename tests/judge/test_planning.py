"""A plan: what would be asked and why, at what price, with nothing sent and nothing written."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark import InputError
from judge.models.adapting import forget
from judge.pipeline import RunResult, run_plan
from judge.planning import Miss, Output, RunEstimate, estimate
from judge.pricing import PriceTable
from judge.protocol import AnswerError
from judge.question_settings import QuestionSettings
from judge.quoting import Seller, describe, quote
from judge.run_plan import RunPlan
from judge.store import iter_attempts
from tests.judge.asking import judge_at
from tests.judge.toys import TRAIN, Here, Wire, bench, hand_in, plan
from tests.servers.fake_provider import FakeProvider


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def see(made: RunPlan) -> RunEstimate:
    return asyncio.run(estimate(made))


def go(made: RunPlan) -> RunResult:
    return asyncio.run(run_plan(made))


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files if path.name != ".lock"}


def test_a_plan_counts_what_a_run_then_asks(tmp_path: Path) -> None:
    with FakeProvider() as server:
        made = plan(tmp_path, judge_at("openai", server.url))
        before = tree(tmp_path)
        found = see(made)
        assert (found.pairs, found.calls, found.kept) == (12, 12, 0)
        assert found.reasons == Counter({"never answered": 12})
        assert (tree(tmp_path), server.asked) == (before, [])
        assert not made.output.exists()
        assert not made.cache.exists()

        go(made)
        asked = Counter(dict(server.counts["asked"]))
        again = see(replace(made, judge=judge_at("openai", server.url)))
        assert (again.calls, again.kept) == (0, 12)
        assert asked == server.counts["asked"]


def test_answers_are_found_in_the_cache_and_in_the_ledger(tmp_path: Path) -> None:
    with FakeProvider() as server:
        made = plan(tmp_path, judge_at("openai", server.url))
        go(made)
        elsewhere = see(
            replace(made, output=tmp_path / "new", judge=judge_at("openai", server.url))
        )
        assert (elsewhere.calls, elsewhere.hits["cache"]) == (0, 12)
        # Without its verdicts and without the cache, the directory still has its ledger.
        (made.output / "verdicts.jsonl").unlink()
        before = tree(tmp_path)
        from_ledger = see(
            replace(made, cache=tmp_path / "no-cache", judge=judge_at("openai", server.url))
        )
        assert (from_ledger.calls, from_ledger.hits["ledger"]) == (0, 12)
        assert tree(tmp_path) == before


def test_every_miss_says_why(tmp_path: Path) -> None:
    late = AnswerError("timeout", "no answer")
    made = plan(tmp_path, Wire({"paper0-D1-001": late}), max_errors_share=1.0)
    go(made)
    found = see(replace(made, judge=Wire()))
    assert found.reasons == Counter({"an error the last time: timeout": 2})
    assert {miss.sau for miss in found.misses} == {"paper0-D1-001"}
    assert found.kept == 10

    other = see(replace(made, judge=Wire(version=2)))
    assert other.reasons == Counter({"the judge changed since": 12})

    changed = tmp_path / "in" / "agent1" / "paper1" / "train.py"
    changed.write_text(TRAIN + "LATER = 1\n", encoding="utf-8")
    found = see(replace(made, judge=Wire()))
    assert found.reasons["the repository changed since"] == 3
    text = "\n".join(describe(found, [], each=True))
    assert "calls      5" in text
    assert "agent1/paper1  paper1-D1-001" in text


def test_identical_questions_are_counted_once(tmp_path: Path) -> None:
    made = plan(tmp_path, Wire(per_submission=False))
    found = see(made)
    assert (found.calls, found.hits["same question"]) == (6, 6)
    assert go(made).counts.requests == 6


def test_repeats_are_calls_and_begin_alike(tmp_path: Path) -> None:
    with FakeProvider() as server:
        judge = judge_at("openai", server.url)
        once = see(plan(tmp_path, judge))
        made = plan(tmp_path, judge, question=QuestionSettings(repeats=3))
        found = see(made)
        assert (found.pairs, found.calls) == (12, 36)
        # Whether a repository is shown whole depends on how often it is asked about.
        assert found.input_tokens == pytest.approx(3 * once.input_tokens, rel=0.1)
        assert found.shared_tokens > 1.8 * once.input_tokens
        assert go(made).counts.requests == 36


def test_a_judge_that_computes_here_asks_nobody(tmp_path: Path) -> None:
    found = see(plan(tmp_path, Here()))
    assert "nobody is asked" in "\n".join(describe(found, []))


def test_output_is_measured_once_there_are_answers(tmp_path: Path) -> None:
    benchmark = bench(claims=7)
    with FakeProvider() as server:
        made = plan(
            tmp_path,
            judge_at("openai", server.url),
            benchmark=benchmark,
            submissions=hand_in(tmp_path / "in", benchmark),
        )
        first = see(made)
        assert (first.output.answers, first.output.cap) == (0, 8192)
        go(made)
        measured = see(made).output
        counts = [
            attempt.answer.usage.output_tokens
            for attempt in iter_attempts(made.output)
            if attempt.answer is not None
        ]
        assert measured.answers == len(counts) >= 28
        mean = sum(count or 0 for count in counts) / len(counts)
        assert measured.low < mean < measured.high < 8192


def estimated(**changes: Any) -> RunEstimate:
    found = RunEstimate("openai:m")
    cap = changes.get("output", Output(100, 400, 2000, 0)).cap
    found.misses = [Miss("a/p", "s", "never answered", 5000, cap=cap)] * 1000
    fields = {"input_tokens": 5_000_000, "shared_tokens": 3_000_000, "prefix_tokens": 500_000}
    for name, value in {**fields, "output": Output(100, 400, 2000, 0), **changes}.items():
        setattr(found, name, value)
    return found


def table(folder: Path) -> PriceTable:
    file = folder / "prices.yaml"
    file.write_text(
        "date: 2026-11-01\nmodels:\n  m: {input: 1, cached: 0.1, written: 1.25, output: 10}\n",
        encoding="utf-8",
    )
    return PriceTable.load(file)


def test_a_quote_is_a_range_from_all_cached_to_nothing_cached(tmp_path: Path) -> None:
    found = estimated()
    seller = Seller("openai", "m", "http://127.0.0.1:8000/v1")
    made = quote(found, seller, table(tmp_path))
    # 4,000 tokens a call, 2,400 of them cached, and 100 out; 6,700 and 400 out; 2,000 out.
    assert made.low == pytest.approx(1000 * (1600 * 1 + 2400 * 0.1 + 100 * 10) / 1e6)
    assert made.high == pytest.approx(1000 * (6700 * 1 + 400 * 10) / 1e6)
    assert made.most == pytest.approx(1000 * (6700 * 1 + 2000 * 10) / 1e6)
    assert made.batch_share is None
    assert made.source == "prices.yaml of 2026-11-01"
    # Who writes to a cache for money may never read it again.
    dear = quote(found, Seller("anthropic", "m"), table(tmp_path))
    assert dear.high == pytest.approx(1000 * (2010 + 4690 * 1.25 + 400 * 10) / 1e6)
    assert dear.batch_share == 0.5
    assert quote(estimated(output=Output(1, 2, None, 0)), seller, table(tmp_path)).most is None


def test_an_unknown_price_is_said_and_is_not_nothing() -> None:
    made = quote(estimated(), Seller("openai", "nobodys-model"))
    assert (made.low, made.high, made.most, made.source) == (None, None, None, "")
    found = estimated()
    found.misses = []
    assert quote(found, Seller("openai", "nobodys-model")).low is None


def test_a_price_comes_from_the_package_for_the_vendors_own_endpoint() -> None:
    pytest.importorskip("genai_prices")
    made = quote(estimated(), Seller.parse("openai:gpt-5-mini"))
    assert made.low is not None
    assert made.high is not None
    assert 0 < made.low < made.high
    assert made.source.startswith("genai-prices ")
    with pytest.raises(InputError, match="openai:MODEL or anthropic:MODEL"):
        Seller.parse("gpt-5-mini")
