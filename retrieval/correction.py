"""What a fitted model makes of the ranking: a factor on the scores of the best chunks.

The ranking adds up how well the words of a claim fit. What lines people and strong models cite
for claims says more: code rather than a docstring that tells the same, a step rather than the
imports above it. `python -m tests.benchmarks.fit_ranking` fits it; it is shipped as plain numbers.

Trees are symmetric: of one depth, with one question a level for all nodes of it. So they are
worked out for all chunks at once. All numbers in them are whole, and so the same everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from benchmark import Dimension
from retrieval.postings import Floats
from retrieval.relations import FAR
from retrieval.together import Together
from retrieval.traits import TRAITS

if TYPE_CHECKING:
    from retrieval.index import Index

__all__ = ["FEATURES", "Candidates", "Correction", "candidates", "correction", "parse", "trust"]

SIGNALS = (
    "score", "own", "whole", "parts", "group", "file", "value", "folder", "lent", "of_best",
    "from_tenth", "before", "behind", "best_of_file", "best_of_group", "code_words",
    "code_of_best", "before_two", "behind_two", "callee", "caller", "file_share",
)  # fmt: skip
BESIDE = ("rank", "from_first", "from_third", "in_piece", "in_group_before")
ASKED = ("chunks", "dimension", "terms", "values")
FEATURES = (*SIGNALS, *TRAITS, *BESIDE, *ASKED)
"""What trees may ask of a chunk; `SIGNALS` in thousandths."""

CANDIDATES = 96
"""Of a claim; all beyond get the least factor of these."""

_MOST = 32_000.0
_TENTH = 9
_AROUND = 2
_SCORE_STEPS = 100_000  # to which scores are rounded
_LEVELS_AT_ONCE = 9  # of trees that are joined into one: small enough to make its leaves
_FEW, _MANY = 24, 64  # terms: up to the first it is a search, from the second on a claim
_KNOWN, _LARGE = 400, 1200  # chunks: of repositories as in the fit, and three times as large

_Int16 = npt.NDArray[np.int16]
_Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The best chunks of some claims.

    Attributes:
        chunk: (claims, candidates): their numbers, best first, code before tests before prose.
        features: (features, claims times candidates): `FEATURES` of each.
    """

    chunk: _Int64
    features: _Int16


@dataclass(frozen=True, slots=True)
class _Asked:
    """Symmetric trees, several of them as one.

    Attributes:
        feature: (questions): what the distinct questions of all trees ask of.
        above: (questions): above what number the answer is yes.
        questions: (joined trees, levels): which of them each level asks.
        values: (joined trees, leaves): what is added.
    """

    feature: _Int64
    above: _Int16
    questions: _Int64
    values: _Int64


@dataclass(frozen=True)
class Correction:
    """Symmetric trees.

    Attributes:
        feature: (trees, depth): what is asked at each level.
        above: (trees, depth): above what number the answer is yes.
        value: (trees, leaves): what is added, the first level's answer being the highest bit.
        unit: What 1 in `value` means for the logarithm of a score.
    """

    feature: _Int64
    above: _Int16
    value: npt.NDArray[np.int32]
    unit: float

    def sums(self, features: _Int16) -> _Int64:
        """What the trees add up to for each column of some features."""
        asked = self._asked
        answers = (features[asked.feature] > asked.above[:, None]).view(np.uint8)
        leaf = np.zeros((len(asked.values), features.shape[1]), np.uint16)
        for questions in asked.questions.T:
            leaf <<= 1
            leaf |= answers[questions]
        total = np.zeros(features.shape[1], np.int64)
        for values, leaves in zip(asked.values, leaf, strict=True):
            total += values[leaves]
        return total

    @cached_property
    def _asked(self) -> _Asked:
        """The trees as `sums` goes through them."""
        trees, depth = self.feature.shape
        pairs = np.stack((self.feature, self.above), axis=-1).reshape(-1, 2)
        distinct, number = np.unique(pairs, axis=0, return_inverse=True)
        at_once = max(1, _LEVELS_AT_ONCE // max(1, depth))
        questions = number.reshape(trees, depth)
        values = self.value.astype(np.int64)
        missing = -trees % at_once
        # Trees of nothing but 0, so that all are gone through as many at once.
        questions = np.concatenate((questions, np.zeros((missing, depth), np.int64)))
        values = np.concatenate((values, np.zeros((missing, values.shape[1]), np.int64)))
        joined = values[::at_once]
        for further in range(1, at_once):
            joined = joined[:, :, None] + values[further::at_once, None, :]
            joined = joined.reshape(len(joined), -1)
        return _Asked(
            distinct[:, 0],
            distinct[:, 1].astype(np.int16),
            questions.reshape(-1, at_once * depth),
            joined,
        )

    def factors(self, found: Candidates, share: Floats, chunks: int) -> Floats:
        """(claims, chunks): by what the scores are to be multiplied.

        Args:
            found: The candidates.
            share: How far the model is trusted with each claim, 0 to 1.
            chunks: How many chunks there are.
        """
        claims, width = found.chunk.shape
        sums = self.sums(found.features).reshape(claims, width)
        middle = sums.sum(axis=1, keepdims=True) / width
        factor = np.exp((sums - middle) * (self.unit * share)[:, None])
        factors = np.repeat(factor.min(axis=1, keepdims=True), chunks, axis=1)
        np.put_along_axis(factors, found.chunk, factor, axis=1)
        return factors


def trust(index: Index, queries: Together) -> Floats:
    """How far the model is trusted with each claim, 0 to 1.

    It was fitted on claims, not on a few words, and on repositories as people hand them in.
    """
    terms = np.diff(queries.starts)
    size = (_LARGE - len(index.chunks)) / (_LARGE - _KNOWN)
    share: Floats = np.clip((terms - _FEW) / (_MANY - _FEW), 0.0, 1.0) * min(1.0, max(0.0, size))
    return share


def candidates(
    index: Index, queries: Together, score: Floats, signals: Mapping[str, Floats]
) -> Candidates:
    """The best chunks of some claims and what is known of them.

    Args:
        index: The repository; not an empty one.
        queries: The claims.
        score: (claims, chunks).
        signals: `own`, `whole`, `code_words`, `parts`, `group`, `file`, `value` and `folder`, of
            the same shape; of the last four what is missing is 0.
    """
    claims, count = score.shape
    key = np.rint((index.role_order * 100.0 - score) * _SCORE_STEPS).astype(np.int64)
    chunk = _order(key, count)[:, :CANDIDATES]
    width = chunk.shape[1]
    claim = np.arange(claims)[:, None]
    cell = chunk + claim * count
    relations = index.relations
    files, pieces = relations.files, relations.pieces
    file = files.of[chunk]
    rows = np.zeros((len(SIGNALS), claims, width), np.float32)

    def put(name: str, table: Floats) -> None:
        rows[_PLACE[name]] = table.ravel().take(cell)

    put("score", score)
    best = rows[_PLACE["score"]]
    for name, table in signals.items():
        put(name, table)
    rows[_PLACE["lent"]] = best - rows[_PLACE["own"]]
    top = score.max(axis=1, keepdims=True)
    rows[_PLACE["of_best"]] = best / np.where(top > 0, top, 1.0)
    rows[_PLACE["from_tenth"]] = best - best[:, [min(_TENTH, width - 1)]]
    code = signals["code_words"].max(axis=1, keepdims=True)
    rows[_PLACE["code_of_best"]] = rows[_PLACE["code_words"]] / np.where(code > 0, code, 1.0)
    # What stands at a file's end has nothing behind it.
    wide = np.zeros((claims, count + 2 * _AROUND))
    wide[:, _AROUND:-_AROUND] = score
    first, last = files.first[file], (np.append(files.first[1:], count) - 1)[file]
    around = cell + 2 * _AROUND * claim + _AROUND
    for name, step in (("before", -1), ("behind", 1), ("before_two", -2), ("behind_two", 2)):
        place = chunk + step
        beside = wide.ravel().take(around + step)
        inside = place >= first if step < 0 else place <= last
        rows[_PLACE[name]] = beside * inside
    of_file = files.best(score)
    rows[_PLACE["best_of_file"]] = of_file[claim, file]
    rows[_PLACE["best_of_group"]] = relations.groups.best(score)[claim, relations.groups.of[chunk]]
    piece = pieces.of[chunk]
    of_piece = pieces.best(score)
    put("callee", relations.callees.best(of_piece, count))
    rows[_PLACE["caller"]] = relations.callers.best(score, of_piece.shape[1])[claim, piece]
    # Squares, so that many weak ones do not weigh like a few that fit.
    mass = np.add.reduceat(score * score, files.first, axis=1)
    whole = mass.sum(axis=1, keepdims=True)
    rows[_PLACE["file_share"]] = (mass / np.where(whole > 0, whole, 1.0))[claim, file]
    rows *= 1000
    np.rint(rows, out=rows)
    np.clip(rows, -_MOST, _MOST, out=rows)
    features = np.empty((len(FEATURES), claims, width), np.int16)
    features[: len(SIGNALS)] = rows
    features[len(SIGNALS) : len(SIGNALS) + len(TRAITS)] = index.traits.take(chunk, axis=1)
    features[_PLACE["rank"]] = np.arange(width)
    for name, number in (("from_first", 1), ("from_third", 3)):
        features[_PLACE[name]] = _distance(relations.place[chunk], number)
    own = piece.astype(np.int32)
    near = (own[:, : _TENTH + 1, None] == own[:, None]).view(np.uint8)
    features[_PLACE["in_piece"]] = np.add.reduce(near, axis=1, dtype=np.uint8)
    features[_PLACE["in_group_before"]] = _before(relations.groups.of[chunk])
    features[_PLACE["chunks"]] = min(count, int(_MOST))
    dimensions = [
        0 if query.dimension is None else _DIMENSIONS[query.dimension] for query in queries.queries
    ]
    features[_PLACE["dimension"]] = np.array(dimensions, np.int16)[:, None]
    features[_PLACE["terms"]] = np.diff(queries.starts).astype(np.int16)[:, None]
    features[_PLACE["values"]] = np.rint(queries.value_shares * 1000).astype(np.int16)[:, None]
    return Candidates(chunk, features.reshape(len(FEATURES), -1))


def _order(key: _Int64, count: int) -> _Int64:
    """What `argsort` says of each row of whole numbers, equal ones in order, in less time."""
    shift = max(1, count - 1).bit_length()
    ordered = (key << shift) | np.arange(count)
    ordered.sort(axis=1)
    order: _Int64 = ordered & ((1 << shift) - 1)
    return order


def _distance(place: npt.NDArray[np.int32], best: int) -> npt.NDArray[np.int32]:
    """How many chunks each candidate is away from the nearest other one of the best in its file.

    Args:
        place: (claims, candidates), best first; where each stands, every file far from the others.
        best: How many of the best are looked at. With one, it is no chunk away from itself.
    """
    nearest = np.full_like(place, FAR)
    for number in range(min(best, place.shape[1])):
        away = np.abs(place - place[:, [number]])
        if best > 1:
            away[:, number] = FAR
        np.minimum(nearest, away, out=nearest)
    return nearest


def _before(group: _Int64) -> _Int64:
    """(claims, candidates): how many better candidates are of each one's group."""
    width = group.shape[1]
    order = _order(group, width)
    ordered = np.take_along_axis(group, order, axis=1)
    new = np.ones(ordered.shape, np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=new[:, 1:])
    place = np.arange(width)
    start = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    before = np.empty_like(group)
    np.put_along_axis(before, order, place - start, axis=1)
    return before


_DIMENSIONS = {dimension: number for number, dimension in enumerate(Dimension, 1)}
_PLACE = {name: number for number, name in enumerate(FEATURES)}


@lru_cache(maxsize=1)
def correction() -> Correction:
    """The model that is shipped."""
    text = files("retrieval").joinpath("ranking.json").read_text(encoding="utf-8")
    return parse(json.loads(text))


def parse(record: Mapping[str, Any]) -> Correction:
    """A model from the JSON that the fit writes.

    Raises:
        ValueError: It asks for what there is not, or its rows do not fit together.
    """
    unknown = sorted(set(record["features"]) - set(FEATURES))
    if unknown:
        raise ValueError(f"the fitted ranking asks for unknown features: {', '.join(unknown)}")
    place = np.array([_PLACE[name] for name in record["features"]], np.int64)
    asked = np.array([[split[0] for split in tree["splits"]] for tree in record["trees"]], np.int64)
    above = np.array([[split[1] for split in tree["splits"]] for tree in record["trees"]], np.int16)
    value = np.array([tree["values"] for tree in record["trees"]], np.int32)
    if value.shape != (len(asked), 1 << asked.shape[1]):
        raise ValueError("the fitted ranking's trees have too many or too few leaves")
    return Correction(place[asked], above, value, float(record["unit"]))
