"""The tree-sitter grammars, and parsing that a hostile file cannot hold up.

Every tree is walked with an explicit stack: a file with ten thousand nested brackets is as deep
as it likes to be. YAML and shell have readers of their own (`yaml_outline`,
`shell_outline`), which say why.
"""

from __future__ import annotations

import re
from functools import cache

import tree_sitter
import tree_sitter_json
import tree_sitter_python
import tree_sitter_toml
from tree_sitter import Language, Node, Parser, Query, Tree

from benchmark import GraderError

__all__ = [
    "GRAMMARS",
    "GrammarError",
    "field_id",
    "kind_id",
    "language",
    "parse",
    "query",
    "text_of",
    "without_idle_lines",
]

GRAMMARS = {
    "python": (tree_sitter_python, "tree-sitter-python"),
    "notebook": (tree_sitter_python, "tree-sitter-python"),
    "json": (tree_sitter_json, "tree-sitter-json"),
    "toml": (tree_sitter_toml, "tree-sitter-toml"),
}

# tree-sitter calls back now and then: 6 times for a kilobyte of code, 15 for one of brackets. The
# number is a function of the text alone, so a limit on it, unlike one on time, gives up on the
# same files everywhere.
_MAX_STEPS_PER_KB = 150
_MIN_STEPS = 600
_CHECKED_FROM = 65_536  # bytes
_RUBBLE_FROM = 8_192  # bytes
_MOST_CHILDREN = 3_000
# Python's scanner looks past comments and lone backslashes to the next statement, and does so
# again from each of them: a hundred thousand in a row would take minutes.
_IDLE_RUN = 100
_IDLE_LINE = re.compile(rb"[ \t\f]*(?:#|\\?\Z)")
_IDLE_LINES = re.compile(rb"^(?:[ \t\f]*(?:#[^\n]*|\\)?\n){%d,}" % _IDLE_RUN, re.MULTILINE)


class GrammarError(GraderError):
    """A grammar does not fit the tree-sitter that is installed."""


@cache
def language(name: str) -> Language:
    """The grammar of one of our languages.

    Raises:
        GrammarError: The installed grammar was made for another tree-sitter.
        KeyError: There is no grammar for that language.
    """
    module, package = GRAMMARS[name]
    try:
        return Language(module.language())
    except ValueError as error:
        lowest, highest = tree_sitter.MIN_COMPATIBLE_LANGUAGE_VERSION, tree_sitter.LANGUAGE_VERSION
        raise GrammarError(
            f"{package} does not fit the installed tree-sitter, which reads grammars of versions "
            f"{lowest} to {highest} ({error}). Install the versions that constraints.txt names: "
            f"pip install --upgrade -c constraints.txt tree-sitter {package}"
        ) from error


@cache
def kind_id(name: str, kind: str) -> int:
    """The number of a kind of named node in one of our languages.

    Raises:
        KeyError: The grammar has no such kind.
    """
    found = language(name).id_for_node_kind(kind, True)
    if not found:
        raise KeyError(f"{name} has no nodes of the kind {kind!r}")
    return found


@cache
def field_id(name: str, field: str) -> int:
    """The number of a field of nodes in one of our languages.

    Raises:
        KeyError: The grammar has no such field.
    """
    found = language(name).field_id_for_name(field)
    if not found:
        raise KeyError(f"{name} has no field {field!r}")
    return found


@cache
def _parser(name: str) -> Parser:
    return Parser(language(name))


@cache
def query(name: str, source: str) -> Query:
    """A compiled query; compiling costs more than running it on a file."""
    return Query(language(name), source)


def text_of(source: bytes, node: Node | None) -> str:
    """A node's text, or nothing. `node.text` would copy a long file anew for each node."""
    if node is None:
        return ""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _has_idle_run(source: bytes) -> bool:
    """Whether there may be a run of idle lines: it would hold every hundredth line."""
    lines = source.split(b"\n")
    is_idle = _IDLE_LINE.match
    for middle in range(_IDLE_RUN - 1, len(lines), _IDLE_RUN):
        if not is_idle(lines[middle]):
            continue
        first = last = middle
        while first > 0 and is_idle(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and is_idle(lines[last + 1]):
            last += 1
        if last - first + 1 >= _IDLE_RUN:
            return True
    return False


def without_idle_lines(source: bytes) -> bytes:
    """Python with its longest runs of comments emptied, line for line; mostly as it was."""
    if source.count(b"#") + source.count(b"\\\n") < _IDLE_RUN or not _has_idle_run(source):
        return source
    return _IDLE_LINES.sub(lambda match: b"\n" * match[0].count(b"\n"), source)


def parse(name: str, source: bytes) -> Tree | None:
    """Parse a file.

    Returns:
        The tree, or `None` where the text is none that a person wrote: the parser gave up on it,
        or its tree is one that cannot be queried in time.
    """
    parser = _parser(name)
    if len(source) < _CHECKED_FROM:
        tree = parser.parse(source)
        return None if _is_rubble(tree, source) else tree
    steps = 0
    limit = max(_MIN_STEPS, _MAX_STEPS_PER_KB * (len(source) // 1024))

    def read(offset: int, _point: object) -> bytes:
        return source[offset : offset + 65_536]

    def halt(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > limit

    try:
        tree = parser.parse(read, progress_callback=halt)
    except ValueError:
        parser.reset()
        return None
    return None if _is_rubble(tree, source) else tree


def _is_rubble(tree: Tree, source: bytes) -> bool:
    """Whether some error node has thousands of children.

    A query's time grows with the square of that number. (Other nodes are balanced inside.)
    """
    if len(source) < _RUBBLE_FROM or not tree.root_node.has_error:
        return False
    cursor = tree.walk()
    while True:
        node = cursor.node
        broken = node is not None and node.has_error
        if broken and node is not None and node.is_error and node.child_count > _MOST_CHILDREN:
            return True
        if (broken and cursor.goto_first_child()) or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return False


# Found out here, at import, rather than in the middle of a run.
for _name in GRAMMARS:
    language(_name)
