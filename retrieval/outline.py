"""What one file holds, in a form that no longer depends on its language.

A reader for each language (`python_outline`, `config_outline`, ...) makes an `Outline`; chunks,
facts and the call graph are made from outlines alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from retrieval.values import FactSource, ParseState

__all__ = [
    "KIND_WORDS",
    "CallSite",
    "Definition",
    "Import",
    "LineKind",
    "Lookup",
    "LookupWay",
    "Outline",
    "RawFact",
    "Run",
    "blank_kinds",
]


class LineKind(IntEnum):
    """What a line is. Only `CODE` proves anything."""

    BLANK = 0
    CODE = 1
    COMMENT = 2
    STRING = 3  # docstrings, and the inside of strings over several lines
    PROSE = 4  # of documents

    @property
    def word(self) -> str:
        """The kind in a word."""
        return self.name.lower()


KIND_WORDS = tuple(kind.word for kind in LineKind)


@dataclass(slots=True)
class Definition:
    """A function or class, or a section of a file without code.

    Attributes:
        symbol: Dotted path inside the file.
        name: Its last part.
        is_class: Whether it is a class.
        first: First line, decorators included.
        head: Last line of its head, before its body.
        last: Last line.
        header: Its head in one line.
        parent: Position of the enclosing definition in the outline, -1 at the top.
        decorators: Names of its decorators.
        bases: Names of a class's bases.
    """

    symbol: str
    name: str
    is_class: bool
    first: int
    head: int
    last: int
    header: str
    parent: int = -1
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()


@dataclass(slots=True)
class CallSite:
    """One call: the dotted name as written, its line, and the definition it stands in (or -1)."""

    name: str
    line: int
    owner: int


@dataclass(slots=True)
class Import:
    """One imported name.

    Attributes:
        module: Dotted module as written, with leading dots where it is relative.
        name: The name taken from it, `*` for all, empty for the module itself.
        alias: What it is called here.
        line: Where.
    """

    module: str
    name: str
    alias: str
    line: int


class LookupWay(Enum):
    """How code is found by its name while it runs."""

    NAME = "name"  # among the names of its own module
    ATTRIBUTE = "attribute"  # of an object or module
    NAMESPACE = "namespace"  # among all that a module or class holds
    MODULE = "module"
    COMMAND = "command"  # a name on the command line


@dataclass(slots=True)
class Lookup:
    """Code that is looked up by name.

    Attributes:
        way: How.
        of: For an attribute or a namespace, whose, as written; for commands, what is made to
            commands.
        wanted: The name as far as it is written out: `*` is what is not, `{__name__}` the module's
            own name.
        owner: The definition that it stands in, or -1.
        called: What is found is called at once.
    """

    way: LookupWay
    of: str
    wanted: str
    owner: int
    called: bool


@dataclass(slots=True)
class Run:
    """A file or module that a script runs, as written, and the line."""

    target: str
    line: int


@dataclass(slots=True)
class RawFact:
    """A value and its name, before anything is known of its use."""

    name: str
    value: str
    line: int
    source: FactSource


@dataclass(slots=True)
class Outline:
    """What was found in one file.

    Attributes:
        state: How far it was understood.
        kinds: One `LineKind` a line.
        docstrings: Lines of strings that nothing is done with, as positions from 0: first, and
            behind the last. What shares a line with code is not among them.
        tails: For lines of code with a comment behind it, the column where the comment starts.
        holes: For lines of code with comments inside, their columns: first, and behind the last.
        definitions: Functions and classes in the order of their first lines.
        borders: Lines where a statement or entry starts, with its indentation.
        facts: Named values.
        calls: Calls in order.
        imports: Imported names.
        main_lines: Line ranges of `if __name__ == "__main__"` blocks.
        acts: The module does work of its own when it is run, outside such a block.
        lookups: Code that is looked up by name.
        spoken: Strings in code that may name a file, a module or something in a module, each with
            the definition that it stands in (or -1).
        runs: What a script runs, in order.
        notes: What was odd.
    """

    state: ParseState
    kinds: bytearray
    docstrings: list[tuple[int, int]] = field(default_factory=list)
    tails: dict[int, int] = field(default_factory=dict)
    holes: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    definitions: list[Definition] = field(default_factory=list)
    borders: dict[int, int] = field(default_factory=dict)
    facts: list[RawFact] = field(default_factory=list)
    calls: list[CallSite] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    main_lines: list[tuple[int, int]] = field(default_factory=list)
    acts: bool = False
    lookups: list[Lookup] = field(default_factory=list)
    spoken: list[tuple[str, int]] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def blank_kinds(lines: list[str], kind: LineKind) -> bytearray:
    """Line kinds of a file before its reader knows better: blank, or `kind`."""
    filled = int(kind)
    return bytearray([filled if line and not line.isspace() else 0 for line in lines])
