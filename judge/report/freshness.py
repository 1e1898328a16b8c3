"""Not writing a report again that is there already, made from the same things by the same code."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from judge.figures import Summary
from judge.loading import read_meta, read_run
from judge.records import CLAIMS, SUBMISSIONS, VERDICTS
from judge.report.writing import cannot_write, write_report

__all__ = ["write_report_if_changed"]

_STAMP = ".made-from"


def write_report_if_changed(run: Path, out: Path, summary: Summary) -> Path:
    """Write a run's report, unless the one that is there was made from the same run.

    Args:
        run: The run directory.
        out: The report's folder.
        summary: The run's figures.

    Returns:
        The path of `index.html`.

    Raises:
        InputError: The run cannot be read, or the folder cannot be written to.
    """
    stamp = _fingerprint(run)
    index = out / "index.html"
    try:
        current = (out / _STAMP).read_text(encoding="utf-8") == stamp and index.exists()
    except OSError:
        current = False
    if not current:
        try:
            (out / _STAMP).unlink(missing_ok=True)
            write_report(read_run(run), out, summary)
            (out / _STAMP).write_text(stamp, encoding="utf-8")
        except OSError as error:
            raise cannot_write(out, error) from error
    return index


@cache
def _code() -> str:
    """SHA-256 over this room's files: whatever changes in them may change a page."""
    digest = hashlib.sha256()
    room = Path(__file__).parent.parent
    for path in sorted(room.rglob("*")):
        if path.suffix in {".py", ".html", ".css", ".js", ".json"}:
            digest.update(path.relative_to(room).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _fingerprint(run: Path) -> str:
    """SHA-256 over the run's files and the code; the run's start and end times do not count."""
    digest = hashlib.sha256(_code().encode())
    digest.update(repr(read_meta(run).scope).encode("utf-8", "surrogatepass"))
    for name in (CLAIMS, SUBMISSIONS, VERDICTS):
        digest.update(b"\0" + name.encode())
        if (run / name).exists():
            with (run / name).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
