"""SA-Bench's published results: `*-sau-score.json`, one file a repository.

They are a model's verdicts. The file names the judge; it differs between files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from benchmark.counting import counted
from benchmark.documents import Document, load_document, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Level, Sau
from benchmark.readers.fields import (
    check_id,
    check_name,
    dimension_of,
    sequence_at,
    table_at,
    text_at,
)

__all__ = ["PublishedEvidence", "PublishedVerdict", "read_published"]

_SUFFIX = "-sau-score.json"
_LINES = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?\Z")


@dataclass(frozen=True, slots=True)
class PublishedEvidence:
    """Lines that the published judge was shown.

    Attributes:
        path: The file, relative to the repository, as published; it may be absent today.
        first: First line, from 1.
        last: Last line, included.
        snippet: The text, as published.
    """

    path: str
    first: int
    last: int
    snippet: str


@dataclass(frozen=True, slots=True)
class PublishedVerdict:
    """One published verdict.

    Attributes:
        agent: Who wrote the repository, by the folder's name.
        paper: The paper.
        submission: `agent/paper`.
        sau: The claim as it stands in the result.
        score: 0, .25, .5, .75 or 1.
        model: The judge's model as the file names it.
        reasoning: The judge's words.
        evidence: What the judge was shown.
        scored_at: When, as the file says; may be empty.
    """

    agent: str
    paper: str
    submission: str
    sau: Sau
    score: float
    model: str
    reasoning: str
    evidence: tuple[PublishedEvidence, ...]
    scored_at: str

    @property
    def level(self) -> Level:
        """The score as a level."""
        return Level.from_score(self.score)


def read_published(
    path: Path,
    *,
    agents: Collection[str] | None = None,
    papers: Collection[str] | None = None,
) -> Iterator[PublishedVerdict]:
    """Read every published result below a folder, or one file.

    The agent is the name of the folder above the paper's: `<agent>/<paper>/repo/result/<file>` and
    any shorter form of it. Files are read one by one, in the order of agent and paper.

    Args:
        path: The folder or file.
        agents: Keep these alone.
        papers: Keep these alone.

    Raises:
        InputError: The folder is missing or holds no result (at once); a file is malformed, two
            files are about one submission, or a claim's text differs between files (when reached).
    """
    return _verdicts(_find(path), agents, papers)


def _find(path: Path) -> list[tuple[str, str, Path]]:
    """The result files as (agent, paper by the folder's name, file), sorted."""
    path = Path(path)
    if not path.exists():
        raise InputError(
            "there is no such folder or file", where=Where(str(path)), remedy="Correct the path"
        )
    if path.is_file():
        return [(*_owner(path.resolve()), path)]
    found: list[tuple[str, str, Path]] = []
    base = path.resolve()
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in files:
            if name.endswith(_SUFFIX):
                file = Path(folder) / name
                found.append((*_owner(base / file.relative_to(path)), file))
    if not found:
        raise InputError(
            f"no published result: looked for files named *{_SUFFIX} at any depth",
            where=Where(str(path)),
            remedy="Name the folder that holds them, e.g. experiments/runs",
        )
    return sorted(found, key=lambda row: (row[0], row[1], row[2].as_posix()))


def _owner(file: Path) -> tuple[str, str]:
    """Agent and paper by the place of a result file; it says the paper again inside."""
    paper = file.name.removesuffix(_SUFFIX)
    parts = list(PurePosixPath(file.as_posix()).parent.parts)
    for inner in ("result", "repo", f"{paper}_repo", "workspace", paper):
        if parts and parts[-1] == inner:
            parts.pop()
    return (parts[-1] if parts else "").strip("/"), paper


def _verdicts(
    found: list[tuple[str, str, Path]],
    agents: Collection[str] | None,
    papers: Collection[str] | None,
) -> Iterator[PublishedVerdict]:
    submissions: dict[str, Path] = {}
    claims: dict[str, tuple[Sau, Path]] = {}
    for agent, paper, file in found:
        if (agents is not None and agent not in agents) or (
            papers is not None and paper not in papers
        ):
            continue
        document = load_document(file, kind="json", what="result")
        check_name(agent, what="agent's name", where=Where(str(file)))
        submission = f"{agent}/{paper}"
        check_name(submission, what="submission's name", where=Where(str(file)))
        other = submissions.setdefault(submission.casefold(), file)
        if other != file:
            raise InputError(
                f"a second result for {submission}; the first is {other}",
                where=Where(str(file)),
                remedy="Keep one of the two, or read their folders apart",
            )
        for verdict in _read(document, agent, paper):
            sau, first = claims.setdefault(verdict.sau.id, (verdict.sau, file))
            if sau != verdict.sau:
                raise InputError(
                    f"the claim differs from the one of the same id in {first}: "
                    "two versions of the claims are mixed",
                    where=Where(str(file), key=verdict.sau.id),
                    remedy="Read results of one version of the claims at a time",
                )
            yield verdict


def _read(document: Document, agent: str, paper: str) -> Iterator[PublishedVerdict]:
    table = table_at(document, document.value, what="a result")
    named = text_at(document, table, ("paper_id",))
    if named != paper:
        raise document.error(
            f"the result is about {shown(named)} but its file is named after {shown(paper)}",
            "paper_id",
            remedy=f"Rename the file to {named}{_SUFFIX}, or correct paper_id",
        )
    model = text_at(document, table, ("model",))
    scored_at = text_at(document, table, ("scored_at",), required=False)
    sections = table_at(
        document, table.get("dimensions"), "dimensions", what="the list of dimensions"
    )
    seen: dict[str, tuple[str | int, ...]] = {}
    for name in sorted(sections):
        dimension = dimension_of(document, name, "dimensions", name)
        section = table_at(document, sections[name], "dimensions", name, what=name)
        claims_at = ("dimensions", name, "claims")
        rows = sequence_at(document, section.get("claims"), *claims_at, what="claims")
        total = section.get("total_claims", len(rows))
        if total != len(rows):
            raise document.error(
                f"total_claims says {shown(total)} but "
                f"{counted(len(rows), 'claim follows', 'claims follow')}",
                "dimensions",
                name,
                "total_claims",
                remedy="Take the result again from its source: it is cut",
            )
        for index, row in enumerate(rows):
            at = (*claims_at, index)
            claim = table_at(document, row, *at, what="a claim")
            sau = Sau(
                id=check_id(document, text_at(document, claim, ("id", "claim_id"), *at), *at),
                paper=paper,
                dimension=dimension,
                claim=text_at(document, claim, ("claim", "text"), *at),
                source=text_at(document, claim, ("source",), *at, required=False),
            )
            if sau.id in seen:
                first = document.where(*seen[sau.id])
                raise document.error(
                    f"the claim {sau.id} is there twice, first on line {first.line}",
                    *at,
                    key=sau.id,
                    remedy="Keep one of the two",
                )
            seen[sau.id] = at
            yield PublishedVerdict(
                agent=agent,
                paper=paper,
                submission=f"{agent}/{paper}",
                sau=sau,
                score=_score(document, claim, *at),
                model=model,
                reasoning=text_at(document, claim, ("judge_reasoning",), *at, required=False),
                evidence=_evidence(document, claim, *at),
                scored_at=scored_at,
            )


def _score(document: Document, claim: Any, *at: str | int) -> float:  # noqa: ANN401
    score = claim.get("score")
    if type(score) not in {int, float} or score not in {0, 0.25, 0.5, 0.75, 1}:
        raise document.error(
            f"the score {shown(score)} is not one of 0, .25, .5, .75, 1",
            *at,
            "score",
            remedy="Take the result again from its source; scores are never rounded",
        )
    return float(score)


def _evidence(
    document: Document,
    claim: Any,  # noqa: ANN401
    *at: str | int,
) -> tuple[PublishedEvidence, ...]:
    items = sequence_at(document, claim.get("evidence", []), *at, "evidence", what="evidence")
    evidence: list[PublishedEvidence] = []
    for index, item in enumerate(items):
        row = table_at(document, item, *at, "evidence", index, what="an item of evidence")
        snippet = row.get("snippet", "")
        lines = row.get("lines")
        match = _LINES.match(lines) if isinstance(lines, str) else None
        first = int(match[1]) if match else 0
        last = int(match[2] or match[1]) if match else 0
        if not 1 <= first <= last:
            raise document.error(
                f"lines {shown(lines)} is not a range such as 12-19",
                *at,
                "evidence",
                index,
                "lines",
                remedy="Write the first and the last line, from 1",
            )
        if not isinstance(snippet, str):
            raise document.error(
                f"snippet should be text, not {shown(snippet)}",
                *at,
                "evidence",
                index,
                "snippet",
                remedy="Put the snippet in quotes",
            )
        path = text_at(document, row, ("file",), *at, "evidence", index)
        evidence.append(PublishedEvidence(path, first, last, snippet))
    return tuple(evidence)
