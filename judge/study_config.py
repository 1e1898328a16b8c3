"""`study.yaml`: which runs and labels a study is about, and what it should say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark.documents import Document, load_document, one_of, shown
from benchmark.readers.fields import refuse_unknown, sequence_at, table_at
from calibration.ratings import CLUSTERS, ClusterBy

__all__ = ["StudyConfig", "load_study"]

_KEYS = (
    "runs", "labels", "columns", "set", "output", "cluster", "correction", "cut", "coverage",
    "risk", "loss", "worst",
)  # fmt: skip
_CORRECTIONS = ("none", "ppi", "pooled")


@dataclass(frozen=True, slots=True)
class StudyConfig:
    """What the file says; paths are as from here, relative ones from the file's folder.

    Attributes:
        runs: Run directories, or trees of published results.
        labels: Label files or folders.
        columns: What fields are called in tables.
        fixed: Values for every row of tables.
        output: The folder to write into.
        cluster: What varies together.
        correction: Of the scores.
        cut: Level that passes, where scores are shares of passes.
        coverage: Of the prediction sets.
        risk: That is accepted of answers without a person.
        loss: What that risk is of.
        worst: How many of the worst disagreements are shown.
    """

    runs: tuple[Path, ...]
    labels: tuple[Path, ...]
    output: Path
    columns: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)
    cluster: ClusterBy = "paper"
    correction: Literal["none", "ppi", "pooled"] = "ppi"
    cut: int | None = None
    coverage: float = 0.8
    risk: float = 0.1
    loss: Literal["off_by_two", "wrong"] = "off_by_two"
    worst: int = 20


def load_study(path: Path) -> StudyConfig:
    """Read the file.

    Raises:
        InputError: It cannot be read, a key is unknown or missing, or a value is wrong.
    """
    document = load_document(path, what="study")
    row = table_at(document, document.value, what="the study")
    refuse_unknown(document, row, _KEYS)
    folder = path.parent
    loss: Literal["off_by_two", "wrong"] = (
        "wrong"
        if _choice(document, row, "loss", ("off_by_two", "wrong")) == "wrong"
        else "off_by_two"
    )
    (cluster,) = [one for one in CLUSTERS if one == _choice(document, row, "cluster", CLUSTERS)]
    wanted = _choice(document, row, "correction", ("ppi", "none", "pooled"))
    correction: Literal["none", "ppi", "pooled"] = (
        "none" if wanted == "none" else "pooled" if wanted == "pooled" else "ppi"
    )
    cut = row.get("cut")
    if cut is not None and (type(cut) is not int or not 1 <= cut <= 4):
        raise document.error(
            f"the cut {shown(cut)} is not 1 to 4", "cut", remedy="Correct it, or leave it out"
        )
    worst = row.get("worst", 20)
    if type(worst) is not int or not 0 <= worst <= 500:
        raise document.error(f"worst is {shown(worst)}", "worst", remedy="Write 0 to 500")
    output = row.get("output", "study")
    if not isinstance(output, str) or not output.strip():
        raise document.error("output should be a path", "output", remedy="Name a folder")
    return StudyConfig(
        runs=_paths(document, row, "runs", folder),
        labels=_paths(document, row, "labels", folder),
        output=folder / output,
        columns=_words(document, row, "columns"),
        fixed=_words(document, row, "set"),
        cluster=cluster,
        correction=correction,
        cut=cut,
        coverage=_share(document, row, "coverage", 0.8),
        risk=_share(document, row, "risk", 0.1),
        loss=loss,
        worst=worst,
    )


def _paths(document: Document, row: Mapping[str, Any], key: str, folder: Path) -> tuple[Path, ...]:
    values = row.get(key)
    values = [values] if isinstance(values, str) else values
    if not values:
        raise document.error(f"{key} is missing", key, remedy=f"Name one or more under {key}")
    for place, value in enumerate(sequence_at(document, values, key, what=key)):
        if not isinstance(value, str) or not value.strip():
            raise document.error(
                f"{shown(value)} is no path", key, place, remedy="Write a path as text"
            )
    return tuple(folder / value for value in values)


def _words(document: Document, row: Mapping[str, Any], key: str) -> dict[str, str]:
    table = table_at(document, row.get(key) or {}, key, what=key)
    for name, value in table.items():
        if not isinstance(value, str):
            raise document.error(
                f"{name} should be text, not {shown(value)}", key, name, remedy="Put it in quotes"
            )
    return dict(table)


def _choice(document: Document, row: Mapping[str, Any], key: str, choices: tuple[str, ...]) -> str:
    value = row.get(key, choices[0])
    if value not in choices:
        raise document.error(f"{key} is {shown(value)}", key, remedy=f"Write {one_of(choices)}")
    return str(value)


def _share(document: Document, row: Mapping[str, Any], key: str, usual: float) -> float:
    value = row.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise document.error(
            f"{key} is {shown(value)}, not a share between 0 and 1", key, remedy="Write e.g. 0.9"
        )
    return float(value)
