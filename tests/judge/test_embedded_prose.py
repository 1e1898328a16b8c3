"""Words of prose are asked of no code; what says how often and in what way is asked."""

from __future__ import annotations

import pytest

from judge.embedded.named_steps import NAMED_STEPS, _compiled
from judge.embedded.place_names import (
    is_alone,
    is_behind_brackets,
    is_complement,
    is_number_of,
    is_of_what_follows,
    is_qualified,
    names_in,
)
from judge.embedded.prose import is_prose
from judge.embedded.stubs import is_stub


@pytest.mark.parametrize("word", ["carefully", "surprisingly", "clearly"])
def test_an_adverb_of_telling_is_prose(word: str) -> None:
    assert is_prose(word)


@pytest.mark.parametrize(
    "word",
    ["daily", "weekly", "monthly", "separately", "simultaneously", "inversely", "fully", "jointly"],
)
def test_an_adverb_of_how_often_or_in_what_way_is_none(word: str) -> None:
    assert not is_prose(word)


HOSTILE = (
    "1 abc " * 4000,
    ")" + "1 " * 9000,
    ")" + "1" * 20000,
    "a(" + " " * 19000 + "1 abc",
    "phase 1 2 " * 2000,
    "1 " * 9000 + " phase a",
    "1-" * 9000,
    "1." * 9000,
    ";" + " " * 19000,
    "phase " * 3000,
    "a" * 20000,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_claim_about_places_is_read_at_once(text: str) -> None:
    for ask in (is_alone, is_behind_brackets, is_complement, is_number_of, is_of_what_follows):
        ask(text, "1")
    assert not is_qualified(text, "1")
    assert "cifar10" not in names_in(text)


def test_what_a_number_stands_behind_is_seen_late_in_a_long_claim() -> None:
    text = "word " * 400 + "Clevr (70K train images), AdamW (weight_decay=0.03), 8 steps in phase 2"
    assert is_of_what_follows(text, "70K")
    assert is_behind_brackets(text, "8")
    assert is_number_of(text, "2")
    assert not is_number_of(text, "8")


@pytest.mark.parametrize("part", ["_", "sample_", "choices(", "a_get_", "choices(a)", "sample("])
def test_a_hostile_line_is_no_placeholder_for_long(part: str) -> None:
    name = "f" + part.strip("(a)") * 3000
    assert not is_stub(
        [f"def {name}(x):", f"    return random.{part * 3000} + work(x)", "    z(x)"]
    )


@pytest.mark.parametrize("sign", ["\n", "    \n", "[", "a", "a_"])
def test_signs_of_components_are_looked_for_in_one_go(sign: str) -> None:
    code = (sign * 20000)[:20000]
    if "\n" not in sign:
        code = "\n".join(code[start : start + 400] for start in range(0, len(code), 400))
    for name in ("pre-norm", "post-norm", "skip connections", "CutMix", "exponential decay"):
        assert _compiled(NAMED_STEPS[name].signs).search(code) is None
