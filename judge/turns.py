"""Who is asking what, told among processes: two runs with one cache ask nothing twice.

A turn is a lock on one byte of a file, which the system takes back when its holder dies, however
it does: nobody waits for the dead, and nothing is written. Where the system has no such locks, or
the file lies on a disk without them, every turn is given.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["Turns"]

_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
_PLACES = 0x7FFF_FFFF
"""Bytes that may be locked: as many as every system has. Two keys that share one by chance wait
for each other, and no more than that."""


class Turns:
    """Turns at asking for keys.

    Args:
        file: Made where it is not there; nothing is ever written to it.
    """

    def __init__(self, file: Path) -> None:
        self._fd = -1
        with contextlib.suppress(OSError):
            self._fd = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)

    def begin(self, key: str) -> bool:
        """Take the turn for a key, a hexadecimal number; whether no other process has it."""
        if self._fd < 0:
            return True
        try:
            self._lock(key)
        except OSError as error:
            return error.errno not in _TAKEN
        return True

    def end(self, key: str) -> None:
        """Give the turn for a key back."""
        if self._fd >= 0:
            with contextlib.suppress(OSError):
                self._unlock(key)

    def close(self) -> None:
        """Give all turns back; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    if sys.platform == "win32":

        def _lock(self, key: str) -> None:
            os.lseek(self._fd, _place(key), os.SEEK_SET)
            msvcrt.locking(self._fd, msvcrt.LK_NBLCK, 1)

        def _unlock(self, key: str) -> None:
            os.lseek(self._fd, _place(key), os.SEEK_SET)
            msvcrt.locking(self._fd, msvcrt.LK_UNLCK, 1)

    else:

        def _lock(self, key: str) -> None:
            fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))

        def _unlock(self, key: str) -> None:
            fcntl.lockf(self._fd, fcntl.LOCK_UN, 1, _place(key))


def _place(key: str) -> int:
    return int(key[:12], 16) % _PLACES
