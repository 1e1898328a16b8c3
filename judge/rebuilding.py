"""Building a question again from a run's records and the repository as it is now, for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmark import GraderError
from judge.posing import Poser
from judge.protocol import Question
from judge.question_settings import QuestionSettings
from judge.show import find_verdict
from judge.store import LoadedRun
from prompts.render import VERSIONS
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index
from retrieval.reading import ReadLimits, read_repository

__all__ = ["rebuild_question"]

_ASKING = QuestionSettings()


def rebuild_question(run: LoadedRun, submission: str, sau: str) -> tuple[Question | None, str]:
    """Find the evidence for one claim again, as the run did.

    Args:
        run: The run.
        submission: The submission's id.
        sau: The claim's id.

    Returns:
        The question, and a remark: why there is none, or what is not as it was; empty where all
        is as it was.

    Raises:
        InputError: The run has no such verdict.
    """
    verdict, note, claim = find_verdict(run, submission, sau)
    if verdict.provenance.provider == "foreign":
        return None, "these verdicts were read from published results, which keep no question"
    if not note.root:
        return None, "the run did not keep where the repository was"
    settings: dict[str, Any] = dict(run.meta.config.get("retrieval", {}))
    limits = ReadLimits(
        **{name: settings.pop(name) for name in list(settings) if hasattr(ReadLimits(), name)}
    )
    try:
        repository = read_repository(Path(note.root), exclude=note.exclude, limits=limits)
    except GraderError as error:
        return None, f"the repository cannot be read any more ({error})"
    remark = ""
    if repository.digest != note.digest:
        remark = "the repository has changed since: this is what the judge would see now"
    index = Index.build(repository)
    asking = {name: settings.pop(name) for name in list(settings) if hasattr(_ASKING, name)}
    retrieval = RetrievalSettings(**settings, reasons=True)
    # What the first judge of a cascade answered was never put into a prompt.
    version = run.meta.prompt_version if verdict.provenance.prompt_hash else None
    if version not in VERSIONS:
        if version is not None:
            remark = remark or f"prompt version {version} is not in this program any more"
        evidence = find_evidence(index, claim, retrieval)
        return Question(submission, claim, evidence, None, index), remark
    shown = verdict.evidence
    if shown is not None and shown.context:
        asking["context"] = "whole" if shown.context.startswith("whole") else "retrieve"
    poser = Poser.of(
        index,
        retrieval=retrieval,
        settings=QuestionSettings(**asking),
        version=version,
        claims=1,
        paper=None,
    )
    pending = poser.pending(claim, verdict.provenance.input_key)
    if pending.prompt.hash != run.meta.prompt_hash:
        remark = remark or "the prompt has changed since: this is how it would ask now"
    if shown is not None and shown.paper:
        remark = remark or "the judge was shown a passage of the paper too, which is left out here"
    return Question(submission, claim, pending.evidence, pending.prompt, index), remark
