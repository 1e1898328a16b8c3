"""Orders that a claim states in a sentence, and the places of their sides in code."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.contradictions import contradictions
from judge.embedded.features import features_of
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.placing import placed_orders
from judge.embedded.sides import sides_of
from judge.embedded.survey import Survey, survey_of
from tests.judge.embedded_cases import index_of, sau

MODEL = """
import torch
from torch import nn


class Connector(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mlp = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        x = self.norm(x)
        # The MLP comes first: self.mlp(x) and then self.norm(x)
        x = self.mlp(x)
        return x


class Mixer(nn.Module):
    def forward(self, x):
        return self.router(self.attention(x))


class FourierBlock(nn.Module):
    def forward(self, x):
        return torch.nn.functional.gelu(self.spectral(x) + self.pointwise(x))


def update(model, opt_actor, opt_critic, batch, warm):
    critic_loss, actor_loss = model(batch)
    critic_loss.backward()
    opt_critic.step()
    actor_loss.backward()
    opt_actor.step()


def prepare(samples, warm):
    if warm:
        samples = rotate_images(samples)
    else:
        samples = blur_images(samples)
    return samples


def main():
    model = Connector(8)
    samples = prepare(torch.randn(4, 8), True)
    print(Mixer()(FourierBlock()(samples)))
    train_tokenizer(model, samples)
    train_transformer(model, samples)
    update(model, torch.optim.SGD([], 0.1), torch.optim.SGD([], 0.1), samples, True)


if __name__ == "__main__":
    main()
"""


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    root: Path = tmp_path_factory.mktemp("orders")
    return survey_of(index_of(root, {"model.py": MODEL}))


@pytest.mark.parametrize(
    ("claim", "first", "second"),
    [
        ("Gradients are clipped before it steps.", "Gradients are clipped", "it steps"),
        ("Before testing, weights are restored.", "weights are restored", "testing"),
        ("After tuning, the model is retrained.", "tuning", "the model is retrained"),
        ("Normalisation follows the MLP.", "the MLP", "Normalisation"),
        ("Pretraining precedes fine-tuning.", "Pretraining", "fine-tuning"),
        ("Attention is followed by dropout.", "Attention", "dropout"),
        ("The box is placed first and the agent afterwards.", "The box is placed", "the agent"),
        ("Split the rows first, then fit the trees.", "Split the rows", "fit the trees"),
        ("A is learnt beforehand and frozen while B learns.", "A is learnt", "B learns"),
        ("In each step, A is updated ahead of the actor.", "A is updated", "the actor"),
        ("The gate acts once the mask is applied.", "the mask is applied", "The gate acts"),
    ],
)  # fmt: skip
def test_the_sides_of_an_order_are_read_off_a_sentence(claim: str, first: str, second: str) -> None:
    (sides,) = sides_of(claim)
    assert (sides.first, sides.second) == (first, second)


def test_three_steps_in_a_row_are_two_orders() -> None:
    claim = "Tuning comes first, reward modelling second and PPO third."
    assert [(s.first, s.second) for s in sides_of(claim)] == [
        ("Tuning comes", "reward modelling"),
        ("reward modelling", "PPO"),
    ]


@pytest.mark.parametrize(
    "claim",
    [
        "Training stops after 5,000 updates.",
        "Sampling follows the deterministic update.",
        "Times are drawn once per setting.",
        "The first frame is kept.",
        "The baseline -> +Quantizer: each part is added to the ones above.",
        "First moment and second moment estimates, bias correction.",
    ],
)
def test_what_states_no_order_has_no_sides(claim: str) -> None:
    assert sides_of(claim) == ()


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(sides.first and sides.second for sides in sides_of(text))


@pytest.mark.parametrize(
    ("claim", "kept"),
    [
        ("Within the connector, normalisation comes before the MLP.", 1),
        ("Within the connector, normalisation follows the MLP.", -1),
        ("The attention comes before the router.", 1),  # one call is given what the other gives
        ("In each update, the critic is updated before the actor.", 1),
        ("In each update, the actor is updated before the critic.", -1),
        ("In a Fourier block the activation follows the sum of both branches.", 1),
        ("In a Fourier block the activation is applied before the branches are summed.", -1),
        ("The tokenizer is trained before the transformer.", 1),
        ("Images are rotated before they are blurred.", 0),  # one branch alone is run
        ("The pyramid is refined before the wavelet is thresholded.", 0),  # neither is there
    ],
)
def test_an_order_is_seen_where_both_sides_have_a_place(
    survey: Survey, claim: str, kept: int
) -> None:
    (placed,) = placed_orders(survey, claim)
    assert placed.kept == kept
    assert bool(placed.rows) is (kept != 0)


def test_a_reversed_order_is_told_with_both_places(survey: Survey) -> None:
    claim = claim_of(sau("Within the connector, normalisation follows the MLP.", "D4"))
    found = look(survey, claim)
    (against,) = contradictions(found.method)
    assert against.said == "“the MLP” before “normalisation”"
    early = MODEL.splitlines().index("        x = self.norm(x)") + 1
    late = MODEL.splitlines().index("        x = self.mlp(x)") + 1
    assert against.done == (
        f"`x = self.norm(x)` at model.py:{early} comes before `x = self.mlp(x)` at model.py:{late}"
    )
    numbers = features_of(survey, claim, found)
    assert (numbers["pairs_broken"], numbers["order_wrong"]) == (1.0, 1.0)


def test_an_order_that_cannot_be_told_counts_for_neither_side(survey: Survey) -> None:
    claim = claim_of(sau("Images are rotated before they are blurred.", "D4"))
    found = look(survey, claim)
    numbers = features_of(survey, claim, found)
    assert (numbers["pairs_kept"], numbers["pairs_broken"]) == (0.0, 0.0)
    assert contradictions(found.method) == ()
