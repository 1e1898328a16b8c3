"""Whether a value that is written somewhere is the one that takes effect."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

import libcst as cst

from benchmark.drift.matching import last_name
from benchmark.drift.source import PythonFile, Repo
from benchmark.drift.values import Named, named_values

__all__ = ["takes_effect"]

_FLAG = re.compile(r"(?<![\w-])--([A-Za-z][\w-]*)")
_PROSE = (".md", ".rst", ".txt")


@dataclass(slots=True)
class _Givers:
    """Everything that can give a name a value.

    Attributes:
        numbers: How often a name is given a number, calls' keywords left out.
        passed: How often a call's keyword is a number, by keyword and callee.
        keywords: Names that some call passes.
        options: Names of command-line options.
        attributes: Names that are read, or set, with a dot before them.
        flags: Options that scripts and configuration set, or that code names twice.
        positional: By function, the most positional arguments of a call; many where it is starred.
        handed: Names that stand for themselves somewhere, as in a table of classes: who calls them
            with what is not seen.
    """

    numbers: Counter[str] = field(default_factory=Counter)
    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    keywords: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)
    positional: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    handed: set[str] = field(default_factory=set)


def takes_effect(repo: Repo, named: Named) -> bool:
    """Whether changing a value changes what the repository does, as far as its text shows.

    It is the one place that gives the name a number, or the one call of its callee that does;
    functions that hold it are named somewhere; a default is passed by no call, an option is set by
    no script, and somebody reads the name.
    """
    if not named.live:
        return False
    givers = _givers(repo)
    name = named.name
    if named.source == "keyword":
        # Where another call passes the same, the claim is still half true.
        return givers.passed[name, named.scope] == 1
    if givers.numbers[name] > 1:
        return False
    if named.source == "option":
        return name in givers.attributes and name not in givers.flags
    if repo.mentions[name] < 2:
        return False
    if named.source == "default":
        return (
            name not in givers.keywords
            and named.callee not in givers.handed
            and givers.positional[named.callee] <= named.position
        )
    if named.source == "assignment" and named.callee:
        return name not in givers.keywords and not givers.positional[named.callee]
    return named.source == "assignment" or name not in givers.options


def _givers(repo: Repo) -> _Givers:
    if "givers" not in repo.memo:
        repo.memo["givers"] = _look(repo)
    return cast("_Givers", repo.memo["givers"])


def _look(repo: Repo) -> _Givers:
    givers = _Givers()
    givers.numbers.update(v.name for v in named_values(repo) if v.source != "keyword")
    givers.passed.update((v.name, v.scope) for v in named_values(repo) if v.source == "keyword")
    named: Counter[str] = Counter()
    for file in repo.python.values():
        for call in file.all(cst.Call):
            callee = last_name(call.func)
            option = callee == "add_argument"
            starred = any(arg.star for arg in call.args)
            count = sum(arg.keyword is None for arg in call.args)
            givers.positional[callee] = max(
                givers.positional[callee], 1000 if starred else 0 if option else count
            )
            if not option:
                givers.keywords.update(arg.keyword.value for arg in call.args if arg.keyword)
        givers.attributes.update(node.attr.value for node in file.all(cst.Attribute))
        givers.handed.update(_handed(file))
        for text in file.all(cst.SimpleString):
            found = _FLAG.fullmatch(str(text.raw_value))
            if found:
                named[found[1].replace("-", "_")] += 1
    givers.options = set(named)
    givers.flags = {name for name, count in named.items() if count > 1}
    for path, script in repo.texts.items():
        if not path.endswith((".py", *_PROSE)):
            givers.flags.update(flag.replace("-", "_") for flag in _FLAG.findall(script))
    return givers


def _handed(file: PythonFile) -> Iterator[str]:
    """Names that are read and not called where they stand."""
    for name in file.all(cst.Name):
        whole: cst.CSTNode = name
        holder = file.parents[name]
        if isinstance(holder, cst.Attribute):
            if holder.attr is not name:
                continue
            whole, holder = holder, file.parents[holder]
        if isinstance(holder, cst.Call) and holder.func is whole:
            continue
        if isinstance(holder, (cst.FunctionDef, cst.ClassDef, cst.ImportAlias, cst.Annotation)):
            continue
        if isinstance(holder, (cst.Param, cst.AssignTarget, cst.Decorator)):
            continue
        if isinstance(holder, cst.Arg) and holder.keyword is name:
            continue
        yield name.value
