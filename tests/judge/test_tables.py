"""The summary's table in terminals of all widths."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from judge.summary import summarise
from judge.tables import print_summary
from tests.judge.made_runs import graded, note, sau

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
