"""Notebooks as text that reads, and mostly parses, as Python.

The layout, which line numbers of a notebook refer to: for each cell, counted from 1 in the order
of the file, a header line, the lines of its source, and an empty line.

```
# %% cell 1 [markdown]
# > What the prose says.

# %% cell 2 [code]
pass  # magic: %matplotlib inline
lr = 1e-4

```

The header's word is `code`, `markdown`, `raw` or `other`. Prose carries `# > ` before each line.
Outputs are left out: they are not code, and prove nothing. Lines that are IPython's and not
Python's stay in their place, neutralised: `pass  # magic: ` before a magic or a shell command,
`# magic: ` before each line of a cell that is all in another language (`%%bash`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from retrieval.decoding import scrub, split_lines
from retrieval.lexing import LineLexer

__all__ = ["MalformedNotebookError", "render_notebook"]

_PROSE = "# > "
_MAGIC = "# magic: "
_CELL_TYPES = frozenset({"code", "markdown", "raw"})
# Cell magics whose body is Python all the same.
_PYTHON_MAGICS = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "pypy"})
_COMMAND = re.compile(r"[ \t]*(?:[%!?]|(?:pip|pip3|conda|mamba)[ \t]+install\b|[\w.]+\?\??[ \t]*$)")
_TIMED = re.compile(r"([ \t]*)%(?:time|timeit|prun)[ \t]+([A-Za-z_(\[].*)$")
_ASSIGNED = re.compile(r"([ \t]*[A-Za-z_][\w., \t]*=[ \t]*)([%!].*)$")


class MalformedNotebookError(Exception):
    """The text is no notebook. The message says why."""


def render_notebook(text: str) -> tuple[str, tuple[str, ...]]:
    """Lay a notebook out as text.

    Args:
        text: The file's text.

    Returns:
        The text, without NULs and lone surrogates, and notes on what was odd.

    Raises:
        MalformedNotebookError: It is no JSON, nested too deeply, or has no list of cells.
    """
    try:
        book: Any = json.loads(text)
    except RecursionError:
        raise MalformedNotebookError("nested too deeply") from None
    except ValueError:
        raise MalformedNotebookError("not JSON") from None
    notes: list[str] = []
    language = _kernel_language(book)
    if language and language != "python":
        notes.append(f"notebook of another language: {language}")
    lines: list[str] = []
    for number, cell in enumerate(_cells(book), 1):
        kind, source = _cell(cell)
        lines.append(f"# %% cell {number} [{kind}]")
        if kind != "code":
            lines.extend(f"{_PROSE}{line}".rstrip() for line in source)
        elif language in {"", "python"}:
            lines.extend(_python(source))
        else:
            lines.extend(source)
        lines.append("")
    return "\n".join(lines), tuple(notes)


def _cells(book: Any) -> list[Any]:  # noqa: ANN401
    if isinstance(book, dict):
        cells = book.get("cells")
        if isinstance(cells, list):
            return cells
        sheets = book.get("worksheets")  # format 3 and before
        if isinstance(sheets, list):
            found: list[Any] = []
            for sheet in sheets:
                inner = sheet.get("cells") if isinstance(sheet, dict) else None
                found.extend(inner if isinstance(inner, list) else [])
            return found
    raise MalformedNotebookError("no list of cells")


def _cell(cell: Any) -> tuple[str, list[str]]:  # noqa: ANN401
    """The cell's type and the lines of its source."""
    if not isinstance(cell, dict):
        return "other", []
    kind = cell.get("cell_type")
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str) or not source:
        source = ""
    lines = split_lines(scrub(source))
    if lines[-1] == "":
        lines.pop()
    known = isinstance(kind, str) and kind in _CELL_TYPES
    return (str(kind) if known else "other"), lines


def _kernel_language(book: Any) -> str:  # noqa: ANN401
    """The kernel's language in small letters; empty where the notebook does not say."""
    meta = book.get("metadata") if isinstance(book, dict) else None
    for section, key in (("kernelspec", "language"), ("language_info", "name")):
        part = meta.get(section) if isinstance(meta, dict) else None
        name = part.get(key) if isinstance(part, dict) else None
        if isinstance(name, str) and re.fullmatch(r"[\w+# .-]{1,40}", name):
            plain = name.lower()
            return "python" if plain.startswith(("python", "ipython")) else plain
    return ""


def _python(source: list[str]) -> Iterator[str]:
    start = next((n for n, line in enumerate(source) if line.strip()), 0)
    if source and source[start].startswith("%%"):
        words = source[start][2:].split() or [""]
        is_python = words[0] in _PYTHON_MAGICS or (
            words[0] == "writefile" and words[-1].endswith(".py")
        )
        if not is_python:
            yield from (f"{_MAGIC}{line}".rstrip() for line in source)
            return
        yield from source[:start]
        yield f"{_MAGIC}{source[start]}"
        source = source[start + 1 :]
    yield from _without_commands(source)


def _without_commands(source: list[str]) -> Iterator[str]:
    lexer = LineLexer()
    goes_on = False
    for line in source:
        if goes_on:
            goes_on = line.endswith("\\")
            yield f"{_MAGIC}{line}"
            continue
        if lexer.inside:
            lexer.feed(line)
            yield line
            continue
        if timed := _TIMED.match(line):
            line = timed[1] + timed[2]  # noqa: PLW2901
        elif _COMMAND.match(line):
            goes_on = line.endswith("\\")
            bare = line.lstrip(" \t")
            yield f"{line[: len(line) - len(bare)]}pass  {_MAGIC}{bare}"
            continue
        elif assigned := _ASSIGNED.match(line):
            goes_on = line.endswith("\\")
            yield f"{assigned[1]}None  {_MAGIC}{assigned[2]}"
            continue
        lexer.feed(line)
        yield line
