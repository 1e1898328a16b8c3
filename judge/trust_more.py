"""What the commands on calibration, and on labels to come do."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click

from benchmark import InputError, Where
from calibration.calibrator import load_calibrator
from calibration.fitting import Calibration, calibrate
from calibration.joining import Judged
from calibration.samples import one_judge, sample_of
from calibration.sampling import Drawn, draw_sample, plan_labels
from judge.calibrating import calibrated_lines
from judge.counting import counted
from judge.foreign import read_results
from judge.loading import read_claims, read_meta
from judge.output_files import write_file
from judge.records import CLAIMS, META
from judge.terminal_tables import print_table
from judge.trust_inputs import (
    assignments,
    check_versions,
    naming_files,
    only_judge,
    read_labels,
    read_verdicts,
)
from judge.trust_tables import console, say, table

__all__ = [
    "apply_command",
    "calibrate_command",
    "claims_of",
    "labels_plan_command",
    "labels_sample_command",
    "versions_of",
]


def calibrate_command(
    runs: Sequence[Path],
    labels: Sequence[Path],
    output: Path,
    *,
    columns: Sequence[str] = (),
    fixed: Sequence[str] = (),
    judge: str | None = None,
    coverage: float = 0.9,
    risk: float = 0.1,
    loss: str = "off_by_two",
    as_json: bool = False,
) -> None:
    """Fit a calibration and write its file.

    Raises:
        InputError: An input is malformed, judges are mixed, labels are too few, or the file cannot
            be written.
    """
    read = read_labels(
        labels, columns=assignments(columns, "--column"), fixed=assignments(fixed, "--set")
    )
    which: Literal["off_by_two", "wrong"] = "wrong" if loss == "wrong" else "off_by_two"
    verdicts = only_judge(read_verdicts(runs), judge)
    with naming_files(runs=runs, labels=labels):
        check_versions(read, verdicts, runs)
        found = calibrate(verdicts, read, coverage=coverage, accepted_risk=risk, loss=which)
    write_file(output, json.dumps(found.calibrator.model_dump(mode="json"), indent=1) + "\n")
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=1, allow_nan=False))
    else:
        _print_calibration(found, output)


def apply_command(runs: Sequence[Path], calibration: Path, output: Path) -> None:
    """Write what each verdict of a run is worth by a calibration, one JSON line each.

    Raises:
        InputError: An input is malformed, or the calibration is another judge's.
    """
    lines, people = calibrated_lines(read_verdicts(runs), load_calibrator(calibration))
    write_file(output, "".join(f"{line}\n" for line in lines))
    click.echo(f"wrote {output}: {counted(len(lines), 'verdict')}, {people:,} of them for a person")


def _print_calibration(found: Calibration, output: Path) -> None:
    out = console()
    kept = found.calibrator
    for note in found.notes:
        say(out, f"! {note}", "yellow")
    for sentence in found.account.sentences():
        say(out, sentence)
    made = table(
        f"{kept.judge}: {counted(kept.labels, 'label')} of {counted(kept.papers, 'paper')}, out "
        "of fold",
        "", "before", "after",
    )  # fmt: skip
    for name, before, after in (
        ("log loss", found.before.log_loss, found.after.log_loss),
        ("ranked probability score", found.before.ranked, found.after.ranked),
        ("expected calibration error", found.before.error, found.after.error),
    ):
        made.add_row(name, f"{before:.4f}", f"{after:.4f}")
    print_table(made, out)
    made = table("candidates, the simplest first", "", "ranked probability score")
    for name, value in found.candidates.items():
        made.add_row(f"{name}{' <- chosen' if name == kept.model else ''}", f"{value:.4f}")
    print_table(made, out)
    for cut in found.after.reliability:
        made = table(f"level {cut} or above: stated chance and what came", "stated", "came", "n")
        for one in found.after.reliability[cut]:
            made.add_row(f"{one.stated:.3f}", f"{one.came:.3f}", str(one.count))
        print_table(made, out)
    what = "two levels off or more" if kept.loss == "off_by_two" else "another level"
    made = table(f"answering only the surest: share answered and share {what}",
                 "share answered", "risk", "upper bound")  # fmt: skip
    for point in kept.quality["risk_curve"]:
        made.add_row(f"{point['share']:.2f}", f"{point['risk']:.3f}", f"{point['upper']:.3f}")
    print_table(made, out)
    say(out, f"wrote {output}", "bold")


def labels_sample_command(
    runs: Sequence[Path],
    output: Path,
    count: int,
    *,
    labels: Sequence[Path] = (),
    judge: str | None = None,
    seed: int = 0,
    per: str = "run",
) -> None:
    """Draw what to label next and write a table for people to fill in.

    The judge's own level is not in it, so that nobody is led.

    Raises:
        InputError: A run is malformed, there is too little to draw from, or the file is there.
    """
    verdicts = only_judge(read_verdicts(runs), judge)
    one_judge(verdicts, where=", ".join(map(str, runs)))
    already = {(one.submission, one.sau) for one in read_labels(labels)}
    parts = [verdicts] if per == "run" else _by_agent(verdicts)
    drawn = [one for part in parts for one in draw_sample(part, count, seed=seed, already=already)]
    if output.exists():
        raise InputError(
            "there is such a file already, and it may hold labels",
            where=Where(str(output)),
            remedy="Give another name",
        )
    write_file(output, _sheet(drawn, claims_of(runs), versions_of(runs)))
    click.echo(
        f"wrote {output}: {counted(len(drawn), 'claim')} to label. Fill in level (0 to 4) or "
        "pass (yes, no), and keep the weights.\nread it back with: "
        f"--labels {output} --set annotator=NAME --set kind=person"
    )
    if already:
        click.echo("Labels that you have stand for themselves now: set their weight to 1.")


def _by_agent(verdicts: Sequence[Judged]) -> list[list[Judged]]:
    agents = sorted({one.agent for one in verdicts})
    return [[one for one in verdicts if one.agent == agent] for agent in agents]


def claims_of(runs: Sequence[Path]) -> dict[str, str]:
    """The words of the claims, by id."""
    found: dict[str, str] = {}
    for path in runs:
        saus = read_claims(path / CLAIMS) if (path / META).exists() else read_results(path).saus
        found |= {sau.id: sau.claim for sau in saus.values()}
    return found


def versions_of(runs: Sequence[Path]) -> dict[str, str]:
    """The version of each paper's claims, as runs have it.

    Raises:
        InputError: A run cannot be read.
    """
    found: dict[str, str] = {}
    for path in runs:
        meta = read_meta(path) if (path / META).exists() else read_results(path).meta
        found |= meta.paper_versions
    return found


def _sheet(drawn: Sequence[Drawn], claims: dict[str, str], versions: dict[str, str]) -> str:
    """The table in a random-looking but fixed order: sorted by ids, which say nothing of levels."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ("submission", "sau", "dimension", "claim", "level", "pass", "drift", "failure", "note",
         "weight", "claims")
    )  # fmt: skip
    for one in sorted(drawn, key=lambda each: each.verdict.key):
        claim = claims.get(one.verdict.sau, "")
        # A spreadsheet would take these for the start of a formula.
        claim = f"'{claim}" if claim[:1] in {"=", "+", "-", "@"} else claim
        writer.writerow(
            (one.verdict.submission, one.verdict.sau, one.verdict.dimension.value, claim,
             "", "", "", "", "", f"{one.weight:.6g}", versions.get(one.verdict.paper, ""))
        )  # fmt: skip
    return text.getvalue()


def labels_plan_command(
    runs: Sequence[Path],
    labels: Sequence[Path],
    width: float,
    *,
    columns: Sequence[str] = (),
    fixed: Sequence[str] = (),
    judge: str | None = None,
    per: str = "run",
    as_json: bool = False,
) -> None:
    """Say how many labels give a mean within a width, with and without the judge's word.

    Raises:
        InputError: An input is malformed, judges are mixed, or the pilot is too small.
    """
    verdicts = only_judge(read_verdicts(runs), judge)
    one_judge(verdicts, where=", ".join(map(str, runs)))
    read = read_labels(
        labels, columns=assignments(columns, "--column"), fixed=assignments(fixed, "--set")
    )
    sample = sample_of(verdicts, read)
    agents = len({one.agent for one in verdicts if one.level is not None})
    claims = round(len(sample.predicted) / agents) if per == "agent" else None
    with naming_files(runs=runs, labels=labels):
        check_versions(read, verdicts, runs)
        plan = plan_labels(sample, width, claims=claims)
    if as_json:
        click.echo(json.dumps(plan.as_json(), indent=1))
        return
    whose = f"one agent's mean, {counted(claims, 'claim')} in" if claims else "the mean over"
    click.echo(
        f"from {counted(plan.pilot, 'label')}: the judge's word explains {plan.explained:.0%} of "
        "the truth's variance within papers\n"
        f"for {whose} these {counted(plan.papers, 'paper')} within {width:g} (score --papers "
        f"fixed): {counted(plan.these[0], 'label')} alone, {plan.these[1]:,} with the judge's word"
        + (f", for each of {counted(agents, 'agent')}" if claims else "")
    )
    if plan.general[0] is None and plan.general[1] is None:
        click.echo(
            f"for papers in general no number of labels does it: {plan.papers} papers differ so "
            f"much that the interval stays at {plan.floor:.3f} or wider; it takes more papers"
        )
    else:
        alone, helped = ("no number of" if n is None else str(n) for n in plan.general)
        click.echo(f"for papers in general: {alone} labels alone, {helped} with the judge's word")
