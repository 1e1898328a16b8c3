"""What a run is made from: `run.yaml`, checked whole before anything is done.

Relative paths are relative to the file. A key is never in the file: `judge.api_key_env` names the
environment variable that holds it, and nothing else is read from the environment.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from benchmark import Where
from benchmark.documents import Document, Step, dotted, load_document
from judge.config_errors import fault, translate
from judge.config_sections import (
    SUITE,
    SUITE_FOLDER,
    BenchmarkSection,
    CacheSection,
    CalibrationSection,
    JudgeSection,
    OutputSection,
    PromptSection,
    RetrievalSection,
    Section,
    SubmissionsSection,
)
from judge.config_template import default_config_text

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
    "RunConfig",
    "SubmissionsSection",
    "default_config_text",
    "load_config",
    "make_config",
]


class RunConfig(Section):
    """A whole `run.yaml`. All paths are resolved against the file's folder.

    Attributes:
        max_errors_share: Share of errors among verdicts past which a run stops.
        max_cost: Dollars that one run may spend on questions; not set is no cap.
    """

    benchmark: BenchmarkSection
    submissions: SubmissionsSection = SubmissionsSection()
    retrieval: RetrievalSection = RetrievalSection()
    judge: JudgeSection = JudgeSection()
    cache: CacheSection
    output: OutputSection
    prompt: PromptSection = PromptSection()
    calibration: CalibrationSection = CalibrationSection()
    max_errors_share: Annotated[float, Field(ge=0, le=1)] = 0.1
    max_cost: Annotated[float, Field(ge=0)] | None = None

    _document: Document | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _has_submissions(self) -> RunConfig:
        if not self.benchmark.is_suite and self.submissions_path is None:
            raise fault(
                "has neither path nor manifest",
                "Add submissions.path, the folder of a run tree, or submissions.manifest",
                "submissions",
            )
        return self

    def with_cap(self, dollars: float) -> RunConfig:
        """The same config with another `max_cost`."""
        return self.model_copy(update={"max_cost": dollars})

    @property
    def file(self) -> Path:
        """The file it was read from."""
        return Path("config") if self._document is None else self._document.path

    @property
    def submissions_path(self) -> Path | None:
        """The run tree or manifest; the suite's own where none is given."""
        given = self.submissions.manifest or self.submissions.path
        if given is None and self.benchmark.is_suite:
            return SUITE_FOLDER / "submissions"
        return given

    def where(self, *keys: Step) -> Where:
        """The place of a key, or of what is around it, in the file."""
        if self._document is None:
            return Where(str(self.file), key=dotted(keys))
        return self._document.where(*keys)

    def public_dict(self) -> dict[str, Any]:
        """The config as JSON-able data for `run.json`: no secret, paths relative to the file.

        It holds what the defaults filled in, so that it says the whole of what was run.
        """
        data: dict[str, Any] = self.model_dump(mode="json", exclude={"benchmark": {"path"}})
        folder = self.file.parent
        data["benchmark"]["path"] = (
            SUITE if self.benchmark.is_suite else _relative(self.benchmark.path, folder)
        )
        for section, key in (
            ("submissions", "path"),
            ("submissions", "manifest"),
            ("cache", "path"),
            ("calibration", "path"),
            ("output", "path"),
        ):
            path = getattr(getattr(self, section), key)
            data[section][key] = None if path is None else _relative(path, folder)
        _shorten(self.judge, data["judge"], folder)
        return data


def _shorten(judge: JudgeSection, data: dict[str, Any], folder: Path) -> None:
    """Write the paths of a judge, and of a panel's members, relative to a folder."""
    for key in ("script", "exchange", "prices", "rule"):
        path = getattr(judge, key)
        data[key] = None if path is None else _relative(path, folder)
    if judge.then is not None:
        _shorten(judge.then, data["then"], folder)
    for member, shown in zip(judge.members or (), data["members"] or (), strict=True):
        _shorten(member, shown, folder)


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def load_config(path: Path) -> RunConfig:
    """Read and check a config; nothing else is opened.

    Raises:
        InputError: The first thing that is wrong, with its line and what to do.
    """
    path = Path(path)
    return _checked(load_document(path, what="config"))


def make_config(values: Mapping[str, Any], *, file: Path) -> RunConfig:
    """A config from plain values, as if they had been read from `file`, which need not exist.

    Raises:
        InputError: The first thing that is wrong.
        ValueError: The values are not JSON.
    """
    text = json.dumps(values, allow_nan=False)
    return _checked(Document(Path(file), json.loads(text), text))


def _checked(document: Document) -> RunConfig:
    values = _filled(document)
    try:
        config = RunConfig.model_validate_json(
            json.dumps(values), context={"folder": document.path.parent}
        )
    except ValidationError as error:
        raise translate(error, document, RunConfig) from None
    config._document = document
    return config


def _filled(document: Document) -> dict[str, Any]:
    """The values, empty keys dropped, with the defaults that depend on the file's name."""
    if not isinstance(document.value, dict):
        raise document.error(
            "a config is a mapping with keys such as benchmark and judge",
            remedy="Write a fresh one with `judge init` and change it",
        )
    values = {
        name: _without_empty(value) for name, value in document.value.items() if value is not None
    }
    for section, path in (("cache", ".judge-cache"), ("output", f"runs/{document.path.stem}")):
        inner = values.setdefault(section, {})
        if isinstance(inner, dict):
            inner.setdefault("path", path)
    return values


def _without_empty(section: Any) -> Any:  # noqa: ANN401
    """A section without its empty keys; so are those of judges inside of it."""
    if not isinstance(section, dict):
        return section
    kept = {
        key: item for key, item in section.items() if item is not None or key == "max_output_tokens"
    }
    if isinstance(members := kept.get("members"), list):
        kept["members"] = [_without_empty(member) for member in members]
    if "then" in kept:
        kept["then"] = _without_empty(kept["then"])
    return kept
