"""Whether another number under the name of a value is said of something else than the value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.embedded.acting_numbers import Given
from judge.embedded.file_places import homes_of
from judge.embedded.mentions import Mention, name_words
from judge.embedded.named_places import scope_of
from judge.embedded.naming import AFFIXES, WEAK, named_by
from judge.embedded.passing import is_given_by_callers
from judge.embedded.survey import Survey
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource
from retrieval.words import stem

__all__ = ["Told", "is_no_default_of", "is_of_other_mention", "is_of_other_split", "is_of_second"]


@dataclass(frozen=True, slots=True)
class Told:
    """What else a claim says: its text, the names of places and all words in it, its values."""

    text: str
    names: frozenset[str]
    said: frozenset[str]
    mentions: Sequence[Mention]


def is_no_default_of(
    survey: Survey,
    told: Told,
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


def _is_strangers(survey: Survey, told: Told, mention: Mention, fact: Fact) -> bool:
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


def is_of_other_mention(
    told: Told,
    mention: Mention,
    by_name: Mapping[str, Sequence[Given]],
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


def is_of_second(told: Told, mention: Mention, fact: Fact) -> bool:
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


def is_of_other_split(survey: Survey, mention: Mention, fact: Fact) -> bool:
    """Whether a value of testing is meant by what is said of training, or the other way."""
    said = mention.words | frozenset({mention.unit})
    trains, tests = not said.isdisjoint(_TRAINING), not said.isdisjoint(_TESTING)
    if trains == tests:
        return False
    held = scope_of(survey, fact).strong
    return held.isdisjoint(_TRAINING if trains else _TESTING) and not held.isdisjoint(
        _TESTING if trains else _TRAINING
    )
