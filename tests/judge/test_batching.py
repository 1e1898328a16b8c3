"""Both vendors' batch APIs through their SDKs: nothing lost, and nothing sent twice."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmark import InputError
from judge.batching import BatchReport, collect, status, submit
from judge.config import RunConfig, load_config
from judge.inputs import load_inputs
from judge.models.adapting import forget
from judge.models.retrying import Patience
from judge.pipeline import run
from judge.protocol import FatalProviderError
from judge.store import iter_verdicts
from judge.verdict import Status
from tests.judge.toys import TRAIN
from tests.servers.fake_provider import FakeProvider

PRICES = "date: 2026-11-01\nmodels:\n  judge-model: {input: 100, output: 200}\n"
both = pytest.mark.parametrize("kind", ["openai", "anthropic"])
CLAIMS = 6
PATIENCE = Patience(timeout_seconds=10, deadline_seconds=10, first_wait_seconds=0.01)


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def configured(folder: Path, kind: str, url: str, **changes: Any) -> RunConfig:
    claims = [
        {"id": f"toy-D1-{n:03}", "claim": f"The learning rate is {n}e-4", "source": "Sec. 1"}
        for n in range(CLAIMS)
    ]
    (folder / "claims" / "toy").mkdir(parents=True, exist_ok=True)
    sau = folder / "claims" / "toy" / "sau.json"
    sau.write_text(json.dumps({"paper_id": "toy", "D1": claims}), encoding="utf-8")
    repo = folder / "repos" / "agent" / "toy" / "repo"
    repo.mkdir(parents=True, exist_ok=True)
    (repo / "train.py").write_text(TRAIN, encoding="utf-8")
    api = {"api": "responses"} if kind == "responses" else {}
    kind = "openai" if kind == "responses" else kind
    judge = {
        "kind": kind,
        "model": "judge-model",
        **api,
        "api_key_env": "none",
        "base_url": f"{url}/v1" if kind == "openai" else url,
    }
    whole = {
        "benchmark": {"path": "claims"},
        "submissions": {"path": "repos"},
        "judge": judge | changes.pop("judge", {}),
        **changes,
    }
    file = folder / "run.json"
    file.write_text(json.dumps(whole), encoding="utf-8")
    return load_config(file)


def do(command: Callable[..., Any], config: RunConfig, **options: Any) -> BatchReport:
    report = asyncio.run(command(config, patience=PATIENCE, **options))
    assert isinstance(report, BatchReport)
    return report


def statuses(config: RunConfig) -> Counter[Status]:
    return Counter(verdict.status for verdict in iter_verdicts(config.output.path))


def most_asked(server: FakeProvider) -> int:
    return max(server.counts["asked"].values())


@pytest.mark.parametrize("kind", ["openai", "responses", "anthropic"])
def test_a_batch_is_sent_looked_at_collected_and_never_sent_again(
    kind: str, tmp_path: Path
) -> None:
    with FakeProvider({"batches": {"looks": 2}}) as server:
        config = configured(tmp_path, kind, server.url)
        assert do(submit, config).submitted == CLAIMS
        folder = config.output.path / "batch"
        asked = (folder / "asked.jsonl").read_text(encoding="utf-8").splitlines()
        assert {json.loads(line)["sau"] for line in asked} == {f"toy-D1-{n:03}" for n in range(6)}
        again = do(submit, config)
        assert (again.submitted, len(server.batches.made)) == (0, 1)

        [note] = do(status, config).batches
        assert note.state is not None
        assert (note.state.ended, note.state.total) == (False, CLAIMS)
        collected = do(collect, config)
        assert collected.result is not None
        assert (collected.result.exit_code, collected.missing) == (0, 0)
        assert collected.result.counts.errors == 0
        verdicts = list(iter_verdicts(config.output.path))
        assert len(verdicts) == CLAIMS
        assert verdicts[0].provenance.judge == f"{config.judge.kind}:judge-model"
        assert verdicts[0].provenance.rung == "json_schema"
        assert most_asked(server) == 1

        # The same run without a batch finds all of it, and asks nobody.
        result = asyncio.run(run(config, load_inputs(config)))
        assert (result.exit_code, result.counts.kept, result.counts.requests) == (0, CLAIMS, 0)
        assert do(submit, config).submitted == 0


def test_answers_that_were_brought_from_another_run_say_what_they_are_about(
    tmp_path: Path,
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(PRICES, encoding="utf-8")
    with FakeProvider() as server:
        config = configured(tmp_path, "openai", server.url)
        do(submit, config)
        do(collect, config)
        [answers] = (config.output.path / "batch").glob("answers-*.jsonl")
        elsewhere = {"output": {"path": "other"}, "cache": {"path": "other.cache"}}
        elsewhere["judge"] = {"prices": str(prices)}
        assert do(submit, configured(
            tmp_path, "openai", server.url, max_cost=1e-6, **elsewhere
        )).submitted == 0  # fmt: skip
        other = configured(tmp_path, "openai", server.url, max_cost=100, **elsewhere)
        folder = other.output.path / "batch"
        folder.mkdir(exist_ok=True)
        answers.rename(folder / answers.name)
        assert do(submit, other).submitted == 0
    asked = (folder / "asked.jsonl").read_text(encoding="utf-8").splitlines()
    about = {(row["submission"], row["sau"]) for row in map(json.loads, asked)}
    assert about == {("agent/toy", f"toy-D1-{n:03}") for n in range(CLAIMS)}


@both
def test_what_expired_or_failed_is_sent_once_more_alone(kind: str, tmp_path: Path) -> None:
    script = {"expire": "is 1e-4", "fail": "is 2e-4", "invalid": "is 3e-4"}
    with FakeProvider({"batches": script}) as server:
        config = configured(tmp_path, kind, server.url, max_errors_share=1.0)
        do(submit, config)
        first = do(collect, config)
        assert first.result is not None
        assert (first.result.exit_code, first.missing) == (3, 2)
        assert statuses(config)[Status.ERROR] == 1  # asking the wrong thing again is in vain
        assert sum(statuses(config).values()) == CLAIMS - 2
        assert do(submit, config).submitted == 2
        second = do(collect, config)
        assert second.missing == 0
        assert sum(statuses(config).values()) == CLAIMS
        assert [len(batch["items"]) for batch in server.batches.made.values()] == [CLAIMS, 2]
        assert most_asked(server) == 1


@both
def test_many_requests_become_several_batches(kind: str, tmp_path: Path) -> None:
    with FakeProvider() as server:
        config = configured(tmp_path, kind, server.url)
        assert do(submit, config, per_batch=4).submitted == CLAIMS
        assert [len(batch["items"]) for batch in server.batches.made.values()] == [4, 2]
        assert do(collect, config).missing == 0
        assert sum(statuses(config).values()) == CLAIMS


@both
def test_a_batch_that_was_taken_unseen_is_found_again(kind: str, tmp_path: Path) -> None:
    with FakeProvider({"batches": {"lose": 1}}) as server:
        config = configured(tmp_path, kind, server.url)
        with pytest.raises(FatalProviderError, match="Start the same command again"):
            do(submit, config)
        # It is there, though nobody said so; it is known again and nothing is sent twice.
        report = do(submit, config)
        assert report.submitted == 0
        assert "had reached the vendor as batch-1" in report.notes[0]
        assert do(collect, config).missing == 0
        assert (len(server.batches.made), most_asked(server)) == (1, 1)


@both
def test_a_batch_that_never_got_there_is_sent_anew(kind: str, tmp_path: Path) -> None:
    with FakeProvider({"batches": {"refuse_create": 1}}) as server:
        config = configured(tmp_path, kind, server.url)
        with pytest.raises(FatalProviderError, match="too many batches"):
            do(submit, config)
        report = do(submit, config)
        assert report.submitted == CLAIMS
        assert "never reached the vendor" in report.notes[0]
        assert do(collect, config).missing == 0
        assert most_asked(server) == 1


def test_a_batch_that_fails_as_a_whole_says_why(tmp_path: Path) -> None:
    with FakeProvider({"batches": {"reject": "Enqueued token limit reached"}}) as server:
        config = configured(tmp_path, "openai", server.url)
        do(submit, config)
        report = do(collect, config)
        assert report.missing == CLAIMS
        assert "Enqueued token limit reached" in report.notes[0]
        assert do(submit, config).submitted == CLAIMS
        assert do(collect, config).missing == 0


@both
def test_collecting_twice_or_after_a_kill_brings_the_same(kind: str, tmp_path: Path) -> None:
    with FakeProvider() as server:
        config = configured(tmp_path, kind, server.url)
        do(submit, config)
        folder = config.output.path / "batch"
        # Killed while results were being fetched: half of them lie aside, and nothing is noted.
        (folder / ".answers-x.new").write_bytes(b'{"custom_id": "ha')
        do(collect, config)
        before = (config.output.path / "verdicts.jsonl").read_bytes()
        log = folder / "batches.jsonl"
        # Killed after the results were put in place and before that was noted.
        kept = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(kept[:-1]) + kept[-1][:9])
        do(collect, config)
        assert (config.output.path / "verdicts.jsonl").read_bytes() == before
        assert most_asked(server) == 1


def test_a_cap_bounds_what_is_sent(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(PRICES, encoding="utf-8")
    with FakeProvider() as server:
        judge = {"prices": str(prices), "max_output_tokens": 500}
        config = configured(tmp_path, "openai", server.url, judge=judge, max_cost=0.6)
        report = do(submit, config)
        assert 0 < report.submitted < CLAIMS
        assert report.result is not None
        assert "max_cost" in report.result.reason
        do(collect, config)
        free = configured(tmp_path, "openai", server.url, judge=judge)
        assert do(submit, free).submitted == CLAIMS - report.submitted
        do(collect, free)
        verdicts = list(iter_verdicts(config.output.path))
        costs = [verdict.provenance.usage.cost_usd for verdict in verdicts]
        tokens = [verdict.provenance.usage for verdict in verdicts]
        # Half the price of the same tokens.
        assert costs == [
            pytest.approx(((u.input_tokens or 0) * 100 + (u.output_tokens or 0) * 200) / 2e6)
            for u in tokens
        ]


def test_a_judge_without_a_batch_api_says_so(tmp_path: Path) -> None:
    config = configured(tmp_path, "openai", "http://127.0.0.1:9")
    text = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    text["judge"] = {"kind": "exchange", "model": "m", "exchange": "x"}
    (tmp_path / "run.json").write_text(json.dumps(text), encoding="utf-8")
    with pytest.raises(InputError, match=r"no batch API.*openai or anthropic"):
        do(submit, load_config(config.file))
