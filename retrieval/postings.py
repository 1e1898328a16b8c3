"""The inverted index: which lines and chunks hold a term. Plain numpy arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from retrieval.outline import LineKind
from retrieval.words import token_terms

__all__ = ["Postings", "PostingsBuilder"]

Int32 = npt.NDArray[np.int32]
Float32 = npt.NDArray[np.float32]

_K1 = 1.2
_B = 0.6
# Words in comments and docstrings say where to look, though they prove nothing.
_KIND_WEIGHT = np.array([0.0, 1.0, 0.6, 0.6, 0.8], dtype=np.float32)


class PostingsBuilder:
    """Collects the tokens of lines and of chunk headers."""

    def __init__(self) -> None:
        # One number a distinct token, in order of first sight.
        self._tokens: defaultdict[str, int] = defaultdict()
        self._tokens.default_factory = self._tokens.__len__
        self._ids: list[int] = []
        self._lines: list[int] = []
        self._counts: list[int] = []
        self._kinds: list[int] = []
        self._header_ids: list[int] = []
        self._header_counts: list[int] = []

    def add_line(self, line: int, kind: int, tokens: Sequence[str]) -> None:
        """Add the tokens of a line, or of the comment at its end; `line` counts over all files."""
        self._ids.extend(map(self._tokens.__getitem__, tokens))
        self._lines.append(line)
        self._counts.append(len(tokens))
        self._kinds.append(kind)

    def add_header(self, tokens: Sequence[str]) -> None:
        """Add the tokens of the next chunk's path, names and signature."""
        self._header_ids.extend(map(self._tokens.__getitem__, tokens))
        self._header_counts.append(len(tokens))

    def build(self, chunk_of_line: Int32, chunks: int, header_weight: float) -> Postings:
        """Make the index.

        Args:
            chunk_of_line: The chunk of each line, -1 for blank ones.
            chunks: Number of chunks.
            header_weight: How often a header's token counts.
        """
        terms: defaultdict[str, int] = defaultdict()
        terms.default_factory = terms.__len__
        flat: list[int] = []
        widths: list[int] = []
        for token in self._tokens:
            own = token_terms(token)
            flat.extend(map(terms.__getitem__, own))
            widths.append(len(own))
        width = np.array(widths, dtype=np.int32)
        starts = np.concatenate(([0], np.cumsum(width))).astype(np.int64)
        expansion = np.array(flat, dtype=np.int32)

        counts = np.array(self._counts, dtype=np.int32)
        row_line = np.array(self._lines, dtype=np.int32)
        row_kind = np.array(self._kinds, dtype=np.uint8)
        ids = np.array(self._ids, dtype=np.int32)
        term, owner = _expand(
            ids, np.repeat(np.arange(len(counts)), counts), starts, width, expansion
        )
        line, kind = row_line[owner], row_kind[owner]

        head_ids = np.array(self._header_ids, dtype=np.int32)
        head_chunk = np.repeat(
            np.arange(len(self._header_counts)), np.array(self._header_counts, dtype=np.int32)
        )
        head_term, head_owner = _expand(head_ids, head_chunk, starts, width, expansion)
        return Postings(
            dict(terms),
            term,
            line,
            kind,
            chunk_of_line,
            chunks,
            head_term,
            head_owner,
            header_weight,
        )


def _expand(
    ids: Int32,
    owners: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    width: Int32,
    expansion: Int32,
) -> tuple[Int32, npt.NDArray[np.int64]]:
    """Replace each token by its terms, with its owner beside each."""
    if not len(ids):
        return np.zeros(0, np.int32), np.zeros(0, np.int64)
    repeats = width[ids]
    total = int(repeats.sum())
    ends = np.cumsum(repeats)
    offset = np.arange(total) - np.repeat(ends - repeats, repeats)
    return expansion[np.repeat(starts[ids], repeats) + offset], np.repeat(owners, repeats)


class Postings:
    """Terms to lines, and terms to BM25 weights of chunks."""

    def __init__(
        self,
        terms: dict[str, int],
        term: Int32,
        line: Int32,
        kind: npt.NDArray[np.uint8],
        chunk_of_line: Int32,
        chunks: int,
        head_term: Int32,
        head_chunk: npt.NDArray[np.int64],
        header_weight: float,
    ) -> None:
        self.terms = terms
        self.chunks = chunks
        count = len(terms)
        order = np.lexsort((line, term)) if len(term) else np.zeros(0, np.int64)
        self._line = line[order]
        self._line_kind = kind[order]
        self._line_pointer = np.searchsorted(term[order], np.arange(count + 1)).astype(np.int64)

        chunk = chunk_of_line[line]
        inside = chunk >= 0
        keys = np.concatenate(
            (
                term[inside].astype(np.int64) * chunks + chunk[inside],
                head_term.astype(np.int64) * chunks + head_chunk,
            )
        )
        values = np.concatenate(
            (
                _KIND_WEIGHT[kind[inside]],
                np.full(len(head_term), header_weight, np.float32),
            )
        )
        unique, inverse = np.unique(keys, return_inverse=True)
        frequency = np.bincount(inverse, weights=values, minlength=len(unique))
        self._chunk = (unique % max(chunks, 1)).astype(np.int32)
        posting_term = unique // max(chunks, 1)
        self._chunk_pointer = np.searchsorted(posting_term, np.arange(count + 1)).astype(np.int64)
        length = np.bincount(self._chunk, weights=frequency, minlength=max(chunks, 1))
        mean = float(length.mean()) if chunks else 1.0
        spread = np.diff(self._chunk_pointer)
        idf = np.log1p((chunks - spread + 0.5) / (spread + 0.5))
        self._idf = idf.astype(np.float32)
        norm = _K1 * (1 - _B + _B * length / max(mean, 1e-9))
        weight = frequency * (_K1 + 1) / (frequency + norm[self._chunk])
        self._weight = (weight * np.repeat(idf, spread)).astype(np.float32)

    def idf(self, term: str) -> float:
        """How rare a term is among the chunks; 0 where it does not occur."""
        number = self.terms.get(term)
        return 0.0 if number is None else float(self._idf[number])

    def add_scores(self, scores: Float32, weighted: Iterable[tuple[str, float]]) -> None:
        """Add the BM25 scores of weighted terms to `scores`, one number a chunk, in place."""
        pointer, chunk, weight = self._chunk_pointer, self._chunk, self._weight
        for term, factor in weighted:
            number = self.terms.get(term)
            if number is not None:
                start, end = pointer[number], pointer[number + 1]
                scores[chunk[start:end]] += weight[start:end] * factor

    def heaviest(self, chunk: int, weighted: Iterable[tuple[str, float]], limit: int) -> list[str]:
        """The terms that give a chunk most of its score."""
        shares: list[tuple[float, str]] = []
        for term, factor in weighted:
            number = self.terms.get(term)
            if number is None:
                continue
            start, end = self._chunk_pointer[number], self._chunk_pointer[number + 1]
            at = start + np.searchsorted(self._chunk[start:end], chunk)
            if at < end and self._chunk[at] == chunk:
                shares.append((-float(self._weight[at]) * factor, term))
        return [term for _, term in sorted(shares)[:limit]]

    def chunks_of(self, term: str) -> Int32:
        """The chunks that hold a term."""
        number = self.terms.get(term)
        if number is None:
            return np.zeros(0, np.int32)
        return self._chunk[self._chunk_pointer[number] : self._chunk_pointer[number + 1]]

    def lines_of(self, term: str) -> tuple[Int32, npt.NDArray[np.uint8]]:
        """The lines (over all files) that hold a term, repeated where it repeats, and their kinds."""
        number = self.terms.get(term)
        if number is None:
            return np.zeros(0, np.int32), np.zeros(0, np.uint8)
        start, end = self._line_pointer[number], self._line_pointer[number + 1]
        return self._line[start:end], self._line_kind[start:end]


KIND_WORDS = tuple(LineKind(kind).word for kind in range(5))
