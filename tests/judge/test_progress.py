"""What a run tells while it goes."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from judge.progress import Counts, PlainReporter, RichReporter, clock, make_reporter

HOSTILE = "the provider said \x1b]0;owned\x07 \u202e no"


def counts() -> Counts:
    made = Counts(planned=1000, kept=200, graded=90, abstained=6, errors=4, submissions=3)
    made.started -= 50
    return made


def test_where_a_run_stands() -> None:
    made = counts()
    assert (made.done, made.made) == (300, 100)
    assert made.rate == pytest.approx(2.0, rel=0.01)
    assert made.seconds_left == pytest.approx(350, rel=0.01)
    line = made.line()
    assert line.startswith("300 of 1,000 claims · 2.0/s · 200 kept · 4 errors · 6 abstained")
    assert "left" in line
    assert "$" not in line


def test_verdicts_that_stand_take_no_time_although_the_run_has_not_come_to_them() -> None:
    made = Counts(planned=1000, settled=600, kept=100, graded=100)
    made.started -= 50
    assert made.seconds_left == pytest.approx((1000 - 200 - 500) / 2, rel=0.01)
    made.kept, made.renewed = 50, 50
    assert made.seconds_left == pytest.approx((1000 - 150 - 250) / 2, rel=0.01)
    assert Counts(planned=600, settled=600).seconds_left == 0.0


def test_cost_is_shown_for_a_judge_that_costs_and_what_is_unknown_is_said() -> None:
    made = counts()
    made.judged_by_wire = True
    made.cost_usd, made.unpriced, made.hits, made.requests = 1.5, 2, 7, 93
    assert "7 at hand · 93 requests · $1.5000 + 2 answers of unknown price" in made.line()
    made.cost_usd = 0.0
    assert made.cost() == "2 answers of unknown price"


def test_nothing_done_has_no_time_left_to_tell() -> None:
    assert Counts(planned=5).seconds_left is None
    assert Counts(planned=5, kept=5).seconds_left == 0.0


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.4, "0 s"), (59, "59 s"), (60, "1:00"), (3600, "1:00:00"), (7505, "2:05:05")],
)
def test_durations(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


def test_plain_lines_come_now_and_then() -> None:
    stream = io.StringIO()
    reporter = PlainReporter(stream, every_seconds=3600)
    made = counts()
    reporter.start(made)
    for _ in range(100):
        reporter.update(made)
    reporter.note("a worker died")
    reporter.finish(made)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "1,000 claims about 3 submissions"
    assert lines[1] == "a worker died"
    assert len(lines) == 3
    eager = PlainReporter(stream, every_seconds=0)
    eager.update(made)
    assert len(stream.getvalue().splitlines()) == 4


def test_a_terminal_gets_a_live_line_and_notes_as_they_are() -> None:
    stream = io.StringIO()
    reporter = RichReporter(Console(file=stream, force_terminal=True, width=120))
    made = counts()
    reporter.start(made)
    reporter.update(made)
    reporter.note("agent/[bold]paper: odd")
    reporter.finish(made)
    assert "agent/[bold]paper: odd" in stream.getvalue()
    assert "300 of 1,000 claims" in stream.getvalue()


def test_a_stream_that_is_no_terminal_gets_plain_lines() -> None:
    assert isinstance(make_reporter(io.StringIO()), PlainReporter)


@pytest.mark.parametrize("terminal", [False, True])
def test_a_note_cannot_steer_a_terminal(terminal: bool) -> None:
    stream = io.StringIO()
    if terminal:
        RichReporter(Console(file=stream, force_terminal=True, width=200)).note(HOSTILE)
    else:
        PlainReporter(stream).note(HOSTILE)
    told = stream.getvalue()
    assert "the provider said" in told
    assert not {"\x1b", "\x07", "\u202e"} & set(told)
