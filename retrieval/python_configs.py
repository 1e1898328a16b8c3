"""Configuration that is written as Python and read by its path: what of such a file is called.

`--config configs/base.py` on a command line, `config_flags.DEFINE_config_file("config")` and
`spec_from_file_location` lead to files that nothing imports. A path that is only written down leads
nowhere: somebody has to be handed it who can read or run what it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from retrieval.outline import LineKind
from retrieval.program import CONFIG_READERS, FileView, Program
from retrieval.shell_outline import script_runs
from retrieval.values import Role

__all__ = ["configuring", "files_by_path", "is_configuration", "is_handed_on", "told_in_documents"]

_OF_SETTINGS = frozenset(
    {"config", "configs", "configuration", "cfg", "conf", "hparams", "hyperparams", "hyperparam"}
    | {"hyperparameter", "hyperparameters", "hyper", "params", "settings", "options", "sweep"}
)
_CLASS = re.compile(r"(?:Config|Cfg|Configuration|HParams|Params|Settings|Options)(?=[A-Z\d_]|\Z)")
_PLACED = re.compile(
    r"(?:\A|[/_])(?:configs?|configurations?|cfgs?|conf|hparams|settings|experiments?)(?=[/_.]|\Z)",
    re.IGNORECASE,
)


def is_configuration(view: FileView) -> bool:
    """Whether a file is called so, or holds a function or class that is."""
    if view.outline.main_lines:
        return False
    return _PLACED.search(view.file.path) is not None or any(_configures(view))


def configuring(program: Program, number: int) -> Iterator[int]:
    """The nodes of a file that whoever reads it for its settings calls."""
    base = program.first_node[number] + 1
    for offset in _configures(program.views[number]):
        yield base + offset


def _configures(view: FileView) -> Iterator[int]:
    for offset, definition in enumerate(view.outline.definitions):
        if definition.parent < 0 and _is_called_so(definition.name, is_class=definition.is_class):
            yield offset


def _is_called_so(name: str, *, is_class: bool) -> bool:
    if is_class:
        return _CLASS.search(name) is not None
    return not _OF_SETTINGS.isdisjoint(name.lower().split("_"))


def files_by_path(program: Program, imported: Iterable[str]) -> Iterator[int]:
    """The files of configuration that nothing imports: they may be read by their paths."""
    known = frozenset(imported)
    for number, view in enumerate(program.views):
        if view.file.path not in known and is_configuration(view):
            yield number


# ---- paths in strings ----------------------------------------------------------------------------

_READS_PYTHON = CONFIG_READERS | {"exec", "import_module", "run_module", "Fire"}
# What takes a path and reads or runs what it names, or keeps it for what does.
_TAKES = re.compile(
    r"argument|option|define|config|cfg|load|read|pars|import|fromfile|exec|run|launch|main|train"
    r"|popen|call|system|spawn|spec_from|source|sbatch|flag",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"_*(?:print|pprint|log|info|debug|warn|warning|error|exception|critical|echo|secho|save|dump"
    r"|dumps|write|writelines|append|format|upload|rank_zero_info)\w*",
    re.IGNORECASE,
)
_HANDS_BACK = frozenset(
    {"", "Path", "PurePath", "str", "join", "abspath", "realpath", "normpath", "expanduser", "open"}
    | {"read", "read_text", "resolve", "joinpath", "fspath", "split", "list", "tuple", "compile"}
)
_CALLEE = re.compile(r"(\bdef\s{1,4})?(\w{0,80})\s{0,2}\Z")
_GIVEN = re.compile(r"(?:\A|[\s,(])([A-Za-z_]\w{0,80})\s{0,4}(?::[^=\n]{1,40})?=\s{0,4}\Z")
_WIDEST = 400  # characters of a line that are read
_LONGEST = 140  # characters of a name, of its type and of what stands around them
_ABOVE = 8  # lines above a string in which the call may begin that it is given to
_MOST_PLACES = 60


class _Place(NamedTuple):
    """What a string or a name is given to: a call, and a name or parameter; either may be empty."""

    callee: str
    name: str


def is_handed_on(program: Program, number: int, text: str) -> bool:
    """Whether a path in a file's strings is given to what reads or runs a configuration.

    Args:
        program: All Python of a repository.
        number: The file in which the string stands.
        text: The string.
    """
    if not _reads_python(program):
        return False
    places = list(_places(program.views[number], re.compile(rf"['\"]{re.escape(text)}(?=['\"])")))
    if any(map(_takes, places)):
        return True
    names = sorted({place.name for place in places if place.name and not place.callee})
    for name in names:
        own = re.compile(rf"(?<![\w'\"]){name}\b(?!\s*(?::[^=,)]*)?=(?!=))")
        for view in program.views:
            if name in view.file.text and any(map(_takes, _places(view, own))):
                return True
    return False


def _reads_python(program: Program) -> bool:
    """Whether anything in a repository reads or runs a file of Python by its path."""
    return any(
        not (_READS_PYTHON.isdisjoint(node.plain) and _READS_PYTHON.isdisjoint(node.attributes))
        for node in program.nodes
    )


def _takes(place: _Place) -> bool:
    return (
        _TAKES.search(place.callee) is not None and _TELLS.fullmatch(place.callee) is None
    ) or place.callee in _READS_PYTHON


def _places(view: FileView, pattern: re.Pattern[str]) -> Iterator[_Place]:
    """Where something stands in a file."""
    left = _MOST_PLACES
    tails = view.outline.tails
    for row, line in enumerate(view.lines):
        code = line[: tails.get(row + 1)][:_WIDEST]
        for match in pattern.finditer(code):
            above = [text[:_WIDEST] for text in view.lines[max(0, row - _ABOVE) : row]]
            yield _given_to("\n".join([*above, code[: match.start()]]))
            left -= 1
            if left <= 0:
                return


def _given_to(before: str) -> _Place:
    """What something is given to, from the code before it."""
    depth, name = 0, _name_before(before)
    for at in range(len(before) - 1, -1, -1):
        sign = before[at]
        if sign in ")]}":
            depth += 1
        elif sign in "([{" and depth:
            depth -= 1
        elif sign in "[{":
            name = name or _name_before(before[:at])
        elif sign == "(":
            callee = _CALLEE.search(before, max(0, at - _WIDEST), at)
            if callee is None:
                continue
            if callee[1]:
                break  # a parameter's default
            if callee[2] not in _HANDS_BACK:
                return _Place(callee[2], "")
            start = callee.start(2)
            while start and (before[start - 1] == "." or before[start - 1].isalnum()):
                start -= 1
            name = name or _name_before(before[:start])
    return _Place("", name)


def _name_before(before: str) -> str:
    """The name or parameter that is given what stands behind some code."""
    given = _GIVEN.search(before[-_LONGEST:])
    return given[1] if given is not None else ""


# ---- command lines in documents ------------------------------------------------------------------

_OPTION = re.compile(
    r"(?<![\w-])--?([A-Za-z][\w-]{0,60})(?![\w-])[= ]{1,4}['\"]?(?:\./)?"
    r"(\w[\w./-]{0,200}\.py)\b"
)
_SETS = re.compile(r"config|cfg|conf|settings|options|hparams")
_MAX_DOCUMENT = 200_000
_MOST_COMMANDS = 200
# What makes options of whatever a program is given.
_ANY_OPTION = re.compile(
    r"\bsys\.argv\b|\bFire\(|\bhydra\b|\btyro\b|\btyper\b|HfArgumentParser|parse_known_args"
    r"|\bCLI\(|\bdocopt\b|simple_parsing|\bjsonargparse\b|\bsacred\b"
)


def told_in_documents(program: Program, views: Sequence[FileView]) -> Iterator[int]:
    """The files of configuration that commands in a README name as an option.

    A command counts where the program that it names parses such an option: anyone can write one.
    """
    commands = 0
    for view in views:
        text = view.file.text[:_MAX_DOCUMENT] if view.file.role is Role.DOC else ""
        if ".py" not in text:
            continue
        for command in _commands(text):
            for option, target in _OPTION.findall(command):
                if not _SETS.search(option) or commands > _MOST_COMMANDS:
                    continue
                commands += 1
                for path in program.modules.run(target, view.file.path):
                    number = program.position[path]
                    if is_configuration(program.views[number]) and _is_parsed(
                        program, option, command, view.file.path, path
                    ):
                        yield number


def _commands(text: str) -> Iterator[str]:
    """The commands of a text that name a file of Python, each with the lines that it goes on on."""
    held: list[str] = []
    for line in text.split("\n"):
        held.append(line[:_WIDEST].rstrip())
        if held[-1].endswith("\\") and len(held) <= _ABOVE:
            held[-1] = held[-1][:-1]
            continue
        command = " ".join(held)
        held.clear()
        if ".py" in command and "-" in command:
            yield command


def _is_parsed(program: Program, option: str, command: str, document: str, path: str) -> bool:
    """Whether the program of a command, or what it imports, has an option of a name."""
    runs = [run.target for run in script_runs(command, 1)]
    started = {
        found for target in runs for found in program.modules.run(target, document) if found != path
    }
    if runs and not started:
        return False  # it runs what is not here
    seen, ahead = set(started), sorted(started)
    while ahead:
        for found in program.modules.imports_of(ahead.pop()):
            if found not in seen:
                seen.add(found)
                ahead.append(found)
    views = [v for v in program.views if not started or v.file.path in seen]
    name = "[-_]".join(map(re.escape, re.split(r"[-_]", option)))
    declared = re.compile(rf"['\"](?:--?)?{name}['\"]")
    used = re.compile(rf"(?<![\w'\"-]){name}(?![\w'\"-])|\[['\"]{name}['\"]\]|\bdest\s?=")
    codes = [line for view in views for line in _codes(view)]
    return any(map(_ANY_OPTION.search, codes)) or (
        any(map(declared.search, codes)) and any(map(used.search, codes))
    )


def _codes(view: FileView) -> Iterator[str]:
    """The lines of a file without comments, cut."""
    tails = view.outline.tails
    for row, line in enumerate(view.lines):
        if view.outline.kinds[row] == LineKind.CODE:
            yield line[: tails.get(row + 1)][:_WIDEST]
