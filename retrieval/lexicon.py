"""The tokens of a repository's lines, as numbers in arrays."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from retrieval.numbers import code_powers
from retrieval.outline import LineKind, Outline
from retrieval.words import NUMBER, TOKEN

__all__ = ["FileTokens", "Lexicon"]

_TOKEN_OR_END = re.compile(TOKEN.pattern + r"|\n")
# The same where no letter is beyond ASCII, half as slow again.
_PLAIN_TOKEN = re.compile(r"[A-Za-z_][0-9A-Za-z_]*|" + NUMBER + r"[0-9A-Za-z_]*")
# And as what every match begins with stands first, all else is passed over in less time.
_PLAIN_TOKEN_OR_END = re.compile(
    r"[A-Za-z0-9_.\n](?:(?<=[A-Za-z_])[0-9A-Za-z_]*|(?<=\n)|(?<=0)[xXbBoO][0-9a-fA-F_]+[0-9A-Za-z_]*"
    r"|(?:(?<=[0-9])[0-9_]*\.?[0-9_]*|(?<=\.)[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?[0-9A-Za-z_]*)"
)
_ASCII = bytes(range(128))


@dataclass(frozen=True, slots=True)
class FileTokens:
    """The tokens of one file.

    Attributes:
        ids: Number of each token in the lexicon.
        rows: Line of each, from 0.
        kinds: `LineKind` of each; a comment behind code is a comment.
    """

    ids: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]


class Lexicon:
    """Numbers the distinct tokens of a repository in order of first sight."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._end = self._numbers["\n"]

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def tokens(self) -> list[str]:
        """The distinct tokens; a token's number is its position."""
        return list(self._numbers)

    def number(self, token: str) -> int | None:
        """A token's number; `None` where it was not seen."""
        return self._numbers.get(token)

    def read(self, text: str) -> list[int]:
        """The numbers of a text's tokens."""
        return [self._numbers[token] for token in TOKEN.findall(text)]

    def read_file(self, lines: Sequence[str], text: str, outline: Outline) -> FileTokens:
        """The tokens of a file.

        Args:
            lines: Its lines.
            text: The same, joined by newlines.
            outline: What its lines are.
        """
        found = (_PLAIN_TOKEN_OR_END if _is_plain(text) else _TOKEN_OR_END).findall(text)
        ids = np.fromiter(map(self._numbers.__getitem__, found), np.int32, len(found))
        is_end = ids == self._end
        rows = np.cumsum(is_end, dtype=np.int32)
        kinds = np.frombuffer(bytes(outline.kinds), np.uint8)[rows]
        if outline.tails or outline.holes:
            # Position of the first token of each line, and of the end.
            firsts = [0, *(np.flatnonzero(is_end) + 1).tolist(), len(ids) + 1]
            tokens = _PLAIN_TOKEN if text.isascii() else TOKEN
            for line, column in outline.tails.items():
                first = firsts[line - 1] + len(tokens.findall(lines[line - 1], 0, column))
                kinds[first : firsts[line]] = LineKind.COMMENT
            for line, holes in outline.holes.items():
                found_here = tokens.finditer(lines[line - 1])
                for position, match in enumerate(found_here, firsts[line - 1]):
                    if any(begin <= match.start() < end for begin, end in holes):
                        kinds[position] = LineKind.COMMENT
        inside = ~is_end
        ids, rows, kinds = ids[inside], rows[inside], kinds[inside]
        if "**" in text or "<<" in text:
            powers = [
                (self._numbers[value], row)
                for row, line in enumerate(lines)
                if ("**" in line or "<<" in line) and outline.kinds[row] == LineKind.CODE
                for value in code_powers(line)
            ]
            if powers:
                more = np.array(powers, np.int32)
                ids = np.concatenate((ids, more[:, 0]))
                rows = np.concatenate((rows, more[:, 1]))
                kinds = np.concatenate((kinds, np.full(len(more), LineKind.CODE, np.uint8)))
        return FileTokens(ids, rows, kinds)


def _is_plain(text: str) -> bool:
    """Whether what is beyond ASCII in a text are signs alone, as arrows and dashes in comments."""
    if text.isascii():
        return True
    beyond = text.encode("utf-8", "replace").translate(None, _ASCII)
    return not any(map(str.isalnum, beyond.decode("utf-8")))
