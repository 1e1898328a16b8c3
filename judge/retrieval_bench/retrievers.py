"""The retrievers that are measured: this project's own, and simple rivals on the same files."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from benchmark import Dimension, GraderError, Sau
from judge.retrieval_bench.queries import SearchQuery
from retrieval.evidence import (
    RetrievalSettings,
    find_evidence,
    find_passages,
    frame_tokens,
)
from retrieval.index import Index
from retrieval.ranking import RankingWeights
from retrieval.tokens import LINE_NUMBER_TOKENS, estimate_tokens
from retrieval.values import Passage, Role

__all__ = ["COUNTED", "RETRIEVERS", "Counted", "Recorded", "Retriever", "Shown", "Span"]

Span = tuple[str, int, int]


class Counted(StrEnum):
    """What a budget is of."""

    PASSAGES = "passages"
    QUESTION = "question"


COUNTED = {
    Counted.PASSAGES: (
        "source lines, and a line above each passage that names its place; no line numbers and "
        "nothing of the question around them"
    ),
    Counted.QUESTION: (
        "the whole question: numbered lines, a line above each passage, the claim, fences and "
        "fixed words; sau-judge pays for its facts, calls, searched terms and names of omitted "
        "files too"
    ),
}
"""What the tokens of a budget are; the same for every retriever."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a retriever shows for one query.

    Attributes:
        spans: In order of rank.
        tokens: Of what is counted.
        counted: What that is.
        left_out: Lines inside of spans that are not shown.
    """

    spans: Sequence[Span]
    tokens: int
    counted: Counted
    left_out: Set[tuple[str, int]] = frozenset()


class Retriever(Protocol):
    """Made once a repository, asked once a query, budget and way of counting."""

    def __init__(self, index: Index) -> None: ...

    def search(self, query: SearchQuery, budget: int, counted: Counted) -> Shown:
        """Spans in order of rank, whose counted tokens are `budget` at most."""


class Own:
    """`find_evidence`, as a judge is served, or its passages alone."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def search(self, query: SearchQuery, budget: int, counted: Counted) -> Shown:
        """The passages, best first."""
        if counted is Counted.QUESTION:
            settings = RetrievalSettings(budget_tokens=budget)
            evidence = find_evidence(self.index, question_of(query), settings)
            return _shown(evidence.passages, evidence.tokens, counted)
        weights = RankingWeights()
        passages = find_passages(self.index, question_of(query), budget, weights)
        tokens = sum(self._cost(passage) for passage in passages)
        return _shown(passages, math.ceil(tokens), counted)

    def _cost(self, passage: Passage) -> float:
        """Of the lines that are shown and the line above them."""
        head = _HEAD_TOKENS + estimate_tokens(passage.path) + estimate_tokens(passage.header)
        return head + sum(cost_of_lines(self.index, span) for span in _runs(passage))


def _shown(passages: Sequence[Passage], tokens: int, counted: Counted) -> Shown:
    ranked = sorted(passages, key=lambda p: (-p.score, p.path, p.first))
    left_out = {(passage.path, line) for passage in passages for line in passage.folded}
    spans = [(passage.path, passage.first, passage.last) for passage in ranked]
    return Shown(spans, tokens, counted, left_out)


def _runs(passage: Passage) -> Iterator[Span]:
    """A passage without the lines that it leaves out."""
    start = passage.first
    for line in (*passage.folded, passage.last + 1):
        if start < line:
            yield passage.path, start, line - 1
        start = line + 1


class _Sparse:
    """BM25 over some unit of text, taken in order until the budget is full."""

    def __init__(self, index: Index) -> None:
        try:
            import bm25s  # noqa: PLC0415 - wanted for rivals alone
        except ImportError as error:
            raise GraderError(
                "the rivals need the package bm25s. Install it in the project's folder: "
                "pip install '.[bench]'"
            ) from error
        logging.getLogger("bm25s").setLevel(logging.WARNING)
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

    def search(self, query: SearchQuery, budget: int, counted: Counted) -> Shown:
        """The units in order of their score; the last one is cut to fit."""
        tokens = [word for word in words(query.query) if word in self.known]
        ranked: list[Span] = []
        if tokens and self.spans:
            scores = self.model.get_scores(tokens)
            order = np.argsort(-scores, kind="stable").tolist()
            ranked = [self.spans[number] for number in order if scores[number] > 0]
        return filled(self.index, query, ranked, budget, counted)


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


class Recorded:
    """Spans that another program ranked, read from a file, taken in order until the budget is full.

    Args:
        index: The repository.
        spans: Ranked spans by the query's id.
    """

    def __init__(self, index: Index, spans: Mapping[str, Sequence[Span]]) -> None:
        self.index = index
        self.spans = spans

    def search(self, query: SearchQuery, budget: int, counted: Counted) -> Shown:
        """What fits of the recorded spans; the last one is cut."""
        inside: list[Span] = []
        for path, first, last in self.spans.get(query.id, ()):
            lines = len(self.index.lines(path))
            if first <= lines:
                inside.append((path, max(1, first), min(last, lines)))
        return filled(self.index, query, inside, budget, counted)


class Reference:
    """Two windows of eight lines, as the published scorer of SA-Bench shows its judge.

    Its method as its documents describe it, told anew: the claim's resolutions, numbers of two
    digits or more, capitalised phrases and longest words, then some fixed words of the dimension,
    fourteen at most; each is looked for as plain text, file by file, until fifty lines are found;
    code comes before configuration before prose, in the order of paths. Its windows depend on the
    order in which the file system lists files; here that is the order of paths. The budget does
    not matter to it.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self.lines = [
            (file.path, number, line.lower())
            for file in index.repository.files
            for number, line in enumerate(index.lines(file.path), 1)
        ]

    def search(self, query: SearchQuery, budget: int, counted: Counted) -> Shown:  # noqa: ARG002
        """The two windows."""
        hits: dict[tuple[str, int], None] = {}
        for needle in _needles(query):
            found = 0
            for path, number, line in self.lines:
                if needle in line:
                    hits[path, number] = None
                    found += 1
                    if found == _MOST_HITS:
                        break
        spans: list[Span] = []
        for path, number in sorted(hits, key=lambda hit: (self._rank(hit[0]), *hit)):
            if spans and spans[-1][0] == path and number <= spans[-1][2]:
                continue
            last = min(number + 4, len(self.index.lines(path)))
            spans.append((path, max(1, number - 3), last))
            if len(spans) == 2:
                break
        return shown(self.index, query, spans, counted)

    def _rank(self, path: str) -> int:
        file = self.index.file(path)
        order = {Role.CODE: 0, Role.CONFIG: 1, Role.DATA: 2, Role.DOC: 3, Role.TEST: 4}
        return order[file.role] if file is not None else 5


_MOST_HITS = 50
_MOST_NEEDLES = 14
_HINTS = {
    Dimension.D1: ("lr", "learning_rate", "batch", "epoch"),
    Dimension.D2: ("loss", "forward", "norm", "score"),
    Dimension.D3: ("dataset", "train", "eval", "metric"),
    Dimension.D4: ("pipeline", "phase", "trainer", "step"),
}


def _needles(query: SearchQuery) -> list[str]:
    """What the reference looks for, lower case, in its order."""
    text = query.query

    def found() -> Iterator[str]:
        for match in re.finditer(r"([0-9]{2,5})\s*[x×]\s*([0-9]{2,5})", text):
            yield from (f"{match[1]}x{match[2]}", match[1], match[2])
        yield from re.findall(r"(?<![A-Za-z])[0-9][0-9.]+(?:e-?[0-9]+)?(?![A-Za-z])", text)
        yield from re.findall(r"[A-Z]\w*(?:[- ][A-Z0-9]\w*){1,4}", text)
        long_words = re.findall(r"[A-Za-z][\w+-]{2,}", text)
        yield from sorted(long_words, key=lambda word: (-len(word), word))[:10]
        yield from _HINTS[query.dimension or Dimension.D2]

    return list(dict.fromkeys(needle.lower() for needle in found()))[:_MOST_NEEDLES]


_HEAD_TOKENS = 9


def question_of(query: SearchQuery) -> Sau:
    """The query as a claim."""
    return Sau(query.id, query.repo, query.dimension or Dimension.D2, query.query)


def cost(index: Index, span: Span, counted: Counted) -> float:
    """Estimated tokens of a span and a line above it that names it."""
    path, first, last = span
    lines = cost_of_lines(index, span)
    if counted is not Counted.PASSAGES:
        lines += LINE_NUMBER_TOKENS * (last - first + 1)
    return lines + _HEAD_TOKENS + estimate_tokens(path)


def cost_of_lines(index: Index, span: Span) -> float:
    """Estimated tokens of a span's lines without their numbers."""
    path, first, last = span
    start = index.line_number(path, first)
    count = last - first + 1
    lines = float(index.line_cost[start + count] - index.line_cost[start])
    return lines - LINE_NUMBER_TOKENS * count


def around(query: SearchQuery, counted: Counted) -> int:
    """Tokens of what stands around the passages, as far as they are counted."""
    return frame_tokens(question_of(query)) if counted is Counted.QUESTION else 0


def shown(index: Index, query: SearchQuery, spans: Sequence[Span], counted: Counted) -> Shown:
    """Spans and what they take."""
    lines = sum(cost(index, span, counted) for span in spans)
    return Shown(spans, around(query, counted) + math.ceil(lines), counted)


def filled(
    index: Index, query: SearchQuery, ranked: Sequence[Span], budget: int, counted: Counted
) -> Shown:
    """The first of some ranked spans, as many as fit; the last one is cut at its end."""
    chosen: list[Span] = []
    left = float(budget - around(query, counted))
    for path, first, last in ranked:
        end = last
        while end >= first and cost(index, (path, first, end), counted) > left:
            end -= 1
        if end < first:
            break
        chosen.append((path, first, end))
        left -= cost(index, chosen[-1], counted)
    return shown(index, query, chosen, counted)


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


def words(text: str) -> list[str]:
    """Lower-case words and numbers, identifiers split."""
    return [word.lower() for word in _WORD.findall(text)]


RETRIEVERS: dict[str, Callable[[Index], Retriever]] = {
    "sau-judge": Own,
    "bm25-chunks": Chunks,
    "bm25-windows-40": Windows,
    "bm25-files": Files,
    "reference": Reference,
}
