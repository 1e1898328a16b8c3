"""From a claim to its parts: values, names, words, operators and steps."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from benchmark import Dimension, Sau
from judge.embedded.between import between
from judge.embedded.formulas import NO_FORMULA, Formula, formula_of
from judge.embedded.hints import lowered
from judge.embedded.mentions import Mention, mentions_of, real_numbers
from judge.embedded.words import EXPOSITORY, GENERIC, OPERATORS, STOP
from retrieval.aliases import aliases_of
from retrieval.query import Query, Value, query_of, text_terms
from retrieval.words import GREEK, TOKEN, join_parts, parts_of, stem, word_parts

__all__ = ["Claim", "Concept", "Operator", "Part", "claim_of"]

# A symbol with an index, or a letter that is no word of English.
_SYMBOL = re.compile(r"([^\W\d_])_?[tijkns0-9]?(?:_?(?:t|i|j|k|n|s|[0-9]))?_?")
_SYMBOL_WEIGHT = 0.3
_IN_PHRASE = 0.3
# A name of a formula: `acc_cv`, `BAx`, `L_simple`.
_FORMULA = re.compile(r"\A[^\W\d_]_\w+\Z|_\w{1,2}\Z|\A[A-ZΔ]{1,2}[a-z₀-₉]?\Z|[₀-₉²Δθ]")
_JOINT = re.compile(r"[-–]([A-Z0-9]\w{0,5})\b")
_LISTED = re.compile(r"(?:^|[:;.,]\s+|\n\s*)\(?(\d{1,2})[.)]\s")
_STEP = re.compile(
    r"(?:^|(?<=[\s(]))(?:(?:Step|Phase|Stage)\s*\d+\w?\s*[-–—:.)]*\s*|\(?\d{1,2}[.)]\s+|\([a-h]\)\s+)"
    r"|\s*(?:→|->|⇒|=>)\s*|;\s+(?:then\s+)?|,\s*(?:and\s+)?(?:then|finally|followed by)\s+",
    re.IGNORECASE,
)
_LEAST_VALUE_WEIGHT = 0.3
_COMMON_VALUES = frozenset({"#0", "#1"})  # they stand in every file
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
class Part:
    """A sentence, item or step of a claim.

    Attributes:
        concepts: Positions in `Claim.concepts`.
        values: Positions in `Claim.values`.
    """

    concepts: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, taken apart.

    Attributes:
        dimension: Its axis.
        concepts: Its words and names, each once.
        values: Its values.
        operators: Its operations.
        steps: For an ordering claim, the concepts of each step, as positions in `concepts`.
        parts: Its sentences, items or steps; at least one where there is a word or value.
        precedes: Pairs of clauses, each as positions in `concepts`, of which the first comes first.
        formula: The operations of its formulas.
        words: The number of its words.
        mentions: Its values one by one, equal ones too.
        text: As written; empty where it is mostly signs.
    """

    dimension: Dimension
    concepts: tuple[Concept, ...]
    values: tuple[Value, ...]
    operators: tuple[Operator, ...]
    steps: tuple[tuple[int, ...], ...]
    parts: tuple[Part, ...] = ()
    precedes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    formula: Formula = NO_FORMULA
    words: int = 0
    mentions: tuple[Mention, ...] = ()
    text: str = ""


def claim_of(sau: Sau) -> Claim:
    """Take a claim apart; the same claim once a process."""
    return _claim(sau)


@lru_cache(maxsize=4096)
def _claim(sau: Sau) -> Claim:
    if _is_noise(sau.claim):
        return Claim(sau.dimension, (), (), (), ())
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
        for text in _step_texts(sau.claim):
            own = dict.fromkeys(c.terms[0] for c in _concepts(text))
            numbers = tuple(place[term] for term in own if term in place)
            if numbers:
                steps.append(numbers)
    listed = set(_LISTED.findall(sau.claim))
    stated = {"#" + number.value for number in real_numbers(sau.claim)}
    values = tuple(
        _scaled(value)
        for value in query.values
        if value.weight >= _LEAST_VALUE_WEIGHT
        and value.term in stated
        and value.term not in _COMMON_VALUES
        and value.written.strip() not in listed
    )
    return Claim(
        sau.dimension,
        kept,
        values,
        tuple(_operators(sau.claim)),
        tuple(steps),
        _parts(query, place, values),
        _precedence(sau.claim, place) if sau.dimension is Dimension.D4 else (),
        formula_of(sau.claim),
        len(sau.claim.split()),
        tuple(m for m in mentions_of(sau.claim) if m.written not in listed),
        sau.claim,
    )


def _scaled(value: Value) -> Value:
    """A value without its other reading where that leaves a scale out: 1k is not 1."""
    is_scaled = value.also and not value.written.rstrip().endswith(("%", "cent", "percent"))
    return replace(value, also=()) if is_scaled else value


def _parts(query: Query, place: Mapping[str, int], values: Sequence[Value]) -> tuple[Part, ...]:
    known = {value.term: number for number, value in enumerate(values)}
    found: list[Part] = []
    for part in query.parts:
        concepts = dict.fromkeys(concept.terms[0] for concept in _concepts(part.text))
        numbers = tuple(place[term] for term in concepts if term in place)
        own = tuple(known[term] for term, _ in part.terms if term in known)
        if numbers or own:
            found.append(Part(numbers, own))
    return tuple(found)


_SENTENCE = re.compile(r"(?<=[.;])\s+|\n+")
_EARLIER = re.compile(
    r"\b(?:before|prior to|precedes?|preceding|followed by|and only then|(?:and |, )?then|until)\b",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:after|following|follows|once|only when)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:()]|\band\b(?= \w+ \w+ )")
_MAX_PAIRS = 8
_Pair = tuple[tuple[int, ...], tuple[int, ...]]


def _precedence(text: str, place: Mapping[str, int]) -> tuple[_Pair, ...]:
    """Pairs of clauses that are said to come one before the other."""
    pairs: list[_Pair] = []
    for sentence in _SENTENCE.split(text):
        both = between(sentence, 0, len(sentence))
        if both is not None:
            for spans in both:
                one, other = (sentence[slice(*span)].strip(" ,") for span in spans)
                pair = _numbers_in(one, place), _numbers_in(other, place)
                if all(pair) and set(pair[0]) != set(pair[1]):
                    pairs.append(pair)
            continue
        for pattern, first_is_left in ((_EARLIER, True), (_LATER, False)):
            for match in pattern.finditer(sentence):
                left, right = sentence[: match.start()].strip(), sentence[match.end() :]
                if left:
                    one, other = _last_clause(left), _first_clause(right)
                else:  # `Before A, B` says `B before A`
                    other, _, rest = right.partition(",")
                    one = _first_clause(rest)
                if not first_is_left:
                    one, other = other, one
                pair = _numbers_in(one, place), _numbers_in(other, place)
                if all(pair) and set(pair[0]) != set(pair[1]):
                    pairs.append(pair)
    return tuple(pairs[:_MAX_PAIRS])


def _first_clause(text: str) -> str:
    return _CLAUSE.split(text.strip(), maxsplit=1)[0]


def _last_clause(text: str) -> str:
    return (
        [piece for piece in _CLAUSE.split(text) if len(piece.split()) > 1 or piece.strip()][-1:][0]
        if text.strip(" ,;:()")
        else ""
    )


def _numbers_in(text: str, place: Mapping[str, int]) -> tuple[int, ...]:
    own = dict.fromkeys(concept.terms[0] for concept in _concepts(text))
    return tuple(place[term] for term in own if term in place)


_PROPER_WORD = re.compile(r"[^\W\d_]{3,}")
_LEAST_WORDS = 2
_LEAST_SHARE = 0.5


def _is_noise(text: str) -> bool:
    """Whether a claim is mostly signs with hardly a word: what it holds was found by chance."""
    if len(_PROPER_WORD.findall(text)) >= _LEAST_WORDS:
        return False
    visible = [character for character in text if not character.isspace()]
    return sum(map(str.isalnum, visible)) < _LEAST_SHARE * len(visible)


def _step_texts(claim: str) -> list[str]:
    """The steps of an ordering claim; what leads up to the first one is none."""
    cuts = [match.span() for match in _STEP.finditer(claim)]
    if not cuts:
        return [claim]
    texts = [claim[start[1] : end[0]] for start, end in itertools.pairwise(cuts)]
    texts.append(claim[cuts[-1][1] :])
    head = claim[: cuts[0][0]].strip()
    if head and not head.endswith((":", "-", "–")):
        texts.insert(0, head)
    return [text for text in texts if len(text.split()) > 1][:_MAX_STEPS]


_GENITIVE = re.compile(r"['’]s\b")  # `the paper's Eq.`


@lru_cache(maxsize=4096)
def _concepts(text: str) -> tuple[Concept, ...]:
    """The words and names of a text, in order."""
    return tuple(_read_concepts(text))


def _read_concepts(text: str) -> Iterable[Concept]:
    pending: Concept | None = None  # the word before, which may be the first half of a phrase
    previous: list[str] = []
    end_before = -1
    for match in TOKEN.finditer(text):
        token = match[0]
        parts = list(parts_of(token))
        if (
            token[0] in "0123456789."
            or not parts
            or token.lower() in STOP
            or _GENITIVE.match(text, max(0, match.start() - 1)) is not None
        ):
            if pending is not None:
                yield pending
            pending, previous = None, []
            continue
        gap = text[end_before : match.start()] if end_before >= 0 else "  "
        joint = _JOINT.match(text, match.end())
        before = match.start()
        while before and text[before - 1].isspace():
            before -= 1
        starts = not before or text[before - 1] in ".:;"
        concept = _concept(token, starts, joint[1] if joint else "")
        phrase = join_parts([*previous, *parts]) if previous and len(gap) == 1 else ""
        known = aliases_of(phrase) if phrase else ()
        if known and pending is not None:
            # The phrase stands for its words, which say little by themselves.
            yield Concept(f"{pending.text} {token}", (phrase,), known, False, 1.2)
            yield replace(pending, weight=pending.weight * _IN_PHRASE)
            concept = replace(concept, weight=concept.weight * _IN_PHRASE)
        elif pending is not None:
            yield pending
        pending, previous, end_before = concept, parts, match.end()
    if pending is not None:
        yield pending


@lru_cache(maxsize=16_384)
def _is_light(token: str, whole: str) -> bool:
    """Whether retrieval takes a word for one that says little."""
    return dict(text_terms(token)).get(whole, 1.0) < 0.5


@lru_cache(maxsize=16_384)
def _concept(token: str, starts: bool, joint: str) -> Concept:
    """A word by itself, but for whether a sentence starts with it and what is joined to it."""
    parts = list(parts_of(token))
    whole = join_parts(parts)
    if symbol := _SYMBOL.fullmatch(token):
        return Concept(token, _symbol_terms(symbol[1], parts), (), False, _SYMBOL_WEIGHT)
    if _FORMULA.search(token) or (not token.isascii() and len(token) <= 4):
        return Concept(token, (whole,), (), False, _SYMBOL_WEIGHT)
    if whole in GENERIC:
        weight = 0.3
    elif whole in EXPOSITORY or _is_light(token, whole):
        weight = 0.1
    else:
        weight = 1.6 if len(parts) > 1 else 1.0
    named = _is_name(token, parts, starts)
    terms = [whole]
    if joint and (joint[0].isdigit() or (named and joint[0].isupper())):
        terms.insert(0, join_parts([*parts, *word_parts(joint)]))
        named = True
    aliases = tuple(other for other in aliases_of(whole) if len(other) > 1)
    return Concept(token, tuple(dict.fromkeys(terms)), aliases, named, weight)


def _symbol_terms(base: str, parts: list[str]) -> tuple[str, ...]:
    """`m_t` is called `m_t` or `m` in code, and `α_t` is `alpha_t` or `alpha`."""
    short = join_parts(word_parts(base))
    return tuple(dict.fromkeys((join_parts(parts), short)))


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
    low = lowered(text)
    for name, (pattern, terms) in OPERATORS.items():
        if pattern.search(text, low):
            yield Operator(name, terms)
