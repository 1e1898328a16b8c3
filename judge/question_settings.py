"""How a judge that reads prompts is asked: what it is shown, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prompts.batch import MOST

__all__ = ["ContextMode", "QuestionSettings"]

ContextMode = Literal["auto", "whole", "retrieve"]
"""What of a repository stands in a prompt; `auto` goes by what it costs."""


@dataclass(frozen=True, slots=True)
class QuestionSettings:
    """What goes into a question besides the claim and its evidence.

    Attributes:
        context: `whole` shows all code and configuration, in a part of the prompt that all claims
            of a submission have in common; `retrieve` shows what was found for the claim; `auto`
            shows the whole unless that costs half as much again.
        whole_max_tokens: A repository beyond this is never shown whole by `auto`; `whole` itself
            falls back to `retrieve` there too, for a prompt that does not fit is no prompt.
        strip_comments: Show code without comments, docstrings and docs.
        lookup_tokens: How much is looked up when a judge says what it lacks; 0 looks nothing up.
        paper_tokens: How much of the paper is shown, of what the claim's source names; 0 shows
            nothing.
        repeats: How often each question is asked.
        claims_per_request: How many claims of one submission and kind are asked in one request.
    """

    context: ContextMode = "auto"
    whole_max_tokens: int = 60_000
    strip_comments: bool = False
    lookup_tokens: int = 1500
    paper_tokens: int = 600
    repeats: int = 1
    claims_per_request: int = 1

    def __post_init__(self) -> None:
        if self.repeats < 1:
            raise ValueError(f"repeats must be 1 or more, not {self.repeats}")
        if not 1 <= self.claims_per_request <= MOST:
            raise ValueError(
                f"claims_per_request must be from 1 to {MOST}, not {self.claims_per_request}"
            )
        for name in ("whole_max_tokens", "lookup_tokens", "paper_tokens"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative, not {getattr(self, name)}")
