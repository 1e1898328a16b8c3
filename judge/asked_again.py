"""Why a question is asked again, in words: what was refused, and what the judge wanted to see.

A reason is `code: what happened`, as verdicts and the ledger have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

__all__ = ["LOOKED_UP", "because", "counts_of"]

LOOKED_UP = "looked_up"
"""The code of what follows an answer that is none the worse for it: it said what it lacks."""

_WORDS = {
    "no_verified_quote": "without a verified quote",
    "contradiction": "contradictory",
    "cannot_tell": "undecided",
    "off_scale": "off the scale",
    "off_menu": "off the menu",
    "missing_field": "without a field",
    "unknown_field": "with an unknown field",
    "duplicate_field": "with a field twice",
    "bad_field": "with a field of the wrong kind",
    "bad_json": "no JSON",
    "too_large": "too large",
    "truncated": "cut off",
    "reasoning_cut": "cut off before the first word",
    "refused": "declined",
    "empty": "empty",
}


def because(reason: str) -> str:
    """Why one question is asked again, as what follows `because`."""
    code, _, what = reason.partition(": ")
    if code == LOOKED_UP:
        return f"the judge lacked something, which it is shown now ({what})"
    return f"its answer was refused as {_words(code)} ({what or code})"


def counts_of(reasons: Iterable[str]) -> Iterator[str]:
    """Sentences that say how many questions are asked again for what, the commonest first."""
    codes = Counter(reason.partition(":")[0] for reason in reasons)
    shown = codes.pop(LOOKED_UP, 0)
    if refused := codes.total():
        kinds = ", ".join(f"{count:,} {_words(code)}" for code, count in codes.most_common())
        yield f"{_of_them(refused)} asked once more, because an answer was refused: {kinds}"
    if shown:
        yield f"{_of_them(shown)} asked on, with lines that the judge said it lacked"


def _of_them(count: int) -> str:
    return f"{count:,} of the questions that wait {'is' if count == 1 else 'are'}"


def _words(code: str) -> str:
    return _WORDS.get(code, code.replace("_", " "))
