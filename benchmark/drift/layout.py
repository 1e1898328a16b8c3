"""Layout: comments, docstrings and white space that come and go."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Mapping

import libcst as cst

from benchmark.drift.edits import Edit, apply
from benchmark.drift.matching import body_of, docstring_of
from benchmark.drift.sameness import same_meaning
from benchmark.drift.source import PythonFile
from benchmark.drift.variant import Spot, Variants

__all__ = ["LAYOUT"]

_VARIANTS = Variants()


@_VARIANTS.add("The file is laid out anew, without its comments.")
def reformatted(at: Spot) -> Mapping[str, str] | None:
    """Write the file from its syntax tree."""
    file = at.file
    return {file.path: ast.unparse(file.tree) + "\n"}


@_VARIANTS.add("Comments are removed.")
def comments_removed(at: Spot) -> Mapping[str, str] | None:
    """Remove every comment of the file."""
    file = at.file
    lines = file.text.splitlines(keepends=True)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(file.text).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    for token in tokens:
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            row, column = token.start
            kept = lines[row - 1][:column].rstrip()
            lines[row - 1] = f"{kept}\n" if kept else ""
    return _if_same(file, "".join(lines))


@_VARIANTS.add("Comments that say nothing are added.")
def comments_added(at: Spot) -> Mapping[str, str] | None:
    """Put a comment above every function."""
    file = at.file
    edits = []
    for function in file.all(cst.FunctionDef):
        if not function.decorators:
            start = file.lines(function)[0]
            indent = file.indent(function)
            edits.append(
                Edit(file.path, start, start, f"{indent}# The next part of the program.\n")
            )
    return _if_same(file, apply(file.text, edits))


@_VARIANTS.add("Docstrings are removed.")
def docstrings_removed(at: Spot) -> Mapping[str, str] | None:
    """Remove the docstrings of functions and classes."""
    file = at.file
    edits = []
    holders: list[cst.FunctionDef | cst.ClassDef] = [
        *file.all(cst.FunctionDef),
        *file.all(cst.ClassDef),
    ]
    for holder in holders:
        doc = docstring_of(holder)
        if doc is not None and file.alone(doc):
            start, end = file.lines(doc)
            text = "" if len(body_of(holder)) > 1 else f"{file.indent(doc)}pass\n"
            edits.append(Edit(file.path, start, end, text))
    return _if_same(file, apply(file.text, edits))


def _if_same(file: PythonFile, text: str) -> Mapping[str, str] | None:
    return {file.path: text} if same_meaning(file.path, file.text, text) else None


LAYOUT = _VARIANTS.table
