"""A score card as a table in the terminal, as JSON, and as a page."""

from __future__ import annotations

import json
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from judge.counting import counted
from judge.drift_card.card import Card, Line, Quiet, Rate
from judge.report.style import page_style
from judge.report.text import plain, visible
from judge.terminal_tables import print_table

__all__ = ["print_card", "write_card"]

_PAGE = Path(__file__).with_name("card.html")
_MOST = 500
"""Rows of a list on the page; the JSON has all."""

_COLUMNS = (
    ("detected", "detected"),
    ("detected_of_accepted", "of accepted"),
    ("category", "category"),
    ("failure", "failure"),
    ("localised", "localised"),
    ("exact", "exact level"),
    ("accepted", "accepted before"),
    ("unseen", "misses unseen"),
)
_NOTES = (
    "detected: the level falls. of accepted: the same, where the unchanged code was graded 3 or 4. "
    "category, failure, localised: among the detected, the divergence and failure named are those "
    "put in, and a citation touches the changed lines. misses unseen: of the missed, those whose "
    "evidence did not hold the changed lines; they are retrieval's.",
    "false alarms: the level falls, of the variants whose level could. succeed: it rises, of the "
    "attacks on mutants that were not graded 4 already.",
    "Intervals are 95 %: repositories resampled where eight or more have such pairs and differ, "
    "else Wilson's over pairs (marked w).",
    "Labels are right by construction and levels follow the rubric; no person has read them.",
)


def percent(rate: Rate) -> str:
    """A rate with its interval: `83 % [75, 90]`, and a w where the interval is Wilson's."""
    return f"{_share(rate)} {_interval(rate)}".rstrip()


def _share(rate: Rate) -> str:
    return "–" if rate.value is None or rate.low is None else f"{100 * rate.value:.0f} %"


def _interval(rate: Rate) -> str:
    """Empty where there is none."""
    if rate.value is None or rate.low is None or rate.high is None:
        return ""
    mark = "w" if rate.by == "wilson" else ""
    return f"[{100 * rate.low:.0f}, {100 * rate.high:.0f}]{mark}"


def print_card(card: Card, console: Console) -> None:
    """Print a card: faults by category and operator, then what must not matter."""
    for title, lines in _groups(card):
        table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(title, no_wrap=True)
        table.add_column("n", justify="right")
        for _, heading in _COLUMNS:
            table.add_column(heading, justify="right", no_wrap=True)
        for line in lines:
            table.add_row(
                Text(plain(line.name)),
                _count(line.n, line.unjudged),
                *(percent(getattr(line, key)) for key, _ in _COLUMNS),
            )
        print_table(table, console)
    for title, quiet, wrong in (
        ("what must not matter", card.variants, "false alarms"),
        ("attacks", card.attacks, "succeed"),
    ):
        table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(title, no_wrap=True)
        for heading in ("n", wrong, "level changes"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in quiet:
            table.add_row(
                Text(plain(row.name)),
                _count(row.n, row.unjudged),
                f"{percent(row.wrong)} of {row.wrong.n}",
                percent(row.moved),
            )
        print_table(table, console)
    for note in _NOTES:
        console.print(Text(note), soft_wrap=True)


def _count(n: int, unjudged: int) -> str:
    return f"{n} (+{unjudged} without a level)" if unjudged else str(n)


def _groups(card: Card) -> tuple[tuple[str, list[Line]], ...]:
    return (
        ("divergence", [card.overall, *card.drifts]),
        ("axis of the claim", card.dimensions),
        ("failure", card.failures),
        ("operator", card.operators),
    )


def write_card(card: Card, data: Path, page: Path, *, report: str = "") -> None:
    """Write a card as JSON and as a page that needs nothing else.

    Args:
        card: The card.
        data: The JSON file.
        page: The page.
        report: The address of the run's report as from the page; empty where there is none.
    """
    data.write_text(
        json.dumps(card.as_json(), indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
        newline="\n",
    )
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["visible"] = visible
    environment.filters["counted"] = counted
    environment.filters["anchor"] = lambda title: title.lower().replace(" ", "-")
    quiet: tuple[tuple[str, list[Quiet], str], ...] = (
        ("What must not matter", card.variants, "False alarms"),
        ("Attacks", card.attacks, "Succeed"),
    )
    text = environment.from_string(_PAGE.read_text(encoding="utf-8")).render(
        css=Markup(page_style()),  # noqa: S704 - a file of ours
        report=report,
        most=_MOST,
        card=card,
        groups=_groups(card),
        columns=_COLUMNS,
        quiet=quiet,
        share=_share,
        interval=_interval,
        notes=_NOTES,
        lists=(
            ("Missed", card.missed),
            ("False alarms", card.alarms),
            ("Attacks that succeed", card.fooled),
        ),
    )
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8", errors="replace", newline="\n")
