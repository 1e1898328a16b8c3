"""What is piped to a reader that leaves: the command ends as if it had been read to the end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAPERS = ROOT / "benchmark" / "suite" / "papers"
REPO = ROOT / "benchmark" / "suite" / "submissions" / "faithful" / "adam" / "repo"


def unread(words: Sequence[str], *, both: bool = False, cwd: Path = ROOT) -> tuple[int, str]:
    """Run a command whose output nobody reads: its exit code, and what it complains of."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "judge", *words],
            stdout=write, stderr=write if both else subprocess.PIPE,
            cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
        )  # fmt: skip
    finally:
        os.close(write)
    return done.returncode, "" if both else done.stderr.decode("utf-8")


CHECK = ["check", str(REPO), "--saus", str(PAPERS), "--paper", "adam"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--help"], 0),
        (["search", str(REPO), "Adam divides by the root of the second moment"], 0),
        (["search", str(REPO), "Adam", "--json"], 0),
        (CHECK, 0),
        ([*CHECK, "--fail-under", "1"], 1),
    ],
)
def test_output_that_nobody_reads_changes_no_exit_code(words: list[str], code: int) -> None:
    assert unread(words) == (code, "")


def test_complaints_that_nobody_reads_change_none_either(tmp_path: Path) -> None:
    assert unread(["plan"], both=True, cwd=tmp_path) == (2, "")


def test_a_run_goes_on_when_nobody_looks_any_more(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(
        f"benchmark: {{path: {PAPERS.as_posix()}, papers: [adam]}}\n"
        f"submissions: {{path: {REPO.parents[2].as_posix()}, agents: [faithful]}}\n"
        "output: {path: out, workers: 1}\n",
        encoding="utf-8",
    )
    assert unread(["run"], both=True, cwd=tmp_path) == (0, "")
    assert (tmp_path / "out" / "report" / "index.html").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is needed")
def test_a_full_disk_is_still_a_fault() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "judge", "search", str(REPO), "Adam", "--json"],
            stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert b"error: " in done.stderr
