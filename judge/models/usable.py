"""Whether an answer that came can be used at all: whole, given, and with its thoughts taken off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge.models.wire import output_cap
from judge.protocol import Answer, AnswerError
from judge.thoughts import without_thoughts

__all__ = ["usable"]


def usable(answer: Answer, body: Mapping[str, Any]) -> Answer:
    """The answer without its thoughts.

    Args:
        answer: As it came.
        body: The canonical body of the request that it answers.

    Raises:
        AnswerError: It is cut off, refused or empty; half an answer is never read as a whole one.
    """
    text, whole = without_thoughts(answer.text)
    text = text.strip()
    if answer.finish == "refusal":
        raise AnswerError(
            "refused", f"the model declined to answer: {answer.text[:300]}", answer=answer
        )
    if answer.finish == "length" or not whole:
        raise _cut(answer, body, in_thoughts=not text)
    if not text:
        raise AnswerError(
            "empty", f"the model ended (finish {answer.finish!r}) without a word", answer=answer
        )
    return replace(answer, text=text)


def _cut(answer: Answer, body: Mapping[str, Any], *, in_thoughts: bool) -> AnswerError:
    """Name a cut: whatever was spent before the first word of an answer was spent on thoughts."""
    usage = answer.usage
    spent = "an unknown number of" if usage.output_tokens is None else usage.output_tokens
    reasoning = (
        f", {usage.reasoning_tokens} of them reasoning"
        if usage.reasoning_tokens is not None
        else ""
    )
    cap = output_cap(body)
    room = f"judge.max_output_tokens is {body['max_output_tokens']}"
    if given := body.get("reasoning_tokens"):
        room += f" and judge.reasoning_tokens {given}"
    sent = "without a cap of ours" if cap is None else f"of {cap} allowed"
    if in_thoughts:
        return AnswerError(
            "reasoning_cut",
            f"the model was cut off before the first word of its answer, after {spent} tokens "
            f"{sent}{reasoning}; {room}: give more room for reasoning by judge.reasoning_tokens, "
            "or lower the model's reasoning effort",
            answer=answer,
        )
    return AnswerError(
        "truncated",
        f"the answer was cut off in mid-answer after {spent} tokens {sent}{reasoning}; {room}: "
        "raise it",
        answer=answer,
    )
