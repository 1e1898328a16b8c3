"""Made verdicts and labels."""

from __future__ import annotations

from typing import Any

from benchmark import Dimension, Label, Level
from calibration.joining import Judged
from judge.verdict import Status


def seen(submission: str, sau: str, level: int | None, **more: Any) -> Judged:
    agent, paper = submission.split("/")
    values: dict[str, Any] = {
        "agent": agent,
        "paper": paper,
        "dimension": Dimension.D1,
        "judge": "toy",
        "status": Status.ERROR if level is None else Status.GRADED,
        **more,
    }
    return Judged(submission=submission, sau=sau, level=level, **values)


def read(submission: str, sau: str, level: int | None, **more: Any) -> Label:
    values: dict[str, Any] = {"annotator": "ann", "kind": "person", "drift": None, "failure": None}
    values |= more
    return Label(submission, sau, level=None if level is None else Level(level), **values)
