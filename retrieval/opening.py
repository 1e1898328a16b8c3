"""Folders and files beneath a root, opened without ever leaving it.

Where the system has file descriptors for folders, every name is opened relative to the descriptor
of its folder and no link is followed, so that nothing a racing process puts in the way of the
reader leads out of the root. Elsewhere (Windows) paths are checked before and after opening.
"""

from __future__ import annotations

import errno
import heapq
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from types import TracebackType

__all__ = ["Entry", "EntryKind", "Folder", "Tree", "UnreadableError", "shown"]

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe that took the file's place must not hang the reader
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_DESCRIPTORS = (
    os.open in os.supports_dir_fd
    and os.scandir in os.supports_fd
    and os.readlink in os.supports_dir_fd
    and hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "O_DIRECTORY")
)
_REPARSE_POINT = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0x400)
_WINDOWS_DEVICES = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)")
# Characters that would break a line, hide, or turn the writing direction where a path is shown.
# A fixed list, not `str.isprintable`, which changes with Python's Unicode tables.
_UNSHOWN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)

Folder = tuple[str, ...]
"""Names from the root down; the root itself is `()`."""


class EntryKind(StrEnum):
    """What a name stands for, before it is opened."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "device, pipe or socket"


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder."""

    name: str
    kind: EntryKind


class UnreadableError(Exception):
    """A folder or file is not to be read. The message is the reason, the same on every machine."""


def shown(name: str) -> str:
    """A name as records show it: bytes that are no UTF-8 and unprintable characters escaped."""
    if name.isascii() and name.isprintable():
        return name
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return _UNSHOWN.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


class Tree:
    """Everything beneath a root. Use as a context manager.

    Args:
        root: The root; may itself be a link, since it is the user who names it.
        descriptors: Whether to open relative to folder descriptors; by default where possible.

    Raises:
        OSError: The root cannot be opened as a folder.
    """

    def __init__(self, root: Path, *, descriptors: bool = _DESCRIPTORS) -> None:
        self._root = os.path.realpath(root)
        self._descriptors = descriptors
        self._root_fd = -1
        self._held: tuple[Folder, int] | None = None
        if descriptors:
            self._root_fd = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        else:
            with os.scandir(self._root):
                pass

    def __enter__(self) -> Tree:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of descriptors."""
        self._drop()
        if self._root_fd >= 0:
            os.close(self._root_fd)
            self._root_fd = -1

    def entries(self, folder: Folder, most: int) -> tuple[list[Entry], int]:
        """The first entries of a folder in the order of their names' bytes.

        Args:
            folder: The folder.
            most: How many to give at most; memory is bounded by it.

        Returns:
            The entries, and how many more there are.

        Raises:
            UnreadableError: The folder cannot be listed.
        """
        try:
            place = self._descriptor(folder) if self._descriptors else self._plain_path(folder)
            with os.scandir(place) as scan:
                found = map(_entry, scan)
                first = list(islice(found, most + 1))
                if len(first) <= most:
                    return sorted(first, key=_order), 0
                counted = _Counted(chain(first, found))
                kept = heapq.nsmallest(most, counted, key=_order)
                return kept, counted.count - most
        except OSError as error:
            raise UnreadableError(_reason(error)) from error

    def link_target(self, folder: Folder, name: str) -> str | None:
        """Where a link points, as it is written; `None` where that cannot be read."""
        try:
            if self._descriptors:
                return os.readlink(name, dir_fd=self._descriptor(folder))
            return str(Path(self._path((*folder, name))).readlink())
        except OSError:
            return None

    def read(self, folder: Folder, name: str, most: int) -> bytes:
        """The bytes of a regular file.

        Args:
            folder: Its folder.
            name: Its name.
            most: Its largest size in bytes; never more is read.

        Raises:
            UnreadableError: It is no regular file, too large, or cannot be read.
        """
        try:
            with self._opened(folder, name) as file:
                state = os.fstat(file)
                if not stat.S_ISREG(state.st_mode):
                    raise UnreadableError("not a regular file")
                if state.st_size > most:
                    raise UnreadableError(
                        f"too large: {state.st_size:,} bytes, the limit is {most:,}"
                    )
                return _read(file, most)
        except OSError as error:
            raise UnreadableError(_reason(error)) from error

    @contextmanager
    def _opened(self, folder: Folder, name: str) -> Iterator[int]:
        if self._descriptors:
            file = os.open(name, _FLAGS, dir_fd=self._descriptor(folder))
        else:
            file = self._open_path(folder, name)
        try:
            yield file
        finally:
            os.close(file)

    def _open_path(self, folder: Folder, name: str) -> int:
        if os.name == "nt" and _WINDOWS_DEVICES.match(name):
            raise UnreadableError("a device's name on Windows")
        path = self._path((*folder, name))
        before = os.lstat(path)
        if not stat.S_ISREG(before.st_mode):
            raise UnreadableError("not a regular file")
        file = os.open(path, _FLAGS)
        after = os.fstat(file)
        # A folder on the way may have become a link since: the real path must be the plain one.
        same = (before.st_dev, before.st_ino) == (after.st_dev, after.st_ino)
        if not same or os.path.realpath(path) != path:
            os.close(file)
            raise UnreadableError("it changed while it was opened")
        return file

    def _path(self, folder: Folder) -> str:
        return os.path.join(self._root, *folder)  # noqa: PTH118

    def _plain_path(self, folder: Folder) -> str:
        path = self._path(folder)
        if os.path.realpath(path) != path:
            raise UnreadableError("it changed while it was opened")
        return path

    def _descriptor(self, folder: Folder) -> int:
        """An open descriptor of a folder, kept until another one is asked for."""
        if not folder:
            return self._root_fd
        if self._held is not None and self._held[0] == folder:
            return self._held[1]
        self._drop()
        flags = _FLAGS | os.O_DIRECTORY
        current = os.open(folder[0], flags, dir_fd=self._root_fd)
        for name in folder[1:]:
            try:
                deeper = os.open(name, flags, dir_fd=current)
            finally:
                os.close(current)
            current = deeper
        self._held = (folder, current)
        return current

    def _drop(self) -> None:
        if self._held is not None:
            os.close(self._held[1])
            self._held = None


class _Counted:
    """An iterator that counts what passes."""

    def __init__(self, items: Iterator[Entry]) -> None:
        self._items = items
        self.count = 0

    def __iter__(self) -> _Counted:
        return self

    def __next__(self) -> Entry:
        item = next(self._items)
        self.count += 1
        return item


def _order(entry: Entry) -> bytes:
    return os.fsencode(entry.name)


def _entry(entry: os.DirEntry[str]) -> Entry:
    kind = EntryKind.OTHER
    with suppress(OSError):
        if entry.is_symlink() or _junction(entry):
            kind = EntryKind.LINK
        elif entry.is_dir(follow_symlinks=False):
            kind = EntryKind.FOLDER
        elif entry.is_file(follow_symlinks=False):
            kind = EntryKind.FILE
    return Entry(entry.name, kind)


def _junction(entry: os.DirEntry[str]) -> bool:
    if os.name != "nt":
        return False
    attributes: int = getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0)
    return bool(attributes & _REPARSE_POINT) and entry.is_dir(follow_symlinks=False)


def _read(file: int, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    # The size can be wrong (it grows, or the file system makes it up): the count decides.
    while size <= most:
        part = os.read(file, min(1 << 20, most + 1 - size))
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
    raise UnreadableError(f"too large: it grew past the limit of {most:,} bytes")


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if isinstance(error, FileNotFoundError):
        return "it vanished while the repository was read"
    if error.errno in {errno.ELOOP, errno.ENOTDIR}:
        return "it changed while it was opened"
    return f"cannot be read ({errno.errorcode.get(error.errno or 0, 'unknown error')})"
