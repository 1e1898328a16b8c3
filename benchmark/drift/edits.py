"""Edits of text: what is replaced, what comes of it, and which lines it touches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Edit", "Span", "apply", "changed_lines", "line_of"]

Span = tuple[str, int, int]
"""A path with a first and a last line, from 1, both included."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """One replacement in one file.

    Attributes:
        path: The file, relative to the repository's root, with `/`.
        start: Offset in characters of the first one that goes.
        end: Offset after the last one that goes; equal to `start` for an insertion.
        text: What comes in their place.
    """

    path: str
    start: int
    end: int
    text: str


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return one file's text with its edits made.

    Raises:
        ValueError: Two edits overlap, or one leaves the text.
    """
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not done <= edit.start <= edit.end <= len(text):
            raise ValueError(f"the edit at {edit.start}:{edit.end} of {edit.path} does not fit")
        parts += (text[done : edit.start], edit.text)
        done = edit.end
    parts.append(text[done:])
    return "".join(parts)


def line_of(text: str, offset: int) -> int:
    """The line of an offset, from 1."""
    return text.count("\n", 0, offset) + 1


def changed_lines(text: str, edits: Sequence[Edit]) -> tuple[Span, ...]:
    """The lines of the edited text that show each change, in order, touching spans joined.

    Where something was only taken away, the lines on both sides of the gap show it.

    Args:
        text: One file's text before the edits.
        edits: The edits of that file.
    """
    after = apply(text, edits)
    total = after.count("\n") + (not after.endswith("\n")) or 1
    shift = 0
    spans: list[tuple[int, int]] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        start = edit.start + shift
        shift += len(edit.text) - (edit.end - edit.start)
        first = line_of(after, start)
        kept = edit.text.rstrip()
        if kept:
            # Blank room before the text belongs to the lines that were there.
            lead = len(edit.text) - len(edit.text.lstrip("\n"))
            first = line_of(after, start + lead)
            last = line_of(after, start + len(kept) - 1)
        elif "\n" in text[edit.start : edit.end]:
            first, last = first - 1, first
        else:
            last = first
        first, last = max(1, min(first, total)), max(1, min(last, total))
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], max(spans[-1][1], last))
        else:
            spans.append((first, last))
    return tuple((edits[0].path, first, last) for first, last in spans)
