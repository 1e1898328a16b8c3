"""Named values of Python: assignments, defaults, keywords, dictionaries, options, fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from retrieval.grammars import field_id, kind_id, text_of
from retrieval.outline import Outline, RawFact
from retrieval.positions import argument_name
from retrieval.values import FactSource

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["MAX_CALLEE", "Scope", "ValueReader", "kinds_of", "squeeze"]

MAX_CALLEE = 100  # characters of a name that is called or set
_MAX_VALUE = 120
# A list or expression is a literal when nothing but numbers, strings and constants stand in it.
_STRINGS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
# A number starts where no other one does, or there are as many ways to read it as it has parts.
_CONSTANT = re.compile(
    r"(?:(?<![\w.])(?:[0-9][\w.]*|\.[0-9]\w*|True|False|None)|[-+*/()\[\]{},\s<>%]|#s)*"
)
_PROSE_KEYWORDS = frozenset({"help", "description", "metavar", "doc", "epilog", "title"})


def kinds_of(words: str) -> frozenset[int]:
    """The numbers of kinds of nodes."""
    return frozenset(kind_id("python", word) for word in words.split())


_COMPUTED = kinds_of("list tuple set binary_operator unary_operator")
_LITERALS = _COMPUTED | kinds_of("integer float string concatenated_string true false none")
_OUTER = kinds_of("dictionary call")
_TOLD = _LITERALS | _OUTER
_POSITIONAL = kinds_of("integer float unary_operator true false")
_TRUTHS = kinds_of("true false")
_COMMENT = kind_id("python", "comment")
_STRING = kind_id("python", "string")
_IDENTIFIER = kind_id("python", "identifier")
_NAME = field_id("python", "name")
_VALUE = field_id("python", "value")
_KEY = field_id("python", "key")
_LEFT = field_id("python", "left")
_RIGHT = field_id("python", "right")


class Scope:
    """What encloses the present node of a walk.

    Attributes:
        stack: Innermost last: end byte, role and name. Roles: `definition`, `call`, `option`,
            `field` (of a call that makes one), `name` (what is set).
        owners: Innermost last: end byte and position of the definition in the outline.
    """

    def __init__(self, outline: Outline) -> None:
        self._definitions = outline.definitions
        self.stack: list[tuple[int, str, str]] = []
        self.owners: list[tuple[int, int]] = []

    @property
    def owner(self) -> int:
        """The position of the innermost definition, or -1."""
        owners = self.owners
        return owners[-1][1] if owners else -1

    def prefix(self, limit: int = 4) -> str:
        """Names of the dictionaries and calls that enclose the present node, up to a definition."""
        names: list[str] = []
        for _, role, name in reversed(self.stack):
            if role == "definition" or len(names) == limit:
                break
            if name:
                names.append(name)
            if role == "call":
                break
        return ".".join(reversed(names))

    def target(self, name: str) -> str:
        """What is set, with its class in place of `self`."""
        if name.startswith("self.") and (owner := self.owner) >= 0:
            definition = self._definitions[owner]
            while definition.parent >= 0 and not definition.is_class:
                definition = self._definitions[definition.parent]
            return f"{definition.name}.{name[5:]}" if definition.is_class else name
        return name


class ValueReader:
    """Reads the values that nodes hold; each handler takes a node and its first byte."""

    def __init__(self, source: bytes, outline: Outline, scope: Scope) -> None:
        self.source = source
        self.outline = outline
        self.scope = scope
        # Values that are passed by place, by their first byte: the place.
        self.places: dict[int, int] = {}

    def _text(self, node: Node | None) -> str:
        return text_of(self.source, node)

    def _outer(self, node: Node, left: Node | None) -> None:
        """An assignment, keyword or pair whose value holds more names."""
        name = self._text(left)[:MAX_CALLEE].strip("'\"")
        self.scope.stack.append((node.end_byte, "name", self.scope.target(name)))

    def _add(self, name: str, value: Node, source: FactSource) -> None:
        text = _constant(value, self.source)
        if text is not None:
            self.outline.facts.append(RawFact(name, text, value.start_point[0] + 1, source))

    def assignment(self, node: Node, _start: int) -> None:
        """`lr = 1e-4`, and what encloses the values of `config = {...}`."""
        right = node.child_by_field_id(_RIGHT)
        if right is None:
            return
        kind = right.kind_id
        if kind not in _TOLD:
            return
        left = node.child_by_field_id(_LEFT)
        if kind in _OUTER:
            self._outer(node, left)
            return
        if left is None:
            return
        name = "".join(self._text(left)[:MAX_CALLEE].split())
        source = FactSource.ASSIGNMENT
        owner = self.scope.owner
        if name.startswith("self."):
            name = self.scope.target(name)
        elif owner >= 0:
            definition = self.outline.definitions[owner]
            if definition.is_class and node.child_by_field_name("type") is not None:
                source = FactSource.FIELD
            if left.kind_id == _IDENTIFIER:
                name = f"{definition.name}.{name}"
        self._add(name, right, source)

    def keyword(self, node: Node, _start: int) -> None:
        """`Adam(lr=1e-4)`."""
        value = node.child_by_field_id(_VALUE)
        if value is None:
            return
        kind = value.kind_id
        if kind in _OUTER:
            self._outer(node, node.child_by_field_id(_NAME))
            return
        key = node.child_by_field_id(_NAME) if kind in _LITERALS else None
        if key is None:
            return
        name = self._text(key)
        role = self.scope.stack[-1][1] if self.scope.stack else ""
        if name in _PROSE_KEYWORDS:
            return
        if role == "option":
            if name == "default":
                self._add(self.scope.stack[-1][2], value, FactSource.OPTION)
            elif name == "choices":
                self._add(f"{self.scope.stack[-1][2]}.choices", value, FactSource.OPTION)
            return
        if role == "field" and name == "default":
            target = self.scope.prefix()
            owner = self.scope.owner
            if owner >= 0:
                target = f"{self.outline.definitions[owner].name}.{target}"
            self._add(target, value, FactSource.FIELD)
            return
        prefix = self.scope.prefix()
        self._add(f"{prefix}.{name}" if prefix else name, value, FactSource.KEYWORD)

    def arguments(self, node: Node, _start: int) -> None:
        """Note the numbers and truth values that are passed by their place, for `passed`."""
        stack = self.scope.stack
        if not stack:
            return
        _, role, callee = stack[-1]
        if role == "call":
            # Of most calls the numbers say nothing.
            if not (callee[:1].isupper() or callee[-1:] == "_"):
                return
            place = 0
            for child in node.named_children:
                kind = child.kind_id
                if kind in _POSITIONAL and kind not in _TRUTHS:
                    self.places[child.start_byte] = place
                place += kind != _COMMENT
        elif role in {"option", "field"}:
            for first in node.named_children[:1]:
                if first.kind_id in _POSITIONAL:
                    self.places[first.start_byte] = 0

    def passed(self, node: Node, start: int) -> None:
        """A value that may be passed by its place."""
        place = self.places.pop(start, None) if self.places else None
        if place is None:
            return
        _, role, callee = self.scope.stack[-1]
        if role == "call":
            if (name := argument_name(callee, place)) is not None:
                self._add(name, node, FactSource.KEYWORD)
            return
        arguments = node.parent
        call = arguments.parent if arguments is not None else None
        target = call.parent if call is not None else None
        if target is None:
            return
        # `lr: float = typer.Option(1e-4)` in a signature, `lr: float = Field(1e-4)` in a class
        if target.type in {"typed_default_parameter", "default_parameter"}:
            key, source = target.child_by_field_id(_NAME), FactSource.OPTION
        elif target.type == "assignment" and role == "field":
            key, source = target.child_by_field_id(_LEFT), FactSource.FIELD
        else:
            return
        owner = self.scope.owner
        scope = f"{self.outline.definitions[owner].name}." if owner >= 0 else ""
        self._add(f"{scope}{self._text(key)}", node, source)

    def default(self, node: Node, _start: int) -> None:
        """`def train(lr=1e-4)`."""
        value = node.child_by_field_id(_VALUE)
        if value is None or value.kind_id not in _LITERALS:
            return
        key = node.child_by_field_id(_NAME)
        if key is None:
            return
        owner = self.scope.owner
        name = self._text(key)
        if owner >= 0:
            definition = self.outline.definitions[owner]
            if definition.name == "__init__" and definition.parent >= 0:
                definition = self.outline.definitions[definition.parent]
            name = f"{definition.name}.{name}"
        self._add(name, value, FactSource.DEFAULT)

    def pair(self, node: Node, _start: int) -> None:
        """`{"lr": 1e-4}`."""
        value = node.child_by_field_id(_VALUE)
        if value is None:
            return
        kind = value.kind_id
        if kind in _OUTER:
            self._outer(node, node.child_by_field_id(_KEY))
            return
        key = node.child_by_field_id(_KEY) if kind in _LITERALS else None
        if key is None:
            return
        name = self._text(key)[:MAX_CALLEE].strip("'\"")
        prefix = self.scope.prefix()
        self._add(f"{prefix}.{name}" if prefix else name, value, FactSource.DICT)


def squeeze(text: str, limit: int) -> str:
    """A text on one line, cut to a number of characters."""
    text = " ".join(text[: limit * 3].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _constant(node: Node, source: bytes) -> str | None:
    """The literal as written, or `None` where it is computed from something else."""
    start, end = node.start_byte, node.end_byte
    if end - start > _MAX_VALUE * 4:
        return None
    text = source[start:end].decode("utf-8", "replace")
    kind = node.kind_id
    if kind in _COMPUTED:
        if not _CONSTANT.fullmatch(_STRINGS.sub("#s", text)):
            return None
    elif kind == _STRING and text[:1] in {"f", "F"} and "{" in text:
        return None
    return squeeze(text, _MAX_VALUE)
