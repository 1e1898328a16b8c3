"""The inverted index: which lines and chunks hold a term. Plain numpy arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.lexicon import FileTokens, Lexicon
from retrieval.outline import LineKind
from retrieval.words import token_terms

__all__ = [
    "Floats",
    "Gathered",
    "LinePostings",
    "Table",
    "Terms",
    "chunk_table",
    "flat_table",
    "totals",
]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float32 = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

_K1 = 1.0
_B = 0.4
# Tenths, so that sums are exact whatever their order. Words in comments and docstrings say where
# to look, though they prove nothing.
_KIND_TENTHS = np.array([0, 10, 6, 6, 8], dtype=np.int64)
HEADER_TENTHS = 30


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a lexicon's tokens.

    Attributes:
        numbers: Each term's number.
        starts: Where each token's terms start in `flat`; one more at the end.
        flat: Terms, token by token.
    """

    numbers: dict[str, int]
    starts: Int64
    flat: Int32

    @classmethod
    def of(cls, lexicon: Lexicon) -> Terms:
        """Expand every distinct token once."""
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        flat: list[int] = []
        starts = [0]
        for token in lexicon.tokens:
            # The line end has no terms.
            flat.extend(map(numbers.__getitem__, token_terms(token)))
            starts.append(len(flat))
        return cls(dict(numbers), np.array(starts, np.int64), np.array(flat, np.int32))

    def expand(self, ids: Int32) -> tuple[Int32, Int64]:
        """The terms of a run of tokens, and for each the position of its token in the run."""
        starts = self.starts[ids]
        widths = self.starts[ids + 1] - starts
        return self.flat[_ranges(starts, widths)], np.repeat(np.arange(len(ids)), widths)


def totals(item: Int32, weight: npt.NDArray[np.floating[Any]], count: int) -> Floats:
    """The sum of the weights of each of `count` items."""
    # Without a single item, numpy would give whole numbers.
    sums: Floats = np.bincount(item, weights=weight, minlength=count).astype(np.float64)
    return sums


def _ranges(starts: Int64, widths: Int64) -> Int64:
    """`[s, s + 1, ..., s + w - 1]` for each start and width, one after another."""
    ends = np.cumsum(widths)
    total = int(ends[-1]) if len(ends) else 0
    at: Int64 = np.arange(total) + np.repeat(starts - (ends - widths), widths)
    return at


@dataclass(frozen=True, slots=True)
class Gathered:
    """The postings of a query's terms.

    Attributes:
        position: Position of each posting's term in the query.
        item: The chunk or fact.
        weight: Its weight for that term, 1 times the term's own weight not counted in.
    """

    position: Int64
    item: Int32
    weight: Float32


class Table:
    """Terms to weighted items, in rows."""

    def __init__(
        self, numbers: dict[str, int], pointer: Int64, item: Int32, weight: Float32
    ) -> None:
        self.numbers = numbers
        self._pointer = pointer
        self._item = item
        self._weight = weight

    def gather(self, terms: Sequence[str]) -> Gathered:
        """The postings of some terms; those that do not occur have none."""
        get = self.numbers.get
        known = [
            (position, number)
            for position, term in enumerate(terms)
            if (number := get(term)) is not None
        ]
        pairs = np.array(known, np.int64).reshape(-1, 2)
        starts = self._pointer[pairs[:, 1]]
        widths = self._pointer[pairs[:, 1] + 1] - starts
        at = _ranges(starts, widths)
        return Gathered(np.repeat(pairs[:, 0], widths), self._item[at], self._weight[at])


def chunk_table(
    terms: Terms,
    files: Sequence[tuple[FileTokens, int]],
    chunk_of_line: Int32,
    headers: Sequence[Sequence[int]],
) -> tuple[Table, LinePostings]:
    """Make the BM25 table of the chunks, and the lines of each term.

    Args:
        terms: Of the lexicon.
        files: Tokens of each file, with the number of its first line over all files.
        chunk_of_line: The chunk of each line, -1 for lines in none.
        headers: The tokens of each chunk's path, names and signature.
    """
    chunks = len(headers)
    count = len(terms.numbers)
    ids = np.concatenate([tokens.ids for tokens, _ in files]) if files else np.zeros(0, np.int32)
    lines = (
        np.concatenate([tokens.rows + base for tokens, base in files])
        if files
        else np.zeros(0, np.int64)
    )
    kinds = np.concatenate([t.kinds for t, _ in files]) if files else np.zeros(0, np.uint8)
    term, owner = terms.expand(ids)
    line, kind = lines[owner].astype(np.int64), kinds[owner]

    width = np.array([len(header) for header in headers], np.int64)
    flat = np.array([number for header in headers for number in header], np.int32)
    head_term, head_owner = terms.expand(flat)
    head_chunk = np.repeat(np.arange(chunks), width)[head_owner]

    chunk = chunk_of_line[line]
    key = np.concatenate(
        (term.astype(np.int64) * chunks + chunk, head_term.astype(np.int64) * chunks + head_chunk)
    )
    tenths = np.concatenate((_KIND_TENTHS[kind], np.full(len(head_term), HEADER_TENTHS, np.int64)))
    inside = np.concatenate((chunk >= 0, np.ones(len(head_term), np.bool_)))
    key, tenths = key[inside], tenths[inside]
    order = np.argsort(key)
    key = key[order]
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else key
    sums = np.add.reduceat(tenths[order], first) if len(key) else tenths
    item = (key[first] % max(chunks, 1)).astype(np.int32)
    pointer = np.searchsorted(key[first], np.arange(count + 1) * chunks)
    spread = np.diff(pointer)
    idf = np.log1p((chunks - spread + 0.5) / (spread + 0.5))
    frequency = sums / 10.0
    length = np.bincount(item, weights=sums, minlength=max(chunks, 1)) / 10.0
    norm = _K1 * (1 - _B + _B * length / max(float(length.mean()), 1e-9))
    weight = frequency * (_K1 + 1) / (frequency + norm[item]) * np.repeat(idf, spread)
    table = Table(terms.numbers, pointer.astype(np.int64), item, weight.astype(np.float32))
    return table, LinePostings(terms.numbers, term, line, kind, idf.astype(np.float32))


def flat_table(terms: Terms, items: Sequence[Sequence[int]]) -> Table:
    """Terms to the items that hold them, whatever how often, weighted by how few do.

    Args:
        terms: Of the lexicon.
        items: The tokens of each item.
    """
    width = np.array([len(item) for item in items], np.int64)
    flat = np.array([number for item in items for number in item], np.int32)
    term, owner = terms.expand(flat)
    number = max(len(items), 1)
    key = np.unique(term.astype(np.int64) * number + np.repeat(np.arange(len(items)), width)[owner])
    pointer = np.searchsorted(key, np.arange(len(terms.numbers) + 1) * number).astype(np.int64)
    spread = np.diff(pointer)
    idf = np.log1p((number - spread + 0.5) / (spread + 0.5))
    return Table(
        terms.numbers,
        pointer,
        (key % number).astype(np.int32),
        np.repeat(idf, spread).astype(np.float32),
    )


class LinePostings:
    """Terms to lines, counted over all files, and to the kinds of those lines."""

    def __init__(
        self,
        numbers: dict[str, int],
        term: Int32,
        line: Int64,
        kind: npt.NDArray[np.uint8],
        idf: Float32,
    ) -> None:
        self._numbers = numbers
        self._idf = idf
        # One number for term, line and kind sorts all three at once, and drops repetitions.
        key = np.unique((term.astype(np.int64) << 34) | (line << 3) | kind)
        self._line = ((key >> 3) & ((1 << 31) - 1)).astype(np.int32)
        self._kind = (key & 7).astype(np.uint8)
        owner = key >> 34
        bounds = np.arange(len(numbers) + 1)
        self._pointer = np.searchsorted(owner, bounds).astype(np.int64)
        code = np.concatenate(([0], np.cumsum(self._kind == LineKind.CODE)))
        self._code = np.diff(code[self._pointer])

    def idf(self, term: str) -> float:
        """How rare a term is among the chunks; 0 where it does not occur."""
        number = self._numbers.get(term)
        return 0.0 if number is None else float(self._idf[number])

    def lines_of(self, term: str) -> tuple[Int32, npt.NDArray[np.uint8]]:
        """The lines that hold a term, in order, and their kinds.

        A line of code whose comment holds the term too stands there twice.
        """
        number = self._numbers.get(term)
        if number is None:
            return self._line[:0], self._kind[:0]
        start, end = self._pointer[number], self._pointer[number + 1]
        return self._line[start:end], self._kind[start:end]

    def counts(self, term: str) -> tuple[int, int]:
        """In how many lines of code, and of comments and prose, a term stands."""
        number = self._numbers.get(term)
        if number is None:
            return 0, 0
        code = int(self._code[number])
        return code, int(self._pointer[number + 1] - self._pointer[number]) - code
