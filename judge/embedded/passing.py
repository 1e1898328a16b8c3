"""Defaults of functions and classes that their callers override: `lr=0` where all give a rate."""

from __future__ import annotations

import re

from judge.embedded.survey import Kept, Survey
from retrieval.values import Fact
from retrieval.words import join

__all__ = ["is_given_by_callers"]

_MOST_CALLS = 12
_MOST_LINES = 12  # of one call
_GIVEN: Kept[dict[tuple[str, str], bool]] = Kept()


def is_given_by_callers(survey: Survey, fact: Fact) -> bool:
    """Whether some live call gives the parameter by its name what is no number written there.

    A number written there is another value of the name, which is looked at for itself.
    """
    owner, _, own = fact.name.rpartition(".")
    owner = owner.removesuffix(".__init__").rpartition(".")[2]
    if not owner or not own:
        return False
    known = _GIVEN.setdefault(survey, {})
    found = known.get((owner, own))
    if found is None:
        found = known[owner, own] = _is_given(survey, owner, own)
    return found


def _is_given(survey: Survey, owner: str, own: str) -> bool:
    call = re.compile(rf"(?<!def )(?<!class )\b{re.escape(owner)}\s*\(")
    given = re.compile(rf"[(,\s]{re.escape(own)}\s*=\s*(?=[A-Za-z_(\[])(?!None\b)")
    for line in survey.places(join(owner)).live.tolist()[:_MOST_CALLS]:
        path, number = survey.place(line)
        codes = survey.statements(path).codes if path in survey.index.graph.paths else ()
        if number > len(codes) or call.search(codes[number - 1]) is None:
            continue
        depth = 0
        for code in codes[number - 1 : number - 1 + _MOST_LINES]:
            if given.search(" " + code):
                return True
            depth += code.count("(") - code.count(")")
            if depth <= 0:
                break
    return False
