"""Features of surprise: how much of what the claim says, in bits, live code is seen to hold.

Words that stand in every program say little where they are found; a word that hardly any holds says
much. A claim's words are weighed by how common each is in code on other subjects.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from judge.embedded.background import Background
from judge.embedded.looking import Findings
from judge.embedded.survey import Standing, Survey
from judge.embedded.windows import Float, summed
from judge.embedded.wording import Wording

__all__ = ["SURPRISE", "measure_surprise"]

SURPRISE: Mapping[str, tuple[int, str]] = {
    "bits_live": (1, "share of the claim's bits, words by how rare they are in code, in live code"),
    "bits_over_chance": (1, "bits that live code holds above what code on another subject would"),
    "bits_missing": (0, "bits that no live code holds"),
    "bits_heaviest": (0, "the rarest word that no live code holds, as a share of all bits"),
    "bits_named": (1, "share of the bits of its names in live code"),
    "bits_block": (1, "share of the bits in the function that holds most"),
    "bits_second": (1, "the same in the second best"),
    "bits_three": (1, "share of the bits in the three best functions together"),
    "bits_within_12": (1, "share of the bits within 12 live lines"),
    "bits_within_40": (1, "share of the bits within 40 live lines"),
    "claim_bits": (0, "the bits of all its words"),
}  # fmt: skip
"""The features, by name: the sign that each may have (0 for either), and its meaning."""

_COMMON = 0.3  # words of less weight are of grammar or of exposition
_HALF = 0.5
_total = np.add.reduce  # the method does the same by way of Python, ten times a claim


def measure_surprise(
    survey: Survey, found: Findings, wording: Wording, background: Background
) -> dict[str, float]:
    """The features of `SURPRISE`; not a number where there is nothing to look for."""
    words = found.words
    scale = np.array([1.0 if w.concept.weight >= _COMMON else _HALF for w in words])
    wide = np.array([background.in_repository(w.concept.terms) for w in words]) * scale
    near = np.array([background.in_function(w.concept.terms) for w in words]) * scale
    credit = np.array(
        [w.credit if w.places.standing is Standing.LIVE else 0.0 for w in words], np.float64
    )
    named = np.array([w.concept.named for w in words], np.bool_)
    total, total_near = _some(_total(wide)), _some(_total(near))
    held = wide * credit
    lacking = wide * (credit == 0)
    # Of code on another subject each word is expected as often as it is common.
    chance = float(_total(wide * np.exp2(-wide)))
    score, three = _blocks(survey, found, near * credit)
    best = np.sort(score)[::-1]
    items = [
        (rows, weight)
        for (rows, _), weight in zip(wording.words, (near * credit).tolist(), strict=True)
        if weight
    ]
    cover = wording.cover_of(items)
    return {
        "bits_live": float(_total(held)) / total,
        "bits_over_chance": float(_total(held)) - chance if len(words) else math.nan,
        "bits_missing": float(_total(lacking)) if len(words) else math.nan,
        "bits_heaviest": float(lacking.max(initial=0.0)) / total,
        "bits_named": float(_total(held[named])) / _some(_total(wide[named])),
        "bits_block": float(_total(best[:1])) / total_near,
        "bits_second": float(_total(best[1:2])) / total_near,
        "bits_three": three / total_near,
        "bits_within_12": cover.most(12) / total_near,
        "bits_within_40": cover.most(40) / total_near,
        "claim_bits": float(_total(wide)),
    }


def _some(total: float) -> float:
    return float(total) or math.nan


def _blocks(survey: Survey, found: Findings, weights: Float) -> tuple[Float, float]:
    """The weight in each block, and that of the words in any of the three best."""
    own = [
        (word.places.live_blocks, weight)
        for word, weight in zip(found.words, weights.tolist(), strict=True)
        if weight
    ]
    score = summed(own, len(survey.blocks))
    best = set(np.argsort(-score, kind="stable")[:3].tolist())
    three = sum(weight for blocks, weight in own if not best.isdisjoint(blocks.tolist()))
    return score, float(three)
