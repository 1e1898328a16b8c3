"""Where a piece of code stands but for names, or for an operation that is opposed to its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.embedded.opposed import are_opposed
from judge.embedded.streams import Stream, Streams, is_identifier

__all__ = ["Near", "nearest"]

_LEAST_ALIKE = 0.5
_MOST_OPPOSED = 2
_MOST_RENAMED = 3


@dataclass(frozen=True, slots=True)
class Near:
    """A place where a piece of code nearly stands.

    Attributes:
        row: Its live row.
        said: What the piece has where the code has something else; empty where only names differ.
        other: What the code has there.
        renamed: Names differ.
    """

    row: int
    said: str = ""
    other: str = ""
    renamed: bool = False


def nearest(streams: Streams, blocks: Sequence[int], tokens: Sequence[str]) -> Near | None:
    """The best place where a fragment stands but for names, or for what is opposed to it."""
    best: tuple[int, int] | None = None
    found: Near | None = None
    for block in blocks:
        stream = streams.of(block)
        for changed, dropped, gained in _spellings(tokens):
            for cost, start, apart in _aligned(stream, changed):
                rank = (cost + 2 * bool(dropped or gained), len(apart))
                if best is not None and rank >= best:
                    continue
                best = rank
                row = stream.row(start)
                if "not" in {dropped, gained[-3:]} and _are_compared(apart):
                    found = Near(row, renamed=True)  # `not a < b` for `a >= b`
                elif dropped or gained:
                    found = Near(row, dropped, gained, cost > 0)
                elif apart:
                    said, other = apart[0]
                    found = Near(row, said, other, cost > len(apart))
                else:
                    found = Near(row, renamed=cost > 0)
    return found


_COMPARED = frozenset({"<", ">", "<=", ">=", "==", "!="})


def _are_compared(apart: list[tuple[str, str]]) -> bool:
    return bool(apart) and all(_COMPARED.issuperset(pair) for pair in apart)


def _spellings(tokens: Sequence[str]) -> Iterator[tuple[list[str], str, str]]:
    """A fragment as it is, and without or with what changes its meaning: (tokens, lost, gained)."""
    own = list(tokens)
    yield own, "", ""
    for place in range(len(own) - 3):
        if own[place : place + 4] == [".", "detach", "(", ")"]:
            yield own[:place] + own[place + 4 :], ".detach()", "no stop-gradient"
    for place, piece in enumerate(own):
        if piece == "not" or (piece == "-" and (place == 0 or own[place - 1] in "(=,[")):
            yield own[:place] + own[place + 1 :], piece, "none"
    if own[0] == "if" and "not" not in own:
        yield [own[0], "not", *own[1:]], "if", "if not"
        yield [own[0], "not", "(", *own[1:]], "if", "if not"
    swapped = _unnested(own)
    if swapped is not None:
        yield swapped, "one function inside the other", "the other way round"


def _unnested(tokens: list[str]) -> list[str] | None:
    """`f(g(x))` as `g(f(x))`; `None` where it is none."""
    cuts = [place for place, piece in enumerate(tokens) if piece == "("][:2]
    if len(cuts) < 2 or tokens[-2:] != [")", ")"]:
        return None
    outer, inner = tokens[: cuts[0]], tokens[cuts[0] + 1 : cuts[1]]
    plain = all(is_identifier(t) or t == "." for t in (*outer, *inner))
    if not plain or outer == inner or not outer or not inner:
        return None
    return [*inner, "(", *outer, *tokens[cuts[1] :]]


def _aligned(stream: Stream, tokens: list[str]) -> Iterator[tuple[int, int, list[tuple[str, str]]]]:
    """Where a fragment stands with few other names and opposed tokens: (cost, start, opposed)."""
    count = len(tokens)
    starts = {
        place - offset
        for offset, token in enumerate(tokens)
        if is_identifier(token) or token[0] in '"0123456789'
        for place in stream.where.get(token, ())[:40]
    }
    for start in sorted(starts):
        if start < 0 or start + count > len(stream.tokens):
            continue
        result = _compare(stream, start, tokens)
        if result is not None:
            yield result


def _compare(
    stream: Stream, start: int, tokens: list[str]
) -> tuple[int, int, list[tuple[str, str]]] | None:
    names: dict[str, str] = {}
    apart: list[tuple[str, str]] = []
    alike = weighty = looked_up = 0
    own = stream.tokens
    at = start
    for offset, said in enumerate(tokens):
        if at >= len(own):
            return None
        found = own[at]
        at += 1
        says = is_identifier(said) or said[0] in '"0123456789'
        weighty += says
        if said == found:
            alike += says
            continue
        if are_opposed(said, found) or (said[0].isdigit() and found[0].isdigit()):
            apart.append((said, found))
            if len(apart) > _MOST_OPPOSED:
                return None
            continue
        if said[0].isdigit() and is_identifier(found):
            at = _past_path(own, at)  # a constant that was given a name, or is looked up
            looked_up += 1
            continue
        called = (offset and tokens[offset - 1] == ".") or (
            offset + 1 < len(tokens) and tokens[offset + 1] == "("
        )
        if called or not _may_be(said, found, stream):
            return None
        if names.setdefault(said, found) != found or len(names) > _MOST_RENAMED:
            return None
    if weighty == 0 or alike < _LEAST_ALIKE * weighty or (apart and alike < 1):
        return None
    if len(set(apart)) > 1:
        return None
    return len(names) + looked_up + len(apart), start, apart


def _past_path(own: list[str], at: int) -> int:
    """Where a name's attributes and items end."""
    while at + 1 < len(own):
        if own[at] == "." and is_identifier(own[at + 1]):
            at += 2
        elif own[at] == "[" and own[at + 2 : at + 3] == ["]"]:
            at += 3
        else:
            break
    return at


def _may_be(said: str, found: str, stream: Stream) -> bool:
    """Whether a name may stand for another: the claim's own is not in the function any more."""
    return is_identifier(said) and is_identifier(found) and not _is_used(said, stream)


def _is_used(name: str, stream: Stream) -> bool:
    """Whether a function still has a name of its own, not of an attribute or an argument."""
    tokens = stream.tokens
    for place in stream.where.get(name, ()):
        before = tokens[place - 1] if place else ""
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        if before != "." and not (before in {"(", ","} and after == "="):
            return True
    return False
