"""Numbers that a claim says in thousands, millions or billions, and code holds without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import Level
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.survey import survey_of
from judge.embedded.units import is_as_stated
from judge.embedded.values import ValueState
from tests.judge.embedded_cases import index_of, judged, sau

LOOP = """

def main():
    net = torch.nn.Linear(16, 10)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(HOW_MANY):
        net(torch.randn(1, 16)).sum().backward()
        opt.step()


if __name__ == "__main__":
    main()
"""
MIX = """
import random

{comment}MIX = {{"dclm": 3860.0, "arxiv": 21.1, "wikipedia": 3.69}}


def sample():
    return random.choices(list(MIX), weights=list(MIX.values()))[0]


if __name__ == "__main__":
    for _ in range(5):
        print(sample())
"""


def states(root: Path, files: dict[str, str], claim: str) -> list[ValueState]:
    survey = survey_of(index_of(root, files))
    return [value.state for value in look(survey, claim_of(sau(claim))).values]


@pytest.mark.parametrize(
    ("setting", "claim"),
    [
        ("tokens_b = 3860", "Training uses 3,860B tokens"),
        ("TOKENS_BILLIONS = 400", "Training uses 400 billion tokens"),
        ("params_M = 350", "The model has 350M params"),
        ("warmup_k = 10", "Warmup takes 10k steps"),
        ("tokens = 400  # billions", "Training uses 400B tokens"),
        ("# in millions\nparams = 350", "The model has 350M params"),
        ("tokens = 21.1", "Training uses 21.1B tokens"),
    ],
)
def test_a_number_in_its_unit_is_the_claims(tmp_path: Path, setting: str, claim: str) -> None:
    name = setting.splitlines()[-1].split(" =")[0]
    code = f"import torch\n\n{setting}\n" + LOOP.replace("HOW_MANY", f"int({name})")
    assert states(tmp_path, {"train.py": code}, claim) == [ValueState.BESIDE]


@pytest.mark.parametrize(
    ("setting", "claim"),
    [
        ("tokens_b = 3000", "Training uses 3,860B tokens"),
        ("warmup_steps = 10", "Warmup takes 10k steps"),  # a quick run
        ("top_k = 10", "Warmup takes 10k steps"),
        ("max_steps = 125", "Training lasts 125k steps"),
        ("iterations = 375", "Training lasts 375K iterations"),
        ("context = 128", "The context holds 128k tokens"),
        ("tokens = 400  # thousands", "Training uses 400B tokens"),
    ],
)
def test_another_number_or_unit_is_not_the_claims(tmp_path: Path, setting: str, claim: str) -> None:
    name = setting.split(" =", maxsplit=1)[0]
    code = f"import torch\n\n{setting}\n" + LOOP.replace("HOW_MANY", f"int({name})")
    assert ValueState.BESIDE not in states(tmp_path, {"train.py": code}, claim)


@pytest.mark.parametrize("comment", ["# billions of tokens\n", ""])
def test_a_mix_in_its_unit_is_no_deviation(tmp_path: Path, comment: str) -> None:
    index = index_of(tmp_path, {"mix.py": MIX.format(comment=comment)})
    claim = "The data mix is DCLM 3,860B, arXiv 21.1B and Wikipedia 3.69B tokens"
    answer, _ = judged(index, sau(claim))
    assert answer.level in {Level.MINOR, Level.FAITHFUL}, answer.found
    assert "3860.0 at" not in answer.found


def test_whole_numbers_without_their_unit_are_the_claims_where_they_are_listed(
    tmp_path: Path,
) -> None:
    code = MIX.format(comment="").replace("3860.0", "3860").replace("21.1", "212")
    index = index_of(tmp_path, {"mix.py": code.replace("3.69", "36")})
    claim = "The data mix is DCLM 3,860B, arXiv 212B and Wikipedia 36B tokens"
    answer, _ = judged(index, sau(claim))
    assert answer.level in {Level.MINOR, Level.FAITHFUL}, answer.found


@pytest.mark.parametrize("form", ["125", "3860", "375"])
def test_a_whole_number_alone_is_another_count(form: str) -> None:
    assert not is_as_stated(f"{form}k", {f"{form}000"}, form)


@pytest.mark.parametrize("form", ["1e-10", "1e+20", "2.5e-7", "0"])
def test_a_number_of_any_size_is_compared_with_one_in_a_unit(form: str) -> None:
    assert not is_as_stated("10k", {"10000"}, form)


def test_another_number_in_the_same_unit_is_told_with_how_far_it_is_off(tmp_path: Path) -> None:
    code = "import torch\n\ntokens_b = 3000\n" + LOOP.replace("HOW_MANY", "tokens_b")
    found = look(
        survey_of(index_of(tmp_path, {"train.py": code})),
        claim_of(sau("Training uses 3,600B tokens")),
    )
    (conflict,) = found.conflicts
    assert conflict.other.name == "tokens_b"
    assert conflict.ratio == pytest.approx(1.2)
