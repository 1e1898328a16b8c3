from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.models.gate import Gate
from judge.models.retrying import Patience, Transient, retry_after
from judge.protocol import AnswerError, FatalProviderError

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


@given(st.integers(0, 80_000))
def test_seconds_milliseconds_and_dates_say_the_same(seconds: int) -> None:
    moment = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after({"retry-after": str(seconds)}) == seconds
    assert retry_after({"retry-after-ms": str(seconds * 1000)}) == seconds
    assert retry_after({"retry-after": moment}, now=NOW) == seconds


@given(st.text(max_size=30))
def test_nonsense_is_no_wait_and_never_a_bad_one(text: str) -> None:
    wait = retry_after({"retry-after": text, "retry-after-ms": text})
    assert wait is None or 0 <= wait <= 86_400


def test_the_finer_header_goes_first_and_the_past_is_now() -> None:
    assert retry_after({"retry-after": "60", "retry-after-ms": "1500"}) == 1.5
    past = format_datetime(NOW - timedelta(days=1), usegmt=True)
    assert retry_after({"retry-after": past}, now=NOW) == 0
    assert retry_after({}) is None
    assert retry_after({"retry-after": "-3"}) is None
    assert retry_after({"retry-after": "nan"}) is None


def patience(**changes: float) -> Patience:
    values = {"timeout_seconds": 5.0, "deadline_seconds": 5.0, "first_wait_seconds": 0.001}
    return Patience(**{**values, **changes})


class Flaky:
    """Fails as told, then gives the number of times it was asked."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.asked = 0

    async def __call__(self) -> int:
        self.asked += 1
        if self.failures:
            raise self.failures.pop(0)
        return self.asked


def test_transient_failures_are_tried_again_and_others_are_not() -> None:
    flaky = Flaky(Transient("x", "a"), Transient("x", "b"))
    assert asyncio.run(patience().persist(flaky)) == 3
    for final in (AnswerError("too_long", "x"), FatalProviderError("no"), KeyError("bug")):
        flaky = Flaky(final)
        with pytest.raises(type(final)):
            asyncio.run(patience().persist(flaky))
        assert flaky.asked == 1


def test_what_is_limited_is_given_up_after_its_limit() -> None:
    flaky = Flaky(*(Transient("unreadable", "html", limit=3) for _ in range(9)))
    with pytest.raises(AnswerError, match="unreadable: html"):
        asyncio.run(patience().persist(flaky))
    assert flaky.asked == 3


def test_a_hanging_attempt_is_cut_at_its_time_out() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    with pytest.raises(AnswerError, match="timeout: no answer within"):
        asyncio.run(patience(timeout_seconds=0.02, deadline_seconds=0.1).persist(hang))


def test_the_event_loop_goes_on_during_a_wait() -> None:
    async def run() -> int:
        ticks = 0
        flaky = Flaky(Transient("rate_limited", "later", retry_after=0.2))
        waiting = asyncio.create_task(patience().persist(flaky))
        while not waiting.done():
            ticks += 1
            await asyncio.sleep(0)
        assert await waiting == 2
        return ticks

    assert asyncio.run(run()) > 100


def test_those_turned_away_together_do_not_come_back_together() -> None:
    async def once(number: int, back: list[float]) -> None:
        asked = 0

        async def attempt() -> None:
            nonlocal asked
            asked += 1
            if asked == 1:
                raise Transient("rate_limited", "later", retry_after=0.02)
            back.append(asyncio.get_running_loop().time())

        await patience(first_wait_seconds=0.5).persist(attempt)

    async def run() -> list[float]:
        back: list[float] = []
        await asyncio.gather(*(once(number, back) for number in range(8)))
        return back

    moments = asyncio.run(run())
    assert len(set(moments)) > 1


def test_nothing_is_sent_after_the_deadline_has_passed_at_the_gate() -> None:
    async def run() -> int:
        gate = Gate(8)
        flaky = Flaky(*(Transient("overloaded", "later", retry_after=0.1) for _ in range(9)))

        async def attempt() -> int:
            try:
                return await flaky()
            except Transient as weather:
                # Meanwhile the provider tells somebody else to wait for longer.
                other = await gate.enter()
                gate.turned_away(other, 0.6, overloaded=True)
                raise Transient(weather.code, weather.message) from None

        with pytest.raises(AnswerError, match="overloaded: later"):
            await patience(deadline_seconds=0.3).persist(attempt, gate)
        # Its place was given back.
        gate.well(await gate.enter())
        return flaky.asked

    assert asyncio.run(run()) == 1
