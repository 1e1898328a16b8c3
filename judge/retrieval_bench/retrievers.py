"""The retrievers that are measured: this project's own, and simple rivals on the same files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

import bm25s
import numpy as np

from benchmark import Dimension, Sau
from judge.retrieval_bench.queries import SearchQuery
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index

__all__ = ["RETRIEVERS", "Retriever", "Span"]

Span = tuple[str, int, int]


class Retriever(Protocol):
    """Made once a repository, asked once a query and budget."""

    def __init__(self, index: Index) -> None: ...

    def search(self, query: SearchQuery, budget: int) -> Sequence[Span]:
        """Spans in order of rank, of `budget` tokens at most."""


class Own:
    """`find_evidence`, as a judge is served."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def search(self, query: SearchQuery, budget: int) -> Sequence[Span]:
        """The passages, best first."""
        sau = Sau(query.id, query.repo, query.dimension or Dimension.D2, query.query)
        evidence = find_evidence(self.index, sau, RetrievalSettings(budget_tokens=budget))
        ranked = sorted(evidence.passages, key=lambda p: (-p.score, p.path, p.first))
        return [(passage.path, passage.first, passage.last) for passage in ranked]


class _Sparse:
    """BM25 over some unit of text, taken in order until the budget is full."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.spans = self.units(index)
        corpus = [words(self.text(span)) or ["\0"] for span in self.spans]
        self.model = bm25s.BM25(k1=1.2, b=0.75)
        if corpus:
            self.model.index(corpus, show_progress=False)
        self.known = {word for text in corpus for word in text}

    def units(self, index: Index) -> list[Span]:
        raise NotImplementedError

    def text(self, span: Span) -> str:
        path, first, last = span
        return f"{path}\n" + "\n".join(self.index.lines(path)[first - 1 : last])

    def search(self, query: SearchQuery, budget: int) -> Sequence[Span]:
        """The units in order of their score; the last one is cut to fit."""
        tokens = [word for word in words(query.query) if word in self.known]
        if not tokens or not self.spans:
            return []
        scores = self.model.get_scores(tokens)
        chosen: list[Span] = []
        left = budget
        for number in np.argsort(-scores, kind="stable").tolist():
            if scores[number] <= 0 or left <= 0:
                break
            span = fitting(self.index, self.spans[number], left)
            if span is None:
                break
            chosen.append(span)
            left -= cost(self.index, span)
        return chosen


class Chunks(_Sparse):
    """This project's chunks, ranked by plain BM25 over split identifiers."""

    def units(self, index: Index) -> list[Span]:
        return [(chunk.path, chunk.first, chunk.last) for chunk in index.chunks]


class Windows(_Sparse):
    """Windows of forty lines."""

    def units(self, index: Index) -> list[Span]:
        spans: list[Span] = []
        for file in index.repository.files:
            count = len(index.lines(file.path))
            spans.extend(
                (file.path, first, min(first + 39, count)) for first in range(1, count + 1, 40)
            )
        return spans


class Files(_Sparse):
    """Whole files."""

    def units(self, index: Index) -> list[Span]:
        return [(file.path, 1, len(index.lines(file.path))) for file in index.repository.files]


HEADER_TOKENS = 12


def cost(index: Index, span: Span) -> int:
    """Estimated tokens of a span with its line numbers and its own header line."""
    path, first, last = span
    start = index.line_number(path, first)
    return int(index.line_cost[start + last - first + 1] - index.line_cost[start]) + HEADER_TOKENS


def fitting(index: Index, span: Span, budget: int) -> Span | None:
    """A span cut at its end to fit a budget; `None` where not a line of it does."""
    path, first, last = span
    while last >= first and cost(index, (path, first, last)) > budget:
        last -= 1
    return (path, first, last) if last >= first else None


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


def words(text: str) -> list[str]:
    """Lower-case words and numbers, identifiers split."""
    return [word.lower() for word in _WORD.findall(text)]


RETRIEVERS: dict[str, Callable[[Index], Retriever]] = {
    "sau-judge": Own,
    "bm25-chunks": Chunks,
    "bm25-windows-40": Windows,
    "bm25-files": Files,
}
