"""A run that applies a calibration: beside the verdicts, never in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.calibrator import Calibrator
from judge.cli import cli
from judge.store import iter_verdicts
from tests.planting import small_project


def run(config: Path) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["run", "--config", str(config), "--quiet", "--no-report"])
    return result.exit_code, result.output


def calibrator(judge: str) -> Calibrator:
    return Calibrator(
        judge=judge,
        model="level",
        features=("level",),
        thresholds=(-1.0, 0.0, 1.0, 2.0),
        slopes=(1.5,),
        labels=60,
        papers=6,
        kinds={"person": 60},
        data="0" * 64,
        coverage=0.8,
        set_limit=0.7,
        loss="off_by_two",
        accepted_risk=0.1,
        answer_limit=0.2,
    )


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = small_project(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "output: {path: out}\n", encoding="utf-8")
    assert run(path)[0] == 0
    path.write_text(
        text + "output: {path: out}\ncalibration: {path: calibration.json}\n", encoding="utf-8"
    )
    return path


def test_a_run_writes_what_its_verdicts_are_worth_and_leaves_them_as_they_are(
    config: Path,
) -> None:
    out = config.parent / "out"
    before = (out / "verdicts.jsonl").read_bytes()
    verdicts = list(iter_verdicts(out))
    calibrator(verdicts[0].provenance.judge).save(config.parent / "calibration.json")
    for _ in range(2):  # the second run finds the file and is not disturbed by it
        code, output = run(config)
        assert code == 0, output
        assert f"calibrated.jsonl: {len(verdicts)} verdicts calibrated" in output
    rows = [
        json.loads(line)
        for line in (out / "calibrated.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert {(row["submission"], row["sau"]) for row in rows} == {
        (one.submission, one.sau) for one in verdicts
    }
    assert all(abs(sum(row["distribution"]) - 1) < 1e-5 for row in rows)
    assert (out / "verdicts.jsonl").read_bytes() == before


@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_calibration_that_does_not_fit_is_refused_before_anything_is_judged(
    config: Path, command: str
) -> None:
    verdicts = config.parent / "out" / "verdicts.jsonl"
    judge = next(iter_verdicts(config.parent / "out")).provenance.judge
    verdicts.unlink()

    def refused() -> str:
        result = CliRunner().invoke(cli, [command, "--config", str(config)])
        assert result.exit_code == 2
        assert not verdicts.exists()
        return result.output

    assert "the calibration cannot be read" in refused()
    calibrator("somebody else").save(config.parent / "calibration.json")
    output = refused()
    assert "was fitted on verdicts of 'somebody else'" in output
    assert "run.yaml" in output
    of_another = calibrator(judge).model_copy(update={"prompt_hash": "0123456789ab"})
    of_another.save(config.parent / "calibration.json")
    assert "another prompt" in refused()


def test_what_another_judge_left_there_of_other_claims_is_no_matter(config: Path) -> None:
    out = config.parent / "out"
    verdicts = list(iter_verdicts(out))
    calibrator(verdicts[0].provenance.judge).save(config.parent / "calibration.json")
    theirs = verdicts[0].provenance.model_copy(update={"judge": "somebody else"})
    other = verdicts[0].model_copy(update={"submission": "old/adam", "provenance": theirs})
    with (out / "verdicts.jsonl").open("a", encoding="utf-8") as file:
        file.write(other.model_dump_json() + "\n")
    code, output = run(config)
    assert code == 0, output
    assert f"calibrated.jsonl: {len(verdicts)} verdicts calibrated" in output
