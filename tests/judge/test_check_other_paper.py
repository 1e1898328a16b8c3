"""`judge check` asks whether the claims are this paper's where next to nothing of them is there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from judge.config_sections import SUITE_FOLDER

ASKS = "are these the claims of this repository's paper"


def check(repository: Path, paper: str, *more: str) -> Result:
    words = ["check", str(repository), "--saus", str(SUITE_FOLDER / "papers"), "--paper", paper]
    return CliRunner().invoke(cli, [*words, *more], catch_exceptions=False)


def submission(agent: str, paper: str) -> Path:
    return SUITE_FOLDER / "submissions" / agent / paper / "repo"


def test_claims_of_another_paper_are_asked_about_and_the_exit_code_stays() -> None:
    result = check(submission("faithful", "ppo"), "lora")
    assert result.exit_code == 0
    (line,) = (line for line in result.output.splitlines() if ASKS in line)
    assert line.startswith("! ")
    assert " of 13 claims met, and of the " in line
    record = json.loads(check(submission("faithful", "ppo"), "lora", "--json").output)
    assert sum(ASKS in remark for remark in record["remarks"]) == 1
    log = check(submission("faithful", "ppo"), "lora", "--sarif").output
    assert ASKS in log


@pytest.mark.parametrize("agent", ["faithful", "unused"])
@pytest.mark.parametrize("paper", ["ppo", "transformer"])
def test_the_papers_own_claims_are_not(agent: str, paper: str) -> None:
    assert ASKS not in check(submission(agent, paper), paper).output


def test_words_in_a_document_do_not_count(tmp_path: Path) -> None:
    repository = tmp_path / "repo"
    shutil.copytree(submission("faithful", "ppo"), repository)
    claims = (SUITE_FOLDER / "papers" / "lora" / "sau.json").read_text(encoding="utf-8")
    (repository / "NOTES.md").write_text(claims, encoding="utf-8")
    assert ASKS in check(repository, "lora").output
    (repository / "code.py").write_text(f'CLAIMS = """{claims}"""\n', encoding="utf-8")
    assert ASKS not in check(repository, "lora").output


def test_a_few_claims_of_ones_own_are_not_asked_about(tmp_path: Path) -> None:
    repository = tmp_path / "repo"
    repository.mkdir()
    (repository / "a.py").write_text("print('hello')\n", encoding="utf-8")
    spec = tmp_path / "spec.yaml"
    spec.write_text("- Low-rank adapters beside frozen projections\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(repository), "--saus", str(spec)])
    assert "0 met" in result.output
    assert ASKS not in result.output


def test_a_file_in_place_of_a_folder_is_called_one() -> None:
    result = check(submission("faithful", "adam") / "optim.py", "adam")
    assert result.exit_code == 2
    assert "this is a file, and a folder is wanted" in result.output
    missing = check(submission("faithful", "adam") / "nowhere", "adam")
    assert missing.exit_code == 2
    assert "there is no such folder" in missing.output
