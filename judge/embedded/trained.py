"""Parameters that a claim says to be frozen or trained, and what their own lines say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.survey import Survey
from retrieval.words import join

__all__ = ["Turned", "turned_parameters"]


@dataclass(frozen=True, slots=True)
class Turned:
    """A parameter of which the code says the contrary.

    Attributes:
        name: Its name.
        frozen: The claim says that it is frozen.
        rows: The live rows that say the contrary.
    """

    name: str
    frozen: bool
    rows: tuple[int, ...]


_SAID = re.compile(
    r"(?<![\w`.])`?(?P<names>[A-Za-z_]\w*`?(?:(?:,| and|, and) `?[A-Za-z_]\w*`?){0,3}) "
    r"(?:is|are|stays?|remains?)(?: kept)? (?P<how>frozen|fixed|trained|trainable)\b"
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_GRADIENT = re.compile(r"requires_grad\s*=\s*(True|False)\b")
_WIDEST = 400
_MOST = 40


def turned_parameters(survey: Survey, text: str) -> tuple[Turned, ...]:
    """The parameters whose every own line has `requires_grad` the other way than a claim says.

    Only lines count that give an attribute of that very name a parameter, or its `requires_grad` a
    value, each a literal: a name that one of them treats as the claim says is left alone.
    """
    found: list[Turned] = []
    for name, frozen in _said(text):
        given = list(_given(survey, name))
        if given and all(trains is frozen for _, trains in given):
            found.append(Turned(name, frozen, tuple(row for row, _ in given[:2])))
    return tuple(found)


@lru_cache(maxsize=4096)
def _said(text: str) -> tuple[tuple[str, bool], ...]:
    """The names that a claim has trained or not, and whether it has them frozen."""
    return tuple(
        (name, match["how"] in {"frozen", "fixed"})
        for match in _SAID.finditer(text)
        for name in _NAME.findall(match["names"])
        if name != "and"
    )


def _given(survey: Survey, name: str) -> Iterator[tuple[int, bool]]:
    """The live rows that say whether an attribute is trained, and what they say."""
    own = re.compile(
        rf"\s*[\w.]+\.{name}(?:\s*(?::[^=]*)?=\s*(?:\w+\.)*Parameter\(|\.requires_grad\s*=)"
    )
    for row in survey.rows(survey.places(join(name)).live).tolist()[:_MOST]:
        code = survey.codes[row][:_WIDEST]
        if own.match(code) and (said := _GRADIENT.search(code)):
            yield row, said[1] == "True"
