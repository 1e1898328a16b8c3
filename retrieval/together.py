"""Several claims side by side: what is searched for in one repository is searched for at once.

Of a small repository a claim asks little; most of the time went to the calls of numpy themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from retrieval.query import Query

__all__ = ["Foreseen", "Together", "together"]

_Int64 = npt.NDArray[np.int64]
_Float32 = npt.NDArray[np.float32]
_Float64 = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """The queries of some claims as arrays; where `starts` is spoken of, there is one more.

    Attributes:
        queries: The queries.
        terms: All distinct terms.
        searched: How many of them, the first ones, are searched for; the rest tells of values.
        names: For each claim's terms in turn, the position in `terms`.
        claim: The claim of each of `names`.
        starts: Where each claim's terms start in `names`.
        weights: Of `names`.
        is_value: Which of `names` are values.
        part: For the terms of each part of each claim of several parts in turn, the part.
        part_names: Their positions in `names`.
        part_weights: Their weights in the part.
        part_starts: The first part of each claim.
        readings: For each reading of each claim's values in turn, its position in `terms`.
        value: The value that each is a reading of.
        value_weights: How much of the value each is, and the value's own weight.
        near: For each word beside a value, its position in `terms`.
        near_value: The value that it stands beside.
        value_starts: The first value of each claim.
        value_shares: How much of each claim its values are.
    """

    queries: tuple[Query, ...]
    terms: list[str]
    searched: int
    names: _Int64
    claim: _Int64
    starts: _Int64
    weights: _Float32
    is_value: npt.NDArray[np.bool_]
    part: _Int64
    part_names: _Int64
    part_weights: _Float32
    part_starts: _Int64
    readings: _Int64
    value: _Int64
    value_weights: tuple[_Float64, _Float64]
    near: _Int64
    near_value: _Int64
    value_starts: _Int64
    value_shares: _Float64


# A block of claims takes about 50 kB, and most papers have two or three.
@lru_cache(maxsize=192)
def together(queries: tuple[Query, ...]) -> Together:
    """Put queries side by side; those of the same claims are put so once for many repositories."""
    numbers = dict[str, int]()
    for query in queries:
        for name in query.names:
            numbers.setdefault(name, len(numbers))
    searched = len(numbers)
    all_readings = [query.readings for query in queries]
    for readings in all_readings:
        for term in chain(readings.terms, readings.near):
            numbers.setdefault(term, len(numbers))
    widths = [len(query.names) for query in queries]
    starts = _starts(widths)
    value_starts = _starts(readings.count for readings in all_readings)
    parts: list[int] = []
    part_names: list[int] = []
    part_weights: list[float] = []
    counts: list[int] = []
    before = 0
    for query, start in zip(queries, starts.tolist(), strict=False):
        own = query.parts if len(query.parts) > 1 else ()
        counts.append(len(own))
        position = {name: start + number for number, name in enumerate(query.names)} if own else {}
        for number, one in enumerate(own, before):
            # In the order of the claim's terms, as sums are made in it.
            rows = sorted((position[t], weight) for t, weight in one.terms if t in position)
            parts += [number] * len(rows)
            part_names += [name for name, _ in rows]
            part_weights += [weight for _, weight in rows]
        before += len(own)
    return Together(
        queries=queries,
        terms=list(numbers),
        searched=searched,
        names=_positions(numbers, (query.names for query in queries)),
        claim=np.repeat(np.arange(len(queries)), widths),
        starts=starts,
        weights=np.concatenate([query.weights for query in queries]),
        is_value=np.array([flag for query in queries for flag in query.value_flags], np.bool_),
        part=np.array(parts, np.int64),
        part_names=np.array(part_names, np.int64),
        part_weights=np.array(part_weights, np.float32),
        part_starts=_starts(counts),
        readings=_positions(numbers, (readings.terms for readings in all_readings)),
        value=_counted_on([readings.value for readings in all_readings], value_starts),
        value_weights=(
            np.concatenate([readings.factor for readings in all_readings]),
            np.concatenate([readings.weight for readings in all_readings]),
        ),
        near=_positions(numbers, (readings.near for readings in all_readings)),
        near_value=_counted_on([readings.near_value for readings in all_readings], value_starts),
        value_starts=value_starts,
        value_shares=np.array([query.value_share for query in queries], np.float64),
    )


def _starts(widths: Iterable[int]) -> _Int64:
    return np.array([0, *accumulate(widths)], np.int64)


def _positions(numbers: dict[str, int], terms: Iterable[Sequence[str]]) -> _Int64:
    return np.array(list(map(numbers.__getitem__, chain.from_iterable(terms))), np.int64)


def _counted_on(numbers: Sequence[_Int64], starts: _Int64) -> _Int64:
    """Numbers that each claim has from 0, over all claims."""
    shifted = [own + start for own, start in zip(numbers, starts.tolist(), strict=False)]
    found: _Int64 = np.concatenate(shifted)
    return found


_T = TypeVar("_T")


class Foreseen(Generic[_T]):
    """What is worked out for a block of claims at once, and kept until it is asked for.

    Of one kind of result no more than a block is kept. What was not foreseen, or is asked for
    again, is worked out by itself.

    Args:
        size: Claims a block.
    """

    def __init__(self, size: int) -> None:
        self._size = max(1, size)
        self._queries: tuple[Query, ...] = ()
        self._position: dict[Query, int] = {}
        self._ready: dict[Hashable, dict[Query, _T]] = {}
        self._made: set[tuple[Hashable, int]] = set()

    def expect(self, queries: Sequence[Query]) -> None:
        """Say what will be asked, in order; what was expected before is forgotten."""
        self._queries = tuple(dict.fromkeys(queries))
        self._position = {query: number for number, query in enumerate(self._queries)}
        self._ready.clear()
        self._made.clear()

    def take(self, kind: Hashable, query: Query, make: Callable[[Together], Sequence[_T]]) -> _T:
        """The result for a query.

        Args:
            kind: What kind of result it is.
            query: The query.
            make: Makes the results for several queries.
        """
        ready = self._ready.get(kind)
        if ready is not None and (found := ready.pop(query, None)) is not None:
            return found
        block = self._position.get(query, -1) // self._size
        if block < 0 or (kind, block) in self._made:
            return make(together((query,)))[0]
        self._made.add((kind, block))
        queries = self._queries[block * self._size : (block + 1) * self._size]
        try:
            ready = dict(zip(queries, make(together(queries)), strict=True))
        except Exception:  # noqa: BLE001 - one claim's trouble is not the others'
            return make(together((query,)))[0]
        self._ready[kind] = ready
        return ready.pop(query)
