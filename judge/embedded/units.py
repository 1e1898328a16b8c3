"""Numbers that code holds in a unit: `tokens_b = 3860`, or 3860.0 below `# billions of tokens`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from judge.embedded.statements import indent_of
from judge.embedded.survey import Kept, Survey
from retrieval.numbers import canonical, scaled
from retrieval.query import Value
from retrieval.values import Fact
from retrieval.words import stem, word_parts

__all__ = ["in_unit", "is_as_stated", "is_listed_as_stated", "stated_in_unit"]

_POWERS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_IN_NAMES = {
    **_POWERS, **{f"{word}s": power for word, power in _POWERS.items()},
    "k": 3, "kilo": 3, "m": 6, "mn": 6, "mio": 6, "mm": 6, "b": 9, "bn": 9, "t": 12, "tn": 12,
}  # fmt: skip
_LETTERS = {"k": 3, "m": 6, "b": 9, "t": 12}
_COUNTED = r"(?:tokens?|param(?:eter)?s?|steps?|samples?|images?|examples?|frames?|pairs?|words?)"
_IN_WORDS = re.compile(
    rf"\b(thousand|million|billion|trillion)s?\b|\bin ([KMBTk])\b|[(\[]([KMBTk])[)\]]"
    rf"|(?<![\w.])([KMBTk]) {_COUNTED}\b|\b{_COUNTED},? ([KMBTk])\b"
)
_MOST_UP = 60  # lines above a place up to which the head of its table is looked for
_WIDEST = 300
_OPENED = re.compile(r"[\[{(:]\s*\Z")


def in_unit(survey: Survey, fact: Fact, form: str) -> Sequence[str]:
    """What a named number stands for where its name or a comment says its unit, and it itself.

    Args:
        survey: The repository.
        fact: The named number.
        form: Its canonical form.
    """
    powers = {power for power, _ in _named(fact.name)} | set(_told(survey, fact.path, fact.line))
    return (form, *(scaled(form, power) for power in sorted(powers)))


def stated_in_unit(
    survey: Survey, value: Value, claimed: frozenset[str]
) -> Iterator[tuple[str, int]]:
    """Where live code holds a large value as so many thousands, millions or billions.

    Args:
        survey: The repository.
        value: The value.
        claimed: The canonical forms of all values of the claim.

    Yields:
        The canonical form that stands there, and the line, counted over all files from 0.
    """
    if float(value.term[1:]) < _SCALED:
        return
    own = _power_of(value.written)
    for power in _POWERS.values():
        form = scaled(value.term[1:], -power)
        if not _is_of_size(form):
            continue
        plain = power == own and _can_only_be(form)
        others = {scaled(other, -power) for other in claimed} if power == own else set()
        for line in survey.places("#" + form).live.tolist()[:_MOST_LINES]:
            path, number = survey.place(line)
            named = {
                own
                for fact in survey.facts_at(path, number)
                if canonical(fact.value) == form
                for own, words in _named(fact.name)
                if not words or not words.isdisjoint(value.near)
            }
            if (
                plain
                or power in named
                or power in _told(survey, path, number)
                or (len(others) > 1 and _are_listed(survey, path, number, others - {form}))
            ):
                yield form, line


def is_as_stated(written: str, forms: Iterable[str], form: str) -> bool:
    """Whether a number of code is a claim's without its unit, and can be nothing else: 21.1."""
    power = _power_of(written)
    return power > 0 and _can_only_be(form) and form in {scaled(each, -power) for each in forms}


def is_listed_as_stated(
    survey: Survey, fact: Fact, written: str, claimed: Iterable[frozenset[str]]
) -> bool:
    """Whether code lists a claim's value without its unit beside another value of the claim.

    Args:
        survey: The repository.
        fact: The number of code.
        written: The claim's number as written.
        claimed: The canonical forms of each value of the claim.
    """
    power, form = _power_of(written), canonical(fact.value)
    if not (power and form):
        return False
    shorter = [{scaled(each, -power) for each in forms} for forms in claimed]
    if not any(form in forms for forms in shorter):
        return False
    others = set().union(*(forms for forms in shorter if form not in forms))
    return bool(others) and _are_listed(survey, fact.path, fact.line, others)


_SUFFIX = re.compile(r"(?:\d\s?([KMBTk])|\b(thousand|million|billion|trillion))\Z")


def _power_of(written: str) -> int:
    """The power of ten that a number is written with: 9 for `3,860B`, 0 for none."""
    match = _SUFFIX.search(written.strip())
    if match is None:
        return 0
    return _LETTERS[match[1].lower()] if match[1] else _POWERS[match[2]]


def _can_only_be(form: str) -> bool:
    """Whether a number can be no count of anything: 21.1 tokens are none.

    A whole number without its unit is another count, however odd: 125 steps are no 125k. It is the
    claim's only where another value of the claim is listed beside it without its unit, too.
    """
    return "." in form or "e-" in form


def _are_listed(survey: Survey, path: str, line: int, forms: set[str]) -> bool:
    """Whether another value of the claim stands beside a line without its unit, too."""
    return any(
        canonical(fact.value) in forms
        for row in range(line - _NEAR, line + _NEAR + 1)
        for fact in survey.facts_at(path, row)
    )


_NEAR = 2


_MOST_LINES = 40
_SCALED = 1000


def _is_of_size(form: str) -> bool:
    """Whether a number is one that people write before a unit."""
    return 0.001 <= float(form) < 1e6 and len(form) <= _LONGEST


_LONGEST = 8


def _named(name: str) -> Iterator[tuple[int, frozenset[str]]]:
    """The powers of ten that a name says, and its other words: `tokens_b`, `size_in_millions`."""
    for part in name.split("."):
        words = word_parts(part)
        last = words[-1:] if len(words) > 1 else []
        for word in words:
            power = _IN_NAMES.get(word)
            if power is not None and (word in last or len(word) > _LETTER):
                yield power, frozenset(stem(other) for other in words if other != word)


_LETTER = 3
_TOLD: Kept[dict[tuple[str, int], tuple[int, ...]]] = Kept()


def _told(survey: Survey, path: str, line: int) -> tuple[int, ...]:
    """The powers of ten that comments say of a line: beside it, above it, at its table's head."""
    known = _TOLD.setdefault(survey, {})
    found = known.get((path, line))
    if found is None:
        found = known[path, line] = tuple(dict.fromkeys(_tell(survey, path, line)))
    return found


def _tell(survey: Survey, path: str, line: int) -> Iterator[int]:
    lines = survey.index.lines(path)
    yield from _above(survey, path, line)
    depth = indent_of(lines[line - 1])
    for row in range(line - 1, max(0, line - _MOST_UP), -1):
        text = survey.index.code_of(path, row)
        if text.strip() and indent_of(text) < depth:
            if _OPENED.search(text):
                yield from _above(survey, path, row)
            return


def _above(survey: Survey, path: str, line: int) -> Iterator[int]:
    """What is said behind the code of a line, and in comments right above it."""
    lines = survey.index.lines(path)
    yield from _powers(lines[line - 1][len(survey.index.code_of(path, line)) :])
    row = line - 1
    while row >= 1 and survey.index.line_kind(path, row) == "comment":
        yield from _powers(lines[row - 1])
        row -= 1


def _powers(text: str) -> Iterator[int]:
    for match in _IN_WORDS.finditer(text[:_WIDEST]):
        word = next(group for group in match.groups() if group)
        yield _POWERS[word] if word in _POWERS else _LETTERS[word.lower()]
