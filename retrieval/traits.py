"""What a chunk is like, whatever is asked: how much of it is code, where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.outline import LineKind
from retrieval.postings import Floats, is_new
from retrieval.values import Chunk, ChunkKind

__all__ = ["TRAITS", "chunk_traits"]

TRAITS = (
    "code", "comment", "string", "code_lines", "lines", "line_cost", "kind", "begins", "facts",
    "reached", "in_file", "in_group", "group_size", "file_size", "calls",
)  # fmt: skip
"""What is told of a chunk. Shares and costs of lines are in thousandths, `in_file` too."""

_Int16 = npt.NDArray[np.int16]
_Int64 = npt.NDArray[np.int64]
_MOST = 32_000  # what sixteen bits hold
_KINDS = {kind: number for number, kind in enumerate(ChunkKind)}
_REACHED = {None: 0, True: 1, False: -1}


def chunk_traits(
    chunks: Sequence[Chunk],
    *,
    starts: Mapping[str, int],
    kinds: Mapping[str, bytes | bytearray],
    costs: Floats,
    file_of_chunk: _Int64,
    group_of_chunk: _Int64,
    fact_chunks: Sequence[int],
    call_lines: _Int64,
) -> _Int16:
    """(traits, chunks): `TRAITS` of each chunk.

    Args:
        chunks: The chunks, by path and line.
        starts: The number of each file's first line, over all files.
        kinds: The kinds of each file's lines.
        costs: The tokens of each chunk's lines.
        file_of_chunk: The file of each chunk.
        group_of_chunk: The class, function or section of each chunk.
        fact_chunks: The chunk of each named value, or -1.
        call_lines: The numbers of lines that call something, over all files; once for each call.
    """
    count = len(chunks)
    if not count:
        return np.zeros((len(TRAITS), 0), np.int16)
    begin = np.array([starts[chunk.path] + chunk.first - 1 for chunk in chunks], np.int64)
    lines = np.array([chunk.last - chunk.first + 1 for chunk in chunks], np.int64)
    by_line = np.frombuffer(b"".join(bytes(kinds[path]) for path in starts), np.uint8)
    last = len(by_line)

    def lines_of(kind: LineKind) -> _Int64:
        before = np.concatenate(([0], np.cumsum(by_line == int(kind), dtype=np.int64)))
        found: _Int64 = before[np.minimum(begin + lines, last)] - before[np.minimum(begin, last)]
        return found

    code = lines_of(LineKind.CODE)
    calls = np.concatenate(([0], np.cumsum(np.bincount(call_lines, minlength=last))))
    values = np.array([number for number in fact_chunks if number >= 0], np.int64)
    in_file, file_size = _places(file_of_chunk)
    in_group, group_size = _places(group_of_chunk)
    symbols = [(chunk.path, chunk.symbol) for chunk in chunks]
    begins = [
        bool(own[1]) and own != before
        for own, before in zip(symbols, [("", ""), *symbols], strict=False)
    ]
    rows: tuple[npt.NDArray[Any] | list[Any], ...] = (
        code * 1000 // lines,
        lines_of(LineKind.COMMENT) * 1000 // lines,
        lines_of(LineKind.STRING) * 1000 // lines,
        code,
        lines,
        np.rint(costs * 1000 / lines),
        [_KINDS[chunk.kind] for chunk in chunks],
        begins,
        np.bincount(values, minlength=count),
        [_REACHED[chunk.reached] for chunk in chunks],
        in_file * 1000 // file_size,
        in_group,
        group_size,
        file_size,
        calls[np.minimum(begin + lines, last)] - calls[np.minimum(begin, last)],
    )
    return np.minimum(np.array(rows, np.float64), _MOST).astype(np.int16)


def _numbered_runs(ordered: _Int64) -> tuple[_Int64, _Int64]:
    """The first place of each run of equal numbers, and for each place the number of its run."""
    new = is_new(ordered)
    return np.flatnonzero(new), np.cumsum(new) - 1


def _places(ordered: _Int64) -> tuple[_Int64, _Int64]:
    """For each chunk its place in its run, and how long that is."""
    first, run = _numbered_runs(ordered)
    sizes = np.diff(np.append(first, len(ordered)))
    return np.arange(len(ordered)) - first[run], sizes[run]
