"""Whether a claimed value stands beside its name in code that acts, and whether it takes effect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from judge.embedded.acting_numbers import given_on
from judge.embedded.computed import Computed, computed_in
from judge.embedded.counting_things import not_of_others
from judge.embedded.defaults import defaults_of
from judge.embedded.file_places import Homes, facts_in, homes_of, is_shared
from judge.embedded.library import Default, KnownCall, library_of
from judge.embedded.mentions import mentions_of, name_words
from judge.embedded.named_places import (
    chosen_by_condition,
    in_other_branch,
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
    is_of_norm,
    is_of_plot,
    is_small,
    is_whole_name,
    named_by,
    names_value,
)
from judge.embedded.numbers_alone import first_number
from judge.embedded.others import other_of
from judge.embedded.periods import period_of
from judge.embedded.place_names import names_in
from judge.embedded.repeats import counts_repeats, repeated_on
from judge.embedded.set_later import is_of_demonstration, set_later, sets_at_all
from judge.embedded.settings import is_given_elsewhere, is_usual
from judge.embedded.survey import Survey
from judge.embedded.units import in_unit, stated_in_unit
from retrieval.index import Index
from retrieval.numbers import canonical, token_values
from retrieval.query import Value
from retrieval.values import Fact, FactSource, ParseState
from retrieval.words import TOKEN, join

__all__ = ["ValueFinding", "ValueState", "find_value"]

_REACH = 1
_OPTIONS = frozenset(
    {"args", "opt", "opts", "options", "cfg", "config", "hparams", "flags", "params"}
)
_SOON = 3  # lines behind which another value of the same name is a step of something else
_MANY = 1600  # a name on more lines than this is no name


class ValueState(StrEnum):
    """What became of a claimed value, from the best on."""

    BESIDE = "beside"  # live, beside its name, nothing overrides it
    OVERRIDDEN = "overridden"  # live and beside its name, and another value takes its place
    IMPLIED = "implied"  # not written: a known call acts with it
    ELSEWHERE = "elsewhere"  # live, its name is not beside it
    IDLE = "idle"  # beside its name in code or configuration that does not act
    OTHER = "other"  # its name is live with another value
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class ValueFinding:
    """What was found of one value.

    Attributes:
        value: The claimed value.
        state: What became of it.
        line: The deciding line, counted over all files from 0; -1 for none.
        other: The fact that overrides it or stands in its place.
        ratio: How many times the other value is off, at least 1; 0 where there is none.
        settled: Whether all that could override it was seen, and nothing does.
        implied: The call that acts with it, and by what default.
        away: The place that the claim names has the other value; this one stands elsewhere.
    """

    value: Value
    state: ValueState
    line: int = -1
    other: Fact | None = None
    ratio: float = 0.0
    settled: bool = False
    implied: tuple[KnownCall, Default] | None = None
    away: bool = False


# What is given later wins: a default gives way to configuration, and that to a flag of a script.
_RANK = {
    FactSource.DEFAULT: 0,
    FactSource.FIELD: 0,
    FactSource.OPTION: 1,
    FactSource.ASSIGNMENT: 2,
    FactSource.DICT: 2,
    FactSource.KEYWORD: 2,
    FactSource.CONFIG: 3,
    FactSource.FLAG: 4,
}


def find_value(
    survey: Survey,
    value: Value,
    claimed: frozenset[str],
    said: frozenset[str] = frozenset(),
    text: str = "",
) -> ValueFinding:
    """Look for a claimed value; no other value that is claimed too stands in its place.

    Of several places that give its name the value, the one that the claim names is taken; and
    where that one has another value, the same value elsewhere does not stand for it.

    Args:
        survey: The repository.
        value: The value.
        claimed: The canonical forms of all values of the claim.
        said: The terms of its words, for what a library's call stands for.
        text: The claim, for the places that it names.
    """
    names = _near(survey, value)
    elsewhere = idle = -1
    for term in (value.term, *value.also):
        places = survey.places(term)
        if len(places.live):
            beside = places.live[names[places.live + _REACH]].tolist()
            if text and is_small(value.term[1:]):
                beside = not_of_others(survey, value, beside, text)
            if beside:
                return _at_best(survey, value, beside, claimed, text)
            if elsewhere < 0:
                elsewhere = first_number(survey, places.live, term[1:])
        if len(places.idle) and idle < 0:
            idle = _first_beside(places.idle, names)
    for form, line in stated_in_unit(survey, value, claimed):
        if names[line + _REACH]:
            return _effective(survey, replace(value, also=(*value.also, "#" + form)), line, claimed)
    if text and counts_repeats(text, value.written.strip()):
        repeated = repeated_on(survey).get(value.term[1:])
        if repeated:
            return ValueFinding(value, ValueState.BESIDE, repeated[0])
    computed = _computed_beside(survey, value, names)
    if computed is not None:
        return _computed(survey, value, computed, claimed)
    if text and (own := defaults_of(survey).given(text, (value.term, *value.also))) is not None:
        acts = own.call, own.default  # counts as stated
        return ValueFinding(value, ValueState.BESIDE, own.call.line, settled=True, implied=acts)
    implied = library_of(survey).default(value, said) if said else None
    if implied is not None:
        return ValueFinding(value, ValueState.IMPLIED, implied[0].line, implied=implied)
    if (by_period := _by_period(survey, value, text)) is not None:
        return by_period
    other = other_of(survey, value, claimed, text)
    if other is not None:
        line = survey.index.line_number(other.path, other.line)
        ratio = _ratio(survey, value, other)
        if idle < 0 and elsewhere < 0:
            return ValueFinding(value, ValueState.OTHER, line, other, ratio)
    if idle >= 0:
        ratio = _ratio(survey, value, other) if other is not None else 0.0
        return ValueFinding(value, ValueState.IDLE, idle, other, ratio)
    if elsewhere >= 0:
        return ValueFinding(value, ValueState.ELSEWHERE, elsewhere, other)
    return ValueFinding(value, ValueState.ABSENT)


def _by_period(survey: Survey, value: Value, text: str) -> ValueFinding | None:
    """A value that says how often something is done, by the period that the code gives it."""
    found = period_of(survey, value, text)
    if found is None:
        return None
    fact, form = found
    line = survey.index.line_number(fact.path, fact.line)
    if form in {value.term[1:], *(also[1:] for also in value.also)}:
        return ValueFinding(value, ValueState.BESIDE, line)
    ratio = _times_off(value, form)
    return ValueFinding(value, ValueState.OTHER, line, fact, ratio, away=True)


def _near(survey: Survey, value: Value) -> npt.NDArray[np.bool_]:
    """Which lines have a name of the value within reach."""
    mask = np.zeros(len(survey.standing) + 2 * _REACH + 1, np.bool_)
    found = [
        lines
        for term in value.near
        if len(term) > 1
        for places in (survey.places(term),)
        for lines in (places.live, places.idle)
        if 0 < len(lines) <= _MANY
    ]
    if found:
        lines = np.concatenate(found)
        for shift in range(2 * _REACH + 1):
            mask[lines + shift] = True
    return mask


def _first_beside(lines: npt.NDArray[np.int64], names: npt.NDArray[np.bool_]) -> int:
    beside = lines[names[lines + _REACH]]
    return int(beside[0]) if len(beside) else -1


def _computed_beside(survey: Survey, value: Value, names: npt.NDArray[np.bool_]) -> Computed | None:
    """Where live code computes a value from literals beside its name."""
    by_form = computed_in(survey).by_form
    return next(
        (
            one
            for term in (value.term, *value.also)
            for one in by_form.get(term[1:], ())
            if names[one.line + _REACH]
        ),
        None,
    )


def _computed(
    survey: Survey, value: Value, found: Computed, claimed: frozenset[str]
) -> ValueFinding:
    if found.fact is not None:
        wanted = {value.term[1:], *(also[1:] for also in value.also)}
        over = _overriding(survey, found.fact, wanted, claimed)
        if over is not None:
            return ValueFinding(
                value, ValueState.OVERRIDDEN, found.line, over, _ratio(survey, value, over)
            )
    return ValueFinding(value, ValueState.BESIDE, found.line)


def _effective(survey: Survey, value: Value, line: int, claimed: frozenset[str]) -> ValueFinding:
    """Whether anything overrides the value that stands on a line."""
    path, number = survey.place(line)
    wanted = {value.term[1:], *(also[1:] for also in value.also)}
    settled = False
    for fact in survey.facts_at(path, number):
        if canonical(fact.value) not in wanted:
            continue
        over = _overriding(survey, fact, wanted, claimed)
        if over is not None:
            return ValueFinding(
                value, ValueState.OVERRIDDEN, line, over, _ratio(survey, value, over)
            )
        settled = settled or _is_settled(survey, fact, wanted)
    return ValueFinding(value, ValueState.BESIDE, line, settled=settled)


_MOST_PLACES = 40  # lines on which a value stands beside its name


def _at_best(
    survey: Survey, value: Value, lines: Sequence[int], claimed: frozenset[str], text: str
) -> ValueFinding:
    """A value that stands beside its name: at the place that the claim names, where it is given."""
    if (by_period := _by_period(survey, value, text)) is not None:
        return by_period
    homes = homes_of(survey, text)
    if homes.paths:
        lines = sorted(lines, key=lambda line: survey.place(line)[0] not in homes.paths)
    first = _effective(survey, value, lines[0], claimed)
    wanted = {value.term[1:], *(also[1:] for also in value.also)}
    near = frozenset(value.near)
    on = given_on(survey)
    given = [
        (line, fact)
        for line in lines[:_MOST_PLACES]
        for fact, form in on.get(line, ())
        if form in wanted and names_value(fact.name, near) and not is_enumerated(survey, fact)
    ]
    if len(claimed) >= _LISTED and (line := _of_list(survey, lines, claimed)) >= 0:
        return _effective(survey, value, line, claimed)
    holding = [line for line, _ in given] or lines[:1]
    if homes.paths and not any(survey.place(line)[0] in homes.paths for line in holding):
        instead = _in_homes(survey, value, holding[0], claimed=claimed, text=text, homes=homes)
        if instead is not None:
            own = survey.index.line_number(instead.path, instead.line)
            off = min(_times_off(value, form) for form in survey.forms(instead))
            return ValueFinding(value, ValueState.OTHER, own, instead, off, away=True)
    if not given:
        return first
    if "norm" not in text.lower():
        given.sort(key=lambda one: is_of_norm(one[1]))
    ranked = _by_place(survey, given, names_in(text), near)
    if homes.paths:
        ranked.sort(key=lambda one: one[1].path not in homes.paths)
    found = first
    for number, (line, fact) in enumerate(ranked[:_MOST_TRIED]):
        found = _effective(survey, value, line, claimed)
        if found.state is ValueState.BESIDE:
            instead = (
                None
                if number
                else _at_home(survey, fact, wanted, claimed=claimed, text=text, near=near)
            )
            if instead is None:
                return found
            own = survey.index.line_number(instead.path, instead.line)
            ratio = _ratio(survey, value, instead)
            return ValueFinding(value, ValueState.OTHER, own, instead, ratio, away=True)
    return first if first.state is ValueState.BESIDE else found


def _in_homes(
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
    rank = max((_RANK[fact.source] for fact in held), default=0)
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
            higher = _RANK[fact.source]
            if is_strange:
                takes = higher > 0 or rank == 0
            else:  # what it imports gives way to what it gives outright
                takes = higher > 0 and ((same and rank == 0) or strength > max(least, 1))
            if takes and (best is None or higher > _RANK[best.source]):
                best = fact
    return best


_NOTHING = frozenset({"0", "-1"})
_OUTRIGHT = frozenset({FactSource.OPTION, FactSource.CONFIG, FactSource.FLAG})
_MOST_TRIED = 6
_LISTED = 3  # so many claimed values on one line are the claim's list


def _of_list(survey: Survey, lines: Sequence[int], claimed: frozenset[str]) -> int:
    """The line that holds a list of a claim's values; -1 for none."""
    most, best = _LISTED - 1, -1
    for line in lines[:_MOST_PLACES]:
        code = survey.index.code_of(*survey.place(line))
        if code.count(",") < _LISTED - 1:
            continue
        held = {v for token in TOKEN.findall(code[:_WIDEST]) for v in token_values(token)}
        if len(held & claimed) > most:
            most, best = len(held & claimed), line
    return best


_WIDEST = 400


def _by_place(
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


def _at_home(
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


def _is_settled(survey: Survey, fact: Fact, wanted: set[str]) -> bool:
    """Whether nothing else gives the name of a value anything, in a repository read to its end."""
    if survey.index.unseen or ParseState.BROKEN in survey.index.parse_states.values():
        return False
    key = join(fact.name.rpartition(".")[2])
    return all(
        canonical(other.value) in wanted or not survey.acts(other)
        for other in survey.facts_named(key)
    ) and not sets_at_all(survey, fact, wanted)


def _overriding(
    survey: Survey, fact: Fact, wanted: set[str], claimed: frozenset[str]
) -> Fact | None:
    key = join(fact.name.rpartition(".")[2])
    best: Fact | None = None
    for other in survey.facts_named(key):
        if other is fact or not survey.acts(other):
            continue
        form = canonical(other.value)
        if form is None:
            continue
        same_call = other.source is FactSource.KEYWORD and other.name == fact.name
        higher = _RANK[other.source] >= 3 and _RANK[other.source] > _RANK[fact.source]
        if not (
            higher
            or (same_call and fact.source in {FactSource.DEFAULT, FactSource.FIELD})
            or _is_set_later(survey, fact, other)
        ):
            continue
        if form in wanted:
            return None
        if form in claimed:
            continue
        if other.source is FactSource.FLAG and not _is_flag_of(survey.index, other, fact):
            continue
        if same_call and not higher and is_of_demonstration(survey, other):
            continue
        if best is None or _RANK[other.source] > _RANK[best.source]:
            best = other
    return best or set_later(survey, fact, wanted, claimed)


def _is_flag_of(index: Index, flag: Fact, fact: Fact) -> bool:
    """Whether a script's flag overrides a value: usual, and given to the program that has it."""
    return is_usual(index, flag) and not is_given_elsewhere(index, flag, fact)


def _is_set_later(survey: Survey, fact: Fact, other: Fact) -> bool:
    """Whether a value is assigned over another: an option once parsed, a name in the same block."""
    if other.source is not FactSource.ASSIGNMENT or other.path != fact.path:
        return False
    if fact.source is FactSource.OPTION:
        return other.line > fact.line and other.name.split(".")[-2:][0] in _OPTIONS
    first, second = (survey.index.line_number(fact.path, one.line) for one in (fact, other))
    codes = survey.statements(fact.path).codes
    return (
        fact.source is FactSource.ASSIGNMENT
        and fact.name == other.name
        and 0 < other.line - fact.line <= _SOON
        and bool(survey.block_of_line[first] == survey.block_of_line[second])
        and not in_other_branch(codes, fact.line - 1, other.line - 1)
    )


def _ratio(survey: Survey, value: Value, fact: Fact) -> float:
    form = canonical(fact.value)
    if form is None:
        return 0.0
    return min(_times_off(value, each) for each in in_unit(survey, fact, form))


def _times_off(value: Value, form: str) -> float:
    try:
        claimed, found = float(value.term[1:]), float(form)
    except (ValueError, OverflowError):
        return 0.0
    if not (math.isfinite(claimed) and math.isfinite(found)):
        return 0.0
    if claimed == found:
        return 1.0
    if claimed == 0 or found == 0:
        return 1e3
    return min(1e3, max(claimed / found, found / claimed))
