"""Files that a command writes where its caller says."""

from __future__ import annotations

from pathlib import Path

from benchmark import InputError, Where

__all__ = ["write_file"]


def write_file(path: Path, text: str) -> None:
    """Write a file as UTF-8 with line feeds, and its folder where there is none.

    What UTF-8 has no sign for (half of a pair that stood in graded text) becomes a question mark.

    Raises:
        InputError: It cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise InputError(
            f"the file cannot be written ({error.strerror or error})",
            where=Where(str(path)),
            remedy="Give a path in a folder that may be written to",
        ) from None
