"""The tree-sitter grammars, and parsing that a hostile file cannot hold up.

Every tree is walked with an explicit stack: a file with ten thousand nested brackets is as deep
as it likes to be.
"""

from __future__ import annotations

from functools import cache

import tree_sitter
import tree_sitter_bash
import tree_sitter_json
import tree_sitter_python
import tree_sitter_toml
import tree_sitter_yaml
from tree_sitter import Language, Parser, Query, Tree

from benchmark import GraderError

__all__ = ["GRAMMARS", "GrammarError", "language", "parse", "query"]

GRAMMARS = {
    "python": (tree_sitter_python, "tree-sitter-python"),
    "notebook": (tree_sitter_python, "tree-sitter-python"),
    "yaml": (tree_sitter_yaml, "tree-sitter-yaml"),
    "json": (tree_sitter_json, "tree-sitter-json"),
    "toml": (tree_sitter_toml, "tree-sitter-toml"),
    "shell": (tree_sitter_bash, "tree-sitter-bash"),
}

# tree-sitter calls back now and then: 6 times for a kilobyte of code, 15 for one of brackets. The
# number is a function of the text alone, so a limit on it, unlike one on time, gives up on the
# same files everywhere.
_MAX_STEPS_PER_KB = 200
_MIN_STEPS = 20_000
_CHECKED_FROM = 65_536  # bytes


class GrammarError(GraderError):
    """A grammar does not fit the tree-sitter that is installed."""


@cache
def language(name: str) -> Language:
    """The grammar of one of our languages.

    Raises:
        GrammarError: The installed grammar was made for another tree-sitter.
        KeyError: There is no grammar for that language.
    """
    module, package = GRAMMARS[name]
    try:
        return Language(module.language())
    except ValueError as error:
        lowest, highest = tree_sitter.MIN_COMPATIBLE_LANGUAGE_VERSION, tree_sitter.LANGUAGE_VERSION
        raise GrammarError(
            f"{package} does not fit the installed tree-sitter, which reads grammars of versions "
            f"{lowest} to {highest} ({error}). Install the versions that constraints.txt names: "
            f"pip install --upgrade -c constraints.txt tree-sitter {package}"
        ) from error


@cache
def _parser(name: str) -> Parser:
    return Parser(language(name))


@cache
def query(name: str, source: str) -> Query:
    """A compiled query; compiling costs more than running it on a file."""
    return Query(language(name), source)


def parse(name: str, source: bytes) -> Tree | None:
    """Parse a file.

    Returns:
        The tree, or `None` where the parser gave up on a text that no person wrote.
    """
    parser = _parser(name)
    if len(source) < _CHECKED_FROM:
        return parser.parse(source)
    steps = 0
    limit = max(_MIN_STEPS, _MAX_STEPS_PER_KB * (len(source) // 1024))

    def read(offset: int, _point: object) -> bytes:
        return source[offset : offset + 65_536]

    def halt(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > limit

    try:
        return parser.parse(read, progress_callback=halt)
    except ValueError:
        parser.reset()
        return None


# Found out here, at import, rather than in the middle of a run.
for _name in GRAMMARS:
    language(_name)
