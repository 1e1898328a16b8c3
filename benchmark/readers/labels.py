"""Native labels: JSON Lines, one reading of one (submission, SAU) pair a line.

`{"submission", "sau", "annotator", "kind", "level", "drift", "failure", "lines", "note", "time"}`.
Instead of `level` there may be `"pass": true` or `false`. With a level, drift and failure are both
given or both left out; `lines`, `note`, `time`, `adjudicated`, `weight` and `claims` (the version
of the paper's claims that was read) may be left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
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

__all__ = ["KINDS", "label_of", "load_labels", "unique"]

KINDS = ("person", "model", "author")

_KEYS = (
    "submission",
    "sau",
    "annotator",
    "kind",
    "level",
    "pass",
    "drift",
    "failure",
    "lines",
    "note",
    "time",
    "adjudicated",
    "weight",
    "claims",
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
    return unique(
        (document, _label(document))
        for file in files
        for document in load_json_lines(file, what="label file")
    )


def unique(rows: Iterable[tuple[Document, Label]]) -> tuple[Label, ...]:
    """The labels, in their order.

    Raises:
        InputError: One annotator has two for one pair, or an annotator has two kinds.
    """
    labels: list[Label] = []
    seen: dict[tuple[str, str, str], Where] = {}
    kinds: dict[str, str] = {}
    for document, label in rows:
        pair = (label.submission, label.sau, label.annotator)
        where = document.where(key=f"{label.submission} {label.sau}")
        if pair in seen:
            first = f"{seen[pair].path}:{seen[pair].line}"
            raise InputError(
                f"{label.annotator} has labelled this pair before, at {first}",
                where=where,
                remedy="Keep one of the two lines",
            )
        if kinds.setdefault(label.annotator, label.kind) != label.kind:
            raise InputError(
                f"{label.annotator} is called {label.kind} here and "
                f"{kinds[label.annotator]} before",
                where=where,
                remedy="Say the same kind everywhere, or give the two different names",
            )
        seen[pair] = where
        labels.append(label)
    return tuple(labels)


def _label(document: Document) -> Label:
    row = table_at(document, document.value, what="a label")
    refuse_unknown(document, row, _KEYS)
    return label_of(document, row)


def label_of(document: Document, row: Mapping[str, Any]) -> Label:
    """A label from a row under the native keys.

    Raises:
        InputError: It is none.
    """
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
    passed = _truth(document, row, "pass")
    if passed is not None and row.get("level") is not None:
        raise document.error(
            "there is a level and a pass", "pass", remedy="Keep the level, which says more"
        )
    level = _level(document, row) if passed is None else None
    drift = _word(document, row, "drift", Drift)
    failure = _word(document, row, "failure", Failure)
    _check_words(document, level, drift, failure, passed=passed)
    return Label(
        **texts,
        kind=kind,
        level=level,
        drift=drift,
        failure=failure,
        lines=_lines(document, row),
        note=text_at(document, row, ("note",), required=False),
        time=_time(document, row),
        passed=passed,
        adjudicated=_truth(document, row, "adjudicated") or False,
        weight=_weight(document, row),
        claims=text_at(document, row, ("claims",), required=False),
    )


def _check_words(
    document: Document,
    level: Level | None,
    drift: Drift | None,
    failure: Failure | None,
    *,
    passed: bool | None,
) -> None:
    """Refuse a drift or failure that does not go with the level."""
    if (drift is None) != (failure is None):
        given, missing = ("drift", "failure") if failure is None else ("failure", "drift")
        raise document.error(
            f"{missing} is missing, and {given} is given",
            missing,
            remedy="Give both, or leave both out",
        )
    if drift is None or failure is None:
        return
    faithful = passed if level is None else level is Level.FAITHFUL
    for name, word in (("drift", drift.value), ("failure", failure.value)):
        if faithful and word != "none":
            rule = "a pass" if level is None else "level 4"
            raise _mismatch(document, level, name, word, f"{rule} has {name} none")
        if not faithful and word == "none":
            rule = "a fail" if level is None else "a level below 4"
            raise _mismatch(document, level, name, word, f"{rule} has a {name}")


def _mismatch(
    document: Document, level: Level | None, name: str, word: str, rule: str
) -> InputError:
    what = "pass or fail" if level is None else f"level {level.value}"
    return document.error(
        f"{name} {word} does not go with {what}: {rule}", name, remedy="Correct one of the two"
    )


def _truth(document: Document, row: Mapping[str, Any], name: str) -> bool | None:
    value = row.get(name)
    if value is not None and not isinstance(value, bool):
        raise document.error(
            f"{name} should be true or false, not {shown(value)}",
            name,
            remedy="Write true or false without quotes",
        )
    return value


def _weight(document: Document, row: Mapping[str, Any]) -> float:
    value = row.get("weight", 1)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise document.error(
            f"the weight {shown(value)} is not a number above 0",
            "weight",
            remedy="Keep the weight that `judge labels sample` wrote, or leave it out",
        )
    return float(value)


def _level(document: Document, row: Mapping[str, Any]) -> Level:
    level = row.get("level")
    if type(level) is not int or not 0 <= level <= 4:
        raise document.error(
            "level is missing, and so is pass"
            if level is None
            else f"the level {shown(level)} is not one of the integers 0 to 4",
            "level",
            remedy="Write 0 for absent to 4 for faithful; a score of .75 is level 3",
        )
    return Level(level)


def _word(
    document: Document, row: Mapping[str, Any], name: str, words: type[_Word]
) -> _Word | None:
    value = text_at(document, row, (name,), required=False)
    if not value:
        return None
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
