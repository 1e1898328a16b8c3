"""Finding, among the log probabilities of an answer's tokens, those of its level.

Chat completions give them as `choices[].logprobs.content`, the responses API as `logprobs` of an
output text; OpenAI, vLLM and llama.cpp spell one entry alike: `token`, `bytes`, `logprob` and
`top_logprobs`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from judge.level_odds import LevelTokens

__all__ = ["TOP", "level_tokens"]

TOP = 8
"""Candidates asked for in each place: there are six words, and some servers give no more."""

_MAX_ENTRIES = 200_000
_MAX_TOKENS = 32
# A quote inside a string of JSON has a backslash before it, so this is a key and its value.
_LEVEL = re.compile(rb'"level"\s*:\s*"([^"\\]*)"')


def level_tokens(entries: Any) -> LevelTokens | None:  # noqa: ANN401 - as a server gives it
    """The tokens that spell the level of the last object in an answer.

    Args:
        entries: The list of tokens with their log probabilities, as it came.

    Returns:
        The tokens; `None` where there are none, or they are not what they should be.
    """
    if not isinstance(entries, list) or not 0 < len(entries) <= _MAX_ENTRIES:
        return None
    try:
        pieces = [_bytes(entry) for entry in entries]
        found = None
        for found in _LEVEL.finditer(b"".join(pieces)):  # noqa: B007 - the last one is wanted
            pass
        if found is None:
            return None
        return _cut_out(entries, pieces, found.start(1), found.end(1))
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _cut_out(
    entries: Sequence[Any], pieces: Sequence[bytes], start: int, end: int
) -> LevelTokens | None:
    """The tokens from the one with the word's first byte to the one with the closing quote."""
    tokens: list[tuple[str, tuple[tuple[str, float], ...]]] = []
    lead = b""
    at = 0
    for entry, piece in zip(entries, pieces, strict=True):
        if at + len(piece) > start and at <= end and piece:
            if not tokens:
                lead = piece[: start - at]
            text = _text(piece)
            candidates = {text: _logprob(entry)}
            for other in entry.get("top_logprobs") or ():
                candidates.setdefault(_text(_bytes(other)), _logprob(other))
            tokens.append((text, tuple(candidates.items())))
        at += len(piece)
        if at > end:
            break
    if not 0 < len(tokens) <= _MAX_TOKENS:
        return None
    return LevelTokens(lead=_text(lead), tokens=tuple(tokens))


def _bytes(entry: Any) -> bytes:  # noqa: ANN401
    given = entry.get("bytes")
    if isinstance(given, list) and given:
        return bytes(given)
    return str(entry["token"]).encode("utf-8", "replace")


def _text(piece: bytes) -> str:
    return piece.decode("utf-8", "replace")


def _logprob(entry: Any) -> float:  # noqa: ANN401
    value = float(entry["logprob"])
    if math.isnan(value):
        raise ValueError("not a number")
    return max(value, -9999.0)
