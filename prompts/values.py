"""The value that this room hands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Prompt"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to a judge model, in the order that prefix caching wants.

    Attributes:
        system: Rules and the rubric of the dimension: the same for every submission.
        shared: The repository map or the whole repository: the same for a submission's claims.
        question: The evidence for this claim, and the claim last.
        schema: JSON schema of the answer; the same for every question of a prompt version.
        version: Name of the prompt version.
        hash: SHA-256 over the templates and the schema of that version.
        flags: What rendering noticed, for the verdict: `odd_characters` where hidden characters or
            look-alikes of a fence had to be spelt out.
    """

    system: str
    shared: str
    question: str
    schema: Mapping[str, Any]
    version: str
    hash: str
    flags: tuple[str, ...] = ()
