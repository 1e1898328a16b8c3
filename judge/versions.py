"""What a verdict was made with: a hash of the code that decides it, and the packages' versions."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import benchmark
import judge
import prompts
import retrieval

__all__ = ["code_hash", "package_versions"]

_DECIDING = (
    "cascade.py",
    "caution.py",
    "checking.py",
    "claim_batches.py",
    "configured.py",
    "context_choice.py",
    "deciding.py",
    "imports.py",
    "level_odds.py",
    "looking_up.py",
    "paneling.py",
    "parsing.py",
    "posing.py",
    "preparing.py",
    "protocol.py",
    "question_settings.py",
    "questioning.py",
    "records.py",
    "repeating.py",
    "sources.py",
    "stripping.py",
    "thoughts.py",
    "verdict.py",
    "models/embedded*",
    "models/panel.py",
    "embedded/*",  # and not how its weights are fitted
)
"""What decides verdicts in this room. Judges over a wire are in the request's key instead, and
what only keeps or shows verdicts must not cause them to be made again."""

_NOUNS = ("nouns.py",)
"""The words of a verdict."""

_SUFFIXES = {".py", ".jinja", ".json", ".md", ".yaml", ".npz", ".txt"}
_READERS = ("numpy", "pathspec")
"""Packages whose answer to the same repository may change with their version, besides grammars."""


@cache
def code_hash() -> str:
    """Hash the sources and data that decide verdicts: 16 hexadecimal digits of a SHA-256.

    It changes when retrieval, the prompts, the embedded judge, parsing or checking change, or the
    parsers they stand on, and is the same on every machine.
    """
    digest = hashlib.sha256()
    for name, path in sorted(_sources().items()):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{name}\0{len(text)}\0".encode())
        digest.update(text)
    for package, number in package_versions().items():
        if package in _READERS or package.startswith("tree-sitter"):
            digest.update(f"{package}={number}\0".encode())
    return digest.hexdigest()[:16]


@cache
def package_versions() -> dict[str, str]:
    """Return the versions of Python, of this program and of what it requires."""
    found = {"python": platform.python_version()}
    try:
        requires = distribution("sau-judge").requires or []
        found["sau-judge"] = version("sau-judge")
    except PackageNotFoundError:
        return found
    names = {_name(requirement) for requirement in requires if "extra ==" not in requirement}
    for name in sorted(names):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _name(requirement: str) -> str:
    end = next((i for i, mark in enumerate(requirement) if mark in " <>=!~;["), len(requirement))
    return requirement[:end]


def _sources() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for room in (retrieval, prompts):
        folder = _folder(room.__file__)
        for path in folder.rglob("*"):
            if path.suffix in _SUFFIXES and "benchmarks" not in path.parts:
                found[f"{folder.name}/{path.relative_to(folder).as_posix()}"] = path
    for module_file, patterns in ((judge.__file__, _DECIDING), (benchmark.__file__, _NOUNS)):
        folder = _folder(module_file)
        for pattern in patterns:
            for path in folder.glob(pattern):
                if path.is_file() and path.suffix in _SUFFIXES:
                    found[f"{folder.name}/{path.relative_to(folder).as_posix()}"] = path
    return found


def _folder(module_file: str | None) -> Path:
    if module_file is None:  # a room without an __init__.py is no room
        raise RuntimeError("the program's own packages have no files")
    return Path(module_file).parent
