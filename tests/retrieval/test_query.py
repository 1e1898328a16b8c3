from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Dimension, Sau
from retrieval.query import query_of, text_terms
from retrieval.words import join, stem, token_terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("num_layers", "numLayers"),
        ("NumLayers", "num-layers"),
        ("β₁", "beta_1"),
        ("\\beta_1", "beta1"),
        ("weight decay", "weight_decay"),
        ("CIFAR-10", "cifar10"),
        ("LAYERS", "layer"),
    ],
)
def test_names_meet_however_they_are_written(one: str, other: str) -> None:
    assert join(one) == join(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("layers", "layer"),
        ("training", "trained"),
        ("normalization", "normalized"),
        ("running", "run"),
    ],
)
def test_inflections_meet(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_words_that_differ_stay_apart() -> None:
    assert (
        len({stem(word) for word in ["loss", "los", "class", "classes", "bias", "biased", "mass"]})
        > 4
    )


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert set(token_terms("useEMAWeights")) == {"useemaweight", "use", "ema", "weight"}
    assert token_terms("1e-4") == ("#0.0001",)


def sau(claim: str, source: str = "") -> Sau:
    return Sau("x", "p", Dimension.D1, claim, source)


def test_a_claims_values_know_their_names() -> None:
    query = query_of(sau("AdamW optimizer with learning rate 1×10⁻⁴ and weight decay of 0.05"))
    values = {value.term: value.near for value in query.values}
    assert {"lr", "learningrate"} <= set(values["#0.0001"])
    assert "weightdecai" in values["#0.05"] or "weightdecay" in values["#0.05"]


def test_a_long_claim_is_taken_apart() -> None:
    query = query_of(
        sau(
            "Pipeline: Step 1 — load the ImageNet data. Step 2 — train the encoder. "
            "Step 3 — report top-1."
        )
    )
    assert len(query.parts) == 3
    assert "imagenet" in dict(query.parts[0].terms)
    assert "imagenet" not in dict(query.parts[1].terms)


def test_references_into_the_paper_weigh_little() -> None:
    terms = dict(query_of(sau("The loss is clipped (Eq. 7)", "Section 3, Algorithm 1")).terms)
    assert "#7" not in terms
    assert terms.get("algorithm", 0) < 0.2 * terms["loss"]


def test_usual_other_names_are_searched_for_too() -> None:
    terms = dict(text_terms("learning rate"))
    assert 0 < terms["lr"] < terms["learningrate"]


@given(st.text(max_size=400))
def test_any_claim_can_be_asked(claim: str) -> None:
    query = query_of(sau(claim or "x"))
    assert query.parts
    assert all(weight > 0 for _, weight in query.terms)


def test_the_exponent_of_a_number_is_no_name_to_look_for() -> None:
    claim = "Adam with learning rates 3e-4, 4E-3 and 1e5"
    sought = [one.label for one in query_of(Sau("t-1", "t", Dimension.D1, claim)).sought]
    assert {"3e-4", "4E-3", "1e5"} <= set(sought)
    assert not [label for label in sought if label.lower().startswith("e")]


@given(
    st.lists(
        st.sampled_from(["  ", "\n", "one two three ", "(1) ", "->", "; ", ". ", "A", "Step 3 "]),
        max_size=12,
    ).map("".join)
)
def test_a_claims_parts_are_all_of_it_in_order(claim: str) -> None:
    said = " ".join(part.text for part in query_of(Sau("x", "p", Dimension.D4, claim)).parts)
    assert "".join(said.split()) == "".join(claim.split())


def test_long_space_within_a_claim_ends_no_part() -> None:
    claim = "The rate is small" + " " * 200_000 + "and (1) the loss is summed over all tokens"
    parts = query_of(Sau("x", "p", Dimension.D4, claim)).parts
    assert [part.text.split()[0] for part in parts] == ["The", "(1)"]
