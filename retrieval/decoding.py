r"""From the bytes of a file to text with true line numbers.

The rule for lines, which the whole project keeps: a line ends at CR LF, at a lone CR or at LF, and
nowhere else. Form feed, vertical tab, NEL, U+2028 and U+2029 stand inside a line (`str.splitlines`
splits at them, editors, compilers and `grep -n` do not). Decoded text holds LF alone, so
`text.split("\n")` and `split_lines(text)` agree; text that ends in a line end has an empty last
line, as an editor shows it.

Decoded text never holds NUL or a lone surrogate: both become U+FFFD, and a note says so.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

__all__ = ["BinaryContentError", "Decoded", "decode", "normalise_lines", "scrub", "split_lines"]

_REPLACEMENT = "\ufffd"
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROL = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\b\x1b") + b"\x7f"
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")

# UTF-32 first: the UTF-16 little-endian mark is a prefix of its own.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)

# Only plain character sets: a coding cookie may name `zlib`, `idna`, `unicode_escape` or worse.
_CHARACTER_SETS = frozenset(
    ["ascii", "iso8859-1", "koi8-r", "koi8-u", "gbk", "gb2312", "gb18030", "big5", "big5hkscs"]
    + ["shift_jis", "cp932", "euc_jp", "euc_kr", "cp949", "mac-roman", "cp437", "cp850", "cp866"]
    + [f"cp{n}" for n in range(1250, 1259)]
    + [f"iso8859-{n}" for n in (*range(2, 12), 13, 14, 15, 16)]
)

_MAGIC = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x7fELF", "a compiled program"),
    (b"\x89PNG\r\n", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF87a", "an image"),
    (b"GIF89a", "an image"),
    (b"%PDF-", "a PDF"),
    (b"\x89HDF\r\n", "HDF5 data"),
    (b"SQLite format 3\0", "a database"),
    (b"7z\xbc\xaf\x27\x1c", "an archive"),
    (b"Rar!\x1a\x07", "an archive"),
    (b"\xfd7zXZ\0", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstandard data"),
    (b"\0asm", "WebAssembly"),
    (b"\xca\xfe\xba\xbe", "compiled code"),
    (b"\x93NUMPY", "array data"),
    (b"\x80\x02", "pickled data"),
    (b"\x80\x03", "pickled data"),
    (b"\x80\x04", "pickled data"),
    (b"\x80\x05", "pickled data"),
)


class BinaryContentError(Exception):
    """The bytes are not text. The message says what they are, as a noun phrase."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and how it was come by.

    Attributes:
        text: With LF as the only line end, no NUL, no lone surrogate, no byte order mark.
        notes: What was odd.
    """

    text: str
    notes: tuple[str, ...] = ()


def split_lines(text: str) -> list[str]:
    r"""The lines of a text, without their ends; line `n` is item `n - 1`.

    `"\n".join(split_lines(text))` is the text with its line ends normalised.
    """
    return normalise_lines(text).split("\n")


def normalise_lines(text: str) -> str:
    """The text with CR LF and lone CR as LF."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def scrub(text: str) -> str:
    """The text with every NUL and lone surrogate as U+FFFD."""
    return _SURROGATES.sub(_REPLACEMENT, text.replace("\0", _REPLACEMENT))


def decode(data: bytes) -> Decoded:
    """Decode a file.

    Tried in this order: a byte order mark (UTF-8, 16, 32), UTF-16 without one by where its NULs
    stand, strict UTF-8, UTF-8 with a few bad bytes, a PEP 263 coding cookie, Windows-1252, Latin-1.

    Args:
        data: The whole file.

    Raises:
        BinaryContentError: It is not text, by its first bytes or by its share of control bytes.
    """
    for mark, codec, name in _BOMS:
        if data.startswith(mark):
            notes = [] if codec == "utf-8" else [f"not UTF-8: read as {name}"]
            return _finish(data[len(mark) :].decode(codec, "replace"), notes)
    if unmarked := _unmarked_utf16(data):
        text = data.decode(unmarked, "replace")
        return _finish(text, ["not UTF-8: read as UTF-16 without a byte order mark"])
    if what := _binary(data):
        raise BinaryContentError(what)
    try:
        return _finish(data.decode("utf-8"), [])
    except UnicodeDecodeError:
        return _decode_other(data)


def _decode_other(data: bytes) -> Decoded:
    text = data.decode("utf-8", "replace")
    bad = text.count(_REPLACEMENT) - data.count(b"\xef\xbf\xbd")
    good = len(text) - len(text.encode("ascii", "ignore")) - text.count(_REPLACEMENT)
    # Other character sets hardly ever spell valid UTF-8, and a cut file often ends inside a letter.
    cut_end = bad == 1 and text.endswith(_REPLACEMENT)
    if good > bad or cut_end:
        return _finish(text, ["some bytes are not UTF-8: replaced"])
    if declared := _cookie(data):
        note = f"not UTF-8: read as {declared}, as its cookie says"
        try:
            return _finish(data.decode(declared), [note])
        except UnicodeDecodeError:
            pass
    try:
        return _finish(data.decode("cp1252"), ["not UTF-8: read as cp1252"])
    except UnicodeDecodeError:
        return _finish(data.decode("latin-1"), ["not UTF-8: read as latin-1"])


def _cookie(data: bytes) -> str | None:
    for line in re.split(rb"\r\n|\r|\n", data[:4096], maxsplit=2)[:2]:
        if match := _COOKIE.match(line):
            try:
                name = codecs.lookup(match[1].decode("ascii")).name
            except (LookupError, UnicodeDecodeError, ValueError):
                return None
            return name if name in _CHARACTER_SETS else None
    return None


def _unmarked_utf16(data: bytes) -> str | None:
    """The codec, where every other byte of the start is NUL as in mostly-ASCII UTF-16."""
    sample = data[:4096]
    if len(sample) < 8 or len(data) % 2 or b"\0" not in sample:
        return None
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    for codec, empty, full in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if empty > 0.6 * half and full == 0:
            letters = sample[0::2] if codec == "utf-16-le" else sample[1::2]
            controls = len(letters) - len(letters.translate(None, _CONTROL))
            return codec if controls <= len(letters) // 50 else None
    return None


def _binary(data: bytes) -> str | None:
    for magic, what in _MAGIC:
        if data.startswith(magic):
            return what
    size = len(data)
    nul = data.count(0)
    controls = size - len(data.translate(None, _CONTROL))
    if nul > max(4, size // 100) or controls > max(8, size // 10) or 10 * controls >= 3 * size > 0:
        return "binary data"
    return None


def _finish(text: str, notes: list[str]) -> Decoded:
    if "\0" in text:
        notes = [*notes, "NUL characters: replaced"]
    clean = scrub(text)
    if _REPLACEMENT in clean and "\0" not in text and not any("replaced" in note for note in notes):
        notes = [*notes, "replacement characters in the text"]
    return Decoded(normalise_lines(clean), tuple(notes))
