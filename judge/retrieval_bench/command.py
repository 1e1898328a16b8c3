"""`python -m benchmark retrieval`: measure retrievers on queries with gold lines."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmark.errors import GraderError, InputError, Where
from judge.retrieval_bench.measure import (
    FIGURES,
    Result,
    mean_over_sets,
    measure,
)
from judge.retrieval_bench.queries import SearchQuery, read_queries, read_ranked
from judge.retrieval_bench.retrievers import COUNTED, RETRIEVERS, Counted, Recorded, Retriever
from retrieval.index import Index
from retrieval.reading import read_repository

__all__ = ["retrieval"]

Maker = Callable[[Index], Retriever]

_PIPED_WIDTH = 200
_SMALL = 150  # chunks: the size of what agents write


def _budgets(_context: click.Context, _parameter: click.Parameter, value: str) -> list[int]:
    try:
        budgets = [int(part) for part in value.split(",")]
    except ValueError as error:
        raise click.BadParameter("give whole numbers with commas between") from error
    if not budgets or min(budgets) < 1:
        raise click.BadParameter("a budget is at least 1 token")
    return budgets


def _ranked(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> list[tuple[str, Path]]:
    pairs = [value.partition("=") for value in values]
    if any(not name or not path for name, _, path in pairs):
        raise click.BadParameter("write NAME=FILE")
    return [(name, Path(path)) for name, _, path in pairs]


def _names(_context: click.Context, _parameter: click.Parameter, value: str) -> list[str]:
    names = [part.strip() for part in value.split(",") if part.strip()]
    if unknown := [name for name in names if name not in RETRIEVERS]:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(RETRIEVERS)}")
    return names


@click.command()
@click.option(
    "--queries", type=click.Path(path_type=Path), required=True, help="Queries, as JSON Lines."
)
@click.option(
    "--repos",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder that holds the repositories.",
)
@click.option(
    "--budgets", default="2000,4000,8000", callback=_budgets, help="Tokens, with commas between."
)
@click.option(
    "--retrievers",
    default=",".join(RETRIEVERS),
    callback=_names,
    help="Which of them, with commas between; all by default.",
)
@click.option(
    "--ranked",
    multiple=True,
    callback=_ranked,
    metavar="NAME=FILE",
    help="Spans that another search ranked, best first, as JSON Lines; repeatable.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
@click.option(
    "--each", type=click.Path(path_type=Path), help="Write the result of each query to this file."
)
def retrieval(
    *,
    queries: Path,
    repos: Path,
    budgets: list[int],
    retrievers: list[str],
    ranked: list[tuple[str, Path]],
    as_json: bool,
    each: Path | None,
) -> None:
    """Gold-line recall, hit rate, reciprocal rank and tokens of retrievers.

    A query is {"id", "set", "repo", "query", "gold": [[path, first, last], ...]} and may have a
    "dimension"; its repository is the folder of that name. Figures are means over the queries of a
    set, and over sets; intervals are from resampling repositories. Each budget is tried twice: for
    the passages alone, and for the whole question that a judge is asked.
    """
    try:
        makers: dict[str, Maker] = {name: RETRIEVERS[name] for name in retrievers}
        for name, path in ranked:
            makers[name] = partial(Recorded, spans=read_ranked(path))
        report, results = run(read_queries(queries), repos, budgets, makers)
    except GraderError as error:
        click.echo(f"error: {error}", err=True)
        raise SystemExit(error.exit_code) from error
    if each is not None:
        lines = (json.dumps(asdict(result), sort_keys=True) for result in results)
        each.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if as_json:
        click.echo(json.dumps(report, indent=2, sort_keys=True))
    else:
        _show(report)


def run(
    queries: Sequence[SearchQuery],
    repos: Path,
    budgets: Sequence[int],
    makers: Mapping[str, Maker],
) -> tuple[dict[str, Any], list[Result]]:
    """Measure, and gather the figures.

    Raises:
        InputError: There is no query, or a query's repository is not there.
    """
    if not queries:
        raise InputError(
            "there is no query", where=Where("--queries"), remedy="Give a file with one at least"
        )
    chunks: dict[str, int] = {}
    seconds = {"read": 0.0, "index": 0.0}

    def load(repo: str) -> Index:
        root = repos / repo
        if not root.is_dir():
            raise InputError(
                f"there is no repository {repo!r}",
                where=Where(str(root)),
                remedy="Name in 'repo' a folder inside --repos",
            )
        start = time.process_time()
        read = read_repository(root)
        middle = time.process_time()
        index = Index.build(read)
        seconds["read"] += middle - start
        seconds["index"] += time.process_time() - middle
        chunks[repo] = len(index.chunks)
        return index

    start = time.process_time()
    results = measure(queries, load, makers, budgets)
    total = time.process_time() - start
    sets = sorted({query.set for query in queries})
    small = {repo for repo, count in chunks.items() if count < _SMALL}
    rows: list[dict[str, Any]] = []
    for name, budget in itertools.product(makers, budgets):
        own = [r for r in results if r.retriever == name and r.budget == budget]
        figures = {
            counted: _figures([r for r in own if r.counted is counted], sets, small)
            for counted in Counted
        }
        head = {"retriever": name, "budget": budget}
        # A row's own figures are of budgets for passages alone, as searches are mostly compared.
        rows.append(head | figures[Counted.PASSAGES] | {"question": figures[Counted.QUESTION]})
    report = {
        "queries": len(queries),
        "repositories": len(chunks),
        "sets": sets,
        "tokens": {
            "passages": f"estimated, of {COUNTED[Counted.PASSAGES]}",
            "question": f"estimated, of {COUNTED[Counted.QUESTION]}",
        },
        "rows": rows,
        "cpu_seconds": {
            "read": round(seconds["read"], 3),
            "index": round(seconds["index"], 3),
            "search": round(total - seconds["read"] - seconds["index"], 3),
        },
    }
    return report, results


def _figures(results: Sequence[Result], sets: Sequence[str], small: Set[str]) -> dict[str, Any]:
    """One retriever's figures at one budget, counted in one way."""
    by_set = {name: [r for r in results if r.set == name] for name in sets}
    figures: dict[str, Any] = {
        figure: asdict(mean_over_sets(list(by_set.values()), figure)) for figure in FIGURES
    }
    figures["sets"] = {s: asdict(mean_over_sets([rows], "recall")) for s, rows in by_set.items()}
    in_small = [r for r in results if r.repo in small]
    figures["small_repositories"] = (
        asdict(mean_over_sets([in_small], "recall")) if in_small else None
    )
    return figures


def _show(report: dict[str, Any]) -> None:
    console = Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH)
    for counted in Counted:
        table = Table(title=f"Gold lines shown, {counted.value} counted (mean over sets)")
        headings = ("retriever", "budget", "recall", "95 %", "hit", "MRR", "tokens", "small")
        for heading in headings:
            table.add_column(heading, justify="left" if heading == "retriever" else "right")
        for name in report["sets"]:
            table.add_column(name, justify="right")
        for row in report["rows"]:
            figures = row if counted is Counted.PASSAGES else row["question"]
            recall, small = figures["recall"], figures["small_repositories"]
            table.add_row(
                row["retriever"],
                str(row["budget"]),
                f"{recall['mean']:.3f}",
                f"{recall['low']:.3f} to {recall['high']:.3f}",
                f"{figures['hit']['mean']:.3f}",
                f"{figures['reciprocal_rank']['mean']:.3f}",
                f"{figures['tokens']['mean']:.0f}",
                f"{small['mean']:.3f}" if small else "",
                *(f"{figures['sets'][name]['mean']:.3f}" for name in report["sets"]),
            )
        console.print(table)
        console.print(f"Tokens are estimated, of {COUNTED[counted]}.\n")
    spent = ", ".join(f"{stage} {value:.1f}" for stage, value in report["cpu_seconds"].items())
    console.print(
        f"{report['queries']} queries over {report['repositories']} repositories; intervals from "
        f"resampling repositories; small: under {_SMALL} chunks; CPU seconds: {spent}"
    )
