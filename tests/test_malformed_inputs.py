"""What is wrong with an input is said once, clearly, before any work is done.

Each row breaks one thing in a small project that is otherwise right, and says what a person needs
to be told: the file, the line (where the culprit is on one), the key, the problem, the remedy.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark import InputError
from judge.config import load_config
from judge.inputs import load_inputs, validate
from tests.planting import claim, claims, plant, small_project

ROW = {"submission": "gpt/adam", "agent": "gpt", "paper": "adam", "path": "grade/gpt/adam/repo"}
GOOD = "benchmark: {path: papers}\nsubmissions: {path: grade}\n"
MANIFEST = "benchmark: {path: papers}\nsubmissions: {manifest: m.jsonl}\n"
ADAM = "papers/adam/sau.json"


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def pretty(data: Any) -> str:
    return json.dumps(data, indent=1)


@dataclass(frozen=True)
class Case:
    """A broken thing and what is said of it."""

    name: str
    files: Mapping[str, Any]
    file: str
    line: int | None
    key: str | None
    problem: str
    remedy: str
    remove: tuple[str, ...] = field(default=())


def config(name: str, text: str, line: int | None, key: str | None, *said: str) -> Case:
    return Case(f"config: {name}", {"run.yaml": text}, "run.yaml", line, key, *said)


def manifest(name: str, row: Any, line: int | None, key: str | None, *said: str) -> Case:
    good = {**ROW, "submission": "first"}
    files = {"run.yaml": MANIFEST, "m.jsonl": lines(good, row)}
    return Case(f"manifest: {name}", files, "m.jsonl", line, key, *said)


def saus(name: str, data: Any, line: int | None, key: str | None, *said: str) -> Case:
    text = data if isinstance(data, (str, bytes)) else pretty(data)
    return Case(f"claims: {name}", {ADAM: text}, ADAM, line, key, *said)


CASES = [
    config("empty", "", None, None, "is empty", "Fill"),
    config("only comments", "# nothing\n", 1, None, "is a mapping", "judge init"),
    config("a list", "- benchmark\n", 1, None, "is a mapping", "judge init"),
    config("not YAML", "benchmark: {path: papers\n", 2, None, "not valid YAML", "valid YAML"),
    config("a tab", "benchmark:\n\tpath: papers\n", 2, None, "not valid YAML", "valid YAML"),
    config("a key twice", GOOD + "cache: {}\ncache: {}\n", 4, None, "'cache' is given twice",
           "Keep one"),
    config("unknown section", GOOD + "retreival: {}\n", 3, "retreival", "unknown key", "retrieval"),
    config("unknown key", "benchmark:\n  path: papers\n  dimenson: [D1]\n", 3,
           "benchmark.dimenson", "unknown key 'dimenson'", "dimensions"),
    config("misplaced key", GOOD + "model: m\n", 3, "model", "unknown key", "Move it to judge"),
    config("no benchmark", "submissions: {path: grade}\n", 1, "benchmark", "missing", "Add"),
    config("no path", "benchmark: {name: x}\n", 1, "benchmark.path", "missing", "Add"),
    config("no submissions", "benchmark: {path: papers}\n", 1, "submissions", "neither path nor",
           "Add submissions.path"),
    config("both sources", GOOD.replace("{path: grade}", "\n  path: grade\n  manifest: m"), 4,
           "submissions.manifest", "both path and manifest", "Keep one"),
    config("missing folder", "benchmark:\n  path: nowhere\nsubmissions: {path: grade}\n", 2,
           "benchmark.path", "no folder or file", "Correct the path"),
    config("missing submissions", "benchmark: {path: papers}\nsubmissions:\n  path: nowhere\n", 3,
           "submissions.path", "no folder or file", "Correct the path"),
    config("unknown dimension", "benchmark:\n  path: papers\n  dimensions: [D1, D5]\n", 3,
           "benchmark.dimensions[1]", "not 'D5'", "D4"),
    config("a dimension twice", "benchmark:\n  path: papers\n  dimensions: [D1, D1]\n", 3,
           "benchmark.dimensions", "names D1 twice", "Remove one"),
    config("unknown prompt", GOOD + "prompt: {version: v0}\n", 3, "prompt.version",
           "no version 'v0'", "v1"),
    config("no claim left", "benchmark:\n  path: papers\n  dimensions: [D4]\n"
           "submissions: {path: grade}\n", 3, "benchmark.dimensions", "empty", "Widen"),
    config("unknown paper", "benchmark:\n  path: papers\n  papers: [adm]\n"
           "submissions: {path: grade}\n", 3, "benchmark.papers", "no paper 'adm'", "adam"),
    config("unknown agent", GOOD.replace("grade}", "grade, agents: [gtp]}"), 2,
           "submissions.agents", "agent 'gtp'", "gpt"),
    config("a number for a name", "benchmark:\n  path: papers\n  papers: [007]\n", 3,
           "benchmark.papers[0]", "should be text, not 7", "quotes"),
    config("yes for true", GOOD.replace("grade}", "grade, allow_outside: yes}"), 2,
           "submissions.allow_outside", "true or false, not 'yes'", "Write true or false"),
    config("a text for a number", GOOD + 'retrieval:\n  budget_tokens: "4000"\n', 4,
           "retrieval.budget_tokens", "whole number", "without quotes"),
    config("out of range", GOOD + "judge:\n  concurrency: 0\n", 4, "judge.concurrency",
           "at least 1, not 0", "at least 1"),
    config("a pattern", GOOD.replace("grade}", 'grade, exclude: ["!"]}'), 2,
           "submissions.exclude", "pattern '!'", ".gitignore"),
    config("unknown judge", GOOD + "judge: {kind: opnai}\n", 3, "judge.kind", "not 'opnai'",
           "openai"),
    config("no model", GOOD + "judge: {kind: anthropic}\n", 3, "judge.kind", "no default",
           "Add judge.model"),
    config("a model for no kind", GOOD + "judge: {model: m}\n", 3, "judge.model",
           "kind embedded does not use", "judge.kind"),
    config("a key in the file", GOOD + "judge:\n  api_key: abc\n", 4, "judge.api_key", "secret",
           "api_key_env"),
    config("a key for its name", GOOD + "judge: {kind: openai, model: m, api_key_env: sk-1}\n", 3,
           "judge.api_key_env", "NAME of an environment variable", "remove it from the file"),
    config("a URL without a scheme", GOOD + "judge: {kind: openai, model: m, base_url: host}\n", 3,
           "judge.base_url", "not an http", "http://"),
    config("a reserved parameter", GOOD + "judge:\n  kind: openai\n  model: m\n"
           "  parameters: {messages: []}\n", 6, "judge.parameters", "messages", "Take it out"),
    config("no script", GOOD + "judge: {kind: scripted}\n", 3, "judge.kind", "no script",
           "Add judge.script"),
    config("a missing script", GOOD + "judge: {kind: scripted, script: s.yaml}\n", 3,
           "judge.script", "no folder or file", "Correct the path"),
    config("the environment", "benchmark: {path: '${HOME}/papers'}\n", 1, "benchmark.path", "${",
           "Write the path itself"),
    Case("config: not UTF-8", {"run.yaml": b"benchmark:\n  name: caf\xe9\n"}, "run.yaml", 2, None,
         "not UTF-8", "UTF-8"),

    saus("not JSON", '{"D1": [\n{"id": "a",}\n]}', 2, None, "not valid JSON", "valid JSON"),
    saus("empty file", b"", None, None, "is empty", "Fill"),
    saus("UTF-16", '{"D1": []}'.encode("utf-16"), 1, None, "UTF-16", "UTF-8"),
    saus("endless nesting", '{"D1":\n' + "[" * 100_000, 2, None, "nested deeper", "Check"),
    saus("a key twice", '{"D1": [],\n"D1": []}', 2, None, "'D1' is given twice", "Keep one"),
    saus("text", '"claims"', 1, None, "a mapping", "keys"),
    saus("no claims", {"paper_id": "adam"}, None, None, "no claims", "Add claims"),
    saus("unknown dimension", {"D1": [claim(1)],
         "D5": [claim(2)]}, 9, "D5", "unknown dimension 'D5'", "D1, D2, D3, D4"),
    saus("a misspelt section", {"D1": [claim(1)],
         "numerical": [claim(2)]}, 9, "numerical", "unknown dimension", "D1, D2, D3, D4"),
    saus("unknown type", [{**claim(1), "type": "D9"}], 6, "[0].type", "unknown dimension 'D9'",
         "D4"),
    saus("no type", [claim(1)], 2, "[0]", "type or dimension is missing", "Add"),
    saus("type against section", {"D2": [{**claim(1), "type": "D1"}]}, 7, "D2[0].type",
         "stands under D2", "Correct one"),
    saus("empty claim", {"D1": [claim(1), claim(2, claim=" ")]}, 10, "D1[1].claim",
         "claim is empty", "Fill in"),
    saus("no claim", {"D1": [{"id": "x"}]}, 3, "D1[0]", "claim or text is missing", "Add"),
    saus("no id", {"D1": [{"claim": "x"}]}, 3, "D1[0]", "id or claim_id is missing", "Add"),
    saus("a number as claim", {"D1": [claim(1) | {"claim": 7}]}, 5, "D1[0].claim",
         "should be text, not 7", "quotes"),
    saus("an id twice", {"D1": [claim(1)], "D2": [claim(1)]}, 10, "adam-D1-001",
         "twice, first on line 3", "an id of its own"),
    saus("another paper", claims("adm"), 2, "paper_id", "the folder is called 'adam'",
         "Make the two equal"),
    Case("claims: an id in two papers", {"papers/lora/sau.json": {"D1": [claim(1)]}},
         "papers/lora/sau.json", None, "adam-D1-001", "also that of a claim in", "unique"),
    Case("claims: two versions", {"papers/adam/sau/sau.json": claims(d1=1)},
         "papers/adam/sau/sau.json", None, None, "two versions", "Keep the file"),
    Case("claims: none", {"papers": None}, "papers", None, None, "the benchmark is empty",
         "Name the papers' folder", remove=(ADAM, "papers/lora/sau.json")),

    Case("tree: nothing", {"run.yaml": GOOD.replace("grade", "none"), "none/x/y/z.py": ""}, "none",
         None, None, "looked for <agent>/<paper>/repo", "manifest"),
    Case("tree: a file", {"run.yaml": GOOD.replace("grade", "x.txt"), "x.txt": "x"}, "x.txt", None,
         None, "cannot end in .txt", ".jsonl"),
    Case("tree: a missing repository", {"grade/new/adam/artifacts/x.json": "{}"}, "grade/new/adam",
         None, None, "no repository: looked for repo", "submissions.papers"),
    Case("tree: two repositories", {"grade/gpt/adam/adam_repo/x.py": ""}, "grade/gpt/adam", None,
         None, "repo and adam_repo", "Keep the one"),
    Case("tree: an unknown paper", {"grade/gpt/lroa/repo/x.py": ""}, "grade/gpt/lroa/repo", None,
         "lroa", "no claims for the paper 'lroa'", "lora"),
    Case("tree: mixed layouts", {"grade/adam/repo/x.py": ""}, "grade", None, None,
         "two layouts are mixed", "manifest"),
    Case("tree: a name no file can have", {"grade/a:b/adam/repo/x.py": ""},
         "grade/a:b/adam/repo", None, None, "holds ':'", "Rename"),
    Case("tree: another version of the claims",
         {"grade/gpt/adam/submission.yaml": "claims_version: '0123456789ab'\n"},
         "grade/gpt/adam/submission.yaml", 1, "claims_version", "are version", "Load the claims"),
    Case("tree: an agent's name for agents",
         {"run.yaml": GOOD.replace("grade}", "grade, agent_name: me}")}, "grade", None, None,
         "has folders of agents", "Remove submissions.agent_name"),

    manifest("not JSON", None, 2, None, "not null", "keys"),
    manifest("no agent", {**ROW, "agent": None}, 2, None, "agent is missing", "Add agent"),
    manifest("a misspelt key", {k.replace("agent", "agnet"): v for k, v in ROW.items()}, 2, "agnet",
             "very like 'agent'", "agent"),
    manifest("nested metadata", {**ROW, "model": {"name": "m"}}, 2, "model", "text or a number",
             "one value"),
    manifest("an id twice", {**ROW, "submission": "first"}, 2, "first",
             "given twice; the first is at", "id of its own"),
    manifest("ids that differ in case", {**ROW, "submission": "FIRST"}, 2, "FIRST",
             "in upper and lower case or in its Unicode form alone", "id of its own"),
    manifest("an id that climbs", {**ROW, "submission": "../x"}, 2, "submission", "the part '..'",
             "Rename"),
    manifest("a missing folder", {**ROW, "path": "grade/gpt/none"}, 2, "path", "no folder",
             "Correct the path"),
    manifest("a file", {**ROW, "path": "run.yaml"}, 2, "path", "not a folder", "Correct the path"),
    manifest("a path that climbs", {**ROW, "path": "../other"}, 2, "path", "outside",
             "allow_outside"),
    manifest("an absolute path", {**ROW, "path": "/etc"}, 2, "path", "outside", "allow_outside"),
    manifest("a drive", {**ROW, "path": "C:/Users"}, 2, "path", "outside", "allow_outside"),
    manifest("a backslash", {**ROW, "path": "grade\\gpt"}, 2, "path", "backslash", "with /"),
    manifest("an unknown paper", {**ROW, "paper": "adm"}, 2, "gpt/adam", "the paper 'adm'", "adam"),
    manifest("another version of the claims", {**ROW, "claims_version": "0123456789ab"}, 2,
             "gpt/adam", "are version", "Load the claims"),
    manifest("a pattern", {**ROW, "exclude": ["a", 3]}, 2, "exclude[1]",
             "should be text", "quotes"),
    Case("manifest: empty list", {"run.yaml": MANIFEST.replace("jsonl", "yaml"),
         "m.yaml": "submissions: []\n"}, "m.yaml", 1, "submissions", "manifest is empty", "Add"),
    Case("manifest: unknown key at the top", {"run.yaml": MANIFEST.replace("jsonl", "yaml"),
         "m.yaml": "submission: []\n"}, "m.yaml", 1, "submission", "unknown key", "submissions"),
]  # fmt: skip


def everything(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_malformed_input_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    if os.name == "nt" and ":" in "".join(case.files):
        pytest.skip("the system itself refuses the name")
    small_project(tmp_path)
    monkeypatch.chdir(tmp_path)  # paths are then as a user would write them
    plant(Path(), case.files)
    for name in case.remove:
        Path(name).unlink()
    before = everything(tmp_path)
    with pytest.raises(InputError) as caught:
        validate(load_config(Path("run.yaml")))
    error = caught.value
    assert error.exit_code == 2
    assert (Path(error.where.path).as_posix(), error.where.line) == (case.file, case.line)
    assert error.where.key == case.key
    assert case.problem in error.problem
    assert case.remedy in error.remedy
    message = str(error)
    assert message.startswith(error.where.path)
    assert case.line is None or f"{error.where.path}:{case.line}" in message
    assert "\n" not in message
    assert not error.problem.endswith((".", "?", "!"))
    assert not error.remedy.endswith((".", "?", "!"))
    assert everything(tmp_path) == before


def test_the_project_that_the_cases_break_is_right(tmp_path: Path) -> None:
    inputs = load_inputs(load_config(small_project(tmp_path)))
    assert (len(inputs.submissions), inputs.pairs) == (4, 2 * (3 + 2))


def test_there_are_cases_enough_and_no_two_alike() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    assert len({(case.file, case.problem, case.key) for case in CASES}) > 60


TARGETS = ["run.yaml", ADAM, "m.jsonl", "grade/gpt/adam/submission.yaml"]
ORIGINALS = {
    "run.yaml": MANIFEST + "judge: {kind: embedded}\n",
    ADAM: pretty(claims()),
    "m.jsonl": lines(ROW, {**ROW, "submission": "b", "exclude": ["x"]}),
    "grade/gpt/adam/submission.yaml": "claims_version: x\nexclude: [a]\nmodel: m\n",
}
junk = st.sampled_from([b"", b"\0", b"\xff", b"\n", b"{", b"]", b'"', b":", b"- ", b"1e9", b"\\"])


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TARGETS), st.data())
def test_any_damage_loads_or_is_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, target: str, data: st.DataObject
) -> None:
    root = tmp_path_factory.getbasetemp() / "damaged"
    if not root.exists():
        small_project(root)
    plant(root, ORIGINALS)
    text = ORIGINALS[target].encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 12, len(text))))
    damaged = text[:start] + data.draw(junk | st.binary(max_size=4)) + text[end:]
    plant(root, {target: damaged})
    if target.startswith("grade"):
        plant(root, {"run.yaml": GOOD})
    error = None
    try:
        validate(load_config(root / "run.yaml"))
    except InputError as caught:
        error = caught
    assert error is None or (error.remedy and error.where.path)
