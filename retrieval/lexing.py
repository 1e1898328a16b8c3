"""Just enough of Python's lexical rules to know where a line stands, however broken the text.

It never fails and looks at each character about once. It is no parser: it tells strings, comments
and brackets from the rest, which is what the work on fences and notebooks needs.
"""

from __future__ import annotations

import re

__all__ = ["LineLexer"]

_TOKEN = re.compile(r"\"\"\"|'''|[\"'#()\[\]{}]")
_STRING_PART = {quote: re.compile(rf"\\.|{quote}") for quote in ('"""', "'''", '"', "'")}
# A string of single quotes, with its end as a group where it has one.
_STRING_OR_COMMENT = re.compile(
    r"\"[^\"\\]*(?:\\.[^\"\\]*)*(?:(\")|\\?\Z)|'[^'\\]*(?:\\.[^'\\]*)*(?:(')|\\?\Z)|#.*", re.DOTALL
)
_BRACKET = re.compile(r"[()\[\]{}]")
# No line inside brackets can begin with one of these, so a bracket still open there is a mistake.
_STATEMENT = re.compile(
    r"\s*(?:async\s+def|def|class|import|return|raise|while|try|with|del|global|nonlocal|assert"
    r"|pass|break|continue)\b(?!\s*=[^=])"
)


class LineLexer:
    """Follows Python text line by line.

    Attributes:
        quote: The quotes of the string that is open at the end of the last line, or empty.
        depth: Brackets that are open there.
        continued: Whether the last line ended in a backslash outside of strings.
        unclosed: Whether the last line held a string that ended with the line and not by a quote.
    """

    def __init__(self) -> None:
        self.quote = ""
        self.depth = 0
        self.continued = False
        self.unclosed = False

    @property
    def inside(self) -> bool:
        """Whether the next line goes on with the statement of the last one."""
        return bool(self.quote) or self.depth > 0 or self.continued

    def starts(self, line: str) -> bool:
        """Whether a line, which is the next one, begins a statement."""
        return not self.inside or bool(
            self.depth and not self.quote and not self.continued and _STATEMENT.match(line)
        )

    def feed(self, line: str) -> str:
        """Take the next line.

        Args:
            line: The line without its end.

        Returns:
            The line's code, every column in its place: what is in strings and comments is blank,
            strings keep their quotes.
        """
        self.unclosed = False
        if not self.quote:
            if self.depth and self.starts(line):
                self.depth = 0
            if _TOKEN.search(line) is None:
                self.continued = line.endswith("\\")
                return line
            if '"""' not in line and "'''" not in line:
                return self._feed_short(line)
        out: list[str] = []
        place = 0
        while place < len(line):
            if self.quote:
                place = self._through_string(line, place, out)
                continue
            token = _TOKEN.search(line, place)
            if token is None:
                out.append(line[place:])
                break
            out.append(line[place : token.start()])
            place = self._take(token, out, len(line))
        code = "".join(out)
        if len(self.quote) == 1 and not _ends_in_backslash(line):
            self.quote = ""
            self.unclosed = True
        self.continued = not self.quote and code.endswith("\\")
        return code

    def _feed_short(self, line: str) -> str:
        """The same for a line that begins outside of strings and has none of triple quotes."""
        code = line
        if "'" in line or '"' in line or "#" in line:
            out: list[str] = []
            place = 0
            for found in _STRING_OR_COMMENT.finditer(line):
                start, end = found.span()
                mark = line[start]
                out.append(line[place:start])
                place = end
                if found.lastindex:
                    out.append(mark + " " * (end - start - 2) + mark)
                elif mark == "#":
                    out.append(" " * (end - start))
                else:
                    out.append(mark + " " * (end - start - 1))
                    self.unclosed = not _ends_in_backslash(line)
                    self.quote = "" if self.unclosed else mark
            out.append(line[place:])
            code = "".join(out)
        depth = self.depth
        for bracket in _BRACKET.findall(code):
            if bracket in "([{":
                depth += 1
            elif depth:
                depth -= 1
        self.depth = depth
        self.continued = not self.quote and code.endswith("\\")
        return code

    def _take(self, token: re.Match[str], out: list[str], size: int) -> int:
        mark = token[0]
        if mark == "#":
            out.append(" " * (size - token.start()))
            return size
        if mark in "([{":
            self.depth += 1
        elif mark in ")]}":
            self.depth = max(0, self.depth - 1)
        else:
            self.quote = mark
        out.append(mark)
        return token.end()

    def _through_string(self, line: str, place: int, out: list[str]) -> int:
        """Go on to the end of the open string or of the line; the place after it."""
        for part in _STRING_PART[self.quote].finditer(line, place):
            if part[0] == self.quote:
                out.append(" " * (part.start() - place) + self.quote)
                self.quote = ""
                return part.end()
        out.append(" " * (len(line) - place))
        return len(line)


def _ends_in_backslash(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1
