"""The configuration values that match a claim, with the lines of code that read them.

A value acts where it is read. That place is named beside the value, and shown where the judge does
not see it anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from benchmark import Sau
from judge.stripping import code_lines
from retrieval.facts import matching_facts
from retrieval.index import Index
from retrieval.query import query_of
from retrieval.tokens import estimate_tokens
from retrieval.value_readers import CONFIGURED, readers_of
from retrieval.values import Evidence, Fact

__all__ = ["Configured"]

_MOST = 8
"""Values that are named although their own lines are shown."""

_SHARE = 0.05
_LEAST, _WIDEST = 60, 300
_PLACE_TOKENS = 10
_LONGEST = 200


@dataclass(slots=True)
class Configured:
    """Adds to evidence where its configuration values are read.

    Attributes:
        index: The repository.
        strip: Show code alone.
    """

    index: Index
    strip: bool
    _known: dict[Fact, tuple[tuple[str, int], ...]] = field(default_factory=dict, repr=False)

    def reserve(self, budget: int) -> int:
        """Tokens of a budget to keep free for this; none where nothing is configured."""
        if not any(fact.source in CONFIGURED for fact in self.index.facts):
            return 0
        return min(max(round(_SHARE * budget), _LEAST), _WIDEST, budget // 4)

    def told(
        self,
        sau: Sau,
        evidence: Evidence,
        sees: Callable[[str, int], bool],
        *,
        tokens: int,
        most_facts: int,
    ) -> Evidence:
        """The evidence, and where the values that match the claim are read.

        Args:
            sau: The claim.
            evidence: What was found for it.
            sees: Whether the judge is shown a line anyway.
            tokens: How much this may take.
            most_facts: Values that are looked at, at most.
        """
        facts: list[Fact] = []
        left = tokens
        for fact in evidence.facts:
            told, cost = self._with_readers(fact, sees, left)
            facts.append(told)
            left -= cost
        named = {(fact.path, fact.line, fact.name) for fact in facts}
        matching = matching_facts(self.index, query_of(sau), most_facts)
        added = 0
        for number in matching:
            fact = self.index.facts[number]
            if added == _MOST or (fact.path, fact.line, fact.name) in named:
                continue
            own = self.index.fact_costs[number]
            told, cost = self._with_readers(fact, sees, left - own)
            # Its line is shown: it is its reader that is worth a word.
            if told.readers:
                facts.append(told)
                left -= cost + own
                added += 1
        facts.sort(key=lambda fact: (fact.path, fact.line, fact.name))
        return replace(evidence, facts=tuple(facts), tokens=evidence.tokens + tokens - left)

    def _with_readers(
        self, fact: Fact, sees: Callable[[str, int], bool], tokens: int
    ) -> tuple[Fact, int]:
        """The fact with as many of its readers as fit, and what they take."""
        if fact.source not in CONFIGURED or fact.reached is False:
            return fact, 0
        readers = self._known.get(fact)
        if readers is None:
            readers = self._known[fact] = readers_of(self.index, fact)
        kept = []
        spent = 0
        for path, line in readers:
            text = "" if sees(path, line) else self._text(path, line)
            cost = _PLACE_TOKENS + (estimate_tokens(f"{path}{text}") if text else 0)
            if spent + cost <= tokens:
                kept.append((path, line, text))
                spent += cost
        return replace(fact, readers=tuple(kept)), spent

    def _text(self, path: str, line: int) -> str:
        lines = code_lines(self.index, path) if self.strip else self.index.lines(path)
        return lines[line - 1].strip()[:_LONGEST]
