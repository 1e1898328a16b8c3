"""The sections of `run.yaml`, each checked by itself.

A `Path` here has been resolved against the config file's folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

import benchmark as benchmark_room
from benchmark import Dimension, InputError, Where
from benchmark.readers.candidates import check_patterns
from judge.config_errors import fault
from judge.config_judge import JudgeSection
from judge.config_values import ConfigPath, Count, Names, Section, Words, unique
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


def _suite_or_path(value: object) -> object:
    return str(SUITE_FOLDER / "papers") if value == SUITE else value


def _workers(value: object) -> object:
    if value == "auto" or (type(value) is int and 1 <= value <= 1024):
        return value
    raise fault("should be auto or a number from 1 to 1024", "Write workers: auto")


def _patterns(values: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return check_patterns(values, Where(""))
    except InputError as error:
        raise fault(f"does not fit: {error.problem}", error.remedy) from None


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
        Annotated[tuple[Dimension, ...], Field(min_length=1), AfterValidator(unique)] | None
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
