"""What an HTTP refusal means: try again, adapt the request, give up this question, or stop.

| status | meaning |
|---|---|
| 408, 409, 429, 5xx, 529 | weather: `Transient` |
| 401, 403, 402, no quota or billing at any status | nobody will be answered: `FatalProviderError` |
| 400, 413, 422 for a prompt that is too long | this question alone: `AnswerError` |
| 400 by a content filter | this question alone: `AnswerError` |
| 400, 404, 422 naming a parameter or a way of structuring that is unsupported | `Unsupported` |
| any other 4xx | the request is wrong for every question: `FatalProviderError` |

Servers word the same refusal in many ways, so codes are looked at first and words after.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.models.endpoint import NO_KEY, Endpoint
from judge.models.retrying import Transient, retry_after
from judge.protocol import AnswerError, FatalProviderError

__all__ = ["Fault", "Unsupported", "classify", "read_fault"]

_NO_MONEY = {
    "insufficient_quota",
    "billing_error",
    "billing_hard_limit_reached",
    "billing_not_active",
    "contract_spend_limit_reached",
    "enforced_spend_limit_reached",
    "linked_organization_spend_limit_reached",
    "linked_organization_billing_unavailable",
    "organization_on_hold",
    "insufficient_balance",
    "quota_exceeded",
}
_NO_MONEY_WORDS = re.compile(
    # "exceeded your current quota" is missing on purpose: some say so of a minute's quota.
    r"insufficient (?:quota|balance|credits?)|credit balance is too low|spend(?:ing)? limit|"
    r"billing (?:hard )?limit",
    re.IGNORECASE,
)
_TOO_LONG = {
    "context_length_exceeded",
    "exceed_context_size_error",
    "string_above_max_length",
    "request_too_large",
    "request_body_too_large_after_decoding",
}
_TOO_LONG_WORDS = re.compile(
    r"maximum context length|context (?:length|window|size|limit)|prompt is too long|"
    r"too many (?:input )?tokens|exceeds? the (?:maximum|available) (?:number of tokens|context)|"
    r"input (?:is|was) too long|longer than the maximum (?:model|input) length|"
    r"reduce the length",
    re.IGNORECASE,
)
_FILTERED = {"content_filter", "content_policy_violation", "invalid_prompt"}
_FILTERED_WORDS = re.compile(
    r"content (?:filter|management policy|policy)|flagged|violat\w+ (?:our|the) (?:usage|content)|"
    r"blocked by content",
    re.IGNORECASE,
)
_STRUCTURE_WORDS = {
    "json_schema": r"response_?format|json_?schema|structured[ _]outputs?|output_config|"
    r"output_format|guided|grammar|schema",
    "tool": r"tools?\b|tool_choice|function[ _]call",
    "json_object": r"response_?format|json_?object|json mode",
}
_REFUSING_WORDS = re.compile(
    r"support|unavailable|not available|unknown|unrecogni[sz]ed|not permitted|not allowed|"
    r"may not|not enabled|disabled|invalid|must be|requires?\b|not implemented|no endpoints|"
    r"too complex|unexpected|deprecated",
    re.IGNORECASE,
)
# A server error is weather unless it says plainly that the feature is not there.
_REFUSING_WORDS_OF_A_CRASH = re.compile(
    r"unsupported|not support|requires --|not implemented", re.IGNORECASE
)
_UNSUPPORTED_CODES = {"unsupported_parameter", "unsupported_value", "unknown_parameter"}
_UNSUPPORTED_WORDS = re.compile(
    r"unsupported|not (?:currently )?support|unknown|unrecogni[sz]ed|deprecated|not permitted|"
    r"unexpected|not allowed|no longer|extra fields|only the default",
    re.IGNORECASE,
)
_ODDS = frozenset({"include", "logprobs", "top_logprobs"})
_ODDS_WORDS = re.compile(r"log_?-?prob", re.IGNORECASE)
_CONFLICT_WORDS = re.compile(
    r"\bboth\b|at the same time|together|only one of", re.IGNORECASE
)  # a choice that is the user's to make


@dataclass(frozen=True, slots=True)
class Fault:
    """A refusal as the server words it.

    Attributes:
        status: HTTP status.
        message: Its text, safe to show.
        codes: Every code, type and detail code it gives, in lower case.
        param: The parameter that it names by itself, or an empty string.
        wait: Seconds that it asks to wait.
    """

    status: int
    message: str
    codes: frozenset[str] = frozenset()
    param: str = ""
    wait: float | None = None


class Unsupported(Exception):  # noqa: N818 - a request to ask otherwise, never shown
    """The endpoint knows no such parameter, or no such way to structure an answer.

    Args:
        fault: What it says.
        parameters: Names, among those sent, that it objects to; empty when it is the structure.
    """

    def __init__(self, fault: Fault, parameters: frozenset[str] = frozenset()) -> None:
        self.fault = fault
        self.parameters = parameters
        super().__init__(fault.message)


def read_fault(status: int, headers: Mapping[str, str], text: str, endpoint: Endpoint) -> Fault:
    """Read a refusal from a response, whatever the server's way of writing one."""
    try:
        data = json.loads(text)
    except ValueError:
        data = text
    codes: set[str] = set()
    message, param = _dig(data, codes)
    if location := headers.get("location"):
        message = f"{message} Location: {location}".strip()
    return Fault(
        status=status,
        message=endpoint.redact(message) or f"HTTP {status} without a word",
        codes=frozenset(codes),
        param=param,
        wait=retry_after(headers),
    )


def _dig(data: Any, codes: set[str]) -> tuple[str, str]:  # noqa: ANN401
    """The message and parameter of an error body; its codes are added to `codes`."""
    if isinstance(data, str):
        return data, ""
    if isinstance(data, list):
        # FastAPI lists what is wrong, each with the path to it.
        parts = [_dig(entry, codes) for entry in data[:5]]
        return "; ".join(text for text, _ in parts if text), next((p for _, p in parts if p), "")
    if not isinstance(data, dict):
        return "", ""
    for key in ("code", "type", "error_code"):
        if isinstance(value := data.get(key), str):
            codes.add(value.lower())
    if isinstance(details := data.get("details"), dict):
        _dig(details, codes)
    param = data["param"] if isinstance(data.get("param"), str) else ""
    location = data.get("loc")
    prefix = ".".join(map(str, location)) + ": " if isinstance(location, list) else ""
    for key in ("error", "message", "detail", "msg"):
        if data.get(key):
            message, inner = _dig(data[key], codes)
            if message:
                return prefix + message, inner or param
    return "", param


def classify(
    fault: Fault, endpoint: Endpoint, *, rung: str, sent: Iterable[str]
) -> Transient | Unsupported | AnswerError | FatalProviderError:
    """Say what a refusal means.

    Args:
        fault: The refusal.
        endpoint: Who refused.
        rung: How structure was asked for.
        sent: Names of the parameters that were sent, the output cap's among them.

    Returns:
        The exception to raise.
    """
    place = f"{endpoint.provider} at {endpoint.base_url}"
    said = f"HTTP {fault.status}: {fault.message}"
    if (
        fault.status == 402
        or fault.codes & _NO_MONEY
        or (fault.status in {400, 403, 429} and _NO_MONEY_WORDS.search(fault.message))
    ):
        return FatalProviderError(
            f"{place} has no quota or credit left for the key in {endpoint.key_variable} ({said}). "
            "Add credit or raise the limit there, then start the same command again: what was "
            "answered is kept"
        )
    if _refuses_structure(fault, rung):
        return Unsupported(fault)
    if 300 <= fault.status < 400:
        return FatalProviderError(
            f"{place} sends questions on to another address ({said}), and they go to the one that "
            "the config names alone. Set judge.base_url to that address if it is the right one"
        )
    if fault.codes & _FILTERED:
        return AnswerError("refused", f"{place} filtered the question ({said})")
    if fault.status in {408, 409, 429} or fault.status >= 500:
        return _weather(fault, said)
    if names := _odds_refused(fault, sent):
        return Unsupported(fault, names)
    if fault.status == 403 and _FILTERED_WORDS.search(fault.message):
        return AnswerError("refused", f"{place} filtered the question ({said})")
    if fault.status in {401, 403}:
        remedy = (
            "The server wants a key: set judge.api_key_env to the variable that holds it"
            if endpoint.key_variable == NO_KEY
            else f"Check the key in {endpoint.key_variable} and what it may use"
        )
        return FatalProviderError(f"{place} refuses the key ({said}). {remedy}")
    if fault.status == 413 or fault.codes & _TOO_LONG or _TOO_LONG_WORDS.search(fault.message):
        return AnswerError(
            "too_long",
            f"the question does not fit {endpoint.model} ({said}). Lower retrieval's token budget "
            "or judge.max_output_tokens",
        )
    if _FILTERED_WORDS.search(fault.message):
        return AnswerError("refused", f"{place} filtered the question ({said})")
    if names := _unsupported_parameters(fault, sent):
        return Unsupported(fault, names)
    if fault.status == 404:
        return FatalProviderError(
            f"{place} knows no model {endpoint.model!r}, or nothing is there ({said}). "
            "Check judge.model and judge.base_url"
        )
    return FatalProviderError(
        f"{place} refuses the request, and would refuse every other ({said}). "
        "Check judge.model, judge.parameters and judge.max_output_tokens"
    )


def _weather(fault: Fault, said: str) -> Transient:
    if fault.status == 429:
        code = "rate_limited"
    elif fault.status in {503, 529}:
        code = "overloaded"
    elif fault.status in {408, 504}:
        code = "timeout"
    else:
        code = "server_error"
    # Not implemented will not be implemented by the next attempt.
    limit = 2 if fault.status in {501, 505} else None
    return Transient(code, said, retry_after=fault.wait, limit=limit)


def _refuses_structure(fault: Fault, rung: str) -> bool:
    words = _STRUCTURE_WORDS.get(rung)
    if words is None or fault.status not in {400, 404, 422, 500, 501}:
        return False
    if fault.param and re.match(words, fault.param, re.IGNORECASE):
        return True
    # A gateway that finds no upstream for the parameters of a request does not say for which.
    if fault.status == 404 and "no endpoints found" in fault.message.lower():
        return True
    refusing = _REFUSING_WORDS if fault.status < 500 else _REFUSING_WORDS_OF_A_CRASH
    return bool(re.search(words, fault.message, re.IGNORECASE) and refusing.search(fault.message))


def _odds_refused(fault: Fault, sent: Iterable[str]) -> frozenset[str]:
    """What asks for log probabilities, where they are refused, in whatever words and number.

    They are wanted and not needed, so there is no refusal of them that would have to stop a run.
    """
    if fault.status not in {400, 403, 404, 422}:
        return frozenset()
    if not (_ODDS_WORDS.search(fault.message) or _ODDS_WORDS.search(fault.param)):
        return frozenset()
    return _ODDS & frozenset(sent)


def _unsupported_parameters(fault: Fault, sent: Iterable[str]) -> frozenset[str]:
    if fault.status not in {400, 422} or _CONFLICT_WORDS.search(fault.message):
        return frozenset()
    names = frozenset(sent)
    if fault.codes & _UNSUPPORTED_CODES and fault.param in names:
        return frozenset({fault.param})
    if not (fault.codes & _UNSUPPORTED_CODES or _UNSUPPORTED_WORDS.search(fault.message)):
        return frozenset()
    return frozenset(
        name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", fault.message)
    )
