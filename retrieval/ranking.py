"""Ranking the chunks of a repository for one query."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from retrieval.index import Index
from retrieval.query import Query, Value

__all__ = ["Ranking", "RankingWeights", "rank"]

Float32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """How the signals are put together; each signal is scaled to a maximum of 1 beforehand.

    Attributes:
        part: Of the best part of the claim, beside the whole claim's 1.
        value: Of the claim's values near their names.
        neighbour: Share of its score that a chunk lends to what calls it or is called by it.
        sibling: Share that a piece lends to the other pieces of its function.
        length: Power of a chunk's cost by which its score is divided when packing.
    """

    part: float = 0.5
    value: float = 0.3
    neighbour: float = 0.25
    sibling: float = 0.2
    length: float = 0.25


@dataclass(slots=True)
class Ranking:
    """Scores of all chunks.

    Attributes:
        score: One number a chunk; 0 where nothing matches.
        parts: (parts, chunks) scores scaled to 1 a part.
        value: The value path's scores.
        lent: What neighbours lend.
    """

    score: Float32
    parts: Float32
    value: Float32
    lent: Float32 = field(default_factory=lambda: np.zeros(0, np.float32))


def rank(index: Index, query: Query, weights: RankingWeights) -> Ranking:
    """Score every chunk."""
    count = len(index.chunks)
    whole = np.zeros(count, np.float32)
    index.postings.add_scores(whole, query.terms)
    parts = np.zeros((len(query.parts), count), np.float32)
    if len(query.parts) == 1:
        parts[0] = whole
    else:
        for row, part in zip(parts, query.parts, strict=True):
            index.postings.add_scores(row, part.terms)
    _scale(parts)
    _scale(whole[np.newaxis])
    value = _value_scores(index, query.values)
    score = whole + weights.part * parts.max(axis=0) + weights.value * value
    lent = np.zeros(count, np.float32)
    sources, targets = index.neighbours
    if len(sources):
        np.maximum.at(lent, targets, score[sources] * weights.neighbour)
    first, second = index.siblings
    if len(first):
        np.maximum.at(lent, second, score[first] * weights.sibling)
    return Ranking(score + lent, parts, value, lent)


def _scale(rows: Float32) -> None:
    if rows.shape[1]:
        rows /= np.maximum(rows.max(axis=1, keepdims=True), 1e-9)


_REACH = 2  # lines around a value in which its name counts as beside it


def _value_scores(index: Index, values: tuple[Value, ...]) -> Float32:
    """For each chunk, how rare the values in it are that stand beside their names."""
    count = len(index.chunks)
    scores = np.zeros(count, np.float32)
    postings = index.postings
    chunk_of_line = index.chunk_of_line
    lines_total = len(chunk_of_line)
    for value in values[:16]:
        named: npt.NDArray[np.bool_] | None = None
        best = np.zeros(count, np.float32)
        for term, factor in ((value.term, 1.0), *((also, 0.6) for also in value.also)):
            lines, kinds = postings.lines_of(term)
            if not len(lines):
                continue
            if named is None:
                named = np.zeros(lines_total + 2 * _REACH + 1, np.bool_)
                for near in value.near:
                    at, _ = postings.lines_of(near)
                    for shift in range(2 * _REACH + 1):
                        named[at + shift] = True
            beside = named[lines + _REACH]
            weight = postings.idf(term) * factor * value.weight
            line_score = np.where(beside, 1.0, 0.25) * np.where(kinds == 1, 1.0, 0.4) * weight
            chunks = chunk_of_line[lines]
            inside = chunks >= 0
            np.maximum.at(best, chunks[inside], line_score[inside].astype(np.float32))
        scores += best
    top = float(scores.max()) if count else 0.0
    return scores / top if top > 0 else scores
