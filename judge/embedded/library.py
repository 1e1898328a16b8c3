"""What live calls of public libraries carry out in a repository, and the values they act with.

`nn.MultiheadAttention` projects, scales, takes a softmax and joins heads, though none of these
words need stand in the code. A call counts where it is live, where its name leads to the library
through the imports of its file, and where what it makes is used.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from judge.embedded.known_calls import KnownCall, known_calls
from judge.embedded.library_entries import Default, Entry, Phrase
from judge.embedded.parts import Claim
from judge.embedded.survey import Kept, Survey
from judge.embedded.words import STOP
from retrieval.query import Value
from retrieval.words import TOKEN, token_terms

__all__ = ["CARRIED", "NOTHING", "Carried", "Carrying", "Library", "library_of", "said_by"]

Lines = npt.NDArray[np.int64]
CARRIED = 0.6
"""What a word, an operation or a value that a call carries out is worth beside one written out."""


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
        self.calls: tuple[KnownCall, ...] = tuple(sorted(known_calls(survey), key=_line_of))
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
