"""`judge calibrate --cascade`: the rule of a cascade, from a run of the first judge and labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from benchmark import InputError, Where
from calibration.cascade_rule import CascadeRule, Loss, Scale
from calibration.joining import Judged, judged
from calibration.risk_control import CascadeFit, fit_cascade, meet
from calibration.scores import labels_of_run
from judge.counting import counted
from judge.loading import iter_current_verdicts
from judge.terminal_tables import print_table
from judge.trust_inputs import assignments, check_versions, read_labels, read_verdicts
from judge.trust_tables import console, say, table
from judge.verdict import Status, Verdict

__all__ = ["fit_by_command"]

_RISKS = (0.02, 0.05, 0.075, 0.1, 0.15, 0.2)


def fit_by_command(
    runs: Sequence[Path],
    labels: Sequence[Path],
    output: Path,
    *,
    labels_from: Sequence[Path] = (),
    columns: Sequence[str] = (),
    fixed: Sequence[str] = (),
    judge: str | None = None,
    loss: str = "cut",
    cut: int = 2,
    scale: str = "own",
    as_json: bool = False,
) -> None:
    """Fit a rule and write its file.

    Args:
        runs: Run directories of the first judge alone.
        labels: Labels by people, or by whoever is held for right.
        output: The file to write.
        labels_from: Runs of the second judge, whose verdicts are labels too.
        columns: What fields are called in tables.
        fixed: Values for every row of tables.
        judge: The first judge's name, where the runs hold several.
        loss: What counts as lost.
        cut: The pass mark of the loss `cut`.
        scale: Whether levels are moved to the labels' scale.
        as_json: Print JSON and not for people.

    Raises:
        InputError: An input is malformed, judges or versions are mixed, or labels are too few.
    """
    verdicts, judge_hash, model = _of_the_first(runs, judge)
    first = verdicts[0].judge
    read = read_labels(
        labels, columns=assignments(columns, "--column"), fixed=assignments(fixed, "--set")
    )
    check_versions(read, verdicts, runs)
    if labels_from:
        # In a cascade's run the first judge's own verdicts stand beside those of the second.
        better = [one for one in read_verdicts(labels_from) if not one.judge.startswith(first)]
        read = (*read, *labels_of_run(better))
    losses: dict[str, Loss] = {"cut": "cut", "distance": "distance"}
    scales: dict[str, Scale] = {"own": "own", "labels": "labels"}
    found = fit_cascade(
        meet(verdicts, read),
        judge_hash=judge_hash,
        model=model,
        loss=losses[loss],
        cut=cut,
        scale=scales[scale],
    )
    try:
        found.rule.save(output)
    except OSError as error:
        raise InputError(
            f"the file cannot be written ({error.strerror or error})",
            where=Where(str(output)),
            remedy="Give a path in a folder that may be written to",
        ) from None
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=1, allow_nan=False))
    else:
        _print(found, output)


def _of_the_first(runs: Sequence[Path], judge: str | None) -> tuple[list[Judged], str, str | None]:
    """The first judge's graded verdicts, its fingerprint and its version.

    Raises:
        InputError: A run is a cascade's, or verdicts of several judges or versions are mixed.
    """
    kept: list[Judged] = []
    versions: set[tuple[str, str, str | None]] = set()
    for path in runs:
        own = list(_graded(path, judge))
        versions |= {
            (one.provenance.judge, one.provenance.judge_hash, one.provenance.model) for one in own
        }
        kept += judged(own)
    if len(versions) != 1:
        names = sorted(f"{name} {model} ({mark})" for name, mark, model in versions)
        raise InputError(
            f"the runs hold verdicts of {len(versions)} judges or versions ({', '.join(names)}), "
            "and a rule is for one"
            if versions
            else "the runs hold no verdict with a level",
            where=Where(", ".join(map(str, runs))),
            remedy="Run the first judge alone over the labelled claims, and name that run"
            + (", or one judge by --judge" if versions else ""),
        )
    [(_, judge_hash, model)] = versions
    return kept, judge_hash, model


def _graded(path: Path, judge: str | None) -> Iterator[Verdict]:
    for verdict in iter_current_verdicts(path):
        if verdict.cascade is not None:
            raise InputError(
                "this run is a cascade's: what the first judge answered there is no fair sample of "
                "what it says",
                where=Where(str(path)),
                remedy="Run the first judge alone, with judge.kind of its own",
            )
        named = judge is None or verdict.provenance.judge == judge
        if named and verdict.status is Status.GRADED:
            yield verdict


def _print(found: CascadeFit, output: Path) -> None:
    out, rule = console(), found.rule
    for note in found.notes:
        say(out, f"! {note}", "yellow")
    for sentence in found.account.sentences():
        say(out, sentence)
    made = table(
        f"{rule.judge} {rule.model}: {counted(rule.labels, 'label')} of "
        f"{counted(rule.papers, 'paper')}, papers held out",
        "risk accepted", "answered, conformal bound", "answered, upper bound", "answered, no bound",
    )  # fmt: skip
    for risk in _RISKS:
        made.add_row(f"{risk:g}", *(f"{share:.1%}" for share in _shares(rule, risk)))
    print_table(made, out)
    say(out, rule.meaning)
    say(out, f"wrote {output}", "bold")


def _shares(rule: CascadeRule, risk: float) -> tuple[float, float, float]:
    """The share answered under each bound, and where the loss seen is what is kept below it."""
    conformal, upper = rule.point(risk, "conformal"), rule.point(risk, "upper")
    plain = [point.share for point in rule.points if point.lost <= risk]
    return (
        0.0 if conformal is None else conformal.share,
        0.0 if upper is None else upper.share,
        max(plain, default=0.0),
    )
