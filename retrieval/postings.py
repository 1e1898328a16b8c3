"""The inverted index: which lines and chunks hold a term. Plain numpy arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
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
    "best_of_groups",
    "chunk_table",
    "is_new",
    "ranges",
    "rows_of",
    "totals",
]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float32 = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

_LINE_MASK = (1 << 31) - 1
_K1 = 1.0
_B = 0.4
# Tenths, so that sums are exact whatever their order. Words in comments and docstrings say where
# to look, though they prove nothing.
_HEADER = 5  # beside the kinds of lines
_KIND_TENTHS = np.array([0, 10, 6, 6, 8, 30], dtype=np.int64)

# Of a value in a line, by the line's kind.
_TRUST = np.array([0.4, 1.0, 0.4, 0.4, 0.4])


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
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        # The line end has no terms.
        terms = list(map(token_terms, lexicon.tokens))
        flat = list(map(numbers.__getitem__, chain.from_iterable(terms)))
        starts = np.zeros(len(terms) + 1, np.int64)
        np.cumsum(list(map(len, terms)), out=starts[1:])
        return cls(dict(numbers), starts, np.array(flat, np.int32))

    def expand(self, ids: Int32) -> tuple[Int32, Int64]:
        """The terms of a run of tokens, and for each the position of its token in the run."""
        starts = self.starts[ids]
        widths = self.starts[ids + 1] - starts
        return self.flat[ranges(starts, widths)], np.repeat(np.arange(len(ids)), widths)


def totals(item: Int32 | Int64, weight: npt.NDArray[np.floating[Any]], count: int) -> Floats:
    """The sum of the weights of each of `count` items."""
    # Without a single item, numpy would give whole numbers.
    sums: Floats = np.bincount(item, weights=weight, minlength=count).astype(np.float64)
    return sums


def _pointer(owners: npt.NDArray[np.integer[Any]], count: int) -> tuple[Int64, Int64]:
    """Where the items of each of `count` owners start, one more at the end; and how many each has.

    Args:
        owners: The owner of each item, in order.
        count: How many owners there are.
    """
    spread: Int64 = np.bincount(owners, minlength=count).astype(np.int64)
    pointer = np.zeros(count + 1, np.int64)
    np.cumsum(spread, out=pointer[1:])
    return pointer, spread


def is_new(ordered: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
    """For each item of an array whether it differs from the one before."""
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return is_new


def best_of_groups(
    position: Int64, item: Int32, weight: Floats, group: Int64
) -> tuple[Floats, Int64]:
    """For each group of items, the best weight that an item of it has for each term.

    Args:
        position: Of each posting's term, in order.
        item: Of each posting, in order within a term.
        weight: Of each posting.
        group: Of each item; numbers from 0 that never fall.

    Returns:
        For each term and group the weight, and the number of the group's first posting.
    """
    if not len(item):
        return weight, np.zeros(0, np.int64)
    key = position * (int(group[-1]) + 1) + group[item]
    first = np.flatnonzero(is_new(key))
    return np.maximum.reduceat(weight, first), first


def ranges(starts: Int64, widths: Int64) -> Int64:
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
    """Terms to weighted items, in rows.

    Attributes:
        numbers: Each term's row.
        code: How much of each posting's weight stands in lines of code; nothing where that is not
            known.
    """

    def __init__(
        self,
        numbers: dict[str, int],
        pointer: Int64,
        item: Int32,
        weight: Float32,
        code: Float32 | None = None,
    ) -> None:
        self.numbers = numbers
        self._pointer = pointer
        self._widths = _widths(pointer)
        self._item = item
        self._weight = weight
        self.code = np.zeros(0, np.float32) if code is None else code

    def has_any(self, terms: Iterable[str]) -> bool:
        """Whether any of some terms occurs."""
        return not self.numbers.keys().isdisjoint(terms)

    def gather(self, terms: Sequence[str]) -> Gathered:
        """The postings of some terms; those that do not occur have none."""
        return self.gather_rows(rows_of(self.numbers, terms))

    def gather_rows(self, rows: Int64) -> Gathered:
        """The same for terms by their `rows_of`."""
        return self.gather_all(rows)[0]

    def gather_all(self, rows: Int64) -> tuple[Gathered, Int64, Int64]:
        """The same, where the postings of each term start, one more at the end, and their places.

        Places are those in `code`.
        """
        widths = self._widths[rows]
        at = ranges(self._pointer[rows], widths)
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(widths, out=starts[1:])
        position = np.repeat(np.arange(len(rows)), widths)
        return Gathered(position, self._item[at], self._weight[at]), starts, at


def rows_of(numbers: Mapping[str, int], terms: Sequence[str]) -> Int64:
    """The row of each term; those that do not occur share one behind the last."""
    absent = repeat(len(numbers))
    return np.fromiter(map(numbers.get, terms, absent), np.int64, len(terms))


def _widths(pointer: Int64) -> Int64:
    """How many items each row has, and the one behind the last none."""
    widths = np.zeros(len(pointer), np.int64)
    np.subtract(pointer[1:], pointer[:-1], out=widths[:-1])
    return widths


def chunk_table(
    terms: Terms,
    files: Sequence[tuple[FileTokens, int]],
    chunk_of_line: Int32,
    headers: Sequence[Sequence[int]],
    starts: Int64,
) -> tuple[Table, LinePostings]:
    """Make the BM25 table of the chunks, and the lines of each term.

    Args:
        terms: Of the lexicon.
        files: Tokens of each file, with the number of its first line over all files.
        chunk_of_line: The chunk of each line, -1 for lines in none.
        headers: The tokens of each chunk's path, names and signature.
        starts: The number of each chunk's first line over all files.
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
    width = np.array([len(header) for header in headers], np.int64)
    flat = np.array(list(chain.from_iterable(headers)), np.int32)
    head_term, head_owner = terms.expand(flat)
    # One number for term, line and kind sorts all three at once, and chunks as well: they follow
    # each other as their lines do.
    key = np.concatenate(
        (
            (term.astype(np.int64) << 34) | (lines[owner].astype(np.int64) << 3) | kinds[owner],
            (head_term.astype(np.int64) << 34)
            | (np.repeat(starts, width)[head_owner] << 3)
            | _HEADER,
        )
    )
    key.sort()
    chunk = chunk_of_line[(key >> 3) & _LINE_MASK]
    inside = key if not len(key) or chunk.min() >= 0 else key[chunk >= 0]
    chunk = chunk if inside is key else chunk[chunk >= 0]
    term = inside >> 34
    first = np.flatnonzero(is_new(term) | is_new(chunk))
    sums = np.add.reduceat(_KIND_TENTHS[inside & 7], first) if len(inside) else inside
    item = chunk[first]
    pointer, spread = _pointer(term[first], count)
    idf = np.log1p((chunks - spread + 0.5) / (spread + 0.5))
    frequency = sums / 10.0
    length = np.bincount(item, weights=sums, minlength=max(chunks, 1)) / 10.0
    norm = _K1 * (1 - _B + _B * length / max(float(length.mean()), 1e-9))
    weight = frequency * (_K1 + 1) / (frequency + norm[item]) * np.repeat(idf, spread)
    in_code = _KIND_TENTHS[LineKind.CODE] * ((inside & 7) == LineKind.CODE)
    code = np.add.reduceat(in_code, first) / sums * weight if len(inside) else weight
    table = Table(terms.numbers, pointer, item, weight.astype(np.float32), code.astype(np.float32))
    return table, LinePostings(terms.numbers, key, idf.astype(np.float32))


class LinePostings:
    """Terms to lines, counted over all files, and to the kinds of those lines."""

    def __init__(self, numbers: dict[str, int], key: Int64, idf: Float32) -> None:
        self._numbers = numbers
        # With one row more, for what does not occur.
        self._idf = np.append(idf.astype(np.float64), 0.0)
        key = key[is_new(key) & ((key & 7) != _HEADER)]
        self._line = ((key >> 3) & _LINE_MASK).astype(np.int32)
        self._kind = (key & 7).astype(np.uint8)
        self._pointer, _ = _pointer(key >> 34, len(numbers))
        self._widths = _widths(self._pointer)
        code = np.concatenate(([0], np.cumsum(self._kind == LineKind.CODE)))
        self._code = np.diff(code[self._pointer])

    def idf(self, term: str) -> float:
        """How rare a term is among the chunks; 0 where it does not occur."""
        number = self._numbers.get(term)
        return 0.0 if number is None else float(self._idf[number])

    def rows_of(self, terms: Sequence[str]) -> Int64:
        """The row of each term, for `idf_of` and `lines_at`."""
        return rows_of(self._numbers, terms)

    def idf_of(self, rows: Int64) -> Floats:
        """How rare the terms of some rows are; 0 for those that do not occur."""
        rare: Floats = self._idf[rows]
        return rare

    def lines_at(self, rows: Int64) -> tuple[Int32, Int64]:
        """The lines of the terms of some rows, term by term, and how many each has."""
        widths = self._widths[rows]
        return self._line[ranges(self._pointer[rows], widths)], widths

    def trusted_lines_at(self, rows: Int64) -> tuple[Int32, Floats, Int64]:
        """The same, and what each line is to be trusted: code 1, comments and prose less."""
        widths = self._widths[rows]
        at = ranges(self._pointer[rows], widths)
        return self._line[at], _TRUST[self._kind[at]], widths

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
        code = self._code.item(number)
        return code, self._widths.item(number) - code
