"""Which names of a function or module nothing seems to work with, told from its text alone.

It is told in a moment, and says of most code that it need not be looked at closely.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence

from judge.embedded.statements import Statements, holds

__all__ = ["CONSTANT", "GIVEN", "WALRUS", "Hopes", "begin_of", "is_bound"]

GIVEN = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::[^=()]*)?=(?!=)")
"""A name is given something."""
WALRUS = re.compile(r"\(\s*([A-Za-z_]\w*)\s*:=")
"""A name is given something in an expression."""
CONSTANT = re.compile(
    r"\s*(?:[\d'\"{\[(-]|True\b|False\b|None\b|lambda\b|[fr]['\"]"
    r"|(?:dict|list|tuple|set|defaultdict|OrderedDict|SimpleNamespace|Namespace|\w+\.Namespace"
    r"|\w+\.SimpleNamespace|Counter|deque|str|int|float)\()"
)
"""What begins like a constant, or like something that holds constants."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_ACTS = re.compile(r"\s*(?:return|yield|raise|await|with|if|elif|while|self|cls)\b")
_LEAVES = re.compile(r"\s*(?:return|yield|raise|await|with|self|cls)\b")
_TEST = re.compile(r"\s*(?:if|elif|while)\s+(?!__name__)(.*):")
_TRUTHS = frozenset({"not", "and", "or", "True", "False", "None"})
_TIMES_NOUGHT = re.compile(r"\*\s*0(?:\.0*)?(?![\w.])|(?<![\w.*])0(?:\.0*)?\s*\*(?!\*)")
_PLAIN = re.compile(r"\s*(?:[\d.]+|True|False|None)\s*\Z")
_TARGETS = re.compile(r"([\w\s,*]+?)(?::[^=()]*)?=(?!=)")
_HEADS = re.compile(r"def\b[^(]*(\(.*)")
_LOOP = re.compile(r"\s*for\b([^:]*?)\bin\b")
_HEAD = re.compile(r"\s*([A-Za-z_]\w*)\s*(?=[.\[=:(,+*/%|&^-])")
_KEYWORDS = frozenset({"for", "print", "assert", "else", "try", "len", "del"})
_OPEN = frozenset(",\\([{+-*/=|&")
_CLOSE = frozenset(")]},")
_LONGEST_STATEMENT = 60  # lines
_FARTHEST = 400  # lines above that are looked at for conditions
_MOST_NAMES = 40  # what is handed on by way of more is looked at closely
_WIDEST = 400  # characters of a line


class Hopes:
    """Which names of a function or module nothing seems to work with, told from the text alone."""

    def __init__(
        self,
        own: Statements,
        working: Container[int],
        spoken: Container[int],
        base: int,
        span: tuple[int, int],
        *,
        returns: bool = False,
        inner: Sequence[tuple[int, int]] = (),
    ) -> None:
        self._inner = inner  # the functions and classes of a module
        self._returns = returns
        self._own = own
        self._working = working
        self._spoken = spoken
        self._base = base
        self._span = span
        self._known: dict[str, bool] = {}
        self._others: dict[tuple[str, int], bool] = {}

    def is_idle(self, name: str) -> bool:
        """Whether a name is only told, or handed on to such names."""
        known = self._known
        if name not in known:
            known[name] = True  # also of what is handed on in a ring
            stack = [name]
            met = [name]
            idle = True
            while stack and idle and len(met) < _MOST_NAMES:
                for other in self._handed(stack.pop()):
                    if other is None or known.get(other) is False:
                        idle = False
                        break
                    if other not in known:
                        known[other] = True
                        stack.append(other)
                        met.append(other)
            if not idle:
                for other in met:
                    del known[other]
                known[name] = False
        return known[name]

    def _is_anothers(self, name: str, row: int) -> bool:
        """Whether a line of a module is in a function that has a name of its own."""
        place = bisect_right(self._inner, (row, len(self._own.codes))) - 1
        if place < 0 or row >= self._inner[place][1]:
            return False
        known = self._others.get((name, place))
        if known is None:
            first, last = self._inner[place]
            rows = self._own.rows_of(name)
            rows = rows[bisect_left(rows, first) : bisect_left(rows, last)]
            known = is_bound(name, [self._own.codes[at] for at in rows])
            self._others[name, place] = known
        return known

    def acts(self, row: int) -> bool:
        """Whether a line plainly works with what it names, or gives it to what is worked with."""
        own = self._own
        if self._base + row in self._spoken:
            return False
        begin = begin_of(own.codes, row)
        if self._base + begin in self._spoken:
            return False
        code = own.codes[begin]
        head = GIVEN.match(code)
        if any(at + 1 in self._working for at in range(begin, row + 1)) or _LEAVES.match(code):
            return not self._is_behind(begin)
        return head is not None and not (self.is_idle(head[1]) or self._is_behind(begin))

    def _is_behind(self, row: int) -> bool:
        """Whether a line stands behind a condition of constants alone."""
        codes = self._own.codes
        depth = len(codes[row]) - len(codes[row].lstrip())
        least = max(self._span[0], row - _FARTHEST)
        while row > least and depth:
            row -= 1
            code = codes[row]
            own = len(code) - len(code.lstrip())
            if not code.strip() or own >= depth:
                continue
            depth = own
            if (test := _TEST.match(code)) is not None:
                names = set(_WORD.findall(test[1])) - _TRUTHS
                if all(self._is_constant(name) for name in names):
                    return True
        return False

    def _is_constant(self, name: str) -> bool:
        """Whether a name is given one plain number and nothing else."""
        given = [
            match.end()
            for at in self._own.rows_of(name)
            if (match := GIVEN.match(self._own.codes[at])) is not None
            and match[1] == name
            and _PLAIN.match(self._own.codes[at], match.end())
        ]
        return len(given) == 1

    def _handed(self, name: str) -> Iterator[str | None]:
        """The names that a name is handed on to; `None` for what works with it."""
        own, (first, last) = self._own, self._span
        for row in own.rows_of(name):
            if not first <= row < last:
                continue
            if self._inner and self._is_anothers(name, row):
                continue
            if ":=" in own.codes[row] and WALRUS.search(own.codes[row]) is not None:
                continue  # looked at by what it says
            begin = begin_of(own.codes, row)
            if any(at + 1 in self._working for at in range(begin, row + 1)):
                yield None
                return
            if self._base + row in self._spoken:
                continue
            code = own.codes[begin]
            if _TIMES_NOUGHT.search(code):
                continue
            if self._returns and code.lstrip().startswith("return "):
                continue
            if _ACTS.match(code):
                yield None
                return
            if loop := _LOOP.match(code):
                yield from (word for word in _WORD.findall(loop[1]) if word != name)
                continue
            head = _HEAD.match(code)
            if head is not None and head[1] != name and head[1] not in _KEYWORDS:
                yield head[1]


def begin_of(codes: Sequence[str], row: int) -> int:
    """About the row where a statement begins: one above that does not go on below."""
    least = max(0, row - _LONGEST_STATEMENT)
    above = row - 1
    while above >= least:
        code = codes[above].rstrip()
        if code:
            if code[-1] not in _OPEN and codes[row].lstrip()[:1] not in _CLOSE:
                break
            row = above
        above -= 1
    return row


def is_bound(name: str, codes: Sequence[str]) -> bool:
    """Whether a function has a name of its own, by those of its lines that hold it."""
    if any("global" in code for code in codes):
        return False
    for line in codes:
        code = line.strip()[:_WIDEST]
        for pattern in (_TARGETS, _LOOP, _HEADS):
            bound = pattern.match(code)
            if bound is not None and holds(name, bound[1]):
                return True
    return False
