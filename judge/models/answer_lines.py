"""Answers as lines of JSON, in the forms in which they are handed back.

| form | who writes it |
|---|---|
| `{"custom_id", "response": {"status_code", "body"}, "error"}` | OpenAI's batch API, vLLM |
| `{"custom_id", "result": {"type", "message"}}` | Anthropic's batch API |
| `{"custom_id", "answer"}`, and maybe `"model"` | a person, or any other answerer |

The custom id is the key of the request. A plain `answer` is the answer's JSON object, or its text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.models.anthropic import read_message
from judge.models.openai import read_completion
from judge.models.openai_responses import read_response
from judge.protocol import Answer

__all__ = ["AnswerLine", "MalformedLineError", "read_answer_line"]


class MalformedLineError(Exception):
    """A line is in none of the forms; the text says why."""


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One line.

    Attributes:
        custom_id: The key of the request that it answers.
        answer: The answer; `None` where the request failed.
        failure: Why it failed, else empty.
        retry: Whether the same request may fare better another time.
        plain: Written by hand or by another answerer, rather than by a vendor.
    """

    custom_id: str
    answer: Answer | None
    failure: str = ""
    retry: bool = True
    plain: bool = False


def read_answer_line(data: bytes) -> AnswerLine:
    """Read one line.

    Raises:
        MalformedLineError: It is in none of the forms.
    """
    try:
        row = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MalformedLineError(f"not JSON ({error})") from None
    if not isinstance(row, dict):
        raise MalformedLineError("not a JSON object")
    custom_id = row.get("custom_id")
    if not isinstance(custom_id, str) or not custom_id:
        raise MalformedLineError("there is no custom_id, the id of the request that it answers")
    try:
        if "answer" in row:
            return _plain(custom_id, row)
        if isinstance(row.get("result"), dict):
            return _anthropic(custom_id, row["result"])
        if "response" in row or "error" in row:
            return _openai(custom_id, row)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise MalformedLineError(
            f"the answer has another shape than it should ({type(error).__name__}: {error})"
        ) from None
    raise MalformedLineError(
        "it has neither an answer, nor a response, nor a result beside its custom_id"
    )


def _plain(custom_id: str, row: Mapping[str, Any]) -> AnswerLine:
    answer, model = row["answer"], row.get("model")
    if not isinstance(answer, str | dict):
        raise TypeError("answer is neither an object nor a text")
    if model is not None and not isinstance(model, str):
        raise TypeError("model is not a name")
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return AnswerLine(custom_id, Answer(text=text, model=model, rung="text"), plain=True)


def _openai(custom_id: str, row: Mapping[str, Any]) -> AnswerLine:
    if error := row.get("error"):
        return AnswerLine(custom_id, None, _words(error))
    response = row["response"]
    status, body = response["status_code"], response["body"]
    if not isinstance(status, int):
        raise TypeError("status_code is not a number")
    if status >= 400:
        said = body.get("error", body) if isinstance(body, dict) else body
        retry = status in {408, 409, 429} or status >= 500
        return AnswerLine(custom_id, None, f"HTTP {status}: {_words(said)}", retry=retry)
    request_id = response.get("request_id")
    headers = {"x-request-id": request_id} if isinstance(request_id, str) else {}
    read = read_response if "output" in body else read_completion
    return AnswerLine(custom_id, read(body, headers))


def _anthropic(custom_id: str, result: Mapping[str, Any]) -> AnswerLine:
    match result["type"]:
        case "succeeded":
            return AnswerLine(custom_id, read_message(result["message"], {}))
        case "errored":
            error = result.get("error") or {}
            inner = error.get("error") or error
            retry = inner.get("type") != "invalid_request_error"
            return AnswerLine(custom_id, None, _words(inner), retry=retry)
        case kind:
            return AnswerLine(custom_id, None, str(kind))


def _words(error: object) -> str:
    """An error object in one line."""
    if isinstance(error, dict):
        parts = [error.get("code") or error.get("type"), error.get("message")]
        text = ": ".join(str(part) for part in parts if part)
        error = text or json.dumps(error, ensure_ascii=False)
    return " ".join(str(error).split())[:300] or "failed without a word"
