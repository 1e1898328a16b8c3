"""Whether an answer that came can be used at all: whole, given, and with its thoughts taken off."""

from __future__ import annotations

import re
from dataclasses import replace

from judge.protocol import Answer, AnswerError

__all__ = ["usable"]

_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_OPEN_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>", re.IGNORECASE)


def usable(answer: Answer, max_output_tokens: int | None) -> Answer:
    """The answer without its thoughts.

    Args:
        answer: As it came.
        max_output_tokens: The cap that it was asked under.

    Raises:
        AnswerError: It is cut off, refused or empty; half an answer is never read as a whole one.
    """
    text = _THOUGHTS.sub("", answer.text).strip()
    if answer.finish == "refusal":
        raise AnswerError(
            "refused", f"the model declined to answer: {answer.text[:300]}", answer=answer
        )
    if answer.finish == "length" or _OPEN_THOUGHT.match(text):
        usage = answer.usage
        spent = "an unknown number of" if usage.output_tokens is None else usage.output_tokens
        reasoning = (
            f", {usage.reasoning_tokens} of them reasoning"
            if usage.reasoning_tokens is not None
            else ""
        )
        where = "before the first word of the answer" if not text else "in mid-answer"
        raise AnswerError(
            "truncated",
            f"the answer was cut off {where} after {spent} tokens{reasoning}; "
            f"judge.max_output_tokens is {max_output_tokens}: raise it, or lower the "
            "model's reasoning effort",
            answer=answer,
        )
    if not text:
        raise AnswerError(
            "empty", f"the model ended (finish {answer.finish!r}) without a word", answer=answer
        )
    return replace(answer, text=text)
