"""The wire to a real server: llama.cpp's, with a model too weak to judge anything well.

What is tested is that requests are taken, the schema holds, and answers and errors are read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from judge.level_odds import level_odds
from judge.models.adapting import forget
from judge.protocol import Answer, AnswerError, FatalProviderError, Question
from tests.judge.asking import judge_at, prompt, question
from tests.servers.model_server import MODEL_NAME, missing, model_server

if reason := missing():
    pytest.skip(
        f"{reason}: no real model server here; `python3 dev.py test` installs it where it can",
        allow_module_level=True,
    )

# A small part of the answer's schema: the model writes some sixty tokens a second.
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["found", "level"],
    "properties": {
        "found": {"type": "string", "enum": ["lr = 1e-4", "nothing"]},
        "level": {"type": "string", "enum": ["0", "0.25", "0.5", "0.75", "1", "cannot_tell"]},
    },
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    forget()
    with model_server() as started:
        yield started
    forget()


def small(text: str = "Claim: the learning rate is 1e-4.") -> Question:
    asked = question(text)
    return Question(asked.submission, asked.sau, asked.evidence, prompt=prompt(text, schema=SCHEMA))


def ask(url: str, asked: Question, kind: str = "openai", **settings: Any) -> Answer:
    async def run() -> Answer:
        fields = {"model": MODEL_NAME, "max_output_tokens": 80, **settings}
        judge = judge_at(kind, url, **fields)
        try:
            return await judge.judge(judge.request(asked))
        finally:
            await judge.close()

    return asyncio.run(run())


def test_the_schema_holds_and_usage_and_model_are_reported(url: str) -> None:
    answer = ask(url, small(), parameters={"temperature": 0, "seed": 1})
    parsed = json.loads(answer.text)
    assert list(parsed) == ["found", "level"]
    assert parsed["level"] in SCHEMA["properties"]["level"]["enum"]
    assert answer.rung == "json_schema"
    assert answer.finish == "stop"
    assert answer.attempts == 1
    assert answer.model == MODEL_NAME
    assert answer.request_id
    assert answer.parameters == {"temperature": 0, "seed": 1, "max_tokens": 80}
    assert answer.usage.input_tokens is not None
    assert answer.usage.input_tokens > 20
    assert answer.usage.output_tokens is not None
    assert 0 < answer.usage.output_tokens <= 80
    assert answer.usage.cost_usd is None


def test_a_prefix_that_comes_again_is_read_from_the_cache(url: str) -> None:
    ask(url, small())
    again = ask(url, small("Claim: the learning rate is 1e-4, or so."))
    assert again.usage.cached_tokens is not None
    assert again.usage.cached_tokens > 20


def test_a_full_answer_that_does_not_fit_is_cut_off_and_named(url: str) -> None:
    with pytest.raises(AnswerError) as caught:
        ask(url, question(), max_output_tokens=8)
    assert caught.value.code == "truncated"
    assert caught.value.answer is not None
    assert caught.value.answer.usage.output_tokens == 8


def test_a_prompt_that_is_too_long_is_one_error_and_not_the_end(url: str) -> None:
    with pytest.raises(AnswerError) as caught:
        ask(url, small("word " * 6000))
    assert caught.value.code == "too_long"
    assert "exceeds the available context size" in str(caught.value)
    assert json.loads(ask(url, small()).text)


def test_a_bad_request_stops_the_run_in_the_server_s_own_words(url: str) -> None:
    with pytest.raises(FatalProviderError, match="type must be number"):
        ask(url, small(), parameters={"temperature": "hot"})


def test_a_wrong_path_stops_the_run(url: str) -> None:
    with pytest.raises(FatalProviderError, match=r"judge\.base_url"):
        ask(url + "/no/such", small())


def test_the_other_vendor_s_protocol_is_spoken_too(url: str) -> None:
    # The server reads neither the schema nor the cache points of this protocol, and says nothing.
    with pytest.raises(AnswerError) as caught:
        ask(url, small(), kind="anthropic", max_output_tokens=4, structure="text")
    assert caught.value.code == "truncated"
    answer = caught.value.answer
    assert answer is not None
    assert answer.usage.output_tokens == 4
    assert answer.usage.input_tokens is not None


def test_log_probabilities_come_from_before_the_grammar_and_are_read(url: str) -> None:
    answer = ask(url, small(), logprobs="auto", parameters={"temperature": 0, "seed": 1})
    assert answer.parameters["top_logprobs"] == 8
    tokens = answer.level_tokens
    assert tokens is not None
    spelt = "".join(text for text, _ in tokens.tokens).removeprefix(tokens.lead)
    assert spelt.startswith(json.loads(answer.text)["level"] + '"')
    # So weak a model was about to say something else, and that is said instead of a number.
    odds = level_odds(tokens)
    assert (odds.probabilities is None) == bool(odds.reason)
