"""The study: agreement, scores and calibration of every judge in one page and one JSON file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from benchmark import InputError, Label, Where
from calibration.agreement import REFERENCE, agreement
from calibration.agreement_report import AgreementReport, Match
from calibration.estimates import Estimate
from calibration.figures import Figure
from calibration.fitting import Calibration, calibrate
from calibration.joining import Judged, references
from calibration.resampling import Setting
from calibration.scores import ScoreReport, score_agents
from judge.foreign import read_results
from judge.records import META
from judge.report.text import plain, visible
from judge.store import iter_verdicts
from judge.study_config import StudyConfig
from judge.study_plots import confusion_plot, curve_plot, interval_plot
from judge.trust_inputs import check_versions, read_labels, read_verdicts
from judge.verdict import Verdict

__all__ = ["run_study"]

_TEMPLATES = Path(__file__).parent / "report" / "templates"
_LONGEST = 4000
_Part = TypeVar("_Part", ScoreReport, Calibration)


def run_study(config: StudyConfig) -> Path:
    """Study, and write `study.json` and `index.html` into the output folder.

    A part that the data cannot carry is told with its reason in its place.

    Args:
        config: What to study.

    Returns:
        The page.

    Raises:
        InputError: A run or a label file is malformed, or nothing matches.
    """
    verdicts = read_verdicts(config.runs)
    labels = read_labels(config.labels, columns=config.columns, fixed=config.fixed)
    check_versions(labels, verdicts, config.runs)
    setting = Setting(cluster=config.cluster)
    study = agreement(verdicts, labels, setting=setting, cluster=config.cluster)
    if not any(one.matched for one in study.accounts.values()):
        raise InputError(
            "no label meets a verdict of these runs",
            where=Where(", ".join(map(str, config.labels))),
            remedy="Check that submissions and claims have the runs' ids; judge agree tells more",
        )
    scores: dict[str, ScoreReport | str] = {}
    fitted: dict[str, Calibration | str] = {}
    for judge in study.accounts:
        own = [one for one in verdicts if one.judge == judge]
        scores[judge] = _or_reason(partial(_scored, own, labels, config))
        fitted[judge] = _or_reason(partial(_calibrated, own, labels, config))
    worst = _worst(verdicts, labels, config)
    record = {
        "format": 1,
        "agreement": study.as_json(),
        "scores": {judge: _json_of(one) for judge, one in scores.items()},
        "calibration": {judge: _json_of(one) for judge, one in fitted.items()},
        "worst": worst,
    }
    page = _page(study, scores, fitted, worst)
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
    return config.output / "index.html"


def _scored(own: list[Judged], labels: Sequence[Label], config: StudyConfig) -> ScoreReport:
    return score_agents(own, labels, correction=config.correction, cut=config.cut)


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


def _worst(
    verdicts: Sequence[Judged], labels: Sequence[Label], config: StudyConfig
) -> list[dict[str, Any]]:
    """The verdicts furthest from what is held for true, with both reasons and the code cited."""
    truths: dict[tuple[str, str], float] = {}
    notes: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for label, weight in references([one for one in labels if one.level is not None]):
        key = label.submission, label.sau
        truths[key] = truths.get(key, 0.0) + weight * int(label.level or 0)
        notes.setdefault(key, []).append(
            {
                "annotator": label.annotator,
                "level": int(label.level or 0),
                "note": label.note,
                "lines": [f"{path}:{first}-{last}" for path, first, last in label.lines],
            }
        )
    apart = sorted(
        (-abs((one.level or 0) - truths[one.key]), one.judge, *one.key)
        for one in verdicts
        if one.level is not None and one.key in truths
    )[: config.worst]
    wanted = {(judge, submission, sau): -gap for gap, judge, submission, sau in apart if gap < 0}
    words = _words_of(config.runs, set(wanted))
    return [
        {
            "judge": judge,
            "submission": submission,
            "sau": sau,
            "apart": gap,
            "labels": notes[submission, sau],
            **words.get((judge, submission, sau), {}),
        }
        for (judge, submission, sau), gap in wanted.items()
    ]


def _words_of(
    runs: Sequence[Path], wanted: set[tuple[str, str, str]]
) -> dict[tuple[str, str, str], dict[str, Any]]:
    found = {}
    for path in runs:
        own = (path / META).exists()
        loaded = None if own else read_results(path)
        claims = read_results(path).saus if loaded is None else loaded.saus
        for one in iter_verdicts(path) if loaded is None else loaded.verdicts:
            key = one.provenance.judge, one.submission, one.sau
            if key in wanted:
                found[key] = _words_in(one, claims[one.sau].claim if one.sau in claims else "")
    return found


def _words_in(one: Verdict, claim: str) -> dict[str, Any]:
    return {
        "claim": claim,
        "level": one.level,
        "rationale": one.rationale[:_LONGEST],
        "code": [
            {
                "where": f"{each.path}:{each.first}-{each.last}",
                "quote": each.quote[:_LONGEST],
                "state": each.state.value,
            }
            for each in one.citations
        ],
    }


def _page(
    study: AgreementReport,
    scores: dict[str, ScoreReport | str],
    fitted: dict[str, Calibration | str],
    worst: list[dict[str, Any]],
) -> str:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["visible"] = visible
    css = (_TEMPLATES / "report.css").read_text(encoding="utf-8")
    return environment.get_template("study.html").render(
        css=Markup(css),  # noqa: S704 - a file of ours
        study=study,
        judges=[
            {
                "name": match.first,
                "match": match,
                "confusion": _confusion(match),
                "dimensions": _dimensions(match),
                "scores": scores[match.first],
                "score_plot": _score_plot(scores[match.first]),
                "fitted": fitted[match.first],
                "reliability": _reliability(fitted[match.first]),
                "risk": _risk(fitted[match.first]),
            }
            for match in study.judges
            if match.second == REFERENCE
        ],
        worst=worst,
    )


def _confusion(match: Match) -> Markup:
    across = ("fail", "pass") if match.scale == "pass" else tuple("01234")
    label = f"levels of {plain(match.first)} down, of {match.second} across"
    return confusion_plot(match.confusion, across=across, label=label)


def _dimensions(match: Match) -> Markup | None:
    groups = match.groups.get("dimension", {})
    marks = [
        (name, figure.value, figure.low, figure.high)
        for name, (_, figures) in groups.items()
        if isinstance(figure := figures.get("quadratic_kappa"), Figure)
    ]
    if not marks:
        return None
    low = min(0.0, *(left for _, _, left, _ in marks if left is not None), 0.0)
    label = "quadratic kappa by dimension, with intervals"
    return interval_plot([("", marks)], low=low, high=1, label=label)


def _score_plot(report: ScoreReport | str) -> Markup | None:
    if isinstance(report, str) or not report.agents:
        return None
    raw, corrected = [], []
    for one in report.agents:
        name, figure = plain(one.agent), one.raw.figure
        raw.append((name, figure.value, figure.low, figure.high))
        if isinstance(one.corrected, Estimate):
            figure = one.corrected.figure
            corrected.append((name, figure.value, figure.low, figure.high))
    whole = len(corrected) == len(raw)
    series = [("corrected", corrected), ("raw", raw)] if whole else [("raw", raw)]
    return interval_plot(series, low=0, high=1, label="scores of agents with intervals")


def _reliability(fitted: Calibration | str) -> Markup | None:
    if isinstance(fitted, str):
        return None
    curves = [
        (f"level {cut} or above", [(each.stated, each.came) for each in bins])
        for cut, bins in fitted.after.reliability.items()
    ]
    return curve_plot(
        curves, axes=("stated chance", "what came"), diagonal=True,
        label="reliability out of fold: stated chance against what came",
    )  # fmt: skip


def _risk(fitted: Calibration | str) -> Markup | None:
    if isinstance(fitted, str):
        return None
    points = fitted.calibrator.quality["risk_curve"]
    top = max(0.1, *(each["upper"] for each in points if each["upper"] < 1), 0.1)
    return curve_plot(
        [
            ("risk", [(each["share"], each["risk"]) for each in points]),
            ("upper bound", [(each["share"], each["upper"]) for each in points]),
        ],
        axes=("share answered without a person", "share lost"),
        top=top,
        label="risk against the share answered",
    )
