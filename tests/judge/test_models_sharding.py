"""Many requests in flight through pools of their own, but never past a proxy."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import openai
import pytest

from judge.models.adapting import forget
from judge.models.sharding import http_client
from judge.protocol import Answer
from tests.judge.asking import judge_at, question
from tests.servers.fake_provider import FakeProvider


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_hundred_in_flight_are_all_answered(kind: str) -> None:
    async def run(server: FakeProvider) -> list[Answer]:
        judge = judge_at(kind, server.url, concurrency=100)
        requests = [judge.request(question(f"Claim {n}.")) for n in range(300)]
        answers = await asyncio.gather(*(judge.judge(request) for request in requests))
        await judge.close()
        return list(answers)

    with FakeProvider({"latency_seconds": 0.05}) as server:
        answers = asyncio.run(run(server))
        assert len(answers) == len(server.asked) == 300
        assert {answer.attempts for answer in answers} == {1}
        # The limit grew past what the SDK's own client is for, and never past what was set.
        assert 32 < server.most_in_flight <= 100


def test_few_need_nothing_of_their_own() -> None:
    assert http_client(openai.DefaultAsyncHttpxClient, 32) is None


def test_a_proxy_is_not_gone_past(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        plain = http_client(openai.DefaultAsyncHttpxClient, 200)
        assert plain is not None
        assert plain._mounts == {}
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
        proxied = http_client(openai.DefaultAsyncHttpxClient, 200)
        assert proxied is not None
        assert proxied._mounts
        await plain.aclose()
        await proxied.aclose()

    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("all_proxy", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    asyncio.run(run())
