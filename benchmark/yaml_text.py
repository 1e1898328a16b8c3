"""YAML read as data alone, with the place of every key and value.

Plain scalars mean what YAML 1.2 says: `1e-4` is a number, `on`, `no` and `12:30` are text, and
only `true` and `false` are truth values. Anchors, aliases, merge keys and tags are refused: they
have no use in the files of this project, and a few lines of them can unfold to gigabytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from benchmark.json_text import MAX_DEPTH, Step

__all__ = ["YamlTextError", "YamlTree", "parse_yaml"]

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]{1,400}\Z")
_OTHER_BASE = re.compile(r"0(?:o[0-7]{1,400}|x[0-9a-fA-F]{1,400})\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")

Place = tuple[int, int]


class YamlTextError(Exception):
    """A text that is not YAML as this project takes it.

    Attributes:
        problem: What is wrong.
        place: Line and column, both from 1; `None` where they are not known.
        remedy: What to do.
    """

    def __init__(
        self, problem: str, place: Place | None, remedy: str = "Write it as valid YAML"
    ) -> None:
        self.problem = problem
        self.place = place
        self.remedy = remedy
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class YamlTree:
    """A value and where each of its parts stands.

    Attributes:
        value: Mappings with text keys, lists, text, numbers, truth values and `None`.
        places: Line and column of each value, by the way to it.
        names: Line and column of each key, by the way to its value.
    """

    value: Any
    places: dict[tuple[Step, ...], Place] = field(default_factory=dict)
    names: dict[tuple[Step, ...], Place] = field(default_factory=dict)


@dataclass(slots=True)
class _Open:
    """A container that is being read; `key` waits for its value."""

    value: dict[str, Any] | list[Any]
    path: tuple[Step, ...]
    key: str | None = None


def parse_yaml(text: str) -> YamlTree:
    """Read one YAML document.

    Raises:
        YamlTextError: The text is refused.
    """
    try:
        return _build(yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = None if mark is None else (mark.line + 1, mark.column + 1)
        raise YamlTextError(f"not valid YAML: {error.problem or error.context}", place) from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        place = (before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
        raise YamlTextError(
            f"a character that YAML does not allow (U+{ord(text[error.position]):04X})", place
        ) from None
    except yaml.YAMLError as error:
        raise YamlTextError(f"not valid YAML: {error}", None) from None
    except (ValueError, OverflowError) as error:  # escapes and directives with absurd numbers
        raise YamlTextError(f"not valid YAML: {error}", None) from None


def _place(event: yaml.Event) -> Place:
    mark = event.start_mark
    return (1, 1) if mark is None else (mark.line + 1, mark.column + 1)


def _build(events: Iterator[yaml.Event]) -> YamlTree:
    tree = YamlTree(None)
    root: list[Any] = []
    stack: list[_Open] = []
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise YamlTextError(
                    "a second YAML document in one file", _place(event), "Keep one document a file"
                )
        elif isinstance(event, yaml.NodeEvent):
            _refuse_machinery(event)
            if isinstance(event, yaml.ScalarEvent):
                _add_scalar(tree, stack, root, event)
            else:
                _open(tree, stack, root, event)
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
    return YamlTree(root[0] if root else None, tree.places, tree.names)


def _refuse_machinery(event: yaml.NodeEvent) -> None:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise YamlTextError(
            f"the anchor or alias {event.anchor!r} is not supported",
            _place(event),
            "Write the value out; quote it if it is text that starts with & or *",
        )
    tag = getattr(event, "tag", None)
    if tag is not None:
        raise YamlTextError(
            f"the tag {tag!r} is not supported",
            _place(event),
            "Remove the tag; quote the value if it is text that starts with !",
        )


def _add_scalar(
    tree: YamlTree, stack: list[_Open], root: list[Any], event: yaml.ScalarEvent
) -> None:
    if any("\ud800" <= character <= "\udfff" for character in event.value):
        raise YamlTextError(
            "half of a surrogate pair, which no file can hold as UTF-8",
            _place(event),
            "Write the whole character, or remove it",
        )
    parent = stack[-1] if stack else None
    if parent is not None and isinstance(parent.value, dict) and parent.key is None:
        _add_key(tree, parent, event)
        return
    value = event.value if event.style else _resolve(event)
    _attach(tree, stack, root, value, event)


def _add_key(tree: YamlTree, parent: _Open, event: yaml.ScalarEvent) -> None:
    key: str = event.value
    path = (*parent.path, key)
    if not event.style and not isinstance(_resolve(event), str):
        raise YamlTextError(
            f"the key {key!r} is not text", _place(event), f'Quote it ("{key}") or correct it'
        )
    if path in tree.names:
        raise YamlTextError(
            f"the key {key!r} is given twice, first on line {tree.names[path][0]}",
            _place(event),
            "Keep one of the two",
        )
    if key == "<<" and not event.style:
        raise YamlTextError(
            "merge keys (<<) are not supported", _place(event), "Write the keys out"
        )
    tree.names[path] = _place(event)
    parent.key = key


def _open(tree: YamlTree, stack: list[_Open], root: list[Any], event: yaml.NodeEvent) -> None:
    if len(stack) >= MAX_DEPTH:
        raise YamlTextError(
            f"nested deeper than {MAX_DEPTH} levels",
            _place(event),
            "Check how the file was written",
        )
    parent = stack[-1] if stack else None
    if parent is not None and isinstance(parent.value, dict) and parent.key is None:
        raise YamlTextError(
            "a mapping or list stands where a key should", _place(event), "Use plain text as key"
        )
    value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
    path = _attach(tree, stack, root, value, event)
    stack.append(_Open(value, path))


def _attach(
    tree: YamlTree,
    stack: list[_Open],
    root: list[Any],
    value: Any,  # noqa: ANN401
    event: yaml.NodeEvent,
) -> tuple[Step, ...]:
    """Put a value where it belongs and remember its place; gives the way to it."""
    path: tuple[Step, ...] = ()
    if not stack:
        root.append(value)
    else:
        parent = stack[-1]
        if isinstance(parent.value, list):
            path = (*parent.path, len(parent.value))
            parent.value.append(value)
        else:
            key = parent.key or ""
            path = (*parent.path, key)
            parent.value[key] = value
            parent.key = None
    tree.places[path] = _place(event)
    return path


def _resolve(event: yaml.ScalarEvent) -> str | int | float | bool | None:
    """What a plain scalar means in the core schema of YAML 1.2."""
    text: str = event.value
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.match(text):
        return int(text)
    if _OTHER_BASE.match(text):
        return int(text[2:], 8 if text[1] == "o" else 16)
    if _FLOAT.match(text):
        number = float(text)
        if number in {float("inf"), float("-inf")}:
            raise YamlTextError(
                f"the number {text[:40]} is too large", _place(event), "Quote it if it is text"
            )
        return number
    if _NOT_FINITE.match(text):
        raise YamlTextError(
            f"{text} is not a number that can be used", _place(event), "Quote it if it is text"
        )
    return text
