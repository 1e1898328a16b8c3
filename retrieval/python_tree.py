"""One walk over a tree of Python: what its lines are, definitions, calls, imports and values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from retrieval.grammars import field_id, kind_id, text_of
from retrieval.lookups import LOOKUP_CALLS, TABLE, lookup_in_table, lookup_of
from retrieval.outline import CallSite, Definition, Import, LineKind, Outline
from retrieval.python_values import MAX_CALLEE, Scope, ValueReader, kinds_of, squeeze
from retrieval.shell_outline import script_runs

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["read_tree"]

_MAX_GUARD = 40  # `if __name__ == "__main__":` and a bracket or two
_MAX_HEADER = 200
_OPTION_CALLS = frozenset({"add_argument", "option", "argument", "Option", "Argument"})
_FIELD_CALLS = frozenset({"field", "Field", "attrib", "ib"})
_MAGIC = b"# magic: "  # before a command in a notebook
_MAX_SPOKEN = 200
# Strings that may name a file, a module or something in a module: `run.py --x`, `a.b.C`, `a:C`.
_SPOKEN = re.compile(r"\w+(?:\.\w+)*(?:\.\w+|:\w+)|.*\.(?:py|sh|ipynb)\b.*|.*\s-m\s.*", re.DOTALL)
_QUOTES = b"'\""  # of a string without a prefix, in which no code can stand
# A line's kind as a plain number: an enumeration's members are slow to look up.
_OF_COMMENT, _OF_STRING = int(LineKind.COMMENT), int(LineKind.STRING)
_BASES = kinds_of("identifier attribute subscript call")
_CLASS = kind_id("python", "class_definition")
_STRING = kind_id("python", "string")
_COMPARISON = kind_id("python", "comparison_operator")
_IDENTIFIER = kind_id("python", "identifier")
_ATTRIBUTE = kind_id("python", "attribute")
_EXPRESSION = kind_id("python", "expression_statement")
_ARGUMENTS = field_id("python", "arguments")
_NAME = field_id("python", "name")
_FUNCTION = field_id("python", "function")
_BODY = field_id("python", "body")
_OF_OBJECT = field_id("python", "attribute")
# Names, points, subscripts and types: where nothing but these stands, there is nothing to read.
_PLAIN = bytes(set(range(256)) - set(b"({}\"'#\n=\\)"))
_MAX_PLAIN = 200  # bytes: what is nested is looked at anew on each level
_MAYBE_PLAIN = kinds_of("attribute typed_parameter type")
# Of these only the values matter that are passed by place.
_PASSED = kinds_of("integer float unary_operator true false")


def read_tree(root: Node, source: bytes, lines: list[str], outline: Outline) -> None:
    """Fill an outline with all that a tree of Python holds.

    Args:
        root: The root of the tree.
        source: What was parsed.
        lines: The lines of it.
        outline: What is filled; its line kinds are changed.
    """
    _Reader(source, lines, outline).read(root)


class _Reader:
    """Goes over the nodes in the order of the text, outer ones first."""

    def __init__(self, source: bytes, lines: list[str], outline: Outline) -> None:
        self.source = source
        self.lines = lines
        self.outline = outline
        self.kinds = outline.kinds
        self.calls = outline.calls
        # A joint at the very end of a file puts the end of a string behind the last line.
        self.end_row = len(outline.kinds) - 1
        self.scope = Scope(outline)
        self.decorated: dict[int, Node] = {}
        self.statement: Node | None = None  # the expression statement seen last
        self.called = -1  # first byte of the last call whose result is called

    def read(self, root: Node) -> None:
        # A handler says whether nothing inside of its node is to be looked at.
        values = ValueReader(self.source, self.outline, self.scope)
        handlers: dict[str, Callable[[Node, int], bool | None]] = {
            "function_definition": self.definition,
            "class_definition": self.definition,
            "decorated_definition": self.decoration,
            "call": self.call,
            "argument_list": values.arguments,
            "assignment": values.assignment,
            "keyword_argument": values.keyword,
            "default_parameter": values.default,
            "typed_default_parameter": values.default,
            "pair": values.pair,
            "block": self.statements,
            "module": self.statements,
            "comment": self.comment,
            "string": self.string,
            "import_statement": self.imports,
            "import_from_statement": self.imports,
            "if_statement": self.condition,
        }
        handler_of = {
            **{kind_id("python", kind): handler for kind, handler in handlers.items()},
            **dict.fromkeys(_MAYBE_PLAIN, self.plain),
            **dict.fromkeys(_PASSED, values.passed),
            _EXPRESSION: self.expression,
        }
        if TABLE.encode() in self.source:  # few files do, and attributes are many
            handler_of[_ATTRIBUTE] = self.attribute
        # Most nodes need none; of the others, these need none of what is around them.
        find, plain = handler_of.get, handler_of[kind_id("python", "type")]
        passed, expression = values.passed, handler_of[_EXPRESSION]
        stack, owners, places = self.scope.stack, self.scope.owners, values.places
        cursor = root.walk()
        while True:
            node = cursor.node
            assert node is not None
            handler = find(node.kind_id)
            done = None
            if handler is None or (handler is passed and not places):
                pass
            elif handler is plain:
                done = plain(node, node.start_byte)
            elif handler is expression:
                self.statement = node
            else:
                start = node.start_byte
                while stack and stack[-1][0] <= start:
                    stack.pop()
                while owners and owners[-1][0] <= start:
                    owners.pop()
                done = handler(node, start)
            if (not done and cursor.goto_first_child()) or cursor.goto_next_sibling():
                continue
            while cursor.goto_parent():
                if cursor.goto_next_sibling():
                    break
            else:
                return

    def _text(self, node: Node | None) -> str:
        return text_of(self.source, node)

    # ---- lines -----------------------------------------------------------------------------

    def statements(self, node: Node, _start: int) -> None:
        borders = self.outline.borders
        for child in node.named_children:
            row, column = child.start_point
            if borders.setdefault(row + 1, column) > column:
                borders[row + 1] = column

    def expression(self, node: Node, _start: int) -> None:
        self.statement = node

    def string(self, node: Node, start: int) -> bool:
        """Docstrings are strings; of a longer string in code, all but its first line."""
        end = node.end_byte
        plain = self.source[start] in _QUOTES
        statement = self.statement
        leads = statement is not None and statement.start_byte == start
        if end - start < _MAX_SPOKEN and not leads:
            text = self.source[start:end]
            if b"." in text or b":" in text or b"-m" in text:
                self._note_spoken(text.decode("utf-8", "replace"))
        # Alone in its statement: what begins and ends where the statement does. One that is filled
        # in runs what it is filled with.
        alone = leads and statement is not None and statement.end_byte == end
        alone = alone and (plain or all(part.type != "interpolation" for part in node.children))
        if not alone and self.source.find(b"\n", start, end) < 0:
            return plain
        kinds = self.kinds
        first = node.start_point[0] + (0 if alone else 1)
        behind = min(self.end_row, node.end_point[0]) + 1
        for row in range(first, behind):
            kinds[row] = kinds[row] and _OF_STRING
        if alone:
            self._note_docstring(node, first, behind)
        return plain

    def _note_docstring(self, node: Node, first: int, behind: int) -> None:
        lines, (_, column), (last, end) = self.lines, node.start_point, node.end_point
        # Columns are of bytes.
        if lines[first].encode("utf-8", "replace")[:column].strip():
            first += 1
        if last < behind and (rest := lines[last].encode("utf-8", "replace")[end:].strip()):
            behind -= not rest.startswith(b"#")
        if first < behind:
            self.outline.docstrings.append((first, behind))

    def _note_spoken(self, text: str) -> None:
        text = text.lstrip("rRbBuUfF").strip("'\"")
        if _SPOKEN.fullmatch(text):
            self.outline.spoken.append((text, self.scope.owner))

    def comment(self, node: Node, start: int) -> None:
        row, column = node.start_point
        if self.source.startswith(_MAGIC, start):
            text = text_of(self.source, node)[len(_MAGIC) :].strip().lstrip("!")
            text = text.replace("%run", "python", 1) if text.startswith("%run") else text
            self.outline.runs.extend(script_runs(text, row + 1))
        line = self.lines[row]
        if not line.isascii():
            column = len(line.encode("utf-8", "replace")[:column].decode("utf-8", "replace"))
        if not line[:column].strip():
            self.kinds[row] = _OF_COMMENT
        else:
            self.outline.tails[row + 1] = column

    def imports(self, node: Node, start: int) -> bool:
        line = node.start_point[0] + 1
        module = self._text(node.child_by_field_name("module_name"))
        names = node.children_by_field_name("name")
        imports = self.outline.imports
        for name_node in names:
            if name_node.type == "aliased_import":
                name = self._text(name_node.child_by_field_id(_NAME))
                alias = self._text(name_node.child_by_field_name("alias")) or name
            else:
                name = alias = self._text(name_node)
            if node.type == "import_statement":
                imports.append(Import(name, "", alias, line))
            else:
                imports.append(Import(module, name, alias, line))
        if not names and module:
            imports.append(Import(module, "*", "*", line))
        # Between brackets there may be comments.
        return self.source.find(b"#", start, node.end_byte) < 0

    def condition(self, node: Node, start: int) -> None:
        if b"__name__" not in self.source[start : start + _MAX_GUARD]:
            return
        asked = node.child_by_field_name("condition")
        if asked is not None and asked.kind_id == _COMPARISON:
            last = min(len(self.kinds), node.end_point[0] + 1)
            self.outline.main_lines.append((node.start_point[0] + 1, last))

    # ---- definitions and calls -------------------------------------------------------------

    def decoration(self, node: Node, _start: int) -> None:
        inner = node.child_by_field_name("definition")
        if inner is not None:
            self.decorated[inner.start_byte] = node

    def definition(self, node: Node, start: int) -> None:
        definitions = self.outline.definitions
        end = node.end_byte
        name = self._text(node.child_by_field_id(_NAME))
        body = node.child_by_field_id(_BODY)
        parent = self.scope.owner
        symbol = f"{definitions[parent].symbol}.{name}" if parent >= 0 else name
        outer = self.decorated.pop(start, None)
        decorators: tuple[str, ...] = ()
        if outer is not None:
            decorators = tuple(
                self._text(child).lstrip("@").split("(", 1)[0].strip()
                for child in outer.named_children
                if child.type == "decorator"
            )
        own_row, (end_row, end_column) = node.start_point[0], node.end_point
        first = (own_row if outer is None else outer.start_point[0]) + 1
        body_start = body.start_byte if body is not None else end
        head_end = body.start_point[0] if body is not None else end_row + 1
        header = self.source[start : min(body_start, start + 2000)]
        is_class = node.kind_id == _CLASS
        bases: tuple[str, ...] = ()
        if is_class and (above := node.child_by_field_name("superclasses")) is not None:
            bases = tuple(
                self._text(child) for child in above.named_children if child.kind_id in _BASES
            )
        count = len(self.lines)
        last = min(count, end_row + (1 if end_column else 0))
        definitions.append(
            Definition(
                symbol=symbol,
                name=name,
                is_class=is_class,
                first=first,
                head=min(count, max(own_row + 1, head_end)),
                last=max(first, last),
                header=squeeze(header.decode("utf-8", "replace"), _MAX_HEADER).rstrip(": "),
                parent=parent,
                decorators=decorators,
                bases=bases,
            )
        )
        self.scope.owners.append((end, len(definitions) - 1))
        self.scope.stack.append((end, "definition", ""))

    def call(self, node: Node, first: int) -> None:
        function = node.child_by_field_id(_FUNCTION)
        if function is None:
            return
        start, stop = function.start_byte, function.end_byte
        kind = function.kind_id
        if stop - start > MAX_CALLEE:
            name = self._text(function.child_by_field_id(_OF_OBJECT))
        elif kind == _IDENTIFIER:
            name = self.source[start:stop].decode("utf-8", "replace")
        elif kind == _ATTRIBUTE:
            name = self.source[start:stop].decode("utf-8", "replace")
            if not name.replace(".", "_").isidentifier():
                # make_model().train: what matters is what is called in the end.
                name = "." + self._text(function.child_by_field_id(_OF_OBJECT))
        else:
            self.called = start
            return
        if not name:
            return
        scope = self.scope
        owners = scope.owners
        owner = owners[-1][1] if owners else -1
        self.calls.append(CallSite(name, node.start_point[0] + 1, owner))
        short = name.rpartition(".")[2]
        if short in LOOKUP_CALLS:
            found = lookup_of(node, name, self.source, owner, called=first == self.called)
            if found is not None:
                self.outline.lookups.append(found)
        end = node.end_byte
        if short in _OPTION_CALLS:
            scope.stack.append((end, "option", self._option_name(node) or short))
        elif short in _FIELD_CALLS:
            scope.stack.append((end, "field", ""))
        else:
            scope.stack.append((end, "call", short))

    def plain(self, node: Node, start: int) -> bool:
        """Whether `a.b.c`, `x: Tensor` or the like is all that there is."""
        end = node.end_byte
        return (
            end - start < _MAX_PLAIN
            and not self.source[start:end].translate(None, _PLAIN)
            and not node.has_error
        )

    def attribute(self, node: Node, start: int) -> bool:
        """`a.b`, and whether nothing inside of it is to be looked at; `a.__dict__` is a look-up."""
        text = self.source[start : node.end_byte]
        if TABLE.encode() not in text:
            return self.plain(node, start)
        if self._text(node.child_by_field_id(_OF_OBJECT)) == TABLE:
            called = start == self.called
            found = lookup_in_table(node, self.source, self.scope.owner, called=called)
            if found is not None:
                self.outline.lookups.append(found)
        return False

    def _option_name(self, node: Node) -> str:
        arguments = node.child_by_field_id(_ARGUMENTS)
        best = ""
        for child in arguments.named_children if arguments is not None else ():
            if child.kind_id != _STRING:
                break
            name = self._text(child).strip("'\"").split("/")[0]
            if name.startswith("--") or not best:
                best = name
        return best.lstrip("-").replace("-", "_")
