"""Quoted code as HTML lines, highlighted by classes, each with its real line number."""

from __future__ import annotations

import html
from functools import cache, lru_cache
from pathlib import PurePosixPath

from markupsafe import Markup
from pygments.lexer import Lexer
from pygments.lexers import (
    BashLexer,
    CLexer,
    CppLexer,
    IniLexer,
    JsonLexer,
    MarkdownLexer,
    PythonLexer,
    TOMLLexer,
    YamlLexer,
)
from pygments.token import Token, _TokenType

from judge.counting import counted
from judge.report.text import visible_markup
from judge.verdict import Citation, QuoteState

__all__ = ["cited_code", "highlighted_lines"]

_LEXERS: dict[str, type[Lexer]] = {
    ".py": PythonLexer,
    ".pyi": PythonLexer,
    ".ipynb": PythonLexer,  # quotes of notebooks are their cells' sources
    ".yaml": YamlLexer,
    ".yml": YamlLexer,
    ".json": JsonLexer,
    ".toml": TOMLLexer,
    ".ini": IniLexer,
    ".cfg": IniLexer,
    ".sh": BashLexer,
    ".bash": BashLexer,
    ".md": MarkdownLexer,
    ".c": CLexer,
    ".cpp": CppLexer,
    ".cu": CppLexer,
}

MOST_LINES = 200
MOST_CHARACTERS = 20_000
LONGEST_LINE = 1000
"""Beyond these a quote is shown plain or cut: a lexer's patterns are no match for hostile lines."""


@lru_cache(maxsize=32)
def _lexer(ending: str) -> Lexer | None:
    kind = _LEXERS.get(ending)
    return kind(stripnl=False, ensurenl=False) if kind else None


_CLASSES = {
    Token.Comment: "c",
    Token.Literal.String.Doc: "c",
    Token.Literal.String: "s",
    Token.Literal.Number: "m",
    Token.Keyword: "k",
    Token.Operator.Word: "k",
    Token.Name.Function: "f",
    Token.Name.Class: "f",
    Token.Name.Decorator: "d",
    Token.Name.Builtin: "b",
    Token.Name.Tag: "b",
    Token.Name.Attribute: "b",
    Token.Generic.Heading: "k",
}


@cache
def _class(kind: _TokenType) -> str:
    """The class of a token; most have none, which keeps pages small."""
    while kind.parent is not None:
        if kind in _CLASSES:
            return _CLASSES[kind]
        kind = kind.parent
    return ""


@lru_cache(maxsize=20_000)
def highlighted_lines(ending: str, code: str) -> tuple[Markup, ...]:
    """The lines of some code as HTML, one entry a line, whatever the code.

    Args:
        ending: The file's ending in lower case, e.g. `.py`; unknown ones are shown plain.
        code: The code.
    """
    lines = code.split("\n")
    lexer = _lexer(ending)
    if lexer is not None and len(code) <= MOST_CHARACTERS and max(map(len, lines)) <= LONGEST_LINE:
        marked = [""]
        for kind, text in lexer.get_tokens(code):
            name = _class(kind)
            first, *more = text.split("\n")
            for place, part in enumerate((first, *more)):
                if place:
                    marked.append("")
                if part:
                    inner = html.escape(part)
                    marked[-1] += f'<span class="{name}">{inner}</span>' if name else inner
        # A lexer may normalise line ends; its lines are of use only where none moved.
        if len(marked) == len(lines):
            return tuple(visible_markup(line) for line in marked)
    return tuple(visible_markup(html.escape(line)) for line in lines)


def cited_code(citation: Citation) -> Markup:
    """A citation's quote as the inside of a `<pre>`.

    Lines are numbered where the quote was found in its file and has as many lines as it says; a
    quote that was not found has no real line numbers, so it is shown without.
    """
    span = citation.last - citation.first + 1
    lines = citation.quote.split("\n")
    if len(lines) != span:
        lines = citation.quote.strip("\n").split("\n")
    numbered = citation.state is not QuoteState.NOT_FOUND and len(lines) == span
    ending = PurePosixPath(citation.path).suffix.lower()
    text = "\n".join(lines[:MOST_LINES])
    left_out = max(0, len(lines) - MOST_LINES)
    if len(text) > MOST_CHARACTERS:
        text = text[:MOST_CHARACTERS]
        left_out = len(lines) - text.count("\n")
    rows = []
    for number, line in enumerate(highlighted_lines(ending, text), start=citation.first):
        label = f' data-n="{number}"' if numbered else ""
        rows.append(f'<span class="line"{label}>{line}\n</span>')
    if left_out:
        rows.append(f'<span class="line cut">… {counted(left_out, "more line")}\n</span>')
    return Markup("".join(rows))  # noqa: S704
