"""The commands on anchors, as a person types them, over a small benchmark and a scripted judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from tests.planting import plant

PAPERS, AGENTS, CLAIMS = 6, ("one", "two"), 6
ANSWER = '{level: "%s", drift: %s, failure: %s}'
SCRIPT = """rules:
  - when: {sau: "*-1"}
    answer: {level: "1", drift: none, failure: none}
  - when: {sau: "*-2"}
    answer: {level: "0.25", drift: numerical, failure: mismatch}
default:
  answer: {level: "0.5", drift: numerical, failure: incomplete}
"""
BETTER = SCRIPT.replace('"0.25"', '"0.75"').replace('"0.5"', '"0.75"')


def judge(*words: str | Path | int) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Claims, repositories, a judge, and its run over everything."""
    root = tmp_path_factory.mktemp("anchors")
    files = {"script.yaml": SCRIPT, "better.yaml": BETTER}
    for paper in range(PAPERS):
        claims = [
            {"id": f"p{paper}-{n}", "claim": f"the rate {n} is 0.{n}", "source": ""}
            for n in range(1, CLAIMS + 1)
        ]
        files[f"claims/p{paper}/sau.json"] = json.dumps({"paper_id": f"p{paper}", "D1": claims})
        for agent in AGENTS:
            files[f"repos/{agent}/p{paper}/repo/train.py"] = f"rate = 0.{paper + 1}\n"
    for name in ("script", "better"):
        files[f"{name}.run.yaml"] = (
            "benchmark: {path: claims}\nsubmissions: {path: repos}\n"
            f"judge: {{kind: scripted, script: {name}.yaml, model: {name}}}\n"
            f"output: {{path: {name}, workers: 1}}\n"
        )
    plant(root, files)
    shown = judge("run", "--config", root / "script.run.yaml", "--quiet", "--no-report")
    assert shown.exit_code == 0, shown.output
    return root


@pytest.fixture
def anchors(world: Path, tmp_path: Path) -> Path:
    path = tmp_path / "anchors.json"
    shown = judge("anchors", "make", "--run", world / "script", "--count", 24, "--output", path)
    assert shown.exit_code == 0, shown.output
    assert "24 verdicts on 24 claims of 6 submissions" in shown.output
    return path


def test_the_same_judge_has_not_drifted_and_another_has(
    world: Path, anchors: Path, tmp_path: Path
) -> None:
    again = judge("anchors", "run", anchors, "--config", world / "script.run.yaml",
                  "--output", tmp_path / "again", "--quiet")  # fmt: skip
    assert again.exit_code == 0, again.output
    lines = (tmp_path / "again" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 24
    same = judge("anchors", "check", anchors, "--run", tmp_path / "again", "--within", "0.04")
    assert same.exit_code == 0, same.output
    assert "no drift is shown" in same.output
    few = judge("anchors", "check", anchors, "--run", tmp_path / "again", "--within", "0.01")
    assert few.exit_code == 5, few.output
    assert "nor that the shift stays within 0.01" in few.output
    other = judge("anchors", "run", anchors, "--config", world / "better.run.yaml",
                  "--output", tmp_path / "better", "--quiet")  # fmt: skip
    assert other.exit_code == 0, other.output
    moved = judge("anchors", "check", anchors, "--run", tmp_path / "better", "--json")
    assert moved.exit_code == 5, moved.output
    record = json.loads(moved.output)
    assert record["drifted"]
    assert record["shifts"][0]["value"] > 0
    told = judge("anchors", "check", anchors, "--run", tmp_path / "better")
    assert "the judge has drifted" in told.output
    assert "model then script, now better" in told.output


def test_a_fresh_run_asks_again_what_was_answered_before(
    world: Path, anchors: Path, tmp_path: Path
) -> None:
    words = ("anchors", "run", anchors, "--config", world / "script.run.yaml", "--quiet")
    assert judge(*words, "--output", tmp_path / "old").exit_code == 0
    assert judge(*words, "--output", tmp_path / "new", "--fresh").exit_code == 0
    asked = {
        name: "new" if (tmp_path / f"{name}.cache").exists() else "shared"
        for name in ("old", "new")
    }
    assert asked == {"old": "shared", "new": "new"}
    check = judge("anchors", "check", anchors, "--run", tmp_path / "new")
    assert check.exit_code == 0, check.output
    # A second time there all would be at hand, and no drift could be seen.
    again = judge(*words, "--output", tmp_path / "new", "--fresh")
    assert again.exit_code == 2
    assert "Give another folder" in again.output
    assert judge(*words, "--output", tmp_path / "new").exit_code == 0


def test_anchors_are_asked_as_they_were_among_all_claims(tmp_path: Path) -> None:
    claims = [
        {"id": f"p-{n}", "claim": f"the rate {n} is 0.{n}", "source": ""} for n in range(1, 9)
    ]
    lines = [f"rate_{n} = compute_the_rate(0.{n}, steps={n})\n" for n in range(900)]
    plant(tmp_path, {
        "claims/p/sau.json": json.dumps({"paper_id": "p", "D1": claims}),
        "repos/one/p/repo/train.py": "".join(lines),
        "script.yaml": SCRIPT,
        "run.yaml": "benchmark: {path: claims}\nsubmissions: {path: repos}\n"
        "prompt: {claims_per_request: 2}\n"
        "judge: {kind: scripted, script: script.yaml, model: m}\n"
        "output: {path: all, workers: 1}\n",
    })  # fmt: skip
    config = tmp_path / "run.yaml"
    assert judge("run", "--config", config, "--quiet", "--no-report").exit_code == 0
    of_run = json.loads((tmp_path / "all" / "run.json").read_text(encoding="utf-8"))
    anchors = tmp_path / "anchors.json"
    anchors.write_text(json.dumps({
        "judge": "scripted:m", "versions": of_run["paper_versions"], "digests": {},
        "anchors": [{"submission": "one/p", "sau": "p-3", "level": 2}],
    }), encoding="utf-8")  # fmt: skip
    shown = judge("anchors", "run", anchors, "--config", config, "--output", tmp_path / "again",
                  "--quiet")  # fmt: skip
    assert shown.exit_code == 0, shown.output
    then, now = (
        {
            row["sau"]: (row["evidence"]["context"], row["provenance"]["request_key"])
            for line in (tmp_path / name / "verdicts.jsonl").read_text("utf-8").splitlines()
            for row in [json.loads(line)]
        }
        for name in ("all", "again")
    )
    assert now == {"p-3": then["p-3"]}
    assert now["p-3"][0] == "whole"


def test_gaps_end_with_three(world: Path, anchors: Path) -> None:
    record = json.loads(anchors.read_text(encoding="utf-8"))
    first = record["anchors"][0]["submission"]
    record["digests"][first] = "0" * 64
    anchors.write_text(json.dumps(record), encoding="utf-8")
    shown = judge("anchors", "check", anchors, "--run", world / "script")
    assert shown.exit_code == 3, shown.output
    assert "the code is not what it was" in shown.output


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"versions": {"p0": "000000000000"}}, "the claims of p0 are version"),
        ({"anchors": []}, "this is no file of anchors"),
        ({"extra": 1}, "this is no file of anchors"),
    ],
)
def test_a_wrong_file_of_anchors_is_refused(
    world: Path, anchors: Path, change: dict[str, object], part: str
) -> None:
    record = json.loads(anchors.read_text(encoding="utf-8")) | change
    anchors.write_text(json.dumps(record), encoding="utf-8")
    shown = judge("anchors", "check", anchors, "--run", world / "script")
    assert shown.exit_code == 2
    assert part in shown.output
    assert str(anchors) in shown.output or str(world) in shown.output


def test_anchors_are_chosen_once_and_from_enough_papers(
    world: Path, anchors: Path, tmp_path: Path
) -> None:
    twice = judge("anchors", "make", "--run", world / "script", "--output", anchors, "--count", 6)
    assert twice.exit_code == 2
    assert "chosen once" in twice.output
    lost = judge("anchors", "run", anchors, "--config", world / "script.run.yaml",
                 "--output", world / "repos" / "one" / "p0" / "repo" / "out")  # fmt: skip
    assert lost.exit_code == 2
    assert "lies inside" in lost.output


def test_a_better_judge_over_a_draw_corrects_a_cheap_one_over_everything(
    world: Path, tmp_path: Path
) -> None:
    """The cheap judge sees all, the better one a fair draw of it, and no label is needed."""
    drawn, better = tmp_path / "drawn.json", tmp_path / "better"
    made = judge("anchors", "make", "--run", world / "script", "--all-agents", "--count", 24,
                 "--output", drawn)  # fmt: skip
    assert made.exit_code == 0, made.output
    assert "48 verdicts on 24 claims of 12 submissions" in made.output
    run = judge("anchors", "run", drawn, "--config", world / "better.run.yaml",
                "--output", better, "--quiet")  # fmt: skip
    assert run.exit_code == 0, run.output
    told = judge("score", "--run", world / "script", "--labels-from-run", better, "--json")
    assert told.exit_code == 0, told.output
    record = json.loads(told.output)
    assert record["ranked_by"] == "corrected"
    for agent in record["agents"]:
        assert agent["corrected"]["labels"] == 24
        # One claim in six is .25 to the cheap judge and .75 to the better one, four .5 and .75.
        assert agent["raw"]["value"] == pytest.approx(3.25 / 6)
        assert agent["corrected"]["value"] == pytest.approx(4.75 / 6, abs=0.02)
