"""Strict pulls out of a document's data: each failure names the place, the key and the remedy."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from benchmark.documents import Document, Step, nearest, one_of, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Dimension

__all__ = [
    "check_id",
    "check_name",
    "dimension_of",
    "refuse_unknown",
    "same_name",
    "sequence_at",
    "short_text",
    "table_at",
    "text_at",
]

MAX_NAME = 200
# Longer ones are no claims: the longest of some 1,500 real claims has 2,425 characters.
MAX_CLAIM = 8_000
MAX_SOURCE = 2_000

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\\u2028\u2029\ud800-\udfff]')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?\Z", re.IGNORECASE)
_LINE = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def table_at(document: Document, value: object, *steps: Step, what: str) -> Mapping[str, Any]:
    """The value as a mapping.

    Raises:
        InputError: It is something else.
    """
    if isinstance(value, dict):
        return value
    raise document.error(
        f"{what} should be a mapping with keys, not {shown(value)}",
        *steps,
        remedy=f"Write {what} as keys and values",
    )


def sequence_at(document: Document, value: object, *steps: Step, what: str) -> list[Any]:
    """The value as a list.

    Raises:
        InputError: It is something else.
    """
    if isinstance(value, list):
        return value
    raise document.error(
        f"{what} should be a list, not {shown(value)}", *steps, remedy=f"Write {what} as a list"
    )


def text_at(
    document: Document,
    table: Mapping[str, Any],
    names: tuple[str, ...],
    *steps: Step,
    required: bool = True,
) -> str:
    """The text under the first of some names that is given; empty where none is and none need be.

    Raises:
        InputError: It is missing or empty though required, or is not text.
    """
    for name in names:
        value = table.get(name)
        if value is None:
            continue
        if not isinstance(value, str):
            raise document.error(
                f"{name} should be text, not {shown(value)}",
                *steps,
                name,
                remedy=f"Put the value of {name} in quotes, or correct it",
            )
        if value.strip():
            return value.strip()
        if required:
            raise document.error(f"{name} is empty", *steps, name, remedy=f"Fill in {name}")
    if required:
        given = one_of(names)
        raise document.error(f"{given} is missing", *steps, remedy=f"Add {given}")
    return ""


def refuse_unknown(
    document: Document, table: Mapping[str, Any], known: Collection[str], *steps: Step
) -> None:
    """Refuse the first key that is not known.

    Raises:
        InputError: There is one; it names the nearest known key.
    """
    for name in table:
        if name not in known:
            near = nearest(name, known)
            remedy = (
                f"Write {near}, if that is what you mean, or remove it" if near else "Remove it"
            )
            raise document.error(
                f"unknown key {name!r}; known are {one_of(known)}",
                *steps,
                name,
                name=True,
                remedy=remedy,
            )


def dimension_of(document: Document, value: str, *steps: Step) -> Dimension:
    """The dimension that a word names: `D1`, or `d1`.

    Raises:
        InputError: It names none.
    """
    try:
        return Dimension(value.strip().upper())
    except ValueError:
        raise document.error(
            f"unknown dimension {shown(value)}",
            *steps,
            remedy=f"Use one of {', '.join(Dimension)}",
        ) from None


def short_text(document: Document, value: str, most: int, *steps: Step, what: str) -> str:
    """A text of at most so many characters; gives it back.

    Raises:
        InputError: It is longer.
    """
    if len(value) > most:
        raise document.error(
            f"the {what} has {len(value):,} characters; the most is {most:,}",
            *steps,
            remedy=f"Shorten the {what}: one claim says one thing",
        )
    return value


def same_name(value: str) -> str:
    """What two names have in common that people and file systems take for one.

    Case does not count, nor do the ways in which Unicode writes one character.
    """
    folded = unicodedata.normalize("NFKC", value).casefold()
    return unicodedata.normalize("NFKC", folded)


def _hidden(value: str) -> str:
    """The first character that is not seen or turns the direction of others, as `U+200B`."""
    for character in value:
        if character in _FILLERS or unicodedata.category(character) in _UNSEEN:
            return f"U+{ord(character):04X}"
    return ""


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Letters and marks by their category, and blank all the same.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x1810))
}


def check_id(document: Document, value: str, *steps: Step, what: str = "id") -> str:
    """An id that fits on a line of a table; gives it back.

    Raises:
        InputError: It is too long or holds line breaks or control characters.
    """
    problem = None
    if len(value) > MAX_NAME:
        problem = f"longer than {MAX_NAME} characters"
    elif _LINE.search(value):
        problem = "not on one line"
    elif hidden := _hidden(value):
        problem = f"not all to be seen: it holds {hidden}"
    if problem:
        raise document.error(
            f"the {what} {shown(value)} is {problem}", *steps, remedy="Use a short name"
        )
    return value


def check_name(value: str, *, what: str, where: Where) -> str:
    """A name that can be part of a file's path on every system; gives it back.

    Slashes part it; records and report pages are named after it.

    Raises:
        InputError: It cannot.
    """
    problem = None
    unsafe = _UNSAFE.search(value)
    if not value.strip():
        problem = "is empty"
    elif len(value) > MAX_NAME:
        problem = f"is longer than {MAX_NAME} characters"
    elif unsafe:
        problem = f"holds {unsafe[0]!r}"
    elif hidden := _hidden(value):
        problem = f"holds the invisible {hidden}"
    else:
        for part in value.split("/"):
            if part in {"", ".", ".."}:
                problem = f"has the part {part!r} between slashes"
            elif part != part.strip() or part.endswith("."):
                problem = f"has a part with a space or dot at its end: {part!r}"
            elif _DEVICE.match(part):
                problem = f"has the part {part!r}, which some systems keep for devices"
    if problem:
        raise InputError(
            f"the {what} {shown(value)} {problem}, so no file can be named after it",
            where=where,
            remedy="Rename it with letters, digits, dots, dashes and underscores",
        )
    return value
