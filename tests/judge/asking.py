"""Questions for judges under test, and judges that ask a server on the loopback."""

from __future__ import annotations

from typing import Any, cast

from benchmark import Dimension, Sau
from judge.models import JudgeSettings, make_judge
from judge.models.prompted import PromptedJudge
from judge.models.retrying import Patience
from judge.protocol import Question
from prompts.schema import ANSWER_SCHEMA
from prompts.values import Prompt
from retrieval.values import Evidence, Passage

EVIDENCE = Evidence(
    passages=(Passage("train.py", 4, 5, "\nlr = 1e-4  # as in the paper"),),
    repository_map="train.py",
)


def prompt(question: str = "Claim: the learning rate is 1e-4.", **changes: Any) -> Prompt:
    fields: dict[str, Any] = {
        "system": "Grade the claim. Answer in JSON.",
        "shared": "Map: train.py",
        "question": f"== train.py lines 4-5\n4| \n5| lr = 1e-4  # as in the paper\n{question}",
        "schema": ANSWER_SCHEMA,
        "version": "test",
        "hash": "0" * 64,
    }
    return Prompt(**{**fields, **changes})


def question(text: str = "Claim: the learning rate is 1e-4.", sau: str = "adam-D1-001") -> Question:
    claim = Sau(sau, "adam", Dimension.D1, text)
    return Question("agent/adam", claim, EVIDENCE, prompt=prompt(text))


def settings(kind: str, url: str, **changes: Any) -> JudgeSettings:
    """Settings for a server on the loopback; the kind `responses` is OpenAI's other API."""
    api = "responses" if kind == "responses" else "auto"
    kind = "openai" if kind == "responses" else kind
    base_url = f"{url}/v1" if kind == "openai" else url
    fields: dict[str, Any] = {
        "kind": kind,
        "api": api,
        "model": "judge-model",
        "base_url": base_url,
        "api_key_env": "none",
    }
    return JudgeSettings(**{**fields, **changes})


def judge_at(kind: str, url: str, **changes: Any) -> PromptedJudge:
    """A judge that loses no time between attempts."""
    made = settings(kind, url, **changes)
    patience = Patience(
        timeout_seconds=made.timeout_seconds,
        deadline_seconds=made.deadline_seconds,
        first_wait_seconds=0.002,
        longest_wait_seconds=0.01,
    )
    return cast("PromptedJudge", make_judge(made, patience=patience))
