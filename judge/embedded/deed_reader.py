"""Reads code into deeds, told from its syntax tree. Code is read as text and never run."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from judge.embedded.deeds import Call, Deed, Node, Parameters, Span, merge
from judge.embedded.expressions import Expressions, Scope
from judge.embedded.syntax import (
    FUNCTIONS,
    dotted_text,
    is_exception,
    own_names,
    packed,
    told_values,
    top_of,
    truth,
)

__all__ = ["Reader"]


class Reader(Expressions):
    """Reads functions, classes and modules; what cannot be told works."""

    def read(
        self,
        path: str,
        body: Sequence[ast.stmt],
        shift: int,
        *,
        module: bool,
        simple: bool,
        walrus: bool,
    ) -> bool:
        """Read statements of a module.

        Args:
            path: The file.
            body: The statements: of the whole module, or one function or class.
            shift: What is to be added to line numbers for rows.
            module: Whether they are the module's own.
            simple: Whether it is one of the simple functions or classes.
            walrus: Whether expressions in it may give names values.

        Returns:
            Whether they were read; what is nested too deep is not.
        """
        self._walrus = walrus
        self._path, self._shift, self._above, self._never = path, shift, -1, False
        scope = Scope(f"{path}:{shift}", None, is_module=module or simple)
        if module:
            scope.names, scope.constants = own_names(body, walrus=walrus)
        start = len(self.deeds)
        try:
            for statement in body:
                self._statement(statement, scope)
        except RecursionError:
            del self.deeds[start:]
            return False
        return True

    # ---- statements --------------------------------------------------------------------------

    def _deed(self, first: int, last: int, scope: Scope) -> Deed:
        deed = Deed(
            first + self._shift, last + self._shift, self._path, self._above, scope.function,
            scope.owner, never=self._never,
        )  # fmt: skip
        self.deeds.append(deed)
        return deed

    def _block(
        self, body: Sequence[ast.stmt], scope: Scope, head: int = -1, *, never: bool = False
    ) -> None:
        above, was = self._above, self._never
        if head >= 0:
            self._above = head
        self._never = was or never
        for statement in body:
            self._statement(statement, scope)
        self._above, self._never = above, was

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        if isinstance(node, FUNCTIONS):
            self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            self._class(node, scope)
        elif isinstance(node, (ast.If, ast.While, ast.For, ast.With)):
            self._compound(node, scope)
        elif isinstance(node, ast.Try):
            self._block(node.body, scope)
            for handler in node.handlers:
                if handler.name:
                    self.real.add(self._own(handler.name, scope))
                self._block(handler.body, scope)
            self._block(node.orelse, scope)
            self._block(node.finalbody, scope)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            if self._above >= 0:
                self.deeds[self._above].works = True
        elif isinstance(node, (ast.Pass, ast.Global, ast.Nonlocal)):
            return
        else:
            self._simple(node, scope)

    def _simple(self, node: ast.stmt, scope: Scope) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        deed = self._deed(node.lineno, node.end_lineno or node.lineno, scope)
        if isinstance(node, ast.Return):
            deed.leaves = True
            if node.value is not None:
                self._look(node.value, deed, scope)
                deed.carries = {
                    meant
                    for name in packed(node.value)
                    if name in scope.taken and (meant := self._node(name, scope)) is not None
                }
            self._returns(deed, scope)
        elif isinstance(node, (ast.Break, ast.Continue)):
            deed.leaves = True
        elif isinstance(node, ast.Raise):
            deed.tells = True
            if node.exc is not None and not is_exception(node.exc):
                self._look(node.exc, deed, scope)
        elif isinstance(node, ast.Assert):
            deed.tells = True
            self._look(node.test, deed, scope)
        elif isinstance(node, ast.Assign):
            self._look(node.value, deed, scope)
            for target in node.targets:
                self._give(target, deed, scope)
            # What a module offers others may call.
            deed.works = deed.works or any(
                dotted_text(target) == "__all__" for target in node.targets
            )
        elif isinstance(node, ast.AugAssign):
            self._look(node.value, deed, scope)
            self._give(node.target, deed, scope)
            self._look(node.target, deed, scope)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self._look(node.value, deed, scope)
            self._give(node.target, deed, scope)
        elif isinstance(node, ast.Expr):
            self._dropped = node.value
            told = told_values(node.value)
            self._look(told[0] if told else node.value, deed, scope)
            if told:
                deed.tells = True
                deed.span = self._told_span(told[0])
            for value in told[1:]:
                deed = self._deed(node.lineno, node.end_lineno or node.lineno, scope)
                deed.tells = True
                deed.span = self._told_span(value)
                self._look(value, deed, scope)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                self._give(target, deed, scope)
        else:
            deed.works = True
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self._look(child, deed, scope)

    def _told_span(self, node: ast.expr) -> Span | None:
        # Before Python 3.12 nobody knows where in a string a part of it stands.
        return None if isinstance(node, ast.FormattedValue) else self._span(node)

    def _compound(self, node: ast.If | ast.While | ast.For | ast.With, scope: Scope) -> None:
        head = self._deed(node.lineno, max(node.lineno, node.body[0].lineno - 1), scope)
        number = len(self.deeds) - 1
        if isinstance(node, ast.With):
            for item in node.items:
                self._look(item.context_expr, head, scope)
                if item.optional_vars is not None:
                    self._give(item.optional_vars, head, scope)
            self._block(node.body, scope, number)
            return
        if isinstance(node, ast.For):
            self._look(node.iter, head, scope)
            self._give(node.target, head, scope)
            held: bool | None = None
        else:
            self._look(node.test, head, scope)
            held = truth(node.test, scope.constants)
        self._block(node.body, scope, number, never=held is False)
        never = held is True and isinstance(node, ast.If)
        self._block(node.orelse, scope, number, never=never)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        head = self._deed(top_of(node), max(node.lineno, node.body[0].lineno - 1), scope)
        function = ""
        if scope.is_class:
            function = f".{node.name}"
        elif scope.is_module:
            function = self._known.function_of(self._path, node.name)
        inner = Scope(f"{scope.key}.{node.name}", scope)
        own = self._own(node.name, scope)
        if function:
            inner.function, inner.result = function, ("f", function, "")
            head.inside = scope.owner or function
            own = inner.result
        elif scope.function:
            # What a function in a simple one does is done by the one around it.
            inner.function, inner.result = scope.function, own
        head.gives.add(own)
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args]
        rest = [
            *arguments.kwonlyargs,
            *(one for one in (arguments.vararg, arguments.kwarg) if one is not None),
        ]
        names, inner.constants = own_names(node.body, walrus=self._walrus)
        inner.taken = {one.arg for one in (*given, *rest)} - names
        inner.names = inner.taken | names
        if scope.is_class:
            inner.owner = scope.owner
            if given and not any(dotted_text(one) == "staticmethod" for one in node.decorator_list):
                inner.instance = given.pop(0).arg
        nodes: list[tuple[str, Node]] = [
            (one.arg, ("l", inner.key, one.arg)) for one in (*given, *arguments.kwonlyargs)
        ]
        stars = tuple(
            ("l", inner.key, one.arg) if one is not None else None
            for one in (arguments.vararg, arguments.kwarg)
        )
        every = [parameter for _, parameter in nodes] + [one for one in stars if one is not None]
        if function:
            taken = Parameters(tuple(nodes), len(given), stars[0], stars[1])
            self.parameters[function].append(taken)
            if node.name == "__init__":
                self.parameters[scope.owner].append(taken)
        elif scope.function:
            self.indirect.update(every)
        else:
            self.real.update(every)
            head.works = scope.above is None or head.works
        for value in (*arguments.defaults, *arguments.kw_defaults):
            if value is not None:
                self._look(value, head, scope)
        if function:
            filled = [*arguments.posonlyargs, *arguments.args][-len(arguments.defaults) :]
            pairs = zip(filled if arguments.defaults else [], arguments.defaults, strict=True)
            for one, value in [
                *pairs,
                *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
            ]:
                if isinstance(value, ast.Constant):
                    start, end = self._span(one), self._span(value)
                    head.defaults.append((("l", inner.key, one.arg), (*start[:2], *end[2:])))
        self._decorate(node, head, scope, function)
        above, self._above = self._above, -1
        was, self._never = self._never, False
        for statement in node.body:
            self._statement(statement, inner)
        self._above, self._never = above, was

    def _decorate(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        head: Deed,
        scope: Scope,
        function: str,
    ) -> None:
        """What decorates a function may call it."""
        head.defines = function or "?"
        for decorator in node.decorator_list:
            inner = Deed()
            self._look(decorator, inner, scope)
            merge(head, inner)
            head.asks |= inner.reads
            if not (function and inner.reads):
                continue
            head.loose.add(function)
            for kind, name, _ in inner.reads:
                if kind == "f":
                    head.calls.append(Call(name, places=[frozenset({("f", function, "")})]))

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        head = self._deed(top_of(node), max(node.lineno, node.body[0].lineno - 1), scope)
        function = self._known.function_of(self._path, node.name) if scope.is_module else ""
        names, _ = own_names(node.body, walrus=self._walrus)
        inner = Scope(f"{scope.key}.{node.name}", scope, names)
        if function:
            inner.function = inner.owner = head.inside = function
            inner.is_class = True
            head.gives.add(("f", function, ""))
        else:
            head.works = True
            head.gives.add(self._own(node.name, scope))
        for value in node.bases:
            self._look(value, head, scope)
        self._decorate(node, head, scope, function)
        for statement in node.body:
            start = len(self.deeds)
            self._statement(statement, inner)
            if not isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                for deed in self.deeds[start:]:
                    if function:
                        deed.gives.add(("f", function, ""))
                    else:
                        deed.works = True
