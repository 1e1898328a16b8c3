"""Lines of a file in a terminal, with their numbers and in colour."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

from rich.console import RenderableType
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from judge.report.text import plain

__all__ = ["code_shown"]

_LEXERS = {
    ".py": "python", ".pyi": "python", ".ipynb": "python", ".yaml": "yaml", ".yml": "yaml",
    ".json": "json", ".toml": "toml", ".ini": "ini", ".cfg": "ini", ".sh": "bash",
    ".md": "markdown",
}  # fmt: skip


def code_shown(
    path: str, code: str, first: int | None, left_out: Collection[int] = ()
) -> RenderableType:
    """Some lines, indented.

    Args:
        path: Their file: its ending says in what language they are.
        code: The lines.
        first: Number of the first line; `None` for lines that have none.
        left_out: Numbers of lines that are not shown; a number is skipped where they stood.
    """
    syntax = Syntax(
        "",
        _LEXERS.get(PurePosixPath(path).suffix.lower(), "text"),
        theme="ansi_dark",
        background_color="default",
    )
    rows = syntax.highlight(plain(code)).split("\n", allow_blank=code.endswith("\n\n"))
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    hidden = frozenset(left_out)
    for number, row in enumerate(rows, first or 1):
        if number in hidden:
            continue
        row.rstrip()
        table.add_row(Text("" if first is None else str(number)), row)
    return Padding(table, (0, 0, 0, 2))
