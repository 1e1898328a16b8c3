from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmark import InputError
from judge.models import JudgeSettings, make_judge
from judge.models.endpoint import Endpoint, Secret, normalise_base_url, read_key
from judge.protocol import Judge
from tests.judge.asking import question


@pytest.mark.parametrize(
    ("kind", "variable"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_says_which_variable_and_the_way_round(
    kind: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(InputError, match=rf"{variable} is not set.*api_key_env: none"):
        make_judge(JudgeSettings(kind=kind, model="m"))
    monkeypatch.setenv("MY_KEY", "  ")
    with pytest.raises(InputError, match="MY_KEY is not set"):
        make_judge(JudgeSettings(kind=kind, model="m", api_key_env="MY_KEY"))
    # Who only wants to see the requests needs no key.
    judge = make_judge(JudgeSettings(kind=kind, model="m"), need_key=False)
    assert isinstance(judge, Judge)
    assert judge.request(question()).body["model"] == "m"


def test_no_variable_of_an_sdk_moves_the_questions_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere")
    for kind, url in (
        ("openai", "https://api.openai.com/v1"),
        ("anthropic", "https://api.anthropic.com"),
    ):
        judge = make_judge(JudgeSettings(kind=kind, model="m", api_key_env="none"))
        assert judge.identity()["base_url"] == url


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "oracle"}, "judge.kind.*embedded, openai, anthropic, exchange, scripted"),
        ({"kind": "scripted"}, "judge.script"),
        ({"model": None}, "judge.model"),
        ({"structure": "xml"}, "judge.structure"),
        ({"kind": "anthropic", "structure": "json_object"}, "Choose auto, json_schema, tool, text"),
        ({"kind": "anthropic", "max_output_tokens": None}, "judge.max_output_tokens"),
        ({"parameters": {"max_tokens": 5}}, "max_tokens cannot be set here"),
        ({"kind": "anthropic", "parameters": {"system": "x"}}, "system cannot be set here"),
        ({"parameters": {"temperature": float("nan")}}, "not plain JSON"),
        ({"parameters": {"stop": {1, 2}}}, "not plain JSON"),
        ({"concurrency": 0}, "judge.concurrency"),
        ({"max_output_tokens": 0}, "judge.max_output_tokens"),
        ({"timeout_seconds": 0}, "judge.timeout_seconds"),
        ({"base_url": "localhost:8000"}, "not an http or https URL"),
        ({"base_url": "http://user:pw@h/v1"}, "holds a user"),
        ({"base_url": "http://h/v1?key=1"}, "holds a user, a password, a query"),
        ({"base_url": "http://h:99999/"}, "not a URL"),
    ],
)
def test_settings_that_are_wrong_are_named(changes: dict[str, Any], words: str) -> None:
    fields = {"kind": "openai", "model": "m", "api_key_env": "none", **changes}
    with pytest.raises(InputError, match=words) as caught:
        make_judge(JudgeSettings(**fields))
    assert "pw@" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTP://LocalHost:80/v1/", "http://localhost/v1"),
        ("https://API.example.com:443", "https://api.example.com"),
        (" http://[::1]:8000/v1// ", "http://[::1]:8000/v1"),
        ("https://h/Proxy/v1", "https://h/Proxy/v1"),
    ],
)
def test_a_base_url_has_one_spelling(url: str, same: str) -> None:
    assert normalise_base_url(url) == same
    assert normalise_base_url(same) == same


def test_a_secret_shows_itself_to_nobody() -> None:
    secret = Secret("sk-abc")
    endpoint = Endpoint("openai", "http://h", "m", secret, "K")
    for shown in (repr(secret), str(secret), f"{secret}", repr(endpoint), repr([secret])):
        assert "sk-abc" not in shown
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    assert endpoint.redact("no sk-abc\nhere") == "no *** here"
    with pytest.raises(InputError, match="no HTTP header can carry"):
        read_key("K", usual="K", environ={"K": "sk-\u201cabc\u201d"})


def test_no_sdk_is_loaded_before_the_first_question() -> None:
    code = (
        "import sys\n"
        "from judge.models import JudgeSettings, make_judge\n"
        "for kind in ('openai', 'anthropic'):\n"
        "    make_judge(JudgeSettings(kind=kind, model='m', api_key_env='none'))\n"
        "assert not {'openai', 'anthropic', 'httpx2'} & sys.modules.keys()\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)
