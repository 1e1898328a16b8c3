"""What of a repository is run: files, and definitions that a package's metadata names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from retrieval.outline import LineKind, Outline, Run
from retrieval.program import FileView, Program
from retrieval.shell_outline import script_runs
from retrieval.values import Role

__all__ = ["entry_points", "runs_of"]

_SCRIPT_TARGET = re.compile(r"(?<![\w.-])[\w.-]+\s*=\s*['\"]?([\w.]+):(\w+)")
_METADATA = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
_MAIN_NAMES = frozenset({"__main__.py", "manage.py"})
# They are run to build, to document or to test a package, and not to do what it is for.
_ABOUT_IT = frozenset({"setup.py", "noxfile.py", "conftest.py", "fabfile.py", "versioneer.py"})
_MAX_METADATA = 200_000
_MAX_LINE = 2_000


def entry_points(program: Program, views: Sequence[FileView]) -> tuple[set[str], list[int]]:
    """Find what is run.

    Args:
        program: The repository's Python.
        views: All its files.

    Returns:
        The paths of the files that are run, and nodes that are called besides. What builds or tests
        a package is no run of it: a library with a `setup.py` has no entry point.
    """
    paths: set[str] = set()
    nodes: list[int] = []
    imported = program.modules.imported()
    for view in program.views:
        if view.file.role not in {Role.TEST, Role.DOC} and _is_run(view, imported):
            paths.add(view.file.path)
    for view in views:
        file = view.file
        for run in runs_of(view):
            paths.update(program.modules.run(run.target, file.path))
        if file.path.rpartition("/")[2] in _METADATA:
            for module, name in _SCRIPT_TARGET.findall(file.text[:_MAX_METADATA]):
                for path in program.modules.find(module, file.path):
                    paths.add(path)
                    if (node := program.top(program.position[path], name)) is not None:
                        nodes.append(node)
    return {path for path in paths if path.rpartition("/")[2] not in _ABOUT_IT}, nodes


def _is_run(view: FileView, imported: set[str]) -> bool:
    file, outline = view.file, view.outline
    return (
        bool(outline.main_lines)
        or file.language == "notebook"
        or file.path.rpartition("/")[2] in _MAIN_NAMES
        or (outline.acts and file.path not in imported)
        # A tree with errors may have lost the block, not the line.
        or "\nif __name__" in f"\n{file.text}"
    )


def runs_of(view: FileView) -> list[Run]:
    """What a file runs, in order: a script, or a configuration that holds command lines."""
    if view.file.role is not Role.CONFIG or view.outline.runs:
        return view.outline.runs
    if "python" not in view.file.text and ".sh" not in view.file.text:
        return []
    return list(_command_lines(view.lines, view.outline))


def _command_lines(lines: Iterable[str], outline: Outline) -> Iterable[Run]:
    for row, line in enumerate(lines):
        if len(line) < _MAX_LINE and outline.kinds[row] in {
            LineKind.CODE,
            LineKind.STRING,
        }:
            yield from script_runs(line, row + 1)
