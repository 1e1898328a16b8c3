from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from benchmark import InputError
from judge.protocol import Answer, Question
from judge.records import ATTEMPTS, Attempt, StoredAnswer
from judge.show import find_verdict, show_verdict
from judge.store import LoadedRun
from prompts.values import Prompt
from retrieval.values import Evidence, Fact, FactSource, Passage, Searched
from tests.judge.made_runs import HOSTILE, sau, small_run


def shown(run: LoadedRun, submission: str, claim: str, **more: object) -> str:
    console = Console(file=io.StringIO(), width=120, color_system=None, force_terminal=False)
    show_verdict(run, submission, claim, console=console, **more)  # type: ignore[arg-type]
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_verdict_is_explained_with_its_code() -> None:
    text = shown(small_run(), "opus/adam", "adam-D1-001")
    for words in (
        ".25 core replaced or fragments",
        "The learning rate is 1e-4.",
        "mismatch: implemented otherwise",
        "src/train.py:7-8",
        "quote verified",
        "Off by an order of magnitude.",
        "warmup",
        "about 900 tokens",
        "openai:m",
    ):
        assert words in text, words
    assert any(line.split() == ["7", "def", "step(lr=1e-3):"] for line in text.splitlines())


def test_an_error_has_no_level_and_says_what_happened() -> None:
    text = shown(small_run(), "opus/adam", "adam-D4-004")
    assert "error: no level" in text
    assert "timeout" in text


def test_escapes_in_graded_text_do_not_reach_the_terminal() -> None:
    text = shown(small_run(), "opus/adam", "adam-D2-002")
    assert not set("\x1b\x07\u202e\u200b\ufeff") & set(text)
    assert "⟨U+001B⟩" in text
    assert "{{ 7 * 7 }}" in text  # and markup in brackets is not read either
    assert "quote not found in the file" in text


def test_the_question_and_the_ledger_are_shown_where_they_are_at_hand(tmp_path: Path) -> None:
    attempt = Attempt(
        request_key="k",
        outcome="answer",
        submission="opus/adam",
        sau="adam-D1-001",
        answer=StoredAnswer.of(
            Answer(text='{"level": 1} \x1b[2J', model="m-1", finish="stop"), time=""
        ),
        time="2026-01-01T00:00:00Z",
    )
    other = attempt.model_copy(update={"sau": "adam-D2-002", "request_key": "other"})
    (tmp_path / ATTEMPTS).write_text(
        attempt.model_dump_json() + "\n" + other.model_dump_json() + "\n", encoding="utf-8"
    )
    evidence = Evidence(
        passages=(Passage("src/train.py", 41, 41, "lr = 1e-3", why=("value: 1e-3",)),),
        repository_map="",
        facts=(Fact("lr", "1e-3", "src/train.py", 41, FactSource.ASSIGNMENT),),
        searched=(Searched("warmup", 0, 2),),
    )
    prompt = Prompt(
        system="The rules.",
        shared="x" * 9000,
        question="The claim.",
        schema={},
        version="1",
        hash="",
    )
    question = Question("opus/adam", sau(1), evidence, prompt)
    run = replace(small_run(), path=tmp_path)

    text = shown(run, "opus/adam", "adam-D1-001", question=question)
    assert text.count('{"level": 1} ⟨U+001B⟩[2J') == 1
    assert "m-1, finish stop" in text
    assert "value: 1e-3" in text
    assert "lr = 1e-3  src/train.py:41" in text
    assert "warmup: 0 lines of code, 2 of prose" in text
    assert "The rules." in text
    assert "The claim." in text
    assert "5,000 more characters" in text
    whole = shown(run, "opus/adam", "adam-D1-001", question=question, whole=True)
    assert "more characters" not in whole


def test_long_code_is_cut_between_lines_and_the_notice_has_no_number() -> None:
    lines = [f"rate_{number:03} = {number} * 1e-3  # of the schedule" for number in range(200)]
    passages = (
        Passage("src/train.py", 41, 240, "\n".join(lines)),
        Passage("src/more.py", 1, 1, "never_shown = 1"),
    )
    question = Question("opus/adam", sau(1), Evidence(passages=passages, repository_map=""))
    text = shown(small_run(), "opus/adam", "adam-D1-001", question=question)
    printed = [line.rstrip().split(maxsplit=1) for line in text.splitlines() if " rate_" in line]
    count = len(printed)
    assert 0 < count < 200
    assert printed == [[str(41 + number), line] for number, line in enumerate(lines[:count])]
    left = len("\n".join(lines[count:]))
    assert sum(map(len, lines[:count])) + count - 1 <= 4000 < 4000 + left
    [notice] = [line.strip() for line in text.splitlines() if "more characters" in line]
    assert notice == f"… {left:,} more characters"
    assert "… more passages" in text
    assert "never_shown" not in text
    whole = shown(small_run(), "opus/adam", "adam-D1-001", question=question, whole=True)
    assert whole.count(" rate_") == 200
    assert "never_shown = 1" in whole


def test_no_passage_is_begun_that_has_no_room_for_a_line() -> None:
    passages = (
        Passage("src/train.py", 1, 1, "a = " + "1" * 3990),
        Passage("src/more.py", 7, 7, "never_shown = 1"),
    )
    question = Question("opus/adam", sau(1), Evidence(passages=passages, repository_map=""))
    text = shown(small_run(), "opus/adam", "adam-D1-001", question=question)
    assert "… more passages" in text
    assert "never" not in text
    assert "src/more.py" not in text


@pytest.mark.parametrize(
    ("submission", "claim", "words"),
    [
        ("opus/adm", "adam-D1-001", "Nearest: opus/adam"),
        ("OPUS/ADAM", "adam-D1-001", "Nearest: opus/adam"),
        ("zzz", "adam-D1-001", "Name one of its 4, e.g. gpt/adam"),
        ("opus/adam", "adam-D1-01", "Nearest: adam-D1-001"),
        ("opus/adam", "lora-D1-001", "is about the paper lora"),
        ("gpt/lora", "lora-D2-002", "no verdict on lora-D2-002"),
        ("opus/\x1b[31m", "adam-D1-001", "⟨U\\+001B⟩"),
    ],
)
def test_what_the_run_does_not_have_is_said_with_the_nearest(
    submission: str, claim: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        find_verdict(small_run(), submission, claim)


def test_hostile_text_holds_what_these_tests_are_about() -> None:
    assert {"\x1b", "\u202e", "<"} <= set(HOSTILE)
