"""Python that does not parse: which files, and from which line on they are read only in part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.decoding import split_lines
from retrieval.grammars import parse, without_idle_lines
from retrieval.values import SourceFile

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Unparsed", "unparsed_of"]

_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A file that is no valid Python as it stands.

    Attributes:
        path: The file.
        line: Where the first statement begins that does not parse, from 1.
    """

    path: str
    line: int


def unparsed_of(files: Iterable[SourceFile]) -> tuple[Unparsed, ...]:
    """The files in Python, notebooks aside, that do not parse.

    A judge reads what it can mend or make out of them, which is not what Python would run.
    """
    return tuple(
        Unparsed(file.path, line)
        for file in files
        if file.language == "python" and (line := _first_error(file.text))
    )


def _first_error(text: str) -> int:
    """The line of the first statement that does not parse, or 0."""
    lines = split_lines(text)
    first = next((number for number, line in enumerate(lines, 1) if line.strip()), 0)
    # As the judge's own parser does: a fence is no Python, and errors take the parser long.
    if first and lines[first - 1].lstrip().startswith(_FENCES):
        return first
    tree = parse("python", without_idle_lines("\n".join(lines).encode("utf-8", "replace")))
    if tree is None:
        return max(1, first)
    return _line(tree.root_node) if tree.root_node.has_error else 0


def _line(node: Node) -> int:
    """Where the damage begins: an error node may hold sound statements before it."""
    while True:
        if node.is_error:
            inner = next((one for one in node.children if not _is_sound(one)), None)
        else:
            inner = next((one for one in node.children if one.has_error), None)
        if inner is None:
            return node.start_point[0] + 1
        if not inner.has_error:
            return inner.start_point[0] + 1
        node = inner


def _is_sound(node: Node) -> bool:
    kind = node.type
    return not node.has_error and (
        kind == "comment" or kind.endswith(("_statement", "_definition"))
    )
