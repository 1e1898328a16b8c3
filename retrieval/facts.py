"""The facts of a repository that speak to a claim: the same value, or a value of the same name."""

from __future__ import annotations

import numpy as np

from retrieval.index import Index
from retrieval.postings import totals
from retrieval.query import Query

__all__ = ["matching_facts"]


def matching_facts(index: Index, query: Query, limit: int) -> list[int]:
    """Numbers of the facts that match a claim's values and names, by file and line."""
    facts = index.facts
    if not facts or limit <= 0:
        return []
    found = index.fact_table.gather(query.names)
    shares = found.weight * query.weights[found.position]
    is_value = query.is_value[found.position]
    count = len(facts)
    values = totals(found.item[is_value], shares[is_value], count)
    names = totals(found.item[~is_value], shares[~is_value], count)
    # A value alone is chance, a name alone is the value that is really used.
    score = names + values + 2.0 * np.minimum(names, 1.0) * np.minimum(values, 1.0)
    score = score.round(4)
    kept = np.flatnonzero(score > 0.3 * score.max())
    if len(kept) > limit:
        order = np.argsort(-score[kept], kind="stable")[:limit]
        kept = np.sort(kept[order])
    numbers: list[int] = kept.tolist()
    return numbers
