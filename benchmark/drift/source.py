"""A repository to mutate: its files as text, its Python as LibCST trees with places.

Nothing is executed or imported, links are not followed, and what cannot be read as UTF-8 or parsed
is copied as it stands and never mutated.
"""

from __future__ import annotations

import ast
import os
import random
import re
import warnings
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from benchmark.drift.edits import Edit, Span
from benchmark.errors import InputError, Where
from benchmark.readers.candidates import holds_code, is_folder

__all__ = ["PythonFile", "Repo", "parses", "read_repo"]

MAX_FILE_BYTES = 512 * 1024
MAX_FILES = 4000
MAX_CONFIG_CHARACTERS = 50_000
MAX_DEPTH = 120
_SKIPPED = {
    ".git",
    ".hg",
    ".mypy_cache",
    ".pytest_cache",
    ".tox",
    ".venv",
    "__pycache__",
    "node_modules",
    "site-packages",
    "venv",
}
_CONFIGS = {".yaml", ".yml", ".json", ".toml"}
_NAME = re.compile(r"[A-Za-z_]\w*")
_INNER = frozenset(
    {"whitespace", "leading_lines", "lines_after_decorators", "header", "footer", "trailing"}
)

_N = TypeVar("_N", bound=cst.CSTNode)


def parses(text: str) -> ast.Module | None:
    """The syntax tree of Python text; `None` where it has none or is nested past any use."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if _depth(tree) <= MAX_DEPTH else None


def _depth(tree: ast.AST) -> int:
    # LibCST's own parser dies with the whole process on deep nesting: look before it does.
    level, depth = [tree], 0
    while level and depth <= MAX_DEPTH:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return depth


@dataclass(eq=False)
class PythonFile:
    """One Python file that can be mutated.

    Attributes:
        path: Relative path with `/`.
        text: Its text.
        tree: The standard library's tree of it.
        module: LibCST's tree of it.
    """

    path: str
    text: str
    tree: ast.Module
    module: cst.Module
    nodes: list[cst.CSTNode] = field(default_factory=list, repr=False)
    parents: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict, repr=False)
    _starts: list[int] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        self._positions = wrapper.resolve(PositionProvider)
        self._starts = [0]
        for found in re.finditer(r"\r\n?|\n", self.text):
            self._starts.append(found.end())
        self._walk()
        self._places: dict[type[cst.CSTNode], list[tuple[int, int]]] = {}
        self._by_kind: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        for node in self.nodes:
            self._by_kind.setdefault(type(node), []).append(node)

    def _walk(self) -> None:
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            self.nodes.append(node)
            children: list[cst.CSTNode] = []
            for name in node.__dataclass_fields__:
                if name.split("_")[0] in _INNER or name in _INNER:
                    continue
                value = getattr(node, name)
                if isinstance(value, cst.CSTNode):
                    children.append(value)
                elif isinstance(value, (list, tuple)):
                    children += [item for item in value if isinstance(item, cst.CSTNode)]
            for child in children:
                self.parents[child] = node
            stack += reversed(children)

    def all(self, kind: type[_N]) -> list[_N]:
        """Every node of exactly a kind, in the order of the text."""
        return cast("list[_N]", self._by_kind.get(kind, []))

    def within(self, kind: type[_N], node: cst.CSTNode) -> list[_N]:
        """Every node of exactly a kind that stands inside a node, itself included."""
        if kind not in self._places:
            nodes = sorted(((self.start(item), at) for at, item in enumerate(self.all(kind))))
            self._places[kind] = nodes
        places = self._places[kind]
        low = bisect_left(places, (self.start(node), -1))
        high = bisect_left(places, (self.end(node), -1))
        every = self.all(kind)
        return [every[at] for _, at in places[low:high]]

    def start(self, node: cst.CSTNode) -> int:
        """The offset of a node's first character."""
        place = self._positions[node].start
        return self._starts[place.line - 1] + place.column

    def end(self, node: cst.CSTNode) -> int:
        """The offset after a node's last character."""
        place = self._positions[node].end
        return self._starts[place.line - 1] + place.column

    def code(self, node: cst.CSTNode) -> str:
        """A node's own text; brackets around it are not part of it."""
        return self.text[self.start(node) : self.end(node)]

    def span(self, node: cst.CSTNode) -> Span:
        """The lines of a node."""
        place = self._positions[node]
        return self.path, place.start.line, max(place.start.line, place.end.line)

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """Offsets of the whole lines that a statement takes, its line break included."""
        place = self._positions[node]
        last = (
            place.end.line
            if place.end.column or place.end.line == place.start.line
            else (place.end.line - 1)
        )
        end = self._starts[last] if last < len(self._starts) else len(self.text)
        return self._starts[place.start.line - 1], end

    def indent(self, node: cst.CSTNode) -> str:
        """The white space before a statement on its line."""
        start = self.start(node)
        line = self._starts[self._positions[node].start.line - 1]
        lead = self.text[line:start]
        return lead if not lead.strip() else lead[: len(lead) - len(lead.lstrip())]

    def alone(self, node: cst.CSTNode) -> bool:
        """Whether a statement's lines hold nothing but it and comments."""
        start, end = self.lines(node)
        before, after = self.text[start : self.start(node)], self.text[self.end(node) : end]
        return not before.strip() and (not after.strip() or after.strip().startswith("#"))

    def swap(self, node: cst.CSTNode, text: str) -> Edit:
        """Replace a node."""
        return Edit(self.path, self.start(node), self.end(node), text)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """What holds a node, from near to far."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def inside(self, node: cst.CSTNode, kind: type[_N]) -> _N | None:
        """The nearest holder of a kind."""
        for holder in self.ancestors(node):
            if isinstance(holder, kind):
                return holder
        return None

    def scope(self, node: cst.CSTNode) -> str:
        """Dotted name of the classes and functions that hold a node; empty for a module's own."""
        names = [
            holder.name.value
            for holder in self.ancestors(node)
            if isinstance(holder, (cst.FunctionDef, cst.ClassDef))
        ]
        return ".".join(reversed(names))

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """The statement that a node is in, as a line or a block."""
        while not isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            node = self.parents[node]
        return node

    def blocks(self) -> Iterator[Sequence[cst.BaseStatement]]:
        """The statements of every block, the module's own included."""
        yield cast("Sequence[cst.BaseStatement]", self.module.body)
        for block in self.all(cst.IndentedBlock):
            yield block.body


@dataclass(eq=False)
class Repo:
    """A repository in memory.

    Attributes:
        name: How claims and records call it.
        root: Its folder.
        python: Files that can be mutated, by path.
        configs: YAML, JSON and TOML texts, by path.
        texts: Every text that was read, by path.
        left: Paths that are not copied: too large, no plain file, or past the limit.
        seed: What every choice is made from.
        memo: What was found out about it and is asked for again and again.
    """

    name: str
    root: Path
    python: dict[str, PythonFile]
    configs: dict[str, str]
    texts: dict[str, str]
    raw: dict[str, bytes] = field(repr=False)
    left: tuple[str, ...] = ()
    seed: int = 0
    memo: dict[str, object] = field(default_factory=dict, repr=False)

    def dice(self, *what: object) -> random.Random:
        """A generator that depends on the seed and on what it is for, and on nothing else."""
        return random.Random("\0".join(str(part) for part in (self.seed, self.name, *what)))  # noqa: S311

    @cached_property
    def mentions(self) -> Counter[str]:
        """How often each name stands anywhere in the repository's Python."""
        counts: Counter[str] = Counter()
        for path, text in self.texts.items():
            if path.endswith((".py", ".sh", ".ipynb", ".toml", ".cfg", ".yaml", ".yml", ".json")):
                counts.update(_NAME.findall(text))
        return counts

    def used(self, file: PythonFile, node: cst.CSTNode) -> bool:
        """Whether the functions and classes that hold a node are named anywhere else."""
        holders = [
            holder
            for holder in file.ancestors(node)
            if isinstance(holder, (cst.FunctionDef, cst.ClassDef))
        ]
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            holders.append(node)
        return all(
            self.mentions[holder.name.value] > 1
            or (holder.name.value.startswith("__") and isinstance(holder, cst.FunctionDef))
            or holder.name.value in _CALLED_BY_FRAMEWORKS
            or any(holder.decorators)
            for holder in holders
        )


_CALLED_BY_FRAMEWORKS = {
    "forward",
    "training_step",
    "validation_step",
    "test_step",
    "configure_optimizers",
}


def read_repo(root: Path, *, name: str, seed: int = 0) -> Repo:
    """Read a repository.

    Raises:
        InputError: There is no such folder.
    """
    if not root.is_dir():
        raise InputError(
            f"there is no folder {root}", where=Where(str(root)), remedy="Name a repository"
        )
    repo = Repo(name, root, {}, {}, {}, {}, (), seed)
    # What a scorer or a generator left behind is nobody's code, and may hold verdicts.
    aside = {
        name
        for name in ("result", "artifacts")
        if is_folder(root / name) and not holds_code(root / name)
    }
    left: list[str] = sorted(aside)
    for path in _walk(root, aside):
        relative = path.relative_to(root).as_posix()
        if path.is_symlink() or not path.is_file() or len(repo.raw) >= MAX_FILES:
            left.append(relative)
            continue
        if path.stat().st_size > MAX_FILE_BYTES or path.name.endswith("-sau-score.json"):
            left.append(relative)
            continue
        raw = path.read_bytes()
        repo.raw[relative] = raw
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            continue
        repo.texts[relative] = text
        if path.suffix == ".py":
            if (file := _python(relative, text)) is not None:
                repo.python[relative] = file
        elif path.suffix in _CONFIGS and len(text) <= MAX_CONFIG_CHARACTERS:
            # What is longer is data, and takes seconds to read with its places.
            repo.configs[relative] = text
    repo.left = tuple(left)
    return repo


def _walk(root: Path, aside: set[str]) -> Iterator[Path]:
    for folder, folders, files in os.walk(root, followlinks=False):
        if Path(folder) == root:
            folders[:] = [f for f in folders if f not in aside]
        folders[:] = sorted(f for f in folders if f not in _SKIPPED)
        yield from (Path(folder, file) for file in sorted(files))


def _python(path: str, text: str) -> PythonFile | None:
    # A byte-order mark and form feeds shift LibCST's columns; such files are rare enough to leave.
    if text.startswith("\ufeff") or "\f" in text or "\r" in text:
        return None
    tree = parses(text)
    if tree is None:
        return None
    try:
        module = cst.parse_module(text)
        return PythonFile(path, text, tree, module)
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError):
        return None
