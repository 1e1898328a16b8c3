"""The chat completions API: OpenAI's, and that of every server compatible with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judge.models.adapting import Form
from judge.models.clients import openai_client
from judge.models.endpoint import Endpoint
from judge.models.logprobs import TOP, level_tokens
from judge.models.posting import post_once
from judge.models.wire import Reply, output_cap, parameters, schema_in_words, tokens
from judge.protocol import Answer
from judge.verdict import Usage
from prompts.values import Prompt

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = [
    "DEFAULT_BASE_URL",
    "KEY_VARIABLE",
    "RESERVED",
    "OpenAIWire",
    "read_completion",
    "read_usage",
]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
RESERVED = frozenset(
    {
        "functions",
        "function_call",
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "response_format",
        "stream",
        "stream_options",
        "tool_choice",
        "tools",
    }
)
_NAME = "verdict"
_FINISH = {
    "stop": "stop",
    "tool_calls": "stop",
    "function_call": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
}


class OpenAIWire:
    """Spells requests as chat completions.

    Every compatible server has this call; the newer one of the vendor (`openai_responses`) few
    have.

    Args:
        endpoint: Where to ask.
        concurrency: Requests in flight at a time.
    """

    path = "/chat/completions"
    ladder: tuple[str, ...] = ("json_schema", "tool", "json_object", "text")
    logprobs: Mapping[str, Any] = {"logprobs": True, "top_logprobs": TOP}

    def __init__(self, endpoint: Endpoint, *, concurrency: int = 1) -> None:
        self._endpoint = endpoint
        self._concurrency = concurrency
        # The old name is the one that compatible servers know, and one that they do not know they
        # would pass over in silence; the vendor refuses it by name for some of its models.
        own = endpoint.base_url == DEFAULT_BASE_URL
        names = ("max_completion_tokens", "max_tokens")
        self.caps: tuple[str, ...] = names if own else names[::-1]
        self._client: AsyncOpenAI | None = None

    def messages(self, prompt: Prompt) -> list[dict[str, Any]]:
        """Rules, then one user message of the shared part and the question.

        One message, for some chat templates refuse two of one role in a row; prefix caching goes
        by bytes and does not mind.
        """
        user = "\n\n".join(part for part in (prompt.shared, prompt.question) if part)
        return [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": user},
        ]

    def payload(self, body: Mapping[str, Any], form: Form) -> dict[str, Any]:
        """The JSON that is sent."""
        schema = body["schema"]
        messages = [dict(message) for message in body["messages"]]
        payload: dict[str, Any] = {"model": body["model"], "messages": messages}
        payload.update(parameters(body, form, self.logprobs))
        if form.cap is not None and (cap := output_cap(body)) is not None:
            payload[form.cap] = cap
        if form.rung == "json_schema":
            payload["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": _NAME, "strict": True, "schema": schema},
            }
        elif form.rung == "tool":
            function = {
                "name": _NAME,
                "description": "Hand in the verdict.",
                "parameters": schema,
            }
            payload["tools"] = [{"type": "function", "function": function}]
            payload["tool_choice"] = {"type": "function", "function": {"name": _NAME}}
        else:
            if form.rung == "json_object":
                payload["response_format"] = {"type": "json_object"}
            messages[0]["content"] += "\n\n" + schema_in_words(schema)
        return payload

    def open(self) -> None:
        """Load the SDK and make its client, unless that is done."""
        if self._client is None:
            import openai  # noqa: PLC0415 - half a second that only those who ask should pay

            from judge.models.sharding import http_client  # noqa: PLC0415 - the same

            self._client = openai_client(
                self._endpoint, http_client(openai.DefaultAsyncHttpxClient, self._concurrency)
            )

    async def post(self, payload: Mapping[str, Any], timeout_seconds: float) -> Reply:
        """Send once."""
        import openai  # noqa: PLC0415

        if self._client is None:
            raise RuntimeError("open() comes first")
        return await post_once(
            openai,
            self._client,
            self.path,
            payload,
            timeout_seconds=timeout_seconds,
            endpoint=self._endpoint,
        )

    def read(self, data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        """The answer in a chat completion."""
        return read_completion(data, headers)

    async def close(self) -> None:
        """Let go of connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None


def read_completion(data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
    """The answer in a chat completion.

    Raises:
        KeyError, IndexError, TypeError, AttributeError: The response has another shape; so has one
            with several choices, as one was asked for and nobody says which counts.
    """
    choices = data["choices"]
    if len(choices) > 1:
        raise IndexError("several choices")
    choice = choices[0]
    message = choice["message"]
    text = _text(message.get("content"))
    for call in message.get("tool_calls") or ():
        arguments = call["function"]["arguments"]
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        break
    finish = choice.get("finish_reason") or "stop"
    finish = _FINISH.get(finish, finish)
    if refusal := message.get("refusal"):
        text, finish = str(refusal), "refusal"
    return Answer(
        text=text,
        model=data.get("model"),
        finish=finish,
        request_id=headers.get("x-request-id") or data.get("id"),
        usage=read_usage(data.get("usage") or {}, "prompt", "completion"),
        level_tokens=level_tokens((choice.get("logprobs") or {}).get("content")),
    )


def _text(content: Any) -> str:  # noqa: ANN401
    if isinstance(content, list):
        # Some servers answer in parts, thoughts among them.
        return "".join(part.get("text") or "" for part in content if part.get("type") == "text")
    return content or ""


def read_usage(usage: Mapping[str, Any], given: str, made: str) -> Usage:
    """What was spent, as both calls tell it, each in its own words.

    Args:
        usage: As it came.
        given: What tokens that are sent are called: `prompt` in chat, `input` in responses.
        made: What tokens that come back are called: `completion` or `output`.
    """
    sent = usage.get(f"{given}_tokens_details") or {}
    back = usage.get(f"{made}_tokens_details") or {}
    cached = tokens(sent.get("cached_tokens"))
    return Usage(
        input_tokens=tokens(usage.get(f"{given}_tokens")),
        # DeepSeek's name for it.
        cached_tokens=tokens(usage.get("prompt_cache_hit_tokens")) if cached is None else cached,
        written_tokens=tokens(sent.get("cache_write_tokens")),
        output_tokens=tokens(usage.get(f"{made}_tokens")),
        reasoning_tokens=tokens(back.get("reasoning_tokens")),
    )
