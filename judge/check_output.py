"""What a check prints: lines that editors and people understand, or one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmark import Dimension
from judge.check import Finding, Place, Report
from judge.figures import Mean
from judge.report.text import plain
from judge.report.words import LEVEL_NAMES, LEVEL_SCORES
from judge.verdict import Status

__all__ = ["as_json", "lines_of", "reason_of", "what_of"]

_REASON = 160


def what_of(finding: Finding) -> str:
    """The divergence and why, e.g. `numerical/mismatch`; for what has no level its status."""
    verdict = finding.verdict
    if verdict.status is not Status.GRADED:
        return verdict.status.value
    drift = "drift" if verdict.drift is None else verdict.drift.value
    failure = "not met" if verdict.failure is None else verdict.failure.value
    return f"{drift}/{failure}"


def reason_of(finding: Finding, most: int = _REASON) -> str:
    """Why, on one line of at most so many characters."""
    verdict = finding.verdict
    said = verdict.reason if verdict.status is not Status.GRADED else ""
    said = said or verdict.found or verdict.rationale or "nothing of it was found"
    line = " ".join(plain(said).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def lines_of(report: Report, fail_under: float | None) -> Iterator[str]:
    """The check as text: findings by level, worst first, then the means and what they come to.

    Args:
        report: The check.
        fail_under: The least score that is accepted.
    """
    heading = None
    for finding in report.findings:
        level = finding.verdict.level
        title = "no level" if level is None else f"{LEVEL_SCORES[level]} {LEVEL_NAMES[level]}"
        if title != heading:
            if heading is not None:
                yield ""
            yield f"-- {title}"
            heading = title
        yield _line(report, finding)
    if heading is not None:
        yield ""
    yield from _totals(report)
    yield _verdict(report, fail_under)


def _line(report: Report, finding: Finding) -> str:
    level = finding.verdict.level
    score = "-" if level is None else LEVEL_SCORES[level]
    pointed = finding.place.cited or finding.verdict.status is Status.ERROR
    near = "" if pointed else "(no lines cited) "
    return (
        f"{_where(report, finding.place)}: {score} {what_of(finding)} {plain(finding.sau.id)}: "
        f"{near}{reason_of(finding)}"
    )


def _where(report: Report, place: Place) -> str:
    """As an editor opens it from where the command was given."""
    path = (report.repository / place.path).as_posix().replace("\n", "\u27e8U+000A\u27e9")
    return f"{plain(path)}:{place.first}"


def _totals(report: Report) -> Iterator[str]:
    summary = report.summary
    counts = summary.all.counts
    met = summary.all.levels[4]
    rest = [
        f"{count} {word}"
        for count, word in (
            (counts.abstained, "without a level"),
            (counts.error, "errors"),
            (counts.missing, "without a verdict"),
        )
        if count
    ]
    yield ", ".join(
        [f"{counts.expected} claims: {met} met, {counts.graded - met} not fully", *rest]
    )
    cells = [
        f"{dimension.value} {dimension.axis} {_mean(group.mean_of_dimension_means)}"
        for dimension, group in summary.dimensions.items()
        if group.counts.expected
    ]
    cells.append(f"score {_mean(summary.all.mean_of_dimension_means)}")
    cells.append(f"over claims {_mean(summary.all.mean_over_saus)}")
    yield "  ".join(cells)
    who = f"judge: {plain(report.judge)}"
    if report.provider == "embedded":
        who += " (a program: it looks values, names and calls up, and does not understand them)"
    elif report.cost_usd is None:
        who += ", price not known"
    elif report.cost_usd:
        who += f", ${report.cost_usd:,.4f}"
    yield who
    if report.note is not None and (skipped := len(report.note.skipped)):
        yield f"{skipped} paths were not read: links, binary files, what is too large or no code"


def _mean(mean: Mean) -> str:
    return "-" if mean.value is None else f"{mean.value:.4f}"


def _verdict(report: Report, fail_under: float | None) -> str:
    code = report.exit_code(fail_under)
    counts = report.summary.all.counts
    if report.stop_code:
        return f"stopped: {plain(report.stopped)}"
    if counts.error or counts.missing:
        return (
            f"incomplete: {counts.error + counts.missing} claims have no verdict, which is no pass"
            + (f" ({plain(report.stopped)})" if report.stopped else "")
        )
    if report.score is None:
        return "undecided: no claim has a level, which is no pass"
    if fail_under is None:
        return "reported only: no --fail-under is set"
    if code:
        return f"below: the score {report.score:.4f} is under {fail_under:g}"
    return f"passed: the score {report.score:.4f} is not under {fail_under:g}"


def as_json(report: Report, fail_under: float | None) -> str:
    """The check as one JSON object."""
    summary = report.summary
    record: dict[str, Any] = {
        "format": 1,
        "repository": report.repository.as_posix(),
        "paper": report.paper.id,
        "claims_version": report.paper.version,
        "judge": report.judge,
        "provider": report.provider,
        "exit_code": report.exit_code(fail_under),
        "fail_under": fail_under,
        "score": report.score,
        "over_claims": summary.all.mean_over_saus.value,
        "dimensions": {
            dimension.value: {
                "score": summary.dimensions[dimension].mean_of_dimension_means.value,
                "claims": summary.dimensions[dimension].counts.expected,
                "graded": summary.dimensions[dimension].counts.graded,
            }
            for dimension in Dimension
        },
        "counts": summary.all.counts.model_dump(),
        "levels": list(summary.all.levels),
        "cost_usd": report.cost_usd,
        "stopped": report.stopped,
        "findings": [_record(finding) for finding in report.findings],
        "skipped": [] if report.note is None else [list(row) for row in report.note.skipped],
    }
    return json.dumps(record, indent=1, ensure_ascii=True, allow_nan=False)


def _record(finding: Finding) -> dict[str, Any]:
    verdict = finding.verdict
    return {
        "sau": finding.sau.id,
        "dimension": finding.sau.dimension.value,
        "claim": finding.sau.claim,
        "status": verdict.status.value,
        "level": verdict.level,
        "score": verdict.score,
        "drift": None if verdict.drift is None else verdict.drift.value,
        "failure": None if verdict.failure is None else verdict.failure.value,
        "path": finding.place.path,
        "line": finding.place.first,
        "last_line": finding.place.last,
        "cited": finding.place.cited,
        "expected": verdict.expected,
        "found": verdict.found,
        "rationale": verdict.rationale,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "flags": list(verdict.flags),
        "citations": [one.model_dump(mode="json") for one in verdict.citations],
    }
