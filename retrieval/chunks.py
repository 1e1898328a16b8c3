"""Cutting files into chunks: every line that is not blank is in exactly one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from retrieval.outline import Definition, LineKind, Outline
from retrieval.values import Chunk, ChunkKind, FactSource, Role, SourceFile

__all__ = ["cut_file", "line_owners"]

# Lines that excerpts show. Of 8, 10, 12 and 16 these did best on gold lines, and those far better
# than fifty: what decides a claim is a few lines, and the budget is better spent on more places.
_TARGET = 12
# Of a run with that many options of a command line, which say nothing of each other.
_OPTIONS_TARGET = 8
_MANY_OPTIONS = 4
_SHORT_HEAD = 4  # lines
_MAX_HEADER = 220
# A line's kind as a plain number: an enumeration's members are slow to look up.
_BLANK, _COMMENT = int(LineKind.BLANK), int(LineKind.COMMENT)
_MAX_SHOWN = 120


def cut_file(
    file: SourceFile,
    outline: Outline,
    owners: Sequence[int],
    reached: Callable[[str, int], bool | None],
    folded: bytearray,
) -> list[tuple[Chunk, str]]:
    """The chunks of one file, in order.

    Each comes with the heads of all that it belongs to, its own included, to be searched by.

    Args:
        file: The file.
        outline: What it holds.
        owners: `line_owners` of the outline.
        reached: Whether an entry point leads to a line, by path and line.
        folded: `folded_lines` of the file.
    """
    shown_before = [0, *accumulate(1 - line for line in folded)]
    units = _units(outline.definitions)
    owners = [units[owner] for owner in owners]
    # The heads of each definition with all around it, and at the end of none.
    heads = [_header(outline.definitions, unit) for unit in range(len(outline.definitions))]
    heads.append("")
    kind_of = _kinds(file)
    chunks: list[tuple[Chunk, str]] = []
    options = sorted(fact.line for fact in outline.facts if fact.source is FactSource.OPTION)
    for owner, start, end in _runs(owners, outline, shown_before):
        definition = outline.definitions[owner] if owner >= 0 else None
        kind = kind_of[0 if definition is None else 1 + definition.is_class]
        names = heads[owner]
        flat = bisect_right(options, end) - bisect_left(options, start)
        target = _OPTIONS_TARGET if flat >= _MANY_OPTIONS else _TARGET
        for first, last in _pieces(start, end, outline, shown_before, target):
            # A piece that shows a definition's own head is in need of what encloses it alone.
            shown = owner
            while shown >= 0 and first <= outline.definitions[shown].first <= last:
                shown = outline.definitions[shown].parent
            outer = heads[shown]
            chunk = Chunk(
                path=file.path,
                first=first,
                last=last,
                kind=kind,
                symbol=definition.symbol if definition is not None else "",
                header=outer if len(outer) <= _MAX_SHOWN else outer[: _MAX_SHOWN - 1] + "…",
                reached=reached(file.path, first),
            )
            chunks.append((chunk, names))
    return chunks


def _runs(
    owners: Sequence[int], outline: Outline, shown_before: list[int]
) -> Iterator[tuple[int, int, int]]:
    """Lines of one definition without a break, as (definition, first, last).

    A short head of a class goes with the method below: alone it is a name with nothing behind it.
    """
    definitions = outline.definitions
    first = start = 0
    while start < len(owners):
        owner = owners[start]
        end = start
        while end < len(owners) and owners[end] == owner:
            end += 1
        below = owners[end] if end < len(owners) else -1
        leads = owner >= 0 and below >= 0 and definitions[below].parent == owner
        short = shown_before[end] - shown_before[first] <= _SHORT_HEAD
        if not (leads and definitions[owner].is_class and short):
            yield owner, first + 1, end
            first = end
        start = end


def _units(definitions: Sequence[Definition]) -> list[int]:
    """For each definition the one it is shown with; the last item stands for no definition.

    A short function inside a function is part of it: apart, both would be hard to read.
    """
    units: list[int] = []
    for position, definition in enumerate(definitions):
        parent = definition.parent
        short = definition.last - definition.first < _TARGET
        inside = parent >= 0 and not definitions[parent].is_class and not definition.is_class
        units.append(units[parent] if short and inside else position)
    return [*units, -1]


def line_owners(outline: Outline) -> list[int]:
    """For each line the innermost definition it belongs to, or -1.

    Comments right above a definition belong to it.
    """
    kinds = outline.kinds
    owners = [-1] * len(kinds)
    for position, definition in enumerate(outline.definitions):
        first = definition.first
        while (
            first > 1 and kinds[first - 2] == _COMMENT and (owners[first - 2] == definition.parent)
        ):
            first -= 1
        last = min(definition.last, len(kinds))
        owners[first - 1 : last] = [position] * (last - first + 1)
    return owners


def _pieces(
    first: int, last: int, outline: Outline, shown_before: list[int], target: int
) -> list[tuple[int, int]]:
    """Cut a span at statement borders; blank lines at the ends of pieces are dropped."""
    kinds = outline.kinds
    pieces: list[tuple[int, int]] = []
    while True:
        while first <= last and kinds[first - 1] == _BLANK:
            first += 1
        while last >= first and kinds[last - 1] == _BLANK:
            last -= 1
        if first > last:
            return pieces
        cut = 0
        if shown_before[last] - shown_before[first - 1] > target * 3 // 2:
            cut = _best_cut(first, last, outline, shown_before, target)
        if not cut:
            pieces.append((first, last))
            return pieces
        end = cut - 1
        while kinds[end - 1] == _BLANK:
            end -= 1
        pieces.append((first, end))
        first = cut


def _best_cut(first: int, last: int, outline: Outline, shown_before: list[int], target: int) -> int:
    """The first line of the next piece: an outer statement near the target length; 0 for none."""
    kinds, borders = outline.kinds, outline.borders
    best, cost = 0, float("inf")
    start = shown_before[first - 1]
    # Where so many lines are shown before it.
    begin = bisect_left(shown_before, start + target * 3 // 8, first - 1) + 1
    end = bisect_right(shown_before, start + target * 3 // 2, first - 1)
    for line in range(begin, min(last - 2, end) + 1):
        indent = borders.get(line)
        here = abs(shown_before[line - 1] - start - target) * 0.5
        here += 40.0 if indent is None else indent * 1.0
        # A comment leads the statement below it.
        if kinds[line - 1] == _COMMENT or kinds[line - 2] == _COMMENT:
            here += 2.0 if kinds[line - 2] == _COMMENT else -38.0
        if kinds[line - 2] == _BLANK:
            here -= 2.0
        if kinds[line - 1] == _BLANK:
            here += 50.0
        if here < cost:
            best, cost = line, here
    return best


def _header(definitions: list[Definition], owner: int) -> str:
    """The heads of a definition and of what encloses it, outermost first, in one line."""
    heads: list[str] = []
    while owner >= 0 and len(heads) < 4:
        heads.append(definitions[owner].header)
        owner = definitions[owner].parent
    header = " > ".join(reversed(heads))
    return header if len(header) <= _MAX_HEADER else header[: _MAX_HEADER - 1] + "…"


def _kinds(file: SourceFile) -> tuple[ChunkKind, ChunkKind, ChunkKind]:
    """What chunks are: outside of definitions, in functions, and in classes' own lines."""
    if file.role is Role.DOC or file.language == "markdown":
        return (ChunkKind.DOC,) * 3
    match file.language:
        case "python":
            return ChunkKind.MODULE, ChunkKind.FUNCTION, ChunkKind.CLASS_HEAD
        case "notebook":
            return ChunkKind.CELL, ChunkKind.FUNCTION, ChunkKind.CLASS_HEAD
        case "yaml" | "json" | "toml" | "ini":
            return (ChunkKind.CONFIG,) * 3
        case "shell":
            return (ChunkKind.SCRIPT,) * 3
        case _:
            return (ChunkKind.TEXT,) * 3
