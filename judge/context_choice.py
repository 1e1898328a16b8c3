"""Whether a submission is shown whole or by what was found for each claim: by what it costs.

With prefix caching the shared part of a prompt is paid for once in full, a little more than that
where the provider charges for writing, and at a tenth for each further claim. Up to some size the
whole of a repository is then cheaper than evidence of its own for each claim, and it is complete.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from judge.counting import counted
from judge.question_settings import QuestionSettings

__all__ = ["COMPLETE", "NUMBER_TOKENS", "READ", "WRITE", "ContextChoice", "choose_context"]

WRITE = 1.25
"""Price of a token that is written to a prefix cache, in input tokens; the dearest of today's."""

READ = 0.1
"""Price of a token that is read from it."""

COMPLETE = 1.5
"""How many times the price of what is found the whole may cost: it leaves nothing to chance, is
never flagged as incomplete, and needs no further search."""

NUMBER_TOKENS = 3.5
"""What the number and the bar before a line take."""

_LEAST = 1024
"""A prefix shorter than this is not cached anywhere; the rules count towards it."""


@dataclass(frozen=True, slots=True)
class ContextChoice:
    """What a submission's claims are asked with.

    Attributes:
        whole: All code and configuration, in the shared part.
        reason: Why, with the figures.
    """

    whole: bool
    reason: str


def choose_context(
    settings: QuestionSettings,
    *,
    whole_tokens: int,
    retrieved_tokens: int,
    claims: int,
    beside_tokens: int = 0,
) -> ContextChoice:
    """Choose by what the claims of one submission cost together.

    Args:
        settings: What the user wants.
        whole_tokens: Of all code and configuration as it would be shown.
        retrieved_tokens: Of one claim's evidence as it would be shown, all that belongs to it.
        claims: How many claims are asked about the submission.
        beside_tokens: Of what stands in each question where the repository is shown whole.
    """
    requests = math.ceil(claims / settings.claims_per_request)
    asked = max(1, requests * settings.repeats)
    whole = whole_tokens * (WRITE + READ * (asked - 1))
    if whole_tokens < _LEAST:
        whole = float(whole_tokens * asked)
    # A repeated question finds all of its first asking in the cache.
    fresh = max(1, claims)
    own = fresh * (1 + READ * (settings.repeats - 1))
    whole += beside_tokens * own
    retrieved = retrieved_tokens * own
    figures = (
        f"{counted(whole_tokens, 'token')} shared by {counted(claims, 'claim')} "
        f"{'costs' if whole_tokens == 1 else 'cost'} as much as {whole:,.0f}, "
        f"{retrieved_tokens:,} found for each as much as {retrieved:,.0f}"
    )
    if whole_tokens == 0:
        return ContextChoice(False, "retrieve: there is no code")
    if settings.context == "retrieve":
        return ContextChoice(False, f"retrieve, as set: {figures}")
    if whole_tokens > settings.whole_max_tokens:
        return ContextChoice(
            False,
            f"retrieve: {whole_tokens:,} tokens are more than whole_max_tokens "
            f"{settings.whole_max_tokens:,}",
        )
    if settings.context == "whole":
        return ContextChoice(True, f"whole, as set: {figures}")
    if whole <= COMPLETE * retrieved:
        return ContextChoice(True, f"whole: {figures}")
    return ContextChoice(False, f"retrieve: {figures}")
