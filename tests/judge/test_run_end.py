"""How a run ends: by what is on the disk, cleanly when cancelled, and saying what failed first."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.cache import AnswerCache
from judge.ledger import LedgerError
from judge.pipeline import run_plan
from judge.progress import Counts, SilentReporter
from judge.records import Attempt
from judge.store import RunStore, iter_attempts, iter_verdicts, read_run
from judge.verdict import Verdict
from tests.judge.toys import Here, Wire, bench, plan


def go(made: Any) -> Any:
    return asyncio.run(run_plan(made))


# ---- what is on the disk ---------------------------------------------------------------------


def test_a_verdict_that_is_not_on_the_disk_is_missing_whatever_was_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = RunStore.append_verdict

    def forgetful(self: RunStore, verdict: Verdict) -> None:
        if verdict.sau != "paper0-D1-001":
            append(self, verdict)

    monkeypatch.setattr(RunStore, "append_verdict", forgetful)
    made = plan(tmp_path, Wire())
    result = go(made)
    assert (result.counts.graded, result.exit_code, result.errors) == (12, 3, 2)
    assert read_run(made.output).meta.state == "incomplete"


def test_a_complete_run_says_so_in_run_json(tmp_path: Path) -> None:
    made = plan(tmp_path, Wire())
    assert (go(made).exit_code, read_run(made.output).meta.state) == (0, "complete")
    file = made.output / "verdicts.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))
    assert (go(made).exit_code, read_run(made.output).meta.state) == (0, "complete")
    assert len(list(iter_verdicts(made.output))) == 12


def test_submissions_that_a_stopped_run_did_not_come_to_are_missing_and_not_forgotten(
    tmp_path: Path,
) -> None:
    async def cancelled(made: Any) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await run_plan(made)

    made = plan(tmp_path, Wire(delay=30), concurrency=1)
    asyncio.run(cancelled(made))
    run = read_run(made.output)
    assert [note.id for note in run.submissions] == sorted(s.id for s in made.submissions)
    assert run.verdicts == []


class Watch(SilentReporter):
    """Notes when the run began."""

    began = 0.0

    def start(self, counts: Counts) -> None:
        self.began = time.monotonic()
        assert counts.started <= self.began


def test_a_resumed_run_does_not_count_the_time_of_what_it_kept(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    go(made)
    file = made.output / "verdicts.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:9]))
    watch = Watch()
    result = asyncio.run(run_plan(made, reporter=watch))
    assert (result.counts.settled, result.counts.kept, result.counts.graded) == (9, 9, 3)
    assert result.counts.started > watch.began


# ---- cancelled from outside ------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 1])
def test_a_run_that_is_cancelled_ends_cleanly_and_passes_it_on(
    tmp_path: Path, workers: int
) -> None:
    wire = Wire({}, delay=60)
    made = plan(tmp_path, wire, workers=workers)

    async def cancelled() -> None:
        running = asyncio.create_task(run_plan(made))
        while not wire.flying:  # noqa: ASYNC110 - the judge under test tells nobody
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancelled())
    assert wire.closed
    assert wire.flying == 0
    assert read_run(made.output).meta.state == "stopped"
    assert go(replace(made, judge=Wire())).exit_code == 0


def test_a_time_limit_around_a_run_is_told_as_one(tmp_path: Path) -> None:
    made = plan(tmp_path, Here(), workers=1)
    (tmp_path / "in" / "agent0" / "paper0" / "mischief.py").write_text("hang\n", encoding="utf-8")

    async def limited() -> None:
        async with asyncio.timeout(1.5):
            await run_plan(made)

    with pytest.raises(TimeoutError):
        asyncio.run(limited())
    assert read_run(made.output).meta.state == "stopped"


# ---- a disk that is full ---------------------------------------------------------------------


class FullDisk:
    """Lets some rows into the ledger, then none, and counts how often it was tried."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
        self.left = rows
        self.refused = 0
        append = RunStore.append_attempts
        disk = self

        def limited(self: RunStore, attempts: list[Attempt]) -> None:
            if len(attempts) > disk.left:
                disk.refused += 1
                raise OSError(28, "No space left on device")
            disk.left -= len(attempts)
            append(self, attempts)

        monkeypatch.setattr(RunStore, "append_attempts", limited)


def test_answers_that_cannot_be_written_down_are_saved_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FullDisk(monkeypatch, rows=3)
    wire = Wire(delay=0.02)
    made = plan(tmp_path, wire, benchmark=bench(claims=20), concurrency=4)
    with pytest.raises(LedgerError, match="No space left"):
        go(made)
    assert disk.refused == 1
    asked = len(wire.asked)
    assert len(list(iter_attempts(made.output))) <= 3 < asked
    with contextlib.closing(AnswerCache(made.cache)) as cache:
        assert len(cache) == asked
    monkeypatch.undo()
    again = Wire()
    assert go(replace(made, judge=again)).exit_code == 0
    assert len(again.asked) == 80 - asked


def test_what_failed_first_is_told_and_not_what_failed_because_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FullDisk(monkeypatch, rows=0)

    def full(self: RunStore, **changes: Any) -> None:
        raise OSError(28, "run.json cannot be written either")

    monkeypatch.setattr(RunStore, "update_meta", full)
    monkeypatch.setattr(RunStore, "sync", full)
    monkeypatch.setattr("judge.lines.AppendFile.sync", full)
    with pytest.raises(LedgerError, match="No space left"):
        go(plan(tmp_path, Wire()))
