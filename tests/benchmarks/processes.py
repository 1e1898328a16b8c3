"""What the processes of a measured program take, from /proc: processor time and memory."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Watch", "seconds_of"]

_TICKS = os.sysconf("SC_CLK_TCK")


class Watch:
    """Looks at a process and all below it, a few times a second, while the block lasts.

    By process and not from `getrusage`: a server of forks reaps its own workers.

    Args:
        root: The process.
        without: One below it that is left out, with all below that.
        every: Seconds between looks.

    Attributes:
        megabytes: What they hold together now, each shared page once.
        peak: The most that they held.
        used: By process, seconds of processor time, those that have ended included.
    """

    def __init__(self, root: int, *, without: int | None = None, every: float = 0.5) -> None:
        self._root = root
        self._without = without
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="watch", daemon=True)
        self.megabytes = 0.0
        self.peak = 0.0
        self.used: dict[int, float] = {}

    @property
    def seconds(self) -> float:
        """Processor time of all but the process itself."""
        return sum(used for pid, used in self.used.items() if pid != self._root)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def _look_on(self) -> None:
        while True:
            family = _family(self._root, self._without)
            self.used.update(family)
            self.megabytes = _memory(family)
            self.peak = max(self.peak, self.megabytes)
            if self._over.wait(self._every):
                return


def seconds_of(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    return _stat(Path(f"/proc/{pid}"))[1]


def _stat(entry: Path) -> tuple[int, float]:
    """The parent of a process and its seconds of processor time."""
    stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
    fields = stat.rsplit(")", 1)[1].split()
    return int(fields[1]), (int(fields[11]) + int(fields[12])) / _TICKS


def _family(root: int, without: int | None) -> dict[int, float]:
    """A process and all below it, with the processor time of each; empty without /proc."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)], used[int(entry.name)] = _stat(entry)
        except (OSError, IndexError, ValueError):
            continue
    family = {root}
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in family and pid != without}
        grown = bool(more - family)
        family |= more
    return {pid: used.get(pid, 0.0) for pid in family}


def _memory(family: dict[int, float]) -> float:
    """Proportional set size of some processes, in MB; 0 without /proc."""
    total = 0
    for pid in family:
        try:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
        except OSError:
            continue
        total += sum(int(row.split()[1]) for row in rollup.splitlines() if row.startswith("Pss:"))
    return total / 1024
