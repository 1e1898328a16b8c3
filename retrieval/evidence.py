"""What the judge is shown for one claim, packed into a token budget."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from benchmark import Dimension, Sau
from retrieval.facts import matching_facts
from retrieval.index import Index
from retrieval.overview import ordered_calls, repository_map
from retrieval.query import Query, query_of
from retrieval.ranking import Ranking, RankingWeights, rank
from retrieval.tokens import estimate_tokens
from retrieval.values import Evidence, Passage, Role, Searched

__all__ = ["RetrievalSettings", "estimate_tokens", "find_evidence"]


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """How much is shown, and how it is chosen.

    Attributes:
        budget_tokens: Of the passages' own text and one header line each. Printed line numbers
            come on top, about 3.5 tokens a line.
        map_tokens: Of the repository map.
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


_SHOWN_ROLES = frozenset({Role.CODE, Role.CONFIG})
_HEADER_TOKENS = 12  # of a passage's own first line: path, lines, header


def find_evidence(index: Index, sau: Sau, settings: RetrievalSettings) -> Evidence:
    """Choose what is shown for a claim.

    When all code and configuration fits the budget, all of it is shown, whatever the claim.
    """
    query = query_of(sau)
    ranking = rank(index, query, settings.weights)
    whole = _whole(index, settings.budget_tokens)
    chosen = whole if whole is not None else _pack(index, ranking, settings)
    passages = _passages(index, query, ranking, chosen)
    shown = {passage.path for passage in passages}
    calls: tuple[str, ...] = ()
    if sau.dimension is Dimension.D4:
        calls = ordered_calls(index, _best_symbols(index, ranking), settings.max_call_lines)
    return Evidence(
        passages=passages,
        repository_map=repository_map(index, settings.map_tokens),
        facts=matching_facts(index, query, settings.max_facts),
        calls=calls,
        searched=_searched(index, query),
        complete=whole is not None and not index.unseen,
        omitted=(*index.unseen, *(path for path in index.code_paths if path not in shown)),
        tokens=sum(_passage_cost(index, passage) for passage in passages),
    )


def _whole(index: Index, budget: int) -> list[int] | None:
    """All chunks of code and configuration, where they fit."""
    own = index.code_chunks
    cost = int(index.chunk_costs[own].sum()) + _HEADER_TOKENS * len(index.code_paths)
    return own.tolist() if cost <= budget else None


def _pack(index: Index, ranking: Ranking, settings: RetrievalSettings) -> list[int]:
    """Take chunks by value per token until the budget is full; prose only if room is left."""
    costs = index.chunk_costs
    worth = ranking.score / index.cost_power(settings.weights.length)
    candidates = np.flatnonzero(ranking.score > 0)
    order = candidates[np.lexsort((-worth[candidates].round(6), index.role_order[candidates]))]
    chosen: list[int] = []
    left = settings.budget_tokens
    least = int(costs[candidates].min()) if len(candidates) else 0
    gaps = [*index.gap_costs.tolist(), -1]
    taken: set[int] = set()
    for number, cost in zip(order.tolist(), costs[order].tolist(), strict=True):
        # What joins a passage needs no header of its own, but brings the blank lines between.
        needs = cost + _HEADER_TOKENS
        for neighbour, gap in ((number - 1, gaps[number]), (number + 1, gaps[number + 1])):
            if gap >= 0 and neighbour in taken:
                needs += gap - _HEADER_TOKENS
        if needs <= left:
            chosen.append(number)
            taken.add(number)
            left -= needs
            if left < least:
                break
    return chosen


def _passages(
    index: Index, query: Query, ranking: Ranking, chosen: list[int]
) -> tuple[Passage, ...]:
    """The chosen chunks as passages; neighbours with nothing but blank lines between are one."""
    groups: list[list[int]] = []
    for number in sorted(chosen):
        last = groups[-1][-1] if groups else -2
        if number == last + 1 and index.chunks[number].path == index.chunks[last].path:
            groups[-1].append(number)
        else:
            groups.append([number])
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
        words = [term for term in terms[number] if term[0] != "#"][:_REASONS]
        values = [term[1:] for term in terms[number] if term[0] == "#"]
        why = []
        if words:
            why.append("words: " + ", ".join(words))
        if values:
            why.append("values: " + ", ".join(values))
        if ranking.score[number] > 2 * ranking.own[number]:
            why.append("calls, continues or is called by a match")
        reasons[number] = tuple(why)
    return reasons


def _passage_cost(index: Index, passage: Passage) -> int:
    start = index.line_number(passage.path, passage.first)
    end = index.line_number(passage.path, passage.last)
    return int(index.line_cost[end + 1] - index.line_cost[start]) + _HEADER_TOKENS


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
