"""Lines that run and come to nothing: results that are dropped, names that nothing works with.

Code that only names things must not count for what it names. Printing, logging and asserting are no
work with a name, while what was worked out before it was printed counts where it is worked out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from judge.embedded.effects import Effect, Effects, is_meant, is_pure_library, sends_result
from judge.embedded.statements import Statements, call_end, holds
from judge.embedded.stubs import CONFIGURES
from judge.embedded.toys import find_toys
from retrieval.graph import Call, Symbol
from retrieval.index import Index
from retrieval.values import Fact, FactSource, ParseState
from retrieval.words import join

__all__ = ["Lived", "Vain", "find_vain"]


@dataclass(slots=True)
class Vain:
    """What comes to nothing in a repository.

    Attributes:
        lines: Lines, counted over all files from 0, that do nothing with what they name.
        left: Of lines of which a part comes to nothing, the code without it.
        functions: Keys of the functions and classes that do nothing and that only such lines name.
        unread: Lines of parameters and attributes that nothing reads.
    """

    lines: set[int] = field(default_factory=set)
    left: dict[int, str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)


class Lived(NamedTuple):
    """What is known of a repository's lines, as far as it is needed here.

    Attributes:
        is_live: By line.
        terms: The lines of each term, in order.
        spoken: The lines that only tell something.
    """

    is_live: Sequence[bool]
    terms: Mapping[str, Sequence[int]]
    spoken: frozenset[int]


def find_vain(index: Index, statements: Callable[[str], Statements], lived: Lived) -> Vain:
    """The live lines of Python that come to nothing, and the functions that only they call."""
    return _Search(index, statements, lived).found()


_GIVEN = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*\Z")
# Constructors, and what has no other use than its result.
_MADE = re.compile(r"[A-Z]\w*[a-z]\w*\Z")
_RESULTS = re.compile(r"torch\.nn\.functional\.|sklearn\.metrics\.|scipy\.stats\.")
_PARTS_OF = re.compile(r"(?:torch\.(?:nn|optim)|sklearn|transformers|torchvision|torchmetrics)\.")
_NO_NAME = re.compile(
    r"\s*(?:pass|break|continue|return|raise|else|try|finally|yield|import|from|del|global|nonlocal"
    r"|assert|print|exec|await|async|if|elif|for|while|with|def|class|except|match|case|lambda)\b"
)
_BARE = re.compile(r"\s*[A-Za-z_'\"\[(-][^=:(@]*\Z")
_LOCAL = re.compile(r"\s+(?!(?:else|try|finally)\b)([A-Za-z_]\w*)\s*(?::[^=()]*)?=\s*([^=\s].*)\Z")
_GIVES_MORE = re.compile(r"[\w.,\s\[\]]+=(?!=)|.*;")  # `a = b = 0`, `a = 0; b = 0`
_CALL = re.compile(r"[\w\])]\s*\(")
_WORKS = re.compile(r"\b(?:yield|await|lambda|for)\b|:=")
_MAIN = re.compile(r"if\s+__name__\s*==")
_ALL_READERS = ("locals", "vars", "exec", "eval", "globals")
_READS_ALL = re.compile(rf"(?<![.\w])(?:{'|'.join(_ALL_READERS)})\(")
_WORD = re.compile(r"\w+")
_WIDEST = 400  # characters of a line that are read for changes
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*+(?!\s*=(?!=))")
_CONSTANTS = frozenset({"True", "False", "None", "dict", "list", "tuple", "set"})
_HOLE = re.compile(r"\{([^{}]*)\}")
_OPEN = frozenset(",\\([{+-*/=|&")
_MANY_KEYS = 8
_ASSERTED = re.compile(r"\s*assert(?:[\s'\",()\d.]|\b(?:and|or|not|True)\b)*\Z")
_TOLD = re.compile(r"\s*(?:print|[\w.]*log\w*\.\w+)\((?=.*\)\s*\Z)")
_KEYWORD = re.compile(r"\b(?!end|sep|file|flush|stacklevel|exc_info|extra)\w+\s*=(?!=)")


class _Local(NamedTuple):
    """A place where a function gives a name a value without a call."""

    name: str
    first: int  # rows
    last: int


_Key = tuple[int, int, str]  # the first row of a function, the one behind it, and a name


class _Search:
    def __init__(self, index: Index, statements: Callable[[str], Statements], lived: Lived) -> None:
        self._index = index
        self._statements = statements
        self._lived = lived
        self._effects = Effects(index, statements)
        self._vain = Vain()
        self._dropped: defaultdict[str, list[int]] = defaultdict(list)
        self._methods: dict[str, list[str]] | None = None
        self._of_methods: dict[str, Effect] = {}
        self._made_again: dict[str, bool] = {}

    def found(self) -> Vain:
        symbols: defaultdict[str, list[Symbol]] = defaultdict(list)
        for symbol in self._index.graph.symbols:
            symbols[symbol.path].append(symbol)
        for path in self._index.graph.paths:
            base = self._index.line_number(path, 1)
            own = self._statements(path)
            live = self._lived.is_live[base : base + len(own.codes)]
            if not any(live) or self._index.parse_states[path] is not ParseState.PARSED:
                continue  # of what is not whole nobody knows what it does
            for symbol in symbols[path]:
                for call in symbol.calls:
                    if live[call.line - 1]:
                        self._look_at(own, symbol, call, base)
            self._expressions(own, live, base)
            self._locals(own, symbols[path], live, base)
            self._constants(own, live, base)
        self._keys()
        for key, lines in self._dropped.items():
            if self._is_only_named(key, lines):
                self._vain.functions.append(key)
        toys = find_toys(self._index, self._statements, self._lived)
        self._vain.lines |= toys.lines
        self._vain.unread |= toys.unread
        self._vain.functions += toys.functions
        self._vain.left |= toys.left
        return self._vain

    # ---- calls -----------------------------------------------------------------------------

    def _look_at(self, own: Statements, symbol: Symbol, call: Call, base: int) -> None:
        """A call that is a statement of its own, or gives its result to a name that is not read."""
        code = own.codes[call.line - 1]
        at = code.find(call.name)
        if at < 0 or code[at + len(call.name) : at + len(call.name) + 1] != "(":
            return
        before = code[:at]
        name = ""
        if before and not before.isspace():
            given = _GIVEN.match(before)
            if given is None or not before[0].isspace():
                return  # what a module is given others may import
            name = given[1]
        if call.target:
            effect = self._effect(call)
            if effect is Effect.ACTS or not is_meant(own, symbol, call.name, call.target):
                return
        elif self._gives_only(own, call.name):
            effect = Effect.NOTHING
        else:
            return
        row = call.line - 1
        text = own.text_from(call)
        end = call_end(text)
        if end < 0 or own.first(row) != row:
            return
        last = row + text.count("\n", 0, end)
        rest = text[end + 1 :].partition("\n")[0]
        if rest.strip() or (effect is Effect.TELLS and not _is_constant(text[:end])):
            return
        if sends_result(text[:end]):
            return
        if name and (name.strip("_") and own.is_read(name, row, last + 1)):
            return
        if call.target and self._is_made_again(call.target):
            return
        lines = range(base + row, base + last + 1)
        self._vain.lines.update(lines)
        if call.target:
            self._dropped[call.target].extend(lines)

    def _effect(self, call: Call) -> Effect:
        """Of whatever a call may mean: a method's name may be that of several."""
        _, dot, last = call.name.rpartition(".")
        effect = self._effects.of(call.target)
        if not dot or effect is Effect.ACTS:
            return effect
        if self._methods is None:
            self._methods = {}
            for symbol in self._index.graph.symbols:
                self._methods.setdefault(symbol.name.rpartition(".")[2], []).append(symbol.key)
        if last not in self._of_methods:
            self._of_methods[last] = max(self._effects.of(key) for key in self._methods[last])
        return self._of_methods[last]

    def _gives_only(self, own: Statements, name: str) -> bool:
        """Whether a library's call has no use but its result."""
        last = name.rpartition(".")[2]
        whole = own.resolve(name)
        if not whole:
            return False
        if _RESULTS.match(whole):
            return is_pure_library(whole)
        return _MADE.match(last) is not None and _PARTS_OF.match(whole) is not None

    def _is_made_again(self, key: str) -> bool:
        """Whether a name is defined or given a value more than once in its file."""
        known = self._made_again.get(key)
        if known is None:
            path, _, name = key.partition("::")
            name = name.rpartition(".")[2]
            last = re.escape(name)
            again = re.compile(rf"\b(?:def|class)\s+{last}\b|\b{last}\s*=(?!=)")
            own = self._statements(path)
            count = sum(again.search(own.codes[row]) is not None for row in own.rows_of(name))
            known = self._made_again[key] = count > 1
        return known

    def _is_only_named(self, key: str, dropped: list[int]) -> bool:
        """Whether a function's name stands nowhere but at its head and where it is dropped."""
        path, _, name = key.partition("::")
        symbol = self._index.graph.symbol(key)
        if symbol is None:
            return False
        first = self._index.line_number(path, symbol.first)
        last = self._index.line_number(path, symbol.last)
        return not self._stands(name.rpartition(".")[2], {*dropped, *range(first, last + 1)})

    # ---- statements without calls ------------------------------------------------------------

    def _expressions(self, own: Statements, live: Sequence[bool], base: int) -> None:
        """`nn.LSTM`, or `a and b`, by itself."""
        for row, code in enumerate(own.codes):
            if live[row] and _BARE.match(code) and not _NO_NAME.match(code):
                # What stands by itself on a line is more often a part of what stands around it.
                if code.rstrip()[-1] in ",\\([{" or code.lstrip()[0] in ")]}":
                    continue
                if own.first(row) == row and own.last(row) == row:
                    self._vain.lines.add(base + row)

    def _constants(self, own: Statements, live: Sequence[bool], base: int) -> None:
        """What is told and asserted by itself: `assert 'a' and 'b'`, and named constants."""
        for row, bare in enumerate(own.bare):
            if not (live[row] and base + row in self._lived.spoken):
                continue
            told = _TOLD.sub("", bare)
            asserted = own.last(row) == row and _ASSERTED.match(bare) is not None
            if asserted or (told != bare and _KEYWORD.search(bare) and _is_constant(told)):
                self._vain.lines.add(base + row)

    def _locals(
        self, own: Statements, symbols: Sequence[Symbol], live: Sequence[bool], base: int
    ) -> None:
        """Names in functions that are given a value without a call, and that nothing works with."""
        found: defaultdict[_Key, list[_Local]] = defaultdict(list)
        main = next((row for row, code in enumerate(own.codes) if _MAIN.match(code)), len(live))
        spans: dict[int, tuple[int, int]] | None = None
        for row, code in enumerate(own.codes):
            if not live[row] or "=" not in code:
                continue
            match = _LOCAL.match(code)
            if match is None or _CALL.search(match[2]) or not _begins(own, row):
                continue
            bare = _LOCAL.match(own.bare[row])
            if bare is None or _GIVES_MORE.match(bare[2]):
                continue
            if spans is None:
                spans = _spans(symbols)
            # What a program gives a name, its functions may read.
            span = spans.get(row, (0, len(live)) if row > main else None)
            if span is None:
                continue
            last = own.last(row)
            if last > row and any(_CALL.search(own.bare[at]) for at in range(row, last + 1)):
                continue
            found[(*span, match[1])].append(_Local(match[1], row, last))
        every = _Locals(own, found)
        around = _around({key[:2] for key in found})
        # Where one comes to nothing, so may what it is given.
        ahead = dict.fromkeys(found)
        done: set[_Key] = set()
        while ahead:
            key = next(iter(ahead))
            del ahead[key]
            if key in done or not self._is_unread(own, key, found[key], base, every):
                continue
            done.add(key)
            for place in found[key]:
                rows = range(place.first, place.last + 1)
                self._vain.lines.update(range(base + place.first, base + place.last + 1))
                words = {word for row in rows for word in _WORD.findall(own.codes[row])}
                for span_around in around[key[:2]]:
                    others = ((*span_around, word) for word in words)
                    ahead.update(dict.fromkeys(other for other in others if other in found))

    def _is_unread(
        self,
        own: Statements,
        key: _Key,
        places: Sequence[_Local],
        base: int,
        every: _Locals,
    ) -> bool:
        first, end, name = key
        lived, vain = self._lived, self._vain.lines
        if CONFIGURES.match(own.codes[first].lstrip()) and any(
            "import" in own.codes[row] for row in own.rows_of("sacred")
        ):
            return False  # the names themselves are settings
        mine = {row for place in places for row in range(place.first, place.last + 1)}

        def may_read(row: int) -> bool:
            return first <= row < end and row not in mine and base + row not in vain

        told = False
        worked = lived.terms.get(join(name), ())
        for row in _within(own.rows_of(name), first, end):
            if may_read(row):
                line = base + row
                if line not in lived.spoken or _within(worked, line, line + 1):
                    return False
                told = True
        if any(map(may_read, _within(every.read_all, first, end))):
            return False
        if any(_WORKS.search(own.bare[row]) for row in mine):
            return False
        # What was worked out and is then printed counts where it is worked out.
        return not told or every.is_fixed(key)

    # ---- keys --------------------------------------------------------------------------------

    def _keys(self) -> None:
        """Statements that hand many keys to code of the repository that names none of them."""
        groups: defaultdict[tuple[str, int], list[Fact]] = defaultdict(list)
        for fact in self._index.facts:
            if fact.source is FactSource.DICT or (
                fact.source is FactSource.KEYWORD and fact.name.startswith("dict.")
            ):
                groups[fact.path, fact.line].append(fact)
        for (path, line), facts in groups.items():
            if len(facts) < _MANY_KEYS or path not in self._index.graph.paths:
                continue
            number = self._index.line_number(path, line)
            symbol = self._index.symbol_at(path, line)
            if symbol is None or not self._lived.is_live[number]:
                continue
            code = self._statements(path).codes[line - 1]
            own = any(call.target and call.line == line for call in symbol.calls)
            names = {fact.name.rpartition(".")[2] for fact in facts}
            unread = [name for name in names if not self._stands(name, {number})]
            if own and "**" not in code and len(unread) >= _MANY_KEYS:
                some = "|".join(map(re.escape, sorted(unread)))
                self._vain.left[number] = re.sub(
                    rf"['\"]?\b(?:{some})\b['\"]?\s*[:=][^,)}}]*", "", code
                )

    def _stands(self, name: str, apart: set[int]) -> bool:
        """Whether a name stands on a live line but some."""
        for line in self._lived.terms.get(join(name), ()):
            if self._lived.is_live[line] and line not in apart:
                path, row = self._index.place(line)
                if holds(name, self._statements(path).codes[row - 1]):
                    return True
        return False


def _begins(own: Statements, row: int) -> bool:
    """Whether a statement begins in a row; looked up only where the lines do not show it."""
    before = own.codes[row - 1].rstrip() if row else ""
    if before and before[-1] not in _OPEN and own.codes[row].rstrip()[-1] not in ",)]}":
        return True
    return own.first(row) == row


def _around(spans: set[tuple[int, int]]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """For each span of rows those that hold it, itself among them."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    above: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda each: (each[0], -each[1])):
        while above and above[-1][1] <= span[0]:
            above.pop()
        above.append(span)
        found[span] = above.copy()
    return found


class _Locals:
    """The names in a file's functions that are given a value without a call.

    Attributes:
        read_all: The rows that read every name around them.
    """

    def __init__(self, own: Statements, found: Mapping[_Key, Sequence[_Local]]) -> None:
        self._own = own
        self._found = found
        self._fixed: dict[_Key, bool] = {}
        rows = {row for word in _ALL_READERS for row in own.rows_of(word)}
        self.read_all = sorted(row for row in rows if _READS_ALL.search(own.codes[row]))

    def is_fixed(self, key: _Key) -> bool:
        """Whether a name is given constants alone, or names of constants."""
        fixed = self._fixed
        if key in fixed:
            return fixed[key]
        # Not by recursion, and each name once: hostile code hands values on in all ways.
        stack: list[tuple[_Key, list[_Key] | None]] = [(key, None)]
        while stack:
            one, reads = stack.pop()
            if reads is not None:
                fixed[one] = all(fixed[other] for other in reads)
            elif one not in fixed:
                fixed[one] = False  # also of what is given itself by way of others
                reads = self._reads(one)
                if reads is not None:
                    stack.append((one, reads))
                    stack += [(other, None) for other in reads if other not in fixed]
        return fixed[key]

    def _reads(self, key: _Key) -> list[_Key] | None:
        """The names that a name is given; `None` where it is given something else, too."""
        first, end, name = key
        places = self._found.get(key)
        if places is None:
            return None
        own = self._own
        mine = {row for place in places for row in range(place.first, place.last + 1)}
        changed = re.compile(
            rf"\b{name}\b(?:\s*,[^=()]*)?\s*(?:[-+*/%@&|^]|//|\*\*)?=(?!=)"
            rf"|\bfor\b[^:]*\b{name}\b[^:]*\bin\b|\bas\s+{name}\b|\b{name}\s*[.\[]"
        )
        if any(
            row not in mine and changed.search(own.bare[row], 0, _WIDEST)
            for row in _within(own.rows_of(name), first, end)
        ):
            return None
        words = {
            word
            for row in mine
            for word in (*_NAME.findall(own.bare[row]), *_holes(own.codes[row]))
            if word not in _CONSTANTS
        }
        return [(first, end, word) for word in sorted(words - {name})]


def _within(rows: Sequence[int], first: int, end: int) -> Sequence[int]:
    """Those of some sorted rows that lie between two."""
    return rows[bisect_left(rows, first) : bisect_left(rows, end)]


def _holes(code: str) -> list[str]:
    """The names between braces, as formatted strings have them."""
    if "{" not in code:
        return []
    return [word for hole in _HOLE.findall(code) for word in _NAME.findall(hole)]


def _is_constant(text: str) -> bool:
    """Whether the arguments of a call, from its bracket on, name nothing."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
    return _CONSTANTS.issuperset(_NAME.findall(plain))


def _spans(symbols: Sequence[Symbol]) -> dict[int, tuple[int, int]]:
    """The rows of the function around each row: the innermost's first and behind its last."""
    found: dict[int, tuple[int, int]] = {}
    for symbol in symbols:
        if symbol.name:
            span = (symbol.first - 1, symbol.last)
            for row in range(*span):
                if symbol.is_class:
                    found.pop(row, None)
                else:
                    found[row] = span
    return found
