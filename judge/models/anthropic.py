"""The messages API of Anthropic, and of servers compatible with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judge.models.adapting import Form
from judge.models.clients import anthropic_client
from judge.models.endpoint import Endpoint
from judge.models.posting import post_once
from judge.models.wire import Reply, output_cap, parameters, schema_in_words, tokens
from judge.protocol import Answer
from judge.verdict import Usage
from prompts.values import Prompt

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

__all__ = ["DEFAULT_BASE_URL", "KEY_VARIABLE", "RESERVED", "AnthropicWire", "read_message"]

DEFAULT_BASE_URL = "https://api.anthropic.com"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
RESERVED = frozenset(
    {
        "cache_control",
        "max_tokens",
        "messages",
        "model",
        "stream",
        "system",
        "tool_choice",
        "tools",
    }
)
_NAME = "verdict"
_CACHE_POINT = {"type": "ephemeral"}
_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class AnthropicWire:
    """Spells requests as messages, with cache points behind the rules and the shared part.

    The SDK's call has no temperature, top_p or top_k, and current models refuse them; older models
    and compatible servers take them, so those that the user sets are sent, and left out once they
    are refused.

    Args:
        endpoint: Where to ask.
        concurrency: Requests in flight at a time.
    """

    path = "/v1/messages"
    ladder: tuple[str, ...] = ("json_schema", "tool", "text")
    caps: tuple[str, ...] = ("max_tokens",)
    logprobs: Mapping[str, Any] = {}

    def __init__(self, endpoint: Endpoint, *, concurrency: int = 1) -> None:
        self._endpoint = endpoint
        self._concurrency = concurrency
        self._client: AsyncAnthropic | None = None

    def messages(self, prompt: Prompt) -> list[dict[str, Any]]:
        """Rules, shared part, question; the first two end in a cache point."""
        content = []
        if prompt.shared:
            content.append({"type": "text", "text": prompt.shared, "cache_control": _CACHE_POINT})
        content.append({"type": "text", "text": prompt.question})
        rules = {"type": "text", "text": prompt.system, "cache_control": _CACHE_POINT}
        return [{"role": "system", "content": [rules]}, {"role": "user", "content": content}]

    def payload(self, body: Mapping[str, Any], form: Form) -> dict[str, Any]:
        """The JSON that is sent."""
        system, *messages = body["messages"]
        rules = [dict(block) for block in system["content"]]
        payload: dict[str, Any] = {
            "model": body["model"],
            "max_tokens": output_cap(body),
            "system": rules,
            "messages": messages,
        }
        payload.update(parameters(body, form, self.logprobs))
        schema = body["schema"]
        if form.rung == "json_schema":
            payload["output_config"] = {
                **payload.get("output_config", {}),
                "format": {"type": "json_schema", "schema": schema},
            }
        elif form.rung == "tool":
            payload["tools"] = [
                {"name": _NAME, "description": "Hand in the verdict.", "input_schema": schema}
            ]
            payload["tool_choice"] = {"type": "tool", "name": _NAME}
        else:
            rules[0]["text"] += "\n\n" + schema_in_words(schema)
        return payload

    def open(self) -> None:
        """Load the SDK and make its client, unless that is done."""
        if self._client is None:
            import anthropic  # noqa: PLC0415 - a second and more that only those who ask should pay

            from judge.models.sharding import http_client  # noqa: PLC0415 - the same

            self._client = anthropic_client(
                self._endpoint, http_client(anthropic.DefaultAsyncHttpxClient, self._concurrency)
            )

    async def post(self, payload: Mapping[str, Any], timeout_seconds: float) -> Reply:
        """Send once."""
        import anthropic  # noqa: PLC0415

        if self._client is None:
            raise RuntimeError("open() comes first")
        return await post_once(
            anthropic,
            self._client,
            self.path,
            payload,
            timeout_seconds=timeout_seconds,
            endpoint=self._endpoint,
        )

    def read(self, data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        """The answer in a message."""
        return read_message(data, headers)

    async def close(self) -> None:
        """Let go of connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None


def read_message(data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
    """The answer in a message.

    Raises:
        KeyError, IndexError, TypeError, AttributeError: The response has another shape.
    """
    texts = [block["text"] for block in data["content"] if block["type"] == "text"]
    text = "".join(texts)
    for block in data["content"]:
        if block["type"] == "tool_use":
            text = json.dumps(block["input"], ensure_ascii=False)
            break
    finish = data.get("stop_reason") or "stop"
    finish = _FINISH.get(finish, finish)
    if finish == "refusal":
        details = data.get("stop_details") or {}
        text = details.get("explanation") or details.get("category") or text
    return Answer(
        text=text,
        model=data.get("model"),
        finish=finish,
        request_id=headers.get("request-id") or data.get("id"),
        usage=_usage(data.get("usage") or {}),
    )


def _usage(usage: Mapping[str, Any]) -> Usage:
    cached = tokens(usage.get("cache_read_input_tokens"))
    written = tokens(usage.get("cache_creation_input_tokens"))
    # This API counts what was read from or written to the cache apart; here, as elsewhere, the
    # input is all of it.
    new = tokens(usage.get("input_tokens"))
    total = None if new is None else new + (cached or 0) + (written or 0)
    details = usage.get("output_tokens_details") or {}
    return Usage(
        input_tokens=total,
        cached_tokens=cached,
        written_tokens=written,
        output_tokens=tokens(usage.get("output_tokens")),
        reasoning_tokens=tokens(details.get("thinking_tokens")),
    )
