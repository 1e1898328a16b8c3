"""What a repository holds at a glance: its map, and the order of calls in its functions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from retrieval.absences import told_absences
from retrieval.index import Index
from retrieval.tokens import estimate_tokens
from retrieval.values import Role

__all__ = ["cut_calls", "ordered_calls", "repository_map"]

_TRIVIAL = re.compile(
    r"(?:print|len|range|str|int|float|bool|list|dict|tuple|set|super|isinstance|enumerate|zip|min|max"
    r"|sum|abs|round|sorted|any|all|hasattr|getattr|format|join|append|items|keys|values|get|split"
    r"|strip|info|debug|warning|shape|size|dim|item|to|cpu|cuda|detach|numpy|view|reshape|float32"
    r"|ValueError|RuntimeError|TypeError|KeyError|NotImplementedError|add_argument|extend|copy)\Z"
)
_MAX_CALLS = 24
_NEXT = " > "
_GOES_ON = f"{_NEXT}..."
_MAX_SCRIPTS = 2


def repository_map(index: Index, budget: int) -> str:
    """Files and their symbols, cut to a budget of tokens: files are named before their symbols.

    Marks: `(entry)` behind a file that is run, `-` before a symbol that no entry point reaches.
    Last stands what is imported and absent.
    """
    cached = index.maps.get(budget)
    if cached is None:
        cached = index.maps[budget] = _map(index, budget)
    return cached


def _map(index: Index, budget: int) -> str:
    absences = told_absences(index)
    told = _files_and_symbols(index, budget - sum(estimate_tokens(line) for line in absences))
    return "\n".join((told, *absences))


def _files_and_symbols(index: Index, budget: int) -> str:
    symbols: defaultdict[str, list[str]] = defaultdict(list)
    for symbol in index.symbols:
        if symbol.name and symbol.name.count(".") < 2:
            dead = index.reached(symbol.path, symbol.first) is False
            symbols[symbol.path].append(("-" if dead else "") + symbol.name)
    entries = set(index.graph.entry_points)
    heads: list[str] = []
    files = sorted(
        index.repository.files,
        key=lambda file: (file.role not in {Role.CODE, Role.CONFIG}, file.path),
    )
    for file in files:
        note = " (entry)" if file.path in entries else ""
        role = "" if file.role is Role.CODE else f" [{file.role.value}]"
        own = index.lines(file.path)
        # Behind the last line's end no other line begins.
        count = len(own) - (own[-1] == "")
        heads.append(f"{file.path}{role} {count} lines{note}")
    kept: list[str] = []
    left = budget
    for position, head in enumerate(heads):
        cost = estimate_tokens(head)
        if cost > left - 12:
            kept.append(f"... and {len(heads) - position} more files")
            return "\n".join(kept)
        kept.append(head)
        left -= cost
    # What is left goes to symbols, shared out evenly so that no file takes all.
    lines: list[str] = []
    waiting = sum(1 for file in files if symbols[file.path])
    for file, head in zip(files, kept, strict=True):
        lines.append(head)
        names = symbols[file.path]
        if not names:
            continue
        share = left // waiting
        waiting -= 1
        text, shown = "   ", 0
        for name in names:
            longer = f"{text} {name},"
            if estimate_tokens(longer) > share - 4:
                break
            text, shown = longer, shown + 1
        if shown:
            rest = len(names) - shown
            text = text.rstrip(",") + (f" (+{rest})" if rest else "")
            lines.append(text)
            left -= estimate_tokens(text)
    return "\n".join(lines)


def ordered_calls(index: Index, keys: Sequence[str], limit: int) -> tuple[str, ...]:
    """The calls of functions in the order of their text, one line a function.

    Before them come the scripts that run several files: their order is that of the phases.
    """
    lines: list[str] = []
    for key in dict.fromkeys((*index.graph.scripts[:_MAX_SCRIPTS], *keys)):
        line = index.call_lines.get(key)
        if line is None:
            line = index.call_lines[key] = _call_line(index, key)
        if not line:
            continue
        lines.append(line)
        if len(lines) == limit:
            break
    return tuple(lines)


def _call_line(index: Index, key: str) -> str:
    """The calls of one function in order; empty where that says nothing."""
    symbol = index.graph.symbol(key)
    if symbol is None or symbol.is_class:
        return ""
    calls = [
        f"{call.name} ({call.line})"
        for call in symbol.calls
        if call.target or not _TRIVIAL.match(call.name.rpartition(".")[2])
    ]
    if len(calls) < 2:
        return ""
    more = f"{_GOES_ON} {len(calls) - _MAX_CALLS} more" if len(calls) > _MAX_CALLS else ""
    name = symbol.name or ("module" if symbol.path in index.graph.paths else "script")
    return f"{symbol.path}:{symbol.first} {name}: {_NEXT.join(calls[:_MAX_CALLS])}{more}"


def cut_calls(line: str, budget: float) -> str:
    """The beginning of a line of calls that fits, marked as going on.

    Args:
        line: Of `ordered_calls`.
        budget: In tokens, less than the line takes.

    Returns:
        The line with as many calls as fit; empty where not even two do, as one has no order.
    """
    calls = line.split(_NEXT)
    left = budget - estimate_tokens(_GOES_ON)
    kept = 0
    for number, call in enumerate(calls[:-1]):
        left -= _cost(f"{_NEXT}{call}" if number else call)
        if left < 0:
            break
        kept += 1
    return _NEXT.join(calls[:kept]) + _GOES_ON if kept > 1 else ""


_cost = lru_cache(maxsize=16384)(estimate_tokens)
