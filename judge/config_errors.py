"""From pydantic's complaints to one error that names the line, the key and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from benchmark import InputError
from benchmark.documents import Document, Step, dotted, nearest, one_of, shown

__all__ = ["SeveralError", "fault", "translate"]

_TOLD = 20
_KEY_ITSELF = re.compile(r"(?:api|access|auth)?[-_]?(?:key|token|secret)\Z", re.IGNORECASE)

_EXPECTED = {
    "string_type": ("text", 'Put it in quotes: "{value}"'),
    "bool_type": ("true or false", "Write true or false, without quotes"),
    "int_type": ("a whole number", "Write a whole number, without quotes"),
    "int_from_float": ("a whole number", "Write a whole number"),
    "float_type": ("a number", "Write a number, without quotes"),
    "path_type": ("a path", "Write a path in quotes"),
    "tuple_type": ("a list", "Write it as a list: [a, b]"),
    "dict_type": ("a mapping with keys", "Write keys and values below it"),
    "model_type": ("a mapping with keys", "Write keys and values below it"),
    "too_short": ("a list with an entry", "Add an entry, or remove the key"),
}
_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}


def fault(problem: str, remedy: str, *at: Step) -> PydanticCustomError:
    """An error for a validator to raise.

    Args:
        problem: What is wrong, to be read after the key's name.
        remedy: What to do.
        *at: Keys from the validated value on to the culprit.
    """
    return PydanticCustomError(
        "fault", "{problem}", {"problem": problem, "remedy": remedy, "at": at}
    )


class SeveralError(InputError):
    """Several things are wrong with one file; by itself it is the first of them.

    Attributes:
        all: Each of them.
    """

    def __init__(self, errors: Sequence[InputError]) -> None:
        first = errors[0]
        super().__init__(first.problem, where=first.where, remedy=first.remedy)
        self.all = tuple(errors)
        lines = [str(error) for error in errors[:_TOLD]]
        if len(errors) > _TOLD:
            lines.append(f"And {len(errors) - _TOLD} more.")
        self.args = ("\n".join(lines),)


def translate(error: ValidationError, document: Document, model: type[BaseModel]) -> InputError:
    """All complaints as one `InputError`, unknown keys before all others, then by place.

    A mistyped key often leaves another one missing: then the mistyped one is told alone.
    """
    details = error.errors(include_url=False)
    unknown = {detail["loc"][:-1] for detail in details if detail["type"] == "extra_forbidden"}
    # What is wrong inside a list makes it too short as well, and is told alone.
    around = {detail["loc"][:end] for detail in details for end in range(len(detail["loc"]))}
    kept = [
        detail
        for detail in details
        if (detail["type"] != "missing" or detail["loc"][:-1] not in unknown)
        and detail["loc"] not in around
    ]
    found: dict[tuple[int | None, int | None, str | None], InputError] = {}
    for detail in sorted(kept, key=lambda detail: detail["type"] != "extra_forbidden"):
        told = _translate(detail, document, model)
        # One value may fail in several ways: the first says enough.
        found.setdefault((told.where.line, told.where.column, told.where.key), told)
    errors = list(found.values())
    return errors[0] if len(errors) == 1 else SeveralError(errors)


def _translate(detail: ErrorDetails, document: Document, model: type[BaseModel]) -> InputError:
    steps: tuple[Step, ...] = detail["loc"]
    key = dotted(steps) or "the config"
    kind, context, value = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "extra_forbidden":
        return _unknown_key(steps, document, model)
    if kind == "missing":
        return document.error(f"{key} is missing", *steps, remedy=f"Add {key}")
    if kind == "fault":
        at = (*steps, *context["at"])
        problem = context["problem"]
        if steps and context["at"]:  # it is the section that has or gives something
            problem = f"{key} {problem}"
        return document.error(problem, *at, remedy=context["remedy"])
    if kind in {"literal_error", "enum"}:
        choices = re.findall(r"'([^']*)'", str(context.get("expected", "")))
        near = nearest(value, choices) if isinstance(value, str) else None
        return document.error(
            f"should be {one_of(choices)}, not {shown(value)}",
            *steps,
            remedy=f"Write {near}, if that is what you mean" if near else f"Use {one_of(choices)}",
        )
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return document.error(
            f"should be {words} {context[name]}, not {shown(value)}",
            *steps,
            remedy=f"Use a number that is {words} {context[name]}",
        )
    if kind in _EXPECTED:
        expected, remedy = _EXPECTED[kind]
        # `api_key_env` may hold the key by mistake: its value is not shown, whatever is wrong.
        told = "" if "api_key_env" in steps else f", not {shown(value)}"
        plain = value if isinstance(value, (int, float)) and told else "..."
        return document.error(
            f"should be {expected}{told}", *steps, remedy=remedy.format(value=plain)
        )
    return document.error(
        f"{detail['msg'][:1].lower()}{detail['msg'][1:]}", *steps, remedy="Correct the value"
    )


def _unknown_key(steps: tuple[Step, ...], document: Document, model: type[BaseModel]) -> InputError:
    name = str(steps[-1])
    owner = ".".join(str(step) for step in steps[:-1])
    if len(steps) > 2 and steps[1] in {"members", "first", "then"}:
        owner = str(steps[0])  # a judge inside of a judge is a section like the one around it
    sections = dict(_sections(model))
    known = sections.get(owner, ())
    if _KEY_ITSELF.search(name):
        return document.error(
            f"{name} would put a secret into a file that is copied into every run",
            *steps,
            name=True,
            remedy="Remove it, put the key into an environment variable and write its name as "
            "judge.api_key_env; if the file was shared, replace the key",
        )
    near = nearest(name, known)
    homes = [section for section, keys in sections.items() if section != owner and name in keys]
    if near:
        remedy = f"Write {near}, if that is what you mean"
    elif homes:
        remedy = f"Move it to {homes[0] or 'the top of the file'}"
    else:
        remedy = f"Remove it, or use {one_of(known)}"
    return document.error(
        f"unknown key {name!r} in {owner or 'the config'}", *steps, name=True, remedy=remedy
    )


def _sections(model: type[BaseModel]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each section's dotted name and its keys; the whole config has the empty name."""
    yield "", tuple(model.model_fields)
    for name, field in model.model_fields.items():
        kinds: tuple[Any, ...] = (field.annotation, *get_args(field.annotation))
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield name, tuple(kind.model_fields)
