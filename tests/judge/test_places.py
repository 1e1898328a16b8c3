"""Where a run writes: outside of graded code, and told before anything is done if it cannot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmark import InputError
from judge.cache import AnswerCache
from judge.cli import cli
from judge.config import RunConfig, load_config
from judge.inputs import load_inputs, validate
from judge.store import RunMeta, RunStore
from tests.planting import small_project

WIRE = "judge: {kind: openai, model: some-model-2026-01-01, api_key_env: none}\n"
LONG = "n" * 300


def config(folder: Path, text: str) -> RunConfig:
    path = small_project(folder)
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    return load_config(path)


def tree(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.fixture
def untouched(tmp_path: Path) -> Iterator[Path]:
    """A folder that must hold the same at the end, once the test has told what it holds."""
    (tmp_path / "a-file").write_text("mine", encoding="utf-8")
    small_project(tmp_path)
    before = tree(tmp_path)
    yield tmp_path
    assert tree(tmp_path) == before


@pytest.mark.parametrize("path", ["a-file/x/y", f"made/{LONG}", "a-file"])
@pytest.mark.parametrize("key", ["output", "cache", "exchange"])
def test_a_folder_that_cannot_be_made_is_told_with_its_line(
    untouched: Path, key: str, path: str
) -> None:
    text = f"{key}: {{path: {path}}}\n" + WIRE
    if key == "exchange":
        text = f"judge: {{kind: exchange, model: m-2026-01-01, exchange: {path}}}\n"
    made = config(untouched, text)
    with pytest.raises(InputError, match="cannot be made or written") as caught:
        validate(made)
    assert caught.value.where.line


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_told(untouched: Path) -> None:
    (untouched / "grade").chmod(0o500)
    try:
        with pytest.raises(InputError, match="cannot be made or written"):
            validate(config(untouched, "output: {path: grade/out}\n"))
    finally:
        (untouched / "grade").chmod(0o700)


def test_trying_leaves_nothing_behind_and_folders_that_are_there_stay(untouched: Path) -> None:
    validate(config(untouched, "output: {path: new/deep/out}\ncache: {path: other/cache}\n" + WIRE))
    validate(config(untouched, "output: {path: new/deep/out}\n"))


def test_a_folder_of_something_else_is_told_by_validate_too(untouched: Path) -> None:
    with pytest.raises(InputError, match="not a run and not empty"):
        validate(config(untouched, "output: {path: papers}\n"))


@pytest.mark.parametrize("path", ["a-file/x", LONG])
@pytest.mark.parametrize("key", ["output", "benchmark", "submissions"])
def test_a_run_tells_a_bad_path_as_an_error_of_the_input(
    untouched: Path, key: str, path: str
) -> None:
    sections = {"benchmark": "papers", "submissions": "grade", "output": "out", key: path}
    file = untouched / "run.yaml"
    file.write_text(
        "".join(f"{name}: {{path: {value}}}\n" for name, value in sections.items()),
        encoding="utf-8",
    )
    result = CliRunner().invoke(cli, ["run", "--config", str(file)], catch_exceptions=False)
    assert result.exit_code == 2
    assert result.output.startswith("error: ")


def test_a_store_and_a_cache_that_cannot_be_written_say_so(untouched: Path) -> None:
    meta = RunMeta(name="bench", claims_version="")
    with pytest.raises(InputError, match="output folder cannot be written"):
        RunStore.open(untouched / "a-file" / "x", meta, [])
    with pytest.raises(InputError, match="cache folder"):
        AnswerCache(untouched / "a-file" / "x")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("output: {path: grade/gpt/adam/repo/runs}\n", "output.path"),
        ("output: {path: grade/gpt/adam/repo}\n", "output.path"),
        ("output: {path: link/runs/deep}\n", "output.path"),
        ("cache: {path: grade/gpt/adam/repo/.cache}\n" + WIRE, "cache.path"),
        ("judge: {kind: exchange, model: m, exchange: grade/gpt/adam/repo/x}\n", "judge.exchange"),
    ],
)
def test_nothing_is_written_into_a_submission(tmp_path: Path, text: str, key: str) -> None:
    made = config(tmp_path, text)
    if "link" in text:
        try:
            (tmp_path / "link").symlink_to(tmp_path / "grade" / "gpt" / "adam" / "repo")
        except OSError:
            pytest.skip("no links here")
    for check in (load_inputs, validate):
        with pytest.raises(InputError, match="lies inside of the submission gpt/adam") as caught:
            check(made)
        assert caught.value.where.key == key


def test_beside_a_submission_is_outside_of_it(tmp_path: Path) -> None:
    validate(config(tmp_path, "output: {path: grade/gpt/adam/repo-runs}\n"))
    # The embedded judge keeps no answers, so that its cache lies nowhere.
    validate(config(tmp_path, "cache: {path: grade/gpt/adam/repo/.cache}\n"))
