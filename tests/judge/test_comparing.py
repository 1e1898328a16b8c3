"""`judge compare` says what was found before and after, and a shift that is there as one."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from tests.judge.made_trust import make_trust

BEFORE = "stands: Weight decay (a.py:3); 0.05: not found, weight_decay is 0.1 at a.py:3"
AFTER = "stands: Weight decay (a.py:3); weight_decay is 0.05 at a.py:3"


def judge(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def reword(run: Path, found: str, level: int, *, place: int = 5) -> dict[str, Any]:
    """Give one verdict of a run another level and finding."""
    path = run / "verdicts.jsonl"
    verdicts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    verdicts[place] |= {"found": found, "level": level}
    path.write_text("".join(f"{json.dumps(one)}\n" for one in verdicts), encoding="utf-8")
    changed: dict[str, Any] = verdicts[place]
    return changed


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two runs that differ in one verdict alone."""
    make_trust(tmp_path)
    first, second = tmp_path / "run", tmp_path / "second"
    shutil.copytree(first, second)
    reword(first, BEFORE, 2)
    reword(second, AFTER, 3)
    return first, second


def test_what_was_found_before_and_after_is_said(runs: tuple[Path, Path]) -> None:
    first, second = runs
    record = json.loads(judge("compare", first, second, "--json").output)
    (one,) = record["changes"]
    assert (one["found_before"], one["found_after"]) == (BEFORE, AFTER)
    shown = judge("compare", first, second).output
    # What both say is left out: what is new is seen at once.
    assert "before: 0.05: not found, weight_decay is 0.1 at a.py:3\n" in shown
    assert "after: weight_decay is 0.05 at a.py:3\n" in shown
    assert "stands" not in shown


def test_where_one_account_holds_the_other_both_are_whole(runs: tuple[Path, Path]) -> None:
    first, second = runs
    reword(second, BEFORE + "; and more", 3)
    shown = judge("compare", first, second).output
    assert f"before: {BEFORE}\n" in shown
    assert f"after: {BEFORE}; and more\n" in shown


def test_an_account_is_cut_in_text_and_whole_in_json(runs: tuple[Path, Path]) -> None:
    first, second = runs
    long = "word " * 200 + "end"
    reword(second, long, 3)
    shown = judge("compare", first, second).output
    assert "end" not in shown.split("after:")[1].split("\n")[0]
    (one,) = json.loads(judge("compare", first, second, "--json").output)["changes"]
    assert one["found_after"] == long


def test_a_small_shift_of_the_mean_has_its_sign_and_its_digits(runs: tuple[Path, Path]) -> None:
    first, second = runs
    for pair, sign in (((first, second), "+"), ((second, first), "-")):
        shown = judge("compare", *pair).output
        found = re.search(r"mean score, second less first: (\S+) \[(\S+), (\S+)\]", shown)
        assert found is not None, shown
        # One claim of 256 by a quarter.
        assert found[1] == f"{sign}0.00098"
        assert float(found[2]) <= float(found[1]) <= float(found[3])


def test_no_shift_is_called_none(runs: tuple[Path, Path]) -> None:
    first, _ = runs
    shown = judge("compare", first, first).output
    assert "mean score, second less first: unchanged" in shown
    assert "0.000" not in shown.split("second less first")[1].split("\n")[0]
