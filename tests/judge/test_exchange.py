"""Questions handed on in a file: asked once, answered in parts, odd lines named, nothing lost."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import InputError
from judge.models import JudgeSettings, make_judge
from judge.models.answer_lines import MalformedLineError, read_answer_line
from judge.models.exchange_folder import ExchangeFolder, request_files
from judge.pipeline import RunResult, run_plan
from judge.protocol import Judge
from judge.store import iter_attempts, iter_verdicts
from tests.judge.toys import answer_fields, answer_text, plan


def exchange(folder: Path, **changes: Any) -> Judge:
    settings = {"kind": "exchange", "model": "somebody", "exchange": str(folder / "exchange")}
    judge = make_judge(JudgeSettings(**{**settings, **changes}))
    assert isinstance(judge, Judge)
    return judge


def go(folder: Path, **changes: Any) -> RunResult:
    return asyncio.run(run_plan(plan(folder, exchange(folder, **changes))))


def rows(folder: Path, name: str = "requests.jsonl") -> list[dict[str, Any]]:
    text = (folder / "exchange" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def put(folder: Path, lines: list[Any], name: str = "answers.jsonl") -> None:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (folder / "exchange" / name).write_text(text, encoding="utf-8")


def completion(custom_id: str, text: str, **body: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    whole = {
        "id": "chatcmpl-1",
        "model": "judge-2026",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 90},
        **body,
    }
    response = {"status_code": 200, "request_id": "req-7", "body": whole}
    return {"id": "batch_req_1", "custom_id": custom_id, "response": response, "error": None}


def test_what_is_missing_is_written_out_and_what_comes_back_is_graded(tmp_path: Path) -> None:
    first = go(tmp_path)
    assert (first.exit_code, first.errors, first.counts.waiting) == (3, 12, 12)
    assert list(iter_verdicts(tmp_path / "out")) == []
    assert list(iter_attempts(tmp_path / "out")) == []
    assert "12 questions wait for an answer: requests.jsonl" in first.remarks[0]
    asked = rows(tmp_path)
    assert len({row["custom_id"] for row in asked}) == 12
    assert {(row["method"], row["url"]) for row in asked} == {("POST", "/v1/chat/completions")}
    body = asked[0]["body"]
    assert body["model"] == "somebody"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["max_completion_tokens"] == 8192
    named = {
        row["custom_id"]: (row["submission"], row["sau"]) for row in rows(tmp_path, "asked.jsonl")
    }
    assert len(set(named.values())) == 12

    # A part is enough: by a vendor, by hand as an object, by hand as a text.
    ids = [row["custom_id"] for row in asked]
    put(
        tmp_path,
        [
            completion(ids[0], answer_text()),
            {"custom_id": ids[1], "answer": answer_fields(level="0.25")},
            {"custom_id": ids[2], "answer": answer_text(), "model": "a person"},
        ],
    )
    second = go(tmp_path)
    assert (second.exit_code, second.counts.graded, second.counts.waiting) == (3, 3, 9)
    assert {row["custom_id"] for row in rows(tmp_path)} == set(ids[3:])
    assert len(rows(tmp_path, "asked.jsonl")) == 12
    verdicts = {v.provenance.request_key: v for v in iter_verdicts(tmp_path / "out")}
    assert verdicts.keys() == set(ids[:3])
    of_vendor = verdicts[ids[0]].provenance
    assert (of_vendor.judge, of_vendor.model, of_vendor.model_returned) == (
        "exchange:somebody",
        "somebody",
        "judge-2026",
    )
    assert (of_vendor.rung, of_vendor.request_id, of_vendor.usage.input_tokens) == (
        "json_schema",
        "req-7",
        900,
    )
    assert of_vendor.usage.cost_usd is None
    assert verdicts[ids[1]].level == 1
    assert verdicts[ids[2]].provenance.model_returned == "a person"
    assert verdicts[ids[2]].provenance.rung == "text"
    assert (named[ids[1]]) == (verdicts[ids[1]].submission, verdicts[ids[1]].sau)

    # The rest comes in another file; the first may be gone by then.
    (tmp_path / "exchange" / "answers.jsonl").unlink()
    put(tmp_path, [completion(id_, answer_text()) for id_ in ids[3:]], "answers-late.jsonl")
    third = go(tmp_path)
    assert (third.exit_code, third.counts.kept, third.counts.graded) == (0, 3, 9)
    assert third.remarks == ()
    assert request_files(tmp_path / "exchange") == []
    assert go(tmp_path).counts.kept == 12


def test_answers_brought_from_another_folder_are_no_strangers(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (second / "exchange").mkdir(parents=True)
    go(first)
    answers = [completion(row["custom_id"], answer_text()) for row in rows(first)]
    put(second, answers)
    result = go(second)
    assert (result.counts.graded, result.remarks) == (12, ())
    again = rows(second, "asked.jsonl")
    assert {row["custom_id"] for row in again} == {row["custom_id"] for row in rows(first)}
    assert all(row["submission"] and row["sau"] for row in again)


def test_odd_lines_are_named_and_cost_only_themselves(tmp_path: Path) -> None:
    go(tmp_path)
    ids = [row["custom_id"] for row in rows(tmp_path)]
    expired = {"custom_id": ids[2], "response": None, "error": {"code": "batch_expired"}}
    refused = {
        "custom_id": ids[3],
        "response": {"status_code": 400, "body": {"error": {"message": "too long"}}},
    }
    put(
        tmp_path,
        [
            completion(ids[0], answer_text()),
            '{"custom_id": "cut o',
            {"answer": answer_fields()},
            "",
            {"custom_id": "f" * 64, "answer": answer_fields()},
            expired,
            refused,
            {"custom_id": ids[4], "answer": 4},
        ],
    )
    result = go(tmp_path)
    assert (result.exit_code, result.counts.graded, result.counts.errors) == (3, 1, 0)
    assert {row["custom_id"] for row in rows(tmp_path)} == set(ids[1:])
    waiting, malformed, failed, unknown = result.remarks
    assert waiting.startswith("11 questions")
    assert malformed.startswith("3 lines cannot be read")
    assert "answers.jsonl:2: not JSON" in malformed
    assert "answers.jsonl:3: there is no custom_id" in malformed
    assert "answers.jsonl:8: the answer has another shape" in malformed
    assert "answers.jsonl:6: batch_expired; answers.jsonl:7: HTTP 400: too long" in failed
    assert unknown == "1 answer has an id that nobody asked for: answers.jsonl:5: " + "f" * 64

    # An answer that comes after a failure counts, and so does the later of two answers.
    put(
        tmp_path,
        [completion(ids[2], answer_text()), completion(ids[2], answer_text(level="0.25")), expired],
        "answers-2.jsonl",
    )
    assert go(tmp_path).counts.graded == 1
    assert {v.provenance.request_key: v.level for v in iter_verdicts(tmp_path / "out")}[ids[2]] == 1


def test_half_an_answer_is_asked_for_again_and_then_an_error(tmp_path: Path) -> None:
    go(tmp_path)
    first, second, *others = [row["custom_id"] for row in rows(tmp_path)]
    cut = {"index": 0, "message": {"content": answer_text()}, "finish_reason": "length"}
    halves = [completion(first, "", choices=[cut]), {"custom_id": second, "answer": " "}]
    put(tmp_path, halves)
    result = go(tmp_path)
    assert (result.counts.errors, result.counts.waiting) == (0, 12)
    asked = {row["custom_id"]: row for row in rows(tmp_path)}
    again = asked.keys() - {first, second, *others}
    assert len(again) == 2
    assert all("Answer with the one whole JSON" in str(asked[key]) for key in again)
    more = [completion(key, "", choices=[cut]) for key in sorted(again)]
    put(tmp_path, more, "answers-2.jsonl")
    result = go(tmp_path)
    assert (result.counts.errors, result.counts.waiting) == (2, 10)
    reasons = {v.provenance.request_key: v.reason for v in iter_verdicts(tmp_path / "out")}
    assert reasons.keys() == again
    assert all(reason.startswith("truncated:") for reason in reasons.values())


def test_what_is_asked_again_is_handed_on_in_its_turn(tmp_path: Path) -> None:
    go(tmp_path)
    first = rows(tmp_path)[0]["custom_id"]
    put(tmp_path, [{"custom_id": first, "answer": answer_text(level="0.3")}])
    result = go(tmp_path)
    assert (result.counts.waiting, result.counts.made) == (12, 0)
    asked = {row["custom_id"]: row for row in rows(tmp_path, "asked.jsonl")}
    [again] = list(asked)[12:]
    assert (asked[again]["submission"], asked[again]["sau"]) == (
        asked[first]["submission"],
        asked[first]["sau"],
    )
    [row] = [row for row in rows(tmp_path) if row["custom_id"] == again]
    roles = [message["role"] for message in row["body"]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    put(tmp_path, [{"custom_id": again, "answer": answer_text(level="0.25")}], "answers-2.jsonl")
    result = go(tmp_path)
    assert (result.counts.graded, result.counts.waiting) == (1, 11)
    [verdict] = iter_verdicts(tmp_path / "out")
    assert (verdict.level, verdict.flags) == (1, ("reasked_off_scale",))


def test_an_answer_is_known_after_the_folder_is_gone(tmp_path: Path) -> None:
    go(tmp_path)
    put(tmp_path, [completion(row["custom_id"], answer_text()) for row in rows(tmp_path)])
    assert go(tmp_path).exit_code == 0
    made = plan(tmp_path, exchange(tmp_path / "elsewhere"), output=tmp_path / "again")
    result = asyncio.run(run_plan(made))
    assert (result.exit_code, result.counts.hits, result.counts.graded) == (0, 12, 12)


def test_a_file_of_requests_is_split_where_it_grows_too_large(tmp_path: Path) -> None:
    folder = ExchangeFolder(tmp_path, max_lines=3, max_bytes=200)
    for number in range(7):
        folder.ask(f"id{number}", {"custom_id": f"id{number}"})
    folder.ask("id0", {"custom_id": "id0"})
    folder.ask("wide", {"custom_id": "wide", "body": "x" * 180})
    folder.ask("on its way", None)
    names = [file.name for file in folder.close()]
    assert names == ["requests.jsonl", "requests-2.jsonl", "requests-3.jsonl", "requests-4.jsonl"]
    assert names == [file.name for file in request_files(tmp_path)]
    sizes = [len(file.read_bytes().splitlines()) for file in request_files(tmp_path)]
    assert sizes == [3, 3, 1, 1]
    assert len(folder.waiting) == 9
    assert [file.name for file in tmp_path.glob(".*")] == []


def test_the_folder_has_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "exchange").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="a folder, and a file is there"):
        asyncio.run(exchange(tmp_path).judge(_any_request(tmp_path)))
    with pytest.raises(InputError, match=r"judge\.exchange"):
        make_judge(JudgeSettings(kind="exchange", model="m"))
    with pytest.raises(InputError, match=r"judge\.model"):
        make_judge(JudgeSettings(kind="exchange", exchange="x"))


def _any_request(folder: Path) -> Any:
    from tests.judge.asking import question

    return exchange(folder).request(question())


KEYS = [
    *("custom_id", "answer", "model", "response", "status_code", "body", "error", "result"),
    *("type", "message", "choices", "content", "usage"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_line_does_more_than_be_malformed(value: Any) -> None:
    for data in (value, {"custom_id": "x", "response": {"status_code": 200, "body": value}}):
        try:
            line = read_answer_line(json.dumps(data).encode())
        except MalformedLineError:
            continue
        assert (line.answer is None) == bool(line.failure)
