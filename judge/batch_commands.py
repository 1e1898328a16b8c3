"""What the commands below `judge batch` do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import click

from judge.batching import BatchNote, BatchReport, collect, status, submit
from judge.config import load_config
from judge.counting import counted
from judge.report.text import plain

__all__ = ["collect_command", "status_command", "submit_command"]


def submit_command(config_path: Path, per_batch: int | None = None) -> int:
    """Send what is neither answered nor under way.

    Returns:
        The exit code: 3 where a cap or an error left questions unsent.

    Raises:
        InputError: The config or what it names is wrong.
        FatalProviderError: The vendor takes no batches.
    """
    report = asyncio.run(submit(load_config(config_path), per_batch=per_batch))
    for line in _lines(report):
        click.echo(plain(line))
    click.echo(
        f"{counted(report.submitted, 'request was', 'requests were')} submitted; "
        "fetch answers by judge batch collect"
    )
    stopped = report.result is not None and bool(report.result.reason)
    return 3 if stopped else 0


def status_command(config_path: Path) -> None:
    """Say how the batches stand.

    Raises:
        InputError: The config is wrong.
        FatalProviderError: The vendor cannot be asked.
    """
    report = asyncio.run(status(load_config(config_path)))
    for line in _lines(report):
        click.echo(plain(line))


def collect_command(config_path: Path) -> int:
    """Fetch what batches brought and grade it.

    Returns:
        The exit code of the run: 3 while claims have no verdict.

    Raises:
        InputError: The config or what it names is wrong.
        FatalProviderError: The vendor cannot be asked.
    """
    report = asyncio.run(collect(load_config(config_path)))
    for line in _lines(report):
        click.echo(plain(line))
    if report.missing:
        click.echo(
            f"{counted(report.missing, 'request is', 'requests are')} neither answered nor under "
            f"way; judge batch submit sends {'it' if report.missing == 1 else 'them'}"
        )
    return report.result.exit_code if report.result is not None else 0


def _lines(report: BatchReport) -> Iterator[str]:
    if not report.batches:
        yield "no batch has been submitted"
    several = len({note.judge for note in report.batches}) > 1
    for note in report.batches:
        whose = f"  {note.judge}" if several else ""
        yield f"{note.name}  {note.id or '-'}  {_state(note)}{whose}"
    yield from report.notes
    if report.result is not None:
        counts = report.result.counts
        yield (
            f"{counted(counts.planned, 'claim')}: "
            f"{counts.kept + counts.graded + counts.abstained:,} settled, "
            f"{counted(counts.errors, 'error')}, "
            f"{counted(counts.waiting, 'waits', 'wait')} for an answer"
        )
        if report.result.reason:
            yield f"! {report.result.reason}"
        for remark in report.result.remarks:
            yield f"! {remark}"


def _state(note: BatchNote) -> str:
    if note.dropped:
        return "never reached the vendor"
    if note.harvested:
        return f"{counted(note.count, 'request')}, collected"
    if note.state is None:
        return f"{counted(note.count, 'request')}, submitted"
    return f"{counted(note.count, 'request')}, {note.state.done:,} through, {note.state.status}"
