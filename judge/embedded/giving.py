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

import numpy as np

from judge.embedded.computed import computed_in
from judge.embedded.mentions import Mention, name_words
from judge.embedded.settings import is_usual
from judge.embedded.survey import Kept, Survey
from judge.embedded.words import GENERIC
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource
from retrieval.words import join, join_parts, stem

__all__ = ["Conflict", "binds", "conflicts", "is_near", "ratio_of"]

_AFFIXES = frozenset(
    map(stem, ("num", "number", "max", "total", "default", "base", "initial", "init", "peak"))
)
# Of two learning rates the claim means the one that it qualifies so.
_QUALIFIERS = frozenset(
    map(stem, ("min", "final", "end", "warmup", "start", "floor", "first", "last"))
)
_WEAK = GENERIC | frozenset(
    map(stem, ("weight", "rate", "coefficient", "factor", "dimension", "scale", "threshold", "dim"))
)
_COUNTED_ALONE = frozenset(map(stem, ("epochs", "folds", "seeds")))
_OF_A_RUN = frozenset(
    map(stem, ("train", "training", "trained", "run", "runs", "use", "model", "network", "total"))
) | frozenset(map(stem, ("perform", "performed", "optimized", "lasts", "takes", "number", "each")))
_GREEK = frozenset(map(stem, ("alpha", "beta", "gamma", "eta", "tau", "sigma", "lambda", "delta")))
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


def conflicts(survey: Survey, mentions: Sequence[Mention]) -> list[Conflict]:
    """The values of a claim that the code contradicts, in the claim's order."""
    if not mentions:
        return []
    named = _named(survey)
    exact = frozenset(mention.exact for mention in mentions if mention.exact)
    found = [_conflict(survey, mention, _candidates(named, mention), exact) for mention in mentions]
    return [one for one in found if one is not None]


_Given = tuple[Fact, str]


_NAMED: Kept[Mapping[str, Sequence[_Given]]] = Kept()


def _named(survey: Survey) -> Mapping[str, Sequence[_Given]]:
    """The acting facts that are one number, by each word of their names; looked up once."""
    known = _NAMED.get(survey)
    if known is None:
        known = _NAMED[survey] = _name(survey)
    return known


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
    return found


def _candidates(named: Mapping[str, Sequence[_Given]], mention: Mention) -> list[_Given]:
    keys = {mention.exact, *mention.words}
    rows = {(id(fact), form): (fact, form) for key in keys for fact, form in named.get(key, ())}
    return sorted(rows.values(), key=lambda row: (row[0].path, row[0].line, row[0].name, row[1]))


def _conflict(
    survey: Survey,
    mention: Mention,
    facts: Iterable[_Given],
    exact: frozenset[str],
) -> Conflict | None:
    if not mention.words and not mention.exact:
        return None
    best: tuple[int, float] | None = None
    other: Fact | None = None
    parts_of = computed_in(survey).parts_of
    for fact, form in facts:
        strength = _named_by(mention, fact)
        # `0.1 * steps` is what a claim of 0.1 may mean.
        parts = parts_of.get((fact.path, fact.line, fact.name), frozenset())
        if form in mention.forms or not parts.isdisjoint(mention.forms):
            if strength or _akin(mention, fact, exact):
                return None
        elif strength and form not in mention.together and not _is_of_another(mention, fact):
            if fact.source is FactSource.FLAG and not is_usual(survey.index, fact):
                continue
            rank = strength, -ratio_of(mention.forms, form)
            if best is None or rank > best:
                best, other = rank, fact
    if best is None or other is None or best[1] >= -1.0 or _beside(survey, mention):
        return None
    return Conflict(mention, other, -best[1])


_LEARNING_RATE = name_words("learning_rate")


_OF_NORMS_AND_OPTIMISERS = frozenset({"momentum", "eps"})
_NORM = re.compile(r"Norm(?:\dd)?$")


def _is_of_another(mention: Mention, fact: Fact) -> bool:
    """Whether a name means another thing to the claim than to the code.

    A percentage beside a learning rate says how much of a run its warm-up takes; `momentum` and
    `eps` of an optimiser are not those of a normalisation.
    """
    owner, _, own = fact.name.rpartition(".")
    if mention.written.endswith("%") and name_words(own) >= _LEARNING_RATE:
        return True
    if own in _OF_NORMS_AND_OPTIMISERS and _NORM.search(owner) is not None:
        return not any("norm" in word for word in mention.words)
    return False


def _named_by(mention: Mention, fact: Fact) -> int:
    """How many words of a mention a fact's name consists of; 0 where it is another name."""
    owner, _, own = fact.name.rpartition(".")
    if mention.exact:
        return 9 if join(own) == mention.exact else 0
    parts = name_words(own) - _AFFIXES
    if not parts - _QUALIFIERS or not parts <= mention.words:
        return 0
    if len(parts) == 1 and parts <= _GREEK and mention.words != parts:
        return 0  # plots have an alpha too
    if mention.unit and mention.unit not in parts:
        return 0
    if (mention.words & _QUALIFIERS) - parts:
        return 0
    if fact.source is FactSource.KEYWORD:
        outer = name_words(owner.rpartition(".")[2]) & mention.words - parts
        if outer - _WEAK:
            return len(parts | outer)
    if len(parts) > 1 or not parts & _WEAK:
        return len(parts)
    # `64 epochs` are those of the training only where nothing else is said of them.
    alone = mention.unit in parts and frozenset() < mention.words - parts <= _OF_A_RUN
    plural = own.lower().endswith("s") or len(name_words(own)) > 1
    return int(alone and plural and bool(parts & _COUNTED_ALONE))


def _akin(mention: Mention, fact: Fact, exact: frozenset[str]) -> bool:
    """Whether a name may mean a mention's: it shares a word that says something."""
    own = fact.name.rpartition(".")[2]
    if join(own) in exact:
        return False  # the claim itself says what this name is given
    return bool(name_words(own) & mention.words - _WEAK)


def _beside(survey: Survey, mention: Mention) -> bool:
    """Whether the value stands on a live line with a name of it."""
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
    if mention.exact:
        names = [mention.exact]
    else:
        names = [word for word in mention.words if word not in _WEAK]
        names += [
            join_parts([one, two]) for one in mention.words for two in mention.words if one != two
        ]
    return any(np.isin(here, survey.places(name).live).any() for name in names if len(name) > 1)


def is_near(survey: Survey, line: int, terms: Iterable[str]) -> bool:
    """Whether one of some terms stands on a line or beside it."""
    return any(
        bool((np.abs(survey.places(term).live - line) <= 1).any())
        for term in terms
        if term not in _WEAK
    )


def binds(survey: Survey, path: str, line: int, forms: frozenset[str], near: Sequence[str]) -> bool:
    """Whether a line gives a name of a value, by the terms near it, one of its forms itself."""
    terms = frozenset(near)
    return any(
        canonical(fact.value) in forms and not terms.isdisjoint(_terms(fact.name))
        for fact in survey.facts_at(path, line)
    )


def _terms(name: str) -> frozenset[str]:
    return name_words(name) | {join(part) for part in name.split(".")}


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
