"""A question goes where the config says, with what the config says, and nowhere else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from judge.protocol import FatalProviderError
from tests.judge.asking import judge_at, question
from tests.servers.fake_provider import FakeProvider


class _Keeper(ThreadingHTTPServer):
    """Keeps what it was sent, and answers with one status and its headers."""

    def __init__(self, status: int, headers: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status, self.headers, self.seen = status, headers, []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: _Keeper

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.seen.append(dict(self.headers.items()))
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def keeper(status: int, headers: dict[str, str] | None = None) -> Iterator[_Keeper]:
    with _Keeper(status, headers or {}) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ask(kind: str, url: str) -> None:
    async def once() -> None:
        judge = judge_at(kind, url)
        try:
            await judge.judge(judge.request(question()))
        finally:
            await judge.close()

    asyncio.run(once())


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_question_is_not_sent_on_to_another_host(kind: str, status: int) -> None:
    with keeper(200) as other, keeper(status, {"location": f"{other.url}/elsewhere"}) as first:
        with pytest.raises(FatalProviderError, match=r"another address.*elsewhere.*base_url"):
            ask(kind, first.url)
        assert len(first.seen) == 1
        assert other.seen == []


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_variables_of_an_sdk_add_nothing_to_a_question(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for vendor in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(
            f"{vendor}_CUSTOM_HEADERS", "Authorization: Bearer of-another\nX-Else: of-another"
        )
    monkeypatch.setenv("OPENAI_ORG_ID", "of-another")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "of-another")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "of-another")
    with keeper(401) as server:
        with pytest.raises(FatalProviderError, match="key"):
            ask(kind, server.url)
        assert server.seen
        assert all("of-another" not in value for sent in server.seen for value in sent.values())


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_the_variables_are_there_again_afterwards(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("OPENAI_ORG_ID", "mine")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Mine: 1")
    before = dict(os.environ)
    with FakeProvider({}) as server:
        ask(kind, server.url)
    assert dict(os.environ) == before
