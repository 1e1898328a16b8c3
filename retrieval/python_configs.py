"""Configuration that is written as Python and read by its path: what of such a file is called.

`--config configs/base.py` on a command line, `config_flags.DEFINE_config_file("config")` and
`spec_from_file_location` lead to files that nothing imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from retrieval.program import FileView, Program
from retrieval.values import Role

__all__ = ["configuring", "files_by_path", "is_configuration", "told_in_documents"]

_CALLED = re.compile(
    r"_*(?:(?:get|make|build|create|load|default|base)_)*(?:\w+_)?(?:config|configs|configuration"
    r"|cfg|conf|hparams|hyper_?param(?:eter)?s|hyper|params|settings|options|sweep)(?:_\w+)?\Z",
    re.IGNORECASE,
)
_CLASS = re.compile(
    r"_*\w*(?:Config|Cfg|Configuration|HParams|Params|Settings|Options)(?:[A-Z\d_]\w*)?\Z"
)
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
        pattern = _CLASS if definition.is_class else _CALLED
        if definition.parent < 0 and pattern.match(definition.name):
            yield offset


def files_by_path(program: Program, imported: Iterable[str]) -> Iterator[int]:
    """The files of configuration that nothing imports: they may be read by their paths."""
    known = frozenset(imported)
    for number, view in enumerate(program.views):
        if view.file.path not in known and is_configuration(view):
            yield number


_OPTION = re.compile(
    r"--?[\w-]*(?:config|cfg|conf|settings|options|hparams)[\w-]*[= ]+['\"]?(?:\./)?"
    r"([\w./-]{1,200}\.py)\b"
)
_MAX_DOCUMENT = 200_000


def told_in_documents(program: Program, views: Sequence[FileView]) -> Iterator[int]:
    """The files of configuration that command lines of a README name as an option."""
    for view in views:
        text = view.file.text[:_MAX_DOCUMENT] if view.file.role is Role.DOC else ""
        if ".py" not in text:
            continue
        for target in _OPTION.findall(text):
            for path in program.modules.run(target, view.file.path):
                if is_configuration(program.views[program.position[path]]):
                    yield program.position[path]
