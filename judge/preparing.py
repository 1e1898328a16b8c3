"""What is done to one submission before anybody is asked: read, keyed, indexed, evidence found.

It runs in a worker process, or in the main one. A judge that computes here answers here too, where
the index is, and only its verdicts travel back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmark import InputError, Sau, Submission
from judge.cascade import Cascade
from judge.checking import check, error_verdict, evidence_note, verdict
from judge.looking_up import Library
from judge.parsing import parse_answer
from judge.posing import Pending, Poser, groups_of, paper_text
from judge.protocol import AnswerError, LocalJudge, Question, canonical_json
from judge.question_settings import QuestionSettings
from judge.records import SubmissionNote
from judge.sources import Sources
from judge.stripping import code_lines
from judge.verdict import CascadeNote, Provenance, Status, Usage, Verdict
from prompts.render import prompt_hash
from retrieval.evidence import RetrievalSettings, expect_claims, find_evidence
from retrieval.index import Index
from retrieval.reading import ReadLimits, read_repository
from retrieval.values import ParseState, Repository

__all__ = [
    "Asked",
    "Context",
    "Job",
    "Pending",
    "Prepared",
    "crash",
    "failed",
    "judge_hash",
    "now",
    "prepare",
    "provenance_of",
]


@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked: the judge's names and all that decides its answers."""

    name: str
    provider: str
    model: str | None
    identity: Mapping[str, Any]


def judge_hash(asked: Asked, code: str | None = None) -> str:
    """12 digits of a SHA-256 of all that decides a judge's answers besides the question.

    Args:
        asked: The judge.
        code: Hash of this program's code, where the judge is part of it.
    """
    made_of = [asked.name, asked.provider, asked.model, dict(asked.identity), code]
    return hashlib.sha256(canonical_json(made_of).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Context:
    """What is the same for all submissions of a run.

    Attributes:
        asked: The judge.
        local: The judge itself where it computes here.
        retrieval: How evidence is found.
        limits: How much of a repository is read.
        prompt_version: Name of the prompt version, for judges that read prompts.
        code: Hash of the code that decides verdicts.
        question: What else goes into a question, for judges that read prompts.
        cascade: Who answers first and when that stands; `asked` is then the second judge.
    """

    asked: Asked
    local: LocalJudge | None
    retrieval: RetrievalSettings
    limits: ReadLimits
    prompt_version: str
    code: str
    question: QuestionSettings = field(default_factory=QuestionSettings)
    cascade: Cascade | None = None

    def of_the_first(self, cascade: Cascade) -> Context:
        """What holds for the first judge of a cascade, as if it were asked alone."""
        first = cascade.first
        asked = Asked(first.name, first.provider, first.model, dict(first.identity()))
        return replace(self, asked=asked, local=first, cascade=None)

    @property
    def prompt_hash(self) -> str | None:
        """Of the prompt's templates, where the judge reads prompts."""
        return None if self.local is not None else prompt_hash(self.prompt_version)

    @property
    def judge_hash(self) -> str:
        """Of all that decides the judge's answers besides the question."""
        # A judge that runs here is this program's code.
        return judge_hash(self.asked, None if self.local is None else self.code)


@dataclass(frozen=True, slots=True)
class Job:
    """One submission and its claims.

    Attributes:
        submission: The submission.
        saus: Its paper's claims, or those that were taken of them.
        settled: By claim, the input key of the verdict that is there already.
        paper: The file with the paper's text, where it is at hand.
        among: All claims that they are asked among; empty where they are all there are.
    """

    submission: Submission
    saus: tuple[Sau, ...]
    settled: Mapping[str, str]
    paper: Path | None = None
    among: tuple[Sau, ...] = ()


@dataclass(slots=True)
class Prepared:
    """What became of a job.

    Attributes:
        submission: The submission.
        note: How it was read.
        kept: Claims whose verdict stands.
        renewed: Claims whose verdict was there but was made from something else.
        verdicts: Verdicts as JSON lines with their status: all of a judge that computes here, and
            errors of claims that could not be asked about.
        pending: Questions for a judge over a wire.
        sources: The repository's lines, where there are such questions.
        library: Where more can be looked up for them; `None` where they show all there is.
        whole: Whether these questions share the whole repository.
        first: Verdicts among them that the first judge of a cascade answered.
        failure: Why the whole submission failed, where it did.
    """

    submission: Submission
    note: SubmissionNote
    kept: int = 0
    renewed: int = 0
    verdicts: list[tuple[Status, bytes]] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    sources: Sources | None = None
    library: Library | None = None
    whole: bool = False
    first: int = 0
    failure: str = ""


def prepare(context: Context, job: Job) -> Prepared:
    """Do all for one submission that needs no wire. It never raises for what is in a repository."""
    submission = job.submission
    try:
        repository = read_repository(
            submission.root, exclude=submission.exclude, limits=context.limits
        )
    except (InputError, OSError) as error:
        return failed(context, job, f"unreadable: {error}")
    except Exception as error:  # noqa: BLE001 - whatever a submission does costs only itself
        return failed(context, job, crash("reading", error))
    keys = _input_keys(context, job, repository)
    wanted = [sau for sau in job.saus if job.settled.get(sau.id) != keys[sau.id]]
    prepared = Prepared(
        submission,
        _note(submission, repository),
        kept=len(job.saus) - len(wanted),
        renewed=sum(sau.id in job.settled for sau in wanted),
    )
    if not wanted:
        return prepared
    try:
        index = Index.build(repository)
    except Exception as error:  # noqa: BLE001 - as above
        return failed(context, job, crash("indexing", error), note=prepared.note, keys=keys)
    prepared.note = _note(submission, repository, index)
    expect_claims(index, wanted)
    strip = context.local is None and context.question.strip_comments
    sources = Sources(
        repository,
        lambda path: code_lines(index, path),
        states=dict(index.parse_states),
        shown=(lambda path: code_lines(index, path)) if strip else None,
        folded=index.folded,
    )
    if context.local is not None:
        for sau in wanted:
            _one_claim(context, prepared, sau, keys[sau.id], index=index, sources=sources)
        return prepared
    notes: dict[str, CascadeNote] = {}
    if context.cascade is not None:
        plain = sources
        if strip:  # what the first judge sees is stripped of nothing
            plain = Sources(
                repository, lambda path: code_lines(index, path), states=dict(index.parse_states),
                folded=index.folded,
            )  # fmt: skip
        notes = _by_the_first(
            context, context.cascade, prepared, wanted, keys=keys, index=index, sources=plain
        )
        wanted = [sau for sau in wanted if sau.id in notes]
        expect_claims(index, wanted)
    _questions(context, job, prepared, wanted=wanted, keys=keys, index=index)
    prepared.pending = [replace(one, cascade=notes.get(one.sau.id)) for one in prepared.pending]
    if prepared.pending:
        prepared.sources = sources.detached()
    return prepared


def _by_the_first(
    context: Context,
    cascade: Cascade,
    prepared: Prepared,
    wanted: list[Sau],
    *,
    keys: Mapping[str, str],
    index: Index,
    sources: Sources,
) -> dict[str, CascadeNote]:
    """Keep what the first judge of a cascade may answer; of all other claims, what it said."""
    own = context.of_the_first(cascade)
    said = [
        _verdict_here(own, prepared, sau, keys[sau.id], index=index, sources=sources)
        for sau in wanted
    ]
    notes = {}
    for made, note in zip(said, cascade.routes(said), strict=True):
        if note.route == "first":
            stands = cascade.standing(made, note)
            prepared.verdicts.append((stands.status, stands.model_dump_json().encode()))
            prepared.first += 1
        else:
            notes[made.sau] = note
    return notes


def _questions(
    context: Context,
    job: Job,
    prepared: Prepared,
    *,
    wanted: list[Sau],
    keys: Mapping[str, str],
    index: Index,
) -> None:
    """Make the questions for a judge over a wire."""
    among = job.among or job.saus
    try:
        poser = Poser.of(
            index,
            retrieval=context.retrieval,
            settings=context.question,
            version=context.prompt_version,
            claims=len(among),
            paper=job.paper,
        )
    except Exception as error:  # noqa: BLE001 - whatever a submission does costs only itself
        reason = crash("prompt", error)
        for sau in wanted:
            _append_error(context, prepared, sau, keys[sau.id], reason)
        return
    prepared.whole = poser.shared.whole
    places = [(found.path, f"line {found.line}: {found.kind}") for found in poser.suspicions]
    prepared.note = prepared.note.model_copy(
        update={
            "context": poser.choice.reason,
            "notes": (*prepared.note.notes, *dict.fromkeys(places)),
        }
    )
    size = context.question.claims_per_request
    groups = groups_of(among, size) if size > 1 else {}
    for sau in wanted:
        try:
            made = poser.pending(sau, keys[sau.id])
            prepared.pending.append(replace(made, group=groups.get(sau.id, ())))
        except Exception as error:  # noqa: BLE001 - one claim's trouble is not the others'
            _append_error(context, prepared, sau, keys[sau.id], crash("prompt", error))
    if context.question.lookup_tokens and not poser.shared.whole:
        prepared.library = Library(
            index.repository,
            context.retrieval,
            context.question.lookup_tokens,
            context.question.strip_comments,
        )


def failed(
    context: Context,
    job: Job,
    reason: str,
    *,
    note: SubmissionNote | None = None,
    keys: Mapping[str, str] | None = None,
) -> Prepared:
    """Return error verdicts for all claims of a submission."""
    submission = job.submission
    known = note or SubmissionNote(
        id=submission.id,
        agent=submission.agent,
        paper=submission.paper,
        meta=dict(submission.meta),
        root=str(submission.root.absolute()),
        exclude=submission.exclude,
    )
    prepared = Prepared(submission, known.model_copy(update={"error": reason}), failure=reason)
    for sau in job.saus:
        _append_error(context, prepared, sau, keys[sau.id] if keys else "", reason)
    return prepared


def now() -> str:
    """Return the time in ISO 8601, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _one_claim(
    context: Context,
    prepared: Prepared,
    sau: Sau,
    key: str,
    *,
    index: Index,
    sources: Sources,
) -> None:
    """Let a judge that computes here judge one claim, and keep its verdict."""
    made = _verdict_here(context, prepared, sau, key, index=index, sources=sources)
    prepared.verdicts.append((made.status, made.model_dump_json().encode()))


def _verdict_here(
    context: Context,
    prepared: Prepared,
    sau: Sau,
    key: str,
    *,
    index: Index,
    sources: Sources,
) -> Verdict:
    """Let a judge that computes here judge one claim."""
    stage = "retrieval"
    try:
        evidence = find_evidence(index, sau, context.retrieval)
        stage = "judge"
        question = Question(prepared.submission.id, sau, evidence, index=index)
        return _judged_here(context, prepared.submission, question, key, sources)
    except AnswerError as error:
        return _error(context, prepared, sau, key, str(error))
    except Exception as error:  # noqa: BLE001 - one claim's trouble is not the others'
        return _error(context, prepared, sau, key, crash(stage, error))


def _judged_here(
    context: Context, submission: Submission, question: Question, key: str, sources: Sources
) -> Verdict:
    assert context.local is not None
    answer = context.local.judge_here(question)
    parsed = parse_answer(answer)
    # A judge that runs here has the whole index before it, whatever retrieval would have shown;
    # what never came into the index it has not seen either.
    unseen = question.index.unseen if question.index is not None else question.evidence.omitted
    note = evidence_note(question.evidence).model_copy(
        update={"complete": not unseen, "omitted_files": len(unseen)}
    )
    checked = check(parsed, sources, note, local=not unseen)
    provenance = provenance_of(
        context, key, parameters=dict(answer.parameters), attempts=1, usage=answer.usage
    )
    return verdict(
        parsed,
        checked,
        sau=question.sau,
        submission=submission,
        evidence=note,
        provenance=provenance,
        odds=answer.odds,
    )


def provenance_of(context: Context, input_key: str, **known: Any) -> Provenance:  # noqa: ANN401
    """Return the provenance of a verdict of this run; `known` are its other fields."""
    asked = context.asked
    return Provenance(
        judge=asked.name,
        provider=asked.provider,
        model=asked.model,
        judge_hash=context.judge_hash,
        prompt_hash=context.prompt_hash,
        input_key=input_key,
        time=now(),
        **known,
    )


def _error(context: Context, prepared: Prepared, sau: Sau, key: str, reason: str) -> Verdict:
    return error_verdict(
        reason,
        sau=sau,
        submission=prepared.submission,
        provenance=provenance_of(context, key, usage=Usage()),
    )


def _append_error(context: Context, prepared: Prepared, sau: Sau, key: str, reason: str) -> None:
    made = _error(context, prepared, sau, key, reason)
    prepared.verdicts.append((made.status, made.model_dump_json().encode()))


def crash(stage: str, error: Exception) -> str:
    """Return the reason of an error verdict for an exception that nobody foresaw."""
    told = " ".join(str(error).split())[:300].encode("utf-8", "replace").decode()
    return f"{stage}_failed: {type(error).__name__}: {told}"


def _input_keys(context: Context, job: Job, repository: Repository) -> dict[str, str]:
    """Return, for each claim, the hash of all that its question is made from."""
    asked = context.asked
    common = canonical_json(
        {
            "repository": repository.digest,
            "exclude": list(job.submission.exclude),
            "limits": asdict(context.limits),
            "retrieval": asdict(context.retrieval),
            "prompt": context.prompt_hash,
            "question": None if context.local is not None else asdict(context.question),
            "paper": None if context.local is not None else _paper_digest(context, job),
            "judge": [asked.name, asked.provider, asked.model, dict(asked.identity)],
            "code": context.code,
        }
    )
    base = hashlib.sha256(common.encode())
    if context.cascade is not None:
        base.update(canonical_json(dict(context.cascade.identity())).encode())
    keys = {}
    for sau in job.saus:
        digest = base.copy()
        claim = [sau.id, sau.paper, sau.dimension.value, sau.claim, sau.source]
        digest.update(canonical_json(claim).encode())
        keys[sau.id] = digest.hexdigest()
    return keys


def _paper_digest(context: Context, job: Job) -> str | None:
    if job.paper is None or not context.question.paper_tokens:
        return None
    return hashlib.sha256(paper_text(job.paper).encode("utf-8", "replace")).hexdigest()


def _note(
    submission: Submission, repository: Repository, index: Index | None = None
) -> SubmissionNote:
    notes = [(file.path, note) for file in repository.files for note in file.notes]
    if index is not None:
        notes += index.notes
        notes += [
            (path, _STATES[state]) for path, state in index.parse_states.items() if state in _STATES
        ]
    return SubmissionNote(
        id=submission.id,
        agent=submission.agent,
        paper=submission.paper,
        meta=dict(submission.meta),
        root=str(submission.root.absolute()),
        exclude=submission.exclude,
        digest=repository.digest,
        files=len(repository.files),
        bytes=sum(len(file.text.encode("utf-8", "replace")) for file in repository.files),
        skipped=tuple((skipped.path, skipped.reason) for skipped in repository.skipped),
        notes=tuple(dict.fromkeys(notes)),
    )


_STATES = {
    ParseState.BROKEN: "does not parse: searched as text",
    ParseState.RECOVERED: "code recovered from fences or before a cut end",
}
