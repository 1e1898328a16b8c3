"""PaperBench JudgeEval's rows as JSON Lines: requirements that a person graded on one repository.

One requirement a line: `{"paper", "leaf_id", "requirement", "parents", "human", "explanation",
"resolved", "lines"}`. `human` is 1 where the labeller found it met and 0 where not; `parents` are
the requirements above it from the root down; `resolved` and `lines` are the files and lines that
the labeller named. Only the first three and `human` must be there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.documents import Document, load_json_lines, shown
from benchmark.errors import Where
from benchmark.nouns import Benchmark, Dimension, Label, Paper, Sau
from benchmark.readers.fields import (
    MAX_CLAIM,
    MAX_SOURCE,
    check_id,
    check_name,
    sequence_at,
    short_text,
    table_at,
    text_at,
)
from benchmark.readers.labels import unique

__all__ = ["AGENT", "JudgeEval", "is_judgeeval", "load_judgeeval"]

AGENT = "author"
"""Who wrote the repository, where nobody says otherwise: such rows grade authors' own code."""

_PEEK = 64 * 2**10


@dataclass(frozen=True, slots=True)
class JudgeEval:
    """The rows of one file.

    Attributes:
        benchmark: The requirements as claims, by paper, in the order of the file. All are of
            dimension D2, since rows do not say more; their source is the requirements above.
        labels: What the person found, pass or fail, of submission `<agent>/<paper>`.
    """

    benchmark: Benchmark
    labels: tuple[Label, ...]


def is_judgeeval(path: Path) -> bool:
    """Whether a file's first line is such a row; `False` for what cannot be read."""
    try:
        with path.open("rb") as file:
            first = file.read(_PEEK).lstrip().split(b"\n", 1)[0]
        row = json.loads(first)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {"leaf_id", "requirement", "human"} <= row.keys()


def load_judgeeval(
    path: Path, *, agent: str = AGENT, annotator: str = "judgeeval", kind: str = "person"
) -> JudgeEval:
    """Read such a file.

    Args:
        path: The file.
        agent: Who wrote the repository that was graded.
        annotator: Whose reading it is.
        kind: What that annotator is.

    Raises:
        InputError: The file cannot be read, a line is no such row, a leaf is given twice, or
            `human` is neither 0 nor 1.
    """
    path = Path(path)
    check_name(agent, what="agent's name", where=Where(str(path)))
    saus: dict[str, list[Sau]] = {}
    owners: dict[str, str] = {}
    rows: list[tuple[Document, Label]] = []
    for document in load_json_lines(path, what="file of JudgeEval rows"):
        sau, label = _row(document, agent, annotator, kind)
        if owners.setdefault(sau.id, sau.paper) != sau.paper:
            raise document.error(
                f"the leaf {sau.id} is also one of the paper {owners[sau.id]}",
                "leaf_id",
                remedy="Give each requirement an id of its own",
            )
        saus.setdefault(sau.paper, []).append(sau)
        rows.append((document, label))
    labels = unique(rows)
    papers = tuple(Paper(paper, tuple(saus[paper])) for paper in sorted(saus))
    return JudgeEval(Benchmark(path.stem, papers), labels)


def _row(document: Document, agent: str, annotator: str, kind: str) -> tuple[Sau, Label]:
    row = table_at(document, document.value, what="a row")
    paper = text_at(document, row, ("paper",))
    check_name(paper, what="paper's id", where=document.where("paper"))
    if "/" in paper:
        raise document.error(
            f"the paper's id {shown(paper)} holds a slash", "paper", remedy="Use another id"
        )
    id_ = check_id(document, text_at(document, row, ("leaf_id",)), "leaf_id", what="leaf_id")
    claim = short_text(
        document, text_at(document, row, ("requirement",)), MAX_CLAIM, "requirement", what="claim"
    )
    human = row.get("human")
    if type(human) not in {int, float} or human not in {0, 1}:
        raise document.error(
            f"human is {shown(human)}, not 0 or 1" if "human" in row else "human is missing",
            "human",
            remedy="Write 1 where the requirement was found to be met and 0 where not",
        )
    return (
        Sau(id_, paper, Dimension.D2, claim, _context(document, row)),
        Label(
            submission=f"{agent}/{paper}",
            sau=id_,
            annotator=annotator,
            kind=kind,
            level=None,
            drift=None,
            failure=None,
            lines=_lines(document, row),
            note=text_at(document, row, ("explanation",), required=False),
            passed=human == 1,
        ),
    )


def _context(document: Document, row: Mapping[str, Any]) -> str:
    """The requirements above in one text, the nearest kept where not all fit."""
    above = sequence_at(document, row.get("parents", []), "parents", what="parents")
    texts: list[str] = []
    for place, text in enumerate(above):
        if not isinstance(text, str):
            raise document.error(
                f"a parent should be text, not {shown(text)}",
                "parents",
                place,
                remedy="Write the requirements above it, from the root down",
            )
        if text.strip():
            texts.append(" ".join(text.split()))
    said = ""
    for text in reversed(texts):
        longer = f"{text} > {said}" if said else text
        if len(longer) > MAX_SOURCE - len("part of: "):
            break
        said = longer
    return f"part of: {said}" if said else ""


def _lines(document: Document, row: Mapping[str, Any]) -> tuple[tuple[str, int, int], ...]:
    """The labeller's lines: each with its file, where that can be told."""
    files = sequence_at(document, row.get("resolved", []), "resolved", what="resolved")
    numbers = sequence_at(document, row.get("lines", []), "lines", what="lines")
    for place, name in enumerate(files):
        if not isinstance(name, str) or not name.strip():
            raise document.error(
                f"{shown(name)} is no path", "resolved", place, remedy="Write paths as text"
            )
    for place, number in enumerate(numbers):
        if type(number) is not int or number < 1:
            raise document.error(
                f"{shown(number)} is no line number", "lines", place, remedy="Count lines from 1"
            )
    if len(files) == 1:
        files = files * len(numbers)
    # Two files and one line: the row does not say whose line it is.
    pairs = zip(files, numbers, strict=True) if len(files) == len(numbers) else ()
    return tuple((name, number, number) for name, number in pairs)
