"""Notebooks as text that parses as Python."""

from __future__ import annotations

import json
from typing import Any

from retrieval.decoding import scrub, split_lines

__all__ = ["MalformedNotebookError", "render_notebook"]


class MalformedNotebookError(Exception):
    """The text is no notebook. The message says why."""


def render_notebook(text: str) -> tuple[str, tuple[str, ...]]:
    """Lay a notebook out as text, with notes on what was odd."""
    try:
        book: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedNotebookError(type(error).__name__) from error
    if not isinstance(book, dict) or not isinstance(book.get("cells"), list):
        raise MalformedNotebookError("no cells")
    lines: list[str] = []
    for number, cell in enumerate(book["cells"], 1):
        source = cell.get("source", "")
        source = "".join(source) if isinstance(source, list) else source
        kind = cell.get("cell_type")
        lines.append(f"# %% cell {number} [{kind}]")
        for line in split_lines(scrub(source)):
            lines.append(line if kind == "code" else f"# > {line}")
    return "\n".join(lines), ()
