"""Numbers in every spelling that papers and code use, brought to one canonical form.

`1e-4`, `0.0001`, `1×10⁻⁴`, `10^{-4}` and `1E-04` are one value, and the canonical form is one
string for it: plain decimal digits without a sign (`0.0001`), or digits with an exponent where
plain digits would be long (`1e-12`). Equal values have equal forms and different values different
ones; nothing is rounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

__all__ = [
    "Number",
    "NumberKind",
    "canonical",
    "code_powers",
    "find_numbers",
    "scaled",
    "token_values",
]


class NumberKind(StrEnum):
    """How a number stands in a text, which says how much it weighs as a claimed value."""

    PLAIN = "plain"
    PERCENT = "percent"
    POWER = "power"
    SHARE = "share"  # implied by a ratio or fraction: 8:1:1 implies 0.8
    WORD = "word"  # "three"
    ATTACHED = "attached"  # part of a name: CIFAR-10, beta_1
    LABEL = "label"  # of a section, table, equation or step


@dataclass(frozen=True, slots=True)
class Number:
    """A number found in a text.

    Attributes:
        value: Canonical form, unsigned.
        also: Other values that the same writing can mean in code (`10 %` is 0.1, and also 10).
        kind: How it stands there.
        negative: A minus sign belongs to it.
        written: As written.
        start: Offset of its first character.
        end: Offset behind its last character.
    """

    value: str
    also: tuple[str, ...]
    kind: NumberKind
    negative: bool
    written: str
    start: int
    end: int


_DECIMAL = re.compile(r"(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?", re.ASCII)
_MAX_EXPONENT_DIGITS = 9
_PLAIN_FROM, _PLAIN_TO = -9, 21


def canonical(written: str) -> str | None:
    """The canonical form of one number literal.

    Python, YAML and JSON spellings are understood: underscores, hexadecimal, binary and octal,
    exponents, a leading sign (which is dropped).

    Returns:
        The form, or `None` when the text is not one number.
    """
    text = written.strip().lstrip("+-").strip().replace("_", "").lower()
    if not text or not text.isascii() or not (text[0].isdigit() or text[0] == "."):
        return None
    if text[0] == "0" and len(text) > 2 and text[1] in "xbo":
        try:
            number = int(text, 0)
        except ValueError:
            return None
        return _form(_digits(number), 0)
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    whole, fraction, exponent = match[1], match[2] or "", match[3] or "0"
    if not whole and not fraction:
        return None
    if len(exponent.lstrip("+-")) > _MAX_EXPONENT_DIGITS:
        return None
    return _form(whole + fraction, int(exponent) - len(fraction))


def _digits(number: int) -> str:
    # Decimal has no limit on the length of a conversion, `str(int)` has one.
    return format(Decimal(number), "f")


def _form(digits: str, exponent: int) -> str:
    """Spell `digits * 10**exponent` in the one way."""
    digits = digits.lstrip("0")
    stripped = digits.rstrip("0")
    if not stripped:
        return "0"
    exponent += len(digits) - len(stripped)
    point = len(stripped) + exponent  # digits before the decimal point
    if not _PLAIN_FROM < point <= _PLAIN_TO or exponent > _PLAIN_TO:
        mantissa = stripped[0] + ("." + stripped[1:] if len(stripped) > 1 else "")
        return f"{mantissa}e{point - 1}"
    if exponent >= 0:
        return stripped + "0" * exponent
    if point > 0:
        return f"{stripped[:point]}.{stripped[point:]}"
    return "0." + "0" * -point + stripped


def scaled(form: str, power: int) -> str:
    """The canonical form of `form * 10**power`."""
    mantissa, _, exponent = form.partition("e")
    whole, _, fraction = mantissa.partition(".")
    return _form(whole + fraction, int(exponent or 0) - len(fraction) + power)


def _exact(value: Fraction) -> str | None:
    """The form of a fraction whose decimal expansion ends within twelve places."""
    scaled = value * 10**12
    return _form(_digits(scaled.numerator), -12) if scaled.denominator == 1 else None


def _power(base: str, exponent: int) -> str | None:
    """`base ** exponent` where it is of a size that occurs in code."""
    if abs(exponent) > 64 or len(base) > 6:
        return None
    number = Fraction(base)
    if number == 0 or (exponent < 0 and number.denominator != 1):
        return None
    if number == 10:
        return _form("1", exponent)
    return _exact(number**exponent)


_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")
_PLAIN = (
    r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?|\.[0-9]+)"
)
_TIMES = r"(?:×|\*|·|⋅|x|\\times|\\cdot)"


def _raised(name: str) -> str:
    """The pattern of an exponent, whole numbers only (`d^{2/3}` is not a value)."""
    return (
        rf"(?:\s*(?:\^|\*\*)\s*[({{]?\s*(?P<{name}>[-+−–]?[0-9]{{1,4}})(?![0-9/]|\.[0-9])"
        rf"|(?P<{name}_super>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,4}}))"
    )


_NUMBER = re.compile(
    rf"(?P<mantissa>{_PLAIN})\s*{_TIMES}\s*10{_raised('ten')}"
    rf"|(?P<base>{_PLAIN}){_raised('power')}"
    rf"|(?P<plain>{_PLAIN}(?:[eE][-+−–]?[0-9]{{1,9}}(?![0-9]|\.[0-9]))?)"
)
_PERCENT = re.compile(r"\s*(?:\\?%|percent\b|per cent\b)")
_SCALE = re.compile(r"(?:\s?([kKMB])(?![\w^])|\s*(thousand|million|billion)\b)")
_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "thousand": 3, "million": 6, "billion": 9}
_LABEL = re.compile(
    r"(?:\b(?:eqs?|equations?|sections?|sec|tables?|tab|fig(?:ure)?s?|algorithms?|alg|appendix|app"
    r"|theorems?|lemmas?|definitions?|assumptions?|propositions?|corollary|remark|example|step|line"
    r"|stage|phase|page|chapter|footnote)\.?\s*[(\[]?|§\s*|(?:^|[\s;,:])\()\Z",
    re.IGNORECASE,
)
_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "twelve": "12", "twenty": "20", "hundred": "100", "thousand": "1000",
    "half": "0.5",
}  # fmt: skip
_WORD = re.compile(r"\b(" + "|".join(_WORDS) + r")\b", re.IGNORECASE)
_LARGE = ("thousand", "million", "billion")
# "one million", and no end of a longer number ("thirty-five thousand", "half a million").
_WRITTEN_OUT = re.compile(
    rf"(?<!ty[ -])(?<!half )(?<!\d )\b(an?|one|{'|'.join(_WORDS)})[\s-]+"
    rf"(?:(hundred)[\s-]+)?({'|'.join(_LARGE)})\b",
    re.IGNORECASE,
)
_MAX_TEXT = 20_000  # a claim is a sentence or a page, not a book


@lru_cache(maxsize=1024)
def find_numbers(text: str) -> tuple[Number, ...]:
    """Every number in a prose text (the first 20,000 characters of it), in order."""
    text = text[:_MAX_TEXT]
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        number = _read(text, match)
        if number is not None:
            found.append(number)
    found.extend(_shares(text, found))
    inside: set[int] = set()
    lower = text.lower()
    if any(word in lower for word in _LARGE):  # most texts hold none, and this is soon seen
        written_out = [_read_words(match) for match in _WRITTEN_OUT.finditer(text)]
        found.extend(written_out)
        inside.update(place for one in written_out for place in range(one.start, one.end))
    for match in _WORD.finditer(text):
        if match.start() in inside:
            continue
        value = _WORDS[match[1].lower()]
        found.append(
            Number(value, (), NumberKind.WORD, False, match[0], match.start(), match.end())
        )
    return tuple(sorted(found, key=lambda number: (number.start, number.end, number.value)))


def _read(text: str, match: re.Match[str]) -> Number | None:
    start, end = match.span()
    kind = NumberKind.PLAIN
    if (mantissa := match["mantissa"]) is not None:
        exponent = match["ten"] or match["ten_super"].translate(_SUPERSCRIPT)
        form = canonical(mantissa.replace(",", ""))
        value = form and scaled(form, int(exponent.translate(_SUPERSCRIPT)))
        kind, end = NumberKind.POWER, _closed(text, end)
    elif (base := match["base"]) is not None:
        exponent = match["power"] or match["power_super"].translate(_SUPERSCRIPT)
        form = canonical(base.replace(",", ""))
        value = form and _power(form, int(exponent.translate(_SUPERSCRIPT)))
        kind, end = NumberKind.POWER, _closed(text, end)
    else:
        value = canonical(match["plain"].replace(",", "").translate(_SUPERSCRIPT))
    if value is None:
        return None
    also: tuple[str, ...] = ()
    if kind is NumberKind.PLAIN:
        if after := _PERCENT.match(text, end):
            kind, also, value, end = NumberKind.PERCENT, (value,), scaled(value, -2), after.end()
        elif after := _SCALE.match(text, end):
            # "10k" is 10,000 in a config, yet "7B" may stand as 7 in a model's name.
            also, end = (value,), after.end()
            value = scaled(value, _SCALES[after[1] or after[2]])
    kind = _standing(text, start, kind)
    before = text[start - 1 : start]
    negative = before in {"-", "−"} and not text[start - 2 : start - 1].strip(" ([{,=:<>")
    return Number(value, also, kind, negative, text[match.start() : end], start, end)


def _read_words(match: re.Match[str]) -> Number:
    many = _WORDS.get(match[1].lower(), "1")
    value = scaled(many, _SCALES[match[3].lower()] + (2 if match[2] else 0))
    return Number(value, (), NumberKind.PLAIN, False, match[0], match.start(), match.end())


def _closed(text: str, end: int) -> int:
    return (
        end + 1 if text[end : end + 1] in {"}", ")"} and "{" in text[max(0, end - 8) : end] else end
    )


def _standing(text: str, start: int, kind: NumberKind) -> NumberKind:
    """Whether a number is a value of its own, a part of a name, or a label."""
    before = text[max(0, start - 2) : start]
    last = before[-1:]
    if last.isalpha() or last == "_":
        # 512x512: the letter between two numbers is a times sign.
        if last in {"x", "X"} and before[:1].isdigit() and len(before) == 2:
            return kind
        return NumberKind.ATTACHED
    if last in {"-", ".", "/"} and len(before) == 2 and before[0].isalpha():
        return NumberKind.ATTACHED
    if _LABEL.search(text[max(0, start - 16) : start]) and (
        text[start - 1 : start] != "(" or re.match(r"[0-9]{1,2}\)", text[start : start + 3])
    ):
        return NumberKind.LABEL
    return kind


def _shares(text: str, found: list[Number]) -> list[Number]:
    """What ratios and fractions imply: 80/20 and 8:1:1 imply .8, and 1/2 implies .5."""
    shares: list[Number] = []
    run: list[Number] = []
    values = [number for number in found if number.kind in {NumberKind.PLAIN, NumberKind.POWER}]
    for number in [*values, None]:
        if number is not None and run and text[run[-1].end : number.start].strip() in {"/", ":"}:
            run.append(number)
            continue
        if len(run) > 1:
            shares.extend(_implied(text, run))
        run = [number] if number is not None else []
    return shares


def _implied(text: str, run: list[Number]) -> list[Number]:
    parts = [_fraction(number.value) for number in run]
    total = sum(parts)
    start, end = run[0].start, run[-1].end
    candidates: list[Fraction] = []
    if len(run) == 2 and parts[1] != 0 and "/" in text[run[0].end : run[1].start]:
        candidates.append(parts[0] / parts[1])
    if total != 0 and (len(run) > 2 or total in {10, 100}):
        candidates.extend(part / total for part in parts)
    forms = dict.fromkeys(form for value in candidates if (form := _exact(value)))
    return [
        Number(form, (), NumberKind.SHARE, False, text[start:end], start, end) for form in forms
    ]


def _fraction(form: str) -> Fraction:
    mantissa, _, exponent = form.partition("e")
    # An exponent beyond this is no ratio's part, and would cost memory.
    power = max(-64, min(64, int(exponent or 0)))
    return Fraction(mantissa[:64]) * Fraction(10) ** power


_TOKEN = re.compile(
    r"(0x[0-9a-f_]+|0b[01_]+|0o[0-7_]+"
    r"|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:e[+-]?[0-9]+)?)([a-z]*)",
)
_CODE_SCALES = {"k": 3, "m": 6, "b": 9}


def token_values(token: str) -> tuple[str, ...]:
    """The canonical values in one token of code or text that starts with a digit or a point.

    `1e-4` holds one value, `512x512` two, `10k` both 10,000 and 10.
    """
    values: list[str] = []
    for written, suffix in _TOKEN.findall(token.lower()[:200]):
        form = canonical(written)
        if form is None:
            continue
        if suffix in _CODE_SCALES:
            values.append(scaled(form, _CODE_SCALES[suffix]))
        values.append(form)
    return tuple(dict.fromkeys(values))


_CODE_POWER = re.compile(
    r"(?<![\w.])([0-9]+(?:\.[0-9]*)?)\s*(\*\*|<<)\s*\(?(-?[0-9]{1,3})(?![\w.])"
)


def code_powers(line: str) -> tuple[str, ...]:
    """The canonical values of `2 ** 15`, `10**-4` and `1 << 20` in a line of code."""
    values: list[str] = []
    for base, operator, exponent in _CODE_POWER.findall(line):
        form = canonical(base)
        if form is None:
            continue
        raised = _power("2" if operator == "<<" else form, int(exponent))
        if raised is not None and (operator == "**" or form == "1"):
            values.append(raised)
    return tuple(values)
