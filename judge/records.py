"""The records of a run directory besides its verdicts, and the names of its files."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from judge.level_odds import LevelTokens
from judge.protocol import Answer
from judge.verdict import Usage

__all__ = [
    "ANSWERED",
    "ASKED_AGAIN",
    "ATTEMPTS",
    "CLAIMS",
    "FORMAT",
    "GAVE_UP",
    "LOCK",
    "META",
    "SUBMISSIONS",
    "SUMMARY",
    "VERDICTS",
    "Attempt",
    "JudgeNote",
    "RunMeta",
    "Scope",
    "StoredAnswer",
    "SubmissionNote",
    "writable",
]

FORMAT = 1
"""The format of a run directory that this version writes."""

META, CLAIMS, SUBMISSIONS = "run.json", "claims.jsonl", "submissions.jsonl"
VERDICTS, ATTEMPTS, SUMMARY = "verdicts.jsonl", "attempts.jsonl", "summary.json"
LOCK = ".lock"

ANSWERED = frozenset({"answer", "truncated", "reasoning_cut", "refused", "empty"})
"""Outcomes of an attempt that brought an answer, usable or not: it need not be asked for again."""

GAVE_UP = "gave_up"
"""The outcome of a row that asks nothing: the question became an error, and whoever runs again
wants it asked anew."""

ASKED_AGAIN = "asked_again"
"""The outcome of a row that brings nothing yet: the request was handed on, for the reason in its
message, after an answer that would not do."""


def writable(text: str) -> str:
    """Return a text that UTF-8 can hold: halves of character pairs joined, or replaced if alone."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class JudgeNote(_Record):
    """The judge of a run: its name as tables show it, and all that decides its answers."""

    name: str
    provider: str
    model: str | None = None
    identity: dict[str, Any] = Field(default_factory=dict)


class Scope(_Record):
    """What the latest run into a directory was about; what else is there is of earlier runs.

    Attributes:
        submissions: Id, agent and paper of each submission.
        claims: Ids of the claims.
    """

    submissions: tuple[tuple[str, str, str], ...] = ()
    claims: tuple[str, ...] = ()


class RunMeta(_Record):
    """`run.json`.

    Attributes:
        name: The benchmark's name.
        claims_version: Fingerprint of all claims of the run.
        paper_versions: Fingerprint of each paper's claims.
        judge: The judge; `None` where verdicts of several were read from elsewhere.
        config: The configuration without anything secret.
        prompt_version: Name of the prompt version, where one is used.
        prompt_hash: Of its templates.
        code: Hash of the sources that decide verdicts.
        versions: Packages and their versions.
        scope: What the latest run was about; `None` is all that is there.
        started: When the run was first started, in ISO 8601, UTC.
        finished: When it last ended, empty while it runs.
        state: `running`, `complete` (every pair graded or abstained), `incomplete` (errors, or
            pairs without a verdict) or `stopped` (by a person, a limit or the provider).
        reason: Why it stopped, for a person.
        notes: What a reader of the results should know, e.g. a line that was torn.
    """

    format: Literal[1] = 1
    name: str
    claims_version: str
    paper_versions: dict[str, str] = Field(default_factory=dict)
    judge: JudgeNote | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    prompt_version: str | None = None
    prompt_hash: str | None = None
    code: str = ""
    versions: dict[str, str] = Field(default_factory=dict)
    scope: Scope | None = None
    started: str = ""
    finished: str = ""
    state: Literal["running", "complete", "incomplete", "stopped"] = "running"
    reason: str = ""
    notes: tuple[str, ...] = ()


class SubmissionNote(_Record):
    """A submission as it was read.

    Attributes:
        id: The submission's id.
        agent: Who wrote it.
        paper: The paper it reproduces.
        meta: What else is known of it.
        root: The folder as the run found it, as an absolute path; it may be gone since.
        exclude: What of it was not taken for its code.
        digest: `Repository.digest`; empty where it could not be read.
        files: How many files were read.
        bytes: Size of their text in UTF-8.
        skipped: Every path that was not read, with the reason.
        notes: What was odd about files that were read, with the file.
        context: How it is shown to a judge that reads prompts, and why so.
        error: Why the submission could not be read or indexed at all.
    """

    id: str
    agent: str
    paper: str
    meta: dict[str, str] = Field(default_factory=dict)
    root: str = ""
    exclude: tuple[str, ...] = ()
    digest: str = ""
    files: int = 0
    bytes: int = 0
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    context: str = ""
    error: str = ""

    def renamed(self, other: SubmissionNote) -> SubmissionNote:
        """The same reading with what another note says the submission is."""
        names = ("agent", "paper", "meta", "root", "exclude", "error")
        return self.model_copy(update={name: getattr(other, name) for name in names})


class StoredAnswer(_Record):
    """An answer as it came, before any parsing: what the cache and the ledger keep.

    The fields are those of `judge.protocol.Answer`; `time` is when it came, in ISO 8601, UTC.
    """

    text: str
    model: str | None = None
    finish: str = "stop"
    request_id: str | None = None
    rung: str | None = None
    usage: Usage = Usage()
    attempts: int = 1
    parameters: dict[str, Any] = Field(default_factory=dict)
    level_tokens: LevelTokens | None = None
    time: str = ""

    @classmethod
    def of(cls, answer: Answer, *, time: str) -> StoredAnswer:
        """Return the record of an answer that came at a time."""
        return cls(
            text=writable(answer.text),
            model=None if answer.model is None else writable(answer.model),
            finish=writable(answer.finish),
            request_id=None if answer.request_id is None else writable(answer.request_id),
            rung=answer.rung,
            usage=answer.usage,
            attempts=answer.attempts,
            parameters=dict(answer.parameters),
            level_tokens=answer.level_tokens,
            time=time,
        )

    def answer(self) -> Answer:
        """Return the answer that was recorded."""
        return Answer(
            text=self.text,
            model=self.model,
            finish=self.finish,
            request_id=self.request_id,
            rung=self.rung,
            usage=self.usage,
            attempts=self.attempts,
            parameters=self.parameters,
            level_tokens=self.level_tokens,
        )


class Attempt(_Record):
    """One row of the ledger: a request that was sent, and what came of it.

    Attributes:
        request_key: The exact request's key.
        outcome: `answer`, the code of an error, `asked_again` or `gave_up`.
        submission: The pair that the request was for.
        sau: The pair that the request was for.
        answer: The answer, where there is one, whether or not it can be parsed.
        message: What happened, where it is an error.
        attempts: Requests that were sent, repeated ones included.
        time: When it ended, in ISO 8601, UTC.
    """

    request_key: str
    outcome: str
    submission: str
    sau: str
    answer: StoredAnswer | None = None
    message: str = ""
    attempts: int = 1
    time: str = ""
