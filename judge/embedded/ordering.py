"""The order in which a repository's code runs, as far as it can be read off."""

from __future__ import annotations

from bisect import bisect_right

from judge.embedded.survey import Kept, Survey

__all__ = ["Trace", "trace_of"]

_MAX_EVENTS = 20_000
_MAX_DEPTH = 24


class Trace:
    """When each block is first run, walking from the entry points through calls in text order."""

    def __init__(self, survey: Survey) -> None:
        graph = survey.index.graph
        self._events: dict[int, tuple[list[int], list[int]]] = {}
        self._clock = 0
        for path in graph.entry_points:
            self._walk(survey, f"{path}::")

    def _walk(self, survey: Survey, root: str) -> None:
        graph = survey.index.graph
        stack: list[tuple[str, int]] = [(root, 0)]
        while stack and self._clock < _MAX_EVENTS:
            key, position = stack.pop()
            symbol = graph.symbol(key)
            if symbol is None:
                continue
            number = survey.block_number(symbol.path, symbol.name)
            if position == 0:
                if number in self._events:
                    continue
                self._clock += 1
                self._events[number] = ([symbol.first], [self._clock])
            lines, times = self._events[number]
            calls = symbol.calls
            while position < len(calls):
                call = calls[position]
                position += 1
                self._clock += 1
                if call.line >= lines[-1]:
                    lines.append(call.line)
                    times.append(self._clock)
                if call.target and len(stack) < _MAX_DEPTH:
                    stack.append((key, position))
                    target = call.target
                    made = graph.symbol(target)
                    if made is not None and made.is_class:
                        target += ".__init__"
                    stack.append((target, 0))
                    break

    def time(self, block: int, line: int) -> int | None:
        """When a line of a block is first run; `None` where the walk never came there."""
        events = self._events.get(block)
        if events is None:
            return None
        lines, times = events
        return times[max(0, bisect_right(lines, line) - 1)]


_TRACES: Kept[Trace] = Kept()


def trace_of(survey: Survey) -> Trace:
    """The trace of a repository; made once."""
    known = _TRACES.get(survey)
    if known is None:
        known = _TRACES[survey] = Trace(survey)
    return known
