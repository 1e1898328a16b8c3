"""The study: agreement, scores and calibration of every judge in one page and one JSON file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from benchmark import InputError, Label, Where
from calibration.agreement import agreement
from calibration.fitting import Calibration, calibrate
from calibration.joining import Judged
from calibration.resampling import Setting
from calibration.scores import ScoreReport, score_agents
from judge.counting import counted, without_verdict
from judge.report.text import plain
from judge.study_config import PASS_CUT, StudyConfig, load_study
from judge.study_page import study_page
from judge.study_runs import prepare_study
from judge.study_worst import worst_disagreements
from judge.trust_inputs import check_versions, naming_files, read_verdicts

__all__ = ["Study", "run_study", "study_command"]

_INCOMPLETE = 3
_Part = TypeVar("_Part", ScoreReport, Calibration)


@dataclass(frozen=True, slots=True)
class Study:
    """What a study came to.

    Attributes:
        page: The page to open, beside `study.json`; `None` where no claim has a verdict yet.
        missing: Claims of runs made for it that have no verdict.
        remarks: What these runs' judges tell of them.
    """

    page: Path | None
    missing: int
    remarks: tuple[str, ...] = ()


def study_command(path: Path) -> int:
    """Study what a file says, and name the page.

    Returns:
        0, or 3 where claims of runs made for the study have no verdict.

    Raises:
        InputError: The file or what it names is wrong.
        RunStoppedError: A run ended before its end.
    """
    study = run_study(load_study(path))
    for remark in study.remarks:
        click.echo(f"! {plain(remark)}", err=True)
    if study.page is None:
        click.echo(
            f"none of {counted(study.missing, 'claim')} has a verdict: there is no study yet",
            err=True,
        )
        return _INCOMPLETE
    click.echo(f"study: {study.page}")
    if not study.missing:
        return 0
    click.echo(f"{without_verdict(study.missing)}: the study is without them", err=True)
    return _INCOMPLETE


def run_study(config: StudyConfig) -> Study:
    """Run what is to be run, study, and write `study.json` and `index.html`.

    A part that the data cannot carry is told with its reason in its place.

    Args:
        config: What to study.

    Raises:
        InputError: A run or a label file is malformed, or nothing matches.
        RunStoppedError: A run ended before its end.
    """
    inputs = prepare_study(config)
    labels = inputs.labels
    verdicts = read_verdicts(inputs.runs)
    if inputs.missing and not verdicts:
        return Study(None, inputs.missing, inputs.remarks)
    with naming_files(runs=inputs.runs, labels=config.labels):
        check_versions(labels, verdicts, inputs.runs)
    setting = Setting(cluster=config.cluster)
    study = agreement(verdicts, labels, setting=setting, cluster=config.cluster)
    if not any(one.matched for one in study.accounts.values()):
        told = [line for one in study.accounts.values() for line in one.sentences()]
        raise InputError(
            "no label meets a verdict of these runs: "
            + " ".join(dict.fromkeys(told)).removesuffix("."),
            where=Where(str(config.file), key="labels"),
            remedy="Check that submissions and claims have the runs' ids",
        )
    scores: dict[str, ScoreReport | str] = {}
    fitted: dict[str, Calibration | str] = {}
    cut, notes = _cut(config, labels)
    for judge in study.accounts:
        own = [one for one in verdicts if one.judge == judge]
        scores[judge] = _or_reason(partial(_scored, own, labels, config, cut))
        fitted[judge] = _or_reason(partial(_calibrated, own, labels, config))
    worst = worst_disagreements(verdicts, labels, inputs.runs, config.worst)
    record = {
        "format": 1,
        "notes": list(notes),
        "agreement": study.as_json(),
        "scores": {judge: _json_of(one) for judge, one in scores.items()},
        "calibration": {judge: _json_of(one) for judge, one in fitted.items()},
        "worst": worst,
    }
    page = study_page(study, scores, fitted, worst, notes)
    try:
        config.output.mkdir(parents=True, exist_ok=True)
        text = json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False)
        (config.output / "study.json").write_text(text + "\n", encoding="utf-8", newline="\n")
        (config.output / "index.html").write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(
            f"the study cannot be written ({error.strerror or error})",
            where=Where(str(config.output)),
            remedy="Give an output folder that may be written to",
        ) from None
    return Study(config.output / "index.html", inputs.missing, inputs.remarks)


def _cut(config: StudyConfig, labels: Sequence[Label]) -> tuple[int | None, tuple[str, ...]]:
    """Where levels are cut for scores, and what to say of it."""
    if config.cut is not None or not labels or any(one.level is not None for one in labels):
        return config.cut, ()
    return PASS_CUT, (
        f"labels say pass or fail and no level: scores are the share of claims at level {PASS_CUT} "
        "or above (cut chooses another)",
    )


def _scored(
    own: list[Judged], labels: Sequence[Label], config: StudyConfig, cut: int | None
) -> ScoreReport:
    return score_agents(own, labels, correction=config.correction, cut=cut, papers=config.papers)


def _calibrated(own: list[Judged], labels: Sequence[Label], config: StudyConfig) -> Calibration:
    return calibrate(
        own, labels, coverage=config.coverage, accepted_risk=config.risk, loss=config.loss
    )


def _or_reason(part: Callable[[], _Part]) -> _Part | str:
    try:
        return part()
    except InputError as error:
        return f"{error.problem}. {error.remedy}."


def _json_of(part: ScoreReport | Calibration | str) -> dict[str, Any]:
    return {"refused": part} if isinstance(part, str) else part.as_json()
