"""Of several places that give a name a value, the one that the claim names, and what it gives."""

from __future__ import annotations

from judge.embedded.file_places import Homes, facts_in, is_shared
from judge.embedded.mentions import mentions_of, name_words
from judge.embedded.named_places import (
    chosen_by_condition,
    is_instead,
    scope_of,
    sort_out,
    stands_at,
)
from judge.embedded.naming import (
    AFFIXES,
    WEAK,
    is_count,
    is_enumerated,
    is_of_plot,
    is_whole_name,
    named_by,
    names_value,
)
from judge.embedded.overriding import RANK
from judge.embedded.place_names import names_in
from judge.embedded.survey import Survey
from retrieval.numbers import canonical
from retrieval.query import Value
from retrieval.values import Fact, FactSource
from retrieval.words import join

__all__ = ["by_place", "given_at_home", "given_in_homes"]


def given_in_homes(
    survey: Survey,
    value: Value,
    line: int,
    *,
    claimed: frozenset[str],
    text: str,
    homes: Homes,
) -> Fact | None:
    """What a file that the claim names gives to the name of a value that stands in another one."""
    wanted = {value.term[1:], *(also[1:] for also in value.also)}
    mention = next((one for one in mentions_of(text) if one.term == value.term), None)
    if mention is None:
        return None
    near = frozenset(value.near)
    held = [
        fact
        for fact in survey.facts_at(*survey.place(line))
        if not wanted.isdisjoint(survey.forms(fact)) and names_value(fact.name, near)
    ]
    own_words = {name_words(fact.name.rpartition(".")[2]) - AFFIXES for fact in held}
    least = max((named_by(mention, fact) for fact in held), default=1)
    rank = max((RANK[fact.source] for fact in held), default=0)
    place = survey.place(line)[0]
    if is_shared(place):
        return None
    best: Fact | None = None
    for path in sorted(homes.paths):
        is_strange = homes.is_strange(place, path)
        for fact in facts_in(survey, path):
            words = name_words(fact.name.rpartition(".")[2]) - AFFIXES
            if not words or is_of_plot(fact):
                continue
            if len(words) == 1 and words <= WEAK and mention.unit not in words:
                continue  # `dim` of any call
            strength = named_by(mention, fact)
            same = words in own_words
            if not (same or (words & near and strength >= max(least, 1))):
                continue
            forms = set(survey.forms(fact))
            if forms <= _NOTHING and fact.source not in _OUTRIGHT:
                continue
            if not forms or not survey.acts(fact) or is_enumerated(survey, fact):
                continue
            if forms & (wanted | claimed):
                return None
            higher = RANK[fact.source]
            if is_strange:
                takes = higher > 0 or rank == 0
            else:  # what it imports gives way to what it gives outright
                takes = higher > 0 and ((same and rank == 0) or strength > max(least, 1))
            if takes and (best is None or higher > RANK[best.source]):
                best = fact
    return best


_NOTHING = frozenset({"0", "-1"})
_OUTRIGHT = frozenset({FactSource.OPTION, FactSource.CONFIG, FactSource.FLAG})


def by_place(
    survey: Survey, given: list[tuple[int, Fact]], names: frozenset[str], near: frozenset[str]
) -> list[tuple[int, Fact]]:
    """Places that give a value: under the claim's own name first, then where its words name."""
    if len(given) < 2:
        return given
    scopes = [scope_of(survey, fact) for _, fact in given]
    strong = frozenset.intersection(*(scope.strong for scope in scopes))
    weak = frozenset.intersection(*(scope.weak for scope in scopes))
    marks = [
        (
            is_whole_name(fact.name, near),
            is_count(fact),
            len((scope.strong - strong) & names) - len(scope.excluded & names),
            fact.source is not FactSource.DEFAULT,  # what a caller gives wins
            len((scope.weak - weak) & names),
        )
        for scope, (_, fact) in zip(scopes, given, strict=True)
    ]
    order = sorted(range(len(given)), key=marks.__getitem__, reverse=True)
    return [given[number] for number in order]


def given_at_home(
    survey: Survey,
    fact: Fact,
    wanted: set[str],
    *,
    claimed: frozenset[str],
    text: str,
    near: frozenset[str],
) -> Fact | None:
    """What the place that the claim names gives the name in place of a value that stands away."""
    names = names_in(text)
    own = fact.name.rpartition(".")[2]
    same = [
        other
        for other in (*survey.facts_named(join(own)), *chosen_by_condition(survey))
        if other.name.rpartition(".")[2] == own
        and canonical(other.value) is not None
        and survey.acts(other)
    ]
    sorted_out = sort_out(survey, names, same)
    if fact not in sorted_out.away:
        return None
    home = [other for other in sorted_out.home if is_instead(survey, other, fact, sorted_out.marks)]
    forms = {canonical(other.value) for other in sorted_out.home}
    if not home or forms & (wanted | claimed) or stands_at(survey, wanted, sorted_out.marks, near):
        return None
    return home[0]
