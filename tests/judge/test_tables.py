"""Tables in terminals of all widths."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from benchmark import Drift, Failure, Label, Level
from calibration.agreement import agreement
from judge.drift_card.card import score_card
from judge.drift_card.pairs import Pair
from judge.drift_card.showing import print_card
from judge.summary import summarise
from judge.tables import print_summary
from judge.terminal_tables import print_table
from judge.trust_inputs import read_labels, read_verdicts
from judge.trust_tables import print_agreement, table
from tests.judge.made_runs import graded, note, sau
from tests.judge.made_trust import make_trust

LONG = "claude-sonnet_papercoder"


def printed(width: int, agents: tuple[str, ...]) -> list[str]:
    """The table's lines, as a terminal of that width shows them."""
    papers = [f"p{number}" for number in range(8)]
    saus = {one.id: one for paper in papers for n in range(13) if (one := sau(n, paper))}
    notes = [note(agent, paper) for agent in agents for paper in papers]
    verdicts = [
        graded(one, claim, (place + number) % 5)
        for place, one in enumerate(notes)
        for number, claim in enumerate(saus.values())
        if claim.paper == one.paper
    ]
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=True, color_system=None)
    print_summary(summarise(verdicts, saus, notes), console)
    return stream.getvalue().partition("claims:")[0].splitlines()


@pytest.mark.parametrize("width", [72, 80, 100, 132])
@pytest.mark.parametrize("agents", [("one", "two"), (LONG, "openhands_deepseek")])
def test_no_figure_and_no_name_is_cut(width: int, agents: tuple[str, ...]) -> None:
    lines = printed(width, agents)
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert "…" not in text
    assert text.count("104/104") == len(agents)
    assert "208/208" in text
    # A name that does not fit goes on in the next line.
    names = "".join(line.split()[0] for line in lines[1:] if line.strip() and "─" not in line)
    assert all(agent in names for agent in agents), names


def test_a_table_takes_no_more_room_between_columns_than_there_is() -> None:
    agents = ("faithful", "stubbed")
    wide, narrow = (max(map(len, printed(width, agents))) for width in (132, 70))
    assert narrow <= 70 < wide


@pytest.mark.parametrize("width", [24, 40, 80, 120])
def test_what_does_not_fit_is_folded_between_its_words(width: int) -> None:
    made = table("at each cut", "", *(f"at {cut}" for cut in range(1, 5)))
    cells = [f"0.{cut}59 [0.905, 0.994]" for cut in range(1, 5)]
    made.add_row("true positive rate", *cells)
    stream = io.StringIO()
    print_table(made, Console(file=stream, width=width, force_terminal=True, color_system=None))
    text = stream.getvalue()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    if width >= 80:
        assert all(text.count(cell.split()[0]) == 1 for cell in cells)
        assert text.count("[0.905,") == text.count("0.994]") == 4
    # Where there is room nothing is folded.
    assert (cells[0] in text) == (width == 120)


def test_figures_of_agreement_are_not_cut_in_a_usual_terminal(tmp_path: Path) -> None:
    make_trust(tmp_path)
    stream = io.StringIO()
    console = Console(file=stream, width=80, force_terminal=True, color_system=None)
    report = agreement(read_verdicts([tmp_path / "run"]), read_labels([tmp_path / "labels.jsonl"]))
    print_agreement(report, console)
    assert "at each cut" in stream.getvalue()
    assert "…" not in stream.getvalue()


def test_a_score_card_is_not_cut_in_a_usual_terminal() -> None:
    label = Label(
        "s", "r-D2-1", "operator", "author", Level.PARTIAL, Drift.METHODOLOGICAL,
        Failure.MISMATCH, (("a.py", 10, 12),),
    )  # fmt: skip
    pairs = [
        Pair(
            kind, "normalisation_swapped", f"{kind}/{number}", "r-D2-1", f"r{number % 9}", label,
            "changed", 4, (2, 4)[number % 2], Drift.METHODOLOGICAL, Failure.MISMATCH,
            (("a.py", 12, 20),), True,
        )
        for kind in ("drift", "variant", "attack")
        for number in range(40)
    ]  # fmt: skip
    stream = io.StringIO()
    card = score_card(pairs, [], judge="j", facts={})
    print_card(card, Console(file=stream, width=80, force_terminal=True, color_system=None))
    tables = stream.getvalue().partition("detected: the level falls")[0]
    assert "…" not in tables
    assert max(map(len, tables.splitlines())) <= 80
    # How many there are is told in each table.
    assert tables.count(" 40 ") >= 5
