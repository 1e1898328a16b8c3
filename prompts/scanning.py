"""Finding passages of a graded repository that speak to the judge instead of to the machine.

What is found changes no level and hides nothing: it is told, so that a verdict which rests on such
a file can be looked at by a person. Fences, line numbers and checks are what keeps a judge safe;
this only says where somebody tried.

Text is compared as a stream of words: compatibility forms and look-alike letters folded, hidden
characters taken out, names cut at underscores and capitals, and all signs dropped, so that comment
marks, quotes, keys and line ends do not tell a sentence apart from itself.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from prompts.fencing import spell_out
from prompts.suspect_words import (
    GRADING,
    OTHER_TONGUES,
    PARTS,
    STEMS,
    STRONG_FENCES,
    TRIGGERS,
    WEAK_FENCES,
    WORDS,
)

__all__ = ["Suspicion", "scan"]

MAX_CHARACTERS = 2_000_000
"""Of one file; what is beyond was not written by a person for a reader."""

_MAX_FOUND = 50
_MAX_EXCERPT = 120


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A place that may be meant for the judge.

    Attributes:
        path: The file.
        line: The line, from 1.
        kind: `address`, `command`, `verdict`, `fence`, `hidden`, `encoded` or `split`.
        excerpt: A few words of it, hidden characters spelt out.
    """

    path: str
    line: int
    kind: str
    excerpt: str


_NAMED_PART = re.compile(
    r"\b(?:part|piece|chunk|frag|fragment|half|seg|segment|p) (?:\d|one|two|three|a|b)\b"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|[nrt])")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,4000}={0,2}")
_HEXED = re.compile(r"(?:[0-9a-fA-F]{2}){12,2000}")
_PERCENT = re.compile(r"(?:[\w.+-]{0,20}%[0-9A-Fa-f]{2}){3,}[\w.+-]*")
_CODES = re.compile(r"(?:\d{2,3}\s*,\s*){11,}\d{2,3}")
_LEET_WORD = re.compile(r"\b(?=\w*[a-z])(?=\w*[0134578])\w{4,}\b")
_HIDDEN = frozenset({"Cf", "Co", "Cs", "Zl", "Zp"})
_USUAL = "\ufeff\u200d\u00ad"
"""A mark at a file's head, a joiner inside an emoji, a soft hyphen: how people write."""
_JOINED = re.compile(
    r"(?<=[^\W\d_a-zA-Z\u00c0-\u024f])[\u200c\u200d](?=[^\W\d_a-zA-Z\u00c0-\u024f])"
)
"""A joiner or its contrary between two letters that are not Latin: how Persian and Hindi write."""
_TAGS = range(0xE0000, 0xE0080)
_LOOKALIKES = str.maketrans(
    "аеорсухікмтнвзбԁԛһԝɡııοανρτυικεχɑ", "aeopcyxikmtnb36dqhwgiioavptuikexa"
)
_LEET = str.maketrans("013457", "oieast")
_TURNED = frozenset(codecs.encode(word, "rot13") for word in TRIGGERS if len(word) > 4)
_NEAR = 30
_MAX_DECODED = 400


def scan(files: Iterable[tuple[str, str]]) -> tuple[Suspicion, ...]:
    """Look through a repository.

    Args:
        files: Path and text of each file.

    Returns:
        What was found, in the order of files and lines; no more than 50.
    """
    found: list[Suspicion] = []
    parts: list[tuple[int, Suspicion]] = []
    for path, text in files:
        text = text[:MAX_CHARACTERS]  # noqa: PLW2901 - a bound, not another value
        words = _Words(text)
        places = {(place.line, place.kind): place for place in _one_text(path, text, words)}
        found += (places[key] for key in sorted(places))
        # A path is a text too.
        found += [_at(path, 1, kind, path) for kind, _, _ in _in_words(_Words(path))][:1]
        if not places:
            parts += _fragments(path, words)
        if len(found) >= _MAX_FOUND:
            break
    kinds, holders = {kind for kind, _ in parts}, {place.path for _, place in parts}
    if not found and len(kinds) >= 2 and len(holders) >= 2:
        found += [place for _, place in parts]
    return tuple(found[:_MAX_FOUND])


class _Words:
    """A text as a list of words in lower case, with the line of the text that each came from."""

    def __init__(self, text: str) -> None:
        plain = text if text.isascii() else _folded(text)
        if "\\" in plain:
            plain = _ESCAPED.sub(_unescaped, plain)
        matches = list(_WORD.finditer(plain))
        self.words = [match.group().lower() for match in matches]
        self._plain = plain
        self._matches = matches

    def line(self, place: int) -> int:
        """The line of a word."""
        return self._plain.count("\n", 0, self._matches[place].start()) + 1

    def windows(self, triggers: frozenset[str]) -> Iterator[tuple[int, str]]:
        """Yield the neighbourhoods of some words: the first word's place, and the text."""
        end = 0
        start: int | None = None
        for place, word in enumerate(self.words):
            if word not in triggers:
                continue
            if start is not None and place - _NEAR > end:
                yield start, " ".join(self.words[start:end])
                start = None
            if start is None:
                start = max(0, place - _NEAR)
            end = place + _NEAR
        if start is not None:
            yield start, " ".join(self.words[start:end])


def _folded(text: str) -> str:
    """A text with compatibility forms and look-alikes as plain letters, and nothing hidden.

    Line ends stay where they are.
    """
    table: dict[int, str] = {}
    for character in set(text):
        code = ord(character)
        if code < 128:
            continue
        if code in _TAGS:
            table[code] = chr(code - 0xE0000)
        elif unicodedata.category(character) in {"Cf", "Mn", "Me"}:
            table[code] = ""
        else:
            table[code] = unicodedata.normalize("NFKC", character).translate(_LOOKALIKES)
    return text.translate(table)


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2)
    return chr(int(code, 16)) if code else " "


def _one_text(path: str, text: str, words: _Words) -> Iterator[Suspicion]:
    for kind, place, excerpt in _in_words(words):
        yield _at(path, words.line(place), kind, excerpt)
    for match in STRONG_FENCES.finditer(text):
        yield _at(path, _line(text, match.start()), "fence", match.group())
    for match in WEAK_FENCES.finditer(text):
        if GRADING.search(text, match.end(), match.end() + 300):
            yield _at(path, _line(text, match.start()), "fence", match.group())
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    lower = plain.lower()
    for match in OTHER_TONGUES.finditer(plain) if any(stem in lower for stem in STEMS) else ():
        yield _at(path, _line(plain, match.start()), "command", match.group())
    if not text.isascii():
        yield from _hidden(path, text)
    yield from _encoded(path, text, words)


def _in_words(words: _Words) -> Iterator[tuple[str, int, str]]:
    for start, window in words.windows(TRIGGERS):
        for kind, pattern in WORDS.items():
            for match in pattern.finditer(window):
                place = start + window.count(" ", 0, match.start())
                yield kind, place, window[match.start() :]


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _hidden(path: str, text: str) -> Iterator[Suspicion]:
    odd = {
        character
        for character in set(text)
        if unicodedata.category(character) in _HIDDEN and character not in _USUAL
    }
    if not odd:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not odd.isdisjoint(_JOINED.sub("", line)):
            yield _at(path, number, "hidden", line)


def _encoded(path: str, text: str, words: _Words) -> Iterator[Suspicion]:
    """Find text that is written in another alphabet for the same letters."""
    for pattern, decode in (
        (_BASE64, _from_base64),
        (_HEXED, _from_hex),
        (_CODES, _from_codes),
        (_PERCENT, unquote),
    ):
        if pattern is _PERCENT and "%" not in text:
            continue
        for count, match in enumerate(pattern.finditer(text)):
            if count == _MAX_DECODED:
                break
            plain = decode(match.group())
            if plain and _speaks(plain):
                yield _at(path, _line(text, match.start()), "encoded", plain)
    if not _TURNED.isdisjoint(words.words):
        turned = _Words(codecs.encode(text, "rot13"))
        for _, place, excerpt in _in_words(turned):
            yield _at(path, turned.line(place), "encoded", excerpt)
    lower = text.lower()
    if any(match.group().translate(_LEET) in TRIGGERS for match in _LEET_WORD.finditer(lower)):
        leet = _Words(_LEET_WORD.sub(lambda match: match.group().translate(_LEET), lower))
        for kind, place, excerpt in _in_words(leet):
            yield _at(path, leet.line(place), kind, excerpt)


def _speaks(plain: str) -> bool:
    return (
        any(True for _ in _in_words(_Words(plain)))
        or OTHER_TONGUES.search(plain) is not None
        or STRONG_FENCES.search(plain) is not None
    )


def _readable(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    fine = sum(character.isprintable() or character.isspace() for character in text)
    return text if fine > 0.95 * len(text) else ""


def _from_base64(text: str) -> str:
    body = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _readable(base64.b64decode(body + "=" * (-len(body) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _from_hex(text: str) -> str:
    return _readable(bytes.fromhex(text))


def _from_codes(text: str) -> str:
    numbers = [int(number) for number in text.split(",")]
    return "".join(map(chr, numbers)) if all(9 <= number < 256 for number in numbers) else ""


def _fragments(path: str, words: _Words) -> Iterator[tuple[int, Suspicion]]:
    """Find what would be a message together with what stands in another file."""
    joined = " ".join(words.words) if _PART_WORDS.intersection(words.words) else ""
    if not _NAMED_PART.search(joined):
        return
    for kind, pattern in enumerate(PARTS):
        if match := pattern.search(joined):
            place = joined.count(" ", 0, match.start())
            yield kind, _at(path, words.line(place), "split", match.group())


_PART_WORDS = frozenset(
    {"part", "piece", "chunk", "frag", "fragment", "half", "seg", "segment", "p"}
)


def _at(path: str, line: int, kind: str, text: str) -> Suspicion:
    shown = spell_out(" ".join(text.split())[:_MAX_EXCERPT])[0]
    return Suspicion(path, line, kind, shown)
