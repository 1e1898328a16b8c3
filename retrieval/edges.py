"""Which chunks stand in a relation: callers and callees, and the pieces of one function."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from retrieval.graph import Symbol
from retrieval.values import Chunk

__all__ = ["Edges", "both_ways", "call_edges", "sibling_edges"]

Edges = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""Two chunks for each pair, in order."""


def call_edges(
    chunks: Sequence[Chunk],
    symbols: Iterable[Symbol],
    starts: Mapping[str, int],
    chunk_of_line: npt.NDArray[np.int32],
) -> Edges:
    """Chunks of which the first calls what begins in the second.

    Args:
        chunks: All of them.
        symbols: The repository's symbols with their calls.
        starts: The number of each file's first line, over all files.
        chunk_of_line: The chunk of each line over all files, or -1.
    """
    first_of: dict[str, int] = {}
    for number, chunk in enumerate(chunks):
        if chunk.symbol:
            first_of.setdefault(f"{chunk.path}::{chunk.symbol}", number)
    pairs: set[tuple[int, int]] = set()
    for symbol in symbols:
        before = starts[symbol.path] - 1
        for call in symbol.calls:
            target = first_of.get(call.target) if call.target else None
            if target is not None and (source := int(chunk_of_line[before + call.line])) >= 0:
                pairs.add((source, target))
    return _edges((one, other) for one, other in pairs if one != other)


def sibling_edges(chunks: Sequence[Chunk]) -> Edges:
    """Chunks that follow each other among the pieces of one definition, both ways."""
    pieces: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number, chunk in enumerate(chunks):
        if chunk.symbol:
            pieces[chunk.path, chunk.symbol].append(number)
    pairs = itertools.chain.from_iterable(map(itertools.pairwise, pieces.values()))
    return both_ways(_edges(pairs))


def both_ways(edges: Edges) -> Edges:
    """The same with each pair the other way round, too."""
    one, other = edges
    return _ordered(np.concatenate((one, other)), np.concatenate((other, one)))


def _edges(pairs: Iterable[tuple[int, int]]) -> Edges:
    several = np.array([*pairs], dtype=np.int64).reshape(-1, 2)
    return _ordered(several[:, 0], several[:, 1])


def _ordered(one: npt.NDArray[np.integer], other: npt.NDArray[np.integer]) -> Edges:
    key = np.unique((one.astype(np.int64) << 32) | other)
    return (key >> 32).astype(np.int32), (key & 0xFFFFFFFF).astype(np.int32)
