"""Where settings are spread over the arguments of a call, or looked up by computed names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.index import Index
from retrieval.values import SourceFile

__all__ = ["CONFIGISH", "Spread", "enclosing_call", "spread_of"]


CONFIGISH = re.compile(
    r"cfg|conf|args|\bargs|hparam|hyper|setting|option|\bopts?\b|param|flags|default|raw|spec|yaml"
    r"|json|dict",
    re.IGNORECASE,
)
"""Names of what holds settings."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What is taken without naming it.

    Attributes:
        inside: Some settings are given to functions of the repository as their arguments.
        outside: Some settings are given, all of them, to what cannot be seen.
        sections: Names of sections that are given whole.
        patterns: Names that are computed from a part that is written out.
    """

    inside: bool
    outside: bool
    sections: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]


_STARS = re.compile(r"\*\*\s*([A-Za-z_][\w.]*(?:\([^()\n]*\)|\[[^\]\n]*\]|\.[A-Za-z_]\w*)*)")
_CALLEE = re.compile(r"([A-Za-z_][\w.]*)(?:\[[^\]]*\])?\s*\Z")
_DEF = re.compile(r"\bdef\s+\w+\s*(?:\[[^\]]*\])?\s*\Z")
_MAKERS = ("instantiate(", "build_from_cfg(", "from_config(", "from_dict(", "from_params(")
_MADE_FROM = re.compile(r"\s*([\w.\[\]'\"]+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMPUTED = tuple(
    re.compile(before + r"f(['\"])([^'\"\n]*\{[^'\"\n]*)\1")
    for before in (r"\[", r"\.get\(", r"\.pop\(", r"getattr\([^,()\n]+,\s*")
)
_ADDED_BEHIND = re.compile(r"\+\s*(['\"])(\w+)\1\s*[\]),]")
_ADDED_BEFORE = re.compile(r"(['\"])(\w+)\1\s*\+")
_ASKING = re.compile(r"(?:\[|\.get\(|\.pop\(|getattr\([^,()\n]+,)[\w.\s+]*\Z")
_LOOKED_UP = re.compile(r"getattr\(\s*([\w.]+)\s*,\s*(?![fF]?['\"])[\w.]+")
_ITEMS = re.compile(r"\.items\(\)")
_WALKED = re.compile(r"(?:\bin\s+|\()(?:self\.)?(\w*(?:cfg|config|args|hparams|settings|opts?))\Z")
_NOT_SETTINGS = frozenset(
    {
        "batch", "inputs", "inp", "enc", "encoded", "encoding", "encodings", "tokens", "tokenized",
        "sample", "samples", "item", "obs", "observation", "outputs", "output", "out", "metrics",
        "results", "result", "row", "rec", "record", "info", "state", "features", "feats", "stats",
        "losses", "loss", "data", "x", "example", "entry", "style", "fmt", "ax", "plot_kwargs",
        "state_dict", "ckpt", "checkpoint", "scores",
    }
)  # fmt: skip
_PLAIN = frozenset(
    {
        "dict", "Namespace", "SimpleNamespace", "AttrDict", "EasyDict", "edict", "Box",
        "ConfigDict", "replace", "_replace", "cls", "OrderedDict", "create", "update",
        "set_defaults", "DictConfig", "Munch", "log", "log_params", "format", "add_row", "print",
        "append", "type",
    }
)  # fmt: skip
_FAR = 3000


def enclosing_call(index: Index, line: int, column: int) -> str:
    """The last name of what is called around a place; a bracket where it stands in one."""
    path, row = index.place(line)
    depth = 0
    for number in range(row, max(0, row - 60), -1):
        code = index.code_of(path, number)
        place = (column if number == row else len(code)) - 1
        while place >= 0:
            letter = code[place]
            if letter in ")]}":
                depth += 1
            elif letter in "([{":
                depth -= 1
                if depth < 0:
                    if letter != "(":
                        return letter
                    called = _CALLEE.search(code[:place])
                    return called[1].rpartition(".")[2] if called else "("
            place -= 1
    return ""


def spread_of(
    index: Index,
    python: Sequence[SourceFile],
    acting: npt.NDArray[np.bool_],
    holding: frozenset[str],
    carries: Callable[[int], bool],
) -> Spread:
    """Look through the modules of a repository.

    Args:
        index: The repository.
        python: Its modules.
        acting: Which lines are code.
        holding: Classes that only hold settings.
        carries: Whether a line, over all files, is of a function that only carries settings along.
    """
    own = {symbol.name.rpartition(".")[2] for symbol in index.symbols}
    inside = outside = passed_on = False
    sections: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for file in python:
        text = file.text
        base = index.line_number(file.path, 1)
        gathered: set[str] = set()
        for match in _STARS.finditer(text) if "**" in text else ():
            before = text[max(0, match.start() - 200) : match.start()].rstrip()
            if before[-1:] not in {"(", ",", "{", ""}:
                continue
            line = base + text.count("\n", 0, match.start())
            if not acting[line]:
                continue
            kind, callee = _around(text, match.start())
            expression = match[1]
            if kind == "def":
                gathered.add(expression)
                continue
            words = _WORD.findall(expression)
            if kind == "{" or callee in holding or callee in _PLAIN:
                if kind == "{":
                    sections.update(words[1:])
                continue
            if carries(line):
                continue
            known = callee in own
            if words[0] in gathered and len(words) == 1:
                passed_on = passed_on or not (known or callee == "__init__")
                continue
            whole = _is_whole(text, words)
            if len(words) > 1 and words[-1] not in _CONVERTS:
                sections.add(words[-1])
            sections.update(word for word in words if len(word) > 2)
            if whole:
                inside = inside or known
                outside = outside or not known
        for maker in _MAKERS:
            place = text.find(maker)
            while place >= 0:
                place += len(maker)
                if (given := _MADE_FROM.match(text, place)) is not None:
                    sections.update(_WORD.findall(given[1]))
                place = text.find(maker, place)
        patterns += _computed(text)
        taken: list[tuple[int, str]] = []
        if "getattr(" in text:
            taken += [(match.start(), match[1]) for match in _LOOKED_UP.finditer(text)]
        for match in _ITEMS.finditer(text):
            walked = _WALKED.search(text, max(0, match.start() - 60), match.start())
            if walked is not None:
                taken.append((match.start(), walked[1]))
        for place, name in taken:
            line = base + text.count("\n", 0, place)
            if name != "self" and acting[line] and CONFIGISH.search(name) and not carries(line):
                outside = True
    return Spread(inside, outside or (inside and passed_on), frozenset(sections), tuple(patterns))


_CONVERTS = frozenset(
    {"asdict", "vars", "to_dict", "model_dump", "dict", "to_container", "__dict__"}
)


def _is_whole(text: str, words: Sequence[str]) -> bool:
    """Whether what is spread may be settings of any section."""
    first = words[0]
    if first in _NOT_SETTINGS:
        return False
    if first in _CONVERTS or CONFIGISH.search(first) or _CONVERTS.intersection(words):
        plain = [word for word in words if word not in _CONVERTS and not CONFIGISH.search(word)]
        return set(plain) <= {"self", "dataclasses"}
    given = re.findall(rf"^\s*{re.escape(first)}\s*(?::[^=\n]+)?=(?!=)\s*(.*)$", text, re.MULTILINE)
    if not given:
        return True
    return any(CONFIGISH.search(value) and not value.startswith(("{", "dict(")) for value in given)


def _around(text: str, end: int) -> tuple[str, str]:
    """What bracket a place stands in (`def` for a head), and the last name of what is called."""
    depth = 0
    for place in range(end - 1, max(-1, end - _FAR), -1):
        letter = text[place]
        if letter in ")]}":
            depth += 1
        elif letter in "([{":
            depth -= 1
            if depth < 0:
                before = text[max(0, place - 120) : place]
                if letter != "(":
                    return letter, ""
                if _DEF.search(before):
                    return "def", ""
                called = _CALLEE.search(before)
                return "(", called[1].rpartition(".")[2] if called else ""
    return "(", ""


def _computed(text: str) -> Iterator[re.Pattern[str]]:
    """The names that computed keys may be."""
    for pattern in _COMPUTED:
        for match in pattern.finditer(text):
            parts = re.split(r"\{[^{}]*\}", match[2])
            yield re.compile(r"\w*".join(re.escape(part) for part in parts))
    if '+ "' in text or "+ '" in text:
        for match in _ADDED_BEHIND.finditer(text):
            if _ASKING.search(text, max(0, match.start() - 80), match.start()):
                yield re.compile(rf"\w*{re.escape(match[2])}")
    if '" +' in text or "' +" in text:
        for match in _ADDED_BEFORE.finditer(text):
            if _ASKING.search(text, max(0, match.start() - 80), match.start()):
                yield re.compile(rf"{re.escape(match[2])}\w*")
