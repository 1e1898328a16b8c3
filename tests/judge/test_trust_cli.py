"""The commands on trust, as a person types them, over a small made run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from judge.trust_cli import COMMANDS
from tests.judge.made_trust import make_trust, write


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("trust")
    make_trust(root)
    return root


def judge(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_agree_prints_a_study_and_the_same_as_json(made: Path) -> None:
    shown = judge("agree", "--run", made / "run", "--labels", made / "labels.jsonl")
    assert shown.exit_code == 0, shown.output
    assert "toy against all annotators: 512 readings in 8 papers" in shown.output
    assert "annotators against each other" in shown.output
    told = judge("agree", "--run", made / "run", "--labels", made / "labels.jsonl", "--json")
    record = json.loads(told.output)
    together = record["judges"][0]
    assert together["figures"]["quadratic_kappa"]["value"] > 0.6
    assert record["accounts"]["toy"]["matched"] == 512


def test_no_figure_of_agreement_is_cut_off_where_nobody_sees_a_terminal(made: Path) -> None:
    passes = made / "passes.csv"
    rows = ["submission,sau,pass"]
    for line in (made / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["annotator"] == "ann":
            rows.append(f"{row['submission']},{row['sau']},{'yes' if row['level'] > 1 else 'no'}")
    passes.write_text("\n".join(rows), encoding="utf-8")
    set_ = ("--set", "annotator=cy", "--set", "kind=person")
    for words in ((made / "labels.jsonl",), (passes, *set_)):
        shown = judge("agree", "--run", made / "run", "--labels", *words)
        assert shown.exit_code == 0, shown.output
        assert "…" not in shown.output
        assert "true negative rate" in shown.output
        assert "by dimension" in shown.output


def test_agree_ends_with_two_where_nothing_matches(made: Path, tmp_path: Path) -> None:
    write(
        tmp_path / "other.jsonl",
        [{"submission": "x/y", "sau": "z", "annotator": "ann", "kind": "person", "level": 1}],
    )
    result = judge("agree", "--run", made / "run", "--labels", tmp_path / "other.jsonl")
    assert result.exit_code == 2
    assert "no label meets a verdict" in result.output
    assert "no verdict is about this submission" in result.output
    assert ").." not in result.output


def test_labels_given_twice_are_refused(made: Path) -> None:
    labels = made / "labels.jsonl"
    result = judge("agree", "--run", made / "run", "--labels", labels, "--labels", labels)
    assert result.exit_code == 2
    assert "ann has labelled" in result.output


def test_two_runs_of_one_judge_are_not_mixed(made: Path) -> None:
    result = judge("agree", "--run", made / "run", "--run", made / "worse",
                   "--labels", made / "labels.jsonl")  # fmt: skip
    assert result.exit_code == 2
    assert "toy has judged one/p0 p0-0 in an earlier run too" in result.output


def test_score_corrects_and_says_what_it_assumes(made: Path) -> None:
    shown = judge("score", "--run", made / "run", "--labels", made / "labels.jsonl")
    assert shown.exit_code == 0, shown.output
    assert "ppi++ holds if the labelled claims are a random draw" in shown.output
    told = judge("score", "--run", made / "run", "--labels", made / "labels.jsonl", "--cut", 2,
                 "--correction", "rogan-gladen", "--json")  # fmt: skip
    record = json.loads(told.output)
    assert [one["corrected"]["method"] for one in record["agents"]] == ["rogan-gladen"] * 2
    raw = judge("score", "--run", made / "run")
    assert "not corrected (one, two): no correction was asked for" in raw.output


def test_a_cheap_judge_is_corrected_by_another_run(made: Path) -> None:
    result = judge("score", "--run", made / "worse", "--labels-from-run", made / "run", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["agents"][0]["corrected"]["labels"] == 128


def test_a_calibration_is_fitted_written_and_applied(made: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "calibration.json", tmp_path / "calibrated.jsonl"
    shown = judge("calibrate", "--run", made / "run", "--labels", made / "labels.jsonl",
                  "--output", file, "--coverage", "0.8")  # fmt: skip
    assert shown.exit_code == 0, shown.output
    assert "expected calibration error" in shown.output
    applied = judge("calibrate", "--apply", file, "--run", made / "run", "--output", out)
    assert applied.exit_code == 0, applied.output
    first = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert sum(first["distribution"]) == pytest.approx(1, abs=1e-5)
    assert first["set"][0] <= first["calibrated_level"] <= first["set"][1]
    missing = judge("calibrate", "--run", made / "run", "--output", file)
    assert missing.exit_code == 2
    assert "--labels" in missing.output


def test_a_sheet_is_drawn_filled_and_read_back(made: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    drawn = judge("labels", "sample", "--run", made / "run", "--count", 40, "--output", sheet)
    assert drawn.exit_code == 0, drawn.output
    lines = sheet.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 41
    assert ",'=claim" in lines[1]
    again = judge("labels", "sample", "--run", made / "run", "--count", 5, "--output", sheet)
    assert again.exit_code == 2
    assert "it may hold labels" in again.output
    filled = [lines[0]] + [line.replace(",,,,,", ",2,,,,") for line in lines[1:]]
    sheet.write_text("\n".join(filled), encoding="utf-8")
    result = judge("agree", "--run", made / "run", "--labels", sheet, "--set", "annotator=cy",
                   "--set", "kind=person", "--json")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["accounts"]["toy"]["matched"] == 40


@pytest.mark.parametrize("command", ["agree", "score", "calibrate"])
def test_labels_of_another_version_of_the_claims_are_refused(
    made: Path, tmp_path: Path, command: str
) -> None:
    text = (made / "labels.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) | {"claims": "0123456789ab"} for line in text.splitlines()]
    write(tmp_path / "old.jsonl", rows)
    words = ["--output", tmp_path / "c.json"] if command == "calibrate" else []
    result = judge(command, "--run", made / "run", "--labels", tmp_path / "old.jsonl", *words)
    assert result.exit_code == 2
    assert "version 0123456789ab of the claims" in result.output
    assert str(tmp_path / "old.jsonl") in result.output


def test_how_labels_are_split_into_files_changes_nothing(made: Path, tmp_path: Path) -> None:
    lines = (made / "labels.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for place in range(3):
        part = "".join(lines[place::3])
        (tmp_path / f"part{place}.jsonl").write_text(part, encoding="utf-8")
    whole, parts = (
        judge("agree", "--run", made / "run", "--labels", path, "--json").output
        for path in (made / "labels.jsonl", tmp_path)
    )
    assert whole == parts


def test_a_plan_says_how_many_labels(made: Path) -> None:
    result = judge("labels", "plan", "--run", made / "run", "--labels", made / "labels.jsonl",
                   "--width", "0.05")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "labels alone" in result.output
    whole, agent = (
        judge("labels", "plan", "--run", made / "run", "--labels", made / "labels.jsonl",
              "--width", "0.05", "--per", per, "--json")
        for per in ("run", "agent")
    )  # fmt: skip
    # Half the claims: less is open of them, and so it takes fewer labels.
    assert (
        json.loads(agent.output)["these_papers"]["with_judge"]
        < json.loads(whole.output)["these_papers"]["with_judge"]
    )


def test_each_agent_gets_its_own_draw(made: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    drawn = judge("labels", "sample", "--run", made / "run", "--count", 25, "--per", "agent",
                  "--output", sheet)  # fmt: skip
    assert drawn.exit_code == 0, drawn.output
    rows = sheet.read_text(encoding="utf-8").splitlines()[1:]
    assert sum(row.startswith("one/") for row in rows) == 25
    assert len(rows) == 50


def test_scores_of_these_papers_alone(made: Path) -> None:
    words = ("score", "--run", made / "run", "--labels", made / "labels.jsonl")
    shown = judge(*words, "--papers", "fixed")
    assert shown.exit_code == 0, shown.output
    assert "papers are fixed" in shown.output
    assert "nothing is said of other papers" in shown.output
    wrong = judge(*words, "--papers", "fixed", "--correction", "pooled")
    assert wrong.exit_code == 2
    assert "Use --correction ppi" in wrong.output


def test_a_pilot_that_is_too_small_names_its_file(made: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    lines = (made / "labels.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    few.write_text("".join(lines[:9]), encoding="utf-8")
    for words in (("labels", "plan"), ("calibrate", "--output", tmp_path / "c.json")):
        result = judge(*words, "--run", made / "run", "--labels", few)
        assert result.exit_code == 2
        assert f"error: {few}: " in result.output


def test_every_help_says_what_a_command_needs_and_every_option_what_it_means() -> None:
    for command in COMMANDS:
        inner = command.commands.values() if isinstance(command, click.Group) else [command]
        for one in inner:
            assert len(one.help or "") > 60, one.name
            for option in one.params:
                if isinstance(option, click.Option):
                    assert option.help, (one.name, option.name)


def test_compare_names_what_broke_and_why_by_its_exit_code(made: Path) -> None:
    result = judge("compare", made / "run", made / "worse", "--json")
    record = json.loads(result.output)
    assert result.exit_code == 5
    assert record["broken"] == sum(one["direction"] == "broken" for one in record["changes"]) > 0
    assert {tuple(one["causes"]) for one in record["changes"]} == {("code",)}
    assert judge("compare", made / "worse", made / "run").exit_code == 0
    allowed = judge("compare", made / "run", made / "worse", "--allow-broken", record["broken"])
    assert allowed.exit_code == 0
    assert "because of code" in allowed.output
    assert "=claim " in allowed.output
    assert re.search(r"broken \S+ \S+: (?:\.25|\.5|\.75|1) -> (?:0|\.25|\.5|\.75) ", allowed.output)
    one = record["changes"][0]
    assert one["claim"].startswith("=claim ")
    assert {one["before"], one["after"]} < {0, 0.25, 0.5, 0.75, 1}
    assert (one["lines_before"], one["lines_after"]) == (["a.py:1"], ["a.py:1-2"])
    assert "lines: a.py:1 -> a.py:1-2" in allowed.output


def test_an_unknown_judge_names_the_nearest(made: Path) -> None:
    result = judge("score", "--run", made / "run", "--judge", "toi")
    assert result.exit_code == 2
    assert "Write toy" in result.output


def test_the_study_writes_one_page_and_every_number(made: Path) -> None:
    config = made / "study.yaml"
    config.write_text("runs: run\nlabels: labels.jsonl\noutput: out\nworst: 3\n", encoding="utf-8")
    shown = judge("study", "--config", config)
    assert shown.exit_code == 0, shown.output
    record = json.loads((made / "out" / "study.json").read_text(encoding="utf-8"))
    assert set(record) == {"format", "notes", "agreement", "scores", "calibration", "worst"}
    assert len(record["worst"]) == 3
    assert record["worst"][0]["labels"][0]["annotator"] == "ann"
    page = (made / "out" / "index.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 4
    assert "<script" not in page
    assert "Worst disagreements" in page


def test_words_of_judges_and_labellers_stay_words_on_the_page(made: Path, tmp_path: Path) -> None:
    text = (made / "run" / "verdicts.jsonl").read_text(encoding="utf-8")
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("run.json", "claims.jsonl", "submissions.jsonl"):
        (folder / name).write_bytes((made / "run" / name).read_bytes())
    evil = "<script>alert(1)</script>"
    hostile = text.replace('"rationale": ""', f'"rationale": "{evil}"').replace(
        '"toy"', f'"{evil}"'
    )
    (folder / "verdicts.jsonl").write_text(hostile, encoding="utf-8")
    labels = (made / "labels.jsonl").read_text(encoding="utf-8").replace('"ann"', f'"{evil}"')
    (tmp_path / "labels.jsonl").write_text(labels, encoding="utf-8")
    config = tmp_path / "study.yaml"
    config.write_text("runs: run\nlabels: labels.jsonl\n", encoding="utf-8")
    assert judge("study", "--config", config).exit_code == 0
    page = (tmp_path / "study" / "index.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("runs: run\n", "labels is missing"),
        ("runs: run\nlabels: l\nlabel: x\n", "unknown key 'label'"),
        ("runs: run\nlabels: l\ncoverage: 90\n", "not a share between 0 and 1"),
        ("runs: run\nlabels: l\ncut: 5\n", "the cut 5 is not 1 to 4"),
        ("runs: run\nlabels: l\ncluster: lab\n", "Write paper, submission, agent or claim"),
    ],
)
def test_a_wrong_study_is_refused_before_anything_is_read(
    tmp_path: Path, text: str, part: str
) -> None:
    config = tmp_path / "study.yaml"
    config.write_text(text, encoding="utf-8")
    result = judge("study", "--config", config)
    assert result.exit_code == 2
    assert part in result.output
