"""What the embedded judge was fitted on is said wherever its figures on the built-in suite are."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import judge
from benchmark import Dimension, Sau
from judge.config_sections import SUITE_FOLDER
from judge.embedded.distilling.labelled import FITTED_SUITE
from judge.figures import Summary
from judge.report.writing import write_report
from judge.store import LoadedRun
from judge.summary import summarise
from judge.tables import print_summary
from judge.verdict import Provenance
from tests.judge.made_runs import graded, note, run_of

EMBEDDED = Provenance(judge="embedded", provider="embedded")
SEEN, UNSEEN = ("adam", "lora"), ("ppo",)


def claims(papers: Sequence[str]) -> list[Sau]:
    return [
        Sau(one["id"], paper, Dimension.D1, one["claim"], one["source"])
        for paper in papers
        for one in json.loads(
            (SUITE_FOLDER / "papers" / paper / "sau.json").read_text(encoding="utf-8")
        )["D1"]
    ]


def run(
    papers: Sequence[str] = (*SEEN, *UNSEEN),
    *,
    by: Provenance = EMBEDDED,
    agents: Sequence[str] = ("faithful", "drifted"),
    reworded: bool = False,
) -> LoadedRun:
    """A run in which papers that were fitted get a 1, and the others a quarter."""
    saus = claims(papers)
    if reworded:
        saus[0] = replace(saus[0], claim="Another claim of mine.")
    notes = [note(agent, paper) for agent in agents for paper in papers]
    verdicts = [
        graded(of, sau, 4 if of.paper in SEEN else 1, provenance=by)
        for of in notes
        for sau in saus
        if sau.paper == of.paper
    ]
    return run_of(saus, notes, verdicts)


def table_of(made: LoadedRun) -> tuple[Summary, str]:
    summary = summarise(made.verdicts, made.saus, made.submissions)
    out = Console(file=io.StringIO(), width=120)
    print_summary(summary, out)
    assert isinstance(out.file, io.StringIO)
    return summary, out.file.getvalue()


def test_the_table_says_what_was_fitted_and_parts_the_scores() -> None:
    summary, shown = table_of(run())
    assert summary.fitted_papers == list(SEEN)
    assert (
        "fitted on submissions of adam and lora in this suite; those of ppo it never saw" in shown
    )
    (row,) = (line.split() for line in shown.splitlines() if "1.000" in line and "drifted" in line)
    assert row == ["drifted", "1.000", "0.250"]


def test_only_fitted_papers_leave_the_other_side_open() -> None:
    summary, shown = table_of(run(SEEN))
    assert summary.fitted_papers == list(SEEN)
    assert "never saw" not in shown
    assert ["faithful", "1.000", "–"] in [line.split() for line in shown.splitlines()]


@pytest.mark.parametrize(
    "more",
    [
        {"papers": UNSEEN},
        {"by": Provenance(judge="openai:m", provider="openai")},
        {"by": Provenance(judge="embedded, foreseeing gpt-5.5", provider="embedded")},
        {"agents": ("mine",)},
        {"reworded": True},
    ],
    ids=["never fitted", "another judge", "foreseeing", "others' submissions", "others' claims"],
)
def test_nothing_is_said_of_what_the_suite_is_not(more: dict[str, object]) -> None:
    summary, shown = table_of(run(**more))  # type: ignore[arg-type]
    assert summary.fitted_papers == []
    assert "fitted on" not in shown


def test_the_report_marks_papers_and_parts_the_scores(tmp_path: Path) -> None:
    page = write_report(run(), tmp_path / "report").read_text(encoding="utf-8")
    assert "adam (fitted on)" in page
    assert "lora (fitted on)" in page
    assert "ppo (fitted on)" not in page
    assert "faithful: 1.000 on the first, 0.250 on the others." in page
    plain = write_report(run(UNSEEN), tmp_path / "other").read_text(encoding="utf-8")
    assert "fitted on" not in plain


def test_the_weights_say_what_they_were_fitted_on() -> None:
    weights = Path(judge.__file__).parent / "embedded" / "weights.json"
    record = json.loads(weights.read_text(encoding="utf-8"))
    assert set(record["fitted_on"]["suite_papers"]) == FITTED_SUITE
