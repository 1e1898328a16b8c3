"""The same question is asked once, however many ask it at a time, and a refusal is written down."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from judge.cache import AnswerCache
from judge.pipeline import run_plan
from judge.protocol import FatalProviderError
from judge.records import StoredAnswer
from judge.store import RunStore, iter_attempts, iter_verdicts
from tests.judge.toys import Wire, bench, hand_in, plan


@pytest.mark.parametrize("delay", [0.0, 0.02])
def test_questions_that_are_alike_are_asked_once(delay: float, tmp_path: Path) -> None:
    benchmark = bench(papers=1, claims=5)
    wire = Wire(per_submission=False, delay=delay)
    made = plan(
        tmp_path,
        wire,
        benchmark=benchmark,
        submissions=hand_in(tmp_path / "in", benchmark, agents=12),
        concurrency=16,
    )
    result = asyncio.run(run_plan(made))
    assert result.exit_code == 0
    # Not even in the moment between an answer's coming and its being in the cache.
    assert len(wire.asked) == result.counts.requests == 5
    assert result.counts.hits == 55
    assert len(list(iter_attempts(made.output))) == 5


def test_what_stops_a_run_stands_in_its_ledger(tmp_path: Path) -> None:
    benchmark = bench()
    refusal = FatalProviderError("no quota is left for the key in OPENAI_API_KEY")
    refusal.attempts = 2
    made = plan(tmp_path, Wire({benchmark.saus[0].id: refusal}), benchmark=benchmark, concurrency=1)
    result = asyncio.run(run_plan(made))
    assert (result.exit_code, result.counts.requests) == (4, 2)
    [row] = iter_attempts(made.output)
    assert (row.outcome, row.attempts, row.answer) == ("fatal", 2, None)
    assert "no quota is left" in row.message
    # It is no answer: the next run asks.
    again = asyncio.run(run_plan(plan(tmp_path, Wire(), benchmark=benchmark)))
    assert again.exit_code == 0


def test_a_cache_that_is_slow_holds_up_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = plan(tmp_path, Wire(), concurrency=2)
    all_there = threading.Event()
    put_all = AnswerCache.put_all

    def when_all_is_there(self: AnswerCache, answers: list[tuple[str, StoredAnswer]]) -> None:
        assert all_there.wait(20)
        put_all(self, answers)

    monkeypatch.setattr(AnswerCache, "put_all", when_all_is_there)

    async def told() -> int:
        running = asyncio.create_task(run_plan(made))
        async with asyncio.timeout(20):
            while not made.output.exists() or len(list(iter_verdicts(made.output))) < 12:  # noqa: ASYNC110 - a file tells nobody
                await asyncio.sleep(0.01)
        all_there.set()
        return (await running).exit_code

    assert asyncio.run(told()) == 0
    with AnswerCache(made.cache) as cache:
        assert len(cache) == 12


def test_the_next_question_goes_out_while_the_disk_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire()
    made = plan(tmp_path, wire, concurrency=1)
    asked_on = threading.Event()
    sync = RunStore.sync_attempts

    def slow(self: RunStore) -> None:
        assert asked_on.wait(20)
        sync(self)

    monkeypatch.setattr(RunStore, "sync_attempts", slow)

    async def told() -> tuple[int, int]:
        running = asyncio.create_task(run_plan(made))
        async with asyncio.timeout(20):
            # Both answers get into the ledger's file already, where a kill does not reach them.
            rows = 0
            while len(wire.asked) < 2 or rows < 2:
                rows = len(list(iter_attempts(made.output))) if made.output.exists() else 0
                await asyncio.sleep(0.01)
        verdicts = len(list(iter_verdicts(made.output)))
        asked_on.set()
        assert (await running).exit_code == 0
        return rows, verdicts

    assert asyncio.run(told()) == (2, 0)
    assert wire.most_flying == 1


def test_what_stops_a_run_is_met_by_nobody_else(tmp_path: Path) -> None:
    benchmark = bench(claims=20)
    wire = Wire({sau.id: FatalProviderError("no such model") for sau in benchmark.saus})
    result = asyncio.run(run_plan(plan(tmp_path, wire, benchmark=benchmark, concurrency=1)))
    assert result.exit_code == 4
    assert len(wire.asked) == 1
