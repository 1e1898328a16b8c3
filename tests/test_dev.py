"""`dev.py`: what a person sees who has just cloned the project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

if os.name != "posix":
    pytest.skip("the stand-in for Python is a shell script", allow_module_level=True)

STAND_IN = """#!/bin/sh
case "$2" in
pip) echo "Looking in links: somewhere"; echo "WARNING: noise" >&2; exit {code} ;;
judge) echo "graded" ;;
esac
"""


def demo(folder: Path, code: int) -> subprocess.CompletedProcess[str]:
    """`dev.py demo` in a clone whose pip talks and ends with a code."""
    for name in ("dev.py", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(STAND_IN.format(code=code), encoding="utf-8")
    python.chmod(0o755)
    return again(folder)


def again(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "dev.py", "demo"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_setting_up_says_one_line_and_the_second_time_none(tmp_path: Path) -> None:
    first = demo(tmp_path, 0)
    assert first.returncode == 0, first.stderr
    assert first.stdout == "graded\n"
    (line,) = first.stderr.splitlines()
    assert line.startswith("dev.py: setting up .venv with Python 3.")
    second = again(tmp_path)
    assert (second.stdout, second.stderr) == ("graded\n", "")


def test_a_failing_installation_shows_what_pip_said(tmp_path: Path) -> None:
    failed = demo(tmp_path, 7)
    assert failed.returncode == 7
    assert "graded" not in failed.stdout
    assert "WARNING: noise" in failed.stderr
    assert "Looking in links" in failed.stderr
    # Nothing is taken for installed: the next time it is tried again.
    assert again(tmp_path).returncode == 7
