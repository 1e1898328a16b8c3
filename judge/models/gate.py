"""How many requests may be in flight, found out by how the provider takes them.

Additive increase, multiplicative decrease, as in TCP: the limit grows while all is well, quickly
until the provider first objects and slowly afterwards; it is halved, once for all that were in
flight together, when requests are turned away. Nothing goes out for a while when the provider is
overloaded, or when it turns away what comes one by one. Until the endpoint has taken a request at
all, they go one at a time, so that what it refuses is found out once and not by everybody. Nothing
here blocks the event loop.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Gate", "Pass"]

_SHRINK = 0.5
_LONGEST_PAUSE = 120.0
_BURST = 10.0
"""How many bursts a minute's allowance is cut into."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave to send one request.

    Attributes:
        since: The loop's time when it was given.
        tokens: What was counted for it.
    """

    since: float
    tokens: int


class Gate:
    """Lets requests out, first come first served.

    Args:
        most: Requests in flight at most.
        calm: Seconds that an overloaded provider is left alone, where it does not say how long; at
            first, and at most.
        ready: Whether the endpoint is known to take what is sent.
        requests_per_minute: No more than that; `None` is no such bound.
        tokens_per_minute: Input and output together; `None` is no such bound.

    Attributes:
        limit: Requests in flight at most, for now.
        cuts: How often the limit was cut.
        least: The lowest that it was cut to.
    """

    def __init__(
        self,
        most: int,
        *,
        calm: tuple[float, float] = (1.0, 30.0),
        ready: Callable[[], bool] = lambda: True,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
    ) -> None:
        self.limit = float(min(most, max(8, most // 4)))
        self.cuts = 0
        self.least = most
        self._most = most
        self._ready = ready
        self._requests = _Bucket(requests_per_minute)
        self._tokens = _Bucket(tokens_per_minute)
        self._unhindered = True
        self._flying = 0
        self._paused_until = -math.inf
        self._last_cut = -math.inf
        self._first_calm, self._longest_calm = calm
        self._calm = self._first_calm
        self._waiting: deque[tuple[asyncio.Future[None], int]] = deque()
        self._alarm: asyncio.TimerHandle | None = None

    async def enter(self, tokens: int = 0) -> Pass:
        """Wait for leave to send.

        Args:
            tokens: What the request is expected to take.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._waiting or self._flying >= self._allowed() or self._delay(tokens, now) > 0:
            turn = loop.create_future()
            self._waiting.append((turn, tokens))
            self._wake()
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._flying -= 1
                else:
                    self._waiting.remove((turn, tokens))
                self._wake()
                raise
        else:
            self._grant(tokens, now)
        return Pass(loop.time(), tokens)

    def well(self, leave: Pass, tokens: int | None = None) -> None:
        """The request was answered.

        Args:
            leave: What `enter` gave.
            tokens: What it really took, where that is known.
        """
        self._flying -= 1
        self._calm = self._first_calm
        if leave.since > self._last_cut:
            grown = 1.0 if self._unhindered else 1.0 / self.limit
            self.limit = min(self.limit + grown, float(self._most))
        if tokens is not None:
            self._tokens.take(tokens - leave.tokens, asyncio.get_running_loop().time())
        self._wake()

    def turned_away(self, leave: Pass, wait: float | None, *, overloaded: bool) -> None:
        """The request was refused because there are too many.

        Args:
            leave: What `enter` gave.
            wait: Seconds that the provider asked to wait.
            overloaded: Whether the provider has too much to do altogether.
        """
        self._flying -= 1
        now = asyncio.get_running_loop().time()
        first = leave.since > self._last_cut
        alone = self.limit < 2
        if first:
            # Whatever was in flight before a cut says nothing about the limit after it.
            self.limit = max(self.limit * _SHRINK, 1.0)
            self._last_cut = now
            self._unhindered = False
            self.cuts += 1
            self.least = min(self.least, int(self.limit))
        pause = 0.0
        if overloaded or (alone and first):
            # One request that has to wait does not hold up the others; only where nothing gets
            # through do all of them wait.
            pause = wait or 0.0
        if overloaded and wait is None and first:
            pause, self._calm = self._calm, min(self._calm * 2, self._longest_calm)
        self._paused_until = max(self._paused_until, now + min(pause, _LONGEST_PAUSE))
        self._wake()

    def failed(self, leave: Pass) -> None:  # noqa: ARG002 - as the others
        """The request came to nothing, in a way that says nothing about how many there may be."""
        self._flying -= 1
        self._wake()

    def _allowed(self) -> int:
        return int(self.limit) if self._ready() else 1

    def _delay(self, tokens: int, now: float) -> float:
        return max(
            self._paused_until - now, self._requests.delay(1, now), self._tokens.delay(tokens, now)
        )

    def _grant(self, tokens: int, now: float) -> None:
        self._flying += 1
        self._requests.take(1, now)
        self._tokens.take(tokens, now)

    def _wake(self) -> None:
        """Let go whoever may go, and come back when the next one may."""
        loop = asyncio.get_running_loop()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        while self._waiting and self._flying < self._allowed():
            turn, tokens = self._waiting[0]
            now = loop.time()
            if (delay := self._delay(tokens, now)) > 0:
                self._alarm = loop.call_later(delay, self._wake)
                return
            self._waiting.popleft()
            if not turn.done():
                self._grant(tokens, now)
                turn.set_result(None)


class _Bucket:
    """An allowance that fills up by the second. More than is in it is lent, and waited for after.

    Args:
        per_minute: How fast it fills; `None` is a bucket without end.
    """

    def __init__(self, per_minute: int | None) -> None:
        self._rate = None if per_minute is None else per_minute / 60.0
        self._size = 0.0 if per_minute is None else max(per_minute / _BURST, 1.0)
        self._level = self._size
        self._filled: float | None = None

    def delay(self, amount: float, now: float) -> float:
        """Seconds until that much may be taken."""
        if self._rate is None:
            return 0.0
        self._fill(now)
        return max(min(amount, self._size) - self._level, 0.0) / self._rate

    def take(self, amount: float, now: float) -> None:
        """Take that much, or give it back where it is negative."""
        if self._rate is not None:
            self._fill(now)
            self._level = min(self._level - amount, self._size)

    def _fill(self, now: float) -> None:
        if self._filled is not None and self._rate is not None:
            self._level = min(self._level + (now - self._filled) * self._rate, self._size)
        self._filled = now
