"""What can be shown to mean the same, and what cannot act."""

from __future__ import annotations

import ast

import pytest

pytest.importorskip("libcst", reason="drift needs the extra of that name")

from hypothesis import given
from hypothesis import strategies as st

from benchmark.drift.numbers import holds, level_of, number, spelled
from benchmark.drift.sameness import idle_lines, same_meaning


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x = 1e-3\n", "x = 0.001\n"),
        ("x = a * 1.0\n", "x = a\n"),
        ("x = a + 0\n", "x = a\n"),
        ("def f():\n    '''Say.'''\n    pass\n", "def f():\n    pass\n"),
        ("x = 1  # one\n", "x = 1\n"),
        ("x = - - a\n", "x = a\n"),
    ],
)
def test_the_same_code_written_otherwise(old: str, new: str) -> None:
    assert same_meaning("a.py", old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [("x = 1\n", "x = 2\n"), ("x = a + b\n", "x = a - b\n"), ("x = 1\n", "x = True\n"), ("x", "(")],
)
def test_what_differs_is_not_called_the_same(old: str, new: str) -> None:
    assert not same_meaning("a.py", old, new)


def test_configuration_is_compared_as_data() -> None:
    assert same_meaning("a.yaml", "a: 1.0\n", "{a: 1.0}  # same\n")
    assert not same_meaning("a.yaml", "a: 1\n", "a: 2\n")
    assert same_meaning("a.json", '{"a": 1}', '{ "a" : 1 }')


def test_lines_that_cannot_act() -> None:
    code = "def f(x):\n    unread = 3\n    read = 4\n    return read * x\n    x = 5\n"
    assert idle_lines(ast.parse(code)) == {2, 5}


def test_whoever_looks_at_all_locals_reads_them() -> None:
    assert idle_lines(ast.parse("def f():\n    a = 3\n    return locals()\n")) == set()


@pytest.mark.parametrize(
    ("claim", "literal"),
    [
        ("a stepsize of 3e-4", "0.0003"),
        ("a rate of 3·10⁻⁴", "3e-4"),
        ("ε = 10⁻⁸ is added", "1e-8"),
        ("10 % of the steps", "0.1"),
        ("one of 1,000,000 steps", "1_000_000"),
        ("500k steps", "500000"),
        ("T = 2048 steps.", "2048"),
    ],
)
def test_a_claim_holds_a_value_however_it_writes_it(claim: str, literal: str) -> None:
    assert holds(claim, literal)


def test_a_claim_does_not_hold_parts_of_its_numbers() -> None:
    assert not holds("hidden size 2048", "48")
    assert not holds("conv2d with 3 layers", "2")


@given(st.floats(1e-9, 1e9), st.sampled_from(["0.1", "1e-4", "3.0"]))
def test_a_spelled_number_is_the_number(value: float, like: str) -> None:
    back = number(spelled(value, like))
    assert back is not None
    assert back == pytest.approx(value, rel=1e-3)


@given(st.integers(1, 10**9))
def test_an_integer_stays_one(value: int) -> None:
    assert number(spelled(value, "7")) == value


def test_levels_of_values_follow_the_rubric() -> None:
    assert [level_of(1.0, new) for new in (2.0, 2.9, 5.0, 10.0, -1.0, 0.0)] == [3, 3, 2, 1, 1, 1]
