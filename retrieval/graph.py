"""Who calls whom, and what anything leads to from an entry point.

Static and by name: types are not inferred. Calls are resolved through imports where they can be,
methods by their name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from retrieval.entry_points import entry_points, runs_of
from retrieval.lexicon import Lexicon
from retrieval.program import FileView, Program
from retrieval.reachability import Reachability
from retrieval.values import Role

__all__ = ["Call", "CallGraph", "FileView", "Symbol"]


class Call(NamedTuple):
    """One call in a function, in the order of the text.

    Attributes:
        name: The dotted name as written.
        line: Its line.
        target: Key of the symbol that it most likely calls; empty outside the repository.
    """

    name: str
    line: int
    target: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function or class, the statements of a module, or a script that runs modules.

    Attributes:
        path: Its file.
        name: Dotted path inside the file; empty for a module or script itself.
        first: First line.
        last: Last line.
        is_class: Whether it is a class.
        header: Its head in one line.
        calls: The calls in it, nested functions not counted, in order.
    """

    path: str
    name: str
    first: int
    last: int
    is_class: bool
    header: str
    calls: tuple[Call, ...] = ()

    @property
    def key(self) -> str:
        """Unique in a repository."""
        return f"{self.path}::{self.name}"


_UNKNOWN = 2  # beside 0 and 1 for a line that is not reached or is


class CallGraph:
    """The symbols of a repository, their calls, and what entry points reach.

    Attributes:
        symbols: All functions, classes and module bodies, and scripts that run modules, by path
            and line.
        has_entry_point: Whether anything can be run at all.
        scripts: Keys of what runs several files in turn, those that run most first.
        unresolved: By file, the modules that it imports and that no file here is.
    """

    def __init__(self, views: Sequence[FileView], lexicon: Lexicon) -> None:
        python = [view for view in views if view.file.language in {"python", "notebook"}]
        program = Program(python, lexicon)
        entries, roots = entry_points(program, views)
        self.has_entry_point = bool(entries)
        reach = Reachability(program, views, entries, roots) if entries else None
        self._entry_paths = entries
        self.unresolved = {
            view.file.path: program.modules.unresolved(view.file.path) for view in python
        }
        self.symbols = _symbols(program, views)
        self._by_key = {symbol.key: symbol for symbol in self.symbols}
        self._callers: dict[str, list[str]] = defaultdict(list)
        for symbol in self.symbols:
            for target in dict.fromkeys(call.target for call in symbol.calls if call.target):
                self._callers[target].append(symbol.key)
        self._line_reached: Mapping[str, bytearray] = {
            view.file.path: _line_states(program, reach, number)
            for number, view in enumerate(python)
        }
        # Owner -1, the module's own lines, is the last name.
        self._line_symbols: dict[str, tuple[list[str], Sequence[int]]] = {
            view.file.path: (
                [*(d.symbol for d in view.outline.definitions), ""],
                view.owners,
            )
            for view in python
        }
        for view in views:
            if view.file.path not in self._line_symbols and f"{view.file.path}::" in self._by_key:
                self._line_symbols[view.file.path] = ([""], [-1] * len(view.lines))

        several = [
            (-len(targets), symbol.key)
            for symbol in self.symbols
            if symbol.path not in self._line_reached
            and len(targets := {call.target for call in symbol.calls}) > 1
        ]
        self.scripts = tuple(key for _, key in sorted(several))

    # ---- what others ask -------------------------------------------------------------------

    def symbol(self, key: str) -> Symbol | None:
        """The symbol of a key."""
        return self._by_key.get(key)

    def calls_of(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The repository's own symbols that a symbol calls, in order of their first call."""
        targets = dict.fromkeys(call.target for call in symbol.calls if call.target)
        return tuple(self._by_key[key] for key in targets)

    def callers_of(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The symbols that call a symbol."""
        return tuple(self._by_key[key] for key in self._callers.get(symbol.key, ()))

    def reached(self, path: str, line: int) -> bool | None:
        """Whether an entry point leads to a line of Python.

        `None` where that cannot be asked, and where it cannot be told: names may be looked up
        while the program runs.
        """
        states = self._line_reached.get(path)
        if states is None or not self.has_entry_point or not 1 <= line <= len(states):
            return None
        state = states[line - 1]
        return None if state == _UNKNOWN else bool(state)

    def symbol_at(self, path: str, line: int) -> Symbol | None:
        """The innermost function or class around a line; the module's body outside of any."""
        keys = self._line_symbols.get(path)
        if keys is None or not 1 <= line <= len(keys[1]):
            return None
        return self._by_key.get(f"{path}::{keys[0][keys[1][line - 1]]}")

    @property
    def paths(self) -> Collection[str]:
        """The files of Python."""
        return self._line_reached.keys()

    @property
    def entry_points(self) -> tuple[str, ...]:
        """The files that are run."""
        return tuple(sorted(self._entry_paths))


def _symbols(program: Program, views: Sequence[FileView]) -> tuple[Symbol, ...]:
    """The symbols of all files, in order."""
    symbols: list[Symbol] = []
    for view in views:
        number = program.position.get(view.file.path)
        symbols += _scripts(program, view) if number is None else _of_file(program, number)
    # Two definitions of one name: the later one wins in Python, and here.
    return tuple({symbol.key: symbol for symbol in symbols}.values())


def _scripts(program: Program, view: FileView) -> list[Symbol]:
    """A file that runs the repository's own files: the order of its phases."""
    path = view.file.path
    calls = [
        Call(run.target, run.line, f"{found}::")
        for run in runs_of(view)
        for found in program.modules.run(run.target, path)
    ]
    if not calls:
        return []
    return [Symbol(path, "", 1, max(1, len(view.lines)), False, "", tuple(calls))]


def _of_file(program: Program, number: int) -> list[Symbol]:
    view = program.views[number]
    path = view.file.path
    calls: dict[int, list[Call]] = defaultdict(list)
    targets: dict[str, str] = {}
    for site in view.outline.calls:
        # What `self` is depends on where it stands.
        target = None if site.name.startswith("self.") else targets.get(site.name)
        if target is None:
            target = _target(program, number, site.name, site.owner)
            targets[site.name] = target
        calls[site.owner].append(Call(site.name, site.line, target))
    return [
        Symbol(path, "", 1, max(1, len(view.lines)), False, "", _by_line(calls[-1])),
        *(
            Symbol(
                path, definition.symbol, definition.first, definition.last,
                definition.is_class, definition.header, _by_line(calls[position]),
            )
            for position, definition in enumerate(view.outline.definitions)
        ),
    ]  # fmt: skip


def _target(program: Program, view: int, name: str, owner: int) -> str:
    """The key of the symbol that a call most likely means; empty outside of the repository."""
    head, _, last = name.rpartition(".")
    if not head and not name.startswith("."):
        candidates: Sequence[int] = program.resolve(view, last)
    else:
        candidates = []
        methods = program.methods(last)
        if head == "self" and owner >= 0:
            own = program.around(program.class_of(program.node_of(view, owner)))
            candidates = [method for method in methods if program.class_of(method) == own]
        candidates = candidates or program.in_modules(view, last)
        if not candidates:
            same = [method for method in methods if program.nodes[method].view == view]
            candidates = same or methods
    if not candidates:
        return ""
    node = program.nodes[candidates[0]]
    symbol = node.definition.symbol if node.definition is not None else ""
    return f"{program.views[node.view].file.path}::{symbol}"


def _line_states(program: Program, reach: Reachability | None, number: int) -> bytearray:
    """For each line of a file 1 where it is reached, 0 where not, 2 where that is not known."""
    view = program.views[number]
    if reach is None or view.file.role is Role.TEST:
        return bytearray([_UNKNOWN]) * len(view.lines)
    first = program.first_node[number] + 1
    count = len(view.outline.definitions)
    # Owner -1, the module's own lines, is the last.
    known = [
        *(reach.state(first + offset) for offset in range(count)),
        reach.loads(number),
    ]
    states = [_UNKNOWN if state is None else int(state) for state in known]
    lines = bytearray(map(states.__getitem__, view.owners))
    if view.file.path not in reach.entries:
        for begin, end in view.outline.main_lines:
            lines[begin - 1 : end] = bytes(end - begin + 1)
    return lines


def _by_line(calls: list[Call]) -> tuple[Call, ...]:
    return tuple(sorted(calls, key=_line_of))


def _line_of(call: Call) -> int:
    return call.line
