"""Worker processes for work that a hostile input may kill.

Each worker has one job at a time and a pipe of its own, so a worker that dies or hangs is known by
its job, and costs that job alone. A worker whose parent is gone ends by itself.

Where the system can, workers are forked from a small server that has the program loaded already
and runs no threads: that makes a new one in milliseconds. Elsewhere each is a fresh interpreter.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any, Generic, TypeVar

from benchmark import GraderError

__all__ = ["Pool", "WorkerError", "usable_cores", "warm_up"]

_Context = TypeVar("_Context")
_Job = TypeVar("_Job")
_Result = TypeVar("_Result")

_TRIES = 2
_START_SECONDS = 120.0
_READY, _DONE, _FAILED = b"ready", b"done", b"failed"
_YOUNG = 5_000  # new objects before the cycle collector looks at them


class WorkerError(GraderError):
    """No worker process can be had."""


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool(Generic[_Context, _Job, _Result]):
    """Does jobs in worker processes.

    Args:
        work: The function of context and job, at the top of a module.
        context: What is the same for all jobs; sent to each worker once.
        lost: Makes the result of a job that failed, whose worker died or that took too long, from
            the reason.
        workers: Number of processes. With 0 the jobs are done in a thread of this process, where
            nothing bounds them: that is for tests.
        seconds: How long one job may take, from when its worker is ready for it.
        start_seconds: How long a worker may take until it is ready.
        ahead: Results that may wait to be taken before workers pause.
        preload: Modules to load once for all workers, besides the one of `work`.
    """

    def __init__(
        self,
        work: Callable[[_Context, _Job], _Result],
        context: _Context,
        lost: Callable[[_Job, str], _Result],
        *,
        workers: int,
        seconds: float,
        start_seconds: float = _START_SECONDS,
        ahead: int = 2,
        preload: Sequence[str] = (),
    ) -> None:
        self._work = work
        self._context = context
        self._lost = lost
        self._workers = workers
        self._seconds = seconds
        self._start_seconds = start_seconds
        self._preload = (work.__module__, *preload)
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
        """Yield results as they come. Close the iterator to stop the workers.

        Raises:
            WorkerError: No worker can be started.
        """
        if self._workers == 0:
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
                result = self._do(worker, number, job)
                if self._stop.is_set():
                    return
                deliver(result)
        except BaseException as error:  # noqa: BLE001 - handed to whoever takes the results
            deliver(error)
        finally:
            worker.end()
            deliver(None)

    def _do(self, worker: _Worker[_Context, _Job, _Result], number: int, job: _Job) -> _Result:
        for attempt in range(1, _TRIES + 1):
            try:
                worker.make_ready(self._start_seconds)
            except _DeadError as death:
                if self._stop.is_set():
                    return self._lost(job, f"worker_died: {death}")
                if attempt == _TRIES:
                    raise WorkerError(
                        f"a worker process cannot be started ({death}). A script that starts a "
                        "run must do so under `if __name__ == '__main__':`"
                    ) from None
                continue
            try:
                with self._in_hand(number, job):
                    return worker.do(job, self._seconds)
            except TimeoutError:
                return self._lost(job, f"timeout: not done after {self._seconds:g} s")
            except _FailedError as failure:
                return self._lost(job, f"worker_failed: {failure}")
            except _DeadError as death:
                if attempt == _TRIES or self._stop.is_set():
                    return self._lost(job, f"worker_died: {death}")
        raise AssertionError  # the loop always returns

    def _start(self, number: int) -> tuple[BaseProcess, Connection]:
        """Start a process.

        Raises:
            WorkerError: What it should be given cannot be sent to a process.
            _DeadError: There is none, or none is wanted any more.
        """
        if self._stop.is_set():
            raise _DeadError("the run is being stopped")
        context: Any = multiprocessing.get_context(_METHOD)
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_serve, args=(self._work, self._context, theirs), daemon=True
        )
        try:
            with _as_this_process():
                if _METHOD == "forkserver":
                    _serve_forks(self._preload)
                process.start()
        except (OSError, EOFError) as error:
            raise _DeadError(f"{type(error).__name__}: {error}") from None
        except Exception as error:
            raise WorkerError(
                f"the judge cannot be sent to a worker process ({type(error).__name__}: {error})"
            ) from error
        finally:
            theirs.close()
        with self._lock:
            self._processes[number] = process
            if self._stop.is_set():
                process.kill()
        return process, ours


def warm_up(*modules: str) -> None:
    """Begin to load what workers will need, beside whatever this process does meanwhile.

    Args:
        modules: The module of their work first.
    """
    if _METHOD == "forkserver":
        with contextlib.suppress(OSError), _as_this_process():
            _serve_forks(modules)


def _serve_forks(modules: Sequence[str]) -> None:
    """Start the server that workers are forked from, unless it runs; deaf to Ctrl-C, as they are.

    It would ignore a Ctrl-C by itself, but only once it has loaded all.
    """
    forkserver.set_forkserver_preload(list(dict.fromkeys(modules)))
    resource_tracker.ensure_running()  # which would open this thread's ears again
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_starting = threading.Lock()


@contextlib.contextmanager
def _as_this_process() -> Iterator[None]:
    """Have interpreters that are started now import from where this one does.

    Left alone they would look into the current folder first, which may hold graded code.
    """
    path = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    wanted = {"PYTHONSAFEPATH": "1", "PYTHONPATH": path}
    with _starting:
        before = {name: os.environ.get(name) for name in wanted}
        os.environ.update(wanted)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


class _DeadError(Exception):
    """A worker is gone."""


class _FailedError(Exception):
    """A job ended in an exception, or its result cannot be sent; the worker lives."""


class _Worker(Generic[_Context, _Job, _Result]):
    """The near end of one worker process."""

    def __init__(self, pool: Pool[_Context, _Job, _Result], number: int) -> None:
        self._pool = pool
        self._number = number
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def make_ready(self, seconds: float) -> None:
        """Start the process where there is none, and wait until it takes jobs.

        Raises:
            WorkerError: What it should be given cannot be sent to a process.
            _DeadError: It did not become ready.
        """
        if self._process is not None:
            return
        self._process, self._pipe = self._pool._start(self._number)
        try:
            self._receive(seconds)
        except TimeoutError:
            self.end(kill=True)
            raise _DeadError(f"not ready after {seconds:g} s") from None

    def do(self, job: _Job, seconds: float) -> _Result:
        """Have a job done.

        Raises:
            TimeoutError: It took too long; the worker was killed.
            _FailedError: It raised, or its result cannot be sent.
            _DeadError: The worker died.
        """
        assert self._pipe is not None
        try:
            self._pipe.send(job)
        except OSError:
            raise _DeadError(self._obituary()) from None
        try:
            kind = self._receive(seconds)
            data = self._receive(seconds)
        except TimeoutError:
            self.end(kill=True)
            raise
        if kind == _FAILED:
            raise _FailedError(data.decode(errors="replace"))
        try:
            result: _Result = ForkingPickler.loads(data)
        except Exception as error:
            raise _FailedError(f"the result cannot be read ({error})") from error
        return result

    def _receive(self, seconds: float) -> bytes:
        assert self._pipe is not None
        assert self._process is not None
        try:
            if not wait([self._pipe, self._process.sentinel], seconds):
                raise TimeoutError
            # What a worker sent before it died is still in the pipe.
            return self._pipe.recv_bytes()
        except (EOFError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise _DeadError(self._obituary()) from None

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
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # What a job makes mostly stays until its end: looked through often, it costs time for nothing.
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    with contextlib.suppress(EOFError, OSError):  # the parent is gone
        pipe.send_bytes(_READY)
        while True:
            job: _Job = pipe.recv()
            data: bytes | memoryview
            try:
                kind, data = _DONE, ForkingPickler.dumps(work(context, job))
            except Exception as error:  # noqa: BLE001 - told to the parent
                kind, data = _FAILED, f"{type(error).__name__}: {error}".encode(errors="replace")
            pipe.send_bytes(kind)
            pipe.send_bytes(data)


def _end_with_parent() -> None:
    """End this process, whatever it is doing, when its parent is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
