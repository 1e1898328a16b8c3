"""Whether a word or a value stands on its line as the claim means it, and by which name."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from judge.embedded.looking import WordFinding
from judge.embedded.mentions import name_words
from judge.embedded.naming import AFFIXES, binds, is_enumerated
from judge.embedded.parts import Claim
from judge.embedded.phrasing import value_label
from judge.embedded.place_names import is_number_of
from judge.embedded.senses import is_held, is_shown, is_suspect, own_sense, partner_of
from judge.embedded.survey import Kept, Standing, Survey
from judge.embedded.values import ValueFinding, ValueState
from judge.embedded.words import GENERIC
from retrieval.aliases import aliases_of
from retrieval.numbers import canonical, token_values
from retrieval.words import TOKEN, join

__all__ = [
    "OWN_VALUE",
    "is_given",
    "is_held_at",
    "is_named_at",
    "is_near",
    "is_of_another",
    "stands_by_name",
    "stands_on",
    "word_stands",
]

OWN_VALUE = 0.4
"""The weight of a value of its own; less of one has a number in words, a part of a name."""

_WIDEST = 400


def word_stands(word: WordFinding) -> bool:
    """Whether the word itself stands in live code, and not one that may mean it."""
    return word.places.standing is Standing.LIVE and word.credit >= _ITSELF


_ITSELF = 0.7


def is_of_another(
    survey: Survey, claim: Claim, value: ValueFinding, found: list[ValueFinding]
) -> bool:
    """Whether a line gives a number to what the claim gives another one, or numbers something.

    In `batch size 128 on 256x256` no batch size is 256.
    """
    if value.implied is not None:
        return False
    written = value.value.written.strip()
    if is_number_of(claim.text, written):
        return True
    forms = {term[1:] for term in (value.value.term, *value.value.also)}
    own = _words_of(value_label(claim, value))
    for fact in survey.facts_at(*survey.place(value.line)):
        if canonical(fact.value) not in forms:
            continue
        words = name_words(fact.name.rpartition(".")[2]) - AFFIXES
        if (
            words
            and not words <= own
            and any(
                words <= _words_of(value_label(claim, other))
                for other in found
                if other is not value
            )
        ):
            return True
    return False


@lru_cache(maxsize=8192)
def _words_of(text: str) -> frozenset[str]:
    return frozenset().union(*(name_words(token) for token in TOKEN.findall(text)))


def is_given(survey: Survey, value: ValueFinding) -> bool:
    """Whether the line of a value gives it to a name of its own."""
    if value.value.weight < OWN_VALUE:
        return False
    path, number = survey.place(value.line)
    forms = frozenset(term[1:] for term in (value.value.term, *value.value.also))
    return binds(survey, path, number, forms, value.value.near)


def stands_by_name(survey: Survey, claim: Claim, value: ValueFinding) -> bool:
    """Whether a value stands by a name of its own, and not only near one."""
    return value.state is ValueState.BESIDE and (
        is_given(survey, value) or (is_near(survey, value) and is_held_at(survey, claim, value))
    )


_LISTED = 3  # so many of a claim's values on one line are its list


def is_held_at(survey: Survey, claim: Claim, value: ValueFinding) -> bool:
    """Whether the line of a value holds it as one, and not as an index or a digit of a name."""
    place = survey.place(value.line)
    if any(is_enumerated(survey, fact) for fact in survey.facts_at(*place)):
        return False
    code = survey.index.code_of(*place)
    if code.count(",") >= _LISTED - 1:
        claimed = {term[1:] for each in claim.values for term in (each.term, *each.also)}
        held = {form for token in TOKEN.findall(code[:_WIDEST]) for form in token_values(token)}
        if len(held & claimed) >= _LISTED:
            return True
    forms = (term[1:] for term in (value.value.term, *value.value.also))
    return is_held(code, forms, value.value.near, value.value.written.strip())


def is_near(survey: Survey, value: ValueFinding) -> bool:
    """Whether a word that says what the value is stands on its very line."""
    if value.value.weight < OWN_VALUE:
        return False
    for term in value.value.near:
        if len(term) > 1 and term not in GENERIC:
            live = survey.places(term).live
            at = int(np.searchsorted(live, value.line))
            if at < len(live) and live[at] == value.line:
                return True
    return False


def is_named_at(survey: Survey, claim: Claim, value: ValueFinding) -> bool:
    """Whether the line of a value has the whole name that the claim gives it, or a short form."""
    if value.line < 0:
        return False
    written = value.value.written.strip()
    label = value_label(claim, value)
    if label.startswith(written):
        return True  # the claim counts something, or says two things of it
    name = label.removesuffix(written).strip()
    return _has_name(survey.index.code_of(*survey.place(value.line)), name)


@lru_cache(maxsize=4096)
def _has_name(code: str, name: str) -> bool:
    wanted = {word for token in TOKEN.findall(name) for word in name_words(token)}
    tokens = TOKEN.findall(code)
    if wanted <= {word for token in tokens for word in name_words(token)}:
        return True
    whole = join(name)
    return not {join(token) for token in tokens}.isdisjoint((whole, *aliases_of(whole)))


def stands_on(survey: Survey, claim: Claim, word: WordFinding, line: int) -> bool:
    """Whether a word stands on a line, which holds it, in the claim's sense."""
    terms = word.concept.terms
    partner = partner_of(claim.text, word.concept.text)
    if not partner and line not in _shown_lines(survey) and not is_suspect(terms):
        return True
    return own_sense(survey.index.code_of(*survey.place(line)), terms, partner)


_SHOWN: Kept[frozenset[int]] = Kept()


def _shown_lines(survey: Survey) -> frozenset[int]:
    """The live lines that have text that people are shown; looked for once."""
    known = _SHOWN.get(survey)
    if known is None:
        known = _SHOWN[survey] = frozenset(
            line
            for line, code in zip(survey.live.tolist(), survey.codes, strict=True)
            if "=" in code and is_shown(code)
        )
    return known
