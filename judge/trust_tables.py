"""Figures of trust in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from calibration.agreement import REFERENCE
from calibration.agreement_report import AgreementReport, Match
from calibration.estimates import Estimate
from calibration.figures import Figure, Undefined
from calibration.measures import BINARY, ORDINAL, PASSING
from calibration.scores import ScoreReport
from judge.counting import counted
from judge.report.text import plain
from judge.terminal_tables import print_table

__all__ = ["console", "print_agreement", "print_scores", "say"]

_TITLES = {one.name: one.title for one in (*BINARY, *ORDINAL, *PASSING)} | {
    "true_positive_rate": "true positive rate",
    "true_negative_rate": "true negative rate",
}
_HEADLINE = {"exact", "quadratic_kappa", "mean_error"}
_WIDTH = 132


def console() -> Console:
    """Where tables go: as wide as they need where nobody's terminal is known."""
    out = Console(highlight=False)
    if not out.is_terminal:
        out.width = max(out.width, _WIDTH)
    return out


def say(out: Console, text: str, style: str = "") -> None:
    """Print words that may hold anything, as they are."""
    out.print(Text(plain(text), style=style), soft_wrap=True)


def table(title: str, *headings: str) -> Table:
    """An empty table: the first column is text, the others are numbers."""
    made = Table(
        title=Text(plain(title)), title_justify="left", title_style="bold", box=SIMPLE_HEAD,
        pad_edge=False, min_width=min(100, len(title)),
    )  # fmt: skip
    for place, heading in enumerate(headings):
        made.add_column(plain(heading), justify="right" if place else "left", no_wrap=True)
    return made


def title_of(name: str) -> str:
    """What a measure is called: `quadratic kappa`, or `kappa at 2` of `kappa_at_2`."""
    base, _, cut = name.partition("_at_")
    return f"{_TITLES[base]} at {cut}" if cut else _TITLES[base]


def cell(figure: Figure | Undefined | None) -> str:
    """A figure in a cell; what is missing is said below the table."""
    if figure is None:
        return ""
    if isinstance(figure, Undefined):
        return "undefined"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.3f}"
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def print_agreement(report: AgreementReport, out: Console) -> None:
    """Print the study, the judges against all annotators first."""
    for note in report.notes:
        say(out, f"! {note}" if "no label" in note or "copies" in note else note, "yellow")
    for judge, account in report.accounts.items():
        for sentence in account.sentences():
            say(out, f"{judge}: {sentence}")
    for match in report.judges:
        if match.second == REFERENCE:
            _print_match(match, out, setting=report.setting.cluster)
    alone = [one for one in report.judges if one.second != REFERENCE and one.scale == "levels"]
    if alone:
        print_table(_short("judges against each annotator", alone), out)
    if report.annotators:
        print_table(_short("annotators against each other", report.annotators), out)
        say(out, f"all annotators together, Krippendorff alpha: {report.together}")
    for match in report.between:
        _print_match(match, out, setting=report.setting.cluster)
    for contrast in report.contrasts:
        made = table(
            f"{contrast.first} less {contrast.second}, on {counted(contrast.pairs, 'reading')}"
            + (" of pass or fail" if contrast.scale == "pass" else ""),
            "", "difference", "p",
        )  # fmt: skip
        for name, comparison in contrast.differences.items():
            p = "" if comparison.p is None else f"{comparison.p:.4f}"
            made.add_row(title_of(name), cell(comparison.difference), p)
        print_table(made, out)
        _reasons(((name, one.difference) for name, one in contrast.differences.items()), out)
    if report.conflicts:
        say(
            out,
            f"{counted(len(report.conflicts), 'pair is', 'pairs are')} read differently and not "
            "settled, e.g.:",
        )
        for submission, sau, readings in report.conflicts[:5]:
            said = ", ".join(f"{who} {what}" for who, what in readings)
            say(out, f"  {submission} {sau}: {said}")
    setting = report.setting
    say(
        out,
        f"intervals: {setting.level:.0%}, {setting.method}, by {setting.cluster}",
        "dim",
    )


def _print_match(match: Match, out: Console, *, setting: str) -> None:
    title = (
        f"{match.first} against {match.second}: {counted(match.pairs, 'reading')} in "
        f"{counted(match.clusters, setting)}"
    )
    if match.figures:
        made = table(title, "", "value")
        for name, figure in match.figures.items():
            made.add_row(_TITLES[name], cell(figure))
        print_table(made, out)
        _reasons(match.figures.items(), out)
    for name, (level, value) in match.constant.items():
        answer = f"level {level}" if match.scale == "levels" else ("fail", "pass")[level]
        say(out, f"always answering {answer} would score {value:.3f} {_TITLES[name]}", "dim")
    rows = range(len(match.confusion))
    across = [str(place) for place in range(len(match.confusion[0]))]
    across = across if match.scale == "levels" else ["fail", "pass"]
    made = table(f"{match.first} (down) and {match.second} (across)", "", *across)
    for row in rows:
        made.add_row(str(row), *(f"{value:g}" for value in match.confusion[row]))
    print_table(made, out)
    names = list(next(iter(match.cuts.values()), {}))
    if names:
        # Measures down: side by side their intervals would not fit.
        cuts = [f"at {cut}" for cut in match.cuts]
        made = table("at each cut (judge's level or above)", "", *cuts)
        for name in names:
            made.add_row(_TITLES[name], *(cell(figures[name]) for figures in match.cuts.values()))
        print_table(made, out)
        reasons = [
            (f"{name}_at_{cut}", one) for cut, f in match.cuts.items() for name, one in f.items()
        ]
        _reasons(reasons, out)
    for name, words in (("drift", match.drift), ("failure", match.failure)):
        if words:
            made = table(f"F1 of each {name}", "", "F1")
            for word, figure in words.items():
                made.add_row(word, cell(figure))
            print_table(made, out)
    shown = [(one.name, one.title) for one in ORDINAL if one.name in _HEADLINE]
    if match.scale == "pass":
        shown = [("auc", "AUC"), *((f"kappa_at_{cut}", f"kappa at {cut}") for cut in (2, 3))]
    for by, groups in match.groups.items():
        made = table(f"by {by}", "", "readings", *(title for _, title in shown))
        for name, (count, figures) in groups.items():
            made.add_row(plain(name), str(count), *(cell(figures[key]) for key, _ in shown))
        print_table(made, out)


def _short(title: str, matches: Iterable[Match]) -> Table:
    """Many matches, a line each."""
    shown = [one for one in ORDINAL if one.name in _HEADLINE]
    made = table(title, "", "readings", *(one.title for one in shown))
    for match in matches:
        made.add_row(
            f"{plain(match.first)}, {plain(match.second)}",
            str(match.pairs),
            *(cell(match.figures.get(one.name)) for one in shown),
        )
    return made


def _reasons(figures: Iterable[tuple[str, Figure | Undefined]], out: Console) -> None:
    reasons: dict[str, list[str]] = {}
    for name, figure in figures:
        if isinstance(figure, Undefined):
            reasons.setdefault(f"undefined: {figure.reason}", []).append(title_of(name))
        elif figure.why_no_interval:
            reasons.setdefault(f"no interval: {figure.why_no_interval}", []).append(title_of(name))
    for reason, names in reasons.items():
        say(out, f"{', '.join(names)}: {reason}", "dim")


def print_scores(report: ScoreReport, out: Console) -> None:
    """Print agents, best first, then what holds between them."""
    for note in report.notes:
        say(out, f"! {note}", "yellow")
    for sentence in report.account.sentences():
        say(out, sentence)
    what = "mean" if report.cut is None else f"share at level {report.cut} or above"
    made = table(f"{report.judge}: {what}", "agent", "claims", "raw", "corrected", "labels", "rank")
    for one in report.agents:
        corrected = one.corrected
        labels = str(corrected.labels) if isinstance(corrected, Estimate) else ""
        ranks = "" if one.ranks is None else "-".join(map(str, dict.fromkeys(one.ranks)))
        figure = corrected.figure if isinstance(corrected, Estimate) else corrected
        made.add_row(
            plain(one.agent), str(one.claims), cell(one.raw.figure), cell(figure), labels, ranks
        )
    print_table(made, out)
    if report.papers == "fixed":
        say(
            out, "papers are fixed: means and intervals are about these papers' claims alone", "dim"
        )
    refused: dict[str, list[str]] = {}
    methods: Mapping[str, Estimate] = {}
    for one in report.agents:
        if isinstance(one.corrected, Undefined):
            refused.setdefault(one.corrected.reason, []).append(one.agent)
        else:
            methods = {**methods, one.corrected.method: one.corrected}
            for note in one.corrected.notes:
                say(out, f"{one.agent}: {note}", "yellow")
    for reason, agents in refused.items():
        say(out, f"not corrected ({', '.join(agents)}): {reason}")
    for method, estimate in methods.items():
        say(out, f"{method} holds if " + "; ".join(estimate.assumptions), "dim")
    firm = [
        each
        for each in report.differences
        if each.adjusted_p is not None and each.adjusted_p < 0.05
    ]
    say(
        out,
        f"{len(firm):,} of {counted(len(report.differences), 'difference')} of the "
        f"{report.ranked_by} score {'holds' if len(firm) == 1 else 'hold'} at 5 % after Holm's "
        "adjustment; ranks are those that they leave open",
    )
    for held in firm[:20]:
        say(out, f"  {held.first} over {held.second}: {cell(held.comparison.difference)}")
