"""What live calls of public libraries carry out in a repository, and the values they act with.

`nn.MultiheadAttention` projects, scales, takes a softmax and joins heads, though none of these
words need stand in the code. A call counts where it is live, where its name leads to the library
through the imports of its file, and where what it makes is used.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from judge.embedded.library_calls import CALLS
from judge.embedded.library_models import FACT_NAMES, LOADERS, MODELS
from judge.embedded.parts import Claim
from judge.embedded.statements import Statements, arguments_of
from judge.embedded.survey import Kept, Standing, Survey
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
        phrase: What the first of them does, in words.
        credit: What the word is worth beside one written out.
    """

    calls: tuple[KnownCall, ...]
    phrase: str
    lines: Lines
    blocks: Lines
    credit: float = CARRIED


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
_LEAST_TOLD = 2  # what a claim must tell of a call that it does not name
_Key = str | tuple[str, str]


class Library:
    """The known calls of a repository.

    Attributes:
        calls: By line.
    """

    def __init__(self, survey: Survey) -> None:
        self.calls: tuple[KnownCall, ...] = tuple(sorted(_known_calls(survey), key=_line_of))
        # The calls of each entry; entries are in the order of their first calls.
        self._calls: dict[Entry, list[KnownCall]] = {}
        # By the first word of a phrase, or the first two.
        self._phrases: defaultdict[_Key, list[tuple[Entry, Phrase]]] = defaultdict(list)
        self._values: defaultdict[str, list[tuple[int, Default]]] = defaultdict(list)
        for number, call in enumerate(self.calls):
            if call.entry not in self._calls:
                for phrase in call.entry.phrases:
                    one, *others = phrase.words
                    first: _Key = (one, others[0]) if others else one
                    self._phrases[first].append((call.entry, phrase))
            self._calls.setdefault(call.entry, []).append(call)
            for default in call.defaults:
                for term in default.terms:
                    self._values[term].append((number, default))

    def carried(self, claim: Claim) -> Carrying:
        """What calls carry out of a claim.

        Only calls that the claim speaks of: it names what they are, or says two of the things that
        they do.
        """
        if not self.calls:
            return NOTHING
        keys, pairs, said = _spoken(claim)
        done: defaultdict[Entry, list[Phrase]] = defaultdict(list)
        for key in keys:
            for entry, phrase in self._phrases.get(key, ()):
                if all(pair in pairs for pair in itertools.pairwise(phrase.words)):
                    done[entry].append(phrase)
        if not done:
            return NOTHING
        by_term: defaultdict[str, dict[Entry, Phrase]] = defaultdict(dict)
        spoken: list[Entry] = []
        for entry, phrases in done.items():
            telling = sum(phrase.telling for phrase in phrases)
            if telling < _LEAST_TOLD and said.isdisjoint(entry.subject):
                continue
            spoken.append(entry)
            for phrase in phrases:
                for term in phrase.terms:
                    by_term[term].setdefault(entry, phrase)
        if not spoken:
            return NOTHING
        words: dict[int, Carried] = {}
        for place, concept in enumerate(claim.concepts):
            own = {e: phrase for t in concept.terms for e, phrase in by_term.get(t, {}).items()}
            if own:
                words[place] = self._carried(own)
        operators: dict[int, Carried] = {}
        for place, operator in enumerate(claim.operators):
            own = {e: p for e in spoken if (p := _carries(e, operator.text))}
            if own:
                operators[place] = self._carried(own)
        return Carrying(words, operators)

    def default(self, value: Value, said: frozenset[str]) -> tuple[KnownCall, Default] | None:
        """The first call that acts with a claimed value, of those that the claim names.

        Args:
            value: The claimed value.
            said: The claim's terms.
        """
        for term in (value.term, *value.also):
            for number, default in self._values.get(term, ()):
                call = self.calls[number]
                if not default.names.isdisjoint(value.near) and not said.isdisjoint(
                    call.entry.subject
                ):
                    return call, default
        return None

    def _carried(self, own: Mapping[Entry, Phrase]) -> Carried:
        found = [call for entry in own for call in self._calls[entry]]
        calls = tuple(sorted(found, key=_line_of))
        blocks = np.array(sorted({call.block for call in calls if call.block >= 0}), np.int64)
        lines = np.array(sorted({call.line for call in calls}), np.int64)
        return Carried(calls, own[calls[0].entry].text, lines, blocks)


_Spoken = tuple[tuple[_Key, ...], frozenset[tuple[str, str]], frozenset[str]]
_SPOKEN: dict[str, _Spoken] = {}
_MOST_SPOKEN = 4096


def _spoken(claim: Claim) -> _Spoken:
    """The words and pairs of a claim, its pairs alone, and the terms of both; made once."""
    known = _SPOKEN.get(claim.text)
    if known is None:
        if len(_SPOKEN) >= _MOST_SPOKEN:
            _SPOKEN.clear()
        pairs = _pairs(claim.text)
        terms = dict.fromkeys(term for concept in claim.concepts for term in concept.terms)
        said = frozenset((*terms, *(f"{one}{other}" for one, other in pairs)))
        known = _SPOKEN[claim.text] = ((*terms, *sorted(pairs)), pairs, said)
    return known


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    """The terms of each two words with at most one between them, words of grammar left out."""
    words = [
        terms[0]
        for token in TOKEN.findall(text)
        if token.lower() not in STOP and (terms := token_terms(token))
    ]
    return frozenset(itertools.pairwise(words)) | frozenset(zip(words, words[2:], strict=False))


def _line_of(call: KnownCall) -> int:
    return call.line


@lru_cache(maxsize=4096)
def _carries(entry: Entry, operation: str) -> Phrase | None:
    """The phrase of an entry that is an operation, or a kind of it."""
    name = operation.lower()
    for phrase in entry.phrases:
        if phrase.text.lower().replace("-", " ").endswith(name):
            return phrase
    return None


def said_by(claim: Claim) -> frozenset[str]:
    """The terms of a claim's words, and of each two side by side."""
    return _spoken(claim)[2]


_LIBRARIES: Kept[Library] = Kept()


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
        statements = survey.statements(path)
        for call in dict.fromkeys(live):
            whole = statements.resolve(call.name)
            if whole:
                yield from _known(survey, statements, call, whole, base + call.line)


# What measures has done its work where its result is told.
_MEASURES = re.compile(
    r"(?:sklearn\.metrics|scipy\.stats|torchmetrics\.functional|skimage\.metrics|sacrebleu"
    r"|nltk\.translate|rouge_score|seqeval|editdistance|jiwer|pycocoevalcap|bert_score|lpips)\."
)


def _known(
    survey: Survey, statements: Statements, call: Call, whole: str, line: int
) -> Iterator[KnownCall]:
    """What a call that leads to `whole` carries out, by its name and by what it loads."""
    tables = _tables()
    root, last = whole.partition(".")[0], whole.rpartition(".")[2]
    block = int(survey.block_of_line[line])
    for roots, entry in tables.calls.get(last, ()):
        used = entry.acts or statements.is_used(call)
        if root in roots and (used or (_MEASURES.match(whole) and statements.is_told(call))):
            given = arguments_of(statements.text_from(call)) if entry.defaults else None
            kept = () if given is None else _kept(entry.defaults, *given)
            if kept and ".optim." in whole and given is not None:
                kept = _ungrouped(survey, kept, *given[:2])
            yield KnownCall(entry, call.name, line, block, kept)
    for loader in tables.loaders.get(last, ()):
        if root not in loader.roots or _PARTS.search(whole) or not statements.is_used(call):
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


def _ungrouped(
    survey: Survey, kept: tuple[Default, ...], places: Sequence[str], keywords: Mapping[str, str]
) -> tuple[Default, ...]:
    """The defaults of an optimiser without those that groups of parameters may set themselves."""
    parameters = places[0] if places else keywords.get("params", "")
    if "parameters(" in parameters and "{" not in parameters:
        return kept
    return tuple(one for one in kept if not len(survey.places(join(one.argument)).live))


# What is loaded by a model's name and is not the model.
_PARTS = re.compile(r"Tokenizer|Processor|FeatureExtractor|Scheduler")
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
