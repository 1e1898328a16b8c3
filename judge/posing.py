"""From a submission's index to its questions: what is shown, and what was noticed about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from benchmark import Dimension, Sau, claims_version
from judge.checking import evidence_note
from judge.configured import Configured
from judge.context_choice import NUMBER_TOKENS, ContextChoice, choose_context
from judge.question_settings import QuestionSettings
from judge.stripping import strip_evidence, strip_passages
from judge.verdict import CascadeNote, EvidenceNote
from prompts.paper_passage import PaperText, paper_passage, read_paper
from prompts.render import Shared, render, render_shared
from prompts.scanning import Suspicion, scan
from prompts.values import Prompt
from retrieval.evidence import RetrievalSettings, estimate_tokens, find_evidence
from retrieval.index import Index
from retrieval.overview import repository_map
from retrieval.values import Evidence, Passage

__all__ = ["Pending", "Poser", "groups_of", "paper_text"]

_HEAD_TOKENS = 12
_BESIDE_TOKENS = 700
"""Facts, calls, counts and places to begin at, on average over SA-Bench's repositories."""
_PLACES = 12
"""Places to begin at that are named where the whole repository is shown."""


@dataclass(frozen=True, slots=True)
class Pending:
    """One question that is still to be put to a judge over a wire.

    Attributes:
        sau: The claim.
        input_key: The hash of all that the question is made from.
        evidence: What the judge is shown; of a repository that is shown whole, all of it.
        prompt: The question.
        note: What the judge is shown, in short.
        flags: What was noticed about it.
        group: Where several claims may be asked in one request, those that this one may be asked
            with, itself among them; else empty.
        cascade: Why a cascade passes it on to its second judge.
    """

    sau: Sau
    input_key: str
    evidence: Evidence
    prompt: Prompt
    note: EvidenceNote
    flags: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    cascade: CascadeNote | None = None


@lru_cache(maxsize=64)
def paper_text(path: Path) -> str:
    """The text of a paper; empty where the file cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Poser:
    """Makes the questions about one submission.

    Attributes:
        index: The repository.
        retrieval: How evidence is found.
        settings: What else goes into a question.
        version: Of the prompt.
        choice: Whether the repository is shown whole, and why.
        shared: The part that all questions have in common.
        whole: All code and configuration, where it is shown whole.
        paper: The paper, where it is at hand.
        suspicions: What in the repository may be meant for the judge.
        configured: Where configuration values are read.
    """

    index: Index
    retrieval: RetrievalSettings
    settings: QuestionSettings
    version: str
    choice: ContextChoice
    shared: Shared
    whole: tuple[Passage, ...]
    paper: PaperText | None
    suspicions: tuple[Suspicion, ...]
    configured: Configured
    _suspect: dict[str, list[int]] = field(repr=False)

    @classmethod
    def of(
        cls,
        index: Index,
        *,
        retrieval: RetrievalSettings,
        settings: QuestionSettings,
        version: str,
        claims: int,
        paper: Path | None,
    ) -> Poser:
        """Look at a submission as a whole.

        Args:
            index: The repository.
            retrieval: How evidence is found.
            settings: What else goes into a question.
            version: Of the prompt.
            claims: How many claims there are about the submission, asked now or before.
            paper: The file with the paper's text, where it is at hand.
        """
        whole = _all_code(index, strip=settings.strip_comments)
        tokens, lines = _size(whole)
        numbered = round(tokens + NUMBER_TOKENS * lines)
        choice = choose_context(
            settings,
            whole_tokens=numbered,
            retrieved_tokens=min(retrieval.budget_tokens, numbered + _BESIDE_TOKENS),
            claims=claims,
            beside_tokens=min(_BESIDE_TOKENS, retrieval.budget_tokens),
        )
        shown = whole if choice.whole else ()
        shared = render_shared(repository_map(index, retrieval.map_tokens), shown, version=version)
        suspicions = scan((file.path, file.text) for file in index.repository.files)
        suspect: defaultdict[str, list[int]] = defaultdict(list)
        for found in suspicions:
            suspect[found.path].append(found.line)
        text = paper_text(paper) if paper is not None and settings.paper_tokens else ""
        return cls(
            index,
            retrieval,
            settings,
            version,
            choice,
            shared,
            shown,
            read_paper(text) if text else None,
            suspicions,
            Configured(index, settings.strip_comments),
            dict(suspect),
        )

    def pending(self, sau: Sau, input_key: str) -> Pending:
        """Make the question about one claim."""
        retrieval = self.retrieval
        reserved = self.configured.reserve(retrieval.budget_tokens)
        if self.choice.whole:
            # Only where to begin is told: the lines themselves are in the shared part.
            retrieval = replace(
                retrieval,
                budget_tokens=min(retrieval.budget_tokens, 1500),
                max_facts=min(retrieval.max_facts, 16),
                max_call_lines=min(retrieval.max_call_lines, 6),
            )
        else:
            retrieval = replace(retrieval, budget_tokens=retrieval.budget_tokens - reserved)
        found = find_evidence(self.index, sau, retrieval)
        found = self.configured.told(
            sau, found, self._sees(found), tokens=reserved, most_facts=retrieval.max_facts
        )
        if self.choice.whole:
            best = sorted(found.passages, key=lambda passage: -passage.score)[:_PLACES]
            best.sort(key=lambda passage: (passage.path, passage.first))
            unseen = self.index.unshown
            found = replace(found, passages=tuple(best), complete=not unseen, omitted=unseen)
            evidence = replace(found, passages=self.whole, tokens=_size(self.whole)[0])
        elif self.settings.strip_comments:
            evidence = found = strip_evidence(self.index, found)
        else:
            evidence = found
        passage = None
        if self.paper is not None:
            passage = paper_passage(
                self.paper, sau.source, sau.claim, tokens=self.settings.paper_tokens
            )
        prompt = render(sau, found, version=self.version, paper_text=passage, shared=self.shared)
        context = "whole" if self.choice.whole else "retrieve"
        if self.settings.strip_comments:
            context += " code only"
        note = evidence_note(evidence).model_copy(
            update={"context": context, "paper": passage is not None}
        )
        return Pending(sau, input_key, evidence, prompt, note, self._flags(evidence))

    def _sees(self, found: Evidence) -> Callable[[str, int], bool]:
        """Whether a line of code is shown to the judge."""
        if self.choice.whole:
            return lambda _path, _line: True
        return lambda path, line: any(passage.shows(path, line) for passage in found.passages)

    def _flags(self, shown: Evidence) -> tuple[str, ...]:
        """Say whether the judge sees a line that may be meant for it."""
        if not self.suspicions:
            return ()
        seen = any(
            passage.shows(passage.path, line)
            for passage in shown.passages
            for line in self._suspect.get(passage.path, ())
        ) or any(
            text and line in self._suspect.get(path, ())
            for fact in shown.facts
            for path, line, text in fact.readers
        )
        # Names and values of files that are not shown are shown all the same.
        rest = "\n".join(
            [
                shown.repository_map,
                *shown.calls,
                *(f"{fact.path} {fact.name} {fact.value}" for fact in shown.facts),
            ]
        )
        if seen or scan([("", rest)]):
            return ("suspect_instruction",)
        return ("suspect_repository",)


def groups_of(saus: Sequence[Sau], size: int) -> dict[str, tuple[str, ...]]:
    """By claim, those that it may be asked with, itself among them, as id and fingerprint.

    Args:
        saus: All claims of a paper that a run is about, asked now or not.
        size: Claims a request at most.
    """
    groups: dict[str, tuple[str, ...]] = {}
    for dimension in Dimension:
        alike = [sau for sau in saus if sau.dimension is dimension]
        for start in range(0, len(alike), size):
            together = alike[start : start + size]
            # What else is asked is part of a question: another claim there is another question.
            group = tuple(f"{sau.id} {claims_version([sau])}" for sau in together)
            groups.update((sau.id, group) for sau in together)
    return groups


def _all_code(index: Index, *, strip: bool) -> tuple[Passage, ...]:
    """All code and configuration, a file a passage, by path."""
    passages = []
    for path in index.code_paths:
        lines = index.lines(path)
        file = index.file(path)
        if not lines or file is None:
            continue
        last = len(lines)
        while last > 1 and not lines[last - 1].strip():
            last -= 1
        passages.append(Passage(path, 1, last, "\n".join(lines[:last]), role=file.role))
    found = tuple(passages)
    return strip_passages(index, found) if strip else found


def _size(passages: Sequence[Passage]) -> tuple[int, int]:
    """Tokens of passages without their line numbers, and their lines."""
    tokens = sum(estimate_tokens(passage.text) + _HEAD_TOKENS for passage in passages)
    return tokens, sum(passage.last - passage.first + 1 for passage in passages)
