"""What the embedded judge makes of values that the code gives, contradicts or does not hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Dimension, Level
from judge.embedded.mentions import mentions_of, real_numbers
from judge.embedded.parts import claim_of
from tests.judge.embedded_cases import answer_text, index_of, judged, sau

CODE = """
import torch


def make(model, lr=3e-4, weight_decay=0.01):
    return torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)


def loss_fn(pred, target, kl, beta=0.1):
    return ((pred - target) ** 2).mean() + beta * kl


def main():
    model = torch.nn.Linear(4, 4)
    opt = make(model)
    batch_size = 64
    warmup_steps = 1000
    epochs = 10
    lambda_a = 0.1
    lambda_b = 1.0
    for step in range(epochs):
        x = torch.randn(batch_size, 4) * min(1.0, step / warmup_steps)
        n = torch.randint(0, batch_size - 1, (4,))
        loss = loss_fn(model(x), x, lambda_a * x.sum() + lambda_b * x.mean())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
    print(n)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("claim", "highest", "line"),
    [
        ("AdamW uses a learning rate of 1e-3", Level.PARTIAL, "lr=3e-4"),
        ("Weight decay is 0.1", Level.FRAGMENT, "weight_decay=0.01"),
        ("The batch size is 10", Level.PARTIAL, "batch_size = 64"),
        ("Training runs for 64 epochs", Level.PARTIAL, "epochs = 10"),
        ("Gradient norm is clipped to 5.0", Level.PARTIAL, "clip_grad_norm_"),
        ("Warmup takes 1M steps", Level.FRAGMENT, "warmup_steps = 1000"),
        ("Loss weights lambda_a=0.1, lambda_b=0.1", Level.PARTIAL, "lambda_b = 1.0"),
    ],
)
def test_a_name_with_another_value_caps_the_level(
    tmp_path: Path, claim: str, highest: Level, line: str
) -> None:
    parsed, _ = judged(index_of(tmp_path, {"train.py": CODE}), sau(claim))
    assert parsed.level is not None
    assert parsed.level <= highest
    assert (parsed.drift, parsed.failure) == ("numerical", "mismatch")
    assert line in parsed.citations[0].quote
    assert "against the claimed" in parsed.rationale


@pytest.mark.parametrize(
    "claim",
    [
        "AdamW uses a learning rate of 3e-4 and weight decay 0.01",
        "The batch size is 64",
        "Training runs for 10 epochs",
        "Warmup takes 1k steps",
        "Gradient norm is clipped to 1.0",
        "Loss weights lambda_a=0.1, lambda_b=1.0",
    ],
)
def test_the_right_values_contradict_nothing(tmp_path: Path, claim: str) -> None:
    record = _record(tmp_path, claim)
    assert "against" not in record["rationale"]
    assert "not found" not in record["found"]


def test_only_what_binds_a_name_gives_it_a_value(tmp_path: Path) -> None:
    code = "def head(lower, bins):\n    return lower.clamp(0, bins - 2) / 2.0\n"
    record = _record(tmp_path, "The head clamps lower to 2 bins", code)
    assert "gives" not in record["rationale"]
    record = _record(tmp_path, "The context length is 1k", "context_length = 1\n")
    assert "gives" not in record["rationale"]


def _record(root: Path, claim: str, code: str = CODE) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(answer_text(index_of(root, {"train.py": code}), sau(claim)))
    return record


def test_a_rationale_names_no_features(tmp_path: Path) -> None:
    assert "What weighed most" not in _record(tmp_path, "The batch size is 64")["rationale"]


@pytest.mark.parametrize(
    "text",
    [
        "as in Radford et al. (2018)",
        "as Loshchilov, 2019",
        "by Eq. (5) and Tables 1 and 2",
        "see Appendix B.2, Section 4.2 and Algorithm 3",
        "as before [12, 13]",
    ],
)
def test_references_are_no_values(text: str) -> None:
    claim = claim_of(sau(f"The batch size is 64 {text}"))
    assert [value.term for value in claim.values] == ["#64"]


def test_lists_scales_and_equal_values() -> None:
    assert [number.value for number in real_numbers("sizes 1024/1280")] == ["1024", "1280"]
    assert "0.8" in [number.value for number in real_numbers("an 80/20 split")]
    assert claim_of(sau("The context length is 1k")).values[0].also == ()
    assert [m.exact for m in mentions_of("loss_a=0.1, loss_b=0.1, loss_c=0.1")] == [
        "lossa",
        "lossb",
        "lossc",
    ]


def test_machines_are_no_batch() -> None:
    claim = claim_of(sau("Trained on 64 A100 GPUs with a batch size of 2048"))
    assert [value.term for value in claim.values] == ["#2048"]


@given(st.text(max_size=200))
def test_any_text_has_values_or_none(text: str) -> None:
    for mention in mentions_of(text):
        assert mention.term[1:] in mention.forms <= mention.together


def test_what_was_not_read_is_not_absent(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"train.py": "x = 2\n", "model.py": b"\x00\x01\x02" * 200})
    assert index.unseen
    record = json.loads(answer_text(index, sau("A Mamba encoder is used", Dimension.D2.value)))
    assert record["level"] == "cannot_tell"
    assert "model.py" in record["rationale"]


def test_a_protocol_of_types_is_no_placeholder(tmp_path: Path) -> None:
    code = (
        "from typing import Protocol\n\n\n"
        "class Denoiser(Protocol):\n"
        "    def denoise_latent(self, latent, timestep): ...\n\n\n"
        "def run(denoiser: Denoiser, latent):\n"
        "    return denoiser.denoise_latent(latent, 3)\n\n\n"
        "run(None, 2)\n"
    )
    record = _record(tmp_path, "The denoiser denoises the latent by timestep", code)
    assert "placeholder" not in record["rationale"] + record["found"]
    assert "stub" not in record["failure"]
    replaced = code.replace("(Protocol)", "(Base)")
    record = _record(tmp_path / "other", "The denoiser denoises the latent by timestep", replaced)
    assert "placeholder" in record["rationale"] + record["found"]


def test_a_size_that_follows_from_two_others_is_not_missing(tmp_path: Path) -> None:
    code = "d_model = 512\nheads = 8\nmake(d_model, heads)\n"
    record = _record(tmp_path, "d_model = 512, heads = 8 and d_k = 64", code)
    assert "64 (not written, 512 by 8)" in record["found"]
    record = _record(tmp_path / "other", "d_model = 512, heads = 8 and d_k = 48", code)
    assert record["found"].startswith("not found: d_k 48")
    assert record["level"] != "1"


RETRAIN = """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--bonus_scale", type=float, default={})
args = parser.parse_args()
print(max(0, 1) + args.bonus_scale * 2)
"""


@pytest.mark.parametrize("other", ["retrain.py", "again.py"])
def test_a_script_gives_its_flags_to_the_file_of_its_own_folder(tmp_path: Path, other: str) -> None:
    script = 'python -u retrain.py --env "Hopper" \\\n    --seed 0 \\\n    --bonus_scale 0\n'
    files = {
        "driving/" + other: RETRAIN.format("0.01"),
        "walking/retrain.py": RETRAIN.format("0.5"),
        "walking/retrain.sh": script,
    }
    index = index_of(tmp_path / "a", files)
    parsed, _ = judged(index, sau("The bonus scale is 0.01."))
    assert "overrides" not in parsed.rationale
    parsed, _ = judged(index, sau("The bonus scale is 0.5."))
    assert "which overrides walking/retrain.py:5" in parsed.rationale


def test_a_script_may_run_a_file_from_the_root_and_reach_what_is_handed_on(tmp_path: Path) -> None:
    files = {
        "train.py": RETRAIN.format("0.5"),
        "scripts/train.sh": "python train.py --bonus_scale 0\n",
    }
    parsed, _ = judged(index_of(tmp_path, files), sau("The bonus scale is 0.5."))
    assert "which overrides train.py:5" in parsed.rationale
