"""Labels meet the verdicts they are about: what matched, and what did not and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from sys import intern
from typing import Any

from benchmark import Dimension, Drift, Failure, Label
from benchmark.counting import counted
from judge.verdict import QuoteState, Status, Verdict

__all__ = [
    "Account",
    "Joined",
    "Judged",
    "Pair",
    "conflicts",
    "copies",
    "join_labels",
    "judged",
    "references",
]

ALIKE_PAIRS = 20
"""From how many equal readings on two annotators' labels count as possible copies."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What of a verdict matters here: small, so that a million fit.

    Attributes:
        verified: Share of its citations that stand in the file; `None` where it has none.
        complete: Whether the judge saw all it should; `None` where that is not known.
        input_key: What the question was made from; empty where that is not known.
        model: The model as its provider named it, else as it was asked for.
        passages: Hash of what the judge saw; 0 where that is not known.
        chances: Of the levels 0 to 4, by its odds; `None` where it has none.
    """

    submission: str
    sau: str
    agent: str
    paper: str
    dimension: Dimension
    judge: str
    status: Status
    level: int | None
    drift: Drift | None = None
    failure: Failure | None = None
    confidence: float | None = None
    complete: bool | None = None
    verified: float | None = None
    reason: str = ""
    prompt_hash: str = ""
    input_key: str = ""
    model: str = ""
    passages: int = 0
    chances: tuple[float, ...] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """The pair that it is about."""
        return self.submission, self.sau


def judged(verdicts: Iterable[Verdict]) -> Iterator[Judged]:
    """Keep of each verdict what matters here."""
    for one in verdicts:
        citations = one.citations
        verified = sum(each.state is not QuoteState.NOT_FOUND for each in citations)
        yield Judged(
            submission=intern(one.submission),
            sau=intern(one.sau),
            agent=intern(one.agent),
            paper=intern(one.paper),
            dimension=one.dimension,
            judge=intern(one.provenance.judge),
            status=one.status,
            level=one.level,
            drift=one.drift,
            failure=one.failure,
            confidence=one.confidence,
            complete=None if one.evidence is None else one.evidence.complete,
            verified=verified / len(citations) if citations else None,
            reason=one.reason,
            prompt_hash=intern(one.provenance.prompt_hash or ""),
            input_key=one.provenance.input_key,
            model=intern(one.provenance.model_returned or one.provenance.model or ""),
            passages=0 if one.evidence is None else hash(tuple(map(tuple, one.evidence.passages))),
            chances=None if one.odds is None else one.odds.probabilities,
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """A verdict with a level, and a reading of the same (submission, SAU)."""

    verdict: Judged
    label: Label


@dataclass(frozen=True, slots=True)
class Account:
    """What became of the labels.

    Attributes:
        labels: How many there were.
        matched: How many met a verdict with a level.
        unmatched: Why the others did not, with counts and an example each.
        verdicts: How many verdicts with a level the run has.
        labelled: How many of them some label is about.
    """

    labels: int
    matched: int
    unmatched: Mapping[str, tuple[int, str]]
    verdicts: int
    labelled: int

    def as_json(self) -> dict[str, Any]:
        """The account for a JSON file."""
        return {
            "labels": self.labels,
            "matched": self.matched,
            "unmatched": {
                reason: {"labels": count, "example": example}
                for reason, (count, example) in self.unmatched.items()
            },
            "graded_verdicts": self.verdicts,
            "labelled_verdicts": self.labelled,
        }

    def sentences(self) -> list[str]:
        """The account in words."""
        lines = [
            f"{self.matched:,} of {counted(self.labels, 'label')} met a verdict; "
            f"{self.labelled:,} of {counted(self.verdicts, 'graded verdict')} "
            f"{'is' if self.labelled == 1 else 'are'} labelled."
        ]
        lines += [
            f"{counted(count, 'label')}: {reason} (e.g. {example})."
            for reason, (count, example) in self.unmatched.items()
        ]
        return lines


@dataclass(frozen=True, slots=True)
class Joined:
    """Labels joined to verdicts, in the order of the labels' ids, and the account of it."""

    pairs: tuple[Pair, ...] = field(repr=False)
    account: Account


def join_labels(verdicts: Iterable[Judged], labels: Iterable[Label]) -> Joined:
    """Join by (submission, SAU).

    The order of either, and how the labels were split into files, changes nothing.

    Args:
        verdicts: Of one run, one for each pair.
        labels: Of any annotators.
    """
    by_key = {(one.submission, one.sau): one for one in verdicts}
    submissions = {submission for submission, _ in by_key}
    saus = {sau for _, sau in by_key}
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    pairs: list[Pair] = []
    met: set[tuple[str, str]] = set()
    total = 0
    for label in sorted(labels, key=lambda one: (one.submission, one.sau, one.annotator)):
        total += 1
        key = (label.submission, label.sau)
        verdict = by_key.get(key)
        if verdict is not None and verdict.level is not None:
            pairs.append(Pair(verdict, label))
            met.add(key)
            continue
        reason = _reason(label, verdict, submissions, saus)
        counts[reason] += 1
        if reason not in examples:
            examples[reason] = _example(label, submissions, saus)
    graded = sum(one.status is Status.GRADED for one in by_key.values())
    unmatched = {reason: (count, examples[reason]) for reason, count in sorted(counts.items())}
    return Joined(tuple(pairs), Account(total, len(pairs), unmatched, graded, len(met)))


def _reason(label: Label, verdict: Judged | None, submissions: set[str], saus: set[str]) -> str:
    if verdict is not None:
        code = verdict.reason.split(":", 1)[0]
        return f"the verdict has no level, it is {verdict.status.value} ({code})"
    if label.submission not in submissions:
        return "no verdict is about this submission"
    if label.sau not in saus:
        return "no verdict is about this claim"
    return "no verdict is about this claim of this submission"


def _example(label: Label, submissions: set[str], saus: set[str]) -> str:
    name = f"{label.submission} {label.sau}"
    wrong, known = (
        (label.submission, submissions)
        if label.submission not in submissions
        else (label.sau, saus)
    )
    alike = [one for one in known if _bare(one) == _bare(wrong) and one != wrong]
    return f"{name}; did you mean {min(alike)}?" if alike else name


def _bare(name: str) -> str:
    """A name without what people write now so, now so."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def conflicts(labels: Iterable[Label]) -> dict[tuple[str, str], tuple[Label, ...]]:
    """The pairs that annotators read differently and that no adjudication has settled."""
    labels = list(labels)
    if len({one.annotator for one in labels}) < 2:
        return {}
    groups: dict[tuple[str, str], list[Label]] = {}
    for label in labels:
        groups.setdefault((label.submission, label.sau), []).append(label)
    return {
        key: tuple(sorted(group, key=lambda one: one.annotator))
        for key, group in sorted(groups.items())
        if len({(one.level, one.passed) for one in group}) > 1
        and not any(one.adjudicated for one in group)
    }


def copies(labels: Iterable[Label]) -> tuple[tuple[str, str, int], ...]:
    """Pairs of annotators whose labels agree on everything, and on how many items.

    Two careful readers agree on nearly all; on all of twenty items or more, words and lines and
    level, with more than one level among them, one file is most likely made from the other.
    """
    labels = list(labels)
    if len({one.annotator for one in labels}) < 2:
        return ()
    by_annotator: dict[str, dict[tuple[str, str], tuple[object, ...]]] = {}
    for one in labels:
        said = (one.level, one.passed, one.drift, one.failure, one.lines, one.note)
        by_annotator.setdefault(one.annotator, {})[one.submission, one.sau] = said
    names = sorted(by_annotator)
    found = []
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            shared = by_annotator[first].keys() & by_annotator[second].keys()
            mine = [by_annotator[first][key] for key in shared]
            yours = [by_annotator[second][key] for key in shared]
            if len(shared) >= ALIKE_PAIRS and mine == yours and len({one[0:2] for one in mine}) > 1:
                found.append((first, second, len(shared)))
    return tuple(found)


def references(labels: Iterable[Label]) -> list[tuple[Label, float]]:
    """What is held for true, with weights: for each pair an adjudication, else every reading.

    Where m readings are kept, each weighs 1/m, so that a figure against them is what to expect
    against one annotator drawn at random. No majority or middle is made up.
    """
    labels = sorted(labels, key=lambda one: (one.submission, one.sau))
    if len({one.annotator for one in labels}) < 2:
        return [(one, 1.0) for one in labels]
    groups: dict[tuple[str, str], list[Label]] = {}
    for label in labels:
        groups.setdefault((label.submission, label.sau), []).append(label)
    result = []
    for group in groups.values():
        kept = [one for one in group if one.adjudicated] or group
        kept.sort(key=lambda one: one.annotator)
        result += [(one, 1 / len(kept)) for one in kept]
    return result
