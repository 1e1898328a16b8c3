"""What live calls of public libraries carry out in a repository, and the values they act with.

`nn.MultiheadAttention` projects, scales, takes a softmax and joins heads, though none of these
words need stand in the code. A call counts where it is live, where its name leads to the library
through the imports of its file, and where what it makes is used.
"""

from __future__ import annotations

import itertools
import re
import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from judge.embedded.library_calls import CALLS
from judge.embedded.library_models import FACT_NAMES, LOADERS, MODELS
from judge.embedded.parts import Claim
from judge.embedded.statements import Statements, arguments_of
from judge.embedded.survey import Standing, Survey
from judge.embedded.words import EXPOSITORY, GENERIC, STOP
from retrieval.graph import Call, Symbol
from retrieval.numbers import token_values
from retrieval.query import Value
from retrieval.words import TOKEN, join, stem, token_terms

__all__ = [
    "CARRIED",
    "NOTHING",
    "Carried",
    "Carrying",
    "Default",
    "KnownCall",
    "Library",
    "library_of",
    "said_by",
]

Lines = npt.NDArray[np.int64]
CARRIED = 0.6
"""What a word, an operation or a value that a call carries out is worth beside one written out."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What a call of a name carries out.

    Attributes:
        phrases: In words, by term; a phrase's words and each two side by side are its terms.
        subject: Terms that say what it is.
        defaults: The values it acts with.
        acts: Whether it acts without its result being used.
    """

    phrases: Mapping[str, str]
    subject: frozenset[str]
    defaults: tuple[Default, ...]
    acts: bool


@dataclass(frozen=True, slots=True)
class KnownCall:
    """A live call whose result is used.

    Attributes:
        entry: What it carries out.
        shown: How it is written: `nn.LSTM`, or the name of what it loads.
        line: Its line, counted over all files from 0.
        block: The block that the line stands in.
        defaults: The values that it acts with, those left out that it is given another way.
    """

    entry: Entry
    shown: str
    line: int
    block: int
    defaults: tuple[Default, ...]


@dataclass(frozen=True, slots=True)
class Carried:
    """The calls that carry out a word or an operation of a claim.

    Attributes:
        calls: The calls, by line.
        lines: Their lines.
        blocks: Their blocks.
    """

    calls: tuple[KnownCall, ...]
    lines: Lines
    blocks: Lines


@dataclass(frozen=True, slots=True)
class Carrying:
    """What calls carry out of a claim.

    Attributes:
        words: By position in its words.
        operators: By position in its operations.
    """

    words: Mapping[int, Carried]
    operators: Mapping[int, Carried]


NOTHING = Carrying({}, {})
_LEAST_SHARED = 2  # words of a call that a claim must hold that does not name it
_TELLING = 0.5  # from this weight on a word says something


class Library:
    """The known calls of a repository.

    Attributes:
        calls: By line.
    """

    def __init__(self, survey: Survey) -> None:
        self.calls: tuple[KnownCall, ...] = tuple(
            sorted(_known_calls(survey), key=lambda call: call.line)
        )
        self._by_term: defaultdict[str, list[int]] = defaultdict(list)
        self._by_value: defaultdict[str, list[tuple[int, Default]]] = defaultdict(list)
        for number, call in enumerate(self.calls):
            for term in call.entry.phrases:
                self._by_term[term].append(number)
            for default in call.defaults:
                for term in default.terms:
                    self._by_value[term].append((number, default))

    def carried(self, claim: Claim) -> Carrying:
        """What calls carry out of a claim.

        Only calls that the claim speaks of: it names what they are, or holds two of the words that
        say what they do.
        """
        found = {
            number: own
            for number, concept in enumerate(claim.concepts)
            if (own := self._of(concept.terms))
        }
        if not found:
            return NOTHING
        said = said_by(claim)
        shared: defaultdict[int, int] = defaultdict(int)
        for number, own in found.items():
            if claim.concepts[number].weight >= _TELLING:
                for call in own:
                    shared[call] += 1
        spoken = {
            call
            for own in found.values()
            for call in own
            if shared[call] >= _LEAST_SHARED or not said.isdisjoint(self.calls[call].entry.subject)
        }
        words = {
            number: self._carried([call for call in own if call in spoken])
            for number, own in found.items()
            if not spoken.isdisjoint(own)
        }
        operators: dict[int, Carried] = {}
        for number, operator in enumerate(claim.operators):
            term = join(operator.text)
            whole = [
                call
                for call in self._by_term.get(term, ())
                if call in spoken and _is_whole(operator.text, self.calls[call].entry.phrases[term])
            ]
            if whole:
                operators[number] = self._carried(whole)
        return Carrying(words, operators)

    def default(self, value: Value, said: frozenset[str]) -> tuple[KnownCall, Default] | None:
        """The first call that acts with a claimed value, of those that the claim names.

        Args:
            value: The claimed value.
            said: The claim's terms.
        """
        for term in (value.term, *value.also):
            for number, default in self._by_value.get(term, ()):
                call = self.calls[number]
                if not default.names.isdisjoint(value.near) and not said.isdisjoint(
                    call.entry.subject
                ):
                    return call, default
        return None

    def _of(self, terms: Iterable[str]) -> list[int]:
        own: dict[int, None] = {}
        for term in terms:
            own.update(dict.fromkeys(self._by_term.get(term, ())))
        return list(own)

    def _carried(self, numbers: Sequence[int]) -> Carried:
        calls = tuple(self.calls[number] for number in sorted(numbers))
        blocks = np.unique(np.array([call.block for call in calls], np.int64))
        lines = np.unique(np.array([call.line for call in calls], np.int64))
        return Carried(calls, lines, blocks[blocks >= 0])


def _is_whole(name: str, phrase: str) -> bool:
    """Whether a phrase says an operation, and not only a word of its name."""
    return phrase.lower().replace("-", " ").endswith(name.lower())


def said_by(claim: Claim) -> frozenset[str]:
    """The terms of a claim's words."""
    return frozenset(term for concept in claim.concepts for term in concept.terms)


_LIBRARIES: weakref.WeakKeyDictionary[Survey, Library] = weakref.WeakKeyDictionary()


def library_of(survey: Survey) -> Library:
    """The known calls of a repository; found once."""
    known = _LIBRARIES.get(survey)
    if known is None:
        known = _LIBRARIES[survey] = Library(survey)
    return known


# ---- the tables --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Loader:
    kind: str
    roots: frozenset[str]
    position: int  # -1: the call's own name is what is loaded
    keyword: str


@dataclass(frozen=True, slots=True)
class _Tables:
    """Rows by the last part of a call's name."""

    calls: Mapping[str, tuple[tuple[frozenset[str], Entry], ...]]
    loaders: Mapping[str, tuple[_Loader, ...]]
    models: Mapping[str, tuple[tuple[re.Pattern[str], Entry], ...]]


def _rows(table: str) -> Iterator[list[str]]:
    for line in table.strip().replace("\n+ ", " ").splitlines():
        yield [cell.strip() for cell in f"{line} ".split(" | ")]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    calls: defaultdict[str, list[tuple[frozenset[str], Entry]]] = defaultdict(list)
    for roots, names, said, *defaults in _rows(CALLS):
        for name in names.split():
            entry = _entry(said, defaults[0] if defaults else "", name.lstrip("!"), name[0] == "!")
            calls[name.lstrip("!")].append((frozenset(roots.split()), entry))
    loaders: defaultdict[str, list[_Loader]] = defaultdict(list)
    for kind, roots, names, position, *keyword in _rows(LOADERS):
        place = -1 if position == "=" else int(position)
        for name in names.split():
            loader = _Loader(kind, frozenset(roots.split()), place, "".join(keyword))
            loaders[name].append(loader)
    models: defaultdict[str, list[tuple[re.Pattern[str], Entry]]] = defaultdict(list)
    for kind, pattern, said, *facts in _models():
        models[kind].append((re.compile(pattern), _entry(said, "".join(facts), "", acts=False)))
    return _Tables(
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
gated natural
"""
_VAGUE = GENERIC | EXPOSITORY | frozenset(map(stem, _VAGUE_WORDS.split()))


def _entry(said: str, defaults: str, name: str, acts: bool) -> Entry:
    phrases: dict[str, str] = {}
    subject: set[str] = set(token_terms(name)) if name else set()
    for number, phrase in enumerate(said.split(",")):
        words = [word for word in TOKEN.findall(phrase) if word.lower() not in STOP]
        terms = [term for word in words for term in token_terms(word) if term[0] != "#"]
        pairs = [join(f"{one} {other}") for one, other in itertools.pairwise(words)]
        for term in (*terms, *pairs):
            phrases.setdefault(term, phrase.strip())
        if number == 0:
            subject.update(terms, pairs)
    strong = frozenset(term for term in subject if term not in _VAGUE and len(term) > 1)
    return Entry(phrases, strong, tuple(map(_default, defaults.split())), acts)


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


# ---- finding calls -----------------------------------------------------------------------------


def _known_calls(survey: Survey) -> Iterator[KnownCall]:
    tables = _tables()
    wanted = tables.calls.keys() | tables.loaders.keys()
    by_path: defaultdict[str, list[tuple[Symbol, Call]]] = defaultdict(list)
    for symbol in survey.index.graph.symbols:
        for call in symbol.calls:
            if call.name.rpartition(".")[2] in wanted:
                by_path[symbol.path].append((symbol, call))
    for path, found in by_path.items():
        base = survey.index.line_number(path, 1) - 1
        live = [call for _, call in found if survey.standing[base + call.line] == Standing.LIVE]
        if not live:
            continue
        statements = Statements(survey.index, path)
        for call in dict.fromkeys(live):
            whole = statements.resolve(call.name)
            if whole:
                yield from _known(survey, statements, call, whole, base + call.line)


def _known(
    survey: Survey, statements: Statements, call: Call, whole: str, line: int
) -> Iterator[KnownCall]:
    """What a call that leads to `whole` carries out, by its name and by what it loads."""
    tables = _tables()
    root, last = whole.partition(".")[0], whole.rpartition(".")[2]
    block = int(survey.block_of_line[line])
    for roots, entry in tables.calls.get(last, ()):
        if root in roots and (entry.acts or statements.is_used(call)):
            given = arguments_of(statements.text_from(call)) if entry.defaults else None
            kept = () if given is None else _kept(entry.defaults, *given)
            yield KnownCall(entry, call.name, line, block, kept)
    for loader in tables.loaders.get(last, ()):
        if root not in loader.roots or not statements.is_used(call):
            continue
        name = last
        if loader.position >= 0:
            given = arguments_of(statements.text_from(call))
            if given is None:
                continue
            places, keywords, _ = given
            argument = keywords.get(loader.keyword) or (
                places[loader.position] if loader.position < len(places) else ""
            )
            name = _text(survey, argument)
        loaded = _model(loader.kind, name)
        if loaded is not None:
            shown = call.name if name == last else f"{call.name}({name!r})"
            yield KnownCall(loaded, shown, line, block, loaded.defaults)


def _kept(
    defaults: Sequence[Default], places: Sequence[str], keywords: Mapping[str, str], more: bool
) -> tuple[Default, ...]:
    """The defaults that the arguments of a call leave as they are."""
    return tuple(
        default
        for default in defaults
        if not default.argument
        or not (more or default.argument in keywords or 0 <= default.position < len(places))
    )


_QUOTED = re.compile(r"[rRbBuU]?(['\"])([^'\"\n]{1,120})\1\Z")
_NAME = re.compile(r"[\w.]+\Z")


def _text(survey: Survey, argument: str) -> str:
    """The text that an argument is, or that the one live text of its name gives it."""
    if match := _QUOTED.match(argument):
        return match[2]
    if not _NAME.match(argument):
        return ""
    texts = {
        match[2]
        for fact in survey.facts_named(join(argument.rpartition(".")[2]))
        if survey.acts(fact) and (match := _QUOTED.match(fact.value))
    }
    return texts.pop() if len(texts) == 1 else ""


@lru_cache(maxsize=1024)
def _model(kind: str, name: str) -> Entry | None:
    """What a name of a checkpoint, data set or environment stands for."""
    if not name:
        return None
    whole = re.sub(r"[_\s]", "-", name.lower())
    for text in dict.fromkeys((whole, whole.rpartition("/")[2])):
        for pattern, entry in _tables().models[kind]:
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
