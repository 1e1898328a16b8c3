"""Several claims a request: ids one for one, singles for what went wrong, nothing asked twice."""

from __future__ import annotations

import asyncio
import gc
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Benchmark, Dimension, Paper, Sau
from judge.claim_batches import as_part, parts_of, shares
from judge.ledger import LedgerError
from judge.models.adapting import forget
from judge.pipeline import RunPlan, RunResult, run_plan
from judge.planning import estimate
from judge.posing import Pending, groups_of
from judge.protocol import Answer, AnswerError, Request
from judge.question_settings import QuestionSettings
from judge.quoting import Seller, quote
from judge.records import Attempt
from judge.store import RunStore, iter_attempts, iter_verdicts
from judge.verdict import EvidenceNote, Status, Usage, Verdict
from prompts.batch import BATCH_SCHEMA, batch_hash, batch_ids, render_batch
from prompts.render import VERSIONS
from retrieval.values import Evidence
from tests.judge.asking import judge_at, prompt
from tests.judge.toys import answer_fields, hand_in, plan
from tests.servers.fake_provider import FakeProvider

kinds = pytest.mark.parametrize("kind", ["openai", "responses", "anthropic"])
LEVELS = {"0": ("methodological", "missing"), "0.25": ("numerical", "mismatch")}
LEVELS |= {"0.5": ("numerical", "mismatch"), "1": ("none", "none")}


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def claims(count: int, dimension: Dimension = Dimension.D1) -> tuple[Sau, ...]:
    name = dimension.value
    return tuple(
        Sau(f"toy-{name}-{n:02}", "toy", dimension, f"The {name} rate number {n:02} is 3e-4")
        for n in range(count)
    )


def right(number: int) -> str:
    return list(LEVELS)[number % len(LEVELS)]


def answers(count: int) -> list[dict[str, Any]]:
    """The right answer to each claim, so that one given to another claim is seen."""
    made = []
    for number in range(count):
        level = right(number)
        drift, failure = LEVELS[level]
        fields = answer_fields(level=level, drift=drift, failure=failure)
        fields["citations"] = fields["citations"] if level != "0" else []
        made.append({"when": f"rate number {number:02}", "answer": fields})
    return made


def planned(folder: Path, judge: Any, saus: tuple[Sau, ...], **changes: Any) -> RunPlan:
    benchmark = Benchmark("toys", (Paper("toy", saus),))
    size = changes.pop("size", 3)
    question = QuestionSettings(claims_per_request=size, **changes.pop("question", {}))
    made = plan(
        folder,
        judge,
        benchmark=benchmark,
        submissions=hand_in(folder / "in", benchmark, agents=1),
        question=question,
        max_errors_share=1.0,
    )
    return replace(made, **changes)


def go(made: RunPlan) -> RunResult:
    return asyncio.run(run_plan(made))


def verdicts(made: RunPlan) -> dict[str, Verdict]:
    return {verdict.sau: verdict for verdict in iter_verdicts(made.output)}


def all_right(found: dict[str, Verdict], count: int) -> bool:
    return all(
        found[f"toy-D1-{n:02}"].score == float(right(n)) and not found[f"toy-D1-{n:02}"].reason
        for n in range(count)
    )


@kinds
@pytest.mark.parametrize("context", ["whole", "retrieve"])
def test_claims_are_asked_together_and_each_gets_its_own_answer(
    kind: str, context: Any, tmp_path: Path
) -> None:
    saus = (*claims(7), *claims(2, Dimension.D2))
    with FakeProvider({"answers": answers(7)}) as server:
        made = planned(tmp_path, judge_at(kind, server.url), saus, question={"context": context})
        before = asyncio.run(estimate(made))
        # Seven of one kind by threes, and two of another.
        assert (before.calls, before.answers) == (4, 9)
        assert sorted(miss.claims for miss in before.misses) == [1, 2, 3, 3]
        result = go(made)
        assert (result.exit_code, result.counts.requests) == (0, 4)
        assert len(server.asked) == 4
        assert max(server.counts["asked"].values()) == 1
        assert asyncio.run(estimate(made)).calls == 0
        # Another run directory finds every claim's answer in the cache.
        again = go(replace(made, output=tmp_path / "again"))
        assert (again.counts.requests, again.counts.hits) == (0, 9)
        asked = next(one.text for one in server.asked if one.text.count("# Claim") == 3)
    found = verdicts(made)
    assert all_right(found, 7)
    assert {sau for sau, one in found.items() if "asked_together" not in one.flags} == {"toy-D1-06"}
    assert asked.count("Grade this claim.") == 3
    assert 'exactly one entry for each of the claims "c1", "c2", "c3"' in asked
    one = found["toy-D1-00"].provenance
    assert not one.cached
    assert sum(v.provenance.attempts for v in found.values()) == 4
    whole = sum(row.answer.usage.output_tokens or 0 for row in iter_attempts(made.output)
                if row.answer and row.answer.text.startswith('{"verdicts"'))  # fmt: skip
    parts = sum(
        v.provenance.usage.output_tokens or 0 for v in found.values() if "asked_together" in v.flags
    )
    assert parts == whole


@pytest.mark.parametrize("fate", ["missing", "twice", "unknown", "off_scale"])
def test_a_part_that_is_wrong_is_asked_for_alone(fate: str, tmp_path: Path) -> None:
    script = {"answers": answers(4), "spoil": {"rate number 01": fate}}
    with FakeProvider(script) as server:
        made = planned(tmp_path, judge_at("openai", server.url), claims(4), size=4)
        assert go(made).exit_code == 0
        texts = [asked.text for asked in server.asked]
    found = verdicts(made)
    assert all_right(found, 4)
    assert "asked_together" not in found["toy-D1-01"].flags
    assert "asked_together" in found["toy-D1-02"].flags
    assert len(texts) == 2
    assert ["# Claim" in text for text in texts] == [True, False]
    assert "rate number 01" in texts[1]
    # The key of an answer to a claim alone is that of a run that asks them all alone.
    with FakeProvider() as server:
        alone = planned(
            tmp_path,
            judge_at("openai", server.url),
            claims(4),
            size=1,
            output=tmp_path / "alone",
        )
        single = asyncio.run(estimate(alone))
    assert single.calls == 4  # another port is another endpoint


@pytest.mark.parametrize(
    "trouble",
    [
        {"kind": "truncated"},
        {"kind": "thought_only"},
        {"kind": "refusal"},
        {"kind": "empty"},
        {"kind": "wrong_json"},
        {"kind": "status", "status": 400, "message": "prompt is too long: 9 tokens > 8 maximum"},
        {"kind": "status", "status": 400, "message": "max_tokens is too large: 12288"},
    ],
    ids=lambda trouble: str(trouble.get("message", trouble["kind"]))[:20],
)
def test_an_answer_that_is_none_leaves_singles(trouble: dict[str, Any], tmp_path: Path) -> None:
    script = {"answers": answers(6), "weather": [{**trouble, "when": "# Claim"}]}
    with FakeProvider(script) as server:
        made = planned(tmp_path, judge_at("openai", server.url), claims(6), concurrency=1)
        result = go(made)
        assert result.exit_code == 0
        sizes = Counter(asked.text.count("# Claim") for asked in server.asked)
    assert all_right(verdicts(made), 6)
    # Where the room is at fault no other is tried; else the second three go together.
    assert sizes == ({3: 1, 0: 6} if trouble["kind"] == "status" else {3: 2, 0: 3})


def test_what_follows_an_answer_is_about_its_claim_alone(tmp_path: Path) -> None:
    script = {
        "answers": [
            {"when": "none of yours does", "answer": answer_fields()},
            {
                "when": "rate number 01",
                "answer": answer_fields(
                    citations=[{"path": "train.py", "first": 3, "last": 3, "quote": "invented"}]
                ),
            },
            *answers(3),
        ]
    }
    with FakeProvider(script) as server:
        made = planned(tmp_path, judge_at("openai", server.url), claims(3))
        assert go(made).exit_code == 0
        batch, follow_up = server.asked
    assert "# Claim" in batch.text
    assert "# Claim" not in follow_up.text
    assert [message["role"] for message in follow_up.body["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    said = json.loads(follow_up.body["messages"][2]["content"])
    assert said["citations"][0]["quote"] == "invented"
    found = verdicts(made)["toy-D1-01"]
    assert "reasked_no_verified_quote" in found.flags
    assert found.provenance.attempts == 1  # its part of the first request was counted with c1


def test_room_and_price_are_those_of_several_answers(tmp_path: Path) -> None:
    with FakeProvider() as server:
        judge = judge_at("openai", server.url, max_output_tokens=1000, reasoning_tokens=400)
        made = planned(tmp_path, judge, claims(5), size=5)
        before = asyncio.run(estimate(made))
        go(made)
        (asked,) = server.asked
    assert asked.body["max_tokens"] == 2000 + 800
    assert before.misses[0].cap == 2800
    assert before.output_range == (5 * before.output.low, 5 * before.output.high)
    made_quote = quote(before, Seller("openai", "gpt-5-mini"))
    alone = asyncio.run(
        estimate(planned(tmp_path, judge, claims(5), size=1, output=tmp_path / "x"))
    )
    assert alone.output_range == before.output_range
    assert before.input_tokens < alone.input_tokens
    assert made_quote.calls == 1


def test_the_same_question_about_two_submissions_is_paid_for_once(tmp_path: Path) -> None:
    with FakeProvider({"answers": answers(4)}) as server:
        made = planned(tmp_path, judge_at("openai", server.url), claims(4), size=4)
        (one,) = made.submissions
        made = replace(made, submissions=(one, replace(one, id="agent1/toy", agent="agent1")))
        result = go(made)
        assert (result.exit_code, len(server.asked)) == (0, 1)
    found = list(iter_verdicts(made.output))
    assert len(found) == 8
    assert sum(not verdict.provenance.cached for verdict in found) == 4
    assert sum(v.provenance.attempts for v in found if not v.provenance.cached) == 1


def test_after_a_kill_nothing_is_asked_again(tmp_path: Path) -> None:
    """The answer to several is on the disk before its parts are, and a run may end in between."""
    with FakeProvider({"answers": answers(6)}) as server:
        made = planned(tmp_path, judge_at("openai", server.url), claims(6))
        go(made)
        # Only the whole answers are left, and no verdict.
        ledger = made.output / "attempts.jsonl"
        rows = ledger.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [row for row in rows if "verdicts" in json.loads(row)["answer"]["text"]]
        assert 0 < len(kept) < len(rows)
        ledger.write_text("".join(kept), encoding="utf-8")
        (made.output / "verdicts.jsonl").write_text("", encoding="utf-8")
        result = go(replace(made, cache=tmp_path / "empty"))
        assert (result.exit_code, result.counts.requests) == (0, 0)
        assert len(server.asked) == 2
    assert all_right(verdicts(made), 6)


def test_what_is_left_of_a_group_is_asked_together(tmp_path: Path) -> None:
    with FakeProvider({"answers": answers(4)}) as server:
        judge = judge_at("openai", server.url)
        made = planned(tmp_path, judge, claims(4), size=4)
        go(made)
        rows = (made.output / "verdicts.jsonl").read_text(encoding="utf-8").splitlines(True)
        # Two have their verdict; of the others there is no trace.
        (made.output / "verdicts.jsonl").write_text("".join(rows[:2]), encoding="utf-8")
        (made.output / "attempts.jsonl").write_text("", encoding="utf-8")
        assert go(replace(made, cache=tmp_path / "empty")).counts.requests == 1
        assert server.asked[-1].text.count("# Claim") == 2
    assert all_right(verdicts(made), 4)


def test_repeats_and_panels_ask_together_too(tmp_path: Path) -> None:
    from judge.models.panel import Member, PanelJudge

    with FakeProvider({"answers": answers(3)}) as server:
        one = judge_at("openai", server.url, model="one")
        other = judge_at("anthropic", server.url, model="other")
        judge = PanelJudge([Member(one, 2), Member(other)], quorum=2)
        made = planned(tmp_path, judge, claims(3))
        before = asyncio.run(estimate(made))
        assert (before.calls, [part.calls for part in before.parts]) == (3, [2, 1])
        assert go(made).exit_code == 0
        assert len(server.asked) == 3
    found = verdicts(made)
    assert all_right(found, 3)
    assert all("asked_together" in said.flags for said in found["toy-D1-01"].members)


def test_a_batch_of_a_vendor_may_hold_them(tmp_path: Path) -> None:
    from judge.batching import collect, submit
    from tests.judge.test_batching import PATIENCE, configured

    with FakeProvider() as server:
        config = configured(tmp_path, "openai", server.url, prompt={"claims_per_request": 4})
        sent = asyncio.run(submit(config, patience=PATIENCE))
        assert sent.submitted == 2  # six claims by fours
        done = asyncio.run(collect(config, patience=PATIENCE))
        assert done.result is not None
        assert (done.result.exit_code, done.missing) == (0, 0)
    assert {v.status for v in iter_verdicts(config.output.path)} == {Status.GRADED}


# ---- the parts -----------------------------------------------------------------------------------


def batch(entries: list[Any]) -> Answer:
    return Answer(json.dumps({"verdicts": entries}))


def test_parts_are_taken_by_their_names_alone() -> None:
    one, two = ({"id": f"c{n}", **answer_fields(found=f"part {n}")} for n in (1, 2))
    swapped = parts_of(batch([two, one]), 2)
    assert json.loads(swapped["c1"])["found"] == "part 1"
    assert json.loads(swapped["c2"])["found"] == "part 2"
    assert parts_of(batch([one, {**one, "level": "1"}, two]), 2).keys() == {"c2"}
    assert parts_of(batch([one, {**two, "id": "c3"}]), 2).keys() == {"c1"}
    assert parts_of(batch([one, {**two, "extra": 1}, "c2", None]), 2).keys() == {"c1"}
    assert parts_of(batch([]), 2) == {}
    for text in ("[]", '{"verdicts": 1}', '{"verdicts": [], "more": 1}', "no JSON", ""):
        with pytest.raises(AnswerError):
            parts_of(Answer(text), 2)


@given(st.lists(st.sampled_from(["c1", "c2", "c3", "c4", "x", "", None, 3]), max_size=8))
@settings(max_examples=200, deadline=None)
def test_a_part_is_taken_if_and_only_if_its_name_is_there_once(names: list[Any]) -> None:
    entries = [{"id": name, **answer_fields(found=str(n))} for n, name in enumerate(names)]
    got = parts_of(batch(entries), 3)
    expected = {name for name in ("c1", "c2", "c3") if names.count(name) == 1}
    assert got.keys() == expected
    for name in expected:
        assert json.loads(got[name])["found"] == str(names.index(name))


@given(st.lists(st.sampled_from(list(Dimension)), max_size=30), st.integers(1, 8))
def test_groups_hold_claims_of_one_kind_and_all_of_them(
    dimensions: list[Dimension], size: int
) -> None:
    saus = [Sau(f"s{n}", "p", dimension, "c") for n, dimension in enumerate(dimensions)]
    groups = groups_of(saus, size)
    assert groups.keys() == {sau.id for sau in saus}
    by_id = {sau.id: sau for sau in saus}
    for id_, group in groups.items():
        others = [name.split()[0] for name in group]
        assert id_ in others
        assert 1 <= len(group) <= size
        assert all(groups[other] == group for other in others)
        assert len({by_id[other].dimension for other in others}) == 1
    if saus:
        # Another claim beside it makes another question of a claim.
        edited = groups_of([replace(saus[0], claim="d"), *saus[1:]], size)
        assert {id_ for id_ in groups if groups[id_] != edited[id_]} == {
            name.split()[0] for name in groups[saus[0].id]
        }


def test_questions_that_do_not_belong_together_are_not_put_together() -> None:
    with pytest.raises(ValueError, match="several submissions"):
        render_batch([prompt(), prompt(shared="another")])
    with pytest.raises(ValueError, match="more than 8"):
        render_batch([prompt()] * 9)
    assert render_batch([prompt(version="v1")]).schema is BATCH_SCHEMA
    assert batch_ids(2) == ("c1", "c2")
    with pytest.raises(ValueError, match="claims_per_request"):
        QuestionSettings(claims_per_request=9)


@given(
    lengths=st.lists(st.integers(1, 5000), min_size=1, max_size=8),
    tokens=st.integers(0, 10**6),
    cost=st.floats(0, 100),
)
def test_what_several_claims_took_is_the_sum_of_what_each_took(
    lengths: list[int], tokens: int, cost: float
) -> None:
    usage = Usage(input_tokens=tokens, output_tokens=tokens // 3, cost_usd=cost, seconds=2.0)
    parts = shares(usage, lengths)
    assert len(parts) == len(lengths)
    assert sum(part.input_tokens or 0 for part in parts) == tokens
    assert sum(part.output_tokens or 0 for part in parts) == tokens // 3
    assert sum(part.cost_usd or 0.0 for part in parts) == pytest.approx(cost)
    assert all(part.cached_tokens is None and part.seconds == 2.0 for part in parts)
    assert shares(usage, []) == []


def test_other_words_around_several_claims_are_another_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sau, note = claims(1)[0], EvidenceNote(complete=True, tokens=1)
    asked = prompt(version=VERSIONS[-1])
    one = Pending(sau, "", Evidence((), ""), asked, note, group=("a 1", "b 2"))
    single = Request({"messages": ["the claim's own question"]})
    before = as_part(single, one).key
    assert as_part(single, one).key == before
    assert as_part(single, replace(one, group=("a 1", "b 3"))).key != before
    batch_hash.cache_clear()
    monkeypatch.setattr("prompts.batch.template_source", lambda version, name: "Judge all of them.")
    try:
        assert as_part(single, one).key != before
    finally:
        batch_hash.cache_clear()


def test_a_full_disk_costs_no_answer_and_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    append = RunStore.append_attempts

    def full(store: RunStore, rows: Iterable[Attempt]) -> None:
        given = list(rows)
        if not given[0].attempts:  # a part: the whole answer is there already
            raise OSError(28, "No space left on device")
        append(store, given)

    with FakeProvider({"answers": answers(4)}) as server:
        made = planned(tmp_path, judge_at("openai", server.url), claims(4), size=4)
        with monkeypatch.context() as patch:
            patch.setattr(RunStore, "append_attempts", full)
            with pytest.raises(LedgerError, match="No space left"):
                go(made)
        gc.collect()
        assert [one.message for one in caplog.records if one.name == "asyncio"] == []
        again = go(made)
        assert (again.exit_code, again.counts.requests, len(server.asked)) == (0, 0, 1)
    assert all_right(verdicts(made), 4)


def test_a_fenced_answer_to_several_is_not_measured_as_one_answer(tmp_path: Path) -> None:
    with FakeProvider({"answers": answers(24)}) as server:
        made = planned(tmp_path, judge_at("openai", server.url), claims(24), size=4)
        go(made)
        before = asyncio.run(estimate(made)).output
        assert before.answers == 24
        ledger = made.output / "attempts.jsonl"
        rows = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
        for row in rows:
            row["answer"]["text"] = f"```json\n{row['answer']['text']}\n```"
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
        ledger.write_text(text, encoding="utf-8")
        assert asyncio.run(estimate(made)).output == before
