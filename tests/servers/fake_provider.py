"""A provider of models on the loopback that speaks both vendors' protocols, in any weather.

In a process of its own it prints `listening on http://127.0.0.1:PORT` and serves until killed:

    python -m tests.servers.fake_provider --port 0 --script script.json --counts counts.jsonl

The script is JSON, all of it optional:

    {"weather": [{"kind": "status", "status": 429, "retry_after": 0, "times": 2, "when": "regex"}],
     "answers": [{"when": "regex", "answer": {"level": "0.5"}}, {"text": "not JSON"}],
     "rejects_parameters": ["temperature"], "rejects_structures": ["json_schema"],
     "latency_seconds": 0.0, "key": "the only key taken", "batches": {see fake_batches},
     "odds": {"0.5": 0.9, "1": 0.1}, "elsewhere": 0.0}

A question about several claims gets an answer to each, found as it would be for the claim alone;
`"spoil": {"regex": "missing" | "twice" | "unknown" | "off_scale"}` spoils the parts of claims.

`odds` are the log probabilities that are given where they are asked for, and `elsewhere` what of
them is on no level.

Each weather event is spent `times` times (once, unless said) on the questions that its `when` is
found in; then it is over. Answers last. Without a script every question gets a valid answer that
quotes a line of the prompt. `GET /counts` tells how often each prompt was asked and answered, by
the SHA-256 of its messages; with `--counts` each event is also a line of that file, on disk before
it is sent, and an existing file is counted on.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.servers.fake_batches import FakeBatches
from tests.servers.fake_logprobs import entries
from tests.servers.loopback import HttpRequest, HttpResponse, LoopbackServer

_EVIDENCE_HEAD = re.compile(r"^== (?P<path>\S.*?) lines \d+-\d+")
_EVIDENCE_LINE = re.compile(r"^ *(?P<number>\d+)\| ?(?P<text>.*)$")
_CLAIM_HEAD = re.compile(r'^# Claim "(c\d+)"$', re.MULTILINE)
_SAMPLING_STATUS = {429: "rate_limit_error", 529: "overloaded_error", 500: "api_error"}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it came over the wire."""

    dialect: str  # openai, responses or anthropic
    body: dict[str, Any]
    headers: dict[str, str]
    text: str  # all messages, joined
    digest: str


class FakeProvider(LoopbackServer):
    """The server; in a test, a context manager."""

    def __init__(
        self,
        script: Mapping[str, Any] | None = None,
        *,
        port: int = 0,
        counts: Path | None = None,
        keep: bool = True,
    ) -> None:
        super().__init__(self.handle, port=port)
        script = script or {}
        self.weather = [dict(event) for event in script.get("weather", ())]
        self._answers = list(script.get("answers", ()))
        self._spoil = dict(script.get("spoil", {}))
        self._rejects_parameters = list(script.get("rejects_parameters", ()))
        self._rejects_structures = list(script.get("rejects_structures", ()))
        self._latency = float(script.get("latency_seconds", 0))
        self._key = script.get("key")
        self._odds = script.get("odds")
        self._elsewhere = float(script.get("elsewhere", 0))
        self._counts_file = counts
        self._keep = keep
        self._lock = threading.Condition()
        self._cache_points: set[str] = set()
        self.batches = FakeBatches(script.get("batches", {}), self.answered)
        self.asked: list[Asked] = []
        self.counts: dict[str, Counter[str]] = {"asked": Counter(), "answered": Counter()}
        self.in_flight = 0
        self.most_in_flight = 0
        if counts is not None and counts.exists():
            for line in counts.read_text(encoding="utf-8").split("\n"):
                if line:
                    row = json.loads(line)
                    self.counts[row["event"]][row["prompt"]] += 1

    async def handle(self, request: HttpRequest) -> HttpResponse | None:
        path = request.path.split("?")[0].rstrip("/")
        if path == "/counts":
            return _json(200, {kind: dict(count) for kind, count in self.counts.items()})
        if self.batches.takes(request.method, path):
            return self.batches.handle(request.method, path, request)
        if request.method == "POST" and path.endswith("/chat/completions"):
            dialect = "openai"
        elif request.method == "POST" and path.endswith("/responses"):
            dialect = "responses"
        elif request.method == "POST" and path.endswith("/v1/messages"):
            dialect = "anthropic"
        else:
            return _error("openai", 404, "nothing is here", code="not_found")
        body = json.loads(request.body)
        text = _prompt_text(body)
        asked = Asked(dialect, body, request.headers, text, prompt_digest(body))
        if self._keep:
            with self._lock:
                self.asked.append(asked)
                self._lock.notify_all()
        self._count("asked", asked.digest)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            if self._latency:
                await asyncio.sleep(self._latency)
            response = await self._respond(asked)
        finally:
            self.in_flight -= 1
        if response is not None and response.status == 200 and response.cut is None:
            self._count("answered", asked.digest)
        return response

    def answered(self, dialect: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request that came in a batch."""
        asked = Asked(dialect, body, {}, _prompt_text(body), prompt_digest(body))
        if self._keep:
            self.asked.append(asked)
        self._count("asked", asked.digest)
        self._count("answered", asked.digest)
        return self._completion(asked, "fair")

    def wait_for(self, words: str, timeout: float = 30) -> None:
        """Wait until a question with these words has come."""
        with self._lock:
            came = self._lock.wait_for(
                lambda: any(words in asked.text for asked in self.asked), timeout
            )
        assert came, f"no question with {words!r} came"

    async def _respond(self, asked: Asked) -> HttpResponse | None:
        given = asked.headers.get("authorization", asked.headers.get("x-api-key", ""))
        if self._key is not None and given.removeprefix("Bearer ") != self._key:
            # Some servers repeat the key that they refuse.
            return _error(
                asked.dialect, 401, f"Incorrect API key provided: {given}", code="invalid_api_key"
            )
        if (refusal := self._refuse_form(asked)) is not None:
            return refusal
        event = self._take_weather(asked)
        kind = event.get("kind", "fair")
        if kind == "drop":
            return None
        if kind == "slow":
            await asyncio.sleep(event["seconds"])
        if kind == "status":
            headers = {}
            if "retry_after" in event:
                headers["retry-after"] = str(event["retry_after"])
            if "retry_after_ms" in event:
                headers["retry-after-ms"] = str(event["retry_after_ms"])
            return _error(
                asked.dialect,
                event["status"],
                event.get("message", "scripted weather"),
                code=event.get("code"),
                param=event.get("param"),
                headers=headers,
            )
        if kind == "body":
            return HttpResponse(
                event.get("status", 200), event["body"].encode(), event.get("headers", {})
            )
        response = _json(200, self._completion(asked, kind), {"x-request-id": "req-fake-1"})
        if kind == "cut_off":
            return HttpResponse(200, response.body, response.headers, cut=len(response.body) // 2)
        return response

    def _refuse_form(self, asked: Asked) -> HttpResponse | None:
        for name in self._rejects_parameters:
            if name in asked.body:
                return _error(
                    asked.dialect,
                    400,
                    f"Unsupported parameter: '{name}' is not supported with this model.",
                    code="unsupported_parameter",
                    param=name,
                )
        structure = _structure(asked.body)
        if structure in self._rejects_structures:
            word = {"tool": "tool_choice"}.get(structure, "response_format")
            if asked.dialect == "responses" and structure != "tool":
                word = "text.format"
            return _error(
                asked.dialect,
                400,
                f"Invalid parameter: '{word}' of type '{structure}' is not supported with this "
                "model.",
                param=word,
            )
        return None

    def _take_weather(self, asked: Asked) -> dict[str, Any]:
        with self._lock:
            for event in self.weather:
                if event.get("times", 1) > 0 and re.search(event.get("when", ""), asked.text):
                    event["times"] = event.get("times", 1) - 1
                    return event
        return {}

    def _completion(self, asked: Asked, kind: str) -> dict[str, Any]:
        text = self._answer_text(asked)
        finish = "stop"
        refusal = None
        reasoning = None
        if kind == "truncated":
            text, finish = text[: len(text) // 2], "length"
        elif kind == "thought_only":
            text, finish, reasoning = "", "length", "Let me think about it"
        elif kind == "open_think":
            text = "<think>\nThe claim says"
        elif kind == "thinking":
            text = '<think>\nmaybe {"level": "1"}\n</think>\n\n' + text
        elif kind == "empty":
            text = ""
        elif kind == "wrong_json":
            text = '{"level": '
        elif kind == "refusal":
            text, refusal = "", "I cannot help with that."
        elif kind == "content_filter":
            text, finish = "", "content_filter"
        odds = None
        if self._odds and asked.body.get("top_logprobs") and finish == "stop" and text[:1] == "{":
            top = asked.body["top_logprobs"]
            odds = entries(text, self._odds, elsewhere=self._elsewhere, top=top)
        if asked.dialect == "openai":
            return _openai_completion(
                asked, text, finish=finish, refusal=refusal, reasoning=reasoning, odds=odds
            )
        if asked.dialect == "responses":
            return _response(asked, text, finish=finish, refusal=refusal, odds=odds)
        return self._anthropic_message(asked, text, finish=finish, refusal=refusal)

    def _answer_text(self, asked: Asked) -> str:
        before, *claims = _CLAIM_HEAD.split(asked.text)
        if not claims:
            return self._one_answer("", asked.text)
        entries = []
        for name, text in zip(claims[::2], claims[1::2], strict=True):
            entry = {"id": name, **json.loads(self._one_answer(before, text))}
            fate = next((how for word, how in self._spoil.items() if re.search(word, text)), "")
            if fate == "unknown":
                entry["id"] = "c9"
            elif fate == "off_scale":
                entry["level"] = "0.3"
            entries += [] if fate == "missing" else [entry, entry] if fate == "twice" else [entry]
        return json.dumps({"verdicts": entries})

    def _one_answer(self, before: str, text: str) -> str:
        """The answer to one claim, from its own text and what stands before all claims."""
        chosen: Mapping[str, Any] = {}
        for rule in self._answers:
            if re.search(rule.get("when", ""), text):
                chosen = rule
                break
        if "text" in chosen:
            return str(chosen["text"])
        return json.dumps({**default_answer(f"{before}\n{text}"), **chosen.get("answer", {})})

    def _anthropic_message(
        self, asked: Asked, text: str, *, finish: str, refusal: str | None
    ) -> dict[str, Any]:
        stop = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}[finish]
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        if _structure(asked.body) == "tool" and text:
            stop = "tool_use" if stop == "end_turn" else stop
            block = {"type": "tool_use", "id": "toolu_1", "name": "verdict"}
            content = [{**block, "input": json.loads(text)}]
        details = None
        if refusal is not None:
            stop, details = "refusal", {"type": "refusal", "explanation": refusal}
        read, written, new = self._cache_tokens(asked.body)
        return {
            "id": "msg_fake_1",
            "type": "message",
            "role": "assistant",
            "model": asked.body["model"] + "-20261101",
            "content": content,
            "stop_reason": stop,
            "stop_details": details,
            "usage": {
                "input_tokens": new,
                "cache_read_input_tokens": read,
                "cache_creation_input_tokens": written,
                "output_tokens": max(len(text) // 4, 1),
            },
        }

    def _cache_tokens(self, body: Mapping[str, Any]) -> tuple[int, int, int]:
        """Tokens read from the cache, written to it, and neither, as prefixes come again."""
        blocks = list(body.get("system") or [])
        for message in body["messages"]:
            blocks.extend(message["content"])
        prefix, length, read, marked = "", 0, 0, 0
        with self._lock:
            for block in blocks:
                prefix = hashlib.sha256((prefix + block["text"]).encode()).hexdigest()
                length += len(block["text"]) // 4
                if "cache_control" in block:
                    marked = length
                    if prefix in self._cache_points:
                        read = length
                    self._cache_points.add(prefix)
        return read, marked - read, length - marked

    def _count(self, event: str, digest: str) -> None:
        with self._lock:
            self.counts[event][digest] += 1
            if self._counts_file is not None:
                with self._counts_file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"event": event, "prompt": digest}) + "\n")


def prompt_digest(body: Mapping[str, Any]) -> str:
    """SHA-256 of a request's messages, rules included, whatever the parameters."""
    payload = json.dumps([body.get("system"), _messages(body)], sort_keys=True)
    return hashlib.sha256(payload.encode()).hexdigest()


def default_answer(prompt: str) -> dict[str, Any]:
    """A valid answer at level 1 that quotes the first numbered line that does something.

    Without such a line it is a valid answer at level 0.
    """
    path = None
    for line in prompt.split("\n"):
        if head := _EVIDENCE_HEAD.match(line):
            path = head["path"]
        elif path is not None and (found := _EVIDENCE_LINE.match(line)) and _does(found["text"]):
            number = int(found["number"])
            citation = {"path": path, "first": number, "last": number, "quote": found["text"]}
            return _answer("1", "none", "none", [citation])
    return _answer("0", "methodological", "missing", [])


def _does(text: str) -> bool:
    return bool(text.strip()) and not re.match(r"\s*(?:import|from|#|\"\"\"|def |class )", text)


def _answer(
    level: str, drift: str, failure: str, citations: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "expected": "what the claim says",
        "found": "what the line says",
        "citations": citations,
        "rationale": "the fake provider is easily pleased",
        "level": level,
        "drift": drift,
        "failure": failure,
        "confidence": 0.8,
        "lacking": [],
    }


def _prompt_text(body: Mapping[str, Any]) -> str:
    texts = []
    for message in [{"content": body.get("system") or ""}, *_messages(body)]:
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part["text"] for part in content]
        texts.extend(parts)
    return "\n".join(texts)


def _messages(body: Mapping[str, Any]) -> Any:
    return body["input"] if "input" in body else body["messages"]


def _structure(body: Mapping[str, Any]) -> str:
    if body.get("tools"):
        return "tool"
    if "input" in body:
        return str(body.get("text", {}).get("format", {}).get("type", "text"))
    if "output_config" in body and body["output_config"].get("format"):
        return "json_schema"
    return str(body.get("response_format", {}).get("type", "text"))


def _openai_completion(
    asked: Asked,
    text: str,
    *,
    finish: str,
    refusal: str | None,
    reasoning: str | None,
    odds: list[dict[str, Any]] | None,
) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": refusal}
    if reasoning is not None:
        message["reasoning_content"] = reasoning
    if _structure(asked.body) == "tool" and text:
        function = {"name": "verdict", "arguments": text}
        message["content"] = None
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        finish = "tool_calls" if finish == "stop" else finish
    return {
        "id": "chatcmpl-fake-1",
        "object": "chat.completion",
        "created": 1,
        "model": asked.body["model"] + "-2026-11-01",
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": finish,
                "logprobs": None
                if message["content"] is None or odds is None
                else {"content": odds, "refusal": None},
            }
        ],
        "usage": {
            "prompt_tokens": max(len(asked.text) // 4, 1),
            "completion_tokens": max(len(text) // 4, 1),
            "total_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 3},
            "completion_tokens_details": {"reasoning_tokens": 2},
        },
    }


def _response(
    asked: Asked,
    text: str,
    *,
    finish: str,
    refusal: str | None,
    odds: list[dict[str, Any]] | None,
) -> dict[str, Any]:
    output: list[dict[str, Any]] = [{"type": "reasoning", "id": "rs_1", "summary": []}]
    part: dict[str, Any] = {"type": "output_text", "text": text, "annotations": []}
    if odds is not None:
        part["logprobs"] = odds
    if refusal is not None:
        part = {"type": "refusal", "refusal": refusal}
    if _structure(asked.body) == "tool" and text:
        call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "verdict"}
        output.append({**call, "arguments": text, "status": "completed"})
    elif text or refusal:
        output.append(
            {"type": "message", "id": "msg_1", "role": "assistant", "content": [part]}
            | {"status": "completed"}
        )
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    return {
        "id": "resp_fake_1",
        "object": "response",
        "created_at": 1,
        "model": asked.body["model"] + "-2026-11-01",
        "status": "completed" if finish == "stop" else "incomplete",
        "error": None,
        "incomplete_details": None if finish == "stop" else {"reason": reasons[finish]},
        "output": output,
        "usage": {
            "input_tokens": max(len(asked.text) // 4, 1),
            "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 0},
            "output_tokens": max(len(text) // 4, 1) + 2,
            "output_tokens_details": {"reasoning_tokens": 2},
            "total_tokens": 2,
        },
    }


def _error(
    dialect: str,
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    if dialect == "anthropic":
        kind = code or _SAMPLING_STATUS.get(status, "invalid_request_error")
        body: dict[str, Any] = {"type": "error", "error": {"type": kind, "message": message}}
    else:
        error = {"message": message, "type": "error", "param": param, "code": code}
        body = {"error": error}
    return _json(status, body, headers)


def _json(status: int, value: Any, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(status, json.dumps(value).encode(), headers or {})


def main() -> None:
    parser = argparse.ArgumentParser(description="A fake provider of models on the loopback.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--counts", type=Path)
    options = parser.parse_args()
    script = json.loads(options.script.read_text(encoding="utf-8")) if options.script else None
    server = FakeProvider(script, port=options.port, counts=options.counts, keep=False)
    server.start()
    print(f"listening on {server.url}", flush=True)
    try:
        server.join()
    except KeyboardInterrupt:
        server.stop()


if __name__ == "__main__":
    main()
