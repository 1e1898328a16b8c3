"""The study's page: one HTML file with its plots inside."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from calibration.agreement import REFERENCE
from calibration.agreement_report import AgreementReport, Match
from calibration.estimates import Estimate
from calibration.figures import Figure, Undefined
from calibration.fitting import Calibration
from calibration.scores import ScoreReport
from judge.counting import counted
from judge.report.style import SHADES, TEMPLATES, page_style
from judge.report.text import plain, visible
from judge.study_config import PASS_CUT
from judge.study_plots import curve_plot, interval_plot
from judge.trust_tables import cell, title_of

__all__ = ["study_page"]


def study_page(
    study: AgreementReport,
    scores: dict[str, ScoreReport | str],
    fitted: dict[str, Calibration | str],
    worst: list[dict[str, Any]],
    notes: tuple[str, ...] = (),
) -> str:
    """The page as text.

    Args:
        study: Agreement.
        scores: By judge, or why there are none.
        fitted: Calibration by judge, or why there is none.
        worst: What `worst_disagreements` gave.
        notes: What a reader should know first.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["visible"] = visible
    environment.filters["title"] = title_of
    environment.filters["figure"] = cell
    environment.filters["counted"] = counted
    environment.filters["reason"] = _reason
    return environment.get_template("study.html").render(
        css=Markup(page_style()),  # noqa: S704 - a file of ours
        study=study,
        pass_cut=PASS_CUT,
        notes=(*notes, *study.notes),
        judges=[
            {
                "name": match.first,
                "match": match,
                "constants": _constants(match),
                "confusion": _confusion(match),
                "agreement": _agreement(match),
                "dimensions": _dimensions(match),
                "words": {name: f for name in ("drift", "failure") if (f := getattr(match, name))},
                "alone": [
                    one
                    for one in study.judges
                    if one.first == match.first and one.second != REFERENCE
                ],
                "scores": scores[match.first],
                "refused": _refused(scores[match.first]),
                "score_plot": _score_plot(scores[match.first]),
                "fitted": fitted[match.first],
                "reliability": _reliability(fitted[match.first]),
                "risk": _risk(fitted[match.first]),
                "worst": [one for one in worst if one["judge"] == match.first],
            }
            for match in study.judges
            if match.second == REFERENCE
        ],
    )


def _reason(figure: Figure | Undefined) -> str:
    """Why a figure has no interval or is none; empty where it has one."""
    return figure.reason if isinstance(figure, Undefined) else figure.why_no_interval


def _constants(match: Match) -> list[str]:
    """What answering one thing always would score."""
    return [
        f"always answering {('fail', 'pass')[best] if match.scale == 'pass' else f'level {best}'} "
        f"would score {value:.3f} {title_of(name)}"
        for name, (best, value) in match.constant.items()
    ]


def _confusion(match: Match) -> dict[str, Any]:
    """The table of the judge's levels (down) by the labels' (across), with the shade of each."""
    most = max((value for row in match.confusion for value in row), default=0) or 1
    return {
        "across": ("fail", "pass") if match.scale == "pass" else tuple("01234"),
        "rows": [
            [(f"{value:.4g}", f"h{round(SHADES * value / most)}") for value in row]
            for row in match.confusion
        ],
    }


def _agreement(match: Match) -> Markup | None:
    """All measures with their intervals; at each cut where labels say pass or fail."""
    figures = dict(match.figures)
    if match.scale == "pass":
        figures |= {
            f"{name}_at_{cut}": figure
            for name in ("exact", "kappa", "gwet_ac1")
            for cut, found in match.cuts.items()
            if (figure := found.get(name)) is not None
        }
    marks = [
        (title_of(name), figure.value, figure.low, figure.high)
        for name, figure in figures.items()
        if isinstance(figure, Figure)
    ]
    if not marks:
        return None
    low = min(0.0, *(value if left is None else left for _, value, left, _ in marks), 0.0)
    return interval_plot(
        [("", marks)], low=max(-1.0, low), high=1, label="measures of agreement with intervals"
    )


def _dimensions(match: Match) -> Markup | None:
    groups = match.groups.get("dimension", {})
    key = "quadratic_kappa" if match.scale == "levels" else f"kappa_at_{PASS_CUT}"
    marks = [
        (f"{name} ({count})", figure.value, figure.low, figure.high)
        for name, (count, figures) in groups.items()
        if isinstance(figure := figures.get(key), Figure)
    ]
    if len(marks) < 2:
        return None
    low = min(0.0, *(value if left is None else left for _, value, left, _ in marks), 0.0)
    label = f"{title_of(key)} by dimension, with intervals"
    return interval_plot([("", marks)], low=max(-1.0, low), high=1, label=label)


def _refused(report: ScoreReport | str) -> dict[str, list[str]]:
    """Agents without a corrected score, by the reason."""
    found: dict[str, list[str]] = {}
    for one in () if isinstance(report, str) else report.agents:
        if isinstance(one.corrected, Undefined):
            found.setdefault(one.corrected.reason, []).append(one.agent)
    return found


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
