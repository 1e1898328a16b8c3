"""Python, and notebooks laid out as Python, read with tree-sitter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from retrieval.grammars import parse, query, text_of, without_idle_lines
from retrieval.outline import (
    CallSite,
    Definition,
    Import,
    LineKind,
    Outline,
    RawFact,
    blank_kinds,
)
from retrieval.positions import argument_name
from retrieval.values import FactSource, ParseState

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["python_outline"]

_LITERALS = (
    "[(integer) (float) (string) (concatenated_string) (true) (false) (none)"
    " (unary_operator) (binary_operator) (list) (tuple) (set)]"
)
_QUERY = f"""
(function_definition) @definition
(class_definition) @definition
(decorated_definition) @decorated
(call) @call
(assignment right: {_LITERALS}) @assignment
(assignment right: (dictionary)) @outer
(assignment right: (call)) @outer
(keyword_argument value: {_LITERALS}) @keyword
(keyword_argument value: [(dictionary) (call)]) @outer
(default_parameter value: {_LITERALS}) @default
(typed_default_parameter value: {_LITERALS}) @default
(call arguments: (argument_list [(integer) (float) (unary_operator) (true) (false)] @positional))
(pair value: {_LITERALS}) @pair
(pair value: [(dictionary) (call)]) @outer
(block (_) @statement)
(module (_) @statement)
(comment) @comment
(string) @string
(expression_statement . (string) @docstring .)
(import_statement) @import
(import_from_statement) @import
(if_statement condition: (comparison_operator)) @if
"""

_KINDS = ("definition", "call", "assignment", "outer", "keyword", "default", "pair")
_MAX_VALUE = 120
_MAX_GUARD = 40  # `if __name__ == "__main__":` and a bracket or two
_MAX_HEADER = 200
_MAX_CALLEE = 100
_SPACES = re.compile(r"\s+")
# A list or expression is a literal when nothing but numbers, strings and constants stand in it.
_STRINGS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_CONSTANT = re.compile(r"(?:[0-9][\w.]*|\.[0-9]\w*|True|False|None|[-+*/()\[\]{},\s<>%]|#s)*")
_OPTION_CALLS = frozenset({"add_argument", "option", "argument", "Option", "Argument"})
_FIELD_CALLS = frozenset({"field", "Field", "attrib", "ib"})
_PROSE_KEYWORDS = frozenset({"help", "description", "metavar", "doc", "epilog", "title"})
# Calls at the top of a module that prepare it and do no work.
_IDLE_CALLS = re.compile(
    r"(?:sys\.path|warnings|logging|logger|matplotlib|mpl|plt\.(?:style|rc|switch)|sns\.set|os\.environ"
    r"|os\.putenv|load_dotenv|dotenv|random\.seed|np\.(?:random\.seed|set_printoptions|seterr)"
    r"|torch\.(?:manual_seed|set_|backends|cuda\.manual|autograd\.set)|tf\.(?:random|get_logger|config)"
    r"|register|gym\.|gymnasium\.|pd\.(?:set_option|options)|typing|setattr|super|getLogger|locale"
    r"|multiprocessing\.set|mp\.set|nest_asyncio|rich|transformers\.logging|absl|flags\.|DEFINE_"
    r"|\w+\.register|\w+\.set_seed|set_seed|__all__|atexit|signal|faulthandler|sys\.setrecursionlimit)"
)


def python_outline(
    lines: list[str], recover: Callable[[list[str]], Iterable[list[str]]] = lambda _: ()
) -> Outline:
    """Read a Python file.

    Args:
        lines: Its lines. Anything at all may stand in them.
        recover: Called when they do not parse: as many lines that may parse better, once or more;
            the first that parse are taken, or else the last.
    """
    kinds = blank_kinds(lines, LineKind.CODE)
    source = _source(lines, kinds)
    tree = parse("python", source)
    if tree is None:
        return Outline(ParseState.BROKEN, kinds, notes=["the parser gave up"])
    state = ParseState.BROKEN if tree.root_node.has_error else ParseState.PARSED
    recovered = lines
    for attempt in recover(lines) if state is ParseState.BROKEN else ():
        better_source = _source(attempt, bytearray(kinds))
        better = parse("python", better_source)
        if better is None or len(attempt) != len(lines):
            continue
        tree, source, recovered = better, better_source, attempt
        if not tree.root_node.has_error:
            state = ParseState.RECOVERED
            break
    if recovered is not lines:
        for row, line in enumerate(recovered):
            # What stands outside the fences is prose.
            if kinds[row] and (not line or line.isspace()):
                kinds[row] = LineKind.PROSE
        lines = recovered
    root = tree.root_node
    outline = Outline(state, kinds)
    captures = QueryCursor(query("python", _QUERY)).captures(root)
    _mark_strings(captures, kinds)
    _mark_comments(captures.get("comment", []), lines, kinds, outline.tails)
    borders = outline.borders
    # Captures come in the order of their addresses, which is another one each time.
    for node in captures.get("statement", ()):
        row, column = node.start_point
        borders[row + 1] = min(column, borders.get(row + 1, column))
    for node in sorted(captures.get("import", ()), key=_first_byte):
        _read_import(node, source, outline.imports)
    for node in sorted(captures.get("if", ()), key=_first_byte):
        if b"__name__" in source[node.start_byte : node.start_byte + _MAX_GUARD]:
            last = min(len(kinds), node.end_point[0] + 1)
            outline.main_lines.append((node.start_point[0] + 1, last))
    _Reader(source, lines, outline).read(captures)
    outline.acts = _acts(root, source)
    return outline


def _first_byte(node: Node) -> int:
    return node.start_byte


def _source(lines: list[str], kinds: bytearray) -> bytes:
    """What the parser gets; the comments that it is spared are marked here."""
    whole = "\n".join(lines).encode("utf-8", "replace")
    source = without_idle_lines(whole)
    if source is not whole and len(source) != len(whole):
        for row, (kept, line) in enumerate(zip(source.split(b"\n"), lines, strict=True)):
            if not kept and line.lstrip(" \t\f").startswith("#"):
                kinds[row] = LineKind.COMMENT
    return source


def _mark_strings(captures: dict[str, list[Node]], kinds: bytearray) -> None:
    """Docstrings are strings; of a longer string in code, all but its first line."""
    # A joint at the very end of a file puts the end of a string behind the last line.
    end = len(kinds) - 1
    for node in captures.get("string", ()):
        first, last = node.start_point[0], min(end, node.end_point[0])
        for row in range(first + 1, last + 1):
            kinds[row] = kinds[row] and LineKind.STRING
    for node in captures.get("docstring", ()):
        for row in range(node.start_point[0], min(end, node.end_point[0]) + 1):
            kinds[row] = kinds[row] and LineKind.STRING


def _mark_comments(
    nodes: list[Node], lines: list[str], kinds: bytearray, tails: dict[int, int]
) -> None:
    for node in nodes:
        row, column = node.start_point
        line = lines[row]
        if not line.isascii():
            column = len(line.encode("utf-8", "replace")[:column].decode("utf-8", "replace"))
        if not line[:column].strip():
            kinds[row] = LineKind.COMMENT
        else:
            tails[row + 1] = column


def _read_import(node: Node, source: bytes, imports: list[Import]) -> None:
    line = node.start_point[0] + 1
    module_node = node.child_by_field_name("module_name")
    module = text_of(source, module_node)
    names = node.children_by_field_name("name")
    for name_node in names:
        if name_node.type == "aliased_import":
            inner = name_node.child_by_field_name("name")
            alias_node = name_node.child_by_field_name("alias")
            name = text_of(source, inner)
            alias = text_of(source, alias_node) or name
        else:
            name = alias = text_of(source, name_node)
        if node.type == "import_statement":
            imports.append(Import(name, "", alias, line))
        else:
            imports.append(Import(module, name, alias, line))
    if not names and module:
        imports.append(Import(module, "*", "*", line))


def _squeeze(text: str, limit: int) -> str:
    text = _SPACES.sub(" ", text[: limit * 3]).strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _constant(node: Node, source: bytes) -> str | None:
    """The literal as written, or `None` where it is computed from something else."""
    if node.end_byte - node.start_byte > _MAX_VALUE * 4:
        return None
    text = text_of(source, node)
    kind = node.type
    if kind in {"list", "tuple", "set", "binary_operator", "unary_operator"}:
        if not _CONSTANT.fullmatch(_STRINGS.sub("#s", text)):
            return None
    elif kind == "string" and text[:1] in {"f", "F"} and "{" in text:
        return None
    return _squeeze(text, _MAX_VALUE)


def _acts(root: Node, source: bytes) -> bool:
    """Whether running the module does more than define things."""
    for node in root.named_children:
        kind = node.type
        if kind in {"for_statement", "while_statement", "with_statement"}:
            return True
        if kind != "expression_statement" or node.named_child_count == 0:
            continue
        call = node.named_children[0]
        if call.type == "call" and not _IDLE_CALLS.match(text_of(source, call)):
            return True
    return False


class _Reader:
    """One pass over definitions, calls and values in the order of the text."""

    def __init__(self, source: bytes, lines: list[str], outline: Outline) -> None:
        self.source = source
        self.lines = lines
        self.outline = outline
        # What encloses the present node: (end byte, role, name). Roles: definition, call, name.
        self.stack: list[tuple[int, str, str]] = []
        self.owners: list[tuple[int, int]] = []  # (end byte, position of the definition)
        self.decorated: dict[int, Node] = {}

    def read(self, captures: dict[str, list[Node]]) -> None:
        for node in captures.get("decorated", ()):
            inner = node.child_by_field_name("definition")
            if inner is not None:
                self.decorated[inner.start_byte] = node
        events: list[tuple[int, int, str, Node]] = []
        for kind in (*_KINDS, "positional"):
            events.extend(
                (node.start_byte, -node.end_byte, kind, node) for node in captures.get(kind, ())
            )
        # Outer nodes first where two start together: an assignment before the call in it.
        events.sort(key=lambda event: event[:2])
        handlers = {
            "definition": self.definition,
            "call": self.call,
            "outer": self.outer,
            "assignment": self.assignment,
            "keyword": self.keyword,
            "default": self.default,
            "pair": self.pair,
            "positional": self.positional,
        }
        stack, owners = self.stack, self.owners
        for start, minus_end, kind, node in events:
            while stack and stack[-1][0] <= start:
                stack.pop()
            while owners and owners[-1][0] <= start:
                owners.pop()
            handlers[kind](node, -minus_end)

    def _text(self, node: Node | None) -> str:
        return text_of(self.source, node)

    @property
    def owner(self) -> int:
        return self.owners[-1][1] if self.owners else -1

    def scope(self) -> str:
        """The name that values here belong to: the class for its methods' own attributes."""
        return self.outline.definitions[self.owner].symbol if self.owner >= 0 else ""

    def definition(self, node: Node, end: int) -> None:
        name = self._text(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        parent = self.owner
        symbol = f"{self.scope()}.{name}" if parent >= 0 else name
        outer = self.decorated.get(node.start_byte)
        decorators: tuple[str, ...] = ()
        if outer is not None:
            decorators = tuple(
                self._text(child).lstrip("@").split("(", 1)[0].strip()
                for child in outer.named_children
                if child.type == "decorator"
            )
        first = (outer if outer is not None else node).start_point[0] + 1
        body_start = body.start_byte if body is not None else end
        head_end = body.start_point[0] if body is not None else node.end_point[0] + 1
        header = self.source[node.start_byte : min(body_start, node.start_byte + 2000)]
        is_class = node.type == "class_definition"
        bases: tuple[str, ...] = ()
        if is_class and (above := node.child_by_field_name("superclasses")) is not None:
            bases = tuple(
                self._text(child)
                for child in above.named_children
                if child.type in {"identifier", "attribute", "subscript", "call"}
            )
        last = min(len(self.lines), node.end_point[0] + (1 if node.end_point[1] else 0))
        self.outline.definitions.append(
            Definition(
                symbol=symbol,
                name=name,
                is_class=is_class,
                first=first,
                head=min(len(self.lines), max(node.start_point[0] + 1, head_end)),
                last=max(first, last),
                header=_squeeze(header.decode("utf-8", "replace"), _MAX_HEADER).rstrip(": "),
                parent=parent,
                decorators=decorators,
                bases=bases,
            )
        )
        self.owners.append((end, len(self.outline.definitions) - 1))
        self.stack.append((end, "definition", ""))

    def call(self, node: Node, end: int) -> None:
        function = node.child_by_field_name("function")
        if function is None:
            return
        start = function.start_byte
        if function.end_byte - start > _MAX_CALLEE:
            attribute = function.child_by_field_name("attribute")
            name = self._text(attribute) if attribute is not None else ""
        else:
            name = self.source[start : function.end_byte].decode("utf-8", "replace")
            if function.type == "attribute" and not name.replace(".", "_").isidentifier():
                # make_model().train: what matters is what is called in the end.
                name = "." + self._text(function.child_by_field_name("attribute"))
            elif function.type not in {"identifier", "attribute"}:
                name = ""
        if not name:
            return
        self.outline.calls.append(CallSite(name, node.start_point[0] + 1, self.owner))
        short = name.rpartition(".")[2]
        if short in _OPTION_CALLS:
            self.stack.append((end, "option", self._option_name(node) or short))
        elif short in _FIELD_CALLS:
            self.stack.append((end, "field", ""))
        else:
            self.stack.append((end, "call", short))

    def _option_name(self, node: Node) -> str:
        arguments = node.child_by_field_name("arguments")
        best = ""
        for child in arguments.named_children if arguments is not None else ():
            if child.type != "string":
                break
            name = self._text(child).strip("'\"").split("/")[0]
            if name.startswith("--") or not best:
                best = name
        return best.lstrip("-").replace("-", "_")

    def outer(self, node: Node, end: int) -> None:
        """An assignment, keyword or pair whose value holds more names."""
        left = (
            node.child_by_field_name("left")
            or node.child_by_field_name("name")
            or node.child_by_field_name("key")
        )
        name = self._text(left)[:_MAX_CALLEE].strip("'\"")
        self.stack.append((end, "name", self._name_of_target(name)))

    def _name_of_target(self, name: str) -> str:
        if name.startswith("self.") and (owner := self.owner) >= 0:
            definition = self.outline.definitions[owner]
            while definition.parent >= 0 and not definition.is_class:
                definition = self.outline.definitions[definition.parent]
            return f"{definition.name}.{name[5:]}" if definition.is_class else name
        return name

    def _prefix(self, limit: int = 4) -> str:
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

    def _add(self, name: str, value: Node, line: int, source: FactSource) -> None:
        text = _constant(value, self.source)
        if text is not None:
            self.outline.facts.append(RawFact(name, text, line, source))

    def assignment(self, node: Node, _end: int) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        name = _SPACES.sub("", self._text(left)[:_MAX_CALLEE])
        source = FactSource.ASSIGNMENT
        owner = self.owner
        if name.startswith("self."):
            name = self._name_of_target(name)
        elif owner >= 0:
            definition = self.outline.definitions[owner]
            if definition.is_class and node.child_by_field_name("type") is not None:
                source = FactSource.FIELD
            if left.type == "identifier":
                name = f"{definition.name}.{name}"
        self._add(name, right, right.start_point[0] + 1, source)

    def keyword(self, node: Node, _end: int) -> None:
        key, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if key is None or value is None:
            return
        name = self._text(key)
        line = value.start_point[0] + 1
        role = self.stack[-1][1] if self.stack else ""
        if name in _PROSE_KEYWORDS:
            return
        if role == "option":
            if name == "default":
                self._add(self.stack[-1][2], value, line, FactSource.OPTION)
            elif name == "choices":
                self._add(f"{self.stack[-1][2]}.choices", value, line, FactSource.OPTION)
            return
        if role == "field" and name == "default":
            target = self._prefix()
            owner = self.owner
            if owner >= 0:
                target = f"{self.outline.definitions[owner].name}.{target}"
            self._add(target, value, line, FactSource.FIELD)
            return
        prefix = self._prefix()
        self._add(f"{prefix}.{name}" if prefix else name, value, line, FactSource.KEYWORD)

    def positional(self, node: Node, _end: int) -> None:
        """A number or truth value that is passed by its place."""
        if not self.stack:
            return
        _, role, callee = self.stack[-1]
        line = node.start_point[0] + 1
        arguments = node.parent
        if arguments is None or arguments.parent is None:
            return
        if role == "call":
            if node.type in {"true", "false"} or not (callee[:1].isupper() or callee[-1:] == "_"):
                return
            position = sum(
                1
                for child in arguments.named_children
                if child.type != "comment" and child.start_byte < node.start_byte
            )
            if (name := argument_name(callee, position)) is not None:
                self._add(name, node, line, FactSource.KEYWORD)
            return
        first = arguments.named_children[0].start_byte == node.start_byte
        if not first or role not in {"option", "field"}:
            return
        target = arguments.parent.parent
        if target is None:
            return
        # `lr: float = typer.Option(1e-4)` in a signature, `lr: float = Field(1e-4)` in a class
        if target.type in {"typed_default_parameter", "default_parameter"}:
            key, source = target.child_by_field_name("name"), FactSource.OPTION
        elif target.type == "assignment" and role == "field":
            key, source = target.child_by_field_name("left"), FactSource.FIELD
        else:
            return
        owner = self.owner
        scope = f"{self.outline.definitions[owner].name}." if owner >= 0 else ""
        self._add(f"{scope}{self._text(key)}", node, line, source)

    def default(self, node: Node, _end: int) -> None:
        key, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if key is None or value is None:
            return
        owner = self.owner
        name = self._text(key)
        if owner >= 0:
            definition = self.outline.definitions[owner]
            if definition.name == "__init__" and definition.parent >= 0:
                definition = self.outline.definitions[definition.parent]
            name = f"{definition.name}.{name}"
        self._add(name, value, value.start_point[0] + 1, FactSource.DEFAULT)

    def pair(self, node: Node, _end: int) -> None:
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or value is None:
            return
        name = self._text(key)[:_MAX_CALLEE].strip("'\"")
        prefix = self._prefix()
        full = f"{prefix}.{name}" if prefix else name
        self._add(full, value, value.start_point[0] + 1, FactSource.DICT)
