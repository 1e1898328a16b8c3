"""The answers cache: what was paid for once is never paid for again.

It lies on diskcache, whose own disks unpickle what they read (CVE-2025-69872): whoever can write
one row of the file can then run code in the reader. Here nothing is pickled and nothing is
unpickled: keys are strings, values are compressed JSON in the row itself, and a row of any other
make is damage. Damage is a miss that is told, never an error that stops a run.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import diskcache
from diskcache.core import DEFAULT_SETTINGS, METADATA, MODE_RAW
from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from benchmark import GraderError, InputError, Where
from judge.records import StoredAnswer
from judge.turns import Turns

__all__ = ["AnswerCache", "CacheDamageError"]

_DATABASE = "cache.db"
_TURNS = "cache.db.turns"
_MAX_STORED = 16 << 20
_MAX_JSON = 64 << 20
_TIMEOUT = 60.0

_SETTINGS: dict[str, Any] = {
    **DEFAULT_SETTINGS,
    "eviction_policy": "none",
    "size_limit": 1 << 62,
    "cull_limit": 0,
    "sqlite_synchronous": 2,  # FULL: an answer that was put is there after a power loss
    "sqlite_cache_size": 1024,  # pages of 4 kB, a connection: rows are read once each
    "sqlite_mmap_size": 0,  # a file cut short under a memory map kills the process
    "disk_min_file_size": 0,
    "disk_pickle_protocol": 0,
}
_TABLES = {"Settings", "Cache", "sqlite_sequence", "sqlite_stat1"}
_TRIGGERS = {
    "Settings_count_insert",
    "Settings_count_delete",
    "Settings_size_insert",
    "Settings_size_update",
    "Settings_size_delete",
}


class CacheDamageError(GraderError):
    """A row of the cache is not one that this program wrote."""


class _JsonRows(diskcache.Disk):  # type: ignore[misc]
    """Rows of string keys and compressed JSON; no pickle and no files, in either direction."""

    def put(self, key: object) -> tuple[str, bool]:
        """Return the row's form of a key."""
        if type(key) is not str:
            raise TypeError(f"a cache key is a string, not {type(key).__name__}")
        return key, True

    def get(self, key: object, raw: object) -> str:
        """Return the key of a row."""
        if type(key) is not str or raw != 1:
            raise CacheDamageError("a key is not plain text")
        return key

    def store(
        self,
        value: object,
        read: bool,
        key: object = None,  # noqa: ARG002
    ) -> tuple[int, int, None, bytes]:
        """Return the row's form of a value: size, mode, no file, bytes."""
        if read:
            raise TypeError("the cache stores JSON values, not open files")
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        if len(text) > _MAX_JSON:
            raise ValueError(f"an answer of {len(text):,} characters is too large to keep")
        return 0, MODE_RAW, None, zlib.compress(text.encode("ascii"), 6)

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> Any:  # noqa: ANN401
        """Return the value of a row."""
        if mode != MODE_RAW or filename is not None or read or type(value) is not bytes:
            raise CacheDamageError(
                f"a row is stored as {type(value).__name__} in mode {mode!r}"
                + (f" in a file {str(filename)[:80]!r}" if filename is not None else "")
            )
        if len(value) > _MAX_STORED:
            raise CacheDamageError(f"a row holds {len(value):,} bytes")
        stream = zlib.decompressobj()
        try:
            data = stream.decompress(value, _MAX_JSON)
        except zlib.error as error:
            raise CacheDamageError(f"a row does not decompress ({error})") from None
        if not stream.eof or stream.unused_data:
            raise CacheDamageError(f"a row is cut short or holds more than {_MAX_JSON:,} bytes")
        try:
            return json.loads(data, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise CacheDamageError(f"a row is not JSON ({error})") from None

    def filename(self, key: object = None, value: object = None) -> NoReturn:  # noqa: ARG002
        """There are no files."""
        raise CacheDamageError("the cache keeps no files")

    def remove(self, file_path: object) -> None:
        """Remove nothing: no row has a file, so a row that names one was tampered with."""


class _Row(BaseModel):
    """A value: the answer, and once more the key, so that a row put under another key is seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    answer: StoredAnswer

    @field_validator("key")
    @classmethod
    def _is_asked_for(cls, key: str, info: ValidationInfo) -> str:
        if info.context is not None and key != info.context:
            raise ValueError("the answer is to another request")
        return key


class AnswerCache:
    """Answers by the key of their exact request, shared by every run and process on a machine.

    Args:
        path: The folder; made with mode 0700 when it is not there.

    Attributes:
        damage: What was found damaged, for people; such a row counts as not there.
        turns: Who is asking what, among the processes that share the cache.

    Raises:
        InputError: The folder is something else, belongs to somebody else, or its database is
            broken as a whole.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.damage: list[str] = []
        _prepare_folder(self.path)
        try:
            _examine(self.path / _DATABASE)
            self._rows = diskcache.Cache(
                str(self.path), timeout=_TIMEOUT, disk=_JsonRows, **_SETTINGS
            )
        except sqlite3.Error as error:
            raise _broken(self.path, str(error)) from None
        except OSError as error:
            raise InputError(
                f"the cache cannot be opened ({error})",
                where=Where(str(self.path)),
                remedy="Choose another folder, or mend the disk or the permissions",
            ) from None
        self.turns = Turns(self.path / _TURNS)

    def get(self, key: str) -> StoredAnswer | None:
        """Return the answer to the request with this key, or `None`."""
        try:
            record = self._rows.get(key, retry=True)
            if record is None:
                return None
            return _Row.model_validate(record, context=key).answer
        except ValidationError:
            self._note(key, "a row is not an answer to this request")
        except (CacheDamageError, sqlite3.Error, diskcache.Timeout) as error:
            self._note(key, str(error))
        return None

    def put(self, key: str, answer: StoredAnswer) -> None:
        """Keep an answer; see `put_all`."""
        self.put_all([(key, answer)])

    def put_all(self, answers: Sequence[tuple[str, StoredAnswer]]) -> None:
        """Keep answers by their keys; they are on the disk itself when this returns.

        They go in together and wait for the disk once. What cannot be written is noted as damage:
        the answer is in the run's ledger.
        """
        try:
            with self._rows.transact():
                for key, answer in answers:
                    record = _Row(key=key, answer=answer).model_dump(mode="json")
                    with self._noting(key, ValueError):
                        self._rows.set(key, record)
        except (sqlite3.Error, diskcache.Timeout) as error:
            # The database as a whole: what one could not do the others could not.
            for key, _ in answers:
                self._note(key, f"an answer could not be kept ({str(error) or 'it is locked'})")

    @contextlib.contextmanager
    def _noting(self, key: str, kind: type[Exception]) -> Iterator[None]:
        try:
            yield
        except kind as error:
            self._note(key, f"an answer could not be kept ({error})")

    def __len__(self) -> int:
        """How many rows there are, damaged ones included."""
        with contextlib.closing(_connect(self.path / _DATABASE)) as connection:
            ((count,),) = connection.execute("SELECT COUNT(*) FROM Cache").fetchall()
        return int(count)

    def close(self) -> None:
        """Close this thread's connection; each thread that used the cache closes its own."""
        self._rows.close()
        self.turns.close()

    def __enter__(self) -> AnswerCache:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _note(self, key: str, problem: str) -> None:
        self.damage.append(f"{self.path.name}, key {key[:12]}: {problem}")


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _prepare_folder(path: Path) -> None:
    """Make the folder, for its owner only; never make somebody's other folder private."""
    if os.path.expandvars(path) != str(path):
        raise InputError(
            "the cache folder's name holds what reads like an environment variable",
            where=Where(str(path)),
            remedy="Choose a cache folder without $ or % in its name",
        )
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        strange = sorted(e.name for e in path.iterdir() if not e.name.startswith(_DATABASE))
        if not strange:
            path.chmod(0o700)
            return
    except FileExistsError:
        raise InputError(
            "the cache folder is a file", where=Where(str(path)), remedy="Choose another folder"
        ) from None
    except OSError as error:
        raise InputError(
            f"the cache folder cannot be made private ({error})",
            where=Where(str(path)),
            remedy="Choose a folder of your own",
        ) from None
    raise InputError(
        f"the cache folder holds something else than a cache ({strange[0]!r})",
        where=Where(str(path)),
        remedy="Choose an empty or new folder for the cache",
    )


def _connect(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=_TIMEOUT, isolation_level=None)


def _examine(file: Path) -> None:
    """Look at a database before diskcache does, which turns its settings into statements.

    Settings that are not ours are put right; tables or triggers that are not ours refuse it.
    """
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise _broken(file, "it is not a regular file")
    with contextlib.closing(_connect(file)) as connection:
        for kind, name in connection.execute("SELECT type, name FROM sqlite_master").fetchall():
            known = {"table": _TABLES, "trigger": _TRIGGERS}.get(kind, set())
            if kind != "index" and name not in known:
                raise _broken(file, f"it holds a {kind} {name!r} that is not the cache's")
        if not connection.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Settings'"
        ).fetchall():
            return
        for key, value in connection.execute("SELECT key, value FROM Settings").fetchall():
            if key in METADATA:
                if type(value) is not int:
                    connection.execute("DELETE FROM Settings WHERE key = ?", (key,))
            elif key not in _SETTINGS:
                connection.execute("DELETE FROM Settings WHERE key = ?", (key,))
            elif value != _SETTINGS[key] or type(value) is not type(_SETTINGS[key]):
                connection.execute(
                    "UPDATE Settings SET value = ? WHERE key = ?", (_SETTINGS[key], key)
                )


def _broken(path: Path, problem: str) -> InputError:
    return InputError(
        f"the cache's database is damaged: {problem}",
        where=Where(str(path)),
        remedy="Move it away; answers of earlier runs are still in their attempts.jsonl",
    )
