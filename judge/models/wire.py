"""What differs between APIs: how a request is spelt, sent, and its answer read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from judge.models.adapting import Form
from judge.models.retrying import Transient
from judge.protocol import Answer
from prompts.values import Prompt

__all__ = [
    "JSON_HEADERS",
    "Reply",
    "Unreachable",
    "Wire",
    "encodable",
    "json_bytes",
    "schema_in_words",
    "tokens",
]

JSON_HEADERS = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response, whatever its status."""

    status: int
    headers: Mapping[str, str]
    text: str


class Unreachable(Transient):
    """No connection could be made at all."""


class Wire(Protocol):
    """One API: how a request is spelt there, sent, and its answer read."""

    ladder: tuple[str, ...]
    caps: tuple[str, ...]

    def messages(self, prompt: Prompt) -> list[dict[str, Any]]:
        """The prompt as this API's messages, constant parts first."""

    def payload(self, body: Mapping[str, Any], form: Form) -> dict[str, Any]:
        """The JSON that is sent, from a request's canonical body; pure."""

    def open(self) -> None:
        """Get ready to send; called before each question, and cheap after the first."""

    async def post(self, payload: Mapping[str, Any], timeout_seconds: float) -> Reply:
        """Send once.

        Raises:
            Transient: No response came.
        """

    def read(self, data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        """The answer in a response; `finish` is `stop`, `length`, `refusal` or another word.

        Raises:
            KeyError, IndexError, TypeError, AttributeError: The response has another shape.
        """

    async def close(self) -> None:
        """Let go of connections."""


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """What is added to the rules where the endpoint cannot be handed a schema by itself."""
    return (
        "Answer with one JSON object and nothing else: no Markdown fence, no text before or after "
        f"it. It must match this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )


def json_bytes(payload: Mapping[str, Any]) -> bytes:
    """The bytes that are sent."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def tokens(value: Any) -> int | None:  # noqa: ANN401
    """A count of tokens as a server gives it, or `None` where it gives none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def encodable(value: Any) -> Any:  # noqa: ANN401
    """The same JSON value with lone surrogates replaced: no server takes them."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [encodable(item) for item in value]
    if isinstance(value, dict):
        return {key: encodable(item) for key, item in value.items()}
    return value
