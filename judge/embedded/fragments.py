"""The pieces of a claim that are written as code, and what the claim says around them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge.embedded.streams import KEYWORDS, code_tokens, is_identifier

__all__ = [
    "HEADS",
    "LEAST_TOKENS",
    "SIGNS",
    "Context",
    "Fragment",
    "context_of",
    "fragments_of",
    "quoted_whole",
]

LEAST_TOKENS = 3
"""Fewer are no quote."""

_GIVEN = 4
_PROSE_STRING = 4
_CUT = "…"
_SENTENCE = """
first second after that then does do uses use with when where from to of on the a an by at
which this these those only before once until while its it are be has have each every no
gets enters applies adds divides raises bounds computes reads followed applied done evaluates
condition finished begins loop works loads measures shuffles fits goes
"""
_SENTENCE_WORDS = frozenset(_SENTENCE.split())
_PIECE = re.compile(
    r"`[^`]*`|'[^'\n]*'|\"[^\"\n]*\"|[^\W\d]\w*|(?:\d[\d_]*\.?\d[\d_]*|\d+|\.\d+)(?:[eE][+-]?\d+)?"
    r"|\*\*|//|->|[-+*/@%&|^<>=!:]=|[^\s\w]"
)
_CODED = re.compile(r"`|[A-Za-z_]\w*\.[A-Za-z_][\w.]*\(")
_OPENING, _CLOSING = "([{", ")]}"
HEADS = frozenset({"for", "while", "if", "elif", "with", "try", "else", "except"})
"""Words that begin a statement with a body."""

SIGNS = frozenset({
    "=", "+", "-", "*", "/", "**", "@", "<", ">", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/="
})  # fmt: skip
"""Signs by which a piece of code does something."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of code in a claim.

    Attributes:
        tokens: As `code_tokens` gives them.
        start: Where it begins in the claim.
        end: Where it ends.
        cut: The claim does not quote it to its end.
        ticked: It stands between backticks, which make code of any words.
    """

    tokens: tuple[str, ...]
    start: int
    end: int
    cut: bool = False
    ticked: bool = False


@lru_cache(maxsize=4096)
def fragments_of(text: str, *, placed: bool = False) -> tuple[Fragment, ...]:
    """The pieces of a claim that are written as code, in order.

    Args:
        text: The claim.
        placed: It names a function of the repository, so that words beside signs are code too.
    """
    found: list[Fragment] = []
    if not placed and _CODED.search(text) is None:
        return ()
    for start, end, cut in _spans(text):
        tokens = tuple(_trimmed(code_tokens(text[start:end])))
        ticked = start > 0 and text[start - 1] == "`"
        if _is_code(tokens, wide=placed or ticked, ticked=ticked):
            found.append(Fragment(tokens, start, end, cut, ticked))
    return tuple(found)


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Spans without two words of a sentence beside each other: (start, end, cut short)."""
    start = end = -1
    depth = 0
    before = ""
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece == "`":
            continue
        apart = match.start() > end
        tight = not text[match.end() : match.end() + 1].isspace()
        hyphen = piece in "-–" and not apart and text[match.end() : match.end() + 1].isalnum()
        hyphen = hyphen and bool(before) and (before[-1].isalnum() or before == ")")
        if start >= 0 and (
            hyphen
            or piece[0] in "`…;"
            or _ends(before, piece, apart=apart, depth=depth, signs=tight)
        ):
            yield start, end, piece == _CUT
            start, depth = -1, 0
        if piece[0] == "`":
            inside = piece[1:-1]
            yield match.start() + 1, match.end() - 1 - inside.endswith(_CUT), inside.endswith(_CUT)
        elif not hyphen and piece[0] not in "…;":
            if start < 0 and piece.lower() not in _SENTENCE_WORDS:
                start = match.start()
            if start >= 0:
                depth = max(0, depth + (piece in _OPENING) - (piece in _CLOSING))
        before, end = piece, match.end()
    if start >= 0:
        yield start, end, False


def _ends(before: str, piece: str, *, apart: bool, depth: int, signs: bool) -> bool:
    """Whether a piece is no more of the code before it."""
    if depth or not apart:
        return False
    if piece == "-" and signs and _is_word(before):
        return True  # `axis -1`
    return (
        before in ",:."
        or piece.lower() in _SENTENCE_WORDS
        or (before == "lambda" and piece == "(")
        or ((_is_word(before) or before[:1].isdigit()) and (_is_word(piece) or piece == "("))
        or (before in _CLOSING and (_is_word(piece) or piece == "("))
        or (before == "is" and piece not in {"not", "None"})
    )


def _is_word(piece: str) -> bool:
    return (piece[0].isalpha() or piece[0] == "_") and piece not in KEYWORDS


def _trimmed(tokens: Sequence[str]) -> Sequence[str]:
    first, last = 0, len(tokens)
    while last > first and tokens[last - 1] in {".", ",", ";", ":", "and", "or", "if", "is"}:
        last -= 1
    while first < last and tokens[first] in {".", ",", ";", ":", "and", "or", "is"}:
        first += 1
    return tokens[first:last]


def _is_code(tokens: Sequence[str], *, wide: bool, ticked: bool) -> bool:
    """Whether tokens are a call or an attribute, or if `wide` an expression, and no prose.

    Between backticks a sign makes code of any names.
    """
    if len(tokens) < LEAST_TOKENS:
        return False
    if tokens[0] in {"def", "class", "from", "import"}:
        return False
    if tokens[0] == "(" and all(t in {"(", ")", "."} or is_identifier(t) for t in tokens):
        return False  # the name of a place
    if any(token[0] == '"' and len(token.split()) >= _PROSE_STRING for token in tokens):
        return False
    if not all(token.isascii() for token in tokens):
        return False
    names = [token for token in tokens if is_identifier(token)]
    if not names or _is_formula(tokens) or _is_value(tokens):
        return False
    calls = any(is_identifier(one) and two == "(" for one, two in itertools.pairwise(tokens))
    dotted = any(
        is_identifier(one) and two == "." and is_identifier(three)
        for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )
    if "in" in tokens and not (calls or tokens[0] in HEADS or "[" in tokens):
        dotted = False
    if calls or dotted or (wide and tokens[0] in {"for", "while"}):
        return True
    # Words of a sentence have an `in` between them, too.
    if not wide or all(len(name) > 1 and name.islower() and name.isalpha() for name in names):
        # values / rewards is a choice of words, `values / rewards` and values = rewards are not.
        return wide and not (SIGNS if ticked else _ASSIGNING).isdisjoint(tokens[1:-1])
    return any(
        piece in SIGNS or (piece == "in" and "_" in tokens[place + 1])
        for place, piece in enumerate(tokens[1:-1], 1)
    )


_ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "==", "<", ">", "<=", ">="})


def _is_value(tokens: Sequence[str]) -> bool:
    """Whether tokens give a name a number, which is looked for among values."""
    inner = tokens[1:-1] if tokens[0] == "(" else tokens
    return len(inner) <= _GIVEN and list(inner[1:2]) == ["="] and inner[-1][0].isdigit()


def _is_formula(tokens: Sequence[str]) -> bool:
    """Whether tokens are mathematics: powers by `^`, indices in braces, given functions."""
    return (
        "^" in tokens
        or any(one.endswith("_") and two == "{" for one, two in itertools.pairwise(tokens))
        or any(one == ")" and two == "=" for one, two in itertools.pairwise(tokens))
    )


@dataclass(frozen=True, slots=True)
class Context:
    """What a claim says around a fragment.

    Attributes:
        stopped: No gradient flows through it.
        power: It is raised to this power; empty for none.
        added: Something is added to it.
        used: What it gives is gone on with.
        whole: It is said to be the whole of something, and nothing of a sign.
    """

    stopped: bool = False
    power: str = ""
    added: bool = False
    used: bool = False
    whole: bool = False


_STOPPED = re.compile(
    r"\bno gradients? flow|stop[- ]?grad|\bdetach|without (?:a )?gradients?\b", re.IGNORECASE
)
_POWER = re.compile(r"\s*to the power (?:of )?(-?[\d.]*\d)")
_ADDED = re.compile(r"\badd(?:s|ed)? \S+ to \Z")
_WHOLE = re.compile(r"(?:\b(?:is|are|equals|returns)|=) +`\Z")
_SIGNED = re.compile(
    r"\bminus\b|\bnegat|\bopposite|\bsubtract|\bdescent\b|[-−–]\s*`", re.IGNORECASE
)
_USED = re.compile(r"\bgoes? on with the result|\bthe result is used\b")


def context_of(text: str, fragment: Fragment) -> Context:
    """What a claim says around a fragment."""
    power = _POWER.match(text, fragment.end)
    return Context(
        _STOPPED.search(text) is not None,
        power[1] if power is not None else "",
        _ADDED.search(text, 0, fragment.start) is not None,
        _USED.search(text) is not None,
        fragment.ticked
        and _WHOLE.search(text, 0, fragment.start) is not None
        and _SIGNED.search(text) is None,
    )


def quoted_whole(fragment: Fragment) -> tuple[str, ...]:
    """The tokens that the claim quotes to their ends."""
    tokens = fragment.tokens
    if not fragment.cut:
        return tokens
    ends = [place for place, token in enumerate(tokens) if token in {"'", '"'}]
    return tokens[: ends[0]] if ends else tokens[:-1]
