"""Features of formulas: whether the operations of a claim are carried out together."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from judge.embedded.formulas import OPERATIONS
from judge.embedded.looking import Findings
from judge.embedded.operations import operations_of
from judge.embedded.parts import Claim
from judge.embedded.survey import Survey
from judge.embedded.windows import cover
from judge.embedded.wording import Wording

__all__ = ["FORMULAS", "measure_formula"]

FORMULAS: Mapping[str, tuple[int, str]] = {
    "operators": (1, "share of the operations that are carried out near the best functions"),
    "operators_live": (0, "share of the operations that live code carries out anywhere"),
    "formula_here": (1, "share of the formula's operations in the 8 live lines that match best"),
    "formula_joint": (0, "words and operations of the formula within 8 live lines, together"),
    "formula_block": (0, "share of the formula's operations in the best function"),
    "formula_pairs": (1, "share of what stands beside an operation, found so in live code"),
    "pairs_together": (0, "the same, within 8 live lines"),
    "minus_here": (0, "share of its minus signs in the lines that match best"),
    "over_here": (0, "share of its divisions there"),
    "times_here": (0, "share of its products there"),
    "function_here": (0, "share of its functions (root, log, softmax, mean) there"),
    "detach_near": (0, "a stop-gradient that the claim states stands within 20 lines of them"),
    "clip_near": (0, "a clipping that the claim states stands within 20 lines of them"),
}
"""The features, by name: the sign that each may have (0 for either), and its meaning."""

_SIGNS = frozenset({"plus", "minus", "times", "over", "dot"})
_WINDOW = 8
_NUMBER = {name: number for number, name in enumerate(OPERATIONS)}


def measure_formula(
    survey: Survey, claim: Claim, found: Findings, wording: Wording
) -> dict[str, float]:
    """The features of `FORMULAS`; not numbers where the claim has no such operation."""
    numbers = dict.fromkeys(FORMULAS, math.nan)
    if found.operators:
        count = len(found.operators)
        numbers["operators"] = sum(here for _, here, _ in found.operators) / count
        numbers["operators_live"] = sum(live for _, _, live in found.operators) / count
    formula = claim.formula
    if not formula.counts:
        return numbers
    if not survey.live_lines:
        return numbers | dict.fromkeys(("formula_here", "formula_joint", "formula_block"), 0.0)
    operations = operations_of(survey)
    wanted = np.zeros(len(OPERATIONS))
    for place, count in formula.counts:
        wanted[place] = count
    chosen = np.flatnonzero(wanted)
    there = operations.within(_WINDOW, chosen)
    kept = np.minimum(there, wanted[chosen])
    share = kept.sum(axis=1) / wanted.sum()
    pairs = [(operations.rows_of(pair), 1.0) for pair in formula.pairs]
    beside = cover(pairs, _WINDOW, survey.live_lines)
    words = wording.cover.within(_WINDOW) / (wording.total or 1.0)
    joint = 0.5 * words + 0.5 * share
    if pairs:
        joint += 0.5 * beside / len(pairs)
    best = int(np.argmax(joint))
    numbers["formula_here"] = float(share[best])
    numbers["formula_joint"] = float(joint[best])
    numbers["formula_block"] = _in_block(survey, found, wanted)
    if pairs:
        numbers["formula_pairs"] = sum(len(rows) > 0 for rows, _ in pairs) / len(pairs)
        numbers["pairs_together"] = float(beside[best]) / len(pairs)
    for feature, operation in (
        ("minus_here", "minus"),
        ("over_here", "over"),
        ("times_here", "times"),
    ):
        place = _NUMBER[operation]
        if wanted[place]:
            at = int(np.searchsorted(chosen, place))
            numbers[feature] = float(kept[best, at] / wanted[place])
    functions = [n for n, place in enumerate(chosen) if OPERATIONS[place] not in _SIGNS]
    if functions:
        numbers["function_here"] = float((kept[best, functions] > 0).sum() / len(functions))
    for feature, operation in (("detach_near", "detach"), ("clip_near", "clip")):
        if wanted[_NUMBER[operation]]:
            numbers[feature] = float(operations.near(_NUMBER[operation], best, 20))
    return numbers


def _in_block(survey: Survey, found: Findings, wanted: np.ndarray) -> float:
    if not found.focus:
        return 0.0
    own = operations_of(survey).in_block(found.focus[0])
    return float(np.minimum(own, wanted).sum() / wanted.sum())
