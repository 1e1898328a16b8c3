"""A folder through which questions go out and answers come back, whoever carries them.

| file | what it holds |
|---|---|
| `requests.jsonl`, `requests-2.jsonl`, ... | what the last run found unanswered, one a line |
| `answers*.jsonl` | answers, put there by anybody, in any number of files, complete or not |
| `asked.jsonl` | every id that was ever handed out, with the submission and claim it is about, |
| | and in `again` why it is asked again, where it is |

A line that cannot be read, an id that nobody asked for and a request that failed are named, and
cost only themselves.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import InputError, Where
from judge.counting import counted
from judge.lines import AppendFile, line_at, sync_folder
from judge.models.answer_lines import AnswerLine, MalformedLineError, read_answer_line
from judge.protocol import canonical_json

__all__ = ["ANSWERS", "ASKED", "ExchangeFolder", "Failed", "Subjects", "request_files"]

ASKED, ANSWERS = "asked.jsonl", "answers*.jsonl"
_NAMED = 10
_ID = re.compile(rb'\{"custom_id": "([0-9a-f]{64})"')
MAX_LINES = 50_000
MAX_BYTES = 190_000_000
"""What one file of requests may hold: OpenAI takes 50,000 requests and 200 MB a batch."""


@dataclass(frozen=True, slots=True)
class _Place:
    file: Path
    offset: int
    number: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A request that came back without an answer."""

    place: str
    failure: str
    retry: bool


def request_files(folder: Path) -> list[Path]:
    """The files of requests in a folder, in order."""
    files = folder.glob("requests*.jsonl")
    return sorted(files, key=lambda file: (len(file.name), file.name))


class ExchangeFolder:
    """The folder, read when the first question comes.

    Args:
        path: The folder; made when the first request is written.
        max_lines: Requests in one file.
        max_bytes: Bytes in one file.

    Attributes:
        failed: By id, requests that came back without an answer.
        waiting: Ids that were asked for and are not answered.
        again: By id, why those that wait are asked again; the others are not in it.
        dropped: How many requests of the files that were there before were not asked for now.
    """

    def __init__(
        self, path: Path, *, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES
    ) -> None:
        self.path = path
        self.failed: dict[str, Failed] = {}
        self.waiting: set[str] = set()
        self.again: dict[str, str] = {}
        self.dropped = 0
        self._max_lines = max_lines
        self._max_bytes = max_bytes
        self._places: dict[str, _Place] = {}
        self._malformed: list[str] = []
        self._known: set[str] = set()
        self._told: set[str] = set()
        self._met: set[str] = set()
        self._read = False
        self._parts: list[_Part] = []
        self._asked: AppendFile | None = None

    def answer(self, custom_id: str, about: tuple[str, str] = ("", "")) -> AnswerLine | None:
        """The answer to a request, or `None` where it is not there.

        An answer that was there before its request was written, brought from another folder, is
        to something that was asked for from then on.

        Args:
            custom_id: The request's id.
            about: The submission and the claim, as far as they are known.

        Raises:
            InputError: The folder cannot be read, or a file changed under us.
        """
        self._open()
        self._met.add(custom_id)
        place = self._places.get(custom_id)
        if place is None:
            return None
        try:
            line = read_answer_line(line_at(place.file, place.offset))
        except (OSError, MalformedLineError) as error:
            line, problem = None, str(error)
        else:
            problem = "another answer stands there now"
        if line is None or line.custom_id != custom_id:
            raise InputError(
                f"the file changed while it was read ({problem})",
                where=Where(str(place.file), line=place.number),
                remedy="Put answers into place when no run is going on, and start again",
            )
        self._note_asked(custom_id, about)
        return line

    def ask(
        self,
        custom_id: str,
        row: Mapping[str, Any] | None,
        about: tuple[str, str] = ("", ""),
        *,
        again: str = "",
    ) -> None:
        """Note that an answer is wanted, and put the request into the file for it.

        Args:
            custom_id: The request's id.
            row: The request's line; `None` where it is on its way already.
            about: The submission and the claim, as far as they are known.
            again: Why it is asked again, where it is.
        """
        self._open()
        if custom_id in self.waiting:
            return
        self.waiting.add(custom_id)
        if again:
            self.again[custom_id] = again
        if row is None:
            return
        self._note_asked(custom_id, about, again)
        data = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        if not self._parts or not self._parts[-1].fits(data, self._max_lines, self._max_bytes):
            self._make()
            number = len(self._parts) + 1
            self._parts.append(_Part(self.path / f".requests-{number}.new"))
        self._parts[-1].write(data)

    def _note_asked(self, custom_id: str, about: tuple[str, str], again: str = "") -> None:
        """Write down what an id is about; it is on the disk before anything can be sent."""
        if custom_id in self._known and (not again or custom_id in self._told):
            return
        if self._asked is None:
            self._make()
            self._asked = AppendFile(self.path / ASKED)
        note = {"custom_id": custom_id, "submission": about[0], "sau": about[1]}
        if again:
            note["again"] = again
            self._told.add(custom_id)
        self._asked.append((json.dumps(note, ensure_ascii=False).encode("utf-8", "replace"),))
        self._known.add(custom_id)

    def close(self) -> list[Path]:
        """Put the new requests in place of those of the last run.

        Returns:
            The files of requests that are there now.
        """
        if not self._read:
            return request_files(self.path)
        if self._asked is not None:
            self._asked.close()
            self._asked = None
        old = set(request_files(self.path))
        here = self._met | self._places.keys()
        self.dropped = sum(1 for file in old for id_ in _ids(file) if id_ not in here)
        files = []
        for number, part in enumerate(self._parts, 1):
            name = "requests.jsonl" if number == 1 else f"requests-{number}.jsonl"
            part.close()
            part.file.replace(self.path / name)
            files.append(self.path / name)
        for stale in old.difference(files):
            stale.unlink()
        if self.path.is_dir():
            sync_folder(self.path)
        self._parts = []
        return files

    def remarks(self) -> Iterator[str]:
        """What is odd about the files of answers, for a person."""
        yield from _named(
            self._malformed,
            "line cannot be read and is left out",
            "lines cannot be read and are left out",
        )
        failed = [f"{failed.place}: {failed.failure}" for failed in self.failed.values()]
        yield from _named(failed, "request failed", "requests failed")
        unknown = [
            f"{place.file.name}:{place.number}: {custom_id[:72]}"
            for custom_id, place in self._places.items()
            if custom_id not in self._known
        ]
        yield from _named(
            unknown,
            "answer has an id that nobody asked for",
            "answers have an id that nobody asked for",
        )

    def _make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the folder cannot be made ({error.strerror or error})",
                where=Where(str(self.path)),
                remedy="Choose another folder for the exchange",
            ) from None

    def _open(self) -> None:
        if self._read:
            return
        if self.path.exists() and not self.path.is_dir():
            raise InputError(
                "the exchange is a folder, and a file is there",
                where=Where(str(self.path)),
                remedy="Choose another folder for the exchange",
            )
        for leftover in self.path.glob(".requests-*.new"):
            leftover.unlink()
        for _, data in _lines(self.path / ASKED):
            # A line that a kill has torn costs a warning about an unknown id at worst.
            try:
                note = json.loads(data)
                self._known.add(custom_id := str(note["custom_id"]))
                if note.get("again"):
                    self._told.add(custom_id)
            except (ValueError, KeyError, TypeError, AttributeError):
                continue
        for file in sorted(self.path.glob(ANSWERS)):
            self._scan(file)
        self._read = True

    def _scan(self, file: Path) -> None:
        """Remember where each answer stands; the last one of an id counts."""
        for number, (offset, data) in enumerate(_lines(file), 1):
            if not data.strip():
                continue
            try:
                line = read_answer_line(data)
            except MalformedLineError as error:
                self._malformed.append(f"{file.name}:{number}: {error}")
                continue
            place = _Place(file, offset, number)
            if line.answer is not None:
                self._places[line.custom_id] = place
                self.failed.pop(line.custom_id, None)
            elif line.custom_id not in self._places:
                self.failed[line.custom_id] = Failed(
                    f"{file.name}:{number}", line.failure, line.retry
                )


class Subjects:
    """What each conversation is about, known by how it begins: what is asked again begins alike."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[str, str]] = {}

    def note(self, body: Mapping[str, Any], submission: str, sau: str) -> None:
        """Remember the submission and claim of a request's body."""
        self._known[_beginning(body)] = (submission, sau)

    def of(self, body: Mapping[str, Any]) -> tuple[str, str]:
        """The submission and claim; empty words where they are not known."""
        return self._known.get(_beginning(body), ("", ""))


def _beginning(body: Mapping[str, Any]) -> bytes:
    return hashlib.sha256(canonical_json(body["messages"][:2]).encode()).digest()


class _Part:
    """One file of requests in the making."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._stream = file.open("wb")
        self._lines = 0
        self._bytes = 0

    def fits(self, data: bytes, max_lines: int, max_bytes: int) -> bool:
        return self._lines < max_lines and self._bytes + len(data) <= max_bytes

    def write(self, data: bytes) -> None:
        self._stream.write(data)
        self._lines += 1
        self._bytes += len(data)

    def close(self) -> None:
        self._stream.close()


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Every line of a file with its offset, the last one also without an end; no file is empty."""
    if not file.exists():
        return
    offset = 0
    with file.open("rb") as stream:
        for raw in stream:
            yield offset, raw.removesuffix(b"\n")
            offset += len(raw)


def _ids(file: Path) -> Iterator[str]:
    """The ids of a file of requests, read from the beginnings of its lines as they are written."""
    for _, data in _lines(file):
        if found := _ID.match(data):
            yield found[1].decode("ascii")


def _named(items: list[str], one: str, many: str) -> Iterator[str]:
    if not items:
        return
    shown = "; ".join(items[:_NAMED])
    more = f"; and {len(items) - _NAMED:,} more" if items[_NAMED:] else ""
    yield f"{counted(len(items), one, many)}: {shown}{more}"
