"""The commands on trust: agreement, scores, calibration, labels, comparing runs, the study."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from judge.anchor_cli import anchors
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
                help="A value for every row of a CSV table, e.g. annotator=ann; agent=NAME is also "
                "who wrote what JudgeEval's rows grade; may be repeated.",
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
                help="Labels: JSON Lines, CSV, PaperBench's expected_result.json, JudgeEval's "
                "rows, a folder, or the word suite; may be given again.",
            ),
        ):
            function = option(function)
        return function

    return add


_JSON = click.option("--json", "as_json", is_flag=True, help="Print every number as JSON.")
_JUDGE = click.option("--judge", help="Only verdicts of this judge.")


@click.command(short_help="How well judges agree with labels and each other.")
@_runs
@_labels(required=True)
@_JUDGE
@click.option(
    "--cluster",
    type=click.Choice(["paper", "submission", "agent", "claim"]),
    default="paper",
    show_default=True,
    help="What is left out as a whole to see how figures vary; claim is for these papers alone.",
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
    """How well judges agree with labels, labels with each other, and judges with judges.

    Needs runs and labels of some of their claims. Gives every measure with its interval, by
    dimension, paper, agent and judge; two judges on the same labels are tested against each other.
    """
    from judge.trust import agree_command  # noqa: PLC0415

    agree_command(
        runs, labels, columns=columns, fixed=fixed, cluster=cluster, method=method, judge=judge,
        as_json=as_json,
    )  # fmt: skip


@click.command(short_help="Agents' scores with the judge's error taken out.")
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
@click.option(
    "--papers",
    type=click.Choice(["sample", "fixed"]),
    default="sample",
    show_default=True,
    help="Means for papers like these, or for these papers' claims alone: another question.",
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
    papers: str,
    as_json: bool,
) -> None:
    """Agents' scores with the judge's error taken out, and which differences hold.

    Needs a run of one judge, and labels of a random draw of its claims: 20 in 5 papers for each
    agent, 50 where papers are fixed. A better judge's run over such a draw serves for labels. Gives
    each agent's mean as judged and corrected, with intervals and ranks, or says what is missing.
    """
    from judge.trust import score_command  # noqa: PLC0415

    score_command(
        runs, labels, labels_from=labels_from, columns=columns, fixed=fixed,
        correction=correction, cut=cut, papers=papers, judge=judge, as_json=as_json,
    )  # fmt: skip


@click.command(short_help="Fit from labels what a verdict is worth.")
@_runs
@_labels(required=False)
@_JUDGE
@click.option("--output", type=_PATH, required=True, help="The file to write.")
@click.option(
    "--apply",
    "calibration",
    type=_PATH,
    help="Apply this calibration to the run instead of fitting one; --output gets a line each.",
)
@click.option(
    "--coverage",
    type=click.FloatRange(0.5, 0.99),
    default=0.9,
    show_default=True,
    help="Chance with which prediction sets hold the true level.",
)
@click.option(
    "--risk",
    type=click.FloatRange(0.001, 0.5),
    default=0.1,
    show_default=True,
    help="Risk that is accepted of what is answered without a person.",
)
@click.option(
    "--loss",
    type=click.Choice(["off_by_two", "wrong", "cut", "distance"]),
    help="What that risk is of: an answer two levels off or more (the default), or any wrong one; "
    "of a cascade's, a level on the other side of --cut (the default), or the distance.",
)
@click.option(
    "--cascade",
    is_flag=True,
    help="Fit the rule of a cascade: which verdicts of this judge may stand without a second one.",
)
@click.option(
    "--labels-from-run",
    "labels_from",
    type=_PATH,
    multiple=True,
    help="For --cascade: a run of the second judge over some of the claims, in place of labels.",
)
@click.option(
    "--cut", type=click.IntRange(1, 4), default=2, show_default=True, help="For --cascade."
)
@click.option(
    "--scale",
    type=click.Choice(["own", "labels"]),
    default="own",
    show_default=True,
    help="For --cascade: verdicts stand as they are, or moved to the labels' scale.",
)
@_JSON
@own_errors
def calibrate(
    *,
    runs: tuple[Path, ...],
    labels: tuple[Path, ...],
    columns: tuple[str, ...],
    fixed: tuple[str, ...],
    judge: str | None,
    output: Path,
    calibration: Path | None,
    coverage: float,
    risk: float,
    loss: str | None,
    cascade: bool,
    labels_from: tuple[Path, ...],
    cut: int,
    scale: str,
    as_json: bool,
) -> None:
    """Fit from labels what a verdict is worth, or apply what was fitted.

    Needs a run of one judge and 50 labels with a level or more, in 5 papers or more. Writes a file
    that turns a verdict into the chance of each level, and prints how good these are out of fold.
    """
    from judge.cascade_fitting import fit_by_command  # noqa: PLC0415
    from judge.trust_more import apply_command, calibrate_command  # noqa: PLC0415

    of_a_cascade = loss in {"cut", "distance"}
    if loss is not None and of_a_cascade is not cascade:
        raise click.UsageError(
            f"--loss {loss} is {'' if of_a_cascade else 'not '}a cascade's: "
            + ("add --cascade" if of_a_cascade else "choose cut or distance")
        )
    if cascade:
        if calibration is not None or not (labels or labels_from):
            raise click.UsageError("--cascade fits a rule: give --labels or --labels-from-run")
        fit_by_command(
            runs, labels, output, labels_from=labels_from, columns=columns, fixed=fixed,
            judge=judge, loss=loss or "cut", cut=cut, scale=scale, as_json=as_json,
        )  # fmt: skip
        return
    if labels_from:
        raise click.UsageError("--labels-from-run is for --cascade")
    if calibration is not None:
        apply_command(runs, calibration, output)
        return
    if not labels:
        raise click.UsageError("give --labels to fit a calibration, or --apply to use one")
    calibrate_command(
        runs, labels, output, columns=columns, fixed=fixed, judge=judge, coverage=coverage,
        risk=risk, loss=loss or "off_by_two", as_json=as_json,
    )  # fmt: skip


@click.group()
def labels() -> None:
    """What people should label next, and how much of it."""


@labels.command("sample", short_help="Draw claims to label, and write a table to fill in.")
@_runs
@click.option(
    "--labels", "labels", type=_PATH, multiple=True, help="Labels that you have: left out."
)
@_JUDGE
@click.option("--count", type=click.IntRange(1), required=True, help="How many claims to draw.")
@click.option("--output", type=_PATH, required=True, help="The CSV table to write.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw.")
@click.option(
    "--per",
    type=click.Choice(["run", "agent"]),
    default="run",
    show_default=True,
    help="Draw --count from the whole run, or from each agent's claims.",
)
@own_errors
def labels_sample(
    *,
    runs: tuple[Path, ...],
    labels: tuple[Path, ...],
    judge: str | None,
    count: int,
    output: Path,
    seed: int,
    per: str,
) -> None:
    """Draw claims to label: every dimension and level, unsure ones more often, with weights.

    Needs a run of one judge. Writes a table for people to fill in, without the judge's levels; its
    weights keep means over the draw unbiased.
    """
    from judge.trust_more import labels_sample_command  # noqa: PLC0415

    labels_sample_command(runs, output, count, labels=labels, judge=judge, seed=seed, per=per)


@labels.command("plan", short_help="How many labels give a mean within a width.")
@_runs
@_labels(required=True)
@_JUDGE
@click.option(
    "--width",
    type=click.FloatRange(0.001, 0.5),
    default=0.02,
    show_default=True,
    help="Half the width of the interval that is wanted.",
)
@click.option(
    "--per",
    type=click.Choice(["run", "agent"]),
    default="run",
    show_default=True,
    help="Plan for the mean over the whole run, or over one agent's claims.",
)
@_JSON
@own_errors
def labels_plan(
    *,
    runs: tuple[Path, ...],
    labels: tuple[Path, ...],
    columns: tuple[str, ...],
    fixed: tuple[str, ...],
    judge: str | None,
    width: float,
    per: str,
    as_json: bool,
) -> None:
    """How many labels give a mean within a width, with the judge's word and without.

    Needs a pilot: 20 labels or more in 5 papers or more, as labels sample draws them.
    """
    from judge.trust_more import labels_plan_command  # noqa: PLC0415

    labels_plan_command(
        runs, labels, width, columns=columns, fixed=fixed, judge=judge, per=per, as_json=as_json
    )


@click.command(short_help="Which verdicts changed between two runs, and why.")
@click.argument("first", type=_PATH)
@click.argument("second", type=_PATH)
@click.option(
    "--allow-broken",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Exit with 5 only where more claims than this got worse.",
)
@_JSON
@own_errors
def compare(*, first: Path, second: Path, allow_broken: int, as_json: bool) -> None:
    """Which verdicts changed between two runs, and why; exits with 5 where claims got worse.

    Needs two runs over the same claims. Tells changes of the code from those of evidence, prompt,
    settings and judge, and from chance; where the code is the same, tests if the judge drifted.
    Refuses levels that are foreseen (judge.foresee) beside verdicts by the rubric.
    """
    from judge.comparing import compare_command  # noqa: PLC0415

    sys.exit(compare_command(first, second, as_json=as_json, allow_broken=allow_broken))


@click.command(short_help="Agreement, scores and calibration on one page.")
@click.option(
    "--config",
    "config_path",
    type=_PATH,
    default=Path("study.yaml"),
    show_default=True,
    help="The study: runs, labels, output, and what to say of them.",
)
@own_errors
def study(*, config_path: Path) -> None:
    """Agreement, scores and calibration of every judge in one HTML page and one JSON file.

    Needs runs and labels, or configs of runs, which are run first. Exits with 3 where claims of
    these have no verdict.
    """
    from judge.study import study_command  # noqa: PLC0415

    sys.exit(study_command(config_path))


COMMANDS: tuple[click.Command, ...] = (
    agree, score, calibrate, labels, compare, anchors, study,
)  # fmt: skip
"""What the command line adds to its own."""
