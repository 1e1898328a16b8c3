"""What a judge is: the one protocol behind which every provider stays.

A judge turns a `Question` into a `Request` (pure, no network) whose canonical JSON is the whole
question, and answers a request. Nothing of a vendor's SDK leaks out of `judge/models/`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from benchmark import GraderError, Sau
from judge.level_odds import LevelOdds, LevelTokens
from judge.verdict import Usage
from prompts.values import Prompt
from retrieval.values import Evidence

if TYPE_CHECKING:
    from retrieval.index import Index

__all__ = [
    "Answer",
    "AnswerError",
    "AnswerPending",
    "FatalProviderError",
    "Judge",
    "LocalJudge",
    "Question",
    "Remarking",
    "Request",
    "canonical_json",
]


def canonical_json(value: Any) -> str:  # noqa: ANN401
    """The one spelling of a JSON value: sorted keys, no spaces, ASCII, no NaN.

    Raises:
        ValueError: The value holds NaN or an infinity.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


@dataclass(frozen=True, slots=True)
class Question:
    """One claim about one submission, with what was found for it.

    Attributes:
        submission: The submission's id.
        sau: The claim.
        evidence: What retrieval found.
        prompt: The rendered question; `None` for judges that read no prompt.
        index: The whole repository, for judges that run here; `None` for those that do not.
    """

    submission: str
    sau: Sau
    evidence: Evidence
    prompt: Prompt | None = None
    index: Index | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """The exact request, in a form that hashes.

    Attributes:
        body: JSON-able and complete: provider, base URL, model, parameters, messages, schema,
            and the repeat number.
        again: Why it is asked again, as `code: what happened`; empty where it is the first
            question. It is no part of what is asked, nor of the key.
    """

    body: Mapping[str, Any]
    again: str = field(default="", compare=False)
    _key: str = field(default="", init=False, repr=False, compare=False)

    @property
    def key(self) -> str:
        """SHA-256 of the canonical JSON of the body, in hexadecimal."""
        if not self._key:
            # Asked for several times, and a body may hold a whole repository.
            key = hashlib.sha256(canonical_json(self.body).encode()).hexdigest()
            object.__setattr__(self, "_key", key)
        return self._key


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, before it is parsed.

    Attributes:
        text: The answer's text, which should be a JSON object.
        model: The model as the provider names it.
        finish: `stop`, `length`, `refusal`, or the provider's own word for anything else.
        request_id: The provider's id.
        rung: How structure was asked for.
        usage: Tokens, price, time.
        attempts: Requests sent to get it, repeated ones included.
        parameters: The parameters that were really sent.
        level_tokens: The tokens that spell its level, where log probabilities came with it.
        odds: The chances of the levels, of a judge that computes them itself.
    """

    text: str
    model: str | None = None
    finish: str = "stop"
    request_id: str | None = None
    rung: str | None = None
    usage: Usage = field(default_factory=Usage)
    attempts: int = 1
    parameters: Mapping[str, Any] = field(default_factory=dict)
    level_tokens: LevelTokens | None = None
    odds: LevelOdds | None = None


class AnswerError(GraderError):
    """No usable answer to one question; the run goes on and the verdict is an `error`.

    Args:
        code: A short word that reports count by: `timeout`, `truncated`, `refused`, `empty`, ...
        message: What happened, for a person.
        attempts: Requests that were sent in vain.
        answer: What came back and cannot be used (cut off, refused, empty): it was paid for too.
    """

    def __init__(
        self, code: str, message: str, *, attempts: int = 1, answer: Answer | None = None
    ) -> None:
        self.code = code
        self.message = message
        self.attempts = attempts
        self.answer = answer
        super().__init__(f"{code}: {message}")


class AnswerPending(GraderError):  # noqa: N818 - it is no error, and no verdict comes of it
    """The question was handed on, and its answer is not here yet.

    The pair gets no verdict now; the same run finds the answer once it has come.
    """


class FatalProviderError(GraderError):
    """The provider will refuse every question (bad key, no quota, no such model): stop the run.

    Attributes:
        attempts: Requests that were sent in vain for the question that met it.
    """

    exit_code: ClassVar[int] = 4
    attempts: int = 1


@runtime_checkable
class Judge(Protocol):
    """A judge that is asked over a wire, and paid for."""

    name: str
    provider: str
    model: str | None

    def identity(self) -> Mapping[str, Any]:
        """All that decides its answers besides the question: enters `input_key`."""

    def request(self, question: Question, *, repeat: int = 0) -> Request:
        """The exact request for a question; pure."""

    async def judge(self, request: Request) -> Answer:
        """Answer a request.

        Raises:
            AnswerError: No usable answer to this question.
            FatalProviderError: No answer to any question is to be had.
        """

    async def close(self) -> None:
        """Let go of connections."""


@runtime_checkable
class LocalJudge(Protocol):
    """A judge that computes here: no wire, no price, no cache; runs beside the index."""

    name: str
    provider: str
    model: str | None

    def identity(self) -> Mapping[str, Any]:
        """All that decides its answers besides the question: enters `input_key`."""

    def judge_here(self, question: Question) -> Answer:
        """Answer a question, in the same JSON form as a model would; deterministic."""


@runtime_checkable
class Remarking(Protocol):
    """A judge that has something to tell a person at the end of a run."""

    def remarks(self) -> tuple[str, ...]:
        """What to tell, the most important first; called after `close`."""
