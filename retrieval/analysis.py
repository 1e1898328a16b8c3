"""One file to its outline, whatever its language; a file that cannot be read costs only itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from retrieval.comment_syntax import Syntax, syntax_of
from retrieval.comments import mark_comments
from retrieval.config_outline import config_outline, ini_outline
from retrieval.fences import recoveries
from retrieval.outline import LineKind, Outline
from retrieval.python_outline import python_outline
from retrieval.shell_outline import shell_outline
from retrieval.text_outline import markdown_outline, text_outline
from retrieval.values import ParseState, Role, SourceFile
from retrieval.yaml_outline import yaml_outline

__all__ = ["outline_of"]


def outline_of(file: SourceFile, lines: list[str]) -> Outline:
    """Read one file.

    Args:
        file: The file.
        lines: Its lines.

    Returns:
        Its outline. When its reader fails, what plain text gives, with the failure in `notes`.
    """
    try:
        return _read(file, lines)
    except Exception as error:  # noqa: BLE001 - graded files are hostile; one must not end a run
        outline = _as_text(file, lines)
        outline.state = ParseState.BROKEN
        outline.notes.append(f"read as text: {type(error).__name__}")
        return outline


def _text_kind(file: SourceFile) -> LineKind:
    return LineKind.PROSE if file.role in {Role.DOC, Role.DATA} else LineKind.CODE


def _read(file: SourceFile, lines: list[str]) -> Outline:
    match file.language:
        case "python" | "notebook":
            return _read_python(file, lines)
        case "yaml":
            return yaml_outline(lines)
        case "json" | "toml":
            outline = config_outline(file.language, lines)
            _mark_comments(file, outline, lines)
            return outline
        case "ini":
            outline = ini_outline(lines)
            _mark_comments(file, outline, lines)
            return outline
        case "shell":
            return shell_outline(lines)
        case "markdown":
            return markdown_outline(lines)
        case _:
            return _as_text(file, lines)


def _as_text(file: SourceFile, lines: list[str]) -> Outline:
    kind = _text_kind(file)
    return text_outline(lines, kind, _syntax(file) if kind is LineKind.CODE else None)


def _syntax(file: SourceFile) -> Syntax | None:
    return syntax_of(file.path, file.language, file.text)


def _mark_comments(file: SourceFile, outline: Outline, lines: list[str]) -> None:
    if (syntax := _syntax(file)) is not None:
        mark_comments(outline, lines, syntax)


def _recoveries(lines: list[str]) -> Iterator[list[str]]:
    with suppress(Exception):  # mending is a favour; the broken tree still serves
        yield from recoveries(lines)


def _read_python(file: SourceFile, lines: list[str]) -> Outline:
    outline = python_outline(lines, _recoveries)
    if not outline.borders:  # no tree at all
        _mark_comments(file, outline, lines)
    return outline
