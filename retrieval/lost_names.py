"""Names that are called and mean nothing in their file, though the repository has some elsewhere.

The import was forgotten, or names a module that is not there or has no such name: run as written,
the call fails. What it was to call is then not known, and must not be called dead.
"""

from __future__ import annotations

import builtins
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from retrieval.program import FileView, Program

__all__ = ["lost_calls"]

_BUILTIN = frozenset(dir(builtins))


def lost_calls(program: Program) -> list[Mapping[int, Sequence[int]]]:
    """For each file, by the definition that calls (or -1), the nodes that may have been meant."""
    defined: defaultdict[str, list[int]] = defaultdict(list)
    folders: set[str] = set()
    for number, view in enumerate(program.views):
        folders.update(program.modules.dotted(view.file.path))
        for offset, definition in enumerate(view.outline.definitions):
            if definition.parent < 0 and definition.name not in _BUILTIN:
                defined[definition.name].append(program.node_of(number, offset))
    return [_of_file(program, number, defined, folders) for number in range(len(program.views))]


def _of_file(
    program: Program, number: int, defined: Mapping[str, list[int]], folders: set[str]
) -> Mapping[int, Sequence[int]]:
    view = program.views[number]
    found: defaultdict[int, list[int]] = defaultdict(list)
    lost: dict[str, bool] = {}
    for call in view.outline.calls:
        nodes = defined.get(call.name)
        if nodes is None:
            continue
        if call.name not in lost:
            lost[call.name] = _is_lost(program, number, call.name, folders)
        if lost[call.name]:
            found[call.owner] += nodes
    return found


def _is_lost(program: Program, number: int, name: str, folders: set[str]) -> bool:
    if program.resolve(number, name):
        return False
    view = program.views[number]
    imports = [item for item in view.outline.imports if item.alias == name]
    if imports:
        # What another package is asked for is that package's.
        return all(
            item.name and (item.module.startswith(".") or item.module.partition(".")[0] in folders)
            for item in imports
        )
    return not _is_bound(view, name)


def _is_bound(view: FileView, name: str) -> bool:
    """Whether some line gives the name a value: an assignment, a loop, a parameter."""
    word = rf"(?<![\w.]){re.escape(name)}\b"
    # Each looks no further than to the next of its kind, so that a line is read about once.
    listed = rf"{word}\s*,"
    binder = r"\b(?:as|for|global|nonlocal|lambda)\b"
    return (
        re.search(
            rf"{word}\s*(?::[^=\n]*)?=(?!=)|{listed}(?:(?!{listed})[^\n()=])*=(?!=)"
            rf"|{binder}(?:(?!{binder})[^\n:(])*{word}"
            rf"|\bdef\s+\w+\s*\((?:[^()]|\([^()]*\))*?{word}\s*[,:=)]",
            "\n".join(view.lines),
        )
        is not None
    )
