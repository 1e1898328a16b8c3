"""What differs between APIs: how a request is spelt, sent, and its answer read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from judge.models.adapting import Form
from judge.models.logprobs import TOP
from judge.models.retrying import Transient
from judge.models.settings import JudgeSettings
from judge.protocol import Answer, Question, Request
from prompts.values import Prompt

__all__ = [
    "JSON_HEADERS",
    "Reply",
    "Unreachable",
    "Wire",
    "encodable",
    "json_bytes",
    "output_cap",
    "parameters",
    "parameters_sent",
    "prompted_request",
    "schema_in_words",
    "settings_in_key",
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
    """One API: how a request is spelt there, sent, and its answer read.

    Attributes:
        path: The call, below the base URL.
        ladder: Ways to ask for structure, strictest first.
        caps: Names that the output cap has had, the first to try first.
        logprobs: What asks for log probabilities; empty where there are none.
    """

    path: str
    ladder: tuple[str, ...]
    caps: tuple[str, ...]
    logprobs: Mapping[str, Any]

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


def settings_in_key(settings: JudgeSettings) -> dict[str, Any]:
    """The settings that go into a request's body, and so into its key.

    What was added later stands there only where it is set: answers of before stay what they were.
    """
    known: dict[str, Any] = {
        "parameters": dict(settings.parameters),
        "max_output_tokens": settings.max_output_tokens,
    }
    if settings.reasoning_tokens:
        known["reasoning_tokens"] = settings.reasoning_tokens
    if settings.logprobs != "off":
        known["logprobs"] = TOP
    if settings.api == "responses":
        known["api"] = settings.api
    return known


def prompted_request(
    identity: Mapping[str, Any], wire: Wire, question: Question, repeat: int
) -> Request:
    """The exact request of a judge that reads prompts; pure.

    Args:
        identity: All that decides the judge's answers besides the question.
        wire: Its API.
        question: The question.
        repeat: The how-manieth time it is asked, from 0.

    Raises:
        ValueError: The question has no prompt.
    """
    prompt = question.prompt
    if prompt is None:
        raise ValueError("this judge reads prompts, and the question has none")
    return Request(
        {
            **identity,
            "messages": encodable(wire.messages(prompt)),
            "schema": prompt.schema,
            "repeat": repeat,
        }
    )


def output_cap(body: Mapping[str, Any]) -> int | None:
    """The cap that a request is sent with: room for the answer, and for the thoughts before it."""
    answer: int | None = body["max_output_tokens"]
    reasoning: int = body.get("reasoning_tokens", 0)
    return None if answer is None else answer + reasoning


def parameters(body: Mapping[str, Any], form: Form, logprobs: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that go out, but for the cap.

    Args:
        body: A request's canonical body.
        form: How it is sent.
        logprobs: What asks for log probabilities at this API.
    """
    sent = {name: value for name, value in body["parameters"].items() if name not in form.dropped}
    # One without the other asks for nothing, or is refused.
    if body.get("logprobs") and not logprobs.keys() & form.dropped:
        sent.update(logprobs)
    return sent


def parameters_sent(body: Mapping[str, Any], form: Form, wire: Wire) -> dict[str, Any]:
    """All parameters that go out, the cap under the name that it goes by."""
    sent = parameters(body, form, wire.logprobs)
    if form.cap is not None and (cap := output_cap(body)) is not None:
        sent[form.cap] = cap
    return sent


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
