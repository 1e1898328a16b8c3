"""Hints: a pattern is never left out where it would match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.embedded.formulas import _SAID_PATTERNS
from judge.embedded.hints import hinted, hints_of
from judge.embedded.words import OPERATORS

PATTERNS = [
    *((pattern, hints) for pattern, hints, _ in OPERATORS.values()),
    *((pattern, hints) for _, hints, pattern in _SAID_PATTERNS),
]


@settings(max_examples=20)
@given(st.data())
@pytest.mark.parametrize(("pattern", "hints"), PATTERNS)
def test_whatever_matches_holds_a_hint(
    pattern: re.Pattern[str], hints: tuple[str, ...], data: st.DataObject
) -> None:
    letters = st.characters(max_codepoint=127)
    text = data.draw(
        st.from_regex(pattern, alphabet=st.one_of(letters, st.sampled_from("√∑Σ‖∇𝔼²𝒩⁻¹ᵀ")))
    )
    assert hinted(hints, text.lower())


def test_most_patterns_have_a_hint_to_look_for() -> None:
    assert sum("" not in hints for _, hints in PATTERNS) > 0.8 * len(PATTERNS)


@pytest.mark.parametrize(
    ("pattern", "hints"),
    [
        (r"square root|√", ("square root", "√")),
        (r"\blog(?:arithm)?\b", ("log",)),
        (r"stop[- ]?grad|\bsg\(", ("stop", "sg(")),
        (r"colou?rs", ("colo",)),
        (r"(?:layer|batch)[- ]?norm", ("norm",)),
        (r"your .{0,30} here", ("your ",)),
        (r"\w+|x", ("", "x")),
    ],
)
def test_hints_are_the_longest_letters_that_are_demanded(
    pattern: str, hints: tuple[str, ...]
) -> None:
    assert hints_of(pattern) == hints
