"""What a chunk stands in relation to: its file, its function, what it calls and what calls it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.edges import Edges
from retrieval.postings import Floats, is_new
from retrieval.values import Chunk

__all__ = ["FAR", "Calls", "Relations", "Runs", "relations"]

FAR = 99
"""How far apart chunks of two files are, or of one with as many between."""

_Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Runs:
    """Chunks one after another that belong to one thing.

    Attributes:
        first: The first chunk of each.
        of: For each chunk the number of its run.
    """

    first: _Int64
    of: _Int64

    @classmethod
    def by(cls, ordered: _Int64) -> Runs:
        """The runs of equal numbers, one number a chunk."""
        new = is_new(ordered)
        return cls(np.flatnonzero(new), np.cumsum(new) - 1)

    def best(self, score: Floats) -> Floats:
        """(claims, runs): the best score in each, of scores (claims, chunks)."""
        found: Floats = np.maximum.reduceat(score, self.first, axis=1)
        return found


@dataclass(frozen=True, slots=True)
class Calls:
    """Who calls what, in one direction.

    Attributes:
        asking: Those that have anything at the other end, in order, each once.
        first: Where each one's stand in `other`.
        other: What is at the other end.
    """

    asking: _Int64
    first: _Int64
    other: _Int64

    @classmethod
    def of(cls, one: _Int64, other: _Int64) -> Calls:
        """From pairs in any order."""
        order = np.argsort(one, kind="stable")
        first = np.flatnonzero(is_new(one[order]))
        return cls(one[order][first], first, other[order])

    def best(self, score: Floats, count: int) -> Floats:
        """(claims, count): the best score at the other end; 0 where there is none.

        Args:
            score: (claims, of those at the other end).
            count: How many there may be that ask.
        """
        found = np.zeros((len(score), count))
        if len(self.first):
            found[:, self.asking] = np.maximum.reduceat(
                score.take(self.other, axis=1), self.first, axis=1
            )
        return found


@dataclass(frozen=True, slots=True)
class Relations:
    """What the chunks of a repository have to do with each other.

    Attributes:
        place: Where each chunk stands, in chunks, with `FAR` between files.
        files: Chunks of one file.
        groups: Chunks of one class, function or section, inner ones included.
        pieces: Chunks of one definition itself.
        callees: For chunks, the pieces that they call.
        callers: For pieces, the chunks that call them.
    """

    place: npt.NDArray[np.int32]
    files: Runs
    groups: Runs
    pieces: Runs
    callees: Calls
    callers: Calls


def relations(
    chunks: Sequence[Chunk], file_of_chunk: _Int64, group_of_chunk: _Int64, calls: Edges
) -> Relations:
    """What the chunks of a repository have to do with each other.

    Args:
        chunks: The chunks, by path and line.
        file_of_chunk: The file of each.
        group_of_chunk: The class, function or section of each.
        calls: Chunks of which the first calls what begins in the second.
    """
    symbols = [(chunk.path, chunk.symbol) for chunk in chunks]
    new = [place == 0 or own != symbols[place - 1] for place, own in enumerate(symbols)]
    pieces = Runs.by(np.cumsum(np.array(new, np.int64)))
    source, target = calls[0].astype(np.int64), pieces.of[calls[1]]
    # A definition that calls itself says nothing more.
    apart = pieces.of[source] != target
    source, target = source[apart], target[apart]
    files = Runs.by(file_of_chunk)
    return Relations(
        (np.arange(len(chunks)) + FAR * files.of).astype(np.int32),
        files,
        Runs.by(group_of_chunk),
        pieces,
        Calls.of(source, target),
        Calls.of(target, source),
    )
