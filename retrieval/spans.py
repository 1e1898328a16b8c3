"""What chunks are once they are shown: runs of lines, copies of each other, pieces of one thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.postings import Floats
from retrieval.tokens import line_tokens
from retrieval.values import Chunk, Role, SourceFile

__all__ = ["Span", "Spans", "copies_of", "groups_of", "head_costs"]


class Span(NamedTuple):
    """The lines of a file from one chunk to another, as they are shown.

    Attributes:
        path: The file.
        first: First line.
        last: Last line.
        text: The lines; those that are left out are blank.
        folded: The numbers of those that are left out.
        header: What the first chunk belongs to.
        reached: Whether an entry point leads to any of it.
        role: The file's role.
    """

    path: str
    first: int
    last: int
    text: str
    folded: tuple[int, ...]
    header: str
    reached: bool | None
    role: Role


class Spans:
    """The spans of a repository, each made once: claims are shown the same lines again and again.

    Args:
        chunks: All chunks, by path and line.
        files: The files by path.
        lines: Their lines.
        folded: For each file which lines are left out; `None` to leave out none.
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        files: Mapping[str, SourceFile],
        lines: Mapping[str, Sequence[str]],
        folded: Mapping[str, bytearray] | None = None,
    ) -> None:
        self._chunks = chunks
        self._files = files
        self._lines = lines
        self._folded = folded
        self._known: dict[tuple[int, int], Span] = {}
        # Of each file its lines as they are shown.
        self._shown: dict[str, list[str]] = {}

    def between(self, first: int, last: int) -> Span:
        """The lines from one chunk to another of its file, both by their numbers."""
        known = self._known.get((first, last))
        if known is None:
            known = self._known[first, last] = self._make(first, last)
        return known

    def _make(self, first: int, last: int) -> Span:
        begin, end = self._chunks[first], self._chunks[last]
        reached = begin.reached
        if first < last:
            states = {chunk.reached for chunk in self._chunks[first : last + 1]}
            reached = states.pop() if len(states) == 1 else (True if True in states else None)
        path, start, stop = begin.path, begin.first - 1, end.last
        folded: tuple[int, ...] = ()
        if self._folded is None:
            lines = self._lines[path][start:stop]
        else:
            left_out = self._folded[path]
            # Of a span without any line to show all are shown: nobody should ask for it.
            start = max(start, left_out.find(0, start, stop))
            stop = max(start, left_out.rfind(0, start, stop)) + 1
            folded = tuple(compress(range(start + 1, stop + 1), left_out[start:stop]))
            if path not in self._shown:
                pairs = zip(self._lines[path], left_out, strict=True)
                self._shown[path] = ["" if out else line for line, out in pairs]
            lines = self._shown[path][start:stop]
        return Span(
            path, start + 1, stop, "\n".join(lines), folded, begin.header, reached,
            self._files[path].role,
        )  # fmt: skip


def groups_of(chunks: Sequence[Chunk]) -> npt.NDArray[np.int64]:
    """A number for each run of chunks of one class, function or section, inner ones included."""
    tops = [(chunk.path, chunk.symbol.partition(".")[0]) for chunk in chunks]
    starts = [position == 0 or top != tops[position - 1] for position, top in enumerate(tops)]
    return np.cumsum(np.array(starts, np.int64)) - 1


def copies_of(chunks: Sequence[Chunk], lines: Mapping[str, Sequence[str]]) -> list[int]:
    """For each chunk the first chunk with the same lines, indents aside."""
    # Few begin like another one of as many lines: the rest of them need not be looked at.
    alike: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for number, chunk in enumerate(chunks):
        start = lines[chunk.path][chunk.first - 1]
        alike[start.strip(), chunk.last - chunk.first].append(number)
    found = list(range(len(chunks)))
    for numbers in alike.values():
        if len(numbers) == 1:
            continue
        first: dict[str, int] = {}
        for number in numbers:
            chunk = chunks[number]
            own = lines[chunk.path][chunk.first - 1 : chunk.last]
            found[number] = first.setdefault("\n".join(map(str.strip, own)), number)
    return found


_HEAD_TOKENS = 9  # of `== path lines 10-20 · in header` beside the path and the header
_DEAD_TOKENS = 8  # of ` · not reached from any entry point`


def head_costs(chunks: Sequence[Chunk]) -> Floats:
    """The tokens of the line that stands above each chunk where it is shown by itself."""
    costs = line_tokens([f"{chunk.path} {chunk.header}" for chunk in chunks])
    heads = costs[: len(chunks)].astype(np.float64)
    dead = [_DEAD_TOKENS if chunk.reached is False else 0 for chunk in chunks]
    return heads + np.array(dead, np.float64) + _HEAD_TOKENS
