"""Orders that show in what one call hands to another: `x = normalise(x)`, then `y = project(x)`.

Calls whose names a claim says, of which one is given what the other one gave, leave no doubt of
which of the two comes first; two calls that only stand one behind the other do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from judge.embedded.survey import Kept, Standing, Survey
from judge.embedded.words import GENERIC, STOP
from retrieval.words import TOKEN, token_terms

__all__ = ["Fed", "fed_between"]

_CALL = re.compile(r"([A-Za-z_][\w.]*)\s*\(")
_TEXT = re.compile(r"(['\"])(?:\\.|(?!\1)[^\\])*\1")
_HEAD = re.compile(r"\s*(?:async\s+)?(?:def|class)\b")
_GIVEN = re.compile(r"\s*([\w., ]+?)\s*(?::[^=]*)?=(?!=)")
_PLAIN_CALLS = """
append print len range zeros ones get set format float int str list dict tuple super isinstance
eval train min max sum mean array arange tensor to item cpu numpy copy clone config model forward
update
"""
_COMMON = frozenset(_PLAIN_CALLS.split())
_WIDEST = 300
_MOST_BLOCKS = 16
_MOST_WORDS = 24
_EVERYWHERE = 24  # a word in more functions than this names no step


@dataclass(frozen=True, slots=True)
class Fed:
    """Two calls of which the second is given what the first gave.

    Attributes:
        first: The call of the first side of the claim, as named.
        second: That of the second side.
        rows: Their live rows.
        kept: The first side's call comes first.
    """

    first: str
    second: str
    rows: tuple[int, int]
    kept: bool


@dataclass(frozen=True, slots=True)
class _Call:
    row: int
    name: str
    parts: frozenset[str]


def fed_between(survey: Survey, first: str, second: str) -> Fed | None:
    """The calls of two sides of an order where one feeds the other; `None` where none does.

    Args:
        survey: The repository.
        first: What the claim says comes first.
        second: What it says comes second.
    """
    one, other = _words(first), _words(second)
    if max(len(one), len(other)) > _MOST_WORDS:
        return None  # what names much names no single step
    found: Fed | None = None
    for block in _blocks(survey, one, other):
        calls = _calls_of(survey, block)
        ones, others = _sides(calls, one, other)
        # A call that is made twice, or two that may be meant, leave a doubt.
        if len(ones) != 1 or len(others) != 1 or ones[0].row == others[0].row:
            continue
        kept = ones[0].row < others[0].row
        early, late = (ones[0], others[0]) if kept else (others[0], ones[0])
        if not _feeds(survey.codes[early.row], survey.codes[late.row]):
            continue
        if found is not None and found.kept is not kept:
            return None
        found = Fed(ones[0].name, others[0].name, (ones[0].row, others[0].row), kept)
    return found


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(
        _plain(term)
        for token in TOKEN.findall(text)
        if token.lower() not in STOP
        for term in token_terms(token)
    )


def _plain(term: str) -> str:
    """One spelling for `normalise` and `normalize`."""
    return term[:-2] + "iz" if term.endswith("is") and len(term) > 5 else term


_CALLED: Kept[dict[str, frozenset[int]]] = Kept()


def _blocks(survey: Survey, one: frozenset[str], other: frozenset[str]) -> Sequence[int]:
    """The functions that hold names of both sides that are called somewhere."""
    known = _CALLED.setdefault(survey, {})
    held: list[set[int]] = []
    for words in (one - other, other - one):
        own: set[int] = set()
        for word in _spellings(words) & survey.called - GENERIC:
            blocks = known.get(word)
            if blocks is None:
                live = survey.places(word).live_blocks
                blocks = known[word] = frozenset(live.tolist() if len(live) <= _EVERYWHERE else ())
            own |= blocks
        if not own:
            return ()
        held.append(own)
    return sorted(held[0] & held[1])[:_MOST_BLOCKS]


def _spellings(words: frozenset[str]) -> frozenset[str]:
    return words | {word[:-1] + "s" for word in words if word.endswith("iz")}


def _sides(
    calls: Sequence[_Call], one: frozenset[str], other: frozenset[str]
) -> tuple[list[_Call], list[_Call]]:
    """The calls of each side whose whole names the claim says.

    Of `normalise_features` and `project_features` what tells them apart is said on one side alone;
    the features may be said on any.
    """
    named = [call for call in calls if call.parts <= one | other]
    first, second = one - other, other - one
    ones = [call for call in named if call.parts & first and not call.parts & second]
    others = [call for call in named if call.parts & second and not call.parts & first]
    if bool(ones) is not bool(others):
        known = frozenset(part for call in ones or others for part in call.parts)
        if ones:
            others = _without(named, ones, second, first - known)
        else:
            ones = _without(named, others, first, second - known)
    return ones, others


def _without(
    named: Sequence[_Call], but: Sequence[_Call], said: frozenset[str], against: frozenset[str]
) -> list[_Call]:
    return [
        call for call in named if call not in but and call.parts & said and not call.parts & against
    ]


_CALLS: Kept[dict[int, tuple[_Call, ...]]] = Kept()


def _calls_of(survey: Survey, block: int) -> tuple[_Call, ...]:
    known = _CALLS.setdefault(survey, {})
    found = known.get(block)
    if found is None:
        found = known[block] = tuple(_calls(survey, block))
    return found


def _calls(survey: Survey, block: int) -> Iterator[_Call]:
    lines = np.array(survey.blocks[block].lines, np.int64)
    for row in survey.rows(lines[survey.standing[lines] == Standing.LIVE]).tolist():
        code = survey.codes[row][:_WIDEST]
        if "(" not in code or _HEAD.match(code):
            continue
        for match in _CALL.finditer(_TEXT.sub("''", code) if "'" in code or '"' in code else code):
            name = match[1].rpartition(".")[2]
            if not name or name in _COMMON:
                continue
            terms = token_terms(name)
            parts = frozenset(map(_plain, terms[1:] or terms))
            if parts and (len(parts) > 1 or not parts <= GENERIC):
                yield _Call(row, match[1], parts)


def _feeds(early: str, late: str) -> bool:
    """Whether a line is given what an earlier one gave a name to."""
    match = _GIVEN.match(early)
    if match is None:
        return False
    at = late.find("(")
    names = (name.strip().rpartition(".")[2] for name in match[1].split(","))
    return any(
        name.isidentifier() and name != "_" and re.search(rf"\b{name}\b", late[at:]) is not None
        for name in names
    )
