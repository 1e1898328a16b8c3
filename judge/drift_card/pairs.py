"""The verdicts of a run, put beside what was done to the code they judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmark import Drift, Failure, InputError, Label, Where
from benchmark.documents import load_json_lines
from benchmark.readers import load_labels
from judge.loading import LoadedRun
from judge.verdict import QuoteState, Status, Verdict

__all__ = ["Pair", "Unjudged", "read_pairs", "set_of"]

Spans = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One change to a repository and a judge's verdicts before and after it.

    Attributes:
        kind: `drift`, `variant` or `attack`.
        operator: What made the change.
        submission: The changed repository's id.
        sau: The claim's id.
        repo: The repository that was changed; intervals resample these.
        label: What is so by construction.
        change: What was done, in words.
        before: The level of what the change was made from, 0 to 4.
        after: The level of the changed repository.
        drift: The divergence that the judge named.
        failure: The failure that the judge named.
        cited: Lines that it cited and that are there.
        shown: Whether the evidence held a changed line; `None` where that is not recorded.
    """

    kind: str
    operator: str
    submission: str
    sau: str
    repo: str
    label: Label
    change: str
    before: int
    after: int
    drift: Drift
    failure: Failure
    cited: Spans
    shown: bool | None

    @property
    def localised(self) -> bool:
        """Whether a citation touches the changed lines."""
        return touches(self.cited, self.label.lines)


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A change without two levels to compare, and why."""

    kind: str
    operator: str
    submission: str
    reason: str


def touches(some: Spans, others: Spans) -> bool:
    """Whether two sets of lines share one."""
    return any(
        path == where and first <= high and low <= last
        for path, first, last in some
        for where, low, high in others
    )


def set_of(run: LoadedRun) -> Path:
    """The folder of the drift test set that a run graded.

    Raises:
        InputError: The run was not made from one, or the set is gone.
    """
    known = run.meta.config.get("submissions")
    named = known.get("manifest") if isinstance(known, Mapping) else None
    places = [run.path.resolve().parent]
    if isinstance(named, str):
        places += [Path(named).parent, (run.path.resolve().parent / named).parent]
    for place in places:
        if (place / "drift.json").is_file() and (place / "labels.jsonl").is_file():
            return place
    raise InputError(
        "no drift test set belongs to this run: looked for drift.json and labels.jsonl beside it",
        where=Where(str(run.path)),
        remedy="Name the set's folder with --set",
    )


def read_pairs(run: LoadedRun, folder: Path) -> tuple[list[Pair], list[Unjudged]]:
    """Put a run's verdicts beside a test set's labels, in the order of the manifest.

    Args:
        run: The run, of any judge.
        folder: The test set.

    Raises:
        InputError: The set's files are malformed, or the run is of something else.
    """
    labels = {label.submission: label for label in load_labels(folder / "labels.jsonl")}
    verdicts = {(verdict.submission, verdict.sau): verdict for verdict in run.verdicts}
    known = {note.id for note in run.submissions}
    pairs: list[Pair] = []
    unjudged: list[Unjudged] = []
    path = folder / "manifest.jsonl"
    for document in load_json_lines(path, what="manifest"):
        row = document.value
        kind, operator = str(row.get("kind", "")), str(row.get("operator", ""))
        submission, parent = str(row.get("submission", "")), str(row.get("parent", ""))
        label = labels.get(submission)
        if kind == "base" or submission not in known:
            continue
        if label is None or kind not in {"drift", "variant", "attack"}:
            raise document.error(
                f"{submission} has no label" if label is None else f"unknown kind {kind!r}",
                remedy="Give the folder as `drift inject` wrote it",
            )
        before, after = (verdicts.get((name, label.sau)) for name in (parent, submission))
        reason = _unusable(before, "before") or _unusable(after, "after")
        if reason or before is None or after is None:
            unjudged.append(Unjudged(kind, operator, submission, reason))
            continue
        pairs.append(
            Pair(
                kind,
                operator,
                submission,
                label.sau,
                str(row.get("repo", "")),
                label,
                str(row.get("change", "")),
                int(before.level or 0),
                int(after.level or 0),
                after.drift or Drift.NONE,
                after.failure or Failure.NONE,
                tuple(
                    (c.path, c.first, c.last)
                    for c in after.citations
                    if c.state is not QuoteState.NOT_FOUND
                ),
                _shown(after, label),
            )
        )
    if not pairs and not unjudged:
        raise InputError(
            "none of the set's submissions is in this run",
            where=Where(str(run.path)),
            remedy=f"Run the judge with {folder / 'run.yaml'}, or name the set with --set",
        )
    return pairs, unjudged


def _unusable(verdict: Verdict | None, when: str) -> str:
    if verdict is None:
        return f"no verdict {when} the change"
    if verdict.status is not Status.GRADED:
        return f"{verdict.status.value} {when} the change: {verdict.reason}"
    return ""


def _shown(verdict: Verdict, label: Label) -> bool | None:
    note = verdict.evidence
    if note is None:
        return None
    return note.complete or touches(tuple(note.passages), label.lines)
