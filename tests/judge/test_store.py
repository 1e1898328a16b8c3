"""A run directory survives kills, tells damage by file and line, and mixes nothing in silence."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, InputError, Sau
from judge.lines import AppendFile, iter_lines, mend
from judge.records import StoredAnswer
from judge.store import (
    Attempt,
    RunMeta,
    RunStore,
    SubmissionNote,
    iter_attempts,
    iter_verdicts,
    read_run,
)
from judge.verdict import Provenance, Status, Verdict

SAUS = [Sau(f"{paper}-{n}", paper, Dimension.D1, f"value {n}") for paper in "pq" for n in range(3)]
META = RunMeta(name="bench", claims_version="", started="2026-11-01T00:00:00Z")


def verdict(
    submission: str = "a/p",
    sau: str = "p-0",
    *,
    level: int | None = 2,
    status: Status = Status.GRADED,
    key: str = "k1",
    rationale: str = "",
) -> Verdict:
    graded = status is Status.GRADED
    return Verdict(
        submission=submission,
        agent=submission.split("/", maxsplit=1)[0],
        paper=submission.rsplit("/", maxsplit=1)[-1],
        sau=sau,
        dimension=Dimension.D1,
        status=status,
        level=level if graded else None,
        drift="numerical" if graded else None,
        failure="mismatch" if graded else None,
        rationale=rationale,
        reason="" if graded else "timeout: no answer",
        provenance=Provenance(judge="j", provider="scripted", input_key=key),
    )


def note(id_: str = "a/p", digest: str = "d1") -> SubmissionNote:
    agent, paper = id_.split("/")
    return SubmissionNote(id=id_, agent=agent, paper=paper, digest=digest)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    with RunStore.open(path, META, SAUS) as store:
        store.append_submission(note())
        store.append_submission(note("b/q"))
        store.append_verdict(verdict("b/q", "q-1", level=4))
        store.append_verdict(verdict("a/p", "p-1", status=Status.ERROR))
        store.append_verdict(verdict("a/p", "p-0"))
    return path


def test_what_was_written_is_read(folder: Path) -> None:
    run = read_run(folder)
    assert run.meta.name == "bench"
    assert list(run.saus) == [sau.id for sau in SAUS]
    assert run.saus["q-2"] == SAUS[5]
    assert [n.id for n in run.submissions] == ["a/p", "b/q"]
    assert [(v.submission, v.sau) for v in run.verdicts] == [
        ("a/p", "p-0"), ("a/p", "p-1"), ("b/q", "q-1"),
    ]  # fmt: skip
    assert run.notes == ()


def test_a_later_verdict_replaces_and_nothing_is_deleted(folder: Path) -> None:
    with RunStore.open(folder, META, SAUS) as store:
        store.append_verdict(verdict("a/p", "p-1", level=3, key="k2"))
        assert store.settled()["a/p", "p-1"].input_key == "k2"
        assert store.settled()["a/p", "p-1"].status is Status.GRADED
    assert [v.level for v in read_run(folder).verdicts] == [2, 3, 4]
    assert len((folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_an_agent_that_was_renamed_is_still_the_same_pair(folder: Path) -> None:
    renamed = verdict("a/p", "p-0", level=0).model_copy(update={"agent": "other"})
    with RunStore.open(folder, META, SAUS) as store:
        store.append_verdict(renamed)
    assert [v.agent for v in iter_verdicts(folder) if v.sau == "p-0"] == ["other"]


def test_the_first_start_is_kept(folder: Path) -> None:
    later = META.model_copy(update={"started": "2027-01-01T00:00:00Z"})
    with RunStore.open(folder, later, SAUS) as store:
        assert store.previous is not None
        store.update_meta(state="complete", finished="2027-01-01T00:01:00Z")
    meta = read_run(folder).meta
    assert (meta.started, meta.state) == ("2026-11-01T00:00:00Z", "complete")


@pytest.mark.parametrize("tail", [b'{"submission":"a/p","ag', b"\0\0\0\0", b"\0\0\0\n", b"{]\n"])
@pytest.mark.parametrize("name", ["verdicts.jsonl", "submissions.jsonl", "attempts.jsonl"])
def test_a_torn_last_line_is_cut_off_and_kept_aside(folder: Path, name: str, tail: bytes) -> None:
    file = folder / name
    whole = file.read_bytes()
    file.write_bytes(whole + tail)
    with RunStore.open(folder, META, SAUS) as store:
        assert [torn.path.name for torn in store.torn] == [name]
        assert name in str(store.torn[0])
        store.append_verdict(verdict("a/p", "p-2"))
    assert file.read_bytes().startswith(whole)
    assert (folder / f"{name}.torn").read_bytes().rstrip(b"\n") == tail.rstrip(b"\n")
    run = read_run(folder)
    assert len(run.verdicts) == 4
    assert any(name in text for text in run.meta.notes)


def test_a_run_that_is_being_written_can_be_read(folder: Path) -> None:
    with (folder / "verdicts.jsonl").open("ab") as file:
        file.write(b'{"submission":"a/p"')
    run = read_run(folder)
    assert len(run.verdicts) == 3
    assert run.notes == ("verdicts.jsonl: the last line is not whole and was left out",)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"not json", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b"{}", "no key 'submission'"),
        (b'{"submission":"a/p","agent":"a","paper":"p","sau":"p-2","level":9}', "dimension"),
        (b"\xff\xfe", "not JSON"),
        (b'{"submission":' + b"[" * 100_000, "not JSON"),
    ],
)
def test_a_damaged_line_is_named_with_its_number(folder: Path, line: bytes, problem: str) -> None:
    file = folder / "verdicts.jsonl"
    rows = file.read_bytes().splitlines()
    file.write_bytes(b"\n".join([rows[0], line, *rows[1:]]) + b"\n")
    with pytest.raises(InputError, match=problem) as caught:
        read_run(folder)
    assert caught.value.where.line == 2
    assert caught.value.where.path == str(file)
    assert "Remove this line" in caught.value.remedy


def test_damage_stops_a_run_from_going_on(folder: Path) -> None:
    file = folder / "verdicts.jsonl"
    file.write_bytes(b"{]\n" + file.read_bytes())
    with RunStore.open(folder, META, SAUS) as store, pytest.raises(InputError, match=":1"):
        store.settled()


def test_newer_formats_are_refused(folder: Path) -> None:
    file = folder / "verdicts.jsonl"
    rows = file.read_text(encoding="utf-8").splitlines()
    rows[1] = rows[1].replace('"format":1', '"format":2')
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"jsonl:2: this was written in format 2"):
        read_run(folder)
    meta = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(json.dumps({**meta, "format": 7}), encoding="utf-8")
    with pytest.raises(InputError, match="format 7"):
        read_run(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"format": "x"}', "{", "[" * 99_999])
def test_a_file_that_is_no_run_is_one_clear_error(folder: Path, text: str) -> None:
    (folder / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="does not describe a run"):
        read_run(folder)


def test_folders_that_are_no_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"not a run: it has no run\.json"):
        read_run(tmp_path)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"not empty \(it holds 'notes\.txt'\)"):
        RunStore.open(tmp_path, META, SAUS)
    with pytest.raises(InputError, match="is a file"):
        RunStore.open(tmp_path / "notes.txt", META, SAUS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt"]


def test_a_verdict_without_its_claim_or_submission(folder: Path) -> None:
    with RunStore.open(folder, META, SAUS) as store:
        store.append_verdict(verdict("c/p", "p-0"))
    with pytest.raises(InputError, match="submission 'c/p'"):
        read_run(folder)


def test_other_claims_are_refused_and_new_papers_are_added(folder: Path) -> None:
    changed = [*SAUS[:-1], Sau("q-2", "q", Dimension.D1, "another value")]
    with pytest.raises(InputError, match=r"version of the claims of 'q' \(the claim 'q-2'"):
        RunStore.open(folder, META, changed)
    with pytest.raises(InputError, match="version of the claims of 'q'"):
        RunStore.open(folder, META, SAUS[:-1])
    more = [Sau("r-0", "r", Dimension.D2, "new")]
    with RunStore.open(folder, META, more):
        pass
    run = read_run(folder)
    assert list(run.saus) == [*(sau.id for sau in SAUS), "r-0"]
    assert sorted(run.meta.paper_versions) == ["p", "q", "r"]


def test_a_choice_of_a_paper_s_claims_may_be_widened(tmp_path: Path) -> None:
    meta = META.model_copy(update={"paper_versions": {"p": "v1", "q": "v1"}})
    with RunStore.open(tmp_path / "run", meta, SAUS[:1]):
        pass
    with RunStore.open(tmp_path / "run", meta, SAUS):
        pass
    assert len(read_run(tmp_path / "run").saus) == 6
    other = META.model_copy(update={"paper_versions": {"p": "v2", "q": "v1"}})
    with pytest.raises(InputError, match="version of the claims of 'p'"):
        RunStore.open(tmp_path / "run", other, SAUS)


def test_what_a_kill_left_half_replaced_is_cleared_away(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.mkdir()
    (path / ".run.json.123.new").write_text('{"na', encoding="utf-8")
    (path / ".lock").touch()
    with RunStore.open(path, META, SAUS):
        pass
    assert not (path / ".run.json.123.new").exists()
    assert len(read_run(path).saus) == 6


def test_a_second_writer_is_refused(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from judge.store import *\n"
        "from benchmark import InputError\n"
        "try: RunStore.open(Path(sys.argv[1]), RunMeta(name='x', claims_version=''), [])\n"
        "except InputError as error: print(error)"
    )
    command = [sys.executable, "-c", code, str(folder)]
    root = Path(__file__).parents[2]
    with RunStore.open(folder, META, SAUS):
        told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert "another process is writing to this run" in told.stdout
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert told.stdout == ""


def test_submissions_are_noted_once_until_they_change(folder: Path) -> None:
    with RunStore.open(folder, META, SAUS) as store:
        store.append_submission(note())
        store.append_submission(note(digest="d2"))
    assert len((folder / "submissions.jsonl").read_bytes().splitlines()) == 3
    assert [n.digest for n in read_run(folder).submissions] == ["d2", "d1"]


def test_answers_of_an_earlier_run_are_found_again(folder: Path) -> None:
    def attempt(key: str, outcome: str, text: str) -> Attempt:
        answer = StoredAnswer(text=text)
        return Attempt(request_key=key, outcome=outcome, submission="a/p", sau="p-0", answer=answer)

    with RunStore.open(folder, META, SAUS) as store:
        store.append_attempts(
            [
                attempt("k1", "answer", "first"),
                attempt("k1", "answer", "second"),
                attempt("k2", "truncated", "cut"),
                attempt("k3", "gave_up", ""),
                attempt("k4", "off_scale", "bad"),
                attempt('k"5', "answer", "a key that JSON escapes"),
                attempt('k"6', "answer", "another"),
            ]
        )
    assert len(list(iter_attempts(folder))) == 7
    with RunStore.open(folder, META, SAUS) as store:
        store.index_answers()
        for key, text in (("k1", "second"), ("k2", "cut"), ('k"5', "a key that JSON escapes")):
            found = store.paid_answer(key)
            assert found is not None
            assert (found[0].answer, found[1]) == (StoredAnswer(text=text), False)
        assert store.paid_answer("k3") is None
        assert store.paid_answer("k4") is None
        store.append_attempts([attempt("k2", "gave_up", "")])
    with RunStore.open(folder, META, SAUS) as store:
        store.index_answers()
        found = store.paid_answer("k2")
        assert found is not None
        assert found[1]


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.text(max_size=30), max_size=5),
    cut=st.integers(0, 400),
)
def test_whatever_is_cut_off_whole_lines_stay(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str], cut: int
) -> None:
    file = tmp_path_factory.mktemp("cut") / "rows.jsonl"
    writer = AppendFile(file)
    writer.append(json.dumps({"text": row}).encode() for row in rows)
    writer.close()
    whole = file.read_bytes()
    kept = whole[: min(cut, len(whole))]
    file.write_bytes(kept)
    mend(file)
    expected = kept[: kept.rfind(b"\n") + 1]
    assert file.read_bytes() == expected
    assert mend(file) is None
    texts = [json.loads(line.data)["text"] for line in iter_lines(file)]
    assert texts == rows[: len(texts)]


def test_many_verdicts_stream_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "run"
    line = verdict("SUBMISSION", "SAU", rationale="r" * 1500).model_dump_json()
    with RunStore.open(path, META, SAUS) as store:
        store.append_verdicts(
            line.replace("SUBMISSION", f"a{n % 1000}/p").replace("SAU", f"p-{n // 1000}").encode()
            for n in range(30_000)
        )
    tracemalloc.start()
    try:
        assert sum(1 for _ in iter_verdicts(path)) == 30_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (path / "verdicts.jsonl").stat().st_size > 50 << 20
    assert peak < 25 << 20
