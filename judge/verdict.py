"""The verdict: what is kept of one judgement, as one line of `verdicts.jsonl`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchmark import Dimension, Drift, Failure, Level
from judge.level_odds import LevelOdds

__all__ = [
    "CascadeNote",
    "Citation",
    "EvidenceNote",
    "MemberSaid",
    "Provenance",
    "QuoteState",
    "Status",
    "Usage",
    "Verdict",
]


# `true` is no level and no line number, and "2" none either.

_Line = Annotated[int, Field(strict=True, ge=1)]
_Level = Annotated[int, Field(strict=True, ge=0, le=4)]
_Share = Annotated[float, Field(strict=True, ge=0, le=1)]

# Their verdicts are taken over as they are: what proves them was looked up by nobody here.
_UNCHECKED = frozenset({"foreign", "scripted"})


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Status(StrEnum):
    """What became of a question. Only `graded` carries a level and enters a mean."""

    GRADED = "graded"
    ABSTAINED = "abstained"
    ERROR = "error"


class QuoteState(StrEnum):
    """What was found when a citation was looked up in its file."""

    VERIFIED = "verified"
    RELOCATED = "relocated"
    NOT_FOUND = "not_found"


class Citation(_Record):
    """Lines that prove a verdict. `first` and `last` are where the quote really stands."""

    path: str
    first: _Line
    last: _Line
    quote: str
    state: QuoteState


class Usage(_Record):
    """What an answer took. `None` is unknown, which is not 0."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None


class Provenance(_Record):
    """Who judged, asked what and how.

    Attributes:
        judge: The judge's name as tables show it, e.g. `embedded` or `openai:gpt-5.5`.
        provider: `embedded`, `openai`, `anthropic`, `scripted`, or `foreign` for verdicts that
            were read from somebody else's results.
        model: The model as requested.
        model_returned: The model as the provider named it in its answer.
        parameters: Sampling and other parameters, only those that were sent.
        judge_hash: 12 digits of a SHA-256 of all that decides the judge's answers besides the
            question: two that differ are two judges, whatever their names.
        prompt_hash: Of the prompt's templates.
        input_key: SHA-256 of all that the question is made from (repository digest, claim,
            retrieval settings, prompt and judge): the same key needs no new work.
        request_key: SHA-256 of the exact request: the cache's key.
        request_id: The provider's id of the answer.
        rung: How a structured answer was asked for: `json_schema`, `tool`, `json_object`, `text`.
        cached: The answer was at hand and cost nothing now.
        attempts: Requests sent for this verdict, by this run and those before it.
        usage: Of the answer (when it was paid for, not now, where `cached`); where it took more
            than one, of all of them together.
        time: When the answer came, in ISO 8601, UTC.
    """

    judge: str
    provider: str
    model: str | None = None
    model_returned: str | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    judge_hash: str = ""
    prompt_hash: str | None = None
    input_key: str = ""
    request_key: str = ""
    request_id: str | None = None
    rung: str | None = None
    cached: bool = False
    attempts: int = 0
    usage: Usage = Usage()
    time: str = ""


class EvidenceNote(_Record):
    """What the judge saw, in short.

    Attributes:
        complete: It saw every line of code and configuration.
        tokens: Estimated size of what it saw.
        passages: The lines it saw, as (path, first line, last line).
        searched_not_found: What was looked for and is in no line of code.
        omitted_files: Files of code or configuration of which it saw nothing.
        context: How a judge that reads prompts was shown the repository: `whole`, or by what was
            found (`retrieve`); with ` code only` where comments were left out.
        paper: It was shown the passage of the paper that the claim's source names.
    """

    complete: bool
    tokens: int
    passages: list[tuple[str, int, int]] = Field(default_factory=list)
    searched_not_found: list[str] = Field(default_factory=list)
    omitted_files: int = 0
    context: str = ""
    paper: bool = False


class MemberSaid(_Record):
    """What one member of a panel said; the fields are those of a verdict of its own.

    Attributes:
        provenance: Who it is, and what its answers took; `input_key` is the panel's.
    """

    status: Status
    level: _Level | None = None
    drift: Drift | None = None
    failure: Failure | None = None
    found: str = ""
    rationale: str = ""
    citations: tuple[Citation, ...] = ()
    confidence: _Share | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    levels: tuple[_Level | None, ...] = ()
    odds: LevelOdds | None = None
    provenance: Provenance


class CascadeNote(_Record):
    """The way that a claim took where a first judge answers what it may.

    Attributes:
        route: Who answered: `first`; `second`, for the first could not; or `audit`: the second,
            though the first could have, to compare the two.
        said: The first judge's own level, `None` where it gave none.
        level: The level that stands or would have stood, on the rule's scale; `None` where none.
        risk: The rule's own expectation of the loss if it stood.
        accepted: The risk that was accepted.
        lost: Of an audited claim that the second judge graded, the loss had the first's stood.
    """

    route: Literal["first", "second", "audit"]
    said: _Level | None = None
    level: _Level | None = None
    risk: float | None = None
    accepted: float
    lost: float | None = None


class Verdict(_Record):
    """One judgement of one claim about one submission.

    Attributes:
        status: Whether there is a level at all.
        level: 0 to 4 where `graded`, else `None`. Its score is a quarter of it.
        drift: The divergence found where `graded`, else `None`.
        failure: Why not level 4 where `graded`, else `None`.
        expected: What the claim wants, in the judge's words.
        found: What the code does, in the judge's words.
        rationale: Why this level.
        confidence: Probability that the level is right, as the judge says it, before calibration.
        flags: What a reader should know: `evidence_incomplete`, `suspect_instruction`, ...
        reason: For `abstained` and `error`: a short code, a colon, and what happened.
        levels: Where the question was asked more than once, the level of each answer in the order
            of asking, or of each member of a panel, `None` for an answer without one; else empty.
        members: Of a panel, who said what.
        odds: The chances of the levels: what the log probabilities of the answer say, where they
            were asked for, or what a judge that computes here makes them to be.
        cascade: In a cascade, the way that the claim took.
    """

    submission: str
    agent: str
    paper: str
    sau: str
    dimension: Dimension
    status: Status
    level: _Level | None = None
    drift: Drift | None = None
    failure: Failure | None = None
    expected: str = ""
    found: str = ""
    rationale: str = ""
    citations: tuple[Citation, ...] = ()
    confidence: _Share | None = None
    flags: tuple[str, ...] = ()
    reason: str = ""
    levels: tuple[_Level | None, ...] = ()
    members: tuple[MemberSaid, ...] = ()
    odds: LevelOdds | None = None
    evidence: EvidenceNote | None = None
    cascade: CascadeNote | None = None
    provenance: Provenance
    format: Literal[1] = 1

    @model_validator(mode="after")
    def _status_fits_level(self) -> Verdict:
        if (self.status is Status.GRADED) != (self.level is not None):
            raise ValueError(f"status {self.status.value} does not go with level {self.level}")
        if self.status is not Status.GRADED and not self.reason:
            raise ValueError(f"status {self.status.value} needs a reason")
        if (
            self.level
            and self.provenance.provider not in _UNCHECKED
            and all(cited.state is QuoteState.NOT_FOUND for cited in self.citations)
        ):
            raise ValueError(f"level {self.level} stands on no quote that was found")
        return self

    @property
    def score(self) -> float | None:
        """The level as a share of one, or `None` where there is no level."""
        return None if self.level is None else Level(self.level).score
