"""Asking a judge over a wire: never twice for the same thing, and nothing is lost that was paid.

An answer goes to the ledger, on the disk itself, before anything else happens to it; then it is
parsed; then, if it is one, it goes to the cache. An answer that cannot be used stays in the ledger
alone: after a kill it is taken from there, so that the conversation goes on where it stood. Once
its question has become an error it is given up, and the next run asks anew.

A question has a place among those that are asked at a time until its answer is written to the
ledger's file, where a kill does not reach it. The next one goes out while the disk is waited for
and the answer is looked at.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from judge.budget import CapReached
from judge.cache import AnswerCache
from judge.ledger import LedgerError, Writer
from judge.parsing import ParsedAnswer, parse_answer
from judge.preparing import now
from judge.protocol import Answer, AnswerError, AnswerPending, FatalProviderError, Judge, Request
from judge.records import ASKED_AGAIN, GAVE_UP, Attempt, StoredAnswer, writable
from judge.store import RunStore

__all__ = ["Asker", "KnownAnswerError", "LedgerError", "Reply", "Spent", "Withdrawn"]

_Read = TypeVar("_Read")

_OTHERS_SECONDS = 0.25
"""How often it is looked whether another process is done."""


class KnownAnswerError(AnswerError):
    """The answer that is at hand cannot be used; nothing was sent now."""


class Withdrawn(AnswerPending):
    """The question was not sent: the run is being stopped."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[_Read]):
    """An answer that was parsed.

    Attributes:
        stored: The answer as it came.
        parsed: What was read in it.
        cached: It was at hand: in the cache, in the ledger, or asked for by another question.
    """

    stored: StoredAnswer
    parsed: _Read
    cached: bool


@dataclass(slots=True)
class Spent:
    """What this run took.

    Attributes:
        requests: Requests that were sent, repeated ones included.
        hits: Answers that were at hand.
        cost_usd: The sum of the prices that are known.
        unpriced: Answers whose price is not known.
    """

    requests: int = 0
    hits: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def add(self, attempts: int, stored: StoredAnswer | None) -> None:
        """Count one question that was sent."""
        self.requests += attempts
        if stored is None:
            return
        if stored.usage.cost_usd is None:
            self.unpriced += 1
        else:
            self.cost_usd += stored.usage.cost_usd


class Asker:
    """Gets answers for one run.

    Args:
        judge: Who is asked.
        store: Whose ledger is kept.
        cache: Where answers of all runs are.
        concurrency: How many questions are sent at a time, at most.

    Attributes:
        spent: What was asked and what it took.
        flying: How many questions are on the wire.

    Raises:
        InputError: The ledger of an earlier run is damaged.
    """

    def __init__(
        self, judge: Judge, store: RunStore, cache: AnswerCache, *, concurrency: int
    ) -> None:
        store.index_answers()
        self._judge = judge
        self._store = store
        self._cache = cache
        self._writer = Writer(store, cache)
        self._running: dict[str, asyncio.Task[Reply[Any]]] = {}
        self._fresh: set[str] = set()
        self._places = asyncio.Semaphore(concurrency)
        self._stopped = False
        self.flying = 0
        self.spent = Spent()

    def stop(self) -> None:
        """Send nothing more; what is on the wire still comes."""
        self._stopped = True

    @property
    def judge(self) -> Judge:
        """Who is asked, within the cap where there is one."""
        return self._judge

    async def ask(
        self, request: Request, submission: str, sau: str, *, judge: Judge | None = None
    ) -> Reply[ParsedAnswer]:
        """Return the answer to a request, from wherever it is to be had.

        Args:
            request: The request.
            submission: The pair that it is about.
            sau: The pair that it is about.
            judge: Who of several is asked; the one judge there is by default.

        Raises:
            AnswerError: There is no usable answer; what came, where anything did, is in it.
            AnswerPending: It is not here yet, or the question is not sent any more.
            CapReached: There is no money left for it.
            FatalProviderError: There will be none to any question.
            LedgerError: It cannot be written down.
        """
        return await self.ask_for(request, submission, sau, parse_answer, judge=judge)

    async def ask_for(
        self,
        request: Request,
        submission: str,
        sau: str,
        read: Callable[[Answer], _Read],
        *,
        judge: Judge | None = None,
    ) -> Reply[_Read]:
        """The same as `ask`, for an answer of another form.

        Args:
            request: The request.
            submission: The pair that it is about.
            sau: The pair that it is about.
            read: Reads the answer, and raises `AnswerError` where it is none.
            judge: Who of several is asked.
        """
        key = request.key
        if running := self._running.get(key):
            reply: Reply[_Read] = await asyncio.shield(running)
            self.spent.hits += 1
            return replace(reply, cached=True)
        task = asyncio.create_task(
            self._fetch(request, (submission, sau), read, judge or self._judge)
        )
        self._running[key] = task
        try:
            return await task
        finally:
            del self._running[key]

    async def _fetch(
        self, request: Request, pair: tuple[str, str], read: Callable[[Answer], _Read], judge: Judge
    ) -> Reply[_Read]:
        key, turns = request.key, self._cache.turns
        while not turns.begin(key):
            # Another process asks just this: its answer will be in the cache.
            if self._stopped:
                raise Withdrawn("the run was stopped while another asked this question")
            await asyncio.sleep(_OTHERS_SECONDS)
        try:
            return await self._fetch_alone(request, pair, read, judge)
        finally:
            # What goes to the cache must be there before another may look.
            if key not in self._writer.kept:
                turns.end(key)

    async def _fetch_alone(
        self, request: Request, pair: tuple[str, str], read: Callable[[Answer], _Read], judge: Judge
    ) -> Reply[_Read]:
        key = request.key
        if reply := self._at_hand(key, read):
            if key in self._fresh:
                self._fresh.discard(key)
                return replace(reply, cached=False)
            self.spent.hits += 1
            return reply
        async with self._places:
            if self._stopped:
                raise Withdrawn("the run was stopped before this question was sent")
            self.flying += 1
            try:
                row, failure = await self._sent(request, pair, judge)
            except AnswerPending:
                await self._note_again(request, pair)
                raise
            except CapReached:
                self._stopped = True
                raise
            finally:
                self.flying -= 1
            if isinstance(failure, FatalProviderError):
                # Before the next has the place: it would be asked in vain.
                self._stopped = True
            stored = row.answer
            self.spent.add(row.attempts, stored)
            on_disk = self._writer.write(row)
        try:
            await on_disk
        except LedgerError:
            self._save(row, failure, read)
            raise
        if failure is not None:
            raise failure
        assert stored is not None
        parsed = read(stored.answer())
        self._writer.keep(key, stored)
        return Reply(stored, parsed, cached=False)

    async def _note_again(self, request: Request, pair: tuple[str, str]) -> None:
        """Write down why what waits for an answer is asked again, once for each request."""
        if request.again and not self._store.noted_again(request.key):
            row = Attempt(
                request_key=request.key,
                outcome=ASKED_AGAIN,
                submission=pair[0],
                sau=pair[1],
                message=request.again,
                attempts=0,
                time=now(),
            )
            await self._writer.write(row)

    @staticmethod
    async def _sent(
        request: Request, pair: tuple[str, str], judge: Judge
    ) -> tuple[Attempt, AnswerError | FatalProviderError | None]:
        """Send a request to one of the judges.

        Returns:
            What is written down of it, and what to raise once that is done.
        """
        outcome, message, answer = "answer", "", None
        failure: AnswerError | FatalProviderError | None = None
        try:
            answer = await judge.judge(request)
            attempts = answer.attempts
        except (AnswerError, FatalProviderError) as error:
            failure, attempts, message = error, error.attempts, writable(str(error))
            if isinstance(error, AnswerError):
                outcome, answer = error.code, error.answer
            else:
                outcome = "fatal"
        time = now()
        row = Attempt(
            request_key=request.key,
            outcome=outcome,
            submission=pair[0],
            sau=pair[1],
            answer=None if answer is None else StoredAnswer.of(answer, time=time),
            message=message,
            attempts=attempts,
            time=time,
        )
        return row, failure

    def _save(
        self, row: Attempt, failure: Exception | None, read: Callable[[Answer], object]
    ) -> None:
        """Keep an answer that the ledger does not take.

        The cache may lie on another disk, and it is the last place to save the answer to.
        """
        if failure is None and row.answer is not None:
            with contextlib.suppress(AnswerError):
                read(row.answer.answer())
                self._writer.keep(row.request_key, row.answer)

    def knows(self, request: Request) -> bool:
        """Whether an answer to a request is at hand, or is on its way."""
        if request.key in self._running:
            return True
        try:
            return self._at_hand(request.key, parse_answer) is not None
        except KnownAnswerError:
            # It could not be used, and the conversation goes on from there.
            return True

    async def adopt(
        self, parts: Iterable[tuple[Request, StoredAnswer, str, str]], *, fresh: bool
    ) -> None:
        """Keep answers that came as parts of another one, as if each had come by itself.

        Args:
            parts: The request that each answers, the answer, and the pair that it is about.
            fresh: The other answer was paid for just now.

        Raises:
            LedgerError: They cannot be written down.
        """
        waiting = []
        for request, stored, submission, sau in parts:
            row = Attempt(
                request_key=request.key,
                outcome="answer",
                submission=submission,
                sau=sau,
                answer=stored,
                attempts=0,  # the other answer's row tells how many were sent
                time=stored.time,
            )
            waiting.append(self._writer.write(row))
            self._writer.keep(request.key, stored)
            if fresh:
                self._fresh.add(request.key)
        # All are waited for together: of several that fail the first is told, and none is left.
        await asyncio.gather(*waiting)

    def _at_hand(self, key: str, read: Callable[[Answer], _Read]) -> Reply[_Read] | None:
        """Return an answer that was paid for before, if it is one by today's parser.

        Raises:
            KnownAnswerError: It is none, and nobody has given it up.
        """
        if (stored := self._writer.kept.get(key) or self._cache.get(key)) is not None:
            try:
                return Reply(stored, read(stored.answer()), cached=True)
            except AnswerError:
                pass
        found = self._store.paid_answer(key)
        if found is None or (stored := found[0].answer) is None:
            return None
        attempt, given_up = found
        try:
            parsed = _parsed(attempt, stored, read)
        except AnswerError as error:
            if given_up:
                return None
            raise KnownAnswerError(
                error.code, error.message, attempts=error.attempts, answer=error.answer
            ) from None
        self._writer.keep(key, stored)
        return Reply(stored, parsed, cached=True)

    async def give_up(self, keys: Iterable[str], submission: str, sau: str) -> None:
        """Note that unusable answers to these requests are not to be taken from the ledger again.

        Raises:
            LedgerError: It cannot be written down.
        """
        for key in keys:
            row = Attempt(
                request_key=key,
                outcome=GAVE_UP,
                submission=submission,
                sau=sau,
                attempts=0,
                time=now(),
            )
            await self._writer.write(row)

    async def close(self) -> None:
        """Wait until all is written."""
        await self._writer.close()


def _parsed(attempt: Attempt, stored: StoredAnswer, read: Callable[[Answer], _Read]) -> _Read:
    """Parse the answer of a row, unless the row says that it is none to be parsed."""
    if attempt.outcome == "answer":
        return read(stored.answer())
    raise AnswerError(
        attempt.outcome,
        attempt.message.removeprefix(f"{attempt.outcome}: "),
        attempts=attempt.attempts,
        answer=stored.answer(),
    )
