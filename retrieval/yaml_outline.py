"""YAML, read as the events of libyaml.

tree-sitter's YAML grammar is not used: a few hundred nested entries overrun the memory in which it
keeps indentation, which ends the process, and graded files are hostile. libyaml stops at a depth
and says so.
"""

from __future__ import annotations

import re

import yaml

from retrieval.comments import is_remark
from retrieval.outline import Definition, LineKind, Outline, RawFact, blank_kinds
from retrieval.values import FactSource, ParseState

__all__ = ["yaml_outline"]

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: the same events, slower
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

_MAX_VALUE = 120
_MAX_NAME = 200
_MAX_FACTS = 5_000
# libyaml ends lines at these too; here lines end at LF alone.
_OTHER_ENDS = str.maketrans("\r\x85\u2028\u2029\0", "     ")
_SPACES = re.compile(r"\s+")
_LOOSE_ENTRY = re.compile(r"(\s*)(?:- )?([\w.\-/]+)\s*:(?:\s+([^#]*))?")


class _Frame:
    """One open collection: a mapping knows its present key, and both know their dotted name."""

    __slots__ = ("first_key", "flow", "is_mapping", "items", "key", "name", "start")

    def __init__(self, name: str, start: int, *, is_mapping: bool, flow: bool) -> None:
        self.name = name
        self.is_mapping = is_mapping
        self.flow = flow
        self.start = start
        self.key: str | None = None
        self.first_key = True
        self.items: list[str] | None = []


def yaml_outline(lines: list[str]) -> Outline:
    """Read a YAML file; behind an error, line by line."""
    kinds = blank_kinds(lines, LineKind.CODE)
    outline = Outline(ParseState.PARSED, kinds)
    _mark_comments(lines, outline)
    text = "\n".join(lines).translate(_OTHER_ENDS)
    try:
        _read(text, outline)
    except yaml.YAMLError as error:
        outline.state = ParseState.BROKEN
        mark = getattr(error, "problem_mark", None)
        _read_loosely(lines, mark.line if mark is not None else 0, outline)
    _close_sections(outline, len(lines))
    return outline


def _mark_comments(lines: list[str], outline: Outline) -> None:
    for row, line in enumerate(lines):
        if "#" not in line:
            continue
        if line.lstrip().startswith("#"):
            outline.kinds[row] = LineKind.COMMENT
        elif (at := line.find(" #")) >= 0 and line[:at].count('"') % 2 == 0:
            outline.tails[row + 1] = at


def _read(text: str, outline: Outline) -> None:
    stack: list[_Frame] = []
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.ScalarEvent):
            _scalar(event, stack, outline)
        elif isinstance(event, yaml.CollectionStartEvent):
            row, column = _place(event)
            frame = stack[-1] if stack else None
            name = _child_name(frame)
            if frame is not None and not frame.is_mapping:
                outline.borders.setdefault(row + 1, max(0, column - 2))
                frame.items = None
            stack.append(
                _Frame(
                    name,
                    row + 1,
                    is_mapping=isinstance(event, yaml.MappingStartEvent),
                    flow=bool(event.flow_style),
                )
            )
        elif isinstance(event, yaml.CollectionEndEvent):
            frame = stack.pop()
            if frame.items and not frame.is_mapping and frame.flow:
                value = "[" + ", ".join(frame.items) + "]"
                _add(outline, frame.name, value, frame.start)
            _value_done(stack)
        elif isinstance(event, yaml.AliasEvent):
            _value_done(stack)


def _place(event: yaml.Event) -> tuple[int, int]:
    """Row and column of an event's start, from 0."""
    mark = event.start_mark
    return (mark.line, mark.column) if mark is not None else (0, 0)


def _child_name(frame: _Frame | None) -> str:
    if frame is None:
        return ""
    if not frame.is_mapping or frame.key is None:
        return frame.name
    return (f"{frame.name}.{frame.key}" if frame.name else frame.key)[-_MAX_NAME:]


def _value_done(stack: list[_Frame]) -> None:
    if stack and stack[-1].is_mapping:
        # A collection as a key has no name of its own.
        stack[-1].key = None if stack[-1].key is not None else "?"


def _scalar(event: yaml.ScalarEvent, stack: list[_Frame], outline: Outline) -> None:
    row, column = _place(event)
    value = _SPACES.sub(" ", str(event.value)[: _MAX_VALUE * 2]).strip()
    end = event.end_mark.line if event.end_mark is not None else row
    remark = bool(stack) and stack[-1].is_mapping and is_remark(stack[-1].key or "")
    if event.style in {"|", ">"} or end > row or remark:
        # A block ends where the next line begins, the others on their last line.
        stop = end if event.style in {"|", ">"} else end + 1
        if remark and not stack[-1].flow and column > 0:
            outline.kinds[row] = outline.kinds[row] and LineKind.STRING
        for inner in range(row + 1, min(stop, len(outline.kinds))):
            outline.kinds[inner] = outline.kinds[inner] and LineKind.STRING
            outline.tails.pop(inner + 1, None)
    if not stack:
        return
    frame = stack[-1]
    if not frame.is_mapping:
        outline.borders.setdefault(row + 1, max(0, column - 2))
        if frame.flow and frame.items is not None and len(frame.items) < 40:
            frame.items.append(value)
        elif not frame.flow:
            _add(outline, frame.name, value, row + 1)
        return
    if frame.key is None:
        frame.key = value[:100] or "?"
        if not frame.flow:
            outline.borders.setdefault(row + 1, column)
            if len(stack) == 1:
                outline.definitions.append(
                    Definition(frame.key, frame.key, False, row + 1, row + 1, row + 1, frame.key)
                )
        return
    if not remark:
        _add(outline, _child_name(frame), value, row + 1)
    frame.key = None


def _add(outline: Outline, name: str, value: str, line: int) -> None:
    if name and value and len(outline.facts) < _MAX_FACTS:
        value = value if len(value) <= _MAX_VALUE else value[: _MAX_VALUE - 1] + "…"
        outline.facts.append(RawFact(name, value, line, FactSource.CONFIG))


def _read_loosely(lines: list[str], start: int, outline: Outline) -> None:
    """Entries by their indentation, from a row on, for files with templates or errors in them."""
    open_keys: list[tuple[int, str]] = []
    for row in range(start, len(lines)):
        match = _LOOSE_ENTRY.match(lines[row])
        if match is None or outline.kinds[row] != LineKind.CODE:
            continue
        indent, key, value = len(match[1]), match[2][:100], (match[3] or "").strip()
        while open_keys and open_keys[-1][0] >= indent:
            open_keys.pop()
        outline.borders.setdefault(row + 1, indent)
        if value:
            name = ".".join([*(name for _, name in open_keys[-6:]), key])
            _add(outline, name, value, row + 1)
        open_keys.append((indent, key))


def _close_sections(outline: Outline, count: int) -> None:
    """A top-level entry goes on until the next one; two on one line are one."""
    kept: list[Definition] = []
    for definition in sorted(outline.definitions, key=lambda d: d.first):
        if kept and kept[-1].first == definition.first:
            continue
        if kept:
            kept[-1].last = definition.first - 1
        definition.last = count
        kept.append(definition)
    outline.definitions = kept
