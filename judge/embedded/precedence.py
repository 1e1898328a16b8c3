"""Orders that a claim states, and the places where live code shows which side comes first.

Only places that leave no doubt count: code that the claim quotes, and steps of training that are
called by one name everywhere (`backward`, `zero_grad`, an optimiser's `step`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from judge.embedded.between import between
from judge.embedded.events import EVENTS, event_rows, events_in
from judge.embedded.flow import fed_between
from judge.embedded.loops import is_later, owner_of
from judge.embedded.placing import Placed, placed_orders
from judge.embedded.quoted import Found, Quote
from judge.embedded.streams import Stream, streams_of
from judge.embedded.surroundings import enclosed
from judge.embedded.survey import Survey

__all__ = ["Kept", "Kind", "Order", "Ordered", "orders_of", "see_orders"]


class Kind(IntEnum):
    """What a claim says of two sides."""

    BEFORE = 0
    EVERY_ROUND = 1  # the first is done in every round of the second
    AFTER_LOOP = 2  # the first is done once, when the second has ended


class Kept(IntEnum):
    """What the code says of an order."""

    REVERSED = -1
    UNKNOWN = 0
    KEPT = 1
    LACKING = 2  # one side has a place and the other has none


@dataclass(frozen=True, slots=True)
class Order:
    """Two sides of a claim, as spans of its text."""

    kind: Kind
    first: tuple[int, int]
    second: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ordered:
    """What was seen of an order.

    Attributes:
        order: The order.
        kept: Whether the code keeps it.
        first: What the first side is, in words.
        second: What the second side is.
        rows: The live rows that show it: of the first side, of the second; empty for none.
        told: What the code does, in words, where it is seen by the words of the sides alone.
    """

    order: Order
    kept: Kept
    first: str = ""
    second: str = ""
    rows: tuple[int, ...] = ()
    told: str = ""


_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z(0-9])|\n+")
_EVERY = re.compile(
    r"\b(?:is|are)\s+(?:done|run|repeated|made|taken|carried out)\s+(?:in|at)\s+(?:every|each)\s+"
    r"(?:round|iteration|step|pass)\s+of\b",
    re.IGNORECASE,
)
_ONCE_AFTER = re.compile(
    r"\b(?:is|are)\s+(?:done|run|made|carried out)\s+(?:only\s+)?once,?\s+after\b", re.IGNORECASE
)
_LOOPS = (
    (" of ", _EVERY, Kind.EVERY_ROUND),
    ("once", _ONCE_AFTER, Kind.AFTER_LOOP),
)
_FINISHED = re.compile(r"\b(?:is|are)\s+(?:finished|completed|over|done)\s+before\b", re.IGNORECASE)
_EARLIER = re.compile(
    r"\band (?:only )?(?:after that|afterwards|then)\b|\bis (?:directly )?followed by\b"
    r"|\bfollowed by\b|\bbefore\b|\bprior to\b|\bprecedes?\b|\bthen\b|→|->|⇒|=>",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:right |only |directly )?after(?!\s+that|wards)\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|when|whenever)\b", re.IGNORECASE)
_STEP = re.compile(
    r"(?:(?<=\s)|(?<=\()|^)(?:(?:step|phase|stage)\s*\d+\w?\s*[-–—:.)]*\s*|\(?\d{1,2}[.)]\s+"
    r"|\([a-h]\)\s+)",
    re.IGNORECASE,
)
_MAX_ORDERS = 12
_MOST_QUOTED = 80
_ADJACENT_GAP = 2


@lru_cache(maxsize=4096)
def orders_of(text: str) -> tuple[Order, ...]:
    """The orders that a claim states, each side a span of its text."""
    found: list[Order] = []
    for start, end in _sentences(text):
        found += _in_sentence(text, start, end)
    steps = [match.span() for match in _STEP.finditer(text)]
    if len(steps) > 1:
        ends = [*(s for s, _ in steps[1:]), len(text)]
        spans = [(e, nxt) for (_, e), nxt in zip(steps, ends, strict=True)]
        found += [Order(Kind.BEFORE, one, other) for one, other in itertools.pairwise(spans)]
    return tuple(dict.fromkeys(found))[:_MAX_ORDERS]


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _in_sentence(text: str, start: int, end: int) -> Iterator[Order]:
    for word, pattern, kind in _LOOPS:
        if word in text and (match := pattern.search(text, start, end)):
            yield Order(kind, (start, match.start()), (match.end(), end))
            return
    if match := _FINISHED.search(text, start, end):
        yield Order(Kind.BEFORE, (start, match.start()), (match.end(), end))
        return
    both = between(text, start, end)
    if both is not None:
        for sides in both:
            yield Order(Kind.BEFORE, *sides)
        return
    for match in _EARLIER.finditer(text, start, end):
        if match[0].strip(" ,").lower() == "then" and _IF.search(text, start, match.start()):
            continue
        if text[start : match.start()].strip(" ,"):
            yield Order(Kind.BEFORE, (start, match.start()), (match.end(), end))
        else:  # `Before A, B`
            cut = text.find(",", match.end(), end)
            if cut > 0:
                yield Order(Kind.BEFORE, (cut, end), (match.end(), cut))
    for match in _LATER.finditer(text, start, end):
        if text[start : match.start()].strip(" ,"):
            yield Order(Kind.BEFORE, (match.end(), end), (start, match.start()))
        else:
            cut = text.find(",", match.end(), end)
            if cut > 0:
                yield Order(Kind.BEFORE, (match.end(), cut), (cut, end))


def see_orders(survey: Survey, text: str, quotes: Sequence[Found]) -> tuple[Ordered, ...]:
    """What live code says of each order of a claim."""
    seen = tuple(_see(survey, text, order, quotes) for order in orders_of(text))
    if any(each.kept in {Kept.KEPT, Kept.REVERSED} for each in seen):
        return seen
    by_words = tuple(_by_words(survey, placed) for placed in placed_orders(survey, text))
    return by_words if any(each.rows for each in by_words) else seen


def _by_words(survey: Survey, placed: Placed) -> Ordered:
    order = Order(Kind.BEFORE, (0, 0), (0, 0))
    sides = placed.sides.first, placed.sides.second
    kept = Kept.KEPT if placed.kept > 0 else Kept.REVERSED if placed.kept < 0 else (Kept.UNKNOWN)
    if kept is not Kept.REVERSED:
        return Ordered(order, kept, *sides, placed.rows)
    late, early = (_where(survey, row) for row in placed.rows)
    other = f" comes before {late}" if early != late else " does the second first"
    return Ordered(order, kept, *sides, placed.rows, early + other)


def _where(survey: Survey, row: int) -> str:
    path, line = survey.place(int(survey.live[row]))
    code = survey.codes[row].strip()
    shown = code if len(code) <= _MOST_QUOTED else code[:_MOST_QUOTED].rstrip() + "…"
    return f"`{shown}` at {path}:{line}"


def _see(survey: Survey, text: str, order: Order, quotes: Sequence[Found]) -> Ordered:
    first = _quote_in(quotes, order.first)
    second = _quote_in(quotes, order.second)
    if first is not None and second is not None and first.fragment.tokens != second.fragment.tokens:
        return _by_quotes(survey, order, first, second)
    if order.kind is Kind.BEFORE and first is None and second is None:
        seen = _by_events(survey, text, order)
        return seen if seen.kept is not Kept.UNKNOWN else _by_flow(survey, text, order)
    return Ordered(order, Kept.UNKNOWN)


def _quote_in(quotes: Sequence[Found], span: tuple[int, int]) -> Found | None:
    """The code that a side quotes; of a statement in pieces the first, which says where it is."""
    own = (quote for quote in quotes if span[0] <= quote.fragment.start < span[1])
    return next(own, None)


def _by_quotes(survey: Survey, order: Order, first: Found, second: Found) -> Ordered:
    names = " ".join(first.fragment.tokens), " ".join(second.fragment.tokens)
    there = [quote.quote >= Quote.ELSEWHERE and bool(quote.places) for quote in (first, second)]
    if not all(there):
        kept = (
            Kept.LACKING
            if any(there) and Quote.MISSING in {first.quote, second.quote}
            else (Kept.UNKNOWN)
        )
        return Ordered(order, kept, *names)
    streams = streams_of(survey)
    best = Ordered(order, Kept.UNKNOWN, *names)
    by_block = [_grouped(quote.places) for quote in (first, second)]
    for block, ones in by_block[0].items():
        others = by_block[1].get(block, [])
        if not others:
            continue
        stream = streams.of(block)
        kept, pair = _compare(stream, order.kind, ones, others, len(first.fragment.tokens))
        if kept is Kept.UNKNOWN:
            continue
        seen = Ordered(order, kept, *names, tuple(stream.row(place) for place in pair))
        if kept is Kept.KEPT:
            return seen
        best = seen
    return best


def _grouped(places: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for block, place in places:
        found.setdefault(block, []).append(place)
    return found


def _compare(
    stream: Stream, kind: Kind, ones: list[int], others: list[int], size: int
) -> tuple[Kept, tuple[int, int]]:
    pair = ones[0], others[0]
    if kind is not Kind.BEFORE:
        inside = enclosed(stream, others, ones)
        if kind is Kind.EVERY_ROUND:
            return (Kept.KEPT if any(inside) else Kept.REVERSED), pair
        if min(others) >= max(ones):
            return Kept.UNKNOWN, pair
        return (Kept.REVERSED if all(inside) else Kept.KEPT), pair
    held = enclosed(stream, ones, others)
    near = {one + size + gap for one in ones for gap in range(_ADJACENT_GAP + 1)}
    if not near.isdisjoint(others) and not any(held):
        return Kept.KEPT, pair
    if stream.tokens[ones[0]] in {"for", "while"} and all(held):
        return Kept.REVERSED, pair
    return _paired(ones, others), pair


def _paired(ones: Sequence[int], others: Sequence[int]) -> Kept:
    """Whether the first side comes first, each time that both come."""
    if max(ones) < min(others):
        return Kept.KEPT
    if min(ones) > max(others):
        return Kept.REVERSED
    if len(ones) != len(others):
        return Kept.UNKNOWN
    before = [one < other for one, other in zip(sorted(ones), sorted(others), strict=True)]
    return Kept.KEPT if all(before) else Kept.REVERSED if not any(before) else Kept.UNKNOWN


def _by_events(survey: Survey, text: str, order: Order) -> Ordered:
    said = [events_in(text[slice(*span)]) for span in (order.first, order.second)]
    if not all(said):
        return Ordered(order, Kept.UNKNOWN)
    first, second = said[0][-1], said[1][0]
    if first == second or first in said[1] or second in said[0]:
        return Ordered(order, Kept.UNKNOWN)
    rows = event_rows(survey, first), event_rows(survey, second)
    names = EVENTS[first].words, EVENTS[second].words
    if not rows[0] or not rows[1]:
        return Ordered(order, Kept.LACKING if rows[0] or rows[1] else Kept.UNKNOWN, *names)
    best = Ordered(order, Kept.UNKNOWN, *names)
    by_block = [_grouped((int(survey.row_blocks[row]), row) for row in own) for own in rows]
    for block, ones in by_block[0].items():
        others = by_block[1].get(block, [])
        if not others:
            continue
        kept = _paired(ones, others)
        if kept is Kept.REVERSED and (first, second) == ("backward", "step"):
            # A step that waits for a condition may belong to the backward pass of a round before.
            kept = Kept.UNKNOWN if all(is_later(survey, row, ones[0]) for row in others) else kept
        if kept is Kept.REVERSED and {first, second} == {"zero", "backward"}:
            kept = _erased(survey, block, ones if first == "zero" else others, first)
        if kept is Kept.UNKNOWN:
            continue
        seen = Ordered(order, kept, *names, (ones[0], others[0]))
        if kept is Kept.KEPT:
            return seen
        best = seen
    return best


def _by_flow(survey: Survey, text: str, order: Order) -> Ordered:
    fed = fed_between(survey, text[slice(*order.first)], text[slice(*order.second)])
    if fed is None:
        return Ordered(order, Kept.UNKNOWN)
    kept = Kept.KEPT if fed.kept else Kept.REVERSED
    return Ordered(order, kept, fed.first, fed.second, fed.rows)


def _erased(survey: Survey, block: int, zeros: Sequence[int], first: str) -> Kept:
    """Erasing gradients behind the step is erasing them before the next ones are computed."""
    if first != "zero":
        return Kept.UNKNOWN
    steps = [row for row in event_rows(survey, "step") if survey.row_blocks[row] == block]
    if len({owner_of(survey.codes[row]) for row in (*zeros, *steps)} - {""}) > 1:
        return Kept.UNKNOWN  # the gradients of one network are erased, and another one steps
    return Kept.REVERSED if steps and max(zeros) < min(steps) else Kept.KEPT
