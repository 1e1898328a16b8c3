"""A run of one of each: whatever a command says of it, it says of one and not of many."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli

MANY = re.compile(
    r"(?<![\d.,/–-])1 (?:[a-z]+ ){0,2}"
    r"(?:agents|anchors|answers|attacks|bytes|calls|changes|characters|claims|errors|files|folders"
    r"|items|judges|labels|lines|members|mutants|pairs|papers|parts|passages|questions|quotes"
    r"|readings|repositories|requests|runs|submissions|terms|tokens|verdicts)\b"
    r"|\b1 (?:have|are|were|wait|stand)\b|\(s\)"
)

CONFIG = """\
benchmark:
  path: claims
submissions:
  path: repos
judge:
  kind: {kind}
{more}
output:
  path: {out}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One paper with one claim, one agent with one file of one line, one label."""
    root = tmp_path_factory.mktemp("one")
    (root / "claims" / "p").mkdir(parents=True)
    (root / "claims" / "p" / "sau.json").write_text(
        json.dumps(
            {
                "paper_id": "p",
                "D1": [{"id": "p-D1-001", "claim": "The learning rate is 0.1", "source": "S2"}],
            }
        ),
        encoding="utf-8",
    )
    repo = root / "repos" / "mine" / "p" / "repo"
    repo.mkdir(parents=True)
    (repo / "train.py").write_text("learning_rate = 0.1\n", encoding="utf-8")
    (root / "labels.jsonl").write_text(
        json.dumps(
            {"submission": "mine/p", "sau": "p-D1-001", "annotator": "ann", "kind": "person",
             "level": 4}
        ) + "\n",
        encoding="utf-8",
    )  # fmt: skip
    for name, kind, more in (
        ("here", "embedded", ""),
        ("there", "exchange", "  model: m\n  exchange: exchange\n"),
    ):
        (root / f"{name}.yaml").write_text(
            CONFIG.format(kind=kind, more=more, out=f"runs/{name}"), encoding="utf-8"
        )
    return root


def said(*words: object, codes: tuple[int, ...] = (0,)) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words])
    assert result.exit_code in codes, result.output
    return result.output


def test_no_command_tells_one_as_many(folder: Path) -> None:
    here, there = folder / "here.yaml", folder / "there.yaml"
    run, claims = folder / "runs" / "here", folder / "claims"
    repo, labels = folder / "repos" / "mine" / "p" / "repo", folder / "labels.jsonl"
    outputs = {
        "validate": said("validate", "--config", here),
        "run": said("run", "--config", here),
        "again": said("run", "--config", here),
        "plan": said("plan", "--config", there, "--each"),
        "wait": said("run", "--config", there, codes=(3,)),
        "show": said("show", "mine/p", "p-D1-001", "--run", run),
        "search": said("search", repo, "The learning rate is 0.1"),
        "check": said("check", repo, "--saus", claims, codes=(0, 3)),
        "agree": said("agree", "--run", run, "--labels", labels),
        "score": said("score", "--run", run, "--labels", labels, codes=(0, 2)),
        "calibrate": said(
            *("calibrate", "--run", run, "--labels", labels, "--output", folder / "c.json"),
            codes=(2,),
        ),
        "labels plan": said("labels", "plan", "--run", run, "--labels", labels, codes=(2,)),
        "compare": said("compare", run, run),
        "report": said("report", run),
    }
    pages = run / "report"
    for page in [pages / "index.html", *(pages / "submissions").iterdir()]:
        text = page.read_text(encoding="utf-8").partition("<body")[2].partition("<script")[0]
        outputs[page.name] = re.sub(r"<[^>]+>", "", text)
    told = {name: MANY.findall(text) for name, text in outputs.items()}
    assert not any(told.values()), {name: found for name, found in told.items() if found}
    assert "1 claim" in outputs["run"]
    assert "1 question waits for an answer" in outputs["wait"]
