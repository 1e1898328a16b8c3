"""The commands about asking, as a person uses them: plan, a cap, an exchange, batches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from judge.models.adapting import forget
from tests.judge.toys import answer_text, hand_in_one
from tests.servers.fake_provider import FakeProvider

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    hand_in_one(tmp_path, claims=3)
    return tmp_path


def configure(folder: Path, judge: str, more: str = "") -> None:
    (folder / "run.yaml").write_text(
        "benchmark: {path: claims}\nsubmissions: {manifest: submissions.jsonl}\n"
        f"output: {{path: out, workers: 1}}\njudge: {judge}\n{more}",
        encoding="utf-8",
    )


def test_an_exchange_ends_with_3_until_the_answers_are_there(here: Path) -> None:
    configure(here, "{kind: exchange, model: somebody, exchange: exchange}")
    assert call("validate").exit_code == 0
    assert not (here / "exchange").exists()
    first = call("run", "--quiet", "--no-report")
    assert first.exit_code == 3
    assert "3 questions wait for an answer: requests.jsonl" in first.output
    assert "answers.jsonl" in first.output
    lines = (here / "exchange" / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [
        json.dumps({"custom_id": json.loads(line)["custom_id"], "answer": answer_text()})
        for line in lines
    ]
    (here / "exchange" / "answers.jsonl").write_text("\n".join(answers), encoding="utf-8")
    second = call("run", "--quiet", "--no-report")
    assert second.exit_code == 0
    assert "exchange:somebody" in call("show", "me", "paper0-D1-001", "--run", "out").output


def test_plan_says_what_it_would_cost_and_a_cap_needs_a_price(here: Path) -> None:
    with FakeProvider() as server:
        judge = f"{{kind: openai, model: m, api_key_env: none, base_url: '{server.url}/v1'}}"
        configure(here, judge)
        planned = call("plan", "--each", "--as", "openai:gpt-5-mini")
        assert planned.exit_code == 0
        assert re.search(r"^calls +3$", planned.output, flags=re.MULTILINE)
        assert "openai:m: unknown; give it by judge.prices" in planned.output
        assert re.search(r"openai:gpt-5-mini: \$[\d.]+ to \$[\d.]+", planned.output)
        assert planned.output.count("never answered") == 4
        refused = call("run", "--max-cost", "5")
        assert refused.exit_code == 2
        assert "the price of m at" in refused.output
        configure(here, judge, "max_cost: 5\n")
        assert call("validate").exit_code == 2
        wrong = call("plan", "--as", "gpt-5-mini")
        assert wrong.exit_code == 2
        assert server.asked == []
    assert not (here / "out").exists()


def test_batches_are_submitted_looked_at_and_collected(here: Path) -> None:
    with FakeProvider() as server:
        configure(
            here, f"{{kind: anthropic, model: m, api_key_env: none, base_url: '{server.url}'}}"
        )
        assert "no batch has been submitted" in call("batch", "status").output
        submitted = call("batch", "submit", "--per-batch", "2")
        assert submitted.exit_code == 0
        assert "3 requests were submitted" in submitted.output
        assert "batch-2" in call("batch", "status").output
        collected = call("batch", "collect")
        assert collected.exit_code == 0
        assert "3 claims: 3 settled" in collected.output
        assert collected.output.count("collected") == 2


def test_the_page_about_asking_names_commands_and_keys_that_exist() -> None:
    page = (ROOT / "docs" / "asking.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^judge (\w+)", page, flags=re.MULTILINE))
    assert {"plan", "run", "batch"} <= named <= set(cli.commands)
    from judge.config import default_config_text

    for key in ("max_cost", "requests_per_minute", "tokens_per_minute", "exchange", "concurrency"):
        assert key in page
        assert f"{key}:" in default_config_text()


def test_words_of_others_in_answers_files_cannot_steer_the_terminal(here: Path) -> None:
    configure(here, "{kind: exchange, model: somebody, exchange: exchange}")
    (here / "exchange").mkdir()
    line = json.dumps({"custom_id": "\x1b]0;owned\x07", "answer": answer_text()})
    (here / "exchange" / "answers.jsonl").write_text(line, encoding="utf-8")
    (here / "exchange" / "answers-\u202e.jsonl").write_text("no JSON\n", encoding="utf-8")
    shown = call("run", "--no-report").output
    assert "answers-" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
