"""A provider that costs next to nothing, so that what is measured is the one who asks.

    python -m tests.benchmarks.quick_provider --latency 1.0 --path settings.py --quote "rate = 3e-4"

It prints `listening on http://127.0.0.1:PORT`, reads no more of a request than its length, and
answers each after the latency with the same bytes, in the protocol of the path that was asked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from typing import Any

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class _Connection(asyncio.Protocol):
    """One connection: requests come one after another."""

    def __init__(self, answers: tuple[bytes, bytes], latency: float) -> None:
        self._openai, self._anthropic = answers
        self._latency = latency
        self._head = bytearray()
        self._left = 0
        self._answer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if not self._left:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            length = _LENGTH.search(self._head, 0, end)
            assert length is not None
            openai = b"/chat/completions" in self._head[: self._head.index(b"\r\n")]
            self._answer = self._openai if openai else self._anthropic
            self._left = int(length[1]) - (len(self._head) - end - 4)
            self._head.clear()
        else:
            self._left -= len(data)
        if self._left <= 0:
            self._left = 0
            asyncio.get_running_loop().call_later(self._latency, self._send, self._answer)

    def _send(self, answer: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(answer)


def answers(path: str, quote: str) -> tuple[bytes, bytes]:
    """The responses of both protocols, whole: a verdict that quotes line 1 of a file."""
    text = json.dumps(
        {
            "expected": "what the claim says, in a sentence of usual length",
            "found": f"{path}:1 sets another value, and nothing else sets it",
            "citations": [{"path": path, "first": 1, "last": 1, "quote": quote}],
            "rationale": "The value is set once and read by the optimiser. It is not the claim's, "
            "and of the same order of magnitude, so that the core is there and a part is off.",
            "level": "0.5",
            "drift": "numerical",
            "failure": "mismatch",
            "confidence": 0.8,
            "lacking": [],
        }
    )
    openai = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "judge-model-2026-11-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": None},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": 5000,
            "completion_tokens": 200,
            "total_tokens": 5200,
            "prompt_tokens_details": {"cached_tokens": 4000},
        },
    }
    anthropic = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "judge-model-20261101",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": 1000,
            "cache_read_input_tokens": 4000,
            "cache_creation_input_tokens": 0,
            "output_tokens": 200,
        },
    }
    return _response(openai), _response(anthropic)


def _response(value: Any) -> bytes:
    body = json.dumps(value).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + b"x-request-id: req-1\r\n\r\n" + body


async def serve(made: tuple[bytes, bytes], latency: float) -> None:
    """Serve until killed."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: _Connection(made, latency), "127.0.0.1", 0, backlog=1024
    )
    print(f"listening on http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description="A provider that costs next to nothing.")
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--path", required=True)
    parser.add_argument("--quote", required=True)
    options = parser.parse_args()
    asyncio.run(serve(answers(options.path, options.quote), options.latency))


if __name__ == "__main__":
    main()
