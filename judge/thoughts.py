"""Thoughts that a model writes before its answer, between `<think>` tags.

Some chat templates write the opening tag themselves, so that an answer begins with thoughts and
only their end is marked. That mark counts where it stands on a line of its own: inside a JSON
string no line ends.
"""

from __future__ import annotations

import re

__all__ = ["without_thoughts"]

_CLOSED = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
_END = re.compile(r"^[ \t]*</think(?:ing)?>[ \t]*$", re.MULTILINE | re.IGNORECASE)


def without_thoughts(text: str) -> tuple[str, bool]:
    """A text without the thoughts that it begins with.

    Returns:
        The rest, and whether it is whole: `False` where the text ends inside the thoughts, and
        then the rest is empty.
    """
    if not _OPEN.match(text) and (end := _END.search(text)):
        text = text[end.end() :]
    while thought := _CLOSED.match(text):
        text = text[thought.end() :]
    if _OPEN.match(text):
        return "", False
    return text, True
