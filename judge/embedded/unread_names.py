"""Attributes, and names of whole modules, that are given plain values and that nothing asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from judge.embedded.simple_functions import SimpleFunctions, bases_of
from judge.embedded.statements import Statements, holds
from retrieval.index import Index
from retrieval.values import ParseState
from retrieval.words import join

if TYPE_CHECKING:
    from judge.embedded.vain import Lived

__all__ = ["UnreadNames"]

_PLAIN_BASES = frozenset({"", "object", "Module", "ABC"})
_ATTRIBUTE = re.compile(
    r"\s*([A-Za-z_]\w*)\.([A-Za-z]\w*)\s*(?::[^=]*)?=\s*"
    r"(?:[-+]?[\d.][\w.+-]*|'[^']*'|\"[^\"]*\"|\[[^\]()]*\]|\{[^{}()]*\})\s*\Z"
)
_ANY_ATTRIBUTE = re.compile(
    r"__dict__|\bglobals\(|\bvars\(|\bgetattr\([^,]*,\s*(?!['\"])|\basdict\(\s*self"
)
_LOOKED_UP = ("__dict__", "vars(", "globals(", "getattr(", "asdict(")
_CONTAINER = re.compile(r"([A-Za-z]\w*)\s*(?::[^=()]*)?=\s*(?:\{|\[|\(|(?:dict|list|tuple)\()")


class UnreadNames:
    """Looks for them in a repository."""

    def __init__(
        self,
        index: Index,
        statements: Callable[[str], Statements],
        lived: Lived,
        simple: SimpleFunctions,
        told: Callable[[], Mapping[str, Sequence[int]]],
    ) -> None:
        self._told = told  # lines that only tell something, by the words in them
        self._index = index
        self._statements = statements
        self._lived = lived
        self._simple = simple
        self._asked: dict[str, bool] = {}

    def lines(self) -> Iterator[int]:
        """Lines that give plain values to attributes of which nothing ever asks."""
        for path, own, base in self._modules():
            for row, code in enumerate(own.codes):
                if "." not in code or not self._lived.is_live[base + row]:
                    continue
                match = _ATTRIBUTE.match(code)
                if match is None or not self._is_our_own(path, row, match[1]):
                    continue
                if not self._is_asked(path, match[2]):
                    yield base + row

    def _modules(self) -> Iterator[tuple[str, Statements, int]]:
        """The files that were read whole, with their first lines' numbers over all files."""
        index = self._index
        for path in index.graph.paths:
            if index.parse_states[path] is ParseState.PARSED:
                yield path, self._statements(path), index.line_number(path, 1)

    def _is_our_own(self, path: str, row: int, of: str) -> bool:
        """Whether what has an attribute is a function of the file, or made by a plain class."""
        if of not in {"self", "cls"}:
            return f"{path}::{of}" in self._simple.by_name.get(of, ())
        symbol = self._index.symbol_at(path, row + 1)
        owner = symbol.name.rpartition(".")[0] if symbol is not None else ""
        found = self._index.graph.symbol(f"{path}::{owner}") if owner else None
        return (
            found is not None and found.is_class and _PLAIN_BASES.issuperset(bases_of(found.header))
        )

    def _is_asked(self, path: str, name: str) -> bool:
        """Whether a name stands anywhere but where an attribute of that name is given a value."""
        known = self._asked.get(name)
        if known is None:
            places = [(path, row) for row in self._rows_of(path, name)]
            places += self._elsewhere(path, name)
            known = False
            for where, row in places:
                own = self._statements(where)
                if holds(name, own.codes[row]):
                    given = _ATTRIBUTE.match(own.codes[row])
                    known = known or given is None or given[2] != name
            known = self._asked[name] = known or self._asks_any
        return known

    @cached_property
    def _asks_any(self) -> bool:
        """Whether attributes are looked up by names that cannot be seen."""
        return any(
            _ANY_ATTRIBUTE.search(code)
            for path in self._index.graph.paths
            for code in self._statements(path).codes
            if any(word in code for word in _LOOKED_UP)
        )

    def containers(self) -> Iterator[int]:
        """Lines of tables of whole modules of which no code has the name."""
        for path, own, base in self._modules():
            for row, code in enumerate(own.codes):
                if not code or code[0].isspace() or not self._lived.is_live[base + row]:
                    continue
                match = _CONTAINER.match(code)
                if match is None or any(other != row for other in self._rows_of(path, match[1])):
                    continue
                last = own.last(row)
                # What is worked out there may have an effect.
                idle = self._simple.working[path].isdisjoint(range(row + 1, last + 2))
                if idle and not self._is_named(path, match[1]):
                    yield from range(base + row, base + last + 1)

    def _is_named(self, path: str, name: str) -> bool:
        """Whether a name stands in another file, or may be looked up unseen."""
        if any(
            holds(name, self._statements(other).codes[row])
            for other, row in self._elsewhere(path, name)
        ):
            return True
        return self._asks_any

    def _elsewhere(self, path: str, name: str) -> Iterator[tuple[str, int]]:
        """Lines of other files that may hold a name."""
        for line in (*self._lived.terms.get(join(name), ()), *self._told().get(name, ())):
            other, row = self._index.place(line)
            if other != path and self._may_run(other, row - 1):
                yield other, row - 1

    def _rows_of(self, path: str, name: str) -> Iterator[int]:
        """Lines of a file that hold a name, but for those that no entry point reaches."""
        return (row for row in self._statements(path).rows_of(name) if self._may_run(path, row))

    def _may_run(self, path: str, row: int) -> bool:
        """Whether a line is not known to be dead: what never runs reads nothing."""
        return self._index.reached(path, row + 1) is not False
