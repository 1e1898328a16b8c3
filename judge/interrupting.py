"""Being asked to end, by a person or by the system, while an event loop runs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

__all__ = ["on_interrupt"]

_STOPPING = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and how containers, service managers and schedulers ask a program to end."""


@contextlib.contextmanager
def on_interrupt(told: Callable[[], None]) -> Iterator[None]:
    """Call something on the event loop for each Ctrl-C or SIGTERM, in place of what they do.

    Outside of the main thread, where no signal can be had, nothing is changed.
    """
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    try:
        for number in _STOPPING:
            loop.add_signal_handler(number, told)
    except NotImplementedError:  # Windows

        def hand_over(*_: object) -> None:
            loop.call_soon_threadsafe(told)

        before = signal.signal(signal.SIGINT, hand_over)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
        return
    try:
        yield
    finally:
        for number in _STOPPING:
            loop.remove_signal_handler(number)
