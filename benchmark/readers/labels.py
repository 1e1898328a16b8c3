"""Native labels: JSON Lines, one reading of one (submission, SAU) pair a line.

`{"submission", "sau", "annotator", "kind", "level", "drift", "failure", "lines", "note", "time"}`;
the last three may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from benchmark.documents import Document, load_json_lines, one_of, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Drift, Failure, Label, Level
from benchmark.readers.fields import (
    check_id,
    refuse_unknown,
    sequence_at,
    table_at,
    text_at,
)

__all__ = ["KINDS", "load_labels"]

KINDS = ("person", "model", "author")

_KEYS = (
    "submission",
    "sau",
    "annotator",
    "kind",
    "level",
    "drift",
    "failure",
    "lines",
    "note",
    "time",
)

_Word = TypeVar("_Word", bound=StrEnum)


def load_labels(path: Path) -> tuple[Label, ...]:
    """Read a label file, or every `*.jsonl` of a folder in the order of their names.

    Labels come in the order of their lines.

    Raises:
        InputError: A line is not a label; one annotator has two for one pair; a level, drift and
            failure do not go together; or there is no label at all.
    """
    path = Path(path)
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise InputError(
            "no label file: looked for *.jsonl", where=Where(str(path)), remedy="Name the file"
        )
    labels: list[Label] = []
    seen: dict[tuple[str, str, str], Where] = {}
    for file in files:
        for document in load_json_lines(file, what="label file"):
            label = _label(document)
            pair = (label.submission, label.sau, label.annotator)
            where = document.where(key=f"{label.submission} {label.sau}")
            if pair in seen:
                first = f"{seen[pair].path}:{seen[pair].line}"
                raise InputError(
                    f"{label.annotator} has labelled this pair before, at {first}",
                    where=where,
                    remedy="Keep one of the two lines",
                )
            seen[pair] = where
            labels.append(label)
    return tuple(labels)


def _label(document: Document) -> Label:
    row = table_at(document, document.value, what="a label")
    refuse_unknown(document, row, _KEYS)
    texts = {
        name: check_id(document, text_at(document, row, (name,)), name, what=name)
        for name in ("submission", "sau", "annotator")
    }
    kind = text_at(document, row, ("kind",))
    if kind not in KINDS:
        raise document.error(
            f"unknown kind {shown(kind)}",
            "kind",
            remedy=f"Use {one_of(KINDS)}, whoever read it",
        )
    level = _level(document, row)
    drift = _word(document, row, "drift", Drift)
    failure = _word(document, row, "failure", Failure)
    faithful = level is Level.FAITHFUL
    for name, word in (("drift", drift), ("failure", failure)):
        if faithful != (word.value == "none"):
            rule = f"level 4 has {name} none" if faithful else f"a level below 4 has a {name}"
            raise document.error(
                f"{name} {word.value} does not go with level {level.value}: {rule}",
                name,
                remedy="Correct one of the two",
            )
    return Label(
        **texts,
        kind=kind,
        level=level,
        drift=drift,
        failure=failure,
        lines=_lines(document, row),
        note=text_at(document, row, ("note",), required=False),
        time=_time(document, row),
    )


def _level(document: Document, row: Mapping[str, Any]) -> Level:
    level = row.get("level")
    if type(level) is not int or not 0 <= level <= 4:
        raise document.error(
            "level is missing"
            if level is None
            else f"the level {shown(level)} is not one of the integers 0 to 4",
            "level",
            remedy="Write 0 for absent to 4 for faithful; a score of .75 is level 3",
        )
    return Level(level)


def _word(document: Document, row: Mapping[str, Any], name: str, words: type[_Word]) -> _Word:
    value = text_at(document, row, (name,))
    try:
        return words(value)
    except ValueError:
        raise document.error(
            f"unknown {name} {shown(value)}", name, remedy=f"Use {one_of(words)}"
        ) from None


def _lines(document: Document, row: Mapping[str, Any]) -> tuple[tuple[str, int, int], ...]:
    spans = sequence_at(document, row.get("lines", []), "lines", what="lines")
    result: list[tuple[str, int, int]] = []
    for index, span in enumerate(spans):
        match span:
            case [str(path), int(first), int(last)] if (
                path.strip()
                and not isinstance(first, bool)
                and not isinstance(last, bool)
                and 1 <= first <= last
            ):
                result.append((path, first, last))
            case _:
                raise document.error(
                    f"{shown(span)} is not [path, first line, last line] with lines from 1",
                    "lines",
                    index,
                    remedy='Write it as ["train.py", 12, 19]',
                )
    return tuple(result)


def _time(document: Document, row: Mapping[str, Any]) -> str:
    time = text_at(document, row, ("time",), required=False)
    try:
        if time:
            datetime.fromisoformat(time)
    except ValueError:
        raise document.error(
            f"the time {shown(time)} is not ISO 8601",
            "time",
            remedy="Write it as 2026-05-11T16:35:59Z, or leave it out",
        ) from None
    return time
