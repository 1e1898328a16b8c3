"""From an answer to the fields of a verdict: all of them as the schema says, or a named error.

Nothing is guessed. A level that is not on the scale is an error, never rounded or clamped; a field
that is not there has no default; and where an answer holds several objects, only the one that ends
it can be the verdict, so that a verdict quoted from the graded code is never taken for the judge's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from benchmark import Drift, Failure, Level
from judge.counting import counted
from judge.protocol import Answer, AnswerError
from judge.records import writable
from judge.thoughts import without_thoughts
from prompts.schema import ANSWER_SCHEMA, CANNOT_TELL, LEVEL_WORDS

__all__ = ["ParsedAnswer", "ParsedCitation", "parse_answer", "parse_fields", "read_object"]

_MAX_TEXT = 1_000_000
_MAX_DEPTH = 16
_MAX_ITEMS = 200
_MAX_LINE = 10**9
_TRUNCATED = frozenset(
    {"length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"}
)
_REFUSED = frozenset({"refusal", "content_filter"})
_ESCAPE = re.compile(r'\\(u[0-9a-fA-F]{4}|["\\/bfnrt]|)')
_START = re.compile(r'\{\s*(?:"|\})')
_AFTER = re.compile(r"[\s`]*")
_FIELDS = frozenset(ANSWER_SCHEMA["required"])
_CITATION_FIELDS = frozenset(ANSWER_SCHEMA["properties"]["citations"]["items"]["required"])


@dataclass(frozen=True, slots=True)
class ParsedCitation:
    """Lines that the judge says prove its verdict, not looked up yet; numbers may be nonsense."""

    path: str
    first: int
    last: int
    quote: str


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """The fields of an answer.

    Attributes:
        level: The level, or `None` where the judge cannot tell.
        flags: What parsing had to do: `repaired`, `several_objects`.
    """

    expected: str
    found: str
    citations: tuple[ParsedCitation, ...]
    rationale: str
    level: Level | None
    drift: Drift
    failure: Failure
    confidence: float
    lacking: tuple[str, ...]
    flags: tuple[str, ...] = ()


def parse_answer(answer: Answer) -> ParsedAnswer:
    """Read an answer.

    Raises:
        AnswerError: With the code `truncated`, `reasoning_cut`, `refused`, `empty`, `too_large`,
            `bad_json`, `duplicate_field`, `missing_field`, `unknown_field`, `bad_field`,
            `off_scale` or `off_menu`.
    """
    record, flags = _object(answer)
    return _checked(record, answer, flags)


def read_object(answer: Answer) -> dict[str, Any]:
    """Read the one JSON object of an answer, whatever its fields.

    Raises:
        AnswerError: As for `parse_answer`, but for what is wrong with fields.
    """
    return _object(answer)[0]


def parse_fields(record: dict[str, Any], answer: Answer) -> ParsedAnswer:
    """Read the fields of a verdict in an object that is part of an answer.

    Raises:
        AnswerError: With the codes of `parse_answer` that are about fields.
    """
    return _checked(record, answer, ())


def _object(answer: Answer) -> tuple[dict[str, Any], tuple[str, ...]]:
    if answer.finish in _TRUNCATED:
        tokens = answer.usage.output_tokens
        after = f" after {counted(tokens, 'token')}" if tokens is not None else ""
        if not without_thoughts(answer.text)[0].strip():
            raise _error("reasoning_cut", f"cut off before its first word{after}", answer)
        raise _error("truncated", f"the answer was cut off{after}; allow more output", answer)
    if answer.finish in _REFUSED:
        raise _error("refused", f"the model refused: {answer.text[:200]!r}", answer)
    if not answer.text.strip():
        raise _error("empty", f"the answer is empty (finish: {answer.finish})", answer)
    if len(answer.text) > _MAX_TEXT:
        raise _error("too_large", f"the answer has {len(answer.text):,} characters", answer)
    try:
        return _record(answer.text)
    except _FieldError as error:
        raise _error(error.code, error.message, answer) from None


def _checked(record: dict[str, Any], answer: Answer, flags: tuple[str, ...]) -> ParsedAnswer:
    try:
        return _fields(record, flags)
    except _FieldError as error:
        raise _error(error.code, error.message, answer) from None


class _FieldError(Exception):
    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


class _EscapeError(_FieldError):
    """The text is not JSON in a way that one repair may cure."""


def _error(code: str, message: str, answer: Answer) -> AnswerError:
    return AnswerError(code, message, attempts=answer.attempts, answer=answer)


def _record(text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Find the one object that is the verdict."""
    try:
        return _find(text, strict=True)
    except _EscapeError as error:
        repaired = _ESCAPE.sub(lambda match: match.group(0) if match.group(1) else "\\\\", text)
        try:
            record, flags = _find(repaired, strict=False)
        except _FieldError:
            raise error from None
        return record, (*flags, "repaired")


def _find(text: str, *, strict: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    decoder = _decoder(strict)
    whole = text.strip().removeprefix("\ufeff")
    if _START.match(whole):
        record, end = _decode(decoder, whole, 0)
        if end == len(whole):
            return record, ()
    body, done = without_thoughts(text)
    if not done:
        raise _FieldError("reasoning_cut", "the output ended inside the model's thoughts")
    if text.strip() and not body.strip():
        raise _FieldError("empty", "the output ended after the model's thoughts")
    return _last_object(decoder, body)


def _last_object(decoder: json.JSONDecoder, text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the object that ends a text, whatever objects and prose come before it.

    What begins like an object and is none is an error at once: whatever stands inside it, such as
    quoted code, must not pass for a top-level object.
    """
    last: dict[str, Any] | None = None
    end = 0
    earlier = 0
    while start := _START.search(text, end):
        if last is not None:
            earlier += _satisfies(last)
        last, end = _decode(decoder, text, start.start())
    if last is None:
        raise _FieldError("bad_json", f"there is no JSON object in {_shown(text)}")
    if _AFTER.fullmatch(text, end) is None:
        raise _FieldError(
            "bad_json", f"the answer does not end with its object: {_shown(text[end:])}"
        )
    return last, ("several_objects",) if earlier else ()


def _satisfies(record: dict[str, Any]) -> bool:
    try:
        _fields(record, ())
    except _FieldError:
        return False
    return True


def _decoder(strict: bool) -> json.JSONDecoder:
    return json.JSONDecoder(
        strict=strict, object_pairs_hook=_unique, parse_constant=_refuse_constant
    )


def _decode(decoder: json.JSONDecoder, text: str, start: int) -> tuple[dict[str, Any], int]:
    _check_depth(text, start)
    try:
        record, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        kind = _EscapeError if "scape" in error.msg or "control" in error.msg else _FieldError
        raise kind(
            "bad_json", f"{error.msg} at character {error.pos}: {_shown(text[error.pos :])}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise _FieldError("bad_json", str(error)) from None
    return record, end


def _check_depth(text: str, start: int) -> None:
    """Refuse nesting that no answer has, before a recursive parser meets it."""
    if text.count("{", start) + text.count("[", start) <= _MAX_DEPTH:
        return
    depth = 0
    in_string = False
    for match in _STRUCTURE.finditer(text, start):
        mark = match.group()
        if mark == '"':
            in_string = not in_string
        elif in_string or mark[0] == "\\":
            continue
        elif mark in "{[":
            depth += 1
            if depth > _MAX_DEPTH:
                raise _FieldError("bad_json", f"more than {_MAX_DEPTH} levels of nesting")
        else:
            depth -= 1
            if depth <= 0:
                return


_STRUCTURE = re.compile(r'\\.|["{}\[\]]', re.DOTALL)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _FieldError("duplicate_field", f"{_shown(twice)} is given twice")
    return record


def _refuse_constant(word: str) -> NoReturn:
    raise _FieldError("bad_json", f"{word} is not JSON")


def _fields(record: dict[str, Any], flags: tuple[str, ...]) -> ParsedAnswer:
    _check_names(record, _FIELDS, "the answer")
    citations = record["citations"]
    if not isinstance(citations, list):
        raise _wrong("citations", "a list", citations)
    lacking = record["lacking"]
    if not isinstance(lacking, list):
        raise _wrong("lacking", "a list", lacking)
    if max(len(citations), len(lacking)) > _MAX_ITEMS:
        raise _FieldError("too_large", f"more than {_MAX_ITEMS} citations or things lacking")
    return ParsedAnswer(
        expected=_text(record, "expected"),
        found=_text(record, "found"),
        citations=tuple(_citation(item) for item in citations),
        rationale=_text(record, "rationale"),
        level=_level(record["level"]),
        drift=Drift(_choice(record, "drift", {drift.value for drift in Drift})),
        failure=Failure(_choice(record, "failure", {failure.value for failure in Failure})),
        confidence=_confidence(record["confidence"]),
        lacking=tuple(_text({"lacking": item}, "lacking") for item in lacking),
        flags=flags,
    )


def _check_names(record: Mapping[str, Any], names: frozenset[str], what: str) -> None:
    if missing := sorted(names - record.keys()):
        raise _FieldError("missing_field", f"{what} has no {', '.join(map(repr, missing))}")
    if unknown := sorted(record.keys() - names):
        raise _FieldError("unknown_field", f"{what} has {_shown(unknown[0])}, which means nothing")


def _level(value: object) -> Level | None:
    if value == CANNOT_TELL:
        return None
    if isinstance(value, str) and value in LEVEL_WORDS:
        return LEVEL_WORDS[value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return Level.from_score(value)
        except ValueError:
            pass
    words = ", ".join([*LEVEL_WORDS, CANNOT_TELL])
    raise _FieldError("off_scale", f"the level {_shown(value)} is not one of {words}")


def _choice(record: Mapping[str, Any], name: str, menu: set[str]) -> str:
    value = record[name]
    if not isinstance(value, str) or value not in menu:
        raise _FieldError(
            "off_menu", f"the {name} {_shown(value)} is not one of {', '.join(sorted(menu))}"
        )
    return value


def _confidence(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _wrong("confidence", "a number from 0 to 1", value)
    return float(value)


def _citation(item: object) -> ParsedCitation:
    if not isinstance(item, dict):
        raise _wrong("citations", "a list of objects", item)
    _check_names(item, _CITATION_FIELDS, "a citation")
    return ParsedCitation(
        path=_text(item, "path"),
        first=_line(item, "first"),
        last=_line(item, "last"),
        quote=_text(item, "quote"),
    )


def _line(record: Mapping[str, Any], name: str) -> int:
    value = record[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise _wrong(name, "a line number", value)
    return int(min(max(value, 0), _MAX_LINE))


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if not isinstance(value, str):
        raise _wrong(name, "text", value)
    return writable(value)


def _wrong(name: str, wanted: str, value: object) -> _FieldError:
    return _FieldError("bad_field", f"{name} should be {wanted}, not {_shown(value)}")


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
