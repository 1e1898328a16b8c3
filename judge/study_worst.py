"""The worst disagreements of a study: both sides' reasons, and the code that each points to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmark import GraderError, Label
from calibration.joining import Judged, references
from judge.foreign import read_results
from judge.loading import LoadedRun, read_claims, read_submissions
from judge.records import CLAIMS, META, SubmissionNote
from judge.store import iter_verdicts
from judge.verdict import Verdict
from retrieval.decoding import split_lines
from retrieval.reading import ReadLimits, read_repository

__all__ = ["worst_disagreements"]

_LONGEST = 4000
"""Characters of one text that are kept."""
_MOST_LINES = 40
_NO_PLACE = "the run does not say where the repository is"
_PASSED, _FAILED = 4, 0
"""How far a level is from pass and fail is counted from the ends; no label gets a level by it."""
_FEWEST_APART = 2
"""A middle level is neither here nor there of a pass; what is further off disagrees."""

Key = tuple[str, str]


def worst_disagreements(
    verdicts: Sequence[Judged], labels: Sequence[Label], runs: Sequence[Path], most: int
) -> list[dict[str, Any]]:
    """For each judge the verdicts furthest from what is held for true, the furthest first.

    Args:
        verdicts: Of all judges.
        labels: Readings, of levels or of pass and fail.
        runs: Where the verdicts' words are.
        most: Disagreements of one judge at most.

    Raises:
        InputError: A run cannot be read.
    """
    truths, fewest = _truths(labels)
    by_judge: dict[str, list[tuple[float, Judged]]] = {}
    for one in verdicts:
        if one.level is not None and one.key in truths:
            gap = abs(one.level - truths[one.key])
            if gap >= fewest[one.key]:
                by_judge.setdefault(one.judge, []).append((gap, one))
    chosen = [
        (judge, gap, one)
        for judge in sorted(by_judge)
        for gap, one in sorted(by_judge[judge], key=lambda row: (-row[0], row[1].key))[:most]
    ]
    wanted = {(judge, *one.key) for judge, _, one in chosen}
    words, notes = _words_of(runs, wanted)
    said: dict[Key, list[Label]] = {}
    for label, _ in references(labels):
        said.setdefault((label.submission, label.sau), []).append(label)
    repositories: dict[str, dict[str, list[str]] | str] = {}
    return [
        {
            "judge": judge,
            "submission": one.submission,
            "sau": one.sau,
            "apart": gap,
            "labels": [
                _label(label, notes.get(label.submission), repositories) for label in said[one.key]
            ],
            **words.get((judge, *one.key), {}),
        }
        for judge, gap, one in chosen
    ]


def _truths(labels: Sequence[Label]) -> tuple[dict[Key, float], dict[Key, float]]:
    """What is held for true of each pair, and from how far on a verdict disagrees with it."""
    truths: dict[Key, float] = {}
    fewest: dict[Key, float] = {}
    for label, weight in references(labels):
        key = label.submission, label.sau
        level = _end(label) if label.level is None else int(label.level)
        truths[key] = truths.get(key, 0.0) + weight * level
        fewest[key] = _FEWEST_APART if label.level is None else 0.01
    return truths, fewest


def _end(label: Label) -> int:
    return _PASSED if label.passed else _FAILED


def _label(
    label: Label,
    note: SubmissionNote | None,
    repositories: dict[str, dict[str, list[str]] | str],
) -> dict[str, Any]:
    if label.lines and note is not None and note.id not in repositories:
        repositories[note.id] = _lines_of(note)
    files = repositories.get(label.submission, _NO_PLACE)
    return {
        "annotator": label.annotator,
        "kind": label.kind,
        "level": None if label.level is None else int(label.level),
        "pass": label.passed,
        "note": label.note[:_LONGEST],
        "code": [
            _span(files, path, first, last) for path, first, last in label.lines[:_MOST_LINES]
        ],
    }


def _lines_of(note: SubmissionNote) -> dict[str, list[str]] | str:
    """The submission's files by path as they were judged, or why they are not to be had."""
    if not note.root:
        return _NO_PLACE
    try:
        repository = read_repository(Path(note.root), exclude=note.exclude, limits=ReadLimits())
    except GraderError:
        return "the repository is not there any more"
    if note.digest and repository.digest != note.digest:
        return "the repository has changed since it was judged"
    return {file.path: split_lines(file.text) for file in repository.files}


def _span(files: dict[str, list[str]] | str, path: str, first: int, last: int) -> dict[str, str]:
    where = _where(path, first, last)
    if isinstance(files, str):
        return {"where": where, "quote": "", "state": files}
    if path not in files:
        return {"where": where, "quote": "", "state": "no such file was read"}
    lines = files[path][first - 1 : min(last, first - 1 + _MOST_LINES)]
    text = "\n".join(lines)[:_LONGEST]
    return {"where": where, "quote": text, "state": "as labelled" if lines else "no such line"}


def _where(path: str, first: int, last: int) -> str:
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"


def _words_of(
    runs: Sequence[Path], wanted: set[tuple[str, str, str]]
) -> tuple[dict[tuple[str, str, str], dict[str, Any]], dict[str, SubmissionNote]]:
    """The words of the wanted verdicts, and what is known of submissions."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    known: dict[str, SubmissionNote] = {}
    for path in runs:
        loaded: LoadedRun | None = None
        verdicts: Iterable[Verdict]
        if (path / META).exists():
            claims, notes = read_claims(path / CLAIMS), read_submissions(path)
            verdicts = iter_verdicts(path)
        else:
            loaded = read_results(path)
            claims, notes, verdicts = loaded.saus, {}, loaded.verdicts
        known |= {id_: note for id_, note in notes.items() if note.root or id_ not in known}
        for one in verdicts:
            key = one.provenance.judge, one.submission, one.sau
            if key in wanted:
                claim = claims.get(one.sau)
                found[key] = {
                    "claim": "" if claim is None else claim.claim,
                    "context": "" if claim is None else claim.source,
                    **_words_in(one),
                }
    return found, known


def _words_in(one: Verdict) -> dict[str, Any]:
    missing = () if one.evidence is None else one.evidence.searched_not_found
    shown = () if one.evidence is None or one.citations else one.evidence.passages
    return {
        "level": one.level,
        "rationale": one.rationale[:_LONGEST],
        "not_found": list(missing)[:_MOST_LINES],
        "shown": [_where(*place) for place in list(shown)[:_MOST_LINES]],
        "code": [
            {
                "where": _where(each.path, each.first, each.last),
                "quote": each.quote[:_LONGEST],
                "state": each.state.value,
            }
            for each in one.citations
        ],
    }
