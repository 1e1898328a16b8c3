"""What a directory keeps of several runs: each judge apart, each note fresh, nothing mixed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark import Benchmark
from judge.lines import iter_lines
from judge.loading import read_submissions
from judge.pipeline import run_plan
from judge.rebuilding import rebuild_question
from judge.report.freshness import write_report_if_changed
from judge.store import iter_verdicts, read_run
from judge.trust_inputs import read_verdicts
from retrieval.index import Index
from tests.judge.toys import Here, Wire, plan


def go(made: Any) -> Any:
    return asyncio.run(run_plan(made))


def notes(made: Any) -> int:
    return sum(1 for _ in iter_lines(made.output / "submissions.jsonl"))


# ---- judges ----------------------------------------------------------------------------------


class Named(Here):
    def __init__(self, model: str, version: int = 1) -> None:
        super().__init__(version)
        self.model = model


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Named("w1"), Named("w2")),
        (Named("w1", version=1), Named("w1", version=2)),
        (Wire(version=1), Wire(version=2)),
    ],
)
def test_a_run_that_was_stopped_after_its_judge_changed_says_that_two_are_mixed(
    tmp_path: Path, first: Any, second: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = plan(tmp_path, first)
    result = go(made)
    assert not result.summary.mixed_judges
    from judge.running import Running

    take = Running._take
    taken = []

    def two(self: Running, prepared: Any) -> None:
        taken.append(prepared)
        if len(taken) > 2:
            raise OSError("stopped here")
        take(self, prepared)

    monkeypatch.setattr(Running, "_take", two)
    with pytest.raises(OSError, match="stopped here"):
        go(replace(made, judge=second))
    run = read_run(made.output)
    from judge.summary import summarise

    summary = summarise(run.verdicts, run.saus, run.submissions)
    assert summary.mixed_judges
    assert sum(use.verdicts for use in summary.judges) == 12
    assert len({use.name for use in summary.judges}) == 2
    assert sum(agent.all.judges[use.name] for agent in summary.agents for use in summary.judges
               if use.name in agent.all.judges) == 12  # fmt: skip


def test_a_judge_that_runs_here_is_named_with_its_model(tmp_path: Path) -> None:
    result = go(plan(tmp_path, Named("w1")))
    assert [use.name for use in result.summary.judges] == ["here (w1)"]


# ---- what a run is about ---------------------------------------------------------------------


def test_a_run_is_about_its_own_submissions_and_claims_alone(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    go(made)
    paper = made.benchmark.papers[0]
    fewer = replace(
        made,
        judge=Here(version=2),
        submissions=tuple(s for s in made.submissions if s.paper == paper.id)[:1],
        benchmark=Benchmark("toys", (replace(paper, saus=paper.saus[:2]),)),
        versions={paper.id: paper.version},
    )
    result = go(replace(fewer, versions={one.id: one.version for one in made.benchmark.papers}))
    assert result.exit_code == 0
    assert result.summary.all.counts.expected == 2
    assert not result.summary.mixed_judges
    assert len(list(iter_verdicts(made.output))) == 12
    run = read_run(made.output)
    assert (len(run.submissions), len(run.saus), len(run.verdicts)) == (1, 2, 2)
    assert any("10 verdicts of earlier runs are left out" in note for note in run.notes)
    assert len(read_run(made.output, everything=True).verdicts) == 12
    assert len(read_verdicts([made.output])) == 2

    again = go(made)
    assert again.summary.all.counts.graded == 12
    assert read_run(made.output).notes == ()


def test_a_report_is_written_again_when_the_run_is_about_something_else(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    result = go(made)
    report = tmp_path / "report"
    write_report_if_changed(made.output, report, result.summary)
    assert len(list((report / "submissions").glob("*.html"))) == 4
    result = go(replace(made, submissions=made.submissions[:1]))
    write_report_if_changed(made.output, report, result.summary)
    assert len(list((report / "submissions").glob("*.html"))) == 1


# ---- notes on submissions --------------------------------------------------------------------


def test_a_note_of_trouble_is_healed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan(tmp_path, Here())

    def broken(repository: object) -> Index:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(Index, "build", broken)
        go(made)
    assert all(note.error for note in read_submissions(made.output).values())
    go(made)
    assert not any(note.error for note in read_submissions(made.output).values())
    assert notes(made) == 8
    go(made)
    assert notes(made) == 8


def test_what_a_submission_is_said_to_be_is_kept_up_to_date(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    for submission in made.submissions:
        (submission.root / "broken.py").write_text("def f(:\n", encoding="utf-8")
    go(made)
    before = read_run(made.output).submissions
    assert all(note.notes for note in before)
    renamed = tuple(
        replace(s, agent=f"new-{s.agent}", meta={"generator_model": "m"}) for s in made.submissions
    )
    result = go(replace(made, submissions=renamed))
    assert result.counts.kept == 12
    run = read_run(made.output)
    assert {note.agent for note in run.submissions} == {"new-agent0", "new-agent1"}
    assert all(note.meta == {"generator_model": "m"} for note in run.submissions)
    # What the index had to say of them was not lost although nothing was indexed.
    assert [note.notes for note in run.submissions] == [note.notes for note in before]
    assert {verdict.agent for verdict in run.verdicts} == {"new-agent0", "new-agent1"}
    assert notes(made) == 8


def test_a_question_is_built_again_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = plan(tmp_path, Here())
    monkeypatch.chdir(tmp_path)
    go(replace(made, submissions=tuple(
        replace(s, root=s.root.relative_to(tmp_path)) for s in made.submissions
    )))  # fmt: skip
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    run = read_run(made.output)
    question, remark = rebuild_question(run, "agent0/paper0", "paper0-D1-001")
    assert question is not None
    assert not remark
