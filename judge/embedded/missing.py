"""The parts of a claim that code does not hold, in its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from judge.embedded.cited import is_cited
from judge.embedded.looking import Findings, WordFinding
from judge.embedded.parts import Claim
from judge.embedded.phrasing import phrases, untold, value_label
from judge.embedded.points import is_against, uncontradicted
from judge.embedded.rules import implied_by
from judge.embedded.senses import is_fragment
from judge.embedded.standing import OWN_VALUE
from judge.embedded.survey import Standing
from judge.embedded.values import SOMEWHERE, ValueFinding, ValueState
from judge.embedded.words import OPERATORS
from retrieval.words import TOKEN, stem

__all__ = ["absent_words", "is_told", "missing_parts"]


def missing_parts(claim: Claim, found: Findings, words: Sequence[WordFinding]) -> list[str]:
    """What stands nowhere: values, then words and operations."""
    values = [
        value_label(claim, value)
        for value in uncontradicted(found)
        if _is_missing(claim, value)
        and value.value.weight >= OWN_VALUE
        and not is_cited(claim.text, value.value.written.strip())
        and implied_by(value, found.values) is None
    ]
    nowhere = [
        word.concept.text
        for word in untold(words, values)
        if word.places.standing is Standing.NOWHERE and is_told(claim, found, word)
    ]
    present = _present(claim, found)
    nowhere = [text for text in nowhere if not _stems(text) <= present]
    told = {word.concept.text.casefold() for word in words} | present
    told |= {stem(piece) for text in nowhere for piece in text.casefold().split()}
    operations = [name for name, _, live in found.operators if not live]
    told |= {stem(piece) for name in operations for piece in name.casefold().split()}
    steps = [name for name in found.absent if told.isdisjoint(_stems(name))]
    return list(
        dict.fromkeys(
            [
                *values,
                *steps,
                *phrases(claim.text, nowhere),
                *(name for name in operations if told.isdisjoint((name.casefold(), stem(name)))),
            ]
        )
    )


def absent_words(claim: Claim, found: Findings, words: Sequence[WordFinding]) -> list[WordFinding]:
    """The words that are not told to stand by another one of their names."""
    present = _present(claim, found)
    return [word for word in words if not _stems(word.concept.text) <= present]


def _present(claim: Claim, found: Findings) -> frozenset[str]:
    """The stems of what is told to stand, by an operation near by or with a value.

    A word of it is not said to be missing in the same breath.
    """
    near = tuple(name for name, here, _ in found.operators if here)
    labels = tuple(
        value_label(claim, value)
        for value in uncontradicted(found)
        if value.implied is not None
        or value.state in SOMEWHERE
        or implied_by(value, found.values) is not None
    )
    return _stems_of(claim.text, near, labels)


@lru_cache(maxsize=1024)
def _stems_of(text: str, near: tuple[str, ...], labels: tuple[str, ...]) -> frozenset[str]:
    said = [token for name in (*near, *labels) for token in TOKEN.findall(name)]
    spans = [match.span() for name in near for match in OPERATORS[name][0].pattern.finditer(text)]
    said += [
        token[0]
        for token in TOKEN.finditer(text)
        if any(token.start() < end and start < token.end() for start, end in spans)
    ]
    return frozenset(stem(token.casefold()) for token in said)


def _stems(name: str) -> set[str]:
    return {stem(piece) for piece in re.split(r"[ -]", name.casefold())}


def is_told(claim: Claim, found: Findings, word: WordFinding) -> bool:
    """Whether it says something that a word does not stand in code.

    Names of cited authors never do, nor do pieces of words: `pre` of `pre-training`.
    """
    text = word.concept.text
    return not (
        _is_in_pieces(found, word) or is_fragment(text, claim.text) or is_cited(claim.text, text)
    )


def _is_in_pieces(found: Findings, phrase: WordFinding) -> bool:
    """Whether all words of a phrase stand somewhere, though nowhere as one name."""
    pieces = phrase.concept.text.split()
    if len(pieces) == 1:
        return False
    there = {w.concept.text for w in found.words if w.places.standing is not Standing.NOWHERE}
    return there.issuperset(pieces)


def _is_missing(claim: Claim, value: ValueFinding) -> bool:
    if value.state is ValueState.OTHER:
        return value.ratio != 1 and not is_against(claim, value)
    return value.state is ValueState.ABSENT
