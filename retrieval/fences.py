r"""Python inside Markdown fences, Python that was cut off, and strings that a line end broke.

Generated files are often a model's whole answer: a heading, a fence, the code, a closing fence, a
sentence or two; or the answer ended in the middle of a line when its budget was gone; or an escaped
line end inside a string (`print("\nEpoch")`) was written out as a real one.
`recover_python` makes such text parse without moving a line. Its result serves to parse and to find
symbols; what is shown and quoted is always the original text, which has the same line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.decoding import split_lines
from retrieval.lexing import LineLexer

__all__ = ["recover_python", "recoveries"]

_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\w+.-]*)")
_PYTHON_WORDS = frozenset(
    {"", "python", "py", "python3", "py3", "ipython", "pycon", "sage", "text"}
)
_CODE_LINE = re.compile(r"\s*(?:(?:import|from|def|class|return|if|for|@)\b|[\w.\[\]]+\s*=|\w+\()")
_HEADER = re.compile(
    r"\s*(?:async\s+)?(if|elif|else|for|while|try|except|finally|with|def|class)\b"
)
_SOFT_HEADER = re.compile(r"(?:match|case)\b.*:$")
_KEYWORD_END = re.compile(
    r"(?:^|\W)(?:and|or|not|in|is|if|else|elif|for|from|import|as|lambda|await|with|while|assert"
    r"|def|class|async|global|nonlocal|del)$"
)
_ENDING_OPERATORS = tuple("+-*/%@&|^~<>=.,!:\\")
# A statement this long was not cut off: the count of quotes or brackets went wrong further up.
_LARGEST_CUT = 120
# Lines after a broken string's first in which its end is looked for.
_LARGEST_BREAK = 3


def recover_python(text: str) -> str | None:
    """Make Python text parse that is wrapped in Markdown or cut off. Only for text that does not.

    What is outside fenced Python, and the fence lines themselves, become empty lines. Where the
    text ends in the middle of a statement, that statement's lines become empty too; a block that
    is left without a body gets ` ...` behind its colon, and a `try` that is left without a handler
    becomes `if 1`. A one-line string that ends on one of the next lines gets triple quotes.

    Args:
        text: The file's text.

    Returns:
        Text with as many lines, each unchanged but for the cases above; or `None` where there was
        nothing to change. Whether it parses is for the caller to see.
    """
    lines = split_lines(text)
    repaired = lines
    for repaired in recoveries(lines):  # noqa: B007 - the last one counts
        pass
    return None if repaired == lines else "\n".join(repaired)


def recoveries(lines: list[str]) -> Iterator[list[str]]:
    """The steps of `recover_python`, each on top of the one before, as far as they change a thing.

    What stands in fences parses as it is, mostly: then the rest need not be looked at.
    """
    fenced = _inside_fences(lines)
    if fenced != lines:
        yield fenced
    mended = _mend_end(_mend_strings(fenced))
    if mended != fenced:
        yield mended


def _inside_fences(lines: list[str]) -> list[str]:
    """The lines with everything but fenced Python empty; the same lines where nothing is fenced."""
    if not any(line.lstrip(" \t").startswith(("```", "~~~")) for line in lines):
        return lines
    kept = [""] * len(lines)
    number = 0
    found = False
    if fence_after := _fence_after_code(lines):
        kept[:fence_after] = lines[:fence_after]
        found = True
        # A bare fence after code closes a block that was never opened.
        fence = _opening(lines[fence_after])
        number = fence_after if fence and fence[2] else fence_after + 1
    lexer = LineLexer()
    while number < len(lines):
        line = lines[number]
        number += 1
        fence = None if len(lexer.quote) == 3 else _opening(line)
        if fence is None:
            lexer.feed(line)
            continue
        lexer = LineLexer()
        if fence[2].lower() in _PYTHON_WORDS:
            number = _keep_block(lines, number, fence[1], kept)
            found = True
        else:
            number = _skip_block(lines, number, fence[1])
    return kept if found else lines


def _opening(line: str) -> re.Match[str] | None:
    """A fence line; not a line of inline code, which has more backticks behind."""
    fence = _FENCE.match(line)
    return None if fence is None or "`" in line[fence.end() :] else fence


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def _keep_block(lines: list[str], start: int, fence: str, kept: list[str]) -> int:
    """Keep the lines of a block of Python; the number of the line after its closing fence.

    A fence inside a multi-line string is text of the program (a prompt, a docstring) unless that
    string never ends.
    """
    lexer = LineLexer()
    in_string: int | None = None
    for number in range(start, len(lines)):
        line = lines[number]
        if _closes(line, fence):
            if not lexer.quote:
                kept[start:number] = lines[start:number]
                return number + 1
            in_string = number
        # Whether a string goes on is all that is asked: lines without quotes say nothing of it.
        if lexer.quote or '"' in line or "'" in line:
            lexer.feed(line)
        if not lexer.quote:
            in_string = None
    end = len(lines) if in_string is None else in_string
    kept[start:end] = lines[start:end]
    return len(lines) if in_string is None else end + 1


def _skip_block(lines: list[str], start: int, fence: str) -> int:
    for number in range(start, len(lines)):
        if _closes(lines[number], fence):
            return number + 1
    return len(lines)


def _fence_after_code(lines: list[str]) -> int | None:
    """The line of the first fence, where it is code that stands before it and not prose."""
    lexer = LineLexer()
    code = prose = 0
    for number, line in enumerate(lines):
        if not lexer.quote and _opening(line):
            return number if code >= 2 and code > prose else None
        inside = lexer.inside
        bare = lexer.feed(line).strip()
        if bare and not inside:
            if _CODE_LINE.match(bare):
                code += 1
            elif len(bare.split()) >= 4:
                prose += 1
    return None


def _mend_strings(lines: list[str]) -> list[str]:
    """Triple the quotes of strings that were broken by a line end in their midst."""
    lexer = LineLexer()
    mended = list(lines)
    for number, line in enumerate(mended):
        code = lexer.feed(line)
        if not lexer.unclosed:
            continue
        column = max(code.rfind('"'), code.rfind("'"))
        if column < 0:
            continue  # it began on a line above, which ended in a backslash: nothing to mend here
        quote = code[column]
        for other in range(number + 1, min(number + 1 + _LARGEST_BREAK, len(mended))):
            if (end := mended[other].find(quote)) >= 0:
                mended[number] = _tripled(line, column, quote)
                mended[other] = _tripled(mended[other], end, quote)
                lexer.quote = quote * 3  # the rest of the walk sees the string as it now is
                break
    return mended


def _tripled(line: str, column: int, quote: str) -> str:
    return f"{line[:column]}{quote * 3}{line[column + 1 :]}"


@dataclass(frozen=True, slots=True)
class _Statement:
    """A logical line: lines `first` to `last`, from 0, and its code without strings."""

    first: int
    last: int
    indent: int
    code: str
    closed: bool

    @property
    def word(self) -> str:
        """The word that opens a block, or nothing."""
        match = _HEADER.match(self.code)
        return match[1] if match else ""

    @property
    def opens_block(self) -> bool:
        """Whether its body stands on the lines below."""
        return self.code.endswith(":") and (bool(self.word) or bool(_SOFT_HEADER.match(self.code)))

    @property
    def complete(self) -> bool:
        """Whether it can stand at the end of a file, as far as that shows without parsing."""
        if not self.closed or self.code.startswith("@"):
            return False
        if self.word:
            return ":" in _unbracketed(self.code)
        if self.opens_block or self.code.endswith(("...", "import *")):
            return True
        return not self.code.endswith(_ENDING_OPERATORS) and not _KEYWORD_END.search(self.code)


def _mend_end(lines: list[str]) -> list[str]:
    statements = _statements(lines)
    mended = list(lines)
    while statements and not statements[-1].complete:
        broken = statements.pop()
        size = broken.last + 1 - broken.first
        if size > _LARGEST_CUT:
            return lines
        mended[broken.first : broken.last + 1] = [""] * size
    if not statements:
        return lines
    last = statements[-1]
    if last.opens_block:
        line = mended[last.last]
        colon = _last_colon(lines, last)
        mended[last.last] = f"{line[: colon + 1]} ...{line[colon + 1 :]}"
    for unhandled in _open_tries(statements):
        mended[unhandled.first] = mended[unhandled.first].replace("try", "if 1", 1)
    return mended


def _statements(lines: list[str]) -> list[_Statement]:
    lexer = LineLexer()
    found: list[_Statement] = []
    codes: list[str] = []
    for number, line in enumerate(lines):
        if lexer.starts(line):
            codes = []
        codes.append(lexer.feed(line))
        if lexer.inside and number + 1 < len(lines):
            continue
        code = " ".join(codes).strip()
        if code:
            first = number + 1 - len(codes)
            indent = len(lines[first]) - len(lines[first].lstrip())
            closed = not lexer.inside and not lexer.unclosed
            found.append(_Statement(first, number, indent, code, closed))
        codes = []
    return found


def _last_colon(lines: list[str], statement: _Statement) -> int:
    """The column of the colon that ends a statement, in its last line."""
    lexer = LineLexer()
    code = ""
    for line in lines[statement.first : statement.last + 1]:
        code = lexer.feed(line)
    return code.rindex(":")


def _open_tries(statements: list[_Statement]) -> list[_Statement]:
    """The `try` statements whose block is still open at the end."""
    blocks: list[_Statement] = []
    for statement in statements:
        while blocks and blocks[-1].indent >= statement.indent:
            blocks.pop()
        if statement.opens_block:
            blocks.append(statement)
    return [block for block in blocks if block.word == "try"]


def _unbracketed(code: str) -> str:
    depth = 0
    out: list[str] = []
    for character in code:
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(0, depth - 1)
        elif depth == 0:
            out.append(character)
    return "".join(out)
