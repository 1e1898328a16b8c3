"""The command line, as a person uses it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli

ROOT = Path(__file__).resolve().parent.parent.parent


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def toy(folder: Path) -> None:
    """Write one paper with two claims, and one submission for it."""
    paper = folder / "claims" / "toy"
    paper.mkdir(parents=True)
    (paper / "sau.json").write_text(
        json.dumps(
            {
                "paper_id": "toy",
                "D1": [{"id": "toy-D1-001", "claim": "Learning rate is 1e-3", "source": "§3"}],
                "D3": [{"id": "toy-D3-001", "claim": "Evaluated on CIFAR-10", "source": "§4"}],
            }
        ),
        encoding="utf-8",
    )
    repo = folder / "runs-to-grade" / "someone" / "toy" / "repo"
    repo.mkdir(parents=True)
    (repo / "train.py").write_text(
        "import torch\n\n\ndef main():\n    opt = torch.optim.Adam(params, lr=0.001)\n"
        "    run(opt)\n\n\nif __name__ == '__main__':\n    main()\n",
        encoding="utf-8",
    )
    (folder / "run.yaml").write_text(
        "benchmark: {path: claims}\nsubmissions: {path: runs-to-grade}\n"
        "output: {path: out, workers: 1}\n",
        encoding="utf-8",
    )


def test_init_writes_a_config_that_validates_and_is_not_written_over(here: Path) -> None:
    assert call("init").exit_code == 0
    assert call("validate").exit_code == 0
    again = call("init")
    assert again.exit_code == 2
    assert "--force" in again.output
    assert call("init", "--force").exit_code == 0


def test_a_plan_says_that_a_judge_without_questions_cannot_be_priced(here: Path) -> None:
    toy(here)
    planned = call("plan", "--as", "openai:gpt-5-mini")
    assert planned.exit_code == 0
    assert "no questions to price: set judge.kind" in planned.output
    assert "no questions to price" not in call("plan").output


def test_run_grades_and_names_the_report_then_does_nothing_again(here: Path) -> None:
    toy(here)
    first = call("run")
    assert first.exit_code == 0
    assert "report: out/report/index.html" in first.output
    assert "no 95 % interval: fewer than 8 papers" in first.output
    verdicts = (here / "out" / "verdicts.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in verdicts.splitlines()]
    assert {row["sau"] for row in rows} == {"toy-D1-001", "toy-D3-001"}
    written = (here / "out" / "report" / "index.html").stat().st_mtime_ns
    assert call("run", "--quiet").exit_code == 0
    assert (here / "out" / "verdicts.jsonl").read_text(encoding="utf-8") == verdicts
    assert (here / "out" / "report" / "index.html").stat().st_mtime_ns == written


def test_claims_without_a_verdict_exit_with_3_unless_that_is_allowed(here: Path) -> None:
    toy(here)
    (here / "run.yaml").write_text(
        (here / "run.yaml").read_text(encoding="utf-8")
        + "judge: {kind: scripted, script: script.yaml}\nmax_errors_share: 1\n",
        encoding="utf-8",
    )
    (here / "script.yaml").write_text(
        "rules:\n- {when: {sau: toy-D1-001}, error: {code: timeout, message: no answer}}\n"
        "default: {answer: {level: cannot_tell}}\n",
        encoding="utf-8",
    )
    assert call("run", "--no-report").exit_code == 3
    allowed = call("run", "--no-report", "--allow-partial")
    assert allowed.exit_code == 0
    assert "1 of 2 verdicts is an error" in allowed.output
    (here / "script.yaml").write_text("rules: 1", encoding="utf-8")
    assert call("run", "--no-report", "--allow-partial").exit_code == 2


def test_show_explains_a_verdict_of_the_only_run(here: Path) -> None:
    toy(here)
    assert call("run", "--no-report").exit_code == 0
    shown = call("show", "someone/toy", "toy-D1-001")
    assert shown.exit_code == 0
    assert "Learning rate is 1e-3" in shown.output
    assert "lr=0.001" in shown.output


def test_show_says_when_the_repository_has_changed_since(here: Path) -> None:
    toy(here)
    call("run", "--no-report")
    (here / "runs-to-grade/someone/toy/repo/train.py").write_text("x = 1\n", encoding="utf-8")
    shown = call("show", "someone/toy", "toy-D1-001")
    assert "changed since" in re.sub(r"\s+", " ", shown.output)


def test_show_suggests_the_nearest_name(here: Path) -> None:
    toy(here)
    call("run", "--no-report")
    wrong = call("show", "someone/tpy", "toy-D1-001")
    assert wrong.exit_code == 2
    assert "someone/toy" in wrong.output


def test_a_report_does_not_go_into_a_graded_repository(here: Path) -> None:
    toy(here)
    call("run", "--no-report")
    repo = here / "runs-to-grade" / "someone" / "toy" / "repo"
    before = sorted(repo.rglob("*"))
    for inside in (repo, repo / "deep" / "report"):
        result = call("report", "out", "--output", str(inside))
        assert result.exit_code == 2
        assert "read as its code" in result.output
    assert sorted(repo.rglob("*")) == before
    assert call("report", "out", "--output", str(repo.parent / "page")).exit_code == 0


def test_report_of_a_folder_without_results_is_refused(here: Path) -> None:
    result = call("report", str(here))
    assert result.exit_code == 2
    assert "no results" in result.output


def test_a_broken_config_stops_with_its_line_and_no_traceback(here: Path) -> None:
    toy(here)
    (here / "run.yaml").write_text("benchmark:\n  path: claims\njugde: {}\n", encoding="utf-8")
    result = call("run")
    assert result.exit_code == 2
    assert "run.yaml:3" in result.output
    assert "judge" in result.output
    assert "Traceback" not in result.output


def test_no_name_steers_the_terminal(here: Path) -> None:
    result = call("report", "nope\x1b]0;owned\x07")
    assert result.exit_code == 2
    assert "\x1b]" not in result.output
    assert "\x07" not in result.output


def test_a_refusal_of_the_system_is_one_sentence(here: Path) -> None:
    toy(here)
    (here / "run.yaml").write_text(
        "benchmark: {path: claims}\nsubmissions: {path: runs-to-grade}\n"
        "output: {path: /dev/null/out, workers: 1}\n",
        encoding="utf-8",
    )
    result = call("run")
    assert result.exit_code in {1, 2}
    assert "Traceback" not in result.output
    assert "/dev/null" in result.output


def test_every_command_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^judge (\w+)", readme, flags=re.MULTILINE))
    assert named
    assert named <= set(cli.commands)


def test_every_command_has_a_line_of_help() -> None:
    for name, command in cli.commands.items():
        assert command.help, name
        assert call(name, "--help").exit_code == 0


def test_the_readme_lists_the_exit_codes_that_errors_have() -> None:
    from benchmark import GraderError

    def below(kind: type[GraderError]) -> set[int]:
        return {kind.exit_code}.union(*(below(child) for child in kind.__subclasses__()))

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", readme, flags=re.MULTILINE)}
    assert below(GraderError) <= listed


def test_all_that_is_wrong_with_a_config_is_printed(here: Path) -> None:
    toy(here)
    (here / "run.yaml").write_text(
        "benchmark: {path: claims}\nsubmissions: {path: runs-to-grade}\n"
        "judge: {repeats: 0}\noutput: {path: out, wrokers: 1}\n",
        encoding="utf-8",
    )
    told = call("validate")
    assert told.exit_code == 2
    assert re.search(r"run\.yaml:4:.*wrokers.*\n.*run\.yaml:3:.*repeats", told.output)


@pytest.mark.parametrize("words", [(), ("batch",), ("labels",), ("anchors",)])
def test_help_on_a_usual_terminal_cuts_no_line(words: tuple[str, ...]) -> None:
    told = CliRunner().invoke(cli, [*words, "--help"], terminal_width=80)
    assert told.exit_code == 0
    listed = told.output.partition("Commands:")[2]
    assert len(listed.splitlines()) > 2
    assert "..." not in listed
