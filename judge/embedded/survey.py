"""What stands where in one repository, asked for every claim and made once for an index."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from judge.embedded.lines_read import Block, LinesRead, Standing
from judge.embedded.settings import script_flags
from judge.embedded.statements import Statements
from judge.embedded.wordy import is_wordy, name_terms
from retrieval.index import Index
from retrieval.numbers import token_values
from retrieval.outline import LineKind
from retrieval.values import Fact
from retrieval.words import TOKEN, join

__all__ = ["Block", "Kept", "Standing", "Survey", "TermPlaces", "survey_of"]

Lines = npt.NDArray[np.int64]
_NONE = np.zeros(0, np.int64)


@dataclass(slots=True)  # frozen, a thousand of them would take twice as long to make
class TermPlaces:
    """Where a term stands; not to be changed.

    Attributes:
        standing: Of its best line.
        live: Its live lines.
        idle: Its lines of code or configuration that do not act.
        live_blocks: Blocks with a live line of it.
        idle_blocks: Blocks with an idle line of it.
        all_blocks: Blocks with either.
        text_blocks: Live functions with code of their own and with the term in a comment alone.
    """

    standing: Standing
    live: Lines
    idle: Lines
    live_blocks: Lines
    idle_blocks: Lines
    all_blocks: Lines
    text_blocks: Lines


# Members by name are looked up slowly, and these are asked for a thousand times a claim.
_LIVE, _TEXT, _CODE = int(Standing.LIVE), int(Standing.TEXT), int(LineKind.CODE)
_ABSENT = TermPlaces(Standing.NOWHERE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE)
_ENDING_WORDS = """
abl al anc at enc ent ful i ibl ic if ifi ion ional ism ist iv iz less ment ness or ship wis
"""
_ENDINGS = frozenset(_ENDING_WORDS.split())
"""What a word has more than another that is meant by it: `convolutional`, `convolution`."""
_SHORT_FORMS = {
    "initial": ("init",), "predict": ("pred",), "random": ("rand",), "normalis": ("norm",),
    "previou": ("prev",), "vocabulari": ("vocab",), "frequenci": ("freq",), "project": ("proj",),
    "parametric": ("param",), "paramet": ("param",), "original": ("orig",), "evaluat": ("eval",),
    "coordinat": ("coord",), "approximate": ("approx",), "autoregressiv": ("autoreg",),
}  # fmt: skip
"""Stems and what code cuts them to."""
_SUBSTANCE = 4  # lines of code from which a function has a body worth describing


class Survey:
    """One repository, line by line.

    Attributes:
        index: The repository.
        kept: What `Kept` keeps with it.
        blocks: Its blocks of code and configuration.
        block_of_line: The block of each line, -1 for none; lines count over all files from 0.
        standing: The `Standing` of each line.
        live_lines: Number of live lines.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self.kept: dict[object, Any] = {}
        read = self._read = LinesRead(index)
        self.blocks = read.blocks
        self.block_of_line = read.block_of_line
        self.standing = read.standing
        self._is_name: dict[str, bool] = {}
        self._places: dict[str, TermPlaces] = {}
        self._begun: dict[str, tuple[str, ...]] = {}
        self._sorted: list[str] | None = None
        python = index.graph.paths
        self.is_function: npt.NDArray[np.bool_] = np.array(
            [bool(block.name) and block.path in python for block in self.blocks], np.bool_
        )
        self.live_blocks: npt.NDArray[np.bool_] = np.array(
            [block.standing is Standing.LIVE for block in self.blocks], np.bool_
        )
        self.stub_blocks: npt.NDArray[np.bool_] = np.array(
            [block.standing is Standing.STUB for block in self.blocks], np.bool_
        )
        self.describable: npt.NDArray[np.bool_] = (
            self.is_function
            & self.live_blocks
            & np.array([len(block.lines) >= _SUBSTANCE for block in self.blocks], np.bool_)
        )
        self.live: Lines = np.flatnonzero(self.standing == Standing.LIVE).astype(np.int64)
        self.live_lines = len(self.live)
        paths = {path: n for n, path in enumerate(dict.fromkeys(b.path for b in self.blocks))}
        self.files = len(paths)
        self.file_of_block: Lines = np.array([paths[b.path] for b in self.blocks], np.int64)
        # Position of each line among the live ones.
        self._row: Lines = np.cumsum(self.standing == Standing.LIVE).astype(np.int64) - 1
        self.log_lines = float(np.log(self.live_lines + 2.0))
        self._rarity: dict[int, float] = {}
        self._neighbours: dict[int, tuple[int, ...]] = {}
        self._numbers = {(block.path, block.name): n for n, block in enumerate(self.blocks)}
        self._facts_at: defaultdict[tuple[str, int], list[Fact]] = defaultdict(list)
        self._facts_named: defaultdict[str, list[Fact]] = defaultdict(list)
        for fact in (*index.facts, *script_flags(index)):
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
        """How much seeing a term says, from 0 to 1: a term that no live line holds says most.

        What does not act must not count here either, or else it could dilute what is missing.
        """
        count = len(places.live)
        known = self._rarity.get(count)
        if known is None:
            share = (self.live_lines + 2.0) / (count + 1.0)
            known = self._rarity[count] = float(np.log(share) / self.log_lines)
        return known

    def rows(self, live: Lines) -> Lines:
        """The positions of live lines among all live lines."""
        found: Lines = self._row[live]
        return found

    def is_name(self, term: str) -> bool:
        """Whether a term stands on a live line outside of strings."""
        known = self._is_name.get(term)
        if known is None:
            live = self.places(term).live.tolist()
            known = self._is_name[term] = not self._read.quoted.get(term, frozenset()).issuperset(
                live
            )
        return known

    @property
    def stems(self) -> Iterable[str]:
        """Every term that stands in a file's text."""
        return self._read.terms.keys()

    @cached_property
    def called(self) -> frozenset[str]:
        """The terms of what live lines call."""
        names: set[str] = set()
        for symbol in self.index.graph.symbols:
            base = self.index.line_number(symbol.path, 1) - 1
            names.update(
                call.name.rpartition(".")[2]
                for call in symbol.calls
                if self.standing[base + call.line] == _LIVE
            )
        return frozenset(term for name in names if name for term in name_terms(name))

    @cached_property
    def defined(self) -> frozenset[str]:
        """The terms of the names of live functions and classes."""
        names = {
            block.name.rpartition(".")[2]
            for block, live in zip(self.blocks, self.live_blocks.tolist(), strict=True)
            if live and block.name
        }
        return frozenset(term for name in names for term in name_terms(name))

    @cached_property
    def codes(self) -> list[str]:
        """The live lines without their comments."""
        found: list[str] = []
        for base, codes in self._read.files:
            rows = np.flatnonzero(self.standing[base : base + len(codes)] == _LIVE)
            found.extend(codes[row] for row in rows.tolist())
        return found

    @cached_property
    def row_blocks(self) -> Lines:
        """The block of each live line."""
        found: Lines = self.block_of_line[self.live].astype(np.int64)
        return found

    def statements(self, path: str) -> Statements:
        """The statements of a file; read once."""
        return self._read.statements(path)

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

    def forms(self, fact: Fact) -> Iterator[str]:
        """The canonical forms of all numbers in a fact's value."""
        for token in TOKEN.findall(fact.value):
            if token[0] in "0123456789.":
                yield from token_values(token)

    def acts(self, fact: Fact) -> bool:
        """Whether a named value stands on a live line."""
        line = self.index.line_number(fact.path, fact.line)
        if self.standing[line] != _LIVE:
            return False
        name = fact.name.rpartition(".")[2]
        left = self._read.left.get((fact.path, fact.line)) if self._read.left else None
        return not is_wordy(name) and (left is None or join(name) in left)

    def begun_by(self, term: str) -> tuple[str, ...]:
        """Terms of code that begin like a word of five letters or more, or that it begins with."""
        known = self._begun.get(term)
        if known is None:
            known = self._begun[term] = tuple(self._begin(term))
        return known

    def _begin(self, term: str) -> list[str]:
        if len(term) < 5 or not term.isalpha():
            return []
        if self._sorted is None:
            self._sorted = sorted(t for t in self._read.terms if len(t) > 3 and t.isalpha())
        head = term[: max(5, (2 * len(term) + 2) // 3)]
        found: list[str] = []
        for position in range(bisect_left(self._sorted, head), len(self._sorted)):
            other = self._sorted[position]
            if not other.startswith(head) or len(found) == 4:
                break
            if len(other) <= len(term) + 4:
                found.append(other)
        for size in range(4, len(term)):
            short = term[:size]
            if short not in self._read.terms:
                continue
            if term[size:] in _ENDINGS or short in _SHORT_FORMS.get(term, ()):
                found.append(short)
        return found

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
        own = self._read.terms.get(term)
        if own:
            lines = np.array(own, np.int64)
            standing = self.standing[lines]
            live = lines[standing == _LIVE]
            if len(live) == len(lines):
                best, idle = Standing.LIVE, _NONE
            else:
                best = Standing(int(standing.max()))
                idle = lines[(standing > _TEXT) & (standing < _LIVE)]
            if best > _TEXT:
                live_blocks = self._blocks_of(live)
                if len(live) and (titled := self._titled(term)):
                    live_blocks = np.union1d(live_blocks, titled)
                idle_blocks = self._blocks_of(idle) if len(idle) else _NONE
                return TermPlaces(
                    best,
                    live,
                    idle,
                    live_blocks,
                    idle_blocks,
                    np.union1d(live_blocks, idle_blocks) if len(idle_blocks) else live_blocks,
                    self._text_blocks(term, live_blocks),
                )
        lines32, _ = self.index.postings.lines_of(term)
        if len(lines32):
            return TermPlaces(
                Standing.TEXT, _NONE, _NONE, _NONE, _NONE, _NONE, self._text_blocks(term, _NONE)
            )
        return _ABSENT

    def _text_blocks(self, term: str, live_blocks: Lines) -> Lines:
        lines, kinds = self.index.postings.lines_of(term)
        said = lines[kinds != _CODE]
        if not len(said):
            return _NONE
        seen = np.zeros(len(self.blocks) + 1, np.bool_)
        seen[self.block_of_line[said]] = True  # the last stands for none
        seen[live_blocks] = False
        return (seen[:-1] & self.describable).nonzero()[0]

    def _titled(self, term: str) -> list[int]:
        """Live blocks with code of their own whose file, class or name holds a term."""
        return [
            number
            for number in self._read.titles.get(term, ())
            if self.blocks[number].standing is Standing.LIVE
            and len(self.blocks[number].lines) >= _SUBSTANCE
        ]

    def _blocks_of(self, lines: Lines) -> Lines:
        return self._distinct(self.block_of_line[lines])

    def _distinct(self, numbers: npt.NDArray[np.int32]) -> Lines:
        """The blocks among some numbers of blocks, rising, each once; -1 is none."""
        if len(numbers) < 2:
            return numbers[numbers >= 0].astype(np.int64)
        seen = np.zeros(len(self.blocks) + 1, np.bool_)
        seen[numbers] = True  # the last stands for none
        return seen[:-1].nonzero()[0]


_T = TypeVar("_T")


class Kept(Generic[_T]):
    """Something that is made once for a survey, and goes with it.

    A dictionary with weak keys would keep every survey for ever, as what is made holds its survey.
    """

    def get(self, survey: Survey) -> _T | None:
        """What was made for a survey; `None` for nothing yet."""
        made: _T | None = survey.kept.get(self)
        return made

    def setdefault(self, survey: Survey, made: _T) -> _T:
        """What was made for a survey, or this from now on."""
        known: _T = survey.kept.setdefault(self, made)
        return known

    def __setitem__(self, survey: Survey, made: _T) -> None:
        survey.kept[self] = made


_MOST_SURVEYS = 4  # a process grades one repository after the other, or a few at a time
_SURVEYS: OrderedDict[int, Survey] = OrderedDict()
_LOCK = threading.Lock()


def survey_of(index: Index) -> Survey:
    """The survey of an index; made once, and kept while it is among the last few asked for."""
    with _LOCK:
        known = _SURVEYS.get(id(index))  # a survey holds its index, so that the number is its own
        if known is not None:
            _SURVEYS.move_to_end(id(index))
            return known
    made = Survey(index)
    with _LOCK:
        known = _SURVEYS.setdefault(id(index), made)
        _SURVEYS.move_to_end(id(index))
        while len(_SURVEYS) > _MOST_SURVEYS:
            _, old = _SURVEYS.popitem(last=False)
            old.kept.clear()  # leaves nothing to the cycle collector, which may be at rest
    return known
