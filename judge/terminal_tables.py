"""Tables in a terminal as wide as it is: closer together, then folded, and never cut."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

__all__ = ["print_table"]

_ANY_WIDTH = 10_000
_GAPS = (2, 1, 0)


def print_table(table: Table, console: Console) -> None:
    """Print a table with the widest gaps that let it fit, and folded where none does.

    Args:
        table: Its columns that may not wrap do so only where it does not fit otherwise, and no
            other column can give way.
        console: Where to.
    """
    unbound = console.options.update(width=_ANY_WIDTH)
    for gap in _GAPS:
        table.padding = (0, gap, 0, 0)
        if console.measure(table, options=unbound).maximum <= console.width:
            break
    else:
        if all(column.no_wrap for column in table.columns):
            for column in table.columns:
                column.no_wrap, column.overflow = False, "fold"
    console.print(table)
