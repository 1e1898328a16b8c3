"""What a check prints: lines that editors and people understand, or one JSON object."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from typing import Any

from benchmark import Dimension
from judge.check import Finding, Place, Report
from judge.counting import counted, without_verdict
from judge.figures import Mean
from judge.report.text import plain
from judge.report.words import LEVEL_NAMES, LEVEL_SCORES
from judge.verdict import Status, Verdict
from retrieval.tokens import SHOWN_LINE_CHARACTERS

__all__ = [
    "as_json",
    "lines_of",
    "reason_of",
    "remark_lines",
    "unparsed_lines",
    "unread_lines",
    "what_of",
]

_REASON = 160
_WIDTH = 100
_INDENT = "    "
_MOST_UNREAD = 20


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


def unread_lines(report: Report) -> list[str]:
    """Code and configuration that was not read, or not whole, a line each."""
    return [
        f"{plain(one.path)} (not read{' in part' if one.in_part else ''}: {plain(one.reason)})"
        for one in report.sight.unread
    ]


def unparsed_lines(report: Report) -> list[str]:
    """Python that does not parse, and is read as far as it can be made out, a line each."""
    return [
        f"does not parse as Python: {plain(one.path)} (from line {one.line})"
        for one in report.sight.unparsed
    ]


def remark_lines(report: Report) -> list[str]:
    """What is to be known of the levels and what the judge has to say, a line each."""
    return [f"! {plain(remark)}" for remark in (*report.summary.remarks, *report.remarks)]


def lines_of(report: Report, fail_under: float | None, *, met: bool = False) -> Iterator[str]:
    """The check as text: findings by level, worst first, then the means and what they come to.

    Args:
        report: The check.
        fail_under: The least score that is accepted.
        met: Claims that are met are told too, behind the findings.
    """
    heading = None
    for finding in (*report.findings, *(report.met if met else ())):
        level = finding.verdict.level
        title = "no level" if level is None else f"{LEVEL_SCORES[level]} {LEVEL_NAMES[level]}"
        if title != heading:
            if heading is not None:
                yield ""
            yield f"-- {title}"
            heading = title
        yield _line(report, finding)
        yield _claim(finding)
    if heading is not None:
        yield ""
    yield from _totals(report, told=met)
    yield _verdict(report, fail_under)


def _line(report: Report, finding: Finding) -> str:
    level = finding.verdict.level
    score = "-" if level is None else LEVEL_SCORES[level]
    pointed = finding.place.cited or finding.verdict.status is Status.ERROR
    near = "" if pointed else "(no lines cited) "
    unseen = "(not all code was read) " if report.sight.unread else ""
    return (
        f"{_where(finding.place)}: {score} {what_of(finding)} {plain(finding.sau.id)}: "
        f"{near}{unseen}{reason_of(finding)}"
    )


def _claim(finding: Finding) -> str:
    """The claim in one indented line, as much as fits."""
    width = _WIDTH
    if sys.stdout.isatty():
        width = max(40, shutil.get_terminal_size((_WIDTH, 24)).columns)
    text = _INDENT + " ".join(plain(finding.sau.claim).split())
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _where(place: Place) -> str:
    """The place within the repository, on one line."""
    path = place.path.replace("\n", "\u27e8U+000A\u27e9")
    return f"{plain(path)}:{place.first}"


def _totals(report: Report, *, told: bool) -> Iterator[str]:
    summary = report.summary
    counts = summary.all.counts
    met = summary.all.levels[4]
    rest = [
        f"{count} {word}"
        for count, word in (
            (counts.abstained, "without a level"),
            (counts.error, "error" if counts.error == 1 else "errors"),
            (counts.missing, "without a verdict"),
        )
        if count
    ]
    yield ", ".join(
        [f"{counted(counts.expected, 'claim')}: {met} met, {counts.graded - met} not fully", *rest]
    ) + (" (--met tells why of those that are met)" if met and not told else "")
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
    unread = unread_lines(report)
    if unread:
        yield f"code or configuration that was not read, or not whole ({len(unread)}):"
        yield from (_INDENT + line for line in unread[:_MOST_UNREAD])
        if len(unread) > _MOST_UNREAD:
            yield f"{_INDENT}... and {len(unread) - _MOST_UNREAD} more; --json names all"
    unparsed = unparsed_lines(report)
    yield from unparsed[:_MOST_UNREAD]
    if len(unparsed) > _MOST_UNREAD:
        more = counted(len(unparsed) - _MOST_UNREAD, "more file")
        yield f"does not parse as Python: {more}; --json names all"
    if shortened := report.sight.shortened:
        more = f" and {len(shortened) - 1:,} more" if shortened[1:] else ""
        yield (
            f"lines over {SHOWN_LINE_CHARACTERS} characters are shown to this judge without their "
            f"ends: {plain(shortened[0])}{more}"
        )
    if others := report.sight.others:
        yield (
            f"{counted(others, 'other path')} not read: data, images, links, what is excluded; "
            "--json names each"
        )
    yield from remark_lines(report)


def _mean(mean: Mean) -> str:
    return "-" if mean.value is None else f"{mean.value:.4f}"


def _verdict(report: Report, fail_under: float | None) -> str:
    code = report.exit_code(fail_under)
    counts = report.summary.all.counts
    if report.stop_code:
        return f"stopped: {plain(report.stopped)}"
    if counts.error or counts.missing:
        return f"incomplete: {without_verdict(counts.error + counts.missing)}, which is no pass" + (
            f" ({plain(report.stopped)})" if report.stopped else ""
        )
    if report.sight.unread:
        return (
            f"incomplete: {counted(len(report.sight.unread), 'path')} of code or configuration "
            f"not read{_whole(report)}, which is no pass; leave out with --exclude what does not "
            "matter"
        )
    if report.score is None:
        return "undecided: no claim has a level, which is no pass"
    if fail_under is None:
        return "reported only: no --fail-under is set"
    if code:
        return f"below: the score {report.score:.4f} is under {fail_under:g}"
    return f"passed: the score {report.score:.4f} is not under {fail_under:g}"


def _whole(report: Report) -> str:
    parts = [one.in_part for one in report.sight.unread]
    return " whole" if all(parts) else " or not whole" if any(parts) else ""


def as_json(report: Report, fail_under: float | None) -> str:
    """The check as one JSON object."""
    summary = report.summary
    claims = {sau.id: sau.claim for sau in report.paper.saus}
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
        "remarks": [*report.summary.remarks, *report.remarks],
        "findings": [
            _record(finding) | {"all_code_read": not report.sight.unread}
            for finding in report.findings
        ],
        "claims": [_said(claims[verdict.sau], verdict) for verdict in report.verdicts],
        "unread": [[one.path, one.what] for one in report.sight.unread],
        "shown_in_part": list(report.sight.shortened),
        "unparsed": [[one.path, one.line] for one in report.sight.unparsed],
        "skipped": [] if report.note is None else [list(row) for row in report.note.skipped],
    }
    return json.dumps(record, indent=1, ensure_ascii=True, allow_nan=False)


def _said(claim: str, verdict: Verdict) -> dict[str, Any]:
    """One claim and what was said of it, met or not."""
    return {
        "id": verdict.sau,
        "dimension": verdict.dimension.value,
        "claim": claim,
        "status": verdict.status.value,
        "level": verdict.level,
        "score": verdict.score,
        "drift": None if verdict.drift is None else verdict.drift.value,
        "failure": None if verdict.failure is None else verdict.failure.value,
        "found": verdict.found,
        "rationale": verdict.rationale,
        "confidence": verdict.confidence,
        "citations": [one.model_dump(mode="json") for one in verdict.citations],
    }


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
