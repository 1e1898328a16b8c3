"""What a judge is made from, as plain values: the config's `judge:` section without its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["APIS", "LOGPROBS", "STRUCTURES", "JudgeSettings"]

STRUCTURES = ("auto", "json_schema", "tool", "json_object", "text")
"""The ways to ask for a structured answer; `auto` takes the strictest that the endpoint accepts."""

APIS = ("auto", "chat", "responses")
"""The calls of OpenAI's API; `auto` is chat, which every compatible server has."""

LOGPROBS = ("off", "auto")
"""Whether log probabilities are asked for; `auto` does so until the endpoint refuses them."""


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How to make one judge.

    Attributes:
        kind: `embedded`, `openai`, `anthropic`, `exchange` or `scripted`.
        model: The model's name at the provider. There is no default: a judge is a choice.
        base_url: Root of the API; `None` is the vendor's own. `kind: openai` with a URL of its own
            speaks to any compatible server.
        api_key_env: Name of the environment variable that holds the key, `none` for servers that
            want no key, `None` for the vendor's usual variable.
        parameters: Sent to the provider as they stand; nothing else is.
        api: One of `APIS`, for `openai`.
        max_output_tokens: Room for an answer. With `reasoning_tokens` it is the cap that is sent,
            under whatever name the API gives it. `None` sends no cap where the API allows that.
        reasoning_tokens: Room for what a model thinks before it answers, on top of that.
        logprobs: One of `LOGPROBS`, for `openai` and `exchange`.
        concurrency: Requests in flight at a time, at most; fewer while the provider objects.
        requests_per_minute: No more than that are sent; `None` is no such bound.
        tokens_per_minute: Input and output together; `None` is no such bound.
        timeout_seconds: For one attempt.
        deadline_seconds: For one question, all attempts and waits together.
        structure: One of `STRUCTURES`.
        script: Path of the script, for `scripted`.
        exchange: Path of the folder with requests and answers, for `exchange`.
        prices: Path of a price table, which goes before any other source of prices.
        foresee: For `embedded`, the published judge whose levels are foreseen in place of the
            rubric's: `gpt-5.5` or `deepseek-v4-pro`.
        repeats: How often each question is asked, for a member of a panel.
        members: The judges, for `panel`.
        quorum: How many of them have to give a level; `None` is more than half.
    """

    kind: str
    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    api: str = "auto"
    max_output_tokens: int | None = 8192
    reasoning_tokens: int = 0
    logprobs: str = "off"
    concurrency: int = 8
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    timeout_seconds: float = 300.0
    deadline_seconds: float = 900.0
    structure: str = "auto"
    script: str | None = None
    exchange: str | None = None
    prices: str | None = None
    foresee: str | None = None
    repeats: int = 1
    members: tuple[JudgeSettings, ...] = ()
    quorum: int | None = None
