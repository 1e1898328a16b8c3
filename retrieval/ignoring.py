"""What is left out before it is opened: the caller's patterns, tools' folders, others' code.

A folder is left out for what it is, not for what it is called, wherever its name is also used for
real code: `env`, `build`, `dist`, `results`, `data`, `output` and `artifacts` are read unless they
hold what a tool put there.

The repository's own `.gitignore` is not applied: it says what its author did not want to commit,
which may be code, and a hostile one could hide anything. A caller who wants it passes its lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore import GitIgnorePatternError

from benchmark.errors import InputError, Where

__all__ = ["Excludes", "FolderRefusal", "refuse_by_contents", "refuse_by_name"]

_TOOLS = frozenset(
    {".git", ".hg", ".svn", ".bzr", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
    | {".tox", ".nox", ".eggs", ".ipynb_checkpoints", ".idea", ".hypothesis", ".cache", "cvs"}
)
_INSTALLED = frozenset({"site-packages", "dist-packages", "node_modules", "bower_components"})
_VENDORED = frozenset({"vendor", "_vendor", "third_party", "third-party", "thirdparty", "3rdparty"})
_ENVIRONMENTS = frozenset({"venv", ".venv", "env", ".env", "virtualenv", ".virtualenv"})
_ENVIRONMENT_PARTS = frozenset({"bin", "Scripts", "lib", "Lib", "lib64", "include", "Include"})
_WANDB_RUN = re.compile(r"^(?:offline-)?run-\d{8}_\d{6}-\w+$")


@dataclass(frozen=True, slots=True)
class FolderRefusal:
    """Why a whole folder is left out.

    Attributes:
        reason: For people.
        leftover: A tool made it beside the submission: it is no part of what was handed in, and
            must not change the digest by coming or going.
    """

    reason: str
    leftover: bool = False


def refuse_by_name(name: str) -> FolderRefusal | None:
    """Whether a folder is left out for its name, unopened."""
    lower = name.lower()
    if lower in _TOOLS:
        return FolderRefusal("a tool's folder", leftover=True)
    if lower in _INSTALLED:
        return FolderRefusal("installed packages")
    if lower in _VENDORED:
        return FolderRefusal("a vendored tree: others' code, by its name")
    if lower.endswith((".egg-info", ".dist-info")):
        return FolderRefusal("a package's build output", leftover=True)
    if _WANDB_RUN.match(name):
        return FolderRefusal("a recorded run")
    return None


def refuse_by_contents(name: str, contents: Collection[str]) -> FolderRefusal | None:
    """Whether a folder is left out for what it holds.

    Args:
        name: The folder's own name.
        contents: The names in it.
    """
    lower = name.lower()
    if _is_environment(lower, contents):
        return FolderRefusal("a virtual environment")
    if lower == "build" and any(
        part.startswith(("bdist.", "temp.", "lib.")) or part == "CMakeCache.txt"
        for part in contents
    ):
        return FolderRefusal("build output", leftover=True)
    return None


def _is_environment(lower: str, contents: Collection[str]) -> bool:
    parts = _ENVIRONMENT_PARTS.intersection(contents)
    if "pyvenv.cfg" in contents:
        return lower in _ENVIRONMENTS or bool(parts)
    if "conda-meta" in contents:
        return bool(parts)
    # An environment of the older kind has no marker; its programs and its library lie side by side.
    return (
        lower in _ENVIRONMENTS and bool(parts & {"bin", "Scripts"}) and bool(parts & {"lib", "Lib"})
    )


class Excludes:
    """The caller's patterns, in `.gitignore` style, relative to the submission's root.

    As in git, nothing below an excluded folder is taken in again.

    Args:
        patterns: The patterns, the last that matches decides.

    Raises:
        InputError: A pattern is no pattern.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = tuple(patterns)
        for pattern in self._patterns:
            try:
                GitIgnoreSpec.from_lines([pattern])
            except (GitIgnorePatternError, ValueError, re.error) as error:
                raise InputError(
                    f"{pattern!r} is not a pattern",
                    where=Where("exclude", key=pattern),
                    remedy="Write it as a line of a .gitignore file, e.g. 'results/' or '*.log'",
                ) from error
        self._spec = GitIgnoreSpec.from_lines(self._patterns) if self._patterns else None

    def pattern(self, path: str, *, folder: bool) -> str | None:
        """The pattern that excludes a path, or `None`.

        Args:
            path: Relative path with `/`.
            folder: Whether it is a folder.
        """
        if self._spec is None:
            return None
        found = self._spec.check_file(f"{path}/" if folder else path)
        if not found.include:
            return None
        return "" if found.index is None else self._patterns[found.index]
