"""Ranking the chunks of a repository for queries, those of several claims at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.correction import Candidates, candidates, correction, trust
from retrieval.index import Index
from retrieval.postings import Floats, Gathered, best_of_groups, is_new, ranges, rows_of, totals
from retrieval.query import Query
from retrieval.together import Together, together

__all__ = ["Ranking", "RankingWeights", "best_candidates", "rank"]

_Int64 = npt.NDArray[np.int64]


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
        fitted: Share of what the fitted model says in the logarithm of a score.
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
    fitted: float = 1.0


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
    """Score every chunk; where claims are expected, for a block of them at once."""
    return index.rankings.take(weights, query, lambda queries: _rank(index, queries, weights))


def best_candidates(index: Index, query: Query, weights: RankingWeights) -> Candidates:
    """What the fitted model is told of the best chunks; the index must not be an empty one."""
    queries = together((query,))
    scored = _score(index, queries, weights)
    return candidates(index, queries, scored.score, scored.signals)


@dataclass(frozen=True, slots=True)
class _Found:
    """The postings of all claims' terms.

    Attributes:
        rows: The row of each of the distinct terms.
        at: Where the postings of each of the claims' terms start, and one more.
        position: Which of these terms each is of.
        claim: The claim of that term.
        item: The chunk.
        weight: As in the table.
        shares: The same times the term's own weight in the claim.
        code: How much of that stands in lines of code.
    """

    rows: _Int64
    at: _Int64
    position: _Int64
    claim: _Int64
    item: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float32]
    shares: Floats
    code: Floats


@dataclass(frozen=True, slots=True)
class _Scored:
    """The scores of all chunks for some claims, and what they are made of; (claims, chunks) each.

    Attributes:
        score: Before the fitted model.
        signals: `own`, the same without what neighbours lend, and what it is summed up from.
        found: The postings of all claims' terms.
    """

    score: Floats
    signals: dict[str, Floats]
    found: _Found


def _score(index: Index, queries: Together, weights: RankingWeights) -> _Scored:
    claims, count = len(queries.queries), len(index.chunks)
    found = _find(index, queries)
    cell = found.claim * count + found.item
    whole, code = (
        totals(cell, each, claims * count).reshape(claims, count)
        for each in (found.shares, found.code)
    )
    if whole.size:
        code /= np.maximum(whole.max(axis=1, keepdims=True), 1e-9)
    own = _scaled(whole).copy()
    _add_parts(own, queries, found, weights)
    signals = {"whole": whole, "parts": own - whole, "code_words": code}
    groups = index.group_of_chunk
    if weights.group:
        best, first = best_of_groups(found.position, found.item, found.shares, groups)
        shape = claims, int(groups[-1]) + 1 if count else 0
        sums = _sums(found.claim[first], groups[found.item[first]], best, shape)
        signals["group"] = _scaled(sums).take(groups, axis=1)
        own += weights.group * signals["group"]
    if weights.file:
        signals["file"] = _file_scores(index, queries, found)
        own += weights.file * signals["file"]
    if len(queries.value):
        value = (weights.value * queries.value_shares)[:, None]
        signals["value"] = _value_scores(index, queries, found.rows)
        own += value * signals["value"]
    if weights.folder and index.folders.table.has_any(queries.terms[: queries.searched]):
        signals["folder"] = _folder_scores(index, queries)
        own *= 1 + weights.folder * signals["folder"]
    lent = np.zeros((claims, count))
    sources, targets, share = index.lenders(weights.neighbour, weights.sibling)
    if len(sources):
        # Lenders stand in the order of what they lend to.
        first = np.flatnonzero(is_new(targets))
        lent[:, targets[first]] = np.maximum.reduceat(
            own.take(sources, axis=1) * share, first, axis=1
        )
    # Rounded, so that the last bits of a logarithm on another machine change no order.
    score = (own + lent).round(5)
    return _Scored(score, {**signals, "own": own}, found)


def _rank(index: Index, queries: Together, weights: RankingWeights) -> list[Ranking]:
    claims, count = len(queries.queries), len(index.chunks)
    scored = _score(index, queries, weights)
    score, own, found = scored.score, scored.signals["own"], scored.found
    share = weights.fitted * trust(index, queries)
    if count and share.any():
        best = candidates(index, queries, score, scored.signals)
        factors = correction().factors(best, share, count)
        own *= factors
        score = (score * factors).round(5)
    ends = found.at[queries.starts].tolist()
    starts = queries.starts.tolist()
    return [
        Ranking(
            score[claim],
            own[claim],
            Gathered(
                found.position[ends[claim] : ends[claim + 1]] - starts[claim],
                found.item[ends[claim] : ends[claim + 1]],
                found.weight[ends[claim] : ends[claim + 1]],
            ),
        )
        for claim in range(claims)
    ]


def _find(index: Index, queries: Together) -> _Found:
    rows = rows_of(index.table.numbers, queries.terms)
    found, at, places = index.table.gather_all(rows[queries.names])
    position, weight = found.position, queries.weights[found.position]
    shares = (found.weight * weight).astype(np.float64)
    code = (index.table.code[places] * weight).astype(np.float64)
    claim = queries.claim[position]
    return _Found(rows, at, position, claim, found.item, found.weight, shares, code)


def _sums(
    row: _Int64,
    column: npt.NDArray[np.integer],
    weight: npt.NDArray[np.floating],
    shape: tuple[int, int],
) -> Floats:
    """The sum of the weights in each cell of a table."""
    rows, columns = shape
    return totals(row * columns + column, weight, rows * columns).reshape(shape)


def _scaled(scores: Floats) -> Floats:
    """Each row with a maximum of 1, or with nothing but 0; changed in place."""
    if scores.size:
        top = scores.max(axis=1, keepdims=True)
        top[top <= 0] = 1.0
        scores /= top
    return scores


def _add_parts(own: Floats, queries: Together, found: _Found, weights: RankingWeights) -> None:
    """Add what the parts of claims say to what the whole claims do."""
    starts = queries.part_starts
    counts = np.diff(starts)
    # One part is the whole claim.
    own[counts == 0] *= 1 + weights.part + weights.mean
    if not starts[-1] or not own.size:
        return
    begin = found.at[queries.part_names]
    widths = found.at[queries.part_names + 1] - begin
    at = ranges(begin, widths)
    weight = found.weight[at] * queries.part_weights.repeat(widths)
    shape = int(starts[-1]), own.shape[1]
    scores = _scaled(_sums(queries.part.repeat(widths), found.item[at], weight, shape))
    several = np.flatnonzero(counts)
    first = starts[several]
    best = np.maximum.reduceat(scores, first, axis=0)
    mean = _run_sums(scores, first, counts[several]) / counts[several][:, None]
    own[several] += weights.part * best + weights.mean * mean


def _run_sums(rows: Floats, first: _Int64, counts: _Int64) -> Floats:
    """The sums of runs of rows, each row added to those before: every order gives other bits."""
    sums = rows[first]
    for place in range(1, int(counts.max())):
        longer = np.flatnonzero(counts > place)
        sums[longer] += rows[first[longer] + place]
    return sums


_CLEAR = 2.0  # two words, or one beside five siblings, leave no doubt


def _folder_scores(index: Index, queries: Together) -> Floats:
    """(claims, chunks): how far each claim names the folders that a chunk is in, 0 to 1."""
    table = index.folders.table
    rows = rows_of(table.numbers, queries.terms[: queries.searched])
    found = table.gather_rows(rows[queries.names])
    shares = found.weight * queries.weights[found.position]
    shape = len(queries.queries), len(index.folders.number)
    folders = _sums(queries.claim[found.position], found.item, shares, shape)
    scores = np.minimum(folders / _CLEAR, 1.0)[:, index.folder_of_file]
    return np.asarray(scores[:, index.file_of_chunk], np.float64)


def _file_scores(index: Index, queries: Together, found: _Found) -> Floats:
    """(claims, chunks): how many of a claim's terms each chunk's file holds, by their rarity.

    A claim about one experiment out of four is about the files that speak of it, and a name in
    the middle of a function does not say which experiment the function belongs to.
    """
    files = len(index.repository.files)
    # In order already: terms come in turn, and the chunks of each, and so their files.
    file = index.file_of_chunk[found.item]
    key = found.position * files + file
    first = np.flatnonzero(is_new(key))
    # How rare each term is among the chunks; 0 where it does not occur.
    rarity = index.postings.idf_of(found.rows[queries.names]) * queries.weights
    scores = _sums(
        found.claim[first],
        file[first],
        rarity[found.position[first]],
        (len(queries.queries), files),
    )
    return _scaled(scores).take(index.file_of_chunk, axis=1)


_REACH = 2  # lines around a value in which its name counts as beside it


def _value_scores(index: Index, queries: Together, term_rows: _Int64) -> Floats:
    """(claims, chunks): how rare the values in a chunk are, above all those beside their names."""
    claims, count = len(queries.queries), len(index.chunks)
    sums = np.zeros((claims, count))
    postings = index.postings
    rows = term_rows[queries.readings]
    lines, trust, widths = postings.trusted_lines_at(rows)
    if not len(lines):
        return sums
    values = int(queries.value_starts[-1])
    # Each value has the lines to itself: they are counted on from those of the value before.
    stride = len(index.chunk_of_line) + 2 * _REACH
    named, spread = postings.lines_at(term_rows[queries.near])
    is_named = np.zeros(stride * values, np.bool_)
    is_named[named + (queries.near_value * stride + _REACH).repeat(spread)] = True
    # Does a name stand no more than two lines above or below?
    in_two = is_named[:-1] | is_named[1:]
    beside = in_two[:-3] | in_two[2:-1] | is_named[2 * _REACH :]
    value = queries.value.repeat(widths)
    factor, weight = queries.value_weights
    share = (postings.idf_of(rows) * factor * weight).repeat(widths)
    line_scores = np.where(beside[lines + value * stride], share, 0.25 * share)
    line_scores *= trust
    chunks = index.chunk_of_line[lines]
    best = np.zeros((values, count + 1))
    # What is in no chunk, -1, goes to the column behind the last of the value before.
    np.maximum.at(best.reshape(-1), value * (count + 1) + chunks, line_scores)
    counts = np.diff(queries.value_starts)
    having = np.flatnonzero(counts)
    sums[having] = _run_sums(best, queries.value_starts[having], counts[having])[:, :count]
    return _scaled(sums)
