"""A judge whose name moves, or that grades its own kin, is pointed out."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark import Submission
from judge.caution import cautions, families, is_alias, is_undated
from judge.cautioning import cautions_about
from judge.models import JudgeSettings, make_judge
from judge.pipeline import run_plan
from judge.progress import SilentReporter
from judge.protocol import LocalJudge
from judge.store import read_run
from tests.judge.asking import judge_at, question
from tests.judge.toys import Wire, plan
from tests.servers.fake_provider import FakeProvider


@pytest.mark.parametrize(
    ("model", "alias"),
    [
        ("claude-opus-latest", True),
        ("gpt-5.5-latest", True),
        ("mistral/large:latest", True),
        ("openrouter/auto", True),
        ("gpt-5.5-2026-04-01", False),
        ("claude-haiku-4-5-20251001", False),
        ("autoencoder-7b", False),
        ("latestmodel", False),
    ],
)
def test_a_name_that_moves_is_known_as_one(model: str, alias: bool) -> None:
    assert is_alias(model) is alias


@pytest.mark.parametrize(
    ("model", "undated"),
    [
        ("gpt-5.5", True),
        ("o3-mini", True),
        ("gpt-5.5-2026-04-01", False),
        ("gpt-4-0613", False),
        ("gpt-4o-20240806", False),
    ],
)
def test_a_name_without_a_date_is_known_as_one(model: str, undated: bool) -> None:
    assert is_undated(model) is undated


def test_an_undated_name_is_pointed_out_where_its_vendor_dates_them() -> None:
    def said(**changes: Any) -> tuple[str, ...]:
        fields = {"kind": "openai", "model": "gpt-5.5", "api_key_env": "none", **changes}
        judge = make_judge(JudgeSettings(**fields))
        assert not isinstance(judge, LocalJudge)
        return cautions_about(judge, [])

    assert "Name the version that you mean, with its date" in said()[0]
    assert said(model="gpt-5.5-2026-04-01") == ()
    assert said(base_url="http://127.0.0.1:1/v1") == ()
    # There the undated names of current models stay what they are.
    assert said(kind="anthropic", model="claude-opus-4-8") == ()
    member = JudgeSettings(kind="openai", model="gpt-5.5", api_key_env="none")
    other = replace(member, model="other-latest")
    assert len(said(kind="panel", model=None, members=(member, other))) == 2


def test_a_name_that_another_one_answers_to_is_told_at_the_end() -> None:
    async def remarks(model: str, server: FakeProvider) -> tuple[str, ...]:
        judge = judge_at("openai", server.url, model=model)
        await judge.judge(judge.request(question()))
        await judge.close()
        return judge.remarks()

    with FakeProvider() as server:
        (said,) = asyncio.run(remarks("gpt-9", server))
    assert "'gpt-9' was answered by gpt-9-2026-11-01: name that version" in said


@pytest.mark.parametrize(
    ("one", "other", "kin"),
    [
        ("claude-opus-4-8", "anthropic/claude-3-5-sonnet", True),
        ("gpt-5.5", "openai:o3-mini", True),
        ("gpt_4o", "gpt-5.5", True),
        ("gemini-3-flash", "google/gemma-3-27b", True),
        ("deepseek-r1-distill-qwen-7b", "Qwen3-Coder", True),
        ("claude-opus-4-8", "gpt-5.5", False),
        ("llama.cpp", "meta-llama-3", False),
        ("my-model", "my-model", False),
    ],
)
def test_families_are_known_by_names(one: str, other: str, kin: bool) -> None:
    assert bool(families(one) & families(other)) is kin


def test_nothing_is_said_where_there_is_nothing_to_say() -> None:
    one = Submission("a/p", "a", "p", Path(), {"generator_model": "claude-opus-4-8"})
    assert cautions(None, [one]) == ()
    assert cautions("gpt-5.5-2026-04-01", [one]) == ()
    assert cautions("claude-haiku-4-5-20251001", [replace(one, meta={})]) == ()


def test_a_run_says_so_and_flags_the_verdicts(tmp_path: Path) -> None:
    wire = Wire()
    wire.model = "claude-latest"
    made = plan(tmp_path, wire)
    kin, *others = made.submissions
    kin = replace(kin, meta={"generator_model": "claude-opus-4-8"})
    reporter = SilentReporter()
    asyncio.run(run_plan(replace(made, submissions=(kin, *others)), reporter=reporter))
    run = read_run(made.output)
    for said in (reporter.notes, run.meta.notes):
        assert any("'claude-latest' stands for whatever" in text for text in said)
        assert any("its own family wrote (agent0)" in text for text in said)
    assert {v.submission for v in run.verdicts if "own_family" in v.flags} == {kin.id}
