"""One answer was asked for: a response with several says not which one counts."""

from __future__ import annotations

import pytest

from judge.models.openai import read_completion


def choice(text: str) -> dict[str, object]:
    return {"message": {"content": text}, "finish_reason": "stop"}


def test_several_choices_are_no_readable_answer() -> None:
    assert read_completion({"choices": [choice("one")]}, {}).text == "one"
    for choices in ([choice('{"level": "1"}'), choice('{"level": "0"}')], []):
        with pytest.raises(IndexError):
            read_completion({"choices": choices}, {})
