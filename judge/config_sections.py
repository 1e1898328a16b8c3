"""The sections of `run.yaml`, each checked by itself.

A `Path` here has been resolved against the config file's folder.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationInfo,
    model_validator,
)

import benchmark as benchmark_room
from benchmark import Dimension, InputError, Where
from benchmark.readers.candidates import check_patterns
from judge.config_errors import fault
from judge.models.endpoint import NO_KEY, normalise_base_url
from judge.models.settings import JudgeSettings
from judge.question_settings import ContextMode, QuestionSettings
from prompts.batch import MOST
from prompts.render import VERSIONS
from retrieval.reading import ReadLimits

__all__ = [
    "SUITE",
    "SUITE_FOLDER",
    "BenchmarkSection",
    "CacheSection",
    "CalibrationSection",
    "JudgeSection",
    "OutputSection",
    "PromptSection",
    "RetrievalSection",
    "Section",
    "SubmissionsSection",
]

SUITE = "suite"
"""The word that stands for the built-in suite in place of a path."""

SUITE_FOLDER = Path(benchmark_room.__file__).parent / "suite"
"""Where the suite lies: `papers/`, `submissions/`, `labels/`."""

_LIMITS = ReadLimits()
_QUESTION = QuestionSettings()
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,127}\Z")
_SECRET = re.compile(
    r"api[-_]?key|authori[sz]ation|secret|password|passwd|bearer|credential|headers"
    r"|(?:access|auth|api|bearer|id)[-_]?token",
    re.IGNORECASE,
)


def _resolved(path: Path, info: ValidationInfo) -> Path:
    """The path from the config file's folder on; needs no such file to be there."""
    text = str(path)
    if not text.strip() or "\0" in text:
        raise fault("should be a path", "Write a path")
    if "${" in text:
        raise fault(
            "holds ${, but environment variables are not filled in",
            "Write the path itself, relative to this file",
        )
    folder: Path = (info.context or {}).get("folder", Path())
    try:
        return folder / path.expanduser()
    except RuntimeError:
        raise fault("names a home folder that is not known", "Write the path out") from None


def _not_blank(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise fault("should be words on one line", "Fill it in, or remove the key")
    return text.strip()


def _suite_or_path(value: object) -> object:
    return str(SUITE_FOLDER / "papers") if value == SUITE else value


def _workers(value: object) -> object:
    if value == "auto" or (type(value) is int and 1 <= value <= 1024):
        return value
    raise fault("should be auto or a number from 1 to 1024", "Write workers: auto")


def _unique(values: tuple[Any, ...]) -> tuple[Any, ...]:
    twice = [str(value) for value in values if values.count(value) > 1]
    if twice:
        raise fault(f"names {twice[0]} twice", "Remove one of the two")
    return values


def _patterns(values: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return check_patterns(values, Where(""))
    except InputError as error:
        raise fault(f"does not fit: {error.problem}", error.remedy) from None


def _variable(name: str) -> str:
    # The value is never shown: what stands here by mistake may be the key itself.
    if name.lower() == NO_KEY:
        return NO_KEY
    if not _VARIABLE.match(name):
        raise fault(
            "should be the NAME of an environment variable (capitals, digits, underscores)",
            "Put the key into a variable and write its name, e.g. OPENAI_API_KEY; "
            "if this is the key itself, remove it from the file",
        )
    return name


def _base_url(url: str) -> str:
    if "@" in url:  # before anything might show it
        raise fault(
            "holds a user or a password, and would be written into every record",
            "Leave scheme, host and path, and name the key's variable in judge.api_key_env",
        )
    try:
        return normalise_base_url(url)
    except InputError as error:
        raise fault(f"does not fit: {error.problem}", error.remedy) from None


def _no_secrets(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    waiting: list[JsonValue] = [parameters]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for name in value:
                if _SECRET.search(name):
                    raise fault(
                        f"holds {name!r}, which looks like a secret and would be written into "
                        "every record",
                        "Remove it, and name the key's variable in judge.api_key_env",
                        name,
                    )
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return parameters


ConfigPath = Annotated[Path, AfterValidator(_resolved)]
Words = Annotated[str, AfterValidator(_not_blank)]
Names = Annotated[tuple[Words, ...], Field(min_length=1), AfterValidator(_unique)]
Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class Section(BaseModel):
    """Strict and unchangeable; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class BenchmarkSection(Section):
    """What is claimed.

    Attributes:
        path: The claims' folder or file; the word `suite` is the built-in suite.
        format: The format, by default found out.
        dimensions: Grade the claims of these alone.
        papers: Grade these papers alone.
        name: What reports call the benchmark.
    """

    path: Annotated[ConfigPath, BeforeValidator(_suite_or_path)]
    format: Literal["auto", "sa-bench"] = "auto"
    dimensions: (
        Annotated[tuple[Dimension, ...], Field(min_length=1), AfterValidator(_unique)] | None
    ) = None
    papers: Names | None = None
    name: Words | None = None

    @property
    def is_suite(self) -> bool:
        """Whether it is the built-in suite."""
        return self.path == SUITE_FOLDER / "papers"


class SubmissionsSection(Section):
    """What was handed in: `path` (a run tree) or `manifest`; the suite brings its own."""

    path: ConfigPath | None = None
    manifest: ConfigPath | None = None
    format: Literal["auto", "sa-bench", "manifest"] = "auto"
    agents: Names | None = None
    papers: Names | None = None
    exclude: Annotated[tuple[Words, ...], AfterValidator(_patterns)] = ()
    allow_outside: bool = False
    agent_name: Words | None = None
    skip_unknown_papers: bool = False

    @model_validator(mode="after")
    def _one_source(self) -> SubmissionsSection:
        if self.path is not None and self.manifest is not None:
            raise fault("gives both path and manifest", "Keep one of the two", "manifest")
        if self.manifest is not None and self.format == "sa-bench":
            raise fault(
                "gives a manifest, but format: sa-bench", "Remove format, or use path", "format"
            )
        return self


class RetrievalSection(Section):
    """What is read of a repository, and how much of it a judge is shown, in tokens.

    What `context`, `whole_max_tokens`, `strip_comments` and `lookup_tokens` mean is said in
    `QuestionSettings`; they are for judges that read prompts.
    """

    budget_tokens: Annotated[int, Field(ge=200, le=2_000_000)] = 4000
    map_tokens: Annotated[int, Field(ge=0, le=2_000_000)] = 800
    context: ContextMode = _QUESTION.context
    whole_max_tokens: Annotated[int, Field(ge=0, le=2_000_000)] = _QUESTION.whole_max_tokens
    strip_comments: bool = _QUESTION.strip_comments
    lookup_tokens: Annotated[int, Field(ge=0, le=100_000)] = _QUESTION.lookup_tokens
    max_file_bytes: Count = _LIMITS.max_file_bytes
    max_files: Count = _LIMITS.max_files
    max_total_bytes: Count = _LIMITS.max_total_bytes

    @model_validator(mode="after")
    def _map_fits(self) -> RetrievalSection:
        if self.map_tokens >= self.budget_tokens:
            raise fault(
                f"leaves nothing for code: map_tokens {self.map_tokens} fills the whole budget "
                f"of {self.budget_tokens}",
                "Lower map_tokens, or raise budget_tokens",
                "map_tokens",
            )
        return self

    @property
    def limits(self) -> ReadLimits:
        """The bounds of reading."""
        return ReadLimits(
            max_file_bytes=self.max_file_bytes,
            max_files=self.max_files,
            max_total_bytes=self.max_total_bytes,
        )


class JudgeSection(Section):
    """Who judges; see `JudgeSettings` for the meaning of each key.

    `repeats` is how often each question is asked; the verdict takes the median level.
    """

    kind: Literal["embedded", "openai", "anthropic", "exchange", "scripted", "panel", "cascade"] = (
        "embedded"
    )
    model: Words | None = None
    base_url: Annotated[str, AfterValidator(_base_url)] | None = None
    api_key_env: Annotated[str, AfterValidator(_variable)] | None = None
    parameters: Annotated[dict[str, JsonValue], AfterValidator(_no_secrets)] = Field(
        default_factory=dict
    )
    api: Literal["auto", "chat", "responses"] = "auto"
    max_output_tokens: Count | None = 8192
    reasoning_tokens: Annotated[int, Field(ge=0, le=2_000_000)] = 0
    logprobs: Literal["off", "auto"] = "off"
    repeats: Annotated[int, Field(ge=1, le=25)] = _QUESTION.repeats
    concurrency: Annotated[int, Field(ge=1, le=4096)] = 8
    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None
    timeout_seconds: Seconds = 300.0
    deadline_seconds: Seconds = 900.0
    structure: Literal["auto", "json_schema", "tool", "json_object", "text"] = "auto"
    script: ConfigPath | None = None
    exchange: ConfigPath | None = None
    prices: ConfigPath | None = None
    members: Annotated[tuple[JudgeSection, ...], Field(min_length=2, max_length=25)] | None = None
    quorum: Count | None = None
    first: JudgeSection | None = None
    then: JudgeSection | None = None
    rule: ConfigPath | None = None
    risk: Annotated[float, Field(gt=0, lt=1)] = 0.05
    bound: Literal["conformal", "upper"] = "conformal"
    audit: Annotated[float, Field(ge=0, le=1)] = 0.05
    seed: int = 0

    @model_validator(mode="after")
    def _fits_cascade(self) -> JudgeSection:
        if self.kind != "cascade":
            return self
        for name, what in (
            ("then", "the judge of what the first one may not answer"),
            ("rule", "the file of judge calibrate --cascade"),
        ):
            if getattr(self, name) is None:
                raise fault(f"has no {name}, {what}", f"Add judge.{name}", "kind")
        if self.first is not None and self.first.kind != "embedded":
            raise fault(
                f"has a first judge of kind {self.first.kind}, and only one that computes here "
                "can come first",
                "Write first: {kind: embedded}, or leave it out",
                *("first", "kind"),
            )
        if self.then is not None and self.then.kind in {"embedded", "cascade"}:
            raise fault(
                f"has a second judge of kind {self.then.kind}",
                "Choose openai, anthropic, exchange, scripted or panel for judge.then",
                *("then", "kind"),
            )
        return self

    @model_validator(mode="after")
    def _fits_panel(self) -> JudgeSection:
        if self.kind != "panel":
            return self
        if self.members is None:
            raise fault(
                "has no members, the judges of the panel",
                "Add judge.members, a list of sections like this one, each with kind and model",
                "kind",
            )
        for number, member in enumerate(self.members):
            if member.kind in {"embedded", "panel", "cascade"}:
                raise fault(
                    f"has a member of kind {member.kind}, which cannot sit on a panel",
                    "Choose openai, anthropic, exchange or scripted for each member",
                    *("members", number, "kind"),
                )
            if member in self.members[:number]:
                raise fault(
                    "has the same member twice, whose answers would be asked for once",
                    "Take one of them out, and set repeats for the other",
                    *("members", number),
                )
        if self.quorum is not None and self.quorum > len(self.members):
            raise fault(
                f"wants {self.quorum} members to agree and has {len(self.members)}",
                "Lower quorum, or add members",
                "quorum",
            )
        return self

    @model_validator(mode="after")
    def _fits_kind(self) -> JudgeSection:
        if self.kind in {"openai", "anthropic", "exchange"} and self.model is None:
            raise fault(
                f"has no model, and there is no default: kind {self.kind} judges by the one you "
                "choose",
                "Add judge.model, as the provider spells it",
                "kind",
            )
        if self.kind == "scripted" and self.script is None:
            raise fault(
                "has no script, which a scripted judge answers from",
                "Add judge.script, the path of a YAML or JSON Lines file",
                "kind",
            )
        if self.kind == "exchange" and self.exchange is None:
            raise fault(
                "has no exchange, the folder where requests are written and answers are found",
                "Add judge.exchange, a folder's path",
                "kind",
            )
        rates = ("requests_per_minute", "tokens_per_minute")
        wire = ("base_url", "api_key_env", "parameters", "structure", *rates)
        models = ("reasoning_tokens", "logprobs")
        panel = ("members", "quorum")
        cascade = ("first", "then", "rule", "risk", "bound", "audit", "seed")
        unused = {
            "embedded": ("model", *wire, *models, "api", "script", "exchange", "repeats", *panel),
            "scripted": (*wire, *models, "api", "exchange", *panel),
            "exchange": ("base_url", "api_key_env", "api", "script", *rates, *panel),
            "anthropic": ("api", "logprobs", "script", "exchange", *panel),
            # What a panel's questions are asked with is set for each member.
            "panel": tuple(type(self).model_fields.keys() - {"kind", *panel, *cascade}),
            "cascade": tuple(type(self).model_fields.keys() - {"kind", *cascade}),
        }.get(self.kind, ("script", "exchange", *panel))
        if self.kind != "cascade":
            unused += cascade
        for name in unused:
            if getattr(self, name) != type(self).model_fields[name].get_default(
                call_default_factory=True
            ):
                raise fault(
                    f"gives {name}, which kind {self.kind} does not use",
                    f"Remove {name}, or set judge.kind to the judge that you mean",
                    name,
                )
        if self.reasoning_tokens and self.max_output_tokens is None:
            raise fault(
                "gives reasoning_tokens, which is room on top of max_output_tokens, and not that",
                "Give max_output_tokens too, or neither",
                "reasoning_tokens",
            )
        thinking = self.parameters.get("thinking")
        budget = thinking.get("budget_tokens") if isinstance(thinking, dict) else None
        if isinstance(budget, int) and budget > self.reasoning_tokens:
            raise fault(
                f"lets the model think for {budget} tokens, and has room for "
                f"{self.reasoning_tokens}: thoughts would eat the room for the answer",
                f"Write reasoning_tokens: {budget}, or lower parameters.thinking.budget_tokens",
                "reasoning_tokens" if self.reasoning_tokens else "parameters",
            )
        if self.timeout_seconds > self.deadline_seconds:
            raise fault(
                "gives one attempt more time (timeout_seconds) than all of them (deadline_seconds)",
                "Lower timeout_seconds, or raise deadline_seconds",
                "timeout_seconds",
            )
        return self

    def settings(self) -> JudgeSettings:
        """Whoever is asked, as `make_judge` takes it; of a cascade that is the second judge."""
        if self.asked is not self:
            return self.asked.settings()
        return JudgeSettings(
            kind=self.kind,
            model=self.model,
            base_url=self.base_url,
            api_key_env=self.api_key_env,
            parameters=self.parameters,
            api=self.api,
            max_output_tokens=self.max_output_tokens,
            reasoning_tokens=self.reasoning_tokens,
            logprobs=self.logprobs,
            concurrency=self.concurrency,
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
            timeout_seconds=self.timeout_seconds,
            deadline_seconds=self.deadline_seconds,
            structure=self.structure,
            script=None if self.script is None else str(self.script),
            exchange=None if self.exchange is None else str(self.exchange),
            prices=None if self.prices is None else str(self.prices),
            repeats=self.repeats,
            members=tuple(member.settings() for member in self.members or ()),
            quorum=self.quorum,
        )

    @property
    def asked(self) -> JudgeSection:
        """Who is asked: the second judge of a cascade, else the judge itself."""
        return self if self.kind != "cascade" or self.then is None else self.then

    @property
    def at_a_time(self) -> int:
        """Questions on the wire at most; of a panel, those of all members together."""
        if self.asked is not self:
            return self.asked.at_a_time
        return sum(member.concurrency for member in self.members or ()) or self.concurrency


class CacheSection(Section):
    """Where answers are kept for good."""

    path: ConfigPath


class CalibrationSection(Section):
    """What verdicts are worth.

    Attributes:
        path: A file of `judge calibrate`, fitted on this judge; not set: nothing is calibrated.
    """

    path: ConfigPath | None = None


class OutputSection(Section):
    """Where the run goes, and how many processes work on it."""

    path: ConfigPath
    workers: Annotated[Literal["auto"] | int, BeforeValidator(_workers)] = "auto"


class PromptSection(Section):
    """How the judge is asked.

    Attributes:
        version: Name of the prompt version.
        paper_tokens: How much is shown of what a claim's source names in the paper's text, where
            that is at hand; 0 shows nothing.
        claims_per_request: How many claims of one submission and kind are asked in one request.
    """

    version: str = VERSIONS[-1]
    paper_tokens: Annotated[int, Field(ge=0, le=100_000)] = _QUESTION.paper_tokens
    claims_per_request: Annotated[int, Field(ge=1, le=MOST)] = _QUESTION.claims_per_request

    @model_validator(mode="after")
    def _known(self) -> PromptSection:
        if self.version not in VERSIONS:
            raise fault(
                f"has no version {self.version!r}", f"Use {' or '.join(VERSIONS)}", "version"
            )
        return self
