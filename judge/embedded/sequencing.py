"""Features of order: whether steps that a claim puts in an order are run in it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from judge.embedded.looking import Findings, WordFinding
from judge.embedded.ordering import trace_of
from judge.embedded.parts import Claim
from judge.embedded.placing import placed_orders
from judge.embedded.survey import Survey
from judge.embedded.wording import Wording

__all__ = ["ORDER", "measure_order"]

ORDER: Mapping[str, tuple[int, str]] = {
    "steps_found": (0, "share of the steps that have a live place"),
    "step_words": (0, "share of a step's words at its best place, mean over steps"),
    "step_least": (0, "the same, of the step that has least"),
    "order_kept": (0, "neighbouring steps in order less those out of order, over all pairs"),
    "pairs_kept": (1, "share of the stated pairs whose places are run in the stated order"),
    "pairs_broken": (-1, "share of the stated pairs whose places are run in the other order"),
    "steps_in_one": (0, "share of the stated pairs whose places are in one function"),
}
"""The features, by name: the sign that each may have (0 for either), and its meaning."""

_FOUND = 0.4
_CANDIDATES = 6
_COMMON = 0.2  # what a word counts that does not tell two clauses apart
_BESIDE = 0.4  # what a line beside a word's counts of it
_TOGETHER = 0.25  # what it counts for a pair to stand in one function


def measure_order(
    survey: Survey, claim: Claim, found: Findings, wording: Wording
) -> dict[str, float]:
    """The features of `ORDER`; not numbers where the claim states no order."""
    numbers = dict.fromkeys(ORDER, math.nan)
    if found.steps:
        covers = [step.cover for step in found.steps]
        numbers["steps_found"] = sum(cover >= _FOUND for cover in covers) / len(covers)
        numbers["step_words"] = sum(covers) / len(covers)
        numbers["step_least"] = min(covers)
        numbers["order_kept"] = found.order if found.order is not None else math.nan
    pairs = [*itertools.pairwise(claim.steps), *claim.precedes]
    placed = placed_orders(survey, claim.text)
    if placed:  # a short claim: by the places of its sides, or not at all
        numbers["pairs_kept"] = sum(each.kept > 0 for each in placed) / len(placed)
        numbers["pairs_broken"] = sum(each.kept < 0 for each in placed) / len(placed)
        numbers["steps_in_one"] = sum(bool(each.rows) for each in placed) / len(placed)
        return numbers
    if not pairs:
        return numbers
    kept = broken = together = 0
    for one, other in pairs:
        relation, same = _relation(survey, found, wording, one, other)
        kept += relation > 0
        broken += relation < 0
        together += same
    numbers["pairs_kept"] = kept / len(pairs)
    numbers["pairs_broken"] = broken / len(pairs)
    numbers["steps_in_one"] = together / len(pairs)
    return numbers


def _relation(
    survey: Survey, found: Findings, wording: Wording, one: Sequence[int], other: Sequence[int]
) -> tuple[int, bool]:
    """Whether the best places of two clauses are run in order (1), the other way (-1), or neither.

    Words that both clauses hold do not tell them apart and count little.
    """
    common = set(one) & set(other)
    first = _candidates(found, wording, one, common)
    second = _candidates(found, wording, other, common)
    best: tuple[float, int, bool] | None = None
    for row, share in first:
        for later, later_share in second:
            if row == later:
                continue
            same = bool(survey.row_blocks[row] == survey.row_blocks[later])
            score = share + later_share + (_TOGETHER if same else 0.0)
            if best is None or score > best[0] + 1e-9:
                best = (score, _before(survey, row, later, same=same), same)
    return (best[1], best[2]) if best is not None else (0, False)


def _candidates(
    found: Findings, wording: Wording, numbers: Sequence[int], common: set[int]
) -> list[tuple[int, float]]:
    """The rows that hold most of a clause, best first, with the share of it there."""
    counts = {n: _COMMON if n in common or _is_guess(found.words[n]) else 1.0 for n in numbers}
    items = [(wording.words[n][0], wording.words[n][1] * counts[n]) for n in numbers]
    total = sum(found.words[n].weight * counts[n] for n in numbers)
    if total <= 0 or not wording.count:
        return []
    # Centred on the line that holds most, so that the windows of neighbours do not tie. One row
    # more at either end takes what lies beyond it.
    near = np.zeros(wording.count + 2)
    for rows, weight in items:
        if len(rows):
            here = np.zeros(wording.count + 2)
            here[rows] = _BESIDE
            here[rows + 2] = _BESIDE
            here[rows + 1] = 1.0
            here *= weight
            near += here
    shares = near[1:-1] / total
    best = shares >= max(_FOUND, 0.7 * float(shares.max()))
    rows = best.nonzero()[0]
    order = rows[np.argsort(-near[rows + 1], kind="stable")[:_CANDIDATES]]
    return list(zip(order.tolist(), shares[order].tolist(), strict=True))


def _is_guess(word: WordFinding) -> bool:
    """Whether a phrase was found by another name alone: its own words say better where it is."""
    return word.credit < 1.0 and " " in word.concept.text


def _before(survey: Survey, row: int, later: int, *, same: bool) -> int:
    if same:
        return 1 if row < later else -1
    trace = trace_of(survey)
    times: list[int | None] = []
    for each in (row, later):
        _, line = survey.place(int(survey.live[each]))
        times.append(trace.time(int(survey.row_blocks[each]), line))
    if times[0] is None or times[1] is None or times[0] == times[1]:
        return 0
    return 1 if times[0] < times[1] else -1
