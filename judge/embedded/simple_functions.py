"""Which functions and classes of a repository call nothing but each other and plain Python."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from judge.embedded.quiet import CHANGING, PURE, QUIET_LIBRARIES, TELLING
from judge.embedded.statements import Statements
from retrieval.graph import Call, Symbol
from retrieval.index import Index
from retrieval.values import ParseState

__all__ = ["SimpleFunctions", "bases_of"]

_BASES = frozenset(
    {"object", "Enum", "IntEnum", "StrEnum", "Flag", "NamedTuple", "TypedDict", "ABC", "dict",
     "list", "Protocol", "SimpleNamespace", "str", "int", "float", "Exception"}
)  # fmt: skip
_ERRORS = ("Exception", "Error", "Warning")
# Arithmetic, and heads of loops and conditions.
_WORKS_OUT = re.compile(r"[\w)\]]\s*(?:[-+/%@]|\*\*?)=?\s*[\w(\[]|^\s*(?:for|while|if|elif)\b")
_SLIGHT = 3


class SimpleFunctions:
    """The simple functions of a repository: told from their calls, and not yet from their text.

    Attributes:
        keys: Of the simple functions, methods and classes.
        tracked: Keys of others that are to be followed like them.
        methods: The names of the methods of simple classes.
        methods_of: Those of each class, by its key.
        by_name: The keys of the functions and classes of all modules, by name.
        working: The lines of calls, from 1, that may have an effect, by file.
        calls: The places of the calls of a function, by its key: files and lines from 1.
    """

    def __init__(self, index: Index, statements: Callable[[str], Statements]) -> None:
        self._index = index
        self._statements = statements
        self.keys: set[str] = set()
        self.tracked: set[str] = set()
        self.methods: set[str] = set()
        self.methods_of: defaultdict[str, set[str]] = defaultdict(set)
        self.by_name: defaultdict[str, list[str]] = defaultdict(list)
        self.working: defaultdict[str, set[int]] = defaultdict(set)
        self.calls: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        self._definitions: defaultdict[str, list[Symbol]] = defaultdict(list)
        self._find()

    def is_live(self, symbol: Symbol) -> bool:
        """Whether an entry point may lead to it."""
        return self._index.reached(symbol.path, symbol.first) is not False

    def function_of(self, path: str, name: str) -> str:
        """The simple function or class that a name means in a file; empty for none."""
        keys = self.by_name.get(name)
        if not keys:
            return ""
        if all(key in self.keys or key in self.tracked for key in keys):
            return name
        own = f"{path}::{name}"
        if own not in self.keys:
            return ""
        codes = self._statements(path).codes
        # In place of one that may be imported, it is not surely what is meant.
        rows = self._statements(path).rows_of(name)
        return "" if any("import" in codes[row] for row in rows) else own

    def outermost(self, path: str) -> list[tuple[int, int]]:
        """The rows of a module's functions and classes: the first, and behind the last."""
        found: list[tuple[int, int]] = []
        for symbol in sorted(self._definitions[path], key=lambda one: (one.first, -one.last)):
            if not found or symbol.first > found[-1][1]:
                found.append((symbol.first - 1, symbol.last))
        return found

    def _find(self) -> None:
        """Those that call nothing but each other and what gives results of what it is given."""
        graph = self._index.graph
        users: defaultdict[str, list[str]] = defaultdict(list)
        working: list[str] = []
        loud: list[tuple[str, int, str]] = []
        seen: set[str] = set()
        for symbol in graph.symbols:
            for call in symbol.calls:
                if call.target:
                    self.calls[call.target].append((symbol.path, call.line))
            if not symbol.name:
                loud += [
                    (symbol.path, call.line, call.target)
                    for call in symbol.calls
                    if not self._is_quiet(symbol, call)
                ]
                continue
            key = symbol.key
            seen.add(key)
            self._definitions[symbol.path].append(symbol)
            if "." not in symbol.name:
                self.by_name[symbol.name].append(key)
            else:
                # What stands in a function or class is a part of it.
                users[key].append(f"{symbol.path}::{symbol.name.rpartition('.')[0]}")
            if symbol.is_class:
                for base in bases_of(symbol.header):
                    own = [one for one in self.by_name.get(base, ()) if one != key]
                    for one in own:
                        users[one].append(key)
                    if not own and base not in _BASES:
                        working.append(key)
                if self._is_raised(symbol):
                    working.append(key)
            for call in symbol.calls:
                if not self._is_quiet(symbol, call):
                    if not call.target:
                        working.append(key)
                    else:
                        users[call.target].append(key)
                    loud.append((symbol.path, call.line, call.target))
            if self._index.parse_states[
                symbol.path
            ] is not ParseState.PARSED or symbol.header.startswith("async"):
                working.append(key)
        acting: set[str] = set()
        _follow(working, users, acting)
        # Of what works on constants alone, too, more than a line or two is work.
        _follow([key for key in sorted(seen - acting) if self._has_substance(key)], users, acting)
        self.keys = seen - acting
        for path, line, target in loud:
            if target not in self.keys:
                self.working[path].add(line)
        for key in self.keys:
            path, _, name = key.partition("::")
            owner, _, last = name.rpartition(".")
            if owner and f"{path}::{owner}" in self.keys:
                outer = self._index.graph.symbol(f"{path}::{owner}")
                if outer is not None and outer.is_class:
                    self.methods.add(last)
                    self.methods_of[outer.key].add(last)

    def _is_raised(self, symbol: Symbol) -> bool:
        """Whether a class is an error that is raised or caught: what it ends acts."""
        if not any(base.endswith(_ERRORS) for base in bases_of(symbol.header)):
            return False
        name = symbol.name.rpartition(".")[2]
        raised = re.compile(rf"\s*(?:raise|except)\b.*\b{re.escape(name)}\b")
        return any(
            raised.match(own.codes[row]) is not None
            for own in map(self._statements, self._index.graph.paths)
            for row in own.rows_of(name)
        )

    def _has_substance(self, key: str) -> bool:
        """Whether a function works something out in more than a few lines."""
        symbol = self._index.graph.symbol(key)
        if symbol is None or symbol.is_class:
            return False
        bare = self._statements(symbol.path).bare[symbol.first - 1 : symbol.last]
        return sum(_WORKS_OUT.search(code) is not None for code in bare) > _SLIGHT

    def _is_quiet(self, symbol: Symbol, call: Call) -> bool:
        head, _, last = call.name.rpartition(".")
        if not head:
            if last in PURE or call.name in {"print", "pprint"}:
                return True
            if call.target or last[:1] == ".":
                return False
            whole = self._statements(symbol.path).resolve(last)
            return not whole or QUIET_LIBRARIES.match(whole) is not None
        if last in CHANGING or TELLING.match(call.name):
            return True
        if call.target:
            return False
        whole = self._statements(symbol.path).resolve(call.name)
        return bool(whole) and QUIET_LIBRARIES.match(whole) is not None


def _follow(ahead: Sequence[str], users: Mapping[str, Sequence[str]], found: set[str]) -> None:
    """Add some keys, and those of all that use them."""
    stack = [*ahead]
    found.update(stack)
    while stack:
        for user in users.get(stack.pop(), ()):
            if user not in found:
                found.add(user)
                stack.append(user)


def bases_of(header: str) -> list[str]:
    """The last names of what a class is built on."""
    inside = header.partition("(")[2].rpartition(")")[0]
    bases = (base.strip() for base in inside.split(","))
    return [base.partition("[")[0].rpartition(".")[2] or base for base in bases if base]
