"""Whether a value stands on a live line with a name of its own, or near one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from judge.embedded.computed import computed_in
from judge.embedded.mentions import Mention, name_words
from judge.embedded.naming import WEAK
from judge.embedded.survey import Survey
from retrieval.values import Fact

__all__ = ["is_beside", "is_near"]


def is_beside(survey: Survey, mention: Mention, but: Sequence[Fact]) -> bool:
    """Whether the value stands on a live line with a name of it, some facts' lines left out."""
    values = [
        places.live for form in mention.forms if len((places := survey.places("#" + form)).live)
    ]
    by_form = computed_in(survey).by_form
    values += [
        np.array([one.line for one in by_form[form]], np.int64)
        for form in mention.forms
        if form in by_form
    ]
    if not values:
        return False
    here = np.concatenate(values)
    if but:
        known = [survey.index.line_number(fact.path, fact.line) for fact in but]
        here = here[~np.isin(here, known)]
    if mention.exact:
        return bool(np.isin(here, survey.places(mention.exact).live).any())
    words = sorted(mention.words)
    for number, word in enumerate(words):
        beside = here[np.isin(here, survey.places(word).live)] if len(word) > 1 else here[:0]
        if word not in WEAK and len(beside):
            return True
        if len(beside) and any(
            np.isin(beside, survey.places(other).live).any() for other in words[number + 1 :]
        ):
            return True
    # Short forms say what they are alone: `lr_scheduler` has no learning rate.
    for short, whole in _SHORT.items():
        if whole <= mention.words:
            lines = here[np.isin(here, survey.places(short).live)].tolist()
            alone = re.compile(rf"(?:\b|_){short}\b")
            if any(alone.search(survey.index.code_of(*survey.place(line))) for line in lines):
                return True
    return False


_SHORT = {short: name_words(short) for short in ("lr", "wd", "bs")}


def is_near(survey: Survey, line: int, terms: Iterable[str]) -> bool:
    """Whether one of some terms stands on a line or beside it."""
    return any(
        bool((np.abs(survey.places(term).live - line) <= 1).any())
        for term in terms
        if term not in WEAK
    )
