"""Where a run writes: never into what it grades, and found out before anything is done."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmark import InputError, Submission, Where
from judge.config import RunConfig
from judge.store import refuse_strange_folder

__all__ = ["check_apart", "check_writable"]


def check_apart(config: RunConfig, submissions: Iterable[Submission]) -> None:
    """Refuse to write into a submission: it would be graded with it, and change its digest.

    To leave such a folder out of what is graded would not do: whoever wrote the repository could
    have put a run there, whose verdicts would then stand, or a cache with answers.

    Raises:
        InputError: A folder that the run writes to lies in one that it grades.
    """
    roots = {_real(submission.root): submission for submission in submissions}
    for path, where in _written(config):
        for folder in (real := Path(_real(path)), *real.parents):
            if (submission := roots.get(str(folder))) is not None:
                raise InputError(
                    f"this folder lies inside of the submission {submission.id}: it would be "
                    "graded as its code, and what the submission brings along there would pass "
                    "for verdicts and answers of earlier",
                    where=where,
                    remedy=f"Choose a folder outside of {submission.root}",
                )


def check_writable(config: RunConfig) -> None:
    """Try whether every folder that the run writes to can be made and written; nothing stays.

    Raises:
        InputError: One cannot.
    """
    for path, where in _written(config):
        try:
            _try(path)
        except OSError as error:
            raise InputError(
                f"{error.filename or path} cannot be made or written ({error.strerror or error})",
                where=where,
                remedy="Choose another folder, or mend its permissions",
            ) from None
    refuse_strange_folder(config.output.path)


def _written(config: RunConfig) -> Iterator[tuple[Path, Where]]:
    yield config.output.path, config.where("output", "path")
    if config.judge.kind != "embedded":  # that one keeps no answers
        yield config.cache.path, config.where("cache", "path")
    if config.judge.asked.exchange is not None:
        yield config.judge.asked.exchange, config.where("judge", "exchange")


def _real(path: Path) -> str:
    return os.path.normcase(os.path.realpath(path))


def _try(path: Path) -> None:
    made: list[Path] = []
    try:
        for folder in reversed((path, *path.parents)):
            if not folder.exists():
                folder.mkdir()
                made.append(folder)
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"\n")
    finally:
        for folder in reversed(made):
            folder.rmdir()
