"""How many tokens a text takes in a prompt.

Providers' tokenizers cannot be had without a network, so this is a calibrated estimate with a
margin: code came to 3.0 to 3.4 characters that are not spaces for a token, prose to more.
"""

from __future__ import annotations

import math

__all__ = ["estimate_tokens", "line_tokens"]

_CHARACTERS = 2.8
_NUMBER_COST = 2  # of a printed line number and its separator


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of a text, on the high side."""
    return math.ceil(sum(map(_cost, text.split("\n"))))


def line_tokens(line: str) -> int:
    """The estimated tokens of one numbered line."""
    return math.ceil(_cost(line)) + _NUMBER_COST


def _cost(line: str) -> float:
    dense = len(line) - line.count(" ")
    if line.isascii():
        return dense / _CHARACTERS + 1
    wide = len(line.encode("utf-8", "replace")) - len(line)
    return dense / _CHARACTERS + wide * 0.5 + 1
