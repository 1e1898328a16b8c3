"""The same question is asked once, however many ask it at a time, and a refusal is written down."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from judge.pipeline import run_plan
from judge.protocol import FatalProviderError
from judge.store import iter_attempts
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
