"""What the code gives to the names that a claim gives values to.

Only what binds a name to a number counts: an assignment, a default, a keyword, an option, a flag,
a key of configuration. A number somewhere in an expression gives nothing.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from judge.embedded.computed import computed_in
from judge.embedded.defaults import defaults_of
from judge.embedded.file_places import homes_of
from judge.embedded.mentions import Mention, name_words
from judge.embedded.named_places import (
    Sorted,
    chosen_by_condition,
    is_instead,
    scope_of,
    sort_out,
    stands_at,
)
from judge.embedded.naming import (
    AFFIXES,
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
from judge.embedded.passing import is_given_by_callers
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
from judge.embedded.settings import is_usual
from judge.embedded.survey import Kept, Survey
from judge.embedded.units import in_unit, is_as_stated, is_listed_as_stated
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource
from retrieval.words import TOKEN, join, stem

__all__ = ["Conflict", "acting_by_word", "conflicts", "given_on", "is_near", "ratio_of"]

_FAR = 1e3


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
    named = _named(survey)
    exact = frozenset(mention.exact for mention in mentions if mention.exact)
    names = names_in(text)
    told = _Told(text, names, _words_in(text), mentions)
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
    if implied is None or _beside(survey, mention, ()):
        return None
    ratio = ratio_of(mention.forms, implied.form)
    return Conflict(mention, implied.fact, ratio) if ratio > 1 else None


@dataclass(frozen=True, slots=True)
class _Told:
    """What else a claim says: its text, the names of places and all words in it, its values."""

    text: str
    names: frozenset[str]
    said: frozenset[str]
    mentions: Sequence[Mention]


@lru_cache(maxsize=4096)
def _words_in(text: str) -> frozenset[str]:
    return frozenset().union(*(name_words(token) for token in TOKEN.findall(text)))


_Given = tuple[Fact, str]


_NAMED: Kept[Mapping[str, Sequence[_Given]]] = Kept()


def _named(survey: Survey) -> Mapping[str, Sequence[_Given]]:
    """The acting facts that are one number, by each word of their names; looked up once."""
    known = _NAMED.get(survey)
    if known is None:
        known = _NAMED[survey] = _name(survey)
    return known


def acting_by_word(survey: Survey) -> Mapping[str, Sequence[tuple[Fact, str]]]:
    """The acting facts that are one number, each with its form, by the words of their names."""
    return _named(survey)


def _name(survey: Survey) -> Mapping[str, Sequence[_Given]]:
    found: defaultdict[str, list[_Given]] = defaultdict(list)
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


_AT: Kept[Mapping[int, Sequence[_Given]]] = Kept()


def given_on(survey: Survey) -> Mapping[int, Sequence[_Given]]:
    """The acting facts that are one number, each with its canonical form, by their lines."""
    known = _AT.get(survey)
    if known is None:
        found: defaultdict[int, dict[int, _Given]] = defaultdict(dict)
        starts: dict[str, int] = {}
        for rows in _named(survey).values():
            for fact, form in rows:
                start = starts.get(fact.path)
                if start is None:
                    start = starts[fact.path] = survey.index.line_number(fact.path, 1) - 1
                found[start + fact.line][id(fact)] = fact, form
        known = _AT[survey] = {line: tuple(rows.values()) for line, rows in found.items()}
    return known


_LAYERS = frozenset(map(stem, ("layers", "blocks", "depth")))


def _candidates(named: Mapping[str, Sequence[_Given]], mention: Mention) -> list[_Given]:
    keys = {mention.exact, *mention.words}
    if mention.unit in _LAYERS:
        keys |= _LAYERS
    rows = {(id(fact), form): (fact, form) for key in keys for fact, form in named.get(key, ())}
    return sorted(rows.values(), key=lambda row: (row[0].path, row[0].line, row[0].name, row[1]))


def _conflict(
    survey: Survey,
    mention: Mention,
    facts: Sequence[_Given],
    exact: frozenset[str],
    told: _Told,
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
            if _is_of_second(told, mention, fact):
                second.append(fact)
                continue
            if _is_of_other_mention(told, mention, by_name, most, fact=fact, strength=strength):
                continue
            if is_one_seed(fact) and counts_seeds(told.text, mention.written):
                continue
            if len(told.mentions) <= _FEW and _is_no_default_of(
                survey, told, mention, fact, placeholder=form == "0", strength=strength
            ):
                continue
            if _is_of_other_split(survey, mention, fact) or is_enumerated(survey, fact):
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
    if off >= -1.0 or _beside(survey, mention, holding):
        return None
    if not mention.exact and mention.words <= GREEK and _is_spelt_out(survey, mention, told.said):
        return None
    return Conflict(mention, other, -off)


_FEW = 3


def _is_no_default_of(
    survey: Survey,
    told: _Told,
    mention: Mention,
    fact: Fact,
    *,
    placeholder: bool,
    strength: int,
) -> bool:
    """Whether a default says nothing of a claim: its callers give it, or it is another's."""
    if fact.source not in _DEFAULTS:
        return False
    if placeholder and is_given_by_callers(survey, fact):
        return True
    return strength == 1 and _is_strangers(survey, told, mention, fact)


def _is_strangers(survey: Survey, told: _Told, mention: Mention, fact: Fact) -> bool:
    """Whether a default's file speaks of nothing else by which a claim names its value.

    The temperature of some encoder is not the temperature of an entropy.
    """
    rest = (
        mention.words - name_words(fact.name.rpartition(".")[2]) - WEAK - AFFIXES - {mention.unit}
    )
    if not rest or fact.path in homes_of(survey, told.text).paths:
        return False
    if not homes_of(survey, told.text).paths:
        return False
    first = survey.index.line_number(fact.path, 1)
    last = first + len(survey.index.lines(fact.path))
    return not any(
        bool(((live >= first) & (live < last)).any())
        for live in (survey.places(term).live for term in rest)
    )


_DEFAULTS = frozenset({FactSource.DEFAULT, FactSource.FIELD})


_Against = tuple[int, float, Fact]  # strength, less how many times off, what gives it


def _sorted_out(
    survey: Survey,
    names: frozenset[str],
    against: Sequence[_Against],
    by_name: Mapping[str, Sequence[_Given]],
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
    told: _Told,
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


def _by_own_name(facts: Sequence[_Given]) -> Mapping[str, Sequence[_Given]]:
    """Facts by the last part of their names: hostile code has very many."""
    found: defaultdict[str, list[_Given]] = defaultdict(list)
    for fact, form in facts:
        found[fact.name.rpartition(".")[2]].append((fact, form))
    return found


def _is_of_other_mention(
    told: _Told,
    mention: Mention,
    by_name: Mapping[str, Sequence[_Given]],
    most: dict[str, int],
    *,
    fact: Fact,
    strength: int,
) -> bool:
    """Whether a name is given what the claim says of another of its values.

    Of several values that a claim gives to one name, the code may well hold but one. How well a
    name is that of any other value is kept in `most`.
    """
    own = fact.name.rpartition(".")[2]
    if strength == 1 and any(
        canonical(fact.value) in other.forms and other.term != mention.term
        for other in told.mentions
    ):
        return True
    if own not in most:
        most[own] = max(
            (
                named_by(other, one)
                for other in told.mentions
                if other.term != mention.term
                for one, form in by_name[own]
                if form in other.forms
            ),
            default=0,
        )
    return most[own] >= strength


def _is_of_second(told: _Told, mention: Mention, fact: Fact) -> bool:
    """Whether a name is given a further value that the claim has for it."""
    return any(
        canonical(fact.value) in other.forms
        and other.term != mention.term
        and _is_of_same_name(other)
        for other in told.mentions
    )


def _is_of_same_name(other: Mention) -> bool:
    """Whether a value has no name of its own, but that of a value before it.

    `A learning rate of 1e-4 for the actor and 3e-4 for the critic`.
    """
    return not (other.exact or other.unit or other.words & _NAME_VALUES)


_NAME_VALUES = frozenset(
    map(stem, ("rate", "decay", "size", "momentum", "epochs", "steps", "iterations", "coefficient",
               "factor", "dimension", "dim", "scale", "threshold", "weight", "dropout", "seed",
               "temperature", "probability", "length", "width", "depth", "rank", "ratio", "margin",
               "number", "max", "min", "batch", "layers", "heads", "gamma", "beta", "alpha",
               "lambda", "epsilon", "eta", "tau", "sigma", "warmup", "horizon", "budget", "limit"))
)  # fmt: skip


_TRAINING = frozenset(map(stem, ("train", "training", "trained", "pretraining")))
_TESTING = frozenset(
    map(stem, ("eval", "evaluation", "evaluated", "test", "testing", "valid", "validation", "val"))
)


def _is_of_other_split(survey: Survey, mention: Mention, fact: Fact) -> bool:
    """Whether a value of testing is meant by what is said of training, or the other way."""
    said = mention.words | frozenset({mention.unit})
    trains, tests = not said.isdisjoint(_TRAINING), not said.isdisjoint(_TESTING)
    if trains == tests:
        return False
    held = scope_of(survey, fact).strong
    return held.isdisjoint(_TRAINING if trains else _TESTING) and not held.isdisjoint(
        _TESTING if trains else _TRAINING
    )


def _beside(survey: Survey, mention: Mention, but: Sequence[Fact]) -> bool:
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


def ratio_of(forms: Iterable[str], found: str) -> float:
    """How many times a value is off the nearest of some forms, at least 1 and at most 1,000."""
    return min((_ratio(form, found) for form in forms), default=_FAR)


def _ratio(claimed: str, found: str) -> float:
    try:
        one, two = float(claimed), float(found)
    except (ValueError, OverflowError):
        return _FAR
    if one == two:
        return 1.0
    if not (math.isfinite(one) and math.isfinite(two)) or one == 0 or two == 0:
        return _FAR
    return min(_FAR, max(one / two, two / one))
