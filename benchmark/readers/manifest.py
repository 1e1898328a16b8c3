"""The native manifest: which repository is whose, as JSON Lines, YAML or JSON.

One row a submission: `submission` (its id), `agent`, `paper` and `path` (relative to the manifest's
folder), optionally `exclude` and `claims_version`; any other key is metadata. In YAML and JSON the
rows are a list, by itself or under `submissions`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from benchmark.documents import Document, Step, load_document, load_json_lines, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Submission
from benchmark.readers.candidates import (
    Candidate,
    artifact_patterns,
    check_patterns,
    require_inside,
)
from benchmark.readers.fields import (
    check_name,
    refuse_unknown,
    sequence_at,
    table_at,
    text_at,
)

__all__ = ["MANIFEST_SUFFIXES", "Notes", "read_manifest", "read_notes"]

MANIFEST_SUFFIXES = (".jsonl", ".ndjson", ".yaml", ".yml", ".json")

_ROW = ("submission", "agent", "paper", "path", "exclude", "claims_version")
_NOTES = ("exclude", "claims_version")


@dataclass(frozen=True, slots=True)
class Notes:
    """What is said of a submission besides where it is; `where` is the version's place."""

    where: Where
    claims_version: str = ""
    exclude: tuple[str, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict)


def read_manifest(path: Path, *, allow_outside: bool = False) -> list[Candidate]:
    """Read a manifest, in the order of its rows.

    Args:
        path: The file.
        allow_outside: Take absolute paths, and paths and links that leave the manifest's folder.

    Raises:
        InputError: The file or a row is malformed, a folder is missing, or a path leads outside.
    """
    return [_candidate(*row, allow_outside=allow_outside) for row in _rows(path)]


def read_notes(path: Path) -> Notes:
    """Read a `submission.yaml` that lies beside a repository.

    Raises:
        InputError: It is malformed.
    """
    document = load_document(path, what="submission's notes")
    row = table_at(document, document.value, what="the notes")
    return _notes(document, row, known=_NOTES)


def _rows(path: Path) -> Iterator[tuple[Document, tuple[Step, ...]]]:
    suffix = path.suffix.lower()
    if suffix in {".jsonl", ".ndjson"}:
        for document in load_json_lines(path, what="manifest"):
            yield document, ()
        return
    document = load_document(path, what="manifest")
    rows, way = document.value, ()  # type: tuple[Any, tuple[Step, ...]]
    if isinstance(rows, dict):
        refuse_unknown(document, rows, ("submissions",))
        rows, way = rows.get("submissions"), ("submissions",)
    rows = sequence_at(document, rows, *way, what="the manifest's list of submissions")
    if not rows:
        raise document.error("the manifest is empty", *way, remedy="Add a submission")
    for index in range(len(rows)):
        yield document, (*way, index)


def _candidate(document: Document, way: tuple[Step, ...], *, allow_outside: bool) -> Candidate:
    value = document.value
    for step in way:
        value = value[step]
    row = table_at(document, value, *way, what="a submission")
    # Near misses first: `agnet: gpt` would else be metadata, and the error "agent is missing".
    notes = _notes(document, row, *way, known=_ROW)
    names = {name: text_at(document, row, (name,), *way) for name in _ROW[:4]}
    for name in ("submission", "agent", "paper"):
        check_name(names[name], what=name, where=document.where(*way, name))
    root = _root(document, names["path"], *way, "path", allow_outside=allow_outside)
    return Candidate(
        Submission(
            id=names["submission"],
            agent=names["agent"],
            paper=names["paper"],
            root=root,
            meta=notes.meta,
            exclude=(*artifact_patterns(root, names["paper"], scored=False), *notes.exclude),
        ),
        document.where(*way, key=names["submission"]),
        notes.claims_version,
    )


def _notes(document: Document, row: Mapping[str, Any], *way: Step, known: tuple[str, ...]) -> Notes:
    meta: dict[str, str] = {}
    for name, value in row.items():
        if name in known:
            continue
        near = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=0.75)
        if near and near[0] not in row:
            raise document.error(
                f"unknown key {name!r}, very like {near[0]!r}",
                *way,
                name,
                name=True,
                remedy=f"Write {near[0]}, if that is what you mean, or use another name",
            )
        if isinstance(value, (dict, list)):
            raise document.error(
                f"the metadata {name} should be text or a number, not {shown(value)}",
                *way,
                name,
                remedy="Write it as one value",
            )
        if value is not None:
            meta[name] = str(value).lower() if isinstance(value, bool) else str(value)
    at = (*way, "exclude")
    patterns = sequence_at(document, row.get("exclude", []), *at, what="exclude")
    for index, pattern in enumerate(patterns):
        if not isinstance(pattern, str) or not pattern.strip():
            raise document.error(
                f"the pattern {shown(pattern)} should be text",
                *at,
                index,
                remedy="Write it in quotes, as a line of a .gitignore file",
            )
        check_patterns([pattern], document.where(*at, index))
    version = text_at(document, row, ("claims_version",), *way, required=False)
    return Notes(document.where(*way, "claims_version"), version, tuple(patterns), meta)


def _root(document: Document, path: str, *at: Step, allow_outside: bool) -> Path:
    folder = document.path.parent
    where = document.where(*at)
    if "\\" in path and not PureWindowsPath(path).is_absolute():
        raise document.error(
            f"the path {shown(path)} holds a backslash", *at, remedy="Write it with /"
        )
    pure = PurePosixPath(path)
    leaves = pure.is_absolute() or PureWindowsPath(path).is_absolute() or ".." in pure.parts
    if leaves and not allow_outside:
        raise InputError(
            f"the path {shown(path)} may lead outside the manifest's folder",
            where=where,
            remedy="Write it relative to the manifest, without .., or allow it with "
            "submissions.allow_outside: true",
        )
    root = folder / path
    try:
        missing = not root.exists()
        wrong = not root.is_dir()
    except (OSError, ValueError):
        missing = wrong = True
    if wrong:
        raise InputError(
            f"there is no folder {root}" if missing else f"{root} is not a folder",
            where=where,
            remedy="Correct the path, or create the folder (empty if nothing was handed in)",
        )
    if not allow_outside:
        require_inside(root, folder, where)
    return root
