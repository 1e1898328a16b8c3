"""The commands on anchors: a fixed set of claims that is judged again when a judge changes."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from judge.cli_errors import own_errors

__all__ = ["anchors"]

_PATH = click.Path(path_type=Path)


@click.group(short_help="Fixed claims that tell whether a judge has drifted.")
def anchors() -> None:
    """A fixed set of claims, judged again on each change of model or prompt."""


@anchors.command(short_help="Choose claims of a run, and keep its verdicts.")
@click.option("--run", "run_path", type=_PATH, required=True, help="The run to choose from.")
@click.option("--judge", help="Only verdicts of this judge.")
@click.option(
    "--count",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="How many verdicts; with --all-agents, how many claims.",
)
@click.option(
    "--submissions",
    "each",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Submissions of each paper, agents in turn.",
)
@click.option(
    "--all-agents",
    is_flag=True,
    help="Take every submission, and draw claims with equal chances: a fair draw of each agent's, "
    "for a better judge whose verdicts serve as labels.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the choice.")
@click.option("--output", type=_PATH, required=True, help="The file to write.")
@own_errors
def make(
    *,
    run_path: Path,
    judge: str | None,
    count: int,
    each: int,
    all_agents: bool,
    seed: int,
    output: Path,
) -> None:
    """Choose claims from a run over five papers or more, and keep their levels.

    They are drawn over papers and dimensions whatever their level, so that the same judge moves
    none of them one way.
    """
    from judge.anchoring import make_command  # noqa: PLC0415

    make_command(run_path, output, count, judge=judge, each=None if all_agents else each, seed=seed)


@anchors.command()
@click.argument("path", type=_PATH, metavar="ANCHORS")
@click.option(
    "--config",
    "config_path",
    type=_PATH,
    default=Path("run.yaml"),
    show_default=True,
    help="The judge, and the benchmark and submissions that hold the anchors.",
)
@click.option("--output", type=_PATH, required=True, help="The run directory to write.")
@click.option(
    "--fresh",
    is_flag=True,
    help="Ask everything again, with a cache of its own: for a model that may have changed under "
    "the same name.",
)
@click.option("--quiet", is_flag=True, help="No progress.")
@own_errors
def run(path: Path, config_path: Path, output: Path, *, fresh: bool, quiet: bool) -> None:
    """Judge ANCHORS alone by a config's judge; exits as judge run does."""
    from judge.anchoring import run_command  # noqa: PLC0415

    sys.exit(run_command(path, config_path, output, fresh=fresh, quiet=quiet))


@anchors.command(short_help="Test whether a judge has drifted from its anchors.")
@click.argument("path", type=_PATH, metavar="ANCHORS")
@click.option("--run", "run_path", type=_PATH, required=True, help="A run that judged them.")
@click.option("--judge", help="Only verdicts of this judge.")
@click.option(
    "--labels", type=_PATH, multiple=True, help="Labels: did the judge get better or worse?"
)
@click.option(
    "--within",
    type=click.FloatRange(0.001, 0.5),
    help="Exit with 5 unless the mean score is shown to have moved by less than this.",
)
@click.option("--json", "as_json", is_flag=True, help="Print every number as JSON.")
@own_errors
def check(
    *,
    path: Path,
    run_path: Path,
    judge: str | None,
    labels: tuple[Path, ...],
    within: float | None,
    as_json: bool,
) -> None:
    """Test whether the judge of a run has drifted from ANCHORS; exits with 5 where it has.

    Tested are the mean score and the share of claims at each level or above, adjusted together.
    Exits with 3 where anchors have no level in the run, or too few papers are left to tell.
    """
    from judge.anchoring import check_command  # noqa: PLC0415

    sys.exit(
        check_command(path, run_path, labels=labels, judge=judge, within=within, as_json=as_json)
    )
