"""Settings that no code reads, however far they are carried.

A key of configuration, a field of a class that only holds settings, an option, an entry of a
table or a constant acts only where code reads it under its name. Code
that no run reaches reads too: what is wrong there is the code, and that is told of. Copying it
from one holder of settings into another, printing it and saving it are no reading. Whatever leaves
a doubt counts as read: a name asked for anywhere else, a section that is handed over whole and of
which nothing is asked by name, settings that are spread over the arguments of a function.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.embedded.holders import Holder, carries_by_name, holders_of
from judge.embedded.setting_kinds import Setting, settings_of
from judge.embedded.spreading import CONFIGISH, Spread, enclosing_call, spread_of
from judge.embedded.uses import Use, Way, is_spoken, uses_in
from retrieval.index import Index
from retrieval.outline import LineKind
from retrieval.values import FactSource, Role, SourceFile
from retrieval.words import join

__all__ = ["Reading", "read_settings"]

_GUARD = re.compile(r"\s*(?:el)?if\b.*(?:is not None|\bin\b|hasattr\(|!= None|if [\w.]+:)")
_WALKS = re.compile(r"(?:\[\s*(?!['\"\d])|\.(?:items|values|keys)\(|\.get\(\s*[A-Za-z_])|\bin\s+\w")
_ASSIGNED = re.compile(r"\s*([A-Za-z_][\w.\[\]'\"]*)\s*(?::[^=]+)?=(?!=)")
_EXPORTS = re.compile(r"^__all__\b[^\[(]*[\[(][^\])]*[\])]", re.MULTILINE)
# Names are looked up where that cannot be seen: as globals, or by what is not in the repository.
_BY_NAME = ("globals()", "exec(", "locals()", "vars()")
_ELSEWHERE = ("fromfile(", "LightningCLI", "spec_from_file_location", "run_path(")
_SET_ON_SELF = ("setattr(self", "self.__dict__", "vars(self)", "super().__init__(**")
_TARGET = "_target_"  # Hydra makes what it names of the keys beside it
_CLAIMS_CONFIGURATION = frozenset({"gin", "jsonargparse"})
_CALLS_BY_ARGUMENTS = frozenset({"click", "typer", "fire", "tyro", "sacred", "hydra_zen", "plac"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a repository's settings.

    Attributes:
        settings: All of them.
        unread: Those that nothing reads.
        doubtful: Those whose names nothing asks for, and that may be read without them.
        named: Those doubtful ones whose names stand in some code, live or not.
    """

    settings: list[Setting]
    unread: list[Setting]
    doubtful: list[Setting]
    named: list[Setting]


def read_settings(index: Index, code: npt.NDArray[np.bool_]) -> Reading:
    """See which settings act.

    Args:
        index: The repository.
        code: Which lines are code, over all files: live or dead, a test is none.
    """
    readers = _Readers(index, code)
    settings = list(settings_of(index, readers.holders))
    unread, doubtful = readers.unread(settings)
    named = [one for one in doubtful if readers.is_named(one.key)]
    return Reading(settings, unread, doubtful, named)


def _has(files: Sequence[SourceFile], words: Sequence[str]) -> bool:
    return any(word in file.text for file in files for word in words)


class _Readers:
    """What reads which name."""

    def __init__(self, index: Index, code_lines: npt.NDArray[np.bool_]) -> None:
        self.index = index
        self.coded = np.zeros(len(code_lines), np.bool_)  # lines of files of code
        for file in index.repository.files:
            if file.role is Role.CODE:
                first = index.line_number(file.path, 1)
                self.coded[first : first + len(index.lines(file.path))] = True
        self.acting = code_lines & self.coded
        self.holders = holders_of(index)
        self.holding = frozenset(h.short for h in self.holders.values() if h.only_holds)
        code = [file for file in index.repository.files if file.role is Role.CODE]
        python = [file for file in code if file.path in index.graph.paths]
        self.by_name = _has(python, _BY_NAME)
        imported = {
            file.path: {module.partition(".")[0] for module in index.graph.unresolved[file.path]}
            for file in python
        }
        self.elsewhere = _has(python, _ELSEWHERE) or any(
            not modules.isdisjoint(_CLAIMS_CONFIGURATION) for modules in imported.values()
        )
        self.on_self = _has(python, _SET_ON_SELF)
        self.other = "\n".join(file.text for file in code if file.path not in index.graph.paths)
        self.tools = frozenset(
            path
            for path, modules in imported.items()
            if not modules.isdisjoint(_CALLS_BY_ARGUMENTS)
        )
        self.exports = self._exported(python)
        self._paths = [file.path for file in index.repository.files]
        self._starts = [index.line_number(path, 1) for path in self._paths]
        self._texts = [text for path in self._paths for text in index.lines(path)]
        self._codes: dict[int, str] = {}
        self._owners: dict[int, tuple[Holder | None, bool, str]] = {}
        self._asked: dict[tuple[str, bool], frozenset[str]] = {}
        self._whole: dict[str, int] = {}
        self.spread: Spread = spread_of(index, python, self.acting, self.holding, self.carries)
        self.tables: frozenset[str] = frozenset()
        self.made: frozenset[tuple[str, tuple[str, ...]]] = frozenset()  # sections with a target

    def _exported(self, python: Sequence[SourceFile]) -> frozenset[int]:
        lines: set[int] = set()
        for file in python:
            if "__all__" not in file.text:
                continue
            for match in _EXPORTS.finditer(file.text):
                first = file.text.count("\n", 0, match.start())
                base = self.index.line_number(file.path, 1) + first
                lines.update(range(base, base + match[0].count("\n") + 1))
        return frozenset(lines)

    # ---- deciding --------------------------------------------------------------------------

    def unread(self, settings: Sequence[Setting]) -> tuple[list[Setting], list[Setting]]:
        """The settings that nothing reads, and those that may be read without their names."""
        self.tables = frozenset(one.parts[0] for one in settings if one.source is FactSource.DICT)
        self.made = frozenset((one.path, one.parts[:-1]) for one in settings if one.key == _TARGET)
        owners: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        members: defaultdict[str, list[Setting]] = defaultdict(list)
        for setting in settings:
            owners[setting.group, setting.key] |= setting.sections
            members[setting.group].append(setting)
        unread: list[Setting] = []
        doubtful: list[Setting] = []
        for group, own in members.items():
            asked = [self._is_asked(one, owners[group, one.key]) for one in own]
            rest = [one for one, is_asked in zip(own, asked, strict=True) if not is_asked]
            if len(rest) == len(own) and own[0].source in {FactSource.CONFIG, FactSource.DICT}:
                doubtful += rest  # handed over whole to what cannot be seen, or not used at all
                continue
            named = {
                part
                for one, is_asked in zip(own, asked, strict=True)
                if is_asked
                for part in one.parts[:-1]
            }
            for one in rest:
                (doubtful if self._is_handed_over(one, named) else unread).append(one)
        return unread, doubtful

    def is_named(self, key: str) -> bool:
        """Whether a key stands anywhere in code as a string or an attribute."""
        name = key.replace("-", "_")
        if self.askers(name, bare=False):
            return True
        lines, kinds = self.index.postings.lines_of(join(name))
        return "-" in key or any(
            use.way not in {Way.SET, Way.NAME} and use.of != "self"
            for line in lines[kinds == LineKind.CODE].tolist()
            if self.coded[line]
            for use in self.uses(line, name)
        )

    def _is_asked(self, setting: Setting, owners: set[str]) -> bool:
        """Whether its name is asked for, and not for another section's of the same name."""
        bare = setting.source is FactSource.ASSIGNMENT or self.by_name
        if setting.source is FactSource.ASSIGNMENT and self.elsewhere:
            return True
        if setting.source is FactSource.OPTION and setting.path in self.tools:
            return True
        if (
            setting.source is FactSource.OPTION
            and "dest" in self.index.lines(setting.path)[setting.first - 1]
        ):
            return True
        if setting.source is FactSource.CONFIG and (self.elsewhere or setting.key.startswith("_")):
            return True
        key = setting.key
        if "-" in key:
            if setting.source is FactSource.CONFIG:
                return True
            key = key.replace("-", "_")
        if len(key) < 2 and setting.source is not FactSource.CONFIG:
            return True
        asked = self.askers(key, bare=bare or self.spread.inside)
        others = owners - setting.sections if setting.sections else set()
        return any(of not in others for of in asked)

    def _is_handed_over(self, setting: Setting, named: set[str]) -> bool:
        """Whether it is part of what is spread or walked over, or handed over and not asked for."""
        if setting.source is FactSource.ASSIGNMENT:
            return False
        if self.spread.outside:
            return True
        if setting.source is FactSource.CONFIG:
            if any(
                (setting.path, setting.parts[:size]) in self.made
                for size in range(len(setting.parts))
            ):
                return True  # it is given to what the section names
            for start in range(len(setting.parts) - 1):
                if self.askers("_".join(setting.parts[start:]), bare=False):
                    return True  # sections are made parts of names
        above = (
            setting.parts[:-1]
            if setting.source is not FactSource.FIELD
            else tuple(setting.sections)
        )
        if self.spread.sections.intersection(above):
            return True
        for section in above:
            use = self.whole(section)
            if use == _WALKED or (use == _HANDED and section not in named):
                return True
        return False

    # ---- looking ---------------------------------------------------------------------------

    def lines_of(self, name: str) -> Iterator[int]:
        """The lines of code that hold a name, in order."""
        lines, kinds = self.index.postings.lines_of(join(name))
        chosen = lines[kinds == LineKind.CODE]
        low = name.lower()
        for line in chosen[self.acting[chosen]].tolist():
            if low in self._texts[line].lower() and low in self.code(line).lower():
                yield line

    def place(self, line: int) -> tuple[str, int]:
        """The (path, line from 1) of a line counted over all files."""
        number = bisect_right(self._starts, line) - 1
        return self._paths[number], line - self._starts[number] + 1

    def code(self, line: int) -> str:
        """A line without its comments."""
        known = self._codes.get(line)
        if known is None:
            known = self._codes[line] = self.index.code_of(*self.place(line))
        return known

    def uses(self, line: int, name: str) -> list[Use]:
        """The uses of a name in a line."""
        return list(uses_in(self.code(line), name.lower()))

    def askers(self, name: str, *, bare: bool) -> frozenset[str]:
        """What the name is asked of, wherever code does: sections, or an empty name."""
        known = self._asked.get((name, bare))
        if known is None:
            known = self._asked[name, bare] = self._ask(name, bare=bare)
        return known

    def _ask(self, name: str, *, bare: bool) -> frozenset[str]:
        found: set[str] = set()
        if self.other and re.search(rf"(?<![-\w]){re.escape(name)}\b(?!\s*=)", self.other):
            return frozenset([""])
        for pattern in self.spread.patterns:
            if pattern.fullmatch(name):
                return frozenset([""])
        dotted = f".{name.lower()}"
        for line in self.lines_of(name):
            code = self.code(line)
            if not bare and not ("'" in code or '"' in code or dotted in code.lower()):
                holder, _, function = self.owner(line)
                if holder is None or function:
                    continue
            for use in self.uses(line, name):
                if use.way is Way.SET or line in self.exports:
                    continue
                if use.way is Way.NAME:
                    holder, _, function = self.owner(line)
                    if use.name != name or not (bare or (holder is not None and not function)):
                        continue
                if not self._reads(line, use):
                    continue
                found.add(use.of)
                if not use.of:
                    return frozenset(found)
        return frozenset(found)

    def owner(self, line: int) -> tuple[Holder | None, bool, str]:
        """Around a line: the holder that it is in, whether it is in a class, and the function."""
        known = self._owners.get(line)
        if known is None:
            known = self._owners[line] = self._own(line)
        return known

    def _own(self, line: int) -> tuple[Holder | None, bool, str]:
        path, row = self.place(line)
        symbol = self.index.symbol_at(path, row)
        if symbol is None or not symbol.name:
            return None, False, ""
        parts = symbol.name.split(".")
        for size in range(len(parts), 0, -1):
            holder = self.holders.get((path, ".".join(parts[:size])))
            if holder is not None:
                return holder, True, parts[size] if len(parts) > size else ""
        return None, len(parts) > 1, parts[-1]

    def carries(self, line: int) -> bool:
        """Whether a line is of a function that only carries settings along."""
        holder, _, function = self.owner(line)
        return carries_by_name(function, own=holder is not None)

    def _reads(self, line: int, use: Use) -> bool:
        code = self.code(line)
        if use.way is not Way.NAME and is_spoken(code, use.start):
            return False
        holder, in_class, function = self.owner(line)
        if holder is not None and not function:
            return use.way is Way.NAME  # declared
        assigned = _ASSIGNED.match(code)
        if holder is not None and carries_by_name(function, own=True):
            if _TELLS.match(function):
                return False
            same = assigned is not None and assigned[1].split(".")[-1] == use.name
            if _OF_SELF.search(code, 0, use.start):
                behind = assigned is not None and assigned.end() <= use.start
                return (behind and not same) or code.lstrip().startswith("return")
            # Loaded under its own name, or as a part of the holder: under another it may act.
            return not (same or self._is_copied(line, code, use) or self._is_among_holders(line))
        if holder is None and carries_by_name(function, own=False):
            return False
        if use.of == "self" and use.way is Way.ATTRIBUTE and in_class and holder is None:
            return self.on_self
        return not (self._is_copied(line, code, use) or self._is_asked_before(line, code, use))

    def _is_copied(self, line: int, code: str, use: Use) -> bool:
        """`cfg.lr = args.lr`, and `Config(lr=args.lr)`."""
        assigned = _ASSIGNED.match(code)
        if assigned is not None and assigned.end() <= use.start:
            target = assigned[1].rstrip("]'\"")
            own = target.endswith(use.name) and target != use.name
            return own and CONFIGISH.search(target[: -len(use.name)]) is not None
        before = code[: use.start]
        head, given, between = before.rpartition("=")
        if not given or head[-1:] in {"=", "!", "<", ">"}:
            return False
        name = head.rstrip()
        if not name.endswith(use.name) or name[-len(use.name) - 1 : -len(use.name)].isidentifier():
            return False
        if "," in between and "getattr(" not in between:
            return False
        callee = enclosing_call(self.index, line, len(name) - len(use.name))
        return callee in self.holding or callee in _KEEPS

    def _is_asked_before(self, line: int, code: str, use: Use) -> bool:
        """`if args.lr is not None:`, with nothing but a copy behind it."""
        if not _GUARD.match(code) or not code.rstrip().endswith(":"):
            return False
        path, row = self.place(line)
        if row >= len(self.index.lines(path)):
            return False
        behind = self.index.code_of(path, row + 1)
        uses = list(uses_in(behind, use.name.lower()))
        if not any(one.way is Way.SET for one in uses):
            return False
        return all(one.way is Way.SET or self._is_copied(line + 1, behind, one) for one in uses)

    def whole(self, section: str) -> int:
        """How a section is used as a whole: not at all, handed over, or walked over."""
        known = self._whole.get(section)
        if known is None:
            known = self._whole[section] = self._look_at(section)
        return known

    def _look_at(self, section: str) -> int:
        best = _NOT
        for line in self.lines_of(section):
            for use in self.uses(line, section):
                if use.way in {Way.SET, Way.TEXT} or line in self.exports:
                    continue
                if use.way is Way.NAME and section not in self.tables:
                    continue
                code = self.code(line)
                if is_spoken(code, use.start) or (use.of == "self" and not self._reads(line, use)):
                    continue
                behind = code[use.end :]
                if use.way is Way.KEY:
                    behind = _CLOSED.sub("", behind)
                if _WALK.match(behind) or _IN.search(code[: use.start]):
                    own = _OF_SELF.search(code, 0, use.start) is not None
                    if not self.carries(line) or (own and not _TELLS.match(self.owner(line)[2])):
                        return _WALKED
                elif not _STEP.match(behind) and not self._is_built(line, use):
                    best = _HANDED
                    if self._is_walked_as(line, code):
                        return _WALKED
        return best

    def _is_walked_as(self, line: int, code: str) -> bool:
        """Whether a line gives a section a name by which it is walked over in the same file."""
        assigned = _ASSIGNED.match(code)
        if assigned is None:
            return False
        path, _ = self.place(line)
        texts = [text for text in self.index.lines(path) if assigned[1] in text]
        if not any(map(_WALKS.search, texts)):
            return False  # to compile a pattern for each name takes longer
        name = re.escape(assigned[1])
        walked = re.compile(
            rf"(?<![\w.]){name}(?:\[\s*(?!['\"\d])|\.(?:items|values|keys)\(|\.get\(\s*[A-Za-z_])"
            rf"|\bin\s+(?:\w+\()?{name}\b(?!\s*\[)"
        )
        return any(map(walked.search, texts))

    def _is_built(self, line: int, use: Use) -> bool:
        """Whether a section becomes a holder there: `Training(**raw["training"])`."""
        if self.carries(line):
            return True
        if self._is_among_holders(line):
            return True
        callee = enclosing_call(self.index, line, use.start)
        return callee in self.holding or callee in _KEEPS

    def _is_among_holders(self, line: int) -> bool:
        """Whether a holder is named on a line or beside it."""
        path, row = self.place(line)
        return any(
            not self.holding.isdisjoint(_WORD.findall(self.index.code_of(path, number)))
            for number in range(max(1, row - 2), row + 2)
        )


_OF_SELF = re.compile(r"\bself(?:\.\w+)*\.\Z")
_TELLS = re.compile(
    r"__(?:repr|str|eq|hash|rich_repr|getstate)__|_*(?:to_(?:dict|json|yaml|str|string)"
    r"|save|asdict|as_dict|print|show|display"
    r"|summary|summarize|describe|validate|check|verify|ensure|dump|serialize|log)(?:_\w*)?\Z"
)
_WORD = re.compile(r"\w+")
_NOT, _HANDED, _WALKED = 0, 1, 2
_CLOSED = re.compile(r"\s*(?:,\s*[^()]*?)?[\])]")
_STEP = re.compile(r"\s*(?:\.\s*(?!items|values|keys|copy)\w|\[\s*['\"]|\.get\()")
_WALK = re.compile(
    r"\s*(?:\.(?:items|values|keys)\(|\[\s*(?!['\"])[A-Za-z_f(]|\.get\(\s*[A-Za-z_])"
)
_IN = re.compile(r"\bin\s+(?:\w+\.)*\w*[\[(.\"']*\Z")
_KEEPS = frozenset(
    {
        "cls", "dict", "Namespace", "SimpleNamespace", "AttrDict", "EasyDict", "edict", "Box",
        "ConfigDict", "replace", "_replace", "OrderedDict", "create", "update", "set_defaults",
        "DictConfig", "Munch", "add_argument", "type",
    }
)  # fmt: skip
