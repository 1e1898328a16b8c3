"""Workers: a job that goes wrong costs itself alone, and everything is bounded."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.workers import Pool, WorkerError
from tests.judge import odd_jobs

ROOT = Path(__file__).parents[2]
Job = tuple[str, object]


def pool(**changes: Any) -> Pool[object, Job, Any]:
    fields: dict[str, Any] = {
        "context": "the context",
        "workers": 1,
        "seconds": 60.0,
        # What other tests' workers need too: the first pool decides what is loaded once for all.
        "preload": ("judge.preparing",),
    }
    fields.update(changes)
    return Pool(odd_jobs.work, fields.pop("context"), odd_jobs.lost, **fields)


def do(made: Pool[object, Job, Any], *jobs: Job) -> list[Any]:
    async def every() -> list[Any]:
        return [result async for result in made.results(jobs)]

    return asyncio.run(every())


def doubles(*numbers: int) -> list[Job]:
    return [("double", number) for number in numbers]


def wait_for(what: Callable[[], bool]) -> None:
    while not what():
        time.sleep(0.01)


def written(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that has ended and that nobody has asked after yet is still there by name.
    state = Path(f"/proc/{pid}/stat")
    if not state.exists():
        return True
    return state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_every_job_is_done_once(workers: int) -> None:
    results = do(pool(workers=workers), *doubles(*range(8)), ("context", None))
    assert sorted(results, key=str) == sorted(
        [*(("double", 2 * n) for n in range(8)), ("context", "the context")], key=str
    )


@pytest.mark.skipif(
    "forkserver" not in multiprocessing.get_all_start_methods(), reason="no server of forks"
)
def test_ctrl_c_is_the_parent_s_alone() -> None:
    assert do(pool(), ("deaf", None)) == [("deaf", True)]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_one_worker_is_another_process_and_keeps_its_context() -> None:
    results = do(pool(), ("process", 1), ("process", 2))
    assert len(set(results)) == 1
    assert results[0] != ("process", os.getpid())


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("die", "worker_died: ended with code 7"),
        ("raise", "worker_failed: RecursionError: too deep"),
        ("unpicklable", "worker_failed: TypeError: cannot pickle '_thread.lock' object"),
        ("unreadable", "worker_failed: the result cannot be read (not to be read)"),
    ],
)
def test_a_job_that_goes_wrong_costs_itself_alone(word: str, reason: str) -> None:
    results = do(pool(), ("double", 1), (word, None), ("double", 2))
    assert results == [("double", 2), (word, reason), ("double", 4)]


def test_a_job_that_hangs_is_ended_also_where_there_is_one_worker(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    results = do(pool(seconds=1.0), ("hang", mark), ("double", 2))
    assert results == [("hang", "timeout: not done after 1 s"), ("double", 4)]
    assert not alive(int(mark.read_text(encoding="utf-8")))


def test_a_worker_that_dies_once_is_replaced(tmp_path: Path) -> None:
    results = do(pool(), ("die_once", tmp_path / "mark"), ("double", 2))
    assert results == [("die_once", "done"), ("double", 4)]


def test_starting_a_worker_does_not_count_against_its_job() -> None:
    made = pool(context=odd_jobs.SlowToStart(), seconds=1.0)
    assert do(made, ("context", None)) == [("context", odd_jobs.SLOW_TO_START)]


def test_a_worker_that_never_becomes_ready_is_no_fault_of_a_job() -> None:
    with pytest.raises(WorkerError, match=r"cannot be started \(ended with code 3\)"):
        do(pool(context=odd_jobs.NeverThere()), *doubles(1))
    with pytest.raises(WorkerError, match=r"not ready after 0\.2 s"):
        do(pool(context=odd_jobs.SlowToStart(), start_seconds=0.2), *doubles(1))


def test_what_cannot_be_sent_to_a_worker_is_said() -> None:
    with pytest.raises(WorkerError, match="cannot be sent to a worker process"):
        do(pool(context=threading.Lock()), *doubles(1))


def test_workers_are_stopped_in_the_middle_of_a_job(tmp_path: Path) -> None:
    made = pool(workers=2)
    marks = [tmp_path / "one", tmp_path / "two"]

    async def stopped() -> list[Any]:
        async with contextlib.aclosing(made.results([("hang", m) for m in marks])) as results:
            taking = asyncio.ensure_future(anext(results))
            await asyncio.to_thread(
                wait_for, lambda: all(m.exists() and m.stat().st_size for m in marks)
            )
            assert len(made.in_hand()) == 2
            made.stop()
            with pytest.raises(StopAsyncIteration):
                await taking
        return made.in_hand()

    assert asyncio.run(stopped()) == []
    assert not any(alive(int(mark.read_text(encoding="utf-8"))) for mark in marks)


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_worker_in_the_middle_of_a_job_ends_with_its_parent(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    code = (
        "import asyncio, sys\n"
        "from judge.workers import Pool\n"
        "from tests.judge import odd_jobs\n"
        "async def main():\n"
        "    made = Pool(odd_jobs.work, None, odd_jobs.lost, workers=1, seconds=600)\n"
        "    async for _ in made.results([('hang', sys.argv[1])]): pass\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(mark)], cwd=ROOT)
    try:
        wait_for(lambda: written(mark))
    finally:
        process.kill()
        process.wait()
    wait_for(lambda: not alive(int(mark.read_text(encoding="utf-8"))))


def test_nothing_is_imported_from_the_current_folder(tmp_path: Path) -> None:
    for name in ("multiprocessing", "pickle", "random", "signal", "struct"):
        (tmp_path / f"{name}.py").write_text(
            f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8"
        )
    script = tmp_path / "elsewhere" / "start.py"
    script.parent.mkdir()
    script.write_text(
        f"import asyncio, sys\nsys.path.insert(1, {str(ROOT)!r})\n"
        "from judge.workers import Pool\n"
        "from tests.judge import odd_jobs\n"
        "async def main():\n"
        "    made = Pool(odd_jobs.work, None, odd_jobs.lost, workers=1, seconds=60)\n"
        "    async for result in made.results([('path', None)]): print(result)\n"
        "if __name__ == '__main__': asyncio.run(main())\n",
        encoding="utf-8",
    )
    told = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert str(script.parent) in told.stdout
    assert not (tmp_path / "ran").exists()
