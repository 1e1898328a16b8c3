"""What a number counts: not another thing's value, not the claim's own second one, a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.repeats import counts_repeats, repeated_on
from judge.embedded.survey import survey_of
from judge.embedded.values import ValueState
from tests.judge.embedded_cases import index_of, judged, sau

SHOTS = """
import torch

SHOTS = {"GSM8k_adapted": 8, "MMLU": 5}


def main():
    net = torch.nn.Linear(10, 2)
    for name, shots in SHOTS.items():
        for _ in range(shots):
            net(torch.randn(4, 10)).sum().backward()


if __name__ == "__main__":
    main()
"""
TWO = """
import torch

actor, critic = torch.nn.Linear(4, 2), torch.nn.Linear(4, 1)


def main():
    opt_actor = torch.optim.Adam(actor.parameters(), lr={first})
    opt_critic = torch.optim.Adam(critic.parameters(), lr={second})
    for _ in range(10):
        (actor(torch.randn(3, 4)).sum() + critic(torch.randn(3, 4)).sum()).backward()
        opt_actor.step()
        opt_critic.step()


if __name__ == "__main__":
    main()
"""
TRAIN = """
import argparse
import torch


def train(seed):
    torch.manual_seed(seed)
    net = torch.nn.Linear(10, 2)
    net(torch.randn(4, 10)).sum().backward()


"""
MAIN = 'if __name__ == "__main__":\n'
OPTION = (
    "    parser = argparse.ArgumentParser()\n"
    '    parser.add_argument("--seed", type=int, default=0)\n'
    "    train(parser.parse_args().seed)\n"
)
REPEATED = {
    "shell loop": {
        "train.py": TRAIN + MAIN + OPTION,
        "run.sh": "for seed in 0 1 2; do\n  python train.py --seed $seed\ndone\n",
    },
    "braces": {
        "train.py": TRAIN + MAIN + OPTION,
        "run.sh": "for seed in {0..2}; do\n  python train.py --seed $seed\ndone\n",
    },
    "list": {
        "train.py": TRAIN
        + "SEEDS = [0, 1, 2]\n\n"
        + MAIN
        + "    for seed in SEEDS:\n        train(seed)\n",
    },
    "loop over another name": {
        "train.py": TRAIN + MAIN + OPTION,
        "run.sh": "for s in 0 1 2; do\n  python train.py --seed $s\ndone\n",
    },
    "sequence": {
        "train.py": TRAIN + MAIN + OPTION,
        "run.sh": "for SEED in $(seq 0 2); do\n  python train.py --seed ${SEED}\ndone\n",
    },
    "line by line": {
        "train.py": TRAIN + MAIN + OPTION,
        "run.sh": "".join(f"python train.py --seed {seed}\n" for seed in (0, 1, 2)),
    },
    "configuration": {
        "train.py": "import yaml\n"
        + TRAIN
        + MAIN
        + '    for seed in yaml.safe_load(open("config.yaml"))["seeds"]:\n        train(seed)\n',
        "config.yaml": "seeds:\n  - 0\n  - 1\n  - 2\n",
    },
    "list over lines": {
        "train.py": TRAIN
        + "SEEDS = [\n    0,\n    1,\n    2,\n]\n\n"
        + MAIN
        + "    for seed in SEEDS:\n        train(seed)\n",
    },
    "text of an option": {
        "train.py": TRAIN
        + MAIN
        + "    parser = argparse.ArgumentParser()\n"
        + '    parser.add_argument("--seeds", default="0,1,2")\n'
        + '    for seed in parser.parse_args().seeds.split(","):\n        train(int(seed))\n',
    },
    "loop over a range": {
        "train.py": TRAIN + MAIN + "    for seed in range(3):\n        train(seed)\n",
    },
    "option": {
        "train.py": TRAIN
        + MAIN
        + "    parser = argparse.ArgumentParser()\n"
        + '    parser.add_argument("--seeds", type=int, nargs="+", default=[7, 8, 9])\n'
        + "    for seed in parser.parse_args().seeds:\n        train(seed)\n",
    },
}


def states(root: Path, files: dict[str, str], claim: str) -> list[ValueState]:
    survey = survey_of(index_of(root, files))
    return [value.state for value in look(survey, claim_of(sau(claim))).values]


@pytest.mark.parametrize(
    "claim", ["Training on GSM8K uses 8 GPUs", "GSM8K is evaluated with 8 beams"]
)
def test_a_number_of_another_named_thing_is_not_the_claims(tmp_path: Path, claim: str) -> None:
    assert ValueState.BESIDE not in states(tmp_path, {"train.py": SHOTS}, claim)


@pytest.mark.parametrize("claim", ["GSM8K is evaluated with 8 shots", "MMLU is given 5 shots"])
def test_a_number_of_the_counted_thing_is_the_claims(tmp_path: Path, claim: str) -> None:
    assert states(tmp_path, {"train.py": SHOTS}, claim) == [ValueState.BESIDE]


@pytest.mark.parametrize(
    "claim",
    [
        "The learning rate is 1e-4 for the actor and 3e-4 for the critic",
        "Adam with a learning rate of 1e-4 for A and 3e-4 for B",
    ],
)
@pytest.mark.parametrize("first", ["1e-4", "3e-4"])
def test_a_claims_second_value_does_not_contradict_its_first(
    tmp_path: Path, claim: str, first: str
) -> None:
    index = index_of(tmp_path, {"train.py": TWO.format(first=first, second="3e-4")})
    answer, _ = judged(index, sau(claim))
    assert "is 3e-4 at" not in answer.found
    assert "against the claimed" not in answer.rationale


def test_what_neither_value_is_contradicts(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"train.py": TWO.format(first="1e-2", second="3e-4")})
    answer, _ = judged(index, sau("The learning rate is 1e-4 for A and 3e-4 for B"))
    assert "lr is 1e-2 at train.py:8" in answer.found


@pytest.mark.parametrize("way", REPEATED)
@pytest.mark.parametrize("count", ["three", "3"])
def test_listed_seeds_are_counted(tmp_path: Path, way: str, count: str) -> None:
    claim = f"Results are averaged over {count} random seeds"
    survey = survey_of(index_of(tmp_path, REPEATED[way]))
    found = look(survey, claim_of(sau(claim)))
    assert [value.state for value in found.values] == [ValueState.BESIDE]
    assert not found.conflicts


@pytest.mark.parametrize("way", REPEATED)
def test_another_number_of_seeds_is_not_found(tmp_path: Path, way: str) -> None:
    claim = "Results are averaged over 5 random seeds"
    assert ValueState.BESIDE not in states(tmp_path, REPEATED[way], claim)


def test_the_value_of_another_variant_does_not_stand_for_the_first(tmp_path: Path) -> None:
    config = "small:\n  width: 128\nlarge:\n  width: 512\n"
    main = (
        "import yaml\nimport torch\n\n"
        'cfg = yaml.safe_load(open("config.yaml"))\n'
        'for name in ("small", "large"):\n'
        '    net = torch.nn.Linear(10, cfg[name]["width"])\n'
        "    net(torch.randn(4, 10)).sum().backward()\n"
    )
    index = index_of(tmp_path, {"train.py": main, "config.yaml": config})
    answer, _ = judged(index, sau("A width of 768 for the encoder and 512 for the head"))
    assert "is 128 at" not in answer.found


ONE = (
    "    for seed in [0, 1, 2][:1]:\n        train(seed)\n",
    "    for seed in SEEDS[:1]:\n        train(seed)\n",
    "    train(SEEDS[0])\n",
    "    for seed in [0, 1, 2]:\n        train(0)\n        break\n",
    "    for seed in SEEDS:\n        train(seed)\n        break\n",
    "    for prune_round in range(3):\n        train(prune_round)\n",
    "    for top_trunk in range(3):\n        train(top_trunk)\n",
    "    for representation in [1, 2, 3]:\n        train(representation)\n",
)


@pytest.mark.parametrize("loop", ONE)
def test_one_run_or_another_loop_is_no_repetition(tmp_path: Path, loop: str) -> None:
    code = TRAIN + ("SEEDS = [0, 1, 2]\n\n" if "SEEDS" in loop else "") + MAIN + loop
    survey = survey_of(index_of(tmp_path, {"train.py": code}))
    assert not repeated_on(survey).get("3")


ALL = (
    "    for seed in SEEDS:\n        train(seed)\n",
    "    for seed in SEEDS:\n        if seed < 0:\n            break\n        train(seed)\n",
    "    for run_id in range(3):\n        train(run_id)\n",
    "    for rep in range(3):\n        train(rep)\n",
    "    train(SEEDS[0])\n    for seed in SEEDS:\n        train(seed)\n",
)


@pytest.mark.parametrize("loop", ALL)
def test_a_loop_over_all_seeds_is_a_repetition(tmp_path: Path, loop: str) -> None:
    code = TRAIN + ("SEEDS = [0, 1, 2]\n\n" if "SEEDS" in loop else "") + MAIN + loop
    survey = survey_of(index_of(tmp_path, {"train.py": code}))
    assert repeated_on(survey).get("3")


@pytest.mark.parametrize(
    "text", ["3 " + "-a" * 9000, "3-" * 9000, "repeat a " * 3000, "seeds" * 4000]
)
def test_a_hostile_claim_is_read_at_once(text: str) -> None:
    assert not counts_repeats(text, "3")
