"""What the judge is shown for one claim, packed into a token budget."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from benchmark import Dimension, Sau
from retrieval.facts import matching_facts
from retrieval.index import Index
from retrieval.outline import LineKind
from retrieval.overview import ordered_calls, repository_map
from retrieval.query import Query, query_of
from retrieval.ranking import Ranking, RankingWeights, rank
from retrieval.tokens import estimate_tokens
from retrieval.values import Chunk, Evidence, Passage, Role, Searched

__all__ = ["RetrievalSettings", "estimate_tokens", "find_evidence"]


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """How much is shown, and how it is chosen.

    Attributes:
        budget_tokens: Of the passages.
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
        complete=whole is not None,
        omitted=tuple(path for path in index.code_paths if path not in shown),
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
    worth = ranking.score / np.power(np.maximum(costs, 8), settings.weights.length)
    order = np.lexsort((np.arange(len(costs)), -worth, index.role_order))
    chosen: list[int] = []
    left = settings.budget_tokens
    smallest = int(costs.min()) if len(costs) else 0
    taken: set[int] = set()
    for number in order.tolist():
        if ranking.score[number] <= 0:
            continue
        cost = int(costs[number]) + (
            0 if number - 1 in taken or number + 1 in taken else _HEADER_TOKENS
        )
        if cost <= left:
            chosen.append(number)
            taken.add(number)
            left -= cost
            if left < smallest:
                break
    return chosen


def _passages(
    index: Index, query: Query, ranking: Ranking, chosen: list[int]
) -> tuple[Passage, ...]:
    """The chosen chunks as passages: neighbours with nothing but blank lines between are one."""
    passages: list[Passage] = []
    group: list[int] = []
    for number in [*sorted(chosen), -1]:
        if group and (
            number < 0
            or not _adjacent(index.chunks[group[-1]], index.chunks[number], group[-1], number)
        ):
            passages.append(_passage(index, query, ranking, group))
            group = []
        group.append(number)
    return tuple(passages)


def _adjacent(one: Chunk, other: Chunk, left: int, right: int) -> bool:
    return right == left + 1 and one.path == other.path


def _passage(index: Index, query: Query, ranking: Ranking, group: list[int]) -> Passage:
    first, last = index.chunks[group[0]], index.chunks[group[-1]]
    best = max(group, key=lambda number: (float(ranking.score[number]), -number))
    text = "\n".join(index.lines(first.path)[first.first - 1 : last.last])
    states = {index.chunks[number].reached for number in group}
    file = index.file(first.path)
    return Passage(
        path=first.path,
        first=first.first,
        last=last.last,
        text=text,
        header=first.header,
        symbol=index.chunks[best].symbol,
        reached=states.pop() if len(states) == 1 else (True if True in states else None),
        role=file.role if file is not None else Role.CODE,
        score=round(float(ranking.score[best]), 4),
        why=_why(index, query, ranking, best),
    )


def _why(index: Index, query: Query, ranking: Ranking, number: int) -> tuple[str, ...]:
    """What brought a chunk here: its words and values that weigh most, and what lent to it."""
    terms = index.postings.heaviest(number, query.terms, 4)
    why: list[str] = []
    words = [term for term in terms if term[0] != "#"]
    values = [term[1:] for term in terms if term[0] == "#"]
    if words:
        why.append("words: " + ", ".join(words))
    if values:
        why.append("values: " + ", ".join(values))
    if ranking.lent[number] > 0.5 * ranking.score[number]:
        why.append("beside or called by a match")
    return tuple(why)


def _passage_cost(index: Index, passage: Passage) -> int:
    start = index.line_number(passage.path, passage.first)
    end = index.line_number(passage.path, passage.last)
    return int(index.line_cost[end + 1] - index.line_cost[start]) + _HEADER_TOKENS


def _searched(index: Index, query: Query) -> tuple[Searched, ...]:
    """In how many lines of code and of prose each name and value of the claim stands."""
    found: list[Searched] = []
    for sought in query.sought:
        code: set[int] = set()
        prose: set[int] = set()
        for term in sought.terms:
            lines, kinds = index.postings.lines_of(term)
            if len(lines):
                is_code = kinds == LineKind.CODE
                code.update(lines[is_code].tolist())
                prose.update(lines[~is_code].tolist())
        found.append(Searched(sought.label, len(code), len(prose)))
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
