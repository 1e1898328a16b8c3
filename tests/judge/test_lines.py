"""Files of lines: found by their keys whatever the keys hold, and never poisoned by a full disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, InputError, Sau
from judge.lines import AppendFile, iter_lines, latest_offsets, line_at
from judge.store import RunStore, SubmissionNote, iter_verdicts
from judge.summary import summarise
from judge.verdict import Provenance, Status, Verdict
from tests.judge.test_store import META

LEADING = ("submission", "agent", "paper", "sau")
ODD = st.sampled_from(
    ['"', "\\", "\\u0041", "\n", "\x00", "\x7f", "é", "𝕏", "\u2028", ',"sau":"x"']
)
IDS = st.lists(st.one_of(ODD, st.text(st.characters(exclude_categories=["Cs"]), max_size=3)),
               min_size=1, max_size=3).map("".join)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(rows=st.lists(st.tuples(IDS, IDS, IDS, IDS, st.booleans()), max_size=8))
def test_the_last_line_of_each_pair_is_found_as_a_parser_finds_it(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str, str, bool]]
) -> None:
    file = tmp_path_factory.mktemp("ids") / "rows.jsonl"
    file.write_bytes(
        b"".join(
            json.dumps(
                dict(zip(LEADING, names, strict=True)),
                ensure_ascii=escaped,
                separators=(",", ":"),
            ).encode()
            + b"\n"
            for *names, escaped in rows
        )
    )
    expected: dict[tuple[str, str], bytes] = {}
    for line in iter_lines(file):
        record = json.loads(line.data)
        expected[record["submission"], record["sau"]] = line.data
    found = latest_offsets(file, ("submission", "sau"), leading=LEADING)
    assert {name: line_at(file, line.offset) for name, line in found.items()} == expected


@settings(max_examples=40, deadline=None)
@given(agents=st.sets(IDS, min_size=1, max_size=4), saus=st.sets(IDS, min_size=1, max_size=3))
def test_verdicts_of_any_id_are_counted(
    tmp_path_factory: pytest.TempPathFactory, agents: set[str], saus: set[str]
) -> None:
    path = tmp_path_factory.mktemp("run") / "run"
    claims = {sau: Sau(sau, "p", Dimension.D1, "a value") for sau in saus}
    notes = [SubmissionNote(id=f"{agent}/p", agent=agent, paper="p") for agent in agents]
    with RunStore.open(path, META, claims.values()) as store:
        for level in (1, 4):
            for note in notes:
                for sau in saus:
                    store.append_verdict(
                        Verdict(
                            submission=note.id,
                            agent=note.agent,
                            paper="p",
                            sau=sau,
                            dimension=Dimension.D1,
                            status=Status.GRADED,
                            level=level,
                            provenance=Provenance(judge="j", provider="scripted"),
                        )
                    )
        assert len(store.settled()) == len(notes) * len(saus)
    summary = summarise(iter_verdicts(path), claims, notes, draws=10)
    assert summary.all.counts.graded == len(notes) * len(saus)
    assert summary.all.counts.missing == 0
    assert summary.all.mean_over_saus.value == 1


def test_an_id_that_is_no_text_is_damage_and_not_another_id(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    line = b'{"submission":"%s","agent":"a","paper":"p","sau":"1"}\n'
    file.write_bytes(line % b"a" + line % b"\xff" + line % b"\xfe")
    with pytest.raises(InputError, match=r"rows\.jsonl:2"):
        latest_offsets(file, ("submission", "sau"), leading=LEADING)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let files of this process grow to a size and no further, as on a disk that is full."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_append_that_fails_halfway_leaves_nothing_and_the_next_is_whole(tmp_path: Path) -> None:
    file = AppendFile(tmp_path / "rows.jsonl")
    file.append([b'{"a":1}'])
    with room_for(12), pytest.raises(OSError, match="too large"):
        file.append([b'{"a":2}', b'{"a":3}'])
    assert file.path.read_bytes() == b'{"a":1}\n'
    file.append([b'{"a":4}'])
    file.close()
    assert [json.loads(line.data)["a"] for line in iter_lines(file.path)] == [1, 4]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_nothing_follows_an_append_that_cannot_be_undone() -> None:
    file = AppendFile(Path("/dev/full"))
    with pytest.raises(OSError, match="No space left"):
        file.append([b'{"a":1}'])
    with pytest.raises(OSError, match="an earlier line is torn"):
        file.append([b'{"a":2}'])
    file.close()


def test_appends_go_on_while_the_disk_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived = threading.Event()

    def slow(_: int) -> None:
        assert arrived.wait(20)

    file = AppendFile(tmp_path / "rows.jsonl", sync_seconds=1e-9)
    monkeypatch.setattr("judge.lines.os.fsync", slow)
    for number in range(5):
        file.append([b"%d" % number])
    assert [line.data for line in iter_lines(file.path)] == [b"0", b"1", b"2", b"3", b"4"]
    arrived.set()
    file.close()


def test_a_disk_that_fails_beside_the_work_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> None:
        raise OSError(5, "Input/output error")

    file = AppendFile(tmp_path / "rows.jsonl", sync_seconds=1e-9)
    monkeypatch.setattr("judge.lines.os.fsync", broken)
    file.append([b"1"])
    with pytest.raises(OSError, match="Input/output error"):
        file.sync()
    with pytest.raises(OSError, match="Input/output error"):
        file.close()
