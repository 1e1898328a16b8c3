"""Counts in words, as commands and pages say them."""

from __future__ import annotations

from benchmark.counting import counted

__all__ = ["counted", "without_verdict"]


def without_verdict(count: int) -> str:
    """`1 claim has no verdict`, `2 claims have no verdict`."""
    return counted(count, "claim has no verdict", "claims have no verdict")
