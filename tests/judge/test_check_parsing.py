"""Files that do not parse as Python are named by a check, and change no exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError
from judge.check_sight import look
from judge.cli import cli
from retrieval.reading import ReadLimits
from tests.judge.sarif_rules import check_log
from tests.planting import plant

SOUND = "import torch\n\n\ndef step(rate=0.1):\n    return rate\n\n\nprint(step())\n"


def check(folder: Path, *more: object) -> Result:
    words = ("check", folder / "repo", "--saus", folder / "spec.yaml", *more)
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    plant(
        tmp_path,
        {
            "repo/train.py": SOUND,
            "repo/helpers.py": f"\n```python\n{SOUND}\nvalues = step(\n",
            "repo/pkg/odd.py": f"{SOUND}x = = 3\ny = 1\n",
            "spec.yaml": '- {claim: "The rate is 0.1", dimension: D1}\n',
        },
    )
    return tmp_path


def test_they_are_told_in_every_form_and_the_exit_code_stays(project: Path) -> None:
    result = check(project)
    assert result.exit_code == 0, result.output
    told = [line for line in result.stdout.splitlines() if line.startswith("does not parse")]
    assert told == [
        "does not parse as Python: helpers.py (from line 2)",
        "does not parse as Python: pkg/odd.py (from line 9)",
    ]
    record = json.loads(check(project, "--json").stdout)
    assert record["unparsed"] == [["helpers.py", 2], ["pkg/odd.py", 9]]
    assert record["unread"] == []
    log = json.loads(check(project, "--sarif").stdout)
    check_log(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"]
    notes = [
        one for one in invocation["toolExecutionNotifications"]
        if one.get("descriptor") == {"id": "does-not-parse"}
    ]  # fmt: skip
    assert [one["message"]["text"] for one in notes] == told
    places = [one["locations"][0]["physicalLocation"] for one in notes]
    assert [one["artifactLocation"]["uri"] for one in places] == ["helpers.py", "pkg/odd.py"]
    assert [one["region"]["startLine"] for one in places] == [2, 9]


def test_what_is_excluded_or_sound_is_not_told(project: Path) -> None:
    result = check(project, "--exclude", "helpers.py", "--exclude", "pkg")
    assert "does not parse" not in result.output
    assert json.loads(check(project, "--exclude", "*s.py", "--json").stdout)["unparsed"] == [
        ["pkg/odd.py", 9]
    ]


def test_no_more_than_some_are_listed(project: Path) -> None:
    plant(project, {f"repo/m{number:02}.py": "x = (\n" for number in range(30)})
    told = [line for line in check(project).stdout.splitlines() if "does not parse" in line]
    assert len(told) == 21
    assert told[-1] == "does not parse as Python: 12 more files; --json names all"
    assert len(json.loads(check(project, "--json").stdout)["unparsed"]) == 32


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\ndef f():\n    return (\n", 2),
        ("a = 1\nfor i in range(3)\n    print(i)\n", 2),
        ('a = 1\n"""open\nb = 2\n', 2),
        ("a = 1\r\nHere is the code that you asked for:\r\nb = 1\r\n", 2),
        ("# note\nimport a\n\nx = (1,\n2\n\ndef g():\n    pass\n", 4),
        (SOUND, 0),
        ("", 0),
        ("print 'of another time'\n", 0),
    ],
)
def test_the_line_is_where_the_damage_begins(tmp_path: Path, text: str, line: int) -> None:
    plant(tmp_path, {"a.py": text, "b.py": SOUND})
    told = look(tmp_path, (), ReadLimits()).unparsed
    assert [(one.path, one.line) for one in told] == ([("a.py", line)] if line else [])


def test_notebooks_and_other_languages_are_none_of_it(tmp_path: Path) -> None:
    plant(tmp_path, {"a.json": "{", "run.sh": "if (\n", "b.py": SOUND})
    assert look(tmp_path, (), ReadLimits()).unparsed == ()


@settings(max_examples=40, deadline=None)
@given(st.text("ab=()[]:'\"`\\#\n\r\t 1.", max_size=60))
def test_a_line_is_one_of_the_file(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.mktemp("repo")
    plant(root, {"a.py": text, "b.py": SOUND})
    try:
        told = look(root, (), ReadLimits()).unparsed
    except InputError:  # nothing of it is code
        return
    for one in told:
        assert one.path == "a.py"
        assert 1 <= one.line <= len(text.splitlines()) + 1
