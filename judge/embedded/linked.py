"""Whether a way is taken elsewhere than on its line: where what the line gives goes on.

What is summed may be divided lines below, in a method that reads the attribute, or by a caller.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from judge.embedded.choices import Side
from judge.embedded.survey import Survey
from retrieval.words import join

__all__ = ["is_linked"]

_BESIDE = 12  # lines on either side of a place that may go on with what it gives
_BELOW = 80  # and below it, in its function, by the name that it is given
_WIDEST = 400  # characters of a line that are read
_MOST = 80  # lines that are looked at elsewhere
_MOST_CALLERS = 8
_HEAD = re.compile(r"\s*(?:async\s+)?(?:def|class)\b")
_TARGET = re.compile(r"\s*(?:self\.)?(\w+)(?:\[[^\]]*\])?\s*(?::[^=]*)?[-+*/]?=(?!=)")
_OF_SELF = re.compile(r"\s*self\.(\w+)(?:\[[^\]]*\])?\s*(?::[^=]*)?[-+*/]?=(?!=)")
_RETURN = re.compile(r"\s*return\b(.*)")


def is_linked(survey: Survey, side: Side, row: int) -> bool:
    """Whether a line may take a side, or one does that gives it something or goes on with it.

    Args:
        survey: The repository.
        side: The side.
        row: The live row of the line.
    """
    own = survey.codes[row]
    return (
        side.may.search(own, 0, _WIDEST) is not None
        or any(_is_joined(survey, side, row, other) for other in _around(survey, row))
        or any(_may(survey, side, other) for other in _attribute_rows(survey, own))
        or any(_may(survey, side, other) for other in _caller_rows(survey, row))
    )


def _may(survey: Survey, side: Side, row: int) -> bool:
    code = survey.codes[row]
    # The name of a function does nothing.
    return side.may.search(code, 0, _WIDEST) is not None and not _HEAD.match(code)


def _around(survey: Survey, row: int) -> Iterator[int]:
    """The other rows of the function that may have to do with a row."""
    blocks = survey.row_blocks
    last = min(len(blocks), row + _BELOW + 1)
    for other in range(max(0, row - _BESIDE), last):
        if other != row and blocks[other] == blocks[row]:
            yield other


def _is_joined(survey: Survey, side: Side, row: int, other: int) -> bool:
    codes = survey.codes
    own, target = codes[row], _target(codes[row])
    beside = abs(other - row) == 1
    name = target if other > row else _target(codes[other])
    held = codes[other] if other > row else own
    joined = (
        (beside and _is_open(codes[min(row, other)]))
        or (bool(name) and _holds(held, name))
        # What a line without a name gives may go anywhere.
        or (beside and not target)
    )
    return joined and _may(survey, side, other)


def _attribute_rows(survey: Survey, code: str) -> Iterable[int]:
    """The rows that hold the attribute that a line gives a value."""
    match = _OF_SELF.match(code)
    if match is None:
        return ()
    rows = survey.rows(survey.places(join(match[1])).live).tolist()[:_MOST]
    return (row for row in rows if _holds(survey.codes[row], match[1]))


def _caller_rows(survey: Survey, row: int) -> Iterator[int]:
    """The rows of callers that may go on with what a line returns.

    What is returned beside something else, as a count, is worked on where both arrive.
    """
    match = _RETURN.match(survey.codes[row])
    if match is None:
        return
    several = _has_comma(match[1])
    block = survey.blocks[int(survey.row_blocks[row])]
    symbol = survey.index.graph.symbol(f"{block.path}::{block.name}")
    if symbol is None or not block.name:
        return
    name = block.name.rpartition(".")[2]
    for caller in survey.index.callers_of(symbol)[:_MOST_CALLERS]:
        number = survey.block_number(caller.path, caller.name)
        if number < 0:
            continue
        at = np.flatnonzero(survey.row_blocks == number).tolist()[:_MOST]
        for call in at:
            if not _holds(survey.codes[call], name):
                continue
            yield call
            target = _target(survey.codes[call])
            for other in at:
                if other > call and (several or (target and _holds(survey.codes[other], target))):
                    yield other


def _has_comma(code: str) -> bool:
    """Whether a comma stands outside of all brackets."""
    depth = 0
    for sign in code[:_WIDEST]:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            return True
    return False


def _holds(code: str, name: str) -> bool:
    return name in code and re.search(rf"\b{name}\b", code) is not None


def _target(code: str) -> str:
    match = _TARGET.match(code)
    return match[1] if match is not None else ""


def _is_open(code: str) -> bool:
    """Whether a statement goes on behind a line."""
    return sum(map(code.count, "([{")) > sum(map(code.count, ")]}")) or code.rstrip()[-1:] == "\\"
