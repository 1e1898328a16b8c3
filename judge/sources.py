"""The lines of a repository, held so that quotes can be looked up in them.

A quote is compared line by line, blank lines left out and white space squeezed; characters that
the prompt spells out are spelt out here too. It may be copied with the line numbers that the
prompt shows; where the lines as quoted stand in a file, they win over what is left without them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from prompts.fencing import spell_out
from retrieval.decoding import split_lines
from retrieval.values import ParseState, Repository, Role

__all__ = ["Place", "SourceLines", "Sources", "substantial"]

KindOf = Callable[[str], Sequence[int] | None]
"""For a path, one number a line: 1 for code, anything else for what proves nothing."""

_CODE = 1
_NUMBER = re.compile(r"^\s*\d+\s*\|(?: |$)?")
_CUT = re.compile(r" ?…\[\d+ more\]$")
_SPACE = re.compile(r"[ \t]+")
_WORD = re.compile(r"\w+")
_TAIL = re.compile(r"(?:^|\s)(?:#|//).*$")
_TRIVIAL = {
    *("return", "pass", "else", "try", "finally", "break", "continue", "yield", "raise", "except"),
    *("self", "none", "true", "false", "null"),
    *("begin", "end", "then", "do", "done", "fi", "esac"),
}
_MIN_FRAGMENT = 6


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands: a file and its lines from 1, both included."""

    path: str
    first: int
    last: int


@dataclass(slots=True)
class SourceLines:
    """One file.

    Attributes:
        lines: Its lines.
        proves: Whether its role lets it prove anything.
        kinds: One number a line, once it is known.
        flags: What a verdict that stands on it should say.
        shown: The lines as the judge was shown them, where those are others.
    """

    lines: list[str]
    proves: bool
    kinds: bytes | None = None
    flags: tuple[str, ...] = ()
    shown: list[str] | None = None
    _dense: list[tuple[int, str]] | None = field(default=None, repr=False)
    _starts: dict[str, list[int]] | None = field(default=None, repr=False)

    def dense(self) -> list[tuple[int, str]]:
        """The lines that are not blank, squeezed, with their numbers."""
        if self._dense is None:
            lines = self.lines if self.shown is None else self.shown
            squeezed = ((number, _squeezed(line)) for number, line in enumerate(lines, 1))
            self._dense = [(number, line) for number, line in squeezed if line]
        return self._dense

    def starts(self) -> dict[str, list[int]]:
        """Positions in `dense` of each squeezed line."""
        if self._starts is None:
            self._starts = {}
            for position, (_, line) in enumerate(self.dense()):
                self._starts.setdefault(line, []).append(position)
        return self._starts

    def text(self, first: int, last: int) -> str:
        """The lines of a range."""
        return "\n".join(self.lines[first - 1 : last])


class Sources:
    """All files of a repository, by path.

    Args:
        repository: What was read.
        kinds: The kinds of a file's lines, where an index knows them.
        states: How far files were understood, where an index knows it.
        shown: For a path, its lines as the judge was shown them, where those are others.
    """

    def __init__(
        self,
        repository: Repository,
        kinds: KindOf | None = None,
        states: Mapping[str, ParseState] | None = None,
        shown: Callable[[str], list[str]] | None = None,
    ) -> None:
        self._kinds = kinds
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
            )

    def detached(self) -> Sources:
        """The same without the index behind it, to be sent to another process."""
        for path in self.files:
            self._kinds_of(path)
        self._kinds = None
        return self

    def is_code(self, path: str, number: int) -> bool:
        """Whether a line, counted from 1, is code or configuration that could act."""
        kinds = self._kinds_of(path)
        return self.files[path].proves and number <= len(kinds) and kinds[number - 1] == _CODE

    def _kinds_of(self, path: str) -> bytes:
        file = self.files[path]
        if file.kinds is None:
            known = self._kinds(path) if self._kinds else None
            file.kinds = _kinds_by_text(file.lines) if known is None else bytes(known)
        return file.kinds

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
        """Whether the lines of a place hold code that says something."""
        file = self.files[place.path]
        return any(
            self.is_code(place.path, number) and substantial(file.lines[number - 1])
            for number in range(place.first, place.last + 1)
        )


def substantial(line: str) -> bool:
    """Whether a line of code says anything: `)`, `return` and `else:` do not, `k = 5` does."""
    code = _TAIL.sub("", line)
    words = [word for word in _WORD.findall(code) if word.lower() not in _TRIVIAL]
    return len(words) >= 2 or any(len(word) >= 4 for word in words)


def _squeezed(line: str) -> str:
    return spell_out(_SPACE.sub(" ", line).strip(" \r"))[0]


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
    dense = file.dense()
    return [
        _place(path, dense, start, len(wanted))
        for start in file.starts().get(wanted[0], ())
        if [line for _, line in dense[start : start + len(wanted)]] == wanted
    ]


def _places(wanted: list[str], path: str, file: SourceLines) -> list[Place]:
    """Return where a quote stands, as whole lines or, where it is nowhere so, as parts of lines."""
    dense = file.dense()
    return _whole(wanted, path, file) or [
        _place(path, dense, start, len(wanted))
        for start in range(len(dense))
        if _fits(wanted, dense, start)
    ]


def _place(path: str, dense: list[tuple[int, str]], start: int, count: int) -> Place:
    return Place(path, dense[start][0], dense[start + count - 1][0])


def _fits(wanted: list[str], dense: list[tuple[int, str]], start: int) -> bool:
    """Whether a quote that begins and ends inside lines, or whose lines were cut, stands here."""
    if start + len(wanted) > len(dense):
        return False
    end = len(wanted) - 1
    for step, line in enumerate(wanted):
        there = dense[start + step][1]
        if there == line:
            continue
        if (cut := _CUT.search(line)) and there.startswith(line[: cut.start()]):
            continue
        if len(line) < _MIN_FRAGMENT:
            return False
        if step == 0 == end:
            fits = line in there
        elif step == 0:
            fits = there.endswith(line)
        elif step == end:
            fits = there.startswith(line)
        else:
            fits = False
        if not fits:
            return False
    return True


def _kinds_by_text(lines: list[str]) -> bytes:
    """Tell code from blank lines, comments and docstrings by the text alone."""
    kinds = bytearray(len(lines))
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
        kinds[position] = _CODE
    return bytes(kinds)
