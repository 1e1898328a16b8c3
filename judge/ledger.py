"""Writing down what was paid for: rows into the ledger, answers into the cache."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from benchmark import GraderError
from judge.cache import AnswerCache
from judge.records import Attempt, StoredAnswer
from judge.store import RunStore

__all__ = ["LedgerError", "Writer"]

_Entry = TypeVar("_Entry")


class LedgerError(GraderError):
    """An answer cannot be written down: whatever else were asked for would be lost."""


class Writer:
    """Writes the ledger and the cache.

    Both are waited for on the disk in threads of their own, for whatever has gathered meanwhile
    together; the cache must not hold up the ledger.

    Args:
        store: Whose ledger is written.
        cache: Where answers are kept for all runs.

    Attributes:
        kept: Answers on their way into the cache: whoever asks the same meanwhile finds them here.
    """

    def __init__(self, store: RunStore, cache: AnswerCache) -> None:
        self._store = store
        self._cache = cache
        self._failure: LedgerError | None = None
        self._cache_failure: Exception | None = None
        self.kept: dict[str, StoredAnswer] = {}
        self._syncing = _Queue("ledger", self._sync, self._synced)
        self._keeping = _Queue("cache", cache.put_all, self._forget)

    def write(self, row: Attempt) -> asyncio.Future[None]:
        """Add a row to the ledger's file, where it survives this process.

        Returns:
            What is done once the row is on the disk itself. It raises `LedgerError` where the row
            cannot be written, or an earlier one could not: then none is tried.
        """
        on_disk = asyncio.get_running_loop().create_future()
        if self._failure is None:
            try:
                self._store.append_attempts([row])
            except Exception as error:  # noqa: BLE001 - told to whoever waits
                self._fail(error)
        if self._failure is None:
            self._syncing.add(on_disk)
        else:
            on_disk.set_exception(self._failure)
        # It is waited for by whoever asked alone, who may no longer do so.
        return asyncio.shield(on_disk)

    def keep(self, key: str, answer: StoredAnswer) -> None:
        """Add an answer to the cache, some time soon: it is in the ledger already."""
        self.kept[key] = answer
        self._keeping.add((key, answer))

    def _fail(self, error: Exception) -> None:
        self._failure = LedgerError(f"{self._store.path}: the ledger cannot be written: {error}")

    def _sync(self, waiting: list[asyncio.Future[None]]) -> None:  # noqa: ARG002 - it is for all
        self._store.sync_attempts()

    def _synced(self, waiting: list[asyncio.Future[None]], error: Exception | None) -> None:
        if error is not None:
            self._fail(error)
        for on_disk in waiting:
            if self._failure is None:
                on_disk.set_result(None)
            else:
                on_disk.set_exception(self._failure)

    def _forget(self, answers: list[tuple[str, StoredAnswer]], error: Exception | None) -> None:
        for key, _ in answers:
            self.kept.pop(key, None)
            self._cache.turns.end(key)
        self._cache_failure = self._cache_failure or error

    async def close(self) -> None:
        """Wait until all is written.

        Raises:
            Exception: The cache met what nobody foresaw; what it misses is in the ledger.
        """
        await self._syncing.close()
        # What is added to the ledger may be added to the cache after.
        await self._keeping.close(self._cache.close)
        if self._cache_failure is not None:
            raise self._cache_failure


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
