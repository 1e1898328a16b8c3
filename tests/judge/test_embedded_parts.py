"""Claims taken apart, stubs recognised, and the arithmetic of the model."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judge.embedded
from benchmark import Dimension, Sau
from judge.embedded.features import FEATURES, features_of
from judge.embedded.looking import look
from judge.embedded.model import load_model
from judge.embedded.parts import claim_of
from judge.embedded.stubs import is_stub
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import index_of, sau

WEIGHTS = json.loads(
    (Path(judge.embedded.__file__).parent / "weights.json").read_text(encoding="utf-8")
)


def test_names_are_told_from_words_and_from_symbols() -> None:
    claim = claim_of(sau("AdamW on CIFAR-10 uses the weight decay λ and updates m_t.", "D2"))
    named = {c.text: c.named for c in claim.concepts}
    assert named["AdamW"]
    assert named["CIFAR"]
    assert not named["weight decay"]
    assert not named["m_t"]
    assert {c.text: c.terms for c in claim.concepts}["CIFAR"][0] == "cifar10"
    assert {c.text: c.terms for c in claim.concepts}["m_t"] == ("mt", "m")


def test_values_leave_out_numbers_of_steps() -> None:
    claim = claim_of(sau("Order: 2. warm up for 500 steps; 3. train with 0.1 dropout.", "D4"))
    assert [value.written for value in claim.values] == ["500", "0.1"]


@pytest.mark.parametrize(
    "text",
    [
        "Order: 1. shuffle the data; 2. train the model; 3. report accuracy.",
        "Step 1 - shuffle the data; Step 2 - train the model; Step 3 - report accuracy.",
        "(1) shuffle the data, (2) train the model, (3) report accuracy.",
        "shuffle the data → train the model → report accuracy.",
        "Shuffle the data, then train the model, finally report accuracy.",
    ],
)
def test_steps_are_found_however_they_are_marked(text: str) -> None:
    claim = claim_of(sau(text, "D4"))
    words = [{claim.concepts[n].text.lower() for n in step} for step in claim.steps]
    assert [bool(own & {"shuffle", "train", "accuracy"}) for own in words] == [True] * 3
    assert "shuffle" in words[0]
    assert "train" in words[1]
    assert "accuracy" in words[2]


@given(st.text(max_size=400), st.sampled_from(list(Dimension)))
def test_any_text_can_be_taken_apart(text: str, dimension: Dimension) -> None:
    claim = claim_of(Sau("x", "x", dimension, text))
    assert all(c.weight > 0 and c.terms for c in claim.concepts)
    assert all(0 <= n < len(claim.concepts) for step in claim.steps for n in step)


STUBS = [
    "pass",
    "...",
    "raise NotImplementedError('later')",
    "return None",
    "return 0.5",
    "return {'fid': 3.17, 'is': 9.46}",
    "return [0.1, 0.2]",
    "return torch.zeros(3, 3)",
    "return float(np.random.rand())",
    "return x",
    "print('Phase 1: sweep')",
]
REAL = [
    "return x + 1",
    "return self.layers(x)",
    "y = x * 2\n    return y",
    "return torch.zeros(n).scatter_(0, x, 1)\n    ",
    "self.total += x",
    "yield x",
]


@pytest.mark.parametrize("body", STUBS)
def test_placeholders_are_recognised(body: str) -> None:
    assert is_stub([f"def compute(x, n=3):\n    {body}".split("\n")[0], f"    {body}"])


@pytest.mark.parametrize("body", [body for body in REAL if "zeros" not in body])
def test_code_that_does_something_is_no_placeholder(body: str) -> None:
    assert not is_stub(["def compute(self, x, n=3):", *f"    {body}".split("\n")])


def test_constructors_and_abstract_methods_are_no_placeholders() -> None:
    assert not is_stub(["def __init__(self):", "    pass"])
    assert not is_stub(["@abstractmethod", "def loss(self):", "    ..."])


@given(st.lists(st.text(max_size=80), max_size=12))
def test_any_lines_can_be_asked_about(lines: list[str]) -> None:
    assert is_stub(lines) in {True, False}


def test_a_long_line_of_digits_costs_no_time() -> None:
    assert not is_stub(["def f():", "    return [" + "1" * 4_000 + "x]"])


def test_order_counts(tmp_path: Path) -> None:
    claim = claim_of(
        sau("Step 1 - tokenize the corpus; Step 2 - fit the classifier; Step 3 - prune it.", "D4")
    )

    def kept(first: str, second: str, third: str) -> float:
        code = "".join(
            f"def {name}(x):\n    y = x.{name}_all()\n    y = y.{name}_rest()\n    return y + 1\n\n"
            for name in ("tokenize_corpus", "fit_classifier", "prune_weights")
        )
        calls = "".join(f"    x = {name}(x)\n" for name in (first, second, third))
        main = f"def main(x):\n{calls}\n\nif __name__ == '__main__':\n    main(1)\n"
        survey = survey_of(index_of(tmp_path / first / second, {"main.py": code + main}))
        return features_of(survey, claim, look(survey, claim))["order_kept"]

    assert kept("tokenize_corpus", "fit_classifier", "prune_weights") == 1.0
    assert kept("prune_weights", "fit_classifier", "tokenize_corpus") == -1.0


_FEATURE = st.one_of(st.just(math.nan), st.floats(-2, 8))


@given(st.fixed_dictionaries(dict.fromkeys(FEATURES, _FEATURE)), st.integers(0, 4))
def test_a_rule_takes_the_share_that_it_has_earned_of_what_lies_above_its_ceiling(
    features: dict[str, float], highest: int
) -> None:
    model = load_model()
    free, outcome = model.outcome(features), model.outcome(features, highest)
    left = 1 - model.held[highest]
    assert sum(outcome.chances[highest + 1 :]) == pytest.approx(
        left * sum(free.chances[highest + 1 :])
    )
    firm = replace(model, held=(1.0,) * 5).outcome(features, highest)
    assert not any(firm.chances[highest + 1 :])
    assert firm.expected <= outcome.expected + 1e-9 <= free.expected + 2e-9


@given(st.fixed_dictionaries(dict.fromkeys(FEATURES, _FEATURE)), st.integers(0, 4))
def test_chances_are_chances_and_no_level_is_above_the_ceiling(
    features: dict[str, float], highest: int
) -> None:
    model = load_model()
    outcome = model.outcome(features, highest)
    assert sum(outcome.chances) == pytest.approx(1)
    assert all(chance >= -1e-12 for chance in outcome.chances)
    assert 0 <= outcome.expected <= 4 + 1e-9
    assert model.level(outcome, highest) <= highest


@given(
    st.fixed_dictionaries(dict.fromkeys(FEATURES, _FEATURE)),
    st.sampled_from([name for name, (sign, _) in FEATURES.items() if sign]),
    st.floats(-2, 8),
    st.floats(-2, 8),
)
def test_a_feature_with_a_sign_keeps_it(
    features: dict[str, float], name: str, one: float, other: float
) -> None:
    model = load_model()
    low, high = sorted((one, other))
    before = model.outcome({**features, name: low}).expected
    after = model.outcome({**features, name: high}).expected
    # What is shipped is rounded to five digits a leaf.
    assert FEATURES[name][0] * (after - before) >= -0.02


def test_the_model_is_small_and_says_where_it_comes_from() -> None:
    # A measure may be newer than the fit, which then does not ask for it.
    asked = set(WEIGHTS["features"])
    assert WEIGHTS["features"] == [name for name in FEATURES if name in asked]
    assert 60 <= len(FEATURES) <= 140
    assert all(meaning for _, meaning in FEATURES.values())
    assert WEIGHTS["slopes"]["score"]["slope"] > 0
    assert WEIGHTS["thresholds"] == sorted(WEIGHTS["thresholds"])
    assert WEIGHTS["cuts"] == sorted(WEIGHTS["cuts"])
    assert len(WEIGHTS["fitted_on"]["papers_never_used"]) == 6
    never = set(WEIGHTS["fitted_on"]["papers_never_used"])
    assert not never & set(WEIGHTS["fitted_on"]["papers"])
    size = (Path(judge.embedded.__file__).parent / "weights.json").stat().st_size
    assert size < 1_500_000
