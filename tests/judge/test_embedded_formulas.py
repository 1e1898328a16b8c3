"""Formulas, windows of lines, and clauses that come one before the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.features import MEASURES, features_of
from judge.embedded.formulas import OPERATIONS, formula_of, line_operations, line_pairs
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.survey import survey_of
from judge.embedded.windows import cover
from tests.judge.embedded_cases import index_of, sau


def _operations(text: str) -> dict[str, int]:
    return {OPERATIONS[place]: count for place, count in formula_of(text).counts}


def test_a_formula_is_read_from_symbols_and_from_latex() -> None:
    wanted = {"plus": 1, "minus": 1, "times": 1, "over": 1, "root": 1}
    assert _operations("θ_t = θ_{t−1} − α·m̂_t/(√v̂_t + ε)") == wanted
    assert _operations(r"\theta_t = \theta_{t-1} - \alpha * \frac{m_t}{\sqrt v_t + \epsilon}") == (
        wanted
    )


@pytest.mark.parametrize(
    "text", ["multi-head and/or self-attention", "images of 512x512", "a 32×32 grid", "top-k"]
)
def test_words_are_no_arithmetic(text: str) -> None:
    assert not {"minus", "over", "times"} & set(_operations(text))


@pytest.mark.parametrize(
    ("code", "operations"),
    [
        ("p -= lr * m / (v.sqrt() + eps)", ["minus", "times", "over", "root", "plus"]),
        ("loss = ((x - y) ** 2).mean()", ["minus", "square", "mean"]),
        ("out = f(*args, **kwargs)", []),
        ("loss = F.mse_loss(a, b.detach())", ["minus", "square", "mean", "detach"]),
        ("z = x ** 0.5 @ w.T", ["root", "dot", "transpose"]),
    ],
)
def test_operations_of_code(code: str, operations: list[str]) -> None:
    assert sorted(OPERATIONS[place] for place in line_operations(code)) == sorted(operations)


def test_what_stands_beside_an_operation_meets_however_it_is_spelt() -> None:
    said = {spelling for pair in formula_of("m = β₁·m + (1 − β₁)·g").pairs for spelling in pair}
    done = set(line_pairs("m = self.beta1 * m + (1 - self.beta1) * grad"))
    assert {"beta1 times", "#1 minus", "minus beta1"} <= said & done


@given(st.text(max_size=300))
def test_any_text_is_a_formula_or_none(text: str) -> None:
    assert all(count > 0 for _, count in formula_of(text).counts)
    assert all(0 <= place < len(OPERATIONS) for place in line_operations(text))
    assert all(" " in pair for pair in line_pairs(text))


@given(
    st.lists(st.tuples(st.sets(st.integers(0, 29), max_size=8), st.floats(0.1, 2)), max_size=5),
    st.integers(1, 12),
)
def test_windows_count_each_item_once(items: list[tuple[set[int], float]], size: int) -> None:
    rows = [(np.array(sorted(own), np.int64), weight) for own, weight in items]
    found = cover(rows, size, 30)
    for first in range(30):
        inside = set(range(first, first + size))
        assert found[first] == pytest.approx(sum(w for own, w in items if own & inside))


@pytest.mark.parametrize(
    "text",
    [
        "The gradients are clipped before the optimiser step.",
        "The optimiser step comes after the gradients are clipped.",
        "Before the optimiser step, the gradients are clipped.",
    ],
)
def test_an_order_is_read_however_it_is_said(text: str) -> None:
    claim = claim_of(sau(text, "D4"))
    pairs = [[{claim.concepts[n].text for n in side} for side in pair] for pair in claim.precedes]
    assert any("clipped" in one and "step" in other for one, other in pairs)


LOOP = """
def train(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()
        {first}
        {second}


if __name__ == "__main__":
    train(None, None, [])
"""


def test_statements_in_the_other_order_are_seen(tmp_path: Path) -> None:
    claim = claim_of(sau("The gradients are clipped before the optimizer step.", "D4"))

    def pairs(first: str, second: str) -> tuple[float, float]:
        code = LOOP.format(first=first, second=second)
        survey = survey_of(index_of(tmp_path / first[:4], {"train.py": code}))
        features = features_of(survey, claim, look(survey, claim))
        assert list(features) == list(MEASURES)
        return features["pairs_kept"], features["pairs_broken"]

    clip, step = "clip_grad_norm_(model.parameters(), 1.0)", "optimizer.step()"
    assert pairs(clip, step) == (1.0, 0.0)
    assert pairs(step, clip) == (0.0, 1.0)


FORMULA = """
def update(p, m, v, lr, eps):
    for value in (p, m, v):
        print(value)
    denominator = v.sqrt() {sign} eps
    p -= lr * m / denominator
    return p


if __name__ == "__main__":
    update(1.0, 1.0, 1.0, 1.0, 1.0)
"""


def test_another_sign_lowers_what_is_found_of_a_formula(tmp_path: Path) -> None:
    claim = claim_of(sau("The update is p = p − lr · m / (√v + eps).", "D2"))

    def found(sign: str, name: str) -> dict[str, float]:
        survey = survey_of(index_of(tmp_path / name, {"optim.py": FORMULA.format(sign=sign)}))
        return features_of(survey, claim, look(survey, claim))

    right, wrong = found("+", "right"), found("*", "wrong")
    for name in ("formula_here", "formula_pairs", "pairs_together"):
        assert right[name] > wrong[name]
