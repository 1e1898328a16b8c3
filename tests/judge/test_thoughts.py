"""Thoughts are taken off, and nothing of an answer with them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.thoughts import without_thoughts

words = st.text(max_size=40) | st.sampled_from(
    ["</think>", "\n</think>\n", "<think>", "a <think> b </think> c", "\r\n</thinking>\r\n"]
)
answers = st.dictionaries(words, words | st.lists(words, max_size=3), min_size=1, max_size=4).map(
    lambda record: json.dumps(record, ensure_ascii=False)
)
thoughts = st.text(max_size=80).filter(lambda text: "<" not in text)


@given(answers)
def test_an_answer_without_thoughts_stays_as_it_is(answer: str) -> None:
    assert without_thoughts(answer) == (answer, True)


@given(thoughts, answers, st.sampled_from(["think", "thinking", "THINK"]))
def test_thoughts_before_an_answer_are_taken_off(thought: str, answer: str, tag: str) -> None:
    told, whole = without_thoughts(f"<{tag}>{thought}</{tag}>\n{answer}")
    assert (told.strip(), whole) == (answer.strip(), True)
    # Where the chat template opened them, only their end is there.
    told, whole = without_thoughts(f"{thought}\n</{tag}>\n\n{answer}")
    assert (told.strip(), whole) == (answer.strip(), True)


@given(thoughts)
def test_thoughts_without_an_end_are_all_there_is(thought: str) -> None:
    assert without_thoughts(f"<think>{thought}") == ("", False)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>a</think><think>b</think>{}", "{}"),
        ("<think>a</think>", ""),
        ("a\n</think>\n", "\n"),
        ("it says </think> in mid-line {}", "it says </think> in mid-line {}"),
    ],
)
def test_what_is_left(text: str, rest: str) -> None:
    assert without_thoughts(text) == (rest, True)
