"""How a run tells how far it is: a live line on a terminal, plain lines anywhere else."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import Protocol, TextIO

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from judge.counting import counted

__all__ = ["Counts", "PlainReporter", "Reporter", "RichReporter", "SilentReporter", "make_reporter"]

_EVERY_SECONDS = 15.0


@dataclass(slots=True)
class Counts:
    """Where a run stands.

    Attributes:
        planned: Pairs of submission and claim.
        settled: Pairs that had a verdict when the run began, kept or renewed once it comes to them.
        kept: Pairs whose verdict was there already.
        renewed: Pairs that had a verdict, made from something that has changed since.
        graded: New verdicts with a level.
        abstained: New verdicts without one because the judge or the checks said so.
        errors: New verdicts that are errors.
        waiting: Pairs whose question was handed on and is not answered yet.
        hits: Answers that were at hand.
        requests: Requests that were sent.
        cost_usd: What they cost, as far as prices are known.
        unpriced: Answers whose price is not known.
        submissions: Submissions in all.
        submissions_done: Submissions that were prepared.
        judged_by_wire: Whether answers are paid for, and cost is worth showing.
        started: When the first new verdict was begun, in seconds of the monotonic clock.
    """

    planned: int = 0
    settled: int = 0
    kept: int = 0
    renewed: int = 0
    graded: int = 0
    abstained: int = 0
    errors: int = 0
    waiting: int = 0
    hits: int = 0
    requests: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    submissions: int = 0
    submissions_done: int = 0
    judged_by_wire: bool = False
    started: float = field(default_factory=time.monotonic)

    @property
    def made(self) -> int:
        """New verdicts."""
        return self.graded + self.abstained + self.errors

    @property
    def done(self) -> int:
        """Pairs with a verdict, new or kept."""
        return self.kept + self.made

    @property
    def rate(self) -> float:
        """New verdicts a second."""
        seconds = time.monotonic() - self.started
        return self.made / seconds if seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """At this rate; `None` before anything can be said."""
        seen = self.kept + self.renewed
        # Of the verdicts that are still to be looked at, as many stand as of those before them.
        standing = max(self.settled - seen, 0) * (self.kept / seen if seen else 1.0)
        left = self.planned - self.done - standing
        if left <= 0:
            return 0.0
        return left / self.rate if self.made else None

    def line(self) -> str:
        """Where the run stands, in one line."""
        parts = [f"{self.done:,} of {counted(self.planned, 'claim')}", f"{self.rate:,.1f}/s"]
        if self.kept:
            parts.append(f"{self.kept:,} kept")
        if self.errors:
            parts.append(counted(self.errors, "error"))
        if self.abstained:
            parts.append(f"{self.abstained:,} abstained")
        if self.waiting:
            parts.append(counted(self.waiting, "waits for an answer", "wait for an answer"))
        if self.judged_by_wire:
            parts.append(f"{self.hits:,} at hand")
            parts.append(counted(self.requests, "request"))
            parts.append(self.cost())
        left = self.seconds_left
        if left:
            parts.append(f"{clock(left)} left")
        return " · ".join(parts)

    def cost(self) -> str:
        """What was spent; an unknown price is said and not counted as 0."""
        if not self.unpriced:
            return f"${self.cost_usd:,.4f}"
        known = f"${self.cost_usd:,.4f} + " if self.cost_usd else ""
        return f"{known}{counted(self.unpriced, 'answer')} of unknown price"


def _plain(text: str) -> str:
    # What a provider said, or a file is called, must not steer a terminal. Loaded where it is
    # wanted: the reports' page templates come with it.
    from judge.report.text import plain  # noqa: PLC0415

    return plain(text)


def clock(seconds: float) -> str:
    """Return a duration as people read it: `45 s`, `3:07`, `2:05:00`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Reporter(Protocol):
    """Who is told how a run goes."""

    def start(self, counts: Counts) -> None:
        """The run begins."""

    def update(self, counts: Counts) -> None:
        """Something moved; called often."""

    def note(self, text: str) -> None:
        """Something that a person should read."""

    def finish(self, counts: Counts) -> None:
        """The run has ended, however it did."""


class SilentReporter:
    """Says nothing, but keeps what it was told.

    Attributes:
        notes: What a person should have read.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []

    def start(self, counts: Counts) -> None:
        """The run begins."""

    def update(self, counts: Counts) -> None:
        """Something moved."""

    def note(self, text: str) -> None:
        """Keep a note."""
        self.notes.append(text)

    def finish(self, counts: Counts) -> None:
        """The run has ended."""


class PlainReporter:
    """Writes a line now and then.

    Args:
        stream: Where to.
        every_seconds: How often at most.
    """

    def __init__(self, stream: TextIO, *, every_seconds: float = _EVERY_SECONDS) -> None:
        self._stream = stream
        self._every = every_seconds
        self._last = time.monotonic()

    def start(self, counts: Counts) -> None:
        """Say what there is to do."""
        self._last = time.monotonic()
        self._write(
            f"{counted(counts.planned, 'claim')} about {counted(counts.submissions, 'submission')}"
        )

    def update(self, counts: Counts) -> None:
        """Say where the run stands, if it has not been said for a while."""
        if time.monotonic() - self._last >= self._every:
            self._last = time.monotonic()
            self._write(counts.line())

    def note(self, text: str) -> None:
        """Say it at once."""
        self._write(_plain(text))

    def finish(self, counts: Counts) -> None:
        """Say where the run ended."""
        self._write(counts.line())

    def _write(self, text: str) -> None:
        print(text, file=self._stream, flush=True)


class RichReporter:
    """Keeps one live line at the bottom of a terminal.

    Args:
        console: The terminal.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._counts = Counts()
        self._live: Live | None = None

    def start(self, counts: Counts) -> None:
        """Begin to draw."""
        self._counts = counts
        self._live = Live(
            console=self._console, get_renderable=self._draw, refresh_per_second=4, transient=True
        )
        self._live.start()

    def update(self, counts: Counts) -> None:
        """Draw this from now on."""
        self._counts = counts

    def note(self, text: str) -> None:
        """Print above the live line."""
        self._console.print(Text(_plain(text)))

    def finish(self, counts: Counts) -> None:
        """Replace the live line by a last one."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        self._console.print(Text(counts.line()))

    def _draw(self) -> Table:
        counts = self._counts
        table = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=max(counts.planned, 1), completed=counts.done, width=24)
        table.add_row(bar, Text(counts.line(), no_wrap=True, overflow="ellipsis"))
        return table


def make_reporter(stream: TextIO | None = None, *, quiet: bool = False) -> Reporter:
    """Return the reporter that suits a stream, by default standard error."""
    stream = stream or sys.stderr
    if quiet:
        return SilentReporter()
    console = Console(file=stream)
    return RichReporter(console) if console.is_terminal else PlainReporter(stream)
