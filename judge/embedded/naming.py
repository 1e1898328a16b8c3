"""Whether a name of the code is the one that a claim gives a value to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.embedded.mentions import Mention, name_words
from judge.embedded.place_names import terms_of
from judge.embedded.survey import Survey
from judge.embedded.words import GENERIC
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource
from retrieval.words import join, stem, word_parts

__all__ = [
    "AFFIXES",
    "GREEK",
    "QUALIFIERS",
    "WEAK",
    "are_rivals",
    "as_counted",
    "binds",
    "is_akin",
    "is_count",
    "is_enumerated",
    "is_named_apart",
    "is_of_another",
    "is_of_name",
    "is_of_norm",
    "is_of_plot",
    "is_one_seed",
    "is_share_of",
    "is_small",
    "is_variant",
    "is_whole_name",
    "named_by",
    "names_value",
]

AFFIXES = frozenset(
    map(stem, ("num", "number", "max", "total", "default", "base", "initial", "init", "peak"))
)
# Of two learning rates the claim means the one that it qualifies so.
QUALIFIERS = frozenset(
    map(stem, ("min", "final", "end", "warmup", "start", "floor", "first", "last"))
)
WEAK = GENERIC | frozenset(
    map(stem, ("weight", "rate", "coefficient", "factor", "dimension", "scale", "threshold", "dim"))
)
_COUNTED_ALONE = frozenset(map(stem, ("epochs", "folds", "seeds")))
_OF_A_RUN = frozenset(
    map(stem, ("train", "training", "trained", "run", "runs", "use", "model", "network", "total"))
) | frozenset(map(stem, ("perform", "performed", "optimized", "lasts", "takes", "number", "each")))
GREEK = frozenset(map(stem, ("alpha", "beta", "gamma", "eta", "tau", "sigma", "lambda", "delta")))

_LEARNING_RATE = name_words("learning_rate")


_OF_NORMS_AND_OPTIMISERS = frozenset({"momentum", "eps"})
_NORM = re.compile(r"Norm(?:\dd)?$")


def is_of_another(mention: Mention, fact: Fact) -> bool:
    """Whether a name means another thing to the claim than to the code.

    A percentage beside a learning rate says how much of a run its warm-up takes; `momentum` and
    `eps` of an optimiser are not those of a normalisation.
    """
    own = fact.name.rpartition(".")[2]
    if mention.written.endswith("%") and name_words(own) >= _LEARNING_RATE:
        return True
    if is_of_plot(fact):
        return True
    if is_share_of(mention.words, own):
        return True
    return is_of_norm(fact) and not any("norm" in word for word in mention.words)


def is_share_of(said: frozenset[str], own: str) -> bool:
    """Whether what is said qualifies a name of every program: not all steps are input steps."""
    words = name_words(own)
    return words <= WEAK and bool(_OF_TIME & (said - words))


_OF_TIME = frozenset(map(stem, ("input", "output", "context", "history", "past", "future")))
_PLOTS = frozenset(
    {"scatter", "plot", "fill_between", "hist", "bar", "barh", "axhline", "axvline", "grid",
     "legend", "imshow", "contourf", "errorbar", "savefig", "subplots", "figure", "text", "title"}
)  # fmt: skip


def is_of_plot(fact: Fact) -> bool:
    """Whether a value is given to a call that draws a figure."""
    return fact.source is FactSource.KEYWORD and fact.name.split(".")[-2:][0] in _PLOTS


def is_of_norm(fact: Fact) -> bool:
    """Whether a value is a normalisation's, of a name that optimisers have too."""
    owner, _, own = fact.name.rpartition(".")
    return own in _OF_NORMS_AND_OPTIMISERS and _NORM.search(owner) is not None


def named_by(mention: Mention, fact: Fact) -> int:
    """How many words of a mention a fact's name consists of; 0 where it is another name."""
    owner, _, own = fact.name.rpartition(".")
    if mention.exact:
        return 9 if join(own) == mention.exact else 0
    parts = as_counted(name_words(own) - AFFIXES, mention.unit)
    if not parts - QUALIFIERS or not parts <= mention.words:
        return 0
    if is_count(fact) and not _is_whole(mention.forms):
        return 0  # how many Gaussians there are is no deviation
    if len(parts) == 1 and parts <= GREEK and mention.words != parts:
        return 0  # plots have an alpha too
    if mention.unit and (
        mention.unit not in parts
        or not (_is_head(own, mention.unit) or (mention.unit in _LAYERS and _counts_layers(own)))
    ):
        return 0
    if (mention.words & QUALIFIERS) - parts:
        return 0
    if fact.source is FactSource.KEYWORD:
        outer = name_words(owner.rpartition(".")[2]) & mention.words - parts
        if outer - WEAK:
            return len(parts | outer)
    if len(parts) > 1 or not parts & WEAK:
        return len(parts)
    # `64 epochs` are those of the training only where nothing else is said of them.
    alone = mention.unit in parts and frozenset() < mention.words - parts <= _OF_A_RUN
    plural = own.lower().endswith("s") or len(name_words(own)) > 1
    return int(alone and plural and bool(parts & _COUNTED_ALONE))


_LAYERS = frozenset(map(stem, ("layers", "blocks")))
_DEPTH = stem("depth")


def as_counted(words: frozenset[str], unit: str) -> frozenset[str]:
    """The words of a name, with what a claim counts for what counts it: depth is layers or blocks.

    `decoder_depth` and `decoder_layers` say how many blocks the decoder has.
    """
    if unit not in _LAYERS:
        return words
    counts = words & (_LAYERS | {_DEPTH})
    return (words - counts) | {unit} if counts else words


def _counts_layers(own: str) -> bool:
    return stem(word_parts(own)[-1]) in _LAYERS | {_DEPTH}


def _is_whole(forms: frozenset[str]) -> bool:
    return any(form.isdigit() for form in forms)


_STAGES = frozenset(map(stem, ("train", "training", "pretrain", "pretraining", "finetune")))


_UNITS = frozenset(("k", "m", "b", "bn", "thousands", "millions", "billions"))  # `tokens_b`


def _is_head(own: str, unit: str) -> bool:
    """Whether a name says that it counts something: `seed_steps` are no seeds."""
    last = [word for word in word_parts(own) if not (word.isdigit() or word in _UNITS)][-1:]
    return any(stem(word) == unit or stem(word) in AFFIXES | _STAGES for word in last)


def is_akin(mention: Mention, fact: Fact, exact: frozenset[str]) -> bool:
    """Whether a name may mean a mention's: it shares a word that says something."""
    own = fact.name.rpartition(".")[2]
    if join(own) in exact:
        return False  # the claim itself says what this name is given
    return bool(name_words(own) & mention.words - WEAK)


def is_named_apart(mention: Mention, names: frozenset[str], fact: Fact) -> bool:
    """Whether a name is a mention's but for words that the claim has elsewhere.

    `critic_lr` for `the critic is trained with a learning rate of 1e-3`.
    """
    own = fact.name.rpartition(".")[2]
    words = name_words(own) - AFFIXES
    apart = words - mention.words
    return (
        0 < len(apart) < len(words)
        and apart <= names
        and bool(words & mention.words - WEAK)
        and not apart & QUALIFIERS
    )


def is_variant(mention: Mention, said: frozenset[str], fact: Fact) -> bool:
    """Whether a name is a mention's with words that the claim has: `training_steps_code`.

    Args:
        mention: The value.
        said: The stems of all words of the claim.
        fact: What has the name.
    """
    words = name_words(fact.name.rpartition(".")[2]) - AFFIXES
    return bool(words & mention.words) and words <= mention.words | said


def are_rivals(names: frozenset[str], fact: Fact, holding: Sequence[Fact]) -> bool:
    """Whether all that holds a value is another thing's: `actor_lr` where `critic_lr` is meant."""
    own = fact.name.rpartition(".")[2]
    mine = terms_of(own)
    for other in holding:
        its = terms_of(other.name.rpartition(".")[2])
        if not (
            len(mine - its) == len(its - mine) == 1
            and name_words(own) & name_words(other.name.rpartition(".")[2])
            and other.path == fact.path
            and other.source is fact.source
            and mine - its <= names
            and (its - mine).isdisjoint(names | AFFIXES | QUALIFIERS)
        ):
            return False
    return True


def binds(survey: Survey, path: str, line: int, forms: frozenset[str], near: Sequence[str]) -> bool:
    """Whether a line gives a name of a value, by the terms near it, one of its forms itself."""
    terms = frozenset(near)
    rare = not any(map(is_small, forms))
    return any(
        canonical(fact.value) in forms
        and names_value(fact.name, terms, rare=rare and fact.source in _IN_SECTIONS)
        and not is_enumerated(survey, fact)
        for fact in survey.facts_at(path, line)
    )


_IN_SECTIONS = frozenset({FactSource.CONFIG, FactSource.DICT})
_SMALL = 100


def is_small(form: str) -> bool:
    """Whether a number is one of those that stand everywhere: whole, and under a hundred."""
    try:
        number = float(form)
    except (ValueError, OverflowError):
        return False
    return number.is_integer() and abs(number) < _SMALL


def is_enumerated(survey: Survey, fact: Fact) -> bool:
    """Whether a constant is one of several that are only told apart: `WALL = 1`, `BOX = 2`."""
    own = fact.name.rpartition(".")[2]
    if not (own.isupper() and fact.value.strip().isdigit() and len(fact.value) < _SHORT):
        return False
    value = int(fact.value)
    return any(
        other.value.strip() == str(value + step) and other.name.rpartition(".")[2].isupper()
        for step in (-1, 1)
        for other in survey.facts_at(fact.path, fact.line + step)
    )


_SHORT = 3


# Of these a number says nothing, and they stand beside numbers everywhere.
_NO_VALUES = frozenset(
    map(stem, ("model", "data", "dataset", "network", "name", "value", "result", "method", "type",
               "test", "train", "experiment", "main", "param", "params", "parameter", "file",
               "path", "key", "index", "use"))
)  # fmt: skip


def names_value(name: str, terms: frozenset[str], *, rare: bool = False) -> bool:
    """Whether a name is one that a value has by the terms near it, and no word of every program.

    A section stands for a key that says nothing by itself, as in `warmup.steps`, and for any key
    of a number that hardly stands somewhere by chance.

    Args:
        name: The dotted name.
        terms: The terms near the value.
        rare: The number is no small whole one.
    """
    owner, _, own = name.rpartition(".")
    words = name_words(own)
    if words - AFFIXES <= _NO_VALUES and words:
        return False
    rest = words - AFFIXES
    if join(own) in terms or (words & terms) - WEAK - AFFIXES or (rest and rest <= terms):
        return True
    return (rare or not words - WEAK - AFFIXES) and bool(
        name_words(owner.rpartition(".")[2]) & terms - WEAK - AFFIXES
    )


def is_count(fact: Fact) -> bool:
    """Whether a name says that it counts something: `num_boxes`."""
    return fact.name.rpartition(".")[2].lower().startswith(("num_", "n_", "number_of_"))


def is_of_name(name: str, own: str) -> bool:
    """Whether a name of code has all words and letters of a claim's: `w_tau` is not `tau`."""
    letters = {part for part in word_parts(name) if len(part) == 1}
    return name_words(name) <= name_words(own) and letters <= set(word_parts(own))


def is_one_seed(fact: Fact) -> bool:
    """Whether a name is that of one seed, and not of how many there are."""
    own = fact.name.rpartition(".")[2].lower()
    return own.endswith("seed") and not is_count(fact)


def is_whole_name(name: str, terms: frozenset[str]) -> bool:
    """Whether terms hold a name of several words whole: `sigma_v_xy` for `sigma_vxy`."""
    own = name.rpartition(".")[2]
    return len(name_words(own)) > 1 and join(own) in terms
