"""One file to its outline, whatever its language; a file that cannot be read costs only itself."""

from __future__ import annotations

from retrieval.config_outline import config_outline, ini_outline
from retrieval.decoding import split_lines
from retrieval.fences import recover_python
from retrieval.outline import LineKind, Outline
from retrieval.python_outline import python_outline
from retrieval.text_outline import markdown_outline, shell_outline, text_outline
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
        outline = text_outline(lines, _text_kind(file))
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
            return config_outline(file.language, lines)
        case "ini":
            return ini_outline(lines)
        case "shell":
            return shell_outline(lines)
        case "markdown":
            return markdown_outline(lines)
        case _:
            return text_outline(lines, _text_kind(file))


def _read_python(file: SourceFile, lines: list[str]) -> Outline:
    def recover() -> list[str] | None:
        try:
            recovered = recover_python(file.text)
        except Exception:  # noqa: BLE001 - mending is a favour; the broken tree still serves
            return None
        return None if recovered is None else split_lines(recovered)

    return python_outline(lines, recover)
