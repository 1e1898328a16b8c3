"""Reading a run directory, whole or verdict by verdict, also while a run is writing it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from benchmark import Dimension, InputError, Sau, Where
from benchmark.collecting import collector_at_rest
from judge.counting import counted
from judge.lines import Line, damaged, iter_lines, latest_offsets, parse_line
from judge.records import (
    ATTEMPTS,
    CLAIMS,
    FORMAT,
    META,
    SUBMISSIONS,
    VERDICTS,
    Attempt,
    RunMeta,
    SubmissionNote,
)
from judge.verdict import Verdict

__all__ = [
    "LoadedRun",
    "iter_attempts",
    "iter_current_verdicts",
    "iter_verdicts",
    "read_claims",
    "read_meta",
    "read_run",
    "read_submissions",
    "validated",
]

_VERDICT_KEYS = ("submission", "agent", "paper", "sau")
_R = TypeVar("_R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run directory, read.

    Attributes:
        path: The directory.
        meta: `run.json`.
        saus: The claims by id, in the benchmark's order.
        submissions: What was handed in, sorted by id; what the latest run did not come to is there
            with its names alone.
        verdicts: The latest verdict of each pair, sorted by submission, then in claim order.
        notes: What was odd about the files themselves.
    """

    path: Path
    meta: RunMeta
    saus: dict[str, Sau]
    submissions: tuple[SubmissionNote, ...]
    verdicts: list[Verdict]
    notes: tuple[str, ...] = ()


def read_run(path: Path, *, everything: bool = False) -> LoadedRun:
    """Read a run directory, also while a run is writing it.

    Args:
        path: The directory.
        everything: Read also what earlier runs left there and the latest one was not about.

    Raises:
        InputError: The folder is no run, is of a newer format, or a line is damaged.
    """
    with collector_at_rest():
        return _read_run(path, everything=everything)


def _read_run(path: Path, *, everything: bool) -> LoadedRun:
    meta = read_meta(path)
    saus = read_claims(path / CLAIMS)
    known = read_submissions(path)
    order = {sau: position for position, sau in enumerate(saus)}
    verdicts = list(iter_verdicts(path))
    for verdict in verdicts:
        if verdict.sau not in order or verdict.submission not in known:
            what, where = (
                (f"claim {verdict.sau!r}", CLAIMS)
                if verdict.sau not in order
                else (f"submission {verdict.submission!r}", SUBMISSIONS)
            )
            raise InputError(
                f"there is a verdict for {what}, which {where} does not have",
                where=Where(str(path / VERDICTS), key=f"{verdict.submission} {verdict.sau}"),
                remedy="Restore the file, or run again into a new output folder",
            )
    notes = _tail_notes(path)
    if meta.scope is not None and not everything:
        saus = {id_: saus[id_] for id_ in meta.scope.claims if id_ in saus}
        known = {
            id_: known.get(id_) or SubmissionNote(id=id_, agent=agent, paper=paper)
            for id_, agent, paper in meta.scope.submissions
        }
        there = len(verdicts)
        verdicts = [one for one in verdicts if one.submission in known and one.sau in saus]
        if left_out := there - len(verdicts):
            what = f"{counted(left_out, 'verdict')} of earlier runs"
            verb = "is" if left_out == 1 else "are"
            notes += (f"{what} {verb} left out: the latest run was not about them",)
    # Who wrote a submission may have been put right since it was judged.
    verdicts = [
        one
        if one.agent == (agent := known[one.submission].agent)
        else one.model_copy(update={"agent": agent})
        for one in verdicts
    ]
    verdicts.sort(key=lambda verdict: (verdict.submission, order[verdict.sau]))
    submissions = tuple(sorted(known.values(), key=lambda note: note.id))
    return LoadedRun(path, meta, saus, submissions, verdicts, notes)


def read_meta(path: Path) -> RunMeta:
    """Read `run.json`.

    Raises:
        InputError: The folder is no run, or is of a newer format.
    """
    file = path / META
    remedy = "Give the output folder of a run, the one that holds run.json"
    if not path.is_dir():
        raise InputError("there is no such folder", where=Where(str(path)), remedy=remedy)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(
            f"this folder is not a run: it has no {META}", where=Where(str(path)), remedy=remedy
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the file cannot be read ({error})", where=Where(str(file)), remedy=remedy
        ) from None
    try:
        record = json.loads(text)
        _refuse_newer(file, None, record)
        return RunMeta.model_validate(record)
    except (ValueError, RecursionError, AttributeError) as error:
        raise InputError(
            f"the file does not describe a run ({_first_problem(error)})",
            where=Where(str(file)),
            remedy="Restore it, or run again into a new output folder",
        ) from None


def iter_verdicts(path: Path) -> Iterator[Verdict]:
    """Yield the latest verdict of each pair, in file order, holding one at a time.

    Raises:
        InputError: A line is damaged or of a newer format.
    """
    file = path / VERDICTS
    latest = latest_offsets(file, ("submission", "sau"), leading=_VERDICT_KEYS)
    wanted = {line.offset for line in latest.values()}
    for line in iter_lines(file):
        if line.offset in wanted:
            yield _verdict(file, line)


def iter_current_verdicts(path: Path) -> Iterator[Verdict]:
    """Yield what `iter_verdicts` yields, but of what the latest run was about alone.

    Raises:
        InputError: The folder is no run, or a line is damaged or of a newer format.
    """
    scope = read_meta(path).scope
    if scope is None:
        yield from iter_verdicts(path)
        return
    submissions, claims = {id_ for id_, _, _ in scope.submissions}, set(scope.claims)
    for verdict in iter_verdicts(path):
        if verdict.submission in submissions and verdict.sau in claims:
            yield verdict


def iter_attempts(path: Path) -> Iterator[Attempt]:
    """Yield the rows of the ledger, in file order.

    Raises:
        InputError: A line is damaged.
    """
    file = path / ATTEMPTS
    for line in iter_lines(file):
        yield validated(file, line, Attempt)


def read_claims(file: Path) -> dict[str, Sau]:
    """Read `claims.jsonl`: the claims by id, in its order.

    Raises:
        InputError: It is missing, or a line is damaged.
    """
    if not file.exists():
        raise InputError(
            "the run has no claims",
            where=Where(str(file)),
            remedy="Restore the file, or run again into a new output folder",
        )
    saus: dict[str, Sau] = {}
    for line in iter_lines(file):
        record = parse_line(file, line)
        try:
            sau = Sau(
                id=str(record["id"]),
                paper=str(record["paper"]),
                dimension=Dimension(str(record["dimension"])),
                claim=str(record["claim"]),
                source=str(record["source"]),
            )
        except (KeyError, ValueError) as error:
            raise damaged(file, line.number, f"not a claim ({error})") from None
        saus[sau.id] = sau
    return saus


def read_submissions(path: Path) -> dict[str, SubmissionNote]:
    """Read the latest note on each submission of a run directory, by id.

    Raises:
        InputError: A line is damaged.
    """
    file = path / SUBMISSIONS
    return {
        note.id: note
        for note in (validated(file, line, SubmissionNote) for line in iter_lines(file))
    }


def _verdict(file: Path, line: Line) -> Verdict:
    try:
        return Verdict.model_validate_json(line.data)
    except ValidationError as error:
        _refuse_newer(file, line.number, parse_line(file, line))
        raise damaged(file, line.number, _first_problem(error)) from None


def validated(file: Path, line: Line, model: type[_R]) -> _R:
    """Read a line as a record.

    Raises:
        InputError: It is none.
    """
    try:
        return model.model_validate_json(line.data)
    except ValidationError as error:
        raise damaged(file, line.number, _first_problem(error)) from None


def _refuse_newer(file: Path, number: int | None, record: Mapping[str, Any]) -> None:
    written = record.get("format", FORMAT)
    if isinstance(written, int) and written > FORMAT:
        raise InputError(
            f"this was written in format {written}, and this version reads up to {FORMAT}",
            where=Where(str(file), line=number),
            remedy="Install the version that wrote it, or a newer one",
        )


def _first_problem(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return f"{place}: {first['msg']}" if place else first["msg"]
    return str(error)


def _tail_notes(path: Path) -> tuple[str, ...]:
    """Say which files end in a torn line, which a run that is being written may have."""
    notes = []
    for name in (SUBMISSIONS, VERDICTS, ATTEMPTS):
        file = path / name
        if file.exists() and (size := file.stat().st_size):
            with file.open("rb") as stream:
                stream.seek(size - 1)
                if stream.read() != b"\n":
                    notes.append(f"{name}: the last line is not whole and was left out")
    return tuple(notes)
