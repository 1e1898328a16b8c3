"""What the commands do: each a plain function that the command line calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from benchmark import Dimension, InputError, Where
from judge.calibrating import calibrate_run, calibration_for
from judge.check import refuse_inside
from judge.config import (
    JudgeSection,
    RunConfig,
    default_config_text,
    load_config,
    make_config,
)
from judge.foreign import read_results
from judge.inputs import load_inputs, validate
from judge.loading import read_run
from judge.models import make_judge
from judge.pipeline import RunResult, plan_of, run_plan
from judge.planning import estimate
from judge.pricing import PriceTable
from judge.progress import make_reporter
from judge.quoting import Seller, describe, quote
from judge.rebuilding import rebuild_question
from judge.report import write_report
from judge.report.freshness import write_report_if_changed
from judge.report.text import plain
from judge.searching import as_json, print_evidence, search
from judge.show import show_verdict
from judge.summary import summarise
from judge.tables import print_summary

__all__ = [
    "demo_command",
    "init_command",
    "plan_command",
    "report_command",
    "run_command",
    "search_command",
    "show_command",
    "validate_command",
]

_DEMO = {"benchmark": {"path": "suite"}}
_REPORT = "report"


_PIPED_WIDTH = 132
"""Columns where the output is not a terminal and nothing is known of who reads it."""


def _out() -> Console:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, _PIPED_WIDTH)
    return console


def _say(console: Console, text: str, style: str = "") -> None:
    """Print words that may hold anything: no markup is read, and no escape reaches a terminal."""
    console.print(Text(plain(text), style=style), soft_wrap=True)


def run_command(
    config_path: Path,
    *,
    quiet: bool = False,
    report: bool = True,
    max_cost: float | None = None,
) -> int:
    """Run a config, write its report, print its summary.

    Args:
        config_path: The config.
        quiet: Tell no progress.
        report: Write the report.
        max_cost: Dollars that the run may spend, in place of what the config says.

    Returns:
        The exit code.

    Raises:
        InputError: The config or what it names is wrong; nothing was done.
    """
    config = load_config(config_path)
    if max_cost is not None:
        config = config.with_cap(max_cost)
    return _run(config, quiet=quiet, report=report)


def plan_command(config_path: Path, sellers: Sequence[str] = (), *, each: bool = False) -> None:
    """Say what a run would ask and what that would cost.

    Args:
        config_path: The config.
        sellers: More models to price the questions at, as `provider:model`.
        each: List every question.

    Raises:
        InputError: The config or what it names is wrong.
    """
    config = load_config(config_path)
    others = [Seller.parse(text) for text in sellers]
    judge = make_judge(config.judge.settings(), need_key=False)
    plan = plan_of(config, load_inputs(config), judge)
    found = asyncio.run(estimate(plan))
    asked = config.judge.asked
    table = _prices(asked)
    if asked.model is not None:
        others.insert(0, _seller(asked))
    quotes = [quote(found, seller, table) for seller in others]
    members = [
        quote(part, _seller(one), _prices(one))
        for one, part in zip(asked.members or (), found.parts, strict=True)
    ]
    console = _out()
    for line in describe(found, quotes, members=members, each=each):
        _say(console, line)


def _seller(judge: JudgeSection) -> Seller:
    return Seller(judge.kind, judge.model or judge.kind, judge.base_url)


def _prices(judge: JudgeSection) -> PriceTable | None:
    return None if judge.prices is None else PriceTable.load(judge.prices)


def demo_command(output: Path) -> int:
    """Grade the built-in suite with the embedded judge.

    Args:
        output: The run directory.

    Returns:
        The exit code.
    """
    config = make_config(
        {**_DEMO, "output": {"path": str(output)}}, file=Path("built-in demo").absolute()
    )
    return _run(config, quiet=False, report=True)


def _run(config: RunConfig, *, quiet: bool, report: bool) -> int:
    plan = plan_of(config, load_inputs(config))
    calibrator = calibration_for(config, plan)
    reporter = make_reporter(quiet=quiet)
    result: RunResult = asyncio.run(run_plan(plan, reporter=reporter))
    console = _out()
    print_summary(result.summary, console)
    if result.reason:
        _say(console, f"! {result.reason}", "yellow")
    for remark in result.remarks:
        _say(console, f"! {remark}", "yellow")
    if calibrator is not None:
        try:
            _say(console, calibrate_run(result.path, calibrator))
        except InputError as error:
            # A run that was stopped may not have come to verdicts that another judge left there.
            if not result.reason:
                raise
            _say(console, f"! not calibrated: {error}", "yellow")
    if report:
        index = write_report_if_changed(result.path, result.path / _REPORT, result.summary)
        _say(console, f"report: {_shown(index)}", "bold")
    else:
        _say(console, f"run: {_shown(result.path)}", "bold")
    return result.exit_code


def report_command(path: Path, output: Path | None) -> Path:
    """Write the report of a run directory or of a tree of published results.

    Args:
        path: Either of the two.
        output: Where to; by default `report` inside a run directory, else `./report`.

    Returns:
        The page to open.

    Raises:
        InputError: There are no results at the path, they are malformed, or the output that is
            asked for lies in a repository that was graded.
    """
    loaded = read_results(path)
    if output is not None:
        for note in loaded.submissions:
            if note.root:  # published results do not say where theirs is
                refuse_inside(output, Path(note.root), Where("--output"))
    summary = summarise(loaded.verdicts, loaded.saus, loaded.submissions)
    if output is None:
        output = path / _REPORT if (path / "run.json").exists() else Path(_REPORT)
    console = _out()
    print_summary(summary, console)
    index = write_report(loaded, output, summary)
    _say(console, f"report: {_shown(index)}", "bold")
    return index


def search_command(
    repo: Path, claim: str, *, dimension: str, budget: int, exclude: Sequence[str], json: bool
) -> None:
    """Print what a judge would be shown for a claim about a repository.

    Args:
        repo: The repository's folder.
        claim: The claim.
        dimension: `D1` to `D4`.
        budget: Tokens of the question.
        exclude: Patterns of what is left out.
        json: Print JSON and not for people.

    Raises:
        InputError: There is no such folder, or no claim.
    """
    evidence = search(repo, claim, dimension=Dimension(dimension), budget=budget, exclude=exclude)
    if json:
        click.echo(as_json(evidence))
    else:
        print_evidence(evidence, _out())


def show_command(submission: str, sau: str, run_path: Path | None, *, whole: bool = False) -> None:
    """Explain one verdict in the terminal.

    Args:
        submission: The submission's id.
        sau: The claim's id.
        run_path: The run directory, or `None` to look for it.
        whole: Print long parts to their end.

    Raises:
        InputError: There is no such run or verdict.
    """
    loaded = read_run(run_path or _only_run(), everything=True)
    question, remark = rebuild_question(loaded, submission, sau)
    console = _out()
    show_verdict(loaded, submission, sau, console=console, question=question, whole=whole)
    if remark:
        _say(console, f"note: {remark}", "yellow")


def _only_run() -> Path:
    """The run that a person in this folder most likely means."""
    config = Path("run.yaml")
    if config.exists():
        output = load_config(config).output.path
        if (output / "run.json").exists():
            return output
    runs = sorted(file.parent for file in Path("runs").glob("*/run.json"))
    if len(runs) == 1:
        return runs[0]
    raise InputError(
        f"there are {len(runs)} runs here" if runs else "there is no run here",
        where=Where("runs"),
        remedy="Name one with --run"
        + (f", e.g. {', '.join(path.as_posix() for path in runs[:5])}" if runs else ""),
    )


def init_command(path: Path, *, force: bool = False) -> None:
    """Write a commented config.

    Args:
        path: The file to write, or a folder to write `run.yaml` into.
        force: Write over what is there.

    Raises:
        InputError: The file is there already, or cannot be written.
    """
    if path.is_dir():
        path /= "run.yaml"
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(default_config_text())
    except FileExistsError:
        raise InputError(
            "there is such a file already",
            where=Where(str(path)),
            remedy="Give another name, or --force to write over it",
        ) from None
    except OSError as error:
        raise InputError(
            f"the file cannot be written ({error.strerror or error})",
            where=Where(str(path)),
            remedy="Give a path in a folder that exists and may be written to",
        ) from None
    click.echo(f"wrote {path}; try it:  judge run --config {path}")


def validate_command(config_path: Path) -> None:
    """Check a config and its inputs, and say what a run would be about.

    Raises:
        InputError: Something is wrong.
    """
    config = load_config(config_path)
    report = validate(config)
    judge = make_judge(config.judge.settings(), need_key=False)
    calibration_for(config, plan_of(config, report.inputs, judge))
    console = _out()
    for line in str(report).splitlines():
        _say(console, line, "yellow" if line.startswith("warning: ") else "")


def _shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)
