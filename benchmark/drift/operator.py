"""What an operator is: a name, the divergence it makes, and how it finds places for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmark.drift.edits import Edit, Span
from benchmark.drift.source import PythonFile, Repo
from benchmark.nouns import Dimension, Drift, Failure, Level

__all__ = ["Found", "Operator", "Register"]


@dataclass(frozen=True, slots=True)
class Found:
    """A place where an operator can act, and what comes of it.

    Attributes:
        edits: What is changed; at least one edit.
        site: The lines of the unchanged code that decide the claim.
        claim: What that code does, in words, with its number or order.
        change: What is done to it, in words.
        level: The level of a claim that is about exactly this, by the rubric.
        value: The number that a claim of somebody else's must hold to be about this place; empty
            where any claim that rests on these lines is.
        speaks: Patterns that a claim of somebody else's must match, each of them, to be about what
            is changed here.
    """

    edits: tuple[Edit, ...]
    site: Span
    claim: str
    change: str
    level: Level
    value: str = ""
    speaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operator:
    """One kind of known fault.

    Attributes:
        name: A word for tables.
        drift: The divergence that it makes.
        failure: Why the claim is then not met.
        dimension: The axis of the claims that it falsifies.
        about: What it does, in a sentence.
        find: Finds the places of a repository, in the order of its files.
        any_axis: Whether it falsifies claims of any axis, and the drift is then the claim's.
        speaks: A pattern that a claim of somebody else's must match to be about such a thing: a
            claim about the order of an iteration that does not speak of clipping is not falsified
            by clipping late.
    """

    name: str
    drift: Drift
    failure: Failure
    dimension: Dimension
    about: str
    find: Callable[[Repo], Iterator[Found]]
    any_axis: bool = False
    speaks: str = ""


_OF_DRIFT = {
    Drift.NUMERICAL: Dimension.D1,
    Drift.METHODOLOGICAL: Dimension.D2,
    Drift.PROTOCOL: Dimension.D3,
    Drift.ORDERING: Dimension.D4,
}

FileFinder = Callable[[Repo, PythonFile], Iterator[Found]]
RepoFinder = Callable[[Repo], Iterator[Found]]


class Register:
    """Collects the operators of a module, which all make one kind of divergence."""

    def __init__(self, drift: Drift, *, any_axis: bool = False) -> None:
        self.drift = drift
        self.any_axis = any_axis
        self.operators: list[Operator] = []

    def file(
        self, about: str, *, failure: Failure = Failure.MISMATCH, speaks: str = ""
    ) -> Callable[[FileFinder], FileFinder]:
        """Add a function that looks through one Python file; its name is the operator's."""

        def add(function: FileFinder) -> FileFinder:
            def find(repo: Repo) -> Iterator[Found]:
                for path in sorted(repo.python):
                    if not _aside(path):
                        yield from function(repo, repo.python[path])

            self._add(function.__name__, about, failure, find, speaks)
            return function

        return add

    def repo(
        self, about: str, *, failure: Failure = Failure.MISMATCH
    ) -> Callable[[RepoFinder], RepoFinder]:
        """Add a function that looks through a whole repository."""

        def add(function: RepoFinder) -> RepoFinder:
            self._add(function.__name__, about, failure, function)
            return function

        return add

    def _add(
        self, name: str, about: str, failure: Failure, find: RepoFinder, speaks: str = ""
    ) -> None:
        dimension = _OF_DRIFT[self.drift]
        self.operators.append(
            Operator(name, self.drift, failure, dimension, about, find, self.any_axis, speaks)
        )


def _aside(path: str) -> bool:
    """Whether a file is not where a repository does what it is for."""
    parts = path.split("/")
    return (
        parts[-1] in {"setup.py", "conftest.py"}
        or parts[-1].startswith("test_")
        or any(part in {"tests", "test", "docs"} for part in parts[:-1])
    )
