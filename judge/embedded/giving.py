"""What the code gives to the names that a claim gives values to.

Only what binds a name to a number counts: an assignment, a default, a keyword, an option, a flag,
a key of configuration. A number somewhere in an expression gives nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.acting_numbers import Given, acting_by_word
from judge.embedded.beside import is_beside
from judge.embedded.computed import computed_in
from judge.embedded.defaults import defaults_of
from judge.embedded.mentions import Mention, name_words
from judge.embedded.named_places import Sorted, is_instead, sort_out, stands_at
from judge.embedded.naming import (
    GREEK,
    WEAK,
    are_rivals,
    is_akin,
    is_enumerated,
    is_named_apart,
    is_of_another,
    is_of_name,
    is_one_seed,
    is_variant,
    named_by,
)
from judge.embedded.place_names import (
    counts_seeds,
    given_to,
    is_alone,
    is_behind_brackets,
    is_complement,
    is_number_of,
    is_of_what_follows,
    is_qualified,
    names_in,
)
from judge.embedded.repeats import counts_repeats, repeated_on
from judge.embedded.said_of_others import (
    Told,
    is_no_default_of,
    is_of_other_mention,
    is_of_other_split,
    is_of_second,
)
from judge.embedded.settings import is_usual
from judge.embedded.survey import Survey
from judge.embedded.times_off import ratio_of
from judge.embedded.units import in_unit, is_as_stated, is_listed_as_stated
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource
from retrieval.words import TOKEN, stem

__all__ = ["Conflict", "conflicts"]

_FEW = 3  # values of a claim that says little else


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value of a claim whose name is given another one, while its own is given to none.

    Attributes:
        mention: The value.
        other: What gives the name another value.
        ratio: How many times that one is off, more than 1.
    """

    mention: Mention
    other: Fact
    ratio: float


def conflicts(survey: Survey, mentions: Sequence[Mention], text: str = "") -> list[Conflict]:
    """The values of a claim that the code contradicts, in the claim's order.

    Args:
        survey: The repository.
        mentions: The values.
        text: The claim, for the places that it names.
    """
    if not mentions:
        return []
    named = acting_by_word(survey)
    exact = frozenset(mention.exact for mention in mentions if mention.exact)
    names = names_in(text)
    told = Told(text, names, _words_in(text), mentions)
    found = [
        _conflict(survey, mention, _candidates(named, mention), exact, told)
        or _against_default(survey, mention, text)
        for mention in mentions
    ]
    kept: dict[object, Conflict] = {}
    for one in found:
        if one is not None:
            # A number that a claim says twice meets a default once.
            is_default = defaults_of(survey).of(one.other) is not None
            kept.setdefault((one.mention.written, one.other) if is_default else id(one), one)
    return list(kept.values())


def _against_default(survey: Survey, mention: Mention, text: str) -> Conflict | None:
    """The default that a call has in place of a value, where neither is written."""
    implied = defaults_of(survey).against(text, mention.written, mention.forms)
    if implied is None or is_beside(survey, mention, ()):
        return None
    ratio = ratio_of(mention.forms, implied.form)
    return Conflict(mention, implied.fact, ratio) if ratio > 1 else None


@lru_cache(maxsize=4096)
def _words_in(text: str) -> frozenset[str]:
    return frozenset().union(*(name_words(token) for token in TOKEN.findall(text)))


_LAYERS = frozenset(map(stem, ("layers", "blocks", "depth")))


def _candidates(named: Mapping[str, Sequence[Given]], mention: Mention) -> list[Given]:
    keys = {mention.exact, *mention.words}
    if mention.unit in _LAYERS:
        keys |= _LAYERS
    rows = {(id(fact), form): (fact, form) for key in keys for fact, form in named.get(key, ())}
    return sorted(rows.values(), key=lambda row: (row[0].path, row[0].line, row[0].name, row[1]))


def _conflict(
    survey: Survey,
    mention: Mention,
    facts: Sequence[Given],
    exact: frozenset[str],
    told: Told,
) -> Conflict | None:
    if not mention.words and not mention.exact:
        return None
    if is_behind_brackets(told.text, mention.written) or is_number_of(told.text, mention.written):
        return None
    name = "" if mention.exact else given_to(told.text, mention.written)
    if not (name or mention.unit) and is_of_what_follows(told.text, mention.written):
        return None
    if not mention.exact and (
        is_qualified(told.text, mention.written)
        or is_complement(told.text, mention.written)
        or "_" in mention.written
    ):
        return None
    if counts_repeats(told.text, mention.written) and any(
        repeated_on(survey).get(form) for form in mention.forms
    ):
        return None
    symbol = "" if mention.exact else is_alone(told.text, mention.written)
    apart = told.names.difference(*(each.words for each in told.mentions if each is not mention))
    against: list[_Against] = []
    second: list[Fact] = []
    holding: list[Fact] = []
    beyond: list[_Against] = []
    parts_of = computed_in(survey).parts_of
    by_name = _by_own_name(facts)
    most: dict[str, int] = {}
    for fact, form in facts:
        strength = named_by(mention, fact)
        # `0.1 * steps` is what a claim of 0.1 may mean.
        parts = parts_of.get((fact.path, fact.line, fact.name), frozenset())
        forms = in_unit(survey, fact, form) if strength else (form,)
        if (
            not (mention.forms.isdisjoint(forms) and parts.isdisjoint(mention.forms))
            or is_as_stated(mention.written, mention.forms, form)
            or is_listed_as_stated(
                survey, fact, mention.written, [each.forms for each in told.mentions]
            )
        ):
            if (
                strength
                or is_akin(mention, fact, exact)
                or (not mention.exact and is_variant(mention, told.said, fact))
            ):
                holding.append(fact)
        elif strength and form not in mention.together and not is_of_another(mention, fact):
            if fact.source is FactSource.FLAG and not is_usual(survey.index, fact):
                continue
            if form == "0" and fact.source is FactSource.ASSIGNMENT:
                continue  # what is counted up begins with it
            if symbol and symbol not in fact.name.rpartition(".")[2].lower().split("_"):
                continue
            if name and not is_of_name(name, fact.name.rpartition(".")[2]):
                continue
            if is_of_second(told, mention, fact):
                second.append(fact)
                continue
            if is_of_other_mention(told, mention, by_name, most, fact=fact, strength=strength):
                continue
            if is_one_seed(fact) and counts_seeds(told.text, mention.written):
                continue
            if len(told.mentions) <= _FEW and is_no_default_of(
                survey, told, mention, fact, placeholder=form == "0", strength=strength
            ):
                continue
            if is_of_other_split(survey, mention, fact) or is_enumerated(survey, fact):
                continue
            if mention.written.endswith("%") and form.isdigit() and form not in {"0", "1"}:
                continue  # a count is no share
            if strength == 1 and _is_limit(fact) and ratio_of(mention.forms, form) >= _MANY:
                continue
            off = min(ratio_of(mention.forms, each) for each in forms)
            against.append((strength, -off, fact))
        elif is_named_apart(mention, apart, fact):
            beyond.append((1, -ratio_of(mention.forms, form), fact))
    if holding and beyond:
        against = [one for one in beyond if are_rivals(told.names, one[2], holding)] or against
    if second:  # beside it the claim's first value would be given in the same way
        owners = {(fact.path, fact.name) for fact in second}
        against = [one for one in against if (one[2].path, one[2].name) in owners]
    if not against:
        return None
    groups = _sorted_out(survey, told.names, against, by_name) if told.names else {}
    kept = _at_named_place(survey, mention, told, groups, against=against, holding=holding)
    if not kept:
        return None
    strength, off, other = max(kept, key=lambda one: one[:2])
    if off >= -1.0 or is_beside(survey, mention, holding):
        return None
    if not mention.exact and mention.words <= GREEK and _is_spelt_out(survey, mention, told.said):
        return None
    return Conflict(mention, other, -off)


_Against = tuple[int, float, Fact]  # strength, less how many times off, what gives it


def _sorted_out(
    survey: Survey,
    names: frozenset[str],
    against: Sequence[_Against],
    by_name: Mapping[str, Sequence[Given]],
) -> dict[str, Sorted]:
    """For each name that is given another value, the places that the claim means and others."""
    groups: dict[str, Sorted] = {}
    for _, _, fact in against:
        own = fact.name.rpartition(".")[2]
        if own not in groups:
            groups[own] = sort_out(survey, names, [one for one, _ in by_name[own]])
    return groups


def _at_named_place(
    survey: Survey,
    mention: Mention,
    told: Told,
    groups: Mapping[str, Sorted],
    *,
    against: Sequence[_Against],
    holding: Sequence[Fact],
) -> list[_Against]:
    """What is against a value, where the claim's place has no such value.

    What holds the value spares it, unless it stands in another place than the one that the claim
    names, and this place has another value. What stands in another place is never against it.
    """
    if not groups:
        return [] if holding else list(against)
    placed = [(one, groups[one[2].name.rpartition(".")[2]]) for one in against]
    kept = [(one, group) for one, group in placed if not group.home or one[2] in group.home]
    if holding:
        rivals = [one for one, _ in kept if are_rivals(told.names, one[2], holding)]
        if rivals and len(rivals) == len(kept):
            return rivals
        kept = [(one, group) for one, group in kept if group.home]
        if not all(
            any(_is_away(survey, group, fact) for group in groups.values()) for fact in holding
        ):
            return []
    marks = frozenset().union(*(each.marks for each in groups.values()))
    if marks and stands_at(survey, mention.forms, marks):
        return []
    return [one for one, _ in kept]


def _is_spelt_out(survey: Survey, mention: Mention, said: frozenset[str]) -> bool:
    """Whether a letter's value is given to a name of the claim's words: `beta`, a loss weight."""
    for form in mention.forms:
        for line in survey.places("#" + form).live.tolist()[:_MOST_LINES]:
            for fact in survey.facts_at(*survey.place(line)):
                own = name_words(fact.name.rpartition(".")[2])
                if canonical(fact.value) == form and own & said - WEAK - GREEK:
                    return True
    return False


_MOST_LINES = 24


def _is_away(survey: Survey, group: Sorted, fact: Fact) -> bool:
    return fact in group.away and any(
        is_instead(survey, home, fact, group.marks) for home in group.home
    )


_MANY = 30


def _is_limit(fact: Fact) -> bool:
    """Whether a name says that it limits something: `max_length`."""
    return not name_words(fact.name.rpartition(".")[2]).isdisjoint(("max", "total"))


def _by_own_name(facts: Sequence[Given]) -> Mapping[str, Sequence[Given]]:
    """Facts by the last part of their names: hostile code has very many."""
    found: defaultdict[str, list[Given]] = defaultdict(list)
    for fact, form in facts:
        found[fact.name.rpartition(".")[2]].append((fact, form))
    return found
