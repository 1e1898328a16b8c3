"""Claims that are signs and hardly a word: what is found of them is found by chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import Dimension, Sau
from judge.embedded.parts import claim_of
from judge.verdict import Status
from tests.judge.embedded_cases import index_of, judged

FILES = {
    "main.py": "import torch\n\nlr = 0.001\nbeta = 0.9\n\n\ndef loss(p):\n"
    "    return -torch.log(p)\n\n\nprint(loss(torch.ones(1)) * lr * beta)\n"
}


@pytest.mark.parametrize(
    "text",
    [
        "(((a+)+)+$ [^ \\ **? lr{1,99999}", "!!! lr ??? ((((", "{{{{lr}}}} $$$$", "lr *** --- ///",
        "<<<>>> beta <<<>>>", "%%%%% 0.001 %%%%%",
    ],
)  # fmt: skip
@pytest.mark.parametrize("dimension", list(Dimension))
def test_noise_gets_no_level(tmp_path: Path, text: str, dimension: Dimension) -> None:
    index = index_of(tmp_path, FILES)
    parsed, checked = judged(index, Sau("x", "p", dimension, text))
    assert parsed.level is None
    assert checked.status is Status.ABSTAINED


@pytest.mark.parametrize(
    "text",
    [
        "lr = 0.001", "β₁ = 0.9", "The learning rate is 0.001.", "L = -log(p)", "学习率为 0.001",
        "lr=1e-3", "(The (learning) rate) [is] {0.001}!!!",
    ],
)  # fmt: skip
def test_short_claims_and_formulas_are_claims(text: str) -> None:
    claim = claim_of(Sau("x", "p", Dimension.D1, text))
    assert claim.concepts or claim.values
