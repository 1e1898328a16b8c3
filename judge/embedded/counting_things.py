"""Small numbers that count something in a claim, and that code gives to something else.

`"GSM8K_adapted": 8` holds no eight GPUs, though the claim speaks of GSM8K too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from judge.embedded.acting_numbers import given_on
from judge.embedded.mentions import name_words
from judge.embedded.survey import Survey
from retrieval.aliases import aliases_of
from retrieval.numbers import token_values
from retrieval.query import Value
from retrieval.words import TOKEN, join, stem

__all__ = ["not_of_others"]

_COUNTED = re.compile(
    r"[ -](?:(?!(?:and|or|with|for|of|on|in|to)\b)[\w-]+ ){0,2}?([A-Za-z]{2,}s)\b"
)
_NAME = re.compile(r"[a-z][A-Z]|[A-Z]{2}|[A-Za-z]\d")
_MACHINES = frozenset(("gpu", "tpu", "npu", "cpu", "node", "machin", "accelerat", "devic"))
_OF_MACHINES = frozenset(
    map(stem, ("gpu", "gpus", "tpu", "device", "devices", "nproc", "proc", "world", "node", "nodes",
               "nnodes", "process", "processes", "workers", "machines", "ngpus", "cores", "ranks"))
)  # fmt: skip


def not_of_others(survey: Survey, value: Value, lines: Sequence[int], text: str) -> Sequence[int]:
    """The lines that hold a number, without those that give it to what the claim does not count.

    All of them where the claim counts nothing by it.

    Args:
        survey: The repository.
        value: The number.
        lines: Live lines, over all files from 0.
        text: The claim.
    """
    counted = _counted(text, value.written.strip())
    if not counted:
        return lines
    names = _names(text) - counted
    near = frozenset(value.near) - names | counted
    given = given_on(survey)
    wanted = {value.term[1:], *(also[1:] for also in value.also)}
    kept: list[int] = []
    for line in lines:
        own = [fact for fact, form in given.get(line, ()) if form in wanted]
        if own and all(_is_of_another(fact.name, near, names) for fact in own):
            code = survey.index.code_of(*survey.place(line))
            held = sum(
                not wanted.isdisjoint(token_values(token))
                for token in TOKEN.findall(code[:_WIDEST])
                if token[0].isdigit()
            )
            if held <= len(own):
                continue
        kept.append(line)
    return kept


_WIDEST = 400


def _is_of_another(name: str, near: frozenset[str], names: frozenset[str]) -> bool:
    """Whether a dotted name shares names alone with what is said of a number."""
    words = {word for part in name.split(".") for word in (join(part), *name_words(part))}
    return words.isdisjoint(near) and not words.isdisjoint(names)


@lru_cache(maxsize=8192)
def _counted(text: str, written: str) -> frozenset[str]:
    """The terms of what a number counts wherever the claim has it; none where it counts nothing."""
    found: set[str] = set()
    for end in _ends(text, written):
        match = _COUNTED.match(text, end)
        if match is None:
            return frozenset()
        for token in TOKEN.findall(match[0]):
            found |= name_words(token) | {join(token), *aliases_of(join(token))}
    return frozenset(found | _OF_MACHINES if found & _MACHINES else found)


def _ends(text: str, written: str) -> Iterator[int]:
    """Where a number that stands by itself ends in a text."""
    start = text.find(written)
    while start >= 0:
        end = start + len(written)
        before, after = text[max(0, start - 1) : start], text[end : end + 2]
        inside = after[:1].isalnum() or (after[:1] in {".", ","} and after[1:].isdigit())
        if not (before.isalnum() or before in {".", "_"} or inside):
            yield end
        start = text.find(written, end)


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    """The terms of the names that a claim has, of data sets, methods and the like."""
    return frozenset(
        term
        for token in TOKEN.findall(text)
        if _NAME.search(token)
        for term in (join(token), *name_words(token))
    )
