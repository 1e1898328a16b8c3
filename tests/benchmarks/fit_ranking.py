"""Fitting what the ranking is corrected by; no test, it writes `retrieval/ranking.json`.

    python -m tests.benchmarks.fit_ranking --queries queries.jsonl --repos repos \
        [--test other.jsonl other_repos]... [--out retrieval/ranking.json]

Queries are as for `python -m benchmark retrieval`, and should be claims. Printed is the recall of
gold lines in passages with and without the correction, with papers held out in four folds (the
paper is what follows `__` in the repository's name), and of the sets to test on: no query on their
repositories is fitted on. Without --out nothing is written. Two or three minutes of one core.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from judge.retrieval_bench.measure import gold_lines
from judge.retrieval_bench.queries import SearchQuery, read_queries
from judge.retrieval_bench.retrievers import question_of
from retrieval.correction import FEATURES, Candidates, parse, trust
from retrieval.index import Index
from retrieval.packing import Costs, Packer
from retrieval.postings import Floats
from retrieval.query import query_of
from retrieval.ranking import RankingWeights, best_candidates, rank
from retrieval.reading import read_repository
from retrieval.together import together
from tests.benchmarks.symmetric_trees import Lists, Tree, fit_trees

BUDGETS = (2000, 4000, 8000)
FOLDS = 4
TREES = 120
_SHARPNESS = 2.0  # what the logarithm of a score counts for before any tree
_SHARE = 0.9  # of what the trees say is used: more lost on other sets at 8,000 tokens
_HEAD_TOKENS = 20.0  # of the line above a passage
_PLAIN = RankingWeights(fitted=0.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """One query with what the model is told, and what is needed to pack.

    Attributes:
        query: The query.
        index: Its repository.
        score: Of each chunk, without any correction.
        found: The candidates.
        gold: How many gold lines each chunk holds.
        total: How many there are.
        trusted: How far a model is trusted with it.
    """

    query: SearchQuery
    index: Index
    score: Floats
    found: Candidates
    gold: Floats
    total: int
    trusted: Floats

    @property
    def paper(self) -> str:
        """The paper of its repository."""
        return self.query.repo.rpartition("__")[2]


def ask(path: Path, repos: Path, without: Collection[str] = ()) -> list[Asked]:
    """Search for all queries of a file, those on some repositories aside."""
    by_repo: defaultdict[str, list[SearchQuery]] = defaultdict(list)
    for query in read_queries(path):
        if query.repo not in without:
            by_repo[query.repo].append(query)
    asked = []
    for repo in sorted(by_repo):
        index = Index.build(read_repository(repos / repo))
        if not index.chunks:
            continue
        for query in by_repo[repo]:
            own = query_of(question_of(query))
            lines = {index.line_number(*place) for place in gold_lines(index, query)[1]}
            chunks = index.chunk_of_line[sorted(lines)]
            gold = np.bincount(chunks[chunks >= 0], minlength=len(index.chunks))
            asked.append(
                Asked(
                    query, index, rank(index, own, _PLAIN).score,
                    best_candidates(index, own, _PLAIN), gold.astype(np.float64),
                    max(1, len(lines)), trust(index, together((own,))),
                )
            )  # fmt: skip
    return asked


def lists_of(asked: Sequence[Asked]) -> Lists:
    """What is fitted on: candidates that match at all, where some hold gold lines."""
    features, shares, tokens, starts, sizes = [], [], [], [], []
    for one in asked:
        chunk = one.found.chunk[0]
        matching = one.score[chunk] > 0
        chunk = chunk[matching]
        if not one.gold[chunk].any():
            continue
        features.append(one.found.features[:, matching])
        shares.append(one.gold[chunk] / one.total)
        tokens.append(_HEAD_TOKENS + np.maximum(Costs.bare(one.index).lines[chunk], 0))
        score = one.score[chunk]
        starts.append(_SHARPNESS * np.log(np.maximum(score / score.max(), 1e-3)))
        sizes.append(len(chunk))
    return Lists(
        np.concatenate(features, axis=1),
        np.concatenate(shares),
        np.concatenate(tokens),
        np.concatenate(starts),
        np.concatenate(([0], np.cumsum(sizes))),
    )


def record_of(trees: Sequence[Tree]) -> dict[str, Any]:
    """The model as it is shipped: whole numbers, of features that some tree asks for."""
    used = sorted({feature for tree in trees for feature, _ in tree.splits})
    return {
        "features": [FEATURES[feature] for feature in used],
        "unit": _SHARE / _SHARPNESS / 1000,
        "trees": [
            {
                "splits": [[used.index(feature), above] for feature, above in tree.splits],
                "values": [round(float(value) * 1000) for value in tree.values],
            }
            for tree in trees
        ],
    }


def fit(asked: Sequence[Asked]) -> dict[str, Any]:
    """The model of some queries, as it is shipped."""
    return record_of(fit_trees(lists_of(asked), TREES))


def recalls(asked: Sequence[Asked], record: dict[str, Any] | None) -> list[list[float]]:
    """For each query the share of its gold lines in passages, at each budget."""
    model = None if record is None else parse(record)
    found = []
    for one in asked:
        index, score = one.index, one.score
        if model is not None:
            factors = model.factors(one.found, one.trusted, len(score))
            score = (score * factors[0]).round(5)
        costs = Costs.bare(index)
        row = []
        for budget in BUDGETS:
            chosen = index.code_chunks.tolist()
            if costs.folded > budget:
                packer = Packer(index, score, score / index.cost_power(_PLAIN.length), costs)
                packer.fill(budget)
                chosen = packer.chosen
            row.append(float(one.gold[chosen].sum()) / one.total)
        found.append(row)
    return found


def show(name: str, before: list[list[float]], after: list[list[float]]) -> None:
    """Print both, and the difference."""
    plain, fitted = np.mean(before, axis=0), np.mean(after, axis=0)
    pairs = zip(plain.tolist(), fitted.tolist(), strict=True)
    figures = "  ".join(f"{old:.3f} to {new:.3f} ({new - old:+.3f})" for old, new in pairs)
    print(f"{name:28} {len(before):5} queries  {figures}")


def main() -> None:
    """Fit, show what held-out queries gain, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--test", type=Path, nargs=2, action="append", default=[])
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    tested = {query.repo for path, _ in options.test for query in read_queries(path)}
    asked = ask(options.queries, options.repos, tested)
    papers = sorted({one.paper for one in asked})
    fold = {paper: number % FOLDS for number, paper in enumerate(papers)}
    held: list[list[float]] = []
    plain: list[list[float]] = []
    for number in range(FOLDS):
        record = fit([one for one in asked if fold[one.paper] != number])
        test = [one for one in asked if fold[one.paper] == number]
        plain += recalls(test, None)
        held += recalls(test, record)
    show("papers held out", plain, held)
    record = fit(asked)
    for path, repos in options.test:
        sets: defaultdict[str, list[Asked]] = defaultdict(list)
        for one in ask(path, repos):
            sets[one.query.set].append(one)
        for name, own in sorted(sets.items()):
            show(name, recalls(own, None), recalls(own, record))
    if options.out is not None:
        text = json.dumps(record, separators=(",", ":")).replace('{"splits', '\n{"splits')
        options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
