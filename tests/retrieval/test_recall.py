"""Recall does not slip: the deciding lines of the built-in suite are among those that are shown.

The suite's repositories are small, so the budgets are too: few repositories fit one whole. The
floors lie a little below what was measured when this was written.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from benchmark import Dimension
from judge.retrieval_bench.measure import measure
from judge.retrieval_bench.queries import SearchQuery
from judge.retrieval_bench.retrievers import Counted, Own, Reference
from retrieval.index import Index
from retrieval.reading import read_repository

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"


@cache
def claims() -> dict[str, tuple[str, Dimension]]:
    found = {}
    for path in sorted(SUITE.glob("papers/*/sau.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        for dimension in Dimension:
            for row in document[dimension.value]:
                found[row["id"]] = (row["claim"], dimension)
    return found


@cache
def queries() -> tuple[SearchQuery, ...]:
    made = []
    for path in sorted(SUITE.glob("labels/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            if not label["lines"]:
                continue
            claim, dimension = claims()[label["sau"]]
            made.append(
                SearchQuery(
                    f"{label['submission']} {label['sau']}",
                    dimension.value,
                    label["submission"],
                    claim,
                    dimension,
                    tuple((place, first, last) for place, first, last in label["lines"]),
                )
            )
    return tuple(made)


def load(submission: str) -> Index:
    return Index.build(read_repository(SUITE / "submissions" / submission / "repo"))


@cache
def recall(budget: int, counted: Counted) -> dict[str, float]:
    results = measure(queries(), load, {"own": Own, "reference": Reference}, [budget])
    return {
        name: sum(r.recall for r in results if r.retriever == name and r.counted is counted)
        / len(queries())
        for name in ("own", "reference")
    }


@pytest.mark.parametrize(
    ("counted", "budget", "floor"),
    [
        (Counted.QUESTION, 1000, 0.82),
        (Counted.QUESTION, 1500, 0.933),
        (Counted.QUESTION, 2000, 0.967),
        (Counted.PASSAGES, 500, 0.80),
        (Counted.PASSAGES, 1000, 0.938),
    ],
)
def test_the_deciding_lines_are_shown(counted: Counted, budget: int, floor: float) -> None:
    assert recall(budget, counted)["own"] >= floor


def test_two_windows_are_left_behind() -> None:
    found = recall(1000, Counted.QUESTION)
    assert found["own"] > found["reference"] + 0.2
