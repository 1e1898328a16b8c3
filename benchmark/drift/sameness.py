"""Mutants that mean the same as what they came from, as far as that can be shown."""

from __future__ import annotations

import ast
from functools import lru_cache

from benchmark.drift.source import parses
from benchmark.drift.values import load_config

__all__ = ["idle_lines", "same_code", "same_meaning"]


def same_meaning(path: str, old: str, new: str) -> bool:
    """Whether two texts of a file can be shown to do the same.

    Python is compared as syntax trees without docstrings and `pass`, with numbers by value,
    multiplication by one, addition of nothing and double negation taken out; configuration is
    compared as data. `False` says only that no such reason was found.
    """
    if path.endswith(".py"):
        tree = parses(new)
        return tree is not None and same_code(old, tree)
    data = load_config(path, old)
    return data is not None and data == load_config(path, new)


def same_code(old: str, new: ast.Module) -> bool:
    """The same for a Python text and a tree that is at hand; the tree is used up."""
    was = _plain_before(old)
    return was is not None and was == _plain(new)


@lru_cache(maxsize=64)
def _plain_before(text: str) -> str | None:
    # One file has many mutants.
    tree = parses(text)
    return None if tree is None else _plain(tree)


def _plain(tree: ast.Module) -> str:
    return ast.dump(_Plainer().visit(tree))


class _Plainer(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [s for s in body if not isinstance(s, ast.Pass) and not _text(s)]
            node.body = kept  # type: ignore[attr-defined]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = node.left, node.right
        if isinstance(node.op, (ast.Mult, ast.Div, ast.Pow)) and _is(right, 1):
            return left
        if isinstance(node.op, ast.Mult) and _is(left, 1):
            return right
        if isinstance(node.op, (ast.Add, ast.Sub)) and _is(right, 0):
            return left
        return right if isinstance(node.op, ast.Add) and _is(left, 0) else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        inner = node.operand
        if isinstance(inner, ast.UnaryOp) and type(inner.op) is type(node.op) is ast.USub:
            return inner.operand
        return node


def _text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is(node: ast.expr, value: int) -> bool:
    return (
        isinstance(node, ast.Constant)
        and not isinstance(node.value, (bool, str, bytes))
        and node.value == value
    )


def idle_lines(tree: ast.Module) -> set[int]:
    """Lines that cannot act: behind a `return` or the like, or a local value that nothing reads."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                lines |= _behind(block)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines |= _unread(node)
    return lines


def _behind(block: list[ast.stmt]) -> set[int]:
    for at, statement in enumerate(block):
        if isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
            return {line for later in block[at + 1 :] for line in _lines(later)}
    return set()


def _unread(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[int]:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    # Whoever looks at all locals reads every one of them.
    if any(n.id in {"locals", "vars", "eval", "exec"} for n in names):
        return set()
    read = {node.id for node in names if not isinstance(node.ctx, ast.Store)}
    outer = {
        name
        for node in ast.walk(function)
        if isinstance(node, (ast.Global, ast.Nonlocal))
        for name in node.names
    }
    return {
        line
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id not in read | outer
        and isinstance(node.value, ast.Constant)
        for line in _lines(node)
    }


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
