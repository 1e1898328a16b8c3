"""Both vendors' SDKs, driven against a server on the loopback in every weather."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from benchmark import GraderError
from judge.models.adapting import forget
from judge.protocol import Answer, AnswerError, FatalProviderError, Request
from prompts.schema import ANSWER_SCHEMA
from tests.judge.asking import judge_at, prompt, question
from tests.servers.fake_provider import FakeProvider

KINDS = ["openai", "responses", "anthropic"]
both = pytest.mark.parametrize("kind", KINDS)
CAP = {"openai": "max_tokens", "responses": "max_output_tokens", "anthropic": "max_tokens"}


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def ask(
    kind: str, server: FakeProvider, asked: list[Any] | None = None, **settings: Any
) -> list[Answer | GraderError]:
    """Ask some questions one after another; errors come back as values."""

    async def run() -> list[Answer | GraderError]:
        judge = judge_at(kind, server.url, **settings)
        outcomes: list[Answer | GraderError] = []
        for one in asked or [question()]:
            try:
                outcomes.append(await judge.judge(judge.request(one)))
            except GraderError as error:
                outcomes.append(error)
        await judge.close()
        return outcomes

    return asyncio.run(run())


def answer(kind: str, server: FakeProvider, **settings: Any) -> Answer:
    [outcome] = ask(kind, server, **settings)
    assert isinstance(outcome, Answer), outcome
    return outcome


def error(kind: str, server: FakeProvider, **settings: Any) -> GraderError:
    [outcome] = ask(kind, server, **settings)
    assert isinstance(outcome, GraderError), outcome
    return outcome


def weather(*events: dict[str, Any]) -> dict[str, Any]:
    return {"weather": list(events)}


@both
def test_a_question_is_answered_and_its_provenance_known(kind: str) -> None:
    with FakeProvider() as server:
        got = answer(kind, server)
    parsed = json.loads(got.text)
    assert parsed["citations"] == [
        {"path": "train.py", "first": 5, "last": 5, "quote": "lr = 1e-4  # as in the paper"}
    ]
    assert got.rung == "json_schema"
    assert got.finish == "stop"
    assert got.attempts == 1
    assert got.model is not None
    assert got.model.startswith("judge-model-2026")
    assert got.request_id == ("msg_fake_1" if kind == "anthropic" else "req-fake-1")
    assert got.usage.seconds is not None
    assert got.usage.cost_usd is None  # nobody knows what a model on the loopback costs


def test_usage_is_mapped_alike() -> None:
    with FakeProvider() as server:
        first = answer("openai", server).usage
        cold, warm = (
            outcome.usage
            for outcome in ask("anthropic", server, [question(), question("Claim: another.")])
            if isinstance(outcome, Answer)
        )
    assert (first.cached_tokens, first.written_tokens, first.reasoning_tokens) == (3, None, 2)
    # What is read from the cache and written to it is part of the input.
    assert cold.cached_tokens == 0
    assert cold.written_tokens
    assert warm.cached_tokens == cold.written_tokens
    assert warm.written_tokens == 0
    assert warm.input_tokens is not None
    assert warm.input_tokens > warm.cached_tokens
    assert warm.reasoning_tokens is None


@both
def test_only_what_the_user_set_is_sent(kind: str) -> None:
    with FakeProvider() as server:
        answer(kind, server)
        answer(kind, server, parameters={"temperature": 0.5, "odd_server_knob": [1]})
        bare, full = (asked.body for asked in server.asked)
    own = {
        "openai": {"messages", "max_tokens", "response_format"},
        "responses": {"input", "max_output_tokens", "text", "store"},
        "anthropic": {"messages", "max_tokens", "output_config", "system"},
    }[kind]
    assert bare.keys() == {"model", *own}
    assert full["temperature"] == 0.5
    assert full["odd_server_knob"] == [1]
    assert bare[CAP[kind]] == 8192


def test_the_responses_api_keeps_nothing_and_takes_effort_and_verbosity() -> None:
    knobs = {"reasoning": {"effort": "low"}, "text": {"verbosity": "low"}}
    with FakeProvider() as server:
        got = answer("responses", server, parameters=knobs)
        answer("responses", server, parameters={"store": True})
        body, kept = (asked.body for asked in server.asked)
    assert (body["store"], kept["store"]) == (False, True)
    assert body["reasoning"] == {"effort": "low"}
    assert body["text"]["verbosity"] == "low"
    assert body["text"]["format"]["schema"] == ANSWER_SCHEMA
    assert body["text"]["format"]["strict"] is True
    assert [message["role"] for message in body["input"]] == ["system", "user"]
    usage = got.usage
    assert (usage.cached_tokens, usage.written_tokens, usage.reasoning_tokens) == (3, 0, 2)


def test_a_response_that_failed_is_asked_for_again_and_one_that_is_filtered_is_not() -> None:
    failed = {"status": "failed", "error": {"code": "server_error", "message": "oh"}, "output": []}
    stuck = {"status": "in_progress", "error": None, "output": []}
    events = [{"kind": "body", "body": json.dumps(body)} for body in (failed, stuck)]
    with FakeProvider(weather(*events)) as server:
        assert answer("responses", server).attempts == 3
    filtered = {**failed, "error": {"code": "invalid_prompt", "message": "flagged"}}
    with FakeProvider(weather({"kind": "body", "body": json.dumps(filtered)})) as server:
        got = error("responses", server)
        assert len(server.asked) == 1
    assert isinstance(got, AnswerError)
    assert got.code == "refused"


@both
def test_room_for_reasoning_comes_on_top_of_room_for_the_answer(kind: str) -> None:
    with FakeProvider() as server:
        got = answer(kind, server, max_output_tokens=500, reasoning_tokens=1500)
        assert server.asked[0].body[CAP[kind]] == 2000
    assert got.parameters[CAP[kind]] == 2000
    with FakeProvider(weather({"kind": "thought_only"})) as server:
        cut = error(kind, server, max_output_tokens=500, reasoning_tokens=1500)
    assert isinstance(cut, AnswerError)
    assert cut.code == "reasoning_cut"
    assert "of 2000 allowed" in str(cut)
    assert "judge.max_output_tokens is 500 and judge.reasoning_tokens 1500" in str(cut)


@both
def test_more_room_than_the_endpoint_has_is_the_trouble_of_one_question(kind: str) -> None:
    event = {
        "kind": "status",
        "status": 400,
        "times": 9,
        "message": f"{CAP[kind]} is too large: 16384. This model supports at most 9000 tokens",
    }

    async def run(server: FakeProvider, room: int) -> GraderError:
        judge = judge_at(kind, server.url)
        body = {**judge.request(question()).body, "max_output_tokens": room}
        try:
            await judge.judge(Request(body))
        except GraderError as refusal:
            return refusal
        finally:
            await judge.close()
        raise AssertionError

    with FakeProvider(weather(event)) as server:
        more = asyncio.run(run(server, 16384))
        assert isinstance(more, AnswerError)
        assert more.code == "no_room"
        # Where it is the room that is set, no question would be answered.
        assert isinstance(asyncio.run(run(server, 8192)), FatalProviderError)


def test_openai_takes_no_cap_where_none_is_set() -> None:
    with FakeProvider() as server:
        got = answer("openai", server, max_output_tokens=None)
        assert "max_tokens" not in server.asked[0].body
    assert got.parameters == {}


def test_anthropic_parts_end_in_cache_points_and_effort_stays_beside_the_format() -> None:
    with FakeProvider() as server:
        answer("anthropic", server, parameters={"output_config": {"effort": "low"}})
        body = server.asked[0].body
    assert body["output_config"]["effort"] == "low"
    assert body["output_config"]["format"] == {"type": "json_schema", "schema": ANSWER_SCHEMA}
    rules, shared, claim = body["system"][0], *body["messages"][0]["content"]
    point = {"type": "ephemeral"}
    assert (rules["cache_control"], shared["cache_control"]) == (point, point)
    assert "cache_control" not in claim
    assert claim["text"] == prompt().question


def test_openai_order_is_rules_shared_question() -> None:
    with FakeProvider() as server:
        answer("openai", server)
        system, user = server.asked[0].body["messages"]
    assert system == {"role": "system", "content": prompt().system}
    assert user["content"] == prompt().shared + "\n\n" + prompt().question


@both
@pytest.mark.parametrize(
    "event",
    [
        {"kind": "status", "status": 408},
        {"kind": "status", "status": 409},
        {"kind": "status", "status": 429, "retry_after": "0"},
        {"kind": "status", "status": 429, "retry_after_ms": "3"},
        {"kind": "status", "status": 429, "retry_after": "Wed, 21 Oct 2015 07:28:00 GMT"},
        {"kind": "status", "status": 500},
        {"kind": "status", "status": 503, "retry_after": "soon"},
        {"kind": "status", "status": 529},
        {"kind": "drop"},
        {"kind": "cut_off"},
        {"kind": "body", "body": ""},
        {"kind": "body", "body": "<html>", "headers": {"content-type": "text/html"}},
        {"kind": "body", "body": '{"choices": null, "content": null}'},
        {"kind": "body", "body": '{"error": {"code": 502, "message": "upstream went away"}}'},
    ],
    ids=lambda event: "-".join(str(v) for k, v in event.items() if k != "kind")[:30] or "drop",
)
def test_weather_is_sat_out(kind: str, event: dict[str, Any]) -> None:
    with FakeProvider(weather({**event, "times": 2})) as server:
        got = answer(kind, server)
        assert len(server.asked) == 3
        assert len({asked.digest for asked in server.asked}) == 1
    assert got.attempts == 3
    assert json.loads(got.text)["level"] == "1"


@both
def test_a_slow_attempt_is_given_up_and_made_again(kind: str) -> None:
    with FakeProvider(weather({"kind": "slow", "seconds": 30})) as server:
        got = answer(kind, server, timeout_seconds=0.4)
    assert got.attempts == 2


@both
def test_weather_that_lasts_ends_at_the_deadline(kind: str) -> None:
    with FakeProvider(weather({"kind": "status", "status": 529, "times": 10_000})) as server:
        got = error(kind, server, deadline_seconds=1.0)
        assert isinstance(got, AnswerError)
        assert got.code == "overloaded"
        # The deadline may cut the last attempt before the server has written it down.
        late = time.monotonic() + 5
        while len(server.asked) < got.attempts and time.monotonic() < late:
            time.sleep(0.01)
        assert got.attempts == len(server.asked) > 1


@both
def test_a_wait_beyond_the_deadline_is_not_waited_for(kind: str) -> None:
    event = {"kind": "status", "status": 429, "retry_after": "3600", "times": 9}
    with FakeProvider(weather(event)) as server:
        got = error(kind, server, deadline_seconds=60)
        assert len(server.asked) == 1
    assert isinstance(got, AnswerError)
    assert got.code == "rate_limited"
    assert "3.6e+03 s" in str(got)


@both
@pytest.mark.parametrize(
    ("event", "code"),
    [
        ("truncated", "truncated"),
        ("thought_only", "reasoning_cut"),
        ("open_think", "reasoning_cut"),
        ("refusal", "refused"),
        ("content_filter", "refused"),
        ("empty", "empty"),
    ],
)
@pytest.mark.parametrize("structure", ["json_schema", "text"])
def test_no_usable_answer_is_an_error_that_was_paid_for(
    kind: str, event: str, code: str, structure: str
) -> None:
    with FakeProvider(weather({"kind": event})) as server:
        got = error(kind, server, structure=structure)
        assert len(server.asked) == 1  # asking the same again would be paid for again
    assert isinstance(got, AnswerError)
    assert got.code == code
    assert got.answer is not None
    assert got.answer.usage.output_tokens is not None
    if code in {"truncated", "reasoning_cut"}:
        assert "judge.max_output_tokens is 8192" in str(got)
        assert ("judge.reasoning_tokens" in str(got)) == (code == "reasoning_cut")


@both
def test_thoughts_before_the_answer_are_not_the_answer(kind: str) -> None:
    with FakeProvider(weather({"kind": "thinking"})) as server:
        got = answer(kind, server, structure="text")
    assert got.text.startswith('{"expected"')


@both
def test_an_answer_that_is_no_json_is_handed_on_as_it_is(kind: str) -> None:
    with FakeProvider(weather({"kind": "wrong_json"})) as server:
        assert answer(kind, server).text == '{"level":'


@both
def test_parameters_are_dropped_once_and_remembered(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    script = {"rejects_parameters": ["temperature", "top_p"]}
    with FakeProvider(script) as server, caplog.at_level(logging.WARNING):
        first, second = ask(
            kind,
            server,
            [question(), question("Claim: b.")],
            parameters={"temperature": 0, "top_p": 1, "seed": 7},
        )
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert (first.attempts, second.attempts) == (3, 1)
    assert first.parameters == second.parameters == {"seed": 7, CAP[kind]: 8192}
    assert "takes no temperature" in caplog.text


def test_the_cap_is_renamed_where_its_name_is_refused() -> None:
    with FakeProvider({"rejects_parameters": ["max_tokens"]}) as server:
        got = answer("openai", server, max_output_tokens=77)
        assert server.asked[-1].body["max_completion_tokens"] == 77
        assert "max_tokens" not in server.asked[-1].body
    assert got.parameters == {"max_completion_tokens": 77}


@both
def test_a_parameter_that_matters_is_not_dropped_in_silence(kind: str) -> None:
    with FakeProvider({"rejects_parameters": ["reasoning_effort"]}) as server:
        got = error(kind, server, parameters={"reasoning_effort": "high"})
    assert isinstance(got, FatalProviderError)
    assert "Take it out of judge.parameters" in str(got)


@pytest.mark.parametrize(
    ("kind", "rejected", "rung"),
    [
        ("openai", ["json_schema"], "tool"),
        ("openai", ["json_schema", "tool"], "json_object"),
        ("openai", ["json_schema", "tool", "json_object"], "text"),
        ("anthropic", ["json_schema"], "tool"),
        ("anthropic", ["json_schema", "tool"], "text"),
    ],
)
def test_structure_goes_down_the_ladder_and_stays_there(
    kind: str, rejected: list[str], rung: str
) -> None:
    with FakeProvider({"rejects_structures": rejected}) as server:
        first, second = ask(kind, server, [question(), question("Claim: b.")])
        last = server.asked[-1].text
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert (first.attempts, second.attempts) == (len(rejected) + 1, 1)
    assert first.rung == second.rung == rung
    assert json.loads(first.text)["level"] == "1"
    # Where the endpoint is not handed the schema, the rules say it.
    assert ("must match this JSON schema" in last) == (rung in {"json_object", "text"})


@pytest.mark.parametrize(
    ("rejected", "rung"),
    [
        (["json_schema"], "tool"),
        (["json_schema", "tool"], "json_object"),
        (["json_schema", "tool", "json_object"], "text"),
    ],
)
def test_the_responses_api_has_the_same_ladder(rejected: list[str], rung: str) -> None:
    with FakeProvider({"rejects_structures": rejected}) as server:
        got = answer("responses", server)
        last = server.asked[-1].text
    assert (got.rung, got.attempts) == (rung, len(rejected) + 1)
    assert json.loads(got.text)["level"] == "1"
    assert ("must match this JSON schema" in last) == (rung in {"json_object", "text"})


def test_what_one_api_refuses_is_not_taken_for_refused_by_the_other() -> None:
    with FakeProvider({"rejects_structures": ["json_schema"]}) as server:
        assert answer("responses", server).rung == "tool"
        server._rejects_structures.clear()
        assert answer("openai", server).rung == "json_schema"


@both
def test_a_structure_that_the_user_insists_on_is_not_replaced(kind: str) -> None:
    with FakeProvider({"rejects_structures": ["json_schema"]}) as server:
        got = error(kind, server, structure="json_schema")
        assert len(server.asked) == 1
    assert isinstance(got, FatalProviderError)
    assert "judge.structure: auto" in str(got)


def test_requests_that_learn_the_same_at_once_go_down_one_rung_together() -> None:
    async def run(server: FakeProvider) -> list[Answer]:
        judge = judge_at("openai", server.url, concurrency=6)
        requests = [judge.request(question(f"Claim {n}.")) for n in range(6)]
        answers = await asyncio.gather(*(judge.judge(request) for request in requests))
        await judge.close()
        return list(answers)

    with FakeProvider({"rejects_structures": ["json_schema"], "latency_seconds": 0.05}) as server:
        answers = asyncio.run(run(server))
    assert {got.rung for got in answers} == {"tool"}


@both
@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"status": 400, "message": "no such thing as role 'x'"}, "judge.parameters"),
        ({"status": 401, "message": "invalid key"}, "wants a key"),
        ({"status": 402, "message": "pay first"}, "Add credit"),
        ({"status": 403, "message": "not for you"}, "wants a key"),
        ({"status": 404, "message": "model not found"}, "judge.model"),
        ({"status": 429, "code": "insufficient_quota", "message": "You exceeded"}, "Add credit"),
        ({"status": 400, "message": "Your credit balance is too low"}, "Add credit"),
        ({"status": 400, "message": "temperature and top_p cannot both be set"}, "parameters"),
    ],
    ids=lambda value: str(value.get("status")) if isinstance(value, dict) else "",
)
def test_what_would_fail_for_every_question_stops_the_run_at_once(
    kind: str, event: dict[str, Any], words: str
) -> None:
    with FakeProvider(weather({"kind": "status", "times": 9, **event})) as server:
        got = error(kind, server, parameters={"temperature": 0, "top_p": 1})
        assert len(server.asked) == 1
    assert isinstance(got, FatalProviderError)
    assert words in str(got)
    assert server.url in str(got)


@both
def test_one_prompt_that_is_too_long_is_one_error(kind: str) -> None:
    event = {
        "kind": "status",
        "status": 400,
        "when": "endless",
        "times": 9,
        "message": "prompt is too long: 210000 tokens > 200000 maximum",
    }
    with FakeProvider(weather(event)) as server:
        long, short = ask(kind, server, [question("Claim: endless."), question()])
    assert isinstance(long, AnswerError)
    assert long.code == "too_long"
    assert isinstance(short, Answer)


@both
def test_no_server_at_all_stops_the_run(kind: str) -> None:
    with FakeProvider() as server:
        pass
    got = error(kind, server)
    assert isinstance(got, FatalProviderError)
    assert "cannot be reached" in str(got)
    assert "judge.base_url" in str(got)


@both
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ({"key": "another"}, "refuses the key"),
        # On a busy machine the last attempt's sliver of time may run out before it is dropped.
        (weather({"kind": "drop", "times": 10_000}), "the connection failed|no answer within"),
        (weather({"kind": "slow", "seconds": 30, "times": 10_000}), "no answer within"),
        (
            weather({"kind": "body", "body": "", "times": 10_000}),
            "without a readable answer|no answer within",
        ),
        (None, "cannot be reached"),
    ],
    ids=["refused", "dropped", "slow", "unreadable", "unreachable"],
)
def test_the_key_reaches_the_server_and_nothing_else(
    kind: str,
    script: dict[str, Any] | None,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("JUDGE_TEST_KEY", key)
    caplog.set_level(logging.DEBUG)

    async def run(url: str) -> str:
        judge = judge_at(
            kind, url, api_key_env="JUDGE_TEST_KEY", timeout_seconds=0.5, deadline_seconds=1
        )
        request = judge.request(question())
        shown = [repr(judge), repr(vars(judge)), json.dumps(request.body), str(judge.identity())]
        with pytest.raises(GraderError) as caught:
            await judge.judge(request)
        shown.append("".join(traceback.format_exception(caught.value)))
        seen: BaseException | None = caught.value
        while seen is not None:  # nor is it carried along, for a logger to unfold
            shown.append(repr(vars(seen)))
            shown.append(repr(getattr(getattr(seen, "request", None), "headers", "")))
            assert type(seen).__module__.split(".")[0] not in {"openai", "anthropic", "httpx2"}
            seen = seen.__cause__ or seen.__context__
        await judge.close()
        return "\n".join(shown)

    with FakeProvider(script) as server:
        if script is None:
            server.stop()
        shown = asyncio.run(run(server.url))
        for asked in server.asked:
            assert asked.headers["authorization"] == f"Bearer {key}"
    assert re.search(words, shown)
    assert key not in shown
    assert key not in caplog.text


@both
def test_concurrency_is_a_limit(kind: str) -> None:
    async def run(server: FakeProvider) -> None:
        judge = judge_at(kind, server.url, concurrency=3)
        requests = [judge.request(question(f"Claim {n}.")) for n in range(12)]
        await asyncio.gather(*(judge.judge(request) for request in requests))
        await judge.close()

    with FakeProvider({"latency_seconds": 0.03}) as server:
        asyncio.run(run(server))
        assert server.most_in_flight == 3


@both
def test_others_go_on_while_one_waits_and_a_wait_can_be_called_off(kind: str) -> None:
    async def run(server: FakeProvider) -> int:
        judge = judge_at(kind, server.url)
        waiting = asyncio.create_task(judge.judge(judge.request(question("Claim: unlucky."))))
        answered = 0
        await asyncio.to_thread(server.wait_for, "unlucky")
        for n in range(3):
            await judge.judge(judge.request(question(f"Claim {n}.")))
            answered += 1
        assert not waiting.done()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await judge.close()
        return answered

    event = {"kind": "status", "status": 429, "retry_after": "500", "when": "unlucky"}
    with FakeProvider(weather(event)) as server:
        assert asyncio.run(run(server)) == 3


@both
def test_a_request_is_the_same_whatever_was_learnt_and_differs_by_every_part(kind: str) -> None:
    with FakeProvider({"rejects_structures": ["json_schema"]}) as server:
        judge = judge_at(kind, server.url)
        before = judge.request(question()).key
        answer(kind, server)
        assert judge.request(question()).key == before
        variants = [
            judge.request(question(), repeat=1),
            judge.request(question("Claim: x.")),
            judge_at(kind, server.url, model="other").request(question()),
            judge_at(kind, server.url, parameters={"seed": 1}).request(question()),
            judge_at(kind, server.url, max_output_tokens=5).request(question()),
            judge_at(kind, server.url, structure="text").request(question()),
            judge_at(kind, server.url + "/proxy").request(question()),
        ]
    keys = {before, *(variant.key for variant in variants)}
    assert len(keys) == 1 + len(variants)


@both
def test_lone_surrogates_in_a_prompt_do_not_break_the_request(kind: str) -> None:
    with FakeProvider() as server:
        [got] = ask(kind, server, [question("Claim: \udcff and \N{GRINNING FACE}.")])
        assert "\N{REPLACEMENT CHARACTER} and \N{GRINNING FACE}" in server.asked[0].text
    assert isinstance(got, Answer)


@both
def test_a_gateway_that_knows_no_usage_leaves_it_unknown(kind: str) -> None:
    body: dict[str, Any] = {
        "openai": {"choices": [{"message": {"content": [{"type": "text", "text": "{}"}]}}]},
        "responses": {
            "output": [{"type": "message", "content": [{"type": "output_text", "text": "{}"}]}]
        },
        "anthropic": {"content": [{"type": "text", "text": "{}"}]},
    }[kind]
    with FakeProvider(weather({"kind": "body", "body": json.dumps(body)})) as server:
        got = answer(kind, server)
    assert (got.text, got.model, got.finish) == ("{}", None, "stop")
    assert got.usage.input_tokens is None
    assert got.usage.cost_usd is None
