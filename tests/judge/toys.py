"""Small repositories, claims and judges for tests of a run; importable from a worker process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmark import Benchmark, Dimension, Paper, Sau, Submission
from judge.protocol import Answer, AnswerError, FatalProviderError, Question, Request
from judge.run_plan import RunPlan
from judge.verdict import Usage

TRAIN = """import torch


def build(model):
    return torch.optim.AdamW(model.parameters(), lr=3e-4)


if __name__ == "__main__":
    build(torch.nn.Linear(3, 3))
"""


def saus(paper: str, count: int) -> tuple[Sau, ...]:
    return tuple(
        Sau(f"{paper}-D1-{n:03}", paper, Dimension.D1, f"The learning rate is {n}e-4")
        for n in range(1, count + 1)
    )


def bench(papers: int = 2, claims: int = 3) -> Benchmark:
    names = [f"paper{n}" for n in range(papers)]
    return Benchmark("toys", tuple(Paper(name, saus(name, claims)) for name in names))


def hand_in(folder: Path, benchmark: Benchmark, agents: int = 2) -> tuple[Submission, ...]:
    """Write one small repository for each agent and paper."""
    found = []
    for agent in range(agents):
        for paper in benchmark.papers:
            root = folder / f"agent{agent}" / paper.id
            root.mkdir(parents=True, exist_ok=True)
            train = TRAIN + f"\nSEED_OF_AGENT = {agent}\nNAME_OF_PAPER = '{paper.id}'\n"
            (root / "train.py").write_text(train, encoding="utf-8")
            id_ = f"agent{agent}/{paper.id}"
            found.append(Submission(id_, f"agent{agent}", paper.id, root, {"scaffold": "toy"}))
    return tuple(found)


def hand_in_one(folder: Path, claims: int) -> None:
    """One submission with its paper's claims and a manifest, as a person lays them out."""
    benchmark = bench(papers=1, claims=claims)
    hand_in(folder / "repos", benchmark, agents=1)
    [paper] = benchmark.papers
    own = folder / "claims" / paper.id
    own.mkdir(parents=True)
    rows = [{"id": sau.id, "claim": sau.claim, "source": "Sec. 1"} for sau in paper.saus]
    (own / "sau.json").write_text(json.dumps({"paper_id": paper.id, "D1": rows}), encoding="utf-8")
    manifest = {"submission": "me", "agent": "me", "paper": paper.id}
    manifest["path"] = f"repos/agent0/{paper.id}"
    (folder / "submissions.jsonl").write_text(json.dumps(manifest) + "\n", encoding="utf-8")


def plan(folder: Path, judge: Any, **changes: Any) -> RunPlan:
    benchmark = changes.pop("benchmark", None) or bench()
    submissions = changes.pop("submissions", None) or hand_in(folder / "in", benchmark)
    fields: dict[str, Any] = {
        "benchmark": benchmark,
        "submissions": submissions,
        "output": folder / "out",
        "cache": folder / "cache",
        "judge": judge,
        "workers": 0,
    }
    return RunPlan(**{**fields, **changes})


def answer_fields(**changes: Any) -> dict[str, Any]:
    fields = {
        "expected": "the rate",
        "found": "train.py:5",
        "citations": [
            {
                "path": "train.py",
                "first": 5,
                "last": 5,
                "quote": "return torch.optim.AdamW(model.parameters(), lr=3e-4)",
            }
        ],
        "rationale": "another value",
        "level": "0.5",
        "drift": "numerical",
        "failure": "mismatch",
        "confidence": 0.9,
        "lacking": [],
    }
    return {**fields, **changes}


def answer_text(**changes: Any) -> str:
    return json.dumps(answer_fields(**changes))


class Here:
    """A judge that computes here, and does odd things to submissions whose seed file says so."""

    name = "here"
    provider = "embedded"
    model: str | None = None

    def __init__(self, version: int = 1) -> None:
        self.version = version

    def identity(self) -> Mapping[str, Any]:
        return {"version": self.version}

    def judge_here(self, question: Question) -> Answer:
        assert question.index is not None
        file = question.index.file("mischief.py")
        match file.text.split() if file else []:
            case ["raise"]:
                raise RecursionError("too deep")
            case ["die"]:
                os.kill(os.getpid(), signal.SIGKILL)
            case ["die_once", mark] if not Path(mark).exists():
                Path(mark).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            case ["hang"]:
                time.sleep(60)
            case ["babble"]:
                return Answer("no JSON at all")
        return Answer(answer_text())


class Wire:
    """A judge over a wire that is not there; it counts what it is asked.

    Args:
        outcomes: By claim id: a text, or an exception to raise; all others get a good answer. Of a
            list, one for each turn of the conversation, the last one for all that follow.
        delay: Seconds before each answer.
        by_claim: Whether the request depends on the submission too.
    """

    provider = "scripted"
    model: str | None = "wire-1"
    name = "wire"

    def __init__(
        self,
        outcomes: Mapping[str, Any] | None = None,
        *,
        delay: float = 0.0,
        per_submission: bool = True,
        version: int = 1,
    ) -> None:
        self.outcomes = dict(outcomes or {})
        self.delay = delay
        self.per_submission = per_submission
        self.version = version
        self.asked: list[tuple[str, str]] = []
        self.bodies: list[dict[str, Any]] = []
        self.flying = 0
        self.most_flying = 0
        self.closed = False

    def identity(self) -> Mapping[str, Any]:
        return {"version": self.version}

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        assert question.prompt is not None
        return Request(
            {
                "version": self.version,
                "submission": question.submission if self.per_submission else "",
                "sau": question.sau.id,
                "claim": question.sau.claim,
                "question": question.prompt.question if self.per_submission else "",
                "repeat": repeat,
            }
        )

    async def judge(self, request: Request) -> Answer:
        self.asked.append((request.body["submission"], request.body["sau"]))
        self.flying += 1
        self.most_flying = max(self.most_flying, self.flying)
        try:
            await asyncio.sleep(self.delay)
        finally:
            self.flying -= 1
        outcome = self.outcomes.get(request.body["sau"], answer_text())
        self.bodies.append(dict(request.body))
        if isinstance(outcome, list):
            turn = len(request.body.get("messages", ())) // 2
            outcome = outcome[min(turn, len(outcome) - 1)]
        if isinstance(outcome, AnswerError | FatalProviderError):
            raise outcome
        return Answer(
            str(outcome),
            model="wire-1-2026",
            request_id=f"r{len(self.asked)}",
            rung="json_schema",
            usage=Usage(input_tokens=100, output_tokens=20, cost_usd=0.01),
            parameters={"seed": 3},
        )

    async def close(self) -> None:
        self.closed = True
