"""What refusals mean, as servers really word them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.models.adapting import Adaptation, Form
from judge.models.endpoint import Endpoint, Secret
from judge.models.faults import Fault, Unsupported, classify, read_fault
from judge.models.retrying import Transient
from judge.protocol import AnswerError, FatalProviderError

ENDPOINT = Endpoint("openai", "http://h/v1", "m", Secret("sk-1234567890"), "SOME_KEY")
SENT = ("temperature", "top_p", "top_k", "seed", "max_tokens", "reasoning_effort")


def meaning(status: int, body: Any, rung: str = "json_schema") -> Any:
    text = body if isinstance(body, str) else json.dumps(body)
    fault = read_fault(status, {}, text, ENDPOINT)
    return classify(fault, ENDPOINT, rung=rung, sent=SENT)


def openai(message: str, code: Any = None, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}  # fmt: skip # noqa: E501


def anthropic(message: str, kind: str = "invalid_request_error", **details: Any) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message, "details": details}}


@pytest.mark.parametrize(
    ("status", "body", "rung"),
    [
        (
            400,
            openai(
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported with "
                "this model.",
                param="response_format",
            ),
            "json_schema",
        ),
        (400, openai("This response_format type is unavailable now"), "json_schema"),
        (400, openai("Invalid schema for response_format 'x': too deep"), "json_schema"),
        (400, anthropic("output_config.format: Extra inputs are not permitted"), "json_schema"),
        (400, anthropic("Structured outputs are not supported by this model"), "json_schema"),
        (404, openai("No endpoints found that can handle the requested parameters."), "tool"),
        (404, openai("No endpoints found that support tool use."), "tool"),
        (400, anthropic("Thinking may not be enabled when tool_choice forces tool use."), "tool"),
        (400, openai("registry.example/model does not support tools"), "tool"),
        (500, openai("tools param requires --jinja flag"), "tool"),
        (400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}, "json_object"),
        (
            422,
            {"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs not permitted"}]},
            "json_object",
        ),
    ],
)
def test_a_structure_that_is_unsupported(status: int, body: Any, rung: str) -> None:
    found = meaning(status, body, rung)
    assert isinstance(found, Unsupported)
    assert found.parameters == frozenset()
    # Where no structure is asked for, none can be refused.
    assert not (isinstance(other := meaning(status, body, "text"), Unsupported)) or other.parameters


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (
            openai(
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead.",
                "unsupported_parameter",
                "max_tokens",
            ),
            {"max_tokens"},
        ),
        (
            openai(
                "Unsupported value: 'temperature' does not support 0 with this model. Only the "
                "default (1) value is supported.",
                "unsupported_value",
                "temperature",
            ),
            {"temperature"},
        ),
        (anthropic("`temperature` is deprecated for this model."), {"temperature"}),
        (openai("Unrecognized request arguments supplied: top_k, seed"), {"top_k", "seed"}),
        (anthropic("top_k: Extra inputs are not permitted"), {"top_k"}),
        ({"object": "error", "message": "seed is not supported", "code": 400}, {"seed"}),
    ],
)
def test_a_parameter_that_is_unsupported(body: Any, names: set[str]) -> None:
    found = meaning(400, body)
    assert isinstance(found, Unsupported)
    assert found.parameters == names


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, openai("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", "context_length_exceeded")),  # noqa: E501
        (400, {"object": "error", "message": "This model's maximum context length is 4096 tokens. Please reduce the length of the messages", "code": 400}),  # noqa: E501
        (400, {"error": {"code": 400, "message": "request (6031 tokens) exceeds the available context size (2048 tokens), try increasing it", "type": "exceed_context_size_error"}}),  # noqa: E501
        (400, anthropic("prompt is too long: 210000 tokens > 200000 maximum")),
        (400, anthropic("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000")),  # noqa: E501
        (413, anthropic("Request exceeds the maximum size", "request_too_large")),
        (413, "<html>Payload too large</html>"),
    ],
)  # fmt: skip
def test_a_prompt_that_is_too_long_is_that_question_s_error(status: int, body: Any) -> None:
    found = meaning(status, body)
    assert isinstance(found, AnswerError)
    assert found.code == "too_long"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, openai("The response was filtered", "content_filter")),
        (400, openai("Invalid prompt: your prompt was flagged", "invalid_prompt")),
        (400, anthropic("Output blocked by content filtering policy")),
        (403, openai("Your input was flagged by moderation")),
    ],
)
def test_a_filtered_prompt_is_that_question_s_error(status: int, body: Any) -> None:
    found = meaning(status, body)
    assert isinstance(found, AnswerError)
    assert found.code == "refused"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, openai("Incorrect API key provided: sk-1234567890", "invalid_api_key")),
        (403, anthropic("Your account may not use this", "permission_error")),
        (404, anthropic("model: no-such-model", "not_found_error")),
        (404, "Not Found"),
        (400, openai("max_tokens is too large: 99999. This model allows at most 4096", param="max_tokens", code="invalid_value")),  # noqa: E501
        (400, anthropic("`temperature` and `top_p` cannot both be specified for this model")),
        (400, ""),
        (429, openai("You exceeded your current quota, check your plan", "insufficient_quota")),
        (429, anthropic("limit reached", "rate_limit_error", error_code="enforced_spend_limit_reached")),  # noqa: E501
        (402, openai("Insufficient Balance")),
        (400, anthropic("Your credit balance is too low to access the API")),
    ],
)  # fmt: skip
def test_what_holds_for_every_question_is_fatal(status: int, body: Any) -> None:
    found = meaning(status, body)
    assert isinstance(found, FatalProviderError)
    assert "http://h/v1" in str(found)
    assert "sk-1234567890" not in str(found)


@pytest.mark.parametrize(
    ("status", "code"),
    [(408, "timeout"), (409, "server_error"), (429, "rate_limited"), (500, "server_error"),
     (502, "server_error"), (503, "overloaded"), (504, "timeout"), (529, "overloaded")],
)  # fmt: skip
def test_weather_is_tried_again(status: int, code: str) -> None:
    # A crash that happens to name the schema is still a crash.
    found = meaning(status, openai("failed unexpectedly on an invalid schema"))
    assert isinstance(found, Transient)
    assert found.code == code
    assert found.limit is None


def test_a_minute_s_quota_is_weather() -> None:
    body = openai("You exceeded your current quota, retry in 20 s", 429)
    assert isinstance(meaning(429, body), Transient)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "message", "detail", "code", "type", "param", "loc", "msg"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.integers(400, 599),
    st.one_of(st.text(max_size=200), json_values.map(json.dumps)),
    st.sampled_from(["json_schema", "tool", "json_object", "text"]),
)
def test_every_refusal_has_one_meaning_on_one_line(status: int, body: str, rung: str) -> None:
    found = meaning(status, body, rung)
    assert isinstance(found, Transient | Unsupported | AnswerError | FatalProviderError)
    assert "\n" not in str(found)


def test_adapting_ends() -> None:
    adaptation = Adaptation(("json_schema", "text"), ("max_tokens",))
    refusal = Unsupported(Fault(400, "no"))
    form = adaptation.form("auto")
    adaptation.learn(refusal, form, "auto", ENDPOINT)
    # One who was sent off before that was learnt teaches nothing more.
    adaptation.learn(refusal, form, "auto", ENDPOINT)
    assert adaptation.form("auto") == Form("text", "max_tokens")
    with pytest.raises(FatalProviderError, match="does not take structure 'text'"):
        adaptation.learn(refusal, adaptation.form("auto"), "auto", ENDPOINT)
    adaptation.learn(
        Unsupported(Fault(400, "no"), frozenset({"max_tokens"})),
        adaptation.form("auto"),
        "auto",
        ENDPOINT,
    )
    assert adaptation.form("auto").cap is None
