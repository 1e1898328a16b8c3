"""The answers cache: a round trip costs nothing, and a tampered row is never obeyed."""

from __future__ import annotations

import os
import pickle
import sqlite3
import stat
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError
from judge.cache import AnswerCache
from judge.records import StoredAnswer
from judge.verdict import Usage

KEY = "ab" * 32


def answer(text: str = '{"level": "1"}') -> StoredAnswer:
    return StoredAnswer(
        text=text,
        model="m-2026",
        request_id="r1",
        rung="json_schema",
        usage=Usage(input_tokens=10, cost_usd=0.25),
        parameters={"seed": 1},
        time="2026-11-01T00:00:00Z",
    )


class Bomb:
    """Unpickling this makes a file: the proof that something was unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return (os.mkdir, (str(self.mark),))


def tamper(folder: Path, **columns: object) -> None:
    connection = sqlite3.connect(folder / "cache.db")
    sets = ", ".join(f"{name} = ?" for name in columns)
    connection.execute(f"UPDATE Cache SET {sets}", tuple(columns.values()))
    connection.commit()
    connection.close()


def execute(folder: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(folder / "cache.db")
    connection.execute(statement, values)
    connection.commit()
    connection.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with AnswerCache(tmp_path / "cache") as cache:
        cache.put(KEY, answer())
    return tmp_path / "cache"


def test_an_answer_comes_back_as_it_was(folder: Path) -> None:
    with AnswerCache(folder) as cache:
        assert cache.get(KEY) == answer()
        assert cache.get("cd" * 32) is None
        assert len(cache) == 1
        assert cache.damage == []


def test_a_later_answer_replaces_the_earlier(folder: Path) -> None:
    with AnswerCache(folder) as cache:
        cache.put(KEY, answer("later"))
        stored = cache.get(KEY)
        assert stored is not None
        assert stored.text == "later"
        assert len(cache) == 1


@settings(max_examples=30, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    with AnswerCache(tmp_path_factory.getbasetemp() / "any") as cache:
        cache.put(KEY, answer(text))
        stored = cache.get(KEY)
    assert stored is not None
    assert stored.text == text


def test_answers_that_are_put_together_cost_each_other_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.cache._MAX_JSON", 2_000)
    answers = [("short", answer()), ("long", answer("x" * 3_000))]
    with AnswerCache(folder) as cache:
        cache.put_all([*answers, (KEY, answer("later"))])
        (problem,) = cache.damage
        assert "key long: an answer could not be kept" in problem
    with AnswerCache(folder) as cache:
        assert [cache.get(key) for key, _ in answers] == [answer(), None]
        stored = cache.get(KEY)
        assert stored is not None
        assert stored.text == "later"


def test_a_database_that_another_never_lets_go_is_told_and_not_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.cache._TIMEOUT", 0.05)
    with AnswerCache(folder) as cache:
        other = sqlite3.connect(folder / "cache.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        cache.put_all([("one", answer()), ("two", answer())])
        other.execute("ROLLBACK")
        other.close()
        assert ["locked" in problem for problem in cache.damage] == [True, True]
        cache.put("one", answer())
        assert cache.get("one") == answer()


def test_large_answers_make_no_files(folder: Path) -> None:
    with AnswerCache(folder) as cache:
        cache.put(KEY, answer(os.urandom(200_000).hex()))
        assert cache.get(KEY) is not None
    assert all(path.name.startswith("cache.db") for path in folder.rglob("*"))


@pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX matter")
def test_the_folder_is_private_also_when_it_was_open(folder: Path, tmp_path: Path) -> None:
    folder.chmod(0o755)
    with AnswerCache(folder), AnswerCache(tmp_path / "deep" / "new"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "deep" / "new").stat().st_mode) == 0o700


def test_keys_that_are_not_text_are_refused(folder: Path) -> None:
    with AnswerCache(folder) as cache, pytest.raises(TypeError):
        cache.get(("a", 1))  # type: ignore[arg-type]


def compressed(payload: bytes) -> bytes:
    return zlib.compress(payload)


@pytest.mark.parametrize("file", [False, True], ids=["in the row", "in a file"])
def test_a_pickle_is_never_read(folder: Path, tmp_path: Path, file: bool) -> None:
    mark = tmp_path / "owned"
    payload = pickle.dumps(Bomb(mark))
    if file:
        (folder / "cache.db-x.val").write_bytes(payload)
        tamper(folder, mode=4, value=None, filename="cache.db-x.val")
    else:
        tamper(folder, mode=4, value=payload)
    with AnswerCache(folder) as cache:
        assert cache.get(KEY) is None
        assert "mode 4" in cache.damage[0]
    assert not mark.exists()


@pytest.mark.parametrize("mode", [0, 2, 3, 5, -1, "1x", None])
def test_other_modes_are_damage(folder: Path, mode: object) -> None:
    tamper(folder, mode=mode)
    with AnswerCache(folder) as cache:
        assert cache.get(KEY) is None
        assert len(cache.damage) == 1


@pytest.mark.parametrize("mode", [1, 2, 3, 4])
@pytest.mark.parametrize("how", ["relative", "absolute", "link"])
def test_a_file_name_is_never_followed(folder: Path, tmp_path: Path, mode: int, how: str) -> None:
    target = tmp_path / "secret.txt"
    target.write_bytes(compressed(b'{"key": "%s", "answer": {"text": "x"}}' % KEY.encode()))
    name = {"relative": "../secret.txt", "absolute": str(target), "link": "cache.db-link"}[how]
    if how == "link":
        (folder / name).symlink_to(target)
    tamper(folder, mode=mode, filename=name, value=None)
    with AnswerCache(folder) as cache:
        assert cache.get(KEY) is None
        assert "in a file" in cache.damage[0]
        # Replacing the row must not remove what it names either.
        cache.put(KEY, answer())
        assert cache.get(KEY) == answer()
    assert target.exists()


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"not zlib",
        zlib.compress(b'{"key":')[:-3],
        zlib.compress(b"not json"),
        zlib.compress(b"[" * 100_000),
        zlib.compress(b"null") + b"more",
        zlib.compress(b'{"key": NaN, "answer": {"text": "x"}}'),
        zlib.compress(b'{"key": "other", "answer": {"text": "x"}}'),
        zlib.compress(b'{"key": "%s"}' % KEY.encode()),
        zlib.compress(b'{"key": "%s", "answer": {"text": 3}}' % KEY.encode()),
        zlib.compress(b"[]"),
        zlib.compress(b"\xff\xfe"),
        '{"text": "x"}',
        17,
        None,
    ],
)
def test_corrupt_values_are_damage_and_can_be_replaced(folder: Path, value: object) -> None:
    tamper(folder, value=value)
    with AnswerCache(folder) as cache:
        assert cache.get(KEY) is None
        assert len(cache.damage) == 1
        cache.put(KEY, answer())
        assert cache.get(KEY) == answer()


def test_a_decompression_bomb_is_not_unpacked(folder: Path) -> None:
    packer = zlib.compressobj(9)
    block = b" " * (1 << 20)
    bomb = b"".join([*(packer.compress(block) for _ in range(80)), packer.flush()])
    tamper(folder, value=bomb)
    with AnswerCache(folder) as cache:
        assert cache.get(KEY) is None
        assert "holds more than" in cache.damage[0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("disk_evil", 1),
        ("get", 1),
        ("_disk", "x"),
        ("sqlite_writable_schema", 1),
        ("sqlite_synchronous", "0"),
        ("sqlite_journal_mode", "wal; DROP TABLE Cache"),
        ("eviction_policy", "least-recently-used"),
        ("cull_limit", 1000),
        ("size_limit", 1),
        ("disk_pickle_protocol", "x"),
        ("count", "many"),
        ("statistics", 1),
    ],
)
def test_settings_that_were_tampered_with_are_put_right(
    folder: Path, key: str, value: object
) -> None:
    execute(folder, "INSERT OR REPLACE INTO Settings VALUES (?, ?)", key, value)
    with AnswerCache(folder) as cache:
        assert cache.get(KEY) == answer()
        cache.put("cd" * 32, answer())
        assert len(cache) == 2


def test_foreign_triggers_and_views_refuse_the_database(folder: Path) -> None:
    execute(
        folder,
        "CREATE TRIGGER evil AFTER INSERT ON Cache BEGIN DELETE FROM Cache; END",
    )
    with pytest.raises(InputError, match=r"'evil'.*Move it away"):
        AnswerCache(folder)


def test_a_broken_database_is_one_clear_error(folder: Path) -> None:
    for extra in folder.glob("cache.db-*"):
        extra.unlink()
    (folder / "cache.db").write_bytes(b"this is not a database " * 100)
    with pytest.raises(InputError, match="database is damaged"):
        AnswerCache(folder)


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_linked_database_is_refused(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "cache.db").symlink_to(folder / "cache.db")
    with pytest.raises(InputError, match="not a regular file"):
        AnswerCache(other)


def test_folders_in_use_for_something_else_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    tmp_path.chmod(0o755)
    with pytest.raises(InputError, match=r"notes\.txt"):
        AnswerCache(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    with pytest.raises(InputError, match="is a file"):
        AnswerCache(tmp_path / "notes.txt")


def test_a_name_that_would_be_expanded_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELSEWHERE", str(tmp_path / "elsewhere"))
    with pytest.raises(InputError, match="environment variable"):
        AnswerCache(tmp_path / "$ELSEWHERE")


WORKER = """
import sys
from pathlib import Path
from judge.cache import AnswerCache
from judge.records import StoredAnswer
folder, worker = Path(sys.argv[1]), int(sys.argv[2])
with AnswerCache(folder) as cache:
    for number in range(60):
        cache.put(f"shared-{number}", StoredAnswer(text=f"shared {number}"))
        cache.put(f"own-{worker}-{number}", StoredAnswer(text=f"{worker} {number}"))
        stored = cache.get(f"shared-{number}")
        assert stored is not None and stored.text == f"shared {number}", number
    assert not cache.damage, cache.damage
"""


def test_four_processes_lose_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    root = Path(__file__).parents[2]
    processes = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(folder), str(worker)], cwd=root)
        for worker in range(4)
    ]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0, 0]
    with AnswerCache(folder) as cache:
        assert len(cache) == 60 + 4 * 60
        for worker in range(4):
            for number in range(60):
                stored = cache.get(f"own-{worker}-{number}")
                assert stored is not None
                assert stored.text == f"{worker} {number}"
        assert cache.damage == []
