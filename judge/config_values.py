"""What values of `run.yaml` may be, whatever section they stand in.

A `Path` here has been resolved against the config file's folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

from judge.config_errors import fault

__all__ = ["ConfigPath", "Count", "Names", "Seconds", "Section", "Words", "unique"]


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


def unique(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values, if none is there twice."""
    twice = [str(value) for value in values if values.count(value) > 1]
    if twice:
        raise fault(f"names {twice[0]} twice", "Remove one of the two")
    return values


ConfigPath = Annotated[Path, AfterValidator(_resolved)]
Words = Annotated[str, AfterValidator(_not_blank)]
Names = Annotated[tuple[Words, ...], Field(min_length=1), AfterValidator(unique)]
Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class Section(BaseModel):
    """Strict and unchangeable; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
