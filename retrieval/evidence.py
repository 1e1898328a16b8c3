"""What the judge is shown for one claim, packed into a token budget."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from benchmark import Dimension, Sau
from retrieval.facts import matching_facts
from retrieval.index import Index
from retrieval.overview import ordered_calls, repository_map
from retrieval.packing import Costs, Packer, group_chunks
from retrieval.postings import Floats
from retrieval.query import Query, query_of
from retrieval.ranking import Ranking, RankingWeights, rank
from retrieval.tokens import estimate_tokens
from retrieval.values import Evidence, Passage, Role, Searched

__all__ = ["RetrievalSettings", "estimate_tokens", "find_evidence", "find_passages", "frame_tokens"]


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
    """

    budget_tokens: int = 4000
    map_tokens: int = 800
    max_facts: int = 24
    max_call_lines: int = 12
    weights: RankingWeights = field(default_factory=RankingWeights)

    def __post_init__(self) -> None:
        for name in ("budget_tokens", "map_tokens"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative, not {getattr(self, name)}")


FRAME_TOKENS = 155
"""Of the question's fixed words and fences."""

# Shares of the budget that extras may take from the lines themselves.
_FACTS_SHARE = 0.06
_CALLS_SHARE = 0.15


def find_evidence(index: Index, sau: Sau, settings: RetrievalSettings) -> Evidence:
    """Choose what is shown for a claim.

    When all code and configuration fits the budget, all of it is shown, whatever the claim.
    """
    query = query_of(sau)
    ranking = rank(index, query, settings.weights)
    budget = settings.budget_tokens
    searched = _searched(index, query)
    spent = frame_tokens(sau) + sum(_searched_cost(row) for row in searched)
    calls: tuple[str, ...] = ()
    if sau.dimension is Dimension.D4:
        lines = ordered_calls(index, _best_symbols(index, ranking), settings.max_call_lines)
        calls = _fitting_calls(lines, min(_CALLS_SHARE * budget, budget - spent))
        spent += sum(map(estimate_tokens, calls))
    left = float(budget - spent)
    costs = Costs.numbered(index)
    whole = costs.whole <= max(0, left)
    if whole:
        chosen = index.code_chunks.tolist()
        left -= costs.whole
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
    passages = _passages(index, query, ranking, chosen)
    shown = {passage.path for passage in passages}
    return Evidence(
        passages=passages,
        repository_map=repository_map(index, settings.map_tokens),
        facts=tuple(index.facts[number] for number in facts),
        calls=calls,
        searched=searched,
        complete=whole and not index.unshown,
        omitted=(*index.unshown, *(path for path in index.code_paths if path not in shown)),
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
    if costs.whole > budget:
        packer = Packer(index, ranking.score, _worth(index, ranking, weights), costs)
        packer.fill(budget)
        chosen = packer.chosen
    return _passages(index, query, ranking, chosen)


def frame_tokens(sau: Sau) -> int:
    """What a question takes before any evidence: its fixed words, the claim and its source."""
    return FRAME_TOKENS + _text_cost(sau.claim) + _text_cost(sau.source)


_text_cost = lru_cache(maxsize=16384)(estimate_tokens)


def _worth(index: Index, ranking: Ranking, weights: RankingWeights) -> Floats:
    return ranking.score / index.cost_power(weights.length)


def _searched_cost(row: Searched) -> int:
    return _text_cost(row.term) + 6


def _fitting_calls(lines: Sequence[str], budget: float) -> tuple[str, ...]:
    """The first lines that fit; the best function's calls stand first."""
    kept: list[str] = []
    for line in lines:
        budget -= estimate_tokens(line)
        if budget < 0:
            break
        kept.append(line)
    return tuple(kept)


def _unshown_facts(
    index: Index, facts: Sequence[int], chosen: Sequence[int], budget: float
) -> list[int]:
    """The facts that fit and tell more than the lines that are shown anyway."""
    shown = set(chosen)
    kept: list[int] = []
    for number in facts:
        fact = index.facts[number]
        chunk = int(index.chunk_of_line[index.line_number(fact.path, fact.line)])
        if chunk in shown and fact.reached is not False:
            continue
        cost = index.fact_costs[number]
        if cost <= budget:
            kept.append(number)
            budget -= cost
    return kept


def _passages(
    index: Index, query: Query, ranking: Ranking, chosen: list[int]
) -> tuple[Passage, ...]:
    """The chosen chunks as passages; neighbours with nothing but blank lines between are one."""
    groups = group_chunks(index, chosen)
    best = [max(group, key=lambda number: (ranking.score[number], -number)) for group in groups]
    reasons = _reasons(index, query, ranking, best)
    return tuple(
        _passage(index, ranking, group, number, reasons[number])
        for group, number in zip(groups, best, strict=True)
    )


def _passage(
    index: Index, ranking: Ranking, group: list[int], best: int, why: tuple[str, ...]
) -> Passage:
    first, last = index.chunks[group[0]], index.chunks[group[-1]]
    states = {index.chunks[number].reached for number in group}
    file = index.file(first.path)
    return Passage(
        path=first.path,
        first=first.first,
        last=last.last,
        text="\n".join(index.lines(first.path)[first.first - 1 : last.last]),
        header=first.header,
        symbol=index.chunks[best].symbol,
        reached=states.pop() if len(states) == 1 else (True if True in states else None),
        role=file.role if file is not None else Role.CODE,
        score=round(float(ranking.score[best]), 4),
        why=why,
    )


_REASONS = 4


def _reasons(
    index: Index, query: Query, ranking: Ranking, numbers: list[int]
) -> dict[int, tuple[str, ...]]:
    """What brought each chunk here: the words and values that weigh most, and its neighbours."""
    is_asked = np.zeros(len(index.chunks), np.bool_)
    is_asked[numbers] = True
    found = ranking.found
    at = np.flatnonzero(is_asked[found.item])
    position, item = found.position[at], found.item[at]
    weight = (found.weight[at] * query.weights[position]).round(4)
    order = np.lexsort((position, -weight, item))
    item = item[order]
    # The place of each term among those of its chunk: only the first few are told.
    place = np.arange(len(item)) - np.searchsorted(item, item)
    told = place < 2 * _REASONS
    terms: dict[int, list[str]] = {number: [] for number in numbers}
    for number, where in zip(item[told].tolist(), position[order][told].tolist(), strict=True):
        terms[number].append(query.names[where])
    reasons: dict[int, tuple[str, ...]] = {}
    for number in numbers:
        words = _written(query, (term for term in terms[number] if term[0] != "#"))[:_REASONS]
        values = _written(query, (term for term in terms[number] if term[0] == "#"))
        why = []
        if words:
            why.append("words: " + ", ".join(words))
        if values:
            why.append("values: " + ", ".join(values))
        if ranking.score[number] > 2 * ranking.own[number]:
            why.append("calls, continues or is called by a match")
        reasons[number] = tuple(why)
    return reasons


def _written(query: Query, terms: Iterable[str]) -> list[str]:
    """What the claim says where terms come from: several may come from one of its words."""
    return list(dict.fromkeys(query.written[term] for term in terms))


def _searched(index: Index, query: Query) -> tuple[Searched, ...]:
    """In how many lines of code and of prose each name and value of the claim stands."""
    found: list[Searched] = []
    for sought in query.sought:
        # Readings of one value hardly ever share a line, so that adding them up is right.
        counts = [index.postings.counts(term) for term in sought.terms]
        found.append(Searched(sought.label, sum(c for c, _ in counts), sum(p for _, p in counts)))
    return tuple(found)


def _best_symbols(index: Index, ranking: Ranking) -> list[str]:
    """Keys of the functions of the best chunks, best first."""
    order = np.argsort(-ranking.score, kind="stable")[:60]
    keys: dict[str, None] = {}
    for number in order.tolist():
        if ranking.score[number] <= 0:
            break
        chunk = index.chunks[number]
        symbol = index.symbol_at(chunk.path, chunk.first)
        if symbol is not None:
            keys[symbol.key] = None
    return list(keys)
