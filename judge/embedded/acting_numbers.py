"""The facts of code that act and are one number, by words of their names and by their lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from judge.embedded.computed import computed_in
from judge.embedded.mentions import name_words
from judge.embedded.named_places import chosen_by_condition
from judge.embedded.survey import Kept, Survey
from retrieval.numbers import canonical
from retrieval.values import Fact
from retrieval.words import join

__all__ = ["Given", "acting_by_word", "given_on"]

Given = tuple[Fact, str]
_NAMED: Kept[Mapping[str, Sequence[Given]]] = Kept()


def acting_by_word(survey: Survey) -> Mapping[str, Sequence[Given]]:
    """The acting facts that are one number, each with its form, by each word of their names."""
    known = _NAMED.get(survey)
    if known is None:
        known = _NAMED[survey] = _name(survey)
    return known


def _name(survey: Survey) -> Mapping[str, Sequence[Given]]:
    found: defaultdict[str, list[Given]] = defaultdict(list)
    for fact in survey.index.facts:
        form = canonical(fact.value)
        if form is None or not survey.acts(fact):
            continue
        own = fact.name.rpartition(".")[2]
        for word in {join(own), *name_words(own)}:
            found[word].append((fact, form))
    for one in computed_in(survey).all:
        if one.fact is not None:
            for word in {join(one.fact.name), *name_words(one.fact.name)}:
                found[word].append((one.fact, one.form))
    for fact in chosen_by_condition(survey):
        for word in {join(fact.name), *name_words(fact.name)}:
            found[word].append((fact, canonical(fact.value) or ""))
    return found


_AT: Kept[Mapping[int, Sequence[Given]]] = Kept()


def given_on(survey: Survey) -> Mapping[int, Sequence[Given]]:
    """The acting facts that are one number, each with its canonical form, by their lines."""
    known = _AT.get(survey)
    if known is None:
        found: defaultdict[int, dict[int, Given]] = defaultdict(dict)
        starts: dict[str, int] = {}
        for rows in acting_by_word(survey).values():
            for fact, form in rows:
                start = starts.get(fact.path)
                if start is None:
                    start = starts[fact.path] = survey.index.line_number(fact.path, 1) - 1
                found[start + fact.line][id(fact)] = fact, form
        known = _AT[survey] = {line: tuple(rows.values()) for line, rows in found.items()}
    return known
