"""The definitions of a repository's Python, the names they mention, and what a name can mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from retrieval.imports import Modules
from retrieval.lexicon import FileTokens, Lexicon
from retrieval.outline import Definition, LineKind, Outline
from retrieval.values import SourceFile

__all__ = ["CONFIG_READERS", "DYNAMIC", "LAUNCHERS", "FileView", "Node", "Program"]

DYNAMIC = frozenset({"getattr", "globals", "locals", "eval", "import_module", "instantiate"})
"""Where one of these is used, names in strings nearby are names of code."""

LAUNCHERS = frozenset(
    {"subprocess", "Popen", "check_call", "check_output", "system", "popen", "run_path"}
    | {"run_module", "exec", "execv", "execvp", "spawnv", "sbatch"}
)
"""Where one of these is used, files that strings nearby name are run."""

CONFIG_READERS = frozenset(
    {"DEFINE_config_file", "spec_from_file_location", "SourceFileLoader", "load_source", "run_path"}
    | {"fromfile", "exec_module", "execfile"}
)
"""Where one of these is used, settings that are written as Python are read by a file's path."""

SCANNERS = frozenset(
    {"listdir", "scandir", "iterdir", "glob", "rglob", "walk", "iter_modules", "walk_packages"}
)
"""Where one of these is used, all modules of a folder are imported."""

# Of one line. What is escaped outside of a string is none, and starts none.
_STRING = re.compile(
    r"\\.|(?:\b([rR]?[fF][rR]?))?(?:\'{3}.*?\'{3}|\"{3}.*?\"{3}"
    r"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")"
)
# Up to the next brace, or to a quote within that ends what looks like the string.
_INTERPOLATION = re.compile(r"\{\{|\{([^{}]*)")
_BARE_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_PLAIN_BASES = frozenset({"object", "ABC", "abc.ABC", "Protocol", "Generic", "Enum", "NamedTuple"})
_MAX_ANCESTORS = 200


@dataclass(slots=True)
class FileView:
    """One file as the graph sees it: its outline, its tokens, and the owner of each line."""

    file: SourceFile
    lines: Sequence[str]
    outline: Outline
    owners: Sequence[int]
    tokens: FileTokens


@dataclass(slots=True)
class Node:
    """A definition or, with `definition` None, the statements of a module.

    Attributes:
        view: Position of its file among those of Python.
        definition: What it is.
        plain: Names of the repository that stand alone in its own lines.
        attributes: Those that stand behind a dot.
        strings: Those that stand in strings.
    """

    view: int
    definition: Definition | None
    plain: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)


class Program:
    """All Python of a repository, its definitions as numbered nodes.

    Attributes:
        views: Its files.
        position: Position of each path among them.
        modules: Which file an import means.
        nodes: First the module's own, then its definitions, file by file.
        first_node: Number of each file's first node.
        members: Methods and classes inside of classes, by name.
    """

    def __init__(self, views: Sequence[FileView], lexicon: Lexicon) -> None:
        self.views = views
        self.position = {view.file.path: number for number, view in enumerate(views)}
        self.modules = Modules([(view.file.path, view.outline) for view in views])
        self.first_node: list[int] = []
        self.nodes: list[Node] = []
        for number, view in enumerate(views):
            self.first_node.append(len(self.nodes))
            self.nodes.append(Node(number, None))
            self.nodes.extend(Node(number, definition) for definition in view.outline.definitions)
        self.members: dict[str, list[int]] = defaultdict(list)
        self._methods: dict[str, list[int]] = defaultdict(list)
        self._tops: list[dict[str, int]] = []
        self._functions: list[dict[str, list[int]]] = []
        self._meanings: dict[tuple[int, str], list[int]] = {}
        self._bound: dict[int, list[int]] = {}
        self._in_modules: dict[tuple[int, str], list[int]] = {}
        self._inside: dict[int, list[int]] = defaultdict(list)
        self._available: dict[int, dict[str, list[int]]] = {}
        self._ancestors: dict[int, tuple[list[int], bool]] = {}
        self._index_names()
        self._read_references(lexicon)

    # ---- building --------------------------------------------------------------------------

    def _index_names(self) -> None:
        """Definitions by name: at the top of each file, functions within it, methods anywhere."""
        for number, view in enumerate(self.views):
            top: dict[str, int] = {}
            functions: dict[str, list[int]] = defaultdict(list)
            base = self.first_node[number] + 1
            definitions = view.outline.definitions
            for offset, definition in enumerate(definitions):
                parent, name = definition.parent, definition.name
                in_class = parent >= 0 and definitions[parent].is_class
                if parent >= 0:
                    self._inside[base + parent].append(base + offset)
                if in_class:
                    self.members[name].append(base + offset)
                if in_class and not definition.is_class:
                    self._methods[name].append(base + offset)
                else:
                    functions[name].append(base + offset)
                    if parent < 0:
                        top[name] = base + offset
            self._tops.append(top)
            self._functions.append(functions)

    def _read_references(self, lexicon: Lexicon) -> None:
        """The names of the repository that each definition mentions in its own lines of code."""
        known: set[str] = {
            *self._methods,
            *DYNAMIC,
            *LAUNCHERS,
            *SCANNERS,
            *CONFIG_READERS,
            "__subclasses__",
        }
        for number, view in enumerate(self.views):
            known.update(self._functions[number])
            known.update(item.alias for item in view.outline.imports)
        names = {token: name for name in known if (token := lexicon.number(name)) is not None}
        is_known = np.zeros(len(lexicon), np.bool_)
        is_known[list(names)] = True
        for number, view in enumerate(self.views):
            tokens = view.tokens
            hits = np.flatnonzero(is_known[tokens.ids] & (tokens.kinds == LineKind.CODE))
            found: defaultdict[int, set[str]] = defaultdict(set)
            for row, token in zip(
                tokens.rows[hits].tolist(), tokens.ids[hits].tolist(), strict=True
            ):
                found[row].add(names[token])
            self._sort_references(number, view, found)
            self._read_calls_in_strings(number, view, known)

    def _read_calls_in_strings(self, number: int, view: FileView, known: set[str]) -> None:
        """What is called between the braces of a longer f-string, or where a longer string ends."""
        kinds = view.outline.kinds
        for call in view.outline.calls:
            if kinds[call.line - 1] == LineKind.STRING:
                node = self.nodes[self.node_of(number, call.owner)]
                first, *others = call.name.split(".")
                node.plain.update({first} & known)
                node.attributes.update(known.intersection(others))

    def _sort_references(self, number: int, view: FileView, found: Mapping[int, set[str]]) -> None:
        """Tell names that stand alone from attributes and from what is only in a string."""
        base = self.first_node[number] + 1
        owners, tails = view.owners, view.outline.tails
        heads = {definition.first: definition.name for definition in view.outline.definitions}
        for row, names in found.items():
            node = self.nodes[base + owners[row]]
            line = view.lines[row][: tails.get(row + 1)]
            bare = _STRING.sub(_without_text, line) if "'" in line or '"' in line else line
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

    # ---- nodes -----------------------------------------------------------------------------

    def node_of(self, view: int, definition: int) -> int:
        """The node of a definition of a file, or with -1 of the file itself."""
        return self.first_node[view] + 1 + definition

    def name(self, number: int) -> str:
        """A definition's name; empty for a module."""
        definition = self.nodes[number].definition
        return definition.name if definition is not None else ""

    def is_class(self, number: int) -> bool:
        """Whether a node is a class."""
        definition = self.nodes[number].definition
        return definition is not None and definition.is_class

    def class_of(self, number: int) -> int:
        """The node that a definition stands in; -1 for what stands at the top."""
        node = self.nodes[number]
        if node.definition is None or node.definition.parent < 0:
            return -1
        return self.node_of(node.view, node.definition.parent)

    def inside(self, number: int) -> Sequence[int]:
        """The definitions that stand directly in another one."""
        return self._inside.get(number, ())

    def around(self, number: int) -> int:
        """The innermost class around a node, itself counted; -1 where there is none."""
        while number >= 0 and not self.is_class(number):
            number = self.class_of(number)
        return number

    # ---- names -----------------------------------------------------------------------------

    def top(self, view: int, name: str) -> int | None:
        """The definition of that name at the top of a file."""
        return self._tops[view].get(name)

    def methods(self, name: str) -> Sequence[int]:
        """All methods of a name."""
        return self._methods.get(name, ())

    def resolve(self, view: int, name: str) -> list[int]:
        """The definitions that a plain name can mean in a file: imported ones, then its own.

        Both, where a file has a stand-in of its own for what it may fail to import.
        """
        known = self._meanings.get((view, name))
        if known is None:
            known = [
                self._tops[self.position[path]][target]
                for path, target in self.modules.names(self.views[view].file.path, name)
            ]
            known += self._functions[view].get(name, ())
            self._meanings[view, name] = known
        return known

    def bound_modules(self, view: int) -> list[int]:
        """The files that a file holds as modules."""
        known = self._bound.get(view)
        if known is None:
            paths = self.modules.module_bindings(self.views[view].file.path)
            known = self._bound[view] = [self.position[path] for path in paths]
        return known

    def in_modules(self, view: int, name: str) -> list[int]:
        """What `module.name` can mean in a file: through re-exports, and in modules of modules."""
        known = self._in_modules.get((view, name))
        if known is None:
            known = self._in_modules[view, name] = self._find_in_modules(view, name)
        return known

    def _find_in_modules(self, view: int, name: str) -> list[int]:
        bound = self.bound_modules(view)
        found = [top for module in bound if (top := self.top(module, name)) is not None]
        if found:
            return found
        for module in bound:
            found += self.resolve(module, name)
            for inner in self.bound_modules(module):
                if (top := self.top(inner, name)) is not None:
                    found.append(top)
        return found

    def available(self, view: int) -> dict[str, list[int]]:
        """All names at the top of a file that mean definitions, imported ones included."""
        known = self._available.get(view)
        if known is None:
            known = self._available[view] = self._find_available(view)
        return known

    def _find_available(self, view: int) -> dict[str, list[int]]:
        names: dict[str, list[int]] = {}
        starred = {view: None}
        work = [view]
        while work:
            current = work.pop()
            path = self.views[current].file.path
            for name, number in self._tops[current].items():
                names.setdefault(name, [number])
            for item in self.views[current].outline.imports:
                if item.name == "*":
                    for found in self.modules.find(item.module, path):
                        module = self.position[found]
                        if module not in starred:
                            starred[module] = None
                            work.append(module)
                elif item.name and (means := self.resolve(current, item.alias)):
                    names.setdefault(item.alias, means)
        return names

    # ---- classes ---------------------------------------------------------------------------

    def ancestors(self, number: int) -> tuple[list[int], bool]:
        """The repository's own classes above a class, and whether one comes from elsewhere."""
        known = self._ancestors.get(number)
        if known is None:
            known = self._ancestors[number] = self._find_ancestors(number)
        return known

    def _find_ancestors(self, number: int) -> tuple[list[int], bool]:
        found: dict[int, None] = {}
        outside = False
        work = [number]
        while work and len(found) < _MAX_ANCESTORS:
            node = self.nodes[work.pop()]
            for base in node.definition.bases if node.definition is not None else ():
                last = base.rpartition(".")[2]
                above = self.resolve(node.view, last)
                if not above and "." in base:
                    above = self.in_modules(node.view, last)
                # What has the name of the class itself is another's: `class Env(gym.Env)`.
                elsewhere = all(one == number for one in above)
                outside = outside or (elsewhere and base not in _PLAIN_BASES)
                for one in above:
                    if one != number and one not in found:
                        found[one] = None
                        work.append(one)
        return list(found), outside


def _without_text(string: re.Match[str]) -> str:
    """A string as the code that is in it: that behind the opening braces of an f-string."""
    if string[1] is None:
        return "''"
    return f"''({') ('.join(_INTERPOLATION.findall(string[0]))})"


def _defined_name(line: str) -> str:
    match = re.match(r"(?:async\s+)?(?:def|class)\s+(\w+)", line)
    return match[1] if match else ""
