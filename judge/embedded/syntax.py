"""What syntax trees of Python say by themselves: names that are given, constants, conditions."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.embedded.quiet import PURE, TELLING

__all__ = [
    "BRANCHES",
    "COMPREHENSIONS",
    "FUNCTIONS",
    "dotted_text",
    "is_exception",
    "is_nothing",
    "is_of",
    "is_screen",
    "listed",
    "own_names",
    "packed",
    "parsed",
    "told_values",
    "top_of",
    "truth",
]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHES: Mapping[type, tuple[str, ...]] = {
    ast.BoolOp: ("values",),
    ast.UnaryOp: ("operand",),
    ast.Compare: ("left", "comparators"),
    ast.Subscript: ("value", "slice"),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
    ast.Set: ("elts",),
    ast.Dict: ("keys", "values"),
    ast.Starred: ("value",),
    ast.JoinedStr: ("values",),
    ast.FormattedValue: ("value",),
    ast.Slice: ("lower", "upper", "step"),
}


def parsed(lines: Sequence[str], *, indented: bool) -> list[ast.stmt]:
    """The statements of some lines; none where they do not parse.

    Args:
        lines: Whole statements.
        indented: Whether they stand further in than a module's own; row 0 is then line 2.
    """
    text = "\n".join(["if 1:", *lines] if indented else lines)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    if not indented:
        return body
    return body[0].body if body and isinstance(body[0], ast.If) else []


def top_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    """The first line of a definition, its decorators among it."""
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def packed(node: ast.expr) -> Iterator[str]:
    """The names that an expression only puts together: `(a, [b])`."""
    stack: list[ast.expr | None] = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, (ast.Tuple, ast.List, ast.Set)):
            stack += one.elts
        elif isinstance(one, ast.Dict):
            stack += one.values


def dotted_text(node: ast.expr) -> str:
    """A name with points as it stands there; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def told_values(node: ast.expr) -> list[ast.expr]:
    """What a call tells, one by one; none where it is no such call."""
    if not isinstance(node, ast.Call) or not TELLING.match(dotted_text(node.func)):
        return []
    found: list[ast.expr] = []
    for value in (*node.args, *(one.value for one in node.keywords)):
        if isinstance(value, ast.JoinedStr):
            found += [one for one in value.values if isinstance(one, ast.FormattedValue)]
        else:
            found.append(value)
    return found or [ast.copy_location(ast.Constant(None), node)]


def is_screen(node: ast.expr) -> bool:
    """Whether something is the terminal."""
    return dotted_text(node) in {"sys.stdout", "sys.stderr"}


def is_of(base: ast.expr, shadow: frozenset[str]) -> bool:
    """Whether something is a part of one of some names."""
    while isinstance(base, (ast.Attribute, ast.Subscript)):
        base = base.value
    return isinstance(base, ast.Name) and base.id in shadow


def is_exception(node: ast.expr) -> bool:
    """Whether it is one of the language's own exceptions."""
    name = node.func if isinstance(node, ast.Call) else node
    return isinstance(name, ast.Name) and name.id in PURE


COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp})
_BODIES = ("body", "orelse", "finalbody", "handlers")


def listed(value: object) -> list[Any]:
    """The nodes in a field of a node: one, some or none."""
    if isinstance(value, list):
        return [one for one in value if one is not None]
    return [] if value is None else [value]


def own_names(body: Sequence[ast.stmt], *, walrus: bool) -> tuple[set[str], dict[str, object]]:
    """The names that a scope gives values, those that it takes from above left out.

    Args:
        body: Its statements; those of functions and classes in it are not its own.
        walrus: Whether expressions may give names values, too.

    Returns:
        The names, and the values of those that are given one constant and nothing else.
    """
    found: set[str] = set()
    outer: set[str] = set()
    constants: dict[str, object] = {}
    stack: list[Any] = [*body]
    while stack:
        node = stack.pop()
        kind = type(node)
        targets: list[ast.expr] = []
        if kind is ast.Assign:
            targets = node.targets
        elif kind in {ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor}:
            targets = [node.target]
        elif kind in {ast.With, ast.AsyncWith}:
            targets = [one.optional_vars for one in node.items if one.optional_vars is not None]
        elif kind in {*FUNCTIONS, ast.ClassDef}:
            found.add(node.name)
            continue
        elif kind in {ast.Global, ast.Nonlocal}:
            outer.update(node.names)
        elif kind is ast.ExceptHandler and node.name:
            found.add(node.name)
        for target in targets:
            names = (
                [target.id]
                if isinstance(target, ast.Name)
                else [
                    one.id
                    for one in ast.walk(target)
                    if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)
                ]
            )
            value = (
                node.value.value
                if kind is ast.Assign and isinstance(node.value, ast.Constant)
                else _UNKNOWN
            )
            for name in names:
                constants[name] = _UNKNOWN if name in constants else value
            found.update(names)
        if walrus and isinstance(node, ast.stmt):
            found.update(
                one.target.id
                for one in ast.walk(node)
                if isinstance(one, ast.NamedExpr) and isinstance(one.target, ast.Name)
            )
        for name in _BODIES:
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                stack += inner
    return found - outer, {
        name: value for name, value in constants.items() if value is not _UNKNOWN
    }


_UNKNOWN = object()


def _value(node: ast.expr, constants: Mapping[str, object]) -> object:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return constants.get(node.id, _UNKNOWN)
    return _UNKNOWN


def truth(test: ast.expr, constants: Mapping[str, object]) -> bool | None:
    """Whether a condition always holds or never does, as far as its constants show it."""
    turned = False
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, turned = test.operand, not turned
    value = _value(test, constants)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left = _value(test.left, constants)
        right = _value(test.comparators[0], constants)
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            value = _compared(test.ops[0], left, right)
    if value is _UNKNOWN or isinstance(value, str):
        return None
    return bool(value) is not turned


def _compared(sign: ast.cmpop, left: float, right: float) -> object:
    if isinstance(sign, ast.Eq):
        return left == right
    if isinstance(sign, ast.NotEq):
        return left != right
    if isinstance(sign, (ast.Lt, ast.LtE)):
        return left < right if isinstance(sign, ast.Lt) else left <= right
    if isinstance(sign, (ast.Gt, ast.GtE)):
        return left > right if isinstance(sign, ast.Gt) else left >= right
    return _UNKNOWN


def is_nothing(node: ast.BinOp, constants: Mapping[str, object]) -> bool:
    """Whether an operation gives nought whatever stands in it: `x * 0`, `x - x`."""
    if isinstance(node.op, ast.Mult):
        return any(
            isinstance(value, (int, float)) and not value
            for value in (_value(node.left, constants), _value(node.right, constants))
        )
    if isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Name):
        return isinstance(node.right, ast.Name) and node.left.id == node.right.id
    return False
