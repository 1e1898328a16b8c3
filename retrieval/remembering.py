"""Outlines of the files that were read last, so that a repository with one change is read quickly.

In memory alone. Kept on disk, outlines would halve the time of reading and indexing; but a run
leaves out the repositories that have not changed before it indexes anything, and a command on one
repository takes many times as long to start.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from retrieval.outline import Outline
from retrieval.values import Role, SourceFile

__all__ = ["OutlineMemory"]

_Key = tuple[str, str, Role, str]


class OutlineMemory:
    """The outlines of the files that were asked for last. Safe to use from several threads.

    Args:
        most: Characters of the files that are remembered; an outline takes two or three bytes for
            each. At 0 nothing is remembered.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = most
        self._known: OrderedDict[_Key, Outline] = OrderedDict()
        self._lock = threading.Lock()

    def outline(
        self, file: SourceFile, lines: list[str], read: Callable[[SourceFile, list[str]], Outline]
    ) -> Outline:
        """A file's outline: the same one as before where path, language, role and text are.

        Args:
            file: The file.
            lines: Its lines.
            read: What makes the outline where it is not known. Nobody may change it afterwards.
        """
        key = (file.path, file.language, file.role, file.text)
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
        outline = read(file, lines)
        size = len(file.text)
        with self._lock:
            if size <= self._most and key not in self._known:
                self._known[key] = outline
                self._left -= size
                while self._left < 0:
                    (*_, text), _ = self._known.popitem(last=False)
                    self._left += len(text)
        return outline
