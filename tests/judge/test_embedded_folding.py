"""Arithmetic of literals: its value is Python's own, and a claim finds it beside its name."""

from __future__ import annotations

import io
import json
import tokenize
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.computed import computed_in
from judge.embedded.folding import fold, folded_form
from judge.embedded.survey import survey_of
from retrieval.numbers import canonical
from tests.judge.embedded_cases import answer_text, index_of, sau


def _literals() -> st.SearchStrategy[str]:
    whole = st.integers(0, 10_000).map(str)
    decimal = st.decimals(0, 100, places=3).map(str)
    power = st.tuples(st.integers(1, 99), st.integers(-6, 6)).map(lambda p: f"{p[0]}e{p[1]}")
    return whole | decimal | power


def _expressions() -> st.SearchStrategy[str]:
    def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        signs = st.sampled_from(["+", "-", "*", " / ", " // ", " % ", " - ", " * "])
        return st.one_of(
            st.tuples(inner, signs, inner).map("".join),
            inner.map("({})".format),
            inner.map("-{}".format),
            st.tuples(inner, st.integers(-3, 4)).map(lambda p: f"({p[0]}) ** {p[1]}"),
        )

    return st.recursive(_literals(), grown, max_leaves=8)


def _python(text: str) -> Fraction | None:
    """What Python makes of an expression whose literals are exact."""
    pieces: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NUMBER:
            pieces.append(f"F({str(Decimal(token.string))!r})")
        elif token.type in {tokenize.OP, tokenize.NAME}:
            pieces.append(token.string)
    try:
        value = eval(" ".join(pieces), {"F": Fraction})
    except (ZeroDivisionError, OverflowError):
        return None
    return Fraction(value) if isinstance(value, int | Fraction) else None


@given(_expressions())
def test_a_folded_value_is_pythons(text: str) -> None:
    value = fold(text)
    if value is not None:
        assert value == _python(text)


@given(st.recursive(
    st.integers(0, 99).map(str),
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda p: f"({''.join(p)})"),
    max_leaves=6,
))  # fmt: skip
def test_small_sums_and_products_always_have_a_value(text: str) -> None:
    assert fold(text) == _python(text) is not None


@given(st.text(max_size=80))
def test_any_text_can_be_folded(text: str) -> None:
    fold(text)
    folded_form(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 * 10**-4", "3e-4"), ("1/10", ".1"), ("256 * 4", "1024"), ("2**10", "1024"),
        ("1 - 1e-2", "0.99"), ("60 * 60", "3600"), ("int(0.1 * 3000)", "300"), ("-2 ** 2", "4"),
        ("2 ** 3 ** 2", "512"), ("7 // 2 * 2", "6"), ("(1 + 2) * 3", "9"), ("10_000 // 3", "3333"),
    ],
)  # fmt: skip
def test_values_have_the_form_of_the_claims(text: str, value: str) -> None:
    assert folded_form(text) == canonical(value)


@pytest.mark.parametrize(
    "text",
    [
        "1 / 3", "1 / 0", "2 ** 1000", "9 ** 9 ** 9", "10 ** 64 * 10 ** 64", "a * 2", "f(2)",
        "2 if 1 else 3", "(1", "1)", "", "1 1", "1e400 * 2", "0x10 * 2", "'1' * 3", "[1] * 3",
        "__import__('os')", "(" * 50 + "1" + ")" * 50, "-" * 60 + "1", "1 + " * 100 + "1",
    ],
)  # fmt: skip
def test_what_is_no_small_arithmetic_has_no_value(text: str) -> None:
    assert folded_form(text) is None


CODE = """
import torch
from runs import run

GPUS = 8
PER_GPU = 24
BASE_RATE = 1e-3
total_steps = 5000


def make(model):
    batch_size = GPUS * PER_GPU
    lr = 3 * 10**-4
    head_lr = BASE_RATE / 10
    warmup_steps = int(0.1 * total_steps)
    discount = 1 - 1e-2
    max_seconds = 60 * 60
    hidden_size = 256 * 4
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=9, gamma=0.1)
    drop = torch.nn.Dropout(1 / 10)
    attention = torch.nn.MultiheadAttention(hidden_size, 4, dropout=0.3)
    run(batch_size, head_lr, warmup_steps, discount, max_seconds, scheduler, drop, attention)


if __name__ == "__main__":
    make(torch.nn.Linear(3, 3))
"""


def _record(root: Path, claim: str, code: str = CODE) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(answer_text(index_of(root, {"train.py": code}), sau(claim)))
    return record


@pytest.mark.parametrize(
    "claim",
    [
        "The batch size is 192",
        "Adam uses a learning rate of 3e-4",
        "The head lr is 1e-4",
        "Warmup takes 500 steps",
        "Warmup takes 10% of the total steps",
        "The discount factor is 0.99",
        "The hidden size is 1024",
        "The max seconds are 3600",
        "Dropout is 0.1",
    ],
)
def test_a_computed_value_is_found_and_contradicts_nothing(tmp_path: Path, claim: str) -> None:
    record = _record(tmp_path, claim)
    assert "not found" not in record["found"]
    assert "against" not in record["rationale"]
    assert record["failure"] != "mismatch"


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("The batch size is 64", "GPUS * PER_GPU"),
        ("The hidden size is 512", "256 * 4"),
        ("The learning rate is 0.1", "3 * 10**-4"),
    ],
)
def test_another_computed_value_contradicts(tmp_path: Path, claim: str, line: str) -> None:
    record = _record(tmp_path, claim)
    assert record["failure"] == "mismatch"
    assert any(line in cited["quote"] for cited in record["citations"])


def _forms(root: Path, code: str) -> set[str]:
    return set(computed_in(survey_of(index_of(root, {"a.py": code}))).by_form)


@pytest.mark.parametrize(
    "code",
    [
        "a = 2\na = 3\nprint(a * 5)\n",  # two values
        "a = 2\na += 1\nprint(a * 5)\n",
        "a = 2\na = 2 * input()\nprint(a * 5)\n",
        "a = 2\na, b = 3, 4\nprint(a * 5)\n",
        "a = 2\nfor a in range(3):\n    print(a * 5)\n",
        "a = 2\n\n\ndef f(a):\n    return a * 5\n\n\nprint(f(3))\n",
        "a = 2\n\n\ndef f(x):\n    a = len(x)\n    return a * 5\n\n\nprint(f([]))\n",
        "a = -2\nprint(a * 5)\n",
        "print('2 * 5', \"1 - 0\")  # 2 * 5\n",
        "x = input()\nprint(x * 2 * 5, x - 2 * 5, x[0] * 2 * 5, len(x) - 2 * 5)\n",
        "print(2 * 5 * x, 2 * 5 - f(3), 2 * 5[0])\n",
    ],
)
def test_what_is_not_certain_is_not_computed(tmp_path: Path, code: str) -> None:
    assert not _forms(tmp_path, code) & {"10", "15", "1"}


def test_brackets_and_constants_are_followed(tmp_path: Path) -> None:
    code = (
        "GPUS = 8\n\n\nclass Config:\n    width: int = 32\n\n\ncfg = Config()\n"
        "x = (1 + 2) * (3 + 4)\nstart(GPUS * cfg.width, x, (1 - 3) ** 2)\n"
    )
    assert {"3", "7", "21", "256", "2"} == _forms(tmp_path, code)


def test_a_long_product_that_has_no_value_is_soon_given_up(tmp_path: Path) -> None:
    """Each number can be read in one way, or these lines would be tried in 7 ** 30."""
    product = " * ".join(["1_000_000"] * 30)
    lines = f"x = {product} * f(3)\n" + f"y = {product[:150]} (\n)\n"
    assert "3" not in _forms(tmp_path, lines)
    assert fold(" + ".join(["11111111"] * 30) + " x") is None
