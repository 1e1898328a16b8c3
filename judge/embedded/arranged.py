"""Quoted arithmetic that stands in live code with its operands, or one sign, in another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from judge.embedded.streams import Streams, is_identifier

__all__ = ["Arranged", "arranged"]


@dataclass(frozen=True, slots=True)
class Arranged:
    """Another arrangement of a quote.

    Attributes:
        row: Its live row.
        said: What the quote has.
        other: What stands there.
    """

    row: int
    said: str
    other: str


_SIGNS = frozenset({"+", "-", "*", "/", "@", "**", "//"})
_ORDERED = frozenset({"-", "/", "@", "**", "//"})  # whose operands may not change places
_LEAST = 5
_MOST_PLACES = 40


def arranged(streams: Streams, blocks: Sequence[int], tokens: Sequence[str]) -> Arranged | None:
    """Where a quote that stands nowhere stands but for one sign, or with operands exchanged.

    All other tokens are the same, in their places. Operands count that a sign parts which does not
    let them change places.
    """
    if len(tokens) < _LEAST or _SIGNS.isdisjoint(tokens):
        return None
    names = [place for place, token in enumerate(tokens) if is_identifier(token)]
    for block in blocks:
        stream = streams.of(block)
        known = [place for place in names if stream.where.get(tokens[place])]
        if len(known) < len(names) or not known:
            continue
        anchor = min(known, key=lambda place: len(stream.where[tokens[place]]))
        # The rarest name may be an operand that was exchanged: it may stand in any operand's place.
        starts = {
            at - place for at in stream.where[tokens[anchor]][:_MOST_PLACES] for place in names
        }
        for start in sorted(starts):
            window = stream.tokens[start : start + len(tokens)] if start >= 0 else []
            if len(window) == len(tokens) and (seen := _apart(tokens, window)) is not None:
                return Arranged(stream.row(start), *seen)
    return None


def _apart(tokens: Sequence[str], window: Sequence[str]) -> tuple[str, str] | None:
    """What a quote has and what the code has, where that is all that parts them."""
    apart = [n for n, (one, two) in enumerate(zip(tokens, window, strict=True)) if one != two]
    if not apart:
        return None
    if len(apart) == 1:
        said, other = tokens[apart[0]], window[apart[0]]
        if said in _SIGNS and other in _SIGNS and 0 < apart[0] < len(tokens) - 1:
            return f"`{said}`", f"`{other}`"
        return None
    if Counter(tokens) != Counter(window) or not all(is_identifier(tokens[n]) for n in apart):
        return None
    between = tokens[apart[0] : apart[-1] + 1]
    signs = _SIGNS.intersection(between)
    if len(signs) != 1 or signs.isdisjoint(_ORDERED) or not set(between) <= _operands(between):
        return None
    if signs != {"@"} and sum(token in signs for token in between) > 1:
        return None  # of `a - b - c` the last two may change places
    if signs != {"@"} and apart[0] and tokens[apart[0] - 1] in {"-", "/", "//"}:
        return None
    start = apart[0]
    while start > 1 and tokens[start - 1] == ".":
        start -= 2  # the whole path of the first operand
    first, second = ("".join(each[start : apart[-1] + 1]) for each in (tokens, window))
    return f"`{first}`", f"`{second}`"


def _operands(tokens: Sequence[str]) -> set[str]:
    """The names, dots and signs of an expression without brackets."""
    return {each for each in tokens if is_identifier(each) or each == "." or each in _SIGNS}
