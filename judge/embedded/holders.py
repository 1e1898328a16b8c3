"""Classes that only hold settings: dataclasses, models of pydantic, plain classes of constants."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from retrieval.index import Index
from retrieval.values import Role

__all__ = ["Field", "Holder", "carries_by_name", "holders_of"]

_HOLDS = re.compile(r"@(?:\w+\.)*(?:dataclass|define|frozen|attrs|attr|s|dataclass_transform)\b")
_BASES = frozenset(
    {
        "BaseModel", "BaseSettings", "SimpleNamespace", "Namespace", "object", "ABC", "dict",
        "Dict", "AttrDict", "EasyDict", "Serializable", "ConfigBase", "BaseConfig", "Generic",
    }
)  # fmt: skip
_NAMED = re.compile(
    r"(?:Config|Configuration|Cfg|Conf|Args|Arguments|Settings|Params|Parameters|HParams|Hparams"
    r"|HyperParams|Hyperparams|HyperParameters|Hyperparameters|Options|Opts|Opt|Defaults"
    r"|Constants)\d*\Z"
)
_HEAD = re.compile(r"class\s+(\w+)\s*(?:\(([^)]*)\))?")
_FIELD = re.compile(r"\s*([A-Za-z_]\w*)\s*(:(?!=)|=(?!=))")
_WORD = re.compile(r"\w+")
_SELF_FIELD = re.compile(r"\s*self\.([A-Za-z_]\w*)\s*(?::[^=]*)?=(?!=)")
# Methods, and functions around settings, that load, show, check or keep them and nothing else.
_CARRIES = re.compile(
    r"__(?:init|repr|str|eq|hash|setattr|post_init|rich_repr|getstate|setstate)__"
    r"|_*(?:from|to|load|save|validate|check|print|show|display|summary|summarize|describe|update"
    r"|merge|copy|clone|dump|parse|override|asdict|as_dict|serialize|deserialize|log|verify"
    r"|ensure)(?:_\w*)?\Z"
)
_CARRIES_ALL = re.compile(
    r"_*(?:save|validate|check|print|show|display|summarize|describe|dump|log|verify|pretty)_\w*"
    r"(?:config|cfg|conf|args|settings|hparams|options|hyperparam|param)\w*\Z"
)


@dataclass(slots=True)
class Field:
    """A field of a holder, with its first and its last line."""

    name: str
    first: int
    last: int


@dataclass(slots=True)
class Holder:
    """A class that holds settings.

    Attributes:
        path: Its file.
        name: Dotted name in the file.
        fields: What it holds.
        only_holds: It has no method but those that carry settings along.
        foreign: It is built on a class from elsewhere, which may read any field.
        sections: The names of the fields of other holders that hold it.
    """

    path: str
    name: str
    fields: list[Field] = field(default_factory=list)
    only_holds: bool = True
    foreign: bool = False
    sections: frozenset[str] = frozenset()

    @property
    def of_settings(self) -> bool:
        """Whether it holds settings by its name or its place; other records hold results."""
        return bool(self.sections) or _NAMED.search(self.short) is not None

    @property
    def short(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]


def carries_by_name(function: str, *, own: bool) -> bool:
    """Whether a function only carries settings along, by its name.

    Args:
        function: Its name, without its class.
        own: It is a method of a class that holds settings.
    """
    return (_CARRIES if own else _CARRIES_ALL).match(function) is not None


def holders_of(index: Index) -> Mapping[tuple[str, str], Holder]:
    """The holders of a repository, by file and dotted name."""
    found: dict[tuple[str, str], Holder] = {}
    bases: dict[tuple[str, str], set[str]] = {}
    methods: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for symbol in index.symbols:
        owner, _, name = symbol.name.rpartition(".")
        file = index.file(symbol.path)
        if file is None or file.role is not Role.CODE or not symbol.name:
            continue
        if not symbol.is_class:
            methods[symbol.path, owner].append(name)
            continue
        lines = index.lines(symbol.path)
        head = _HEAD.search(symbol.header)
        own = (
            {part.strip().rpartition(".")[2] for part in (head[2] or "").split(",")}
            if head
            else set()
        )
        own.discard("")
        own = {base.split("[")[0] for base in own if "=" not in base}
        row = symbol.first - 1
        decorated = False
        while row < len(lines) and not lines[row].lstrip().startswith("class "):
            decorated = decorated or _HOLDS.match(lines[row].lstrip()) is not None
            row += 1
        if decorated or own & {"BaseModel", "BaseSettings"} or _NAMED.search(name):
            if name in {"Config", "Meta"} and owner:
                continue  # what a class of pydantic or Django is told
            key = symbol.path, symbol.name
            found[key] = Holder(
                symbol.path,
                symbol.name,
                _fields(index, symbol.path, symbol.name, row + 1, symbol.last),
            )
            bases[key] = own
    names = {holder.short for holder in found.values()}
    for key, holder in found.items():
        holder.foreign = bool(bases[key] - _BASES - names)
        holder.only_holds = all(carries_by_name(name, own=True) for name in methods[key])
    sections = _sections(index, found.values(), names)
    for holder in found.values():
        holder.sections = frozenset(sections[holder.short])
    return found


def _fields(index: Index, path: str, name: str, first: int, last: int) -> list[Field]:
    """The fields in a class's body and in its `__init__`."""
    fields: list[Field] = []
    indent = -1
    for number in range(first + 1, last + 1):
        code = index.code_of(path, number)
        if not code.strip():
            continue
        symbol = index.symbol_at(path, number)
        own = symbol.name if symbol is not None else ""
        match = None
        if own == name:
            depth = len(code) - len(code.lstrip())
            indent = depth if indent < 0 else indent
            if depth > indent or code.lstrip()[:1] in ")]}":
                if fields and fields[-1].last >= number - 3:
                    fields[-1].last = number
                continue
            match = _FIELD.match(code)
        elif own == f"{name}.__init__":
            match = _SELF_FIELD.match(code)
        if match is not None and not match[1].startswith("__") and match[1] != "model_config":
            fields.append(Field(match[1], number, number))
    return fields


def _sections(
    index: Index, holders: Iterable[Holder], names: set[str]
) -> defaultdict[str, set[str]]:
    """For each class the names of the fields that hold one of it."""
    sections: defaultdict[str, set[str]] = defaultdict(set)
    for holder in holders:
        for one in holder.fields if _NAMED.search(holder.short) else ():
            code = index.code_of(holder.path, one.first)
            for word in _WORD.findall(code.partition(one.name)[2]):
                if word in names:
                    sections[word].add(one.name)
    return sections
