"""`python -m calibration distill`: fit the embedded judge again, and say how well it does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmark.counting import counted as in_words
from judge.embedded.distilling.counting import count_words
from judge.embedded.distilling.figures import (
    HeldOut,
    fitted,
    hold_out,
    own_figures,
    reference_figures,
    unseen_agents,
)
from judge.embedded.distilling.foreseeing import Published, foreseen_figures, write_foreseen
from judge.embedded.distilling.labelled import (
    FITTED_SUITE,
    OWN_SCALE,
    Row,
    fingerprint,
    mutant_rows,
    read_rows,
    suite_rows,
)
from judge.embedded.distilling.learning import fit_scale, fit_trees, record_of
from judge.embedded.distilling.predicting import write_predictions
from judge.embedded.distilling.seeing import Seen, see
from judge.embedded.distilling.stuffing import gains
from judge.embedded.features import FEATURES
from judge.embedded.model import load_model

__all__ = ["distill", "features"]

WITHHELD = ("adjoint-matching", "lora-sb", "mrq", "ngpt", "sam2", "wdno")
"""Papers of SA-Bench that are kept for acceptance: their labels are never read."""

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
def features() -> None:
    """List the features of the embedded judge: name, sign and meaning."""
    for name, (sign, meaning) in FEATURES.items():
        click.echo(f"{name:22} {'+' if sign > 0 else '-' if sign < 0 else ' '} {meaning}")


@click.command()
@click.option("--runs", type=_FOLDER, required=True, help="Holds <agent>/<paper>/repo.")
@click.option("--saus", type=_FOLDER, required=True, help="Holds <paper>/sau.json.")
@click.option(
    "--labels",
    type=_FILE,
    multiple=True,
    required=True,
    help="Readings, or published verdicts; JSON Lines, or .gz. May be given several times.",
)
@click.option("--drift", type=_FOLDER, help="A test set of `benchmark drift inject --suite`.")
@click.option("--suite/--no-suite", default=True, help="Use the built-in suite's fitted half.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write weights.json.")
@click.option(
    "--commonness",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write how common words are in code: commonness.json.",
)
@click.option("--figures", type=click.Path(dir_okay=False, path_type=Path), help="Write figures.")
@click.option(
    "--predictions",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what the judge says of each claim with its paper held out; JSON Lines.",
)
@click.option(
    "--foreseen",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Fit what foresees published verdicts, too, and write foreseen.json.",
)
@click.option("--cache", type=click.Path(dir_okay=False, path_type=Path), help="Keep measures.")
@click.option("--agents/--no-agents", default=True, help="Hold agents out too (12 more fits).")
@click.option("--held-out/--no-held-out", default=True, help="Hold papers out (8 more fits).")
@click.option("--unfitted", is_flag=True, help="Look at the suite's half that is never fitted.")
@click.option("--version", default="2026-11-30", help="The name of the fit.")
@click.option(
    "--stuff",
    default=0,
    help="Paste claims into every n-th repository of the readings, and measure the gain.",
)
@click.option("--workers", default=2, show_default=True, help="Processes that measure.")
def distill(
    *,
    runs: Path,
    saus: Path,
    labels: tuple[Path, ...],
    drift: Path | None,
    suite: bool,
    out: Path | None,
    commonness: Path | None,
    figures: Path | None,
    predictions: Path | None,
    foreseen: Path | None,
    cache: Path | None,
    agents: bool,
    held_out: bool,
    unfitted: bool,
    version: str,
    stuff: int,
    workers: int,
) -> None:
    """Fit the embedded judge's model from labels, and print what it shows on unseen papers."""
    rows = [row for path in labels for row in read_rows(path, runs, saus, WITHHELD)]
    if suite:
        rows += [row for row in suite_rows() if unfitted or row.paper in FITTED_SUITE]
    if drift is not None:
        rows += [row for row in mutant_rows(drift) if row.paper in FITTED_SUITE]
    counted = count_words(runs, WITHHELD, workers)
    if commonness is not None:
        background = counted.background()
        text = json.dumps(background.record(), separators=(",", ":"))
        commonness.write_text(text + "\n", encoding="utf-8", newline="\n")
        click.echo(f"wrote {commonness}: {in_words(len(background.stems), 'stem')}")
    rows, seen = see(rows, cache, workers, counted)
    click.echo(
        f"{in_words(len(rows), 'label')}: "
        + ", ".join(f"{n} {s}" for s, n in _counted(rows).items())
    )
    if seen.seconds:
        click.echo(
            f"measured {in_words(len(seen.seconds), 'repository', 'repositories')}: "
            f"{np.mean(seen.seconds):.2f} CPU s each, "
            f"{max(seen.seconds):.2f} at most"
        )
    shown: dict[str, Any] = {}
    if held_out or out is not None or predictions is not None:
        found = hold_out(rows, seen, click.echo)
        shown = _show(found)
        if predictions is not None:
            count = write_predictions(predictions, found)
            click.echo(f"wrote {predictions}: {count} claims, papers held out")
        if out is not None:
            _write(out, rows, seen, found, labels=labels, drift=drift, version=version)
    if agents:
        found = unseen_agents(rows, seen, click.echo)
        for judge, numbers in reference_figures(found):
            shown[f"papers and agents unseen, {judge}"] = numbers
            click.echo(_line(f"papers and agents unseen, {judge}", numbers))
    if foreseen is not None:
        published = Published(rows, seen)
        head = _head(
            published.rows,
            labels=labels,
            version=version,
            about="Trees for each level; see judge/embedded/foreseen.py.",
        )
        shown |= _foresee(foreseen, published, head, agents=agents)
    if stuff:
        shown["gain by stuffing"] = _stuff(rows, stuff)
    if figures is not None:
        text = json.dumps({"figures": shown, "labels": _counted(rows)}, indent=1)
        figures.write_text(text + "\n", encoding="utf-8")


def _foresee(
    out: Path, published: Published, head: dict[str, Any], *, agents: bool
) -> dict[str, Any]:
    """Fit, write and measure what foresees published verdicts."""
    shown: dict[str, Any] = {}
    reached = published.hold_out(click.echo, agents=False)
    number = in_words(write_foreseen(out, published, head), "tree")
    click.echo(f"wrote {out}: {out.stat().st_size / 1000:.0f} kB, {number}")
    held = [("papers unseen", reached)]
    if agents:
        held.append(("papers and agents unseen", published.hold_out(click.echo, agents=True)))
    for how, chances in held:
        for judge, numbers in foreseen_figures(published, chances):
            shown[f"foreseen, {how}, {judge}"] = numbers
            click.echo(_line(f"foreseen, {how}, {judge}", numbers))
    return shown


def _stuff(rows: list[Row], every: int) -> dict[str, float]:
    """The mean gain of each way of stuffing, for the model that is shipped."""
    places = sorted({(row.root, row.claims) for row in rows if row.source == "reading"})[::every]
    found = [gains(root, claims, load_model()) for root, claims in places]
    means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
    number = in_words(len(places), "repository", "repositories")
    click.echo(f"gain by stuffing, {number}, expected score:")
    for name, gain in means.items():
        click.echo(f"  {name}: {gain:+.4f}")
    return means


def _show(found: HeldOut) -> dict[str, Any]:
    """Print and gather the figures for papers that the trees have not seen."""
    shown: dict[str, Any] = {}
    for judge, numbers in reference_figures(found):
        shown[f"papers unseen, {judge}"] = numbers
    for source, name in (
        ("reading", "readings"),
        ("wide", "wide readings"),
        ("short", "short claims"),
    ):
        here = found.mask(source=source)
        if not here.any():
            continue
        shown[name] = own_figures(found, here)
        for dimension in ("D1", "D2", "D3", "D4"):
            own = here & np.array([f"-{dimension}-" in row.sau for row in found.rows])
            if own.any():
                shown[f"{name}, {dimension}"] = own_figures(found, own)
    suite = found.mask(source="suite")
    half = np.array([row.paper in FITTED_SUITE for row in found.rows])
    for name, own in (
        ("suite, fitted half", suite & half),
        ("suite, never fitted", suite & ~half),
        ("mutants", found.mask(source="mutant")),
    ):
        if own.any():
            shown[name] = own_figures(found, own)
    for name, numbers in shown.items():
        click.echo(_line(name, numbers))
    return shown


def _line(name: str, numbers: dict[str, float]) -> str:
    return f"{name}: " + ", ".join(
        f"{key} {value:.0f}" if key in {"pairs", "verdicts"} else f"{key} {value:.3f}"
        for key, value in numbers.items()
    )


def _counted(rows: list[Row]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.source] = counts.get(row.source, 0) + 1
    return counts


def _write(
    out: Path,
    rows: list[Row],
    seen: Seen,
    found: HeldOut,
    *,
    labels: tuple[Path, ...],
    drift: Path | None,
    version: str,
) -> None:
    may = fitted(rows)
    scale = fit_scale(rows, found.score, seen.features, seen.highest, may)
    trees = fit_trees(rows, seen.features, may)
    head = _head(
        [row for row, on in zip(rows, may, strict=True) if on],
        labels=labels,
        version=version,
        about="Trees, then a cumulative ordinal scale; see judge/embedded/model.py.",
    )
    head["fitted_on"]["suite_papers"] = sorted(FITTED_SUITE)
    if drift is not None:
        head["fitted_on"]["files"]["drift/labels.jsonl"] = fingerprint(drift / "labels.jsonl")
    record = {**head, **record_of(trees, scale, version)}
    out.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
    number = in_words(len(trees["trees"]), "tree")
    click.echo(f"wrote {out}: {out.stat().st_size / 1000:.0f} kB, {number}")


def _head(used: list[Row], *, labels: tuple[Path, ...], version: str, about: str) -> dict[str, Any]:
    """What a file of weights says of itself."""
    return {
        "about": about,
        "version": version,
        "fitted_on": {
            "labels": _counted(used),
            "papers": sorted({row.paper for row in used if row.source not in OWN_SCALE}),
            "papers_never_used": list(WITHHELD),
            "files": {path.name: fingerprint(path) for path in labels},
        },
    }
