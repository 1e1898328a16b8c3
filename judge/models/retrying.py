"""Asking again: what may be asked again, how long to wait, and when to stop.

The vendors' SDKs are told not to retry, so that every attempt is seen here, counted and bound by
one deadline.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import tenacity

from judge.models.gate import Gate, Pass
from judge.protocol import Answer, AnswerError

__all__ = ["Patience", "Transient", "retry_after"]

_TURNED_AWAY = frozenset({"rate_limited", "overloaded"})
_MAX_STATED_WAIT = 86_400.0
_T = TypeVar("_T")


class Transient(Exception):  # noqa: N818 - it is weather, and no error anyone is shown
    """An attempt failed in a way that another may not.

    Args:
        code: Short word for reports, should it never clear up.
        message: What happened, already safe to show.
        retry_after: Seconds that the server asked to wait.
        limit: Attempts after which it counts as lasting; `None` for as many as the deadline holds.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        retry_after: float | None = None,
        limit: int | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.retry_after = retry_after
        self.limit = limit
        super().__init__(f"{code}: {message}")


def retry_after(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds that a server asks to wait, or `None` where it does not say or says nonsense.

    Reads `retry-after-ms`, and `retry-after` as seconds or as an HTTP date.

    Args:
        headers: With names in lower case, or a mapping that ignores case.
        now: The present, in place of the clock.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return min(milliseconds / 1000, _MAX_STATED_WAIT)
    stated = headers.get("retry-after")
    seconds = _number(stated)
    if seconds is not None:
        return min(seconds, _MAX_STATED_WAIT)
    if stated is None:
        return None
    try:
        moment = parsedate_to_datetime(stated)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    wait = (moment - (now or datetime.now(UTC))).total_seconds()
    return min(max(wait, 0.0), _MAX_STATED_WAIT)


def _number(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value >= 0 else None


class Patience:
    """How long one question is asked for.

    Args:
        timeout_seconds: For one attempt.
        deadline_seconds: For all attempts and the waits between them.
        first_wait_seconds: Mean of the first wait; later ones double.
        longest_wait_seconds: No wait is longer, unless the server asks for it.
    """

    def __init__(
        self,
        *,
        timeout_seconds: float,
        deadline_seconds: float,
        first_wait_seconds: float = 0.5,
        longest_wait_seconds: float = 60.0,
    ) -> None:
        self.timeout_seconds = timeout_seconds
        self.deadline_seconds = deadline_seconds
        self._first_wait = first_wait_seconds
        self._longest_wait = longest_wait_seconds
        # "Equal jitter": between half of the doubling wait and the whole of it, so that those who
        # were turned away together do not come back together.
        self._backoff = tenacity.wait_exponential(
            multiplier=first_wait_seconds, max=longest_wait_seconds
        )
        self._jitter = tenacity.wait_random(0.5, 1.0)

    @property
    def calm(self) -> tuple[float, float]:
        """Seconds that an overloaded provider is left alone: at first, and at most."""
        return 2 * self._first_wait, self._longest_wait / 2

    async def persist(
        self,
        attempt: Callable[[], Awaitable[_T]],
        gate: Gate | None = None,
        tokens: int = 0,
    ) -> _T:
        """Make attempts until one succeeds, fails for good, or the deadline passes.

        Args:
            attempt: Raises `Transient` to be called again; anything else it raises is final.
            gate: Passed before each attempt, and told what came of it. The deadline runs from the
                first time it is passed.
            tokens: What an attempt is expected to take, for the gate.

        Raises:
            AnswerError: The deadline passed, or what was `Transient` lasted.
        """
        started: float | None = None
        trouble: Transient | None = None

        def elapsed() -> float:
            return 0.0 if started is None else time.monotonic() - started

        async def once() -> _T:
            nonlocal started, trouble
            leave = None if gate is None else await gate.enter(tokens)
            started = started or time.monotonic()
            left = self.deadline_seconds - elapsed()
            if trouble is not None and left <= 0:
                # The deadline passed at the gate: to send now would be to ask in vain.
                _tell(gate, leave, None)
                raise Transient(trouble.code, trouble.message)
            limit = min(self.timeout_seconds, max(left, 0.001))
            try:
                # The SDK's time-out is for each read; a server that sends a byte a minute would
                # never meet it.
                async with asyncio.timeout(limit):
                    result = await attempt()
            except Transient as weather:
                trouble = weather
                _tell(gate, leave, weather)
                raise
            except TimeoutError:
                _tell(gate, leave, None)
                if trouble is not None and limit < self.timeout_seconds:
                    # The deadline cut this attempt short; what had lasted until then is the news.
                    raise Transient(trouble.code, trouble.message) from None
                raise Transient("timeout", f"no answer within {limit:.3g} s") from None
            except AnswerError as error:
                if gate is not None and leave is not None:
                    gate.well(leave, None if error.answer is None else _used(error.answer))
                raise
            except BaseException:
                _tell(gate, leave, None)
                raise
            if gate is not None and leave is not None:
                gate.well(leave, _used(result))
            return result

        def stop(state: tenacity.RetryCallState) -> bool:
            limit = _transient(state).limit
            if limit is not None and state.attempt_number >= limit:
                return True
            return elapsed() + state.upcoming_sleep >= self.deadline_seconds

        failure: AnswerError | None = None
        try:
            async for trial in tenacity.AsyncRetrying(
                retry=tenacity.retry_if_exception_type(Transient),
                wait=self._wait,
                stop=stop,
                sleep=asyncio.sleep,
                reraise=True,
            ):
                with trial:
                    return await once()
        except Transient as last:
            failure = self._give_up(last, elapsed())
        # Raised here, where no exception is being handled: the SDK's own exception holds the
        # request with its headers, and must not travel along as the context.
        raise failure or AssertionError("tenacity ended without an outcome")

    def _wait(self, state: tenacity.RetryCallState) -> float:
        own = float(self._backoff(state)) * float(self._jitter(state))
        stated = _transient(state).retry_after
        # What the server asks for is the least; the jitter still spreads those who wait.
        return own if stated is None else stated + min(own, max(0.05, stated * 0.1))

    def _give_up(self, last: Transient, elapsed: float) -> AnswerError:
        text = f"{last.message}; gave up after {elapsed:.3g} s"
        if last.retry_after is not None and elapsed + last.retry_after >= self.deadline_seconds:
            text += (
                f", for the server asks to wait {last.retry_after:.3g} s and the deadline for a "
                f"question is {self.deadline_seconds:.3g} s"
            )
        return AnswerError(last.code, text)


def _transient(state: tenacity.RetryCallState) -> Transient:
    outcome = state.outcome
    error = outcome.exception() if outcome is not None else None
    if not isinstance(error, Transient):
        raise TypeError("only a Transient is waited for")
    return error


def _tell(gate: Gate | None, leave: Pass | None, weather: Transient | None) -> None:
    """Tell the gate what came of an attempt that failed."""
    if gate is None or leave is None:
        return
    if weather is not None and weather.code in _TURNED_AWAY:
        gate.turned_away(leave, weather.retry_after, overloaded=weather.code == "overloaded")
    else:
        gate.failed(leave)


def _used(result: object) -> int | None:
    """Tokens that an answer took, where that is known."""
    if not isinstance(result, Answer):
        return None
    usage = result.usage
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens
