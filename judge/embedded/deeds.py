"""What a statement reads, gives and does, told by names and not by the order of the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["REAL", "Call", "Deed", "Node", "Parameters", "Span", "merge"]

Node = tuple[str, str, str]
"""A name in a scope, a function, or a run of one: what deeds give and read."""

Span = tuple[int, int, int, int]
"""The first row of a part of a statement and its column in bytes, and where it ends."""

REAL: Node = ("real", "", "")
"""What comes from elsewhere: from libraries, files, arguments of what others call."""


@dataclass(slots=True)
class Call:
    """A call of one of the known functions.

    Attributes:
        function: Its name.
        dropped: Whether its result is dropped.
        starred: Whether arguments are spread into it by place.
        spans: Where each argument stands, those by place first.
        places: What each argument by place reads.
        names: What each argument by keyword reads; `**` for what is spread.
    """

    function: str
    starred: bool = False
    dropped: bool = False
    spans: list[Span] = field(default_factory=list)
    places: list[frozenset[Node]] = field(default_factory=list)
    names: dict[str, frozenset[Node]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a simple function takes.

    Attributes:
        named: Names and nodes: first those that are taken by place, too.
        placed: How many of them are.
        rest: What takes further arguments by place.
        others: What takes further keywords.
    """

    named: tuple[tuple[str, Node], ...]
    placed: int
    rest: Node | None
    others: Node | None

    def of(self, call: Call) -> Iterator[tuple[frozenset[Node], Node]]:
        """What each argument of a call reads, with what takes it."""
        every = [*call.places, *call.names.values()]
        for number, node in self.numbered(call):
            yield every[number], node

    def numbered(self, call: Call) -> Iterator[tuple[int, Node]]:
        """The arguments of a call by their numbers, with what takes them."""
        every = [node for _, node in self.named]
        every += [node for node in (self.rest, self.others) if node is not None]
        for place in range(len(call.places)):
            if place < self.placed and not call.starred:
                yield place, self.named[place][1]
            elif self.rest is not None and not call.starred:
                yield place, self.rest
            else:
                for node in every:
                    yield place, node
        known = dict(self.named)
        for number, name in enumerate(call.names, len(call.places)):
            if name in known:
                yield number, known[name]
            elif name != "**" and self.others is not None:
                yield number, self.others
            else:
                for node in every:
                    yield number, node


@dataclass(slots=True)
class Deed:
    """A statement, or the head of one that holds others.

    Attributes:
        path: Its file.
        first: Its first row.
        last: Its last row.
        above: The number of the head that it stands under, -1 for none.
        inside: The simple function that it is part of; empty for none.
        owner: The simple class that it is part of.
        reads: What it reads.
        gives: What it gives a value to, or changes.
        asks: What it calls or changes: where such a thing is real, the deed works.
        works: It does what has an effect whatever it reads.
        tells: It prints, logs or asserts.
        carries: What it gives back as it is.
        leaves: It leaves a function or a loop.
        calls: Its calls of simple functions.
        loose: The simple functions that it names without calling them.
        callees: What it calls by names that are no function's.
        defines: The simple function or class of which it is the head.
        span: Where it stands, for a part of what is told.
        defaults: Where the default values of a function's parameters stand, with the parameters.
        never: It stands behind a condition that never holds.
    """

    first: int = 0
    last: int = 0
    path: str = ""
    above: int = -1
    inside: str = ""
    owner: str = ""
    reads: set[Node] = field(default_factory=set)
    gives: set[Node] = field(default_factory=set)
    asks: set[Node] = field(default_factory=set)
    carries: set[Node] = field(default_factory=set)
    works: bool = False
    tells: bool = False
    leaves: bool = False
    calls: list[Call] = field(default_factory=list)
    loose: set[str] = field(default_factory=set)
    callees: set[Node] = field(default_factory=set)
    defines: str = ""
    never: bool = False
    span: Span | None = None
    defaults: list[tuple[Node, Span]] = field(default_factory=list)


def merge(deed: Deed, other: Deed) -> None:
    """Add to a deed what a part of it reads and does."""
    deed.reads |= other.reads
    deed.gives |= other.gives
    deed.asks |= other.asks
    deed.works = deed.works or other.works
    deed.tells = deed.tells or other.tells
    deed.calls += other.calls
    deed.loose |= other.loose
    deed.callees |= other.callees
