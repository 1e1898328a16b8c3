"""What the judge is shown for one claim, packed into a token budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from benchmark import Dimension, Sau
from retrieval.facts import matching_facts
from retrieval.index import Index
from retrieval.overview import cut_calls, ordered_calls, repository_map
from retrieval.packing import Costs, Packer, group_chunks
from retrieval.postings import Floats
from retrieval.query import Query, query_of
from retrieval.ranking import Ranking, RankingWeights, rank
from retrieval.tokens import estimate_tokens
from retrieval.values import Evidence, Passage, Searched

__all__ = [
    "RetrievalSettings",
    "estimate_tokens",
    "expect_claims",
    "find_evidence",
    "find_passages",
    "frame_tokens",
]


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """How much is shown, and how it is chosen.

    Attributes:
        budget_tokens: Of the whole question: numbered lines with their heads, facts, calls, what
            was searched for, the names of what is left out, and the claim itself. By estimate; a
            claim that takes more is shown all the same.
        map_tokens: Of the repository map, which comes on top.
        max_facts: Facts shown at most.
        max_call_lines: Functions whose calls are listed, for ordering claims.
        weights: How ranking signals are put together.
        reasons: Say of each passage what brought it here, for people; a judge is not told.
    """

    budget_tokens: int = 4000
    map_tokens: int = 800
    max_facts: int = 24
    max_call_lines: int = 12
    weights: RankingWeights = field(default_factory=RankingWeights)
    reasons: bool = False

    def __post_init__(self) -> None:
        for name in ("budget_tokens", "map_tokens"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative, not {getattr(self, name)}")


FRAME_TOKENS = 155
"""Of the question's fixed words and fences."""

# Shares of the budget that extras may take from the lines themselves.
_FACTS_SHARE = 0.06
_CALLS_SHARE = 0.15


def expect_claims(index: Index, saus: Sequence[Sau]) -> None:
    """Say which claims evidence will be asked for, in order, so that they are ranked together.

    What is found is the same, in less time.
    """
    queries = []
    for sau in saus:
        with suppress(Exception):  # it will be told where evidence for this claim is asked for
            queries.append(query_of(sau))
    index.rankings.expect(queries)
    index.fact_scores.expect(queries)


def find_evidence(index: Index, sau: Sau, settings: RetrievalSettings) -> Evidence:
    """Choose what is shown for a claim.

    When all code and configuration fits the budget, all of it is shown, whatever the claim; where
    it only fits without blank lines, comments and docstrings, it is shown without them, as
    excerpts are.
    """
    query = query_of(sau)
    ranking = rank(index, query, settings.weights)
    budget = settings.budget_tokens
    searched = _searched(index, query)
    spent = frame_tokens(sau) + query.sought_cost
    calls: tuple[str, ...] = ()
    if sau.dimension is Dimension.D4:
        lines = ordered_calls(index, _best_symbols(index, ranking), settings.max_call_lines)
        calls = _fitting_calls(lines, min(_CALLS_SHARE * budget, budget - spent))
        spent += sum(map(_text_cost, calls))
    left = float(budget - spent)
    costs = Costs.numbered(index)
    size = _whole_size(costs, left)
    whole = size is not None
    if size is not None:
        chosen = index.code_chunks.tolist()
        left -= size
    else:
        packer = Packer(index, ranking.score, _worth(index, ranking, settings.weights), costs)
        reserve = _FACTS_SHARE * budget
        left = packer.fill(left - reserve - index.names_cost) + reserve
        chosen = packer.chosen
    matching = matching_facts(index, query, settings.max_facts)
    facts = _unshown_facts(index, matching, chosen, left)
    left -= sum(index.fact_costs[number] for number in facts)
    if not whole:
        left = packer.fill(left)
        facts = _unshown_facts(index, facts, packer.chosen, budget)
    folded = size != costs.whole
    told = query if settings.reasons else None
    passages = _passages(index, ranking, chosen, folded=folded, told=told)
    shown = {passage.path for passage in passages}
    paths = index.telling_paths if folded else index.code_paths
    return Evidence(
        passages=passages,
        repository_map=repository_map(index, settings.map_tokens),
        facts=tuple(index.facts[number] for number in facts),
        calls=calls,
        searched=searched,
        complete=whole and not index.unshown,
        omitted=(
            *index.unshown,
            *(path for path in paths if path not in shown),
        ),
        tokens=max(0, math.ceil(budget - left)),
    )


def find_passages(
    index: Index, sau: Sau, budget: float, weights: RankingWeights
) -> tuple[Passage, ...]:
    """The passages of `find_evidence` by themselves, within a budget that covers them alone.

    By this retrievers are compared: what is said around the passages is no merit or fault of a
    search.

    Args:
        index: The repository.
        sau: The claim.
        budget: In tokens, of the passages' heads and source, without line numbers.
        weights: How ranking signals are put together.
    """
    query = query_of(sau)
    ranking = rank(index, query, weights)
    costs = Costs.bare(index)
    chosen = index.code_chunks.tolist()
    size = _whole_size(costs, budget)
    if size is None:
        packer = Packer(index, ranking.score, _worth(index, ranking, weights), costs)
        packer.fill(budget)
        chosen = packer.chosen
    return _passages(index, ranking, chosen, folded=size != costs.whole)


def _whole_size(costs: Costs, budget: float) -> float | None:
    """What all code and configuration takes, as far as it can be shown; `None` if it cannot."""
    return next((size for size in (costs.whole, costs.folded) if size <= max(0, budget)), None)


def frame_tokens(sau: Sau) -> int:
    """What a question takes before any evidence: its fixed words, the claim and its source."""
    return FRAME_TOKENS + _text_cost(sau.claim) + _text_cost(sau.source)


_text_cost = lru_cache(maxsize=16384)(estimate_tokens)


def _worth(index: Index, ranking: Ranking, weights: RankingWeights) -> Floats:
    return ranking.score / index.cost_power(weights.length)


def _fitting_calls(lines: Sequence[str], budget: float) -> tuple[str, ...]:
    """The first lines that fit, and the beginning of the next; the best function stands first."""
    kept: list[str] = []
    for line in lines:
        cost = _text_cost(line)
        if cost > budget:
            if begun := cut_calls(line, budget):
                kept.append(begun)
            break
        budget -= cost
        kept.append(line)
    return tuple(kept)


def _unshown_facts(
    index: Index, facts: Sequence[int], chosen: Sequence[int], budget: float
) -> list[int]:
    """The facts that fit and tell more than the lines that are shown anyway."""
    if not facts:
        return []
    shown = set(chosen)
    kept: list[int] = []
    chunks, costs = index.fact_chunks, index.fact_costs
    for number in facts:
        if chunks[number] in shown and index.facts[number].reached is not False:
            continue
        cost = costs[number]
        if cost <= budget:
            kept.append(number)
            budget -= cost
    return kept


def _passages(
    index: Index, ranking: Ranking, chosen: list[int], *, folded: bool, told: Query | None = None
) -> tuple[Passage, ...]:
    """The chosen chunks as passages; neighbours with nothing but blank lines between are one.

    Args:
        index: The repository.
        ranking: The ranking of its chunks.
        chosen: The chunks.
        folded: Leave out what does nothing.
        told: The query, where reasons are to be given.
    """
    groups = group_chunks(index, chosen)
    spans = index.whole_spans
    if folded:
        spans = index.spans
        groups = [group for group in groups if index.chunk_lines[group].any()]
    scores = ranking.score.tolist()
    # Of equal ones the first: chunks stand in order.
    best = [group[0] if len(group) == 1 else max(group, key=scores.__getitem__) for group in groups]
    nothing: Sequence[tuple[str, ...]] = [()] * len(best)
    reasons = nothing if told is None else _reasons(index, told, ranking, best)
    chunks, passages = index.chunks, []
    for group, number, why in zip(groups, best, reasons, strict=True):
        span = spans.between(group[0], group[-1])
        passages.append(
            Passage(
                span.path, span.first, span.last, span.text, span.header,
                chunks[number].symbol, span.reached, span.role, round(scores[number], 4), why,
                span.folded,
            )
        )  # fmt: skip
    return tuple(passages)


_REASONS = 4
_TEN_THOUSAND = np.float32(10_000)
_HEAVIEST = 1 << 31


def _reasons(
    index: Index, query: Query, ranking: Ranking, numbers: list[int]
) -> list[tuple[str, ...]]:
    """What brought each chunk here: the words and values that weigh most, and its neighbours.

    Args:
        index: The repository.
        query: What was searched for.
        ranking: Its ranking.
        numbers: The chunks, in order.
    """
    count = len(numbers)
    own = np.array(numbers, np.int64)
    found = ranking.found
    # One number for chunk, weight and term sorts by all three.
    place_of = np.full(len(index.chunks), -1, np.int64)
    place_of[own] = places = np.arange(count) << 40
    place = place_of[found.item]
    at = (place >= 0).nonzero()[0]
    position = found.position[at]
    weight = np.rint(found.weight[at] * query.weights[position] * _TEN_THOUSAND).astype(np.int64)
    key = place[at] + (_HEAVIEST - weight << 8) + position
    key.sort()
    bounds = [*key.searchsorted(places).tolist(), len(key)]
    terms = (key & 255).astype(np.uint8).tobytes()
    lent = (ranking.score[own] > 2 * ranking.own[own]).tolist()
    written, is_value, tells_values = query.told, query.value_flags, bool(query.values)
    reasons: list[tuple[str, ...]] = []
    for number, begin in enumerate(bounds[:-1]):
        # What the claim says where terms come from: several may come from one of its words.
        words: dict[str, None] = {}
        values: dict[str, None] = {}
        for term in terms[begin : min(bounds[number + 1], begin + 2 * _REASONS)]:
            if is_value[term]:
                values[written[term]] = None
            else:
                words[written[term]] = None
        why = []
        if words:
            why.append("words: " + ", ".join([*words][:_REASONS]))
        if values and tells_values:
            why.append("values: " + ", ".join(values))
        if lent[number]:
            why.append("calls, continues or is called by a match")
        reasons.append(tuple(why))
    return reasons


def _searched(index: Index, query: Query) -> tuple[Searched, ...]:
    """In how many lines of code and of prose each name and value of the claim stands."""
    found: list[Searched] = []
    counts = index.postings.counts
    for sought in query.sought:
        code = prose = 0
        # Readings of one value hardly ever share a line, so that adding them up is right.
        for term in sought.terms:
            more_code, more_prose = counts(term)
            code += more_code
            prose += more_prose
        found.append(Searched(sought.label, code, prose))
    return tuple(found)


def _best_symbols(index: Index, ranking: Ranking) -> list[str]:
    """Keys of the functions of the best chunks, best first."""
    order = np.argsort(-ranking.score, kind="stable")[:60]
    keys: dict[str, None] = {}
    symbols = index.chunk_symbols
    for number in order[ranking.score[order] > 0].tolist():
        if (key := symbols[number]) is not None:
            keys[key] = None
    return list(keys)
