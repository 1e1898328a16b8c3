"""Facts by the terms of their names and values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from retrieval.numbers import token_values
from retrieval.postings import Table
from retrieval.values import Fact, FactSource
from retrieval.words import TOKEN, token_terms

__all__ = ["fact_table"]


def fact_table(facts: Sequence[Fact]) -> Table:
    """Terms of names and values to facts, weighted by how few facts have them."""
    by_term: defaultdict[str, dict[int, None]] = defaultdict(dict)
    for number, fact in enumerate(facts):
        for token in TOKEN.findall(fact.name.replace("-", "_")):
            for term in token_terms(token):
                by_term[term][number] = None
        is_text = fact.value[:1] in {"'", '"'} or fact.source is FactSource.CONFIG
        for token in TOKEN.findall(fact.value):
            if token[0] in "0123456789.":
                for value in token_values(token):
                    by_term["#" + value][number] = None
            elif is_text:
                for term in token_terms(token):
                    by_term[term][number] = None
    spread = np.array([len(numbers) for numbers in by_term.values()], np.int64)
    log_count = float(np.log1p(len(facts)))
    rarity = (log_count - np.log(np.maximum(spread, 1))) / max(log_count, 1e-9)
    return Table(
        {term: position for position, term in enumerate(by_term)},
        np.concatenate(([0], np.cumsum(spread))).astype(np.int64),
        np.array([number for numbers in by_term.values() for number in numbers], np.int32),
        np.repeat(rarity, spread).astype(np.float32),
    )
