"""A cap on spending: the worst case set aside first, a clean stop, no cap on unknown prices."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import InputError
from judge.budget import Budget, CappedJudge, CapReached, capped
from judge.models.adapting import forget
from judge.models.prompted import PromptedJudge
from judge.pipeline import RunResult, run_plan
from judge.protocol import Judge
from judge.run_plan import RunPlan
from judge.store import iter_verdicts
from tests.judge.asking import judge_at, question
from tests.judge.toys import Wire, plan
from tests.servers.fake_provider import FakeProvider

PRICES = "date: 2026-11-01\nmodels:\n  judge-model: {input: 100, output: 200, written: 125}\n"


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def priced(folder: Path, url: str, **changes: object) -> PromptedJudge:
    table = folder / "prices.yaml"
    table.write_text(PRICES, encoding="utf-8")
    return judge_at("openai", url, prices=str(table), **changes)


def go(made: RunPlan) -> RunResult:
    return asyncio.run(run_plan(made))


def test_a_run_stops_before_the_cap_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with FakeProvider() as server:
        judge = priced(tmp_path, server.url, max_output_tokens=500)
        made = plan(tmp_path, judge, max_cost=2.0, concurrency=3)
        first = go(made)
        assert first.exit_code == 3
        assert first.counts.errors == 0
        assert 0 < first.counts.graded + first.counts.abstained < 12
        assert 0 < first.counts.cost_usd <= 2.0
        assert "max_cost is $2.00" in first.reason
        assert "what was answered is kept" in first.reason
        # What is set aside is more than what is spent, so the next question would not have fitted.
        assert first.counts.cost_usd < 2.0
        verdicts = len(list(iter_verdicts(made.output)))
        assert verdicts == first.counts.graded + first.counts.abstained
        asked = len(server.asked)

        again = priced(tmp_path, server.url, max_output_tokens=500)
        second = go(replace(made, judge=again, max_cost=None))
        assert second.errors == 0
        assert second.counts.kept == verdicts
        assert sum(server.counts["asked"].values()) == len(server.asked) > asked
        assert max(server.counts["asked"].values()) == 1


def test_a_cap_on_an_unknown_price_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with FakeProvider() as server:
        made = plan(tmp_path, judge_at("openai", server.url), max_cost=100.0)
        with pytest.raises(InputError, match=r"judge-model at http.* is not known.*judge\.prices"):
            go(made)
        endless = priced(tmp_path, server.url, max_output_tokens=None)
        with pytest.raises(InputError, match="may be of any length"):
            go(replace(made, judge=endless))
        with pytest.raises(InputError, match="knows no prices"):
            go(replace(made, judge=Wire()))
        assert server.asked == []
        assert not made.output.exists()


def test_the_worst_case_is_dearer_than_any_answer(tmp_path: Path) -> None:
    with FakeProvider() as server:
        judge = priced(tmp_path, server.url, max_output_tokens=700)
        request = judge.request(question())
        worst = judge.worst_cost(request)
        assert worst is not None
        answer = asyncio.run(_ask(judge, question()))
        assert answer is not None
        assert answer < worst
        # Output at the cap, and more input than was counted, at the dearest price.
        assert worst > 700 * 200 / 1e6 + server.asked[0].text.count(" ") * 125 / 1e6


async def _ask(judge: Judge, asked: object) -> float | None:
    answer = await judge.judge(judge.request(asked))  # type: ignore[arg-type]
    await judge.close()
    return answer.usage.cost_usd


def test_what_may_have_been_paid_for_counts_as_paid(tmp_path: Path) -> None:
    async def run(kind: dict[str, object], **changes: object) -> float:
        with FakeProvider({"weather": [{**kind, "times": 1000}]}) as server:
            budget = Budget(1000)
            judge = CappedJudge(priced(tmp_path, server.url, **changes), budget)
            for _ in range(2):
                with pytest.raises(Exception, match=r"timeout|server_error|refused|key"):
                    await judge.judge(judge.request(question()))
            await judge.close()
            return budget.spent

    forget()
    slow = asyncio.run(
        run({"kind": "slow", "seconds": 5}, timeout_seconds=0.2, deadline_seconds=0.3)
    )
    assert slow > 2 * 8192 * 200 / 1e6
    # A feature that is not there is asked for twice, and then is an error of the one question.
    assert asyncio.run(run({"kind": "status", "status": 501})) == 0
    assert asyncio.run(run({"kind": "status", "status": 401})) == 0
    declined = asyncio.run(run({"kind": "refusal"}))
    assert 0 < declined < 2 * 8192 * 200 / 1e6


def test_a_judge_without_a_cap_is_left_as_it_is() -> None:
    judge = Wire()
    assert capped(judge, None) is judge


@given(
    st.floats(0, 10),
    st.lists(st.tuples(st.floats(0.01, 3), st.floats(0, 1)), max_size=20),
    st.integers(1, 5),
)
def test_no_more_is_ever_spent_or_set_aside_than_there_is(
    dollars: float, questions: list[tuple[float, float]], workers: int
) -> None:
    async def run() -> None:
        budget = Budget(dollars)
        turnstile = asyncio.Semaphore(workers)
        flying = 0.0

        async def ask(worst: float, share: float) -> bool:
            nonlocal flying
            async with turnstile:
                try:
                    await budget.reserve(worst)
                except CapReached:
                    return False
                flying += worst
                assert budget.spent + flying <= dollars + 1e-9
                await asyncio.sleep(0)
                flying -= worst
                await budget.settle(worst, worst * share)
                return True

        done = await asyncio.gather(*(ask(*one) for one in questions))
        assert budget.spent <= dollars + 1e-9
        if sum(worst for worst, _ in questions) <= dollars - 1e-9:
            assert all(done)

    asyncio.run(run())
