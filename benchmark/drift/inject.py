"""From repositories to a test set: read, mutate, choose, vary, write."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark.documents import nearest, one_of
from benchmark.drift.anchors import Anchor
from benchmark.drift.attacks import ATTACKS, make_attack
from benchmark.drift.mutants import Excluded, Mutant, find_mutants, take
from benchmark.drift.operator import Operator
from benchmark.drift.operators import OPERATORS
from benchmark.drift.source import Repo, read_repo
from benchmark.drift.testset import Row, TestSet, paper_of
from benchmark.drift.variants import VARIANTS, make_variant
from benchmark.errors import InputError, Where

__all__ = ["Target", "build", "chosen_operators", "name_of"]


@dataclass(frozen=True, slots=True)
class Target:
    """A repository to mutate.

    Attributes:
        root: Its folder.
        name: How ids and folders call it.
        anchors: Claims and their lines; `None` to write claims off the code.
    """

    root: Path
    name: str
    anchors: Sequence[Anchor] | None = None


def name_of(root: Path, taken: set[str]) -> str:
    """A short name for a repository that no other of the set has."""
    parts = [part for part in root.resolve().parts if part not in {"repo", "base", "/"}]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", parts[-1] if parts else "repo").strip("-") or "repo"
    name, number = name[:40], 1
    found = name
    while found.casefold() in {other.casefold() for other in taken}:
        number += 1
        found = f"{name}-{number}"
    return found


def chosen_operators(names: Sequence[str]) -> list[Operator]:
    """Operators by name; all of them where none is named.

    Raises:
        InputError: There is no such operator.
    """
    for name in names:
        if name not in OPERATORS:
            near = nearest(name, OPERATORS)
            raise InputError(
                f"there is no operator {name!r}",
                where=Where("--operator", key=name),
                remedy=f"Did you mean {near}" if near else f"Use {one_of(OPERATORS)}",
            )
    return [OPERATORS[name] for name in names] if names else list(OPERATORS.values())


def build(
    targets: Sequence[Target],
    *,
    seed: int = 0,
    operators: Sequence[Operator] | None = None,
    limit: int | None = None,
    per_operator: int | None = None,
    variants: int = 0,
    attacks: int = 0,
) -> TestSet:
    """Mutate repositories. The same arguments give the same test set.

    Args:
        targets: The repositories.
        seed: What every choice is made from.
        operators: What to put in; all operators by default.
        limit: At most so many mutants in all.
        per_operator: At most so many of one operator in one repository.
        variants: At most so many changes that must not matter.
        attacks: At most so many attacks.

    Raises:
        InputError: A folder is missing, or no operator finds a place.
    """
    chosen = list(OPERATORS.values()) if operators is None else list(operators)
    excluded = Excluded()
    repos: dict[str, Repo] = {}
    found: list[dict[str, Iterator[Mutant]]] = []
    for target in targets:
        repo = read_repo(target.root, name=target.name, seed=seed)
        repos[target.name] = repo
        found.append(find_mutants(repo, chosen, anchors=target.anchors, excluded=excluded))
    mutants = take(found, limit=limit, per_operator=per_operator)
    if not mutants:
        raise InputError(
            "no operator finds a place",
            where=Where(", ".join(str(target.root) for target in targets)),
            remedy="Give a repository with Python code, or anchors on lines that say what the "
            "claims say",
        )
    rows = _rows(repos, mutants, seed=seed, variants=variants, attacks=attacks)
    facts = {
        "seed": seed,
        "repos": {
            name: {
                "python_files": len(repo.python),
                "mutants": sum(mutant.repo == name for mutant in mutants),
            }
            for name, repo in repos.items()
        },
        "left_out": [
            {"operator": name, "reason": reason, "places": count}
            for (name, reason), count in sorted(excluded.items())
        ],
    }
    return TestSet(repos, rows, facts)


def _rows(
    repos: dict[str, Repo], mutants: Sequence[Mutant], *, seed: int, variants: int, attacks: int
) -> list[Row]:
    bases: dict[str, Row] = {}
    faults: list[Row] = []
    for mutant in mutants:
        base = f"base/{paper_of(mutant.sau)}"
        bases.setdefault(base, Row(base, "base", "base", "", mutant, {}))
        number = f"{len(faults) + 1:05}"
        faults.append(
            Row(f"{mutant.operator}/{number}", "drift", mutant.operator, base, mutant, mutant.texts)
        )
    others: list[Row] = []
    dice = random.Random(f"{seed} variants")  # noqa: S311
    pool = list(bases.values())
    dice.shuffle(pool)
    names = list(VARIANTS)
    at = 0
    for turn in range(len(names)):
        for index, base_row in enumerate(pool):
            if at >= variants:
                break
            name = names[(index + turn) % len(names)]
            texts = make_variant(repos[base_row.mutant.repo], VARIANTS[name], base_row.mutant)
            if texts is not None:
                at += 1
                others.append(
                    Row(f"{name}/{at:05}", "variant", name, base_row.id, base_row.mutant, texts)
                )
    dice = random.Random(f"{seed} attacks")  # noqa: S311
    targets = list(faults)
    dice.shuffle(targets)
    names = list(ATTACKS)
    at = 0
    for index, fault in enumerate(targets):
        if at >= attacks:
            break
        name = names[index % len(names)]
        texts = make_attack(repos[fault.mutant.repo], ATTACKS[name], fault.mutant)
        if texts is not None:
            at += 1
            mutant = replace(fault.mutant, change=f"{fault.mutant.change}; {ATTACKS[name].about}")
            others.append(Row(f"{name}/{at:05}", "attack", name, fault.id, mutant, texts))
    return [*bases.values(), *faults, *others]
