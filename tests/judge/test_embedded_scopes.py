"""A value counts only where its scope fits what the claim speaks of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.embedded.file_places import homes_of
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.survey import survey_of
from judge.embedded.values import ValueState
from tests.judge.embedded_cases import answer_text, index_of, sau

SCRIPT = """
import argparse

import torch

from engine import train_one_epoch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", default={epochs}, type=int)
    parser.add_argument("--weight_decay", default={decay}, type=float)
    args = parser.parse_args()
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=args.weight_decay)
    for epoch in range(args.epochs):
        train_one_epoch(model, optimizer)


if __name__ == "__main__":
    main()
"""

ENGINE = """
def train_one_epoch(model, optimizer):
    loss = model.weight.square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

PHASES = {
    "main_pretrain.py": SCRIPT.format(epochs=400, decay=0.05),
    "main_finetune.py": SCRIPT.format(epochs=50, decay=0.05),
    "main_linprobe.py": SCRIPT.format(epochs=90, decay=0),
    "engine.py": ENGINE,
}


def states(tmp_path: Path, files: dict[str, str], claim: str) -> list[tuple[ValueState, str]]:
    survey = survey_of(index_of(tmp_path, files))
    found = look(survey, claim_of(sau(claim)))
    return [(value.state, survey.place(value.line)[0]) for value in found.values]


@pytest.mark.parametrize(
    ("claim", "home"),
    [
        ("Pretraining lasts 400 epochs.", "main_pretrain.py"),
        ("Fine-tuning lasts 50 epochs.", "main_finetune.py"),
        ("Linear probing lasts 90 epochs.", "main_linprobe.py"),
    ],
)
def test_a_phase_has_the_value_of_its_script(tmp_path: Path, claim: str, home: str) -> None:
    assert states(tmp_path, PHASES, claim) == [(ValueState.BESIDE, home)]


@pytest.mark.parametrize(
    ("claim", "home"),
    [
        ("Pretraining lasts 50 epochs.", "main_pretrain.py"),
        ("Fine-tuning lasts 90 epochs.", "main_finetune.py"),
        ("Linear probing lasts 400 epochs.", "main_linprobe.py"),
        ("Linear probing uses a weight decay of 0.05.", "main_linprobe.py"),
    ],
)
def test_another_phase_does_not_stand_for_it(tmp_path: Path, claim: str, home: str) -> None:
    assert states(tmp_path, PHASES, claim) == [(ValueState.OTHER, home)]


def test_a_claim_that_names_no_phase_may_mean_any(tmp_path: Path) -> None:
    assert states(tmp_path, PHASES, "The model is trained for 90 epochs.")[0][0] is (
        ValueState.BESIDE
    )


def test_what_runs_the_named_file_speaks_for_it(tmp_path: Path) -> None:
    files = {
        "td3.py": "def td3(model, lr=3e-4):\n    return [p * lr for p in model]\n",
        "sac.py": "def sac(model, lr=3e-4):\n    return [p * lr for p in model]\n",
        "launch.py": "from sac import sac\nfrom td3 import td3\n\nlr = 1e-3\n"
        "print(td3([1.0], lr), sac([1.0], lr))\n",
    }
    claim = "TD3 uses a learning rate of 1e-3."
    assert states(tmp_path, files, claim)[0][0] is ValueState.BESIDE


def test_words_of_every_program_name_no_file(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, PHASES))
    assert not homes_of(survey, "The main model is trained on data for 50 epochs.").paths
    assert homes_of(survey, "Linear probing uses SGD.").paths == {"main_linprobe.py"}


DECODER = """
import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, depth=12, decoder_depth=8, width=16):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.decoder_blocks = nn.ModuleList(nn.Identity() for _ in range(decoder_depth))

    def forward(self, x):
        for block in (*self.blocks, *self.decoder_blocks):
            x = block(x)
        return x


if __name__ == "__main__":
    print(Autoencoder()(torch.zeros(1, 16)))
"""


def test_a_depth_counts_blocks(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"model.py": DECODER})
    right = json.loads(answer_text(index, sau("The decoder has 8 blocks.")))
    wrong = json.loads(answer_text(index, sau("The decoder has 4 blocks.")))
    assert "decoder_depth is 8 at model.py:7" in wrong["found"]
    assert "decoder_depth is" not in right["found"]
    assert float(wrong["level"]) < float(right["level"])


PERIOD = """
def update(policy_update_period=2, batch=3):
    for step in range(100):
        critic = step * batch
        if step % policy_update_period == 0:
            policy = critic
    return policy


print(update())
"""


def test_every_so_many_is_a_period(tmp_path: Path) -> None:
    files = {"agent.py": PERIOD}
    held = states(tmp_path, files, "The policy is updated every 2 critic updates.")
    other = states(tmp_path, files, "The policy is updated every 3 critic updates.")
    assert held[0][0] is ValueState.BESIDE
    assert other[0][0] is ValueState.OTHER


LARS = """
class LARS:
    def __init__(self, params, lr=0):
        self.params = [p * lr for p in params]


def run(base_rate=0.1):
    return LARS([1.0], lr=base_rate)


print(run().params)
"""


def test_a_default_that_callers_give_contradicts_nothing(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, {"run.py": LARS}))
    claim = claim_of(sau("LARS uses a learning rate of 0.1."))
    assert not look(survey, claim).conflicts


def test_a_count_contradicts_no_fraction(tmp_path: Path) -> None:
    code = "def mix(num_gaussians=1):\n    return [0.0] * num_gaussians\n\n\nprint(mix())\n"
    survey = survey_of(index_of(tmp_path, {"run.py": code}))
    claim = claim_of(sau("Exploration adds Gaussian noise of 0.1."))
    assert not look(survey, claim).conflicts


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Dockerfile", "FROM python:3.9\nRUN pip install cached-property==1.37.1\n"),
        ("run.py", 'URL = "https://example.org/v37/model"\nprint(URL)\n'),
        ("run.py", 'NAME = "patchelf_0.37_amd64.deb"\nprint(NAME)\n'),
    ],
)
def test_no_number_is_read_out_of_versions_and_addresses(
    tmp_path: Path, name: str, text: str
) -> None:
    files = {"go.py": "print('go')\n", name: text}
    for claim in ("The gap is 37.", "The gap is 0.37."):
        assert states(tmp_path, files, claim)[0][0] is ValueState.ABSENT


def test_a_small_number_is_accounted_for(tmp_path: Path) -> None:
    code = "def act(frames):\n    total = 7 + frames\n    return total\n\n\nprint(act(2))\n"
    index = index_of(tmp_path, {"run.py": code})
    told = json.loads(answer_text(index, sau("The critic has 7 heads over frames.")))
    assert "7 heads: not found as its value" in told["found"]
    silent = json.loads(answer_text(index, sau("Frames come from GPT-7 over frames.")))
    assert "not found as its value" not in silent["found"]
