"""The nouns: what is claimed, what was handed in, and the words of a verdict.

The words are defined in `docs/rubric.md`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from pathlib import Path

__all__ = [
    "Benchmark",
    "Dimension",
    "Drift",
    "Failure",
    "Label",
    "Level",
    "Paper",
    "Sau",
    "Submission",
    "claims_version",
]


class Dimension(StrEnum):
    """The axis of a claim."""

    D1 = "D1"
    D2 = "D2"
    D3 = "D3"
    D4 = "D4"

    @property
    def axis(self) -> str:
        """The axis in a word: numerical, methodological, protocol or ordering."""
        return _AXES[self.value]


_AXES = {"D1": "numerical", "D2": "methodological", "D3": "protocol", "D4": "ordering"}


class Level(IntEnum):
    """How far the code does what the claim says, in five ordered steps, stored as an integer."""

    ABSENT = 0
    FRAGMENT = 1
    PARTIAL = 2
    MINOR = 3
    FAITHFUL = 4

    @property
    def score(self) -> float:
        """The level as a share of one: 0, .25, .5, .75 or 1."""
        return self.value / 4

    @classmethod
    def from_score(cls, score: float) -> Level:
        """The level of an exact score.

        Raises:
            ValueError: The score is not 0, .25, .5, .75 or 1. It is never rounded or clamped.
        """
        level = score * 4
        if level not in {0, 1, 2, 3, 4}:
            raise ValueError(f"{score!r} is not one of 0, .25, .5, .75, 1")
        return cls(int(level))


class Drift(StrEnum):
    """The kind of divergence that was found; it may differ from the claim's dimension."""

    NONE = "none"
    NUMERICAL = "numerical"
    METHODOLOGICAL = "methodological"
    PROTOCOL = "protocol"
    ORDERING = "ordering"


class Failure(StrEnum):
    """Why a claim is not fully met; the main reason where there are several."""

    NONE = "none"
    MISMATCH = "mismatch"
    INCOMPLETE = "incomplete"
    STUB = "stub"
    MENTION_ONLY = "mention_only"
    UNREACHABLE = "unreachable"
    EXTERNAL = "external"
    MISSING = "missing"

    @property
    def levels(self) -> frozenset[Level]:
        """The levels that this failure can go with: `missing` is never half a claim."""
        return _LEVELS[self]


_LEVELS = {
    Failure.NONE: frozenset({Level.FAITHFUL}),
    Failure.MISMATCH: frozenset(Level) - {Level.FAITHFUL},
    Failure.INCOMPLETE: frozenset({Level.FRAGMENT, Level.PARTIAL, Level.MINOR}),
    Failure.STUB: frozenset({Level.ABSENT, Level.FRAGMENT}),
    Failure.MENTION_ONLY: frozenset({Level.ABSENT, Level.FRAGMENT}),
    Failure.UNREACHABLE: frozenset({Level.ABSENT, Level.FRAGMENT, Level.PARTIAL}),
    Failure.EXTERNAL: frozenset(Level) - {Level.FAITHFUL},
    Failure.MISSING: frozenset({Level.ABSENT}),
}


@dataclass(frozen=True, slots=True)
class Sau:
    """A Semantic Alignment Unit: one atomic, checkable claim about an implementation.

    Attributes:
        id: Unique among all claims of a benchmark.
        paper: The id of the paper it is from.
        dimension: Its axis.
        claim: The claim in words; never empty.
        source: Where the paper says so, e.g. `Section 7, Table 2`; may be empty.
    """

    id: str
    paper: str
    dimension: Dimension
    claim: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its claims, in the order of their file.

    Attributes:
        id: The paper's id.
        saus: Its claims.
        text: Path of the paper's text (`paper.md`), where it is at hand.
    """

    id: str
    saus: tuple[Sau, ...]
    text: Path | None = None

    @property
    def version(self) -> str:
        """A fingerprint of the claims: same claims, same version."""
        return claims_version(self.saus)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The papers that a run is about, sorted by id.

    Attributes:
        name: What the user calls it, or the folder's name.
        papers: The papers.
    """

    name: str
    papers: tuple[Paper, ...]

    @property
    def saus(self) -> tuple[Sau, ...]:
        """All claims, paper by paper."""
        return tuple(sau for paper in self.papers for sau in paper.saus)


@dataclass(frozen=True, slots=True)
class Submission:
    """One agent's repository for one paper.

    Attributes:
        id: Unique in a run; by convention `agent/paper`.
        agent: Who wrote it.
        paper: The id of the paper it reproduces.
        root: The folder of the repository.
        meta: Whatever else is known of it, e.g. `generator_model` or `scaffold`.
        exclude: Paths and patterns inside the root, in `.gitignore` style, that are not the
            submission's code (results, logs of the generator).
    """

    id: str
    agent: str
    paper: str
    root: Path
    meta: Mapping[str, str] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """One annotator's reading of one (submission, SAU) pair.

    Attributes:
        submission: The submission's id.
        sau: The claim's id.
        annotator: Who read it.
        kind: What the annotator is: `person`, `model`, or `author` (whoever wrote the submission
            with this outcome in mind). A model's reading is never called a person's.
        level: The level read; `None` where only pass or fail was said.
        drift: The divergence found; `None` where nothing was said of it.
        failure: Why the level is not 4; `None` where nothing was said of it.
        lines: The deciding lines as (path, first line, last line), lines from 1, both included.
        note: The reason in a sentence.
        time: When, in ISO 8601; may be empty.
        passed: Pass or fail, where that is all that was said. Exactly one of `level` and `passed`
            is given: no level is ever made up from a pass.
        adjudicated: This reading was made to settle what others disagreed on, and outweighs them.
        weight: How many pairs this one stands for, where it was drawn with unequal chances: the
            inverse of its chance of being drawn.
        claims: Fingerprint of the paper's claims that the annotator saw (`Paper.version`); empty
            where that is not known.
    """

    submission: str
    sau: str
    annotator: str
    kind: str
    level: Level | None
    drift: Drift | None
    failure: Failure | None
    lines: tuple[tuple[str, int, int], ...] = ()
    note: str = ""
    time: str = ""
    passed: bool | None = None
    adjudicated: bool = False
    weight: float = 1.0
    claims: str = ""


def claims_version(saus: Iterable[Sau]) -> str:
    """Fingerprint a set of claims, whatever their order: 12 hexadecimal digits of a SHA-256."""
    rows = sorted([s.id, s.paper, s.dimension.value, s.claim, s.source] for s in saus)
    payload = json.dumps(rows, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(payload.encode()).hexdigest()[:12]
