"""The commands on trust: agreement, scores, calibration, labels, comparing runs, the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from judge.cli_errors import own_errors

__all__ = ["COMMANDS"]

_F = TypeVar("_F", bound=Callable[..., object])
_PATH = click.Path(path_type=Path)


def _runs(function: _F) -> _F:
    option = click.option(
        "--run",
        "runs",
        type=_PATH,
        multiple=True,
        required=True,
        help="A run directory, or a tree of published results; may be given again.",
    )
    return option(function)


def _labels(*, required: bool) -> Callable[[_F], _F]:
    def add(function: _F) -> _F:
        for option in (
            click.option(
                "--set",
                "fixed",
                multiple=True,
                metavar="FIELD=VALUE",
                help="A value for every row of a CSV table, e.g. annotator=ann; may be repeated.",
            ),
            click.option(
                "--column",
                "columns",
                multiple=True,
                metavar="FIELD=NAME",
                help="What a field is called in a CSV table, e.g. sau=claim_id; may be repeated.",
            ),
            click.option(
                "--labels",
                type=_PATH,
                multiple=True,
                required=required,
                help="Labels: JSON Lines, CSV, PaperBench's expected_result.json, or a folder.",
            ),
        ):
            function = option(function)
        return function

    return add


_JSON = click.option("--json", "as_json", is_flag=True, help="Print every number as JSON.")
_JUDGE = click.option("--judge", help="Only verdicts of this judge.")


@click.command()
@_runs
@_labels(required=True)
@_JUDGE
@click.option(
    "--cluster",
    type=click.Choice(["paper", "submission", "agent"]),
    default="paper",
    show_default=True,
    help="What is left out as a whole to see how figures vary.",
)
@click.option(
    "--interval",
    "method",
    type=click.Choice(["jackknife", "bootstrap"]),
    default="jackknife",
    show_default=True,
    help="How intervals are made; the bootstrap's are too narrow where papers are few.",
)
@_JSON
@own_errors
def agree(
    *,
    runs: tuple[Path, ...],
    labels: tuple[Path, ...],
    columns: tuple[str, ...],
    fixed: tuple[str, ...],
    judge: str | None,
    cluster: str,
    method: str,
    as_json: bool,
) -> None:
    """How well judges agree with labels, labels with each other, and judges with judges."""
    from judge.trust import agree_command  # noqa: PLC0415

    agree_command(
        runs, labels, columns=columns, fixed=fixed, cluster=cluster, method=method, judge=judge,
        as_json=as_json,
    )  # fmt: skip


@click.command()
@_runs
@_labels(required=False)
@click.option(
    "--labels-from-run",
    "labels_from",
    type=_PATH,
    multiple=True,
    help="A run of a better judge over some of the claims, in place of labels.",
)
@_JUDGE
@click.option(
    "--correction",
    type=click.Choice(["none", "ppi", "pooled", "rogan-gladen"]),
    default="ppi",
    show_default=True,
    help="How the judge's error is taken out.",
)
@click.option(
    "--cut",
    type=click.IntRange(1, 4),
    help="Score the share of claims at this level or above, instead of the mean.",
)
@_JSON
@own_errors
def score(
    *,
    runs: tuple[Path, ...],
    labels: tuple[Path, ...],
    columns: tuple[str, ...],
    fixed: tuple[str, ...],
    labels_from: tuple[Path, ...],
    judge: str | None,
    correction: str,
    cut: int | None,
    as_json: bool,
) -> None:
    """Agents' scores with the judge's error taken out, and which differences hold."""
    from judge.trust import score_command  # noqa: PLC0415

    score_command(
        runs, labels, labels_from=labels_from, columns=columns, fixed=fixed,
        correction=correction, cut=cut, judge=judge, as_json=as_json,
    )  # fmt: skip


COMMANDS: tuple[click.Command, ...] = (agree, score)
"""What the command line adds to its own."""
