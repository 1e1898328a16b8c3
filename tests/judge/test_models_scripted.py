from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from benchmark import InputError
from judge.models import JudgeSettings, make_judge
from judge.models.scripted import Script, ScriptedJudge
from judge.protocol import AnswerError, FatalProviderError, Judge
from prompts.schema import ANSWER_SCHEMA
from tests.judge.asking import question


def say(judge: Judge, sau: str = "adam-D1-001", repeat: int = 0, text: str = "Claim.") -> str:
    request = judge.request(question(text, sau), repeat=repeat)
    return asyncio.run(judge.judge(request)).text


def test_the_first_rule_that_fits_answers() -> None:
    judge = ScriptedJudge(
        {
            "rules": [
                {"when": {"sau": "adam-D1-002"}, "text": "by id"},
                {"when": {"sau": "adam-D2-*", "submission": "agent/*"}, "text": "by pattern"},
                {"when": {"prompt": "(?i)WARM.?up"}, "text": "by words"},
                {"when": {"repeat": 1}, "text": "by repeat"},
            ],
            "default": {"text": "otherwise"},
        }
    )
    assert isinstance(judge, Judge)
    assert say(judge, "adam-D1-002") == "by id"
    assert say(judge, "adam-D2-009") == "by pattern"
    assert say(judge, text="Claim: warm-up first.") == "by words"
    assert say(judge, repeat=1) == "by repeat"
    assert say(judge) == "otherwise"
    assert judge.calls["agent/adam", "adam-D1-001", 0] == 2
    assert judge.calls.total() == 5


def test_an_answer_is_filled_in_and_quotes_the_evidence() -> None:
    rule = {"answer": {"level": "0.5", "drift": "numerical", "failure": "mismatch"}}
    answer = json.loads(say(ScriptedJudge({"default": rule})))
    assert answer.keys() == set(ANSWER_SCHEMA["required"])
    assert answer["citations"] == [
        {"path": "train.py", "first": 5, "last": 5, "quote": "lr = 1e-4  # as in the paper"}
    ]
    absent = json.loads(say(ScriptedJudge({"default": {"answer": {"level": 0}}})))
    assert (absent["level"], absent["citations"]) == ("0", [])


def test_outcomes_come_in_turn_for_each_question_and_the_last_stays() -> None:
    outcomes = [{"text": "a"}, {"error": {"code": "empty", "message": "m"}}, {"text": "c"}]
    judge = ScriptedJudge({"rules": [{"outcomes": outcomes}]})
    assert say(judge) == "a"
    assert say(judge, "adam-D1-002") == "a"
    with pytest.raises(AnswerError, match="empty: m"):
        say(judge)
    assert [say(judge), say(judge)] == ["c", "c"]


def test_errors_can_be_scripted_and_silence_is_one() -> None:
    fatal = {"error": {"fatal": True, "message": "no quota"}}
    with pytest.raises(FatalProviderError, match="no quota"):
        say(ScriptedJudge({"default": fatal}))
    with pytest.raises(AnswerError, match="unscripted: no rule of the script answers adam-D1-001"):
        say(ScriptedJudge({"rules": []}))


def test_yaml_and_json_lines_say_the_same_and_another_script_is_another_judge(
    tmp_path: Path,
) -> None:
    yaml = tmp_path / "script.yaml"
    yaml.write_text(
        "rules:\n  - when: {sau: 'x-*'}\n    text: x\ndefault: {text: other}\n", encoding="utf-8"
    )
    lines = tmp_path / "script.jsonl"
    lines.write_text(
        '{"text": "other"}\n\n{"when": {"sau": "x-*"}, "text": "x"}\n', encoding="utf-8"
    )
    for path in (yaml, lines):
        judge = make_judge(JudgeSettings(kind="scripted", script=str(path)))
        assert isinstance(judge, Judge)
        assert (say(judge, "x-1"), say(judge)) == ("x", "other")
    assert Script.load(yaml).digest != Script.load(lines).digest
    first, second = ScriptedJudge(Script.load(yaml)), ScriptedJudge(Script.load(lines))
    assert first.request(question()).key != second.request(question()).key


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("s.yaml", "rules: [1]", "rules.0: a rule is not a mapping"),
        ("s.yaml", "rules: 3", "`rules` is not a list"),
        ("s.yaml", "ruled: []", "unknown"),
        ("s.yaml", "rules: [", "not YAML"),
        ("s.yaml", "default: {text: a, answer: {}}", "one of answer, text, error"),
        ("s.yaml", "default: {answer: 4}", "`answer` is not a mapping"),
        ("s.yaml", "default: {error: {message: x}}", "needs a `code`"),
        ("s.yaml", "rules: [{when: {claim: x}, text: a}]", "`when` knows prompt, repeat, sau"),
        ("s.yaml", "rules: [{when: {prompt: '('}, text: a}]", "no regular expression"),
        ("s.yaml", "rules: [{outcomes: []}]", "a list `outcomes`"),
        ("s.jsonl", '{"text": "a"}\n{"text"', "s.jsonl:2"),
    ],
)
def test_a_script_that_is_wrong_is_named(tmp_path: Path, name: str, text: str, words: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Script.load(path)
    assert words in str(caught.value)
    assert name in str(caught.value)


def test_a_script_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"kind": "scripted", "script": str(tmp_path / "gone.yaml")}
    with pytest.raises(InputError, match=r"judge\.script"):
        make_judge(JudgeSettings(**settings))
