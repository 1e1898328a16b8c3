"""The form of an answer: one JSON object, closed enums, reasons before the verdict.

The level is asked for as a word of a closed list, not as a number: servers that constrain an
answer by a grammar enforce enums but not numeric bounds, and `cannot_tell` needs a place that is
not on the scale.
"""

from __future__ import annotations

from typing import Any

from benchmark import Drift, Failure, Level

__all__ = ["ANSWER_SCHEMA", "CANNOT_TELL", "LEVEL_WORDS"]

LEVEL_WORDS: dict[str, Level] = {
    "0": Level.ABSENT,
    "0.25": Level.FRAGMENT,
    "0.5": Level.PARTIAL,
    "0.75": Level.MINOR,
    "1": Level.FAITHFUL,
}
"""The words for the five levels, as a judge says them."""

CANNOT_TELL = "cannot_tell"
"""What a judge says instead of a level when what it was shown does not decide the claim."""

ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "expected",
        "found",
        "citations",
        "rationale",
        "level",
        "drift",
        "failure",
        "confidence",
        "lacking",
    ],
    "properties": {
        "expected": {
            "type": "string",
            "description": "What the claim asks for, split into its parts; the core part first.",
        },
        "found": {
            "type": "string",
            "description": "What the code does about each part, with paths and lines.",
        },
        "citations": {
            "type": "array",
            "description": "The lines that decide the verdict, copied exactly.",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["path", "first", "last", "quote"],
                "properties": {
                    "path": {"type": "string", "description": "The file, as shown."},
                    "first": {"type": "integer", "description": "First line number."},
                    "last": {"type": "integer", "description": "Last line number."},
                    "quote": {
                        "type": "string",
                        "description": "The text of those lines, without their numbers.",
                    },
                },
            },
        },
        "rationale": {
            "type": "string",
            "description": "Why this level and not the one above or below it.",
        },
        "level": {"type": "string", "enum": [*LEVEL_WORDS, CANNOT_TELL]},
        "drift": {"type": "string", "enum": [drift.value for drift in Drift]},
        "failure": {"type": "string", "enum": [failure.value for failure in Failure]},
        "confidence": {
            "type": "number",
            "description": "Probability from 0 to 1 that a careful reader gives the same level.",
        },
        "lacking": {
            "type": "array",
            "description": "What you would have to see to be sure; empty when nothing.",
            "items": {"type": "string"},
        },
    },
}
"""JSON schema of an answer."""
