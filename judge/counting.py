"""Counts in words."""

from __future__ import annotations

__all__ = ["counted", "without_verdict"]


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun: `1 claim`, `2,000 claims`; `plural` where an s does not make it."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def without_verdict(count: int) -> str:
    """`1 claim has no verdict`, `2 claims have no verdict`."""
    return f"{counted(count, 'claim')} {'has' if count == 1 else 'have'} no verdict"
