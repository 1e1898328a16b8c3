"""What is said of a command line that is wrong."""

from __future__ import annotations

import sys

import pytest

from judge.cli import main


def complaint(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.setattr(sys, "argv", ["judge", *words.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("run run.yaml", "judge run --config run.yaml"),
        ("plan --each folder/mine.yml", "judge plan --config folder/mine.yml"),
        ("batch submit run.json", "judge batch submit --config run.json"),
        ("study study.yaml", "judge study --config study.yaml"),
    ],
)
def test_a_configuration_that_is_no_argument_is_told_its_option(
    words: str,
    right: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert f"named by an option: {right}\n" in complaint(words, monkeypatch, capsys)


@pytest.mark.parametrize("words", ["run folder", "run --no-such run.yaml", "report a.yaml b.yaml"])
def test_no_option_is_told_of_where_none_is_meant(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--config" not in complaint(words, monkeypatch, capsys)
