"""Numbers that have a name: assignments, defaults, keywords, options, configuration entries."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import libcst as cst
import yaml

from benchmark.drift.edits import Edit, Span, apply, line_of
from benchmark.drift.naming import words
from benchmark.drift.numbers import number
from benchmark.drift.source import PythonFile, Repo

__all__ = ["Named", "config_values", "load_config", "named_values", "python_values"]

_TOML = re.compile(
    r"(?m)^[ \t]*([\w.-]+)[ \t]*=[ \t]*([-+]?[\d_]+(?:\.\d+)?(?:[eE][-+]?\d+)?)[ \t]*(?:#.*)?$"
)
_YAML_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Named:
    """A number and what it is called.

    Attributes:
        name: The last part of its name (`lr`).
        scope: What it belongs to (`Trainer.__init__`, `AdamW`, `optimizer`); may be empty.
        literal: The number as written.
        value: The number.
        path: The file.
        start: Offset of the literal.
        end: Offset after it.
        site: Its lines.
        source: `assignment`, `default`, `keyword`, `dict`, `option` or `config`.
        live: Whether the functions that hold it are named anywhere.
        callee: What a call must name to give another value: the function of a default, the class
            of a field; empty for others.
        position: The place of a default among its function's arguments, from 0, `self` left out.
    """

    name: str
    scope: str
    literal: str
    value: float | int
    path: str
    start: int
    end: int
    site: Span
    source: str
    live: bool = True
    callee: str = ""
    position: int = 0

    def edit(self, text: str) -> Edit:
        """Write another literal in its place."""
        return Edit(self.path, self.start, self.end, text)

    @property
    def claim(self) -> str:
        """What the code says, as a claim in words."""
        parts = [p for p in self.scope.split(".") if p and not p.startswith("__")]
        of = f" of {words(parts[-1])}" if parts else ""
        return f"The {words(self.name)}{of} is {self.literal}."


def named_values(repo: Repo) -> list[Named]:
    """Every named number of a repository's Python and configuration."""
    if "values" not in repo.memo:
        found = [
            value
            for path in sorted(repo.python)
            for value in python_values(repo, repo.python[path])
        ]
        for path in sorted(repo.configs):
            found += config_values(path, repo.configs[path])
        repo.memo["values"] = found
    return cast("list[Named]", repo.memo["values"])


def python_values(repo: Repo, file: PythonFile) -> Iterator[Named]:
    """The named numbers of a Python file."""
    literals: list[cst.Integer | cst.Float] = [*file.all(cst.Integer), *file.all(cst.Float)]
    for node in literals:
        outer: cst.CSTNode = node
        holder = file.parents[node]
        literal = node.value
        if isinstance(holder, cst.UnaryOperation) and isinstance(holder.operator, cst.Minus):
            outer, literal = holder, f"-{literal}"
            holder = file.parents[holder]
        value = number(literal)
        if value is None:
            continue
        named = _named(file, outer, holder)
        if named is None:
            continue
        name, scope, source = named
        yield Named(
            name,
            scope,
            literal,
            value,
            file.path,
            file.start(outer),
            file.end(outer),
            file.span(outer),
            source,
            repo.used(file, outer),
            *_callee(file, holder),
        )


def _callee(file: PythonFile, holder: cst.CSTNode) -> tuple[str, int]:
    """Whose call gives another value, and at which place among its arguments."""
    if isinstance(holder, cst.Param):
        function = file.inside(holder, cst.FunctionDef)
        if function is None:
            return "", 0
        names = [p.name.value for p in function.params.params]
        position = names.index(holder.name.value) if holder.name.value in names else 1000
        owner = file.inside(function, cst.ClassDef)
        if names and names[0] in {"self", "cls"}:
            position -= 1
        if owner is not None and function.name.value == "__init__":
            return owner.name.value, position
        return function.name.value, position
    if isinstance(holder, cst.AnnAssign):
        block = file.parents[file.parents[file.parents[holder]]]
        return (block.name.value, 0) if isinstance(block, cst.ClassDef) else ("", 0)
    return "", 0


def _named(file: PythonFile, node: cst.CSTNode, holder: cst.CSTNode) -> tuple[str, str, str] | None:
    scope = file.scope(node)
    if isinstance(holder, cst.Assign) and len(holder.targets) == 1:
        return _target(holder.targets[0].target, scope)
    if isinstance(holder, cst.AnnAssign) and holder.value is node:
        return _target(holder.target, scope)
    if isinstance(holder, cst.Param) and holder.default is node:
        return holder.name.value, scope, "default"
    if isinstance(holder, cst.DictElement) and isinstance(holder.key, cst.SimpleString):
        return holder.key.raw_value, scope, "dict"
    if isinstance(holder, cst.Arg) and holder.keyword is not None:
        call = file.parents[holder]
        if not isinstance(call, cst.Call):
            return None
        callee = file.code(call.func)
        if callee.endswith("add_argument"):
            option = _option(call)
            if option is None or holder.keyword.value != "default":
                return None
            return option, "", "option"
        return holder.keyword.value, callee.split(".")[-1].split("(")[0], "keyword"
    return None


def _target(target: cst.BaseExpression, scope: str) -> tuple[str, str, str] | None:
    if isinstance(target, cst.Name):
        return target.value, scope, "assignment"
    if isinstance(target, cst.Attribute):
        return target.attr.value, scope, "assignment"
    return None


def _option(call: cst.Call) -> str | None:
    for arg in call.args:
        if arg.keyword is None and isinstance(arg.value, cst.SimpleString):
            text = arg.value.raw_value
            if text.startswith("--"):
                return text.lstrip("-").replace("-", "_")
    return None


def config_values(path: str, text: str) -> list[Named]:
    """The named numbers of a YAML, JSON or TOML file; none where it does not parse."""
    if load_config(path, text) is None:
        return []
    places = _toml(text) if path.endswith(".toml") else _yaml(text)
    found = []
    for way, start, end in places:
        literal = text[start:end]
        # YAML takes 1e-4 for text, and programs for a number: so does whoever reads it.
        value = number(literal) if _YAML_NUMBER.fullmatch(literal) else None
        if value is None:
            continue
        line = line_of(text, start)
        found.append(
            Named(
                way[-1], way[-2] if len(way) > 1 else "", literal, value, path, start, end,
                (path, line, line), "config",
            )
        )  # fmt: skip
    return found


def load_config(path: str, text: str) -> Any:  # noqa: ANN401
    """The data of a configuration text; `None` where it does not parse."""
    try:
        if path.endswith(".toml"):
            return tomllib.loads(text)
        return json.loads(text) if path.endswith(".json") else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError, RecursionError):
        return None


def _yaml(text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return
    stack: list[tuple[tuple[str, ...], Any]] = [((), root)]
    seen: set[int] = set()
    while stack:
        way, node = stack.pop()
        if not isinstance(node, yaml.MappingNode) or id(node) in seen:
            continue
        seen.add(id(node))
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if isinstance(value, yaml.ScalarNode) and value.style is None:
                yield (*way, key.value), value.start_mark.index, value.end_mark.index
            else:
                stack.append(((*way, key.value), value))


def _toml(text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    for match in _TOML.finditer(text):
        start, end = match.span(2)
        # A line inside a long string looks the same: only what changes the data is a value.
        try:
            other = tomllib.loads(apply(text, [Edit("", start, end, "7461")]))
        except tomllib.TOMLDecodeError:
            continue
        if "7461" in json.dumps(other, default=str):
            yield (match[1].split(".")[-1],), start, end
