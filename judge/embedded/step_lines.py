"""What a line of code calls, gives a name to and reads, and in which order parts of it run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.embedded.statements import indent_of
from judge.embedded.survey import Kept, Survey
from retrieval.words import TOKEN, token_terms

__all__ = ["Terms", "are_exclusive", "nested", "read_line", "summed_first"]

Terms = frozenset[str]

_HEAD = re.compile(r"\s*(?:async\s+def|def|class|@|from|import|global|nonlocal)\b")
_IDLE = re.compile(
    r"\s*(?:print|logg(?:er|ing)\.|self\.logg?(?:er)?\.|raise\b|assert\b|pass\b"
    r"|return\s+\w*\s*\Z|\"|'|\)|\]|\})"
)
_STRING = re.compile(r"(['\"])(?:\\.|(?!\1)[^\\])*\1")
_CALL = re.compile(r"[A-Za-z_][\w.]*(?=\s*\()")
_SUM = re.compile(r"[\w)\]]?\s\+\s(?!\d)")
_SUMMED = re.compile(r"[\w)\]]\s\+\s[\w.]*\Z|\+=\s*\Z")
_ELSE = re.compile(r"\s*(?:elif|else|except|case)\b")
_GIVEN = re.compile(r"\s*([\w.]+(?:\s*,\s*[\w.]+)*)\s*(?::[^=]*)?(?:[-+*/]?=)(?!=)")
_CONSTANT = re.compile(
    r"\s*(?:[-+]?[\d.e]+|None|True|False|\[\]|\{\}|''|float\(''\)|\[\s*\Z"
    r"|(?:self\.)?(?:config|cfg|args)\b[\w.\[\]']*)\s*\Z"
)
_DEEDS = """
load_state_dict state_dict zero_grad append add extend requires_grad_ items keys values save
"""
_OWN_DEED = frozenset(_DEEDS.split())  # what they are called of says nothing
_ASKS = re.compile(r"_*(?:count|check|has|is|find|num)_")  # what changes nothing
_ITEM = re.compile(r"\s*[A-Za-z_][\w.]*\(")
_VAIN = re.compile(
    r"\.(?:train|eval|to|cuda|cpu|parameters|state_dict)\("
    r"\s*(?:device|self\.device|True|False)?\s*\)\s*\Z"
    r"|\b(?:plt|ax|axes|wandb|writer|parser|os\.path|shutil)\.|\btqdm\("
    r"|\bset_(?:description|postfix)\("
)
_PLAIN = """
len range zeros ones print int float str list dict tuple set isinstance getattr get to item cpu cuda
numpy parameters device format
"""
_PLAIN_CALLS = frozenset(_PLAIN.split())
_LINES: Kept[dict[int, tuple[Terms, Terms, Terms]]] = Kept()
_NOTHING: tuple[Terms, Terms, Terms] = (frozenset(), frozenset(), frozenset())


def read_line(survey: Survey, row: int) -> tuple[Terms, Terms, Terms]:
    """The terms of what a line calls, of what it gives a value, and of what else it reads."""
    known = _LINES.setdefault(survey, {})
    found = known.get(row)
    if found is None:
        found = known[row] = _terms_on(survey.codes, row)
    return found


def _terms_on(codes: Sequence[str], row: int) -> tuple[Terms, Terms, Terms]:
    code = _STRING.sub("''", codes[row])
    if _is_idle(code) or _VAIN.search(code):
        return _NOTHING
    goes_on = row > 0 and codes[row - 1].rstrip().endswith(("(", "[", "{", ",", "+", "\\"))
    if goes_on and not _ITEM.match(code):
        return _NOTHING
    calls: set[str] = set()
    made = False
    for match in _CALL.finditer(code):
        name = match[0]
        if name.rpartition(".")[2] in _PLAIN_CALLS:
            continue
        path = name.split(".")
        if path[-1][:1].isupper() and not goes_on:
            made = True  # a constructor makes a thing and does not run it
            continue
        if _ASKS.match(path[-1]):
            continue
        for part in path[-1:] if path[-1] in _OWN_DEED or goes_on else path[-2:]:
            calls.update(token_terms(part))
    given: set[str] = set()
    if gives := _GIVEN.match(code):
        if (made and not calls) or _CONSTANT.match(code, gives.end()):
            return _NOTHING
        for token in TOKEN.findall(gives[1]):
            given.update(token_terms(token))
    read = {term for token in TOKEN.findall(code) for term in token_terms(token)}
    return frozenset(calls), frozenset(given), frozenset(read)


def _is_idle(code: str) -> bool:
    return _HEAD.match(code) is not None or _IDLE.match(code) is not None


def are_exclusive(codes: Sequence[str], early: int, late: int) -> bool:
    """Whether two lines stand in branches of which one alone is run."""
    least = indent_of(codes[early])
    for row in range(early + 1, late + 1):
        indent = indent_of(codes[row])
        if indent < least and codes[row].strip():
            if _ELSE.match(codes[row]):
                return indent < indent_of(codes[late])
            least = indent
    return False


def nested(code: str, terms: Sequence[Terms]) -> int:
    """Which of two calls on a line is run first: the one that the other is given."""
    bare = _STRING.sub("''", code)
    calls: list[tuple[int, int, set[int]]] = []
    for match in _CALL.finditer(bare):
        parts = set(token_terms(match[0].rpartition(".")[2])) | set(token_terms(match[0]))
        side = {n for n in (0, 1) if parts & terms[n]}
        if len(side) == 1:
            calls.append((match.start(), _closed(bare, match.end()), side))
    ones = [call for call in calls if call[2] == {0}]
    others = [call for call in calls if call[2] == {1}]
    if len(ones) != 1 or len(others) != 1:
        return 0
    (a, b, _), (c, d, _) = ones[0], others[0]
    if c < a < d:
        return 1
    if a < c < b:
        return -1
    return 0


def _closed(code: str, start: int) -> int:
    depth = 0
    for at in range(start, len(code)):
        if code[at] == "(":
            depth += 1
        elif code[at] == ")":
            depth -= 1
            if not depth:
                return at
    return len(code)


def summed_first(code: str, terms: Terms) -> int:
    """Whether a call of some name is given a sum (1), is a part of one (-1), or neither (0)."""
    bare = _STRING.sub("''", code)
    found = 0
    for match in _CALL.finditer(bare):
        if terms.isdisjoint(token_terms(match[0].rpartition(".")[2])):
            continue
        end = _closed(bare, match.end())
        here = 1 if _SUM.search(bare, match.end(), end) else 0
        if not here and (_SUM.match(bare, end + 1) or _SUMMED.search(bare[: match.start()])):
            here = -1
        if not here or found == -here:
            return 0
        found = here
    return found
