"""`study.yaml`: which runs and labels a study is about, and what it should say of them.

`runs` names run directories and trees of published results; a `run.yaml` among them is run first,
and so is the word `suite`, the built-in suite by the embedded judge. In place of `runs` and
`labels` there may be `judgeeval`: rows of PaperBench JudgeEval and the repository they grade.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark.documents import Document, load_document, one_of, shown
from benchmark.readers.fields import refuse_unknown, sequence_at, table_at, text_at
from benchmark.readers.judgeeval import AGENT
from calibration.ratings import CLUSTERS, ClusterBy
from calibration.samples import PAPERS, Papers
from judge.config_sections import SUITE, SUITE_FOLDER

__all__ = ["PASS_CUT", "JudgeEvalSource", "StudyConfig", "load_study"]

_KEYS = (
    "runs", "labels", "judgeeval", "columns", "set", "output", "cluster", "papers", "correction",
    "cut", "coverage", "risk", "loss", "worst",
)  # fmt: skip
PASS_CUT = 3
"""From where on a level is a pass, where labels say no more: below it a named part is missing."""

_JUDGEEVAL_KEYS = ("rows", "repository", "agent", "judge", "max_cost")


@dataclass(frozen=True, slots=True)
class JudgeEvalSource:
    """Rows of JudgeEval, the repository that they grade, and who judges it here.

    Attributes:
        rows: The file of rows.
        repository: The repository's folder.
        agent: Who wrote it.
        judge: The judge as in `run.yaml`; empty is the embedded one.
        max_cost: Dollars that the run may spend; `None` is no cap.
    """

    rows: Path
    repository: Path
    agent: str = AGENT
    judge: Mapping[str, Any] = field(default_factory=dict)
    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class StudyConfig:
    """What the file says; paths are as from here, relative ones from the file's folder.

    Attributes:
        file: The study's own file.
        runs: Run directories, trees of published results, configs of runs that are run first; the
            word `suite` stands as it is.
        labels: Label files or folders.
        judgeeval: What is run and labelled in place of `runs` and `labels`.
        columns: What fields are called in tables.
        fixed: Values for every row of tables.
        output: The folder to write into.
        cluster: What varies together.
        papers: Whether scores are about papers like these or about these papers.
        correction: Of the scores.
        cut: Level that passes, where scores are shares of passes.
        coverage: Of the prediction sets.
        risk: That is accepted of answers without a person.
        loss: What that risk is of.
        worst: How many of the worst disagreements are shown.
    """

    file: Path
    runs: tuple[Path, ...]
    labels: tuple[Path, ...]
    output: Path
    judgeeval: JudgeEvalSource | None = None
    columns: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)
    cluster: ClusterBy = "paper"
    papers: Papers = "sample"
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
    judgeeval = _judgeeval(document, row, folder)
    (papers,) = [one for one in PAPERS if one == _choice(document, row, "papers", PAPERS)]
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
        file=path,
        runs=() if judgeeval else _paths(document, row, "runs", folder),
        labels=() if judgeeval else _labels(document, row, folder),
        output=folder / output,
        judgeeval=judgeeval,
        columns=_words(document, row, "columns"),
        fixed=_words(document, row, "set"),
        cluster=cluster,
        papers=papers,
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


def _labels(document: Document, row: Mapping[str, Any], folder: Path) -> tuple[Path, ...]:
    """The paths; the word `suite` is the built-in suite's labels."""
    return tuple(
        SUITE_FOLDER / "labels" if path == folder / SUITE and not path.exists() else path
        for path in _paths(document, row, "labels", folder)
    )


def _judgeeval(document: Document, row: Mapping[str, Any], folder: Path) -> JudgeEvalSource | None:
    if row.get("judgeeval") is None:
        return None
    for name in ("runs", "labels"):
        if row.get(name) is not None:
            raise document.error(
                f"there are judgeeval and {name}",
                name,
                remedy=f"Remove {name}: the rows are the claims and the labels of their own run",
            )
    table = table_at(document, row["judgeeval"], "judgeeval", what="judgeeval")
    refuse_unknown(document, table, _JUDGEEVAL_KEYS, "judgeeval")
    rows, repository = (
        folder / text_at(document, table, (name,), "judgeeval") for name in ("rows", "repository")
    )
    for name, path, there in (
        ("rows", rows, rows.is_file()),
        ("repository", repository, repository.is_dir()),
    ):
        if not there:
            kind = "file" if name == "rows" else "folder"
            raise document.error(
                f"there is no {kind} {path}",
                "judgeeval",
                name,
                remedy="Correct the path; it is relative to this file",
            )
    cost = table.get("max_cost")
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, int | float)):
        raise document.error(
            f"max_cost is {shown(cost)}, which is no number", "judgeeval", "max_cost",
            remedy="Write dollars, e.g. 5",
        )  # fmt: skip
    return JudgeEvalSource(
        rows=rows,
        repository=repository,
        agent=text_at(document, table, ("agent",), "judgeeval", required=False) or AGENT,
        judge=table_at(document, table.get("judge") or {}, "judgeeval", "judge", what="judge"),
        max_cost=None if cost is None else float(cost),
    )


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
