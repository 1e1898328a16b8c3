"""Foreseen levels are said to be so wherever levels are shown, and never compared with others."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from judge.cli import cli
from judge.embedded.foreseen import JUDGES
from judge.foreseeing import foreseen_by, foreseen_remarks
from judge.models.embedded import EmbeddedJudge
from judge.report.writing import write_report
from judge.summary import summarise
from judge.tables import print_summary
from tests.judge.made_runs import by, graded, note, run_of, sau
from tests.judge.made_trust import make_trust
from tests.planting import plant

FORESEEN = "embedded, foreseeing gpt-5.5"
REMARK = (
    "levels are foreseen: what SA-Bench's published scorer would most likely have given with "
    "gpt-5.5; they are not verdicts by the rubric"
)


def judge(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_a_judge_that_foresees_is_told_by_its_name() -> None:
    assert [foreseen_by(EmbeddedJudge(one).name) for one in JUDGES] == list(JUDGES)
    assert foreseen_by(EmbeddedJudge().name) is None
    assert foreseen_by("openai:foreseeing") is None


def test_each_foreseen_judge_has_one_remark_and_others_none() -> None:
    assert foreseen_remarks([FORESEEN, FORESEEN]) == [REMARK]
    assert foreseen_remarks(["embedded", "openai:m"]) == []
    (mixed,) = foreseen_remarks(["openai:m", FORESEEN])
    assert FORESEEN in mixed
    assert mixed.endswith("not verdicts by the rubric")


@pytest.mark.parametrize("name", [FORESEEN, "embedded"])
def test_a_run_says_so_in_its_summary_its_table_and_its_report(tmp_path: Path, name: str) -> None:
    claims, notes = [sau(1), sau(2)], [note("opus", "adam")]
    verdicts = [graded(notes[0], one, 2, provenance=by(name)) for one in claims]
    summary = summarise(verdicts, {one.id: one for one in claims}, notes)
    foreseen = name == FORESEEN
    assert summary.remarks == ([REMARK] if foreseen else [])
    stream = io.StringIO()
    print_summary(summary, Console(file=stream, width=80, color_system=None))
    assert (f"! {REMARK}" in stream.getvalue()) == foreseen
    index = write_report(run_of(claims, notes, verdicts), tmp_path / "report")
    record = json.loads((index.parent / "summary.json").read_text(encoding="utf-8"))
    assert record["remarks"] == summary.remarks
    for page in (index, *(index.parent / "submissions").glob("*.html")):
        text = page.read_text(encoding="utf-8").replace("&#39;", "'")
        assert (REMARK[1:] in text) == foreseen, page


def test_a_check_says_so_in_every_form(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "repo/train.py": "rate = 0.1\nprint(rate)\n",
            "spec.yaml": '- {claim: "The learning rate is 0.1", dimension: D1}\n',
            "foreseen.yaml": {
                "benchmark": {"path": "suite"},
                "judge": {"kind": "embedded", "foresee": "gpt-5.5"},
                "cache": {"path": "kept"},
            },
        },
    )
    words = ("check", tmp_path / "repo", "--saus", tmp_path / "spec.yaml")
    more = (*words, "--judge", tmp_path / "foreseen.yaml")
    assert judge(*more).stdout.count(f"! {REMARK}\n") == 1
    assert json.loads(judge(*more, "--json").stdout)["remarks"] == [REMARK]
    (run,) = json.loads(judge(*more, "--sarif").stdout)["runs"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert [one["message"]["text"] for one in notes] == [REMARK]
    assert "foreseen" not in judge(*words).stdout


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    make_trust(tmp_path)
    return tmp_path


def rename(run: Path, name: str) -> None:
    file = run / "verdicts.jsonl"
    text = file.read_text(encoding="utf-8")
    assert '"judge": "toy"' in text
    file.write_text(text.replace('"judge": "toy"', f'"judge": "{name}"'), encoding="utf-8")


@pytest.mark.parametrize("other", ["toy", "embedded, foreseeing deepseek-v4-pro"])
def test_foreseen_levels_are_compared_with_no_others(runs: Path, other: str) -> None:
    rename(runs / "run", other) if other != "toy" else None
    rename(runs / "worse", FORESEEN)
    for pair in (("run", "worse"), ("worse", "run")):
        result = judge("compare", *(runs / one for one in pair))
        assert result.exit_code == 2
        assert other in result.output
        assert FORESEEN in result.output
        assert str(runs / "worse") in result.output
        assert "Compare runs by one judge" in result.output


def test_runs_that_foresee_the_same_judge_are_compared(runs: Path) -> None:
    for name in ("run", "worse"):
        rename(runs / name, FORESEEN)
    result = judge("compare", runs / "run", runs / "worse")
    assert result.exit_code == 5
    assert "judges differ" not in result.output


def test_judges_that_differ_are_both_named(runs: Path) -> None:
    alike = judge("compare", runs / "run", runs / "worse")
    assert "the judge's own drift" in alike.output
    assert "judges differ" not in alike.output
    rename(runs / "worse", "openai:other")
    result = judge("compare", runs / "run", runs / "worse")
    assert result.exit_code == 5
    assert "the judges differ: toy in the first run, openai:other in the second" in result.output
    assert "the judge's own drift" not in result.output
    record = json.loads(judge("compare", runs / "run", runs / "worse", "--json").output)
    assert record["judges"] == [["toy"], ["openai:other"]]
