"""Strict JSON, and where in its text a key or a value stands.

Parsing is the standard library's. Positions are looked for only when an error is to be reported,
by walking the text again, so that large files cost nothing extra while they are right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NoReturn

__all__ = ["JsonTextError", "Step", "json_position", "parse_json"]

Step = str | int

MAX_DEPTH = 64

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_TOKEN = re.compile(rf"{_STRING}|[\[\]{{}}:,]|[^\s\[\]{{}}:,\"]+", re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class JsonTextError(Exception):
    """A text that is not JSON as this project takes it.

    Attributes:
        problem: What is wrong.
        offset: Where in the text, in characters from 0; `None` where it is not known.
        remedy: What to do.
    """

    def __init__(
        self, problem: str, offset: int | None, remedy: str = "Write it as valid JSON"
    ) -> None:
        self.problem = problem
        self.offset = offset
        self.remedy = remedy
        super().__init__(problem)


class _DuplicateKeyError(Exception):
    """Only a signal: the place is looked up in the text."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _DuplicateKeyError
    return result


class _ConstantError(Exception):
    pass


def _constant(name: str) -> NoReturn:
    raise _ConstantError(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def parse_json(text: str) -> Any:  # noqa: ANN401
    """The value of a JSON text.

    Stricter than `json.loads`: a key given twice, `NaN`, infinities, half of a surrogate pair and
    nesting deeper than 64 levels are refused, since each of them goes wrong later and elsewhere.

    Raises:
        JsonTextError: The text is refused.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonTextError(f"not valid JSON: {error.msg}", error.pos) from None
    except _DuplicateKeyError:
        raise _duplicate_key(text) from None
    except _ConstantError as error:
        name = str(error)
        raise JsonTextError(f"{name} is not a JSON number", _token_offset(text, name)) from None
    except RecursionError:
        raise _too_deep(text) from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise JsonTextError(f"not valid JSON: {error}", None) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        raise _too_deep(text)
    if _SURROGATE_ESCAPE.search(text) is not None:
        _refuse_surrogates(text)
    return value


def _is_deep(value: Any) -> bool:  # noqa: ANN401
    """Whether containers are nested past the bound; level by level, never recursive."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for item in level:
            children: Iterable[Any]
            if type(item) is dict:
                children = item.values()
            elif type(item) is list:
                children = item
            else:
                continue
            below += [child for child in children if type(child) in {dict, list}]
        if not below:
            return False
        level = below
    return True


def _too_deep(text: str) -> JsonTextError:
    depth = 0
    offset = None
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                offset = token.start()
                break
        elif token[0] in "]}":
            depth -= 1
    return JsonTextError(
        f"nested deeper than {MAX_DEPTH} levels", offset, "Check how the file was written"
    )


def _token_offset(text: str, wanted: str) -> int | None:
    for token in _TOKEN.finditer(text):
        if token[0] in {wanted, f"-{wanted}"}:
            return token.start()
    return None


def _duplicate_key(text: str) -> JsonTextError:
    """The first key that stands twice in one object."""
    open_objects: list[dict[str, int] | None] = []
    previous: re.Match[str] | None = None
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "{":
                open_objects.append({})
            case "[":
                open_objects.append(None)
            case "}" | "]":
                open_objects.pop()
            case ":" if previous is not None:
                key: str = json.loads(previous[0], strict=False)
                seen = open_objects[-1]
                if seen is not None and key in seen:
                    line = text.count("\n", 0, seen[key]) + 1
                    return JsonTextError(
                        f"the key {key!r} is given twice, first on line {line}",
                        previous.start(),
                        "Keep one of the two",
                    )
                if seen is not None:
                    seen[key] = previous.start()
        previous = token
    return JsonTextError("a key is given twice", None, "Keep one of the two")


def _refuse_surrogates(text: str) -> None:
    for token in _TOKEN.finditer(text):
        if token[0][0] == '"' and _SURROGATE_ESCAPE.search(token[0]):
            string: str = json.loads(token[0])
            if any("\ud800" <= character <= "\udfff" for character in string):
                raise JsonTextError(
                    "half of a surrogate pair, which no file can hold as UTF-8",
                    token.start(),
                    "Write the whole character, or remove it",
                )


def json_position(text: str, steps: Iterable[Step], *, name: bool = False) -> int | None:
    """Where a value stands in a JSON text that has been parsed.

    Args:
        text: The text.
        steps: The way to the value: keys of objects and indexes of arrays.
        name: Give the place of the last key itself and not that of its value.

    Returns:
        The offset in characters from 0, or `None` where there is no such value.
    """
    tokens = _TOKEN.finditer(text)
    current = next(tokens, None)
    at_name: int | None = None
    for step in steps:
        if current is None:
            return None
        at_name = None
        if isinstance(step, str) and current[0] == "{":
            found = _enter_object(tokens, step)
            if found is None:
                return None
            at_name, current = found
        elif isinstance(step, int) and current[0] == "[":
            current = _enter_array(tokens, step)
        else:
            return None
    if current is None:
        return None
    return at_name if name and at_name is not None else current.start()


def _skip(tokens: Iterable[re.Match[str]], first: re.Match[str]) -> None:
    """Pass over the value that starts with `first`."""
    depth = 1 if first[0] in "[{" else 0
    while depth:
        for token in tokens:
            if token[0] in "[{":
                depth += 1
            elif token[0] in "]}":
                depth -= 1
                if not depth:
                    break
        else:
            return


def _enter_object(
    tokens: Iterable[re.Match[str]], wanted: str
) -> tuple[int, re.Match[str] | None] | None:
    stream = iter(tokens)
    for token in stream:
        if token[0] == "}":
            return None
        if token[0] == ",":
            continue
        key = json.loads(token[0])
        next(stream, None)  # the colon
        value = next(stream, None)
        if key == wanted:
            return token.start(), value
        if value is not None:
            _skip(stream, value)
    return None


def _enter_array(tokens: Iterable[re.Match[str]], wanted: int) -> re.Match[str] | None:
    stream = iter(tokens)
    index = 0
    for token in stream:
        if token[0] == "]":
            return None
        if token[0] == ",":
            index += 1
            continue
        if index == wanted:
            return token
        _skip(stream, token)
    return None
