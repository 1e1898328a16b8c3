"""Hostile text made fit to look at, and names made fit for files.

Graded code, claims and judges' words may hold characters that a browser does not show or that
reorder what it shows. They are replaced by their code points, so that a reader sees what is there.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from markupsafe import Markup, escape

__all__ = ["file_names", "plain", "slug", "visible"]

# Controls but tab and newline; soft hyphen; Arabic letter mark; combining grapheme joiner; Hangul
# fillers; Khmer and Mongolian invisibles; zero-width, line and paragraph separators, bidi controls
# and invisible operators; variation selectors but the emoji one; byte order mark; specials and
# lone surrogates; musical and tag characters.
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def _code(match: re.Match[str]) -> str:
    return f"\u27e8U+{ord(match[0]):04X}\u27e9"


def _marked(match: re.Match[str]) -> str:
    character = match[0]
    name = unicodedata.name(character, "control character")
    return f'<span class="odd" title="{name.lower()}">U+{ord(character):04X}</span>'


def plain(text: str) -> str:
    """The text with every character that hides or reorders written as ⟨U+…⟩."""
    return _ODD.sub(_code, text) if _ODD.search(text) else text


def visible(text: str) -> Markup:
    """The text escaped for HTML, with every character that hides or reorders marked."""
    return visible_markup(str(escape(text)))


def visible_markup(markup: str) -> Markup:
    """The same for markup of our own making, such as a highlighter's."""
    return Markup(_ODD.sub(_marked, markup) if _ODD.search(markup) else markup)  # noqa: S704


def slug(name: str) -> str:
    """A short name of letters, digits, dots, dashes and underscores, the same for the same id.

    Ten hexadecimal digits of the id's SHA-256 end it: ids that differ only in case or in odd
    characters stay apart on every file system, and no reserved name of Windows comes out.
    """
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    words = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:60].strip("-._")
    return f"{words}-{digest}" if words else digest


def file_names(ids: Iterable[str], ending: str = ".html") -> dict[str, str]:
    """A file name for each id, no two alike even where case is ignored.

    Raises:
        ValueError: Two ids come out alike, which takes a collision of 40 bits of SHA-256.
    """
    names: dict[str, str] = {}
    taken: dict[str, str] = {}
    for one in ids:
        name = slug(one) + ending
        if taken.setdefault(name.casefold(), one) != one:
            raise ValueError(f"{one!r} and {taken[name.casefold()]!r} would share a file name")
        names[one] = name
    return names
