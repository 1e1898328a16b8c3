"""How often something is done: `every 2 critic updates` is a period, an interval or a delay."""

from __future__ import annotations

import re

from judge.embedded.acting_numbers import acting_by_word
from judge.embedded.file_places import homes_of
from judge.embedded.mentions import name_words
from judge.embedded.naming import AFFIXES, WEAK
from judge.embedded.survey import Survey
from retrieval.query import Value
from retrieval.values import Fact
from retrieval.words import stem

__all__ = ["period_of"]

_PERIODS = frozenset(map(stem, ("period", "interval", "every", "freq", "frequency", "delay")))


def period_of(survey: Survey, value: Value, text: str) -> tuple[Fact, str] | None:
    """What the code gives the period that a claim states, and its canonical form.

    The name must say of what: all its other words, or two of them, stand by the claim's number.

    Args:
        survey: The repository.
        value: The number.
        text: The claim.
    """
    written = value.written.strip()
    if "very" not in text or not re.search(rf"\b[Ee]very\s+{re.escape(written)}(?![\w.]*\d)", text):
        return None
    near = frozenset(value.near)
    by_word = acting_by_word(survey)
    homes = homes_of(survey, text)
    best: list[tuple[tuple[int, bool], Fact, str]] = []
    for word in _PERIODS:
        for fact, form in by_word.get(word, ()):
            rest = name_words(fact.name.rpartition(".")[2]) - _PERIODS - AFFIXES
            shared = rest & near - WEAK
            if not shared or not (rest <= near or len(shared) > 1):
                continue
            if any(homes.is_strange(fact.path, home) for home in homes.paths):
                continue
            best.append(((len(shared), fact.path in homes.paths), fact, form))
    if not best:
        return None
    most = max(marks for marks, _, _ in best)
    chosen = [(fact, form) for marks, fact, form in best if marks == most]
    wanted = {value.term[1:], *(also[1:] for also in value.also)}
    return next((one for one in chosen if one[1] in wanted), chosen[0])
