"""Words by which a claim or a name of code may call a place: `CIFAR-10`, `critic`, `stage two`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from judge.embedded.signs import is_of_word
from judge.embedded.words import EXPOSITORY, GENERIC, STOP
from retrieval.words import stem, word_parts

__all__ = [
    "SPLITS",
    "counts_seeds",
    "given_to",
    "is_alone",
    "is_behind_brackets",
    "is_complement",
    "is_number_of",
    "is_of_what_follows",
    "is_place",
    "is_qualified",
    "names_in",
    "terms_of",
]

_WORD = re.compile(r"[A-Za-z][A-Za-z_]*(?:[-_ ]?\d+[A-Za-z]?(?![\d.]*\w))?|[^\W\d_]+")
_LONGEST_NAME = 24
_CHUNK = re.compile(r"[^A-Za-z0-9]+")
_MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_HYPHENED = re.compile(r"\b(fine|pre|post|warm)[- ]((?:tun|train)\w+|up)\b", re.IGNORECASE)
_LETTER = re.compile(r"(?<![A-Za-z])([A-Za-z]{2,40})[-/ ]([A-Z])\b")
_NUMBERED = frozenset({"stage", "phase", "step", "part", "task", "scenario", "experiment", "level"})
_NUMBERS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "first": "1", "second": "2", "third": "3",
    "i": "1", "ii": "2", "iii": "3", "iv": "4",
}  # fmt: skip
_ORDINAL = re.compile(
    rf"\b(first|second|third)[ -]({'|'.join(_NUMBERED)})\b"
    rf"|\b({'|'.join(_NUMBERED)})[ -](i{{1,3}}|iv|one|two|three|four)\b",
    re.IGNORECASE,
)
# Words that stand in nearly every program and yet tell places apart.
_SIZES = frozenset(map(stem, ("small", "large", "low", "high", "full", "final", "initial", "new")))
SPLITS = frozenset(map(stem, ("train", "training", "eval", "evaluation", "test", "valid")))
_NO_PLACE = (GENERIC | EXPOSITORY | STOP) - _SIZES - SPLITS


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """The words of a claim by which a place may be called; those of every program left out."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        found |= terms_of(match[0])
    for match in _ORDINAL.finditer(text):
        number, kind = (match[1], match[2]) if match[1] else (match[4], match[3])
        found.add(stem(kind.lower()) + _NUMBERS[number.lower()])
    for match in _HYPHENED.finditer(text):  # `fine-tuning` is `finetune`
        found |= terms_of(match[1] + match[2].lower())
    for match in _LETTER.finditer(text):
        found.add((match[1] + match[2]).lower())
    return frozenset(found)


@lru_cache(maxsize=65536)
def terms_of(name: str) -> frozenset[str]:
    """The words of a name of code, with their numbers: `cifar10_stage_two` is cifar10, stage2."""
    chunks = [chunk for chunk in _CHUNK.split(name) if chunk]
    parts = [part for chunk in chunks for part in word_parts(chunk)]
    found = {one for part in parts if len(part) > 2 and not part.isdigit() and (one := _own(part))}
    for one, two in pairwise(parts):
        if two.isdigit() and not one.isdigit():
            found.add((stem(one) if one in _NUMBERED else one) + two)
        elif one in _NUMBERED and two in _NUMBERS:
            found.add(stem(one) + _NUMBERS[two])
        elif len(two) == 1 and two.isalpha() and len(one) > 1:
            found.add(one + two)
    for chunk, behind in pairwise([*chunks, ""]):
        whole = chunk.lower()
        if _MIXED.search(chunk) and len(whole) <= _LONGEST_NAME:  # `ImageNet` is `imagenet`
            found.add(whole)
            found.add(whole.rstrip("0123456789"))
            if behind.isdigit():
                found.add(whole + behind)
    return frozenset(found)


def is_place(word: str) -> bool:
    """Whether a word of a path can tell a place from others: it stands not in every program."""
    return bool(_own(word)) and stem(word) not in SPLITS


def _own(part: str) -> str:
    term = stem(part)
    return "" if term in _NO_PLACE or part in STOP else term


# Each number of a claim has its own pattern below, and to compile one takes longer than to search a
# claim. So a part of it that is the same for all numbers is looked for first, and whatever stands
# before and behind a number is looked at where the number stands.
_NAMED = re.compile(r"\b\d*+[^\W\d](?=\w*_\w)\w++\s*=")
_MORE = re.compile(r"[\w.]{0,40}\d")  # behind a number: it is the head of a longer one
_BEHIND_BRACKETS = re.compile(r"\)\s*[:=,;]\s*\Z")
_OWN_WORDS = re.compile(r"[ -][A-Za-z]{3}")
_OPENING = re.compile(r"(?:\w\s*\(|\d,)\s*\Z")
_QUALIFIED = re.compile(
    r"[- ](?:input|output|context|past|future|history|initial|final|additional|extra|other)[- ]"
)
_LESS = re.compile(r"\b1\s*[-−–]\s*\w+\s*=")
_SYMBOL = re.compile(r"(?:^|[;:,.(/]\s*|\b(?:and|with|where)\s+)[A-Za-z](?:_\w{1,12})?\s*=")


def _starts(text: str, written: str) -> Iterator[int]:
    """Wherever a number stands in a text as written, also within another one."""
    start = text.find(written)
    while start >= 0:
        yield start
        start = text.find(written, start + 1)


def _before(text: str, start: int) -> str:
    """What stands right before a number: a long claim has many."""
    return text[max(0, start - _NEAR) : start]


_NEAR = 60


@lru_cache(maxsize=8192)
def given_to(text: str, written: str) -> str:
    """The identifier that a claim gives a number to: `w_q_tau=0.1`; empty for none."""
    if _NAMED.search(text) is None:
        return ""
    number = rf"\s*=\s*-?{re.escape(written)}(?![\w.]*\d)"
    match = re.search(rf"\b\d*+([^\W\d](?=\w*_\w)\w++){number}", text)
    return match[1] if match else ""


@lru_cache(maxsize=8192)
def is_behind_brackets(text: str, written: str) -> bool:
    """Whether a number stands behind closed brackets, so that what is said in them names it not.

    `Training iterations (of all state sizes): 2000` says nothing of a size, and
    `AdamW (weight_decay=0.03), 8K steps` of one weight decay.
    """
    return ")" in text and any(
        _MORE.match(text, start + len(written)) is None
        and _BEHIND_BRACKETS.search(_before(text, start)) is not None
        for start in _starts(text, written)
    )


@lru_cache(maxsize=8192)
def is_of_what_follows(text: str, written: str) -> bool:
    """Whether a number opens brackets, or ends a list, and its own words follow it.

    `Clevr (70K train images)` gives Clevr no 70K, nor `lr=2e-5, 2 epochs` a rate of 2.
    """
    return any(
        _OWN_WORDS.match(text, start + len(written)) is not None
        and _OPENING.search(_before(text, start)) is not None
        for start in _starts(text, written)
    )


@lru_cache(maxsize=8192)
def counts_seeds(text: str, written: str) -> bool:
    """Whether a number says how many seeds there are, and not which: `5 random seeds`."""
    if "seeds" not in text:
        return False
    number = re.escape(written)
    return re.search(rf"{number}(?: \w+)? seeds\b|\bseeds\s*[=:]\s*{number}", text) is not None


@lru_cache(maxsize=8192)
def is_qualified(text: str, written: str) -> bool:
    """Whether a number counts some of what is counted: `10 input time steps`."""
    return any(
        _QUALIFIED.match(text, start + len(written)) is not None for start in _starts(text, written)
    )


@lru_cache(maxsize=8192)
def is_number_of(text: str, written: str) -> bool:
    """Whether a number only ever says which of several something is: `Phase 2`, `Experiment 3`."""
    if _KINDS.search(text) is None:
        return False
    places = _alone(text, written)
    return bool(places) and all(_NUMBERING.search(_before(text, place)) for place in places)


def _alone(text: str, written: str) -> list[int]:
    """Where a number stands as written, and is no part of another one or of a word."""
    return [
        start
        for start in _starts(text, written)
        if not (start and (text[start - 1] == "." or is_of_word(text[start - 1])))
        and _GOES_ON.match(text, start + len(written)) is None
    ]


_GOES_ON = re.compile(r"[\w.]{0,40}\d|\w")
_OTHERS = "scenario|type|version|variant|case|setting|eq|table|figure"
_KINDS = re.compile(rf"\b(?:{'|'.join(_NUMBERED)}|{_OTHERS})s?[ -]", re.IGNORECASE)
_NUMBERING = re.compile(rf"{_KINDS.pattern}(?:\d+ (?:and|or|to) )?\Z", re.IGNORECASE)


@lru_cache(maxsize=8192)
def is_complement(text: str, written: str) -> bool:
    """Whether a number is what is left of 1 without a name's value: `1 - beta = 0.05`."""
    if _LESS.search(text) is None:
        return False
    return re.search(rf"\b1\s*[-−–]\s*\w+\s*=\s*{re.escape(written)}", text) is not None


@lru_cache(maxsize=8192)
def is_alone(text: str, written: str) -> str:
    """The symbol that a claim gives a number to and says no more of: `lengths: l=8`; or empty."""
    if _SYMBOL.search(text) is None:
        return ""
    match = re.search(
        rf"(?:^|[;:,.(/]\s*|\b(?:and|with|where)\s+)([A-Za-z])(?:_\w{{1,12}})?\s*=\s*"
        rf"{re.escape(written)}(?![\w.]*\d)",
        text,
    )
    return match[1].lower() if match else ""
