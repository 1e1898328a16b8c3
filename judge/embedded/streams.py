"""The live code of each function as a row of tokens, read when it is first asked for.

Comments, documents, imports, prose in strings and code that does not act are not in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from judge.embedded.survey import Kept, Survey

__all__ = ["KEYWORDS", "Stream", "Streams", "code_tokens", "is_identifier", "streams_of"]

_TOKEN = re.compile(
    r"'[^'\n]*'|\"[^\"\n]*\"|[^\W\d]\w*"
    r"|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?"
    r"|\*\*|//|->|[-+*/@%&|^<>=!:]=|<<|>>|[^\s\w]"
)
_KEYWORDS = """
and as assert await break class continue def del elif else except finally for from global if
import in is lambda not or pass raise return try while with yield None True False
"""
KEYWORDS = frozenset(_KEYWORDS.split())
"""Words of the language, which name nothing."""


def code_tokens(text: str) -> list[str]:
    """The tokens of code, one spelling each for a string and for a number."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0] == "'" and len(token) > 1:
            found.append('"' + token[1:-1] + '"')
        elif token[0].isdigit() or (token[0] == "." and len(token) > 1):
            found.append(_number(token))
        else:
            found.append(token)
    return found


def _number(token: str) -> str:
    try:
        return repr(float(token.replace("_", "")))
    except ValueError:
        return token


def is_identifier(token: str) -> bool:
    """Whether a token names something."""
    return (token[0].isalpha() or token[0] == "_") and token not in KEYWORDS


@dataclass(slots=True)
class Stream:
    """The tokens of one block.

    Attributes:
        tokens: In the order of the text.
        rows: Of each line with a token, its row among the live lines.
        starts: Of each such line, the position of its first token.
        indents: Of each such line, the columns before its first token.
        where: The positions of each token.
        ends: Of each such line, the last one of its body; filled where it is asked for.
    """

    tokens: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    indents: list[int] = field(default_factory=list)
    where: dict[str, list[int]] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)

    def line(self, position: int) -> int:
        """Which of the stream's lines holds a position."""
        return max(0, bisect_right(self.starts, position) - 1)

    def row(self, position: int) -> int:
        """The live row of a position."""
        return self.rows[self.line(position)]

    def body_ends(self) -> list[int]:
        """Of each line the last one that is indented more, without a break; itself for none."""
        if len(self.ends) != len(self.indents):
            self.ends = [len(self.indents) - 1] * len(self.indents)
            open_: list[int] = []
            for line, indent in enumerate(self.indents):
                while open_ and self.indents[open_[-1]] >= indent:
                    self.ends[open_.pop()] = line - 1
                open_.append(line)
        return self.ends


class Streams:
    """The streams of a repository's blocks."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._known: dict[int, Stream] = {}

    @cached_property
    def _rows(self) -> dict[int, list[int]]:
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for row, block in enumerate(self._survey.row_blocks.tolist()):
            rows[block].append(row)
        return rows

    @cached_property
    def named(self) -> dict[str, list[int]]:
        """The live functions by their whole and by their last names; a module by its path."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number in self._rows:
            block = self._survey.blocks[number]
            if not self._survey.is_function[number]:
                found[block.path].append(number)
                continue
            for name in {block.name, block.name.rpartition(".")[2]}:
                found[name].append(number)
        return found

    @property
    def blocks(self) -> list[int]:
        """The blocks with live lines."""
        return list(self._rows)

    def of(self, block: int) -> Stream:
        """The stream of a block; read once."""
        known = self._known.get(block)
        if known is None:
            known = self._known[block] = self._read(block)
        return known

    def _read(self, block: int) -> Stream:
        stream = Stream()
        where: defaultdict[str, list[int]] = defaultdict(list)
        for row in self._rows.get(block, ()):
            code = self._survey.codes[row]
            tokens = code_tokens(code)
            if not tokens:
                continue
            stream.rows.append(row)
            stream.starts.append(len(stream.tokens))
            stream.indents.append(len(code) - len(code.lstrip()))
            for place, token in enumerate(tokens, len(stream.tokens)):
                where[token].append(place)
            stream.tokens += tokens
        stream.where = dict(where)
        return stream


_STREAMS: Kept[Streams] = Kept()


def streams_of(survey: Survey) -> Streams:
    """The streams of a repository; made once."""
    known = _STREAMS.get(survey)
    if known is None:
        known = _STREAMS[survey] = Streams(survey)
    return known
