"""Tables in a terminal as wide as it is: closer together, then folded, and never cut."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

__all__ = ["print_table"]

_ANY_WIDTH = 10_000
_GAPS = (2, 1, 0)


def print_table(table: Table, console: Console, *, fold_all: bool = True) -> None:
    """Print a table with the widest gaps that let it fit, and folded where none does.

    Args:
        table: The table; its gaps are set here.
        console: Where to.
        fold_all: Where it does not fit, fold columns that may not wrap too. Without that only
            those fold that may.
    """
    unbound = console.options.update(width=_ANY_WIDTH)
    for gap in _GAPS:
        table.padding = (0, gap, 0, 0)
        if console.measure(table, options=unbound).maximum <= console.width:
            break
    else:
        for column in table.columns if fold_all else ():
            column.no_wrap, column.overflow = False, "fold"
    console.print(table)
