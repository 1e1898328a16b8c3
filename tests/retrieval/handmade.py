"""Repositories written in a test."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from retrieval.index import Index
from retrieval.values import Repository, Role, SourceFile

_LANGUAGES = {
    "py": "python", "yaml": "yaml", "yml": "yaml", "json": "json", "toml": "toml", "ini": "ini",
    "sh": "shell", "md": "markdown", "ipynb": "notebook",
}  # fmt: skip
_CONFIG = {"yaml", "json", "toml", "ini"}


def source(path: str, text: str, role: Role | None = None) -> SourceFile:
    language = _LANGUAGES.get(path.rpartition(".")[2], "text")
    if role is None:
        role = Role.CONFIG if language in _CONFIG else Role.CODE
        role = Role.DOC if language == "markdown" else role
        role = Role.TEST if path.startswith("tests/") else role
    return SourceFile(path, language, role, text, hashlib.sha256(text.encode()).hexdigest())


def repository(files: Mapping[str, str]) -> Repository:
    sources = tuple(source(path, text) for path, text in files.items())
    return Repository(sources, (), "0" * 64)


def build(files: Mapping[str, str]) -> Index:
    return Index.build(repository(files))
