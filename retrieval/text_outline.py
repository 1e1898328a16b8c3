"""Shell scripts, Markdown and plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from retrieval.comment_syntax import Syntax
from retrieval.comments import mark_comments, mark_part
from retrieval.grammars import parse, query, text_of
from retrieval.outline import CallSite, Definition, LineKind, Outline, RawFact, blank_kinds
from retrieval.values import FactSource, ParseState

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["markdown_outline", "script_runs", "shell_outline", "text_outline"]

_SHELL = """
(command) @command
(variable_assignment name: (_) @name value: (_) @value)
(function_definition) @function
(program (_) @statement)
(comment) @comment
"""
_MAX_VALUE = 120
# What a command line runs: `python a/b.py`, `torchrun ... train.py`, `python -m pkg.mod`.
_RUNS_FILE = re.compile(r"(?<![\w.-])((?:[\w.\-]+/)*[\w\-]+\.(?:py|sh|ipynb))(?![\w.])")
_RUNS_MODULE = re.compile(r"(?:python[\d.]*|torchrun|launch)\b[^|;&\n]*?\s-m\s+([\w.]+)")
_RUNNERS = re.compile(
    r"\b(?:python[\d.]*|torchrun|accelerate|deepspeed|mpirun|srun|sbatch|uv|poetry|bash|sh|streamlit"
    r"|horovodrun|jupyter|papermill|exec|time|nohup)\b|^\s*\./"
)
_FLAG = re.compile(r"(?<!\S)--?([A-Za-z][\w.\-]*)(?:=|\s+)(?!-)(\"[^\"]*\"|'[^']*'|[^\s\\|;&]+)")
_OVERRIDE = re.compile(r"(?<!\S)\+{0,2}([A-Za-z_][\w.\-/]*)=(\"[^\"]*\"|'[^']*'|[^\s\\|;&]+)")


def script_runs(text: str) -> list[str]:
    """The files and modules that a command line runs."""
    if not _RUNNERS.search(text):
        return []
    runs = [match[1].removeprefix("./") for match in _RUNS_FILE.finditer(text)]
    runs.extend(match[1] for match in _RUNS_MODULE.finditer(text))
    return runs


def shell_outline(lines: list[str]) -> Outline:
    """Read a shell script."""
    kinds = blank_kinds(lines, LineKind.CODE)
    source = "\n".join(lines).encode("utf-8", "replace")
    tree = parse("shell", source)
    if tree is None:
        return Outline(ParseState.BROKEN, kinds, notes=["the parser gave up"])
    root = tree.root_node
    outline = Outline(ParseState.BROKEN if root.has_error else ParseState.PARSED, kinds)
    captures = QueryCursor(query("shell", _SHELL)).captures(root)
    for node in captures.get("comment", ()):
        row, column = node.start_point
        column = len(lines[row].encode("utf-8", "replace")[:column].decode("utf-8", "replace"))
        if lines[row][:column].strip():
            outline.tails[row + 1] = column
        else:
            kinds[row] = LineKind.COMMENT
    _mark_idle_texts(outline, lines)
    for node in captures.get("statement", ()):
        outline.borders.setdefault(node.start_point[0] + 1, node.start_point[1])
    for node in captures.get("function", ()):
        name = text_of(source, node.child_by_field_name("name"))
        first, last = node.start_point[0] + 1, node.end_point[0] + 1
        if not outline.definitions or outline.definitions[-1].last < first:
            outline.definitions.append(
                Definition(name, name, False, first, first, last, f"{name}()")
            )
    for name_node, value_node in zip(
        captures.get("name", ()), captures.get("value", ()), strict=False
    ):
        outline.facts.append(
            RawFact(
                text_of(source, name_node)[:100],
                text_of(source, value_node)[:_MAX_VALUE],
                value_node.start_point[0] + 1,
                FactSource.ASSIGNMENT,
            )
        )
    for node in captures.get("command", ()):
        _read_command(node, source, outline)
    return outline


# The shell's usual comment over several lines: a text for a command that does nothing.
_IDLE_HEREDOC = re.compile(r"^[ \t]*(?::|true|false)[ \t]+[^#\n]*?<<-?[ \t]*[\\'\"]?(\w+)")
_IDLE_QUOTE = re.compile(r"^[ \t]*:[ \t]+(['\"])")


def _mark_idle_texts(outline: Outline, lines: list[str]) -> None:
    row, end = 0, len(lines) - 1
    while row <= end:
        first, line = row, lines[row]
        heredoc, quote = _IDLE_HEREDOC.match(line), _IDLE_QUOTE.match(line)
        if heredoc is not None:
            row = min(row + 1, end)
            while row < end and lines[row].strip() != heredoc[1]:
                row += 1
        elif quote is not None:
            rest = line[quote.end() :]
            while quote[1] not in rest and row < end:
                row += 1
                rest = lines[row]
        # `: "${LR:=0.001}"` sets a value.
        sets = heredoc is None and ("${" in line or "$(" in line)
        if (heredoc or quote) and not sets:
            mark_part(outline, lines, (first, 0), (row, len(lines[row])), LineKind.COMMENT)
        row += 1


def _read_command(node: Node, source: bytes, outline: Outline) -> None:
    text = text_of(source, node)[:20_000]
    first = node.start_point[0] + 1
    name = text_of(source, node.child_by_field_name("name"))[:100]
    outline.calls.append(CallSite(name, first, -1))
    outline.runs.extend(script_runs(text))
    for pattern in (_FLAG, _OVERRIDE):
        for match in pattern.finditer(text):
            line = first + text.count("\n", 0, match.start(2))
            key = match[1].replace("-", "_")
            outline.facts.append(RawFact(key, match[2][:_MAX_VALUE], line, FactSource.FLAG))


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
            for run in script_runs(line)
        ]
    )
    return outline
