"""Facts by the terms of their names and values."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from retrieval.numbers import token_values
from retrieval.values import Fact, FactSource
from retrieval.words import TOKEN, token_terms

__all__ = ["FactIndex"]


class FactIndex:
    """Facts by the terms of their names and values."""

    def __init__(self, facts: tuple[Fact, ...]) -> None:
        by_term: defaultdict[str, list[int]] = defaultdict(list)
        for number, fact in enumerate(facts):
            terms: set[str] = set()
            for token in TOKEN.findall(fact.name.replace("-", "_")):
                terms.update(token_terms(token))
            for token in TOKEN.findall(fact.value):
                if token[0] in "0123456789.":
                    terms.update("#" + value for value in token_values(token))
                elif fact.value[:1] in "'\"" or fact.source is FactSource.CONFIG:
                    terms.update(token_terms(token))
            for term in terms:
                by_term[term].append(number)
        self.count = len(facts)
        self._postings = {
            term: np.array(numbers, dtype=np.int32) for term, numbers in by_term.items()
        }

    def of(self, term: str) -> npt.NDArray[np.int32] | None:
        """The facts with a term."""
        return self._postings.get(term)
