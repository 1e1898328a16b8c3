"""The operations of a repository's live lines, counted once for all claims."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from judge.embedded.formulas import OPERATIONS, line_operations, line_pairs
from judge.embedded.survey import Kept, Survey
from judge.embedded.windows import Float, Rows

__all__ = ["Operations", "are_called", "operations_of"]

# Operations whose names other things have, too: `min_num_steps`, `exp_dir`, `log_interval`.
_CALLED = {
    "minimum": ("min", "argmin"),
    "maximum": ("max", "argmax"),
    "logarithm": ("log", "softmax"),
    "exponential": ("exp", "softmax"),
    "square root": ("root",),
}
_NONE: Rows = np.zeros(0, np.int64)
_ARITHMETIC = frozenset("+-*/@")


class Operations:
    """How often each live line carries out each operation."""

    def __init__(self, survey: Survey) -> None:
        rows: list[int] = []
        places: list[int] = []
        pairs: defaultdict[str, list[int]] = defaultdict(list)
        for row, code in enumerate(survey.codes):
            if "(" not in code and _ARITHMETIC.isdisjoint(code) and ".T" not in code:
                continue
            for place in line_operations(code):
                rows.append(row)
                places.append(place)
            if not _ARITHMETIC.isdisjoint(code):
                for pair in dict.fromkeys(line_pairs(code)):
                    pairs[pair].append(row)
        count = survey.live_lines
        table = np.zeros((count + 1, len(OPERATIONS)))
        np.add.at(table, (np.array(rows, np.int64) + 1, np.array(places, np.int64)), 1.0)
        self._sums = np.cumsum(table, axis=0)
        self._pairs = {pair: np.array(own, np.int64) for pair, own in pairs.items()}
        self._count = count
        self._blocks = survey.row_blocks

    def within(self, size: int, chosen: Rows) -> Float:
        """How often the chosen operations stand in each window: shape (rows, chosen)."""
        ends = np.minimum(np.arange(self._count) + size, self._count)
        sums = self._sums[:, chosen]
        found: Float = sums[ends] - sums[: self._count]
        return found

    def rows_with(self, operations: Iterable[str]) -> Rows:
        """The rows where any of some operations is carried out, by their names."""
        chosen = [OPERATIONS.index(name) for name in operations]
        found: Rows = np.flatnonzero(np.diff(self._sums[:, chosen].sum(axis=1)) > 0)
        return found

    def near(self, operation: int, row: int, reach: int) -> bool:
        """Whether an operation stands within reach of a row."""
        first, last = max(0, row - reach), min(self._count, row + reach)
        return bool(self._sums[last, operation] > self._sums[first, operation])

    def in_block(self, block: int) -> Float:
        """How often each operation stands in a block: shape (operations,)."""
        rows = np.flatnonzero(self._blocks == block)
        found: Float = (self._sums[rows + 1] - self._sums[rows]).sum(axis=0)
        return found

    def rows_of(self, spellings: Sequence[str]) -> Rows:
        """The rows where any spelling of a pair stands."""
        own = [self._pairs[pair] for pair in spellings if pair in self._pairs]
        if not own:
            return _NONE
        found: Rows = own[0] if len(own) == 1 else np.unique(np.concatenate(own))
        return found


def are_called(survey: Survey, names: Sequence[str], blocks: Iterable[int]) -> list[str]:
    """Those of some operations that are carried out in any of some blocks, and not only named."""
    wanted = {name for name in names if name in _CALLED}
    if not wanted:
        return list(names)
    operations = operations_of(survey)
    done = sum((operations.in_block(block) for block in blocks), np.zeros(len(OPERATIONS)))
    return [
        name
        for name in names
        if name not in wanted or any(done[OPERATIONS.index(one)] for one in _CALLED[name])
    ]


_OPERATIONS: Kept[Operations] = Kept()


def operations_of(survey: Survey) -> Operations:
    """The operations of a repository; counted once."""
    known = _OPERATIONS.get(survey)
    if known is None:
        known = _OPERATIONS[survey] = Operations(survey)
    return known
