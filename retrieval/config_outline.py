"""JSON, TOML and INI: entries, sections and values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from retrieval.comments import is_remark, mark_part
from retrieval.grammars import parse, query, text_of
from retrieval.outline import Definition, LineKind, Outline, RawFact, blank_kinds
from retrieval.values import FactSource, ParseState

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["config_outline", "ini_outline"]

_QUERIES = {
    "json": "(pair) @pair (array (_) @border) (comment) @comment",
    "toml": "(pair) @pair (table) @table (table_array_element) @table (comment) @comment",
}
_SIMPLE = {
    "string", "number", "true", "false", "null", "array", "integer", "float",
    "boolean", "local_date", "inline_table",
}  # fmt: skip
_TOML_KEYS = {"bare_key", "dotted_key", "quoted_key"}
_MAX_VALUE = 120
# A name grows with each level, and there may be ten thousand of them.
_MAX_NAME = 200
_MAX_FACTS = 5_000
_SPACES = re.compile(r"\s+")


def config_outline(language: str, lines: list[str]) -> Outline:
    """Read a JSON or TOML file."""
    kinds = blank_kinds(lines, LineKind.CODE)
    source = "\n".join(lines).encode("utf-8", "replace")
    tree = parse(language, source)
    if tree is None:
        return Outline(ParseState.BROKEN, kinds, notes=["the parser gave up"])
    root = tree.root_node
    outline = Outline(ParseState.BROKEN if root.has_error else ParseState.PARSED, kinds)
    captures = QueryCursor(query(language, _QUERIES[language])).captures(root)
    _mark_comments(captures.get("comment", []), lines, outline)
    events: list[tuple[int, int, str, Node]] = []
    for kind in ("pair", "table", "border"):
        events.extend(
            (node.start_byte, -node.end_byte, kind, node) for node in captures.get(kind, ())
        )
    events.sort(key=lambda event: event[:2])
    stack: list[tuple[int, str]] = []  # (end byte, dotted name)
    for start, minus_end, kind, node in events:
        while stack and stack[-1][0] <= start:
            stack.pop()
        row, column = node.start_point
        outline.borders.setdefault(row + 1, column)
        prefix = stack[-1][1] if stack else ""
        if kind in {"pair", "table"}:
            key, value = _parts(language, node, source)
            name = (f"{prefix}.{key}" if prefix else key)[-_MAX_NAME:]
            if not stack and key:
                _section(outline, key, node)
            stack.append((-minus_end, name))
            if kind == "pair" and is_remark(key):
                mark_part(
                    outline, lines, _place(node.start_point, lines), _place(node.end_point, lines),
                    LineKind.COMMENT,
                )  # fmt: skip
            elif value is not None and value.type in _SIMPLE:
                _add(outline, name, value, source)
    return outline


def _mark_comments(nodes: list[Node], lines: list[str], outline: Outline) -> None:
    for node in nodes:
        row, column = node.start_point
        line = lines[row]
        if not line.isascii():
            column = len(line.encode("utf-8", "replace")[:column].decode("utf-8", "replace"))
        if line[:column].strip():
            outline.tails[row + 1] = column
        else:
            outline.kinds[row] = LineKind.COMMENT


def _place(point: tuple[int, int], lines: list[str]) -> tuple[int, int]:
    """A place of the parser, in bytes, as a row and column in characters."""
    row, column = point
    if row >= len(lines):
        return len(lines) - 1, len(lines[-1])
    line = lines[row]
    if not line.isascii():
        column = len(line.encode("utf-8", "replace")[:column].decode("utf-8", "replace"))
    return row, column


def _parts(language: str, node: Node, source: bytes) -> tuple[str, Node | None]:
    """The key of an entry and the node of its value."""
    if language == "toml":
        children = node.named_children
        key = text_of(source, children[0]) if children and children[0].type in _TOML_KEYS else ""
        value = children[1] if node.type == "pair" and len(children) > 1 else None
    else:
        key = text_of(source, node.child_by_field_name("key"))
        value = node.child_by_field_name("value")
    return _SPACES.sub(" ", key[:100]).strip("'\""), value


def _section(outline: Outline, key: str, node: Node) -> None:
    first = node.start_point[0] + 1
    last = max(first, node.end_point[0] + (1 if node.end_point[1] else 0))
    last = min(last, len(outline.kinds))
    if outline.definitions and outline.definitions[-1].last >= first:
        return
    outline.definitions.append(Definition(key, key, False, first, first, last, key))


def _add(outline: Outline, name: str, value: Node, source: bytes) -> None:
    text = text_of(source, value)
    if value.start_point[0] != value.end_point[0] and len(text) > _MAX_VALUE * 4:
        return
    if name and text and len(outline.facts) < _MAX_FACTS:
        text = _SPACES.sub(" ", text[: _MAX_VALUE * 2]).strip()
        text = text if len(text) <= _MAX_VALUE else text[: _MAX_VALUE - 1] + "…"
        line = value.start_point[0] + 1
        outline.facts.append(RawFact(name, text, line, FactSource.CONFIG))


_INI_SECTION = re.compile(r"\s*\[([^\]]+)\]")
_INI_ENTRY = re.compile(r"\s*([\w.\-/ ]{1,80}?)\s*[=:]\s*(.*)")


def ini_outline(lines: list[str]) -> Outline:
    """Read an INI, CFG or properties file, line by line."""
    kinds = blank_kinds(lines, LineKind.CODE)
    outline = Outline(ParseState.PARSED, kinds)
    section = ""
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if not stripped:
            continue
        if stripped[0] in "#;":
            kinds[number - 1] = LineKind.COMMENT
        elif match := _INI_SECTION.match(line):
            section = match[1].strip()[:100]
            outline.borders[number] = 0
            outline.definitions.append(
                Definition(section, section, False, number, number, number, f"[{section}]")
            )
        elif match := _INI_ENTRY.fullmatch(line):
            outline.borders[number] = 1
            name = f"{section}.{match[1]}" if section else match[1]
            if match[2] and len(outline.facts) < _MAX_FACTS:
                value = match[2].strip()[:_MAX_VALUE]
                outline.facts.append(RawFact(name, value, number, FactSource.CONFIG))
        if outline.definitions and outline.definitions[-1].name == section:
            outline.definitions[-1].last = number
    return outline
