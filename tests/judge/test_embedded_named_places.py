"""Where a claim names a data set, a variant, a phase or a part, the place that says so decides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.looking import Findings, look
from judge.embedded.named_places import in_other_branch, scope_of
from judge.embedded.parts import claim_of
from judge.embedded.place_names import is_alone, names_in, terms_of
from judge.embedded.survey import survey_of
from judge.embedded.values import ValueState
from retrieval.index import Index
from tests.judge.embedded_cases import answer_text, index_of, sau

BRANCHES = """
import torch


def settings(dataset):
    if dataset == "cifar10":
        lr = 0.01
    else:
        lr = 0.1
    return lr


def run(dataset, model):
    return torch.optim.SGD(model.parameters(), lr=settings(dataset))


if __name__ == "__main__":
    run("cifar10", torch.nn.Linear(2, 2))
"""

SECTIONS = """
import torch

SETTINGS = {
    "base": {"hidden": 768, "heads": 12},
    "large": {"hidden": 1024, "heads": 16},
}


def build(size):
    own = SETTINGS[size]
    return torch.nn.TransformerEncoderLayer(own["hidden"], own["heads"])


if __name__ == "__main__":
    print(build("base"))
"""

ROLES = """
import torch


def make(actor, critic):
    actor_lr = 3e-4
    critic_lr = 1e-3
    first = torch.optim.Adam(actor.parameters(), lr=actor_lr)
    return first, torch.optim.Adam(critic.parameters(), lr=critic_lr)


if __name__ == "__main__":
    make(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
"""

PHASES = """
def run_phase1(model, loader):
    batch_size = 64
    for batch in loader(batch_size):
        model(batch)


def run_phase2(model, loader):
    batch_size = 16
    envs = 32
    for batch in loader(batch_size, envs):
        model(batch)


if __name__ == "__main__":
    run_phase1(print, range)
    run_phase2(print, range)
"""

CONDITIONAL = """
def epochs_of(dataset):
    epochs = 5 if dataset == "cifar10" else 90
    return epochs


if __name__ == "__main__":
    for _ in range(epochs_of("cifar10")):
        print(1)
"""


def found_in(root: Path, code: str, claim: str) -> tuple[Findings, Index]:
    index = index_of(root, {"train.py": code})
    return look(survey_of(index), claim_of(sau(claim))), index


def contradicting_line(root: Path, code: str, claim: str) -> str:
    """The line of code that is told against a claim; empty for none."""
    found, index = found_in(root, code, claim)
    record: dict[str, Any] = json.loads(answer_text(index, sau(claim)))
    against = "against the claimed" in record["rationale"]
    assert against == any(v.state is ValueState.OTHER for v in found.values) or found.conflicts
    return record["citations"][0]["quote"].strip() if against else ""


@pytest.mark.parametrize(
    ("code", "claim", "line"),
    [
        (BRANCHES, "In the CIFAR-10 experiments the learning rate is 0.1", "lr = 0.01"),
        (BRANCHES, "The learning rate for CIFAR10 is 0.1", "lr = 0.01"),
        (SECTIONS, "The hidden size is 1024 for the base model", '"base": {"hidden": 768,'),
        (SECTIONS, "For the large model the hidden size is 768", '"large": {"hidden": 1024,'),
        (ROLES, "The critic learning rate is 3e-4", "critic_lr = 1e-3"),
        (ROLES, "The critic is trained with a learning rate of 3e-4", "critic_lr = 1e-3"),
        (ROLES, "For the actor, the learning rate is 1e-3", "actor_lr = 3e-4"),
        (PHASES, "In phase 2 the batch size is 64", "batch_size = 16"),
        (PHASES, "The second phase has a batch size of 64", "batch_size = 16"),
        (CONDITIONAL, "For CIFAR-10 training takes 90 epochs", "epochs = 5 if dataset =="),
    ],
)  # fmt: skip
def test_the_named_place_contradicts_what_stands_elsewhere(
    tmp_path: Path, code: str, claim: str, line: str
) -> None:
    assert contradicting_line(tmp_path, code, claim).startswith(line)


@pytest.mark.parametrize(
    ("code", "claim"),
    [
        (BRANCHES, "In the CIFAR-10 experiments the learning rate is 0.01"),
        (BRANCHES, "On ImageNet the learning rate is 0.1"),  # the branch of all others
        (BRANCHES, "The learning rate is 0.1"),
        (SECTIONS, "The hidden size is 768 for the base model"),
        (SECTIONS, "The hidden size is 768 (base) or 1024 (large)"),
        (ROLES, "The critic learning rate is 1e-3"),
        (ROLES, "The actor uses a learning rate of 3e-4 and the critic one of 1e-3"),
        (ROLES, "A learning rate of 3e-4 is used"),
        (PHASES, "In phase 2 the batch size is 16"),
        (PHASES, "In phase 2, batches of 32 environments are drawn, batch size 32"),
        (PHASES, "The batch size is 64"),
        (CONDITIONAL, "For CIFAR-10 training takes 5 epochs"),
        (CONDITIONAL, "Training takes 90 epochs"),
    ],
)
def test_what_stands_at_the_named_place_is_not_contradicted(
    tmp_path: Path, code: str, claim: str
) -> None:
    assert contradicting_line(tmp_path, code, claim) == ""


@pytest.mark.parametrize(
    ("files", "claim", "place"),
    [
        (
            {
                "train.py": "import yaml\ncfg = yaml.safe_load(open('config.yaml'))\n"
                "for name in cfg:\n    print(cfg[name]['batch_size'] * cfg[name]['lr'])\n",
                "config.yaml": "cifar10:\n  batch_size: 128\n  lr: 0.1\n"
                "imagenet32:\n  batch_size: 128\n  lr: 0.2\n",
            },
            "ImageNet 32×32 training: batch_size=128",
            ("config.yaml", 5),
        ),
        (
            {
                "train.py": "import torch\n\n\nclass BaseConfig:\n    depth = 12\n\n\n"
                "class LargeConfig:\n    depth = 12\n\n\n"
                "layer = torch.nn.Linear(BaseConfig.depth, LargeConfig.depth)\n"
                "layer(torch.randn(3, 12)).sum().backward()\n"
            },
            "The large model has depth 12",
            ("train.py", 9),
        ),
    ],
)
def test_of_equal_values_that_of_the_named_place_is_taken(
    tmp_path: Path, files: dict[str, str], claim: str, place: tuple[str, int]
) -> None:
    survey = survey_of(index_of(tmp_path, files))
    found = look(survey, claim_of(sau(claim)))
    assert [
        survey.place(v.line) for v in found.values if v.value.written.strip() in claim[-3:]
    ] == [place]


def test_a_value_of_another_split_is_no_contradiction(tmp_path: Path) -> None:
    code = (
        "import torch\n\nSETTINGS = {\n    'evaluation': {'trajectories': 50},\n}\n\n\n"
        "def run(count):\n    own = SETTINGS['evaluation']\n"
        "    return torch.randn(own['trajectories'], count)\n\n\n"
        "print(run(3))\n"
    )
    found, _ = found_in(tmp_path, code, "The model is fitted on 25 training trajectories")
    assert found.conflicts == []
    found, _ = found_in(tmp_path, code, "It is tested on 25 evaluation trajectories")
    assert [conflict.other.value for conflict in found.conflicts] == ["50"]


def test_what_is_said_of_another_value_of_the_claim_is_none_against_this_one(
    tmp_path: Path,
) -> None:
    code = "import torch\n\ntime_steps = 59\nprint(torch.randn(time_steps))\n"
    claim = "10 initial time steps, and a rollout over 59 total time steps"
    assert found_in(tmp_path, code, claim)[0].conflicts == []


def test_a_number_of_a_symbol_is_not_what_stands_before_or_behind_it(tmp_path: Path) -> None:
    code = (
        "from torch import nn\n\nnum_routed_experts = 16\n"
        "layers = [nn.Linear(2, 2) for _ in range(num_routed_experts)]\nprint(layers)\n"
    )
    assert found_in(tmp_path, code, "Outputs are summed; K=4 routed experts")[0].conflicts == []
    assert len(found_in(tmp_path, code, "There are 4 routed experts")[0].conflicts) == 1


def test_words_of_another_value_tell_no_place(tmp_path: Path) -> None:
    code = (
        "import torch\n\nrollout_horizon = 8\nforecast_decay = 1.0\n"
        "print(torch.randn(rollout_horizon) * forecast_decay)\n"
    )
    claim = "forecast horizon N=8, forecast decay alpha=1.0"
    assert found_in(tmp_path, code, claim)[0].conflicts == []


def test_a_counter_that_begins_with_nothing_contradicts_no_value(tmp_path: Path) -> None:
    code = "def run(n):\n    turn = 0\n    while turn < n:\n        turn += 1\n\n\nrun(10)\n"
    assert found_in(tmp_path, code, "Accuracy is taken at turn 10")[0].conflicts == []


# ---- what places are called ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("in the CIFAR-10 experiments", "get_cifar10_loader"),
        ("ImageNet 64×64 training", "imagenet64"),
        ("for CodeGemma-2B", "get_codegemma_2b_config"),
        ("in the second stage", "train_stage2"),
        ("Stage II lasts longer", "stage_two"),
        ("Hi-MAR-B is smaller", "hi_mar_b"),
        ("for the critic", "CriticConfig"),
    ],
)
def test_a_claim_and_the_code_call_a_place_alike(claim: str, name: str) -> None:
    assert names_in(claim) & terms_of(name)


def test_words_of_every_program_call_no_place() -> None:
    assert terms_of("get_dataset_path") & names_in("the path of each dataset") == frozenset()


def test_conditions_sections_and_classes_are_what_a_place_is_called(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": BRANCHES}))
    by_value = {f.value: scope_of(survey, f) for f in survey.index.facts if f.name.endswith(".lr")}
    assert "cifar10" in by_value["0.01"].strong
    assert "cifar10" in by_value["0.1"].excluded
    assert "cifar10" not in by_value["0.1"].strong


def test_a_branch_is_told_from_what_follows_it() -> None:
    codes = ["if a:", "    x = 1", "else:", "    x = 2", "x = 3"]
    assert in_other_branch(codes, 1, 3)
    assert not in_other_branch(codes, 1, 1)
    assert not in_other_branch(codes, 3, 4)


@pytest.mark.parametrize(
    ("text", "written", "symbol"),
    [
        ("chunk and condition lengths: l=8, P_max=25", "8", "l"),
        ("the learning rate η=0.1", "0.1", ""),
        ("with batch size B=64", "64", ""),
        ("the KL weight, K=4", "4", "k"),
    ],
)
def test_a_symbol_of_which_no_more_is_said(text: str, written: str, symbol: str) -> None:
    assert is_alone(text, written) == symbol


@given(st.text(max_size=200), st.text(max_size=30))
def test_any_text_has_names(text: str, name: str) -> None:
    assert all(names_in(text))
    assert all(terms_of(name))


# ---- what is not against a value -----------------------------------------------------------------

FITTED = """
import torch

torch.manual_seed(seed := 42)
random_seed = 42
weight_decay = 0.03
train_iterations = {iterations}
train_steps_code = 1500
train_steps = 3000
state_size = 16
time_steps = 59
top_k = 8
fitted = torch.randn(train_iterations, train_steps, train_steps_code, state_size, time_steps, top_k)


def soft_update(own, other, tau=0.005):
    return tau * own + (1 - tau) * other


print(soft_update(fitted.sum(), fitted.mean()))
"""


@pytest.mark.parametrize(
    "claim",
    [
        "Iterations for the experiment (varying state size): 2000",  # the brackets name nothing
        "Code generation: Adam, 1500 train steps",  # a name with a word of the claim's has it
        "The model sees 10 input time steps",  # not all of them
        "The top-1 probability is 1.56%",  # a count is no share
        "Rewards are weighted, w_q_tau=2.5e-5",  # another name, by its letters
        "Results are means over 5 random seeds",  # how many, and not which
        "Random seeds=5",
        "Scenario 2 is taken for random seed tests",  # which, and not how many
        "One state size (7K train images) is kept",  # what follows says what it is
        "The seed is 42, 2 epochs",
        "Adam (weight_decay=0.03), 8K-step warmup",  # the brackets are closed
    ],
)
def test_what_is_of_something_else_is_against_no_value(tmp_path: Path, claim: str) -> None:
    assert contradicting_line(tmp_path, FITTED.format(iterations=2000), claim) == ""


def test_a_letter_that_is_spelt_out_is_looked_for_by_its_words(tmp_path: Path) -> None:
    code = (
        "import torch\n\n\ndef dpo(ratio, beta=0.1):\n    return -torch.log(ratio * beta)\n\n\n"
        "def loss(router_loss, router_weight=0.001):\n    return router_loss * router_weight\n\n\n"
        "print(dpo(2), loss(3))\n"
    )
    claim = "The loss is L_CE + beta * L_RZ, where beta=0.001 (router loss weight)"
    assert contradicting_line(tmp_path, code, claim) == ""


def test_the_transparency_of_a_figure_is_no_level_of_a_test(tmp_path: Path) -> None:
    code = (
        "import matplotlib.pyplot as plt\n\n\ndef draw(points, size):\n"
        "    plt.scatter(points, points, s=size, alpha=0.6)\n    plt.savefig('points.png')\n\n\n"
        "draw([1, 2], 3)\n"
    )
    assert contradicting_line(tmp_path, code, "The test has significance level alpha=0.01") == ""
