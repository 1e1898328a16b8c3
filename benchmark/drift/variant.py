"""What must not matter: one kind of change that leaves the meaning as it is, and how it is made.

A variant is made from a right repository near the lines that decide a claim; a judge's level should
be the same before and after. What cannot be shown to keep the meaning is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import libcst as cst

from benchmark.drift.edits import Span
from benchmark.drift.mutants import Mutant
from benchmark.drift.source import PythonFile, Repo, parses

__all__ = ["Spot", "Variant", "Variants", "make_variant", "near"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a variant is made.

    Attributes:
        repo: The repository, unchanged.
        file: The file.
        site: The lines that decide the claim.
        mutant: A wrong form of the same place.
    """

    repo: Repo
    file: PythonFile
    site: Span
    mutant: Mutant


_Make = Callable[[Spot], "Mapping[str, str] | None"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One kind of change that must not matter.

    Attributes:
        name: A word for tables.
        about: What it does, in a sentence.
        make: Gives the changed files' new texts by path, or `None` where it does not apply.
    """

    name: str
    about: str
    make: _Make


class Variants:
    """Collects the variants of a module, in the order in which they stand there."""

    def __init__(self) -> None:
        self.table: dict[str, Variant] = {}

    def add(self, about: str) -> Callable[[_Make], _Make]:
        """Add a function that makes a variant; its name is the variant's."""

        def added(make: _Make) -> _Make:
            self.table[make.__name__] = Variant(make.__name__, about, make)
            return make

        return added


def make_variant(repo: Repo, variant: Variant, mutant: Mutant) -> Mapping[str, str] | None:
    """The changed texts of one variant near a claim's lines; `None` where it does not apply.

    Args:
        repo: The repository, unchanged.
        variant: The kind.
        mutant: A mutant of the claim: its sites are where to act, and it knows a wrong form.
    """
    for site in mutant.sites:
        file = repo.python.get(site[0])
        if file is None:
            continue
        texts = variant.make(Spot(repo, file, site, mutant))
        if texts and all(
            parses(text) is not None for path, text in texts.items() if path.endswith(".py")
        ):
            changed = {p: t for p, t in texts.items() if repo.texts.get(p) != t}
            if changed:
                return changed
    return None


def near(file: PythonFile, site: Span, node: cst.CSTNode) -> bool:
    """Whether a node touches the lines that decide a claim."""
    _, first, last = file.span(node)
    return first <= site[2] and site[1] <= last
