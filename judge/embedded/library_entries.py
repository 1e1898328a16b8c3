"""What the tables of public libraries say that calls carry out, and the values they act with."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.library_calls import CALLS
from judge.embedded.library_models import FACT_NAMES, LOADERS, MODELS
from judge.embedded.words import EXPOSITORY, GENERIC, STOP
from retrieval.numbers import token_values
from retrieval.words import TOKEN, join, stem, token_terms

__all__ = ["Default", "Entry", "Loader", "Phrase", "Tables", "library_tables", "loaded_entry"]


@dataclass(frozen=True, slots=True)
class Default:
    """A value that a call acts with though it is not written.

    Attributes:
        argument: By which it would be given, empty where none changes it.
        position: The argument's, -1 where it is given by keyword alone.
        written: The value as a person writes it.
        terms: The value's terms.
        names: Terms by which claims name it.
    """

    argument: str
    position: int
    written: str
    terms: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A thing that a call carries out.

    Attributes:
        text: In words.
        words: The term of each of its words; a claim says it that holds them side by side.
        terms: All terms of its words and of each two.
        telling: How much it tells that a claim says it: 2 for words that together mean one thing, 1
            for a word of its own, 0 for what many things have in common.
    """

    text: str
    words: tuple[str, ...]
    terms: frozenset[str]
    telling: int


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What a call of a name carries out.

    Attributes:
        phrases: What it carries out.
        subject: Terms that say what it is.
        defaults: The values it acts with.
        acts: Whether it acts without its result being used.
    """

    phrases: tuple[Phrase, ...]
    subject: frozenset[str]
    defaults: tuple[Default, ...]
    acts: bool


@dataclass(frozen=True, slots=True)
class Loader:
    """What loads a model, data set or environment by a name.

    Attributes:
        kind: What it loads.
        roots: The libraries that have it.
        position: The name's among the arguments, -1 where the call's own name is what is loaded.
        keyword: The argument by which the name may be given instead.
    """

    kind: str
    roots: frozenset[str]
    position: int
    keyword: str


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables, read.

    Attributes:
        calls: The libraries and what a call carries out, by the last part of its name.
        loaders: What loads by a name, by the last part of its own.
        models: The patterns of names and what they stand for, by the kind that is loaded.
    """

    calls: Mapping[str, tuple[tuple[frozenset[str], Entry], ...]]
    loaders: Mapping[str, tuple[Loader, ...]]
    models: Mapping[str, tuple[tuple[re.Pattern[str], Entry], ...]]


def _rows(table: str) -> Iterator[list[str]]:
    for line in table.strip().replace("\n+ ", " ").splitlines():
        yield [cell.strip() for cell in f"{line} ".split(" | ")]


@lru_cache(maxsize=1)
def library_tables() -> Tables:
    """The tables of all libraries; read once."""
    calls: defaultdict[str, list[tuple[frozenset[str], Entry]]] = defaultdict(list)
    for roots, names, said, *defaults in _rows(CALLS):
        for name in names.split():
            entry = _entry(said, defaults[0] if defaults else "", name.lstrip("!"), name[0] == "!")
            calls[name.lstrip("!")].append((frozenset(roots.split()), entry))
    loaders: defaultdict[str, list[Loader]] = defaultdict(list)
    for kind, roots, names, position, *keyword in _rows(LOADERS):
        place = -1 if position == "=" else int(position)
        for name in names.split():
            loader = Loader(kind, frozenset(roots.split()), place, "".join(keyword))
            loaders[name].append(loader)
    models: defaultdict[str, list[tuple[re.Pattern[str], Entry]]] = defaultdict(list)
    for kind, pattern, said, *facts in _models():
        models[kind].append((re.compile(pattern), _entry(said, "".join(facts), "", acts=False)))
    return Tables(
        {name: tuple(own) for name, own in calls.items()},
        {name: tuple(own) for name, own in loaders.items()},
        {kind: tuple(own) for kind, own in models.items()},
    )


def _models() -> Iterator[list[str]]:
    """The rows of `MODELS`, their facts written as defaults."""
    for kind, pattern, said, *facts in _rows(MODELS):
        found = [_fact(*fact.partition("=")[::2]) for fact in "".join(facts).split()]
        yield [kind, pattern, said, " ".join(found)]


def _fact(name: str, value: str) -> str:
    return f"@{'/'.join(FACT_NAMES.get(name, name).split())}={value}"


# Words that many things have in common: whoever says one of them does not name what a call is.
_VAGUE_WORDS = """
multi head gradient grad linear decay noise sampling sample mask matrix mean average norm squared
square error log cross weight weights learning rate product dot max min maximum minimum adaptive
random state memory group position token image images text vector distribution class labeled scaled
gated natural variance deviation covariance affine scale shift bias momentum entropy value query key
normalization normalize
"""
_VAGUE = GENERIC | EXPOSITORY | frozenset(map(stem, _VAGUE_WORDS.split()))
_COMMON = GENERIC | EXPOSITORY | frozenset(map(stem, ["learning", "rate", "gradient"]))


def _entry(said: str, defaults: str, name: str, acts: bool) -> Entry:
    phrases = [phrase for text in said.split(",") if (phrase := _phrase(text.strip())).words]
    subject = set(token_terms(name)) if name else set()
    # Not the words of a claim that have more than one meaning, unless they stand side by side.
    subject.update(phrases[0].terms)
    subject.update(f"{one}{other}" for one, other in itertools.pairwise(phrases[0].words))
    strong = frozenset(term for term in subject if term not in _VAGUE and len(term) > 1)
    return Entry(tuple(phrases), strong, tuple(map(_default, defaults.split())), acts)


def _phrase(text: str) -> Phrase:
    tokens = [word for word in TOKEN.findall(text) if word.lower() not in STOP]
    terms = [token_terms(token) for token in tokens if token_terms(token)]
    pairs = [join(f"{one} {other}") for one, other in itertools.pairwise(tokens)]
    words = tuple(own[0] for own in terms)
    every = frozenset((*(term for own in terms for term in own), *pairs))
    common = _VAGUE if len(words) < 2 else _COMMON
    telling = 0 if common.issuperset(words) else min(2, len(words))
    return Phrase(text, words, every, telling)


def _default(written: str) -> Default:
    head, _, value = written.partition("=")
    names, _, position = head.partition(":")
    argument, *others = names.lstrip("@").split("/")
    return Default(
        "" if head[0] == "@" else argument,
        int(position) if position else -1,
        value,
        frozenset("#" + form for form in token_values(value)),
        frozenset(join(name) for name in (argument, *others)),
    )


@lru_cache(maxsize=1024)
def loaded_entry(kind: str, name: str) -> Entry | None:
    """What a name of a checkpoint, data set or environment stands for."""
    if not name:
        return None
    whole = re.sub(r"[_\s]", "-", name.lower())
    for text in dict.fromkeys((whole, whole.rpartition("/")[2])):
        for pattern, entry in library_tables().models[kind]:
            if match := pattern.fullmatch(text):
                groups = {key: value for key, value in match.groupdict().items() if value}
                own = tuple(_default(_fact(key, value)) for key, value in groups.items())
                return Entry(
                    entry.phrases,
                    entry.subject | frozenset(_name_terms(text)),
                    (*entry.defaults, *own),
                    acts=False,
                )
    return None


def _name_terms(text: str) -> Iterator[str]:
    """The terms of a checkpoint's name as a whole, and of its parts that are words of their own."""
    yield join(text)
    for token in TOKEN.findall(text):
        yield from (term for term in token_terms(token) if term[0] != "#" and term not in _SIZES)


_SIZE_WORDS = "base small large tiny huge medium xl uncased cased hf in v v2 net data"
_SIZES = frozenset(map(stem, _SIZE_WORDS.split()))
