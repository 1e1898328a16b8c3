"""`judge compare`: which verdicts changed between two runs, what was found before and after."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console

from benchmark import InputError, Where
from calibration.changes import Change, ChangeReport, compare_runs
from calibration.figures import Figure, Undefined
from calibration.joining import Judged
from judge.counting import counted
from judge.foreign import read_results
from judge.foreseeing import foreseen_by
from judge.loading import iter_current_verdicts, read_submissions
from judge.records import META
from judge.trust_inputs import read_verdicts
from judge.trust_more import claims_of
from judge.trust_tables import console, say
from judge.verdict import QuoteState, Status, Verdict

__all__ = ["BROKEN", "compare_command"]

BROKEN = 5
"""Exit code of a comparison in which verdicts got worse."""

_MOST = 50
_MOST_LINES = 3
_CLAIM = 100
_FOUND = 240
_NOTHING = 1e-12
_PARTS = re.compile(r"(?<=[.;])\s+")

Pair = tuple[str, str]


class _Said(NamedTuple):
    """What a run said of a claim: the lines it stands on, and what it found."""

    lines: tuple[str, ...] = ()
    found: str = ""


Sides = tuple[Mapping[Pair, _Said], Mapping[Pair, _Said]]


def compare_command(
    first: Path, second: Path, *, as_json: bool = False, allow_broken: int = 0
) -> int:
    """Compare two runs.

    Returns:
        0, or 5 where more claims got worse than are allowed.

    Raises:
        InputError: A run is malformed, the two have nothing in common, or levels of one are
            foreseen and those of the other are not, or are another judge's.
    """
    digests = (_digests(first), _digests(second))
    verdicts = (read_verdicts([first]), read_verdicts([second]))
    judges = (_judges(verdicts[0]), _judges(verdicts[1]))
    _refuse_foreseen(verdicts, judges, (first, second))
    report = compare_runs(*verdicts, digests=digests)
    changed = {(one.submission, one.sau) for one in report.changes}
    claims = claims_of((first, second)) if changed else {}
    sides: Sides = (_said(first, changed), _said(second, changed)) if changed else ({}, {})
    if as_json:
        record = report.as_json()
        record["judges"] = [list(names) for names in judges]
        record["changes"] = [_record(one, claims, sides) for one in report.changes]
        click.echo(json.dumps(record, indent=1, allow_nan=False))
    else:
        _print(report, claims, sides, judges, console())
    return BROKEN if report.broken > allow_broken else 0


def _judges(verdicts: Sequence[Judged]) -> tuple[str, ...]:
    """Who judged, with the models that answered; one that never answered tells no model."""
    answered = [one for one in verdicts if one.status is not Status.ERROR] or verdicts
    return tuple(
        sorted(
            {
                one.judge
                if not one.model or one.judge.endswith(one.model)
                else f"{one.judge} ({one.model})"
                for one in answered
            }
        )
    )


def _refuse_foreseen(
    verdicts: tuple[Sequence[Judged], Sequence[Judged]],
    judges: tuple[tuple[str, ...], tuple[str, ...]],
    paths: tuple[Path, Path],
) -> None:
    """Refuse to call the difference of two scales a change of verdicts.

    Raises:
        InputError: Of some claim, one level is foreseen and the other is not, or is another's.
    """
    before = {one.key: one.judge for one in verdicts[0]}
    if all(
        foreseen_by(before.get(one.key, one.judge)) == foreseen_by(one.judge) for one in verdicts[1]
    ):
        return
    first, second = ("; ".join(names) for names in judges)
    raise InputError(
        f"the judge of the first run is {first!r} and of the second {second!r}, and levels that "
        "are foreseen are not verdicts by the rubric: what differs is the scale and not the code",
        where=Where(f"{paths[0]} and {paths[1]}", key="provenance.judge"),
        remedy="Compare runs by one judge: run both with the same judge.foresee, or both without",
    )


def _digests(path: Path) -> dict[str, str]:
    if not (path / META).exists():
        return {}
    return {note.id: note.digest for note in read_submissions(path).values()}


def _said(path: Path, pairs: set[Pair]) -> dict[Pair, _Said]:
    """What verdicts found and the lines they stand on, of the pairs that are asked for."""
    verdicts: Iterable[Verdict] = (
        iter_current_verdicts(path) if (path / META).exists() else read_results(path).verdicts
    )
    return {
        (one.submission, one.sau): _Said(
            tuple(
                f"{cited.path}:{cited.first}"
                + (f"-{cited.last}" if cited.last > cited.first else "")
                for cited in one.citations
                if cited.state is not QuoteState.NOT_FOUND
            ),
            one.found or one.reason or one.rationale,
        )
        for one in verdicts
        if (one.submission, one.sau) in pairs
    }


def _of(one: Change, sides: Sides) -> tuple[_Said, _Said]:
    before, after = (side.get((one.submission, one.sau), _Said()) for side in sides)
    return before, after


def _record(one: Change, claims: Mapping[str, str], sides: Sides) -> dict[str, Any]:
    before, after = _of(one, sides)
    return one.as_json() | {
        "claim": claims.get(one.sau, ""),
        "found_before": before.found, "found_after": after.found,
        "lines_before": list(before.lines), "lines_after": list(after.lines),
    }  # fmt: skip


def _print(
    report: ChangeReport,
    claims: Mapping[str, str],
    sides: Sides,
    judges: tuple[tuple[str, ...], tuple[str, ...]],
    out: Console,
) -> None:
    drift = "the judge's own drift"
    if judges[0] != judges[1]:
        first, second = ("; ".join(names) for names in judges)
        say(out, f"! the judges differ: {first} in the first run, {second} in the second", "yellow")
        drift = "the difference between the judges"
    say(
        out,
        f"{counted(report.pairs, 'claim')} in both runs{_alone(report)}: {report.fixed} fixed, "
        f"{report.broken} broken, "
        f"{len(report.changes) - report.fixed - report.broken} with no level on one side",
    )
    for one in report.changes[:_MOST]:
        _print_change(one, claims.get(one.sau, ""), sides, out)
    if len(report.changes) > _MOST:
        say(out, f"... and {len(report.changes) - _MOST} more; --json prints all", "dim")
    if report.changes:
        say(out, "")
    rows: list[tuple[str, Any]] = [
        ("mean score, second less first", report.shift),
        (f"the same of unchanged code alone, which is {drift}", report.same_code),
    ]
    for what, comparison in rows:
        figure = comparison.difference
        p = "" if comparison.p is None else f", p = {comparison.p:.3g}"
        shown = str(figure) if isinstance(figure, Undefined) else _shift(figure)
        say(out, f"{what}: {shown}{p}")
    kappa = report.agreement["quadratic_kappa"]
    say(out, f"agreement of the two runs on the same code: quadratic kappa {kappa}")


def _alone(report: ChangeReport) -> str:
    """Claims that one of the runs has not, where there are any."""
    if not report.only_first and not report.only_second:
        return ""
    return f" ({report.only_first} only in the first, {report.only_second} only in the second)"


def _shift(figure: Figure) -> str:
    """A difference with its sign and as many digits as show two that are not 0."""
    ends = [end for end in (figure.low, figure.high) if end is not None]
    if all(abs(value) < _NOTHING for value in (figure.value, *ends)):
        return "unchanged"
    size = abs(figure.value)
    digits = 3 if size < _NOTHING else max(3, 1 - math.floor(math.log10(size)))
    value = "unchanged" if size < _NOTHING else f"{figure.value:+.{digits}f}"
    return f"{value} [{', '.join(f'{end:+.{digits}f}' for end in ends)}]" if ends else value


def _print_change(one: Change, claim: str, sides: Sides, out: Console) -> None:
    say(
        out,
        f"{one.direction} {one.submission} {one.sau}: {one.before_text} -> {one.after_text} "
        f"because of {', '.join(one.causes)}",
        "bold",
    )
    if text := " ".join(claim.split()):
        say(out, "    " + _cut(text, _CLAIM))
    before, after = _of(one, sides)
    found, now = _differing(before.found, after.found)
    if found or now:
        say(out, f"    before: {_cut(found, _FOUND) or 'nothing was said'}")
        say(out, f"    after: {_cut(now, _FOUND) or 'nothing was said'}")
    first, second = _places(before.lines), _places(after.lines)
    say(out, f"    lines: {first}" + ("" if first == second else f" -> {second}"), "dim")


def _differing(before: str, after: str) -> tuple[str, str]:
    """Two accounts without the sentences that both hold; whole where one would be left empty."""
    first, second = (_PARTS.split(" ".join(text.split())) for text in (before, after))
    bare = {part.rstrip(".;") for part in first} & {part.rstrip(".;") for part in second}
    own, now = ([one for one in side if one.rstrip(".;") not in bare] for side in (first, second))
    if not own or not now:
        own, now = first, second
    return " ".join(own), " ".join(now)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _places(lines: tuple[str, ...]) -> str:
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    return (", ".join(line.replace("\n", " ") for line in lines[:_MOST_LINES]) or "none") + more
