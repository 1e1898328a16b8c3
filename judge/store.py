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

import contextlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from benchmark import InputError, Sau, Where, claims_version
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
from judge.loading import (
    LoadedRun,
    iter_attempts,
    iter_verdicts,
    read_claims,
    read_meta,
    read_run,
    read_submissions,
    validated,
)
from judge.records import (
    ANSWERED,
    ASKED_AGAIN,
    ATTEMPTS,
    CLAIMS,
    FORMAT,
    GAVE_UP,
    LOCK,
    META,
    SUBMISSIONS,
    SUMMARY,
    VERDICTS,
    Attempt,
    JudgeNote,
    RunMeta,
    SubmissionNote,
)
from judge.verdict import Status, Verdict

__all__ = [
    "FORMAT",
    "Attempt",
    "JudgeNote",
    "LoadedRun",
    "RunMeta",
    "RunStore",
    "Settled",
    "SubmissionNote",
    "iter_attempts",
    "iter_verdicts",
    "read_run",
    "refuse_strange_folder",
]

_SYNC_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Settled:
    """What a run directory already says about a pair."""

    input_key: str
    status: Status


class RunStore:
    """A run directory, open for writing by this process alone. Make it with `open`.

    Attributes:
        path: The directory.
        meta: `run.json` as it stands now.
        torn: What was cut off the ends of files that a kill had torn.
        previous: `run.json` of the earlier run, where there was one.
    """

    def __init__(
        self,
        path: Path,
        meta: RunMeta,
        lock: FileLock,
        torn: tuple[Torn, ...],
        previous: RunMeta | None,
    ) -> None:
        self.path = path
        self.meta = meta
        self.previous = previous
        self.torn = torn
        self._lock = lock
        self._verdicts = AppendFile(path / VERDICTS, sync_seconds=_SYNC_SECONDS)
        self._attempts = AppendFile(path / ATTEMPTS, sync_seconds=None)
        self._submissions = AppendFile(path / SUBMISSIONS, sync_seconds=_SYNC_SECONDS)
        self._noted = read_submissions(path)
        self._answers: dict[str, int] = {}
        self._given_up: dict[str, int] = {}
        self._asked_again: set[str] = set()

    @classmethod
    def open(cls, path: Path, meta: RunMeta, saus: Iterable[Sau]) -> RunStore:
        """Open a run directory, new or of an earlier run over the same claims.

        Torn last lines are cut off and kept aside; `torn` says so. Papers that the directory
        does not have yet are added.

        Args:
            path: The directory; made when it is not there.
            meta: What is run now. Its `started` yields to that of the earlier run;
                `paper_versions` may be given for whole papers of which `saus` are a choice.
            saus: The claims, in the benchmark's order.

        Raises:
            InputError: Another process writes there; the folder cannot be made or written, or
                holds something else; or the claims of a paper are not those that the directory
                was made with.
        """
        try:
            return cls._open(path, meta, saus)
        except OSError as error:
            raise InputError(
                f"the output folder cannot be written ({error})",
                where=Where(str(path)),
                remedy="Choose another folder, or mend the disk or the permissions",
            ) from error

    @classmethod
    def _open(cls, path: Path, meta: RunMeta, saus: Iterable[Sau]) -> RunStore:
        refuse_strange_folder(path)
        path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path / LOCK, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise InputError(
                "another process is writing to this run",
                where=Where(str(path)),
                remedy="Wait until it has ended, or choose another output folder",
            ) from None
        try:
            for entry in path.iterdir():
                if _is_leftover(entry.name):
                    entry.unlink()
            torn = tuple(
                note
                for name in (CLAIMS, SUBMISSIONS, VERDICTS, ATTEMPTS)
                if (note := mend(path / name)) is not None
            )
            claims = {sau.id: sau for sau in saus}
            if not meta.paper_versions:
                versions = _paper_versions(claims.values())
                meta = meta.model_copy(update={"paper_versions": versions})
            previous = None
            if (path / META).exists():
                previous = old = read_meta(path)
                claims = _joined_claims(path, old, meta, claims)
                meta = meta.model_copy(
                    update={
                        "started": old.started or meta.started,
                        "paper_versions": {**old.paper_versions, **meta.paper_versions},
                        "notes": tuple(dict.fromkeys((*old.notes, *meta.notes))),
                    }
                )
            meta = meta.model_copy(
                update={
                    "claims_version": claims_version(claims.values()),
                    "notes": (*meta.notes, *(str(note) for note in torn)),
                }
            )
            # Claims before run.json: a folder that calls itself a run always has its claims.
            write_atomically(path / CLAIMS, "".join(_claim_line(sau) for sau in claims.values()))
            write_atomically(path / META, meta.model_dump_json(indent=1) + "\n")
            return cls(path, meta, lock, torn, previous)
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
        """Append rows to the ledger: they survive the process, and a power loss once synced."""
        self._attempts.append(row.model_dump_json().encode() for row in attempts)

    def sync_attempts(self) -> None:
        """Wait until the rows of the ledger are on the disk itself."""
        self._attempts.sync()

    def append_submission(self, note: SubmissionNote) -> None:
        """Append what was read of a submission, unless the same is there already."""
        if self._noted.get(note.id) != note:
            self._submissions.append((note.model_dump_json().encode(),))
            self._noted[note.id] = note

    def noted(self, submission: str) -> SubmissionNote | None:
        """Return the last note on a submission, `None` where there is none."""
        return self._noted.get(submission)

    def index_answers(self) -> None:
        """Look through the ledger of earlier runs for answers, for `paid_answer`.

        Raises:
            InputError: A line is damaged.
        """
        keys = ("request_key", "outcome")
        self._answers = {}
        self._given_up = {}
        self._asked_again = set()
        # In the order of the lines: a later answer replaces an earlier one.
        for (key, outcome), line in latest_offsets(
            self.path / ATTEMPTS, keys, leading=keys
        ).items():
            if outcome in ANSWERED:
                self._answers[key] = line.offset
            elif outcome == GAVE_UP:
                self._given_up[key] = line.offset
            elif outcome == ASKED_AGAIN:
                self._asked_again.add(key)

    def noted_again(self, request_key: str) -> bool:
        """Whether the ledger says why this is asked again; from now on it is taken to."""
        noted = request_key in self._asked_again
        self._asked_again.add(request_key)
        return noted

    def paid_answer(self, request_key: str) -> tuple[Attempt, bool] | None:
        """Return the latest answer to a request that was there when `index_answers` looked.

        Returns:
            Its row, which may hold an answer that cannot be used, and whether its question was
            given up since: then an answer that cannot be used is to be asked for anew.

        Raises:
            InputError: Its line is damaged.
        """
        offset = self._answers.get(request_key)
        if offset is None:
            return None
        file = self.path / ATTEMPTS
        row = validated(file, Line(0, offset, line_at(file, offset)), Attempt)
        return row, self._given_up.get(request_key, -1) > offset

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
        """Sync, close and unlock; a second call does nothing.

        Raises:
            OSError: A file could not be synced; all are closed all the same.
        """
        with contextlib.ExitStack() as stack:
            stack.callback(self._lock.release)
            for file in (self._submissions, self._verdicts, self._attempts):
                stack.callback(file.close)

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self.close()
        except OSError:
            if exception[0] is None:  # else what went wrong first is what is told
                raise


def refuse_strange_folder(path: Path) -> None:
    """Refuse to write into a file, or into a folder that holds something else than a run.

    Raises:
        InputError: It is one of these.
    """
    if path.exists() and not path.is_dir():
        raise InputError(
            "the output folder is a file", where=Where(str(path)), remedy="Choose another folder"
        )
    ours = {META, CLAIMS, SUBMISSIONS, VERDICTS, ATTEMPTS, SUMMARY, LOCK}
    if path.is_dir() and not (path / META).exists():
        strange = sorted(
            entry.name
            for entry in path.iterdir()
            if entry.name not in ours and not _is_leftover(entry.name)
        )
        if strange:
            raise InputError(
                f"the folder is not a run and not empty (it holds {strange[0]!r})",
                where=Where(str(path)),
                remedy="Choose an empty or new output folder",
            )


def _is_leftover(name: str) -> bool:
    """Whether a file is what a kill in the middle of replacing another left behind."""
    return name.startswith(".") and name.endswith(".new")


def _joined_claims(path: Path, old: RunMeta, new: RunMeta, now: dict[str, Sau]) -> dict[str, Sau]:
    """Return the claims of a directory with new ones added.

    Raises:
        InputError: A paper that was there already comes with another version of its claims.
    """
    before = read_claims(path / CLAIMS)
    changed = sorted(
        paper
        for paper, version in new.paper_versions.items()
        if old.paper_versions.get(paper, version) != version
    )
    differing = sorted(id_ for id_ in before.keys() & now.keys() if before[id_] != now[id_])
    if changed or differing:
        what = f"the claim {differing[0]!r} reads otherwise" if differing else "other claims"
        paper = changed[0] if changed else before[differing[0]].paper
        raise InputError(
            f"the directory was made with another version of the claims of {paper!r} ({what})",
            where=Where(str(path / CLAIMS)),
            remedy="Give output.path another folder; answers at hand are found again in the cache",
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
