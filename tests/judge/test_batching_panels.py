"""Panels by batch: each member's requests in batches of its own, and one verdict of all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmark import InputError
from judge.batching import collect, status, submit
from judge.cli import cli
from judge.config import RunConfig, load_config
from judge.inputs import load_inputs
from judge.models.adapting import forget
from judge.pipeline import run
from judge.protocol import FatalProviderError
from judge.store import iter_verdicts
from tests.judge.test_batching import CLAIMS, configured, do, most_asked, statuses
from tests.servers.fake_provider import FakeProvider


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def member(kind: str, model: str, url: str, **more: Any) -> dict[str, Any]:
    base = f"{url}/v1" if kind == "openai" else url
    return {"kind": kind, "model": model, "api_key_env": "none", "base_url": base, **more}


def panel(folder: Path, members: list[dict[str, Any]], **more: Any) -> RunConfig:
    config = configured(folder, "openai", "http://127.0.0.1:9", **more)
    text = json.loads(config.file.read_text(encoding="utf-8"))
    text["judge"] = {"kind": "panel", "members": members}
    config.file.write_text(json.dumps(text), encoding="utf-8")
    return load_config(config.file)


def sizes(server: FakeProvider) -> list[int]:
    return [len(batch["items"]) for batch in server.batches.made.values()]


def test_each_member_has_batches_of_its_own_and_none_is_sent_twice(tmp_path: Path) -> None:
    with FakeProvider({"batches": {"looks": 2}}) as server:
        members = [member("openai", "one", server.url), member("anthropic", "two", server.url)]
        config = panel(tmp_path, members)
        assert do(submit, config).submitted == 2 * CLAIMS
        assert sizes(server) == [CLAIMS, CLAIMS]
        assert do(submit, config).submitted == 0
        batches = do(status, config).batches
        assert {(note.judge, note.count) for note in batches} == {
            ("openai:one", CLAIMS), ("anthropic:two", CLAIMS),
        }  # fmt: skip
        # Whatever order the members stand in, their batches are known.
        collected = do(collect, panel(tmp_path, members[::-1]))
        assert collected.result is not None
        assert (collected.result.exit_code, collected.missing) == (0, 0)
        verdicts = list(iter_verdicts(config.output.path))
        assert len(verdicts) == CLAIMS
        for verdict in verdicts:
            assert verdict.provenance.provider == "panel"
            assert {one.provenance.judge for one in verdict.members} == {
                "openai:one",
                "anthropic:two",
            }
        assert most_asked(server) == 1

        # The same panel without a batch finds all of it, and asks nobody.
        again = panel(tmp_path, members, output={"path": "direct"})
        result = asyncio.run(run(again, load_inputs(again)))
        assert (result.exit_code, result.counts.requests) == (0, 0)


def test_a_claim_waits_for_all_members_and_what_one_lacks_is_sent_for_it_alone(
    tmp_path: Path,
) -> None:
    with FakeProvider({"batches": {"expire": "is 1e-4"}}) as server:
        members = [member("openai", "one", server.url), member("openai", "two", server.url)]
        config = panel(tmp_path, members)
        do(submit, config)
        first = do(collect, config)
        assert first.missing == 1
        assert sum(statuses(config).values()) == CLAIMS - 1
        assert do(submit, config).submitted == 1
        assert do(collect, config).missing == 0
        assert sum(statuses(config).values()) == CLAIMS
        assert sizes(server) == [CLAIMS, CLAIMS, 1]
        assert most_asked(server) == len(members)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_batch_that_was_taken_unseen_is_known_for_its_member(kind: str, tmp_path: Path) -> None:
    with FakeProvider({"batches": {"lose": 1}}) as server:
        members = [member(kind, "one", server.url), member(kind, "two", server.url)]
        config = panel(tmp_path, members)
        with pytest.raises(FatalProviderError, match=f"{kind}:one by batch"):
            do(submit, config)
        report = do(submit, config)
        assert report.submitted == CLAIMS
        assert ["had reached the vendor as batch-1" in note for note in report.notes] == [True]
        assert do(collect, config).missing == 0
        assert (sizes(server), most_asked(server)) == ([CLAIMS, CLAIMS], len(members))
        verdicts = list(iter_verdicts(config.output.path))
        assert {len(verdict.members) for verdict in verdicts} == {2}


def test_answers_of_a_judge_alone_serve_the_panel_that_it_joins(tmp_path: Path) -> None:
    with FakeProvider() as server:
        one, two = member("openai", "one", server.url), member("openai", "two", server.url)
        alone = configured(tmp_path, "openai", server.url, judge=one, output={"path": "alone"})
        do(submit, alone)
        do(collect, alone)
        assert do(submit, panel(tmp_path, [one, two])).submitted == CLAIMS
        assert most_asked(server) == 1


def test_a_member_that_takes_no_batch_is_named(tmp_path: Path) -> None:
    members = [
        member("openai", "one", "http://127.0.0.1:9"),
        {"kind": "exchange", "model": "hands", "exchange": "x"},
    ]
    with pytest.raises(InputError, match=r"member exchange.*hands has no batch API"):
        do(submit, panel(tmp_path, members))
    assert not (tmp_path / "x").exists()


def test_a_plan_prices_a_panel_by_batch_too(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(
        "date: 2026-11-01\nmodels:\n  one: {input: 100, output: 200}\n"
        "  two: {input: 10, output: 20}\n",
        encoding="utf-8",
    )
    vendors = [
        {"kind": kind, "model": model, "prices": str(prices), "max_output_tokens": 500}
        for kind, model in (("openai", "one"), ("anthropic", "two"))
    ]
    config = panel(tmp_path, vendors)
    planned = CliRunner().invoke(cli, ["plan", "--config", str(config.file)])
    assert planned.exit_code == 0, planned.output
    lines = planned.output.splitlines()
    whole = [line.split() for line in lines if line.startswith("all  ")]
    halved = [line.split() for line in lines if line.startswith("  in batch")]
    dollars = [float(word.strip("$,")) for words in (*whole, *halved[-1:])
               for word in words if word.startswith("$")]  # fmt: skip
    assert len(halved) == 3  # each member's, and all together
    assert dollars[2:] == pytest.approx([one / 2 for one in dollars[:2]], rel=0.05)


def test_people_see_whose_batch_is_whose(tmp_path: Path) -> None:
    with FakeProvider() as server:
        members = [member("openai", "one", server.url), member("anthropic", "two", server.url)]
        words = ["--config", str(panel(tmp_path, members).file)]
        sent = CliRunner().invoke(cli, ["batch", "submit", *words])
        assert sent.exit_code == 0, sent.output
    lines = [line for line in sent.output.splitlines() if "requests, " in line]
    assert [line.rpartition("  ")[2] for line in lines] == ["openai:one", "anthropic:two"]
    assert f"{2 * CLAIMS} requests were submitted" in sent.output
