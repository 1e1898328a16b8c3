"""The fake provider is trusted by other tests: what it counts and quotes has to be so."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from benchmark import Dimension, Sau
from prompts.render import render
from tests.judge.asking import EVIDENCE
from tests.servers.fake_provider import FakeProvider, default_answer, prompt_digest


def post(url: str, body: dict[str, Any], *, path: str = "/v1/chat/completions") -> dict[str, Any]:
    request = urllib.request.Request(
        f"{url}{path}",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def test_it_quotes_a_line_of_a_real_prompt() -> None:
    prompt = render(Sau("a", "p", Dimension.D1, "lr is 1e-4"), EVIDENCE)
    answer = default_answer("\n".join([prompt.system, prompt.shared, prompt.question]))
    assert answer["citations"] == [
        {"path": "train.py", "first": 5, "last": 5, "quote": "lr = 1e-4  # as in the paper"}
    ]
    assert default_answer("no code here")["level"] == "0"


def test_it_counts_each_prompt_across_its_own_restarts(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"answers": [{"text": "x"}]}', encoding="utf-8")
    counts = tmp_path / "counts.jsonl"
    body = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    command = [sys.executable, "-m", "tests.servers.fake_provider"]
    command += ["--script", str(script), "--counts", str(counts)]
    for times in (1, 2):
        process = subprocess.Popen(
            command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        try:
            url = process.stdout.readline().split()[-1]
            assert post(url, body)["choices"][0]["message"]["content"] == "x"
            with urllib.request.urlopen(f"{url}/counts") as response:
                seen = json.load(response)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        digest = prompt_digest(body)
        assert seen == {"asked": {digest: times}, "answered": {digest: times}}


def test_its_answers_are_of_the_form_that_the_vendors_sdks_know() -> None:
    """What the servers here answer and what the vendors do is one thing by their own types."""
    from anthropic.types import Message
    from openai.types.chat import ChatCompletion
    from openai.types.responses import Response

    odds = {"odds": {"0": 0.9, "1": 0.1}}
    said = [{"role": "user", "content": "hello"}]
    with FakeProvider(odds) as server:
        chat = post(
            server.url, {"model": "m", "messages": said, "logprobs": True, "top_logprobs": 8}
        )
        response = post(
            server.url, {"model": "m", "input": said, "top_logprobs": 8}, path="/v1/responses"
        )
        blocks = [{"role": "user", "content": [{"type": "text", "text": "hello"}]}]
        message = post(server.url, {"model": "m", "messages": blocks}, path="/v1/messages")
    completion = ChatCompletion.model_validate(chat, strict=True)
    assert completion.choices[0].logprobs is not None
    assert completion.choices[0].logprobs.content
    # A response repeats what it was asked with, which is nothing that is read here.
    asked = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    known = Response.model_validate({**response, **asked})
    assert known.output_text
    assert known.usage is not None
    assert [item.type for item in known.output] == ["reasoning", "message"]
    assert Message.model_validate(message).content[0].type == "text"
