"""The settings of a repository: keys of configuration, fields, options, constants and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.embedded.holders import Holder
from retrieval.index import Index
from retrieval.values import Fact, FactSource, Role

__all__ = ["GIVEN_BACK", "Setting", "parts_of", "settings_of"]

_SPLIT = re.compile(r"[.\[\]'\"/]+")
_TABLE = re.compile(r"^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*(?:\{|dict\()", re.MULTILINE)
_CONSTANT = re.compile(r"[A-Za-z]\w*\Z")
# What reads a file of Python by its path, and a function of such a file that gives its settings.
_BY_PATH = ("fromfile(", "spec_from_file_location", "run_path(", "DEFINE_config_file")
_PLACED = re.compile(r"conf|cfg|hparams|settings|experiment", re.IGNORECASE)
_GIVES = re.compile(
    r"_?(?:(?:get|make|build|create|load|default|base)_){0,3}"
    r"(?:config|cfg|conf|hparams|hyperparameters|settings)",
    re.IGNORECASE,
)
GIVEN_BACK = "()"
"""Ends the group of settings that a function gives back to whoever reads its file by its path."""
_OPENS = ("[", "(", "{")
_LONGEST = 60  # lines of a constant


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    Attributes:
        path: Its file.
        first: Its first line.
        last: Its last line.
        parts: Its name: sections, then the key.
        source: How it is given.
        sections: Names under which what holds it may be asked for; empty where not known.
        group: What is one for all settings that are told apart by their sections.
    """

    path: str
    first: int
    last: int
    parts: tuple[str, ...]
    source: FactSource
    sections: frozenset[str]
    group: str

    @property
    def key(self) -> str:
        """The last part of its name."""
        return self.parts[-1]


def settings_of(index: Index, holders: Mapping[tuple[str, str], Holder]) -> Iterator[Setting]:
    """All settings of a repository, in no order that matters."""
    for holder in holders.values():
        if holder.foreign or not holder.of_settings:
            continue
        for one in holder.fields:
            yield Setting(
                holder.path, one.first, one.last, (holder.name, one.name), FactSource.FIELD,
                holder.sections, f"{holder.path}::",
            )  # fmt: skip
    configs = {file.path for file in index.repository.files if file.role is Role.CONFIG}
    by_path = any(
        word in file.text
        for file in index.repository.files
        if file.role is Role.CODE
        for word in _BY_PATH
    )
    tables = {
        file.path: frozenset(_TABLE.findall(file.text))
        for file in index.repository.files
        if file.role is Role.CODE and file.path in index.graph.paths
    }
    for fact in index.facts:
        if fact.path in configs:
            if fact.source is FactSource.CONFIG and (parts := parts_of(fact)):
                yield Setting(
                    fact.path, fact.line, fact.line, parts, fact.source,
                    frozenset(parts[-2:-1]), fact.path,
                )  # fmt: skip
        elif fact.path in tables:
            given = _given_back(index, fact) if by_path else None
            if given is not None:
                yield given
            else:
                yield from _of_code(index, fact, tables[fact.path])


def _given_back(index: Index, fact: Fact) -> Setting | None:
    """What a fact of a function of settings is a setting of, where such are read by their path."""
    if fact.source not in _OF_MODULES or not _PLACED.search(fact.path):
        return None
    symbol = index.symbol_at(fact.path, fact.line)
    if symbol is None or symbol.is_class or not _GIVES.fullmatch(symbol.name):
        return None
    parts = parts_of(fact)
    if fact.source is FactSource.ASSIGNMENT and len(parts) == 1:
        return None  # a name of the function's own
    if not parts or not parts[-1].isidentifier():
        return None
    return Setting(
        fact.path, fact.line, fact.line, parts[-1:], FactSource.DICT, frozenset(),
        f"{fact.path}::{symbol.name}{GIVEN_BACK}",
    )  # fmt: skip


def parts_of(fact: Fact) -> tuple[str, ...]:
    """The parts of a name in configuration, without places in lists."""
    return tuple(part for part in _SPLIT.split(fact.name) if part and not part.isdigit())


def _of_code(index: Index, fact: Fact, tables: frozenset[str]) -> Iterator[Setting]:
    """What a fact of a module is a setting of: an option, a constant, an entry of a table."""
    path, line, source = fact.path, fact.line, fact.source
    if source is FactSource.OPTION:
        key = fact.name.removesuffix(".choices").rpartition(".")[2]
        yield Setting(path, line, line, (key,), source, frozenset(), f"{path}::options")
        return
    if source not in _OF_MODULES:
        return
    symbol = index.symbol_at(path, line)
    if symbol is None or symbol.name:
        return
    if source is FactSource.ASSIGNMENT:
        if _CONSTANT.match(fact.name) and fact.value != "None":
            last = _last_line(index, path, line)
            yield Setting(path, line, last, (fact.name,), source, frozenset(), f"{path}::constants")
        return
    parts = parts_of(fact)
    written = index.code_of(path, line)
    named = any(f"{quote}{parts[-1]}{quote}" in written for quote in "'\"")
    if len(parts) > 1 and parts[0] in tables and (named or source is FactSource.KEYWORD):
        yield Setting(
            path, line, line, parts, FactSource.DICT, frozenset(parts[-2:-1]), f"{path}::{parts[0]}"
        )


_OF_MODULES = frozenset({FactSource.ASSIGNMENT, FactSource.DICT, FactSource.KEYWORD})


def _last_line(index: Index, path: str, line: int) -> int:
    """The last line of a constant that begins on a line."""
    lines = index.lines(path)
    last = line
    if lines[line - 1].rstrip().endswith(_OPENS):
        most = min(len(lines), line + _LONGEST)
        while last < most and lines[last][:1] in {" ", "\t", "]", ")", "}"}:
            last += 1
    return last
