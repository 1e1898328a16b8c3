"""Filling a token budget with chunks, by value per token."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from retrieval.index import Index
from retrieval.postings import Floats

__all__ = ["Packer", "group_chunks"]


_SAVED = 60.0
_TOO_LITTLE = 16.0  # tokens in which nothing can be said


class Packer:
    """Takes chunks in their order of worth as long as they fit.

    Attributes:
        chosen: The chunks taken, in order of taking.

    Args:
        index: The repository.
        score: Of each chunk; those without any are never taken.
        worth: By which chunks of one role are ordered; prose and tests come after code.
    """

    def __init__(self, index: Index, score: Floats, worth: Floats) -> None:
        self._index = index
        candidates = np.flatnonzero(score > 0)
        by_worth = np.lexsort((-worth[candidates].round(6), index.role_order[candidates]))
        self._order: npt.NDArray[np.intp] = candidates[by_worth]
        self._taken: set[int] = set()
        self.chosen: list[int] = []

    def fill(self, budget: float) -> float:
        """Take what fits; what is left of the budget. May be called again with more."""
        index = self._index
        gaps, heads = index.packing_costs
        left = budget
        copies = index.copies
        seen = {copies[number] for number in self._taken}
        costs = index.chunk_costs[self._order]
        # By joining a passage a chunk may save a head, but hardly more than this.
        may_fit = costs <= left + _SAVED
        order, costs = self._order[may_fit], costs[may_fit]
        for number, cost in zip(order.tolist(), costs.tolist(), strict=True):
            if left < _TOO_LITTLE:
                break
            if number in self._taken or copies[number] in seen:
                continue
            # What joins a passage shares its head, but brings the blank lines between.
            needs = cost + heads[number]
            if gaps[number] >= 0 and number - 1 in self._taken:
                needs += gaps[number] - heads[number]
            if gaps[number + 1] >= 0 and number + 1 in self._taken:
                needs += gaps[number + 1] - heads[number + 1]
            if needs <= left:
                self.chosen.append(number)
                self._taken.add(number)
                left -= needs
                seen.add(copies[number])
        return left


def group_chunks(index: Index, chosen: list[int]) -> list[list[int]]:
    """Chunks in order; neighbours with nothing but blank lines between are one group."""
    groups: list[list[int]] = []
    for number in sorted(chosen):
        last = groups[-1][-1] if groups else -2
        if number == last + 1 and index.gap_costs[number] >= 0:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups
