"""Shell scripts.

Read by hand, in one pass: the grammar for shell reads out of bounds on some texts, which ends
the whole process and not one file's reading. What is wanted here is little: where comments and
statements start, what is assigned, which commands stand there with which flags, and functions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

from retrieval.comments import mark_part
from retrieval.outline import (
    CallSite,
    Definition,
    LineKind,
    Outline,
    RawFact,
    Run,
    blank_kinds,
)
from retrieval.values import FactSource, ParseState

__all__ = ["script_runs", "shell_outline"]

_MAX_VALUE = 120
_MAX_WORD = 1_000
_MAX_COMMAND = 20_000
# What a command line runs: `python a/b.py`, `torchrun ... train.py`, `python -m pkg.mod`.
# Tried at a path's start alone: at each of its folders would take the square of its length.
_RUNS_FILE = re.compile(r"(?<![\w.-])(?<![\w.-]/)((?:[\w.\-]+/)*[\w\-]+\.(?:py|sh|ipynb))(?![\w.])")
_MODULE = re.compile(r"\s-m\s+([\w.]+)")
_RUNS_MODULES = re.compile(r"(?:(?i:python)[\d.]*|torchrun|launch)\b")
_RUNNERS = re.compile(
    r"\b(?:(?i:python)[\d.]*|torchrun|accelerate|deepspeed|mpirun|srun|sbatch|uv|poetry|bash|sh|streamlit"
    r"|horovodrun|jupyter|papermill|exec|time|nohup)\b|^\s*\./"
)
_FLAG = re.compile(r"--?([A-Za-z][\w.\-]*)(?:=(.+))?", re.DOTALL)
_OVERRIDE = re.compile(r"\+{0,2}([A-Za-z_][\w.\-/]*)=(.+)", re.DOTALL)
_PRINTING = frozenset({"echo", "printf"})


def script_runs(text: str, line: int) -> list[Run]:
    """The files and modules that a command runs, in the order of the text.

    Args:
        text: The command.
        line: Its first line.
    """
    if not _RUNNERS.search(text):
        return []
    found = [(match.start(1), match[1].removeprefix("./")) for match in _RUNS_FILE.finditer(text)]
    behind = 0
    for match in _MODULE.finditer(text):
        # What stands before it in the same command, each part looked at once.
        start = max(behind, *(text.rfind(mark, behind, match.start()) + 1 for mark in "|;&\n"))
        behind = match.start()
        if _RUNS_MODULES.search(text, start, behind):
            found.append((match.start(1), match[1]))
            behind = match.end()
    return [Run(target, line + text.count("\n", 0, at)) for at, target in sorted(found)]


def shell_outline(lines: list[str]) -> Outline:
    """Read a shell script."""
    outline = Outline(ParseState.PARSED, blank_kinds(lines, LineKind.CODE))
    reader = _Reader("\n".join(lines), lines, outline)
    if not reader.read():
        outline.state = ParseState.BROKEN
    _mark_idle_texts(outline, lines)
    outline.definitions.sort(key=lambda definition: definition.first)
    kinds = outline.kinds
    runs = [run for run in outline.runs if kinds[run.line - 1] == LineKind.CODE]
    outline.runs = sorted(runs, key=lambda run: run.line)
    return outline


# One token of a command. A word's inside is taken in one piece; what opens a text that can hold
# anything is a token of its own.
_IN_COMMAND = re.compile(
    r"""(?P<blank>(?:[^\S\n]|\\\n)+)
    | (?P<newline>\n)
    | (?P<word>[^\s\\'"`$;&|(){}<>\#]+)
    | (?P<escape>\\.|\\\Z)
    | (?P<single>\$'(?:[^'\\]|\\.)*(?:'|\Z)|'[^']*(?:'|\Z))
    | (?P<heredoc><<-?(?!<)[^\S\n]*(?P<mark>\\?[\w.\-]+|'[^'\n]*'|"[^"\n]*"))
    | (?P<process>[<>]\()
    | (?P<redirect>[<>]+[&|]?|&>>?)
    | (?P<stop>;;&?|;&|;|&&|\|\||\|&?|&)
    | (?P<arith>\$?\(\()
    | (?P<other>\$\(|\$\{|.)""",
    re.VERBOSE | re.DOTALL,
)
_IN_QUOTES = re.compile(r'[^"\\$`]+|\\.|\$\(\(|\$\(|\$\{|.|\\\Z', re.DOTALL)
_IN_BRACES = re.compile(r"[^}\"'\\$`]+|\\.|\$\(\(|\$\(|\$\{|.|\\\Z", re.DOTALL)
_IN_SUM = re.compile(r"[^()]+|\(|\)")
_FUNCTION = re.compile(
    r"(?:function[^\S\n]+([\w:.\-]+)(?:[^\S\n]*\([^\S\n]*\))?|([\w:.\-]+)[^\S\n]*\([^\S\n]*\))\s*(?=[{(])"
)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]\n]*\])?\+?=")
_OPENING = frozenset({"if", "while", "until", "for", "select", "case"})
_CLOSING = frozenset({"fi", "done", "esac"})
_BETWEEN = frozenset({"then", "else", "elif", "do", "!", "time", "{"})
_DECLARING = frozenset({"export", "declare", "local", "readonly", "typeset"})
_NO_COMMAND = frozenset({"[", "[[", "for", "select", "case"})


@dataclass(slots=True)
class _Frame:
    """A text within a text: the script, a group, a substitution, quotes.

    Attributes:
        kind: What closes it, or "" for the script.
        holds_commands: Whether commands stand in it.
        words: Of the command that is being read: first position, the one behind, redirected.
        in_word: A word is being read.
        redirected: The next word is a file's name and none of the command.
        compounds: How many of `if`, `for`, ... are open.
        cases: How many of them are `case`.
        pattern: A pattern of `case` is being read, which is no command.
        function: Name and position of the function whose body it is.
        depth: Open parentheses of a sum.
        in_quotes: Double quotes are open around it.
        in_a_word: It is a piece of a word of the text around it.
    """

    kind: str
    holds_commands: bool = True
    words: list[list[int]] = field(default_factory=list)
    in_word: bool = False
    redirected: bool = False
    compounds: int = 0
    cases: int = 0
    pattern: bool = False
    function: tuple[str, int] | None = None
    depth: int = 0
    in_quotes: bool = False
    in_a_word: bool = True


class _Reader:
    """One pass over a script; `outline` is filled on the way."""

    def __init__(self, text: str, lines: list[str], outline: Outline) -> None:
        self.text, self.lines, self.outline = text, lines, outline
        self.starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self.frames = [_Frame("")]
        self.heredocs: list[tuple[str, bool]] = []
        self.function: tuple[str, int] | None = None
        self.whole = True
        # Commands stand in commands: a hostile script could have each read a thousand times.
        self.left_to_search = 8 * len(text) + _MAX_COMMAND

    def row(self, position: int) -> int:
        """The row, from 0, of a position in the text."""
        return bisect_right(self.starts, position) - 1

    def read(self) -> bool:
        """Read all; whether the script is whole: everything that it opens is closed."""
        position = 0
        while position < len(self.text):
            frame = self.frames[-1]
            if frame.holds_commands:
                position = self._in_command(frame, position)
            elif frame.kind == "))":
                position = self._in_sum(frame, position)
            else:
                position = self._in_text(frame, position)
        script, whole = self.frames[0], self.whole and len(self.frames) == 1
        while self.frames:
            if self.frames[-1].holds_commands:
                self._end_command(self.frames[-1], len(self.text))
            self._close(len(self.text))
        return whole and not script.compounds

    def _open(self, kind: str, *, holds_commands: bool = True, in_a_word: bool = True) -> None:
        quoted = kind == '"' or (self.frames[-1].in_quotes and not holds_commands)
        self.frames.append(_Frame(kind, holds_commands, in_quotes=quoted, in_a_word=in_a_word))

    def _close(self, position: int) -> None:
        frame = self.frames.pop()
        if frame.in_a_word and self.frames and self.frames[-1].words:
            self.frames[-1].words[-1][1] = position
        if frame.function is not None:
            name, start = frame.function
            first, last = self.row(start) + 1, self.row(max(position - 1, start)) + 1
            self.outline.definitions.append(
                Definition(name, name, False, first, first, last, f"{name}()")
            )

    # Quotes, braces and sums.

    def _in_text(self, frame: _Frame, position: int) -> int:
        pattern = _IN_QUOTES if frame.kind == '"' else _IN_BRACES
        match = pattern.match(self.text, position)
        if match is None:
            return len(self.text)
        piece, end = match[0], match.end()
        if piece == frame.kind:
            self._close(end)
        elif piece == "'" and not frame.in_quotes:
            closing = self.text.find("'", end)
            self.whole &= closing >= 0
            return closing + 1 if closing >= 0 else len(self.text)
        else:
            self._open_piece(piece)
        return end

    def _open_piece(self, piece: str) -> None:
        match piece:
            case "$((" | "((":
                self._open("))", holds_commands=False)
                self.frames[-1].depth = 2
            case "$(":
                self._open(")")
            case "${":
                self._open("}", holds_commands=False)
            case '"':
                self._open('"', holds_commands=False)
            case "`":
                self._open("`")
            case _:
                pass

    def _in_sum(self, frame: _Frame, position: int) -> int:
        match = _IN_SUM.match(self.text, position)
        if match is None:
            return len(self.text)
        frame.depth += {"(": 1, ")": -1}.get(match[0], 0)
        if not frame.depth:
            self._close(match.end())
        return match.end()

    # Commands.

    def _in_command(self, frame: _Frame, position: int) -> int:
        if not frame.words and not frame.in_word:
            function = _FUNCTION.match(self.text, position)
            if function is not None and not frame.pattern:
                self._note_statement(frame, position)
                self.function = (function[1] or function[2], position)
                return function.end()
        match = _IN_COMMAND.match(self.text, position)
        if match is None:
            return len(self.text)
        piece, end = match[0], match.end()
        match match.lastgroup:
            case "blank":
                frame.in_word = False
            case "newline":
                self._end_command(frame, position)
                return self._after_heredocs(end)
            case "stop":
                self._end_command(frame, position)
                frame.pattern |= bool(frame.cases) and piece.startswith((";;", ";&"))
            case "heredoc":
                frame.in_word = False
                mark = match["mark"].strip("'\"\\")
                self.heredocs.append((mark, piece.startswith("<<-")))
            case "redirect":
                if frame.in_word and self.text[slice(*frame.words[-1][:2])].isdigit():
                    frame.words.pop()  # `2>`
                frame.in_word, frame.redirected = False, True
            case "process":
                self._add_to_word(frame, position, end)
                self._open(")")
            case "single":
                self.whole &= piece.endswith("'") and len(piece.lstrip("$")) > 1
                self._add_to_word(frame, position, end)
            case "arith":
                self._add_to_word(frame, position, end)
                self._open_piece("((")
            case "word" | "escape":
                self._add_to_word(frame, position, end)
            case _:
                return self._other(frame, piece, position, end)
        return end

    def _other(self, frame: _Frame, piece: str, position: int, end: int) -> int:
        starts = not frame.words
        if piece == "#" and not frame.in_word:
            row = self.row(position)
            column = position - self.starts[row]
            if self.lines[row][:column].strip():
                self.outline.tails.setdefault(row + 1, column)
            else:
                self._note_statement(frame, position)
                self.outline.kinds[row] = LineKind.COMMENT
            return self.starts[row] + len(self.lines[row])
        if piece == ")" and self._ends_pattern(frame):
            frame.words, frame.in_word, frame.pattern = [], False, False
        elif piece == frame.kind and (piece != "}" or starts):
            self._end_command(frame, position)
            self._close(end)
        elif piece == ")":
            self._end_command(frame, position)
        elif piece == "(":
            self._open_parenthesis(frame, position)
        elif piece == "{" and starts:
            self._note_statement(frame, position)
            self._open("}", in_a_word=False)
            self.frames[-1].function, self.function = self.function, None
        else:
            self._add_to_word(frame, position, end)
            self._open_piece(piece)
        return end

    def _ends_pattern(self, frame: _Frame) -> bool:
        if not frame.words or self.text[slice(*frame.words[0][:2])] != "case":
            return frame.pattern and frame.cases > 0
        frame.compounds += 1
        frame.cases += 1
        return True

    def _open_parenthesis(self, frame: _Frame, position: int) -> None:
        if frame.pattern:
            return
        array = frame.in_word and self.text[position - 1] == "="
        if array:
            self._open(")")
            self.frames[-1].pattern = True  # its words are values and no command
            return
        self._note_statement(frame, position)
        self._open(")", in_a_word=False)
        self.frames[-1].function, self.function = self.function, None

    def _add_to_word(self, frame: _Frame, position: int, end: int) -> None:
        if not frame.holds_commands:
            return
        if not frame.in_word or not frame.words:
            if not frame.words:
                self._note_statement(frame, position)
            frame.words.append([position, end, frame.redirected])
            frame.in_word, frame.redirected = True, False
        frame.words[-1][1] = end

    def _note_statement(self, frame: _Frame, position: int) -> None:
        if len(self.frames) == 1 and not frame.compounds and not frame.words:
            row = self.row(position)
            self.outline.borders.setdefault(row + 1, position - self.starts[row])

    def _after_heredocs(self, position: int) -> int:
        for mark, tabs in self.heredocs:
            row = self.row(position)
            while row < len(self.lines):
                line = self.lines[row]
                row += 1
                if (line.lstrip("\t") if tabs else line) == mark:
                    break
                # Jobs are often handed over like this.
                self.outline.runs.extend(script_runs(line[:_MAX_COMMAND], row))
            position = self.starts[row]
        self.heredocs.clear()
        return min(position, len(self.text))

    def _end_command(self, frame: _Frame, end: int) -> None:
        spans = [(first, last) for first, last, redirected in frame.words if not redirected]
        frame.words, frame.in_word, frame.redirected = [], False, False
        # A word may hold all that follows, and commands that hold all of it too.
        words = [self.text[first : min(last, first + _MAX_WORD)] for first, last in spans]
        if frame.pattern:
            if words[:1] != ["esac"]:
                return
            frame.pattern = False
        at = 0
        while at < len(words) and words[at] in _BETWEEN | _OPENING - _NO_COMMAND:
            frame.compounds += words[at] in _OPENING
            at += 1
        if at == len(words):
            return
        if words[at] in _CLOSING:
            frame.cases -= words[at] == "esac"
            frame.compounds -= 1
            return
        if words[at] in _NO_COMMAND:
            frame.compounds += words[at] in _OPENING
            frame.cases += words[at] == "case"
            frame.pattern = words[at] == "case"
            return
        declares = words[at] in _DECLARING
        at += declares
        while at < len(words) and (declares or _ASSIGNMENT.match(words[at])):
            self._note_assignment(words[at], spans[at][0])
            at += 1
        if at < len(words):
            self._note_command(spans[at][0], end, words[at])
            self._note_flags(words[at:], [first for first, _ in spans[at:]])

    def _note_assignment(self, word: str, position: int) -> None:
        match = _ASSIGNMENT.match(word)
        value = "" if match is None else word[match.end() : match.end() + _MAX_VALUE]
        if match is not None and value:
            line = self.row(position + match.end()) + 1
            self.outline.facts.append(RawFact(match[1][:100], value, line, FactSource.ASSIGNMENT))

    def _note_command(self, position: int, end: int, name: str) -> None:
        self.outline.calls.append(CallSite(name[:100], self.row(position) + 1, -1))
        end = min(end, position + _MAX_COMMAND)
        self.left_to_search -= end - position
        if self.left_to_search > 0:
            runs = script_runs(self.text[position:end], self.row(position) + 1)
            self.outline.runs.extend(runs)

    def _note_flags(self, words: list[str], positions: list[int]) -> None:
        for at, word in enumerate(words):
            # Hydra's overrides are often quoted whole; what is printed sets nothing.
            bare = word if words[0] in _PRINTING else word.strip("\"'")
            flag = _FLAG.fullmatch(bare) or _OVERRIDE.fullmatch(bare)
            if flag is None:
                continue
            value, position = flag[2], positions[at]
            if value is None:
                if at + 1 == len(words) or words[at + 1].startswith("-"):
                    continue
                value, position = words[at + 1], positions[at + 1]
            self.outline.facts.append(
                RawFact(
                    flag[1].replace("-", "_"),
                    value[:_MAX_VALUE],
                    self.row(position) + 1,
                    FactSource.FLAG,
                )
            )


# The shell's usual comment over several lines: a text for a command that does nothing.
_IDLE_HEREDOC = re.compile(r"^[ \t]*(?::|true|false)[ \t][^#\n]*?<<-?[ \t]*[\\'\"]?(\w+)")
_IDLE_QUOTE = re.compile(r"^[ \t]*:[ \t]+(['\"])")


def _mark_idle_texts(outline: Outline, lines: list[str]) -> None:
    row, end = 0, len(lines) - 1
    while row <= end:
        first, line = row, lines[row]
        heredoc, quote = _IDLE_HEREDOC.match(line), _IDLE_QUOTE.match(line)
        if heredoc is not None:
            row = min(row + 1, end)
            while row < end and lines[row].strip() != heredoc[1]:
                row += 1
        elif quote is not None:
            rest = line[quote.end() :]
            while quote[1] not in rest and row < end:
                row += 1
                rest = lines[row]
        # `: "${LR:=0.001}"` sets a value.
        sets = heredoc is None and ("${" in line or "$(" in line)
        if (heredoc or quote) and not sets:
            mark_part(outline, lines, (first, 0), (row, len(lines[row])), LineKind.COMMENT)
        row += 1
