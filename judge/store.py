"""The run directory: what a run leaves behind, written to survive a kill and read by everything.

```
run.json           what was run: public config, versions, hashes, state
claims.jsonl       the claims
submissions.jsonl  each submission as it was read: digest, files, every skipped path and why
verdicts.jsonl     one verdict a line, append-only; a later line for a pair replaces earlier ones
attempts.jsonl     the ledger: one row for each answer that was paid for or asked in vain
summary.json, report/
```
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmark import Dimension, InputError, Sau, Where, claims_version
from judge.lines import (
    AppendFile,
    Line,
    Torn,
    damaged,
    iter_lines,
    latest_offsets,
    line_at,
    mend,
    parse_line,
    write_atomically,
)
from judge.verdict import Status, Usage, Verdict

__all__ = [
    "FORMAT",
    "Attempt",
    "JudgeNote",
    "LoadedRun",
    "RunMeta",
    "RunStore",
    "SubmissionNote",
    "iter_attempts",
    "iter_verdicts",
    "read_run",
]

FORMAT = 1
"""The format of a run directory that this version writes."""

META, CLAIMS, SUBMISSIONS = "run.json", "claims.jsonl", "submissions.jsonl"
VERDICTS, ATTEMPTS, SUMMARY = "verdicts.jsonl", "attempts.jsonl", "summary.json"
LOCK = ".lock"

_VERDICT_KEYS = ("submission", "agent", "paper", "sau")
_SYNC_SECONDS = 2.0


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


_R = TypeVar("_R", bound=_Record)


class JudgeNote(_Record):
    """The judge of a run: its name as tables show it, and all that decides its answers."""

    name: str
    provider: str
    model: str | None = None
    identity: dict[str, Any] = Field(default_factory=dict)


class RunMeta(_Record):
    """`run.json`.

    Attributes:
        name: The benchmark's name.
        claims_version: Fingerprint of all claims of the run.
        paper_versions: Fingerprint of each paper's claims.
        judge: The judge; `None` where verdicts of several were read from elsewhere.
        config: The configuration without anything secret.
        prompt_version: Name of the prompt version, where one is used.
        prompt_hash: Of its templates.
        code: Hash of the sources that decide verdicts.
        versions: Packages and their versions.
        started: When the run was first started, in ISO 8601, UTC.
        finished: When it last ended, empty while it runs.
        state: `running`, `complete` (every pair graded or abstained), `incomplete` (errors, or
            pairs without a verdict) or `stopped` (by a person, a limit or the provider).
        reason: Why it stopped, for a person.
        notes: What a reader of the results should know, e.g. a line that was torn.
    """

    format: Literal[1] = 1
    name: str
    claims_version: str
    paper_versions: dict[str, str] = Field(default_factory=dict)
    judge: JudgeNote | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    prompt_version: str | None = None
    prompt_hash: str | None = None
    code: str = ""
    versions: dict[str, str] = Field(default_factory=dict)
    started: str = ""
    finished: str = ""
    state: Literal["running", "complete", "incomplete", "stopped"] = "running"
    reason: str = ""
    notes: tuple[str, ...] = ()


class SubmissionNote(_Record):
    """A submission as it was read.

    Attributes:
        id: The submission's id.
        agent: Who wrote it.
        paper: The paper it reproduces.
        meta: What else is known of it.
        root: The folder as the run found it; it may be gone since.
        exclude: What of it was not taken for its code.
        digest: `Repository.digest`; empty where it could not be read.
        files: How many files were read.
        bytes: Size of their text in UTF-8.
        skipped: Every path that was not read, with the reason.
        notes: What was odd about files that were read, with the file.
        error: Why the submission could not be read or indexed at all.
    """

    id: str
    agent: str
    paper: str
    meta: dict[str, str] = Field(default_factory=dict)
    root: str = ""
    exclude: tuple[str, ...] = ()
    digest: str = ""
    files: int = 0
    bytes: int = 0
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    error: str = ""


class Attempt(_Record):
    """One row of the ledger: a request that was sent, and what came of it.

    Attributes:
        request_key: The exact request's key.
        outcome: `answer`, or the code of an error.
        submission: The pair that the request was for.
        sau: The pair that the request was for.
        text: The answer as it came, before any parsing.
        message: What happened, where it is an error.
        model: The model as the provider names it.
        finish: As in `Answer`.
        request_id: As in `Answer`.
        rung: As in `Answer`.
        usage: As in `Answer`.
        attempts: As in `Answer`.
        parameters: As in `Answer`.
        time: When it came, in ISO 8601, UTC.
    """

    request_key: str
    outcome: str
    submission: str
    sau: str
    text: str = ""
    message: str = ""
    model: str | None = None
    finish: str = "stop"
    request_id: str | None = None
    rung: str | None = None
    usage: Usage = Usage()
    attempts: int = 1
    parameters: dict[str, Any] = Field(default_factory=dict)
    time: str = ""


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run directory, read.

    Attributes:
        path: The directory.
        meta: `run.json`.
        saus: The claims by id, in the benchmark's order.
        submissions: What was handed in, sorted by id.
        verdicts: The latest verdict of each pair, sorted by submission, then in claim order.
        notes: What was odd about the files themselves.
    """

    path: Path
    meta: RunMeta
    saus: dict[str, Sau]
    submissions: tuple[SubmissionNote, ...]
    verdicts: list[Verdict]
    notes: tuple[str, ...] = ()


def read_run(path: Path) -> LoadedRun:
    """Read a run directory, also while a run is writing it.

    Raises:
        InputError: The folder is no run, is of a newer format, or a line is damaged.
    """
    meta = read_meta(path)
    saus = _read_claims(path / CLAIMS)
    submissions = tuple(sorted(_read_submissions(path).values(), key=lambda note: note.id))
    known = {note.id for note in submissions}
    order = {sau: position for position, sau in enumerate(saus)}
    with _collector_at_rest():
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
    verdicts.sort(key=lambda verdict: (verdict.submission, order[verdict.sau]))
    return LoadedRun(path, meta, saus, submissions, verdicts, _tail_notes(path))


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Stop the cycle collector: it would walk all verdicts again and again, and they have none."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


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


def iter_attempts(path: Path) -> Iterator[Attempt]:
    """Yield the rows of the ledger, in file order.

    Raises:
        InputError: A line is damaged.
    """
    file = path / ATTEMPTS
    for line in iter_lines(file):
        yield _validated(file, line, Attempt)


@dataclass(frozen=True, slots=True)
class Settled:
    """What a run directory already says about a pair."""

    input_key: str
    status: Status


class RunStore:
    """A run directory, open for writing by this process alone. Make it with `open`."""

    def __init__(self, path: Path, meta: RunMeta, lock: FileLock, torn: tuple[Torn, ...]) -> None:
        self.path = path
        self.meta = meta
        self.torn = torn
        self._lock = lock
        self._verdicts = AppendFile(path / VERDICTS, sync_seconds=_SYNC_SECONDS)
        self._attempts = AppendFile(path / ATTEMPTS)
        self._submissions = AppendFile(path / SUBMISSIONS, sync_seconds=_SYNC_SECONDS)
        self._noted = {id_: note.digest for id_, note in _read_submissions(path).items()}
        self._answers: dict[str, int] | None = None

    @classmethod
    def open(cls, path: Path, meta: RunMeta, saus: Iterable[Sau]) -> RunStore:
        """Open a run directory, new or of an earlier run over the same claims.

        Torn last lines are cut off and kept aside; `torn` says so. Papers that the directory
        does not have yet are added.

        Args:
            path: The directory; made when it is not there.
            meta: What is run now. Its `started` yields to that of the earlier run.
            saus: The claims, in the benchmark's order.

        Raises:
            InputError: Another process writes there; the folder holds something else; or the
                claims of a paper are not those that the directory was made with.
        """
        _refuse_strange_folder(path)
        path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise InputError(
                "another process is writing to this run",
                where=Where(str(path)),
                remedy="Wait until it has ended, or choose another output folder",
            ) from None
        try:
            torn = tuple(
                note
                for name in (CLAIMS, SUBMISSIONS, VERDICTS, ATTEMPTS)
                if (note := mend(path / name)) is not None
            )
            claims = {sau.id: sau for sau in saus}
            if (path / META).exists():
                old = read_meta(path)
                claims = _joined_claims(path, claims)
                meta = meta.model_copy(
                    update={
                        "started": old.started or meta.started,
                        "notes": tuple(dict.fromkeys((*old.notes, *meta.notes))),
                    }
                )
            meta = meta.model_copy(
                update={
                    "claims_version": claims_version(claims.values()),
                    "paper_versions": _paper_versions(claims.values()),
                    "notes": (*meta.notes, *(str(note) for note in torn)),
                }
            )
            # Claims before run.json: a folder that calls itself a run always has its claims.
            write_atomically(path / CLAIMS, "".join(_claim_line(sau) for sau in claims.values()))
            write_atomically(path / META, meta.model_dump_json(indent=1) + "\n")
            return cls(path, meta, lock, torn)
        except BaseException:
            lock.release()
            raise

    def settled(self) -> dict[tuple[str, str], Settled]:
        """Return, for each (submission, claim) pair, its latest verdict's key and status.

        Raises:
            InputError: A line is damaged.
        """
        found: dict[tuple[str, str], Settled] = {}
        file = self.path / VERDICTS
        for line in iter_lines(file):
            record = parse_line(file, line)
            try:
                key = record["provenance"]["input_key"]  # type: ignore[index]
                pair = (str(record["submission"]), str(record["sau"]))
                found[pair] = Settled(str(key), Status(str(record["status"])))
            except (KeyError, TypeError, ValueError) as error:
                raise damaged(file, line.number, f"not a verdict ({error})") from None
        return found

    def append_verdict(self, verdict: Verdict) -> None:
        """Append a verdict; it replaces earlier ones of its pair."""
        self.append_verdicts((verdict.model_dump_json().encode(),))

    def append_verdicts(self, lines: Iterable[bytes]) -> None:
        """Append verdicts that are JSON already, as `Verdict.model_dump_json` writes them."""
        self._verdicts.append(lines)

    def append_attempts(self, attempts: Iterable[Attempt]) -> None:
        """Append rows to the ledger and wait until they are on the disk itself."""
        self._attempts.append(row.model_dump_json().encode() for row in attempts)

    def append_submission(self, note: SubmissionNote) -> None:
        """Append what was read of a submission, unless the same is there already."""
        if self._noted.get(note.id) != note.digest or not note.digest:
            self._submissions.append((note.model_dump_json().encode(),))
            self._noted[note.id] = note.digest

    def paid_answer(self, request_key: str) -> Attempt | None:
        """Return the latest answer that an earlier run of this directory got to this request.

        Rows that this process appends are not looked at: what it asks, it remembers itself.
        """
        if self._answers is None:
            found = latest_offsets(
                self.path / ATTEMPTS,
                ("request_key", "outcome"),
                leading=("request_key", "outcome"),
            )
            self._answers = {
                key: line.offset for (key, outcome), line in found.items() if outcome == "answer"
            }
        offset = self._answers.get(request_key)
        if offset is None:
            return None
        file = self.path / ATTEMPTS
        return _validated(file, Line(0, offset, line_at(file, offset)), Attempt)

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Replace `summary.json`."""
        text = json.dumps(summary, indent=1, ensure_ascii=False, allow_nan=False)
        write_atomically(self.path / SUMMARY, text + "\n")

    def update_meta(self, **changes: Any) -> None:  # noqa: ANN401
        """Replace fields of `run.json`."""
        self.meta = RunMeta.model_validate({**self.meta.model_dump(), **changes})
        write_atomically(self.path / META, self.meta.model_dump_json(indent=1) + "\n")

    def sync(self) -> None:
        """Wait until all verdicts are on the disk itself."""
        self._submissions.sync()
        self._verdicts.sync()

    def close(self) -> None:
        """Sync, close and unlock; a second call does nothing."""
        for file in (self._submissions, self._verdicts, self._attempts):
            file.close()
        self._lock.release()

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _refuse_strange_folder(path: Path) -> None:
    """Refuse to write into a file, or into a folder that holds something else than a run."""
    if path.exists() and not path.is_dir():
        raise InputError(
            "the output folder is a file", where=Where(str(path)), remedy="Choose another folder"
        )
    ours = {META, CLAIMS, SUBMISSIONS, VERDICTS, ATTEMPTS, SUMMARY, LOCK}
    if path.is_dir() and not (path / META).exists():
        strange = sorted(
            entry.name
            for entry in path.iterdir()
            if entry.name not in ours and not entry.name.startswith(f".{CLAIMS}.")
        )
        if strange:
            raise InputError(
                f"the folder is not a run and not empty (it holds {strange[0]!r})",
                where=Where(str(path)),
                remedy="Choose an empty or new output folder",
            )


def _joined_claims(path: Path, now: dict[str, Sau]) -> dict[str, Sau]:
    """Return the claims of a directory with new papers added.

    Raises:
        InputError: A paper's claims differ.
    """
    before = _read_claims(path / CLAIMS)
    papers = {sau.paper for sau in now.values()} & {sau.paper for sau in before.values()}
    old = {id_: sau for id_, sau in before.items() if sau.paper in papers}
    new = {id_: sau for id_, sau in now.items() if sau.paper in papers}
    if old != new:
        differing = sorted(id_ for id_ in old.keys() | new.keys() if old.get(id_) != new.get(id_))
        first = differing[0]
        how = (
            "is new"
            if first not in old
            else "is gone" if first not in new else "reads otherwise"
        )  # fmt: skip
        raise InputError(
            f"the directory was made with another version of the claims: {len(differing)} of "
            f"them differ, {first!r} {how}",
            where=Where(str(path / CLAIMS)),
            remedy="Choose another output folder; answers at hand are found again in the cache",
        )
    return before | now


def _paper_versions(saus: Iterable[Sau]) -> dict[str, str]:
    papers: dict[str, list[Sau]] = {}
    for sau in saus:
        papers.setdefault(sau.paper, []).append(sau)
    return {paper: claims_version(papers[paper]) for paper in sorted(papers)}


def _claim_line(sau: Sau) -> str:
    record = {
        "id": sau.id,
        "paper": sau.paper,
        "dimension": sau.dimension.value,
        "claim": sau.claim,
        "source": sau.source,
    }
    return json.dumps(record, ensure_ascii=False) + "\n"


def _read_claims(file: Path) -> dict[str, Sau]:
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


def _read_submissions(path: Path) -> dict[str, SubmissionNote]:
    file = path / SUBMISSIONS
    return {
        note.id: note
        for note in (_validated(file, line, SubmissionNote) for line in iter_lines(file))
    }


def _verdict(file: Path, line: Line) -> Verdict:
    try:
        return Verdict.model_validate_json(line.data)
    except ValidationError as error:
        _refuse_newer(file, line.number, parse_line(file, line))
        raise damaged(file, line.number, _first_problem(error)) from None


def _validated(file: Path, line: Line, model: type[_R]) -> _R:
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
