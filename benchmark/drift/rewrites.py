"""The same program written otherwise: names, constants, files, order, formulas, helpers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import PurePosixPath

import libcst as cst

from benchmark.drift.edits import Edit, Span, apply
from benchmark.drift.matching import names_in, small
from benchmark.drift.numbers import number
from benchmark.drift.source import PythonFile
from benchmark.drift.variant import Spot, Variants, near

__all__ = ["REWRITES"]

_VARIANTS = Variants()


def _function(file: PythonFile, site: Span) -> cst.FunctionDef | None:
    found = [f for f in file.all(cst.FunctionDef) if near(file, site, f)]
    return max(found, key=file.start) if found else None


@_VARIANTS.add("Local variables have other names.")
def locals_renamed(at: Spot) -> Mapping[str, str] | None:
    """Rename the local variables of the function at the site."""
    file, site = at.file, at.site
    function = _function(file, site)
    if function is None:
        return None
    inner = (cst.FunctionDef, cst.Lambda, cst.ClassDef, cst.Global, cst.Nonlocal)
    held = [n for kind in inner for n in file.within(kind, function) if n is not function]
    names = [
        name
        for name in file.within(cst.Name, function)
        if not _is_attribute(file, name) and not _is_keyword(file, name)
    ]
    if held or any(n.value in {"locals", "vars", "eval", "exec", "globals"} for n in names):
        return None
    if file.within(cst.FormattedString, function):
        # Names inside strings are found by LibCST, `{x=}` is not worth the trouble.
        return None
    params = {p.name.value for p in file.within(cst.Param, function)}
    stored = {
        name.value
        for target in _targets(file, function)
        for name in file.within(cst.Name, target)
        if not _is_attribute(file, name) and not _under_subscript(file, name, target)
    }
    every = {name.value for name in file.all(cst.Name)}
    renamed = {name: f"{name}_here" for name in stored - params if f"{name}_here" not in every}
    edits = [file.swap(name, renamed[name.value]) for name in names if name.value in renamed]
    return {file.path: apply(file.text, edits)} if edits else None


def _is_attribute(file: PythonFile, name: cst.Name) -> bool:
    holder = file.parents[name]
    return isinstance(holder, cst.Attribute) and holder.attr is name


def _is_keyword(file: PythonFile, name: cst.Name) -> bool:
    holder = file.parents[name]
    return isinstance(holder, cst.Arg) and holder.keyword is name


def _under_subscript(file: PythonFile, name: cst.Name, top: cst.CSTNode) -> bool:
    if name is top:
        return False
    for holder in file.ancestors(name):
        if isinstance(holder, (cst.Subscript, cst.Attribute, cst.Call)):
            return True
        if holder is top:
            return False
    return False


def _literals(file: PythonFile, site: Span) -> Iterator[cst.Integer | cst.Float]:
    """Numbers on the lines that decide, floats and numbers of more than a digit first."""
    every: list[cst.Integer | cst.Float] = [*file.all(cst.Float), *file.all(cst.Integer)]
    found = [n for n in every if near(file, site, n)]
    return iter(sorted(found, key=lambda n: (len(n.value) < 2, file.start(n))))


def _head(file: PythonFile) -> int:
    """The offset after the imports at the top of a file."""
    end = 0
    for at, statement in enumerate(file.module.body):
        node = small(statement)
        doc = at == 0 and isinstance(node, cst.Expr)
        if not doc and not isinstance(node, (cst.Import, cst.ImportFrom)):
            break
        end = file.lines(statement)[1]
    return end


@_VARIANTS.add("A number becomes a named constant of the module.")
def constant_named(at: Spot) -> Mapping[str, str] | None:
    """Give a number a name at the top of the file."""
    file, site = at.file, at.site
    for literal in _literals(file, site):
        if file.start(literal) < _head(file) or "CHOSEN_VALUE" in file.text:
            continue
        head = _head(file)
        edits = [
            Edit(file.path, head, head, f"\nCHOSEN_VALUE = {literal.value}\n"),
            file.swap(literal, "CHOSEN_VALUE"),
        ]
        return {file.path: apply(file.text, edits)}
    return None


@_VARIANTS.add("A number moves to a configuration file.")
def constant_to_config(at: Spot) -> Mapping[str, str] | None:
    """Read a number from a JSON file beside the module."""
    repo, file, site = at.repo, at.file, at.site
    for literal in _literals(file, site):
        value = number(literal.value)
        if value is None or file.start(literal) < _head(file) or "chosen.json" in file.text:
            continue
        head = _head(file)
        text = (
            "\nimport json as _json\nfrom pathlib import Path as _Path\n\n"
            '_CHOSEN = _json.loads(_Path(__file__).with_name("chosen.json").read_text())\n'
        )
        edits = [Edit(file.path, head, head, text), file.swap(literal, '_CHOSEN["value"]')]
        beside = str(PurePosixPath(file.path).with_name("chosen.json"))
        if beside in repo.raw:
            return None
        return {
            file.path: apply(file.text, edits),
            beside: json.dumps({"value": value}, indent=2) + "\n",
        }
    return None


@_VARIANTS.add("A function moves to a module of its own.")
def file_split(at: Spot) -> Mapping[str, str] | None:
    """Move the top-level function at the site to a new file and import it back."""
    repo, file, site = at.repo, at.file, at.site
    folder = PurePosixPath(file.path).parent
    relative = re.search(r"(?m)^from \.", file.text) is not None
    if not relative and str(folder) != ".":
        return None
    imported = {
        name.value
        for kind in (cst.Import, cst.ImportFrom)
        for node in file.all(kind)
        if file.parents[file.statement(node)] is file.module
        for name in file.within(cst.Name, node)
    }
    imports = "".join(
        f"{file.code(s)}\n"
        for s in file.module.body
        if isinstance(small(s), (cst.Import, cst.ImportFrom))
    )
    for function in file.module.body:
        if not isinstance(function, cst.FunctionDef) or not near(file, site, function):
            continue
        if function.decorators or not file.alone(function) or function.name.value == "main":
            continue
        own = {n.value for n in file.within(cst.Name, function)}
        top = {
            n.value
            for s in file.module.body
            if s is not function and not isinstance(small(s), (cst.Import, cst.ImportFrom))
            for n in _defined(file, s)
        }
        if own & (top - imported) or "global" in file.code(function):
            continue
        name = f"{function.name.value}_part"
        if re.search(r"\b__\w+__\b", file.code(function)):
            continue
        start, end = file.lines(function)
        head = _head(file)
        if start < head:
            continue
        way = f".{name}" if relative else name
        edits = [
            Edit(file.path, head, head, f"from {way} import {function.name.value}\n"),
            Edit(file.path, start, end, ""),
        ]
        beside = str(folder / f"{name}.py")
        if beside in repo.raw:
            return None
        return {
            file.path: apply(file.text, edits),
            beside: f"{imports}\n\n{file.text[start:end]}",
        }
    return None


def _defined(file: PythonFile, statement: cst.CSTNode) -> Iterator[cst.Name]:
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        yield statement.name
        return
    for target in _targets(file, statement):
        yield from file.within(cst.Name, target)


def _targets(file: PythonFile, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """What a piece of code assigns to."""
    return [
        *(n.target for n in file.within(cst.AssignTarget, node)),
        *(n.target for n in file.within(cst.AnnAssign, node)),
        *(n.target for n in file.within(cst.AugAssign, node)),
        *(n.target for n in file.within(cst.For, node)),
    ]


@_VARIANTS.add("Two functions stand in the other order.")
def definitions_reordered(at: Spot) -> Mapping[str, str] | None:
    """Swap two adjacent plain functions."""
    file, site = at.file, at.site
    for block in file.blocks():
        for a, b in pairwise(block):
            if not isinstance(a, cst.FunctionDef) or not isinstance(b, cst.FunctionDef):
                continue
            if a.decorators or b.decorators or not (near(file, site, a) or near(file, site, b)):
                continue
            heads = [f.params for f in (a, b)]
            uses = {n for head in heads for n in (m.value for m in _names(file, head))}
            if {a.name.value, b.name.value} & uses or a.name.value == b.name.value:
                continue
            if not (file.alone(a) and file.alone(b)):
                continue
            one, two = file.lines(a), file.lines(b)
            edits = [
                Edit(file.path, *one, file.text[slice(*two)]),
                Edit(file.path, *two, file.text[slice(*one)]),
            ]
            if file.text[slice(*two)].endswith("\n"):
                return {file.path: apply(file.text, edits)}
    return None


def _names(file: PythonFile, head: cst.Parameters) -> Iterator[cst.Name]:
    for param in (*head.params, *head.kwonly_params, *head.posonly_params):
        for part in (param.default, param.annotation):
            if part is not None:
                yield from file.within(cst.Name, part)


@_VARIANTS.add("An equal formula is written otherwise.")
def equal_formula(at: Spot) -> Mapping[str, str] | None:
    """Swap the factors of a product or the sides of a comparison."""
    file, site = at.file, at.site
    for node in file.all(cst.BinaryOperation):
        if not near(file, site, node) or not isinstance(node.operator, cst.Multiply):
            continue
        left, right = file.code(node.left), file.code(node.right)
        plain = re.compile(r"[\w.]+(\([^()]*\))?")
        if plain.fullmatch(left) and plain.fullmatch(right) and left != right:
            return {file.path: apply(file.text, [file.swap(node, f"{right} * {left}")])}
    other = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    for comparison in file.all(cst.Comparison):
        if not near(file, site, comparison) or len(comparison.comparisons) != 1:
            continue
        target = comparison.comparisons[0]
        sign = file.code(target.operator).strip()
        left, right = file.code(comparison.left), file.code(target.comparator)
        if sign in other and "\n" not in left + right and not comparison.left.lpar:
            edit = file.swap(comparison, f"{right} {other[sign]} {left}")
            if target.comparator.lpar or " " in right:
                continue
            return {file.path: apply(file.text, [edit])}
    return None


@_VARIANTS.add("A number is spelled otherwise.")
def literal_respelled(at: Spot) -> Mapping[str, str] | None:
    """Write 0.001 as 1e-3, 1000 as 1_000."""
    file, site = at.file, at.site
    edits = []
    for literal in _literals(file, site):
        value = number(literal.value)
        if value is None:
            continue
        if isinstance(value, int):
            text = f"{value:_}"
        elif "e" in literal.value.lower():
            text = f"{value:.12f}".rstrip("0")
            text += "0" if text.endswith(".") else ""
        else:
            mantissa, _, power = f"{value:e}".partition("e")
            text = f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}"
        if text != literal.value and number(text) == value and len(text) < 16:
            edits.append(file.swap(literal, text))
    return {file.path: apply(file.text, edits)} if edits else None


@_VARIANTS.add("What a function returns is computed by a helper.")
def helper_extracted(at: Spot) -> Mapping[str, str] | None:
    """Move a returned expression to a new function."""
    file, site = at.file, at.site
    for node in file.all(cst.Return):
        value = node.value
        function = file.inside(node, cst.FunctionDef)
        if value is None or function is None or not near(file, site, node):
            continue
        if isinstance(value, (cst.Name, cst.Tuple, cst.SimpleString)) or "\n" in file.code(value):
            continue
        if any(
            file.within(kind, value)
            for kind in (
                cst.Await,
                cst.Yield,
                cst.Lambda,
                cst.ListComp,
                cst.GeneratorExp,
                cst.NamedExpr,
            )
        ) or "super(" in file.code(value):
            continue
        local = {p.name.value for p in file.within(cst.Param, function)} | {
            n.value for n in _defined(file, function.body)
        }
        inner = {f.name.value for f in file.within(cst.FunctionDef, function)}
        names = sorted(set(names_in(file, value)) & (local | inner))
        code = file.code(value)
        if not names or value.lpar or "_finished" in file.text:
            continue
        top = function
        while outer := file.inside(top, (cst.FunctionDef)) or file.inside(top, cst.ClassDef):
            top = outer  # type: ignore[assignment]
        if file.parents[top] is not file.module or top.decorators:
            continue
        start = file.lines(top)[0]
        arguments = ", ".join(names)
        helper = f"def _finished({arguments}):\n    return {code}\n\n\n"
        return {
            file.path: apply(
                file.text,
                [
                    Edit(file.path, start, start, helper),
                    file.swap(value, f"_finished({arguments})"),
                ],
            )
        }
    return None


REWRITES = _VARIANTS.table
