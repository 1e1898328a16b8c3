"""Counts in words, for messages that people read."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun: `1 claim`, `2,000 claims`.

    Args:
        count: How many.
        noun: One of them, with what goes on about one: `claim`, `request was sent`.
        plural: Many of them, where an s at the end does not make it: `requests were sent`.
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
