"""Words and numbers are told where they stand in the claim's sense, and with what they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.cited import is_cited
from judge.embedded.naming import is_small
from judge.embedded.senses import is_fragment, is_held, own_sense, partner_of
from retrieval.words import stem
from tests.judge.embedded_cases import answer_text, index_of, sau


def record_of(root: Path, claim: str, code: str, dimension: str = "D1") -> dict[str, Any]:
    index = index_of(root, {"train.py": code})
    record: dict[str, Any] = json.loads(answer_text(index, sau(claim, dimension)))
    return record


@pytest.mark.parametrize(
    ("word", "line", "stands"),
    [
        ("added", "parser.add_argument('--noise', type=float)", False),
        ("added", "noisy = add_noise(x)", True),
        ("available", "device = 'cuda' if torch.cuda.is_available() else 'cpu'", False),
        ("available", "captions = available_captions[:20]", True),
        ("non", "board = start if start is not None else draw()", False),
        ("self", "return self.head(x)", False),
        ("self", "loss = self_correction(x)", True),
        ("error", "except ImportError:", False),
        ("error", "error = (a - b) ** 2", True),
        ("round", "x = round(y, 2)", False),
        ("round", "for round_index in range(rounds):", True),
        ("log", "logger.info(x)", False),
        ("log", "y = torch.log(x)", True),
        ("Operator", "p = ArgumentParser(description='Neural Operators')", False),
    ],
)
def test_a_word_stands_on_a_line_in_its_own_sense(word: str, line: str, stands: bool) -> None:
    assert own_sense(line, [stem(word.lower())]) is stands


def test_half_of_a_joined_word_needs_the_other_half() -> None:
    assert partner_of("uses self-attention", "self") == "att"
    assert own_sense("x = self_attn(x)", ["self"], "att")
    assert not own_sense("y = self_loop(x)", ["self"], "att")
    assert partner_of("a non-uniform law", "uniform") == "non"
    assert not own_sense("y = rng.uniform(0, 1)", ["uniform"], "non")
    assert partner_of("uniform, and not non-uniform", "uniform") == ""


def test_pieces_of_words_say_nothing_alone() -> None:
    assert is_fragment("pre", "after pre-training")
    assert not is_fragment("pre", "pre and post")
    assert not is_fragment("training", "after pre-training")


@pytest.mark.parametrize(
    ("line", "number", "near", "held"),
    [
        ("is_video = x.dim() == 5", "5", ["second", "video"], False),
        ("variance = sigma ** 2", "2", ["sigma"], False),
        ("last = x[:, -2]", "2", ["last", "x"], False),
        ("k = k.transpose(-2, -1)", "2", ["k"], False),
        ("name = f'{i:06d}.png'", "6", ["name", "png"], False),
        ('MODELS = {"claude-3-5-sonnet": 1}', "5", ["claude", "model"], False),
        ("num_layers = 6", "6", ["lay"], True),
        ('"num_layers": 6,', "6", ["lay"], True),
        ("depths = [2, 2, 6, 2]", "6", ["depth"], True),
        ("warmup = cfg.get('warmup_steps', 5)", "5", ["warmup"], True),
        ("if phase == 2:", "2", ["phas"], True),
        ("rounds = 2 * total / rate_of_rounds", "2", ["round", "rat"], True),
        ("scale = 0.18215 * latents", "0.18215", ["scal"], True),
    ],
)
def test_a_small_number_is_held_as_a_value_of_something(
    line: str, number: str, near: list[str], held: bool
) -> None:
    assert is_held(line, [number], near) is held


@given(st.text(max_size=80), st.integers(0, 200), st.lists(st.text("abcd", min_size=1), max_size=3))
def test_any_line_is_read(line: str, number: int, near: list[str]) -> None:
    is_held(line, [str(number)], near)
    own_sense(line, near)
    assert is_small(str(number)) is (number < 100)


@pytest.mark.parametrize(
    ("text", "word", "cited"),
    [
        ("TF-IDF (Salton & Buckley, 1988) of words", "Buckley", True),
        ("as Song and Dhariwal 2024 do", "2024", True),
        ("an optimiser of Chen et al. 2023", "Chen", True),
        ("Song and Dhariwal 2024 train Song", "Song", False),
        ("trained on COCO 2017 images", "COCO", False),
        ("Adam and SGD are compared", "Adam", False),
    ],
)
def test_names_of_cited_papers_are_no_part_of_a_program(text: str, word: str, cited: bool) -> None:
    assert is_cited(text, word) is cited


# ---- what verdicts say ---------------------------------------------------------------------------

PROGRAM = """
import argparse

import numpy as np
import torch
from scipy import stats


def augment(images):
    return torch.flip(images, [-2])


def train(model, images, lr):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    loss = (model(augment(images.to(device))) ** 2).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def report(losses):
    return np.mean(losses), stats.sem(losses)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--image_size", type=int, default=256)
    parser.add_argument("--learning_rate", type=float, default=1e-3)
    args = parser.parse_args()
    model = torch.nn.Linear(args.image_size, 4)
    losses = [train(model, torch.randn(7, args.image_size), args.learning_rate) for _ in range(9)]
    print(report(losses))


if __name__ == "__main__":
    main()
"""


def test_what_code_is_made_of_is_no_evidence(tmp_path: Path) -> None:
    claim = "Added noise of publicly available images, 2 copies of each"
    record = record_of(tmp_path, claim, PROGRAM)
    told = record["rationale"] + record["found"]
    assert not re.search(r"(?i)\b(?:added|available)\b (?:on line|\(train)", told)
    assert not re.search(r"\b2\b (?:\(train|as)|holds 2\b|gives 2\b", told)


def test_a_standard_error_is_no_standard_deviation(tmp_path: Path) -> None:
    record = record_of(tmp_path, "Results have a standard deviation over runs", PROGRAM, "D3")
    assert "stats.sem" not in record["rationale"]
    record = record_of(tmp_path, "Results have a standard error over runs", PROGRAM, "D3")
    assert "stats.sem" in record["rationale"]


def test_a_number_that_has_another_name_is_told_with_it(tmp_path: Path) -> None:
    record = record_of(tmp_path, "Crops are of 256 pixels, Adam with lr 1e-3", PROGRAM)
    assert "256 as `image_size` (train.py:28)" in record["found"]


def test_a_number_of_another_place_is_told_and_not_said_to_be_missing(tmp_path: Path) -> None:
    code = (
        'def rate(dataset):\n    if dataset == "cifar10":\n        lr = 0.01\n    else:\n'
        "        lr = 0.1\n    return lr\n\n\nfor _ in range(int(rate('cifar10') * 100)):\n"
        "    print(rate('svhn'))\n"
    )
    record = record_of(tmp_path, "On CIFAR-10 the learning rate is 0.1", code)
    assert record["found"].startswith("0.1: lr is 0.01 at train.py:3")


def test_values_are_named_by_the_name_that_they_are_given(tmp_path: Path) -> None:
    record = record_of(tmp_path, "Stage 2: batch_size=144, steps=21k", PROGRAM)
    assert "batch_size 144" in record["found"]
    assert "steps 21k" in record["found"]


def test_a_method_is_cited_where_it_is_done_before_its_settings(tmp_path: Path) -> None:
    claim = "The squared loss of augmented images is averaged, with learning rate 1e-3"
    record = record_of(tmp_path, claim, PROGRAM, "D2")
    assert "loss" in record["citations"][0]["quote"]
    record = record_of(tmp_path, claim, PROGRAM, "D1")
    assert "learning_rate" in record["citations"][0]["quote"]


def test_a_placeholder_is_told_with_the_line_of_its_comment(tmp_path: Path) -> None:
    code = (
        "import torch\n\n\ndef crop(images, size):\n    top = size // 2\n"
        "    # a placeholder for the real crop\n    images = images[:, :, top:]\n"
        "    return torch.flip(images, [3])\n\n\nprint(crop(torch.randn(2, 3, 8, 8), 4))\n"
    )
    record = record_of(tmp_path, "Images are cropped at the top", code, "D2")
    assert "A comment at line 6 of `crop` in train.py" in record["rationale"]


ENUMERATED = """
import torch

WALL = 1
BOX = 2
AGENT = 3
num_boxes = 4
LIMITS = {"rank": [8, 16, 32]}


def board(size):
    cells = torch.zeros(size, size)
    cells[0] = WALL
    cells[1, 1] = BOX
    cells[2, 2] = AGENT
    return cells, num_boxes, LIMITS["rank"]


print(board(8))
"""


def test_constants_that_only_tell_things_apart_give_no_value(tmp_path: Path) -> None:
    record = record_of(tmp_path, "The DRC(3,3) agent moves 2 boxes", ENUMERATED)
    assert "against" not in record["rationale"]
    assert not re.search(r"(?:WALL|BOX|AGENT) = \d` at \S+ (?:gives|holds)", record["rationale"])
    record = record_of(tmp_path, "There are 4 boxes", ENUMERATED)
    assert "`num_boxes = 4` at train.py:7 gives 4" in record["rationale"]


def test_a_list_of_values_is_told_as_one(tmp_path: Path) -> None:
    record = record_of(tmp_path, "Ranks of 8, 16 and 32 are tried", ENUMERATED)
    assert "at train.py:8 holds 8, 16 and 32" in record["rationale"]


def test_a_number_that_says_which_of_several_is_no_value(tmp_path: Path) -> None:
    code = (
        "phase = 2\nwarmup_steps = 2\nfor step in range(phase * warmup_steps):\n    print(step)\n"
    )
    record = record_of(tmp_path, "In Phase 2 the encoder is frozen", code)
    assert "gives 2" not in record["rationale"]
    record = record_of(tmp_path, "Warmup takes 2 steps", code)
    assert "gives 2" in record["rationale"]


def test_what_is_given_to_one_name_is_not_told_of_another(tmp_path: Path) -> None:
    code = "import torch\n\nbatch_size = 256\nprint(torch.randn(batch_size, 3))\n"
    record = record_of(tmp_path, "Trained with batch size 128 on crops of 256 pixels", code)
    assert "gives 256" not in record["rationale"]
    assert "`batch_size = 256` at train.py:3, against the claimed" in record["rationale"]


def test_a_wanted_version_of_a_package_is_cited_last(tmp_path: Path) -> None:
    files = {"requirements.txt": "torch==2.0.0\n", "train.py": PROGRAM}
    index = index_of(tmp_path, files)
    claim = sau("Reward weights are 2.0 for the learning rate term")
    record: dict[str, Any] = json.loads(answer_text(index, claim))
    assert record["citations"][0]["path"] == "train.py"
