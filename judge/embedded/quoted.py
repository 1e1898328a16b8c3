"""Code that a claim quotes: whether it stands so in live code, or with something else in a place.

A fragment counts where the repository's own names are in it. Names of local things may have been
changed since; what is called, the signs and the numbers may not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from judge.embedded.aligning import nearest
from judge.embedded.arranged import arranged
from judge.embedded.fragments import LEAST_TOKENS, SIGNS, Context, Fragment, quoted_whole
from judge.embedded.streams import Stream, Streams, is_identifier, streams_of
from judge.embedded.surroundings import spoilt
from judge.embedded.survey import Survey
from retrieval.words import token_terms

__all__ = ["Found", "Quote", "Scope", "find_fragment", "scope_of"]

_ALONE = 4  # tokens of a fragment that no function is named for
_EARLY = 80


class Quote(IntEnum):
    """How a fragment stands in live code."""

    MISSING = 0
    OPPOSED = 1
    ELSEWHERE = 2  # so, but not in the function that the claim names
    HERE = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a fragment.

    Attributes:
        fragment: The fragment.
        quote: How it stands.
        row: The live row of its best place, -1 for none.
        said: What the claim has where the code has something else.
        other: What the code has there.
        places: (block, position of its first token) of each place where it stands so.
    """

    fragment: Fragment
    quote: Quote
    row: int = -1
    said: str = ""
    other: str = ""
    places: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """The functions that a claim names.

    Attributes:
        blocks: Their numbers; empty where it names none.
    """

    blocks: tuple[int, ...]


_BRACKETED = re.compile(r"\(([A-Za-z_][\w.]*)\)|\bscript (\S+\.py)\b")
_LEADING = re.compile(
    r"In ([A-Za-z_][\w.]*)[ ,:]|([A-Za-z_]\w*_\w+|[A-Za-z_]\w*\.\w+)[ :]"
    r"|([A-Za-z]\w*)(?=:| [a-z]+s )"
)


def scope_of(survey: Survey, text: str) -> Scope:
    """The live functions that a claim names as its place: in brackets, or at its beginning."""
    named = streams_of(survey).named
    for name, is_file in _bracketed(text):
        blocks = [n for n in named.get(name, ()) if is_file or _is_place(survey, n)]
        if blocks:
            return Scope(tuple(blocks))
    lead = _LEADING.match(text)
    if lead is not None:
        word = lead[1] or lead[2] or lead[3]
        for name in (word, word[0].lower() + word[1:]):
            # A class is what a claim is about, and no place in it.
            if blocks := [n for n in named.get(name, ()) if _is_place(survey, n)]:
                return Scope(tuple(blocks))
    return Scope(())


_CALLS = re.compile(r"\b(?:makes? use of|calls?|uses?)\b")


@lru_cache(maxsize=4096)
def _bracketed(text: str) -> tuple[tuple[str, bool], ...]:
    """The names in brackets that may be the place of a claim, and whether each is a file."""
    found: list[tuple[str, bool]] = []
    for match in _BRACKETED.finditer(text):
        name = match[1] or match[2]
        if _CALLS.search(text, 0, match.start()):
            break  # what stands in brackets is called from the place
        if "." in name or "_" in name or match.start() < _EARLY:
            found.append((name, bool(match[2])))
    return tuple(found)


def _is_place(survey: Survey, number: int) -> bool:
    block = survey.blocks[number]
    symbol = survey.index.graph.symbol(f"{block.path}::{block.name}")
    return symbol is not None and not symbol.is_class


def find_fragment(survey: Survey, fragment: Fragment, scope: Scope, said: Context) -> Found | None:
    """Where a fragment stands; `None` where it is not about this repository's names.

    Args:
        survey: The repository.
        fragment: The fragment.
        scope: The functions that the claim names.
        said: What the claim says around it.
    """
    tokens = quoted_whole(fragment)
    if len(tokens) < LEAST_TOKENS or not _is_own(survey, tokens):
        return None
    short = len(tokens) < _ALONE and not (fragment.ticked and _is_sum(survey, tokens))
    if not scope.blocks and (short or not any(len(t) > 2 for t in tokens)):
        return None
    streams = streams_of(survey)
    blocks = scope.blocks or tuple(_holding(survey, tokens))
    here = _places(streams, blocks, tokens)
    if here:
        marred = [spoilt(streams.of(block), place, tokens, said) for block, place in here]
        left = [place for place, mar in zip(here, marred, strict=True) if mar is None]
        if left:
            return _found(streams, fragment, Quote.HERE, left)
        block, position = here[0]
        stated, other = marred[0] or ("", "")
        return Found(fragment, Quote.OPPOSED, streams.of(block).row(position), stated, other)
    near = nearest(streams, blocks, tokens)
    if not scope.blocks and len(tokens) < _ALONE and near and near.said not in _SUMS:
        near = None  # of two names alone another sign is all that can be told
    if near is not None and _is_turned(survey, near.said, near.other, near.row):
        return None  # what the claim keeps is what the code passes over
    if near is None and fragment.ticked and (turned := arranged(streams, blocks, tokens)):
        return Found(fragment, Quote.OPPOSED, turned.row, turned.said, turned.other)
    if near is not None and (scope.blocks or not near.renamed):
        quote = Quote.OPPOSED if near.said else Quote.ELSEWHERE
        return Found(fragment, quote, near.row, near.said, near.other)
    if not scope.blocks:
        return None  # it may be a formula, which code spells in other ways
    called = _called(survey, scope.blocks)
    elsewhere = _places(streams, called, tokens)
    if elsewhere:
        return _found(streams, fragment, Quote.ELSEWHERE, elsewhere)
    moved = nearest(streams, called, tokens)
    if moved is not None and not moved.said:
        return Found(fragment, Quote.ELSEWHERE, moved.row)
    if not all(
        survey.places(_term(token)).live.size
        for token in tokens
        if is_identifier(token) and len(token) > 1
    ):
        return None  # names that are gone may have been given others
    if not _is_statement(tokens) or _is_rearranged(streams, blocks, tokens):
        return None
    return Found(fragment, Quote.MISSING)


_LESS, _MORE = frozenset({"<", "<="}), frozenset({">", ">="})
_GUARD = re.compile(r"(\s*)(?:if|elif|while)\b.*?:(.*)")
_LEAVES = re.compile(r"\s*(?:continue|break|return|raise)\b")
_MASK = re.compile(r"\s*(\w+)\s*=(?!=)")
_BELOW = 24  # lines below a comparison that may turn it round


def _is_turned(survey: Survey, said: str, other: str, row: int) -> bool:
    """Whether a comparison the other way round says the same: `if score <= least: continue`."""
    if row < 0 or not (
        {said, other} == {"==", "!="}
        or (said in _LESS and other in _MORE)
        or (said in _MORE and other in _LESS)
    ):
        return False
    codes, blocks = survey.codes, survey.row_blocks
    last = min(len(codes), row + 1 + _BELOW)
    below = [codes[at] for at in range(row + 1, last) if blocks[at] == blocks[row]]
    guard = _GUARD.match(codes[row])
    if guard is not None:
        body = guard[2] if guard[2].strip() else (below[0] if below else "")
        return _LEAVES.match(body) is not None or any(
            code.startswith((f"{guard[1]}else:", f"{guard[1]}elif ")) for code in below
        )
    mask = _MASK.match(codes[row])
    if mask is None:
        return False
    negated = re.compile(rf"(?:~|\bnot\s|logical_not\(|1\s*-)\s*\(?{mask[1]}\b")
    return any(negated.search(code) is not None for code in below)


def _is_sum(survey: Survey, tokens: Sequence[str]) -> bool:
    """Whether two names of the live code have a sign between them that makes no list of words."""
    return tokens[1] in _SUMS and all(
        is_identifier(name) and len(survey.places(_term(name)).live) > 0 for name in tokens[::2]
    )


_SUMS = frozenset({"+", "-", "*", "@", "**", "<", ">", "<=", ">=", "==", "!="})


def _is_statement(tokens: Sequence[str]) -> bool:
    """Whether a fragment calls or compares something, and is no path to a value alone."""
    if tokens[-1] == "py":
        return False
    fixed = any(
        is_identifier(piece) and (tokens[n - 1] == "." or tokens[n + 1 : n + 2] == ("(",))
        for n, piece in enumerate(tokens)
    )
    compared = not _COMPARED.isdisjoint(tokens)
    return (fixed and any(p == "(" or p in SIGNS for p in tokens)) or compared


_COMPARED = frozenset({"<", ">", "<=", ">=", "==", "!="})


_COMPARISONS = frozenset({"<", ">", "<=", ">="})
_ORDERED = frozenset({"-", "/", "**", "//", "@"})


def _is_rearranged(streams: Streams, blocks: Sequence[int], tokens: Sequence[str]) -> bool:
    """Whether the same tokens stand side by side in another order that may mean the same."""
    if not _ORDERED.isdisjoint(tokens):
        return False
    wanted = Counter(token for token in tokens if token not in _COMPARISONS)
    count = len(tokens)
    for block in blocks:
        own = streams.of(block).tokens
        # What the window has more or less than wanted; a token that is even is not in it.
        apart = dict(wanted)
        for place, token in enumerate(own):
            _count(apart, token, -1)
            if place >= count:
                _count(apart, own[place - count], 1)
            if not apart and place >= count - 1:
                return True
    return False


def _count(apart: dict[str, int], token: str, by: int) -> None:
    if token in _COMPARISONS:
        return
    left = apart.get(token, 0) + by
    if left:
        apart[token] = left
    else:
        apart.pop(token, None)


def _called(survey: Survey, blocks: Sequence[int]) -> list[int]:
    """The blocks that some functions call."""
    found: dict[int, None] = {}
    graph = survey.index.graph
    for number in blocks:
        block = survey.blocks[number]
        symbol = graph.symbol(f"{block.path}::{block.name}")
        for other in graph.calls_of(symbol) if symbol is not None else ():
            found[survey.block_number(other.path, other.name)] = None
    found.pop(-1, None)
    return [number for number in found if number not in blocks]


def _found(
    streams: Streams, fragment: Fragment, quote: Quote, places: Sequence[tuple[int, int]]
) -> Found:
    block, position = places[0]
    return Found(fragment, quote, streams.of(block).row(position), places=tuple(places))


def _is_own(survey: Survey, tokens: Sequence[str]) -> bool:
    """Whether most names of a fragment are those of the live code, what was renamed aside."""
    names = {token for token in tokens if is_identifier(token) and len(token) > 1}
    known = sum(len(survey.places(_term(name)).live) > 0 for name in names)
    return bool(names) and 2 * known >= len(names)


@lru_cache(maxsize=32768)
def _term(name: str) -> str:
    terms = token_terms(name)
    return terms[0] if terms else name


def _rarest(stream: Stream, tokens: Sequence[str]) -> int:
    """Which token of a fragment stands least often in a stream; -1 where one stands nowhere."""
    best, count = -1, 1 << 30
    for place, token in enumerate(tokens):
        own = len(stream.where.get(token, ()))
        if not own:
            return -1
        if own < count:
            best, count = place, own
    return best


def _places(
    streams: Streams, blocks: Sequence[int], tokens: Sequence[str]
) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    wanted = list(tokens)
    for block in blocks:
        stream = streams.of(block)
        anchor = _rarest(stream, wanted)
        if anchor < 0:
            continue
        for place in stream.where[wanted[anchor]]:
            start = place - anchor
            if start < 0 or stream.tokens[start : start + len(wanted)] != wanted:
                continue
            # `loss` is no quote of `ref.loss`.
            if start and stream.tokens[start - 1] == "." and is_identifier(wanted[0]):
                continue
            found.append((block, start))
    return found


def _holding(survey: Survey, tokens: Sequence[str]) -> list[int]:
    """The blocks that hold most of a fragment's names."""
    names = {token for token in tokens if is_identifier(token) and len(token) > 2}
    held = Counter(
        block for name in names for block in survey.places(_term(name)).live_blocks.tolist()
    )
    least = max(1, (len(names) + 1) // 2)
    return sorted(block for block, count in held.items() if count >= least)
