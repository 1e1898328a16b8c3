"""Lines that excerpts leave out: blank ones, comments, docstrings. They take room and do nothing.

A third of what people hand in is such lines. Where a repository is shown whole they stay, and
words in them are searched for all the same.
"""

from __future__ import annotations

import re

from retrieval.outline import LineKind, Outline
from retrieval.values import ParseState, Role, SourceFile

__all__ = ["folded_lines"]

_SHOWN_ROLES = frozenset({Role.CODE, Role.CONFIG, Role.TEST})
_FOLDED = bytes(kind in {LineKind.BLANK, LineKind.COMMENT} for kind in range(256))
_BLANK = bytes(kind == LineKind.BLANK for kind in range(256))
# Comments that act: commands of notebooks, what a scheduler reads, and the borders of cells.
_ACTS = re.compile(r"\s*#(?: magic: | ?%%|!|SBATCH\b|PBS\b|BSUB\b|OAR\b|\$ )")
_SIGNS = ("# magic: ", "%%", "#!", "#SBATCH", "#PBS", "#BSUB", "#OAR", "#$ ")  # of the same
# Of formats without comments entries with words for people pass for such, though programs read
# them, too (`description` of a tool, `notes: [...]`).
_ENTRIES = frozenset({"json", "toml"})
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*)")


def folded_lines(file: SourceFile, lines: list[str], outline: Outline) -> bytearray:
    """For each line of a file 1 where excerpts leave it out, else 0.

    Args:
        file: The file; documents and data keep all lines, and what does not parse all with text.
        lines: Its lines.
        outline: What they are.
    """
    if file.role not in _SHOWN_ROLES or file.language in {"text", "markdown"}:
        return bytearray(len(lines))
    if outline.state is ParseState.BROKEN:  # nobody knows where its strings end
        return bytearray(outline.kinds.translate(_BLANK))
    folded = bytearray(outline.kinds.translate(_FOLDED))
    for first, last in outline.docstrings:
        folded[first:last] = b"\1" * (last - first)
    if file.language in _ENTRIES:
        for row, line in enumerate(lines):
            if folded[row] and line and not line.isspace() and not _COMMENT.match(line):
                folded[row] = 0
    if any(sign in file.text for sign in _SIGNS):
        start = folded.find(1)
        while start >= 0:
            line = lines[start]
            if line and _ACTS.match(line):
                folded[start] = 0
            start = folded.find(1, start + 1)
    return folded
