"""Parameters that their functions do not read, or only print."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from judge.embedded.deeds import Span
from judge.embedded.hopes import Hopes
from judge.embedded.simple_functions import SimpleFunctions
from judge.embedded.statements import Statements, call_end
from retrieval.graph import Call, Symbol
from retrieval.index import Index
from retrieval.values import ParseState

if TYPE_CHECKING:
    from judge.embedded.vain import Lived

__all__ = ["IdleParameters"]

_PARAMETER = re.compile(r"(?:^|,)\s*(\*{0,2})([A-Za-z]\w*)\s*(?=[,:=)])")
_DEFAULT = re.compile(
    r"\b([A-Za-z]\w*)\s*(?::[^=,()]{0,120})?=\s*(?:[-+]?[\w.]+|'[^']*'|\"[^\"]*\")\s*(?=[,)]|$)"
)
_MOST_CALLS = 40  # of a function
# What reads every parameter of its function, by their names or from the call itself.
_READS_ALL = re.compile(
    r"(?<![\w.])(?:locals|vars|eval|exec|super\(\)\.__init__\(\*\*locals)\("
    r"|\bsave_hyperparameters\b|\bcurrentframe\b|\b_getframe\b|\bgetargvalues\b"
)
# Decorators that do nothing with what a function is given; others may read it.
_PASSING_ON = re.compile(
    r"\s*@(?:\w+\.)*(?:staticmethod|classmethod|property|cached_property|no_grad|inference_mode|jit"
    r"|njit|script|compile|lru_cache|cache|wraps|abstractmethod|contextmanager|overload|override"
    r"|final|autocast|custom_fwd|custom_bwd|torch_compile|function|typechecked|jaxtyped)\b"
)


class IdleParameters:
    """Looks for them; functions that must be read to tell are marked to be followed.

    Attributes:
        cuts: Where parameters stand that nothing reads, with their default values.
    """

    def __init__(
        self,
        index: Index,
        statements: Callable[[str], Statements],
        lived: Lived,
        simple: SimpleFunctions,
    ) -> None:
        self._index = index
        self._statements = statements
        self._lived = lived
        self._simple = simple
        self.cuts: list[tuple[str, Span]] = []
        self._find()

    def _find(self) -> None:
        """Functions of real work some parameters of which seem to be of no use."""
        for keys in self._simple.by_name.values():
            symbol = self._index.graph.symbol(keys[0])
            if len(keys) > 1 or symbol is None or symbol.is_class or keys[0] in self._simple.keys:
                continue
            if self._index.parse_states[symbol.path] is not ParseState.PARSED:
                continue
            if self._simple.is_live(symbol) and self._may_be_idle(symbol):
                self._simple.tracked.add(keys[0])
        for symbol in self._index.graph.symbols:
            if symbol.name.endswith(".__init__") and self._simple.is_live(symbol):
                self._may_be_idle(symbol)

    def _may_be_idle(self, symbol: Symbol) -> bool:
        """Whether a function seems to do nothing with something that it is given by keyword."""
        own = self._statements(symbol.path)
        base = self._index.line_number(symbol.path, 1)
        row = symbol.first - 1
        while row < symbol.last - 1 and not own.codes[row].lstrip().startswith("def "):
            row += 1
        first = own.last(row) + 1
        if first >= symbol.last:
            return False  # all on one line
        head = " ".join(own.bare[row:first]).partition("(")[2]
        span = (first, symbol.last)
        spoken = self._lived.spoken
        hopes = Hopes(own, self._simple.working[symbol.path], spoken, base, span, returns=True)
        given: str | None = None
        found = False
        unread: set[str] = set()
        for match in _PARAMETER.finditer(head):
            stars, name = match[1], match[2]
            rows = [at for at in own.rows_of(name) if first <= at < symbol.last]
            if not rows and not name.startswith("_"):
                unread.add(name)
            if stars == "**":
                found = found or hopes.is_idle(name)
            elif all(base + at in spoken for at in rows):
                if given is None:
                    given = self._given_to(symbol)
                if re.search(rf"\b{name}\s*=(?!=)|[{{\[]|\bdict\(", given):
                    found = True
        if unread and not self._reads_all(own, symbol.first - 1, row, symbol.last):
            self._cut(symbol.path, own, range(row, first), unread)
        return found

    def _reads_all(self, own: Statements, top: int, head: int, end: int) -> bool:
        """Whether a function, or what decorates it, may read all that it is given unnamed."""
        if any(
            code.lstrip().startswith("@") and not _PASSING_ON.match(code)
            for code in own.codes[top:head]
        ):
            return True
        return any(_READS_ALL.search(code) for code in own.codes[head:end])

    def _cut(self, path: str, own: Statements, head: range, unread: set[str]) -> None:
        """Parameters that their function does not read, with plain default values."""
        for row in head:
            code = own.codes[row]
            for match in _DEFAULT.finditer(code):
                if match[1] in unread:
                    start, end = (len(code[:at].encode()) for at in match.span())
                    self.cuts.append((path, (row, start, row, end)))

    def _given_to(self, symbol: Symbol) -> str:
        """The code of the calls of a function."""
        found: list[str] = []
        for path, line in self._simple.calls[symbol.key][:_MOST_CALLS]:
            call = Call(symbol.name, line, symbol.key)
            text = self._statements(path).text_from(call)
            found.append(text[: max(0, call_end(text))])
        return "\n".join(found)
