"""What expressions read and do, in the scope that they stand in."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

from judge.embedded.deeds import REAL, Call, Deed, Node, Parameters, Span, merge
from judge.embedded.quiet import GIVING, PURE, QUIET_LIBRARIES, TELLING
from judge.embedded.syntax import (
    BRANCHES,
    COMPREHENSIONS,
    dotted_text,
    is_nothing,
    is_of,
    is_screen,
    listed,
    truth,
)

__all__ = ["Expressions", "Known", "Scope"]

_Stack = list[tuple[Any, frozenset[str]]]
_NO_NAMES: frozenset[str] = frozenset()
_WORDS = re.compile(r"[A-Za-z_]\w*")
_LONGEST_TEXT = 200
_EVERY_NAME = frozenset({"locals", "globals", "vars", "exec", "eval", "__import__"})


@dataclass(slots=True)
class Known:
    """What the reader is told of the repository.

    Attributes:
        function_of: The simple function or class that a name in a file means; empty for none.
        methods: The names of the methods of simple classes.
        resolve: What a name means by a file's imports, dotted; empty for nothing.
    """

    function_of: Callable[[str, str], str]
    methods: Container[str]
    resolve: Callable[[str, str], str]


@dataclass(slots=True)
class Scope:
    """A function, class or module that is read.

    Attributes:
        key: Apart from every other.
        above: The scope around it.
        names: Its own names.
        taken: Those of its parameters that are given nothing else.
        function: The simple function or class that it is a part of; empty for none.
        result: What its results are given to; `None` where that cannot be seen.
        owner: The simple class that it is, or that it is a method of.
        instance: The name of what a method is called on.
        constants: Names that are given one constant and nothing else.
        is_module: It is a module.
        is_class: It is a simple class.
    """

    key: str
    above: Scope | None
    names: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    function: str = ""
    result: Node | None = None
    owner: str = ""
    instance: str = ""
    constants: dict[str, object] = field(default_factory=dict)
    is_module: bool = False
    is_class: bool = False


class Expressions:
    """Reads expressions.

    Attributes:
        deeds: All deeds, in order.
        parameters: What a simple function takes; of each where several have a name.
        real: What is known to come from elsewhere.
        indirect: What functions inside of simple ones take.
    """

    def __init__(self, known: Known) -> None:
        self._known = known
        self.deeds: list[Deed] = []
        self.parameters: defaultdict[str, list[Parameters]] = defaultdict(list)
        self.real: set[Node] = {REAL}
        self.indirect: set[Node] = set()
        self._path = ""
        self._shift = 0
        self._walrus = False
        self._dropped: ast.expr | None = None
        self._outer: dict[tuple[str, str], Node | None] = {}
        self._above = -1
        self._never = False

    # ---- names -------------------------------------------------------------------------------

    def _own(self, name: str, scope: Scope) -> Node:
        return ("g", name, "") if scope.is_module else ("l", scope.key, name)

    def _node(self, name: str, scope: Scope) -> Node | None:
        """What a name means; `None` for what is constant whatever it is."""
        around: Scope | None = scope
        while around is not None:
            if name == around.instance or (around.is_class and name in around.names):
                return ("f", around.owner, "")
            if name in around.names and not around.is_module:
                return ("l", around.key, name)
            around = around.above
        key = self._path, name
        if key not in self._outer:
            self._outer[key] = self._outside(name)
        return self._outer[key]

    def _outside(self, name: str) -> Node | None:
        """What a name means that is none of its function's."""
        if function := self._known.function_of(self._path, name):
            return ("f", function, "")
        if name in PURE or name in {"__name__", "__file__", "__doc__"} or TELLING.match(name):
            return None
        whole = self._known.resolve(self._path, name)
        if whole:
            return None if QUIET_LIBRARIES.match(whole) else ("g", whole.rpartition(".")[2], "")
        return ("g", name, "")

    def _give(self, target: ast.expr, deed: Deed, scope: Scope) -> None:
        stack: list[ast.expr] = [target]
        while stack:
            one = stack.pop()
            if isinstance(one, ast.Name):
                deed.gives.add(self._node(one.id, scope) or REAL)
            elif isinstance(one, (ast.Tuple, ast.List)):
                stack += one.elts
            elif isinstance(one, ast.Starred):
                stack.append(one.value)
            elif isinstance(one, (ast.Attribute, ast.Subscript)):
                self._change(one, deed, scope)

    def _change(self, base: ast.expr, deed: Deed, scope: Scope) -> None:
        """A part of something is given a value, or a method of it is called."""
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            if isinstance(base, ast.Subscript):
                self._look(base.slice, deed, scope)
            elif base.attr in self._known.methods:
                deed.reads.add(("f", f".{base.attr}", ""))
                deed.loose.add(f".{base.attr}")
            base = base.value
        if isinstance(base, ast.Name):
            node = self._node(base.id, scope)
            if node is None:
                return
            deed.gives.add(node)
            deed.asks.add(node)
            deed.reads.add(node)
        else:
            inner = Deed()
            self._look(base, inner, scope)
            merge(deed, inner)
            deed.asks |= inner.reads

    # ---- expressions -------------------------------------------------------------------------

    def _look(self, expression: ast.expr, deed: Deed, scope: Scope) -> None:
        """Add what an expression reads and does to a deed; not by recursion into what is deep."""
        stack: _Stack = [(expression, _NO_NAMES)]
        while stack:
            node, shadow = stack.pop()
            kind = type(node)
            if kind is ast.Name:
                if node.id not in shadow:
                    self._read(node.id, deed, scope)
            elif kind is ast.Constant:
                if isinstance(node.value, str) and len(node.value) <= _LONGEST_TEXT:
                    self._text(node.value, deed)
            elif kind is ast.Attribute:
                self._attribute(node, deed, scope, stack, shadow)
            elif kind is ast.Call:
                self._call(node, deed, scope, stack, shadow)
            elif kind is ast.BinOp:
                if is_nothing(node, scope.constants):
                    muted = Deed()
                    for side in (node.left, node.right):
                        self._look(side, muted, scope)
                    muted.reads &= muted.asks
                    merge(deed, muted)
                else:
                    stack += ((node.left, shadow), (node.right, shadow))
            elif kind in BRANCHES:
                stack += [
                    (one, shadow) for name in BRANCHES[kind] for one in listed(getattr(node, name))
                ]
            elif kind in COMPREHENSIONS:
                inner = shadow | {
                    one.id
                    for part in node.generators
                    for one in ast.walk(part.target)
                    if isinstance(one, ast.Name)
                }
                stack += [(one, inner) for one in ast.iter_child_nodes(node)]
            elif kind is ast.Lambda:
                inner = shadow | {
                    one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)
                }
                stack += [(one, inner) for one in ast.iter_child_nodes(node)]
            elif kind is ast.NamedExpr:
                deed.gives.add(self._node(node.target.id, scope) or REAL)
                stack.append((node.value, shadow))
            elif kind in {ast.Yield, ast.YieldFrom, ast.Await}:
                if node.value is not None:
                    stack.append((node.value, shadow))
                if kind is ast.Await:
                    deed.works = True
                else:
                    self._returns(deed, scope)
            elif kind is ast.IfExp:
                held = truth(node.test, scope.constants)
                stack.append((node.body if held is not False else node.orelse, shadow))
                if held is None:
                    stack += ((node.orelse, shadow), (node.test, shadow))
                else:
                    unused = Deed()
                    self._look(node.orelse if held else node.body, unused, scope)
                    deed.loose |= unused.loose
                    deed.loose.update(call.function for call in unused.calls)
            elif not isinstance(node, (ast.expr_context, ast.arguments)):
                stack += [(one, shadow) for one in ast.iter_child_nodes(node)]
            elif isinstance(node, ast.arguments):
                stack += [(one, shadow) for one in listed(node.defaults + node.kw_defaults)]

    def _read(self, name: str, deed: Deed, scope: Scope) -> None:
        node = self._node(name, scope)
        if node is None:
            return
        deed.reads.add(node)
        if node[0] == "f" and not (scope.instance and name == scope.instance):
            deed.loose.add(node[1])
        if name in _EVERY_NAME:
            self._read_all(deed, scope)

    def _read_all(self, deed: Deed, scope: Scope) -> None:
        deed.works = True
        around: Scope | None = scope
        while around is not None:
            deed.reads.update(self._own(name, around) for name in around.names)
            around = around.above

    def _text(self, text: str, deed: Deed) -> None:
        """A string may name a function, for whatever looks it up."""
        for word in _WORDS.findall(text):
            function = self._known.function_of(self._path, word)
            if function:
                deed.reads.add(("f", function, ""))
                deed.loose.add(function)

    def _attribute(
        self,
        node: ast.Attribute,
        deed: Deed,
        scope: Scope,
        stack: _Stack,
        shadow: frozenset[str],
    ) -> None:
        whole = self._dotted(node, scope, shadow)
        if whole:
            function = self._known.function_of("", node.attr)
            if function:
                deed.reads.add(("f", function, ""))
                deed.loose.add(function)
            elif not QUIET_LIBRARIES.match(whole):
                deed.reads.add(("g", node.attr, ""))
                deed.reads.add(REAL)
            return
        if node.attr in self._known.methods:
            deed.reads.add(("f", f".{node.attr}", ""))
            deed.loose.add(f".{node.attr}")
        stack.append((node.value, shadow))

    def _dotted(self, node: ast.Attribute, scope: Scope, shadow: frozenset[str]) -> str:
        """The dotted name that an attribute of an imported module means; empty for another."""
        parts: list[str] = []
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            parts.append(base.attr)
            base = base.value
        if not isinstance(base, ast.Name) or base.id in shadow:
            return ""
        around: Scope | None = scope
        while around is not None:
            if base.id in around.names or base.id == around.instance:
                return ""
            around = around.above
        whole = self._known.resolve(self._path, base.id)
        return ".".join([whole, *reversed(parts)]) if whole else ""

    def _call(
        self,
        node: ast.Call,
        deed: Deed,
        scope: Scope,
        stack: _Stack,
        shadow: frozenset[str],
    ) -> None:
        called = node.func
        arguments: list[ast.expr] = [*node.args, *(one.value for one in node.keywords)]
        function = ""
        if isinstance(called, ast.Name):
            function = self._called_name(called.id, node, deed, scope, shadow)
        elif isinstance(called, ast.Attribute):
            name = dotted_text(called)
            whole = self._dotted(called, scope, shadow)
            if name and TELLING.match(name):
                deed.tells = True
            elif name.endswith("json.dump") and len(node.args) > 1 and is_screen(node.args[1]):
                deed.tells = True
                arguments = [node.args[0]]
            elif whole:
                function = self._known.function_of("", called.attr)
                if not function and not QUIET_LIBRARIES.match(whole):
                    deed.works = True
            else:
                function = f".{called.attr}" if called.attr in self._known.methods else ""
                if is_of(called.value, shadow):
                    deed.works = deed.works or not (function or called.attr in GIVING)
                elif called.attr in GIVING:
                    inner = Deed()
                    self._look(called.value, inner, scope)
                    merge(deed, inner)
                    deed.asks |= inner.reads
                else:
                    self._change(called.value, deed, scope)
        else:
            inner = Deed()
            self._look(called, inner, scope)
            merge(deed, inner)
            deed.asks |= inner.reads
            deed.callees |= inner.reads
        if not function:
            stack += [(one, shadow) for one in arguments]
            return
        made = Call(function, any(isinstance(place, ast.Starred) for place in node.args))
        made.spans = [self._span(one) for one in node.args]
        made.spans += [self._span(one) for one in node.keywords]
        for place in node.args:
            made.places.append(self._argument(place, deed, scope))
        for keyword in node.keywords:
            made.names[keyword.arg or "**"] = self._argument(keyword.value, deed, scope)
        made.dropped = node is self._dropped
        if not made.dropped:
            deed.reads.add(("f", function, ""))
        deed.calls.append(made)

    def _called_name(
        self, name: str, node: ast.Call, deed: Deed, scope: Scope, shadow: frozenset[str]
    ) -> str:
        """What a call of a plain name does; the simple function that it calls, if it does."""
        if name == "super" and scope.result is None:
            deed.works = True
        if name in shadow:
            deed.callees.add(("shadow", name, ""))
            return ""
        if name in {"setattr", "delattr"} and node.args:
            self._change(node.args[0], deed, scope)
            return ""
        meant = self._node(name, scope)
        if meant is None:
            deed.tells = deed.tells or TELLING.match(name) is not None
            return ""
        if meant[0] == "f":
            return meant[1]
        if name in _EVERY_NAME:
            self._read_all(deed, scope)
        if meant[0] == "g" and self._known.resolve(self._path, name):
            deed.works = True
        deed.reads.add(meant)
        deed.asks.add(meant)
        deed.callees.add(meant)
        return ""

    def _argument(self, value: ast.expr, deed: Deed, scope: Scope) -> frozenset[Node]:
        inner = Deed()
        self._look(value, inner, scope)
        reads = frozenset({*inner.reads, *([REAL] if inner.works else [])})
        # What an argument reads counts as far as the function does anything with it.
        inner.reads.clear()
        merge(deed, inner)
        return reads

    def _span(self, node: ast.expr | ast.keyword | ast.arg) -> Span:
        return (
            node.lineno + self._shift,
            node.col_offset,
            (node.end_lineno or node.lineno) + self._shift,
            node.end_col_offset or node.col_offset,
        )

    def _returns(self, deed: Deed, scope: Scope) -> None:
        if scope.result is None:
            deed.works = True
            return
        deed.gives.add(scope.result)
        if scope.owner and scope.function.startswith(".__"):
            deed.gives.add(("f", scope.owner, ""))
