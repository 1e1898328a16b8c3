"""Facts by the terms of their names and values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, count

import numpy as np

from retrieval.postings import Table
from retrieval.values import Fact, FactSource
from retrieval.words import TOKEN, token_terms

__all__ = ["fact_table"]


def fact_table(facts: Sequence[Fact]) -> Table:
    """Terms of names and values to facts, weighted by how few facts have them."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    terms: list[tuple[str, ...]] = []
    for fact in facts:
        value = fact.value
        is_text = value[:1] in {"'", '"'} or fact.source is FactSource.CONFIG
        named, valued = _name_terms(fact.name), _value_terms(value, is_text)
        terms.append(tuple(dict.fromkeys((*named, *valued))) if valued else named)
    rows = np.array(list(map(numbers.__getitem__, chain.from_iterable(terms))), np.int64)
    owners = np.repeat(np.arange(len(facts), dtype=np.int32), list(map(len, terms)))
    spread = np.bincount(rows, minlength=len(numbers)).astype(np.int64)
    log_count = float(np.log1p(len(facts)))
    rarity = (log_count - np.log(np.maximum(spread, 1))) / max(log_count, 1e-9)
    return Table(
        dict(numbers),
        np.concatenate(([0], np.cumsum(spread))).astype(np.int64),
        owners[np.argsort(rows, kind="stable")],
        np.repeat(rarity, spread).astype(np.float32),
    )


@lru_cache(maxsize=32768)
def _name_terms(name: str) -> tuple[str, ...]:
    tokens = TOKEN.findall(name.replace("-", "_"))
    return tuple(dict.fromkeys(term for token in tokens for term in token_terms(token)))


@lru_cache(maxsize=32768)
def _value_terms(value: str, is_text: bool) -> tuple[str, ...]:
    terms: dict[str, None] = {}
    for token in TOKEN.findall(value):
        if is_text or token[0] in "0123456789.":
            terms.update(dict.fromkeys(token_terms(token)))
    return tuple(terms)
