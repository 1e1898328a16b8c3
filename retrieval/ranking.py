"""Ranking the chunks of a repository for one query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.index import Index
from retrieval.outline import LineKind
from retrieval.postings import Floats, Gathered, group_totals, totals
from retrieval.query import Query, Value

__all__ = ["Ranking", "RankingWeights", "rank"]


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """How the signals are put together; each signal is scaled to a maximum of 1 beforehand.

    Attributes:
        part: Of the best part of the claim, beside the whole claim's 1.
        value: Of the claim's values near their names, where the claim is about nothing else.
        mean: Of the mean over the claim's parts.
        folder: Share by which a folder that the claim names, and not its siblings, lifts all in it.
        group: Of the class, function or section that a chunk is of, as one text.
        file: Of how much of the claim stands anywhere in the chunk's file.
        neighbour: Share of its score that a chunk lends to what calls it or is called by it.
        sibling: Share that a piece lends to the next pieces of its function.
        length: Power of a chunk's cost by which its score is divided when packing.
    """

    part: float = 0.4
    mean: float = 0.3
    folder: float = 0.5
    group: float = 0.2
    value: float = 1.5
    file: float = 0.2
    neighbour: float = 0.15
    sibling: float = 0.1
    length: float = 0.2


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores of all chunks.

    Attributes:
        score: One number a chunk; 0 where nothing matches.
        own: The same, without what neighbours lend.
        found: The postings of the query's terms, for explanations.
    """

    score: Floats
    own: Floats
    found: Gathered


def rank(index: Index, query: Query, weights: RankingWeights) -> Ranking:
    """Score every chunk."""
    count = len(index.chunks)
    found = index.table.gather(query.names)
    shares = (found.weight * query.weights[found.position]).astype(np.float64)
    own = _scaled(totals(found.item, shares, count))
    if len(query.parts) > 1:
        matrix = query.part_weights[:, found.position] * found.weight
        parts = np.stack([_scaled(totals(found.item, row, count)) for row in matrix])
        own += weights.part * parts.max(axis=0) + weights.mean * parts.mean(axis=0)
    else:
        own *= 1 + weights.part + weights.mean
    if weights.group:
        whole = group_totals(found.position, found.item, shares, index.group_of_chunk)
        own += weights.group * _scaled(whole)[index.group_of_chunk]
    if weights.file:
        own += weights.file * _file_scores(index, query, found)
    if query.values:
        own += weights.value * query.value_share * _value_scores(index, query.values)
    if weights.folder and index.folders:
        own *= 1 + weights.folder * _folder_scores(index, query)
    lent = np.zeros(count)
    for (sources, targets), share in (
        (index.neighbours, weights.neighbour),
        (index.siblings, weights.sibling),
    ):
        if len(sources):
            np.maximum.at(lent, targets, own[sources] * share)
    # Rounded, so that the last bits of a logarithm on another machine change no order.
    return Ranking((own + lent).round(5), own, found)


def _scaled(scores: Floats) -> Floats:
    top = float(scores.max()) if len(scores) else 0.0
    return scores / top if top > 0 else scores


_CLEAR = 2.0  # two words, or one beside five siblings, leave no doubt


def _folder_scores(index: Index, query: Query) -> Floats:
    """For each chunk, how far the query names the folders that it is in, 0 to 1."""
    found = index.folders.table.gather(query.names)
    shares = found.weight * query.weights[found.position]
    folders = totals(found.item, shares, len(index.folders.number))
    scores = np.minimum(folders / _CLEAR, 1.0)[index.folder_of_file]
    return np.asarray(scores[index.file_of_chunk], np.float64)


def _file_scores(index: Index, query: Query, found: Gathered) -> Floats:
    """For each chunk, how many of the query's terms its file holds, by their rarity.

    A claim about one experiment out of four is about the files that speak of it, and a name in
    the middle of a function does not say which experiment the function belongs to.
    """
    files = len(index.repository.files)
    # In order already: terms come in turn, and the chunks of each, and so their files.
    key = found.position * files + index.file_of_chunk[found.item]
    key = key[np.diff(key, prepend=-1) > 0]
    position = key // files
    rarity = index.rarity(query)[position] * query.weights[position]
    scores = _scaled(totals((key % files).astype(np.int32), rarity, files))
    return scores[index.file_of_chunk]


_REACH = 2  # lines around a value in which its name counts as beside it
_MAX_VALUES = 12
_MAX_NEAR = 10
_FAR = np.array([np.iinfo(np.int32).max], np.int32)


def _value_scores(index: Index, values: tuple[Value, ...]) -> Floats:
    """For each chunk, how rare the values in it are, above all those that stand by their names."""
    scores = np.zeros(len(index.chunks))
    postings = index.postings
    chunk_of_line = index.chunk_of_line
    for value in values[:_MAX_VALUES]:
        near: npt.NDArray[np.int32] | None = None
        best = np.zeros(len(scores))
        for term, factor in ((value.term, 1.0), *((also, 0.6) for also in value.also)):
            lines, kinds = postings.lines_of(term)
            if not len(lines):
                continue
            if near is None:
                named = [postings.lines_of(name)[0] for name in value.near[:_MAX_NEAR]]
                near = np.sort(np.concatenate([*named, _FAR]))
            # The first line with a name from two lines above on: is it no more than two below?
            beside = near[np.searchsorted(near, lines - _REACH)] <= lines + _REACH
            share = postings.idf(term) * factor * value.weight
            line_scores = np.where(beside, share, 0.25 * share)
            line_scores[kinds != LineKind.CODE] *= 0.4
            chunks = chunk_of_line[lines]
            inside = chunks >= 0
            np.maximum.at(best, chunks[inside], line_scores[inside])
        if near is not None:
            scores += best
    return _scaled(scores)
