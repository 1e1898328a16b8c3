"""A verdict on a repository that was not read in whole says so, whoever judges and however."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from judge.pipeline import run_plan
from judge.question_settings import QuestionSettings
from judge.store import read_run
from judge.verdict import Verdict
from tests.judge.toys import Here, Wire, answer_text, bench, hand_in, plan

NOTHING = answer_text(level="0", drift="numerical", failure="missing", citations=[])


class HereNothing(Here):
    """Finds nothing, and is sure of it."""

    def judge_here(self, question: Any) -> Any:
        return type(super().judge_here(question))(NOTHING)


def verdicts(folder: Path, judge: Any, *, hidden: bool, **changes: Any) -> list[Verdict]:
    benchmark = bench(1, 2)
    submissions = hand_in(folder / "in", benchmark, 1)
    if hidden:
        large = submissions[0].root / "config.py"
        large.write_text("lr = 1e-4\n" * 150_000, encoding="utf-8")
    made = plan(folder, judge, benchmark=benchmark, submissions=submissions, **changes)
    asyncio.run(run_plan(made))
    return list(read_run(made.output).verdicts)


def asked(folder: Path, *, hidden: bool) -> tuple[list[Verdict], str]:
    wire = Wire({f"paper0-D1-{n:03}": NOTHING for n in (1, 2)})
    settings = QuestionSettings(context="whole", lookup_tokens=0)
    found = verdicts(folder, wire, hidden=hidden, question=settings)
    return found, wire.bodies[0]["question"]


@pytest.mark.parametrize("hidden", [False, True])
def test_a_judge_here_has_not_seen_what_was_not_read(tmp_path: Path, hidden: bool) -> None:
    found = verdicts(tmp_path, HereNothing(), hidden=hidden)
    assert len(found) == 2
    for verdict in found:
        assert verdict.evidence is not None
        assert verdict.evidence.complete is not hidden
        assert verdict.evidence.omitted_files == hidden
        assert ("evidence_incomplete" in verdict.flags) is hidden
        assert verdict.confidence is not None
        assert (verdict.confidence < 0.9) is hidden


@pytest.mark.parametrize("hidden", [False, True])
def test_a_repository_shown_whole_is_not_called_complete(tmp_path: Path, hidden: bool) -> None:
    found, question = asked(tmp_path, hidden=hidden)
    assert ("evidence is complete" in question) is not hidden
    assert ("config.py (not read: too large" in question) is hidden
    for verdict in found:
        assert verdict.evidence is not None
        assert verdict.evidence.complete is not hidden
        assert ("evidence_incomplete" in verdict.flags) is hidden
