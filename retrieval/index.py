"""The index of one repository: everything that can be asked about it without a claim."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from benchmark.collecting import collector_at_rest
from retrieval.analysis import outline_of
from retrieval.chunks import cut_file, line_owners
from retrieval.comments import without
from retrieval.config_use import ConfigUse, fact_reached
from retrieval.decoding import split_lines
from retrieval.edges import both_ways, call_edges, sibling_edges
from retrieval.fact_index import fact_table
from retrieval.folders import Folders, folder_of
from retrieval.folding import folded_lines
from retrieval.graph import Call, CallGraph, FileView, Symbol
from retrieval.lexicon import FileTokens, Lexicon
from retrieval.numbers import canonical
from retrieval.outline import KIND_WORDS, LineKind, Outline
from retrieval.postings import Floats, Table, Terms, chunk_table, totals
from retrieval.query import text_terms
from retrieval.relations import Relations, relations
from retrieval.remembering import OutlineMemory
from retrieval.spans import Spans, copies_of, groups_of, head_costs
from retrieval.together import Foreseen
from retrieval.tokens import (
    LINE_NUMBER_TOKENS,
    OMITTED_TOKENS,
    SHOWN_LINE_CHARACTERS,
    estimate_tokens,
    line_tokens,
    named_within,
)
from retrieval.traits import chunk_traits
from retrieval.values import Chunk, Fact, ParseState, Repository, Role, SourceFile
from retrieval.words import join, stem, word_parts

if TYPE_CHECKING:
    from retrieval.ranking import Ranking

__all__ = ["Index", "Mention"]

# Enough for a repository or two of the size that people hand in.
_REMEMBERED = OutlineMemory(2 << 20)

# Claims that are worked on at once, by how many chunks each is asked of: tables of so many cells.
_BLOCK_CELLS, _MOST_DOUBLINGS = 16_000, 6

# Code and what configures it before tests, tests before prose.
ROLE_ORDER = {Role.CODE: 0, Role.CONFIG: 0, Role.TEST: 1, Role.DOC: 2, Role.DATA: 3}


@dataclass(frozen=True, slots=True)
class Mention:
    """A line that holds a term.

    Attributes:
        path: The file.
        line: The line.
        kind: `code`, `comment`, `string` (docstrings, text over several lines) or `prose`. Only
            `code` proves anything.
    """

    path: str
    line: int
    kind: str


class Index:
    """One repository, parsed and searchable.

    Attributes:
        repository: What was read.
        chunks: All chunks, by path and line.
        facts: All named values, by path and line.
        parse_states: How far each file was understood.
        notes: What was odd about files, as (path, note).
        unseen: What was not read, or not in whole, and could decide a claim: path and reason.
        graph: Calls, callers, entry points.
    """

    def __init__(
        self,
        repository: Repository,
        outlines: Mapping[str, Outline],
        lines: Mapping[str, list[str]],
    ) -> None:
        self.repository = repository
        self._files = {file.path: file for file in repository.files}
        self._lines = lines
        self.parse_states: Mapping[str, ParseState] = {
            path: outline.state for path, outline in outlines.items()
        }
        self.notes = tuple((path, n) for path, outline in outlines.items() for n in outline.notes)
        self.unseen = _unseen(repository)
        self._kinds = {path: outline.kinds for path, outline in outlines.items()}
        self._tails = {path: outline.tails for path, outline in outlines.items()}
        self._holes = {path: outline.holes for path, outline in outlines.items() if outline.holes}
        lexicon = Lexicon()
        views: list[FileView] = []
        self._start: dict[str, int] = {}  # number of a file's first line, over all files
        tokens: list[tuple[FileTokens, int]] = []
        total = sum(len(lines[file.path]) for file in repository.files)
        self.chunk_of_line: npt.NDArray[np.int32] = np.full(total, -1, np.int32)
        costs = np.zeros(total + 1, np.float64)
        self._folded: dict[str, bytearray] = {}
        base = 0
        for file in repository.files:
            outline, own_lines = outlines[file.path], lines[file.path]
            owners = line_owners(outline)
            self._start[file.path] = base
            own_tokens = lexicon.read_file(own_lines, "\n".join(own_lines), outline)
            tokens.append((own_tokens, base))
            views.append(FileView(file, own_lines, outline, owners, own_tokens))
            costs[base + 1 : base + len(own_lines) + 1] = (
                line_tokens(own_lines) + LINE_NUMBER_TOKENS
            )
            self._folded[file.path] = folded_lines(file, own_lines, outline)
            base += len(own_lines)
        self.line_cost: Floats = np.cumsum(costs)
        self.graph = CallGraph(views, lexicon)
        chunks: list[Chunk] = []
        headers: list[list[int]] = []
        reached = self.graph.reached
        for view in views:
            path = view.file.path
            base = self._start[path]
            path_tokens = lexicon.read(path)
            heads: dict[str, list[int]] = {}
            for chunk, names in cut_file(
                view.file, view.outline, view.owners, reached, self._folded[path]
            ):
                self.chunk_of_line[base + chunk.first - 1 : base + chunk.last] = len(chunks)
                if (head := heads.get(names)) is None:
                    head = heads[names] = [*path_tokens, *lexicon.read(names)]
                headers.append(head)
                chunks.append(chunk)
        self.chunks: tuple[Chunk, ...] = tuple(chunks)
        starts = np.array([self._start[chunk.path] for chunk in chunks], np.int64)
        firsts = np.array([chunk.first for chunk in chunks], np.int64)
        lasts = np.array([chunk.last for chunk in chunks], np.int64)
        terms = Terms.of(lexicon)
        self.table, self.postings = chunk_table(
            terms, tokens, self.chunk_of_line, headers, starts + firsts - 1
        )
        behind, before = starts + lasts, starts + firsts - 1
        ends, begins = self.line_cost[behind], self.line_cost[before]
        shown = np.frombuffer(b"".join(self._folded.values()), np.uint8) == 0
        cost = np.concatenate(([0.0], np.cumsum(costs[1:] * shown)))
        count = np.concatenate(([0], np.cumsum(shown)))
        # Of the lines that excerpts show, their tokens with line numbers, and how many they are.
        self.chunk_costs: Floats = cost[behind] - cost[before]
        self.chunk_lines: npt.NDArray[np.int64] = count[behind] - count[before]
        self.head_costs = head_costs(self.chunks)
        self.copies = copies_of(self.chunks, lines)
        # For each chunk the cost of what is shown behind the one before; -1 at a file's first.
        same = np.diff(starts, prepend=-1) == 0
        self.gap_costs: Floats = np.where(same, _gaps(cost[before], cost[behind]), -1)
        self._whole = ends - begins, np.where(same, _gaps(begins, ends), -1), lasts - firsts + 1
        numbers = {file.path: number for number, file in enumerate(repository.files)}
        self.file_of_chunk: npt.NDArray[np.int64] = np.array(
            [numbers[chunk.path] for chunk in chunks], np.int64
        )
        self._mark_roles()
        self._calls = call_edges(chunks, self.graph.symbols, self._start, self.chunk_of_line)
        self.neighbours = both_ways(self._calls)
        self.siblings = sibling_edges(chunks)
        self.maps: dict[int, str] = {}
        self.call_lines: dict[str, str] = {}
        self._whole_costs: dict[bool, tuple[float, float]] = {}
        self._cost_powers: dict[float, npt.NDArray[np.float64]] = {}
        self.spans = Spans(self.chunks, self._files, lines, self._folded)
        self.whole_spans = Spans(self.chunks, self._files, lines)
        self._lenders: dict[
            tuple[float, float], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]
        ] = {}
        use = ConfigUse.of(views, lexicon)
        self.facts: tuple[Fact, ...] = tuple(
            Fact(
                fact.name, fact.value, view.file.path, fact.line, fact.source,
                fact_reached(use, self.graph, view, fact),
            )
            for view in views
            for fact in sorted(view.outline.facts, key=lambda fact: (fact.line, fact.name))
        )  # fmt: skip
        self._call_lines: npt.NDArray[np.int64] = np.array(
            [self._start[v.file.path] + call.line - 1 for v in views for call in v.outline.calls],
            np.int64,
        )
        self._starts = [self._start[file.path] for file in repository.files]
        self.folders = Folders([file.path for file in repository.files])
        self.folder_of_file: npt.NDArray[np.int64] = np.array(
            [self.folders.number[folder_of(file.path)] for file in repository.files], np.int64
        )
        self.group_of_chunk = groups_of(self.chunks)
        fitting = _BLOCK_CELLS // max(1, len(chunks))
        block = 1 << max(0, min(_MOST_DOUBLINGS, fitting.bit_length() - 1))
        self.rankings: Foreseen[Ranking] = Foreseen(block)
        self.fact_scores: Foreseen[Floats] = Foreseen(block)

    def _mark_roles(self) -> None:
        roles = {file.path: ROLE_ORDER[file.role] for file in self.repository.files}
        self.role_order: npt.NDArray[np.int8] = np.array(
            [roles[chunk.path] for chunk in self.chunks], dtype=np.int8
        )
        self.code_chunks: npt.NDArray[np.int64] = np.flatnonzero(self.role_order == 0)
        self.code_paths = tuple(
            dict.fromkeys(self.chunks[number].path for number in self.code_chunks.tolist())
        )

    def cost_power(self, exponent: float) -> npt.NDArray[np.float64]:
        """Each chunk's cost to a power; tiny chunks count as of 8 tokens."""
        known = self._cost_powers.get(exponent)
        if known is None:
            known = np.power(np.maximum(self.chunk_costs, 8), exponent)
            self._cost_powers[exponent] = known
        return known

    def lenders(
        self, neighbour: float, sibling: float
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
        """The chunks that lend of their score, to which ones in order, and what share of it.

        Args:
            neighbour: The share for callers and callees.
            sibling: The share for the next pieces of a definition.
        """
        known = self._lenders.get((neighbour, sibling))
        if known is None:
            pairs = (*self.neighbours, *self.siblings)
            sources, targets = np.concatenate(pairs[::2]), np.concatenate(pairs[1::2])
            share = np.repeat((neighbour, sibling), (len(pairs[0]), len(pairs[2])))
            order = np.argsort(targets, kind="stable")
            known = (
                sources[order].astype(np.int64),
                targets[order].astype(np.int64),
                share[order],
            )
            self._lenders[neighbour, sibling] = known
        return known

    @cached_property
    def unshown(self) -> tuple[str, ...]:
        """`unseen`, and the files of which a reader of prompts sees some line cut."""
        cut = []
        for path in self.code_paths:
            lines = self._lines[path]
            if self._files[path].cut or max(map(len, lines)) <= SHOWN_LINE_CHARACTERS:
                continue
            long = sum(len(line) > SHOWN_LINE_CHARACTERS for line in lines)
            cut.append(f"{path} (not whole: {long} lines over {SHOWN_LINE_CHARACTERS} characters)")
        return (*map(_as_asked, self.unseen), *cut)

    @cached_property
    def packing_costs(self) -> tuple[Floats, list[float], list[float]]:
        """`joined_costs` of the chunks as a judge sees them."""
        return self.joined_costs(self.chunk_costs, self.gap_costs)

    def joined_costs(self, lines: Floats, gaps: Floats) -> tuple[Floats, list[float], list[float]]:
        """What chunks take by themselves, and how that changes behind the chunk before.

        Args:
            lines: The tokens of each chunk's lines.
            gaps: Of the blank lines behind the chunk before; -1 at a file's first.

        Returns:
            For each chunk what it takes at least; the tokens of its lines and the line above them;
            then what is saved (or takes more) where the chunk before is shown too, with one more at
            the end.
        """
        alone = lines + self.head_costs
        joined = np.append(np.where(gaps >= 0, gaps - self.head_costs, 0.0), 0.0)
        saved = np.minimum(joined, 0.0)
        return alone + saved[:-1] + saved[1:], alone.tolist(), joined.tolist()

    @cached_property
    def telling_paths(self) -> tuple[str, ...]:
        """The `code_paths` of which excerpts have anything to show: not a docstring alone."""
        telling = {self.chunks[number].path for number in np.flatnonzero(self.chunk_lines).tolist()}
        return tuple(path for path in self.code_paths if path in telling)

    @cached_property
    def goes_on(self) -> npt.NDArray[np.bool_]:
        """For each chunk but the first whether it is of the class, function or section before."""
        together: npt.NDArray[np.bool_] = self.group_of_chunk[1:] == self.group_of_chunk[:-1]
        return together

    @cached_property
    def starts_file(self) -> list[bool]:
        """Which chunks are the first of their file."""
        first: list[bool] = (self.gap_costs < 0).tolist()
        return first

    def whole_costs(self, *, numbered: bool) -> tuple[float, float]:
        """The tokens of all code and configuration, file by file: with every line, and folded.

        Args:
            numbered: Lines have numbers; else blank lines take nothing.
        """
        if (known := self._whole_costs.get(numbered)) is not None:
            return known
        own = self.code_chunks
        heads = self.head_costs[own]
        follows = np.diff(own, prepend=-2) == 1
        found = []
        shown = self.chunk_costs, self.gap_costs, self.chunk_lines
        for costs, gaps, lines in (self._whole, shown):
            joined = follows & (gaps[own] >= 0)
            total = costs[own].sum() + np.where(joined, gaps[own] if numbered else 0.0, heads).sum()
            if not numbered:
                total -= LINE_NUMBER_TOKENS * lines[own].sum()
            found.append(float(total))
        self._whole_costs[numbered] = found[0], found[1]
        return found[0], found[1]

    @cached_property
    def fact_costs(self) -> list[int]:
        """The tokens of each fact as it is shown: path, line, name, value, how it is given."""
        texts = [f"{one.path} {one.name} {one.value} {one.source.value}" for one in self.facts]
        flat = [text.replace("\n", " ") for text in texts]
        more = [9 if fact.reached is False else 5 for fact in self.facts]
        costs = line_tokens(flat)[: len(flat)]
        return [cost + extra for cost, extra in zip(costs.tolist(), more, strict=True)]

    @cached_property
    def fact_chunks(self) -> list[int]:
        """The chunk that each fact stands in, or -1."""
        lines = [self.line_number(fact.path, fact.line) for fact in self.facts]
        chunks: list[int] = self.chunk_of_line[lines].tolist()
        return chunks

    @cached_property
    def chunk_symbols(self) -> list[str | None]:
        """The key of the innermost symbol around each chunk's first line."""
        symbols = (self.symbol_at(chunk.path, chunk.first) for chunk in self.chunks)
        return [None if symbol is None else symbol.key for symbol in symbols]

    @cached_property
    def traits(self) -> npt.NDArray[np.int16]:
        """(traits, chunks): what each chunk is like, whatever is asked."""
        return chunk_traits(
            self.chunks,
            starts=self._start,
            kinds=self._kinds,
            costs=self.chunk_costs,
            file_of_chunk=self.file_of_chunk,
            group_of_chunk=self.group_of_chunk,
            fact_chunks=self.fact_chunks,
            call_lines=self._call_lines,
        )

    @cached_property
    def relations(self) -> Relations:
        """What stands around each chunk, and which call which."""
        return relations(self.chunks, self.file_of_chunk, self.group_of_chunk, self._calls)

    @cached_property
    def names_cost(self) -> int:
        """The tokens of the names of files that are not shown, at most."""
        return estimate_tokens(named_within((*self.unshown, *self.code_paths), OMITTED_TOKENS))

    @cached_property
    def fact_table(self) -> Table:
        """Facts by the terms of their names and values."""
        return fact_table(self.facts)

    @classmethod
    def build(cls, repository: Repository) -> Index:
        """Parse and index a repository. A file that fails costs only itself."""
        with collector_at_rest(settle=True):
            return cls._build(repository)

    @classmethod
    def _build(cls, repository: Repository) -> Index:
        files = tuple(sorted(repository.files, key=lambda file: file.path))
        if files != repository.files:
            repository = replace(repository, files=files)
        lines = {file.path: split_lines(file.text) for file in files}
        outlines = {
            file.path: _REMEMBERED.outline(file, lines[file.path], outline_of) for file in files
        }
        return cls(repository, outlines, lines)

    # ---- files and lines -------------------------------------------------------------------

    @property
    def has_entry_point(self) -> bool:
        """Whether anything in the repository can be run."""
        return self.graph.has_entry_point

    def file(self, path: str) -> SourceFile | None:
        """The file of a path."""
        return self._files.get(path)

    def lines(self, path: str) -> Sequence[str]:
        """A file's lines: line `n` is item `n - 1`. Empty for an unknown path."""
        return self._lines.get(path, [])

    def line_kind(self, path: str, line: int) -> str:
        """`code`, `comment`, `string`, `prose` or `blank`; `blank` beyond the file's ends."""
        kinds = self._kinds.get(path, b"")
        return KIND_WORDS[kinds[line - 1]] if 1 <= line <= len(kinds) else "blank"

    def folded(self, path: str) -> frozenset[int]:
        """The lines of a file that excerpts leave out; none of an unknown path."""
        marks = enumerate(self._folded.get(path, b""), 1)
        return frozenset(line for line, out in marks if out)

    def code_of(self, path: str, line: int) -> str:
        """A line without its comments; empty where the line is not code."""
        if self.line_kind(path, line) != "code":
            return ""
        text = self._lines[path][line - 1]
        if path in self._holes and line in self._holes[path]:
            text = without(text, self._holes[path][line])
        tail = self._tails[path].get(line)
        return text if tail is None else text[:tail]

    def place(self, line_number: int) -> tuple[str, int]:
        """The (path, line) of a line counted over all files from 0."""
        position = bisect_right(self._starts, line_number) - 1
        return self.repository.files[position].path, line_number - self._starts[position] + 1

    def line_number(self, path: str, line: int) -> int:
        """The number of a line over all files, from 0: the inverse of `place`."""
        return self._start[path] + line - 1

    # ---- terms -----------------------------------------------------------------------------

    def mentions(self, term: str) -> list[Mention]:
        """The lines that hold a name, a word, several words as one name, or a value.

        Spelling does not matter: `weight decay` finds `weight_decay`, `1e-4` finds `0.0001`.
        """
        lines, kinds = self.postings.lines_of(self.term(term))
        found = set(zip(lines.tolist(), kinds.tolist(), strict=True))
        parts = [] if canonical(term) else word_parts(term)
        if len(parts) > 1:
            # Prose writes apart what code writes as one name.
            found |= set.intersection(*(self._prose_lines(stem(part)) for part in parts))
        return [Mention(*self.place(line), KIND_WORDS[kind]) for line, kind in sorted(found)]

    def _prose_lines(self, term: str) -> set[tuple[int, int]]:
        lines, kinds = self.postings.lines_of(term)
        apart = kinds != LineKind.CODE
        return set(zip(lines[apart].tolist(), kinds[apart].tolist(), strict=True))

    @staticmethod
    def term(written: str) -> str:
        """The term by which a name or value is indexed."""
        value = canonical(written)
        return join(written) if value is None else f"#{value}"

    def search(self, query: str, k: int = 10) -> list[tuple[Chunk, float]]:
        """The `k` best chunks for free text by their words alone. Ties go by path and line."""
        terms = text_terms(query)
        weights = np.array([weight for _, weight in terms], np.float32)
        found = self.table.gather([term for term, _ in terms])
        shares = found.weight * weights[found.position]
        scores = totals(found.item, shares, len(self.chunks)).round(4)
        order = np.argsort(-scores, kind="stable")[:k]
        return [(self.chunks[i], float(scores[i])) for i in order.tolist() if scores[i] > 0]

    # ---- calls -----------------------------------------------------------------------------

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Functions, classes and module bodies, by path and line."""
        return self.graph.symbols

    def symbol_at(self, path: str, line: int) -> Symbol | None:
        """The innermost function or class around a line."""
        return self.graph.symbol_at(path, line)

    def calls_of(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The repository's own symbols that a symbol calls, in order of their first call."""
        return self.graph.calls_of(symbol)

    def callers_of(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The symbols that call a symbol."""
        return self.graph.callers_of(symbol)

    def ordered_calls(self, symbol: Symbol) -> tuple[Call, ...]:
        """All calls in a symbol's own lines, in the order of the text."""
        return symbol.calls

    def reached(self, path: str, line: int) -> bool | None:
        """Whether an entry point leads to a line; `None` where that cannot be asked."""
        return self.graph.reached(path, line)


# One thing as many, where a file's one long line or what is one over a limit is told of.
_ONE = re.compile(
    r"\((not whole: 1 line|not read: 1 more (?:name|folder|file|path))(?= over|:| not| sk)"
)


def _gaps(begins: Floats, ends: Floats) -> Floats:
    gaps: Floats = begins - np.concatenate((begins[:1], ends[:-1]))
    return gaps


def _as_asked(told: str) -> str:
    """What was not seen, as prompts have always told it: other words would be asked anew."""
    return _ONE.sub(r"(\1s", told)


def _unseen(repository: Repository) -> tuple[str, ...]:
    unread = [
        f"{skipped.path} (not read: {skipped.reason})"
        for skipped in repository.skipped
        if skipped.could_decide
    ]
    cut = [
        f"{file.path} (not whole: {file.cut})"
        for file in repository.files
        if file.cut and ROLE_ORDER[file.role] == 0
    ]
    return (*unread, *cut)
