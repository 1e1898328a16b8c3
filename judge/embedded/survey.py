"""What stands where in one repository: each line live, dead, unread, a stub, or only text.

Made once for an index, and asked for every claim.
"""

from __future__ import annotations

import re
import weakref
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from judge.embedded.stubs import is_stub
from judge.embedded.words import APOLOGY, DATA_WORDS, SYNTHETIC
from retrieval.index import Index
from retrieval.numbers import code_powers
from retrieval.values import Fact, Role, SourceFile
from retrieval.words import TOKEN, join, token_terms

__all__ = ["Block", "Standing", "Survey", "TermPlaces", "survey_of"]

Lines = npt.NDArray[np.int64]
_NONE = np.zeros(0, np.int64)


class Standing(IntEnum):
    """How far a line can act, from nothing at all to code that runs."""

    NOWHERE = 0
    TEXT = 1  # comments, docstrings, documents, prose in strings, imports
    STUB = 2  # code of a placeholder
    UNREAD = 3  # configuration that nothing reads
    DEAD = 4  # code that no entry point reaches, and tests
    LIVE = 5


@dataclass(slots=True)
class Block:
    """A function, a class's own lines, a module's own lines, or a file that is no Python.

    Attributes:
        path: The file.
        name: Dotted name in the file; empty for the file's own lines.
        lines: Its lines of code, counted over all files from 0.
        standing: Of its best line.
        stub: It does nothing of what its name says.
        apology: A comment in it says that it is not the real thing.
        synthetic: It makes data up.
    """

    path: str
    name: str
    lines: list[int]
    standing: Standing = Standing.NOWHERE
    stub: bool = False
    apology: bool = False
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class TermPlaces:
    """Where a term stands.

    Attributes:
        standing: Of its best line.
        live: Its live lines.
        idle: Its lines of code or configuration that do not act.
        live_blocks: Blocks with a live line of it.
        idle_blocks: Blocks with an idle line of it.
        text: One line of text with it, -1 for none.
    """

    standing: Standing
    live: Lines
    idle: Lines
    live_blocks: Lines
    idle_blocks: Lines
    text: int


_ABSENT = TermPlaces(Standing.NOWHERE, _NONE, _NONE, _NONE, _NONE, -1)
_STRING = re.compile(r"(['\"])((?:\\.|(?!\1).)*)\1")
_SPEECH = re.compile(
    r"\s*(?:print|logging\.\w+|logger\.\w+|log\.(?:info|debug|warning)|warnings\.warn|raise|assert"
    r"|self\.logger\.\w+|tqdm\.write|console\.print|click\.echo|echo\b|st\.write)"
)
_IMPORT = re.compile(r"\s*(?:from\s+\S+\s+import\b|import\s)")
_PROSE_WORDS = 4


class Survey:
    """One repository, line by line.

    Attributes:
        index: The repository.
        blocks: Its blocks of code and configuration.
        block_of_line: The block of each line, -1 for none; lines count over all files from 0.
        standing: The `Standing` of each line.
        live_lines: Number of live lines.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        total = len(index.chunk_of_line)
        self.blocks: list[Block] = []
        self.block_of_line: npt.NDArray[np.int32] = np.full(total, -1, np.int32)
        self.standing: npt.NDArray[np.uint8] = np.zeros(total, np.uint8)
        self._terms: defaultdict[str, list[int]] = defaultdict(list)
        self._places: dict[str, TermPlaces] = {}
        for file in index.repository.files:
            if file.role in {Role.DOC, Role.DATA} or file.language == "markdown":
                continue
            self._read(file)
        self._judge_blocks()
        self._mark_configs()
        for block in self.blocks:
            if block.lines:
                block.standing = Standing(int(self.standing[block.lines].max()))
        self.live_lines = int((self.standing == Standing.LIVE).sum())
        self.log_lines = float(np.log(total + 2.0))
        self._neighbours: dict[int, tuple[int, ...]] = {}
        self._numbers = {(block.path, block.name): n for n, block in enumerate(self.blocks)}
        self._facts_at: defaultdict[tuple[str, int], list[Fact]] = defaultdict(list)
        self._facts_named: defaultdict[str, list[Fact]] = defaultdict(list)
        for fact in index.facts:
            self._facts_at[fact.path, fact.line].append(fact)
            self._facts_named[join(fact.name.rpartition(".")[2])].append(fact)

    # ---- asking ----------------------------------------------------------------------------

    def places(self, term: str) -> TermPlaces:
        """Where a term stands; looked up once."""
        known = self._places.get(term)
        if known is None:
            known = self._places[term] = self._look_up(term)
        return known

    def rarity(self, places: TermPlaces) -> float:
        """How much seeing a term says, from 0 to 1: a term that is nowhere says most."""
        count = len(places.live) + len(places.idle)
        return float(np.log((len(self.standing) + 2.0) / (count + 1.0)) / self.log_lines)

    def place(self, line: int) -> tuple[str, int]:
        """The (path, line from 1) of a line counted over all files."""
        return self.index.place(line)

    def neighbours(self, number: int) -> tuple[int, ...]:
        """Blocks that a block calls, that call it, and the others of its class."""
        known = self._neighbours.get(number)
        if known is None:
            known = self._neighbours[number] = tuple(self._find_neighbours(number))
        return known

    def block_number(self, path: str, name: str) -> int:
        """The number of a block, -1 where there is none."""
        return self._numbers.get((path, name), -1)

    def facts_at(self, path: str, line: int) -> Sequence[Fact]:
        """The named values on a line."""
        return self._facts_at.get((path, line), ())

    def facts_named(self, key: str) -> Sequence[Fact]:
        """The values whose name ends in a term."""
        return self._facts_named.get(key, ())

    def acts(self, fact: Fact) -> bool:
        """Whether a named value stands on a live line."""
        line = self.index.line_number(fact.path, fact.line)
        return bool(self.standing[line] == Standing.LIVE)

    def _find_neighbours(self, number: int) -> list[int]:
        block = self.blocks[number]
        symbol = self.index.graph.symbol(f"{block.path}::{block.name}")
        if symbol is None:
            return []
        near: dict[int, None] = {}
        for other in (*self.index.calls_of(symbol), *self.index.callers_of(symbol)):
            near[self.block_number(other.path, other.name)] = None
            if other.is_class:
                near[self.block_number(other.path, f"{other.name}.__init__")] = None
                near[self.block_number(other.path, f"{other.name}.forward")] = None
        owner = block.name.rpartition(".")[0]
        if owner:
            for n, other_block in enumerate(self.blocks):
                if other_block.path == block.path and (
                    other_block.name == owner or other_block.name.startswith(owner + ".")
                ):
                    near[n] = None
        near.pop(-1, None)
        near.pop(number, None)
        return list(near)[:40]

    def _look_up(self, term: str) -> TermPlaces:
        own = self._terms.get(term)
        if own:
            lines = np.array(own, np.int64)
            standing = self.standing[lines]
            best = Standing(int(standing.max()))
            if best > Standing.TEXT:
                live = lines[standing == Standing.LIVE]
                idle = lines[(standing > Standing.TEXT) & (standing < Standing.LIVE)]
                return TermPlaces(
                    best, live, idle, self._blocks_of(live), self._blocks_of(idle), -1
                )
        lines32, _kinds = self.index.postings.lines_of(term)
        if len(lines32):
            return TermPlaces(Standing.TEXT, _NONE, _NONE, _NONE, _NONE, int(lines32[0]))
        return _ABSENT

    def _blocks_of(self, lines: Lines) -> Lines:
        numbers = np.unique(self.block_of_line[lines])
        return numbers[numbers >= 0].astype(np.int64)

    # ---- building --------------------------------------------------------------------------

    def _read(self, file: SourceFile) -> None:
        index, path = self.index, file.path
        base = index.line_number(path, 1)
        python = path in index.graph.paths
        numbers: dict[str, int] = {}
        inside_import = False
        for row in range(len(index.lines(path))):
            code = index.code_of(path, row + 1)
            if not code or code.isspace():
                if python and index.line_kind(path, row + 1) == "comment":
                    self._note(path, row, numbers)
                continue
            symbol = index.symbol_at(path, row + 1) if python else None
            name = symbol.name if symbol is not None else ""
            number = numbers.get(name)
            if number is None:
                number = numbers[name] = len(self.blocks)
                self.blocks.append(Block(path, name, []))
            line = base + row
            self.block_of_line[line] = number
            if python and (inside_import or _IMPORT.match(code)):
                inside_import = (inside_import or "(" in code) and ")" not in code
                self.standing[line] = Standing.TEXT
                continue
            block = self.blocks[number]
            block.lines.append(line)
            self.standing[line] = self._standing(file, row + 1)
            speech = python and _SPEECH.match(code) is not None
            terms = _line_terms(code, speech)
            for term in terms:
                self._terms[term].append(line)

    def _note(self, path: str, row: int, numbers: dict[str, int]) -> None:
        text = self.index.lines(path)[row]
        if not APOLOGY.search(text):
            return
        symbol = self.index.symbol_at(path, row + 1)
        number = numbers.get(symbol.name if symbol is not None else "")
        if number is not None:
            self.blocks[number].apology = True

    def _standing(self, file: SourceFile, line: int) -> Standing:
        if file.role is Role.TEST:
            return Standing.DEAD
        if file.role is Role.CONFIG:
            return Standing.LIVE
        return Standing.DEAD if self.index.reached(file.path, line) is False else Standing.LIVE

    def _judge_blocks(self) -> None:
        index = self.index
        for block in self.blocks:
            if block.path not in index.graph.paths or not block.lines:
                continue
            base = index.line_number(block.path, 1)
            rows = [line - base for line in block.lines]
            source = index.lines(block.path)
            code = [index.code_of(block.path, row + 1) for row in rows]
            if block.name:
                symbol = index.graph.symbol(f"{block.path}::{block.name}")
                if symbol is not None and not symbol.is_class and is_stub(code):
                    block.stub = True
                    lines = np.array(block.lines)
                    self.standing[lines] = np.minimum(self.standing[lines], Standing.STUB)
                if DATA_WORDS.search(block.name) and any(
                    SYNTHETIC.search(source[row]) for row in rows
                ):
                    block.synthetic = True
            if not block.apology:
                block.apology = any(
                    len(source[row]) > len(text) and APOLOGY.search(source[row])
                    for row, text in zip(rows, code, strict=True)
                )

    def _mark_configs(self) -> None:
        """A line of configuration acts where its key is read and its file is named by code."""
        index = self.index
        configs = [f for f in index.repository.files if f.role is Role.CONFIG]
        if not configs:
            return
        named = _named_files(index, configs)
        state: dict[tuple[str, int], bool | None] = {}
        paths = {file.path for file in configs}
        for fact in index.facts:
            if fact.path in paths:
                key = (fact.path, fact.line)
                state[key] = fact.reached if state.get(key) is not True else True
        for file in configs:
            base = index.line_number(file.path, 1)
            last: bool | None = None
            for row in range(len(index.lines(file.path))):
                if self.standing[base + row] != Standing.LIVE:
                    continue
                last = state.get((file.path, row + 1), last)
                if last is False or file.path not in named:
                    self.standing[base + row] = Standing.UNREAD


def _named_files(index: Index, configs: Sequence[SourceFile]) -> set[str]:
    """The configuration files that code names; all of them where code names none of them."""
    text = "\n".join(file.text for file in index.repository.files if file.role is Role.CODE)
    if "hydra" in text or not index.has_entry_point:
        return {file.path for file in configs}
    named = set()
    for file in configs:
        name = file.path.rpartition("/")[2]
        stem = name.rpartition(".")[0] or name
        if name in text or re.search(rf"['\"/]{re.escape(stem)}['\"]", text):
            named.add(file.path)
    return named or {file.path for file in configs}


def _line_terms(code: str, speech: bool) -> set[str]:
    """The terms of a line, without prose in its strings."""
    if "'" in code or '"' in code:
        code = _STRING.sub(lambda match: _kept(match[2], speech), code)
    terms: set[str] = set()
    for token in TOKEN.findall(code):
        terms.update(token_terms(token))
    if "**" in code or "<<" in code:
        terms.update("#" + value for value in code_powers(code))
    return terms


def _kept(text: str, speech: bool) -> str:
    if speech or len(text.split()) >= _PROSE_WORDS:
        return " "
    return f" {text} "


_SURVEYS: weakref.WeakKeyDictionary[Index, Survey] = weakref.WeakKeyDictionary()


def survey_of(index: Index) -> Survey:
    """The survey of an index; made once as long as the index lives."""
    known = _SURVEYS.get(index)
    if known is None:
        known = _SURVEYS[index] = Survey(index)
    return known
