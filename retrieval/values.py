"""The values that this room hands on: files, chunks, facts and evidence.

All line numbers count from 1 and both ends are included. All paths are relative to the
repository's root and use `/`, on every system.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

__all__ = [
    "Chunk",
    "ChunkKind",
    "Evidence",
    "Fact",
    "FactSource",
    "ParseState",
    "Passage",
    "Repository",
    "Role",
    "Searched",
    "Skipped",
    "SourceFile",
]


class Role(StrEnum):
    """What a file is for."""

    CODE = "code"
    CONFIG = "config"
    TEST = "test"
    DOC = "doc"
    DATA = "data"


class ParseState(StrEnum):
    """How far a file was understood."""

    PARSED = "parsed"
    RECOVERED = "recovered"  # code found inside Markdown fences, or before a cut-off end
    BROKEN = "broken"  # syntax errors: searched as text, chunked as far as the tree goes
    TEXT = "text"  # no grammar for it


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file that was read.

    Attributes:
        path: Relative path.
        language: `python`, `yaml`, `json`, `toml`, `ini`, `shell`, `markdown`, `notebook`, `text`.
        role: What it is for.
        text: Its decoded text. For a notebook, the cells' sources, as `notebook.py` lays them out.
        sha256: Of the bytes on disk, in hexadecimal.
        notes: What was odd about it (`not UTF-8: read as latin-1`), for the verdicts' flags.
        cut: What of its text is missing, in words; empty where `text` is all of it.
    """

    path: str
    language: str
    role: Role
    text: str
    sha256: str
    notes: tuple[str, ...] = ()
    cut: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """One path that was not read, and why.

    Attributes:
        path: The path; `.` for paths that are not named one by one.
        reason: Why, for people.
        could_decide: Whether a claim may hang on it: code or configuration by its name, or a part
            of the tree that was not looked into. Not what is left out for what it is: what the
            caller excluded, others' code, tools' files, and what is binary by its name.
    """

    path: str
    reason: str
    could_decide: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """A submission's files as they were read, sorted by path.

    Attributes:
        files: What was read.
        skipped: What was not, with reasons.
        digest: SHA-256 over the paths and contents of `files` and over `skipped`: the same bytes
            give the same digest whatever the file order or machine. What the caller excluded and
            what tools leave behind (`.git`, `__pycache__`) is listed in `skipped` but not part of
            it: its coming and going changes nothing of what was handed in.
    """

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    digest: str


class ChunkKind(StrEnum):
    """What a chunk is."""

    FUNCTION = "function"
    CLASS_HEAD = "class_head"
    MODULE = "module"
    CONFIG = "config"
    CELL = "cell"
    SCRIPT = "script"
    DOC = "doc"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of one file.

    Attributes:
        path: The file.
        first: First line.
        last: Last line.
        kind: What it is.
        symbol: Dotted path inside the file (`Trainer.step`), empty for module statements.
        header: One line that lets the chunk be read alone: class and signature it belongs to,
            as far as its own lines do not show them.
        reached: Whether an entry point leads to it; `None` where the repository has no entry
            point, the question makes no sense, or names are looked up that only a run knows.
    """

    path: str
    first: int
    last: int
    kind: ChunkKind
    symbol: str = ""
    header: str = ""
    reached: bool | None = None


class FactSource(StrEnum):
    """Where a fact was read."""

    ASSIGNMENT = "assignment"
    DEFAULT = "default"
    KEYWORD = "keyword"
    DICT = "dict"
    FIELD = "field"
    OPTION = "option"
    CONFIG = "config"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Fact:
    """A value and the name that it is given.

    Attributes:
        name: Dotted name as near to the reader's eye as can be (`optimizer.lr`, `Adam.lr`).
        value: The literal as written (`1e-4`, `'cosine'`, `True`).
        path: The file.
        line: The line of the value.
        source: How it is given.
        reached: As for `Chunk`; of a value in a configuration file, whether code reads its key.
        readers: Path, line and text of code that reads it, where that was looked for; no text
            where the line is shown anyway.
    """

    name: str
    value: str
    path: str
    line: int
    source: FactSource
    reached: bool | None = None
    readers: tuple[tuple[str, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Numbered source lines that are shown to the judge.

    Attributes:
        path: The file.
        first: First line shown.
        last: Last line shown.
        text: The lines, joined by newlines, without numbers; those that are left out are blank.
        header: As for `Chunk`.
        symbol: As for `Chunk`.
        reached: As for `Chunk`.
        role: The file's role.
        score: The ranking's score, for people; not comparable between claims.
        why: What brought it here (`words: adam, lr`, `value: 1e-4`, `caller of Trainer.step`).
        folded: Numbers of the lines between the first and the last that are left out, in order:
            blank ones, comments, docstrings.
    """

    path: str
    first: int
    last: int
    text: str
    header: str = ""
    symbol: str = ""
    reached: bool | None = None
    role: Role = Role.CODE
    score: float = 0.0
    why: tuple[str, ...] = ()
    folded: tuple[int, ...] = ()

    def shows(self, path: str, line: int) -> bool:
        """Whether it shows a line of a file."""
        if path != self.path or not self.first <= line <= self.last:
            return False
        at = bisect_left(self.folded, line)
        return at == len(self.folded) or self.folded[at] != line

    def parts(self, spans: Iterable[tuple[int, int]]) -> Iterator[Passage]:
        """Some of its lines for each first and last line; they must be among its own."""
        lines, folded = self.text.split("\n"), self.folded
        for first, last in spans:
            yield replace(
                self,
                first=first,
                last=last,
                text="\n".join(lines[first - self.first : last - self.first + 1]),
                folded=folded[bisect_left(folded, first) : bisect_right(folded, last)],
            )


@dataclass(frozen=True, slots=True)
class Searched:
    """One name or value of the claim, and in how many lines of code and of prose it stands."""

    term: str
    code_lines: int
    prose_lines: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the judge is shown for one claim.

    Attributes:
        passages: Source lines, sorted by path and line, never overlapping.
        repository_map: Files and their symbols, as text, cut to its own share of the budget.
        facts: Named values of the code that match a value or a name of the claim.
        calls: For ordering claims, the order of calls in the functions that matter, as text lines.
        searched: What was looked for, with counts; a count of 0 is evidence of absence.
        complete: Every line of code and config of the repository, tests aside, is in `passages`:
            nothing that could decide went unread or was cut in reading.
        omitted: First what was not read, or not in whole, and could decide: path and reason; then
            files of code or config with no line in `passages`.
        tokens: Estimated size of all of it but the map, in tokens, as it is shown: with line
            numbers, heads, facts, calls, counts and names of what is omitted.
    """

    passages: tuple[Passage, ...]
    repository_map: str
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()
    searched: tuple[Searched, ...] = ()
    complete: bool = False
    omitted: tuple[str, ...] = field(default=())
    tokens: int = 0
