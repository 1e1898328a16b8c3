"""Code that works on nothing but its own constants, and whose results nothing real goes on with.

A function that calls no library, and what is made of its results, counts no more than text where
nothing that acts needs it. Looked at closely is only code that names such functions, or that gives
names constants which seem to be printed alone: in repositories of real work that is little.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from judge.embedded.deed_reader import Reader
from judge.embedded.deeds import Deed, Node, Span
from judge.embedded.expressions import Known
from judge.embedded.hopes import CONSTANT, GIVEN, WALRUS, Hopes, begin_of, is_bound
from judge.embedded.idle_parameters import IdleParameters
from judge.embedded.needs import Flow, needed
from judge.embedded.simple_functions import SimpleFunctions
from judge.embedded.statements import Statements, holds
from judge.embedded.syntax import parsed
from judge.embedded.unread_names import UnreadNames
from judge.embedded.wordy import is_wordy
from retrieval.graph import Symbol
from retrieval.index import Index
from retrieval.values import ParseState, Role
from retrieval.words import join

if TYPE_CHECKING:
    from judge.embedded.vain import Lived

__all__ = ["Toys", "find_toys"]


class Toys(NamedTuple):
    """What comes to nothing.

    Attributes:
        lines: Lines, counted over all files from 0.
        unread: Lines of parameters and attributes that nothing reads.
        functions: Keys of functions and classes that are called and whose results nothing needs.
        left: Of lines of which a part comes to nothing, the code without it.
    """

    lines: set[int]
    unread: set[int]
    functions: list[str]
    left: dict[int, str]


_WORD = re.compile(r"[A-Za-z_]\w*")
_MAIN = re.compile(r"\s*if\s+__name__\s*==")
_ROUNDS = 4  # as far as names of modules are followed from one function to the next
_MOST_USERS = 8  # functions of real work that name a function: more of them surely need it
_LONGEST = 2_000  # lines of one function or module that are looked at


def find_toys(index: Index, statements: Callable[[str], Statements], lived: Lived) -> Toys:
    """Look for code that only works on its own constants."""
    return _Search(index, statements, lived).found()


class _Search:
    def __init__(self, index: Index, statements: Callable[[str], Statements], lived: Lived) -> None:
        self._index = index
        self._statements = statements
        self._lived = lived
        self._simple = SimpleFunctions(index, statements)
        self._parameters = IdleParameters(index, statements, lived, self._simple)
        self._names: set[str] = set()
        self._units: dict[tuple[str, str], None] = {}  # files and functions to be read
        self._taken: set[Node] = set()
        self._users: dict[str, dict[tuple[str, str], None]] = {}
        self._own: set[tuple[str, str]] = set()  # the simple functions among the units
        self._known_hopes: dict[tuple[str, str], Hopes] = {}
        self._known_units: dict[tuple[str, str], tuple[str, str] | None] = {}
        self._mains: dict[str, int] = {}
        self._done: set[tuple[str, str]] = set()

    def found(self) -> Toys:
        graph = self._index.graph
        if not any(self._simple.working.values()):
            # Where nothing acts, what is printed is what the program is for.
            return Toys(set(), set(), [], {})
        for key in sorted(self._simple.keys | self._simple.tracked):
            symbol = graph.symbol(key)
            if symbol is not None and "." not in symbol.name and self._simple.is_live(symbol):
                self._names.add(symbol.name)
                if key in self._simple.keys:
                    self._own.add((symbol.path, symbol.name))
        for name in sorted(self._names):
            self._find_users(name)
        for name in sorted(self._names):
            if ("f", name, "") not in self._taken:
                for key in self._simple.by_name[name]:
                    self._units[key.partition("::")[0], name] = None
        for path in graph.paths:
            if self._index.parse_states[path] is ParseState.PARSED:
                self._find_constants(path)
        found = UnreadNames(
            self._index, self._statements, self._lived, self._simple, lambda: self._told
        )
        unread = {*found.lines(), *found.containers()}
        left = self._without(self._parameters.cuts, unread)
        toys = self._weigh() if self._units else Toys(set(), set(), [], {})
        return toys._replace(unread=unread | toys.unread, left=left | toys.left)

    # ---- what names them ---------------------------------------------------------------------

    def _find_users(self, name: str) -> None:
        """The functions and modules that name a simple function: they are read, too."""
        own = {(key.partition("::")[0], name) for key in self._simple.by_name[name]}
        units: dict[tuple[str, str], None] = {}
        acting = 0
        for path, row in self._places(name):
            unit = self._unit(path, row)
            if unit is None or self._works_with(unit, row, name):
                self._take(name)
                return
            acting += unit not in units and bool(unit[1]) and unit not in self._own
            units[unit] = None
        # What is live and named nowhere is reached in a way that cannot be seen.
        if acting > _MOST_USERS or (units.keys() <= own and not self._is_decorated(name)):
            self._take(name)
        else:
            self._units.update(units)
            self._users[name] = units

    def _take(self, name: str) -> None:
        """What is not read may use all functions of a name."""
        keys = self._simple.by_name[name]
        self._taken.update(("f", one, "") for one in (name, *keys))
        for key in keys:
            self._taken.update(("f", f".{one}", "") for one in self._simple.methods_of[key])

    def _is_decorated(self, name: str) -> bool:
        symbols = map(self._index.graph.symbol, self._simple.by_name[name])
        return all(
            one is not None
            and self._statements(one.path).codes[one.first - 1].lstrip().startswith("@")
            for one in symbols
        )

    def _works_with(self, unit: tuple[str, str], row: int, name: str) -> bool:
        """Whether a line plainly does something real with what it names."""
        if unit in self._own or f"{unit[0]}::{name}" in self._simple.tracked:
            return False
        return self._hopes(unit).acts(row - 1)

    def _hopes(self, unit: tuple[str, str]) -> Hopes:
        known = self._known_hopes.get(unit)
        if known is None:
            path, name = unit
            own = self._statements(path)
            first, last = 0, len(own.codes)
            symbol = self._index.graph.symbol(f"{path}::{name}")
            if name and symbol is not None:
                first, last = symbol.first - 1, symbol.last
            known = self._known_hopes[unit] = Hopes(
                own,
                self._simple.working[path],
                self._lived.spoken,
                self._index.line_number(path, 1),
                (first, last),
                inner=() if name else self._simple.outermost(path),
            )
        return known

    def _places(self, name: str) -> Iterator[tuple[str, int]]:
        """Where a name stands in live code: files and lines from 1."""
        index = self._index
        if is_wordy(name):
            for path in index.graph.paths:
                for row in self._statements(path).rows_of(name):
                    if self._lived.is_live[index.line_number(path, row + 1)]:
                        yield path, row + 1
            return
        for line in self._lived.terms.get(join(name), ()):
            if self._lived.is_live[line]:
                path, row = index.place(line)
                if _names(name, self._statements(path), row - 1):
                    yield path, row
        for line in self._told.get(name, ()):
            if self._lived.is_live[line]:
                yield index.place(line)
        for key in self._simple.by_name.get(name, ()):
            for path, row in self._simple.calls.get(key, ()):
                file = index.file(path)
                if file is None or file.role is not Role.TEST:  # what tests assert is no use of it
                    yield path, row

    @cached_property
    def _told(self) -> dict[str, list[int]]:
        """The lines that only tell something, by the words in them."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for line in sorted(self._lived.spoken):
            path, row = self._index.place(line)
            for word in set(_WORD.findall(self._statements(path).codes[row - 1])):
                found[word].append(line)
        return found

    def _unit(self, path: str, row: int) -> tuple[str, str] | None:
        """What is read where a line is: a file and a function, or its own lines; `None` for none.

        The lines of a class that are no method's are not read.
        """
        index = self._index
        if path not in index.graph.paths:
            return None
        if index.parse_states[path] is not ParseState.PARSED:
            return None
        symbol = index.symbol_at(path, row)
        if symbol is None or not symbol.name:
            return path, ""
        key = path, symbol.name
        if key not in self._known_units:
            self._known_units[key] = self._outer(path, symbol)
        return self._known_units[key]

    def _outer(self, path: str, symbol: Symbol) -> tuple[str, str] | None:
        index = self._index
        parts = symbol.name.split(".")
        if f"{path}::{parts[0]}" in self._simple.keys:
            return path, parts[0]
        for size in range(1, len(parts) + 1):
            name = ".".join(parts[:size])
            outer = index.graph.symbol(f"{path}::{name}")
            if outer is not None and not outer.is_class:
                return path, name
        return None

    # ---- what is given constants -------------------------------------------------------------

    def _find_constants(self, path: str) -> None:
        """The functions and modules that give a name constants, and seem to do nothing with it."""
        base = self._index.line_number(path, 1)
        own = self._statements(path)
        live = self._lived.is_live[base : base + len(own.codes)]
        working = self._simple.working[path]
        for row, code in enumerate(own.codes):
            if "=" not in code or row + 1 in working or not live[row]:
                continue
            match = WALRUS.search(code) if ":=" in code else GIVEN.match(code)
            if match is None or not CONSTANT.match(code, match.end()):
                continue
            unit = self._unit(path, row + 1)
            if unit is None or unit in self._units:
                continue
            name = match[1]
            if begin_of(own.codes, row) != row:
                continue  # an argument, or a parameter
            if name.startswith("__") or not self._hopes(unit).is_idle(name):
                continue
            if not unit[1] and len(own.rows_of(name)) == 1 and not self._is_run(path, row):
                continue  # whether what may be imported is read is told elsewhere
            self._units[unit] = None

    # ---- reading -----------------------------------------------------------------------------

    def _weigh(self) -> Toys:
        reader = Reader(
            Known(
                self._simple.function_of,
                self._simple.methods,
                self._resolve,
            )
        )
        for path, name in self._units:
            self._read(reader, path, name)
        for name, users in self._users.items():
            # What does not parse, as by a later Python, may do anything with it.
            if not self._done.issuperset(users):
                self._take(name)
        self._take_globals(reader)
        flow = Flow(reader.deeds, reader.parameters, reader.real, reader.indirect, self._taken)
        deeds, nodes = needed(flow)
        called: set[str] = set()
        tracked = {key.partition("::")[2] for key in self._simple.tracked}
        read = {node for deed in reader.deeds for node in deed.reads}
        lines: set[int] = set()
        kept: set[int] = set()
        for number, deed in enumerate(reader.deeds):
            own = {deed.inside, deed.owner, deed.defines}
            called |= {*deed.loose, *(call.function for call in deed.calls)} - own
            if deed.defines in deed.loose:  # decorated
                called.add(deed.defines)
            if deed.owner or deed.defines or (deed.inside and deed.inside not in tracked):
                continue
            if deed.inside and ("run", deed.inside, "") not in nodes:
                continue  # whether anything needs the function at all is another question
            base = self._index.line_number(deed.path, 1)
            rows = range(base + deed.first, base + deed.last + 1)
            if number in deeds or not (deed.never or self._counts(deed, flow, read)):
                kept.update(rows)
            else:
                lines.update(rows)
        lines -= kept
        functions = [key for key in sorted(self._simple.keys) if self._is_idle(key, nodes, called)]
        lines = {line for line in lines if self._is_counted(line)}
        spans = self._idle_spans(reader, flow, deeds, nodes)
        left = self._without(spans, lines)
        unread: set[int] = set()
        idle: list[str] = []
        for key in functions:
            symbol = self._index.graph.symbol(key)
            if symbol is not None and symbol.is_class and not self._simple.methods_of[key]:
                # A class that only holds settings is no placeholder.
                first = self._index.line_number(symbol.path, symbol.first)
                unread.update(range(first, first + symbol.last - symbol.first + 1))
            else:
                idle.append(key)
        unread = {line for line in unread if self._lived.is_live[line]}
        return Toys(lines, unread, idle, left)

    def _idle_spans(
        self, reader: Reader, flow: Flow, deeds: set[int], nodes: set[Node]
    ) -> Iterator[tuple[str, Span]]:
        """Parts of statements that are needed as a whole: files and places."""
        for number, deed in enumerate(reader.deeds):
            if number not in deeds:
                used = deed.calls or deed.loose or deed.callees
                if deed.span is not None and used and not flow.is_real(deed):
                    yield deed.path, deed.span
                continue
            for parameter, span in deed.defaults:
                if parameter not in nodes:
                    yield deed.path, span
            for call in deed.calls:
                for reads, takes, span in flow.arguments(call):
                    if takes and not reads and nodes.isdisjoint(takes):
                        yield deed.path, span

    def _without(self, spans: Iterable[tuple[str, Span]], lines: set[int]) -> dict[int, str]:
        """The code of lines without some parts; whole lines are added to those given."""
        cut: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
        for path, (first, start, last, end) in spans:
            for row in range(first, last + 1):
                cut[path, row].append((start if row == first else 0, end if row == last else 10**6))
        left: dict[int, str] = {}
        for (path, row), parts in cut.items():
            line = self._index.line_number(path, row + 1)
            if not self._lived.is_live[line] or line in lines:
                continue
            code = self._statements(path).codes[row].encode()
            for start, end in sorted(parts, reverse=True):
                code = code[:start] + b" " + code[end:]
            rest = code.decode(errors="replace")
            if rest.strip(" ,()[]{}"):
                left[line] = rest
            else:
                lines.add(line)
        return left

    def _counts(self, deed: Deed, flow: Flow, read: set[Node]) -> bool:
        """Whether a deed that nothing needs is one of those that are looked for."""
        if flow.is_real(deed):
            return False  # something is worked out and not used
        line = self._index.line_number(deed.path, deed.first + 1)
        if line in self._lived.spoken:
            # What is only told counts for nothing anyhow.
            return bool(deed.calls or deed.loose or deed.callees)
        # Whether the names of a module that may be imported are read is told elsewhere.
        return all(node[0] != "g" or node in read for node in deed.gives) or self._is_run(
            deed.path, deed.first
        )

    def _is_run(self, path: str, row: int) -> bool:
        """Whether a line is run only where its file is, and not where it is imported."""
        first = self._mains.get(path)
        if first is None:
            own = self._statements(path)
            rows = (at for at in own.rows_of("__main__") if _MAIN.match(own.codes[at]))
            first = self._mains[path] = next(rows, len(own.codes))
        return row > first

    def _is_idle(self, key: str, nodes: set[Node], called: set[str]) -> bool:
        """Whether a function or method is called, and nothing needs it."""
        path, _, name = key.partition("::")
        if (path, name.partition(".")[0]) not in self._done:
            return False
        owner, dot, last = name.rpartition(".")
        if dot:
            if f"{path}::{owner}" not in self._simple.keys or last not in self._simple.methods:
                return False
            function = f".{last}"
        else:
            function = self._simple.function_of(path, name)
        return (
            function in called
            and ("f", function, "") not in nodes
            and ("run", function, "") not in nodes
        )

    def _resolve(self, path: str, name: str) -> str:
        return self._statements(path).resolve(name)

    def _is_counted(self, line: int) -> bool:
        path, row = self._index.place(line)
        return self._lived.is_live[line] and not _MAIN.match(self._index.lines(path)[row - 1])

    def _read(self, reader: Reader, path: str, name: str) -> None:
        """Give the statements of a function, or of a module without those in it, to the reader."""
        lines = self._index.lines(path)
        key = f"{path}::{name}"
        simple = key in self._simple.tracked or ("." not in name and key in self._simple.keys)
        if not name:
            first, last = 1, len(lines)
            text = self._without_definitions(path, lines)
        else:
            symbol = self._index.graph.symbol(f"{path}::{name}")
            if symbol is None:
                return
            first, last = symbol.first, symbol.last
            text = [*lines[first - 1 : last]]
        indented = bool(name) and text[0][:1].isspace()
        body = parsed(text, indented=indented) if last - first < _LONGEST else []
        if not body:
            return
        walrus = any(":=" in line for line in text)
        shift = first - 2 - indented
        if reader.read(path, body, shift, module=not name, simple=simple, walrus=walrus):
            self._done.add((path, name))

    def _without_definitions(self, path: str, lines: Sequence[str]) -> list[str]:
        """A module's lines, with nothing in its functions and classes."""
        text = [*lines]
        for first, last in self._simple.outermost(path):
            head = text[first]
            text[first:last] = [""] * (last - first)
            text[first] = head[: len(head) - len(head.lstrip())] + "pass"
        return text

    def _take_globals(self, reader: Reader) -> None:
        """Names of modules that other code may read; what seems not to work with them is read."""
        met: set[str] = set()
        for _ in range(_ROUNDS):
            names = {node[1] for deed in reader.deeds for node in deed.gives if node[0] == "g"}
            ahead: dict[tuple[str, str], None] = {}
            for name in sorted(names - met):
                met.add(name)
                for path, row in self._places(name):
                    if self._is_read(path, row, name):
                        continue
                    unit = self._unit(path, row)
                    if unit is None or self._hopes(unit).acts(row - 1):
                        self._taken.add(("g", name, ""))
                        break
                    ahead[unit] = None
            if len(ahead) > _MOST_USERS:
                self._taken.update(("g", name, "") for name in names)
                return
            for path, name in ahead:
                self._read(reader, path, name)
            if not ahead:
                return
        self._taken.update(node for deed in reader.deeds for node in deed.gives if node[0] == "g")

    def _is_read(self, path: str, row: int, name: str) -> bool:
        """Whether a line is among those that the reader was given, or means another thing."""
        unit = self._unit(path, row)
        if unit is None:
            return False
        if unit in self._done:
            return True
        symbol = self._index.graph.symbol(f"{path}::{unit[1]}")
        if symbol is None or not unit[1]:
            return False
        own = self._statements(path)
        rows = own.rows_of(name)
        return is_bound(
            name, [own.codes[at] for at in rows if symbol.first <= at + 1 <= symbol.last]
        )


def _names(name: str, own: Statements, row: int) -> bool:
    """Whether a line holds a name other than as a part of something: `opt.step()`."""
    code = own.codes[row]
    if not holds(name, code):
        return False
    if f".{name}" not in code or re.search(rf"(?<![\w.]){name}\b", code):
        return True
    return any(
        "import" in own.codes[at]
        for base in re.findall(rf"\b([A-Za-z_]\w*)\.{name}\b", code)
        for at in own.rows_of(base)
    )
