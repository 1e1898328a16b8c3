"""The summary as a table in the terminal, with its warnings above it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmark import Dimension
from judge.cascade_figures import sentences_of
from judge.counting import counted
from judge.figures import Group, Mean, Summary
from judge.fitted_suite import agent_means, fitted_sentence
from judge.report.text import plain
from judge.terminal_tables import print_table

__all__ = ["print_summary"]


def print_summary(summary: Summary, console: Console) -> None:
    """Print agents, best first, then what became of the questions.

    Args:
        summary: The figures.
        console: Where to.
    """
    for sentence in [*summary.incomplete_because, *summary.mixed_because]:
        console.print(Text(f"! {plain(sentence)}", style="yellow"), soft_wrap=True)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    # At its full width where nothing is known of the terminal; a narrow one folds names and cuts no
    # figures.
    longest = max((cell_len(plain(row.agent)) for row in summary.agents), default=0)
    table.add_column(
        "agent",
        overflow="fold",
        min_width=min(longest, 12) if console.is_terminal else longest,
    )
    for heading in ("score", "95 %", "SAUs", *Dimension, "graded"):
        table.add_column(heading, justify="right", no_wrap=True)
    rows: list[tuple[str, Group, list[Group | None]]] = [
        (row.agent, row.all, [row.dimensions.get(dimension) for dimension in Dimension])
        for row in summary.agents
    ]
    if len(rows) > 1:
        rows.append(
            ("all", summary.all, [summary.dimensions.get(dimension) for dimension in Dimension])
        )
    for position, (name, group, by_dimension) in enumerate(rows):
        if name == "all" and position == len(rows) - 1:
            table.add_section()
        table.add_row(
            Text(plain(name)),
            _value(group.mean_of_dimension_means),
            _interval(group.mean_of_dimension_means),
            _value(group.mean_over_saus),
            *(
                "–" if part is None else _value(part.mean_of_dimension_means)
                for part in by_dimension
            ),
            f"{group.counts.graded}/{group.counts.expected}",
        )
    print_table(table, console, fold_all=False)
    if summary.fitted_papers:
        _print_fitted(summary, console)
    counts = summary.all.counts
    levels = summary.all.levels
    console.print(
        Text(
            f"{counted(counts.expected, 'claim')}: {counts.graded} graded, "
            f"{counts.abstained} abstained, {counted(counts.error, 'error')}, "
            f"{counts.missing} without a verdict. Levels 0, .25, .5, .75, 1: "
            f"{', '.join(str(count) for count in levels)}."
        ),
        soft_wrap=True,
    )
    for remark in summary.remarks:
        console.print(Text(f"! {plain(remark)}", style="yellow"), soft_wrap=True)
    axes = ", ".join(f"{dimension.value} {dimension.axis}" for dimension in Dimension)
    console.print(
        Text(
            "score: mean over papers of the mean of the dimensions' means, with its 95 % interval "
            f"resampled by paper. SAUs: mean over all claims. {axes}.",
            style="dim",
        ),
        soft_wrap=True,
    )
    mean = summary.all.mean_of_dimension_means
    if mean.value is not None and mean.low is None:
        console.print(Text(f"no 95 % interval: {mean.no_interval}", style="dim"), soft_wrap=True)
    for sentence in _differences(summary):
        console.print(Text(sentence), soft_wrap=True)
    contradicted = summary.cascade is not None and summary.cascade.contradicted
    for place, sentence in enumerate(sentences_of(summary.cascade)):
        loud = contradicted and not place
        text = Text(f"! {plain(sentence)}" if loud else plain(sentence))
        console.print(text, style="yellow" if loud else "", soft_wrap=True)
    for use in summary.judges:
        what = f"judge: {plain(use.name)}"
        if use.provider == "embedded":
            what += " (rules and a small model in this program; not an LLM's verdicts)"
        elif use.provider == "foreign":
            what += " (verdicts read from somebody else's results)"
        elif use.provider == "scripted":
            what += " (answers from a script; they say nothing about the code)"
        console.print(Text(what, style="dim"), soft_wrap=True)


def _print_fitted(summary: Summary, console: Console) -> None:
    """The agents' scores apart for papers that the judge was fitted on and those it never saw."""
    console.print(Text(f"! {fitted_sentence(summary)}.", style="yellow"), soft_wrap=True)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, heading in enumerate(("score on papers it was", "fitted on", "never shown")):
        table.add_column(heading, justify="right" if place else "left", no_wrap=True)
    for one in agent_means(summary):
        cells = ("–" if mean is None else f"{mean:.3f}" for mean in (one.fitted, one.never_seen))
        table.add_row(Text(plain(one.agent)), *cells)
    print_table(table, console)


def _differences(summary: Summary) -> Iterator[str]:
    """How answers to the same question differ, where there was more than one."""
    repeats, panel = summary.repeats, summary.panel
    if repeats.pairs:
        yield (
            f"{repeats.flipped:,} of "
            f"{counted(repeats.pairs, 'claim that was', 'claims that were')} asked more than "
            f"once got different answers ({repeats.flip_rate or 0:.0%})."
        )
    if panel.verdicts:
        yield (
            f"the panel's members differ on {panel.split:,} of {counted(panel.verdicts, 'claim')} "
            f"({panel.disagreement_rate or 0:.0%})"
            + (
                "."
                if panel.mean_range is None
                else f", by {panel.mean_range:.2f} levels on average."
            )
        )
    for one in panel.members:
        agree = "" if one.agreement is None else f", {one.agreement:.0%} of its levels the panel's"
        away = "" if one.mean_difference is None else f", {one.mean_difference:+.2f} levels from it"
        yield (
            f"  {plain(one.name)}: {one.graded} graded, {one.abstained} abstained, "
            f"{counted(one.errors, 'error')}{agree}{away}"
        )


def _value(mean: Mean) -> str:
    return "–" if mean.value is None else f"{mean.value:.3f}"


def _interval(mean: Mean) -> str:
    return "–" if mean.low is None or mean.high is None else f"{mean.low:.3f}–{mean.high:.3f}"
