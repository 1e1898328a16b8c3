"""Single characters of claims and code."""

from __future__ import annotations

__all__ = ["is_of_word"]


def is_of_word(sign: str) -> bool:
    """Whether a character is one of a word or of a name; an empty text is none."""
    return sign.isalnum() or sign == "_"
