"""What the report's first page shows, made from the summary: plain values for a template."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmark import Dimension
from judge.counting import counted
from judge.figures import Group, Mean, SubmissionSummary, Summary
from judge.records import RunMeta
from judge.report.style import SHADES
from judge.report.text import plain
from judge.report.words import (
    DRIFTS,
    FAILURES,
    QUOTES,
    WORDS,
    banners_of,
    percent,
    score,
)
from judge.store import LoadedRun
from judge.tally import NOT_GIVEN
from judge.verdict import QuoteState, Verdict

__all__ = ["overview"]


def overview(run: LoadedRun, summary: Summary, pages: Mapping[str, str]) -> dict[str, Any]:
    """Everything the template `index.html` names.

    Args:
        run: The run.
        summary: Its figures.
        pages: Address of each submission's page, relative to the first page.
    """
    counts = summary.all.counts
    return {
        "meta": run.meta,
        "summary": summary,
        "banners": banners_of(run.meta, summary, run.notes),
        "subtitle": _subtitle(summary, len(run.saus)),
        "tiles": _tiles(summary),
        "most": _ceiling(_tops(summary)),
        "some_failed": bool(counts.abstained or counts.error or counts.missing),
        "all_groups": [
            *((f"{one.value} {one.axis}", group) for one, group in summary.dimensions.items()),
            ("All", summary.all),
        ],
        "heat": _heat(summary, pages),
        "level_rows": _level_rows(summary),
        "histogram": _histogram(summary),
        "taxonomies": [
            _taxonomy("Failures", "Failure", summary.all.failures, summary.failure_by_dimension,
                      FAILURES),
            _taxonomy("Drift found, by dimension of the claim", "Drift", summary.all.drifts,
                      summary.drift_by_dimension, DRIFTS),
        ],
        "not_given": _not_given(summary),
        "facts": _facts(run, summary),
        "tallies": _tallies(run, summary),
        "troubled": [
            {"href": pages[note.id], "name": note.id, "why": note.error}
            for note in run.submissions
            if note.error
        ],
        "failing": _failing(summary, pages),
        "config": json.dumps(run.meta.config, indent=2, ensure_ascii=False)
        if run.meta.config
        else "",
        "method": _method(summary),
    }  # fmt: skip


def _subtitle(summary: Summary, claims: int) -> str:
    judges = ", ".join(use.name for use in summary.judges) or "no judge"
    return (
        f"{counted(len(summary.agents), 'agent')}, {counted(len(summary.papers), 'paper')}, "
        f"{counted(len(summary.submissions), 'submission')}, {counted(claims, 'claim')}. "
        f"Judged by {judges}."
    )


def _tiles(summary: Summary) -> list[dict[str, str]]:
    every, spread = summary.all, summary.spread
    graded = sum(every.levels)

    def with_interval(mean: Mean) -> str:
        if mean.low is None:
            return (
                f"no interval: {mean.no_interval}" if mean.value is not None else mean.no_interval
            )
        return f"95 % interval {score(mean.low, 3)}–{score(mean.high, 3)}"

    coverage = (
        "–" if every.coverage is None else percent(every.counts.graded, every.counts.expected)
    )
    return [
        {
            "name": "Mean of dimension means",
            "value": score(every.mean_of_dimension_means.value),
            "note": with_interval(every.mean_of_dimension_means),
        },
        {
            "name": "Mean over claims",
            "value": score(every.mean_over_saus.value),
            "note": with_interval(every.mean_over_saus),
        },
        {
            "name": "Median submission",
            "value": score(spread.median),
            "note": f"{score(spread.low, 3)} to {score(spread.high, 3)}" if spread.n else "",
        },
        {
            "name": "Graded verdicts",
            "value": f"{every.counts.graded:,}",
            "note": f"{coverage} of {every.counts.expected:,}",
        },
        {
            "name": "Level 0",
            "value": percent(every.levels[0], graded),
            "note": counted(every.levels[0], "verdict"),
        },
        {
            "name": "Full marks",
            "value": percent(every.levels[4], graded),
            "note": counted(every.levels[4], "verdict"),
        },
    ]


def _tops(summary: Summary) -> Iterable[float]:
    """The right ends of all bars of the tables of agents and dimensions."""
    means = [agent.all.mean_of_dimension_means for agent in summary.agents]
    means += [group.mean_of_dimension_means for group in summary.dimensions.values()]
    for mean in means:
        yield from (end for end in (mean.value, mean.high) if end is not None)


def _ceiling(values: Iterable[float]) -> float:
    """The next tenth above all values, at least .1, at most 1."""
    top = max(values, default=1.0)
    return min(1.0, max(0.1, math.ceil(top * 10 - 1e-9) / 10))


def _heat(summary: Summary, pages: Mapping[str, str]) -> dict[str, Any]:
    agents = [agent.agent for agent in summary.agents]
    papers = [paper.paper for paper in summary.papers]
    cells: dict[tuple[str, str], list[tuple[str, list[float | None]]]] = defaultdict(list)
    tops = [0.1]
    for one in summary.submissions:
        layers = [
            one.all.mean_of_dimension_means.value,
            *(one.dimensions[dimension].value for dimension in Dimension),
        ]
        tops += [layers[0]] if layers[0] is not None else []
        cells[one.agent, one.paper].append((one.submission, layers))
    most = _ceiling(tops)

    def layers_of(means: Sequence[float | None]) -> dict[str, str]:
        first = means[0]
        shade = "" if first is None else f"h{max(0, min(SHADES, round(SHADES * first / most)))}"
        return {
            "layers": "|".join("" if value is None else f"{value:.3f}" for value in means),
            "text": "–" if first is None else f"{first:.3f}",
            "shade": shade,
        }

    def cell(agent: str, paper: str) -> list[dict[str, str]]:
        return [
            {
                **layers_of(layers),
                "href": pages[submission],
                "title": plain(submission),
            }
            for submission, layers in cells.get((agent, paper), [])
        ]

    def by_layer(whole: Group, dimensions: Mapping[Dimension, Mean]) -> dict[str, str]:
        return layers_of(
            [whole.mean_of_dimension_means.value, *(mean.value for mean in dimensions.values())]
        )

    of_agent = {
        one.agent: by_layer(
            one.all, {each: group.mean_of_dimension_means for each, group in one.dimensions.items()}
        )
        for one in summary.agents
    }
    of_paper = {one.paper: by_layer(one.all, one.dimensions) for one in summary.papers}
    total = by_layer(
        summary.all,
        {each: group.mean_of_dimension_means for each, group in summary.dimensions.items()},
    )
    shown = {p: f"{p} (fitted on)" if p in summary.fitted_papers else p for p in papers}
    # The longer list goes down the page.
    if len(papers) >= len(agents):
        rows = [
            {"name": shown[p], "cells": [cell(a, p) for a in agents], "mean": of_paper[p]}
            for p in papers
        ]
        columns, means, corner = agents, [of_agent[a] for a in agents], "Paper"
    else:
        rows = [
            {"name": a, "cells": [cell(a, p) for p in papers], "mean": of_agent[a]} for a in agents
        ]
        columns, means, corner = (
            [shown[p] for p in papers], [of_paper[p] for p in papers], "Agent",
        )  # fmt: skip
    return {
        "most": most,
        "rows": rows,
        "columns": columns,
        "means": [*means, total],
        "corner": corner,
    }


def _level_rows(summary: Summary) -> list[tuple[str, tuple[int, ...]]]:
    rows: list[tuple[str, tuple[int, ...]]] = [("All", summary.all.levels)]
    rows += [(f"{d.value} {d.axis}", group.levels) for d, group in summary.dimensions.items()]
    if summary.mixed_judges:
        rows += [(f"judge {use.name}", use.levels) for use in summary.judges]
    return rows


def _histogram(summary: Summary) -> dict[str, Any]:
    """Submissions in twenty bins of .05, drawn 420 wide and 110 high."""
    scores = [
        one.all.mean_of_dimension_means.value
        for one in summary.submissions
        if one.all.mean_of_dimension_means.value is not None
    ]
    bins = Counter(min(19, int(value * 20 + 1e-9)) for value in scores)
    tallest = max(bins.values(), default=1)
    median = summary.spread.median
    words = "Nothing is graded."
    if median is not None:
        words = (
            f"Twenty bins from 0 to 1. Mean {score(summary.spread.mean)}, median {score(median)} "
            f"(line), over {counted(len(scores), 'submission')}."
        )
    return {
        "bins": [
            {
                "x": place * 21 + 1,
                "width": 19,
                "y": f"{110 - 108 * count / tallest:.1f}",
                "height": f"{108 * count / tallest:.1f}",
                "title": f"{place / 20:.2f} to {(place + 1) / 20:.2f}: {count:,}",
            }
            for place, count in sorted(bins.items())
        ],
        "median": None if median is None else f"{420 * median:.1f}",
        "words": words,
    }


def _taxonomy(
    title: str,
    of: str,
    every: Mapping[str, int],
    by_dimension: Mapping[Dimension, Mapping[str, int]],
    meanings: Mapping[str, str],
) -> dict[str, Any]:
    columns = [every, *by_dimension.values()]
    totals = [sum(column.values()) for column in columns]
    rows = []
    for name, what in meanings.items():
        # Where the words are not given, a 0 would say that none was found.
        if not every.get(name) and (name == NOT_GIVEN or every.get(NOT_GIVEN)):
            continue
        cells = []
        for column, total in zip(columns, totals, strict=True):
            count = column.get(name, 0)
            shade = f"h{round(SHADES * 0.6 * count / total)}" if total and name != NOT_GIVEN else ""
            share = percent(count, total).replace(" %", "\u202f%") if total else ""
            cells.append({"count": count, "share": share.replace("\u202f", " "), "shade": shade})
        rows.append({"name": WORDS[name], "what": what, "cells": cells})
    return {"title": title, "of": of, "rows": rows}


def _not_given(summary: Summary) -> str:
    count = summary.all.failures.get(NOT_GIVEN, 0)
    if not count:
        return ""
    return (
        f"Without failure and drift {'comes' if count == 1 else 'come'} "
        f"{counted(count, 'verdict')}: shown as not given, and full marks as none by definition."
    )


def _facts(run: LoadedRun, summary: Summary) -> list[tuple[str, str]]:
    meta: RunMeta = run.meta
    facts: list[tuple[str, str]] = [("State", meta.state)]
    if meta.judge:
        facts.append(("Judge", f"{meta.judge.name} (provider {meta.judge.provider})"))
    if meta.started:
        facts.append(("Started", meta.started))
    if meta.finished:
        facts.append(("Ended", meta.finished))
    facts.append(("Claims", f"{len(run.saus):,}, version {meta.claims_version}"))
    counts = summary.all.counts
    facts.append(
        (
            "Verdicts",
            f"{counts.graded:,} graded, {counts.abstained:,} abstained, "
            f"{counted(counts.error, 'error')}, {counts.missing:,} missing, "
            f"of {counts.expected:,} expected "
            f"({percent(counts.graded, counts.expected)} graded)",
        )
    )
    if meta.prompt_hash:
        facts.append(("Prompt", f"{meta.prompt_version or ''} {meta.prompt_hash}".strip()))
    if meta.code:
        facts.append(("Code", meta.code))
    if meta.versions:
        versions = ", ".join(f"{name} {version}" for name, version in meta.versions.items())
        facts.append(("Versions", versions))
    facts += _usage(run.verdicts)
    files = sum(note.files for note in run.submissions)
    if files:
        size = sum(note.bytes for note in run.submissions) / 1e6
        skipped = sum(len(note.skipped) for note in run.submissions)
        facts.append(
            ("Files", f"{files:,} read ({size:,.1f} MB), {counted(skipped, 'path')} not read")
        )
    return facts


def _usage(verdicts: Sequence[Verdict]) -> list[tuple[str, str]]:
    """Tokens and price of the answers; what is not known is said, never counted as 0."""
    facts = []
    for title, name, unit in (
        ("Tokens in", "input_tokens", ""),
        ("Tokens out", "output_tokens", ""),
        ("Price", "cost_usd", " USD"),
    ):
        values = [getattr(verdict.provenance.usage, name) for verdict in verdicts]
        known = [value for value in values if value is not None]
        if not known:
            continue
        total = f"{sum(known):,.4f}{unit}" if unit else f"{sum(known):,}"
        unknown = len(values) - len(known)
        facts.append(
            (title, total + (f", unknown for {counted(unknown, 'verdict')}" if unknown else ""))
        )
    return facts


def _tallies(run: LoadedRun, summary: Summary) -> list[tuple[str, list[tuple[str, int]]]]:
    skipped = Counter(reason for note in run.submissions for _, reason in note.skipped)
    tallies = [
        ("Errors and abstentions", list(summary.reasons.items())),
        (
            "Quotes",
            [
                (QUOTES[QuoteState(name)].partition(" ")[2], count)
                for name, count in summary.quotes.items()
            ],
        ),
        ("Flags", [(name.replace("_", " "), count) for name, count in summary.flags.items()]),
        ("Why paths were not read", skipped.most_common(20)),
    ]
    return [(title, rows) for title, rows in tallies if rows]


def _failing(summary: Summary, pages: Mapping[str, str]) -> list[dict[str, str]]:
    """Submissions with errors or missing verdicts, the worst first; at most a hundred."""

    def lacking(one: SubmissionSummary) -> int:
        return one.all.counts.error + one.all.counts.missing

    worst = sorted(filter(lacking, summary.submissions), key=lambda one: -lacking(one))
    return [
        {
            "href": pages[one.submission]
            + ("#status=error" if one.all.counts.error else "#missing"),
            "name": one.submission,
            "why": ", ".join(
                f"{count} {what}"
                for count, what in (
                    (one.all.counts.error, "with errors"),
                    (one.all.counts.missing, "missing"),
                )
                if count
            ),
        }
        for one in worst[:100]
    ]


def _method(summary: Summary) -> str:
    method = summary.method
    return (
        f"Intervals: {method.interval}, {method.level:.0%}, {method.draws:,} draws, seed "
        f"{method.seed}. Only graded verdicts enter a mean; errors, abstentions and missing "
        "verdicts are counted beside it and are never scores."
    )
