"""Choices of method that exclude each other: what a claim says, and what code does.

A side that a claim says is matched widely in code, so that another spelling of it is no
contradiction; a side that would contradict is matched by what leaves no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.choice_table import TABLE
from retrieval.words import stem

__all__ = ["CHOICES", "Choice", "Said", "Side", "said_in"]

_Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Side:
    """One way of several.

    Attributes:
        words: The way, for people.
        said: What a claim says.
        may: What code may do it by.
        does: What code does it by without doubt.
        terms: Terms of which code that does it holds one.
        plain: What a claim says that leaves no doubt of what is meant.
    """

    words: str
    said: _Pattern
    may: _Pattern
    does: _Pattern
    terms: tuple[str, ...]
    plain: _Pattern


@dataclass(frozen=True, slots=True)
class Choice:
    """Ways that exclude each other.

    Attributes:
        name: What is chosen.
        sides: The ways.
        whole: The way can be told from the names in the repository alone, wherever they stand.
        lone: The way can be told so where no live line may take the claim's own.
        inside: It is about the arguments that follow.
        subject: It is about one thing, whose words stand where it is done.
        hints: A claim that says a side holds one of them.
    """

    name: str
    sides: tuple[Side, ...]
    whole: bool = False
    lone: bool = False
    inside: bool = False
    subject: bool = False
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A side that a claim says.

    Attributes:
        choice: The choice.
        side: Position of the side.
        start: Where it stands in the claim.
        end: Where it ends.
        plain: It is said in a way that leaves no doubt.
    """

    choice: Choice
    side: int
    start: int
    end: int
    plain: bool = True


def _choices() -> tuple[Choice, ...]:
    lines: list[tuple[str, str]] = []
    for line in TABLE.strip().splitlines():
        key, _, rest = line.partition(" ")
        if key == "+":
            lines[-1] = lines[-1][0], lines[-1][1] + rest
        else:
            lines.append((key, rest))
    sides: dict[str, list[dict[str, str]]] = {}
    hints: dict[str, tuple[str, ...]] = {}
    for key, rest in lines:
        if key == "choice":
            sides[rest] = []
        elif key == "hints":
            hints[next(reversed(sides))] = tuple(rest.split())
        elif key == "side":
            sides[next(reversed(sides))].append({"words": rest})
        else:
            sides[next(reversed(sides))][-1][key] = rest
    return tuple(
        Choice(
            name.rstrip(" !~(="),
            tuple(map(_side, own)),
            name.endswith(" !"),
            name.endswith(" ~"),
            name.endswith(" ("),
            name.endswith(" ="),
            hints[name],
        )
        for name, own in sides.items()
    )


def _side(record: Mapping[str, str]) -> Side:
    return Side(
        record["words"],
        re.compile(record["said"], re.IGNORECASE),
        re.compile(record["may"]),
        re.compile(record["does"]),
        tuple(dict.fromkeys(t for word in record["terms"].split() for t in (word, stem(word)))),
        re.compile(record.get("plain", record["said"]), re.IGNORECASE),
    )


CHOICES: Sequence[Choice] = _choices()
"""The choices that are told apart."""


@lru_cache(maxsize=4096)
def said_in(text: str) -> tuple[Said, ...]:
    """The sides that a claim says; none of a choice of which it says more than one."""
    found: list[Said] = []
    lower = text.lower()
    for choice in CHOICES:
        if not any(hint in lower for hint in choice.hints):
            continue
        own = [
            Said(
                choice,
                number,
                match.start(),
                match.end(),
                side.plain.match(text, match.start()) is not None,
            )
            for number, side in enumerate(choice.sides)
            for match in side.said.finditer(text)
        ]
        if own and len({one.side for one in own}) == 1:
            found += own[:2]
    return tuple(found)
