"""How well a function fits a claim, its own comments read along as far as its code bears them out.

Comments prove nothing, but honest ones say what the code beside them is about. Their words count
at most three quarters as much as the code does by itself, and not at all where they hold half or
more of all that the code lacks: who describes code does not do so in all of a claim's words, who
pastes the claim does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from judge.embedded.library import CARRIED
from judge.embedded.looking import Findings, WordFinding
from judge.embedded.parts import Claim
from judge.embedded.survey import Survey
from judge.embedded.values import ValueFinding
from judge.embedded.windows import Float, summed
from judge.embedded.wording import mean_of

__all__ = ["DESCRIBED", "measure_description"]

DESCRIBED: Mapping[str, tuple[int, str]] = {
    "described": (
        1,
        "share of the claim's words, values and operations in the one live function that has most "
        "of them; words of its own comments count as far as its code bears them out",
    ),
    "described_next": (1, "the same, in the second best function"),
    "described_parts": (1, "the same for each part of the claim, mean over parts"),
    "described_least": (1, "the same, of the part that has least"),
    "told": (
        1,
        "share of the words that only comments of functions hold which have others in code",
    ),
    "file_best": (0, "share of the claim's words in the live code of the file that has most"),
    "file_second": (0, "the same in the second best file"),
}
"""The features, by name: the sign that each may have (0 for either), and its meaning."""

_PASTED = 0.5
_LENT = 0.75  # what comments may add at most, as a share of what the code holds by itself
_PART = 0.5  # what a value or an operation weighs beside a rare word's 1
_BORNE = 0.3  # the share of the claim that a function's code must hold for its comments to count


def measure_description(survey: Survey, claim: Claim, found: Findings) -> dict[str, float]:
    """The features of `DESCRIBED`."""
    count = len(survey.blocks)
    if not count:
        return dict.fromkeys(DESCRIBED, 0.0)
    others = _others(survey, claim, found)
    code, text, total = _sums(count, found.words)
    told_total = total
    pasted = text >= _PASTED * (total - code)
    for weight, here in others:
        code[here] += weight
        total += weight
    if not total:
        return dict.fromkeys(DESCRIBED, 0.0)
    for number, carried in found.carrying.operators.items():
        weight, here = others[len(claim.values) + number]
        code[np.setdiff1d(carried.blocks, here)] += CARRIED * weight
    text[pasted] = 0.0
    fits = (code + np.minimum(text, _LENT * code)) / total
    order = np.argsort(-fits, kind="stable")[:2]
    bearing = ~pasted & (code >= _BORNE * total)
    told = sum(
        word.weight
        for word in found.words
        if not len(word.places.live)
        and len(word.places.text_blocks)
        and bearing[word.places.text_blocks].any()
    )
    numbers = {
        "described": float(fits[order[0]]),
        "described_next": float(fits[order[1]]) if len(order) > 1 else 0.0,
        "told": told / told_total if told_total else 0.0,
        "described_parts": math.nan,
        "described_least": math.nan,
    }
    shares: list[float] = []
    weights: list[float] = []
    for part in claim.parts:
        own_code, own_text, own = _sums(count, [found.words[n] for n in part.concepts])
        own_text[pasted] = 0.0
        for n in part.values:
            weight, here = others[n]
            own_code[here] += weight
            own += weight
        if own > 0:
            shares.append(float((own_code + np.minimum(own_text, _LENT * own_code)).max()) / own)
            weights.append(own)
    if shares:
        numbers["described_parts"] = mean_of(shares, weights)
        numbers["described_least"] = min(shares)
    return numbers | _files(survey, found)


def _sums(count: int, words: Sequence[WordFinding]) -> tuple[Float, Float, float]:
    """Of each block the weight of words in its code and only in its comments, and of all words."""
    code: list[tuple[np.ndarray, float]] = []
    text: list[tuple[np.ndarray, float]] = []
    total = 0.0
    for word in words:
        total += word.weight
        text.append((word.places.text_blocks, word.weight))
        code.append((word.places.live_blocks, word.weight * word.credit))
        if len(word.more):
            code.append((word.more, CARRIED * word.weight))
    return summed(code, count), summed(text, count), total


def _others(survey: Survey, claim: Claim, found: Findings) -> list[tuple[float, np.ndarray]]:
    """Values, then operations: what each weighs, and the blocks where it is live."""
    return [
        *(_value(survey, value) for value in found.values),
        *((_PART, _blocks(survey, operator.terms)) for operator in claim.operators),
    ]


def _value(survey: Survey, found: ValueFinding) -> tuple[float, np.ndarray]:
    value = found.value
    if found.implied is not None and found.implied[0].block >= 0:
        return CARRIED * _PART * value.weight, np.array([found.implied[0].block])
    return _PART * value.weight, _blocks(survey, (value.term, *value.also))


def _blocks(survey: Survey, terms: Sequence[str]) -> np.ndarray:
    own = [blocks for term in terms if len(blocks := survey.places(term).live_blocks)]
    if len(own) == 1:
        return own[0]
    return np.unique(np.concatenate(own)) if own else np.zeros(0, np.int64)


def _files(survey: Survey, found: Findings) -> dict[str, float]:
    total = sum(word.weight for word in found.words)
    score = np.zeros(survey.files)
    for word in found.words:
        blocks = word.places.live_blocks
        if len(blocks):
            # Of a file's blocks each adds the same to what was there: the word counts once.
            files = survey.file_of_block[blocks]
            score[files] += word.weight * word.credit
    best = np.sort(score)[::-1][:2]
    return {
        "file_best": float(best[0]) / total if total and len(best) else 0.0,
        "file_second": float(best[1]) / total if total and len(best) > 1 else 0.0,
    }
