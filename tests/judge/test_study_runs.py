"""Studies that run first what they study: configs, the suite's papers, JudgeEval's rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from tests.planting import plant

CODE = """import numpy as np

RATE = 0.001


def step(weights, gradient):
    return weights - RATE * gradient


if __name__ == "__main__":
    print(step(np.zeros(3), np.ones(3)))
"""


def judge(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def row(leaf: str, requirement: str, human: int, lines: list[int]) -> dict[str, Any]:
    return {
        "paper": "kite",
        "leaf_id": leaf,
        "requirement": requirement,
        "parents": ["Reproduce the paper", "The optimiser is there"],
        "human": human,
        "explanation": f"seen by a person in {leaf}",
        "resolved": ["train.py"] if lines else [],
        "lines": lines,
    }


@pytest.fixture
def kite(tmp_path: Path) -> Path:
    """A repository, rows that grade it, and a study of the two."""
    rows = [
        row("k1", "The learning rate is 0.001", 1, [3]),
        row("k2", "Weights move against the gradient, times the learning rate", 1, [7]),
        row("k3", "The learning rate is 0.1", 0, [3]),
        row("k4", "A cosine schedule with warmup is used", 0, []),
    ]
    plant(
        tmp_path,
        {
            "code/train.py": CODE,
            "rows.jsonl": "".join(json.dumps(one) + "\n" for one in rows),
            "study.yaml": "judgeeval: {rows: rows.jsonl, repository: code}\noutput: out\n",
        },
    )
    return tmp_path


def test_rows_and_a_repository_become_a_run_and_a_study_by_one_command(kite: Path) -> None:
    shown = judge("study", "--config", kite / "study.yaml")
    assert shown.exit_code == 0, shown.output
    record = json.loads((kite / "out" / "study.json").read_text(encoding="utf-8"))
    account = record["agreement"]["accounts"]["embedded"]
    assert (account["labels"], account["matched"]) == (4, 4)
    (match,) = record["agreement"]["judges"]
    assert match["scale"] == "pass"
    assert "share of claims at level 3" in record["notes"][0]
    run = json.loads((kite / "out" / "run" / "run.json").read_text(encoding="utf-8"))
    assert run["scope"]["submissions"] == [["author/kite", "author", "kite"]]
    assert judge("show", "author/kite", "k1", "--run", kite / "out" / "run").exit_code == 0
    # What was graded is not graded again, and nothing of the study depends on when it ran.
    verdicts = (kite / "out" / "run" / "verdicts.jsonl").read_bytes()
    before = (kite / "out" / "study.json").read_bytes()
    assert judge("study", "--config", kite / "study.yaml").exit_code == 0
    assert (kite / "out" / "run" / "verdicts.jsonl").read_bytes() == verdicts
    assert (kite / "out" / "study.json").read_bytes() == before
    # The same rows serve as labels of any run over the same claims.
    told = judge("agree", "--run", kite / "out" / "run", "--labels", kite / "rows.jsonl", "--json")
    assert json.loads(told.output)["accounts"]["embedded"]["matched"] == 4
    other = judge("agree", "--run", kite / "out" / "run", "--labels", kite / "rows.jsonl",
                  "--set", "agent=someone")  # fmt: skip
    assert other.exit_code == 2
    assert "no verdict is about this submission" in other.output


NOTHING = """
  answer: {level: "0", drift: methodological, failure: missing, rationale: THE JUDGE SAW NOTHING,
           citations: []}
"""
SCRIPT = f"rules: []\ndefault:{NOTHING}"


def test_worst_disagreements_show_both_reasons_and_the_labelled_code(kite: Path) -> None:
    plant(kite, {"script.yaml": SCRIPT})
    config = (
        (kite / "study.yaml")
        .read_text(encoding="utf-8")
        .replace(
            "repository: code", "repository: code, judge: {kind: scripted, script: script.yaml}"
        )
    )
    (kite / "study.yaml").write_text(config, encoding="utf-8")
    shown = judge("study", "--config", kite / "study.yaml")
    assert shown.exit_code == 0, shown.output
    record = json.loads((kite / "out" / "study.json").read_text(encoding="utf-8"))
    assert [one["sau"] for one in record["worst"]] == ["k1", "k2"]
    assert record["worst"][1]["labels"][0]["code"] == [
        {"where": "train.py:7", "quote": "    return weights - RATE * gradient",
         "state": "as labelled"}
    ]  # fmt: skip
    page = (kite / "out" / "index.html").read_text(encoding="utf-8")
    for words in ("THE JUDGE SAW NOTHING", "seen by a person in k2", "weights - RATE * gradient"):
        assert words in page
    # Code that is not what was judged is not shown as if it were.
    (kite / "code" / "train.py").write_text(CODE + "\n# later\n", encoding="utf-8")
    plain = kite / "again.yaml"
    plain.write_text("runs: out/run\nlabels: rows.jsonl\noutput: again\n", encoding="utf-8")
    assert judge("study", "--config", plain).exit_code == 0
    record = json.loads((kite / "again" / "study.json").read_text(encoding="utf-8"))
    code = record["worst"][0]["labels"][0]["code"][0]
    assert (code["quote"], code["state"]) == ("", "the repository has changed since it was judged")


def test_a_run_whose_claims_are_not_all_judged_is_studied_and_told_by_the_exit_code(
    kite: Path,
) -> None:
    failing = "rules: [{when: {sau: k4}, error: {code: timeout, message: no answer}}]\n"
    plant(kite, {"script.yaml": f"{failing}default:{NOTHING}"})
    config = "judgeeval: {rows: rows.jsonl, repository: code, judge: {kind: scripted, "
    config += "script: script.yaml}}"
    (kite / "study.yaml").write_text(config + "\noutput: out\n", encoding="utf-8")
    shown = judge("study", "--config", kite / "study.yaml")
    assert shown.exit_code == 3, shown.output
    assert "1 claim has no verdict" in shown.output


def test_a_study_whose_answers_are_all_waited_for_says_what_to_do(kite: Path) -> None:
    (kite / "study.yaml").write_text(
        "judgeeval: {rows: rows.jsonl, repository: code,"
        " judge: {kind: exchange, model: somebody, exchange: ex}}\noutput: out\n",
        encoding="utf-8",
    )
    shown = judge("study", "--config", kite / "study.yaml")
    assert shown.exit_code == 3
    assert "4 questions wait for an answer: requests.jsonl" in shown.output
    assert "none of 4 claims has a verdict: there is no study yet" in shown.output
    assert not (kite / "out" / "index.html").exists()


def test_a_provider_that_refuses_stops_the_study_with_the_runs_code(kite: Path) -> None:
    script = "rules: []\ndefault: {error: {code: no_key, message: no such key, fatal: true}}\n"
    plant(kite, {"script.yaml": script})
    config = "judgeeval: {rows: rows.jsonl, repository: code, judge: {kind: scripted, "
    config += "script: script.yaml}}"
    (kite / "study.yaml").write_text(config + "\noutput: out\n", encoding="utf-8")
    shown = judge("study", "--config", kite / "study.yaml")
    assert shown.exit_code == 4, shown.output
    assert "the run stopped: " in shown.output
    assert "no such key" in shown.output
    assert not (kite / "out" / "study.json").exists()


def test_a_config_among_the_runs_is_run_first_and_the_suite_labels_itself(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "run.yaml": "benchmark: {path: suite, papers: [kfold]}\noutput: {path: graded}\n",
            "study.yaml": "runs: run.yaml\nlabels: suite\noutput: out\n",
        },
    )
    shown = judge("study", "--config", tmp_path / "study.yaml")
    assert shown.exit_code == 0, shown.output
    assert (tmp_path / "graded" / "verdicts.jsonl").exists()
    record = json.loads((tmp_path / "out" / "study.json").read_text(encoding="utf-8"))
    account = record["agreement"]["accounts"]["embedded"]
    assert (account["labels"], account["matched"]) == (416, 52)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("judgeeval: {rows: rows.jsonl}\n", "repository is missing"),
        ("judgeeval: {rows: none.jsonl, repository: code}\n", "there is no file"),
        ("judgeeval: {rows: rows.jsonl, repository: none}\n", "there is no folder"),
        ("judgeeval: {rows: rows.jsonl, repository: code, rowz: 1}\n", "unknown key 'rowz'"),
        ("judgeeval: {rows: rows.jsonl, repository: code}\nruns: x\n", "judgeeval and runs"),
        ("judgeeval: {rows: rows.jsonl, repository: code}\npapers: few\n", "sample or fixed"),
        (
            "judgeeval: {rows: rows.jsonl, repository: code, judge: {kind: opnai}}\n",
            "judge.kind",
        ),
        ("judgeeval: {rows: rows.jsonl, repository: code}\noutput: code/out\n", "lies inside"),
        ("runs: nowhere\nlabels: rows.jsonl\n", "nowhere"),
    ],
)
def test_a_study_that_cannot_be_run_says_why(kite: Path, text: str, part: str) -> None:
    (kite / "study.yaml").write_text(text, encoding="utf-8")
    shown = judge("study", "--config", kite / "study.yaml")
    assert shown.exit_code == 2, shown.output
    assert part in shown.output
