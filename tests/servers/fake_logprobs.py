"""Log probabilities as servers report them, for an answer whose level has given odds."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

_PIECE = re.compile(r"\d+|[A-Za-z_]+|\s+|.", re.DOTALL)
_LEVEL = re.compile(r'"level"\s*:\s*"([^"\\]*)"')


def pieces(text: str) -> list[str]:
    """A text in tokens: runs of digits, of letters, of white space, and single signs."""
    return _PIECE.findall(text)


def entries(
    text: str, odds: Mapping[str, float], *, elsewhere: float = 0.0, top: int = 8
) -> list[dict[str, Any]]:
    """The tokens of an answer with their log probabilities.

    Args:
        text: The answer, a JSON object.
        odds: Of the words for the level, adding up to 1.
        elsewhere: Probability of a token that no level begins with, in the level's first place.
        top: Candidates listed in each place.
    """
    # A text that states no level is spelt by sure tokens alone.
    found = list(_LEVEL.finditer(text))
    start, end = found[-1].span(1) if found else (len(text) + 1, len(text))
    spelt = {word: pieces(f'{word}"') for word in odds}
    made = []
    at, typed = 0, []
    for piece in pieces(text):
        candidates = {piece: 1.0}
        if start <= at <= end:
            behind: dict[str, float] = {}
            for word, tokens in spelt.items():
                if tokens[: len(typed)] == typed and len(tokens) > len(typed):
                    following = tokens[len(typed)]
                    behind[following] = behind.get(following, 0.0) + odds[word]
            total = sum(behind.values())
            share = (1 - elsewhere if not typed else 1.0) / total
            candidates = {token: mass * share for token, mass in behind.items()}
            if elsewhere and not typed:
                candidates["High"] = elsewhere
            typed.append(piece)
        made.append(_entry(piece, candidates, top))
        at += len(piece)
    return made


def _entry(piece: str, candidates: Mapping[str, float], top: int) -> dict[str, Any]:
    ranked = sorted(candidates.items(), key=lambda item: -item[1])
    listed = [
        {"token": token, "bytes": list(token.encode()), "logprob": _log(mass)}
        for token, mass in ranked[:top]
    ]
    own = {"token": piece, "bytes": list(piece.encode()), "logprob": _log(candidates[piece])}
    return {**own, "top_logprobs": listed}


def _log(mass: float) -> float:
    return math.log(mass) if mass > 0 else -9999.0
