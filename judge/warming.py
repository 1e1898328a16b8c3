"""Letting one question of a submission go ahead, so that the others find its prefix cached."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

__all__ = ["Warmth"]


class Warmth:
    """Whether a provider has a submission's shared prefix in its cache.

    Args:
        needed: Whether there is a prefix worth waiting for.
    """

    def __init__(self, *, needed: bool) -> None:
        self._warm = not needed
        self._lead = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncGenerator[bool]:
        """Wait until the prefix is warm, or lead where it is nobody's turn.

        Yields:
            Whether this one leads, and the others of its submission wait for it.
        """
        if not self._warm:
            async with self._lead:
                if not self._warm:
                    yield True
                    return
        yield False

    def warmed(self) -> None:
        """Say that a question with this prefix was answered just now."""
        self._warm = True
