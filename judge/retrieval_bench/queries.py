"""Queries with gold lines, as JSON Lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import Dimension
from benchmark.errors import InputError, Where

__all__ = ["SearchQuery", "read_queries", "read_ranked"]

_KEYS = ("id", "set", "repo", "query", "dimension", "gold")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One query and the lines that answer it.

    Attributes:
        id: Unique in its file.
        set: The kind of query it is; results are means over sets.
        repo: Name of the repository's folder.
        query: The text.
        dimension: The dimension, where it is a claim.
        gold: The lines as (path, first, last), from 1, both included.
    """

    id: str
    set: str
    repo: str
    query: str
    dimension: Dimension | None
    gold: tuple[tuple[str, int, int], ...]


def read_queries(path: Path) -> tuple[SearchQuery, ...]:
    """Read a file of queries, one JSON object a line.

    Raises:
        InputError: A line is not a query; the message names it.
    """
    queries: list[SearchQuery] = []
    seen: set[str] = set()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read the queries: {error}",
            where=Where(str(path)),
            remedy="Give a file of JSON Lines in UTF-8",
        ) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        query = _parse(line, Where(str(path), number))
        if query.id in seen:
            raise InputError(
                f"the id {query.id!r} stands twice",
                where=Where(str(path), number, key="id"),
                remedy="Give each query an id of its own",
            )
        seen.add(query.id)
        queries.append(query)
    return tuple(queries)


def read_ranked(path: Path) -> dict[str, list[tuple[str, int, int]]]:
    """Read what another program ranked: JSON Lines of `{"query", "spans": [[path, first, last]]}`.

    Raises:
        InputError: A line is none of these; the message names it.
    """
    ranked: dict[str, list[tuple[str, int, int]]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read the ranked spans: {error}",
            where=Where(str(path)),
            remedy="Give a file of JSON Lines in UTF-8",
        ) from error
    for number, line in enumerate(lines, 1):
        try:
            record: Any = json.loads(line)
            ranked[str(record["query"])] = [
                (str(place), int(first), int(last)) for place, first, last in record["spans"]
            ]
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(
                f"not a line of ranked spans ({type(error).__name__})",
                where=Where(str(path), number),
                remedy='Write {"query": id, "spans": [[path, first, last], ...]}',
            ) from error
    return ranked


def _parse(line: str, where: Where) -> SearchQuery:
    example = '{"id", "set", "repo", "query", "gold": [[path, first, last], ...]}'
    try:
        record: Any = json.loads(line)
    except ValueError as error:
        raise InputError(
            f"not JSON: {error}", where=where, remedy=f"Write one object a line: {example}"
        ) from error
    if not isinstance(record, dict):
        raise InputError("not a JSON object", where=where, remedy=f"Write {example}")
    for key in ("id", "set", "repo", "query"):
        if not isinstance(record.get(key), str) or not record[key].strip():
            raise InputError(
                f"{key!r} is missing or not a text", where=where, remedy=f"Write {example}"
            )
    if unknown := sorted(set(record) - set(_KEYS)):
        raise InputError(
            f"unknown key {unknown[0]!r}", where=where, remedy=f"Known keys: {', '.join(_KEYS)}"
        )
    dimension = record.get("dimension")
    if dimension is not None and dimension not in list(Dimension):
        raise InputError(
            f"unknown dimension {dimension!r}", where=where, remedy="Write D1, D2, D3, D4 or null"
        )
    gold = record.get("gold")
    if not isinstance(gold, list) or not gold or not all(map(_is_span, gold)):
        raise InputError(
            "'gold' is not a list of [path, first line, last line]",
            where=where,
            remedy="Count lines from 1, first not after last, paths relative to the repository",
        )
    return SearchQuery(
        record["id"],
        record["set"],
        record["repo"],
        record["query"],
        Dimension(dimension) if dimension is not None else None,
        tuple((path, first, last) for path, first, last in gold),
    )


def _is_span(item: object) -> bool:
    return (
        isinstance(item, list)
        and len(item) == 3
        and isinstance(item[0], str)
        and isinstance(item[1], int)
        and isinstance(item[2], int)
        and 1 <= item[1] <= item[2]
    )
