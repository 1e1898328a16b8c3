"""From a claim to its parts: values, names, words, operators and steps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from benchmark import Dimension, Sau
from judge.embedded.words import GENERIC, OPERATORS
from retrieval.aliases import aliases_of
from retrieval.query import Value, query_of, text_terms
from retrieval.words import GREEK, TOKEN, join_parts, stem, word_parts

__all__ = ["Claim", "Concept", "Operator", "claim_of"]

_NAME = re.compile(r"[A-Za-z][\w]*(?:[-/][A-Za-z0-9][\w]*)*")
_LEAST_VALUE_WEIGHT = 0.3
_MAX_CONCEPTS = 80
_MAX_STEPS = 10


@dataclass(frozen=True, slots=True)
class Concept:
    """A word or name of the claim.

    Attributes:
        text: As written.
        terms: The terms that are it.
        aliases: Terms that may mean it.
        named: Whether it is a name (`CIFAR-10`, `AdamW`) and not a word.
        weight: How much it weighs among the claim's words, before its rarity is known.
    """

    text: str
    terms: tuple[str, ...]
    aliases: tuple[str, ...]
    named: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Operator:
    """A mathematical operation that the claim states, and the terms of code that carry it out."""

    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, taken apart.

    Attributes:
        dimension: Its axis.
        concepts: Its words and names, each once.
        values: Its values.
        operators: Its operations.
        steps: For an ordering claim, the concepts of each step, as positions in `concepts`.
    """

    dimension: Dimension
    concepts: tuple[Concept, ...]
    values: tuple[Value, ...]
    operators: tuple[Operator, ...]
    steps: tuple[tuple[int, ...], ...]


def claim_of(sau: Sau) -> Claim:
    """Take a claim apart; the same claim once a process."""
    return _claim(sau)


@lru_cache(maxsize=4096)
def _claim(sau: Sau) -> Claim:
    query = query_of(sau)
    concepts: dict[str, Concept] = {}
    for concept in _concepts(sau.claim):
        known = concepts.get(concept.terms[0])
        if known is None or (concept.named and not known.named):
            concepts[concept.terms[0]] = concept
    kept = tuple(concepts.values())[:_MAX_CONCEPTS]
    place = {concept.terms[0]: number for number, concept in enumerate(kept)}
    steps: list[tuple[int, ...]] = []
    if sau.dimension is Dimension.D4:
        for part in query.parts[: _MAX_STEPS + 1]:
            own = dict.fromkeys(c.terms[0] for c in _concepts(part.text))
            numbers = tuple(place[term] for term in own if term in place)
            if numbers:
                steps.append(numbers)
    values = tuple(value for value in query.values if value.weight >= _LEAST_VALUE_WEIGHT)
    return Claim(sau.dimension, kept, values, tuple(_operators(sau.claim)), tuple(steps))


def _concepts(text: str) -> Iterable[Concept]:
    """The words and names of a text, in order."""
    previous: list[str] = []
    end_before = -1
    for match in TOKEN.finditer(text):
        token = match[0]
        if token[0] in "0123456789.":
            previous = []
            continue
        parts = word_parts(token)
        weights = dict(text_terms(token))
        if not parts or not weights:
            previous = []
            continue
        whole = join_parts(parts)
        starts = not text[: match.start()].strip() or text[: match.start()].rstrip()[-1:] in ".:"
        named = _is_name(token, parts, starts)
        weight = weights.get(whole, 1.0)
        if whole in GENERIC:
            weight = min(weight, 0.3)
        tail = text[match.end() : match.end() + 6]
        terms = [whole]
        if number := re.match(r"[-–](\d{1,4}\w{0,2})\b", tail):
            terms.insert(0, join_parts([*parts, number[1].lower()]))
            named = True
        gap = text[end_before : match.start()] if end_before >= 0 else "  "
        if previous and len(gap) == 1:
            phrase = join_parts([*previous, *parts])
            if known := aliases_of(phrase):
                yield Concept(f"{' '.join(previous)} {token}", (phrase,), known, False, 1.2)
        if len(parts) > 1 and len(whole) > 3:
            terms.extend(())
        aliases = tuple(other for other in aliases_of(whole) if len(other) > 1)
        yield Concept(token, tuple(dict.fromkeys(terms)), aliases, named, weight)
        previous, end_before = parts, match.end()


def _is_name(token: str, parts: list[str], starts: bool) -> bool:
    """Whether a token is a name: joints, capitals inside or in mid-sentence."""
    if any(letter in GREEK for letter in token):
        return False
    if stem(parts[0]) in GENERIC and len(parts) == 1:
        return False
    if len(token) > 1 and sum(letter.isupper() for letter in token) >= 2:
        return True
    if len(parts) > 1:
        return any(len(part) > 2 for part in parts)
    return token[0].isupper() and not starts and len(token) > 2


def _operators(text: str) -> Iterable[Operator]:
    for name, (pattern, terms) in OPERATORS.items():
        if pattern.search(text):
            yield Operator(name, terms)
