"""Labels from a table: CSV under a column map, for the spreadsheets that people label in."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmark.documents import MAX_LINES_BYTES, Document, nearest, one_of, read_text, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Label
from benchmark.readers.labels import label_of, unique

__all__ = ["load_label_table"]

_FIELDS = (
    "submission", "agent", "paper", "sau", "annotator", "kind", "level", "score", "pass", "drift",
    "failure", "note", "time", "adjudicated", "weight", "claims",
)  # fmt: skip
_TRUTHS = {
    **dict.fromkeys(("1", "true", "yes", "pass", "passed", "y"), True),
    **dict.fromkeys(("0", "false", "no", "fail", "failed", "n"), False),
}


def load_label_table(
    path: Path, *, columns: Mapping[str, str] | None = None, fixed: Mapping[str, str] | None = None
) -> tuple[Label, ...]:
    """Read a CSV file with a head line.

    Args:
        path: The file: UTF-8, parted by commas, semicolons or tabs, whichever its head line has
            most of.
        columns: What our fields are called there, e.g. `{"sau": "claim id", "pass": "verdict"}`.
            A field that is not named is looked for under its own name; other columns are passed
            over. Instead of `submission` there may be `agent` and `paper`, instead of `level` a
            `score` of 0 to 1 or a `pass`.
        fixed: Values that hold for every row, e.g. `{"annotator": "ann", "kind": "person"}`.

    Returns:
        The labels, in the order of the rows. A row whose level, score and pass are all empty has
        not been labelled yet and is passed over.

    Raises:
        InputError: A column is not there, or a row is not a label.
    """
    columns, fixed = dict(columns or {}), dict(fixed or {})
    for name in [*columns, *fixed]:
        if name not in _FIELDS:
            near = nearest(name, _FIELDS)
            raise InputError(
                f"there is no field {name!r}; fields are {one_of(_FIELDS)}",
                where=Where(str(path)),
                remedy=f"Write {near}" if near else "Remove it from the map",
            )
    return unique(_rows(Path(path), columns, fixed))


def _rows(
    path: Path, columns: Mapping[str, str], fixed: Mapping[str, str]
) -> Iterator[tuple[Document, Label]]:
    text = read_text(path, limit=MAX_LINES_BYTES, what="label table")
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    try:
        names = [name.strip() for name in next(reader)]
        where = {field: columns.get(field, field) for field in _FIELDS}
        for field, name in columns.items():
            if names.count(name) != 1:
                near = nearest(name, names)
                problem = "no column" if name not in names else "more than one column"
                raise InputError(
                    f"there is {problem} {name!r} for {field}; columns are {one_of(names)}",
                    where=Where(str(path), 1),
                    remedy=f"Write {near}" if near and near != name else "Correct the column map",
                )
        places = {field: names.index(name) for field, name in where.items() if name in names}
        line = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                given = {
                    field: cells[place].strip()
                    for field, place in places.items()
                    if place < len(cells) and cells[place].strip()
                }
                document = Document(path, {**fixed, **given}, "", line)
                if any(name in document.value for name in ("level", "score", "pass")):
                    yield document, label_of(document, _native(document))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"the table is not CSV ({error})",
            where=Where(str(path), reader.line_num),
            remedy="Save it as CSV with quotes around cells that hold commas",
        ) from None


def _native(document: Document) -> dict[str, Any]:
    """The row under the native keys, numbers and truths read from their text."""
    row = dict(document.value)
    agent, paper, score = (row.pop(name, None) for name in ("agent", "paper", "score"))
    if "submission" not in row and agent and paper:
        row["submission"] = f"{agent}/{paper}"
    if score is not None and "level" not in row:
        level = _number(document, "score", score) * 4
        if level not in {0, 1, 2, 3, 4}:
            raise document.error(
                f"the score {shown(score)} is not one of 0, .25, .5, .75, 1",
                "score",
                remedy="Correct it; scores are never rounded",
            )
        row["level"] = int(level)
    elif "level" in row:
        level = _number(document, "level", row["level"])
        row["level"] = int(level) if level == int(level) else level
    for name in ("pass", "adjudicated"):
        if name in row:
            word = row[name].casefold()
            if word not in _TRUTHS:
                raise document.error(
                    f"{name} is {shown(row[name])}", name, remedy="Write yes or no, or pass or fail"
                )
            row[name] = _TRUTHS[word]
    if "weight" in row:
        row["weight"] = _number(document, "weight", row["weight"])
    return row


def _number(document: Document, name: str, text: str) -> float:
    try:
        value = float(text.replace(",", "."))
        if abs(value) < 1e9:
            return value
    except ValueError:
        pass
    raise document.error(f"{name} is {shown(text)}, which is no number", name, remedy="Correct it")
