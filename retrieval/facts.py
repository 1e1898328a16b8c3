"""The facts of a repository that speak to a claim: the same value, or a value of the same name."""

from __future__ import annotations

import numpy as np

from retrieval.index import Index
from retrieval.postings import Floats, rows_of, totals
from retrieval.query import Query
from retrieval.together import Together

__all__ = ["matching_facts"]


def matching_facts(index: Index, query: Query, limit: int) -> list[int]:
    """Numbers of the facts that match a claim's values and names, by file and line."""
    if not index.facts or limit <= 0:
        return []
    score = index.fact_scores.take("", query, lambda queries: _scores(index, queries))
    kept = np.flatnonzero(score > 0.3 * score.max())
    if len(kept) > limit:
        order = np.argsort(-score[kept], kind="stable")[:limit]
        kept = np.sort(kept[order])
    numbers: list[int] = kept.tolist()
    return numbers


def _scores(index: Index, queries: Together) -> list[Floats]:
    """How far each fact speaks to each of some claims."""
    table = index.fact_table
    rows = rows_of(table.numbers, queries.terms[: queries.searched])
    found = table.gather_rows(rows[queries.names])
    shares = found.weight * queries.weights[found.position]
    # Names of all claims, then their values.
    claims, count = len(queries.queries), len(index.facts)
    row = (queries.claim + claims * queries.is_value)[found.position]
    sums = totals(row * count + found.item, shares, 2 * claims * count).reshape(2, claims, count)
    names, values = sums
    # A value alone is chance, a name alone is the value that is really used.
    score = names + values + 2.0 * np.minimum(names, 1.0) * np.minimum(values, 1.0)
    return list(score.round(4))
