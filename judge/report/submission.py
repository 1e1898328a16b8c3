"""What a submission's page shows: its verdicts as cards, with the code they cite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmark import Drift, Failure, Sau
from judge.cascade_figures import words_of
from judge.figures import SubmissionSummary
from judge.records import SubmissionNote
from judge.report.code import cited_code
from judge.report.text import slug
from judge.report.words import LEVEL_NAMES, LEVEL_SCORES, QUOTES, WORDS, Banner
from judge.tally import judge_name, word
from judge.verdict import Citation, Provenance, QuoteState, Status, Verdict
from judge.voices import voices_of

__all__ = ["submission_page"]

_NO_LEVEL = {Status.ABSTAINED: ("–", "abstained"), Status.ERROR: ("!", "error: no score")}


def submission_page(
    note: SubmissionNote,
    figures: SubmissionSummary,
    verdicts: Sequence[Verdict],
    saus: Mapping[str, Sau],
    banners: Sequence[Banner],
) -> dict[str, Any]:
    """Everything the template `submission.html` names, but for the links to its neighbours.

    Args:
        note: The submission.
        figures: Its figures.
        verdicts: Its verdicts, in the order they are shown in.
        saus: All claims by id.
        banners: Those of the run.
    """
    judged = {verdict.sau for verdict in verdicts}
    own = list(banners)
    if len(figures.all.judges) > 1:
        counts = ", ".join(f"{name} {count}" for name, count in figures.all.judges.items())
        own.insert(0, Banner("warn", "Several judges judged this submission", [counts]))
    if note.error:
        own.insert(0, Banner("bad", "This submission could not be read", [note.error]))
    elif note.digest and not note.files:
        own.insert(0, Banner("warn", "No file of this submission was read"))
    return {
        "note": note,
        "figures": figures,
        "banners": own,
        "cards": [_card(verdict, saus.get(verdict.sau)) for verdict in verdicts],
        "filters": _filters(verdicts),
        "missing": [
            sau for sau in saus.values() if sau.paper == note.paper and sau.id not in judged
        ],
        "repository": _repository(note),
    }


def _card(verdict: Verdict, sau: Sau | None) -> dict[str, Any]:
    if verdict.level is not None:
        tone, mark, name = (
            str(verdict.level),
            LEVEL_SCORES[verdict.level],
            LEVEL_NAMES[verdict.level],
        )
    else:
        tone = verdict.status.value
        mark, name = _NO_LEVEL[verdict.status]
    graded = verdict.status is Status.GRADED
    return {
        "verdict": verdict,
        "id": f"v-{slug(verdict.sau)}",
        "tone": tone,
        "score": mark,
        "name": name,
        "failure": word(verdict, verdict.failure) if graded else "",
        "drift": word(verdict, verdict.drift) if graded else "",
        "claim": sau.claim if sau else "",
        "source": sau.source if sau else "",
        "citations": [_citation(each) for each in verdict.citations],
        "judge": judge_name(verdict),
        "provenance": [
            *_way(verdict),
            *voices_of(verdict),
            *_provenance(verdict.provenance),
        ],
    }


def _way(verdict: Verdict) -> list[tuple[str, str]]:
    """Why this judge and no other, in a cascade."""
    words = words_of(verdict.cascade)
    return [("cascade", words)] if words else []


def _citation(citation: Citation) -> dict[str, Any]:
    lines = str(citation.first)
    if citation.last != citation.first:
        lines += f"–{citation.last}"
    if citation.state is QuoteState.NOT_FOUND:
        lines += " (as cited)"
    return {
        "path": citation.path,
        "lines": lines,
        "state": citation.state.value,
        "words": QUOTES[citation.state],
        "code": cited_code(citation),
    }


def _filters(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """The choices that would tell verdicts apart; a group of one choice is left out."""
    graded = [verdict for verdict in verdicts if verdict.status is Status.GRADED]
    tones = Counter(
        str(verdict.level) if verdict.level is not None else verdict.status.value
        for verdict in verdicts
    )
    groups: list[tuple[str, str, list[tuple[str, str, int]]]] = [
        (
            "dimension",
            "Dimension",
            _choices(Counter(verdict.dimension.value for verdict in verdicts)),
        ),
        (
            "level",
            "Level",
            [
                (tone, LEVEL_SCORES[int(tone)] if tone.isdigit() else tone, tones[tone])
                for tone in ("0", "1", "2", "3", "4", "abstained", "error")
                if tones[tone]
            ],
        ),
        (
            "failure",
            "Failure",
            _choices(
                Counter(word(verdict, verdict.failure) for verdict in graded),
                [each.value for each in Failure],
            ),
        ),
        (
            "drift",
            "Drift",
            _choices(
                Counter(word(verdict, verdict.drift) for verdict in graded),
                [each.value for each in Drift],
            ),
        ),
        ("status", "Status", _choices(Counter(verdict.status.value for verdict in verdicts))),
    ]
    return [
        {"key": key, "name": name, "choices": choices}
        for key, name, choices in groups
        if len(choices) > 1
    ]


def _choices(counts: Counter[str], order: Sequence[str] = ()) -> list[tuple[str, str, int]]:
    places = {name: place for place, name in enumerate(order)}
    names = sorted(counts, key=lambda name: (places.get(name, len(places)), name))
    return [(name, WORDS.get(name, name), counts[name]) for name in names]


def _provenance(provenance: Provenance) -> list[tuple[str, str]]:
    usage = provenance.usage
    parameters = ", ".join(f"{name}={value}" for name, value in provenance.parameters.items())
    rows: list[tuple[str, object]] = [
        ("provider", provenance.provider),
        ("model asked for", provenance.model),
        ("model that answered", provenance.model_returned),
        ("parameters", parameters or None),
        ("answer asked for as", provenance.rung),
        ("prompt", provenance.prompt_hash),
        ("request", provenance.request_key or None),
        ("provider's id", provenance.request_id),
        ("attempts", provenance.attempts or None),
        ("tokens in", usage.input_tokens),
        ("of these cached", usage.cached_tokens),
        ("tokens out", usage.output_tokens),
        ("of these reasoning", usage.reasoning_tokens),
        ("price in USD", usage.cost_usd),
        ("seconds", usage.seconds),
        ("time", provenance.time or None),
    ]
    return [(name, str(value)) for name, value in rows if value is not None]


def _repository(note: SubmissionNote) -> list[tuple[str, str]]:
    if not note.digest:
        return [("Files", "not read by this program")]
    rows = [
        ("Files read", f"{note.files:,} ({note.bytes / 1e3:,.1f} kB)"),
        ("Paths not read", f"{len(note.skipped):,}"),
        ("Digest", note.digest),
    ]
    if note.exclude:
        rows.append(("Left out on purpose", ", ".join(note.exclude)))
    return rows
