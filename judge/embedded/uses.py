"""Where a line of code uses a name: as an attribute, as a key, by itself, or only to set it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

__all__ = ["Use", "Way", "is_spoken", "uses_in"]


class Way(IntEnum):
    """How a name is used."""

    NAME = 0  # by itself
    ATTRIBUTE = 1
    KEY = 2  # as a string
    TEXT = 3  # as one of the words of a string
    SET = 4  # it is given a value: a target, a keyword, a key of a dictionary, an option's name


class Use(NamedTuple):
    """A name in a line.

    Attributes:
        name: As it stands there, `-` as `_`.
        way: How it is used.
        of: The last name before it (`training` for `cfg.training.lr`); empty where there is none.
        start: Its column.
        end: The column behind it.
    """

    name: str
    way: Way
    of: str
    start: int
    end: int


# The quote and the text are groups 2 and 3; nothing in it can be matched in two ways.
_PIECE = re.compile(r"([fF]?)[rRbBuU]?(['\"])((?:\\.|(?!\2)[^\\])*)\2|[A-Za-z_]\w*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_LETTER = re.compile(r"\w")
_KEY = re.compile(r"[A-Za-z_][\w-]*\Z")
_DOTTED = re.compile(r"[A-Za-z_][\w.-]*\Z")
_HOLE = re.compile(r"\{([^{}]*)\}")
_OWNER = re.compile(r"(\w+)(?:['\"]\])?\Z")
_ASKED = re.compile(r"(\w+)(?:['\"]\])?\s*(?:\[|\.(?:get|pop|setdefault)\()\s*\Z")
_GETATTR = re.compile(r"\b(?:getattr|hasattr)\(\s*(?:\w+\.)*(\w+)\s*,\s*\Z")
_TARGET = re.compile(r"\s*(?:[A-Za-z_][\w.\[\]'\"]*)\Z")
_IS_SET = re.compile(r"\s*(?::[^=()]*)?=(?!=)")
_SET_ALONE = re.compile(r"\s*=(?!=)")
_SPEECH = re.compile(
    r"\s*(?:print|pprint|logging\.\w+|(?:self\.)?_?logger\.\w+|log\.(?:info|debug|warning)"
    r"|warnings\.warn|raise|assert|tqdm\.write|(?:self\.)?console\.\w+|click\.echo|rprint"
    r"|wandb\.init|wandb\.config\.update|mlflow\.log_params?|st\.write|echo)\b"
)


def is_spoken(code: str, column: int = -1) -> bool:
    """Whether a line only tells, records or asserts what it names.

    Args:
        code: The line without its comments.
        column: Of the name; what is given to a call on the way there is worked with. -1 for none.
    """
    speech = _SPEECH.match(code)
    if speech is None:
        return False
    return _CALL.search(code, speech.end(), max(column, speech.end())) is None


def uses_in(code: str, wanted: str) -> Iterator[Use]:
    """The uses of a name in a line without its comments, from left to right.

    Args:
        code: The line.
        wanted: The name in lower case, with `_` and not `-`; upper case in the line is the same.
    """
    size = len(wanted)
    if '"' not in code and "'" not in code:
        low = code.lower()
        start = low.find(wanted)
        while start >= 0:
            end = start + size
            around = low[max(0, start - 1) : start] + low[end : end + 1]
            if not around or (around.isascii() and not _LETTER.search(around)):
                yield _named(code, code[start:end], start, end)
            start = low.find(wanted, end)
        return
    for match in _PIECE.finditer(code):
        text = match[3]
        if text is None:
            start, end = match.span()
            if end - start == size and match[0].lower() == wanted:
                yield _named(code, match[0], start, end)
        elif len(text) >= size and wanted in text.lower().replace("-", "_"):
            for use in _quoted(code, match, wanted):
                if use.name.lower() == wanted:
                    yield use


def _named(code: str, name: str, start: int, end: int) -> Use:
    if code[:start].rstrip().endswith("."):
        owner = _OWNER.search(code[:start].rstrip()[:-1])
        target = _IS_SET.match(code, end) and _TARGET.match(code[:end])
        way = Way.SET if target else Way.ATTRIBUTE
        return Use(name, way, owner[1] if owner else "", start, end)
    alone = not code[:start].strip()
    is_set = (_IS_SET if alone else _SET_ALONE).match(code, end)
    if is_set is None and alone and code[end:].lstrip().startswith(":"):
        is_set = _IS_SET.match("=")  # a field or an argument that is only declared
    return Use(name, Way.SET if is_set else Way.NAME, "", start, end)


def _quoted(code: str, match: re.Match[str], wanted: str) -> Iterator[Use]:
    text, start, end = match[3], match.start(), match.end()
    if match[1] and "{" in text:
        for hole in _HOLE.finditer(text):
            shift = match.start(3) + hole.start(1)
            for use in uses_in(hole[1], wanted):
                yield use._replace(start=use.start + shift, end=use.end + shift)
        return
    if text.startswith("-"):
        yield Use(text.lstrip("-").replace("-", "_"), Way.SET, "", start, end)
    elif _KEY.match(text):
        name = text.replace("-", "_")
        before, behind = code[:start], code[end:].lstrip()
        asked = _ASKED.search(before) or _GETATTR.search(before)
        if before.rstrip().endswith("[") and behind.startswith("]"):
            target = _IS_SET.match(behind, 1) and _TARGET.match(before.rstrip()[:-1])
            way = Way.SET if target else Way.KEY
        else:
            pair = behind.startswith(":") and before.rstrip()[-1:] in {"", "{", ","}
            way = Way.SET if pair else Way.KEY
        yield Use(name, way, asked[1] if asked else "", start, end)
    elif _DOTTED.match(text):
        owner = ""
        for part in _WORD.findall(text.replace("-", "_")):
            yield Use(part, Way.KEY, owner, start, end)
            owner = part
    elif len(text.split()) <= _FEW_WORDS:
        for part in _WORD.findall(text):
            yield Use(part, Way.TEXT, "", start, end)


_FEW_WORDS = 3
_CALL = re.compile(r"\w\(")
