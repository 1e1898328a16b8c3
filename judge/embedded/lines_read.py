"""Each line of a repository as it is read: live, dead, unread, of a placeholder, or only text."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from judge.embedded.settings import unread_lines
from judge.embedded.statements import Statements
from judge.embedded.stubs import is_interface, is_stub
from judge.embedded.vain import Lived, find_vain
from judge.embedded.words import APOLOGY, DATA_WORDS, SYNTHETIC
from judge.embedded.wordy import name_terms, told_part, unquoted
from retrieval.index import Index
from retrieval.numbers import code_powers
from retrieval.values import Role, SourceFile
from retrieval.words import TOKEN

__all__ = ["Block", "LinesRead", "Standing"]


class Standing(IntEnum):
    """How far a line can act, from nothing at all to code that runs."""

    NOWHERE = 0
    TEXT = 1  # comments, docstrings, documents, prose in strings, imports, tests
    STUB = 2  # code of a placeholder
    UNREAD = 3  # settings that nothing reads
    DEAD = 4  # code that no entry point reaches
    LIVE = 5


@dataclass(slots=True)
class Block:
    """A function, a class's own lines, a module's own lines, or a file that is no Python.

    Attributes:
        path: The file.
        name: Dotted name in the file; empty for the file's own lines.
        lines: Its lines of code, counted over all files from 0.
        standing: Of its best line.
        stub: It does nothing of what its name says.
        apology: A comment in it says that it is not the real thing.
        synthetic: It makes data up.
    """

    path: str
    name: str
    lines: list[int]
    standing: Standing = Standing.NOWHERE
    stub: bool = False
    apology: bool = False
    synthetic: bool = False


_STRING = re.compile(r"(['\"])((?:\\.|(?!\1).)*)\1")
# The quote and the text are the groups; nothing in it can be matched in two ways.
_NAMED_STRING = re.compile(r"\s*\w+\s*=\s*[rRbBuU]?(['\"])((?:\\.|(?!\1)[^\\])*)\1\s*\Z")
_SPEECH = re.compile(
    r"\s*(?:print|logging\.\w+|logger\.\w+|log\.(?:info|debug|warning)|warnings\.warn|raise|assert"
    r"|self\.logger\.\w+|tqdm\.write|console\.print|click\.echo|echo\b|st\.write)"
)
# What a line begins with that may match; told much faster than by the pattern.
_SPOKEN_FIRST = (
    "print", "log", "warn", "raise", "assert", "self.logger", "tqdm", "console", "click", "echo",
    "st.",
)  # fmt: skip
_IMPORT = re.compile(r"\s*(?:from\s+\S+\s+import\b|import\s)")
_PROSE_WORDS = 4
# Results that are written down and not computed: `RESULTS.adam = 0.0091`.
_WRITTEN_DOWN = re.compile(
    r"(?:result|costs?|scores?|accurac|bleu|baseline|reported|published|performance|metrics?)s?\w*\.",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"-?\d{1,3}\.\d{1,5}")


class LinesRead:
    """What stands on the lines of a repository, which count over all files from 0.

    Attributes:
        blocks: The blocks of code and configuration.
        block_of_line: The block of each line, -1 for none.
        standing: The `Standing` of each line.
        terms: The lines of each term, in order.
        quoted: Those of them where it stands in a string.
        titles: The blocks whose file, class or name holds a term.
        left: Of lines of which not all counts, by path and row from 1, the terms that do.
        files: The first line of each file that was read, and its lines' code.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        total = len(index.chunk_of_line)
        self.blocks: list[Block] = []
        self.block_of_line: npt.NDArray[np.int32] = np.full(total, -1, np.int32)
        self.standing: npt.NDArray[np.uint8] = np.zeros(total, np.uint8)
        self.terms: defaultdict[str, list[int]] = defaultdict(list)
        self.quoted: defaultdict[str, set[int]] = defaultdict(set)
        self.titles: defaultdict[str, list[int]] = defaultdict(list)
        self.left: dict[tuple[str, int], set[str]] = {}
        self.files: list[tuple[int, list[str]]] = []
        self._statements: dict[str, Statements] = {}
        self._spoken: set[int] = set()
        self._idle_speech: list[int] = []  # of those, the ones that work nothing out
        for file in index.repository.files:
            if file.role in {Role.DOC, Role.DATA} or file.language == "markdown":
                continue
            self._read(file)
        self._judge_blocks()
        unread = unread_lines(index, self.standing > Standing.TEXT)
        if unread:
            self._lower(unread, Standing.UNREAD)
        self._lower_vain()
        if self._idle_speech:  # last: what tells a setting reads it
            self._lower(self._idle_speech, Standing.TEXT)
        for block in self.blocks:
            if block.lines:
                block.standing = Standing(int(self.standing[block.lines].max()))

    def statements(self, path: str) -> Statements:
        """The statements of a file; read once."""
        known = self._statements.get(path)
        if known is None:
            known = self._statements[path] = Statements(self._index, path)
        return known

    def _read(self, file: SourceFile) -> None:
        index, path = self._index, file.path
        base = index.line_number(path, 1)
        python = path in index.graph.paths
        source = index.lines(path)
        codes = self.statements(path).codes
        self.files.append((base, codes))
        numbers: dict[str, int] = {}
        inside_import = False
        inside_speech = 0  # brackets that are open
        for row, code in enumerate(codes):
            if not code and (not source[row] or source[row].isspace()):
                continue
            symbol = index.symbol_at(path, row + 1) if python else None
            name = symbol.name if symbol is not None else ""
            number = numbers.get(name)
            if not code or code.isspace():
                if number is not None:
                    self._read_text(base + row, number, source[row])
                continue
            if number is None:
                number = numbers[name] = len(self.blocks)
                self.blocks.append(Block(path, name, []))
                for token in (*TOKEN.findall(path), *name.split(".")):
                    for term in name_terms(token) if token else ():
                        self.titles[term].append(number)
            line = base + row
            self.block_of_line[line] = number
            if python and (inside_import or ("import" in code and _IMPORT.match(code))):
                inside_import = (inside_import or "(" in code) and ")" not in code
                self.standing[line] = Standing.TEXT
                continue
            quoted = "'" in code or '"' in code
            if python and quoted and _is_prose(code):
                self.standing[line] = Standing.TEXT
                continue
            block = self.blocks[number]
            block.lines.append(line)
            self.standing[line] = self._standing(file, row + 1)
            speech = python and (inside_speech > 0 or _is_speech(code))
            if speech:
                self._spoken.add(line)
                told = unquoted(code)
                acting, works = told_part(told, inside=inside_speech > 0)
                depth = told.count("(") - told.count(")")
                inside_speech = 0 if works else max(0, inside_speech + depth)
            else:
                acting = code
            terms = _line_terms(acting)
            if speech and not terms:
                self._idle_speech.append(line)
            for term in terms:
                self.terms[term].append(line)
            if "'" in acting or '"' in acting:
                for term in terms - _line_terms(_STRING.sub(" ", acting)):
                    self.quoted[term].add(line)

    def _read_text(self, line: int, number: int, text: str) -> None:
        """A line of comment or docstring inside a block."""
        self.block_of_line[line] = number
        if "#" in text and not self.blocks[number].apology and APOLOGY.search(text):
            path, row = self._index.place(line)
            self.blocks[number].apology = self._index.line_kind(path, row) == "comment"

    def _standing(self, file: SourceFile, line: int) -> Standing:
        if file.role is Role.TEST:
            return Standing.TEXT
        if file.role is Role.CONFIG:
            return Standing.LIVE
        return Standing.DEAD if self._index.reached(file.path, line) is False else Standing.LIVE

    def _judge_blocks(self) -> None:
        index = self._index
        for block in self.blocks:
            if block.path not in index.graph.paths or not block.lines:
                continue
            base = index.line_number(block.path, 1)
            rows = [line - base for line in block.lines]
            source = index.lines(block.path)
            codes = self.statements(block.path).codes
            code = [codes[row] for row in rows]
            if block.name:
                symbol = index.graph.symbol(f"{block.path}::{block.name}")
                owner = index.graph.symbol(f"{block.path}::{block.name.rpartition('.')[0]}")
                typed = owner is not None and is_interface(owner.header)
                if symbol is not None and not (symbol.is_class or typed) and is_stub(code):
                    block.stub = True
                    self._lower(block.lines, Standing.STUB)
                if DATA_WORDS.search(block.name) and any(
                    SYNTHETIC.search(source[row]) for row in rows
                ):
                    block.synthetic = True
            if not block.apology:
                block.apology = any(
                    len(source[row]) > len(text) and APOLOGY.search(source[row])
                    for row, text in zip(rows, code, strict=True)
                )

        self._spread_stubs()

    def _spread_stubs(self) -> None:
        """A class of stubs is a stub, and so are figures that are written down as results."""
        methods: defaultdict[tuple[str, str], list[Block]] = defaultdict(list)
        own: dict[tuple[str, str], Block] = {}
        for block in self.blocks:
            owner, _, name = block.name.rpartition(".")
            if owner and not name.startswith("__"):
                methods[block.path, owner].append(block)
            own[block.path, block.name] = block
        for (path, owner), members in methods.items():
            if not all(member.stub for member in members):
                continue
            for name in (owner, f"{owner}.__init__"):
                head = own.get((path, name))
                if head is not None and head.lines:
                    head.stub = True
                    self._lower(head.lines, Standing.STUB)
        for fact in self._index.facts:
            if _WRITTEN_DOWN.search(fact.name) and _FIGURE.fullmatch(fact.value):
                self._lower([self._index.line_number(fact.path, fact.line)], Standing.STUB)

    def _lower_vain(self) -> None:
        """What runs and comes to nothing is no better than text, its functions are placeholders."""
        live = (self.standing == Standing.LIVE).tolist()
        lived = Lived(live, self.terms, frozenset(self._spoken))
        vain = find_vain(self._index, self.statements, lived)
        if vain.lines:
            self._lower(sorted(vain.lines), Standing.TEXT)
        if vain.unread:
            self._lower(sorted(vain.unread), Standing.UNREAD)
        for line, left in vain.left.items():
            path, row = self._index.place(line)
            self.left[path, row] = _line_terms(left)
            for term in _line_terms(self.statements(path).codes[row - 1]) - self.left[path, row]:
                if line in self.terms[term]:
                    self.terms[term].remove(line)
        if vain.functions:
            idle = set(vain.functions)
            for block in self.blocks:
                names = accumulate(block.name.split("."), "{}.{}".format)
                if any(f"{block.path}::{name}" in idle for name in names):
                    own = [line for line in block.lines if live[line]]
                    if own:
                        block.stub = True
                        self._lower(own, Standing.STUB)

    def _lower(self, lines: list[int], standing: Standing) -> None:
        chosen = np.array(lines)
        self.standing[chosen] = np.minimum(self.standing[chosen], standing)


def _line_terms(code: str) -> set[str]:
    """The terms of a line, without prose in its strings."""
    if "'" in code or '"' in code:
        code = _STRING.sub(_kept, code)
    terms: set[str] = set()
    for token in TOKEN.findall(code):
        terms.update(name_terms(token))
    if "**" in code or "<<" in code:
        terms.update("#" + value for value in code_powers(code))
    return terms


def _is_speech(code: str) -> bool:
    """Whether a line begins with a call that tells something, or raises or asserts."""
    return code.lstrip().startswith(_SPOKEN_FIRST) and _SPEECH.match(code) is not None


def _is_prose(code: str) -> bool:
    """Whether a line does nothing but give prose a name."""
    match = _NAMED_STRING.match(code)
    return match is not None and len(match[2].split()) >= _PROSE_WORDS


def _kept(match: re.Match[str]) -> str:
    """A string without its marks, and nothing of prose."""
    text = match[2]
    return " " if len(text.split()) >= _PROSE_WORDS else f" {text} "
