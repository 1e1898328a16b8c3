"""Filling a token budget with chunks, by value per token."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.index import Index
from retrieval.postings import Floats
from retrieval.tokens import LINE_NUMBER_TOKENS

__all__ = ["Costs", "Packer", "group_chunks"]


_SAVED = 60.0
_TOGETHER = 0.15  # share by which what stands next to a taken chunk is lifted
_STEP = 4096.0  # between roles, in worth
_TOO_LITTLE = 16.0  # tokens in which nothing can be said
_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class Costs:
    """What it takes to show chunks, in tokens.

    Attributes:
        lines: Of each chunk's lines.
        least: Of each chunk at least, whatever stands beside it.
        alone: Of each chunk with the line above it, as it is shown by itself.
        joined: What that changes where the chunk before is shown too: the line above is saved, and
            the blank lines between are shown. Nothing at a file's first; one more at the end.
        whole: Of all code and configuration, file by file, with every line.
        folded: The same without the lines that excerpts leave out.
    """

    lines: Floats
    least: Floats
    alone: list[float]
    joined: list[float]
    whole: float
    folded: float

    @classmethod
    def numbered(cls, index: Index) -> Costs:
        """With a number before every line, as a judge sees them."""
        return cls(index.chunk_costs, *index.packing_costs, *index.whole_costs(numbered=True))

    @classmethod
    def bare(cls, index: Index) -> Costs:
        """Of heads and source alone: blank lines take nothing."""
        lines = index.chunk_costs - LINE_NUMBER_TOKENS * index.chunk_lines
        costs = index.joined_costs(lines, np.minimum(index.gap_costs, 0.0))
        return cls(lines, *costs, *index.whole_costs(numbered=False))


class Packer:
    """Takes chunks in their order of worth as long as they fit.

    What decides a claim mostly stands together. So when half of the budget is taken, what stands
    next to a taken chunk in the same class or function is lifted over its like elsewhere.

    Attributes:
        chosen: The chunks taken, in order of taking.

    Args:
        index: The repository.
        score: Of each chunk; those without any, or without a line to show, are never taken.
        worth: By which chunks of one role are ordered; prose and tests come after code.
        costs: What each takes.
    """

    def __init__(self, index: Index, score: Floats, worth: Floats, costs: Costs) -> None:
        self._index = index
        self._costs = costs
        self._worth = worth
        self._candidates: npt.NDArray[np.intp] = np.flatnonzero(
            (score > 0) & (index.chunk_lines > 0)
        )
        self._steps = index.role_order[self._candidates] * _STEP
        self._order = self._by_worth(worth)
        self._lifted = False
        # With one more, which is never taken, behind the last and so before the first.
        self._taken = bytearray(len(score) + 1)
        self._seen = bytearray(len(score))
        self._free = np.ones(len(score), np.bool_)
        self.chosen: list[int] = []

    def fill(self, budget: float) -> float:
        """Take what fits; what is left of the budget. May be called again with more."""
        if not self._lifted:
            self._lifted = True
            budget = self._take(budget, budget / 2)
            self._order = self._by_worth(self._worth * (1 + _TOGETHER * self._is_next()))
        return self._take(budget, _TOO_LITTLE)

    def _by_worth(self, worth: Floats) -> npt.NDArray[np.intp]:
        own = self._candidates
        # No worth comes near a step: code first, then tests, then prose.
        key = self._steps - worth[own].round(6)
        return own[key.argsort(kind="stable")]

    def _is_next(self) -> npt.NDArray[np.bool_]:
        """Which chunks stand next to a taken one of their class, function or section."""
        together = self._index.goes_on
        taken = np.zeros(len(self._free), np.bool_)
        taken[self.chosen] = True
        is_next = np.zeros(len(taken), np.bool_)
        is_next[1:] = taken[:-1] & together
        is_next[:-1] |= taken[1:] & together
        return is_next

    def _take(self, budget: float, enough: float) -> float:
        """Take what fits until no more than `enough` is left; what is left."""
        if budget < enough:
            return budget
        index = self._index
        left = budget
        copies, alone, joined = index.copies, self._costs.alone, self._costs.joined
        taken, seen, chosen = self._taken, self._seen, self.chosen
        least = self._costs.least
        # By joining a passage a chunk may save a head, but hardly more than this.
        fits = self._free & (self._costs.lines <= left + _SAVED)
        # A chunk between two taken ones may save more than it takes.
        shrinks = not (least[fits] < 0).any()
        order = self._order[fits[self._order]]
        while len(order) and left >= enough:
            if shrinks:
                # And quickly: soon most chunks are larger than what is left.
                order = order[least[order] <= left]
            some, order = order[:_AT_ONCE], order[_AT_ONCE:]
            for number in some.tolist():
                if left < enough:
                    break
                if seen[copies[number]]:
                    continue
                # What joins a passage shares its head, but brings the blank lines between.
                needs = alone[number]
                if taken[number - 1]:
                    needs += joined[number]
                if taken[number + 1]:
                    needs += joined[number + 1]
                if needs <= left:
                    chosen.append(number)
                    taken[number] = seen[copies[number]] = True
                    left -= needs
        self._free[chosen] = False
        return left


def group_chunks(index: Index, chosen: list[int]) -> list[list[int]]:
    """Chunks in order; neighbours with nothing but blank lines between are one group."""
    groups: list[list[int]] = []
    last = -2
    is_first = index.starts_file
    for number in sorted(chosen):
        if number == last + 1 and not is_first[number]:
            groups[-1].append(number)
        else:
            groups.append([number])
        last = number
    return groups
