"""A distribution over levels beside the answer, never in its place: what log probabilities say.

Servers report them before a grammar is applied, so what no level begins with is left out and the
rest made one again, token by token, as a constrained decoder samples. Only the path that was taken
is known in full: what stands behind another token is known where one level alone begins so, and
counted as unresolved where several do. Where more than a little is unresolved or unlisted there is
no distribution, and the reason says why.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from prompts.schema import CANNOT_TELL, LEVEL_WORDS

__all__ = ["LevelOdds", "LevelTokens", "level_odds"]

MOST_UNKNOWN = 0.05
"""Mass that may be unresolved or unlisted: it moves an expected level by no more than .2."""

LEAST_ON_LABELS = 0.1
"""Below that the model was about to say something else, and the grammar forced its hand."""

_WORDS = (*LEVEL_WORDS, CANNOT_TELL)
_Share = Annotated[float, Field(ge=0, le=1)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class LevelTokens(_Record):
    """The tokens that spell the level in an answer, with their rivals.

    Attributes:
        lead: What of the first token stands before the level's word, e.g. its opening quote.
        tokens: Each as its text and the listed candidates in its place, itself among them, as
            (text, log probability); the last one holds the closing quote.
    """

    lead: str
    tokens: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]


class LevelOdds(_Record):
    """How likely each level was, by log probabilities or by a judge that computes its chances.

    Attributes:
        expected_level: The mean level, from 0 to 4; `None` where it cannot be known.
        probabilities: Of the levels 0 to 4, adding up to 1; `None` where they cannot be known.
        cannot_tell: Of the answer that it cannot tell, of all answers on the menu.
        unknown: Mass that is unresolved or was not listed.
        reason: Why there is no distribution: a short code, a colon, and what happened.
    """

    expected_level: Annotated[float, Field(ge=0, le=4)] | None = None
    probabilities: tuple[_Share, _Share, _Share, _Share, _Share] | None = None
    cannot_tell: _Share | None = None
    unknown: _Share | None = None
    reason: str = ""


def level_odds(found: LevelTokens) -> LevelOdds:
    """The distribution over levels that the tokens of an answer's level tell of."""
    reached = dict.fromkeys(_WORDS, 0.0)
    unresolved = unlisted = 0.0
    share = on_labels = 1.0
    typed = ""
    for place, (text, candidates) in enumerate(found.tokens):
        lead = found.lead if place == 0 else ""
        listed: dict[str, float] = {}
        for candidate, logprob in candidates:
            # One text may be spelt by several tokens; some servers write -9999 for next to never.
            listed[candidate] = listed.get(candidate, 0.0) + math.exp(min(logprob, 0.0))
        fitting = {
            candidate: words for candidate in listed if (words := _fitting(typed, lead, candidate))
        }
        allowed = sum(listed[candidate] for candidate in fitting)
        if text not in fitting or not listed[text]:
            return LevelOdds(reason="tokens: those of the level do not spell it")
        on_labels *= min(allowed, 1.0)
        rest = max(1.0 - sum(listed.values()), 0.0)
        unlisted += share * rest / (allowed + rest)
        for candidate, words in fitting.items():
            if candidate == text:
                continue
            behind = share * listed[candidate] / allowed
            if len(words) == 1:
                reached[words[0]] += behind
            else:
                unresolved += behind
        share *= listed[text] / allowed
        typed += _after(lead, text) or ""
        if len(fitting[text]) == 1:
            reached[fitting[text][0]] += share
            return _judged(reached, unresolved, unlisted, on_labels)
    return LevelOdds(reason="tokens: those of the level do not spell it")


def _judged(
    reached: dict[str, float], unresolved: float, unlisted: float, on_labels: float
) -> LevelOdds:
    unknown = min(unresolved + unlisted, 1.0)
    if on_labels < LEAST_ON_LABELS:
        return LevelOdds(
            unknown=unknown,
            reason=f"off_menu: {1 - on_labels:.0%} of the probability is on no level",
        )
    if unknown > MOST_UNKNOWN:
        why = (
            f"unlisted: {unlisted:.0%} of the probability is on tokens that were not listed"
            if unlisted > unresolved
            else f"split: {unresolved:.0%} of the probability is on tokens that several levels "
            "begin with"
        )
        return LevelOdds(unknown=unknown, reason=why)
    total = sum(reached.values())
    levels = [reached[word] for word in LEVEL_WORDS]
    graded = sum(levels)
    cannot = min(reached[CANNOT_TELL] / total, 1.0)
    if graded / total < LEAST_ON_LABELS:
        return LevelOdds(
            cannot_tell=cannot, unknown=unknown, reason="cannot_tell: the judge gives no level"
        )
    zero, one, two, three, four = (min(mass / graded, 1.0) for mass in levels)
    return LevelOdds(
        expected_level=min(one + 2 * two + 3 * three + 4 * four, 4.0),
        probabilities=(zero, one, two, three, four),
        cannot_tell=cannot,
        unknown=unknown,
    )


def _fitting(typed: str, lead: str, candidate: str) -> tuple[str, ...]:
    """The words that may still come of it, if this token follows what was typed."""
    more = _after(lead, candidate)
    if more is None:
        return ()
    whole = typed + more
    return tuple(
        word for word in _WORDS if f'{word}"'.startswith(whole) or whole.startswith(f'{word}"')
    )


def _after(lead: str, candidate: str) -> str | None:
    """What a token adds to the word; `None` where it does not lead there."""
    if not lead:
        return candidate
    # White space before the quote says nothing.
    lead, candidate = lead.lstrip(), candidate.lstrip()
    if candidate.startswith(lead):
        return candidate[len(lead) :]
    return "" if candidate and lead.startswith(candidate) else None
