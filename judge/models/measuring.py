"""How many tokens a request takes, before anybody has counted them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from retrieval.tokens import estimate_tokens

__all__ = ["AT_LEAST", "AT_MOST", "at_most", "request_tokens"]

AT_LEAST, AT_MOST = 0.8, 1.34
"""The true number of tokens as a share of the estimate, at least and at most: nine in ten single
windows of code lie between .84 and 1.34 of it, and a whole prompt is closer."""

_PER_MESSAGE = 8


def request_tokens(body: Mapping[str, Any]) -> int:
    """The estimated input tokens of a request's canonical body, its schema included."""
    total = estimate_tokens(json.dumps(body["schema"])) if body.get("schema") else 0
    for text in _texts(body.get("messages") or ()):
        total += estimate_tokens(text) + _PER_MESSAGE
    return total


def at_most(tokens: int) -> int:
    """The most that an estimate may turn out to be."""
    return math.ceil(tokens * AT_MOST)


def _texts(messages: Any) -> Iterator[str]:  # noqa: ANN401
    for message in messages:
        content = message["content"]
        if isinstance(content, str):
            yield content
        else:
            for part in content:
                yield part.get("text") or ""
