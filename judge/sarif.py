"""A check as SARIF 2.1.0, so that code hosts and editors show findings where they are.

Standard: OASIS, *Static Analysis Results Interchange Format (SARIF) Version 2.1.0*, 2020. Besides
the standard, the limits of code hosts are kept: relative percent-encoded URIs, lines from 1, a
location for every result, at most 5,000 results (those that are shown), the worst first, at most
ten tags a rule.

A claim keeps its fingerprint whatever lines move: it is made from the paper and the claim's id. A
claim without a verdict is no result but a notification, and the invocation then says that it
failed.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any
from urllib.parse import quote

from benchmark import Drift, Failure
from judge.check import Finding, Place, Report
from judge.check_output import reason_of, unparsed_lines, unread_lines
from judge.counting import counted, without_verdict
from judge.report.text import plain
from judge.report.words import DRIFTS, FAILURES, LEVEL_SCORES, WORDS
from judge.verdict import Status
from judge.versions import package_versions

__all__ = ["MOST_RESULTS", "SCHEMA", "as_sarif"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MOST_RESULTS = 5_000
_MOST_PLACES = _MOST_UNREAD = 20
_MESSAGE = 1_000
_SNIPPET = 2_000
_LEVELS = {0: "error", 1: "error", 2: "warning", 3: "note"}
_UNDECIDED = "undecided"
_ROOT = "%SRCROOT%"
_ARGUMENT = re.compile(r"\{(\d+)\}")


def as_sarif(report: Report) -> str:
    """The check as a SARIF log with one run."""
    decided = [one for one in report.findings if one.verdict.status is not Status.ERROR]
    kept, left_out = decided[:MOST_RESULTS], max(0, len(decided) - MOST_RESULTS)
    names = sorted({_rule_id(one) for one in kept})
    place = {name: number for number, name in enumerate(names)}
    run = {
        "tool": {"driver": _driver(names)},
        "automationDetails": {"id": f"judge-check/{quote(report.paper.id, safe='')}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _ROOT: {"description": {"text": "The folder of the repository that was checked."}}
        },
        "invocations": [_invocation(report, left_out)],
        "results": [_result(report, one, place[_rule_id(one)]) for one in kept],
        "properties": {
            "judge": report.judge,
            "claimsVersion": report.paper.version,
            "score": report.score,
            "scoreOverClaims": report.summary.all.mean_over_saus.value,
            "scoreByDimension": {
                dimension.value: group.mean_of_dimension_means.value
                for dimension, group in report.summary.dimensions.items()
            },
            "counts": report.summary.all.counts.model_dump(),
        },
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1, ensure_ascii=True, allow_nan=False)


def _driver(names: list[str]) -> dict[str, Any]:
    version = package_versions().get("sau-judge", "0")
    return {
        "name": "sau-judge",
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(name) for name in names],
    }


def _rule_id(finding: Finding) -> str:
    verdict = finding.verdict
    if verdict.level is None:
        return _UNDECIDED
    drift = "unknown" if verdict.drift is None else verdict.drift.value
    failure = "unmet" if verdict.failure is None else verdict.failure.value
    return f"{drift}-{failure}"


def _rule(name: str) -> dict[str, Any]:
    drift, _, failure = name.partition("-")
    if name == _UNDECIDED:
        short = "A claim that could not be decided"
        full = (
            "The judge could not tell from what it saw whether the code does what the claim says."
        )
        tags, level = [_UNDECIDED], "note"
    else:
        kind = DRIFTS.get(drift) or "what is claimed"
        why = FAILURES.get(failure, "the claim is not fully met")
        short = f"{drift.capitalize()} drift: {WORDS.get(failure, failure)}"
        full = f"The code diverges from the claim in {kind}. Why: {why}."
        tags = [each for each in (drift, failure) if each in {*_DRIFTS, *_FAILURES}]
        level = "warning"
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.replace("_", "-").split("-")),
        "shortDescription": {"text": short},
        "fullDescription": {"text": full},
        "help": {
            "text": f"{full} How levels, drift and failures are decided: docs/rubric.md of the "
            "program. `judge search REPO CLAIM` shows what a judge sees."
        },
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["semantic-drift", *tags]},
    }


_DRIFTS = {each.value for each in Drift}
_FAILURES = {each.value for each in Failure}


def _result(report: Report, finding: Finding, number: int) -> dict[str, Any]:
    verdict, sau = finding.verdict, finding.sau
    key = json.dumps([report.paper.id, sau.id], ensure_ascii=True)
    digest = hashlib.sha256(key.encode()).hexdigest()
    level = "note" if verdict.level is None else _LEVELS[verdict.level]
    result: dict[str, Any] = {
        "ruleId": _rule_id(finding),
        "ruleIndex": number,
        "level": level,
        "message": {"text": _message(report, finding)},
        "locations": [_location(finding.place)],
        "partialFingerprints": {
            "claim/v1": digest[:32],
            # The only one that some hosts read; it tells claims on one line apart.
            "primaryLocationLineHash": f"{digest[:16]}:1",
        },
        "properties": {
            "claim": sau.id,
            "dimension": sau.dimension.value,
            "score": verdict.score,
            "confidence": verdict.confidence,
            "judge": report.judge,
            "flags": list(verdict.flags),
            "linesCited": finding.place.cited,
        },
    }
    if finding.others:
        result["relatedLocations"] = [
            {"id": count, **_location(other)}
            for count, other in enumerate(finding.others[:_MOST_PLACES], 1)
        ]
    return result


def _message(report: Report, finding: Finding) -> str:
    verdict, sau = finding.verdict, finding.sau
    score = "undecided" if verdict.level is None else LEVEL_SCORES[verdict.level]
    near = "" if finding.place.cited else " No lines are cited; these are the nearest."
    if report.sight.unread:
        near += " Not all code was read."
    claim = " ".join(plain(sau.claim).split())
    stop = "" if claim.endswith((".", "!", "?")) else "."
    reason = reason_of(finding, 400)
    if near and not reason.endswith((".", "!", "?", "…")):
        reason += "."
    told = f"{plain(sau.id)} ({score}): {claim}{stop} Found: {reason}{near}"
    return _literal(told if len(told) <= _MESSAGE else f"{told[: _MESSAGE - 1]}…")


def _literal(text: str) -> str:
    """Words of others as a message shows them: no link and no place for an argument is read."""
    text = text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    # Other braces are no such place, and hosts show them doubled where they are.
    return _ARGUMENT.sub(r"{{\1}}", text)


def _location(place: Place) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": place.first, "endLine": max(place.first, place.last)}
    if place.quote:
        quoted = place.quote if len(place.quote) <= _SNIPPET else place.quote[:_SNIPPET]
        region["snippet"] = {"text": quoted.encode("utf-8", "replace").decode()}
    uri = quote(place.path, safe="/", errors="surrogatepass") if place.path != "." else "."
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri, "uriBaseId": _ROOT},
            "region": region,
        }
    }


def _invocation(report: Report, left_out: int) -> dict[str, Any]:
    counts = report.summary.all.counts
    notes = [
        _notification("error", f"no verdict: {plain(one.sau.id)}: {reason_of(one)}")
        for one in report.findings
        if one.verdict.status is Status.ERROR
    ]
    if report.stopped:
        notes.append(_notification("error", f"the judge was stopped: {plain(report.stopped)}"))
    if counts.missing:
        notes.append(_notification("error", without_verdict(counts.missing)))
    notes += [_notification("error", line) for line in unread_lines(report)[:_MOST_UNREAD]]
    notes += [
        _notification("warning", f"{plain(path)}: long lines are shown to the judge cut")
        for path in report.sight.shortened[:_MOST_UNREAD]
    ]
    notes += [
        _notification("warning", line)
        | {
            "descriptor": {"id": "does-not-parse"},
            "locations": [_location(Place(one.path, one.line, one.line))],
        }
        for one, line in zip(
            report.sight.unparsed[:_MOST_UNREAD], unparsed_lines(report), strict=False
        )
    ]
    notes += [
        _notification("warning", plain(remark))
        for remark in (*report.summary.remarks, *report.remarks)
    ]
    if left_out:
        more = counted(left_out, "more finding")
        notes.append(_notification("warning", f"{more} left out, the mildest"))
    return {
        "executionSuccessful": not (
            counts.error or counts.missing or report.stop_code or report.sight.unread
        ),
        "toolExecutionNotifications": notes,
    }


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": _literal(text)}}
