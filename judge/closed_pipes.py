"""Output that nobody reads any more, as behind `| head`: it is dropped, and the command goes on.

A run that is being paid for must not end because the one who looked at its first line has seen
enough, and the exit code stays that of what was done.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["outlive_readers"]

# On Windows a closed pipe is an invalid argument.
_CLOSED = frozenset({errno.EPIPE, errno.ESHUTDOWN, *((errno.EINVAL,) if os.name == "nt" else ())})


class _Outlet(io.RawIOBase):
    """A file descriptor; what is written after its reader has gone is taken and dropped."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._gone = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: Buffer, /) -> int:
        size = memoryview(data).nbytes
        if self._gone:
            return size
        try:
            return os.write(self._descriptor, data)
        except OSError as error:
            if error.errno not in _CLOSED:
                raise
            self._gone = True
            return size


def outlive_readers() -> None:
    """Let standard output and standard error take what nobody reads, for the rest of the process.

    Terminals stay as they are, and so does what is no file of the system's.
    """
    sys.stdout = _forgiving(sys.stdout)
    sys.stderr = _forgiving(sys.stderr)


def _forgiving(stream: TextIO) -> TextIO:
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError, ValueError):  # none, closed, or a stand-in
        return stream
    if os.isatty(descriptor) or not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Outlet(descriptor)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
