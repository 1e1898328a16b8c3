"""Anchors: what ties a claim to the code that makes it true."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmark.documents import load_json_lines
from benchmark.drift.edits import Span, line_of
from benchmark.drift.numbers import holds
from benchmark.drift.operator import Found, Operator
from benchmark.drift.source import Repo
from benchmark.errors import InputError, Where
from benchmark.nouns import Dimension, Drift, Level, Sau

__all__ = ["Anchor", "anchored_level", "fits", "load_anchors"]

_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A claim that a repository meets in full, and the lines that show it."""

    sau: Sau
    lines: tuple[Span, ...]


def load_anchors(path: Path, saus: Iterable[Sau], *, submission: str | None = None) -> list[Anchor]:
    """Read anchors from labels, or from the verdicts of a run, in the order of the claims.

    Only level 4 counts: labels with lines, or verdicts whose citations were found in the code.

    Args:
        path: A file of native labels, or a run's `verdicts.jsonl`.
        saus: The claims.
        submission: Take this submission's rows alone; needed where the file has several.

    Raises:
        InputError: The file is malformed, has rows of several submissions and none was named, or
            anchors none of the claims.
    """
    known = {sau.id: sau for sau in saus}
    found: dict[str, tuple[Span, ...]] = {}
    seen: set[str] = set()
    for document in load_json_lines(path, what="anchors"):
        row = document.value
        if not isinstance(row, dict) or row.get("level") != Level.FAITHFUL:
            continue
        if submission is not None and row.get("submission") != submission:
            continue
        spans = _spans(row)
        if row.get("sau") in known and spans:
            seen.add(str(row.get("submission")))
            found[row["sau"]] = spans
    where = Where(str(path))
    if len(seen) > 1:
        raise InputError(
            f"the anchors are of {len(seen)} submissions",
            where=where,
            remedy="Say whose repository it is with --submission",
        )
    if not found:
        raise InputError(
            "no claim is anchored: no row of level 4 with lines for any of the claims",
            where=where,
            remedy="Give labels or verdicts of the same claims and repository",
        )
    return [Anchor(sau, found[sau.id]) for sau in known.values() if sau.id in found]


def _spans(row: Mapping[str, object]) -> tuple[Span, ...]:
    spans: list[Span] = []
    lines, citations = row.get("lines"), row.get("citations")
    for item in lines if isinstance(lines, list) else ():
        match item:
            case [str(path), int(first), int(last)]:
                spans.append((path, first, last))
    for item in citations if isinstance(citations, list) else ():
        match item:
            case {"path": str(path), "first": int(first), "last": int(last), "state": str(state)}:
                if state != "not_found":
                    spans.append((path, first, last))
    return tuple(spans)


_FITTING = {
    Drift.NUMERICAL: {Dimension.D1, Dimension.D2, Dimension.D3},
    Drift.METHODOLOGICAL: {Dimension.D2},
    Drift.PROTOCOL: {Dimension.D3},
    Drift.ORDERING: {Dimension.D4},
}


def fits(repo: Repo, operator: Operator, found: Found, anchor: Anchor) -> bool:
    """Whether a change would make an anchored claim false."""
    if not operator.any_axis and anchor.sau.dimension not in _FITTING[operator.drift]:
        return False
    if found.value and not holds(anchor.sau.claim, found.value):
        return False
    if not all(
        re.search(pattern, anchor.sau.claim, re.IGNORECASE)
        for pattern in (operator.speaks, *found.speaks)
    ):
        return False
    # A value that the claim does not state is no part of it.
    if operator.drift is Drift.NUMERICAL and not found.value:
        return False
    return all(
        any(
            edit.path == path and first <= last and low <= last and first <= high
            for path, first, last in anchor.lines
        )
        for edit in found.edits
        for low, high in [_touched(repo, edit.path, edit.start, edit.end)]
    ) or _inside(found.site, anchor.lines)


def _touched(repo: Repo, path: str, start: int, end: int) -> tuple[int, int]:
    text = repo.texts[path]
    return line_of(text, start), line_of(text, max(start, end - 1))


def _inside(site: Span, lines: Iterable[Span]) -> bool:
    path, first, last = site
    return any(path == p and a <= first and last <= b for p, a, b in lines)


def anchored_level(operator: Operator, found: Found, anchor: Anchor) -> Level:
    """The level of somebody's claim after a change to a part of what it says, by the rubric."""
    if operator.drift is Drift.NUMERICAL and not operator.any_axis:
        values = len(_NUMBER.findall(anchor.sau.claim))
        return found.level if values < 2 else max(found.level, Level.PARTIAL)
    if not operator.any_axis:
        return found.level if len(anchor.lines) < 3 else max(found.level, Level.PARTIAL)
    path, low, high = found.site
    total = sum(last - first + 1 for _, first, last in anchor.lines)
    covered = sum(
        max(0, min(last, high) - max(first, low) + 1)
        for where, first, last in anchor.lines
        if where == path
    )
    if covered >= total:
        return found.level
    return max(found.level, Level.FRAGMENT if covered * 2 >= total else Level.PARTIAL)
