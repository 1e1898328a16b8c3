"""Killed at any moment and started again: every verdict once, none lost, nothing asked twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.lines import iter_lines
from judge.store import iter_attempts, read_run
from judge.verdict import Status

ROOT = Path(__file__).parents[2]
PAIRS = 2 * 15 * 3
MENDED = 2 * 5 * 3
"""Pairs whose first answer cannot be read, so that each takes two questions."""
QUESTIONS = PAIRS + MENDED
SCRIPT = {
    "answers": [
        {"when": "Your answer cannot be used", "answer": {}},
        {"when": "rate is (?:3|6|9|12|15)e-4", "text": "I would say that it is all there."},
    ],
}
CONCURRENCY = 4
LATENCY = 0.03

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="kill -9 and process groups"),
    pytest.mark.timeout(120),
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A counting provider in a process of its own; its address, and the file of its counts."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps({**SCRIPT, "latency_seconds": LATENCY}), encoding="utf-8")
    counts = tmp_path / "counts.jsonl"
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.servers.fake_provider", "--port", "0"),
            *("--script", str(script), "--counts", str(counts)),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1], counts
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def asked(counts: Path) -> int:
    return sum(b'"asked"' in line.data for line in iter_lines(counts))


def rows(file: Path) -> int:
    return sum(1 for _ in iter_lines(file))


def start(folder: Path, url: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.judge.crash_run", str(folder), url]
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True)


def group_is_gone(group: int) -> bool:
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_killed_again_and_again(tmp_path: Path, server: tuple[str, Path]) -> None:
    url, counts = server
    folder = tmp_path / "crash"
    ledger = folder / "out" / "attempts.jsonl"
    verdicts = folder / "out" / "verdicts.jsonl"
    dice = random.Random(20261129)
    lost = 0
    kills = 0
    for target in [0, *sorted(dice.sample(range(1, QUESTIONS - 10), 3))]:
        process = start(folder, url)
        if not target:  # while the run directory is being made
            while process.poll() is None and not (folder / "out").exists():
                time.sleep(0.001)
        while process.poll() is None and asked(counts) - lost < target:
            time.sleep(0.002)
        time.sleep(dice.random() * LATENCY * (2 if target else 0.2))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
        # Workers whose parent was killed must not stay behind.
        assert group_is_gone(process.pid)
        time.sleep(LATENCY * 3)  # the server counts what was still on its way
        in_flight = asked(counts) - rows(ledger) - lost
        assert 0 <= in_flight <= CONCURRENCY
        lost += in_flight
        if target and dice.random() < 0.5:
            with verdicts.open("ab") as file:  # as a power loss would leave it
                file.write(b'{"submission":"agent0/paper0","agent":"ag')
    assert kills >= 3

    process = start(folder, url)
    assert process.wait(timeout=60) == 0

    run = read_run(folder / "out")
    pairs = Counter((verdict.submission, verdict.sau) for verdict in run.verdicts)
    assert len(pairs) == PAIRS
    assert set(pairs.values()) == {1}
    assert rows(verdicts) == PAIRS
    assert all(verdict.status is Status.GRADED for verdict in run.verdicts)
    keys = Counter(attempt.request_key for attempt in iter_attempts(folder / "out"))
    assert len(keys) == QUESTIONS
    assert set(keys.values()) == {1}
    assert asked(counts) == QUESTIONS + lost
    assert sum("reasked_bad_json" in verdict.flags for verdict in run.verdicts) == MENDED
    assert run.meta.state == "complete"

    before = asked(counts)
    process = start(folder, url)
    assert process.wait(timeout=60) == 0
    assert asked(counts) == before
    assert rows(verdicts) == PAIRS
