"""What a config names is loaded, and `judge validate` says what a run would be about."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import Dimension
from judge.config import load_config
from judge.inputs import load_inputs, validate
from tests.planting import claims, plant, small_project

WIRE = "judge: {kind: openai, model: some-model-2026-11-01%s}\n"


def extended(tmp_path: Path, text: str) -> Path:
    path = small_project(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    return path


def test_claims_and_submissions_are_loaded(tmp_path: Path) -> None:
    inputs = load_inputs(load_config(small_project(tmp_path)))
    assert [paper.id for paper in inputs.benchmark.papers] == ["adam", "lora"]
    assert [submission.id for submission in inputs.submissions] == [
        "gpt/adam", "gpt/lora", "opus/adam", "opus/lora",
    ]  # fmt: skip
    assert inputs.pairs == 10
    assert inputs.benchmark.name == "papers"


def test_papers_and_dimensions_narrow_both_sides(tmp_path: Path) -> None:
    path = small_project(tmp_path)
    whole = load_inputs(load_config(path))
    path.write_text(
        "benchmark: {path: papers, papers: [adam], dimensions: [D2], name: mine}\n"
        "submissions: {path: grade, agents: [opus]}\n",
        encoding="utf-8",
    )
    inputs = load_inputs(load_config(path))
    assert [submission.id for submission in inputs.submissions] == ["opus/adam"]
    assert [sau.dimension for sau in inputs.benchmark.saus] == [Dimension.D2]
    assert inputs.benchmark.name == "mine"
    # The version is that of the paper's claims, whatever part of them is graded.
    assert inputs.versions == {"adam": whole.versions["adam"]}


def test_claims_version_is_compared_with_the_whole_paper(tmp_path: Path) -> None:
    path = small_project(tmp_path)
    version = load_inputs(load_config(path)).versions["adam"]
    plant(tmp_path, {"grade/gpt/adam/submission.yaml": f"claims_version: '{version}'\n"})
    path.write_text(
        "benchmark: {path: papers, dimensions: [D2]}\nsubmissions: {path: grade}\n",
        encoding="utf-8",
    )
    assert len(load_inputs(load_config(path)).submissions) == 4


def test_the_suite_needs_no_submissions(tmp_path: Path) -> None:
    plant(tmp_path, {"run.yaml": "benchmark: {path: suite}\n"})
    inputs = load_inputs(load_config(tmp_path / "run.yaml"))
    assert inputs.benchmark.name == "suite"
    assert {submission.agent for submission in inputs.submissions} == {
        "faithful", "drifted", "stubbed", "unused",
    }  # fmt: skip


def test_the_report_counts_and_names_versions(tmp_path: Path) -> None:
    report = validate(load_config(small_project(tmp_path)))
    assert report.warnings == ()
    text = str(report)
    assert "2 papers, 5 claims (D1 3, D2 2, D3 0, D4 0)" in text
    assert "4 by 2 agents, 10 questions" in text
    assert "embedded" in text
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert rows["gpt"] == ["2", "5"]
    version = report.inputs.versions["lora"]
    assert rows["lora"] == ["2", "2", "1", "1", "0", "0", version]


def test_gaps_and_empty_repositories_are_warned_of(tmp_path: Path) -> None:
    path = small_project(tmp_path)
    plant(
        tmp_path,
        {
            "papers/ddpm/sau.json": claims("ddpm"),
            "grade/haiku/adam/repo/result/adam-sau-score.json": "{}",
            "grade/haiku/adam/repo/empty.py": "",
        },
    )
    warnings = validate(load_config(path)).warnings
    assert len(warnings) == 3
    assert warnings[0] == "no submission for the paper ddpm"
    assert warnings[1].startswith("haiku has no submission for lora")
    assert warnings[2].startswith("haiku/adam is empty")


@pytest.mark.parametrize(
    ("more", "environ", "warned"),
    [
        ("", {}, "OPENAI_API_KEY"),
        ("", {"OPENAI_API_KEY": ""}, "OPENAI_API_KEY"),
        ("", {"OPENAI_API_KEY": "x"}, None),
        (", api_key_env: MY_KEY", {"OPENAI_API_KEY": "x"}, "MY_KEY"),
        (", api_key_env: none", {}, None),
    ],
)
def test_a_missing_key_is_warned_of_and_never_shown(
    tmp_path: Path, more: str, environ: dict[str, str], warned: str | None
) -> None:
    path = extended(tmp_path, WIRE % more)
    report = validate(load_config(path), environ={**environ, "OTHER": "do-not-show"})
    assert "do-not-show" not in str(report)
    assert "openai some-model-2026-11-01" in str(report)
    assert len(report.warnings) == (1 if warned else 0)
    if warned:
        assert f"variable {warned} is not set" in report.warnings[0]
        assert "`judge run` asks nothing and exits with 2" in report.warnings[0]


def test_an_alias_of_a_model_is_warned_of(tmp_path: Path) -> None:
    wire = WIRE.replace("some-model-2026-11-01", "some-latest")
    path = extended(tmp_path, wire % ", api_key_env: none")
    (warning,) = validate(load_config(path)).warnings
    assert "some-latest is an alias" in warning


def test_the_members_of_a_panel_are_named_and_looked_at_one_by_one(tmp_path: Path) -> None:
    judge = (
        "judge:\n  kind: panel\n  members:\n"
        "    - {kind: openai, model: one-latest, api_key_env: none}\n"
        "    - {kind: anthropic, model: other-20260101}\n"
    )
    report = validate(load_config(extended(tmp_path, judge)), environ={})
    assert "panel of one-latest, other-20260101" in str(report)
    assert [text.partition(":")[0] for text in report.warnings] == [
        "the model one-latest is an alias that may change",
        "the environment variable ANTHROPIC_API_KEY is not set",
    ]
    assert "judge.members[1].api_key_env" in str(report) or "judge.members.1" in str(report)
