"""Whether a claimed value stands beside its name in code that acts, and whether it takes effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from judge.embedded.acting_numbers import given_on
from judge.embedded.computed import Computed, computed_in
from judge.embedded.counting_things import not_of_others
from judge.embedded.defaults import defaults_of
from judge.embedded.file_places import homes_of
from judge.embedded.known_calls import KnownCall
from judge.embedded.library import library_of
from judge.embedded.library_entries import Default
from judge.embedded.naming import is_enumerated, is_of_norm, is_small, names_value
from judge.embedded.numbers_alone import first_number
from judge.embedded.others import other_of
from judge.embedded.overriding import is_settled, override_of
from judge.embedded.periods import period_of
from judge.embedded.place_names import names_in
from judge.embedded.repeats import counts_repeats, repeated_on
from judge.embedded.survey import Survey
from judge.embedded.times_off import ratio_to, times_off
from judge.embedded.units import stated_in_unit
from judge.embedded.value_homes import by_place, given_at_home, given_in_homes
from retrieval.numbers import canonical, token_values
from retrieval.query import Value
from retrieval.values import Fact
from retrieval.words import TOKEN

__all__ = ["SOMEWHERE", "WRONG", "ValueFinding", "ValueState", "find_value"]

_REACH = 1
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


WRONG = frozenset({ValueState.OTHER, ValueState.OVERRIDDEN})
"""Another value stands in the claimed one's place."""

SOMEWHERE = frozenset({ValueState.BESIDE, ValueState.ELSEWHERE})
"""It is written on a live line."""


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
        ratio = ratio_to(survey, value, other)
        if idle < 0 and elsewhere < 0:
            return ValueFinding(value, ValueState.OTHER, line, other, ratio)
    if idle >= 0:
        ratio = ratio_to(survey, value, other) if other is not None else 0.0
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
    ratio = times_off(value, form)
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
        over = override_of(survey, found.fact, wanted, claimed)
        if over is not None:
            return ValueFinding(
                value, ValueState.OVERRIDDEN, found.line, over, ratio_to(survey, value, over)
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
        over = override_of(survey, fact, wanted, claimed)
        if over is not None:
            return ValueFinding(
                value, ValueState.OVERRIDDEN, line, over, ratio_to(survey, value, over)
            )
        settled = settled or is_settled(survey, fact, wanted)
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
        instead = given_in_homes(survey, value, holding[0], claimed=claimed, text=text, homes=homes)
        if instead is not None:
            own = survey.index.line_number(instead.path, instead.line)
            off = min(times_off(value, form) for form in survey.forms(instead))
            return ValueFinding(value, ValueState.OTHER, own, instead, off, away=True)
    if not given:
        return first
    if "norm" not in text.lower():
        given.sort(key=lambda one: is_of_norm(one[1]))
    ranked = by_place(survey, given, names_in(text), near)
    if homes.paths:
        ranked.sort(key=lambda one: one[1].path not in homes.paths)
    found = first
    for number, (line, fact) in enumerate(ranked[:_MOST_TRIED]):
        found = _effective(survey, value, line, claimed)
        if found.state is ValueState.BESIDE:
            instead = (
                None
                if number
                else given_at_home(survey, fact, wanted, claimed=claimed, text=text, near=near)
            )
            if instead is None:
                return found
            own = survey.index.line_number(instead.path, instead.line)
            ratio = ratio_to(survey, value, instead)
            return ValueFinding(value, ValueState.OTHER, own, instead, ratio, away=True)
    return first if first.state is ValueState.BESIDE else found


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
