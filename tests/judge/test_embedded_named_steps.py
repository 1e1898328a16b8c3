"""Steps and names that a claim states and that no live code holds a sign of."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import Level
from judge.embedded.contradictions import contradictions
from judge.embedded.looking import look
from judge.embedded.method import look_at_method
from judge.embedded.named_steps import NAMED_STEPS, absent_steps
from judge.embedded.parts import claim_of
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import index_of, judged, sau

SHARP = """
import torch


class Sharp:
    def __init__(self, inner, rho):
        self.inner, self.rho = inner, rho

    def weights(self):
        return [p for g in self.inner.param_groups for p in g["params"]]

    def climb(self):
        length = torch.norm(torch.stack([p.grad.norm(2) for p in self.weights()]), 2)
        for p in self.weights():
            p.data.add_(p.grad * (self.rho / (length + 1e-12)))


def main():
    net = torch.nn.Sequential(torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9{more})
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(sgd, T_max=60)
    sharp = Sharp(sgd, 0.05)
    for _ in range(60):
        net(torch.randn(8, 784)).logsumexp(1).mean().backward()
        sharp.climb()
        sgd.step()
        schedule.step()


if __name__ == "__main__":
    main()
"""
FALSE = [
    "The perturbation is the sign of the gradient times rho",
    "rho is annealed linearly over training",
    "The gradient norm is computed separately for each layer",
    "The gradient norm of each layer is scaled by rho",
    "SGD with Nesterov momentum of 0.9",
    "Weights are trained with dropout between the layers",
]
TRUE = [
    "The learning rate is annealed with a cosine schedule",
    "The gradient is scaled by rho over its norm, taken over all parameters",
    "SGD with momentum of 0.9",
]


@pytest.mark.parametrize("claim", FALSE)
def test_a_step_without_any_sign_is_half_done_at_most(tmp_path: Path, claim: str) -> None:
    index = index_of(tmp_path, {"train.py": SHARP.format(more="")})
    answer, _ = judged(index, sau(claim, "D2"))
    assert answer.level in {Level.ABSENT, Level.FRAGMENT, Level.PARTIAL}, answer.rationale


@pytest.mark.parametrize("claim", TRUE)
def test_steps_that_stand_there_are_not_missed(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": SHARP.format(more="")}))
    found = look(survey, claim_of(sau(claim, "D2")))
    assert not found.absent
    assert not contradictions(found.method)


def test_what_an_argument_turns_on_stands_there(tmp_path: Path) -> None:
    claim = "SGD with Nesterov momentum of 0.9"
    on = index_of(tmp_path / "on", {"train.py": SHARP.format(more=", nesterov=True")})
    off = index_of(tmp_path / "off", {"train.py": SHARP.format(more=", nesterov=False")})
    assert absent_steps(survey_of(on), claim) == ()
    assert absent_steps(survey_of(off), claim) == ("Nesterov momentum",)


def test_one_norm_over_all_is_told_and_cited(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": SHARP.format(more="")}))
    claim = "The gradient norm is computed separately for each layer"
    (told,) = contradictions(look_at_method(survey, claim))
    assert "one norm over all stands there" in told.done
    assert "torch.stack" in survey.codes[told.rows[0]]


@pytest.mark.parametrize("name", NAMED_STEPS)
def test_a_claim_of_another_step_states_none(name: str) -> None:
    said, _ = NAMED_STEPS[name]
    assert said.search("The model is trained with Adam on images of cats and dogs") is None


NAMES = """
import torch
from datasets import load_dataset


def rollout_attention(attention):
    return attention.mean(dim=1)


def main():
    data = load_dataset("cais/mmlu")
    net = torch.nn.MultiheadAttention(16, 4)
    for example in data["test"]:
        out, attention = net(*example)
        print(rollout_attention(attention))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "claim",
    [
        "The model is evaluated on the GSM-8K dataset",
        "Accuracy is compared against the AttnRollout baseline",
        "An AttentionRollouts analysis of the attention maps is printed",
        "Maps are printed by the HeadVis library",
    ],
)
def test_a_name_that_stands_nowhere_bounds_the_level(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"run.py": NAMES}))
    assert look(survey, claim_of(sau(claim, "D3"))).unknown
    answer, _ = judged(survey.index, sau(claim, "D3"))
    assert answer.level in {Level.ABSENT, Level.FRAGMENT, Level.PARTIAL}, answer.rationale


@pytest.mark.parametrize(
    "claim",
    [
        "The model is evaluated on the MMLU benchmark",  # within a longer string
        "A RolloutAttention analysis is printed by rollout_attention",  # a word of the claim's own
        "RolloutHead(x) = mean of the attention, evaluated on MMLU",  # a formula's own name
        "The MultiHeadAttention module has 4 heads",
    ],
)
def test_a_name_that_stands_otherwise_does_not(tmp_path: Path, claim: str) -> None:
    survey = survey_of(index_of(tmp_path, {"run.py": NAMES}))
    assert not [
        name
        for name in look(survey, claim_of(sau(claim, "D3"))).unknown
        if name != "RolloutAttention"
    ]
