"""Which settings take effect: keys of configuration that code reads, and flags of scripts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from judge.embedded.setting_kinds import GIVEN_BACK, parts_of
from judge.embedded.unread import read_settings
from retrieval.index import Index
from retrieval.shell_outline import script_runs
from retrieval.values import Fact, FactSource, Role, SourceFile
from retrieval.words import join

__all__ = ["is_given_elsewhere", "is_usual", "script_flags", "unread_lines"]

_FLAG = re.compile(r"(?<![\w-])--([A-Za-z][\w-]*)[ =]+([^\s\"'\\-][^\s\"'\\]*)")
_COMMAND = re.compile(r"(?:python3?|torchrun|accelerate launch|deepspeed)\b[^|;&]*")
_WHOLESALE = re.compile(
    r"\*\*[A-Za-z_]|\bsetattr\(|\.update\(|\binstantiate\b|Namespace\(|from_dict|\.items\(\)"
)


def unread_lines(index: Index, code: npt.NDArray[np.bool_]) -> list[int]:
    """The lines of settings that nothing reads, counted over all files from 0.

    A line of configuration acts where its key is asked for and its file is named by code, if any
    file is; a line of code that only holds settings, where their names are asked for.

    Args:
        index: The repository.
        code: Which lines are code, over all files: live or dead, a test is none.
    """
    reading = read_settings(index, code)
    configs = [f for f in index.repository.files if f.role is Role.CONFIG]
    named = _named_files(index, configs) if configs else set()
    paths = {file.path for file in configs}
    idle = {(one.path, one.first, one.key) for one in reading.unread}
    unread: list[int] = []
    for one in reading.unread:
        if one.path not in paths:
            base = index.line_number(one.path, 1) - 1
            unread += range(base + one.first, base + one.last + 1)
    known = {id(one) for one in reading.named}
    given_back = [one for one in reading.doubtful if one.group.endswith(GIVEN_BACK)]
    if given_back and not _takes_wholesale(index):
        for one in given_back:
            if id(one) not in known:
                unread.append(index.line_number(one.path, one.first))
    if not configs:
        return unread
    doubtful = [one for one in reading.doubtful if one.path in paths]
    if doubtful:
        wholesale = _takes_wholesale(index)
        idle |= {
            (one.path, one.first, one.key)
            for one in doubtful
            if id(one) not in known and not (wholesale and one.path in named)
        }
    state: dict[tuple[str, int], bool] = {}
    for fact in index.facts:
        if fact.path in paths and (parts := parts_of(fact)):
            place = fact.path, fact.line
            here = fact.reached is not False and (*place, parts[-1]) not in idle
            state[place] = here or state.get(place, False)
    for file in configs:
        heads: list[int] = []
        last = True
        for number in range(1, len(index.lines(file.path)) + 1):
            if index.line_kind(file.path, number) != "code":
                continue
            line = index.line_number(file.path, number)
            if named and file.path not in named:
                unread.append(line)
                continue
            acts = state.get((file.path, number))
            if acts is None and index.code_of(file.path, number).rstrip().endswith(":"):
                heads.append(line)  # the head of a section is what stands in it
                continue
            last = last if acts is None else acts
            if not last:
                unread += [*heads, line]
            heads.clear()
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


def is_given_elsewhere(index: Index, flag: Fact, held: Fact) -> bool:
    """Whether a script gives a flag to another program than the one that holds a value.

    What a script runs is looked for in its own folder first, then from the root. A program that
    has an option of the flag's name does not set another program's option; and of two files of one
    name only the one that is run is given anything.

    Args:
        index: The repository.
        flag: The flag.
        held: The value that the flag may override.
    """
    run = _run_by(index, flag)
    if not run or run == held.path:
        return False
    if run.rpartition("/")[2] == held.path.rpartition("/")[2]:
        return True
    if held.source is not FactSource.OPTION:
        return False  # the option may be handed on to it
    key = join(flag.name.rpartition(".")[2])
    return any(
        fact.path == run
        and fact.source is FactSource.OPTION
        and join(fact.name.rpartition(".")[2]) == key
        for fact in index.facts
    )


def _run_by(index: Index, flag: Fact) -> str:
    """The file of the repository that the command of a flag runs; empty where none can be told."""
    lines = index.lines(flag.path)
    first = last = flag.line - 1
    while first > 0 and lines[first - 1].rstrip().endswith("\\"):
        first -= 1
    while last + 1 < len(lines) and lines[last].rstrip().endswith("\\"):
        last += 1
    command = "\n".join(line[:_LONGEST] for line in lines[first : last + 1][:_MOST_LINES])
    targets = [run.target for run in script_runs(command, 1) if run.target.endswith(".py")]
    paths = {file.path for file in index.repository.files}
    folder = flag.path.rpartition("/")[0]
    for target in targets[:1]:
        for place in (posixpath.normpath(posixpath.join(folder, target)), target):
            if place in paths:
                return place
    return ""


_LONGEST, _MOST_LINES = 400, 60


def _program(command: str) -> str:
    """What a command runs: its first word that is no flag, `-m` left out."""
    words = [word for word in command.split()[1:] if not word.startswith("-")]
    return words[0] if words else ""


def _takes_wholesale(index: Index) -> bool:
    """Whether code takes whole sections without naming their keys."""
    return any(
        _WHOLESALE.search(file.text) for file in index.repository.files if file.role is Role.CODE
    )


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
