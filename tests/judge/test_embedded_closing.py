"""The last sentence of a rationale, and what one verdict must not say at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmark import Sau
from judge.models.embedded import EmbeddedJudge
from judge.protocol import Question
from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.values import Evidence
from retrieval.words import TOKEN, stem
from tests.judge.embedded_cases import SUITE, TRAIN, answer_text, index_of, sau, suite_claims

CODE = """\
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Linear(8, hidden)
        self.head = nn.Linear(hidden, 2)

    def forward(self, state):
        return torch.tanh(self.head(self.body(state)))


class Trainer:
    def __init__(self, policy, policy_update_period=2, clip_range=0.2):
        self.policy = policy
        self.policy_update_period = policy_update_period
        self.clip_range = clip_range

    def step(self, number, critic, batch):
        loss = critic(batch).pow(2).mean()
        loss.backward()
        if number % self.policy_update_period == 0:
            actions = self.policy(batch).clamp(-self.clip_range, self.clip_range)
            (-critic(actions).mean()).backward()


if __name__ == "__main__":
    trainer = Trainer(Policy())
    for number in range(100):
        trainer.step(number, nn.Linear(8, 1), torch.rand(4, 8))
"""


PERIODIC = """\
class Trainer:
    def __init__(
        self,
        critic,
        policy,
        policy_and_target_update_period=2,
    ):
        self.period = policy_and_target_update_period
        self.parts = critic, policy

    def run(self, number):
        return [part() for part in self.parts if number % self.period == 3]


if __name__ == "__main__":
    print(Trainer(print, print).run(4))
"""


def record_of(root: Path, claim: str, dimension: str = "D2", code: str = CODE) -> dict[str, Any]:
    text = answer_text(index_of(root, {"train.py": code}), sau(claim, dimension))
    record: dict[str, Any] = json.loads(text)
    return record


def last_sentence(record: dict[str, Any]) -> str:
    return re.split(r"\. (?=[A-Z`])", record["rationale"].removesuffix("."))[-1]


# ---- the last sentence ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "dimension", "said"),
    [
        ("The policy's actions are clipped instead of squashed by tanh", "D2", "“instead of”"),
        ("The policy is a linear body without a critic", "D2", "“without”"),
        ("The actions of the policy are clamped only where the critic is linear", "D2", "“only”"),
        ("The policy is updated more than the critic", "D2", "the comparison “more than”"),
        ("The hidden policy is made before the state is drawn", "D4", "the order"),
    ],
)
def test_what_was_not_checked_is_said(
    tmp_path: Path, claim: str, dimension: str, said: str
) -> None:
    last = last_sentence(record_of(tmp_path, claim, dimension))
    assert last.startswith("Not checked: ")
    assert said in last
    assert last.endswith("what the claim means was not read")


def test_a_plain_claim_ends_with_what_the_level_is_by(tmp_path: Path) -> None:
    record = record_of(tmp_path, "The policy has a linear head and tanh")
    assert last_sentence(record).startswith("The level is by what of it stands in code")
    assert "Not checked" not in record["rationale"]


def test_no_verdict_says_that_nothing_contradicts(tmp_path: Path) -> None:
    for claim in ("The policy has a linear head", "Actions are clipped to 0.2", "hidden is 64"):
        assert "ontradicts" not in record_of(tmp_path, claim)["rationale"]


def test_nothing_is_closed_beside_a_contradiction(tmp_path: Path) -> None:
    claim = sau("Adam has learning rate 1e-4 and weight decay 0.2, not SGD.")
    record = json.loads(answer_text(index_of(tmp_path, {"train.py": TRAIN}), claim))
    assert "against the claimed weight decay 0.2" in record["rationale"]
    assert "Not checked" not in record["rationale"]
    assert "was not read" not in record["rationale"]


def test_another_value_on_a_cited_line_is_told(tmp_path: Path) -> None:
    record = record_of(
        tmp_path, "The trainer updates the policy once in 3 critic updates", "D1", PERIODIC
    )
    last = last_sentence(record)
    assert "policy_and_target_update_period = 2` at train.py:6 is another value than" in last
    assert last.endswith("the claimed 3")
    assert "Not checked" not in record["rationale"]


def test_another_things_number_is_not_told(tmp_path: Path) -> None:
    code = CODE.replace("hidden=64", "hidden=64, mlp_ratio=4.0, dim=-1")
    record = record_of(tmp_path, "The hidden mask ratio is 0.75", "D1", code)
    assert "mlp_ratio" not in record["rationale"]


# ---- missing or near by --------------------------------------------------------------------------

_MISSING = re.compile(
    r"(?:not found|looked for and found nowhere|only in comments, strings or documents): ([^;]*)",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"(?:stands|operations near the best match|there or near by|carried out by a library's call)"
    r": ([^;]*)"
)


def _items(pattern: re.Pattern[str], text: str) -> Iterator[frozenset[str]]:
    for found in pattern.findall(text):
        for item in re.split(r", | and (?!\d+ more)", re.sub(r" \([^)]*\)", "", found)):
            yield frozenset(stem(token.lower()) for token in TOKEN.findall(item))


@pytest.mark.parametrize("agent", ["faithful", "unused"])
@pytest.mark.parametrize("paper", ["adam", "ddpm", "kfold", "lora", "ppo", "transformer"])
def test_what_is_missing_is_not_near_by_too(agent: str, paper: str) -> None:
    index = Index.build(read_repository(SUITE / "submissions" / agent / paper / "repo"))
    judge = EmbeddedJudge()

    def said(claim: Sau) -> str:
        question = Question(f"{agent}/{paper}", claim, Evidence((), ""), index=index)
        record: dict[str, str] = json.loads(judge.judge_here(question).text)
        return record["found"] + "; " + record["rationale"].replace(". ", "; ").removesuffix(".")

    for claim in suite_claims(paper):
        text = said(claim)
        stands = [item for item in _items(_STANDS, text) if item]
        for item in _items(_MISSING, text):
            assert not (item and any(item <= other for other in stands)), (claim.claim, text)
