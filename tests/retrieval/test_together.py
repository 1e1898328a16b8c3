"""Claims that are expected together are shown what each is shown by itself."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, Sau
from benchmark.readers import load_benchmark
from retrieval.evidence import RetrievalSettings, expect_claims, find_evidence, find_passages
from retrieval.index import Index
from retrieval.query import Query, query_of
from retrieval.ranking import RankingWeights
from retrieval.reading import read_repository
from retrieval.together import Foreseen, Together, together

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"
SETTINGS = RetrievalSettings(budget_tokens=900)
CLAIMS = [
    *next(paper for paper in load_benchmark(SUITE / "papers").papers if paper.id == "ddpm").saus,
    Sau("one", "ddpm", Dimension.D1, "x"),
    Sau("none", "ddpm", Dimension.D2, "zyzzyva"),
    Sau(
        "values", "ddpm", Dimension.D1, "1e-4, 2e-5, 0.9, 0.99, 128, 256, 512; 64; 32; 16; 8; 4; 3"
    ),
    Sau(
        "steps",
        "ddpm",
        Dimension.D4,
        "; ".join(
            f"({number}) then the model predicts noise, loss {number}" for number in range(20)
        ),
    ),
]


@pytest.fixture(scope="module")
def index() -> Index:
    root = SUITE / "submissions/faithful/ddpm/repo"
    return Index.build(read_repository(root))


def alone(index: Index, claims: Sequence[Sau]) -> list[Any]:
    expect_claims(index, ())
    return [find_evidence(index, claim, SETTINGS) for claim in claims]


@pytest.mark.parametrize("size", [1, 2, 7, 32])
def test_evidence_is_the_same_whether_claims_were_expected_or_not(index: Index, size: int) -> None:
    wanted = alone(index, CLAIMS)
    rankings, scores = index.rankings, index.fact_scores
    index.rankings, index.fact_scores = Foreseen(size), Foreseen(size)
    try:
        expect_claims(index, CLAIMS)
        assert [find_evidence(index, claim, SETTINGS) for claim in CLAIMS] == wanted
    finally:
        index.rankings, index.fact_scores = rankings, scores


@settings(max_examples=30, deadline=None)
@given(
    expected=st.lists(st.sampled_from(CLAIMS), max_size=9),
    asked=st.lists(st.sampled_from(CLAIMS), max_size=9),
)
def test_claims_may_be_asked_in_any_order_again_or_never(
    index: Index, expected: list[Sau], asked: list[Sau]
) -> None:
    wanted = alone(index, asked)
    expect_claims(index, expected)
    assert [find_evidence(index, claim, SETTINGS) for claim in asked] == wanted


def test_other_weights_and_budgets_are_told_apart(index: Index) -> None:
    other = RankingWeights(part=0, mean=0, group=0, file=0, folder=0, value=0)
    wanted = alone(index, CLAIMS)
    passages = [find_passages(index, claim, 300, other) for claim in CLAIMS]
    fewer = replace(SETTINGS, max_facts=2)
    few = [find_evidence(index, claim, fewer) for claim in CLAIMS]
    expect_claims(index, CLAIMS)
    for claim, shown, passed, less in zip(CLAIMS, wanted, passages, few, strict=True):
        assert find_passages(index, claim, 300, other) == passed
        assert find_evidence(index, claim, SETTINGS) == shown
        assert find_evidence(index, claim, fewer) == less


def test_an_empty_repository_can_be_asked_many_claims(tmp_path: Path) -> None:
    index = Index.build(read_repository(tmp_path))
    expect_claims(index, CLAIMS)
    assert all(not find_evidence(index, claim, SETTINGS).passages for claim in CLAIMS)


def test_a_block_that_fails_costs_no_claim_but_the_one_at_fault() -> None:
    queries = [query_of(claim) for claim in CLAIMS[:4]]
    bad = queries[2]

    def make(block: Together) -> list[str]:
        if bad in block.queries:
            raise ValueError("no such thing")
        return [query.parts[0].text for query in block.queries]

    foreseen: Foreseen[str] = Foreseen(4)
    foreseen.expect(queries)
    for query in queries:
        if query is bad:
            with pytest.raises(ValueError, match="no such thing"):
                foreseen.take("", query, make)
        else:
            assert foreseen.take("", query, make) == query.parts[0].text


def counting(calls: list[int]) -> Callable[[Together], list[Query]]:
    def make(block: Together) -> list[Query]:
        calls.append(len(block.queries))
        return list(block.queries)

    return make


def test_no_more_than_a_block_is_worked_out_ahead() -> None:
    queries = [query_of(claim) for claim in CLAIMS[:7]]
    foreseen: Foreseen[Query] = Foreseen(3)
    foreseen.expect(queries)
    calls: list[int] = []
    for query in queries:
        assert foreseen.take("", query, counting(calls)) is query
    assert calls == [3, 3, 1]


def test_terms_of_parts_stand_in_the_order_of_the_claim() -> None:
    block = together(tuple(query_of(claim) for claim in CLAIMS))
    for query, first, last in zip(
        block.queries, block.part_starts, block.part_starts[1:], strict=False
    ):
        several = query.parts if len(query.parts) > 1 else ()
        assert last - first == len(several)
        for number, part in enumerate(several, int(first)):
            at = block.part_names[block.part == number]
            assert (at[1:] > at[:-1]).all()
            named = {block.terms[block.names[name]] for name in at}
            assert named == {term for term, _ in part.terms} & set(query.names)


def test_an_index_goes_when_it_is_let_go() -> None:
    """While it is made the cycle collector rests, so that nothing may be left to it."""
    repository = read_repository(SUITE / "submissions/faithful/ddpm/repo")
    gc.collect()
    gc.disable()
    try:
        index = Index.build(repository)
        assert not gc.isenabled()
        expect_claims(index, CLAIMS)
        for claim in CLAIMS:
            find_evidence(index, claim, SETTINGS)
        del index
        assert gc.collect() == 0
    finally:
        gc.enable()
    Index.build(repository)
    assert gc.isenabled()
