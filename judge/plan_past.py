"""What a run directory says of earlier runs: what is settled, what is answered, and how long."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.lines import latest_offsets
from judge.loading import iter_attempts, iter_verdicts, read_meta, read_submissions
from judge.preparing import Pending, Prepared
from judge.records import ANSWERED, ATTEMPTS, META, VERDICTS, RunMeta
from judge.run_plan import RunPlan, context_of
from judge.verdict import Status

__all__ = ["ASSUMED_OUTPUT", "Output", "Past"]

ASSUMED_OUTPUT = (250, 1200)
"""Tokens of an answer, on average at least and at most, until answers of this judge are at hand."""

_ENOUGH_ANSWERS = 20
_OF_SEVERAL = re.compile(r'\{\s*"verdicts"\s*:\s*\[')
"""Wherever it stands, for some models fence their JSON; inside a string its quotes are escaped."""


@dataclass(frozen=True, slots=True)
class Output:
    """Tokens of one answer to one claim.

    Attributes:
        low: On average at least.
        high: On average at most.
        cap: Of an answer to one claim alone; `None` is no cap.
        answers: How many answers this was measured on; 0 is an assumption.
    """

    low: int
    high: int
    cap: int | None
    answers: int


class Past:
    """What a run directory says of earlier runs, read only."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._meta: RunMeta | None = None
        self._verdicts: dict[str, dict[str, tuple[str, Status, str]]] = {}
        self._digests: dict[str, str] = {}
        self.answered: set[str] = set()
        path = plan.output
        if not (path / META).exists():
            return
        self._meta = read_meta(path)
        self._digests = {id_: note.digest for id_, note in read_submissions(path).items()}
        if (path / VERDICTS).exists():
            for verdict in iter_verdicts(path):
                code = verdict.reason.partition(":")[0]
                of_submission = self._verdicts.setdefault(verdict.submission, {})
                of_submission[verdict.sau] = (verdict.provenance.input_key, verdict.status, code)
        keys = ("request_key", "outcome")
        for key, outcome in latest_offsets(path / ATTEMPTS, keys, leading=keys):
            if outcome in ANSWERED:
                self.answered.add(key)
            else:
                self.answered.discard(key)

    def settled_of(self, submission: str) -> dict[str, str]:
        """By claim, the input key of the verdict that is there and is no error."""
        return {
            sau: key
            for sau, (key, status, _) in self._verdicts.get(submission, {}).items()
            if status is not Status.ERROR
        }

    def why(self, prepared: Prepared, pending: Pending) -> str:
        """Why a question has no answer at hand."""
        submission = prepared.submission.id
        before = self._verdicts.get(submission, {}).get(pending.sau.id)
        if before is None:
            return "never answered"
        key, status, code = before
        if status is Status.ERROR and key == pending.input_key:
            return f"an error the last time: {code}"
        digest = self._digests.get(submission)
        changes = list(self._changes())
        if digest and digest != prepared.note.digest:
            changes.insert(0, "the repository")
        return f"{' and '.join(changes) or 'the question'} changed since"

    def _changes(self) -> Iterator[str]:
        old = self._meta
        if old is None:
            return
        plan, context = self._plan, context_of(self._plan)
        if old.judge is not None and (
            old.judge.name != plan.judge_name or old.judge.identity != dict(plan.judge_identity)
        ):
            yield "the judge"
        if old.prompt_hash != context.prompt_hash:
            yield "the prompt"
        if old.code != context.code:
            yield "the program"
        for section in ("retrieval", "prompt"):
            before, now = old.config.get(section), plan.config.get(section)
            if before != now and before is not None:
                yield f"the {section} settings"

    def output(self, cap: int | None, model: str | None = None) -> Output:
        """Tokens of an answer, from those that are at hand where they are enough.

        Args:
            cap: Of one answer.
            model: Of several models that answered, the one that is meant.
        """
        counts = []
        if self._meta is not None:
            counts = [
                attempt.answer.usage.output_tokens
                for attempt in iter_attempts(self._plan.output)
                if attempt.answer is not None
                and attempt.answer.usage.output_tokens is not None
                and self._meta.judge is not None
                and self._meta.judge.name == self._plan.judge_name
                # Of several claims that were asked together the parts count, and not the whole.
                and attempt.outcome == "answer"
                and not _OF_SEVERAL.search(attempt.answer.text)
                and (model is None or (attempt.answer.model or "").startswith(model))
            ]
        if len(counts) < _ENOUGH_ANSWERS:
            low, high = ASSUMED_OUTPUT
            return Output(min(low, cap or low), min(high, cap or high), cap, 0)
        mean = sum(counts) / len(counts)
        spread = math.sqrt(sum((count - mean) ** 2 for count in counts) / (len(counts) - 1))
        # Twice the error of the mean, and a tenth for questions that are not like those asked.
        margin = 2 * spread / math.sqrt(len(counts)) + 0.1 * mean
        return Output(max(round(mean - margin), 1), round(mean + margin), cap, len(counts))
