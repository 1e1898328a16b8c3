"""The values of a claim one by one, each with the words that say what it is the value of.

A claim that says `0.1` twice states two values. Years of citations and the numbers of equations,
tables and references are no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.words import STOP
from retrieval.numbers import Number, NumberKind, find_numbers
from retrieval.words import TOKEN, join, stem, word_parts

__all__ = ["Mention", "mentions_of", "name_words", "real_numbers"]

# Short forms of names, written out in the words of claims.
_SPELT_OUT = {
    "lr": ("learning", "rate"), "wd": ("weight", "decay"), "bs": ("batch", "size"),
    "grad": ("gradient",), "grads": ("gradient",), "coef": ("coefficient",),
    "coeff": ("coefficient",), "temp": ("temperature",), "eps": ("epsilon",),
    "dim": ("dimension",), "minimum": ("min",), "maximum": ("max",), "prob": ("probability",),
}  # fmt: skip
_COUNTED = frozenset({NumberKind.PLAIN, NumberKind.PERCENT, NumberKind.POWER})
_COMMON = frozenset({"0", "1"})
_BREAK = re.compile(
    r"[.;:!?()\[\]\n,](?!\d)|\b(?:and|with|while|where|using|or|but|plus)\b", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"([A-Za-z]\w*_\w+)\s*(?:=|:|≈|of|is)?\s*\Z")
_LIST_GAP = re.compile(
    r"[\s,;/|{}()\[\]×-]*(?:(?:and|or|to|through|down|up|then|vs|versus|from)\b[\s,]*)*\Z",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\s*-?\s*((?:[A-Za-z]\w*[ -]){0,2}?[a-z]{3,}s)\b")
_WORDS_BACK = 7
_OPERAND_BEFORE = frozenset("/·⋅*×^<>≤≥+−←|")
_OPERAND_AFTER = frozenset("·⋅*×^/")
_UNIT_WORDS = 2
_YEAR = re.compile(r"(?:19|20)\d\d")
_BY_AUTHOR = re.compile(r"(?:\bet al\.?,?\s*\(?|\b[A-Z][\w'-]+,?\s*\(|[A-Z][\w'-]+,\s)\Z")
_IN_BRACKETS = re.compile(r"\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]")
_REFERENCE = re.compile(
    r"\b(?:eqs?|equations?|sections?|secs?|tables?|tabs?|figures?|figs?|algorithms?|algs?"
    r"|appendix|appendices|apps?|refs?|references?)\.?\s*"
    r"\(?[A-Z]?\.?\d[\w.]*\)?(?:\s*(?:,|–|-|&|and|to)\s*\(?[A-Z]?\.?\d[\w.]*\)?)*",
    re.IGNORECASE,
)
_HARDWARE = re.compile(
    r"\s*[x×]?\s*(?:[A-Z][\w-]*\s+){0,3}(?:GPU|TPU|CPU|NPU|node|machine|core|hour|hr|day|week)s?\b"
)
_FULL_LIST = 16  # a slash between two whole numbers from here on divides a list
_EIGHT_BITS = 255


@dataclass(frozen=True, slots=True)
class Mention:
    """A value at one place of a claim.

    Attributes:
        term: As in `Value.term`.
        forms: Canonical forms that are it.
        written: As written.
        words: Stems of the words that say what it is.
        exact: The term of an identifier that it is given to (`lambda_b = 0.1`); empty for none.
        unit: The stem of what is counted (`64 epochs`); empty for none.
        together: The forms of the values that are listed with it, its own too.
    """

    term: str
    forms: frozenset[str]
    written: str
    words: frozenset[str]
    exact: str
    unit: str
    together: frozenset[str]


@lru_cache(maxsize=65536)
def name_words(name: str) -> frozenset[str]:
    """The stems of a name's parts, short forms written out."""
    return frozenset(
        stem(word)
        for part in word_parts(name)
        for word in _SPELT_OUT.get(part, (part,))
        if len(word) > 1 and not word.isdigit()
    )


def real_numbers(text: str) -> list[Number]:
    """The numbers of a claim without those of references, citations and machines."""
    references = [
        match.span() for pattern in (_REFERENCE, _IN_BRACKETS) for match in pattern.finditer(text)
    ]
    numbers = [
        number
        for number in find_numbers(text)
        if not any(start <= number.start < end for start, end in references)
        and not _is_year(text, number)
        and not _is_list(number)
    ]
    own = [number for number in numbers if not _HARDWARE.match(text, number.end)]
    return own if any(number.kind in _COUNTED for number in own) else numbers


def _is_year(text: str, number: Number) -> bool:
    if not _YEAR.fullmatch(number.written.strip()):
        return False
    return _BY_AUTHOR.search(text[max(0, number.start - 30) : number.start]) is not None


def _is_list(number: Number) -> bool:
    """Whether a fraction was read out of `1024/1280`, which is two values."""
    if number.kind is not NumberKind.SHARE:
        return False
    parts = number.written.split("/")
    if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
        return False
    first, second = (int(part.strip()[:9]) for part in parts)
    return (
        min(first, second) >= _FULL_LIST
        and first + second != 100  # 80/20 is a split
        and second != _EIGHT_BITS
    )


@lru_cache(maxsize=4096)
def mentions_of(text: str) -> tuple[Mention, ...]:
    """The values that stand by themselves in a claim, in order."""
    numbers = [number for number in real_numbers(text) if number.kind in _COUNTED]
    found: list[Mention] = []
    for run in _runs(text, numbers):
        together = frozenset(form for number in run for form in _forms(number))
        first = run[0]
        before = text[max(0, first.start - 90) : first.start]
        own = re.split(r"\d(?!\w*_)", before)[-1] if _cut(numbers, first) else before
        exact = _IDENTIFIER.search(before)
        unit = _unit(text[run[-1].end : run[-1].end + 40])
        words = _words(own) | unit
        if _in_formula(text, first.start, run[-1].end):
            words = frozenset()
        found.extend(
            Mention(
                "#" + number.value,
                frozenset(_forms(number)),
                number.written.strip(),
                words,
                join(exact[1]) if exact else "",
                next(iter(_last(unit, text, run[-1].end)), ""),
                together,
            )
            for number in run
            if number.value not in _COMMON
        )
    return tuple(found)


def _in_formula(text: str, start: int, end: int) -> bool:
    """Whether a number is an operand, which is given to no name."""
    before, after = text[:start].rstrip()[-1:], text[end : end + 2].lstrip()[:1]
    return before in _OPERAND_BEFORE or after in _OPERAND_AFTER


def _forms(number: Number) -> Iterator[str]:
    yield number.value
    if number.kind is NumberKind.PERCENT:
        yield from number.also


def _runs(text: str, numbers: list[Number]) -> list[list[Number]]:
    """Numbers that are listed side by side."""
    runs: list[list[Number]] = []
    for number in numbers:
        if runs and _LIST_GAP.match(text[runs[-1][-1].end : number.start]):
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _cut(numbers: list[Number], first: Number) -> bool:
    return any(first.start - 90 < number.end <= first.start for number in numbers)


def _words(before: str) -> frozenset[str]:
    pieces = [piece for piece in _BREAK.split(before) if piece]
    for piece in reversed(pieces):
        tokens = TOKEN.findall(piece)[-_WORDS_BACK:]
        words = {
            word
            for token in tokens
            if token.lower() not in STOP and token[0] not in "0123456789."
            for word in name_words(token)
        }
        if words:
            return frozenset(words)
    return frozenset()


def _unit(after: str) -> frozenset[str]:
    match = _UNIT.match(after)
    if match is None:
        return frozenset()
    tokens = TOKEN.findall(match[1])
    if any(token.lower() in STOP for token in tokens):
        return frozenset()
    return frozenset(word for token in tokens[-_UNIT_WORDS:] for word in name_words(token))


def _last(unit: frozenset[str], text: str, end: int) -> Iterator[str]:
    match = _UNIT.match(text, end) if unit else None
    if match is not None:
        yield stem(TOKEN.findall(match[1])[-1].lower())
