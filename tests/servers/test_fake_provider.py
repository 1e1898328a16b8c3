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
from tests.servers.fake_provider import default_answer, prompt_digest


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{url}/v1/chat/completions",
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
