"""Names that are known only when the program runs: how they are spelt, and what may fill them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrieval.program import FileView
from retrieval.values import FactSource

__all__ = ["DOTTED", "NAME", "configured_targets", "matches", "named_values"]

NAME = re.compile(r"[^\W\d]\w*")
DOTTED = re.compile(r"[\w.]+")
_PYTHON = frozenset({"python", "notebook"})


def matches(name: str, wanted: str) -> bool:
    """Whether a name is one that is wanted, `*` standing for anything."""
    if wanted in {"*", name}:
        return True
    if "*" not in wanted:
        return False
    first, *middle, last = wanted.split("*")
    if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
        return False
    at, end = len(first), len(name) - len(last)
    for piece in middle:
        at = name.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


def named_values(views: Iterable[FileView]) -> frozenset[str]:
    """The words that configurations, options and assignments set."""
    words: set[str] = set()
    for view in views:
        for fact in view.outline.facts:
            value = fact.value.strip("'\" ")
            if value[:1] in {"[", "("}:
                words.update(NAME.findall(value))
            elif DOTTED.fullmatch(value):
                words.add(value)
    return frozenset(words)


def configured_targets(views: Iterable[FileView]) -> Iterable[str]:
    """Values of configurations that may name something in a module."""
    for view in views:
        for fact in view.outline.facts if view.file.language not in _PYTHON else ():
            value = fact.value.strip("'\"")
            if "." in value and fact.source is FactSource.CONFIG and DOTTED.fullmatch(value):
                yield value
