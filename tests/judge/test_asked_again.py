"""What an exchange says of refused answers, and whose questions lie in its folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.asked_again import LOOKED_UP, because, counts_of
from judge.cli import cli
from judge.models.adapting import forget
from judge.store import iter_attempts
from tests.judge.toys import answer_fields, answer_text, hand_in_one

JUDGE = "{kind: exchange, model: somebody, exchange: exchange}"
NOWHERE = {"path": "train.py", "first": 1, "last": 1, "quote": "this_stands_in_no_file = 17"}


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def run() -> Result:
    return call("run", "--quiet", "--no-report")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    hand_in_one(tmp_path, claims=5)
    configure(tmp_path)
    return tmp_path


def configure(
    folder: Path, judge: str = JUDGE, *, name: str = "run.yaml", output: str = "out"
) -> None:
    (folder / name).write_text(
        "benchmark: {path: claims}\nsubmissions: {manifest: submissions.jsonl}\n"
        f"cache: {{path: cache-{output}}}\n"
        f"output: {{path: {output}, workers: 1}}\njudge: {judge}\n",
        encoding="utf-8",
    )


def rows(folder: Path, name: str = "requests.jsonl") -> list[dict[str, Any]]:
    text = (folder / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def answer(folder: Path, answers: dict[str, Any], name: str = "answers.jsonl") -> None:
    lines = [json.dumps({"custom_id": key, "answer": said}) for key, said in answers.items()]
    (folder / name).write_text("\n".join(lines), encoding="utf-8")


def by_claim(folder: Path) -> dict[str, str]:
    """By claim, the id of its first question."""
    named: dict[str, str] = {}
    for row in rows(folder, "asked.jsonl"):
        named.setdefault(row["sau"], row["custom_id"])
    return named


def words(result: Result) -> str:
    """The output in one line: a terminal breaks it anywhere."""
    return " ".join(result.output.split())


# ---- what was refused ----------------------------------------------------------------------------


def test_a_run_says_how_many_questions_are_asked_again_and_why(here: Path) -> None:
    first = run()
    assert "asked once more" not in words(first)
    exchange = here / "exchange"
    ids = by_claim(exchange)
    one, two, three, four, five = sorted(ids)
    answer(
        exchange,
        {
            ids[one]: answer_fields(citations=[NOWHERE]),
            ids[two]: answer_fields(citations=[NOWHERE]),
            ids[three]: answer_fields(level="0.3"),
            ids[four]: answer_fields(),
        },
    )
    for _ in range(2):
        second = run()
        assert second.exit_code == 3
        said = words(second)
        assert "4 questions wait for an answer: requests.jsonl" in said
        assert (
            "3 of the questions that wait are asked once more, because an answer was refused: "
            "2 without a verified quote, 1 off the scale; why, for each: again in "
        ) in said
        assert "asked.jsonl, or judge show SUBMISSION CLAIM" in said
    noted = {row["sau"]: row["again"] for row in rows(exchange, "asked.jsonl") if "again" in row}
    assert noted.keys() == {one, two, three}
    assert noted[three].startswith("off_scale: the level '0.3'")
    assert len(rows(exchange, "asked.jsonl")) == 8
    # The ledger has each once, however often the same is found to wait.
    again = [row for row in iter_attempts(here / "out") if row.outcome == "asked_again"]
    assert sorted(row.sau for row in again) == [one, two, three]
    assert {row.attempts for row in again} == {0}

    shown = call("show", "me", three, "--run", "out")
    assert shown.exit_code == 2
    said = words(shown)
    assert "asked again because its answer was refused as off the scale (the level '0.3'" in said
    assert "requests*.jsonl of exchange (judge.exchange" in said
    said = words(call("show", "me", one, "--run", "out"))
    assert "refused as without a verified quote" in said
    assert re.search(r"on 1 quote \(1 [^)]+\)", said)
    never = words(call("show", "me", five, "--run", "out"))
    assert "asked again" not in never
    assert "Where it was asked, its question waits in requests*.jsonl of exchange" in never

    # Once it is answered nothing waits, and the verdict tells the whole conversation.
    waiting = {row["sau"]: row["custom_id"] for row in rows(exchange, "asked.jsonl")}
    answer(exchange, {waiting[three]: answer_text()}, "answers-2.jsonl")
    third = run()
    assert "refused: 2 without a verified quote; why" in words(third)
    verdict = call("show", "me", three, "--run", "out")
    assert verdict.exit_code == 0
    assert "asked again at" in verdict.output


def test_reasons_are_counted_the_commonest_first_and_what_was_looked_up_is_no_refusal() -> None:
    reasons = [
        "empty: x",
        "off_scale: a: b",
        "off_scale: y",
        f"{LOOKED_UP}: the loss",
        "odd_one: z",
    ]
    refused, shown = counts_of(reasons)
    assert refused == (
        "4 of the questions that wait are asked once more, because an answer was refused: "
        "2 off the scale, 1 empty, 1 odd one"
    )
    assert shown.startswith("1 of the questions that wait is asked on")
    assert list(counts_of([])) == []
    assert because("off_scale: a: b") == "its answer was refused as off the scale (a: b)"
    assert because(f"{LOOKED_UP}: the loss") == (
        "the judge lacked something, which it is shown now (the loss)"
    )


def test_escapes_in_a_refused_answer_do_not_reach_the_terminal(here: Path) -> None:
    run()
    exchange = here / "exchange"
    ids = by_claim(exchange)
    claim = min(ids)
    answer(exchange, {ids[claim]: answer_fields(level="\x1b[2J\u202e")})
    outputs = [run().output, call("show", "me", claim, "--run", "out").output]
    assert "refused as off the scale" in " ".join(outputs[1].split())
    assert not {"\x1b", "\u202e"} & set("".join(outputs))


# ---- whose questions wait ------------------------------------------------------------------------


def test_a_check_leaves_the_questions_of_a_run_where_they_are(here: Path) -> None:
    run()
    exchange = here / "exchange"
    before = {name: (exchange / name).read_bytes() for name in ("requests.jsonl", "asked.jsonl")}
    repo = "repos/agent0/paper0"
    (here / "spec.yaml").write_text("- The rate is 3e-4\n- AdamW is used\n", encoding="utf-8")
    command = ("check", repo, "--saus", "spec.yaml", "--judge", "run.yaml")
    asked = call(*command)
    assert asked.exit_code == 3
    [own] = (exchange / "check").iterdir()
    place = own.relative_to(here)
    assert (
        f"2 questions wait for an answer: requests.jsonl in {place}; put the answers there"
        in words(asked)
    )
    assert {name: (exchange / name).read_bytes() for name in before} == before
    assert sorted(path.name for path in exchange.iterdir()) == sorted([*before, "check"])
    # Another's check has a folder of its own as well.
    (here / "other.yaml").write_text("paper: other\nD1: [The rate is 1]\n", encoding="utf-8")
    other = call("check", repo, "--saus", "other.yaml", "--judge", "run.yaml", "--json")
    assert len(list((exchange / "check").iterdir())) == 2
    assert len(rows(own)) == 2
    [remark] = json.loads(other.stdout)["remarks"]
    assert remark.startswith("1 question waits for an answer: requests.jsonl in ")
    log = json.loads(call(*command, "--sarif").stdout)
    told = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert any("2 questions wait" in note["message"]["text"] for note in told)
    written = call(*command, "--json", "--output", "check.json")
    assert f"requests.jsonl in {place}" in words(written)

    answer(own, {row["custom_id"]: answer_fields() for row in rows(own)})
    graded = call(*command)
    assert graded.exit_code == 0, graded.output
    assert "wait for an answer" not in graded.output
    assert {name: (exchange / name).read_bytes() for name in before} == before


def test_a_member_of_a_panel_may_not_keep_its_questions_in_the_checked_repository(
    here: Path,
) -> None:
    inside = "repos/agent0/paper0/inside"
    members = f"{{kind: exchange, model: a, exchange: {inside}}}"
    configure(
        here,
        f"{{kind: panel, members: [{members}, {{kind: exchange, model: b, exchange: other}}]}}",
    )
    (here / "spec.yaml").write_text("- The rate is 3e-4\n", encoding="utf-8")
    result = call("check", "repos/agent0/paper0", "--saus", "spec.yaml", "--judge", "run.yaml")
    assert result.exit_code == 2
    assert "judge.members" in result.output
    assert not (here / inside).exists()


def test_two_members_of_a_panel_may_not_share_a_folder(here: Path) -> None:
    one, two = (f"{{kind: exchange, model: {name}, exchange: shared}}" for name in "ab")
    configure(here, f"{{kind: panel, members: [{one}, {two}]}}")
    result = run()
    assert result.exit_code == 2
    assert "judge.members[1].exchange" in result.output.replace(".1.", "[1].")
    assert not (here / "shared").exists()


def test_questions_of_another_run_do_not_leave_the_folder_in_silence(here: Path) -> None:
    configure(here, name="other.yaml", output="other", judge=JUDGE.replace("somebody", "another"))
    run()
    assert "left its files" not in words(run())
    other = call("run", "--config", "other.yaml", "--quiet", "--no-report")
    assert "5 questions that waited in " in words(other)
    assert "not asked for now left its files" in words(other)
    assert "judge.exchange" in words(other)
    # What is answered has not been lost, and nobody is told that it were.
    back = run()
    assert "5 questions that waited in " in words(back)
    exchange = here / "exchange"
    answer(exchange, {row["custom_id"]: answer_fields() for row in rows(exchange)})
    done = run()
    assert done.exit_code == 0
    assert "left its files" not in words(done)
