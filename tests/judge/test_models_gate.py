"""How many requests go out: growing, shrinking, pausing, and never holding the loop up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.models.adapting import forget
from judge.models.gate import Gate, Pass
from judge.protocol import Answer
from tests.judge.asking import judge_at, question
from tests.servers.fake_provider import FakeProvider

both = pytest.mark.parametrize("kind", ["openai", "anthropic"])


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


async def entered(gate: Gate, count: int) -> list[Pass]:
    """Enter until no more get in, at most `count` times."""
    tasks = [asyncio.create_task(gate.enter()) for _ in range(count)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    inside = [task.result() for task in tasks if task.done()]
    for task in tasks:
        if not task.done():
            task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return inside


def test_the_limit_grows_to_the_most_and_is_halved_once_for_those_in_flight() -> None:
    async def run() -> None:
        gate = Gate(64)
        inside = await entered(gate, 100)
        assert len(inside) == 16
        for leave in inside:
            gate.well(leave)
        inside = await entered(gate, 100)
        assert len(inside) == 32
        for leave in inside:
            gate.well(leave)
        inside = await entered(gate, 100)
        assert len(inside) == 64
        # Sixty-four that are turned away together are one objection.
        for leave in inside:
            gate.turned_away(leave, None, overloaded=False)
        assert (gate.limit, gate.cuts, gate.least) == (32, 1, 32)
        inside = await entered(gate, 100)
        assert len(inside) == 32
        for leave in inside:
            gate.well(leave)
        # From now on it grows by about one for all that are in flight together.
        assert 32.9 < gate.limit < 33.1
        for _ in range(9):
            [leave] = (await entered(gate, 1))[:1]
            gate.turned_away(leave, None, overloaded=False)
        assert gate.limit == 1

    asyncio.run(run())


def test_until_the_endpoint_is_known_requests_go_one_at_a_time() -> None:
    async def run() -> None:
        known = False
        gate = Gate(8, ready=lambda: known)
        [leave] = await entered(gate, 10)
        gate.failed(leave)
        [leave] = await entered(gate, 10)
        waiting = [asyncio.create_task(gate.enter()) for _ in range(10)]
        await asyncio.sleep(0)
        known = True
        gate.well(leave)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sum(task.done() for task in waiting) == 8
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(run())


def test_an_overloaded_provider_is_left_alone_while_the_loop_lives() -> None:
    async def run() -> tuple[float, int]:
        loop = asyncio.get_running_loop()
        gate = Gate(8)
        [first] = await entered(gate, 1)
        gate.turned_away(first, 0.3, overloaded=True)
        since = loop.time()
        waiting = asyncio.create_task(gate.enter())
        ticks = 0
        while not waiting.done():
            ticks += 1
            await asyncio.sleep(0.01)
        return loop.time() - since, ticks

    seconds, ticks = asyncio.run(run())
    assert seconds >= 0.29
    assert ticks > 3


def test_one_request_that_waits_does_not_hold_up_the_others() -> None:
    async def run() -> None:
        gate = Gate(8)
        [first] = await entered(gate, 1)
        gate.turned_away(first, 3600.0, overloaded=False)
        assert len(await entered(gate, 8)) == 4

    asyncio.run(run())


def test_a_rate_of_requests_is_kept() -> None:
    async def run() -> float:
        loop = asyncio.get_running_loop()
        gate = Gate(100, requests_per_minute=1200)  # 20 a second, after a burst of 120
        since = loop.time()
        for _ in range(126):
            gate.well(await gate.enter())
        return loop.time() - since

    assert asyncio.run(run()) >= 0.24


def test_a_rate_of_tokens_is_kept_and_corrected_by_what_was_used() -> None:
    async def run() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        gate = Gate(100, tokens_per_minute=6000)  # 100 a second, after a burst of 600
        since = loop.time()
        for _ in range(6):
            gate.well(await gate.enter(100), 50)  # half of what was counted comes back
        quick = loop.time() - since
        gate.well(await gate.enter(300), 320)  # more was used than counted: it is owed
        gate.well(await gate.enter(1))
        return quick, loop.time() - since

    quick, slow = asyncio.run(run())
    assert quick < 10
    assert slow >= 0.19


def test_who_gives_up_waiting_takes_no_place() -> None:
    async def run() -> None:
        gate = Gate(1)
        [leave] = await entered(gate, 1)
        waiting = [asyncio.create_task(gate.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.well(leave)
        waiting[1].cancel()  # after its turn was given and before it knows
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert waiting[2].done()
        gate.failed(waiting[2].result())
        assert len(await entered(gate, 5)) == 1
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(run())


@given(st.lists(st.sampled_from(["enter", "well", "away", "failed", "overload"]), max_size=60))
def test_no_more_are_in_flight_than_the_most_and_somebody_always_may(events: list[str]) -> None:
    async def run() -> None:
        gate = Gate(5)
        inside: list[Pass] = []
        for event in events:
            if event == "enter":
                inside += await entered(gate, 1)
            elif inside and event == "well":
                gate.well(inside.pop())
            elif inside and event == "failed":
                gate.failed(inside.pop())
            elif inside:
                gate.turned_away(inside.pop(), 0.0, overloaded=event == "overload")
            assert len(inside) <= 5
            assert 1 <= gate.limit <= 5
        for leave in inside:
            gate.failed(leave)
        assert len(await entered(gate, 9)) == int(gate.limit)

    asyncio.run(run())


def together(
    kind: str, server: FakeProvider, count: int, remarks: list[str], **settings: Any
) -> list[Answer]:
    async def run() -> list[Answer]:
        judge = judge_at(kind, server.url, **settings)
        assert judge.remarks() == ()
        requests = [judge.request(question(f"Claim {n}.")) for n in range(count)]
        answers = await asyncio.gather(*(judge.judge(request) for request in requests))
        await judge.close()
        remarks.extend(judge.remarks())
        return list(answers)

    return asyncio.run(run())


@both
def test_what_an_endpoint_refuses_is_found_out_by_one_request(kind: str) -> None:
    script = {"rejects_structures": ["json_schema", "tool"], "rejects_parameters": ["temperature"]}
    with FakeProvider({**script, "latency_seconds": 0.02}) as server:
        remarks: list[str] = []
        settings = {"concurrency": 20, "parameters": {"temperature": 0}}
        answers = together(kind, server, 20, remarks, **settings)
        assert not any("turned requests away" in remark for remark in remarks)
        assert len(server.asked) == 20 + 3
        assert sorted(answer.attempts for answer in answers) == [1] * 19 + [4]
        assert {answer.rung for answer in answers} <= {"json_object", "text"}


@both
def test_fewer_are_in_flight_after_the_provider_objects(kind: str) -> None:
    storm = {"kind": "status", "status": 429, "retry_after": 0, "times": 12}
    with FakeProvider({"weather": [storm], "latency_seconds": 0.02}) as server:
        remarks: list[str] = []
        answers = together(kind, server, 60, remarks, concurrency=32)
        assert "of judge.concurrency 32" in remarks[0]
        assert len(answers) == 60
        # The first one finds the storm alone, so it does not say how many are too many.
        assert len(server.asked) == 72
        assert server.most_in_flight < 32
