"""Which of a repository's own functions change anything, told from their text.

What a function returns is no effect. What cannot be told counts as one: nothing that may act is to
be taken for idle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import IntEnum

from judge.embedded.statements import Statements
from retrieval.graph import Symbol
from retrieval.index import Index
from retrieval.values import ParseState

__all__ = ["Effect", "Effects", "is_meant", "is_pure_library", "sends_result"]


class Effect(IntEnum):
    """What running a function leaves behind, its result aside."""

    NOTHING = 0
    TELLS = 1  # it only prints or asserts what it is given, which is nothing where that is constant
    ACTS = 2


_PURE_NAMES = """
abs all any bool bytes complex dict divmod enumerate float format frozenset getattr
hasattr hash id int isinstance issubclass len list max min object range repr reversed
round set slice sorted str sum tuple type zip ValueError TypeError RuntimeError
"""
_PURE = frozenset(_PURE_NAMES.split())
_WORDS_NAMES = """
if elif else while for in is not and or return assert lambda with try except finally from import
as def class pass match case
"""
_WORDS = frozenset(_WORDS_NAMES.split())
# Methods of numbers, texts, tensors and tables that give something and change nothing.
_GIVING_NAMES = """
mean sum std var min max abs exp sqrt pow norm softmax log_softmax sigmoid tanh relu view
reshape size item detach cpu float long int double half bool t transpose permute unsqueeze
squeeze matmul mm bmm clamp clip flatten contiguous argmax argmin argsort sort topk gather
expand expand_as repeat dim numel masked_fill where eq ne lt le gt ge all any prod cumsum
split join format lower upper strip lstrip rstrip startswith endswith get items keys values
copy clone tolist numpy astype dot round median quantile index count title capitalize
"""
_GIVING = frozenset(_GIVING_NAMES.split())
_LIBRARIES = frozenset(
    {"math", "cmath", "torch", "numpy", "scipy", "sklearn", "jax", "einops", "statistics",
     "itertools", "functools", "collections", "fractions", "decimal", "dataclasses", "typing",
     "time"}
)  # fmt: skip
# What a library does beside giving a result.
_CHANGING = re.compile(
    r"_\Z|seed|save|load|dump|set_|use_|enable|disable|init|print|write|download|barrier|backward"
    r"|step|hook|compile|show|shuffle|put|fill|copyto|testing|utils\.|distributed|cuda|backends"
    r"|\bat\b|seterr|assert|inplace|optimize|register|profiler|multiprocessing|manual|callback|onnx"
    r"|config|apply|functools\.reduce\b"
)
# Arguments that say where a result goes.
_INTO = re.compile(r"\bout\s*=(?!=)|\binplace\s*=\s*True\b")
# Methods that change lists and modules in place, and whose results are of use for tensors alone.
_IN_PLACE = re.compile(r"\s*([A-Za-z_]\w*)[\w.\[\]]*\.(?:sort|half|float|double|cpu|bool)\(")
# What makes more of making an object than its constructor says.
_MAKES_MORE = re.compile(r"\.setter\b|\bdef\s+__(?:new|del|setattr|post_init)__")
_LOOPS = re.compile(r"\bfor\b([\w\s,()*]+?)\bin\b")
_OTHER_NAME = re.compile(r"([A-Za-z_]\w*)[\w.]*(?:\[[\w.:,\s]*\])?\Z")
_KEPT = re.compile(r"\b(?:yield|global|nonlocal|await|raise|del|super|exec|eval|locals|vars)\b|:=")
_DEF = re.compile(r"\s*def\s+\w+\s*\(")
_DECORATED = re.compile(
    r"\s*@(?:staticmethod|classmethod|torch\.(?:no_grad|inference_mode)\(\)|(?:functools\.)?"
    r"(?:lru_cache|cache)\b|(?:torch\.)?jit\.script|jax\.jit|jit\b)"
)
_BEHIND_HEAD = re.compile(r"\)\s*(?:->[^:]+)?:\s*(\S.*)\Z")
_HEAD_WORD = re.compile(r"\s*(?:if|elif|while|return|assert|for|with|else|try|except|finally)\b")
_ASSIGNED = re.compile(r"\s*([^=]*?)\s*([-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)\s*(.*)\Z")
_CALLED = re.compile(r"(\.?[A-Za-z_]\w*(?:\.\w+)*)\s*\(|([)\]])\s*\(")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_HOLE = re.compile(r"\{([^{}]*)\}")
_TELLS = (
    r"(?:print|pprint|(?:(?:self\.)?_?(?:logging|logger|log))\.(?:debug|info|warn(?:ing)?|error"
    r"|critical|exception|log)|warnings\.warn)"
)
_SPEAKS = re.compile(rf"\s*(?:{_TELLS}|assert)\b")
_TELLING = re.compile(rf"{_TELLS}\Z")
# What is made on the spot and holds nothing of others.
_FRESH = re.compile(
    r"[\[{'\"]|-?\d|(?:dict|list|set|defaultdict|OrderedDict|Counter|deque)\("
    r"|(?:np|numpy|torch|jnp)\.(?:zeros|ones|empty|full|arange|linspace|rand\w*|tensor|array|eye)\("
)
_LONGEST = 400  # lines; what is longer acts
_DEEPEST = 24  # calls in calls; what lies deeper acts


def is_pure_library(whole: str) -> bool:
    """Whether a library's function, by its dotted name, does nothing but give a result."""
    return whole.partition(".")[0] in _LIBRARIES and _CHANGING.search(whole) is None


def sends_result(text: str) -> bool:
    """Whether an argument says where a result goes: `out=x`, `inplace=True`."""
    return _INTO.search(text) is not None


def is_meant(statements: Statements, caller: Symbol, name: str, target: str) -> bool:
    """Whether a call surely means the symbol that its name leads to.

    `loss.backward()` leads to any method of that name, whatever `loss` is.
    """
    head, dot, _ = name.rpartition(".")
    if not dot:
        return True
    path, _, found = target.partition("::")
    owner = found.rpartition(".")[0]
    if head in {"self", "cls"}:
        return bool(owner) and path == caller.path and caller.name.startswith(f"{owner}.")
    if not owner:
        return bool(statements.resolve(name))
    if not head.isidentifier():
        return False
    made = statements.given_to(head)
    return len(made) == 1 and re.match(rf"(?:\w+\.)*{re.escape(owner)}\(", made[0]) is not None


class Effects:
    """The effects of a repository's own functions, each told once."""

    def __init__(self, index: Index, statements: Callable[[str], Statements]) -> None:
        self._index = index
        self._statements = statements
        self._known: dict[str, Effect] = {}
        self._open: list[str] = []  # what is being told, the innermost last

    def of(self, key: str) -> Effect:
        """What the function or class of a key leaves behind when it is called."""
        known = self._known.get(key)
        if known is None:
            if self._open and self._open[-1] == key:
                return Effect.NOTHING  # of what calls itself the rest tells
            if key in self._open or len(self._open) >= _DEEPEST:
                return Effect.ACTS  # of functions that call each other none is told alone
            self._open.append(key)
            known = self._tell(key)
            self._open.pop()
            self._known[key] = known
        return known

    def _tell(self, key: str) -> Effect:
        symbol = self._index.graph.symbol(key)
        if symbol is None or symbol.name in {"", "main"}:
            return (
                Effect.ACTS
            )  # what a program as a whole gives may be looked at by whoever runs it
        if self._index.parse_states[symbol.path] is not ParseState.PARSED:
            return Effect.ACTS  # the rest of it may be lost
        if symbol.is_class:
            return self._of_class(symbol)
        return _Reading(self, self._statements(symbol.path), symbol).effect()

    def _of_class(self, symbol: Symbol) -> Effect:
        """Of making one: what its constructor keeps in itself is gone with it."""
        codes = self._statements(symbol.path).codes[symbol.first - 1 : symbol.last]
        if codes[0].lstrip().startswith("@") or any(map(_MAKES_MORE.search, codes)):
            return Effect.ACTS
        bases = symbol.header.partition("(")[2].rstrip("): ")
        if bases and bases not in {"nn.Module", "torch.nn.Module", "Module", "object"}:
            return Effect.ACTS
        made = self._index.graph.symbol(f"{symbol.path}::{symbol.name}.__init__")
        if made is None:
            return Effect.NOTHING
        return _Reading(self, self._statements(made.path), made, own=True).effect()


class _Reading:
    """One function, read statement by statement."""

    def __init__(
        self, effects: Effects, statements: Statements, symbol: Symbol, *, own: bool = False
    ) -> None:
        self._effects = effects
        self._statements = statements
        self._symbol = symbol
        self._own = own  # what it keeps in `self` is no effect
        self._targets = {call.name: call.target for call in symbol.calls}
        self._arguments: set[str] = set()
        self._given: set[str] = set()
        self._fixed: set[str] = {"True", "False", "None"}
        self._fresh: set[str] = {"self"} if own else set()
        self._others: set[str] = set()  # names of what others may hold, too

    def effect(self) -> Effect:
        """The greatest effect of its statements."""
        symbol, bare = self._symbol, self._statements.bare
        if symbol.last - symbol.first > _LONGEST:
            return Effect.ACTS
        row = symbol.first - 1
        while row < symbol.last and not _DEF.match(bare[row]):
            if bare[row].strip() and not _DECORATED.match(bare[row]):
                return Effect.ACTS
            row += 1
        if row >= symbol.last:
            return Effect.ACTS
        last = self._statements.last(row)
        head = " ".join(bare[row : last + 1])
        self._arguments = {name for name in _NAME.findall(head) if name != symbol.name}
        self._given = set(self._arguments)
        found = Effect.NOTHING
        inline = _BEHIND_HEAD.search(bare[last])
        if inline is not None:
            found = self._statement(inline[1], inline[1])
        at = last + 1
        while at < symbol.last and found is not Effect.ACTS:
            end = at
            if bare[at] and not bare[at].isspace():
                end = self._statements.last(at)
                rows = slice(at, end + 1)
                codes = self._statements.codes
                found = max(found, self._statement(" ".join(bare[rows]), " ".join(codes[rows])))
            at = end + 1
        return found

    def _statement(self, bare: str, code: str) -> Effect:
        if _KEPT.search(bare):
            if self._own and "super().__init__(" in bare:
                bare = bare.replace("super().__init__(", "dict(")
            if _KEPT.search(bare):
                return Effect.ACTS
        for loop in _LOOPS.finditer(bare) if "for" in bare else ():
            for name in _NAME.findall(loop[1]):
                self._forget(name)
        if "(" in bare and not all(map(self._is_idle, _CALLED.finditer(bare))):
            return Effect.ACTS
        if (place := _IN_PLACE.match(bare)) is not None and place[1] not in self._fresh:
            return Effect.ACTS
        if sends_result(bare):
            return Effect.ACTS
        if _SPEAKS.match(bare):
            return self._speech(bare, code)
        if "=" in bare and not _HEAD_WORD.match(bare):
            match = _ASSIGNED.match(bare)
            if match is not None and match[1][-1:] not in {"<", ">", "!"}:
                return self._store(match[1], match[2] or "", match[3])
        return Effect.NOTHING

    def _is_idle(self, call: re.Match[str]) -> bool:
        name = call[1]
        if name is None:
            return False  # what something gives is called
        if name in _PURE or name in _WORDS or _TELLING.match(name):
            return True
        target = self._targets.get(name, "")
        if target and is_meant(self._statements, self._symbol, name, target):
            return self._effects.of(target) is Effect.NOTHING
        head, _, last = name.rpartition(".")
        if head and head in self._fresh and head != "self":
            return True
        if whole := self._statements.resolve(name):
            return is_pure_library(whole)
        return "." in name and last in _GIVING

    def _speech(self, bare: str, code: str) -> Effect:
        """What is told: of constants it is nothing, and of what was worked out it acts."""
        match = _SPEAKS.match(bare)
        told = bare[match.end() :] if match is not None else bare
        names = {call[1] for call in _CALLED.finditer(told)} - _PURE
        if names:
            return Effect.ACTS
        holes = " ".join(_HOLE.findall(code)) if "{" in code else ""
        read = set(_NAME.findall(f"{told} {holes}")) - self._fixed - _PURE - _WORDS
        if not read:
            return Effect.NOTHING
        return Effect.TELLS if read <= self._given else Effect.ACTS

    def _store(self, target: str, sign: str, given: str) -> Effect:
        name = target.partition(":")[0].strip()
        if not name.isidentifier():
            return Effect.NOTHING if all(map(self._is_own, _targets(target))) else Effect.ACTS
        if sign:
            self._fixed.discard(name)
            self._given.discard(name)
            shared = name in self._arguments or name in self._others
            return Effect.ACTS if shared else Effect.NOTHING
        self._forget(name)
        self._arguments.discard(name)
        other = _OTHER_NAME.match(given)
        if other is not None and other[1] not in self._fixed and other[1] not in self._fresh:
            self._others.add(name)
        if "(" not in given:
            read = set(_NAME.findall(given)) - self._fixed - _WORDS
            if read <= self._given:
                (self._given if read else self._fixed).add(name)
        if _FRESH.match(given):
            self._fresh.add(name)
        return Effect.NOTHING

    def _forget(self, name: str) -> None:
        for known in (self._fixed, self._given, self._fresh, self._others):
            known.discard(name)

    def _is_own(self, target: str) -> bool:
        """Whether a target is a name, or part of something that was made here."""
        base = _NAME.match(target)
        if base is None:
            return False
        return base.end() == len(target) or base[0] in self._fresh


def _targets(text: str) -> Iterator[str]:
    for part in text.strip(" ()").split(","):
        if part.strip():
            yield part.strip().lstrip("*(").rstrip(")")
