"""Worker processes for work that a hostile input may kill.

Each worker has one job at a time and a pipe of its own, so a worker that dies or hangs is known by
its job, and costs that job alone. A worker whose parent is gone ends by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

__all__ = ["Pool", "usable_cores"]

_Context = TypeVar("_Context")
_Job = TypeVar("_Job")
_Result = TypeVar("_Result")

_TRIES = 2


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool(Generic[_Context, _Job, _Result]):
    """Does jobs in worker processes, or in a thread of this one where `workers` is 1.

    Args:
        work: The function of context and job, at the top of a module.
        context: What is the same for all jobs; sent to each worker once.
        lost: Makes the result of a job whose worker died or took too long, from the reason.
        workers: Number of processes.
        seconds: How long one job may take in a process; a thread cannot be stopped.
        ahead: Results that may wait to be taken before workers pause.
    """

    def __init__(
        self,
        work: Callable[[_Context, _Job], _Result],
        context: _Context,
        lost: Callable[[_Job, str], _Result],
        *,
        workers: int,
        seconds: float,
        ahead: int = 2,
    ) -> None:
        self._work = work
        self._context = context
        self._lost = lost
        self._workers = workers
        self._seconds = seconds
        self._slots = threading.Semaphore(workers + ahead)
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._running: dict[int, tuple[_Job, float]] = {}
        self._processes: dict[int, BaseProcess] = {}

    def in_hand(self) -> list[tuple[_Job, float]]:
        """The jobs that are being done now, with the seconds since they began."""
        with self._lock:
            now = time.monotonic()
            return [(job, now - since) for job, since in self._running.values()]

    async def results(self, jobs: Iterable[_Job]) -> AsyncGenerator[_Result, None]:
        """Yield results as they come. Close the iterator to stop the workers."""
        if self._workers == 1:
            for job in jobs:
                with self._in_hand(0, job):
                    result = await asyncio.to_thread(self._work, self._context, job)
                yield result
            return
        loop = asyncio.get_running_loop()
        done: asyncio.Queue[_Result | BaseException | None] = asyncio.Queue()

        def deliver(item: _Result | BaseException | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(done.put_nowait, item)

        waiting = iter(jobs)
        threads = [
            threading.Thread(
                target=self._drive, args=(number, waiting, deliver), name=f"worker {number}"
            )
            for number in range(self._workers)
        ]
        for thread in threads:
            thread.start()
        try:
            ended = 0
            while ended < len(threads):
                item = await done.get()
                if item is None:
                    ended += 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
                    self._slots.release()
        finally:
            self.stop()
            for thread in threads:
                thread.join()

    def stop(self) -> None:
        """Stop all workers at once; what they were doing is lost."""
        self._stop.set()
        for _ in range(self._workers):
            self._slots.release()
        with self._lock:
            for process in self._processes.values():
                process.kill()

    @contextlib.contextmanager
    def _in_hand(self, number: int, job: _Job) -> Iterator[None]:
        with self._lock:
            self._running[number] = (job, time.monotonic())
        try:
            yield
        finally:
            with self._lock:
                self._running.pop(number, None)

    def _drive(
        self,
        number: int,
        waiting: Iterator[_Job],
        deliver: Callable[[_Result | BaseException | None], None],
    ) -> None:
        """Give jobs to one worker, a new one where it died, until there are none."""
        worker = _Worker(self, number)
        try:
            while True:
                self._slots.acquire()
                with self._lock:
                    job = None if self._stop.is_set() else next(waiting, None)
                if job is None:
                    return
                with self._in_hand(number, job):
                    result = self._do(worker, job)
                if self._stop.is_set():
                    return
                deliver(result)
        except BaseException as error:  # noqa: BLE001 - handed to whoever takes the results
            deliver(error)
        finally:
            worker.end()
            deliver(None)

    def _do(self, worker: _Worker[_Context, _Job, _Result], job: _Job) -> _Result:
        for attempt in range(1, _TRIES + 1):
            try:
                return worker.do(job, self._seconds)
            except TimeoutError:
                return self._lost(job, f"timeout: not done after {self._seconds:g} s")
            except _DeadError as death:
                if attempt == _TRIES or self._stop.is_set():
                    return self._lost(job, f"worker_died: {death}")
        raise AssertionError  # the loop always returns

    def _start(self, number: int) -> tuple[BaseProcess, Connection]:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        process = spawn.Process(
            target=_serve, args=(self._work, self._context, theirs), daemon=True
        )
        with self._lock:
            if self._stop.is_set():
                raise _DeadError("the run is being stopped")
            process.start()
            self._processes[number] = process
        theirs.close()
        return process, ours


class _DeadError(Exception):
    """A worker is gone."""


class _Worker(Generic[_Context, _Job, _Result]):
    """The near end of one worker process."""

    def __init__(self, pool: Pool[_Context, _Job, _Result], number: int) -> None:
        self._pool = pool
        self._number = number
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def do(self, job: _Job, seconds: float) -> _Result:
        """Have a job done.

        Raises:
            TimeoutError: It took too long; the worker was killed.
            _DeadError: The worker died.
        """
        if self._process is None or self._pipe is None:
            self._process, self._pipe = self._pool._start(self._number)
        try:
            self._pipe.send(job)
            if not wait([self._pipe, self._process.sentinel], seconds):
                self.end(kill=True)
                raise TimeoutError
            # What a worker sent before it died is still in the pipe.
            result: _Result = self._pipe.recv()
        except (EOFError, ConnectionError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise _DeadError(self._obituary()) from None
        return result

    def _obituary(self) -> str:
        process = self._process
        self.end(kill=True)
        code = None if process is None else process.exitcode
        if code == -9:
            return "killed (signal 9), most likely for want of memory"
        return f"ended with code {code}"

    def end(self, *, kill: bool = False) -> None:
        """End the process, at once or after its job."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            if not kill:
                self._process.join(2)
            if self._process.is_alive():
                self._process.join(0.2)
                self._process.kill()
            self._process.join()
        self._process = self._pipe = None


def _serve(work: Callable[[_Context, _Job], _Result], context: _Context, pipe: Connection) -> None:
    """Be a worker: take jobs until the pipe's other end is closed, by intent or by death."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        result = work(context, job)
        try:
            pipe.send(result)
        except OSError:
            return
