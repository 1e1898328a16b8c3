"""The lines of a repository, held so that quotes can be looked up in them.

A quote is compared line by line, blank lines left out and white space squeezed; characters that
the prompt spells out are spelt out here too. It may be copied with the line numbers that the
prompt shows; where the lines as quoted stand in a file, they win over what is left without them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from judge.imports import is_import
from prompts.fencing import MAX_LINE_CHARACTERS, show_line, spell_out
from retrieval.decoding import split_lines
from retrieval.values import ParseState, Repository, Role

__all__ = ["Place", "SourceLines", "Sources", "substantial"]

CodeOf = Callable[[str], Sequence[str] | None]
"""For a path, its lines with all that is no code taken out, comments behind code too."""

_NUMBER = re.compile(r"^\s*\d+\s*\|(?: |$)?")
_CUT = re.compile(r" ?…\[\d+ more\]$")
_EDGES = " \t,;:.(){}[]\\"
_SPACE = re.compile(r"[ \t]+")
_BLANK = " \t\r"
_WORD = re.compile(r"\w+")
_TAIL = re.compile(r"(?:^|\s)(?:#|//).*$")
_TRIVIAL = {
    *("return", "pass", "else", "try", "finally", "break", "continue", "yield", "raise", "except"),
    *("self", "cls", "none", "true", "false", "null", "and", "or", "not", "in", "is", "as"),
    *("def", "class", "lambda", "async", "await", "if", "elif", "for", "while", "with", "global"),
    *("import", "from", "__init__", "__name__", "__main__", "__future__", "annotations"),
    *("begin", "end", "then", "do", "done", "fi", "esac"),
}
_MIN_FRAGMENT = 6
_MIN_PROOF = 8
_MIN_WORD = 8


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands: a file and its lines from 1, both included.

    Attributes:
        path: The file.
        first: Its first line.
        last: Its last line.
        head: What is quoted of the first line, where that is not all of it.
        tail: The same for the last line of several.
        single: The quote stands in this place of the file alone.
    """

    path: str
    first: int
    last: int
    head: str | None = None
    tail: str | None = None
    single: bool = True


class View:
    """Lines that are not blank, squeezed.

    Attributes:
        dense: Their numbers and the lines.
    """

    def __init__(self, dense: list[tuple[int, str]]) -> None:
        self.dense = dense
        self._starts: dict[str, list[int]] | None = None

    def starts(self) -> dict[str, list[int]]:
        """Positions in `dense` of each line."""
        if self._starts is None:
            self._starts = {}
            for position, (_, line) in enumerate(self.dense):
                self._starts.setdefault(line, []).append(position)
        return self._starts


@dataclass(slots=True)
class SourceLines:
    """One file.

    Attributes:
        lines: Its lines.
        proves: Whether its role lets it prove anything.
        code: Its lines without what is no code, once they are known.
        flags: What a verdict that stands on it should say.
        shown: The lines as the judge was shown them, where those are others.
        folded: The lines that excerpts leave out.
    """

    lines: list[str]
    proves: bool
    code: Sequence[str] | None = None
    flags: tuple[str, ...] = ()
    shown: list[str] | None = None
    folded: Collection[int] = frozenset()
    _views: list[View] = field(default_factory=list, repr=False)

    def views(self) -> Sequence[View]:
        """The ways that quotes may be copied in: with comments, and as excerpts leave them out."""
        if not self._views:
            lines = self.lines if self.shown is None else self.shown
            squeezed = ((number, _squeezed(line)) for number, line in enumerate(lines, 1))
            dense = [(number, line) for number, line in squeezed if line]
            self._views.append(View(dense))
            kept = [(number, line) for number, line in dense if number not in self.folded]
            if len(kept) < len(dense):
                self._views.append(View(kept))
        return self._views

    def cut(self, number: int) -> str | None:
        """A line as it is shown, where that is not in whole; else `None`."""
        line = (self.lines if self.shown is None else self.shown)[number - 1]
        if len(spell_out(line)[0]) <= MAX_LINE_CHARACTERS:
            return None
        return _squeezed(show_line(line)[0])

    def text(self, first: int, last: int) -> str:
        """The lines of a range."""
        return "\n".join(self.lines[first - 1 : last])


class Sources:
    """All files of a repository, by path.

    Args:
        repository: What was read.
        code: The code in a file's lines, where an index knows it.
        states: How far files were understood, where an index knows it.
        shown: For a path, its lines as the judge was shown them, where those are others.
        folded: For a path, the lines that excerpts leave out.
    """

    def __init__(
        self,
        repository: Repository,
        code: CodeOf | None = None,
        states: Mapping[str, ParseState] | None = None,
        shown: Callable[[str], list[str]] | None = None,
        folded: Callable[[str], Collection[int]] | None = None,
    ) -> None:
        self._code = code
        self.files: dict[str, SourceLines] = {}
        for file in repository.files:
            flags = ["odd_file"] if file.notes else []
            if states and states.get(file.path) is ParseState.BROKEN:
                flags.append("unparsed_file")
            self.files[file.path] = SourceLines(
                lines=split_lines(file.text),
                proves=file.role not in {Role.DOC, Role.DATA},
                flags=tuple(flags),
                shown=shown(file.path) if shown else None,
                folded=folded(file.path) if folded else frozenset(),
            )

    def detached(self) -> Sources:
        """The same without the index behind it, to be sent to another process."""
        for path in self.files:
            self._code_in(path)
        self._code = None
        return self

    def _code_in(self, path: str) -> Sequence[str]:
        file = self.files[path]
        if file.code is None:
            known = self._code(path) if self._code else None
            file.code = _code_by_text(file.lines) if known is None else known
        return file.code

    def resolve(self, path: str) -> str | None:
        """Return the path of the one file that a judge can have meant."""
        if path in self.files:
            return path
        wanted = path.strip().strip("`'\"").replace("\\", "/").removeprefix("./").lstrip("/")
        if wanted in self.files:
            return wanted
        if not wanted:
            return None
        near = [
            known
            for known in self.files
            if known.endswith("/" + wanted) or wanted.endswith("/" + known)
        ]
        return near[0] if len(near) == 1 else None

    def find(self, quote: str, path: str, near: int) -> Place | None:
        """Find a quote in one file, at the place nearest to a line.

        Args:
            quote: The text as quoted.
            path: A file of the repository.
            near: The line number that it is said to begin at.
        """
        for wanted in _readings(quote):
            if places := _places(wanted, path, self.files[path]):
                return min(places, key=lambda place: (abs(place.first - near), place.first))
        return None

    def find_elsewhere(self, quote: str) -> Place | None:
        """Find the one place in all files where a quote of whole lines stands, if only one is."""
        for wanted in _readings(quote):
            found: list[Place] = []
            for path, file in self.files.items():
                found += _whole(wanted, path, file)
                if len(found) > 1:
                    break
            if len(found) == 1:
                return found[0]
        return None

    def proves(self, place: Place) -> bool:
        """Whether what is quoted is code that says something."""
        return not self.weakness(place)

    def weakness(self, place: Place) -> str:
        """Why what is quoted at a place proves nothing; empty where it proves something.

        `no_code` for comments, texts and bare words of the language; `import` for lines that only
        bring names in; `fragment` for a part of a line that is short or stands in several lines.
        """
        if not self.files[place.path].proves:
            return "no_code"
        code = self._code_in(place.path)
        found = {
            self._weakness_of_line(place, code, number)
            for number in range(place.first, min(place.last, len(code)) + 1)
        }
        if "" in found:
            return ""
        return next((word for word in ("import", "fragment") if word in found), "no_code")

    @staticmethod
    def _weakness_of_line(place: Place, code: Sequence[str], number: int) -> str:
        line = code[number - 1]
        if not substantial(line):
            return "no_code"
        if is_import(code, number):
            return "import"
        part = place.head if number == place.first else None
        if number == place.last > place.first:
            part = place.tail
        if part is None or part.strip(_EDGES) == _squeezed(line).strip(_EDGES):
            return ""
        if part not in _squeezed(line):
            return "no_code"
        return "" if place.single and _telling(part) else "fragment"


def substantial(line: str) -> bool:
    """Whether a line of code says anything: `)`, `return` and `else:` do not, `k = 5` does."""
    code = _TAIL.sub("", line)
    words = [word for word in _WORD.findall(code) if word.lower() not in _TRIVIAL]
    return len(words) >= 2 or any(len(word) >= 4 for word in words)


def _telling(part: str) -> bool:
    """Whether a part of a line says enough to stand for it."""
    words = [word for word in _WORD.findall(part) if word.lower() not in _TRIVIAL]
    return len(part) >= _MIN_PROOF and (
        len(words) >= 2 or any(len(word) >= _MIN_WORD for word in words)
    )


def _squeezed(line: str) -> str:
    text = line.strip(_BLANK)
    if "  " in text or "\t" in text:
        text = _SPACE.sub(" ", text).strip(" \r")
    return spell_out(text)[0]


def _readings(quote: str) -> Iterable[list[str]]:
    """Yield a quote's lines as they stand, then without line numbers where all have one."""
    raw = [line for line in quote.split("\n") if line.strip()]
    if not raw:
        return
    yield [_squeezed(line) for line in raw]
    if all(_NUMBER.match(line) for line in raw):
        bare = [_squeezed(_NUMBER.sub("", line)) for line in raw]
        if any(bare):
            yield [line for line in bare if line]


def _whole(wanted: list[str], path: str, file: SourceLines) -> list[Place]:
    """Return where a quote stands as whole lines."""
    # A quote of one view may stand elsewhere, by chance, in the other: all places are told.
    found: dict[Place, None] = {}
    for view in file.views():
        dense = view.dense
        found |= {
            _place(path, dense, start, len(wanted)): None
            for start in view.starts().get(wanted[0], ())
            if [line for _, line in dense[start : start + len(wanted)]] == wanted
        }
    return list(found)


def _places(wanted: list[str], path: str, file: SourceLines) -> list[Place]:
    """Return where a quote stands, as whole lines or, where it is nowhere so, as parts of lines."""
    if whole := _whole(wanted, path, file):
        return whole
    said = [_CUT.sub("", line) for line in wanted]
    found: dict[Place, None] = {}
    for view in file.views():
        for start in range(len(view.dense) - len(wanted) + 1):
            if parts := _fits(wanted, said, file, view.dense[start : start + len(wanted)]):
                head, tail = parts
                place = _place(path, view.dense, start, len(wanted))
                found[Place(path, place.first, place.last, head, tail)] = None
    return list(found) if len(found) == 1 else [replace(place, single=False) for place in found]


def _place(path: str, dense: list[tuple[int, str]], start: int, count: int) -> Place:
    return Place(path, dense[start][0], dense[start + count - 1][0])


def _fits(
    wanted: list[str], said: list[str], file: SourceLines, dense: list[tuple[int, str]]
) -> tuple[str | None, str | None] | None:
    """What is quoted of the first and of the last line, if a quote stands here; `None` if not.

    It may begin and end inside lines, and hold lines as they are shown when they are too long.

    Args:
        wanted: Its lines.
        said: The same without the mark that says that a line goes on.
        file: The file.
        dense: As many lines, with their numbers.
    """
    end = len(wanted) - 1
    parts: list[str | None] = []
    for step, (line, (number, there)) in enumerate(zip(wanted, dense, strict=True)):
        if there == line:
            parts.append(None)
            continue
        part = said[step]
        if part != line:
            there = file.cut(number) or there  # noqa: PLW2901 - the same line, as it is shown
        # The mark by itself quotes nothing.
        if len(part) < _MIN_FRAGMENT:
            return None
        if there == line:
            parts.append(part)
            continue
        if step == 0 == end:
            fits = line in there
        elif step == 0:
            fits = there.endswith(line)
        elif step == end:
            fits = there.startswith(line)
        else:
            fits = False
        if not fits:
            return None
        parts.append(part)
    return parts[0], parts[-1] if end else None


def _code_by_text(lines: list[str]) -> list[str]:
    """Tell code from blank lines, comments and docstrings by the text alone."""
    code = [""] * len(lines)
    closing = ""
    for position, line in enumerate(lines):
        text = line.strip()
        if closing:
            if closing in text:
                closing = ""
            continue
        if not text or text.startswith(("#", "//", "%", "<!--")):
            continue
        opening = text.lstrip("rRbBuUfF")[:3]
        if opening in {'"""', "'''"}:
            if text.count(opening) == 1:
                closing = opening
            continue
        code[position] = _TAIL.sub("", line)
    return code
