"""The responses API of OpenAI, and of the servers that have it too.

Nothing is kept there between two questions: each holds its whole conversation, as in chat, and
`store` is off unless the user sets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.models.adapting import Form
from judge.models.endpoint import Endpoint
from judge.models.logprobs import TOP, level_tokens
from judge.models.openai import OpenAIWire, read_usage
from judge.models.wire import output_cap, parameters, schema_in_words
from judge.protocol import Answer

__all__ = ["RESERVED", "ResponsesWire", "read_response"]

RESERVED = frozenset(
    {
        "background",
        "conversation",
        "include",
        "input",
        "instructions",
        "max_output_tokens",
        "model",
        "previous_response_id",
        "prompt",
        "stream",
        "stream_options",
        "tool_choice",
        "tools",
    }
)
_NAME = "verdict"
_FINISH = {"max_output_tokens": "length", "content_filter": "refusal"}


class ResponsesWire(OpenAIWire):
    """Spells requests as responses.

    Args:
        endpoint: Where to ask.
        concurrency: Requests in flight at a time.
    """

    path = "/responses"
    logprobs: Mapping[str, Any] = {
        "include": ["message.output_text.logprobs"],
        "top_logprobs": TOP,
    }

    def __init__(self, endpoint: Endpoint, *, concurrency: int = 1) -> None:
        super().__init__(endpoint, concurrency=concurrency)
        self.caps = ("max_output_tokens",)

    def payload(self, body: Mapping[str, Any], form: Form) -> dict[str, Any]:
        """The JSON that is sent."""
        schema = body["schema"]
        messages = [dict(message) for message in body["messages"]]
        payload: dict[str, Any] = {"model": body["model"], "input": messages, "store": False}
        payload.update(parameters(body, form, self.logprobs))
        if form.cap is not None and (cap := output_cap(body)) is not None:
            payload[form.cap] = cap
        text = dict(payload.get("text") or {})
        if form.rung == "json_schema":
            text["format"] = {
                "type": "json_schema",
                "name": _NAME,
                "strict": True,
                "schema": schema,
            }
        elif form.rung == "tool":
            payload["tools"] = [
                {
                    "type": "function",
                    "name": _NAME,
                    "description": "Hand in the verdict.",
                    "parameters": schema,
                    "strict": True,
                }
            ]
            payload["tool_choice"] = {"type": "function", "name": _NAME}
        else:
            if form.rung == "json_object":
                text["format"] = {"type": "json_object"}
            messages[0]["content"] += "\n\n" + schema_in_words(schema)
        if text:
            payload["text"] = text
        return payload

    def read(self, data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        """The answer in a response."""
        return read_response(data, headers)


def read_response(data: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
    """The answer in a response.

    Raises:
        KeyError, IndexError, TypeError, AttributeError: It has another shape.
    """
    texts: list[str] = []
    entries: list[Any] = []
    call = refusal = None
    for item in data["output"]:
        if item["type"] == "function_call" and call is None:
            call = item["arguments"]
        if item["type"] != "message":
            continue
        for part in item["content"]:
            if part["type"] == "output_text":
                texts.append(part["text"])
                entries += part.get("logprobs") or ()
            elif part["type"] == "refusal":
                refusal = part["refusal"]
    finish = "stop"
    if data.get("status") == "incomplete":
        reason = (data.get("incomplete_details") or {}).get("reason") or "incomplete"
        finish = _FINISH.get(reason, reason)
    elif data.get("status") not in {"completed", None}:
        # In the background, cancelled, or failed without an error: no answer is here.
        raise TypeError(f"status {data.get('status')}")
    text = "".join(texts) if call is None else str(call)
    if refusal is not None:
        text, finish = str(refusal), "refusal"
    return Answer(
        text=text,
        model=data.get("model"),
        finish=finish,
        request_id=headers.get("x-request-id") or data.get("id"),
        usage=read_usage(data.get("usage") or {}, "input", "output"),
        level_tokens=level_tokens(entries),
    )
