"""Markdown and plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from retrieval.comments import mark_comments
from retrieval.outline import Definition, LineKind, Outline, blank_kinds
from retrieval.shell_outline import script_runs
from retrieval.values import ParseState

if TYPE_CHECKING:
    from retrieval.comment_syntax import Syntax

__all__ = ["markdown_outline", "text_outline"]

_HEADING = re.compile(r"(#{1,6})\s+(.*)")


def markdown_outline(lines: list[str]) -> Outline:
    """Read a Markdown document: its sections are its definitions."""
    outline = Outline(ParseState.TEXT, blank_kinds(lines, LineKind.PROSE))
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        match = None if fenced else _HEADING.match(line)
        if match is None:
            if line and not line.isspace() and (number == 1 or not lines[number - 2].strip()):
                outline.borders.setdefault(number, 7)
            continue
        title = match[2].strip()[:100]
        outline.borders[number] = len(match[1])
        if outline.definitions:
            outline.definitions[-1].last = number - 1
        outline.definitions.append(
            Definition(title, title, False, number, number, len(lines), line.strip()[:120])
        )
    return outline


def text_outline(lines: list[str], kind: LineKind, syntax: Syntax | None = None) -> Outline:
    """Read any other text: nothing but its lines, paragraphs and, by a syntax, comments."""
    outline = Outline(ParseState.TEXT, blank_kinds(lines, kind))
    if syntax is not None:
        mark_comments(outline, lines, syntax)
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            outline.borders[number] = min(len(line) - len(line.lstrip()), 40)
    outline.runs = (
        []
        if kind is LineKind.PROSE
        else [
            run
            for row, line in enumerate(lines)
            if len(line) < 2_000 and outline.kinds[row] == LineKind.CODE
            for run in script_runs(line, row + 1)
        ]
    )
    return outline
