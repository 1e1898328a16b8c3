"""From a claim to what is searched for: terms, values, and the parts of a long claim."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from benchmark import Dimension, Sau
from retrieval.aliases import aliases_of
from retrieval.common_words import PAPER_WORDS, STOP_WORDS
from retrieval.numbers import Number, NumberKind, find_numbers
from retrieval.tokens import estimate_tokens
from retrieval.value_readings import OTHER_READING, Readings, Value, readings_of
from retrieval.words import GREEK, TOKEN, join_parts, parts_of, stem

__all__ = ["Query", "QueryPart", "Sought", "Value", "query_of", "text_terms"]

Weighted = tuple[tuple[str, float], ...]

_WEIGHT_OF_KIND = {
    NumberKind.PLAIN: 1.0,
    NumberKind.PERCENT: 1.0,
    NumberKind.POWER: 1.0,
    NumberKind.SHARE: 0.4,
    NumberKind.WORD: 0.3,
    NumberKind.ATTACHED: 0.15,
    NumberKind.LABEL: 0.0,
}
_PART_BORDER = re.compile(
    # Space is tried from its beginning alone, so that long space takes no longer than its length.
    r"\n+|(?<=[.;])\s+(?=[A-Z(\[•*-])|(?:(?<!\s)\s+)?(?:→|->|⇒|=>)\s*|;\s+"
    r"|(?:(?<!\s)\s+|(?<=\n)[^\S\n]+)(?=\(?(?:[0-9]{1,2}|[ivx]{1,4}|[a-h])\)\s)"
    r"|(?=\b(?:Step|Stage|Phase)\s+[0-9]+\b)"
)
_NAME = re.compile(r"\\?[A-Za-zͰ-Ͽ][\w₀-₉]*(?:-[A-Z0-9][\w]*)*")
_COUNTS_TOKENS = 6  # of the two counts beside a name or value that was searched for
_MAX_PARTS = 16
_MAX_TERMS = 120
_MIN_PART_WORDS = 3


@dataclass(frozen=True, slots=True)
class QueryPart:
    """One sentence, step or item of a claim, as weighted terms."""

    text: str
    terms: Weighted


@dataclass(frozen=True, slots=True)
class Sought:
    """A name or value to report on, and the terms that prove it."""

    label: str
    terms: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Query:
    """What is searched for. Two queries are the same where they are one object.

    Attributes:
        parts: The claim's parts; at least one.
        terms: The terms of the whole claim and its source.
        values: The values that it states.
        sought: Names and values to count in the repository.
        written: For each term, the claim's own words that it comes from.
        dimension: The claim's dimension; `None` for free text.
    """

    parts: tuple[QueryPart, ...]
    terms: Weighted
    values: tuple[Value, ...]
    sought: tuple[Sought, ...]
    written: Mapping[str, str]
    dimension: Dimension | None = None

    @cached_property
    def names(self) -> list[str]:
        """The terms without their weights."""
        return [term for term, _ in self.terms]

    @cached_property
    def weights(self) -> npt.NDArray[np.float32]:
        """The weights of `names`."""
        return np.array([weight for _, weight in self.terms], np.float32)

    @cached_property
    def told(self) -> list[str]:
        """The claim's own words that each of `names` comes from."""
        return [self.written[term] for term, _ in self.terms]

    @cached_property
    def value_flags(self) -> list[bool]:
        """Which of `names` are values."""
        return [term[0] == "#" for term, _ in self.terms]

    @cached_property
    def sought_cost(self) -> int:
        """The tokens of what is told of `sought`."""
        return sum(estimate_tokens(sought.label) + _COUNTS_TOKENS for sought in self.sought)

    @cached_property
    def value_share(self) -> float:
        """How much of the claim its values are, 0 to 1: four words weigh like one value."""
        values = sum(value.weight for value in self.values)
        words = sum(1 for term, weight in self.terms if term[0] != "#" and weight >= 1.0)
        return values / (values + words / 4) if values else 0.0

    @cached_property
    def readings(self) -> Readings:
        """The values as arrays."""
        return readings_of(self.values)


def query_of(sau: Sau) -> Query:
    """The query of a claim; the same claim is taken apart once a process."""
    return _query(sau.claim, sau.source, sau.dimension)


@lru_cache(maxsize=4096)
def _query(claim: str, source: str, dimension: Dimension | None) -> Query:
    numbers = [number for number in find_numbers(claim) if _WEIGHT_OF_KIND[number.kind] > 0]
    written: dict[str, str] = {}
    parts = tuple(
        QueryPart(
            claim[start:end].strip(),
            _terms(claim[start:end], _within(numbers, start, end), written),
        )
        for start, end in _split(claim)
    )
    merged: dict[str, float] = {}
    for part in parts:
        for term, weight in part.terms:
            merged[term] = max(weight, merged.get(term, 0.0)) + (
                0.15 * weight if term in merged else 0
            )
    for term, weight in _terms(source, (), written):
        if not term.startswith("#"):
            merged.setdefault(term, 0.3 * weight)
    terms = tuple(sorted(merged.items(), key=lambda item: (-item[1], item[0]))[:_MAX_TERMS])
    values = tuple(_value(claim, number) for number in numbers)
    sought = _sought(claim, numbers, values)
    return Query(parts, terms, _distinct(values), sought, written, dimension)


def text_terms(text: str) -> Weighted:
    """The weighted terms of any text."""
    return _terms(text, find_numbers(text), {})


def _within(numbers: Sequence[Number], start: int, end: int) -> list[Number]:
    return [number for number in numbers if start <= number.start < end]


def _split(claim: str) -> list[tuple[int, int]]:
    """Offsets of the claim's parts; parts of a word or two go with the one before."""
    cuts = [0]
    for match in _PART_BORDER.finditer(claim):
        if match.end() > cuts[-1]:
            cuts.append(match.end())
    cuts.append(len(claim))
    parts: list[tuple[int, int]] = []
    for start, end in itertools.pairwise(cuts):
        words = len(TOKEN.findall(claim[start:end]))
        if parts and (words < _MIN_PART_WORDS or len(parts) >= _MAX_PARTS):
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    if len(parts) > 1 and len(TOKEN.findall(claim[slice(*parts[0])])) < _MIN_PART_WORDS:
        parts[0:2] = [(parts[0][0], parts[1][1])]
    return parts


def _terms(text: str, numbers: Sequence[Number], written: dict[str, str]) -> Weighted:
    """The weighted terms of a text; the words that they come from are added to `written`."""
    weights: dict[str, float] = {}

    def add(found: Weighted, words: str) -> None:
        for term, weight in found:
            if weight > weights.get(term, 0.0):
                weights[term] = weight
                written.setdefault(term, words)

    # Parts of neighbouring tokens, for names that the code writes as one: weight decay, ResNet-50.
    run: list[tuple[int, tuple[str, ...]]] = []
    end_before = -1
    for match in TOKEN.finditer(text):
        token = match[0]
        start, end = match.span()
        is_word = token[0] not in "0123456789."
        parts = parts_of(token) if is_word else (token.lower(),)
        if end_before < 0 or start != end_before + 1 or text[end_before] not in " -_":
            run = []
        end_before = end
        if not parts:
            run = []
            continue
        if is_word:
            add(_word_terms(token), token)
        if len(parts) == 1 and parts[0] in STOP_WORDS:
            run = []
            continue
        joined = parts
        for first, before in reversed(run):
            joined = before + joined
            if not joined[0][0].isdigit():
                add(_joined_terms(joined), text[first:end])
        run = [*run[-1:], (start, parts)]
    for number in numbers:
        weight = _WEIGHT_OF_KIND[number.kind]
        also = [("#" + other, weight * OTHER_READING) for other in number.also]
        add((("#" + number.value, weight), *also), number.written.strip())
    return tuple(sorted(weights.items()))


@lru_cache(maxsize=32768)
def _word_terms(token: str) -> Weighted:
    """What to search for where a claim has this word; a term may come twice."""
    parts = parts_of(token)
    whole = join_parts(parts)
    if len(parts) == 1:
        if parts[0] in STOP_WORDS or (len(parts[0]) == 1 and token.isascii()):
            return ()
        weight = _word_weight(token, whole)
        return _filled([(whole, weight), *((other, 0.45 * weight) for other in aliases_of(whole))])
    # A name that is written as a name is the best there is to search for.
    found = [(whole, 1.6), *((other, 0.8) for other in aliases_of(whole))]
    for part in parts:
        if part.isdigit() or part in STOP_WORDS or len(part) == 1:
            continue
        if len(part) == 2:
            # MuJoCo is not mu, jo and co.
            found.append((stem(part), 0.15))
            continue
        found.append((stem(part), 0.8))
        found += [(other, 0.3) for other in aliases_of(stem(part))]
    return _filled(found)


@lru_cache(maxsize=32768)
def _joined_terms(parts: tuple[str, ...]) -> Weighted:
    """What to search for where a claim has the parts of a name side by side."""
    term = join_parts(parts)
    return _filled([(term, 1.0), *((other, 0.8) for other in aliases_of(term))])


def _filled(found: Sequence[tuple[str, float]]) -> Weighted:
    return tuple(row for row in found if row[0])


def _word_weight(token: str, term: str) -> float:
    if term in PAPER_WORDS:
        return 0.15
    # What is written as a name says more than a word: PPO, Adam.
    if token.isupper() and len(token) > 1:
        return 1.4
    return 1.2 if token[0].isupper() else 1.0


def _value(claim: str, number: Number) -> Value:
    """A value with the words around it: mostly those before it, `lr = 1e-4`, `1e-4 as lr`."""
    before = TOKEN.findall(claim[max(0, number.start - 60) : number.start])[::-1][:6]
    after = TOKEN.findall(claim[number.end : number.end + 30])[:3]
    near: dict[str, None] = {}
    for token in [*before, *after]:
        if token[0] in "0123456789.":
            continue
        near.update(dict.fromkeys(_near_terms(token)))
    for left, right in zip(before[1:], before, strict=False):
        near.update(dict.fromkeys(_near_joined(left, right)))
    return Value(
        "#" + number.value,
        tuple("#" + also for also in number.also),
        _WEIGHT_OF_KIND[number.kind],
        tuple(near),
        number.written,
    )


@lru_cache(maxsize=32768)
def _near_terms(token: str) -> tuple[str, ...]:
    """The terms by which a word beside a value says what the value is."""
    parts = parts_of(token)
    if not parts or (len(parts) == 1 and (parts[0] in STOP_WORDS or stem(parts[0]) in PAPER_WORDS)):
        return ()
    whole = join_parts(parts)
    own = (stem(part) for part in parts if len(part) > 1 and not part.isdigit())
    return (whole, *own, *aliases_of(whole))


@lru_cache(maxsize=32768)
def _near_joined(left: str, right: str) -> tuple[str, ...]:
    """The same for two words side by side."""
    joined = join_parts((*parts_of(left), *parts_of(right)))
    return (joined, *aliases_of(joined)) if joined else ()


def _distinct(values: Sequence[Value]) -> tuple[Value, ...]:
    merged: dict[str, Value] = {}
    for value in values:
        known = merged.get(value.term)
        if known is None:
            merged[value.term] = value
        else:
            near = tuple(dict.fromkeys((*known.near, *value.near)))
            heavier = max(known, value, key=lambda item: item.weight)
            merged[value.term] = Value(
                heavier.term, heavier.also, heavier.weight, near, heavier.written
            )
    return tuple(merged.values())


_MAX_SOUGHT = 24
_COMMON = PAPER_WORDS | STOP_WORDS
_EXPONENT = re.compile(r"[eE]-?\d*")


def _sought(claim: str, numbers: Sequence[Number], values: Sequence[Value]) -> tuple[Sought, ...]:
    """The names and values of a claim that a reader would look for by hand."""
    found: dict[tuple[str, ...], Sought] = {}
    for number, value in zip(numbers, values, strict=True):
        if value.weight >= 0.4 and value.term not in {"#0", "#1"}:
            # 10 % is as good as 10, but a 10 is no 10k: that reading only helps the search.
            is_share = number.kind is NumberKind.PERCENT
            terms = (value.term, *value.also) if is_share else (value.term,)
            found.setdefault(terms, Sought(value.written.strip(), terms))
    for match in _NAME.finditer(claim):
        name = match[0]
        if _EXPONENT.fullmatch(name) and claim[: match.start()][-1:].isdigit():
            continue  # the tail of a number such as 4e-3
        plain = name.lstrip("\\")
        if term := _name_term(plain, match.start() == 0):
            found.setdefault((term,), Sought(plain, (term,)))
    return tuple(found.values())[:_MAX_SOUGHT]


@lru_cache(maxsize=32768)
def _name_term(plain: str, at_start: bool) -> str:
    """The term of a word that is a name; empty for any other."""
    parts = parts_of(plain)
    if not parts or len(plain) < 2:
        return ""
    if len(parts) == 1 and (not _is_name(plain, at_start) or stem(parts[0]) in _COMMON):
        return ""
    term = join_parts(parts)
    return term if len(term) > 1 else ""


def _is_name(word: str, at_start: bool) -> bool:
    """Whether a word without joints is a name: Greek, all capitals, or Capitalised in mid-claim."""
    if any(letter in GREEK for letter in word):
        return True
    if len(word) > 1 and word.isupper():
        return True
    return word[0].isupper() and not at_start and len(word) > 3
