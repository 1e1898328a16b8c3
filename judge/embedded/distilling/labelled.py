"""Labels of several kinds, each with the repository that it is about."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import Dimension, InputError, Sau, Where
from judge.config_sections import SUITE_FOLDER

__all__ = [
    "FITTED_SUITE",
    "OWN_SCALE",
    "SHORT",
    "Row",
    "claims_of",
    "fingerprint",
    "read_rows",
    "suite_rows",
]

FITTED_SUITE = frozenset({"adam", "ddpm", "kfold", "lora"})
"""The papers of the built-in suite that may be fitted; the others are only looked at."""

OWN_SCALE = frozenset({"reading", "wide", "short", "suite", "mutant"})
"""Sources whose levels are by the rubric; every other source is a reference judge of its own."""

WIDE = "wide model reading"
"""The `kind` of a label that a language model gave by the rubric, one reading of many claims."""

SHORT = "short model reading"
"""The `kind` of a label of a short claim that a language model wrote about the code it had read."""

_READINGS = {WIDE: "wide", SHORT: "short"}
_KEYWORD_JUDGES = frozenset({"", "keyword", "rule", "gate", "none"})


@dataclass(frozen=True, slots=True)
class Row:
    """One label.

    Attributes:
        source: `reading`, `wide` (a reading of one of many claims on a repository), `short` (the
            label of a short claim that is no paper's), `suite`, `mutant`, or the name of a
            reference judge.
        agent: Who wrote the repository.
        paper: The paper, or for a mutant the paper of the repository that it was made from.
        sau: The claim's id.
        level: 0 to 4.
        root: The repository.
        claims: The file of the paper's claims; for a short claim the labels' own file.
        variant: For a mutant its kind and operator; else empty.
        submission: For a mutant its id; else empty.
    """

    source: str
    agent: str
    paper: str
    sau: str
    level: int
    root: Path
    claims: Path
    variant: str = ""
    submission: str = ""


def claims_of(path: Path) -> list[Sau]:
    """The claims of a file in SA-Bench's format, or of labels that bring them (`.jsonl`, `.gz`)."""
    if path.suffix in {".jsonl", ".gz"}:
        return [
            Sau(item["sau"], item["paper"], Dimension(item["dimension"]), item["claim"])
            for item in _lines(path)
            if "claim" in item
        ]
    record = json.loads(path.read_text(encoding="utf-8"))
    return [
        Sau(item["id"], str(record.get("paper_id", "")), dimension, item["claim"])
        for dimension in Dimension
        for item in record.get(dimension.value, [])
    ]


def fingerprint(path: Path) -> str:
    """16 digits of the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    for number, line in enumerate(text.decode("utf-8").splitlines(), 1):
        if line.strip():
            item = json.loads(line)
            if not isinstance(item, dict):
                raise InputError(
                    "a label is a JSON object",
                    where=Where(str(path), line=number),
                    remedy="Write one object a line",
                )
            yield item


def read_rows(path: Path, runs: Path, saus: Path, without: Iterable[str]) -> Iterator[Row]:
    """The labels of a file: readings, or verdicts of a reference judge.

    Readings have `agent`, `paper`, `sau` and `level`, and a `kind` where they are wide ones or of
    short claims, whose `dimension` and `claim` stand beside them; verdicts `config`, `paper`,
    `sau`, `score`, `judge` and `evidence`. Of the verdicts are left out: those without evidence,
    which keyword rules gave, and those on a file that the repository does not hold.

    Args:
        path: JSON Lines, or the same with gzip.
        runs: Holds `<agent>/<paper>/repo`.
        saus: Holds `<paper>/sau.json`.
        without: Papers that are never read.

    Raises:
        InputError: A line is neither.
    """
    left_out = frozenset(without)
    for item in _lines(path):
        if item.get("paper") in left_out:
            continue
        if "score" in item and "judge" in item:
            agent, source, level = item["config"], item["judge"], round(item["score"] * 4)
            if not item.get("evidence") or source.lower() in _KEYWORD_JUDGES:
                continue
        elif "level" in item and "agent" in item:
            source = _READINGS.get(item.get("kind", ""), "reading")
            agent, level = item["agent"], item["level"]
        else:
            raise InputError(
                "neither a reading nor a verdict",
                where=Where(str(path)),
                remedy="Give agent, paper, sau and level, or config, paper, sau, score and judge",
            )
        root = runs / agent / item["paper"] / "repo"
        claims = path if source == "short" else saus / item["paper"] / "sau.json"
        if not root.is_dir() or not claims.is_file():
            continue
        if source not in OWN_SCALE and not (root / item["evidence"][0][0]).is_file():
            continue
        yield Row(source, agent, item["paper"], item["sau"], level, root, claims)


def suite_rows() -> Iterator[Row]:
    """The labels of the built-in suite, both halves."""
    for path in sorted((SUITE_FOLDER / "labels").glob("*.jsonl")):
        for item in _lines(path):
            agent, _, paper = item["submission"].partition("/")
            yield Row(
                "suite",
                agent,
                paper,
                item["sau"],
                item["level"],
                SUITE_FOLDER / "submissions" / agent / paper / "repo",
                SUITE_FOLDER / "papers" / paper / "sau.json",
            )


def mutant_rows(folder: Path) -> Iterator[Row]:
    """The labels of a drift test set, as `benchmark drift inject --suite` writes it."""
    levels = {
        (item["submission"], item["sau"]): item["level"] for item in _lines(folder / "labels.jsonl")
    }
    for item in _lines(folder / "manifest.jsonl"):
        for sau in claims_of(folder / "papers" / item["paper"] / "sau.json"):
            level = levels.get((item["submission"], sau.id))
            if level is None or item["kind"] == "attack":
                continue
            yield Row(
                "mutant",
                item["agent"],
                item["repo"],
                sau.id,
                level,
                folder / item["path"],
                folder / "papers" / item["paper"] / "sau.json",
                f"{item['kind']}:{item['operator']}",
                item["submission"],
            )


def papers_of(rows: Sequence[Row]) -> list[str]:
    """The papers of some rows, each once."""
    return sorted({row.paper for row in rows})
