"""Telling lines that only bring a name in: they show that something was thought of, not done."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["is_import"]

_STATEMENT = re.compile(
    r"""(?:
        (?:import|using|use|open|extern\ crate|require_once|require|include)\ [^;=]*
      | from\ \S+\ import\b[^;]*
      | export\ (?:\*|\{)[^;]*\bfrom\b[^;]*
      | \#\ ?(?:include|import)\b.*
      | (?:library|require|source|include_once|require_once)\ ?\([^()]*\)
      | (?:(?:local|const|let|var)\ )?[\w{},\ :]{1,200}=\ ?require\ ?\(?\ ?["'][^"']*["']\ ?\)?
      | \}\ ?from\ ?["'][^"']*["']
      | -(?:include|include_lib|import)\(.*
    )\ ?;?""",
    re.VERBOSE,
)
_OPEN = re.compile(r"(?:from \S+ )?(?:import|use)\b[^;(){}\\]*[({\\][^)}]*")
# A line inside such a bracket: names, each perhaps renamed, or a module in quotes.
_INSIDE = re.compile(
    r"(?:[\w.*:]+(?: as \w+)?|[\"'][^\"']*[\"'])?(?: ?, ?[\w.*:]+(?: as \w+)?)* ?,? ?\\?[)}]?;?"
)
_MAX_LINE = 400
_MAX_BACK = 200


def is_import(lines: Sequence[str], number: int) -> bool:
    """Whether a line does nothing but import.

    Args:
        lines: The file's lines, best without comments.
        number: The line, from 1; it may stand inside an import over several lines.
    """
    line = _plain(lines[number - 1])
    if not line:
        return False
    if _STATEMENT.fullmatch(line):
        return True
    for row in range(number - 1, max(-1, number - 1 - _MAX_BACK), -1):
        text = _plain(lines[row])
        if text is not None and row < number - 1 and _OPEN.fullmatch(text):
            return True
        if text is None or not _INSIDE.fullmatch(text):
            return False
    return False


def _plain(line: str) -> str | None:
    """A line with single spaces, which the patterns rest on; `None` where it is too long."""
    text = " ".join(line.split())
    return None if len(text) > _MAX_LINE else text
