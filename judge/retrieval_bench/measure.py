"""Gold-line recall, hit rate, reciprocal rank and tokens, with intervals by repository."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.retrieval_bench.queries import SearchQuery
from judge.retrieval_bench.retrievers import Counted, Retriever, Shown
from retrieval.index import Index

__all__ = [
    "FIGURES",
    "Measurement",
    "Result",
    "gold_lines",
    "mean_over_sets",
    "measure",
    "score_query",
]

FIGURES = ("recall", "all_lines", "hit", "reciprocal_rank", "tokens")

_RESAMPLES = 1000
_SEED = 20261129


@dataclass(frozen=True, slots=True)
class Result:
    """One query with one retriever at one budget.

    Attributes:
        query: The query's id.
        set: Its set.
        repo: Its repository.
        retriever: Who searched.
        counted: What the budget is of.
        budget: Tokens allowed.
        recall: Share of the gold lines shown; blank lines, comments and docstrings do not count.
        all_lines: The same with comments and docstrings.
        hit: Any gold line was shown.
        reciprocal_rank: 1 over the rank of the first span that holds a gold line, 0 for none.
        tokens: Of what is counted.
    """

    query: str
    set: str
    repo: str
    retriever: str
    counted: Counted
    budget: int
    recall: float
    all_lines: float
    hit: bool
    reciprocal_rank: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """The mean of one figure over the queries of a set, or over sets.

    Attributes:
        mean: The mean.
        low: Lower end of the 95 % interval, by resampling repositories.
        high: Its upper end.
        queries: How many queries.
        repositories: Of how many repositories.
    """

    mean: float
    low: float
    high: float
    queries: int
    repositories: int


def score_query(
    index: Index, query: SearchQuery, found: Shown, retriever: str, budget: int
) -> Result:
    """Compare what was shown with the gold lines."""
    every, gold = gold_lines(index, query)
    shown: set[tuple[str, int]] = set()
    rank = 0
    for position, (path, first, last) in enumerate(found.spans, 1):
        lines = {(path, line) for line in range(first, last + 1)} - found.left_out
        if not rank and not lines.isdisjoint(gold):
            rank = position
        shown |= lines
    hits = len(gold & shown)
    all_lines = len(every & shown) / len(every) if every else 0.0
    return Result(
        query.id, query.set, query.repo, retriever, found.counted, budget,
        hits / len(gold) if gold else 0.0, all_lines, hits > 0, 1 / rank if rank else 0.0,
        found.tokens,
    )  # fmt: skip


def gold_lines(
    index: Index, query: SearchQuery
) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
    """The gold lines that are not blank, and those of them that can decide anything.

    Comments and docstrings cannot; where a query has nothing else, they are asked for.
    """
    every = {
        (path, line)
        for path, first, last in query.gold
        for line in range(first, last + 1)
        if line <= len(index.lines(path)) and index.lines(path)[line - 1].strip()
    }
    idle = {(path, line) for path in {path for path, _ in every} for line in index.folded(path)}
    return every, (every - idle) or every


def measure(
    queries: Iterable[SearchQuery],
    load: Callable[[str], Index],
    retrievers: Mapping[str, Callable[[Index], Retriever]],
    budgets: Sequence[int],
) -> list[Result]:
    """Run every retriever on every query; a repository is indexed once.

    Args:
        queries: The queries.
        load: Reads and indexes a repository by its folder's name.
        retrievers: By name.
        budgets: In tokens; each is tried for what either way of counting counts.
    """
    by_repo: defaultdict[str, list[SearchQuery]] = defaultdict(list)
    for query in queries:
        by_repo[query.repo].append(query)
    results: list[Result] = []
    for repo in sorted(by_repo):
        index = load(repo)
        for name, make in retrievers.items():
            retriever = make(index)
            for query in by_repo[repo]:
                for counted, budget in itertools.product(Counted, budgets):
                    found = retriever.search(query, budget, counted)
                    results.append(score_query(index, query, found, name, budget))
    return results


def mean_over_sets(sets: Sequence[Sequence[Result]], figure: str) -> Measurement:
    """The mean over sets of the means over their queries; repositories are resampled in each."""
    means: list[float] = []
    samples: list[npt.NDArray[np.float64]] = []
    random = np.random.default_rng(_SEED)
    for results in sets:
        sums: defaultdict[str, list[float]] = defaultdict(list)
        for result in results:
            sums[result.repo].append(float(getattr(result, figure)))
        total = np.array([sum(values) for values in sums.values()])
        count = np.array([len(values) for values in sums.values()])
        means.append(float(total.sum() / count.sum()))
        picks = random.integers(0, len(total), size=(_RESAMPLES, len(total)))
        samples.append(total[picks].sum(axis=1) / count[picks].sum(axis=1))
    low, high = np.quantile(np.mean(samples, axis=0), [0.025, 0.975])
    return Measurement(
        float(np.mean(means)),
        float(low),
        float(high),
        sum(map(len, sets)),
        len({result.repo for results in sets for result in results}),
    )
