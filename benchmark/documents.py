"""Files that people write, read so that an error can name the file, the line and the key.

A `Document` is plain data and the text it came from. Positions of JSON are looked up only when an
error is reported; those of YAML are kept, its files being small.
"""

from __future__ import annotations

import difflib
import reprlib
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmark.errors import InputError, Where
from benchmark.json_text import JsonTextError, Step, json_position, parse_json
from benchmark.yaml_text import Place, YamlTextError, YamlTree, parse_yaml

__all__ = [
    "MAX_JSON_BYTES",
    "MAX_LINES_BYTES",
    "MAX_YAML_BYTES",
    "Document",
    "Step",
    "kind_of",
    "load_document",
    "load_json_lines",
    "nearest",
    "one_of",
    "read_text",
    "shown",
]

MAX_JSON_BYTES = 64 * 2**20
MAX_LINES_BYTES = 512 * 2**20
MAX_YAML_BYTES = 4 * 2**20

Kind = Literal["json", "yaml"]

_SHORT = reprlib.Repr()
_SHORT.maxstring = 80
_SHORT.maxlist = _SHORT.maxdict = 3
_SHORT.maxlevel = 2

_SUFFIXES: dict[str, Kind] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}


@dataclass(frozen=True, slots=True)
class Document:
    """The data of one file, or of one line of a JSON Lines file.

    Attributes:
        path: The file.
        value: What it holds: mappings with text keys, lists, text, numbers, truth values, `None`.
        text: The text that `value` was read from.
        line: The number of the text's first line in the file, from 1.
    """

    path: Path
    value: Any
    text: str = field(repr=False)
    line: int = 1
    _tree: YamlTree | None = field(default=None, repr=False)

    def where(self, *steps: Step, name: bool = False, key: str | None = None) -> Where:
        """The place of a value, or of the nearest thing around it that is there.

        Args:
            *steps: The way to the value: keys of mappings and indexes of lists.
            name: Give the place of the last key itself and not that of its value.
            key: What to call it instead of the dotted way.
        """
        label = key or dotted(steps) or None
        for length in range(len(steps), -1, -1):
            place = self._place(steps[:length], name=name and length == len(steps))
            if place is not None:
                return Where(str(self.path), place[0], place[1], label)
        return Where(str(self.path), self.line, None, label)

    def error(
        self, problem: str, *steps: Step, remedy: str, name: bool = False, key: str | None = None
    ) -> InputError:
        """An error about one value; see `where` for the arguments."""
        return InputError(problem, where=self.where(*steps, name=name, key=key), remedy=remedy)

    def _place(self, steps: tuple[Step, ...], *, name: bool) -> Place | None:
        if self._tree is not None:
            if name and steps in self._tree.names:
                return self._tree.names[steps]
            return self._tree.places.get(steps)
        offset = json_position(self.text, steps, name=name)
        return None if offset is None else _line_and_column(self.text, offset, self.line)


def dotted(steps: Iterable[Step]) -> str:
    """The way to a value as people write it: `papers[2].claims`."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def shown(value: object) -> str:
    """A value for an error message: short, on one line, whatever it holds."""
    return "null" if value is None else _SHORT.repr(value)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one most likely means, if any is near."""
    by_fold = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else None


def one_of(known: Iterable[str]) -> str:
    """The choices as words: `a, b or c`; at most twenty of them."""
    names = list(known)
    if len(names) > 20:
        return f"{', '.join(names[:20])}, ... ({len(names)} in all)"
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


def kind_of(path: Path) -> Kind:
    """The language of a file by its name.

    Raises:
        InputError: The name ends neither as JSON nor as YAML does.
    """
    kind = _SUFFIXES.get(path.suffix.lower())
    if kind is None:
        raise InputError(
            f"a file that ends in {path.suffix or 'nothing'} is neither JSON nor YAML",
            where=Where(str(path)),
            remedy="Name it .yaml, .yml or .json",
        )
    return kind


def read_text(path: Path, *, limit: int, what: str = "file") -> str:
    """The text of a UTF-8 file, without its byte order mark; line ends as they are.

    Raises:
        InputError: There is no such regular file, it is empty, larger than `limit` bytes, or not
            UTF-8.
    """
    where = Where(str(path))
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError(
                f"this is a folder, not a {what}", where=where, remedy="Name the file inside it"
            )
        if not stat.S_ISREG(status.st_mode):
            raise InputError(
                "this is not a regular file", where=where, remedy="Name a regular file"
            )
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise InputError(
            f"there is no such {what}", where=where, remedy="Correct the path, or create it"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"the {what} cannot be read ({_reason(error)})",
            where=where,
            remedy="Check the path and its permissions",
        ) from None
    if len(data) > limit:
        raise InputError(
            f"the {what} is larger than {limit // 2**20} MiB",
            where=where,
            remedy="Check that it is the right file, or split it",
        )
    return _decode(data, where)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _decode(data: bytes, where: Where) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            problem, line = "the file is UTF-16, not UTF-8", 1
        else:
            line = data.count(b"\n", 0, error.start) + 1
            problem = f"the file is not UTF-8 (byte 0x{data[error.start]:02x})"
        raise InputError(
            problem, where=Where(where.path, line), remedy="Save it as UTF-8"
        ) from None
    if not text.strip():
        raise InputError("the file is empty", where=where, remedy="Fill it, or name another file")
    return text


def _line_and_column(text: str, offset: int, first_line: int) -> Place:
    line = text.count("\n", 0, offset)
    return first_line + line, offset - (text.rfind("\n", 0, offset) + 1) + 1


def _json(path: Path, text: str, line: int = 1) -> Document:
    try:
        return Document(path, parse_json(text), text, line)
    except JsonTextError as error:
        place = None if error.offset is None else _line_and_column(text, error.offset, line)
        where = Where(str(path), *(place or (line, None)))
        raise InputError(error.problem, where=where, remedy=error.remedy) from None


def load_document(path: Path, *, kind: Kind | None = None, what: str = "file") -> Document:
    """Read a JSON or YAML file.

    Args:
        path: The file.
        kind: Its language; by its name where not given.
        what: What it is called in errors, e.g. `config`.

    Raises:
        InputError: It cannot be read, is not valid, holds a key twice, is nested too deeply, or
            (YAML) holds anchors, tags or several documents.
    """
    if (kind or kind_of(path)) == "json":
        return _json(path, read_text(path, limit=MAX_JSON_BYTES, what=what))
    text = read_text(path, limit=MAX_YAML_BYTES, what=what)
    try:
        tree = parse_yaml(text)
    except YamlTextError as error:
        where = Where(str(path), *(error.place or (None, None)))
        raise InputError(error.problem, where=where, remedy=error.remedy) from None
    return Document(path, tree.value, text, _tree=tree)


def load_json_lines(path: Path, *, what: str = "file") -> Iterator[Document]:
    """Read a JSON Lines file, one document a line; blank lines are passed over.

    Only a line feed ends a line: a claim may hold U+2028, which `str.splitlines` would break at.

    Raises:
        InputError: The file cannot be read, or a line is not one JSON value; named with its line.
    """
    text = read_text(path, limit=MAX_LINES_BYTES, what=what)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _json(path, line.rstrip("\r"), number)
