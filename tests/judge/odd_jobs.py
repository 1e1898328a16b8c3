"""Work that goes wrong in every way, for tests of workers; importable from a worker process."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

SLOW_TO_START = "slow to start"


class SlowToStart:
    """A context that takes a while until it is there."""

    def __reduce__(self) -> tuple[object, tuple[float]]:
        return _wake_up, (1.5,)


class NeverThere:
    """A context whose arrival ends the process."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (3,)


def _wake_up(seconds: float) -> str:
    time.sleep(seconds)
    return SLOW_TO_START


class _Unreadable:
    """A result that can be sent and not be read."""

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return _refuse, ()


def _refuse() -> NoReturn:
    raise ValueError("not to be read")


def lost(job: tuple[str, object], reason: str) -> tuple[str, str]:
    return job[0], reason


def work(context: object, job: tuple[str, object]) -> object:
    word, argument = job
    match word:
        case "double":
            return word, 2 * int(str(argument))
        case "context":
            return word, context
        case "process":
            return word, os.getpid()
        case "path":
            return word, sys.path[0]
        case "deaf":
            return word, signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        case "die":
            os._exit(7)
        case "die_once":
            mark = Path(str(argument))
            if not mark.exists():
                mark.touch()
                os._exit(7)
            return word, "done"
        case "hang":
            Path(str(argument)).write_text(str(os.getpid()), encoding="utf-8")
            time.sleep(600)
        case "raise":
            raise RecursionError("too deep")
        case "unpicklable":
            return threading.Lock()
        case "unreadable":
            return _Unreadable()
    raise AssertionError(word)
