"""Numbers as code and papers write them."""

from __future__ import annotations

import ast
import math
import re

from benchmark.nouns import Level

__all__ = ["holds", "level_of", "number", "spelled"]

_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")
_RAISED = re.compile(r"(?:(\d+(?:\.\d+)?)\s*[·×x*]\s*)?\b10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\^\{?[-−]?\d+\}?)")
_PLAIN = re.compile(
    r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][-+−]?\d+)?|\.\d+)\s*(%|k\b|K\b|M\b|million)?"
)
_TIMES = {"%": 0.01, "k": 1e3, "K": 1e3, "M": 1e6, "million": 1e6}


def number(literal: str) -> float | int | None:
    """The value of a Python or configuration literal; `None` where it is no finite number."""
    try:
        value = ast.literal_eval(literal.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if abs(value) < 1e15 and math.isfinite(value) else None


def spelled(value: float, like: str) -> str:
    """A number written in the manner of a literal: integers stay integers, 1e-4 stays so."""
    if number(like) is not None and isinstance(number(like), int) and float(value).is_integer():
        return str(int(value))
    if "e" in like.lower():
        mantissa, _, exponent = f"{value:.6e}".partition("e")
        mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}e{int(exponent)}"
    text = f"{value:.6g}"
    if "e" in text:
        text = f"{value:.12f}".rstrip("0")
    return text if "." in text else text + ".0"


def level_of(old: float, new: float) -> Level:
    """The level of a claim about one value when another stands there, by the rubric.

    Less than three times off is 3, less than an order of magnitude 2, more 1; a sign or a zero
    where there was none is 1.
    """
    if old == 0 or new == 0 or (old < 0) != (new < 0):
        return Level.FRAGMENT
    ratio = max(abs(old / new), abs(new / old))
    if ratio < 2.999:
        return Level.MINOR
    return Level.PARTIAL if ratio < 9.999 else Level.FRAGMENT


def holds(claim: str, literal: str) -> bool:
    """Whether a claim states a value, however it writes it."""
    value = number(literal)
    if value is None:
        return False
    found: list[float] = []
    for match in _RAISED.finditer(claim):
        power = match[2].translate(_SUPER).strip("^{}")
        try:
            found.append(float(match[1] or 1) * 10.0 ** int(power))
        except (ValueError, OverflowError):
            continue
    for match in _PLAIN.finditer(claim.translate(str.maketrans("−–", "--"))):
        try:
            plain = float(match[1].replace(",", ""))
        except ValueError:
            continue
        found.append(plain)
        if match[2]:
            found.append(plain * _TIMES[match[2]])
    return any(math.isclose(value, other, rel_tol=1e-6) for other in found)
