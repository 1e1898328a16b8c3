"""Small questions about LibCST nodes that several operators ask."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from benchmark.drift.edits import Edit
from benchmark.drift.source import PythonFile

__all__ = [
    "body_of",
    "docstring_of",
    "last_name",
    "names_in",
    "paths_in",
    "positional",
    "replace_body",
    "small",
    "take_out",
]


def last_name(node: cst.BaseExpression) -> str:
    """The last part of a dotted name: `mean` of `torch.mean`; empty where it is none."""
    if isinstance(node, cst.Name):
        return node.value
    return node.attr.value if isinstance(node, cst.Attribute) else ""


def small(statement: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """The one small statement of a line; `None` for blocks and for `a; b`."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        return statement.body[0]
    return None


def body_of(node: cst.CSTNode) -> Sequence[cst.BaseStatement]:
    """The statements of a block; none where it stands on the header's own line."""
    block = getattr(node, "body", None)
    return block.body if isinstance(block, cst.IndentedBlock) else ()


def docstring_of(function: cst.FunctionDef | cst.ClassDef) -> cst.CSTNode | None:
    """The statement that is a docstring."""
    body = body_of(function)
    first = small(body[0]) if body else None
    if isinstance(first, cst.Expr) and isinstance(
        first.value, (cst.SimpleString, cst.ConcatenatedString)
    ):
        return body[0]
    return None


def positional(call: cst.Call) -> list[cst.Arg]:
    """The plain positional arguments of a call."""
    return [arg for arg in call.args if arg.keyword is None and not arg.star]


def names_in(file: PythonFile, node: cst.CSTNode) -> Iterator[str]:
    """The plain names that a piece of code holds, attributes and keywords left out."""
    for name in file.within(cst.Name, node):
        holder = file.parents[name]
        if isinstance(holder, cst.Attribute) and holder.attr is name:
            continue
        if isinstance(holder, cst.Arg) and holder.keyword is name:
            continue
        yield name.value


def paths_in(file: PythonFile, node: cst.CSTNode) -> Iterator[str]:
    """The longest paths from a name that a piece of code holds: `a`, `a.b`, `a["b"].c`.

    A method that is called is no part of its path, and an index that is no literal ends it.
    """
    for name in file.within(cst.Name, node):
        holder = file.parents[name]
        if isinstance(holder, cst.Attribute) and holder.attr is name:
            continue
        if isinstance(holder, cst.Arg) and holder.keyword is name:
            continue
        at: cst.CSTNode = name
        while at is not node and _goes_on(file, at):
            at = file.parents[at]
        yield re.sub(r"\s", "", file.code(at))


def _goes_on(file: PythonFile, node: cst.CSTNode) -> bool:
    holder = file.parents[node]
    if isinstance(holder, cst.Attribute) and holder.value is node:
        call = file.parents[holder]
        return not (isinstance(call, cst.Call) and call.func is holder)
    return (
        isinstance(holder, cst.Subscript)
        and holder.value is node
        and len(holder.slice) == 1
        and isinstance(holder.slice[0].slice, cst.Index)
        and isinstance(holder.slice[0].slice.value, (cst.SimpleString, cst.Integer))
    )


def replace_body(
    file: PythonFile, function: cst.FunctionDef, lines: Sequence[str], *, keep_doc: bool = True
) -> Edit | None:
    """Put other lines in place of a function's body, its docstring kept where wanted."""
    body = list(body_of(function))
    doc = docstring_of(function)
    if keep_doc and doc is not None:
        body = body[1:]
    if not body or not file.alone(body[0]) or not file.alone(body[-1]):
        return None
    start, end = file.lines(body[0])[0], file.lines(body[-1])[1]
    indent = file.indent(body[0])
    text = "".join(f"{indent}{line}\n" for line in lines)
    return Edit(file.path, start, end, text)


def take_out(file: PythonFile, elements: Sequence[cst.CSTNode], at: int) -> Edit:
    """Remove one of two or more elements that commas part."""
    if at:
        return Edit(file.path, file.end(elements[at - 1]), file.end(elements[at]), "")
    return Edit(file.path, file.start(elements[0]), file.start(elements[1]), "")
