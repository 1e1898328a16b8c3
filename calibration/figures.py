"""A figure: a number with its interval, or the reason why there is none. Never NaN."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Figure", "Undefined", "undefined"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and how far it can be trusted.

    Attributes:
        value: The number; always finite.
        low: Lower end of its interval, where it has one.
        high: Upper end.
        why_no_interval: Why it has none; empty where it has one.
    """

    value: float
    low: float | None = None
    high: float | None = None
    why_no_interval: str = ""

    def __post_init__(self) -> None:
        for number in (self.value, self.low, self.high):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"a figure of {number} is no number")

    @property
    def half_width(self) -> float | None:
        """Half the interval's width, where there is one."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def as_json(self) -> dict[str, Any]:
        """The figure for a JSON file."""
        record: dict[str, Any] = {"value": self.value}
        if self.low is not None:
            record |= {"low": self.low, "high": self.high}
        elif self.why_no_interval:
            record["no_interval"] = self.why_no_interval
        return record

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class Undefined:
    """A number that does not exist for this data.

    Attributes:
        reason: Why, as half a sentence.
    """

    reason: str = field()

    def as_json(self) -> dict[str, Any]:
        """The reason for a JSON file."""
        return {"undefined": self.reason}

    def __str__(self) -> str:
        return f"undefined: {self.reason}"


def undefined(reason: str) -> Undefined:
    """Say that a number does not exist, and why."""
    return Undefined(reason)
