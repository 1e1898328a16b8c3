"""Which lines of a text are comments or the inside of strings, for languages without a grammar.

One pass from the first character to the last, without recursion; whatever the text, it ends and
never raises. Where it errs it should err towards comment: a quote of code that is taken for a
comment costs a verdict, a comment that is taken for code makes a false one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from retrieval.comment_syntax import Ends, Rule, Syntax
from retrieval.outline import LineKind, Outline

__all__ = ["Span", "is_remark", "mark_comments", "mark_part", "spans_of", "without"]

# How often, all told, the length of a text may be walked in vain for ends that are not there.
_VAIN_WALKS = 16
_MAX_MARKS = 500
_OPERAND_BEFORE = frozenset("(,=:[!&|?{};+-*%~^\n")
_OPERAND_WORDS = ("return", "typeof", "case", "in", "of", "yield", "await")
_IN_TEMPLATE = re.compile(r"\\.|`|\$\{", re.DOTALL)
_IN_ITS_CODE = re.compile(
    r"[`{}]|//[^\n]*|/\*|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?", re.DOTALL
)
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(ifdef|ifndef|if|elifdef|elifndef|elif|else|endif)\b(.*)")
_FALSE = re.compile(r"[\s(]*(?:0|false|FALSE)[\s)]*(?:&&.*)?")
_TRUE = re.compile(r"[\s(]*(?:1|true|TRUE)[\s)]*(?:\|\|.*)?")


_REMARK = re.compile(
    r"[\s'\"_$@-]*(?:comments?|notes?|remarks?|todo|fixme|readme|docs?|documentation|descriptions?|desc"
    r"|help|explanation|rationale)[\s'\"_$0-9]*|[\s'\"]*(?://|#).*",
    re.IGNORECASE | re.DOTALL,
)


def is_remark(key: str) -> bool:
    """Whether a key of a configuration holds words for people: formats without comments do so."""
    return len(key) <= 100 and _REMARK.fullmatch(key) is not None


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text that does nothing: a comment, or a string over several lines.

    Attributes:
        start: Its first character.
        end: The character behind it.
        kind: `COMMENT` or `STRING`.
    """

    start: int
    end: int
    kind: LineKind


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL | re.MULTILINE)


@lru_cache(maxsize=64)
def _openers(syntax: Syntax) -> tuple[re.Pattern[str], tuple[int, ...]]:
    """One pattern of all beginnings, and the number of each rule's group in it."""
    groups, pieces, number = [], [], 1
    for rule in syntax.rules:
        pieces.append(f"({rule.opens})")
        groups.append(number)
        number += 1 + re.compile(rule.opens).groups
    return _compiled("|".join(pieces)), tuple(groups)


def spans_of(text: str, syntax: Syntax) -> list[Span]:
    """The comments of a text, and its strings over several lines, in order.

    Args:
        text: Any text.
        syntax: The rules of its language.
    """
    opener, groups = _openers(syntax)
    spans: list[Span] = []
    vain = _VAIN_WALKS * max(len(text), 1)
    marks: set[str] = set()
    at = 0
    while (match := opener.search(text, at)) is not None:
        group, rule = next(
            (group, rule)
            for group, rule in zip(groups, syntax.rules, strict=True)
            if match.start(group) >= 0
        )
        begin, end = match.span()
        if rule.operand and not _takes_operand(text, begin):
            at = begin + 1
            continue
        if rule.template or rule.closes:
            mark = match[group + 1] or "" if "@" in rule.closes else ""
            marks.add(mark)
            found = _end(text, end, rule, mark) if vain > 0 and len(marks) < _MAX_MARKS else None
            if found is None:
                line_end = text.find("\n", end) if rule.short else -1
                vain -= (line_end if line_end >= 0 else len(text)) - begin
                if rule.ends is Ends.AT_SIGN:
                    at = begin + 1
                    continue
            end = len(text) if found is None else found
        if not rule.string:
            spans.append(Span(begin, end, LineKind.COMMENT))
        elif text.find("\n", begin, end) >= 0:
            spans.append(Span(begin, end, LineKind.STRING))
        at = max(end, begin + 1)
    return spans


def _end(text: str, start: int, rule: Rule, mark: str) -> int | None:
    """Where a span ends that began before `start`; `None` where it has no end."""
    if rule.template:
        return _template_end(text, start)
    closes = rule.closes.replace("@", re.escape(mark))
    if not rule.nested:
        pattern = _compiled(closes)
        found = pattern.match(text, start) if rule.string else pattern.search(text, start)
        return None if found is None else found.end()
    depth = 1
    for sign in _compiled(f"(?P<close>{closes})|{rule.nested}").finditer(text, start):
        depth += -1 if sign["close"] is not None else 1
        if not depth:
            return sign.end()
    return None


def _template_end(text: str, start: int) -> int | None:
    """Where a template string ends; between `${` and `}` may stand code with templates in it."""
    depths = [-1]  # -1 in a template, else how many brackets are open in the code inside it
    at = start
    while (
        match := (_IN_TEMPLATE if depths[-1] < 0 else _IN_ITS_CODE).search(text, at)
    ) is not None:
        sign, at = match[0], match.end()
        if sign == "`":
            if depths[-1] >= 0:
                depths.append(-1)
                continue
            depths.pop()
            if not depths:
                return at
        elif sign == "${":
            depths.append(0)
        elif sign == "{":
            depths[-1] += 1
        elif sign == "}":
            depths[-1] -= 1
            if depths[-1] < 0:
                depths.pop()
        elif sign == "/*":
            at = text.find("*/", at) + 2
            if at < 2:
                return None
    return None


def _takes_operand(text: str, at: int) -> bool:
    """Whether what stands before is an operator, so that `/` begins a pattern."""
    begin = max(0, at - 100)
    before = text[begin:at].rstrip(" \t")
    return not before or before[-1] in _OPERAND_BEFORE or before.endswith(_OPERAND_WORDS)


def mark_comments(outline: Outline, lines: list[str], syntax: Syntax) -> None:
    """Mark the comments and the insides of strings among the lines that passed for code.

    Args:
        outline: Of the file; its `kinds`, `tails` and `holes` are changed.
        lines: The file's lines.
        syntax: The rules of its language.
    """
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for span in spans_of("\n".join(lines), syntax):
        row = bisect_right(starts, span.start) - 1
        last = min(bisect_right(starts, max(span.start, span.end - 1)) - 1, len(lines) - 1)
        begin = span.start - starts[row]
        if span.kind is LineKind.STRING:
            row, begin = row + 1, 0  # the first line of a string is code that names it
        mark_part(outline, lines, (row, begin), (last, span.end - starts[last]), span.kind)
    if syntax.conditional:
        _mark_unbuilt(outline, lines)


def mark_part(
    outline: Outline,
    lines: list[str],
    start: tuple[int, int],
    end: tuple[int, int],
    kind: LineKind,
) -> None:
    """Mark a part of a file as no code.

    Args:
        outline: Of the file; its `kinds`, `tails` and `holes` are changed.
        lines: The file's lines.
        start: Row and column of its first character, from 0.
        end: Row and column behind its last.
        kind: What it is.
    """
    for row in range(start[0], end[0] + 1):
        begin = start[1] if row == start[0] else 0
        stop = end[1] if row == end[0] else len(lines[row])
        if outline.kinds[row] == LineKind.CODE and begin < stop:
            _mark_line(outline, row, lines[row], (begin, stop), kind)


def _mark_line(
    outline: Outline, row: int, line: str, hole: tuple[int, int], kind: LineKind
) -> None:
    number = row + 1
    holes = [*outline.holes.get(number, ()), hole]
    tail = outline.tails.get(number)
    left = without(line[:tail], holes)
    says = any(map(str.isalnum, left))
    if not (left.strip(" \t\r\f,") if kind is LineKind.COMMENT else says):
        outline.kinds[row] = kind
        outline.tails.pop(number, None)
        outline.holes.pop(number, None)
    elif hole[1] >= len(line.rstrip()):
        outline.tails[number] = hole[0] if tail is None else min(tail, hole[0])
    else:
        outline.holes[number] = holes


def without(line: str, holes: list[tuple[int, int]]) -> str:
    """A line with blanks in place of some parts of it, as long as before."""
    for begin, end in holes:
        line = line[:begin] + " " * (min(end, len(line)) - begin) + line[end:]
    return line


def _mark_unbuilt(outline: Outline, lines: list[str]) -> None:
    """Mark what stands between `#if 0` and `#endif`, and the other half of `#if 1`."""
    # One entry an open `#if`: whether this part is left out, and whether one before was taken.
    open_ifs: list[tuple[bool, bool]] = []
    left_out = 0  # how many of them are left out
    for row, line in enumerate(lines):
        if outline.kinds[row] != LineKind.CODE:
            continue
        match = _DIRECTIVE.match(line) if "#" in line else None
        if match is not None:
            word = match[1]
            rest = without(line, outline.holes.get(row + 1, []))
            rest = rest[: outline.tails.get(row + 1)][match.start(2) :]
            never = word in {"if", "elif"} and _FALSE.fullmatch(rest) is not None
            always = word == "else" or (
                word in {"if", "elif"} and _TRUE.fullmatch(rest) is not None
            )
            if word in {"if", "ifdef", "ifndef"}:
                open_ifs.append((never, always))
                left_out += never
            elif open_ifs:
                was_out, taken = open_ifs.pop()
                left_out -= was_out
                if word != "endif":
                    open_ifs.append((taken or never, taken or always))
                    left_out += taken or never
        elif left_out:
            outline.kinds[row] = LineKind.COMMENT
            outline.tails.pop(row + 1, None)
            outline.holes.pop(row + 1, None)
