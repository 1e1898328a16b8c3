"""Hints: a pattern is never left out where it would match."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.embedded.events import EVENTS
from judge.embedded.formulas import _SAID_PATTERNS
from judge.embedded.hints import Hinted, hints_of
from judge.embedded.loops import _TRAINING
from judge.embedded.words import APOLOGY, OPERATORS, SYNTHETIC

PATTERNS = [
    *(pattern for pattern, _ in OPERATORS.values()),
    *(pattern for _, pattern in _SAID_PATTERNS),
    *(event.said for event in EVENTS.values()),
    *(APOLOGY, SYNTHETIC, _TRAINING),
]


@settings(max_examples=8)
@given(st.data())
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda one: one.pattern.pattern[:20])
def test_whatever_matches_holds_a_hint(pattern: Hinted, data: st.DataObject) -> None:
    letters = st.characters(max_codepoint=127)
    text = data.draw(
        st.from_regex(pattern.pattern, alphabet=st.one_of(letters, st.sampled_from("√∑Σ‖∇𝔼²𝒩⁻¹ᵀ")))
    )
    assert pattern.search(text)


def test_most_patterns_have_a_hint_to_look_for() -> None:
    assert sum("" not in pattern.hints for pattern in PATTERNS) > 0.8 * len(PATTERNS)


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
