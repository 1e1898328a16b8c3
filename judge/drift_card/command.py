"""`python -m benchmark drift inject | score | list`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import click
from rich.console import Console

from benchmark.errors import GraderError, InputError, Where
from judge.counting import counted

__all__ = ["drift"]

_P = ParamSpec("_P")
_T = TypeVar("_T")
_WIDTH = 220
_SUITE = Path(__file__).resolve().parent.parent.parent / "benchmark" / "suite"


def _own_errors(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Show errors that are raised on purpose as one message."""

    @wraps(function)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return function(*args, **kwargs)
        except GraderError as error:
            click.secho(f"error: {error}", err=True, fg="red")
            sys.exit(error.exit_code)

    return guarded


def _need_libcst() -> None:
    try:
        import libcst  # noqa: F401, PLC0415
    except ImportError:
        raise InputError(
            "LibCST is not installed, and drift is put in through it",
            where=Where("benchmark.drift"),
            remedy="Install the extra in the project's folder: pip install '.[drift]'",
        ) from None


@click.group()
def drift() -> None:
    """Put known faults into repositories, and score a judge on them."""


@drift.command()
@click.option(
    "--repo",
    "repos",
    type=click.Path(path_type=Path, file_okay=False),
    multiple=True,
    help="A repository to mutate; may be given several times.",
)
@click.option("--suite", is_flag=True, help="Mutate the built-in suite's faithful submissions.")
@click.option(
    "--saus",
    type=click.Path(path_type=Path),
    help="Claims about the repository; without them, claims are read off the code.",
)
@click.option(
    "--anchors",
    type=click.Path(path_type=Path),
    help="Labels or a run's verdicts.jsonl: what is level 4, with its lines, anchors the claims.",
)
@click.option("--submission", help="Whose rows of the anchors count.")
@click.option(
    "--output", type=click.Path(path_type=Path), required=True, help="An empty or new folder."
)
@click.option("--operator", "operators", multiple=True, help="This operator alone; repeatable.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many mutants.")
@click.option(
    "--per-operator",
    type=click.IntRange(min=1),
    help="At most so many mutants of one operator in one repository.",
)
@click.option(
    "--variants",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    help="At most so many changes that must not matter.",
)
@click.option(
    "--attacks",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="At most so many attacks.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="What choices are made from.")
@_own_errors
def inject(
    repos: tuple[Path, ...],
    *,
    suite: bool,
    saus: Path | None,
    anchors: Path | None,
    submission: str | None,
    output: Path,
    operators: tuple[str, ...],
    limit: int | None,
    per_operator: int | None,
    variants: int,
    attacks: int,
    seed: int,
) -> None:
    """Write a test set: mutated repositories, claims, labels, a manifest and a run.yaml."""
    _need_libcst()
    from benchmark.drift.inject import build, chosen_operators  # noqa: PLC0415
    from benchmark.drift.testset import write_testset  # noqa: PLC0415

    started = time.perf_counter()
    targets = _targets(repos, suite=suite, saus=saus, anchors=anchors, submission=submission)
    made = build(
        targets,
        seed=seed,
        operators=chosen_operators(operators),
        limit=limit,
        per_operator=per_operator,
        variants=variants,
        attacks=attacks,
    )
    write_testset(made, output)
    kinds = {kind: [r for r in made.rows if r.kind == kind] for kind in _KINDS}
    used = len({row.operator for row in kinds["drift"]})
    click.echo(
        f"{counted(len(kinds['drift']), 'mutant')} by {counted(used, 'operator')} in "
        f"{counted(len(targets), 'repository', 'repositories')}, "
        f"{counted(len(kinds['variant']), 'change')} that must not matter, "
        f"{counted(len(kinds['attack']), 'attack')}, "
        f"{counted(len(kinds['base']), 'claim')}: {time.perf_counter() - started:.1f} s"
    )
    left_out = sum(row["places"] for row in made.facts["left_out"])
    if left_out:
        click.echo(f"{counted(left_out, 'place')} left out; drift.json says why")
    click.echo(f"next: python -m judge run --config {output / 'run.yaml'}")
    click.echo(f"then: python -m benchmark drift score --run {output / 'run'}")


_KINDS = ("base", "drift", "variant", "attack")


def _targets(
    repos: tuple[Path, ...],
    *,
    suite: bool,
    saus: Path | None,
    anchors: Path | None,
    submission: str | None,
) -> list:  # type: ignore[type-arg]
    from benchmark.drift.anchors import load_anchors  # noqa: PLC0415
    from benchmark.drift.inject import Target, name_of  # noqa: PLC0415
    from benchmark.readers import load_benchmark  # noqa: PLC0415

    if bool(saus) != bool(anchors) or (anchors and len(repos) != 1) or (suite and repos):
        raise InputError(
            "--saus and --anchors belong together and to one --repo, and --suite stands alone",
            where=Where("drift inject"),
            remedy="Give --repo DIR with both, or --repo alone as often as you like, or --suite",
        )
    if suite:
        benchmark = load_benchmark(_SUITE / "papers")
        return [
            Target(
                _SUITE / "submissions" / "faithful" / paper.id / "repo",
                paper.id,
                load_anchors(
                    _SUITE / "labels" / f"{paper.id}.jsonl",
                    paper.saus,
                    submission=f"faithful/{paper.id}",
                ),
            )
            for paper in benchmark.papers
        ]
    if not repos:
        raise InputError(
            "there is nothing to mutate",
            where=Where("drift inject"),
            remedy="Give --repo DIR, or --suite",
        )
    targets: list[Target] = []
    for root in repos:
        name = name_of(root, {target.name for target in targets})
        known = None
        if saus is not None and anchors is not None:
            known = load_anchors(anchors, load_benchmark(saus).saus, submission=submission)
        targets.append(Target(root, name, known))
    return targets


@drift.command()
@click.option(
    "--run",
    "run_path",
    type=click.Path(path_type=Path),
    required=True,
    help="A run over a drift test set, of any judge.",
)
@click.option(
    "--set", "folder", type=click.Path(path_type=Path), help="The test set, where not found."
)
@_own_errors
def score(run_path: Path, folder: Path | None) -> None:
    """Print a judge's score card, and write it as JSON and as a page of the run's report."""
    from judge.drift_card.card import score_card  # noqa: PLC0415
    from judge.drift_card.pairs import read_pairs, set_of  # noqa: PLC0415
    from judge.drift_card.showing import print_card, write_card  # noqa: PLC0415
    from judge.loading import read_run  # noqa: PLC0415
    from judge.report.writing import DRIFT_PAGE, write_report  # noqa: PLC0415

    run = read_run(run_path)
    where = folder or set_of(run)
    pairs, unjudged = read_pairs(run, where)
    names = sorted({verdict.provenance.judge for verdict in run.verdicts})
    facts = where / "drift.json"
    card = score_card(
        pairs,
        unjudged,
        judge=", ".join(names),
        facts=json.loads(facts.read_text(encoding="utf-8")) if facts.is_file() else {},
    )
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    print_card(card, console)
    data, page = run_path / "drift-card.json", run_path / "report" / DRIFT_PAGE
    write_card(card, data, page, report="index.html")
    write_report(run, page.parent)  # its first page links to the card
    click.echo(f"judge: {card.judge}")
    click.echo(f"written: {data}, {page}")


@drift.command(name="list")
@_own_errors
def list_() -> None:
    """List the operators, the changes that must not matter, and the attacks."""
    _need_libcst()
    from benchmark.drift.attacks import ATTACKS  # noqa: PLC0415
    from benchmark.drift.operators import OPERATORS  # noqa: PLC0415
    from benchmark.drift.variants import VARIANTS  # noqa: PLC0415

    for operator in OPERATORS.values():
        kind = f"{operator.drift.value}, {operator.failure.value}"
        click.echo(f"{operator.name:<26} {kind:<30} {operator.about}")
    for title, table in (("must not matter", VARIANTS), ("attack", ATTACKS)):
        for name, entry in table.items():
            click.echo(f"{name:<26} {title:<30} {entry.about}")
