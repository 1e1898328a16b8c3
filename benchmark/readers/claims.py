"""SA-Bench's claims: one folder a paper, its SAUs in `sau.json`, its text in `paper.md`.

The shapes that are read, inside one file:

- `{"paper_id": ..., "D1": [{"id", "claim", "source"}, ...], "D2": ...}`
- the same dimensions under `requirements`
- `requirements`, or the whole file, as one list whose items carry `type` (or `dimension`)

with `claim_id` for `id` and `text` for `claim`. The file is `<paper>/sau.json`,
`<paper>/sau/sau.json` or `<paper>/sau/requirements.json`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from benchmark.documents import Document, Step, load_document, nearest, one_of, shown
from benchmark.errors import InputError, Where
from benchmark.nouns import Benchmark, Dimension, Paper, Sau
from benchmark.readers.fields import (
    MAX_CLAIM,
    MAX_SOURCE,
    check_id,
    check_name,
    dimension_of,
    same_name,
    sequence_at,
    short_text,
    table_at,
    text_at,
)

__all__ = ["CLAIM_FILES", "load_benchmark", "select"]

CLAIM_FILES = ("sau.json", "sau/sau.json", "sau/requirements.json")

_DIMENSIONS = tuple(dimension.value for dimension in Dimension)
_DIMENSION_LIKE = re.compile(r"[dD][0-9]+\Z")

Item = tuple[tuple[Step, ...], Any, str | None]


def load_benchmark(
    path: Path,
    *,
    format: Literal["auto", "sa-bench"] = "auto",  # noqa: A002
    papers: Collection[str] | None = None,
    dimensions: Collection[Dimension] | None = None,
    name: str | None = None,
) -> Benchmark:
    """Read the claims of a benchmark, of one paper's folder, or of one paper's file.

    Args:
        path: The folder or file.
        format: The format; `auto` finds it out.
        papers: Keep these papers alone.
        dimensions: Keep the claims of these dimensions alone.
        name: What to call the benchmark; by default the folder's name.

    Raises:
        InputError: Something is missing, malformed, given twice, or nothing is left.
    """
    if format not in {"auto", "sa-bench"}:
        raise InputError(
            f"unknown benchmark format {shown(format)}",
            where=Where(str(path)),
            remedy="Use auto or sa-bench",
        )
    path = Path(path)
    found = _find(path)
    if papers is not None and not path.is_file():
        _require_known(papers, [paper for paper, _ in found if paper], path)
        found = [row for row in found if row[0] is None or row[0] in papers]
    loaded = sorted((_paper(files, folder_name) for folder_name, files in found), key=_by_id)
    _refuse_twins(loaded)
    benchmark = Benchmark(
        name=name or path.resolve().name, papers=tuple(paper for paper, _ in loaded)
    )
    return select(benchmark, papers=papers, dimensions=dimensions, where=Where(str(path)))


def select(
    benchmark: Benchmark,
    *,
    papers: Collection[str] | None = None,
    dimensions: Collection[Dimension] | None = None,
    where: Where | None = None,
) -> Benchmark:
    """The benchmark with some papers and some dimensions alone.

    A paper that has no claim in these dimensions stays, without claims, so that its submissions
    are still known. The version of a narrowed paper is another one: compare versions before.

    Raises:
        InputError: A paper is unknown, or no claim is left.
    """
    where = where or Where(benchmark.name)
    kept = benchmark.papers
    if papers is not None:
        _require_known(papers, [paper.id for paper in kept], Path(where.path))
        kept = tuple(paper for paper in kept if paper.id in papers)
    if dimensions is not None:
        kept = tuple(
            replace(paper, saus=tuple(sau for sau in paper.saus if sau.dimension in dimensions))
            for paper in kept
        )
    if not any(paper.saus for paper in kept):
        axes = "" if dimensions is None else f" of dimension {one_of(sorted(dimensions))}"
        raise InputError(
            f"the benchmark is empty: no claim{axes} is left",
            where=where,
            remedy="Widen the choice of papers and dimensions, or correct the path",
        )
    return replace(benchmark, papers=kept)


def _by_id(row: tuple[Paper, Document]) -> tuple[str, str]:
    return row[0].id, str(row[1].path)


def _require_known(wanted: Collection[str], known: Collection[str], path: Path) -> None:
    for paper in sorted(wanted):
        if paper not in known:
            near = nearest(paper, known)
            raise InputError(
                f"the benchmark has no paper {shown(paper)}",
                where=Where(str(path), key=paper),
                remedy=f"Write {near}, if that is what you mean"
                if near
                else f"Use {one_of(sorted(known))}",
            )


def _find(path: Path) -> list[tuple[str | None, list[Path]]]:
    """Folder name and claim files of each paper; no name where one file was given directly."""
    where = Where(str(path))
    if path.is_file():
        return [(None, [path])]
    if not path.is_dir():
        raise InputError(
            "there is no such benchmark folder", where=where, remedy="Correct the path"
        )
    if own := _claim_files(path):
        return [(None, own)]
    try:
        names = sorted(inner.name for inner in path.iterdir() if inner.is_dir())
    except OSError as error:
        raise InputError(
            f"the folder cannot be read ({error.strerror})",
            where=where,
            remedy="Check its permissions",
        ) from None
    found: list[tuple[str | None, list[Path]]] = [
        (name, files)
        for name in names
        if not name.startswith(".") and (files := _claim_files(path / name))
    ]
    if not found:
        inner = [sub for sub in ("papers", "data/papers", "saus") if (path / sub).is_dir()]
        raise InputError(
            "the benchmark is empty: looked for "
            + one_of([f"<paper>/{file}" for file in CLAIM_FILES]),
            where=where,
            remedy=f"Write {path / inner[0]}, if that is what you mean"
            if inner
            else "Name the papers' folder",
        )
    return found


def _claim_files(folder: Path) -> list[Path]:
    inner = ("requirements.json",) if folder.name == "sau" else ()  # given directly
    files = (*CLAIM_FILES, *inner)
    return [folder / file for file in files if (folder / file).is_file()]


def _paper(files: list[Path], folder_name: str | None) -> tuple[Paper, Document]:
    """One paper from its claim files, which must say the same where there are several."""
    paper, document = _read(files[0], folder_name)
    for other in files[1:]:
        if _read(other, folder_name)[0].version != paper.version:
            raise InputError(
                f"the claims differ from those of {files[0]}: two versions of one paper's claims",
                where=Where(str(other)),
                remedy="Keep the file that is right and remove the other",
            )
    return paper, document


def _read(file: Path, folder_name: str | None) -> tuple[Paper, Document]:
    document = load_document(file, kind="json", what="claim file")
    folder = file.parent.parent if file.parent.name == "sau" else file.parent
    named = ""
    if isinstance(document.value, dict):
        named = text_at(document, document.value, ("paper_id",), required=False)
    if named and folder_name and named != folder_name:
        raise document.error(
            f"paper_id is {shown(named)} but the folder is called {shown(folder_name)}",
            "paper_id",
            remedy="Make the two equal: submissions are matched by it",
        )
    paper = named or folder_name or folder.resolve().name
    where = document.where("paper_id") if named else Where(str(file))
    check_name(paper, what="paper's id", where=where)
    if "/" in paper:
        raise InputError(
            f"the paper's id {shown(paper)} holds a slash", where=where, remedy="Use another id"
        )
    saus = tuple(_saus(document, paper))
    if not saus:
        raise InputError(
            "the file holds no claims",
            where=Where(str(file)),
            remedy="Add claims under D1 to D4, or remove the file",
        )
    text = folder / "paper.md"
    return Paper(paper, saus, text if text.is_file() else None), document


def _saus(document: Document, paper: str) -> Iterator[Sau]:
    seen: dict[str, tuple[str, tuple[Step, ...]]] = {}
    for steps, item, section in _items(document):
        row = table_at(document, item, *steps, what="a claim")
        sau_id = _id(document, row, *steps)
        if same := seen.get(same_name(sau_id)):
            first = document.where(*same[1])
            raise document.error(
                f"the id {shown(sau_id)} is given twice, first on line {first.line}"
                if same[0] == sau_id
                else f"the id {shown(sau_id)} differs from {shown(same[0])} on line {first.line} "
                "in upper and lower case or in its Unicode form alone",
                *steps,
                key=sau_id,
                remedy="Give each claim an id of its own",
            )
        seen[same_name(sau_id)] = (sau_id, steps)
        yield Sau(
            id=sau_id,
            paper=paper,
            dimension=_dimension(document, row, section, *steps),
            claim=short_text(
                document,
                text_at(document, row, ("claim", "text"), *steps),
                MAX_CLAIM,
                *steps,
                what="claim",
            ),
            source=short_text(
                document,
                text_at(document, row, ("source",), *steps, required=False),
                MAX_SOURCE,
                *steps,
                what="source",
            ),
        )


def _items(document: Document) -> Iterator[Item]:
    """Each claim as (way to it, item, the dimension of its section if any)."""
    root = document.value
    if isinstance(root, list):
        yield from (((index,), item, None) for index, item in enumerate(root))
        return
    table = table_at(document, root, what="a claim file")
    requirements = table.get("requirements")
    if isinstance(requirements, list):
        yield from (
            (("requirements", index), item, None) for index, item in enumerate(requirements)
        )
    elif requirements is not None:
        inner = table_at(document, requirements, "requirements", what="requirements")
        yield from _sections(document, inner, "requirements", strict=True)
    else:
        yield from _sections(document, table, strict=False)


def _sections(
    document: Document, table: Mapping[str, Any], *steps: Step, strict: bool
) -> Iterator[Item]:
    for name in table:
        if name not in _DIMENSIONS and (
            strict or _DIMENSION_LIKE.match(name) or _holds_items(table[name])
        ):
            raise document.error(
                f"unknown dimension {shown(name)}",
                *steps,
                name,
                name=True,
                remedy=f"Use one of {', '.join(_DIMENSIONS)}",
            )
    for dimension in Dimension:
        at = (*steps, dimension.value)
        rows = sequence_at(document, table.get(dimension.value, []), *at, what=dimension.value)
        yield from (((*at, index), row, dimension.value) for index, row in enumerate(rows))


def _holds_items(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _id(document: Document, row: Mapping[str, Any], *steps: Step) -> str:
    for name in ("id", "claim_id"):
        if type(row.get(name)) is int:
            return str(row[name])
    return check_id(document, text_at(document, row, ("id", "claim_id"), *steps), *steps)


def _dimension(
    document: Document, row: Mapping[str, Any], section: str | None, *steps: Step
) -> Dimension:
    word = text_at(document, row, ("type", "dimension"), *steps, required=section is None)
    key = "type" if row.get("type") is not None else "dimension"
    if section is None:
        return dimension_of(document, word, *steps, key)
    if word and word.upper() in _DIMENSIONS and word.upper() != section:
        raise document.error(
            f"the claim stands under {section} but its {key} is {word}",
            *steps,
            key,
            remedy="Correct one of the two",
        )
    return Dimension(section)


def _refuse_twins(loaded: list[tuple[Paper, Document]]) -> None:
    """No two papers of one id, and no two claims of one id, in the whole benchmark."""
    papers: dict[str, Path] = {}
    claims: dict[str, tuple[str, Path]] = {}
    for paper, document in loaded:
        first = papers.setdefault(same_name(paper.id), document.path)
        if first != document.path:
            raise InputError(
                f"a second paper of this id, the first is in {first} (case does not count)",
                where=Where(str(document.path), key=paper.id),
                remedy="Rename one of the two",
            )
        for sau in paper.saus:
            other, file = claims.setdefault(same_name(sau.id), (paper.id, document.path))
            if other != paper.id:
                raise InputError(
                    f"the id {shown(sau.id)} is also that of a claim in {file}",
                    where=Where(str(document.path), key=sau.id),
                    remedy="Make ids unique, e.g. by putting the paper's id in front",
                )
