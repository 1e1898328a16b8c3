"""Who calls whom, and what anything leads to from an entry point.

Static and by name: types are not inferred. Calls are resolved through imports where they can be,
methods by their name among the classes that are in use. When in doubt a function counts as
reached: a wrong `False` would call working code dead.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from retrieval.imports import Modules
from retrieval.lexicon import FileTokens, Lexicon
from retrieval.outline import Definition, LineKind, Outline
from retrieval.values import Role, SourceFile

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
    """A function or class.

    Attributes:
        path: Its file.
        name: Dotted path inside the file; empty for the statements of the module itself.
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


@dataclass(slots=True)
class FileView:
    """One file as the graph sees it: its outline, its tokens, and the owner of each line."""

    file: SourceFile
    lines: Sequence[str]
    outline: Outline
    owners: Sequence[int]
    tokens: FileTokens


_STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_BARE_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_NEUTRAL_DECORATORS = re.compile(
    r"(?:\w+\.)*(?:staticmethod|classmethod|property|cached_property|no_grad|inference_mode|jit|njit"
    r"|script|compile|dataclass|lru_cache|cache|wraps|abstractmethod|contextmanager|overload|setter"
    r"|getter|deleter|final|override|partial|total_ordering|checkpoint|autocast|custom_fwd"
    r"|custom_bwd|define|attrs|s|vmap|pmap|remat|timeit|timer|profile|typechecked|jaxtyped|torch_compile"
    r"|function|unique|runtime_checkable|rank_zero_only|flax_struct|struct)\Z"
)
# Methods that a base class outside of the repository calls.
_HOOKS = re.compile(
    r"__\w+__|forward|backward|call|build|step|reset|render|close|seed|setup|teardown|prepare_data"
    r"|(?:training|validation|test|predict)_step|configure_\w+|\w+_dataloader|on_\w+|transform|fit"
    r"|predict|fit_transform|update|compute|compute_loss|get_lr|run|visit_\w+|default|emit|encode"
    r"|decode|jvp|setup_context|download|process|collate\w*|state_dict|load_state_dict|extra_repr"
    r"|get_config|evaluate|train_step|test_step|get_train_\w+|prediction_step|log|_step|_predict"
    r"|sample|log_prob|observation|reward|action|learn|_\w+_impl"
)
_PLAIN_BASES = frozenset({"object", "ABC", "abc.ABC", "Protocol", "Generic", "Enum", "NamedTuple"})
_DYNAMIC = frozenset({"getattr", "globals", "locals", "eval", "import_module", "instantiate"})
_SCRIPT_TARGET = re.compile(r"[\w.-]+\s*=\s*['\"]?([\w.]+):(\w+)")


@dataclass(slots=True)
class _Node:
    """A definition or, with `definition` None, the statements of a module."""

    view: int
    definition: Definition | None
    plain: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)


class CallGraph:
    """The symbols of a repository, their calls, and what entry points reach.

    Attributes:
        symbols: All functions, classes and module bodies, by path and line.
        has_entry_point: Whether anything can be run at all.
    """

    def __init__(self, views: Sequence[FileView], lexicon: Lexicon) -> None:
        python = [v for v in views if v.file.language in {"python", "notebook"}]
        self._views = python
        self._position = {view.file.path: i for i, view in enumerate(python)}
        self._modules = Modules([(v.file.path, v.outline) for v in python])
        self._resolved: dict[tuple[int, str], list[int]] = {}
        self._bound: dict[int, list[dict[str, int]]] = {}
        self._first_node: list[int] = []
        self._nodes: list[_Node] = []
        for i, view in enumerate(python):
            self._first_node.append(len(self._nodes))
            self._nodes.append(_Node(i, None))
            self._nodes.extend(_Node(i, definition) for definition in view.outline.definitions)
        self._index_names()
        self._read_references(lexicon)
        entries, self._roots = self._entries(views)
        self._entry_paths = entries
        self.has_entry_point = bool(entries)
        self._loaded: set[int] = set()
        self._reached: set[int] = set()
        if entries:
            self._spread()
        self.symbols = self._make_symbols()
        self._by_key = {symbol.key: symbol for symbol in self.symbols}
        self._callers: dict[str, list[str]] = defaultdict(list)
        for symbol in self.symbols:
            for target in dict.fromkeys(call.target for call in symbol.calls if call.target):
                self._callers[target].append(symbol.key)
        reached = {}
        for view_number, view in enumerate(python):
            reached[view.file.path] = self._line_states(view_number, view)
        self._line_reached: Mapping[str, bytearray] = reached
        # Owner -1, the module's own lines, is the last name.
        self._line_symbols = {
            view.file.path: ([*(d.symbol for d in view.outline.definitions), ""], view.owners)
            for view in python
        }
        # What is needed only to build is let go: an index is sent between processes.
        del self._views, self._modules, self._nodes, self._functions, self._methods, self._roots
        del self._tops, self._resolved, self._bound

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
        """Whether an entry point leads to a line of Python; `None` where that cannot be asked."""
        states = self._line_reached.get(path)
        if states is None or not self.has_entry_point or not 1 <= line <= len(states):
            return None
        state = states[line - 1]
        return None if state == 2 else bool(state)

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

    # ---- building --------------------------------------------------------------------------

    def _index_names(self) -> None:
        """Definitions by name: at the top of each file, functions within it, methods anywhere."""
        self._tops: list[dict[str, int]] = []
        self._functions: list[dict[str, list[int]]] = []
        self._methods: dict[str, list[int]] = defaultdict(list)
        for view_number, view in enumerate(self._views):
            top: dict[str, int] = {}
            functions: dict[str, list[int]] = defaultdict(list)
            base = self._first_node[view_number] + 1
            definitions = view.outline.definitions
            for offset, definition in enumerate(definitions):
                parent = definition.parent
                if parent >= 0 and definitions[parent].is_class and not definition.is_class:
                    self._methods[definition.name].append(base + offset)
                else:
                    functions[definition.name].append(base + offset)
                    if parent < 0:
                        top[definition.name] = base + offset
            self._tops.append(top)
            self._functions.append(functions)

    def _read_references(self, lexicon: Lexicon) -> None:
        """The names of the repository that each definition mentions in its own lines of code."""
        known: set[str] = set(self._methods) | _DYNAMIC
        for view_number, view in enumerate(self._views):
            known.update(self._functions[view_number])
            known.update(item.alias for item in view.outline.imports)
        names = {number: name for name in known if (number := lexicon.number(name)) is not None}
        is_known = np.zeros(len(lexicon), np.bool_)
        is_known[list(names)] = True
        for view_number, view in enumerate(self._views):
            tokens = view.tokens
            hits = np.flatnonzero(is_known[tokens.ids] & (tokens.kinds == LineKind.CODE))
            found: defaultdict[int, set[str]] = defaultdict(set)
            for row, number in zip(
                tokens.rows[hits].tolist(), tokens.ids[hits].tolist(), strict=True
            ):
                found[row].add(names[number])
            self._sort_references(view_number, view, found)

    def _sort_references(
        self, view_number: int, view: FileView, found: Mapping[int, set[str]]
    ) -> None:
        """Tell names that stand alone from attributes and from what is only in a string."""
        base = self._first_node[view_number] + 1
        owners, tails = view.owners, view.outline.tails
        heads = {definition.first: definition.name for definition in view.outline.definitions}
        for row, names in found.items():
            node = self._nodes[base + owners[row]]
            line = view.lines[row][: tails.get(row + 1)]
            bare = _STRING.sub("''", line) if "'" in line or '"' in line else line
            stripped = bare.lstrip()
            if stripped.startswith(("def ", "class ", "async def ")):
                names.discard(heads.get(row + 1, _defined_name(stripped)))
            for name in names:
                if name not in bare:
                    node.strings.add(name)
                elif "." + name in bare:
                    node.attributes.add(name)
                    if name in _BARE_NAME.findall(bare):
                        node.plain.add(name)
                else:
                    node.plain.add(name)

    def _entries(self, views: Sequence[FileView]) -> tuple[set[str], list[int]]:
        """The files that are run, and definitions that a package's metadata names."""
        entries: set[str] = set()
        roots: list[int] = []
        imported = self._modules.imported()
        for view in self._views:
            file, outline = view.file, view.outline
            if file.role is Role.TEST or file.role is Role.DOC:
                continue
            if (
                outline.main_lines
                or file.language == "notebook"
                or file.path.rpartition("/")[2] in {"__main__.py", "manage.py"}
                or (outline.acts and file.path not in imported)
                # A tree with errors may have lost the block, not the line.
                or "\nif __name__" in f"\n{file.text}"
            ):
                entries.add(file.path)
        for view in views:
            file = view.file
            for run in view.outline.runs:
                entries.update(self._modules.run(run, file.path))
            if file.path.rpartition("/")[2] in {"pyproject.toml", "setup.py", "setup.cfg"}:
                for module, name in _SCRIPT_TARGET.findall(file.text[:200_000]):
                    for path in self._modules.find(module, file.path):
                        entries.add(path)
                        if node := self._tops[self._position[path]].get(name):
                            roots.append(node)
        return entries, roots

    def _spread(self) -> None:
        """Walk from the entry points along names until nothing new is reached."""
        work: list[int] = []
        attributes: set[str] = set()
        queued: set[int] = set()

        def push(nodes: Iterable[int]) -> None:
            for node in nodes:
                if node not in queued:
                    queued.add(node)
                    work.append(node)

        def load(view: int) -> None:
            if view in self._loaded:
                return
            self._loaded.add(view)
            push([self._first_node[view]])
            for offset, definition in enumerate(self._views[view].outline.definitions):
                if any(not _NEUTRAL_DECORATORS.match(name) for name in definition.decorators):
                    push([self._first_node[view] + 1 + offset])

        def use_attribute(name: str) -> None:
            if name in attributes:
                return
            attributes.add(name)
            for method in self._methods.get(name, ()):
                if self._class_of(method) in self._reached:
                    push([method])

        for path in sorted(self._entry_paths):
            load(self._position[path])
        push(self._roots)
        while work:
            number = work.pop()
            self._reached.add(number)
            node = self._nodes[number]
            view = self._views[node.view]
            load(node.view)
            if node.definition is None:
                for path in self._modules.imports_of(view.file.path):
                    load(self._position[path])
            for name in node.plain:
                push(self._resolve(node.view, name))
            for name in node.attributes:
                use_attribute(name)
                push(self._module_functions(node.view, name))
            if node.strings and not _DYNAMIC.isdisjoint(node.plain | node.attributes):
                for name in node.strings:
                    push(self._resolve(node.view, name))
                    use_attribute(name)
            definition = node.definition
            if definition is not None and definition.is_class:
                outside = False
                for base in definition.bases:
                    found = self._resolve(node.view, base.rpartition(".")[2])
                    push(found)
                    outside = outside or (not found and base not in _PLAIN_BASES)
                outside = outside or self._inherits_outside(number)
                for method in self._methods_of(number):
                    name = self._name(method)
                    if (
                        name in attributes
                        or (name.startswith("__") and name.endswith("__"))
                        or (outside and _HOOKS.fullmatch(name))
                    ):
                        push([method])

    def _name(self, number: int) -> str:
        definition = self._nodes[number].definition
        return definition.name if definition is not None else ""

    def _class_of(self, number: int) -> int:
        node = self._nodes[number]
        if node.definition is None or node.definition.parent < 0:
            return -1
        return self._first_node[node.view] + 1 + node.definition.parent

    def _methods_of(self, number: int) -> list[int]:
        node = self._nodes[number]
        base = self._first_node[node.view] + 1
        position = number - base
        return [
            base + offset
            for offset, definition in enumerate(self._views[node.view].outline.definitions)
            if definition.parent == position
        ]

    def _inherits_outside(self, number: int) -> bool:
        """Whether some ancestor comes from outside of the repository."""
        seen: set[int] = set()
        work = [number]
        while work:
            current = work.pop()
            if current in seen:
                continue
            seen.add(current)
            node = self._nodes[current]
            if node.definition is None:
                continue
            for base in node.definition.bases:
                found = self._resolve(node.view, base.rpartition(".")[2])
                if not found and base not in _PLAIN_BASES:
                    return True
                work.extend(found)
        return False

    def _resolve(self, view: int, name: str) -> list[int]:
        """The definitions that a plain name can mean in a file."""
        if found := self._functions[view].get(name):
            return found
        known = self._resolved.get((view, name))
        if known is None:
            known = self._resolved[view, name] = self._imported(view, name)
        return known

    def _imported(self, view: int, name: str) -> list[int]:
        return [
            self._tops[self._position[path]][target]
            for path, target in self._modules.names(self._views[view].file.path, name)
            if target in self._tops[self._position[path]]
        ]

    def _module_functions(self, view: int, name: str) -> list[int]:
        """Top-level definitions of that name in the modules that a file imports."""
        tops = self._bound.get(view)
        if tops is None:
            paths = self._modules.module_bindings(self._views[view].file.path)
            tops = self._bound[view] = [self._tops[self._position[path]] for path in paths]
        return [top[name] for top in tops if name in top]

    def _make_symbols(self) -> tuple[Symbol, ...]:
        symbols: list[Symbol] = []
        for view_number, view in enumerate(self._views):
            calls: dict[int, list[Call]] = defaultdict(list)
            targets: dict[str, str] = {}
            for site in view.outline.calls:
                # What `self` is depends on where it stands.
                target = None if site.name.startswith("self.") else targets.get(site.name)
                if target is None:
                    target = self._target(view_number, site.name, site.owner)
                    targets[site.name] = target
                calls[site.owner].append(Call(site.name, site.line, target))
            path = view.file.path
            symbols.append(
                Symbol(path, "", 1, max(1, len(view.lines)), False, "", _by_line(calls[-1]))
            )
            symbols.extend(
                Symbol(
                    path, definition.symbol, definition.first, definition.last,
                    definition.is_class, definition.header, _by_line(calls[position]),
                )
                for position, definition in enumerate(view.outline.definitions)
            )  # fmt: skip
        # Two definitions of one name: the later one wins in Python, and here.
        return tuple({symbol.key: symbol for symbol in symbols}.values())

    def _target(self, view: int, name: str, owner: int) -> str:
        head, _, last = name.rpartition(".")
        if not head and not name.startswith("."):
            candidates = self._resolve(view, last)
        else:
            candidates = []
            if head == "self" and owner >= 0:
                here = self._methods.get(last, ())
                definitions = self._views[view].outline.definitions
                parent = definitions[owner].parent
                while parent >= 0 and not definitions[parent].is_class:
                    parent = definitions[parent].parent
                own = self._first_node[view] + 1 + parent
                candidates = [method for method in here if self._class_of(method) == own]
            if not candidates:
                candidates = self._module_functions(view, last)
            if not candidates:
                methods = self._methods.get(last, [])
                same = [method for method in methods if self._nodes[method].view == view]
                candidates = same or methods
        if not candidates:
            return ""
        node = self._nodes[candidates[0]]
        symbol = node.definition.symbol if node.definition is not None else ""
        return f"{self._views[node.view].file.path}::{symbol}"

    def _line_states(self, view_number: int, view: FileView) -> bytearray:
        """For each line 1 reached, 0 not, 2 not to be asked."""
        if not self.has_entry_point or view.file.role is Role.TEST:
            return bytearray([2]) * len(view.lines)
        base = self._first_node[view_number] + 1
        loaded = view_number in self._loaded
        # Owner -1, the module's own lines, is the last.
        of_owner = [
            base + offset in self._reached for offset in range(len(view.outline.definitions))
        ]
        of_owner.append(loaded)
        states = bytearray(map(of_owner.__getitem__, view.owners))
        # Heads and bodies of classes run when their module does, but serve nobody unless used.
        if view.file.path not in self._entry_paths:
            for first, last in view.outline.main_lines:
                states[first - 1 : last] = bytes(last - first + 1)
        return states


def _by_line(calls: list[Call]) -> tuple[Call, ...]:
    return tuple(sorted(calls, key=lambda call: call.line))


def _defined_name(line: str) -> str:
    match = re.match(r"(?:async\s+)?(?:def|class)\s+(\w+)", line)
    return match[1] if match else ""
