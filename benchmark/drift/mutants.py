"""Choosing mutants: which operators act where, on which claims, by a seed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmark.drift.anchors import Anchor, anchored_level, fits
from benchmark.drift.edits import Span, apply, changed_lines
from benchmark.drift.operator import Found, Operator
from benchmark.drift.sameness import idle_lines, same_code, same_meaning
from benchmark.drift.source import Repo, parses
from benchmark.drift.values import load_config
from benchmark.nouns import Dimension, Drift, Failure, Level, Sau

__all__ = ["Excluded", "Mutant", "find_mutants", "take"]

_AXIS = {
    Dimension.D1: Drift.NUMERICAL,
    Dimension.D2: Drift.METHODOLOGICAL,
    Dimension.D3: Drift.PROTOCOL,
    Dimension.D4: Drift.ORDERING,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One repository with one known fault.

    Attributes:
        repo: The repository's name.
        operator: What made it.
        sau: The claim that it no longer meets.
        texts: The changed files' new texts by path.
        level: The claim's level now.
        drift: The divergence made.
        failure: Why the claim is not met.
        lines: The changed lines, in the new texts.
        change: What was done, in words.
        sites: The lines that decide the claim, in the texts as they were.
    """

    repo: str
    operator: str
    sau: Sau
    texts: Mapping[str, str] = field(repr=False)
    level: Level
    drift: Drift
    failure: Failure
    lines: tuple[Span, ...]
    change: str
    sites: tuple[Span, ...]


Excluded = Counter[tuple[str, str]]
"""How many places of an operator were left out, and why: (operator, reason)."""


def find_mutants(
    repo: Repo,
    operators: Sequence[Operator],
    *,
    anchors: Sequence[Anchor] | None = None,
    excluded: Excluded | None = None,
) -> dict[str, Iterator[Mutant]]:
    """The mutants of a repository, by operator, each operator's in an order that the seed decides.

    They are made one by one as they are asked for: most repositories have far more places than
    anybody wants mutants.

    Args:
        repo: The repository.
        operators: What to put in.
        anchors: Claims and their lines; `None` to write a claim for each place.
        excluded: Is told what was left out.
    """
    out = Excluded() if excluded is None else excluded
    shared = _Shared(
        repo,
        None if anchors is None else tuple(anchors),
        {path: idle_lines(file.tree) for path, file in repo.python.items()},
        out,
    )
    return {operator.name: _mutants(shared, operator) for operator in operators}


@dataclass(slots=True)
class _Shared:
    repo: Repo
    anchors: tuple[Anchor, ...] | None
    idle: Mapping[str, set[int]]
    out: Excluded
    written: dict[tuple[Dimension, str], Sau] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)


def _mutants(shared: _Shared, operator: Operator) -> Iterator[Mutant]:
    repo = shared.repo
    places = list(operator.find(repo))
    repo.dice("order", operator.name).shuffle(places)
    for found in places:
        path, first, last = found.site
        if set(range(first, last + 1)) <= shared.idle.get(path, set()):
            shared.out[operator.name, "cannot act"] += 1
            continue
        claims = list(_claims(repo, operator, found, shared.anchors, shared.written))
        made = _texts(repo, operator, found, shared.out) if claims else None
        if made is None:
            continue
        texts, lines = made
        for sau, level, sites in claims:
            key = hashlib.sha256(
                "\0".join((sau.id, *(f"{p}\0{t}" for p, t in sorted(texts.items())))).encode()
            ).hexdigest()
            if key in shared.seen:
                shared.out[operator.name, "made before"] += 1
                continue
            shared.seen.add(key)
            drift = _AXIS[sau.dimension] if operator.any_axis else operator.drift
            failure = operator.failure
            if failure is Failure.MISSING and level > Level.ABSENT:
                failure = Failure.INCOMPLETE
            yield Mutant(
                repo.name, operator.name, sau, texts, level, drift,
                failure, lines, found.change, sites,
            )  # fmt: skip


def _claims(
    repo: Repo,
    operator: Operator,
    found: Found,
    anchors: Sequence[Anchor] | None,
    written: dict[tuple[Dimension, str], Sau],
) -> Iterator[tuple[Sau, Level, tuple[Span, ...]]]:
    if anchors is not None:
        for anchor in anchors:
            if fits(repo, operator, found, anchor):
                yield anchor.sau, anchored_level(operator, found, anchor), anchor.lines
        return
    key = (operator.dimension, found.claim)
    if key not in written:
        digest = hashlib.sha256(found.claim.encode()).hexdigest()[:8]
        written[key] = Sau(
            f"{repo.name}-{operator.dimension.value}-{digest}",
            repo.name,
            operator.dimension,
            found.claim,
            "read off the code",
        )
    yield written[key], found.level, (found.site,)


def _texts(
    repo: Repo, operator: Operator, found: Found, out: Excluded
) -> tuple[dict[str, str], tuple[Span, ...]] | None:
    """The changed files and lines; `None`, with the reason counted, where it makes no mutant."""
    texts: dict[str, str] = {}
    lines: list[Span] = []
    for path in sorted({edit.path for edit in found.edits}):
        edits = [edit for edit in found.edits if edit.path == path]
        try:
            new = apply(repo.texts[path], edits)
        except ValueError:
            out[operator.name, "edits overlap"] += 1
            return None
        old = repo.texts[path]
        tree = parses(new) if path.endswith(".py") else None
        if tree is None and (path.endswith(".py") or load_config(path, new) is None):
            out[operator.name, "does not parse"] += 1
            return None
        if same_meaning(path, old, new) if tree is None else same_code(old, tree):
            out[operator.name, "means the same"] += 1
            return None
        texts[path] = new
        lines += changed_lines(repo.texts[path], edits)
    return (texts, tuple(lines)) if texts else None


def take(
    found: Sequence[Mapping[str, Iterator[Mutant]]], *, limit: int | None, per_operator: int | None
) -> list[Mutant]:
    """Choose among the mutants of several repositories, every operator and repository in turn.

    Args:
        found: What `find_mutants` gave for each repository.
        limit: At most so many in all.
        per_operator: At most so many of one operator in one repository.
    """
    sources = [mutants[name] for name in (found[0] if found else ()) for mutants in found]
    chosen: list[Mutant] = []
    rank = 0
    while sources and (per_operator is None or rank < per_operator):
        left = []
        for source in sources:
            if limit is not None and len(chosen) >= limit:
                return chosen
            if (mutant := next(source, None)) is not None:
                chosen.append(mutant)
                left.append(source)
        sources = left
        rank += 1
    return chosen
