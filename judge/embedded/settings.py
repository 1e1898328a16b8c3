"""Which settings take effect: keys of configuration that code reads, and flags of scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.index import Index
from retrieval.values import Fact, FactSource, Role, SourceFile

__all__ = ["is_usual", "script_flags", "unread_lines"]

_FLAG = re.compile(r"(?<![\w-])--([A-Za-z][\w-]*)[ =]+([^\s\"'\\-][^\s\"'\\]*)")
_COMMAND = re.compile(r"(?:python3?|torchrun|accelerate launch|deepspeed)\b[^|;&]*")
_STRING_KEY = re.compile(r"['\"]([A-Za-z][\w-]*)['\"]")
_READ_NAME = re.compile(r"(?<!self)\.([A-Za-z_]\w*)")
_WHOLESALE = re.compile(
    r"\*\*[A-Za-z_]|\bsetattr\(|\.update\(|\binstantiate\b|Namespace\(|from_dict|\.items\(\)"
)


def unread_lines(index: Index) -> list[int]:
    """The lines of configuration that nothing reads, counted over all files from 0.

    A line acts where its key is asked for and its file is named by code, if any file is.
    """
    configs = [f for f in index.repository.files if f.role is Role.CONFIG]
    if not configs:
        return []
    named = _named_files(index, configs)
    keys = _KeysRead.of(index)
    state: dict[tuple[str, int], bool] = {}
    paths = {file.path for file in configs}
    for fact in index.facts:
        if fact.path in paths:
            key = (fact.path, fact.line)
            wholesale = fact.path in named
            reached = fact.reached is not False and keys.read(fact.name, wholesale=wholesale)
            state[key] = reached or state.get(key, False)
    unread: list[int] = []
    for file in configs:
        last = True
        for number in range(1, len(index.lines(file.path)) + 1):
            if index.line_kind(file.path, number) != "code":
                continue
            last = state.get((file.path, number), last)
            if not last or (named and file.path not in named):
                unread.append(index.line_number(file.path, number))
    return unread


def script_flags(index: Index) -> list[Fact]:
    """Flags of scripts that stand in strings (`COMMON="--lr 3e-4"`)."""
    found: list[Fact] = []
    for file in index.repository.files:
        if file.language != "shell":
            continue
        known = {(fact.line, fact.name) for fact in index.facts if fact.path == file.path}
        for number in range(1, len(index.lines(file.path)) + 1):
            for name, value in _FLAG.findall(index.code_of(file.path, number)):
                key = name.replace("-", "_")
                if (number, key) not in known:
                    found.append(Fact(key, value, file.path, number, FactSource.FLAG))
    return found


def is_usual(index: Index, flag: Fact) -> bool:
    """Whether at least half of a script's commands of one program are given a flag."""
    lines = index.lines(flag.path)
    wanted = f"--{flag.name}", f"--{flag.name.replace('_', '-')}"
    here = _COMMAND.search(lines[flag.line - 1])
    if here is None:
        return True  # on a line of its own, or in a variable
    program = _program(here[0])
    commands = [c for line in lines for c in _COMMAND.findall(line) if _program(c) == program]
    given = sum(any(name in command for name in wanted) for command in commands)
    return 2 * given >= len(commands)


def _program(command: str) -> str:
    """What a command runs: its first word that is no flag, `-m` left out."""
    words = [word for word in command.split()[1:] if not word.startswith("-")]
    return words[0] if words else ""


@dataclass(frozen=True, slots=True)
class _KeysRead:
    """Which keys of configuration the code asks for.

    Attributes:
        keys: Names in strings, and names of attributes of anything but `self`.
        wholesale: The code takes whole sections without naming their keys.
    """

    keys: frozenset[str]
    wholesale: bool

    @classmethod
    def of(cls, index: Index) -> _KeysRead:
        keys: set[str] = set()
        wholesale = False
        for file in index.repository.files:
            if file.role is Role.CODE:
                keys.update(key.replace("-", "_") for key in _STRING_KEY.findall(file.text))
                keys.update(_READ_NAME.findall(file.text))
                wholesale = wholesale or _WHOLESALE.search(file.text) is not None
        return cls(frozenset(keys), wholesale)

    def read(self, name: str, *, wholesale: bool) -> bool:
        if wholesale and self.wholesale:
            return True
        return name.rpartition(".")[2].replace("-", "_") in self.keys


def _named_files(index: Index, configs: Sequence[SourceFile]) -> set[str]:
    """The configuration files that code names; empty where it names none of them."""
    text = "\n".join(file.text for file in index.repository.files if file.role is Role.CODE)
    if "hydra" in text:
        return {file.path for file in configs}
    named = set()
    for file in configs:
        name = file.path.rpartition("/")[2]
        stem = name.rpartition(".")[0] or name
        if name in text or re.search(rf"['\"/]{re.escape(stem)}['\"]", text):
            named.add(file.path)
    return named
