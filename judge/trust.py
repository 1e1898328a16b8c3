"""What the commands on trust do: each a plain function that the command line calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from benchmark import InputError, Where
from calibration.agreement import agreement
from calibration.ratings import CLUSTERS
from calibration.resampling import Setting
from calibration.samples import PAPERS
from calibration.scores import labels_of_run, score_agents
from judge.trust_inputs import (
    assignments,
    check_versions,
    naming_files,
    only_judge,
    read_labels,
    read_verdicts,
)
from judge.trust_tables import console, print_agreement, print_scores

__all__ = ["agree_command", "score_command"]


def agree_command(
    runs: Sequence[Path],
    labels: Sequence[Path],
    *,
    columns: Sequence[str] = (),
    fixed: Sequence[str] = (),
    cluster: str = "paper",
    method: str = "jackknife",
    judge: str | None = None,
    as_json: bool = False,
) -> None:
    """Compare judges with labels and print the study.

    Raises:
        InputError: A run or a label file is malformed, or no label meets a verdict.
    """
    verdicts = only_judge(read_verdicts(runs), judge)
    read = read_labels(
        labels, columns=assignments(columns, "--column"), fixed=assignments(fixed, "--set")
    )
    with naming_files(runs=runs, labels=labels):
        check_versions(read, verdicts, runs)
    (by,) = [one for one in CLUSTERS if one == cluster]
    setting = Setting(method="bootstrap" if method == "bootstrap" else "jackknife")
    report = agreement(verdicts, read, setting=setting, cluster=by)
    if read and not any(one.matched for one in report.accounts.values()):
        told = [line for one in report.accounts.values() for line in one.sentences()]
        raise InputError(
            "no label meets a verdict: " + " ".join(dict.fromkeys(told)).removesuffix("."),
            where=Where(", ".join(map(str, labels))),
            remedy="Check that submissions and claims have the run's ids",
        )
    if as_json:
        _print_json(report.as_json())
    else:
        print_agreement(report, console())


def score_command(
    runs: Sequence[Path],
    labels: Sequence[Path],
    *,
    labels_from: Sequence[Path] = (),
    columns: Sequence[str] = (),
    fixed: Sequence[str] = (),
    correction: str = "ppi",
    cut: int | None = None,
    papers: str = "sample",
    judge: str | None = None,
    as_json: bool = False,
) -> None:
    """Score agents, corrected by labels or by a better judge's sample.

    Raises:
        InputError: An input is malformed, or judges are mixed.
    """
    verdicts = only_judge(read_verdicts(runs), judge)
    read = read_labels(
        labels, columns=assignments(columns, "--column"), fixed=assignments(fixed, "--set")
    )
    with naming_files(runs=runs, labels=labels):
        check_versions(read, verdicts, runs)
    if labels_from:
        read = (*read, *labels_of_run(read_verdicts(labels_from)))
    (how,) = [one for one in ("none", "ppi", "pooled", "rogan-gladen") if one == correction]
    if not read:
        how = "none"
    (meant,) = [one for one in PAPERS if one == papers]
    with naming_files(runs=runs, labels=labels or labels_from):
        report = score_agents(verdicts, read, correction=how, cut=cut, papers=meant)
    if as_json:
        _print_json(report.as_json())
    else:
        print_scores(report, console())


def _print_json(record: dict[str, Any]) -> None:
    click.echo(json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False))
