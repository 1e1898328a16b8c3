"""The words and numbers of a report: levels, failures and drifts by name, and how figures look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmark import Drift, Failure
from judge.cascade_figures import sentences_of
from judge.figures import Summary
from judge.fitted_suite import agent_means, fitted_sentence
from judge.records import RunMeta
from judge.tally import NOT_GIVEN
from judge.verdict import QuoteState

__all__ = [
    "DRIFTS",
    "FAILURES",
    "LEVEL_NAMES",
    "LEVEL_SCORES",
    "NOTES",
    "QUOTES",
    "WORDS",
    "Banner",
    "banners_of",
    "percent",
    "score",
    "ticks",
]

LEVEL_SCORES = ("0", ".25", ".5", ".75", "1")
LEVEL_NAMES = (
    "absent or contradicted",
    "core replaced or fragments",
    "key part missing or off",
    "minor deviation",
    "faithful",
)
FAILURES = {
    Failure.NONE.value: "fully met",
    Failure.MISMATCH.value: "implemented otherwise",
    Failure.INCOMPLETE.value: "a named part is missing, the rest is right",
    Failure.STUB.value: "a placeholder, a constant or random numbers",
    Failure.MENTION_ONLY.value: "only in comments, names, docs or unused imports",
    Failure.UNREACHABLE.value: "there, but nothing uses it",
    Failure.EXTERNAL.value: "needs something from outside that is absent or replaced",
    Failure.MISSING.value: "nothing there",
    NOT_GIVEN: "the judge's results do not say",
}
DRIFTS = {
    Drift.NONE.value: "",
    Drift.NUMERICAL.value: "a value",
    Drift.METHODOLOGICAL.value: "a formula, an algorithm, a component",
    Drift.PROTOCOL.value: "data, baseline, metric, evaluation rule",
    Drift.ORDERING.value: "sequence or phase",
    NOT_GIVEN: "the judge's results do not say",
}
WORDS = {name: name.replace("_", " ") for name in (*FAILURES, *DRIFTS)}
QUOTES = {
    QuoteState.VERIFIED: "✓ quote verified",
    QuoteState.RELOCATED: "↪ quote found on other lines than cited",
    QuoteState.NOT_FOUND: "✗ quote not found in the file",
}


def score(value: float | None, digits: int = 4) -> str:
    """A score to look at; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def percent(count: int, total: int) -> str:
    """A share in per cent; a dash of nothing."""
    return f"{100 * count / total:.1f} %" if total else "–"


def ticks(most: float) -> list[float]:
    """Where a bar's grid lines stand."""
    return [step / 10 for step in range(round(most * 10) + 1)]


NOTES = "Notes on this run"


@dataclass(frozen=True, slots=True)
class Banner:
    """What a reader must know before the figures. `kind` is `bad`, `warn` or `note`."""

    kind: str
    title: str
    lines: Sequence[str] = ()


def banners_of(meta: RunMeta, summary: Summary, notes: Sequence[str] = ()) -> list[Banner]:
    """All banners of a run, the gravest first."""
    banners = []
    if summary.incomplete or meta.state in {"running", "stopped"}:
        lines = list(summary.incomplete_because)
        if meta.state == "running":
            lines.append("The run had not ended when this report was written.")
        elif meta.state == "stopped":
            lines.append(f"The run was stopped: {meta.reason or 'no reason was kept'}.")
        lines.append("Means are over graded verdicts only and may move when the rest is there.")
        banners.append(Banner("bad", "This run is incomplete", lines))
    if summary.mixed_judges:
        title = f"{len(summary.judges)} judges are mixed here: rows may not compare as they stand"
        banners.append(Banner("warn", title, summary.mixed_because))
    if (cascade := summary.cascade) is not None:
        kind = "warn" if cascade.contradicted else "note"
        title = "Two judges shared this run: a cascade"
        banners.append(Banner(kind, title, [f"{one}." for one in sentences_of(cascade)]))
    # Their titles alone stand on the pages of submissions, whose legends too are the rubric's.
    banners += [Banner("note", f"{one[:1].upper()}{one[1:]}") for one in summary.remarks]
    if summary.fitted_papers:
        sentence = fitted_sentence(summary)
        means = [
            f"{one.agent}: {score(one.fitted, 3)} on the first, {score(one.never_seen, 3)} on the "
            "others."
            for one in agent_means(summary)
        ]
        banners.append(Banner("warn", f"{sentence[:1].upper()}{sentence[1:]}", means))
    providers = {use.provider for use in summary.judges}
    if "embedded" in providers:
        who = "All" if providers == {"embedded"} else "Some"
        banners.append(
            Banner(
                "note",
                f"{who} verdicts here are the embedded judge's: a program, not an LLM",
                [
                    "It works by rules and a small fitted model over what it finds in the code. "
                    "It understands neither the paper nor the code, and its words are templates. "
                    "Use it to look around and to sort; use an LLM judge and people to conclude."
                ],
            )
        )
    if "foreign" in providers:
        banners.append(Banner("note", "Verdicts of another program", meta.notes))
    elif odd := [*meta.notes, *notes]:
        banners.append(Banner("note", NOTES, odd))
    return banners
