"""Two hours of bad weather in some seconds: no verdict lost, none asked in vain, none wrong.

Every kind of trouble that a provider has shown comes over the wire, through the vendors' own SDKs,
while a run is under way, and the run is started again until every claim has its verdict. Waits
that would be minutes are milliseconds; what is asked, and how often, is the same.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmark import Benchmark, Dimension, Paper, Sau, Submission
from judge.models.adapting import forget
from judge.models.panel import Member, PanelJudge
from judge.models.prompted import PromptedJudge
from judge.pipeline import RunResult, run_plan
from judge.protocol import Judge
from judge.question_settings import QuestionSettings
from judge.store import iter_attempts, iter_verdicts
from judge.verdict import Status
from tests.judge.asking import judge_at
from tests.judge.toys import answer_fields, plan
from tests.servers.fake_provider import FakeProvider

CLAIMS = 120
LEVELS = {
    "0": ("methodological", "missing"),
    "0.25": ("numerical", "mismatch"),
    "0.5": ("numerical", "mismatch"),
    "0.75": ("numerical", "mismatch"),
    "1": ("none", "none"),
}


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def claims() -> tuple[Sau, ...]:
    return tuple(
        Sau(f"storm-D1-{n:03}", "storm", Dimension.D1, f"The rate number {n:03} is 3e-4")
        for n in range(CLAIMS)
    )


def expected(number: int) -> str:
    return list(LEVELS)[number % len(LEVELS)]


def answers() -> list[dict[str, Any]]:
    """The right answer to each claim, so that one given to another claim is seen."""
    made = []
    for number in range(CLAIMS):
        level = expected(number)
        drift, failure = LEVELS[level]
        fields = answer_fields(level=level, drift=drift, failure=failure)
        if level == "0":
            fields["citations"] = []
        made.append({"when": f"rate number {number:03}", "answer": fields})
    return made


def weather(seed: int) -> list[dict[str, Any]]:
    """Storms of every kind in a random order, each over claims of its own or over all of them."""
    kinds: list[dict[str, Any]] = [
        {"kind": "status", "status": 429, "retry_after": "0.05", "times": 25},
        {"kind": "status", "status": 429, "retry_after_ms": 30, "times": 15},
        {"kind": "status", "status": 529, "times": 6},
        {"kind": "status", "status": 503, "retry_after": "0.05", "times": 6},
        {"kind": "status", "status": 500, "times": 10},
        {"kind": "status", "status": 408, "times": 4},
        {"kind": "status", "status": 409, "times": 4},
        {"kind": "drop", "times": 12},
        {"kind": "cut_off", "times": 8},
        {"kind": "slow", "seconds": 1.5, "times": 4},
        {"kind": "body", "body": "<html>gateway</html>", "times": 5},
        {"kind": "body", "body": '{"error": {"message": "upstream", "code": 502}}', "times": 5},
        *({"kind": kind, "times": 3} for kind in UNUSABLE),
    ]
    random.Random(seed).shuffle(kinds)
    # The first claims come through, so that the storms meet many requests at a time.
    return [{"when": r"rate number (0[1-9]|1\d)\d", **event} for event in kinds]


UNUSABLE = ("empty", "refusal", "wrong_json", "truncated", "thought_only", "open_think")


def one_of(kind: str, url: str, **changes: Any) -> PromptedJudge:
    fields = {"concurrency": 16, "timeout_seconds": 1.0, "deadline_seconds": 30.0, **changes}
    return judge_at(kind, url, **fields)


def judge_of(kind: str, url: str) -> Judge:
    if kind == "panel":
        members = [one_of(each, url, model=f"{each}-1") for each in ("responses", "anthropic")]
        return PanelJudge([Member(each) for each in members], quorum=2)
    if kind == "room and odds":
        return one_of("openai", url, reasoning_tokens=4000, logprobs="auto")
    return one_of(kind, url)


@pytest.mark.parametrize(
    ("kind", "together", "seed"),
    [
        ("openai", 1, 1),
        ("anthropic", 1, 2),
        ("room and odds", 1, 4),
        ("panel", 1, 5),
        ("anthropic", 4, 6),
        ("panel", 3, 7),
    ],
)
def test_all_verdicts_come_through_right_and_nothing_is_asked_in_vain(
    kind: str, together: int, seed: int, tmp_path: Path
) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "train.py").write_text(
        "import torch\n\n\ndef build(model):\n"
        "    return torch.optim.AdamW(model.parameters(), lr=3e-4)\n\n\nbuild(None)\n",
        encoding="utf-8",
    )
    benchmark = Benchmark("storm", (Paper("storm", claims()),))
    submissions = (Submission("agent/storm", "agent", "storm", root),)
    storms = weather(seed)
    script = {"weather": storms, "answers": answers(), "latency_seconds": 0.01}
    script |= {"spoil": {"rate number 0[57]1": "missing", "rate number 0[68]2": "twice"}}
    script |= {"odds": dict.fromkeys(LEVELS, 0.2)}
    with FakeProvider(script) as server:

        def go() -> RunResult:
            made = plan(
                tmp_path,
                judge_of(kind, server.url),
                benchmark=benchmark,
                submissions=submissions,
                concurrency=16 * together,
                question=QuestionSettings(claims_per_request=together),
                max_errors_share=1.0,
            )
            return asyncio.run(run_plan(made))

        runs = [go()]
        while runs[-1].exit_code == 3 and len(runs) < 6:
            runs.append(go())
        assert runs[-1].exit_code == 0
        # The weather really was as bad as it was meant to be.
        assert all(event["times"] == 0 for event in server.weather)
        output = tmp_path / "out"

        # None lost, and none wrong.
        latest = {verdict.sau: verdict for verdict in iter_verdicts(output)}
        assert len(latest) == CLAIMS
        for number in range(CLAIMS):
            verdict = latest[f"storm-D1-{number:03}"]
            assert verdict.status is Status.GRADED, verdict.reason
            assert verdict.score == float(expected(number))
            assert {said.level for said in verdict.members} <= {verdict.level}
            # Of a whole number nobody knows what else the token might have begun.
            known = verdict.odds is not None and verdict.odds.probabilities is not None
            assert known == (kind == "room and odds" and "." in expected(number))

        # None asked beyond what failed: whoever got a whole answer is not asked for it again.
        asked, answered = server.counts["asked"], server.counts["answered"]
        assert max(answered.values()) <= 4
        ledger = Counter(row.outcome for row in iter_attempts(output))
        assert ledger["answer"] >= CLAIMS
        good = [row for row in iter_attempts(output) if row.outcome == "answer"]
        keys = Counter(row.request_key for row in good)
        paid_twice = {key: count for key, count in keys.items() if count > 1}
        unreadable = sum(1 for row in good if row.answer and not _whole(row.answer.text))
        assert sum(paid_twice.values()) - len(paid_twice) <= unreadable
        # Every request that reached the provider stands in the ledger; some never got there.
        counted = sum(row.attempts for row in iter_attempts(output))
        assert sum(asked.values()) <= counted < sum(asked.values()) + CLAIMS

        before = sum(asked.values())
        assert go().counts.kept == CLAIMS
        assert sum(asked.values()) == before


def _whole(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
