"""Somebody else's published verdicts as a run, to be summarised and shown like our own.

Nothing is invented on the way. Drift and failure are not in those files and stay unknown. Their
snippets are what the judge was shown, not what it cited, and nobody looked them up in the
repository: they become the note of what the judge saw, and there are no citations.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmark import InputError, Sau, Where, claims_version
from benchmark.readers.published import PublishedEvidence, PublishedVerdict, read_published
from judge.records import META, JudgeNote, RunMeta, SubmissionNote
from judge.store import LoadedRun, read_run
from judge.verdict import EvidenceNote, Provenance, Status, Verdict

__all__ = ["UNCHECKED", "foreign_run", "read_results"]

UNCHECKED = "unchecked"
"""The flag of a verdict that was taken as published: no quote of it was looked up."""

NOTE = (
    "These verdicts were read from published results. Another program's judge gave them; drift, "
    "failure and citations are not in those files."
)


def read_results(path: Path) -> LoadedRun:
    """Read whatever results are at a path: a run directory, or a tree of published results.

    Raises:
        InputError: It is neither, or a file of it is malformed.
    """
    path = Path(path)
    if (path / META).exists() or not path.exists():
        return read_run(path)
    if path.is_dir() and next(path.rglob("*-sau-score.json"), None) is None:
        raise InputError(
            f"there are no results here: neither a run's {META} nor published *-sau-score.json",
            where=Where(str(path)),
            remedy="Give the output folder of a run, or a folder of published results",
        )
    return foreign_run(read_published(path), path)


def foreign_run(published: Iterable[PublishedVerdict], path: Path) -> LoadedRun:
    """Turn published verdicts into a run.

    Args:
        published: The verdicts.
        path: Where they were read; its name becomes the run's.
    """
    saus: dict[str, Sau] = {}
    submissions: dict[str, SubmissionNote] = {}
    verdicts: list[Verdict] = []
    models: set[str] = set()
    for one in published:
        saus.setdefault(one.sau.id, one.sau)
        models.add(one.model)
        if one.submission not in submissions:
            submissions[one.submission] = SubmissionNote(
                id=one.submission, agent=one.agent, paper=one.paper
            )
        verdicts.append(_verdict(one))
    order = {
        sau.id: place
        for place, sau in enumerate(sorted(saus.values(), key=lambda each: (each.paper, each.id)))
    }
    verdicts.sort(key=lambda verdict: (verdict.submission, order[verdict.sau]))
    papers = sorted({sau.paper for sau in saus.values()})
    meta = RunMeta(
        name=path.resolve().name,
        claims_version=claims_version(saus.values()),
        paper_versions={
            paper: claims_version(sau for sau in saus.values() if sau.paper == paper)
            for paper in papers
        },
        judge=_judge(models),
        state="complete",
        notes=(NOTE,),
    )
    return LoadedRun(
        path=path,
        meta=meta,
        saus={name: saus[name] for name in order},
        submissions=tuple(submissions[name] for name in sorted(submissions)),
        verdicts=verdicts,
    )


def _judge(models: set[str]) -> JudgeNote | None:
    """The one judge, or none where there are several: the summary then says who judged what."""
    if len(models) != 1:
        return None
    (model,) = models
    return JudgeNote(name=f"foreign:{model}", provider="foreign", model=model)


def _verdict(one: PublishedVerdict) -> Verdict:
    return Verdict(
        submission=one.submission,
        agent=one.agent,
        paper=one.paper,
        sau=one.sau.id,
        dimension=one.sau.dimension,
        status=Status.GRADED,
        level=int(one.level),
        rationale=one.reasoning,
        flags=(UNCHECKED,),
        evidence=_evidence(one.evidence),
        provenance=Provenance(
            judge=f"foreign:{one.model}",
            provider="foreign",
            model=one.model,
            time=one.scored_at,
        ),
    )


def _evidence(shown: tuple[PublishedEvidence, ...]) -> EvidenceNote:
    """What the judge was shown; four characters are counted as a token."""
    return EvidenceNote(
        complete=False,
        tokens=sum(len(each.snippet) for each in shown) // 4,
        passages=[(each.path, each.first, each.last) for each in shown],
    )
