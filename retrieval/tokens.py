"""How many tokens a text takes in a prompt.

Providers' tokenizers cannot be had without a network, so this is an estimate by the kind of
character, fitted to OpenAI's `o200k_base` (with which `cl100k_base` agrees to 1 %) on windows of
25 lines of generated and official repositories: letters are cheap, digits and signs dear, spaces
all but free. Over a repository it is 6 % too high for Python, 10 % for YAML and 15 % for Markdown;
for one window of 25 lines nine in ten lie between .84 and 1.34 of the true number. What a provider
reports as used corrects it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = [
    "LINE_NUMBER_TOKENS",
    "OMITTED_TOKENS",
    "SHOWN_LINE_CHARACTERS",
    "estimate_tokens",
    "line_tokens",
    "named_within",
]

LINE_NUMBER_TOKENS = 2.5
"""Of a line's printed number and bar: 2.1 to 2.4 for nine in ten questions in `o200k_base`."""

SHOWN_LINE_CHARACTERS = 600
"""Of a line that is shown; what is beyond is cut, and evidence with such a line is not whole."""

OMITTED_TOKENS = 60
"""Of the names of files that are not shown; the rest is counted."""


def _table() -> npt.NDArray[np.float32]:
    costs = np.full(256, 0.33, np.float32)  # signs
    for letter in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ":
        costs[letter] = 0.30
    costs[ord("0") : ord("9") + 1] = 1.70
    costs[128:] = 0.35  # bytes of a character beyond ASCII
    costs[ord(" ")] = 0.02
    costs[ord("\t")] = 0.10
    costs[ord("\n")] = 0.20
    # Control characters are spelt out where they are shown.
    costs[:9] = costs[11:32] = costs[127] = 6.0
    return costs


_WIDE_COSTS = _table().astype(np.float64)
# The kinds of bytes by their cost, and each byte as the first of its kind: a text is short, mostly,
# and counting is quicker than arrays are made.
_KINDS = {float(cost): bytes([byte]) for byte, cost in reversed(list(enumerate(_WIDE_COSTS)))}
_KIND_OF = b"".join(_KINDS[float(cost)] for cost in _WIDE_COSTS)


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of a text, on the high side; 0 for an empty one."""
    if not text:
        return 0
    count = text.encode("utf-8", "replace").translate(_KIND_OF).count
    total = 0.0
    for cost, kind in _KINDS.items():
        total += cost * count(kind)
    return max(1, math.ceil(total))


def line_tokens(lines: Sequence[str]) -> npt.NDArray[np.int32]:
    """The estimated tokens of each line: at least 1, and 0 for an empty line."""
    data = np.frombuffer("\n".join([*lines, ""]).encode("utf-8", "replace"), np.uint8)
    total = np.cumsum(_WIDE_COSTS.take(data))
    ends = np.flatnonzero(data == ord("\n"))
    costs = np.diff(total[ends], prepend=0.0)
    filled = np.diff(ends, prepend=-1) > 1
    return np.where(filled, np.maximum(1, np.rint(costs)), 0).astype(np.int32)


def named_within(names: Sequence[str], tokens: int) -> str:
    """The first of some names, as many as fit, and how many more there are.

    Args:
        names: In order; the first one is named whatever it takes.
        tokens: The room for all of them.
    """
    kept: list[str] = []
    left = tokens
    for name in names:
        left -= estimate_tokens(name) + 1
        if kept and left < 0:
            break
        kept.append(name)
    more = len(names) - len(kept)
    return ", ".join(kept) + (f" and {more:,} more" if more else "")
