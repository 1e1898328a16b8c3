"""The cycle collector at rest while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collector_at_rest"]


@contextmanager
def collector_at_rest(*, settle: bool = False) -> Iterator[None]:
    """Stop the cycle collector: it would walk all that is made again and again, and find no cycles.

    Args:
        settle: Put what was made with the old objects at the end, or the next thing that is made
            has all of it looked at.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
            if settle and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
