"""Arithmetic of literals: `3 * 10**-4`, `1 - 1e-2`, `GPUS * PER_GPU` where both are known.

Nothing is evaluated as code. Values are exact fractions of what is written, and bounded in size:
what would be large, divides by zero or does not end within twelve decimal places has no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from retrieval.numbers import canonical

__all__ = ["fold", "folded_form", "form_of"]

_MOST_CHARACTERS = 200
_MOST_TOKENS = 48
_DEEPEST = 12
_HIGHEST_POWER = 64
_MOST_BITS = 256
_PLACES = 12
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(?P<sign>\*\*|//|[-+*/%()]))"
)
_SUMS, _PRODUCTS = frozenset("+-"), frozenset({"*", "/", "//", "%"})
_CALLS: Mapping[str, Callable[[Fraction], Fraction]] = {
    "int": lambda value: Fraction(int(value)),
    "float": lambda value: value,
}


class _NoValueError(Exception):
    """What was read has no value here."""


def fold(text: str, known: Mapping[str, Fraction] | None = None) -> Fraction | None:
    """The value of an arithmetic expression; `None` where it has none.

    Args:
        text: Numbers, names, `+ - * / // % **`, brackets, and `int` or `float` of them.
        known: Values of names; a name that is not in it has none.
    """
    if len(text) > _MOST_CHARACTERS:
        return None
    try:
        return _Reader(text, known or {}).whole()
    except (_NoValueError, ZeroDivisionError):
        return None


def folded_form(text: str, known: Mapping[str, Fraction] | None = None) -> str | None:
    """The canonical form of an expression's value, without its sign; `None` where it has none."""
    value = fold(text, known)
    return form_of(value) if value is not None else None


def form_of(value: Fraction) -> str | None:
    """The canonical form of a value that ends within twelve decimal places, without its sign."""
    scaled = abs(value) * 10**_PLACES
    if scaled.denominator != 1:
        return None
    digits = str(scaled.numerator).rjust(_PLACES + 1, "0")
    return canonical(f"{digits[:-_PLACES]}.{digits[-_PLACES:]}")


class _Reader:
    """Reads one expression, from left to right."""

    def __init__(self, text: str, known: Mapping[str, Fraction]) -> None:
        self._known = known
        self._tokens: list[tuple[str, str]] = []
        self._at = 0
        place = 0
        text = text.rstrip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None or len(self._tokens) == _MOST_TOKENS:
                raise _NoValueError
            self._tokens.append((match.lastgroup or "", match[match.lastgroup or 0]))
            place = match.end()

    def whole(self) -> Fraction:
        value = self._sum(0)
        if self._at != len(self._tokens):
            raise _NoValueError
        return value

    def _sign(self) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at][0] == "sign":
            return self._tokens[self._at][1]
        return ""

    def _sum(self, depth: int) -> Fraction:
        value = self._product(depth)
        while (sign := self._sign()) in _SUMS:
            self._at += 1
            other = self._product(depth)
            value = _bounded(value + other if sign == "+" else value - other)
        return value

    def _product(self, depth: int) -> Fraction:
        value = self._signed(depth)
        while (sign := self._sign()) in _PRODUCTS:
            self._at += 1
            other = self._signed(depth)
            if sign == "*":
                value *= other
            elif sign == "/":
                value /= other
            elif sign == "//":
                value = Fraction(value // other)
            else:
                value %= other
            _bounded(value)
        return value

    def _signed(self, depth: int) -> Fraction:
        if depth > _DEEPEST:
            raise _NoValueError
        sign = self._sign()
        if sign in _SUMS:
            self._at += 1
            value = self._signed(depth + 1)
            return -value if sign == "-" else value
        return self._power(depth)

    def _power(self, depth: int) -> Fraction:
        base = self._atom(depth)
        if self._sign() != "**":
            return base
        self._at += 1
        exponent = self._signed(depth + 1)  # `2 ** -1 ** 2` binds from the right
        if exponent.denominator != 1 or abs(exponent) > _HIGHEST_POWER:
            raise _NoValueError
        return _bounded(base ** int(exponent))

    def _atom(self, depth: int) -> Fraction:
        if self._at == len(self._tokens):
            raise _NoValueError
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "number":
            return _number(text)
        if kind == "name":
            if self._sign() == "(":
                if text not in _CALLS:
                    raise _NoValueError
                return _CALLS[text](self._bracket(depth))
            if text not in self._known:
                raise _NoValueError
            return self._known[text]
        if text == "(":
            self._at -= 1
            return self._bracket(depth)
        raise _NoValueError

    def _bracket(self, depth: int) -> Fraction:
        self._at += 1
        value = self._sum(depth + 1)
        if self._sign() != ")":
            raise _NoValueError
        self._at += 1
        return value


def _number(written: str) -> Fraction:
    form = canonical(written)
    if form is None:
        raise _NoValueError
    mantissa, _, exponent = form.partition("e")
    if abs(int(exponent or 0)) > _HIGHEST_POWER:
        raise _NoValueError
    return _bounded(Fraction(mantissa) * Fraction(10) ** int(exponent or 0))


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise _NoValueError
    return value
