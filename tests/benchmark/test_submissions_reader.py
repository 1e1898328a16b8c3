"""Submissions: the trees and manifests people have, never a file that is not the submission's."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pathspec
import pytest

from benchmark import Benchmark, InputError, Submission
from benchmark.readers.claims import load_benchmark
from benchmark.readers.submissions import load_submissions
from tests.planting import claims, plant


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    plant(tmp_path / "papers", {f"{name}/sau.json": claims(name) for name in ("adam", "lora")})
    return load_benchmark(tmp_path / "papers")


def ids(submissions: tuple[Submission, ...]) -> list[str]:
    return [submission.id for submission in submissions]


def kept(submission: Submission) -> list[str]:
    """The files that the patterns leave."""
    spec = pathspec.GitIgnoreSpec.from_lines(submission.exclude)
    names = (path.relative_to(submission.root).as_posix() for path in submission.root.rglob("*")
             if path.is_file())  # fmt: skip
    return sorted(name for name in names if not spec.match_file(name))


@pytest.mark.parametrize("inner", ["repo", "workspace/repo", "{paper}_repo"])
def test_every_layout_by_the_root_the_agent_and_the_paper(
    tmp_path: Path, benchmark: Benchmark, inner: str
) -> None:
    tree = tmp_path / "runs"
    for agent in ("opus", "gpt"):
        for paper in ("lora", "adam"):
            plant(tree, {f"{agent}/{paper}/{inner.format(paper=paper)}/main.py": "x = 1"})
            plant(tree, {f"{agent}/{paper}/artifacts/planning_response.json": "{}"})
    plant(tree, {"opus/logs/a.txt": "", ".cache/adam/repo/x.py": "", "notes.md": ""})

    found = load_submissions(tree, benchmark=benchmark)
    assert ids(found) == ["gpt/adam", "gpt/lora", "opus/adam", "opus/lora"]
    assert [kept(submission) for submission in found] == [["main.py"]] * 4
    one_agent = load_submissions(tree / "gpt", benchmark=benchmark)
    assert ids(one_agent) == ["gpt/adam", "gpt/lora"]
    named = load_submissions(tree / "gpt", benchmark=benchmark, agent_name="mine")
    assert ids(named) == ["mine/adam", "mine/lora"]
    assert ids(load_submissions(tree / "gpt" / "adam", benchmark=benchmark)) == ["gpt/adam"]


def test_what_scorers_and_generators_wrote_is_left_out_and_code_is_not(
    tmp_path: Path, benchmark: Benchmark
) -> None:
    code = [
        "main.py", "config.yaml", "data/loader.py", "build/model.py", "results/plot.py",
        "src/result/metrics.py", "src/artifacts/store.py", "artifacts/registry.py",
        "planning.py", "src/planning_config.yaml", "trajectories.py", "result.py",
    ]  # fmt: skip
    other = [
        "result/adam-sau-score.json", "result/notes.py", "old/adam-sau-score.json",
        "main.py_simple_analysis_response.json", "x/main.py_simple_analysis_trajectories.json",
        "planning_response.json", "planning_trajectories.json", "planning_config.yaml",
        "adam_cleaned.json", "messages.jsonl",
    ]  # fmt: skip
    tree = tmp_path / "runs"
    plant(tree, {f"gpt/adam/repo/{name}": "{}" for name in code + other})
    plant(tree, {"gpt/lora/repo/main.py": "", "gpt/lora/repo/artifacts/log.json": "{}"})
    adam, lora = load_submissions(tree, benchmark=benchmark)
    assert kept(adam) == sorted(code)
    assert kept(lora) == ["main.py"]


def test_result_is_code_in_a_manifest_when_it_holds_code(
    tmp_path: Path, benchmark: Benchmark
) -> None:
    plant(
        tmp_path,
        {
            "a/result/eval.py": "",
            "a/result/adam-sau-score.json": "{}",
            "b/main.py": "",
            "b/result/adam-sau-score.json": "{}",
            "m.yaml": [row(path="a"), row(submission="two", path="b")],
        },
    )
    found = load_submissions(tmp_path / "m.yaml", benchmark=benchmark)
    assert [kept(submission) for submission in found] == [["result/eval.py"], ["main.py"]]


def row(**more: Any) -> dict[str, Any]:
    return {"submission": "one", "agent": "gpt", "paper": "adam", "path": "a", **more}


@pytest.mark.parametrize("name", ["m.jsonl", "m.yaml", "m.json", "nested.yaml"])
def test_a_manifest_in_every_language(tmp_path: Path, benchmark: Benchmark, name: str) -> None:
    rows = [
        row(submission="z/1", agent="opus", generator_model="m-1", seed=3, exclude=["/logs/"]),
        row(claims_version=benchmark.papers[0].version, path="sub/b"),
    ]
    plant(tmp_path, {"a": None, "sub/b": None})
    content = {
        "m.jsonl": "\n".join(json.dumps(item) for item in rows),
        "nested.yaml": {"submissions": rows},
    }.get(name, rows)
    plant(tmp_path, {name: content})
    first, second = load_submissions(tmp_path / name, benchmark=benchmark, exclude=["*.bak"])
    assert (first.id, first.agent, first.paper) == ("one", "gpt", "adam")
    assert first.root == tmp_path / "sub" / "b"
    assert second.meta == {"generator_model": "m-1", "seed": "3"}
    assert second.exclude[-2:] == ("/logs/", "*.bak")


def test_notes_beside_a_repository_are_read(tmp_path: Path, benchmark: Benchmark) -> None:
    notes = {"generator_model": "m-1", "exclude": ["/vendor/"],
             "claims_version": benchmark.papers[0].version}  # fmt: skip
    tree = plant(tmp_path / "runs", {"gpt/adam/repo": None, "gpt/adam/submission.yaml": notes})
    (submission,) = load_submissions(tree, benchmark=benchmark)
    assert submission.meta == {"generator_model": "m-1"}
    assert submission.exclude[-1] == "/vendor/"


def test_agents_and_papers_are_chosen(tmp_path: Path, benchmark: Benchmark) -> None:
    tree = plant(
        tmp_path / "runs",
        {
            **{f"{agent}/{paper}/repo": None for agent in "ab" for paper in ("adam", "lora")},
            "a/unknown/repo": None,
            "b/lora/repo": None,
            "c/adam": None,  # no repository, but not chosen either
        },
    )
    found = load_submissions(tree, benchmark=benchmark, agents=["b"], papers=["lora"])
    assert ids(found) == ["b/lora"]
    with pytest.raises(InputError, match="no claims for the paper 'unknown'"):
        load_submissions(tree, benchmark=benchmark, agents=["a"])
    found = load_submissions(tree, benchmark=benchmark, agents=["a"], skip_unknown_papers=True)
    assert ids(found) == ["a/adam", "a/lora"]


needs_links = pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="no links")


@needs_links
@pytest.mark.parametrize("link", ["gpt", "gpt/adam", "gpt/adam/repo"])
def test_links_may_not_leave_the_tree(tmp_path: Path, benchmark: Benchmark, link: str) -> None:
    tree = tmp_path / "runs"
    target = {"gpt": "", "gpt/adam": "adam", "gpt/adam/repo": "adam/repo"}[link]
    for home in (tmp_path / "outside", tree / ".store"):
        plant(home, {"adam/repo/main.py": ""})
    (tree / link).parent.mkdir(parents=True, exist_ok=True)

    (tree / link).symlink_to(tree / ".store" / target)
    assert ids(load_submissions(tree, benchmark=benchmark)) == ["gpt/adam"]
    (tree / link).unlink()
    (tree / link).symlink_to(tmp_path / "outside" / target)
    with pytest.raises(InputError, match="lies outside"):
        load_submissions(tree, benchmark=benchmark)
    allowed = load_submissions(tree, benchmark=benchmark, allow_outside=True)
    assert ids(allowed) == ["gpt/adam"]


@needs_links
def test_a_link_to_itself_is_no_folder(tmp_path: Path, benchmark: Benchmark) -> None:
    tree = plant(tmp_path / "runs", {"gpt/adam/repo/main.py": ""})
    for name in ("loop", "gpt/loop", "gpt/adam/workspace"):
        (tree / name).symlink_to(tree / name)
    assert ids(load_submissions(tree, benchmark=benchmark)) == ["gpt/adam"]
    (tmp_path / "papers" / "loop").symlink_to(tmp_path / "papers" / "loop")
    assert load_benchmark(tmp_path / "papers") == benchmark


@needs_links
def test_a_manifest_may_not_leave_its_folder_by_a_link(
    tmp_path: Path, benchmark: Benchmark
) -> None:
    plant(tmp_path, {"outside/main.py": "", "m/m.yaml": [row(path="a")]})
    (tmp_path / "m" / "a").symlink_to(tmp_path / "outside")
    with pytest.raises(InputError, match="lies outside") as caught:
        load_submissions(tmp_path / "m" / "m.yaml", benchmark=benchmark)
    assert caught.value.where.line == 3  # yaml.safe_dump sorts keys: agent, paper, path
    assert load_submissions(tmp_path / "m" / "m.yaml", benchmark=benchmark, allow_outside=True)


def test_an_absolute_path_needs_leave(tmp_path: Path, benchmark: Benchmark) -> None:
    plant(tmp_path, {"outside/main.py": "", "m/m.yaml": [row(path=str(tmp_path / "outside"))]})
    with pytest.raises(InputError, match="allow_outside"):
        load_submissions(tmp_path / "m" / "m.yaml", benchmark=benchmark)
    (found,) = load_submissions(tmp_path / "m" / "m.yaml", benchmark=benchmark, allow_outside=True)
    assert found.root == tmp_path / "outside"
