"""A run: every pair once, errors apart, trouble contained, nothing asked that is known."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark import InputError
from judge.ledger import LedgerError
from judge.parsing import ParsedAnswer
from judge.pipeline import RunPlan, RunResult, run_plan
from judge.progress import SilentReporter
from judge.protocol import Answer, AnswerError, FatalProviderError
from judge.store import RunStore, iter_attempts, iter_verdicts, read_run
from judge.verdict import Status, Verdict
from retrieval.evidence import RetrievalSettings
from tests.judge.toys import TRAIN, Here, Wire, answer_text, bench, hand_in, plan

KILLS = pytest.mark.skipif(os.name != "posix", reason="SIGKILL")


def go(made: RunPlan, reporter: SilentReporter | None = None) -> RunResult:
    return asyncio.run(run_plan(made, reporter=reporter))


def lines(made: RunPlan) -> int:
    return len((made.output / "verdicts.jsonl").read_bytes().splitlines())


def mischief(folder: Path, word: str, submission: str = "agent0/paper1") -> None:
    (folder / "in" / submission / "mischief.py").write_text(word + "\n", encoding="utf-8")


def by_submission(made: RunPlan) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for verdict in iter_verdicts(made.output):
        found.setdefault(verdict.submission, []).append(verdict)
    return found


def test_a_judge_here_gives_every_pair_one_verdict(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    result = go(made)
    assert (result.exit_code, result.errors, result.counts.graded) == (0, 0, 12)
    run = read_run(made.output)
    assert len(run.verdicts) == lines(made) == 12
    verdict = run.verdicts[0]
    assert (verdict.level, verdict.score, verdict.provenance.judge) == (2, 0.5, "here")
    assert verdict.citations[0].state == "verified"
    assert verdict.provenance.input_key
    assert verdict.provenance.prompt_hash is None
    assert run.meta.state == "complete"
    assert run.meta.judge is not None
    assert run.meta.judge.identity == {"version": 1}
    assert run.meta.versions["diskcache"]
    assert run.submissions[0].meta == {"scaffold": "toy"}
    assert (run.submissions[0].files, run.submissions[0].digest != "") == (1, True)
    summary = json.loads((made.output / "summary.json").read_text(encoding="utf-8"))
    assert summary["all"]["counts"]["graded"] == 12
    assert not made.cache.exists()


def test_a_second_run_makes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan(tmp_path, Here())
    go(made)
    monkeypatch.setattr("retrieval.index.Index.build", None)
    result = go(made)
    assert (result.exit_code, result.counts.kept, result.counts.made) == (0, 12, 0)
    assert lines(made) == 12


def test_workers_give_the_same_as_a_thread(tmp_path: Path) -> None:
    alone = plan(tmp_path, Here())
    one = plan(tmp_path, Here(), output=tmp_path / "one", workers=1)
    many = plan(tmp_path, Here(), output=tmp_path / "many", workers=3)
    for each in (alone, one, many):
        go(each)

    def told(path: Path) -> list[dict[str, object]]:
        rows = [verdict.model_dump(mode="json") for verdict in read_run(path).verdicts]
        return [{**row, "provenance": {**row["provenance"], "time": ""}} for row in rows]

    assert told(alone.output) == told(one.output) == told(many.output)


def test_what_changed_is_judged_again_and_said(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    go(made)
    (tmp_path / "in" / "agent1" / "paper0" / "train.py").write_text(
        TRAIN + "\nNEW = 1\n", encoding="utf-8"
    )
    reporter = SilentReporter()
    result = go(made, reporter)
    assert (result.counts.kept, result.counts.renewed, result.counts.graded) == (9, 3, 3)
    assert any(
        "3 earlier verdicts were" in text and "1 repository changed" in text
        for text in reporter.notes
    )
    assert lines(made) == 15
    assert len(list(iter_verdicts(made.output))) == 12

    for change, word in (
        ({"judge": Here(version=2)}, "the judge"),
        ({"retrieval": RetrievalSettings(budget_tokens=1000), "config": {"retrieval": 1}},
         "the retrieval settings"),
    ):  # fmt: skip
        made = replace(made, **change)  # type: ignore[arg-type]
        reporter = SilentReporter()
        assert go(made, reporter).counts.renewed == 12
        assert any(word in text for text in reporter.notes)
        assert any(word in text for text in read_run(made.output).meta.notes)
    assert len(list(iter_verdicts(made.output))) == 12


def test_another_version_of_the_claims_is_an_error(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    go(made)
    with pytest.raises(InputError, match="another version of the claims"):
        go(replace(made, benchmark=bench(claims=4)))


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("raise", "judge_failed: RecursionError: too deep"),
        pytest.param("die", "worker_died: killed (signal 9)", marks=KILLS),
        ("hang", "timeout: not done after 2 s"),
        ("babble", "bad_json: "),
    ],
)
def test_one_bad_submission_costs_only_itself(tmp_path: Path, word: str, reason: str) -> None:
    seconds = 2.0 if word == "hang" else 60.0
    made = plan(tmp_path, Here(), workers=1, submission_seconds=seconds)
    mischief(tmp_path, word)
    result = go(made)
    assert (result.exit_code, result.errors, result.counts.graded) == (3, 3, 9)
    found = by_submission(made)
    for verdict in found.pop("agent0/paper1"):
        assert verdict.status is Status.ERROR
        assert verdict.level is None
        assert verdict.reason.startswith(reason)
    assert all(verdict.level == 2 for rest in found.values() for verdict in rest)
    assert read_run(made.output).meta.state == "incomplete"

    (tmp_path / "in" / "agent0" / "paper1" / "mischief.py").unlink()
    again = go(made)
    assert (again.exit_code, again.counts.kept, again.counts.graded) == (0, 9, 3)


@KILLS
def test_a_worker_that_dies_once_is_replaced(tmp_path: Path) -> None:
    made = plan(tmp_path, Here(), workers=2)
    mischief(tmp_path, f"die_once {tmp_path / 'mark'}")
    assert go(made).exit_code == 0
    assert (tmp_path / "mark").exists()


def test_a_missing_folder_costs_only_itself(tmp_path: Path) -> None:
    made = plan(tmp_path, Here())
    gone = replace(made.submissions[0], root=tmp_path / "nowhere")
    made = replace(made, submissions=(gone, *made.submissions[1:]))
    result = go(made)
    assert (result.exit_code, result.counts.errors) == (3, 3)
    run = read_run(made.output)
    assert run.submissions[0].error.startswith("unreadable: ")


def test_an_index_that_fails_costs_only_its_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from retrieval.index import Index

    build = Index.build

    def picky(repository: object) -> Index:
        if any("'paper1'" in file.text for file in repository.files):  # type: ignore[attr-defined]
            raise MemoryError
        return build(repository)  # type: ignore[arg-type]

    monkeypatch.setattr(Index, "build", picky)
    result = go(plan(tmp_path, Here()))
    assert (result.exit_code, result.counts.graded, result.counts.errors) == (3, 6, 6)


# ---- over a wire -----------------------------------------------------------------------------


def test_a_wire_is_asked_once_for_each_pair(tmp_path: Path) -> None:
    wire = Wire()
    made = plan(tmp_path, wire)
    result = go(made)
    assert result.exit_code == 0
    assert len(wire.asked) == len(set(wire.asked)) == 12
    assert wire.closed
    assert (result.counts.requests, result.counts.hits) == (12, 0)
    assert result.counts.cost_usd == pytest.approx(0.12)
    verdict = read_run(made.output).verdicts[0]
    provenance = verdict.provenance
    assert (provenance.model, provenance.model_returned) == ("wire-1", "wire-1-2026")
    assert (provenance.rung, provenance.parameters) == ("json_schema", {"seed": 3})
    assert provenance.prompt_hash
    assert provenance.request_key
    assert provenance.cached is False
    assert verdict.evidence is not None
    attempts = list(iter_attempts(made.output))
    assert {a.request_key for a in attempts} == {
        v.provenance.request_key for v in iter_verdicts(made.output)
    }
    assert all(a.answer is not None and a.answer.text == answer_text() for a in attempts)


def test_a_second_run_asks_nothing_and_another_directory_takes_from_the_cache(
    tmp_path: Path,
) -> None:
    made = plan(tmp_path, Wire())
    go(made)
    again = Wire()
    assert go(replace(made, judge=again)).counts.kept == 12
    assert again.asked == []
    elsewhere = replace(made, judge=again, output=tmp_path / "elsewhere")
    result = go(elsewhere)
    assert again.asked == []
    assert (result.exit_code, result.counts.hits, result.counts.cost_usd) == (0, 12, 0.0)
    assert all(v.provenance.cached for v in iter_verdicts(elsewhere.output))
    assert all(v.provenance.usage.cost_usd == 0.01 for v in iter_verdicts(elsewhere.output))


def test_answers_in_the_ledger_are_used_when_the_verdict_was_lost(tmp_path: Path) -> None:
    made = plan(tmp_path, Wire())
    go(made)
    (made.output / "verdicts.jsonl").write_bytes(b"")
    again = Wire()
    result = go(replace(made, judge=again, cache=tmp_path / "new cache"))
    assert again.asked == []
    assert (result.exit_code, result.counts.graded, result.counts.hits) == (0, 12, 12)


def test_identical_requests_in_flight_are_asked_once(tmp_path: Path) -> None:
    wire = Wire(per_submission=False, delay=0.05)
    result = go(plan(tmp_path, wire, concurrency=12))
    assert sorted(wire.asked) == sorted({("", sau.id) for sau in bench().saus})
    assert (result.counts.graded, result.counts.requests, result.counts.hits) == (12, 6, 6)


def test_no_more_than_allowed_are_in_flight(tmp_path: Path) -> None:
    wire = Wire(delay=0.01)
    go(plan(tmp_path, wire, concurrency=3, benchmark=bench(claims=8)))
    assert wire.most_flying == 3


def test_bad_answers_are_errors_kept_out_of_the_cache_and_tried_again(tmp_path: Path) -> None:
    bad = bench().saus[0].id
    worse = bench().saus[1].id
    odd = bench().saus[2].id
    wire = Wire(
        {
            bad: answer_text(level=0.3),
            worse: AnswerError(
                "truncated", "cut off", attempts=3, answer=Answer("{", model="wire-1-2026")
            ),
            odd: answer_text(level="1"),
        }
    )
    made = plan(tmp_path, wire, max_errors_share=1.0)
    result = go(made)
    assert (result.exit_code, result.counts.errors, result.counts.abstained) == (3, 4, 2)
    by_claim = {v.sau: v for v in iter_verdicts(made.output)}
    assert by_claim[bad].reason.startswith("off_scale: ")
    assert by_claim[worse].reason.startswith("truncated: ")
    assert by_claim[worse].provenance.attempts == 6  # the question and what was wrong with it
    assert by_claim[worse].provenance.request_key
    assert by_claim[odd].reason.startswith("contradiction: level 1 with drift")
    outcomes = {a.outcome for a in iter_attempts(made.output)}
    assert outcomes == {"answer", "truncated", "gave_up"}
    assert result.counts.unpriced == 4

    good = Wire()
    again = go(replace(made, judge=good))
    assert again.exit_code == 0
    assert sorted(sau for _, sau in good.asked) == sorted([bad, bad, worse, worse])
    assert len(list(iter_verdicts(made.output))) == 12


def test_half_characters_of_an_answer_are_kept_in_a_form_that_can_be(tmp_path: Path) -> None:
    wire = Wire({bench().saus[0].id: answer_text().replace("another", "\ud83d \udcff")})
    made = plan(tmp_path, wire)
    assert go(made).exit_code == 0
    assert any("\ufffd" in v.rationale for v in iter_verdicts(made.output))


def test_a_run_that_stands_still_says_what_it_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.running._QUIET_SECONDS", 0.05)
    reporter = SilentReporter()
    go(plan(tmp_path, Wire(delay=0.3)), reporter)
    told = [text for text in reporter.notes if text.startswith("nothing has moved")]
    assert any("agent0/paper0 paper0-D1-001 (" in text for text in told)


def test_a_provider_that_refuses_everything_stops_the_run_at_once(tmp_path: Path) -> None:
    benchmark = bench(claims=15)
    wire = Wire({benchmark.saus[5].id: FatalProviderError("bad key")}, delay=0.01)
    made = plan(tmp_path, wire, benchmark=benchmark, concurrency=2)
    result = go(made)
    assert (result.exit_code, result.reason) == (4, "bad key")
    assert len(wire.asked) < 30
    run = read_run(made.output)
    assert (run.meta.state, run.meta.reason) == ("stopped", "bad key")
    assert len(run.verdicts) == len(wire.asked) - 1
    good = Wire()
    assert go(replace(made, judge=good)).exit_code == 0
    assert len(good.asked) == 60 - len(run.verdicts)


def test_a_run_that_mostly_fails_is_stopped(tmp_path: Path) -> None:
    benchmark = bench(papers=1, claims=20)
    broken = {sau.id: AnswerError("timeout", "no answer") for sau in benchmark.saus}
    wire = Wire(broken, delay=0.001)
    made = plan(tmp_path, wire, benchmark=benchmark, concurrency=2, max_errors_share=0.5)
    result = go(made)
    assert result.exit_code == 3
    assert "max_errors_share" in result.reason
    assert 20 <= len(wire.asked) < 30


def test_an_unknown_price_is_not_nothing(tmp_path: Path) -> None:
    result = go(plan(tmp_path, Wire({bench().saus[0].id: AnswerError("empty", "")})))
    assert result.counts.unpriced == 0
    assert "unknown" not in result.counts.cost()
    counts = result.counts
    counts.unpriced = 2
    assert counts.cost() == "$0.1000 + 2 answers of unknown price"


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_on_the_wire(tmp_path: Path, number: int) -> None:
    wire = Wire(delay=0.3)
    made = plan(tmp_path, wire, benchmark=bench(claims=10), concurrency=4)

    def interrupt() -> None:
        while wire.flying < 4:
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    thread = threading.Thread(target=interrupt)
    thread.start()
    result = go(made)
    thread.join()
    assert result.exit_code == 130
    run = read_run(made.output)
    assert run.meta.state == "stopped"
    assert len(run.verdicts) == len(wire.asked) < 40
    again = Wire()
    assert go(replace(made, judge=again)).exit_code == 0
    assert len(again.asked) == 40 - len(wire.asked)


def test_damage_in_the_cache_is_told_and_asked_again(tmp_path: Path) -> None:
    import sqlite3

    made = plan(tmp_path, Wire())
    go(made)
    connection = sqlite3.connect(made.cache / "cache.db")
    connection.execute("UPDATE Cache SET mode = 4 WHERE rowid = 1")
    connection.commit()
    connection.close()
    wire = Wire()
    result = go(replace(made, judge=wire, output=tmp_path / "elsewhere"))
    assert (result.exit_code, len(wire.asked), len(result.damage)) == (0, 1, 1)


def test_workers_prepare_for_a_wire_too(tmp_path: Path) -> None:
    wire = Wire()
    benchmark = bench(papers=3)
    made = plan(
        tmp_path,
        wire,
        benchmark=benchmark,
        submissions=hand_in(tmp_path / "in", benchmark, agents=3),
        workers=2,
        concurrency=2,
    )
    result = go(made)
    assert (result.exit_code, result.counts.graded, len(wire.asked)) == (0, 27, 27)


def test_a_fault_of_the_program_costs_one_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from judge import questioning

    check = questioning.check

    def picky(parsed: ParsedAnswer, *args: object, **kwargs: object) -> object:
        if parsed.rationale == "odd":
            raise KeyError("unforeseen")
        return check(parsed, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(questioning, "check", picky)
    wire = Wire({bench().saus[0].id: answer_text(rationale="odd")})
    made = plan(tmp_path, wire, max_errors_share=1.0)
    result = go(made)
    assert (result.exit_code, result.counts.graded, result.counts.errors) == (3, 10, 2)
    reasons = {v.reason for v in iter_verdicts(made.output) if v.status is Status.ERROR}
    assert reasons == {"judge_failed: KeyError: 'unforeseen'"}


def test_a_ledger_that_cannot_be_written_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: RunStore, attempts: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(RunStore, "append_attempts", full)
    wire = Wire(delay=0.01)
    with pytest.raises(LedgerError, match="no space left"):
        go(plan(tmp_path, wire, benchmark=bench(claims=20), concurrency=2))
    assert len(wire.asked) < 10


def test_a_damaged_ledger_is_an_error_before_anything_is_asked(tmp_path: Path) -> None:
    made = plan(tmp_path, Wire())
    go(made)
    ledger = made.output / "attempts.jsonl"
    ledger.write_bytes(b"{]\n" + ledger.read_bytes())
    wire = Wire()
    with pytest.raises(InputError, match=r"attempts\.jsonl:1"):
        go(replace(made, judge=wire))
    assert wire.asked == []
    assert wire.closed


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_workers_that_hang(tmp_path: Path) -> None:
    made = plan(tmp_path, Here(), workers=2)
    mischief(tmp_path, "hang")

    def interrupt() -> None:
        verdicts = made.output / "verdicts.jsonl"
        while not verdicts.exists() or len(verdicts.read_bytes().splitlines()) < 9:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    result = go(made)
    thread.join()
    assert (result.exit_code, result.counts.graded) == (130, 9)
    assert read_run(made.output).meta.state == "stopped"
