"""A drift test set on disk: repositories, claims, labels, a manifest and a run.yaml.

```
OUT/papers/<paper>/sau.json   one claim each: a mutant is asked about the claim it breaks, no other
OUT/repos/<repo>/base, m00001, ...
OUT/manifest.jsonl            native manifest; its metadata says what each row is
OUT/labels.jsonl              native labels, `kind: author`: right by construction
OUT/run.yaml                  grades the set with the embedded judge into OUT/run
OUT/drift.json                seed, counts, what was left out and why
```
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.drift.mutants import Mutant
from benchmark.drift.source import Repo
from benchmark.errors import InputError, Where
from benchmark.nouns import Dimension, Sau

__all__ = ["KINDS", "Row", "TestSet", "paper_of", "write_testset"]

KINDS = ("base", "drift", "variant", "attack")
"""What a row is: the repository as it was, a fault, what must not matter, an attack."""

_RUN = """\
# Grades this drift test set; change the judge as in any run.yaml.
benchmark:
  path: papers
  name: drift
submissions:
  manifest: manifest.jsonl
judge:
  kind: embedded
output:
  path: run
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One graded pair.

    Attributes:
        id: The submission's id.
        kind: One of `KINDS`.
        operator: The operator, variant or attack; `base` where nothing was changed.
        parent: The submission that the level is compared with; empty for a base.
        mutant: The claim, and for faults and attacks the label.
        texts: The changed files' texts by path.
    """

    id: str
    kind: str
    operator: str
    parent: str
    mutant: Mutant
    texts: Mapping[str, str] = field(repr=False)


@dataclass(slots=True)
class TestSet:
    """What is to be written.

    Attributes:
        repos: The repositories by name.
        rows: The graded pairs, bases first.
        facts: What `drift.json` says besides the counts.
    """

    __test__ = False

    repos: Mapping[str, Repo]
    rows: list[Row]
    facts: dict[str, Any] = field(default_factory=dict)


def paper_of(sau: Sau) -> str:
    """The id of the paper that holds one claim alone; fit for a folder's name."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", sau.id).strip("-")
    if name == sau.id:
        return name
    # Two ids may differ in what a folder cannot be called.
    return f"{name[:60]}-{hashlib.sha256(sau.id.encode()).hexdigest()[:8]}"


def write_testset(made: TestSet, out: Path) -> None:
    """Write a test set into a folder that is not there or is empty.

    Raises:
        InputError: The folder holds something.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(
            "the output folder is not empty",
            where=Where(str(out)),
            remedy="Name another one, or delete it",
        )
    out.mkdir(parents=True, exist_ok=True)
    saus = {row.mutant.sau.id: row.mutant.sau for row in made.rows}
    _write_claims(saus.values(), out / "papers")
    for name, repo in made.repos.items():
        _write_files(repo, out / "repos" / name / "base")
    manifest: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    numbers: Counter[str] = Counter()
    for row in made.rows:
        repo = made.repos[row.mutant.repo]
        folder = Path("repos", repo.name, "base")
        if row.kind != "base":
            numbers[repo.name] += 1
            folder = Path("repos", repo.name, f"m{numbers[repo.name]:05}")
            _write_changed(repo, row.texts, out / "repos" / repo.name / "base", out / folder)
        manifest.append(
            {
                "submission": row.id,
                "agent": row.kind,
                "paper": paper_of(row.mutant.sau),
                "path": folder.as_posix(),
                "kind": row.kind,
                "operator": row.operator,
                "parent": row.parent,
                "repo": repo.name,
                "change": row.mutant.change if row.kind in {"drift", "attack"} else "",
            }
        )
        labels.append(_label(row))
    _write_lines(out / "manifest.jsonl", manifest)
    _write_lines(out / "labels.jsonl", labels)
    (out / "run.yaml").write_text(_RUN, encoding="utf-8", newline="\n")
    kinds = {
        kind: dict(sorted(Counter(r.operator for r in made.rows if r.kind == kind).items()))
        for kind in KINDS
    }
    facts = {
        **made.facts,
        "pairs": {kind: sum(counts.values()) for kind, counts in kinds.items()},
        "operators": {kind: counts for kind, counts in kinds.items() if kind != "base"},
        "not_copied": {name: list(repo.left) for name, repo in made.repos.items() if repo.left},
    }
    (out / "drift.json").write_text(
        json.dumps(facts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n"
    )


def _label(row: Row) -> dict[str, Any]:
    broken = row.kind in {"drift", "attack"}
    mutant = row.mutant
    return {
        "submission": row.id,
        "sau": mutant.sau.id,
        "annotator": "operator",
        "kind": "author",
        "level": int(mutant.level) if broken else 4,
        "drift": mutant.drift.value if broken else "none",
        "failure": mutant.failure.value if broken else "none",
        "lines": [list(span) for span in (mutant.lines if broken else _plain(row))],
        "note": mutant.change if broken else "",
    }


def _plain(row: Row) -> tuple[tuple[str, int, int], ...]:
    # In a variant the deciding lines may have moved, and nothing depends on them.
    return row.mutant.sites if row.kind == "base" else ()


def _write_claims(saus: Iterable[Sau], folder: Path) -> None:
    for sau in saus:
        paper = paper_of(sau)
        path = folder / paper
        path.mkdir(parents=True)
        table: dict[str, Any] = {"paper_id": paper}
        for dimension in Dimension:
            table[dimension.value] = (
                [{"id": sau.id, "claim": sau.claim, "source": sau.source}]
                if dimension is sau.dimension
                else []
            )
        (path / "sau.json").write_text(
            json.dumps(table, indent=1, ensure_ascii=False), encoding="utf-8", newline="\n"
        )


def _write_files(repo: Repo, folder: Path) -> None:
    for path, raw in repo.raw.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(raw)
    folder.mkdir(parents=True, exist_ok=True)


def _write_changed(repo: Repo, texts: Mapping[str, str], base: Path, folder: Path) -> None:
    made: set[Path] = set()
    for path in repo.raw.keys() | texts.keys():
        target = folder / path
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        if path in texts:
            target.write_text(texts[path], encoding="utf-8", newline="")
            continue
        try:
            # Thousands of mutants share what they do not change.
            os.link(base / path, target)
        except OSError:
            shutil.copyfile(base / path, target)


def _write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
