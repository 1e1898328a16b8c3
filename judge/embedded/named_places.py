"""The places that a claim names, and the code that says so: a data set, a variant, a phase, a part.

A value of one name may be given in several sections, branches, classes and files. What tells them
apart are the words of their sections, of the conditions around them, of their classes, functions
and files; where the claim has such a word, it means the place that says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.naming import names_value
from judge.embedded.place_names import SPLITS, terms_of
from judge.embedded.statements import indent_of
from judge.embedded.survey import Kept, Survey
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource, Role

__all__ = [
    "Scope", "Sorted", "chosen_by_condition", "in_other_branch", "is_instead", "named_first",
    "scope_at", "scope_of", "sort_out", "stands_at",
]  # fmt: skip

_HEAD = re.compile(r"(if|elif|else|case|for|while|with|try|except|finally|def|class|async)\b(.*)")
_STRING = re.compile(r"(['\"])([\w ./+-]{1,60})\1")
_EQUALS = re.compile(r"([A-Za-z_][\w.]*)\s*==\s*(\d+)\b")
_IS_NAMED = re.compile(r"(?:use|is|with|enable)?_*([A-Za-z]\w+)\s*(?:\Z|:|\band\b|\bor\b)")
_MOST_UP = 200  # lines above a place that are looked at for conditions
_WIDEST = 200
_ITEM = re.compile(r"(\s*)-\s+(.*)")
_ITEM_NAME = re.compile(r"\s*(?:-\s+)?(?:name|id|stage|phase|dataset|task|variant)\s*:\s*(.+)")
_TERNARY = re.compile(
    r"\s*(?:self\.)?(\w+)\s*(?::[^=]+)?=\s*([-+\w.]+)\s+if\s+(.+?)\s+else\s+([-+\w.]+)\s*,?\s*\Z"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a place is called.

    Attributes:
        strong: Words of its sections, conditions, class, function and own name.
        weak: Words of its file.
        excluded: Words of conditions that do not hold there.
    """

    strong: frozenset[str]
    weak: frozenset[str]
    excluded: frozenset[str]


# ---- places --------------------------------------------------------------------------------------


def in_other_branch(codes: Sequence[str], row: int, later: int) -> bool:
    """Whether a row stands in another branch of a condition than a row above it."""
    if not later - row < _MOST_UP:
        return False
    depth = indent_of(codes[row])
    for below in codes[row + 1 : later + 1]:
        if not below.strip():
            continue
        depth_below = indent_of(below)
        if depth_below < depth:
            head = _HEAD.match(below.lstrip()[:_WIDEST])
            if head is not None and head[1] in {"else", "elif", "case", "except"}:
                return True
            depth = depth_below
    return False


_AT: Kept[dict[int, Scope]] = Kept()


def scope_at(survey: Survey, path: str, line: int) -> Scope:
    """What the place of a line is called by its function, class, conditions and file."""
    known = _AT.setdefault(survey, {})
    number = survey.index.line_number(path, line)
    found = known.get(number)
    if found is None:
        found = known[number] = _scope_at(survey, path, line, number)
    return found


def _scope_at(survey: Survey, path: str, line: int, number: int) -> Scope:
    strong: set[str] = set()
    excluded: set[str] = set()
    block = int(survey.block_of_line[number])
    if block >= 0 and survey.blocks[block].name:
        strong |= terms_of(survey.blocks[block].name.replace(".", "_"))
    file = survey.index.file(path)
    folder, _, name = path.rpartition("/")
    weak = terms_of(name.partition(".")[0]) | terms_of(folder.replace("/", "_"))
    if file is not None and file.role is Role.CONFIG:
        strong |= weak
        if file.language == "yaml":
            strong |= _item_names(survey.index.lines(path), line - 1)
    elif path in survey.index.graph.paths:
        for condition, holds in _conditions(survey.statements(path).codes, line - 1):
            (strong if holds else excluded).update(_said_by(condition))
    return Scope(frozenset(strong), weak, frozenset(excluded - strong))


def _conditions(codes: Sequence[str], row: int) -> list[tuple[str, bool]]:
    """The conditions around a row, and whether each holds there."""
    if row >= len(codes):
        return []
    found: list[tuple[str, bool]] = []
    depth = indent_of(codes[row])
    alternative = -1  # the depth of the chain of which branches above do not hold
    for above in range(row - 1, max(-1, row - 1 - _MOST_UP), -1):
        code = codes[above]
        own = indent_of(code)
        if not code.strip() or own > depth or (own == depth and own != alternative):
            continue
        head = _HEAD.match(code.lstrip()[:_WIDEST])
        if head is None:
            depth = min(depth, own)
            continue
        word, condition = head[1], head[2]
        if own == depth and own == alternative:
            if word in {"if", "elif"}:
                found.append((condition, False))
            if word == "if":
                alternative = -1
            continue
        depth = own
        alternative = own if word in {"else", "elif"} else -1
        if word in {"if", "elif", "case"}:
            found.append((condition, True))
        elif word in {"def", "class"}:
            break
    return found


@lru_cache(maxsize=16384)
def _said_by(condition: str) -> frozenset[str]:
    """The words that a condition asks for; none where it asks for the contrary of something."""
    if "!=" in condition or re.search(r"\bnot\b", condition):
        return frozenset()
    found: set[str] = set()
    for _, text in _STRING.findall(condition):
        found |= terms_of(text.replace("/", "_").replace(".", "_").replace("+", "_"))
    for name, number in _EQUALS.findall(condition):
        found |= terms_of(f"{name.rpartition('.')[2]}_{number}")
    if not found:
        for name in _IS_NAMED.findall(condition.rpartition(".")[2]):
            found |= terms_of(name)
    return frozenset(found)


def _item_names(lines: Sequence[str], row: int) -> frozenset[str]:
    """What the item of a list in YAML is called that a row stands in."""
    depth = indent_of(lines[row].replace("- ", "  ", 1))
    first = row
    while first > max(0, row - 60) and not _ITEM.match(lines[first]):
        first -= 1
        if lines[first].strip() and indent_of(lines[first].replace("- ", "  ", 1)) < depth:
            return frozenset()
    head = _ITEM.match(lines[first])
    if head is None:
        return frozenset()
    found: frozenset[str] = frozenset()
    for other in range(first, min(len(lines), first + 60)):
        if other > first and (
            _ITEM.match(lines[other]) or (lines[other].strip() and indent_of(lines[other]) < depth)
        ):
            break
        if named := _ITEM_NAME.match(lines[other]):
            found |= terms_of(named[1].strip(" \"'"))
    return found


_OF: Kept[dict[Fact, Scope]] = Kept()


def scope_of(survey: Survey, fact: Fact) -> Scope:
    """What the place of a named value is called, its sections and its own name too."""
    known = _OF.setdefault(survey, {})
    found = known.get(fact)
    if found is None:
        at = scope_at(survey, fact.path, fact.line)
        own = frozenset().union(*(terms_of(part) for part in fact.name.split(".")))
        found = known[fact] = Scope(at.strong | own, at.weak, at.excluded)
    return found


# ---- telling places apart ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sorted:
    """Places of one name, as a claim tells them apart.

    Attributes:
        home: Those that the claim names.
        away: Those that are called something else, by sections, conditions, classes or functions.
        marks: The words of the claim by which they are told apart.
    """

    home: tuple[Fact, ...] = ()
    away: tuple[Fact, ...] = ()
    marks: frozenset[str] = frozenset()


_UNSORTED = Sorted()
_MOST = 48


def sort_out(survey: Survey, names: frozenset[str], facts: Iterable[Fact]) -> Sorted:
    """Which of some places a claim means; none where it does not tell them apart.

    Args:
        survey: The repository.
        names: The words of the claim, by `names_in`.
        facts: Named values of one name.
    """
    own = list(dict.fromkeys(facts))[:_MOST]
    if len(own) < 2 or not names:
        return _UNSORTED
    scopes = [scope_of(survey, fact) for fact in own]
    common = frozenset.intersection(*(scope.strong for scope in scopes))
    marks = [(scope.strong - common) & names for scope in scopes]
    if not any(marks):
        return _UNSORTED
    # `cifar` and `cifar10` say more than `cifar` alone does.
    home = tuple(
        fact
        for fact, mark in zip(own, marks, strict=True)
        if mark and not any(mark < other for other in marks)
    )
    away = tuple(
        fact
        for fact, scope, mark in zip(own, scopes, marks, strict=True)
        if not mark and (scope.strong - common or scope.excluded & names)
    )
    return Sorted(home, away, frozenset().union(*marks))


def is_instead(survey: Survey, home: Fact, away: Fact, marks: frozenset[str]) -> bool:
    """Whether one place is the other's alternative, so that it does not speak for it.

    It is another branch of one condition, another section or class of one file, or another file of
    configuration in one folder; and what tells the two apart is more than training from testing.
    """
    if marks <= SPLITS:
        return False
    if scope_of(survey, away).excluded & marks:
        return True
    if home.source is not away.source or home.name.count(".") != away.name.count("."):
        return False
    if home.path == away.path:
        return True
    return (
        home.source is FactSource.CONFIG
        and home.name == away.name
        and home.path.rpartition("/")[0] == away.path.rpartition("/")[0]
    )


_MOST_PLACES = 24


def stands_at(
    survey: Survey,
    forms: Iterable[str],
    marks: frozenset[str],
    names: frozenset[str] = frozenset(),
) -> bool:
    """Whether a number stands on a live line of a place that is called by one of some words.

    Args:
        survey: The repository.
        forms: The number.
        marks: The words.
        names: Terms of its name: a line that gives it to other names alone does not count.
    """
    for form in forms:
        for line in survey.places("#" + form).live.tolist()[:_MOST_PLACES]:
            path, number = survey.place(line)
            facts = survey.facts_at(path, number)
            if marks.isdisjoint(scope_at(survey, path, number).strong) and not any(
                not marks.isdisjoint(scope_of(survey, fact).strong) for fact in facts
            ):
                continue
            given = [fact for fact in facts if canonical(fact.value) == form] if names else []
            if not given or any(names_value(fact.name, names) for fact in given):
                return True
    return False


def named_first(survey: Survey, names: frozenset[str], blocks: Sequence[int]) -> list[int]:
    """Functions that fit a claim equally well, those that its words name first."""

    def marks(number: int) -> int:
        block = survey.blocks[number]
        if not block.lines:
            return 0
        scope = scope_at(survey, *survey.place(block.lines[0]))
        return 2 * len(scope.strong & names) + len(scope.weak & names)

    return sorted(blocks, key=marks, reverse=True)


# ---- values that a condition chooses between -----------------------------------------------------


_CHOSEN: Kept[tuple[Fact, ...]] = Kept()


def chosen_by_condition(survey: Survey) -> tuple[Fact, ...]:
    """The values, two of each, of lines such as `epochs = 5 if dataset == "cifar10" else 90`."""
    known = _CHOSEN.get(survey)
    if known is None:
        found: list[Fact] = []
        for line, code in zip(survey.live.tolist(), survey.codes, strict=True):
            if " if " not in code or " else " not in code:
                continue
            match = _TERNARY.match(code[:_WIDEST])
            if match is None or canonical(match[2]) is None or canonical(match[4]) is None:
                continue
            path, number = survey.place(line)
            pair = [
                Fact(match[1], value, path, number, FactSource.ASSIGNMENT)
                for value in (match[2], match[4])
            ]
            asked = _said_by(match[3])
            at = scope_at(survey, path, number)
            scopes = _OF.setdefault(survey, {})
            scopes[pair[0]] = Scope(at.strong | asked | terms_of(match[1]), at.weak, at.excluded)
            scopes[pair[1]] = Scope(at.strong | terms_of(match[1]), at.weak, at.excluded | asked)
            found += pair
        known = _CHOSEN[survey] = tuple(found)
    return known
