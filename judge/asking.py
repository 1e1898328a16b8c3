"""Asking a judge over a wire: never twice for the same thing, and nothing is lost that was paid.

An answer goes to the ledger, on the disk itself, before anything else happens to it; then it is
parsed; then, if it is one, it goes to the cache. An answer that cannot be used stays in the ledger
alone: after a kill it is taken from there, so that the conversation goes on where it stood. Once
its question has become an error it is given up, and the next run asks anew.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from benchmark import GraderError
from judge.cache import AnswerCache
from judge.parsing import ParsedAnswer, parse_answer
from judge.preparing import now
from judge.protocol import AnswerError, FatalProviderError, Judge, Request
from judge.records import GAVE_UP, Attempt, StoredAnswer, writable
from judge.store import RunStore

__all__ = ["Asker", "KnownAnswerError", "LedgerError", "Reply", "Spent"]

_Entry = TypeVar("_Entry")


class LedgerError(GraderError):
    """An answer cannot be written down: whatever else were asked for would be lost."""


class KnownAnswerError(AnswerError):
    """The answer that is at hand cannot be used; nothing was sent now."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that was parsed.

    Attributes:
        stored: The answer as it came.
        parsed: Its fields.
        cached: It was at hand: in the cache, in the ledger, or asked for by another question.
    """

    stored: StoredAnswer
    parsed: ParsedAnswer
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

    Attributes:
        spent: What was asked and what it took.

    Raises:
        InputError: The ledger of an earlier run is damaged.
    """

    def __init__(self, judge: Judge, store: RunStore, cache: AnswerCache) -> None:
        store.index_answers()
        self._judge = judge
        self._store = store
        self._cache = cache
        self._writer = _Writer(store, cache)
        self._running: dict[str, asyncio.Task[Reply]] = {}
        self.spent = Spent()

    async def ask(self, request: Request, submission: str, sau: str) -> Reply:
        """Return the answer to a request, from wherever it is to be had.

        Raises:
            AnswerError: There is no usable answer; what came, where anything did, is in it.
            FatalProviderError: There will be none to any question.
            LedgerError: It cannot be written down.
        """
        key = request.key
        if running := self._running.get(key):
            reply = await asyncio.shield(running)
            self.spent.hits += 1
            return replace(reply, cached=True)
        task = asyncio.create_task(self._fetch(key, request, submission, sau))
        self._running[key] = task
        try:
            return await task
        finally:
            del self._running[key]

    async def _fetch(self, key: str, request: Request, submission: str, sau: str) -> Reply:
        if reply := self._at_hand(key):
            self.spent.hits += 1
            return reply
        try:
            answer = await self._judge.judge(request)
        except FatalProviderError as error:
            self.spent.add(error.attempts, None)
            await self._writer.write(
                Attempt(
                    request_key=key,
                    outcome="fatal",
                    submission=submission,
                    sau=sau,
                    message=writable(str(error)),
                    attempts=error.attempts,
                    time=now(),
                )
            )
            raise
        except AnswerError as error:
            stored = None if error.answer is None else StoredAnswer.of(error.answer, time=now())
            self.spent.add(error.attempts, stored)
            await self._writer.write(
                Attempt(
                    request_key=key,
                    outcome=error.code,
                    submission=submission,
                    sau=sau,
                    answer=stored,
                    message=writable(str(error)),
                    attempts=error.attempts,
                    time=now(),
                )
            )
            raise
        stored = StoredAnswer.of(answer, time=now())
        self.spent.add(answer.attempts, stored)
        row = Attempt(
            request_key=key,
            outcome="answer",
            submission=submission,
            sau=sau,
            answer=stored,
            attempts=answer.attempts,
            time=stored.time,
        )
        try:
            await self._writer.write(row)
        except LedgerError:
            # The cache may lie on another disk, and it is the last place to save the answer to.
            with contextlib.suppress(AnswerError):
                parse_answer(answer)
                self._writer.keep(key, stored)
            raise
        parsed = parse_answer(answer)
        self._writer.keep(key, stored)
        return Reply(stored, parsed, cached=False)

    def _at_hand(self, key: str) -> Reply | None:
        """Return an answer that was paid for before, if it is one by today's parser.

        Raises:
            KnownAnswerError: It is none, and nobody has given it up.
        """
        if (stored := self._writer.kept.get(key) or self._cache.get(key)) is not None:
            try:
                return Reply(stored, parse_answer(stored.answer()), cached=True)
            except AnswerError:
                pass
        found = self._store.paid_answer(key)
        if found is None or (stored := found[0].answer) is None:
            return None
        attempt, given_up = found
        try:
            parsed = _parsed(attempt, stored)
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
            await self._writer.write(
                Attempt(
                    request_key=key,
                    outcome=GAVE_UP,
                    submission=submission,
                    sau=sau,
                    attempts=0,
                    time=now(),
                )
            )

    async def close(self) -> None:
        """Wait until all is written."""
        await self._writer.close()


def _parsed(attempt: Attempt, stored: StoredAnswer) -> ParsedAnswer:
    """Parse the answer of a row, unless the row says that it is none to be parsed."""
    if attempt.outcome == "answer":
        return parse_answer(stored.answer())
    raise AnswerError(
        attempt.outcome,
        attempt.message.removeprefix(f"{attempt.outcome}: "),
        attempts=attempt.attempts,
        answer=stored.answer(),
    )


class _Writer:
    """Writes the ledger and the cache, each in a thread of its own and many entries at a time.

    Both wait for the disk, and only the ledger is waited for: the cache must not hold it up.
    """

    def __init__(self, store: RunStore, cache: AnswerCache) -> None:
        self._store = store
        self._cache = cache
        self._failure: LedgerError | None = None
        # On their way into the cache: whoever asks the same meanwhile finds them here.
        self.kept: dict[str, StoredAnswer] = {}
        self._ledger = _Queue("ledger", self._append, self._told)
        self._keeping = _Queue("cache", cache.put_all, self._forget)

    async def write(self, row: Attempt) -> None:
        """Add a row to the ledger, and wait until it is on the disk itself.

        Raises:
            LedgerError: It cannot be written, or an earlier row could not: then none is tried.
        """
        if self._failure is not None:
            raise self._failure
        written = asyncio.get_running_loop().create_future()
        self._ledger.add((row, written))
        # A row that is on its way arrives even when whoever asked no longer waits.
        await asyncio.shield(written)

    def keep(self, key: str, answer: StoredAnswer) -> None:
        """Add an answer to the cache, some time soon: it is in the ledger already."""
        self.kept[key] = answer
        self._keeping.add((key, answer))

    def _append(self, rows: list[tuple[Attempt, asyncio.Future[None]]]) -> None:
        if self._failure is None:
            self._store.append_attempts([row for row, _ in rows])

    def _told(
        self, rows: list[tuple[Attempt, asyncio.Future[None]]], error: Exception | None
    ) -> None:
        """Tell those who wait what became of their rows."""
        if error is not None:
            self._failure = LedgerError(
                f"{self._store.path}: the ledger cannot be written: {error}"
            )
        for _, written in rows:
            if written.done():
                continue
            if self._failure is None:
                written.set_result(None)
            else:
                written.set_exception(self._failure)

    def _forget(self, answers: list[tuple[str, StoredAnswer]], error: Exception | None) -> None:
        for key, _ in answers:
            self.kept.pop(key, None)
        if error is not None:
            raise error

    async def close(self) -> None:
        """Wait until all is written."""
        await self._ledger.close()
        # What is added to the ledger may be added to the cache after.
        await self._keeping.close(self._cache.close)


class _Queue(Generic[_Entry]):
    """Entries on their way to a disk: whatever has gathered meanwhile goes together.

    Args:
        name: Of the thread.
        write: Writes entries; called in the thread, with none at the same time.
        done: Told on the event loop what became of them.
    """

    def __init__(
        self,
        name: str,
        write: Callable[[list[_Entry]], None],
        done: Callable[[list[_Entry], Exception | None], None],
    ) -> None:
        self._write = write
        self._done = done
        self._entries: list[_Entry] = []
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._task: asyncio.Task[None] | None = None

    def add(self, entry: _Entry) -> None:
        """Have an entry written, some time soon."""
        self._entries.append(entry)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        while self._entries:
            entries, self._entries = self._entries, []
            failure = None
            try:
                await loop.run_in_executor(self._thread, self._write, entries)
            except Exception as error:  # noqa: BLE001 - told to whoever waits
                failure = error
            self._done(entries, failure)

    async def close(self, last: Callable[[], None] = lambda: None) -> None:
        """Wait until all is written, and do one last thing in the thread."""
        while self._task is not None and not self._task.done():
            await self._task
        await asyncio.get_running_loop().run_in_executor(self._thread, last)
        self._thread.shutdown()
