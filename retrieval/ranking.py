"""Ranking the chunks of a repository for one query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.index import Index
from retrieval.postings import Floats, Gathered, group_totals, is_new, totals
from retrieval.query import Query
from retrieval.value_readings import Readings

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
    rows = index.postings.rows_of(query.names)
    found = index.table.gather_rows(rows)
    shares = (found.weight * query.weights[found.position]).astype(np.float64)
    own = _scaled(totals(found.item, shares, count))
    if len(query.parts) > 1:
        matrix = query.part_weights[:, found.position] * found.weight
        parts = _part_scores(found.item, matrix, count)
        own += weights.part * parts.max(axis=0) + weights.mean * parts.mean(axis=0)
    else:
        own *= 1 + weights.part + weights.mean
    if weights.group:
        whole = group_totals(found.position, found.item, shares, index.group_of_chunk)
        own += weights.group * _scaled(whole)[index.group_of_chunk]
    if weights.file:
        own += weights.file * _file_scores(index, query, rows, found)
    if query.values:
        own += weights.value * query.value_share * _value_scores(index, query.readings)
    if weights.folder and index.folders.table.has_any(query.names):
        own *= 1 + weights.folder * _folder_scores(index, query)
    lent = np.zeros(count)
    sources, targets, share = index.lenders(weights.neighbour, weights.sibling)
    np.maximum.at(lent, targets, own[sources] * share)
    # Rounded, so that the last bits of a logarithm on another machine change no order.
    return Ranking((own + lent).round(5), own, found)


def _scaled(scores: Floats) -> Floats:
    top = float(scores.max()) if len(scores) else 0.0
    return scores / top if top > 0 else scores


def _part_scores(
    item: npt.NDArray[np.int32], matrix: npt.NDArray[np.float32], count: int
) -> Floats:
    """(parts, chunks): the scores for each part, all at once.

    Args:
        item: The chunk of each posting.
        matrix: (parts, postings): the weight of each in each part.
        count: How many chunks there are.
    """
    parts = len(matrix)
    keys = item + np.arange(0, parts * count, max(count, 1))[:, None]
    scores = totals(keys.reshape(-1), matrix.reshape(-1), parts * count).reshape(parts, count)
    if not count:
        return scores
    top = scores.max(axis=1, keepdims=True)
    top[top <= 0] = 1.0
    scores /= top
    return scores


_CLEAR = 2.0  # two words, or one beside five siblings, leave no doubt


def _folder_scores(index: Index, query: Query) -> Floats:
    """For each chunk, how far the query names the folders that it is in, 0 to 1."""
    found = index.folders.table.gather(query.names)
    shares = found.weight * query.weights[found.position]
    folders = totals(found.item, shares, len(index.folders.number))
    scores = np.minimum(folders / _CLEAR, 1.0)[index.folder_of_file]
    return np.asarray(scores[index.file_of_chunk], np.float64)


def _file_scores(
    index: Index, query: Query, rows: npt.NDArray[np.int64], found: Gathered
) -> Floats:
    """For each chunk, how many of the query's terms its file holds, by their rarity.

    A claim about one experiment out of four is about the files that speak of it, and a name in
    the middle of a function does not say which experiment the function belongs to.
    """
    files = len(index.repository.files)
    # In order already: terms come in turn, and the chunks of each, and so their files.
    key = found.position * files + index.file_of_chunk[found.item]
    key = key[is_new(key)]
    position = key // files
    # How rare each term is among the chunks; 0 where it does not occur.
    rarity = (index.postings.idf_of(rows) * query.weights)[position]
    scores = _scaled(totals(key - position * files, rarity, files))
    return scores[index.file_of_chunk]


_REACH = 2  # lines around a value in which its name counts as beside it


def _value_scores(index: Index, readings: Readings) -> Floats:
    """For each chunk, how rare the values in it are, above all those that stand by their names."""
    count = len(index.chunks)
    postings = index.postings
    rows = postings.rows_of(readings.terms)
    lines, trust, widths = postings.trusted_lines_at(rows)
    if not len(lines):
        return np.zeros(count)
    values = int(readings.value[-1]) + 1
    # Each value has the lines to itself: they are counted on from those of the value before.
    stride = len(index.chunk_of_line) + 2 * _REACH
    named, spread = postings.lines_at(postings.rows_of(readings.near))
    is_named = np.zeros(stride * values, np.bool_)
    is_named[named + (readings.near_value * stride + _REACH).repeat(spread)] = True
    # Does a name stand no more than two lines above or below?
    in_two = is_named[:-1] | is_named[1:]
    beside = in_two[:-3] | in_two[2:-1] | is_named[2 * _REACH :]
    value = readings.value.repeat(widths)
    share = (postings.idf_of(rows) * readings.factor * readings.weight).repeat(widths)
    line_scores = np.where(beside[lines + value * stride], share, 0.25 * share)
    line_scores *= trust
    chunks = index.chunk_of_line[lines]
    best = np.zeros((values, count + 1))
    # What is in no chunk, -1, goes to the column behind the last of the value before.
    np.maximum.at(best.reshape(-1), value * (count + 1) + chunks, line_scores)
    return _scaled(best.sum(axis=0)[:count])
