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
    ATTEMPTS,
    CLAIMS,
    FORMAT,
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
]

_SYNC_SECONDS = 2.0


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
        self._noted = {id_: note.digest for id_, note in read_submissions(path).items()}
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
        return validated(file, Line(0, offset, line_at(file, offset)), Attempt)

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
    before = read_claims(path / CLAIMS)
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
