"""The features: each a number that a person understands, from what was found for a claim."""

from __future__ import annotations

import math
from collections.abc import Mapping

from benchmark import Dimension
from judge.embedded.looking import Findings, WordFinding
from judge.embedded.parts import Claim
from judge.embedded.survey import Standing, Survey
from judge.embedded.values import ValueState

__all__ = ["FEATURES", "REMARKS", "features_of"]

FEATURES: Mapping[str, tuple[int, str]] = {
    "described": (
        1,
        "share of the claim's words, values and operations in the one live function that has most "
        "of them; words of its own comments count as far as its code bears them out",
    ),
    "values_beside": (1, "share of the values live beside their names, nothing overriding them"),
    "values_elsewhere": (1, "share of the values live, away from their names"),
    "values_other": (-1, "share of the values whose name is live with another value"),
    "operators": (1, "share of the operations that are carried out near the best functions"),
    "order_kept": (1, "neighbouring steps in order less those out of order, over all pairs"),
    "match_live": (1, "of the functions that match the claim, the share that a run reaches"),
    "match_stub": (-1, "of the functions that match the claim, the share that are placeholders"),
    "apology": (-1, "comments in the best functions say that they are not the real thing"),
    "made_up_data": (-1, "data functions make data up, for a claim about data or evaluation"),
    "is_D1": (0, "the claim is numerical"),
    "is_D2": (0, "the claim is methodological"),
    "is_D3": (0, "the claim is about protocol"),
}
"""The features that are weighed, by name: the sign that the weight may have (0 for either).

A feature that does not apply (no values, no steps) is not a number and adds nothing.
"""

REMARKS: Mapping[str, str] = {
    "words_live": "share of the claim's words, by rarity, in live code",
    "words_text": "share only in comments, docstrings, documents and imports",
    "names_missing": "share of the names (datasets, methods, metrics) that no live code holds",
    "values_idle": "share of the values in code or configuration that does not act",
    "values_overridden": "share of the values that something overrides",
    "steps_found": "share of the steps that have a live place",
    "idle_better": "how much more of the claim stands in a function that does not act",
    "stub_match": "the function that matches best is a placeholder",
}
"""What bounds the level or names the failure, and is not weighed.

Dead code, unread settings and prose are worth nothing by weight, so that nobody gains by them.
"""


def features_of(survey: Survey, claim: Claim, found: Findings) -> dict[str, float]:
    """The features and remarks of a claim in a repository, by name."""
    words, names = found.words, [word for word in found.words if word.concept.named]
    values = found.values
    nan = math.nan

    def states(*wanted: ValueState) -> float:
        total = sum(v.value.weight for v in values)
        return sum(v.value.weight for v in values if v.state in wanted) / total if total else nan

    focus = found.focus
    best = float(found.live_score[focus[0]]) if focus else 0.0
    idle = float(found.idle_score[found.idle_focus]) if found.idle_focus >= 0 else 0.0
    idle_block = survey.blocks[found.idle_focus] if found.idle_focus >= 0 else None
    numbers = {
        "words_live": _share(words, Standing.LIVE, Standing.LIVE),
        "words_text": _share(words, Standing.TEXT, Standing.TEXT),
        "described": found.described,
        "names_missing": (
            sum(w.weight for w in names if w.places.standing < Standing.LIVE)
            / sum(w.weight for w in names)
            if any(w.weight for w in names)
            else nan
        ),
        "values_beside": states(ValueState.BESIDE),
        "values_elsewhere": states(ValueState.ELSEWHERE),
        "values_idle": states(ValueState.IDLE),
        "values_other": states(ValueState.OTHER),
        "values_overridden": states(ValueState.OVERRIDDEN),
        "operators": (
            sum(here for _, here, _ in found.operators) / len(found.operators)
            if found.operators
            else nan
        ),
        "steps_found": (
            sum(step.cover >= 0.4 for step in found.steps) / len(found.steps)
            if found.steps
            else nan
        ),
        "order_kept": found.order if found.order is not None else nan,
        "idle_better": max(0.0, idle - best),
        "match_live": found.match_live,
        "match_stub": found.match_stub,
        "stub_match": float(idle_block is not None and idle_block.stub and idle >= 0.6 * best),
        "apology": (sum(survey.blocks[n].apology for n in focus) / len(focus) if focus else nan),
        "made_up_data": (
            float(any(block.synthetic for block in survey.blocks))
            if claim.dimension is Dimension.D3
            else nan
        ),
        "is_D1": float(claim.dimension is Dimension.D1),
        "is_D2": float(claim.dimension is Dimension.D2),
        "is_D3": float(claim.dimension is Dimension.D3),
    }
    return {name: numbers[name] for name in (*FEATURES, *REMARKS)}


def _share(words: list[WordFinding], lowest: Standing, highest: Standing) -> float:
    """The share of words whose best place is between two standings, by weight and credit."""
    total = sum(word.weight for word in words)
    if not total:
        return math.nan
    return (
        sum(
            word.weight * word.credit for word in words if lowest <= word.places.standing <= highest
        )
        / total
    )
