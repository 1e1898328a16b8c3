"""What the commands on trust read: verdicts of runs in short form, labels in any known format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmark import InputError, Label, Where
from benchmark.documents import nearest
from benchmark.readers import load_judgeeval, load_label_table, load_labels, load_paperbench
from benchmark.readers.judgeeval import AGENT, is_judgeeval
from benchmark.readers.paperbench import FILE
from calibration.joining import Judged, judged
from judge.config_sections import SUITE, SUITE_FOLDER
from judge.foreign import read_results
from judge.loading import iter_current_verdicts, read_meta
from judge.records import META

__all__ = [
    "assignments",
    "check_versions",
    "label_path",
    "naming_files",
    "only_judge",
    "read_labels",
    "read_verdicts",
]

_TABLES = {".csv", ".tsv"}


@contextmanager
def naming_files(*, runs: Sequence[Path] = (), labels: Sequence[Path] = ()) -> Iterator[None]:
    """Have errors about verdicts or labels in general name the files that these are from."""
    try:
        yield
    except InputError as error:
        files = {"run": runs, "labels": labels}.get(error.where.path)
        if not files:
            raise
        where = Where(", ".join(map(str, files)), key=error.where.key)
        raise InputError(error.problem, where=where, remedy=error.remedy) from None


def read_verdicts(paths: Sequence[Path]) -> list[Judged]:
    """The verdicts of run directories and of trees of published results, in short form.

    Raises:
        InputError: A path holds neither, a file is malformed, or two runs hold verdicts of one
            judge for one claim, of which only one can count.
    """
    found: list[Judged] = []
    before: set[tuple[str, str, str]] = set()
    for place, path in enumerate(map(Path, paths)):
        new = list(_verdicts(path))
        if place:
            twice = next((one for one in new if (one.judge, *one.key) in before), None)
            if twice is not None:
                raise InputError(
                    f"{twice.judge} has judged {twice.submission} {twice.sau} in an earlier run "
                    "too",
                    where=Where(str(path)),
                    remedy="Name one of the two runs; judge compare tells them apart",
                )
        if place < len(paths) - 1:
            before.update((one.judge, *one.key) for one in new)
        found += new
    return found


def check_versions(
    labels: Iterable[Label], verdicts: Iterable[Judged], runs: Sequence[Path]
) -> None:
    """Refuse labels of another version of the claims than a run's.

    Labels that do not say which version they are of cannot be checked and pass.

    Raises:
        InputError: There is such a label.
    """
    stated = [one for one in labels if one.claims]
    if not stated:
        return
    known: dict[str, str] = {}
    for path in runs:
        meta = read_meta(path) if (path / META).exists() else read_results(path).meta
        known |= meta.paper_versions
    paper_of = {one.submission: one.paper for one in verdicts}
    for one in stated:
        version = known.get(paper_of.get(one.submission, ""))
        if version is not None and version != one.claims:
            raise InputError(
                f"this label is of version {one.claims} of the claims, and the run's is {version}",
                where=Where("labels", key=f"{one.submission} {one.sau} ({one.annotator})"),
                remedy="Label the run's own claims, or name the run that was labelled",
            )


def _verdicts(path: Path) -> Iterator[Judged]:
    if (path / META).exists():
        # One at a time: a verdict with its words takes many times the room of its short form.
        yield from judged(iter_current_verdicts(path))
    else:
        yield from judged(read_results(path).verdicts)


def only_judge(verdicts: list[Judged], judge: str | None) -> list[Judged]:
    """The verdicts of one judge, or all where none is named.

    Raises:
        InputError: No verdict is of that judge.
    """
    if judge is None:
        return verdicts
    kept = [one for one in verdicts if one.judge == judge]
    if not kept:
        names = sorted({one.judge for one in verdicts})
        near = nearest(judge, names)
        raise InputError(
            f"no verdict is of the judge {judge!r}; judges are {', '.join(names) or 'none'}",
            where=Where("--judge"),
            remedy=f"Write {near}" if near else "Name one of them",
        )
    return kept


def assignments(words: Iterable[str], option: str) -> dict[str, str]:
    """Read `field=value` words of an option.

    Raises:
        InputError: A word has no `=`.
    """
    found: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise InputError(
                f"{word!r} is not of the form field=value",
                where=Where(option),
                remedy=f"Write it as {option} sau=claim_id",
            )
        found[name.strip()] = value.strip()
    return found


def label_path(path: Path) -> Path:
    """The path, or the built-in suite's labels for its word where no such file is there."""
    return SUITE_FOLDER / "labels" if path.name == SUITE and not path.exists() else path


def read_labels(
    paths: Sequence[Path],
    *,
    columns: dict[str, str] | None = None,
    fixed: dict[str, str] | None = None,
) -> tuple[Label, ...]:
    """Labels of several files, each in any of the known forms.

    Native JSON Lines, CSV tables, PaperBench's graded rubrics, JudgeEval's rows; the word `suite`
    in place of a path is the built-in suite's labels.

    Args:
        paths: Files, or folders of one kind of file.
        columns: What our fields are called in tables.
        fixed: Values that hold for every row of tables; `agent` is also who wrote the repository
            that JudgeEval's rows grade.

    Raises:
        InputError: A file is malformed, or one annotator has labelled a pair twice.
    """
    labels: list[Label] = []
    seen: dict[tuple[str, str, str], Path] = {}
    for path in map(label_path, map(Path, paths)):
        if path.suffix.lower() in _TABLES:
            found = load_label_table(path, columns=columns, fixed=fixed)
        elif path.name == FILE or (path.is_dir() and next(path.rglob(FILE), None)):
            found = tuple(leaf.label for leaf in load_paperbench(path))
        elif is_judgeeval(path):
            found = load_judgeeval(path, agent=(fixed or {}).get("agent", AGENT)).labels
        else:
            found = load_labels(path)
        for one in found:
            key = one.submission, one.sau, one.annotator
            if key in seen:
                raise InputError(
                    f"{one.annotator} has labelled {one.submission} {one.sau} in {seen[key]} too",
                    where=Where(str(path)),
                    remedy="Name each file once, or keep one of the two labels",
                )
            seen[key] = path
        labels += found
    return tuple(labels)
