"""`judge check`: the command line of the linter."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from judge.cli_errors import own_errors

__all__ = ["check"]

_PATH = click.Path(path_type=Path)


@click.command(short_help="Check one repository against claims, like a linter.")
@click.argument("repo", type=_PATH)
@click.option(
    "--saus",
    type=_PATH,
    required=True,
    help="The claims: SA-Bench's file or folder, JSON Lines, or a list in YAML or JSON; "
    "- reads them from standard input.",
)
@click.option("--paper", help="Which paper, where the claims are of several.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 1),
    metavar="SCORE",
    help="Exit with 1 where the score is below this; not set: report only.",
)
@click.option(
    "--judge",
    "judge_name",
    default="embedded",
    show_default=True,
    metavar="embedded|CONFIG",
    help="Who judges: the embedded judge, or the one of a run.yaml.",
)
@click.option("--exclude", multiple=True, metavar="PATTERN", help="What to leave out; repeatable.")
@click.option("--met", is_flag=True, help="Tell of the claims that are met, too, and why.")
@click.option("--json", "in_json", is_flag=True, help="Print one JSON object.")
@click.option("--sarif", "in_sarif", is_flag=True, help="Print SARIF 2.1.0, for code hosts.")
@click.option("--output", type=_PATH, help="Write to this file, outside of REPO, and not print.")
@own_errors
def check(
    repo: Path,
    *,
    saus: Path,
    paper: str | None,
    fail_under: float | None,
    judge_name: str,
    exclude: tuple[str, ...],
    met: bool,
    in_json: bool,
    in_sarif: bool,
    output: Path | None,
) -> None:
    """Check REPO against claims like a linter: worst first, each with its file and line.

    Exit codes: 0 reported, or the score is not below --fail-under; 1 below it; 2 the command line
    or an input is wrong, or REPO holds no code; 3 some claim has no verdict, none has a level, or
    code or configuration could not be read: never a pass; 4 the provider refuses every question.
    Nothing is written into REPO.
    """
    if in_json and in_sarif:
        raise click.UsageError("--json and --sarif exclude each other: choose one, or run it twice")
    from judge.check_command import check_command  # noqa: PLC0415

    code = check_command(
        repo, saus, paper=paper, fail_under=fail_under, judge=judge_name, exclude=exclude,
        form="json" if in_json else "sarif" if in_sarif else "text", output=output,
        met=met,
    )  # fmt: skip
    sys.exit(code)
