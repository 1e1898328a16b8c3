"""The batch APIs of both vendors, for the fake provider.

Its part of the script is `"batches"`, all of it optional:

    {"looks": 1, "expire": "regex", "fail": "regex", "invalid": "regex", "lose": 0,
     "reject": "message", "refuse_create": 429}

A batch ends when it has been looked at `looks` times. Of its requests, those whose prompt `expire`
is found in expire, those of `fail` meet a server error, those of `invalid` are refused as wrong;
each regex counts for the first batch that has such a request, unless `"lasting": true`. `lose`
takes so many batches and drops the connection before it says so. `reject` fails the first batch as
a whole; `refuse_create` refuses so many attempts to make one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from tests.servers.loopback import HttpRequest, HttpResponse

Answerer = Callable[[str, dict[str, Any]], dict[str, Any]]


class FakeBatches:
    def __init__(self, script: Mapping[str, Any], answer: Answerer) -> None:
        self._script = dict(script)
        self._answer = answer
        self._files: dict[str, bytes] = {}
        self.made: dict[str, dict[str, Any]] = {}
        self.creations = 0

    def takes(self, method: str, path: str) -> bool:
        return re.match(r"/v1(/messages)?/(files|batches)(/|\Z)", path) is not None

    def handle(self, method: str, path: str, request: HttpRequest) -> HttpResponse | None:
        if method == "POST" and path == "/v1/files":
            return self._upload(request)
        if found := re.fullmatch(r"/v1/files/([^/]+)/content", path):
            return HttpResponse(200, self._files[found[1]])
        if found := re.fullmatch(r"/v1(/messages)?/batches(?:/([^/]+))?(/results)?", path):
            dialect = "anthropic" if found[1] else "openai"
            if method == "POST":
                return self._create(dialect, json.loads(request.body))
            if found[3]:
                return HttpResponse(200, self.made[found[2]]["results"])
            if found[2]:
                return _json(self._look(found[2]))
            shown = [b for b in self.made.values() if b["dialect"] == dialect]
            return _json(
                {"object": "list", "data": [self._shown(batch) for batch in shown[::-1]]}
                | {"has_more": False, "first_id": None, "last_id": None}
            )
        return None

    def _upload(self, request: HttpRequest) -> HttpResponse:
        boundary = request.headers["content-type"].partition("boundary=")[2].encode()
        purpose, data = "", b""
        for part in request.body.split(b"--" + boundary)[1:-1]:
            head, _, body = part.partition(b"\r\n\r\n")
            if b'name="file"' in head:
                data = body.removesuffix(b"\r\n")
            elif b'name="purpose"' in head:
                purpose = body.strip().decode()
        assert purpose == "batch"
        name = f"file-{len(self._files) + 1}"
        self._files[name] = data
        return _json(
            {"id": name, "object": "file", "bytes": len(data), "created_at": 1, "purpose": "batch"}
            | {"filename": "requests.jsonl", "status": "processed"}
        )

    def _create(self, dialect: str, body: dict[str, Any]) -> HttpResponse | None:
        self.creations += 1
        if self._script.get("refuse_create") and self.creations == 1:
            error = {"type": "rate_limit_error", "message": "too many batches", "code": None}
            return HttpResponse(429, json.dumps({"type": "error", "error": error}).encode())
        if dialect == "openai":
            assert body["endpoint"] in {"/v1/chat/completions", "/v1/responses"}
            assert body["completion_window"] == "24h"
            lines = self._files[body["input_file_id"]].splitlines()
            rows = [json.loads(line) for line in lines]
            assert {row["url"] for row in rows} == {body["endpoint"]}
            items = [(row["custom_id"], row["body"]) for row in rows]
        else:
            items = [(row["custom_id"], row["params"]) for row in body["requests"]]
        assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", custom_id) for custom_id, _ in items)
        name = f"batch-{len(self.made) + 1}"
        batch = {
            "id": name,
            "dialect": dialect,
            "items": items,
            "metadata": body.get("metadata"),
            "created": datetime.now(UTC),
            "looks": 0,
            "status": "in_progress",
        }
        self.made[name] = batch
        if self._script.get("lose", 0) >= len(self.made):
            return None
        return _json(self._shown(batch))

    def _look(self, name: str) -> dict[str, Any]:
        batch = self.made[name]
        batch["looks"] += 1
        if batch["status"] == "in_progress" and batch["looks"] >= self._script.get("looks", 1):
            self._end(batch)
        return self._shown(batch)

    def _end(self, batch: dict[str, Any]) -> None:
        openai = batch["dialect"] == "openai"
        if openai and (reject := self._script.pop("reject", None)):
            batch["status"], batch["errors"] = "failed", reject
            return
        well, ill = [], []
        met: set[str] = set()
        for custom_id, body in batch["items"]:
            text = json.dumps(body)
            fate = ""
            for word in ("expire", "fail", "invalid"):
                if (regex := self._script.get(word)) and re.search(regex, text):
                    fate = word
                    met.add(word)
                    break
            if openai:
                row = _openai_row(custom_id, fate)
                if not fate:
                    spoken = "responses" if "input" in body else "openai"
                    row["response"]["body"] = self._answer(spoken, body)
            else:
                row = _anthropic_row(custom_id, fate)
                if not fate:
                    row["result"]["message"] = self._answer("anthropic", body)
            (ill if fate else well).append(row)
        if not self._script.get("lasting"):
            for word in met:
                del self._script[word]
        batch["status"] = "expired" if "expire" in met and openai else "completed"
        batch["well"], batch["ill"] = len(well), len(ill)
        if openai:
            for kind, rows in (("output", well), ("error", ill)):
                if rows:
                    self._files[f"{kind}-{batch['id']}"] = _jsonl(rows)
                    batch[kind] = f"{kind}-{batch['id']}"
        else:
            batch["results"] = _jsonl(well + ill)

    def _shown(self, batch: dict[str, Any]) -> dict[str, Any]:
        total = len(batch["items"])
        well, ill = batch.get("well", 0), batch.get("ill", 0)
        if batch["dialect"] == "anthropic":
            ended = batch["status"] != "in_progress"
            when = batch["created"].isoformat()
            return {
                "id": batch["id"],
                "type": "message_batch",
                "processing_status": "ended" if ended else "in_progress",
                "request_counts": {
                    "processing": 0 if ended else total,
                    "succeeded": well,
                    "errored": ill,
                    "canceled": 0,
                    "expired": 0,
                },
                "created_at": when,
                "expires_at": when,
                "ended_at": when if ended else None,
                "archived_at": None,
                "cancel_initiated_at": None,
                "results_url": f"/v1/messages/batches/{batch['id']}/results" if ended else None,
            }
        errors = None
        if message := batch.get("errors"):
            errors = {"object": "list", "data": [{"code": "x", "message": message}]}
        return {
            "id": batch["id"],
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": "file",
            "completion_window": "24h",
            "status": batch["status"],
            "created_at": int(batch["created"].timestamp()),
            "metadata": batch["metadata"],
            "output_file_id": batch.get("output"),
            "error_file_id": batch.get("error"),
            "errors": errors,
            "request_counts": {"total": total, "completed": well, "failed": ill},
        }


def _openai_row(custom_id: str, fate: str) -> dict[str, Any]:
    row: dict[str, Any] = {"id": "batch_req_1", "custom_id": custom_id, "error": None}
    if fate == "expire":
        return row | {"response": None, "error": {"code": "batch_expired", "message": "too late"}}
    status = {"": 200, "fail": 500, "invalid": 400}[fate]
    body = {"error": {"message": "as scripted", "type": "error", "code": None}} if fate else {}
    return row | {"response": {"status_code": status, "request_id": "req-b", "body": body}}


def _anthropic_row(custom_id: str, fate: str) -> dict[str, Any]:
    if fate == "expire":
        return {"custom_id": custom_id, "result": {"type": "expired"}}
    if fate:
        kind = "api_error" if fate == "fail" else "invalid_request_error"
        error = {"type": "error", "error": {"type": kind, "message": "as scripted"}}
        return {"custom_id": custom_id, "result": {"type": "errored", "error": error}}
    return {"custom_id": custom_id, "result": {"type": "succeeded"}}


def _jsonl(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _json(value: dict[str, Any]) -> HttpResponse:
    return HttpResponse(200, json.dumps(value).encode())
