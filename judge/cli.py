"""The command line: reads words, calls one function, prints, and says by its exit code how it went.

Exit codes: 0 all went well; 1 a fault in the program or of the machine; 2 an input or the command
line is wrong; 3 a run ended, and some claims have no verdict; 4 the provider refuses every question
(key, quota, model); 5 `compare` found claims that got worse, or `anchors check` a judge that
drifted; 130 a person interrupted.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from judge.check_cli import check
from judge.cli_errors import hint_at_config, own_errors
from judge.closed_pipes import outlive_readers
from judge.trust_cli import COMMANDS

__all__ = ["cli", "main"]

_CONFIG = click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    default=Path("run.yaml"),
    show_default=True,
    help="The run's configuration.",
)


def _warm_up() -> None:
    """Have workers load their part of the program while this process loads its own."""
    from judge.workers import warm_up  # noqa: PLC0415

    warm_up("judge.preparing", "judge.models.embedded")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="sau-judge", prog_name="judge")
def cli() -> None:
    """Grade whether code repositories do what their papers claim, with the lines that prove it."""


@cli.command(short_help="Grade every claim of every submission.")
@_CONFIG
@click.option("--quiet", is_flag=True, help="No progress; the summary only.")
@click.option("--no-report", is_flag=True, help="Do not write the HTML report at the end.")
@click.option(
    "--allow-partial", is_flag=True, help="Exit with 0 although some claims have no verdict."
)
@click.option(
    "--max-cost",
    type=click.FloatRange(min=0),
    metavar="DOLLARS",
    help="Stop before this run spends more; goes before max_cost in the configuration.",
)
@own_errors
def run(
    config_path: Path,
    *,
    quiet: bool,
    no_report: bool,
    allow_partial: bool,
    max_cost: float | None,
) -> None:
    """Grade every claim of every submission; what is already graded is not asked again."""
    _warm_up()
    from judge.commands import run_command  # noqa: PLC0415

    code = run_command(config_path, quiet=quiet, report=not no_report, max_cost=max_cost)
    sys.exit(0 if code == 3 and allow_partial else code)


@cli.command(short_help="What a run would ask and cost; nothing is sent.")
@_CONFIG
@click.option(
    "--as",
    "sellers",
    multiple=True,
    metavar="PROVIDER:MODEL",
    help="Price the same questions at this model too, e.g. openai:MODEL; may be repeated.",
)
@click.option("--each", is_flag=True, help="List every question that would be sent, and why.")
@own_errors
def plan(config_path: Path, sellers: tuple[str, ...], *, each: bool) -> None:
    """Say what a run would ask and what that would cost; nothing is sent or written."""
    from judge.commands import plan_command  # noqa: PLC0415

    plan_command(config_path, sellers, each=each)


@cli.group(short_help="Ask by the vendors' batch APIs, at half the price.")
def batch() -> None:
    """Ask by the vendors' batch APIs: half the price, answers within a day."""


@batch.command()
@_CONFIG
@click.option("--per-batch", type=click.IntRange(min=1), help="Requests in one batch at most.")
@own_errors
def submit(config_path: Path, per_batch: int | None) -> None:
    """Send every question that is neither answered nor under way."""
    from judge.batch_commands import submit_command  # noqa: PLC0415

    sys.exit(submit_command(config_path, per_batch))


@batch.command()
@_CONFIG
@own_errors
def status(config_path: Path) -> None:
    """Say how the batches of a run stand."""
    from judge.batch_commands import status_command  # noqa: PLC0415

    status_command(config_path)


@batch.command(short_help="Fetch what batches brought, and grade it.")
@_CONFIG
@own_errors
def collect(config_path: Path) -> None:
    """Fetch what batches brought and grade it; submit again sends what is still missing."""
    from judge.batch_commands import collect_command  # noqa: PLC0415

    sys.exit(collect_command(config_path))


@cli.command(short_help="Grade the built-in suite: no key, no network.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path("runs/demo"),
    show_default=True,
    help="The run directory to write.",
)
@own_errors
def demo(output: Path) -> None:
    """Grade the built-in suite with the embedded judge: no key, no network."""
    _warm_up()
    from judge.commands import demo_command  # noqa: PLC0415

    sys.exit(demo_command(output))


@cli.command(short_help="Write the HTML report, CSV and JSON Lines of a run.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Where to write; default: `report` in the run directory, or ./report.",
)
@own_errors
def report(path: Path, output: Path | None) -> None:
    """Write the HTML report, CSV and JSON Lines of a run, or of published SA-Bench results."""
    from judge.commands import report_command  # noqa: PLC0415

    report_command(path, output)


@cli.command(short_help="Show what a judge would see for a claim.")
@click.argument("repo", type=click.Path(path_type=Path, file_okay=False))
@click.argument("claim")
@click.option(
    "--dimension",
    type=click.Choice(["D1", "D2", "D3", "D4"]),
    default="D2",
    show_default=True,
    help="The kind of claim; D4 adds the order of calls.",
)
@click.option(
    "--budget", type=click.IntRange(min=1), default=4000, show_default=True, help="Tokens shown."
)
@click.option("--exclude", multiple=True, metavar="PATTERN", help="What to leave out; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@own_errors
def search(
    repo: Path, claim: str, dimension: str, budget: int, exclude: tuple[str, ...], *, as_json: bool
) -> None:
    """Show what a judge would see for CLAIM in REPO, with scores and reasons."""
    from judge.commands import search_command  # noqa: PLC0415

    search_command(repo, claim, dimension=dimension, budget=budget, exclude=exclude, json=as_json)


@cli.command(short_help="Explain one verdict, from evidence to checks.")
@click.argument("submission")
@click.argument("sau")
@click.option(
    "--run",
    "run_path",
    type=click.Path(path_type=Path),
    help="The run directory; default: the one run below ./runs, or the one of run.yaml.",
)
@click.option("--whole", is_flag=True, help="Print long prompts and answers to their end.")
@own_errors
def show(submission: str, sau: str, run_path: Path | None, *, whole: bool) -> None:
    """Explain one verdict: the evidence, the question, the answer, the checks."""
    from judge.commands import show_command  # noqa: PLC0415

    show_command(submission, sau, run_path, whole=whole)


@cli.command(short_help="Write a commented run.yaml to start from.")
@click.argument("path", type=click.Path(path_type=Path), default=Path("run.yaml"))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@own_errors
def init(path: Path, *, force: bool) -> None:
    """Write a commented run.yaml that grades the built-in suite as it stands."""
    from judge.commands import init_command  # noqa: PLC0415

    init_command(path, force=force)


@cli.command(short_help="Check a configuration and its inputs, without a run.")
@_CONFIG
@own_errors
def validate(config_path: Path) -> None:
    """Check a configuration and all its inputs without running; nothing is sent or left behind."""
    from judge.commands import validate_command  # noqa: PLC0415

    validate_command(config_path)


for _command in (check, *COMMANDS):
    cli.add_command(_command)


def main() -> None:
    """Run the command line."""
    outlive_readers()
    try:
        cli(prog_name="judge", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        if hint := hint_at_config(error, sys.argv[1:]):
            click.echo(hint, err=True)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted; what was answered is kept", err=True)
        sys.exit(130)


if __name__ == "__main__":
    main()
