"""What code does around a piece that a claim quotes, and the claim does not say."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from judge.embedded.fragments import HEADS, Context
from judge.embedded.streams import Stream, code_tokens, is_identifier

__all__ = ["enclosed", "encloses", "spoilt"]


def spoilt(
    stream: Stream, place: int, tokens: Sequence[str], said: Context
) -> tuple[str, str] | None:
    """What the code does around a fragment that the claim does not say: (said, found)."""
    own, start, end = stream.tokens, place, place + len(tokens)
    behind = own[end : end + 2]
    if said.stopped:
        return None if _is_stopped(stream, start, end) else ("a stop-gradient", "none")
    if behind == [".", "detach"]:
        return "a gradient", "a stop-gradient"
    before = own[max(0, start - 2) : start]
    if tokens[0] not in HEADS and (before[-1:] == ["not"] or before == ["not", "("]):
        return "a condition", "its opposite"
    if said.whole and tokens[0] != "-" and _is_negated(stream, start):
        return "no sign", "a minus in front of it"
    if said.power:
        while own[end : end + 1] == [")"]:
            end += 1
        if own[end : end + 1] == ["**"]:
            sign = "-" if own[end + 1 : end + 2] == ["-"] else ""
            found = own[end + 1 + len(sign) : end + 2 + len(sign)]
            if found and found[0][0].isdigit() and sign + found[0] != _number(said.power):
                return f"the power {said.power}", f"the power {sign}{found[0]}"
    if said.added and not ({"+", "+="} & {*before[-1:], *behind[:1]}):
        return "an addition", "none"
    if said.used and _is_thrown_away(stream, start, end):
        return "the result", "nothing that reads it"
    return None


def _is_negated(stream: Stream, start: int) -> bool:
    """Whether all that a name is given, or a function returns, has a minus in front."""
    before = stream.tokens[max(0, start - 2) : start]
    return before in (["=", "-"], ["return", "-"])


def _number(written: str) -> str:
    """A number as `code_tokens` spells it, with its sign."""
    sign = "-" if written.startswith("-") else ""
    return sign + code_tokens(written.lstrip("-"))[0]


def _is_thrown_away(stream: Stream, start: int, end: int) -> bool:
    """Whether a call is a statement of its own."""
    line = stream.line(start)
    ends = stream.starts[line + 1 :] or [len(stream.tokens)]
    first = stream.starts[line] == start
    balanced = stream.tokens[:start].count("(") == stream.tokens[:start].count(")")
    return first and balanced and (end in ends or end == len(stream.tokens))


_STOPPING = frozenset({"detach", "detach_", "no_grad", "stop_gradient", "inference_mode", "sg"})


def _is_stopped(stream: Stream, start: int, end: int) -> bool:
    """Whether a gradient is stopped at a place: on its line, around it, or for what it names."""
    line = stream.line(start)
    last = stream.starts[line + 1] if line + 1 < len(stream.starts) else len(stream.tokens)
    if not _STOPPING.isdisjoint(stream.tokens[stream.starts[line] : max(last, end + 4)]):
        return True
    names = {token for token in stream.tokens[start:end] if is_identifier(token)}
    if line and stream.tokens[stream.starts[line] + 1 : stream.starts[line] + 2] == ["="]:
        names.add(stream.tokens[stream.starts[line]])
    for word in _STOPPING:
        for place in stream.where.get(word, ()):
            at = stream.line(place)
            head = stream.tokens[stream.starts[at]]
            if head == "@" or stream.tokens[place - 2] in names:
                return True
            if head == "with" and encloses(stream, at, line):
                return True
    return False


def encloses(stream: Stream, head: int, line: int) -> bool:
    """Whether a line stands in the body of another."""
    return head < line <= stream.body_ends()[head]


def enclosed(stream: Stream, heads: Sequence[int], places: Sequence[int]) -> list[bool]:
    """Whether each place stands in the body of a line that holds one of some others."""
    ends = stream.body_ends()
    lines = sorted({stream.line(head) for head in heads})
    reach = list(accumulate((ends[line] for line in lines), max))
    found: list[bool] = []
    for place in places:
        line = stream.line(place)
        before = bisect_left(lines, line)
        found.append(before > 0 and reach[before - 1] >= line)
    return found
