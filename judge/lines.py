"""Append-only files of JSON objects, one a line: written so that a kill loses nothing before it.

A line is handed to the system in one piece, so a killed process leaves whole lines and at most one
torn one at the end, which `mend` cuts off and keeps beside the file.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmark import InputError, Where

__all__ = [
    "AppendFile",
    "Line",
    "Torn",
    "iter_lines",
    "latest_offsets",
    "line_at",
    "mend",
    "sync_folder",
    "write_atomically",
]

_TAIL = 1 << 16


@dataclass(frozen=True, slots=True)
class Line:
    """One whole line: its number from 1, its byte offset, its bytes without the line's end."""

    number: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Torn:
    """What was cut off the end of a file: how many bytes, and where they are kept."""

    path: Path
    bytes: int
    kept_in: Path

    def __str__(self) -> str:
        return (
            f"{self.path.name}: the last line was torn by a kill or a power loss; "
            f"its {self.bytes} bytes were moved to {self.kept_in.name}"
        )


class AppendFile:
    """A file that only grows.

    Every append reaches the system at once, so it survives the death of the process. It survives
    a power loss after the next `sync`. An append that fails halfway leaves nothing behind, so that
    what is appended next starts on a line of its own. Appends and syncs may come from two threads.

    Args:
        path: The file; made when it is not there.
        sync_seconds: With 0 each append waits for the disk. With more, an append that comes so
            long after the last one that did begins to, beside whatever goes on; `None` leaves it
            to `sync`.
    """

    def __init__(self, path: Path, *, sync_seconds: float | None = 0.0) -> None:
        self.path = path
        self._sync_seconds = sync_seconds
        fresh = not path.exists()
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _BINARY, 0o644)
        self._synced = time.monotonic()
        self._dirty = False
        self._torn = False
        self._aside: Future[None] | None = None
        self._thread: ThreadPoolExecutor | None = None
        if fresh:
            sync_folder(path.parent)

    def append(self, records: Iterable[bytes]) -> None:
        """Append records, each one line of JSON without its end.

        Raises:
            OSError: They cannot be written, and nothing of them is there; an earlier append could
                not be undone, and nothing is appended any more; or what was appended earlier did
                not reach the disk.
        """
        data = b"".join(record + b"\n" for record in records)
        if not data:
            return
        if self._torn:
            problem = "an earlier line is torn, and nothing can follow it"
            raise OSError(errno.EIO, problem, str(self.path))
        size = os.fstat(self._fd).st_size
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except BaseException:
            self._cut_back(size)
            raise
        self._dirty = True
        due = self._sync_seconds
        if due == 0:
            self.sync()
        elif due is not None and time.monotonic() - self._synced >= due:
            self._sync_aside()

    def _cut_back(self, size: int) -> None:
        """Take back what was written of an append that failed."""
        try:
            os.ftruncate(self._fd, size)
        except OSError:
            self._torn = True

    def sync(self) -> None:
        """Wait until all that was appended is on the disk itself.

        Raises:
            OSError: It cannot be put there.
        """
        self._join_aside()
        self._synced = time.monotonic()
        if self._dirty:
            # Before it is done: what is appended meanwhile is not on the disk yet.
            self._dirty = False
            try:
                os.fsync(self._fd)
            except BaseException:
                self._dirty = True
                raise

    def _sync_aside(self) -> None:
        """Begin to wait for the disk in a thread, unless one does already."""
        if self._aside is not None and not self._aside.done():
            return
        self._join_aside()
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"sync {self.path.name}")
        self._synced = time.monotonic()
        self._dirty = False
        self._aside = self._thread.submit(os.fsync, self._fd)

    def _join_aside(self) -> None:
        aside, self._aside = self._aside, None
        if aside is not None:
            try:
                aside.result()
            except BaseException:
                self._dirty = True
                raise

    def close(self) -> None:
        """Sync and close; a second call does nothing."""
        if self._fd >= 0:
            try:
                self.sync()
            finally:
                if self._thread is not None:
                    self._thread.shutdown()
                os.close(self._fd)
                self._fd = -1


def iter_lines(path: Path) -> Iterator[Line]:
    """Yield the whole lines of a file; a torn last line is left out, a missing file is empty."""
    if not path.exists():
        return
    offset = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.endswith(b"\n"):
                return
            yield Line(number, offset, raw[:-1])
            offset += len(raw)


def line_at(path: Path, offset: int) -> bytes:
    """Return the line that starts at a byte offset, without its end."""
    with path.open("rb") as file:
        file.seek(offset)
        return file.readline().removesuffix(b"\n")


def latest_offsets(
    path: Path, identity: tuple[str, ...], *, leading: tuple[str, ...]
) -> dict[tuple[str, ...], Line]:
    """Find the last line for each value of some string keys.

    Args:
        path: The file.
        identity: The keys that identify a record.
        leading: The keys that a line usually begins with, `identity` among them: such a line is
            recognised without parsing it.

    Returns:
        For each identity its latest line, with empty `data`; in the order of those lines.

    Raises:
        InputError: A line is not a JSON object with these keys.
    """
    prefix = re.compile(
        rb"\{"
        + rb",".join(rb'"%s":"([^"\\\x00-\x1f]*)"' % key.encode() for key in leading)
        + rb"[,}]"
    )
    positions = tuple(leading.index(key) for key in identity)
    latest: dict[tuple[str, ...], Line] = {}
    for line in iter_lines(path):
        name = None
        if match := prefix.match(line.data):
            parts = match.groups()
            # Bytes that are no text are left to the parser, which tells them by their line.
            with contextlib.suppress(UnicodeDecodeError):
                name = tuple(parts[position].decode() for position in positions)
        if name is None:
            record = parse_line(path, line)
            try:
                name = tuple(str(record[key]) for key in identity)
            except KeyError as error:
                raise damaged(path, line.number, f"there is no key {error}") from None
        latest.pop(name, None)
        latest[name] = Line(line.number, line.offset, b"")
    return latest


def parse_line(path: Path, line: Line) -> dict[str, object]:
    """Parse a line as one JSON object.

    Raises:
        InputError: It is none.
    """
    try:
        record = json.loads(line.data)
    except (ValueError, RecursionError) as error:
        raise damaged(path, line.number, f"not JSON ({error})") from None
    if not isinstance(record, dict):
        raise damaged(path, line.number, "not a JSON object")
    return record


def damaged(path: Path, number: int, problem: str) -> InputError:
    """Return the error for a line that cannot be read."""
    return InputError(
        f"the line is damaged: {problem}",
        where=Where(str(path), line=number),
        remedy="Remove this line, keeping a copy; what it held is then judged again",
    )


def mend(path: Path) -> Torn | None:
    """Cut a torn last line off a file and keep it in `<name>.torn`.

    Torn is a last line without its end, or one that is no JSON: after a power loss the file's
    length may be on the disk before its bytes are.
    """
    if not path.exists() or not (size := path.stat().st_size):
        return None
    with path.open("rb+") as file:
        start = _start_of_last_line(file.fileno(), size)
        file.seek(start)
        last = file.read()
        if last.endswith(b"\n"):
            try:
                json.loads(last)
            except (ValueError, RecursionError):
                pass
            else:
                return None
        kept_in = path.with_name(path.name + ".torn")
        with kept_in.open("ab") as aside:
            aside.write(last.removesuffix(b"\n") + b"\n")
            aside.flush()
            os.fsync(aside.fileno())
        file.truncate(start)
        file.flush()
        os.fsync(file.fileno())
    return Torn(path, len(last), kept_in)


def _start_of_last_line(fd: int, size: int) -> int:
    """Return the offset where the last line starts, whether or not it has its end."""
    position = size - 1  # a line's end at the very end belongs to the last line
    while position > 0:
        begin = max(0, position - _TAIL)
        os.lseek(fd, begin, os.SEEK_SET)
        block = os.read(fd, position - begin)
        found = block.rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        position = begin
    return 0


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's text so that a reader or a kill sees the old one or the new one."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.new")
    with aside.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    sync_folder(path.parent)


_BINARY = getattr(os, "O_BINARY", 0)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable, where the system can."""
    if os.name != "posix":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
