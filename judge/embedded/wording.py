"""Features of words: how many of the claim's words the live code holds, and how closely."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from judge.embedded.looking import Findings, WordFinding
from judge.embedded.parts import Claim
from judge.embedded.survey import Standing, Survey
from judge.embedded.windows import Cover, Float, Items

__all__ = ["WORDS", "Wording", "mean_of", "measure_words"]

WORDS: Mapping[str, tuple[int, str]] = {
    "words_live": (1, "share of the claim's words, by rarity, in live code"),
    "words_plain": (0, "the same, each word of weight counting alike"),
    "words_as_names": (0, "the same, only where they stand outside of strings"),
    "words_defined": (0, "share of the words that name a live function or class"),
    "words_called": (0, "share of the words that live code calls something by"),
    "words_text": (-1, "share only in comments, docstrings, documents and imports"),
    "words_idle": (-1, "share only in code or configuration that does not act"),
    "heaviest_missing": (0, "share of the weightiest word that no live code holds"),
    "names_live": (0, "share of the names (datasets, methods, metrics) in live code"),
    "names_as_names": (0, "the same, only where they stand outside of strings"),
    "names_made": (0, "share of the names that live code defines or calls"),
    "compounds_live": (0, "share of the words of several parts in live code"),
    "best_block": (1, "share of the words in the function that has most of them"),
    "second_block": (0, "the same in the second best"),
    "three_blocks": (0, "share of the words in the three best functions together"),
    "best_and_near": (0, "share in the best function, what it calls and what calls it"),
    "within_4": (0, "share of the words within 4 live lines"),
    "within_12": (0, "share of the words within 12 live lines"),
    "within_40": (0, "share of the words within 40 live lines"),
    "all_within_12": (0, "share of words, values and operations within 12 live lines"),
    "stands_out": (0, "how far the best 12 lines are above the others, in deviations"),
    "parts_mean": (0, "share of a part's words within 12 live lines, mean over parts"),
    "parts_least": (0, "the same, of the part that has least"),
    "parts_half": (0, "share of the parts of which half stands within 12 live lines"),
    "parts_wide": (0, "share of a part's words within 40 live lines, mean over parts"),
}
"""The features, by name: the sign that each may have (0 for either), and its meaning."""

_PLAIN = 0.5  # from this weight on a word says something


class Wording:
    """The claim's words, values and operations as rows of live lines."""

    def __init__(self, survey: Survey, claim: Claim, found: Findings) -> None:
        self.count = survey.live_lines
        self.words: list[tuple[np.ndarray, float]] = [
            (survey.rows(word.places.live), word.weight * word.credit) for word in found.words
        ]
        self.total = sum(word.weight for word in found.words)
        self.values: list[tuple[np.ndarray, float]] = []
        for value, seen in zip(claim.values, found.values, strict=True):
            lines = [survey.places(term).live for term in (value.term, *value.also)]
            if seen.implied is not None:
                lines.append(np.array([seen.line], np.int64))
            self.values.append((survey.rows(_joined(lines)), 0.5 * value.weight))
        self.operators: list[tuple[np.ndarray, float]] = [
            (survey.rows(_joined([survey.places(term).live for term in operator.terms])), 0.5)
            for operator in claim.operators
        ]

    @cached_property
    def cover(self) -> Cover:
        """Of the words, in windows of any size."""
        return self.cover_of(self.words)

    def cover_of(self, items: Items) -> Cover:
        """Of some items, in windows of any size."""
        return Cover(items, self.count)


def _joined(lines: Sequence[np.ndarray]) -> np.ndarray:
    filled = [each for each in lines if len(each)]
    if len(filled) == 1:
        return filled[0]
    return np.unique(np.concatenate(filled)) if filled else np.zeros(0, np.int64)


def measure_words(
    survey: Survey, claim: Claim, found: Findings, wording: Wording
) -> dict[str, float]:
    """The features of `WORDS`."""
    words = found.words
    live = [word.places.standing is Standing.LIVE for word in words]
    plain = [number for number, word in enumerate(words) if word.concept.weight >= _PLAIN]
    names = [number for number, word in enumerate(words) if word.concept.named]
    compounds = [n for n, word in enumerate(words) if word.concept.weight > 1.3]
    best_terms = [
        _live_term(survey, word) if on else "" for word, on in zip(words, live, strict=True)
    ]
    as_name = [bool(term) and survey.is_name(term) for term in best_terms]
    called, defined = survey.called, survey.defined
    made = [term in called or term in defined for term in best_terms]
    total = wording.total or math.nan

    def weighed(chosen: Sequence[bool]) -> float:
        return sum(w.weight * w.credit for w, on in zip(words, chosen, strict=True) if on) / total

    def share(numbers: Sequence[int], chosen: Sequence[bool]) -> float:
        return sum(chosen[n] for n in numbers) / len(numbers) if numbers else math.nan

    def standing(lowest: Standing, highest: Standing) -> float:
        return weighed([lowest <= word.places.standing <= highest for word in words])

    twelve = wording.cover.within(12)
    others = [*wording.values, *wording.operators]
    everything = wording.cover_of([*wording.words, *others]) if others else wording.cover
    numbers = {
        "words_live": weighed(live),
        "words_plain": share(plain, live),
        "words_as_names": weighed(as_name),
        "words_defined": weighed([term in defined for term in best_terms]),
        "words_called": weighed([term in called for term in best_terms]),
        "words_text": standing(Standing.TEXT, Standing.TEXT),
        "words_idle": standing(Standing.STUB, Standing.DEAD),
        "heaviest_missing": max(
            (w.weight for w, on in zip(words, live, strict=True) if not on), default=0.0
        )
        / total,
        "names_live": share(names, live),
        "names_as_names": share(names, as_name),
        "names_made": share(names, made),
        "compounds_live": share(compounds, live),
        "within_4": wording.cover.most(4) / total,
        "within_12": wording.cover.most(12) / total,
        "within_40": wording.cover.most(40) / total,
        "all_within_12": everything.most(12)
        / ((wording.total + sum(weight for _, weight in others)) or math.nan),
        "stands_out": _stands_out(twelve),
    }
    numbers.update(_blocks(survey, found))
    numbers.update(_parts(claim, found, wording))
    return numbers


def _live_term(survey: Survey, word: WordFinding) -> str:
    """The term by which a live word was found, as far as it is one of its own."""
    for term in (*word.concept.terms, *word.concept.aliases):
        if survey.places(term) is word.places:
            return term
    return word.concept.terms[0]


def _stands_out(windows: Float) -> float:
    if len(windows) < 2:
        return math.nan
    spread = float(windows.std())
    return (float(windows.max()) - float(windows.mean())) / spread if spread > 0 else 0.0


def _blocks(survey: Survey, found: Findings) -> dict[str, float]:
    focus, score = found.focus, found.live_score
    if not len(score):
        return dict.fromkeys(("best_block", "second_block", "three_blocks", "best_and_near"), 0.0)
    near = {*focus[:1], *(survey.neighbours(focus[0]) if focus else ())}
    three = _together(found.words, set(focus))
    return {
        "best_block": float(score[focus[0]]) if focus else 0.0,
        "second_block": float(score[focus[1]]) if len(focus) > 1 else 0.0,
        "three_blocks": three,
        "best_and_near": _together(found.words, near),
    }


def _together(words: Sequence[WordFinding], blocks: set[int]) -> float:
    """The share of the words that stand in any of some blocks."""
    total = sum(word.weight for word in words)
    if not total or not blocks:
        return 0.0
    return (
        sum(
            word.weight * word.credit
            for word in words
            if not blocks.isdisjoint(word.places.live_blocks.tolist())
        )
        / total
    )


def _parts(claim: Claim, found: Findings, wording: Wording) -> dict[str, float]:
    close: list[float] = []
    wide: list[float] = []
    weights: list[float] = []
    for part in claim.parts:
        items = [wording.words[n] for n in part.concepts]
        items += [wording.values[n] for n in part.values]
        total = sum(found.words[n].weight for n in part.concepts)
        total += sum(0.5 * claim.values[n].weight for n in part.values)
        if total <= 0:
            continue
        weights.append(total)
        cover = wording.cover_of(items)
        close.append(cover.most(12) / total)
        wide.append(cover.most(40) / total)
    if not close:
        return dict.fromkeys(("parts_mean", "parts_least", "parts_half", "parts_wide"), math.nan)
    return {
        "parts_mean": mean_of(close, weights),
        "parts_least": min(close),
        "parts_half": sum(share >= 0.5 for share in close) / len(close),
        "parts_wide": mean_of(wide, weights),
    }


def mean_of(shares: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean of some shares; the weights do not add up to nothing."""
    weighing = np.array(weights)
    return float((np.array(shares) * weighing).sum() / weighing.sum())
