"""`run.yaml`: what it means, what it never holds, and that it is never misread in silence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from benchmark import Dimension, InputError
from judge.config import (
    SUITE_FOLDER,
    RunConfig,
    default_config_text,
    load_config,
    make_config,
)
from judge.models import make_judge
from retrieval.reading import ReadLimits
from tests.planting import plant

MINIMAL = {"benchmark": {"path": "papers"}, "submissions": {"path": "runs"}}


def config(tmp_path: Path, text: str, name: str = "run.yaml") -> RunConfig:
    return load_config(plant(tmp_path, {name: text}) / name)


def test_the_default_config_loads_and_grades_the_suite(tmp_path: Path) -> None:
    found = config(tmp_path, default_config_text())
    assert found.benchmark.is_suite
    assert found.benchmark.path == SUITE_FOLDER / "papers"
    assert found.submissions_path == SUITE_FOLDER / "submissions"
    assert found.judge.kind == "embedded"
    assert found.public_dict()["benchmark"]["path"] == "suite"


# Sections and their keys; keys whose comment in the default config is an example, not a default.
SECTIONS = {
    name: tuple(field.annotation.model_fields)
    for name, field in RunConfig.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
}
KEYS = {*RunConfig.model_fields, *(key for keys in SECTIONS.values() for key in keys)}
EXAMPLES = {
    "papers", "name", "dimensions", "manifest", "agents", "exclude", "agent_name", "model",
    "base_url", "api_key_env", "script", "prices", "exchange", "max_cost",
    "requests_per_minute", "tokens_per_minute", "members", "quorum", "first", "then", "rule",
    "foresee",
}  # fmt: skip
COMMENTED = re.compile(r"( *)# (\w+): ")


def test_the_default_config_shows_every_key_with_its_default(tmp_path: Path) -> None:
    """Any line that is commented out can be taken into use, and changes nothing by itself."""
    lines = default_config_text().splitlines()
    section, shown, taken = "", set(), []
    for line in lines:
        match = COMMENTED.match(line)
        if head := re.match(r"(\w+):", line):
            section = head[1]
        elif set_key := re.match(r"  (\w+):", line):
            shown.add((section, set_key[1]))
        if not match or match[2] not in KEYS:
            taken.append(line)
            continue
        top = not match[1]
        shown.add(("", match[2]) if top else (section, match[2]))
        place = (section, match[2])
        is_example = match[2] in EXAMPLES or place in {
            ("submissions", "path"),
            ("calibration", "path"),
        }
        taken.append(line if is_example else line.replace("# ", "", 1))
    assert taken != lines
    assert shown == {
        *((name, key) for name, keys in SECTIONS.items() for key in keys),
        *(("", name) for name in RunConfig.model_fields.keys() - SECTIONS.keys()),
    }
    found = config(tmp_path, "\n".join(taken)).public_dict()
    assert found == config(tmp_path, default_config_text()).public_dict()


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    text = (
        "benchmark: {path: ../papers}\nsubmissions: {manifest: m.jsonl}\n"
        "judge: {kind: scripted, script: s.yaml}\noutput: {path: out}\n"
    )
    found = config(tmp_path / "sub", text, "night.yaml")
    folder = tmp_path / "sub"
    assert found.benchmark.path.resolve() == tmp_path / "papers"
    assert found.submissions_path == folder / "m.jsonl"
    assert found.judge.script == folder / "s.yaml"
    assert found.output.path == folder / "out"
    assert found.cache.path == folder / ".judge-cache"
    assert found.file == folder / "night.yaml"
    public = found.public_dict()
    assert public["benchmark"]["path"] == "../papers"
    assert public["cache"]["path"] == ".judge-cache"
    assert public["judge"]["script"] == "s.yaml"


def test_the_output_is_named_after_the_file(tmp_path: Path) -> None:
    found = config(tmp_path, json.dumps(MINIMAL), "night.json")
    assert found.output.path == tmp_path / "runs" / "night"


def test_a_folder_called_suite_is_reached_by_a_dot(tmp_path: Path) -> None:
    text = "benchmark: {path: ./suite}\nsubmissions: {path: runs}\n"
    assert config(tmp_path, text).benchmark.path == tmp_path / "suite"


def test_values_arrive_as_they_were_written(tmp_path: Path) -> None:
    found = config(
        tmp_path,
        """
benchmark: {path: suite, dimensions: [D4, D1], papers: ["adam", no]}
submissions: {exclude: ["/third_party/", "*.bak"], allow_outside: true}
retrieval: {budget_tokens: 8000, max_files: 10}
judge:
  kind: openai
  model: some-model
  base_url: HTTP://Localhost:80/v1/
  parameters: {temperature: 1e-4, stop: [on, "1"], seed: 3}
  timeout_seconds: 5
  max_output_tokens:
output: {workers: 2}
max_errors_share: 0
""",
    )
    assert found.benchmark.dimensions == (Dimension.D4, Dimension.D1)
    assert found.benchmark.papers == ("adam", "no")
    assert found.submissions.exclude == ("/third_party/", "*.bak")
    assert found.retrieval.limits == ReadLimits(max_files=10)
    assert found.judge.parameters == {"temperature": 0.0001, "stop": ["on", "1"], "seed": 3}
    assert (found.output.workers, found.max_errors_share) == (2, 0.0)
    settings = found.judge.settings()
    assert settings.base_url == "http://localhost/v1"
    assert (settings.timeout_seconds, settings.max_output_tokens) == (5.0, None)
    judge = make_judge(settings, need_key=False)
    assert judge.model == "some-model"


def test_only_what_the_user_set_is_a_parameter(tmp_path: Path) -> None:
    text = "benchmark: {path: suite}\njudge: {kind: anthropic, model: m}\n"
    assert config(tmp_path, text).judge.settings().parameters == {}


def test_empty_sections_and_keys_are_the_defaults(tmp_path: Path) -> None:
    text = "benchmark:\n  path: suite\n  papers:\njudge:\ncache:\noutput:\n  path:\n"
    found = config(tmp_path, text)
    assert found.judge.kind == "embedded"
    assert found.output.path == tmp_path / "runs" / "run"


def test_a_config_cannot_be_changed(tmp_path: Path) -> None:
    found = config(tmp_path, default_config_text())
    with pytest.raises(ValueError, match="frozen"):
        found.judge.kind = "openai"  # type: ignore[misc]


SECRET = "sk-ant-do-not-write-me-0123456789"


@pytest.mark.parametrize(
    "judge",
    [
        {"api_key": SECRET},
        {"key": SECRET},
        {"token": SECRET},
        {"api_key_env": SECRET},
        {"api_key_env": [SECRET]},
        {"apikey_env": SECRET},
        {"base_url": f"https://user:{SECRET}@example.org/v1"},
        {"base_url": f"https://example.org/v1?key={SECRET}"},
        {"parameters": {"api_key": SECRET}},
        {"parameters": {"extra_headers": {"Authorization": SECRET}}},
        {"parameters": {"extra_body": [{"auth_token": SECRET}]}},
        {"headers": {"x-api-key": SECRET}},
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(
    tmp_path: Path, judge: dict[str, Any]
) -> None:
    values = {"benchmark": {"path": "suite"}, "judge": {"kind": "openai", "model": "m", **judge}}
    with pytest.raises(InputError) as caught:
        config(tmp_path, yaml.safe_dump(values, sort_keys=False))
    told = f"{caught.value}{caught.value!r}{caught.value.problem}{caught.value.where}"
    assert SECRET not in told
    assert caught.value.where.line is not None
    assert caught.value.where.line > 2
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = (
        "benchmark: {paht: suite}\n"
        "retrieval:\n"
        "  budget_tokens: many\n"
        "judge:\n"
        "  kind: openai\n"
        "  repeats: 0\n"
        "output: {workers: none}\n"
    )
    with pytest.raises(InputError) as caught:
        config(tmp_path, text)
    said = str(caught.value).split("\n")
    places = [line.removeprefix(f"{tmp_path / 'run.yaml'}:").partition(": ")[0] for line in said]
    # The mistyped key first, and not that benchmark.path is missing because of it.
    assert [place.partition(":")[0] for place in places] == ["1", "3", "6", "7"]
    assert "Write path, if that is what you mean" in said[0]
    assert (caught.value.where.line, caught.value.exit_code) == (1, 2)
    with pytest.raises(InputError) as caught:
        config(tmp_path, "benchmark: {path: suite}\njudge: {repeats: 0}\n")
    assert "\n" not in str(caught.value)


def test_nothing_of_the_environment_enters_the_config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    text = "benchmark: {path: suite}\njudge: {kind: openai, model: m, api_key_env: MY_KEY}\n"
    public = json.dumps(config(tmp_path, text).public_dict())
    assert "MY_KEY" in public
    assert SECRET not in public + repr(config(tmp_path, text))


def test_the_public_dict_makes_the_same_config_again(tmp_path: Path) -> None:
    text = """
benchmark: {path: papers, dimensions: [D1], name: mine}
submissions: {path: runs, agents: [a], exclude: ["*.bak"]}
judge: {kind: openai, model: m, parameters: {top_p: 0.5}, max_output_tokens: 100}
"""
    found = config(tmp_path, text)
    public = found.public_dict()
    public["judge"] = {key: value for key, value in public["judge"].items() if value is not None}
    again = make_config(public, file=tmp_path / "run.yaml")
    assert again.public_dict() == found.public_dict()


def test_a_place_is_found_by_its_keys(tmp_path: Path) -> None:
    found = config(tmp_path, "benchmark:\n  path: suite\njudge:\n  kind: embedded\n")
    where = found.where("judge", "kind")
    assert (where.line, where.column, where.key) == (4, 9, "judge.kind")
    assert found.where("retrieval", "map_tokens").key == "retrieval.map_tokens"


keys = st.sampled_from([*sorted(KEYS), "x", "D1"])
words = ["suite", "openai", "D1", "auto", "", "papers", "a\0b", "~nobody/x", "${HOME}", "!"]
numbers = st.integers(-2, 10_000) | st.floats()
leaves = st.none() | st.booleans() | numbers | st.sampled_from(words)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=12,
)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(keys, values, max_size=6))
def test_any_data_is_a_config_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, Any]
) -> None:
    data.setdefault("benchmark", {"path": "suite"})
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    error = None
    try:
        json.dumps(load_config(path).public_dict(), allow_nan=False)
    except InputError as caught:
        error = caught
    assert error is None or (error.remedy and str(path) in str(error))
