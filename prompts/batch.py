"""Several claims in one question: the questions as they are, one after another, and one answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from prompts.render import template, template_source
from prompts.schema import ANSWER_SCHEMA
from prompts.values import Prompt

__all__ = ["BATCH_SCHEMA", "MOST", "batch_hash", "batch_ids", "render_batch"]

MOST = 8
"""Claims in one question at most."""

_IDS = tuple(f"c{number}" for number in range(1, MOST + 1))


def batch_ids(count: int) -> tuple[str, ...]:
    """What the claims of one question are called in it: short, and the same in every question."""
    return _IDS[:count]


def _schema() -> dict[str, Any]:
    entry = {
        **ANSWER_SCHEMA,
        "required": ["id", *ANSWER_SCHEMA["required"]],
        "properties": {
            "id": {"type": "string", "enum": list(_IDS), "description": "Which claim it is."},
            **ANSWER_SCHEMA["properties"],
        },
    }
    verdicts = {"type": "array", "description": "One entry for each claim.", "items": entry}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["verdicts"],
        "properties": {"verdicts": verdicts},
    }


BATCH_SCHEMA: dict[str, Any] = _schema()
"""JSON schema of the answer; the same whatever the number of claims, for servers compile it."""


@cache
def batch_hash(version: str) -> str:
    """12 digits of a SHA-256 over the words and the schema that make one question of several."""
    made_of = [template_source(version, "batch"), BATCH_SCHEMA]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:12]


def render_batch(prompts: Sequence[Prompt]) -> Prompt:
    """One question that holds several.

    Args:
        prompts: Questions about one submission and of one kind of claim, so that rules and shared
            part are the same in all of them.

    Raises:
        ValueError: They do not belong together, or are too many.
    """
    first = prompts[0]
    if len({(one.system, one.shared, one.version) for one in prompts}) > 1:
        raise ValueError("questions of several submissions or kinds cannot be put together")
    if len(prompts) > MOST:
        raise ValueError(f"{len(prompts)} claims are more than {MOST}")
    ids = batch_ids(len(prompts))
    claims = [{"id": id_, "question": one.question} for id_, one in zip(ids, prompts, strict=True)]
    quoted = ", ".join(f'"{id_}"' for id_ in ids)
    question = template(first.version, "batch").render(claims=claims, ids=quoted)
    flags = dict.fromkeys(flag for one in prompts for flag in one.flags)
    return replace(first, question=question.strip(), schema=BATCH_SCHEMA, flags=tuple(flags))
