"""The statements of a Python file: what its imports mean, and whether a call's result is used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from judge.embedded.signs import is_of_word
from retrieval.graph import Call
from retrieval.index import Index

__all__ = ["Statements", "arguments_of", "call_end", "holds", "indent_of", "may_be_grouped"]

_FROM = re.compile(r"\s*from\s+([\w.]+)\s+import\s+(.*)")
_PLAIN = re.compile(r"\s*import\s+(.*)")
_AS = re.compile(r"([\w.]+)(?:\s+as\s+(\w+))?\s*\Z")
_STRING = re.compile(r"'''.*?'''|\"\"\".*?\"\"\"|(['\"])(?:\\.|(?!\1)[^\\])*\1", re.DOTALL)
_OPEN, _CLOSE = "([{", ")]}"
_MOST_LINES = 60  # of one statement
# The names that a statement gives a value: `a, self.b =`, `x: T =`, `y +=`.
_GIVES = re.compile(r"\s*((?:[\w.]+\s*,\s*)*[\w.]+)\s*(?::[^=]+)?=(?!=)")
_KEYWORD = re.compile(
    r"\s*(?:return|yield|if|elif|while|for|with|assert|raise|lambda|await|@|async|else|except)\b|\s*@"
)
_SPEAKS = re.compile(r"\s*(?:print|logging\.|logger\.|log\.|warnings\.|del\b|len\(|str\(|type\()")
_TELLS = re.compile(r"\s*(?:print|logging\.|logger\.|log\.|\w{0,20}log\w{0,20}\.)")
_BLANKED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_NAMES = re.compile(r"\b[A-Za-z_]\w*+(?!\s?=(?!=))")
_FIXED = frozenset({"True", "False", "None", "list", "range", "np", "numpy", "torch", "array"})
_MOST_SIGNS = 2000  # of a call's arguments
_PIECE = re.compile(
    r"'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|[()\[\]{},]|=(?!=)",
    re.DOTALL,
)
_ARGUMENT = re.compile(r"\s*(\w+)\s*=(?!=)\s*(.*)\Z", re.DOTALL)
_GIVEN = re.compile(r"\s*(?::[^=,)]+)?=(?!=)")
_HOLE = re.compile(r"\{([^{}]*)\}")
_WORD = re.compile(r"\w+")
_LONGEST = 6_000


class Statements:
    """One file of Python, its comments left out.

    Attributes:
        codes: Its lines without their comments, by row from 0; empty where a line is no code.
    """

    def __init__(self, index: Index, path: str) -> None:
        count = len(index.lines(path))
        self.codes: list[str] = [index.code_of(path, row + 1) for row in range(count)]
        self._nets: dict[int, int] = {}
        self._given: dict[str, list[str]] = {}

    @cached_property
    def bare(self) -> list[str]:
        """The lines with empty strings only."""
        # Where no such mark stands, strings hide no bracket, name or sign.
        return [
            _STRING.sub("''", code) if "'" in code or '"' in code else code for code in self.codes
        ]

    @cached_property
    def _imported(self) -> dict[str, str]:
        """What each imported name means, as a dotted name."""
        found: dict[str, str] = {}
        for row, code in enumerate(self.codes):
            if "import" not in code:
                continue
            if match := _FROM.match(code):
                names = match[2]
                end = row
                while "(" in names and ")" not in names and end + 1 < len(self.codes):
                    end += 1
                    names += " " + self.codes[end]
                    if end - row > _MOST_LINES:
                        break
                for item in names.strip(" ()\\").split(","):
                    if name := _AS.match(item.strip(" ()\\")):
                        found[name[2] or name[1]] = f"{match[1]}.{name[1]}"
            elif match := _PLAIN.match(code):
                for item in match[1].split(","):
                    if name := _AS.match(item.strip()):
                        first = name[1].partition(".")[0]
                        found[name[2] or first] = name[1] if name[2] else first
        return found

    def resolve(self, name: str) -> str:
        """The dotted name that a call means by the file's imports; empty where none leads to it."""
        head, dot, rest = name.partition(".")
        meant = self._imported.get(head, "")
        return f"{meant}{dot}{rest}" if meant and not meant.startswith(".") else ""

    def text_from(self, call: Call) -> str:
        """The code from a call's opening bracket on; empty where it does not stand there."""
        last = call.name.rpartition(".")[2]
        for row in range(call.line - 1, min(len(self.codes), call.line + 3)):
            at = self._find(row, last)
            if at >= 0:
                rest = [self.codes[row][at:], *self.codes[row + 1 : row + _MOST_LINES]]
                return "\n".join(rest)[:_LONGEST]
        return ""

    def _find(self, row: int, name: str) -> int:
        """Where the bracket opens of a call of a name on a row; -1 where it is not called."""
        code = self.codes[row]
        at = code.find(name) if name else -1
        while at >= 0:
            end = at + len(name)
            bracket = end + len(code[end:]) - len(code[end:].lstrip())
            if code[bracket : bracket + 1] == "(" and not (at and is_of_word(code[at - 1])):
                return bracket
            at = code.find(name, at + 1)
        return -1

    def is_used(self, call: Call) -> bool:
        """Whether what a call makes goes anywhere: is read again, passed on, returned or asked."""
        first = self.first(call.line - 1)
        head = self.bare[first]
        if _KEYWORD.match(head):
            return True
        if match := _GIVES.match(head):
            names = [name.strip() for name in match[1].split(",")]
            after = self.last(first) + 1
            return any(self.is_read(name, first, after) for name in names)
        if _SPEAKS.match(head) or head.lstrip()[:1] in {"[", "(", "{"}:
            return False
        if first == call.line - 1 and head.lstrip().startswith(call.name):
            return self._is_asked(call)
        return True

    def is_told(self, call: Call) -> bool:
        """Whether what a call works out of something that has a name is printed or logged."""
        head = self.bare[self.first(call.line - 1)]
        if _TELLS.match(head) is None:
            return False
        text = self.text_from(call)
        end = call_end(text)
        inside = text[len(call.name) : end if end >= 0 else len(text)][:_MOST_SIGNS]
        return any(name not in _FIXED for name in _NAMES.findall(_BLANKED.sub(" ", inside)))

    def first(self, row: int) -> int:
        """The first row of the statement around a row."""
        depth = 0
        for at in range(row, max(-1, row - _MOST_LINES), -1):
            if at < row:
                depth -= self._net(at)
                if depth < 0:
                    row, depth = at, 0
        while row and self.codes[row - 1].rstrip().endswith("\\"):
            row -= 1
        return row

    def _net(self, row: int) -> int:
        """How many brackets more a row opens than it closes."""
        known = self._nets.get(row)
        if known is None:
            count = self.bare[row].count
            known = count("(") + count("[") + count("{") - count(")") - count("]") - count("}")
            self._nets[row] = known
        return known

    def last(self, first: int) -> int:
        """The last row of the statement that begins at a row."""
        depth = 0
        for at in range(first, min(len(self.bare), first + _MOST_LINES)):
            depth += self._net(at)
            if depth <= 0 and not self.bare[at].rstrip().endswith("\\"):
                return at
        return first

    def is_read(self, name: str, first: int, after: int) -> bool:
        """Whether a name is read outside of a statement, other than to be given a value."""
        last = name.rpartition(".")[2]
        if not last.strip("_"):
            return False
        return any(
            not first <= at < after
            and (_is_read(last, self.bare[at]) or _is_filled_in(last, self.codes[at]))
            for at in self.rows_of(last)
        )

    def rows_of(self, word: str) -> Sequence[int]:
        """The rows in which a whole word stands, in strings or not."""
        return self._rows_of.get(word, ())

    @cached_property
    def _rows_of(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row, code in enumerate(self.codes):
            for word in set(_WORD.findall(code)):
                found.setdefault(word, []).append(row)
        return found

    def given_to(self, name: str) -> Sequence[str]:
        """What a name is given, statement by statement, as far as it stands on its line."""
        known = self._given.get(name)
        if known is None:
            given = re.compile(rf"\b{name}\b[^=]*=(?!=)\s*(.*)")
            matches = (given.match(self.codes[row].strip()) for row in self.rows_of(name))
            known = self._given[name] = [match[1] for match in matches if match]
        return known

    def _is_asked(self, call: Call) -> bool:
        """Whether something is asked of a result that is given no name: `loss(a, b).backward()`."""
        text = self.text_from(call)
        end = call_end(text)
        return text[end + 1 : end + 2] in {".", "("} if end >= 0 else False


def _is_read(name: str, code: str) -> bool:
    """Whether a line holds a name that it gives no value."""
    at = code.find(name)
    while at >= 0:
        end = at + len(name)
        whole = not (at and is_of_word(code[at - 1])) and not is_of_word(code[end : end + 1])
        if whole and not _GIVEN.match(code, end):
            return True
        at = code.find(name, end)
    return False


def holds(name: str, code: str) -> bool:
    """Whether a name stands in a line as a whole word."""
    at = code.find(name)
    while at >= 0:
        end = at + len(name)
        if not (at and is_of_word(code[at - 1])) and not is_of_word(code[end : end + 1]):
            return True
        at = code.find(name, end)
    return False


def _is_filled_in(name: str, code: str) -> bool:
    """Whether a line holds a name between braces, as formatted strings do."""
    return "{" in code and any(
        name in hole and _is_read(name, hole) for hole in _HOLE.findall(code)
    )


def call_end(text: str) -> int:
    """Where the bracket closes that a text begins with, -1 where it does not."""
    depth = 0
    for match in _PIECE.finditer(text):
        sign = match[0]
        if sign in _OPEN:
            depth += 1
        elif sign in _CLOSE:
            depth -= 1
            if depth == 0:
                return match.start()
    return -1


_GROUPS = re.compile(r"group|decay|\bwd\b|\{", re.IGNORECASE)


def may_be_grouped(parameters: str) -> bool:
    """Whether what an optimiser is given may be groups of parameters with settings of their own."""
    return _GROUPS.search(parameters) is not None


def arguments_of(text: str) -> tuple[list[str], dict[str, str], bool] | None:
    """The arguments of a call from its opening bracket on.

    Returns:
        Those by position, those by keyword, and whether others are spread into it by stars; `None`
        where the call does not end.
    """
    depth, start = 0, 1
    places: list[str] = []
    keywords: dict[str, str] = {}
    more = False
    for match in _PIECE.finditer(text):
        sign = match[0]
        if sign in _OPEN:
            depth += 1
            continue
        ends = sign in _CLOSE and depth == 1
        if ends or (sign == "," and depth == 1):
            argument = text[start : match.start()].strip()
            start = match.end()
            if argument.startswith("*"):
                more = True
            elif keyword := _ARGUMENT.match(argument):
                keywords[keyword[1]] = keyword[2].strip()
            elif argument:
                places.append(argument)
        if ends:
            return places, keywords, more
        if sign in _CLOSE:
            depth -= 1
    return None


def indent_of(code: str) -> int:
    """How many blanks stand before a line's first sign; of an empty line its length."""
    return len(code) - len(code.lstrip())
