r"""From written words and identifiers to the terms that are indexed and searched for.

`num_layers`, `numLayers` and `NumLayers` share the terms `numlayers`, `num` and `layer`; `β₁`,
`\\beta_1` and `beta1` share `beta1`. A value is the term `#` plus its canonical form, so that
words and values never meet.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from retrieval.numbers import token_values

__all__ = [
    "GREEK",
    "NUMBER",
    "TOKEN",
    "join",
    "join_parts",
    "parts_of",
    "stem",
    "token_terms",
    "word_parts",
]

# Identifiers and words (any script), or number literals with whatever letters hang on them.
NUMBER = r"(?:0[xXbBoO][0-9a-fA-F_]+|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?)"
TOKEN = re.compile(rf"[^\W\d]\w*|{NUMBER}\w*")

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon",
    "ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa",
    "λ": "lambda", "μ": "mu", "µ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho",
    "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "gamma", "Δ": "delta", "Θ": "theta", "Λ": "lambda", "Ξ": "xi",
    "Π": "pi", "Σ": "sigma", "Φ": "phi", "Ψ": "psi", "Ω": "omega", "∇": "nabla", "ℒ": "loss",
    "ℓ": "loss", "∑": "sum", "∏": "prod", "√": "sqrt", "∞": "inf",
}  # fmt: skip
_GREEK_TABLE = str.maketrans({letter: f"_{name}_" for letter, name in GREEK.items()})

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_]+")
_MAX_TOKEN = 120


def _plain(token: str) -> str:
    """ASCII where there is an ASCII way to say it: Greek by name, subscripts as digits."""
    if token.isascii():
        return token
    named = token.translate(_GREEK_TABLE)
    return unicodedata.normalize("NFKD", named).encode("ascii", "ignore").decode() or token


# The suffixes that differ between a paper's words and a program's names. Longest first.
_SUFFIXES = (
    ("izations", "iz"), ("ization", "iz"), ("isation", "iz"), ("izers", "iz"), ("izer", "iz"),
    ("izing", "iz"), ("ized", "iz"), ("izes", "iz"), ("ize", "iz"), ("ations", "at"),
    ("ation", "at"), ("ating", "at"), ("ators", "at"), ("ator", "at"), ("ated", "at"),
    ("ates", "at"), ("ate", "at"), ("ities", "iti"), ("ity", "iti"), ("ments", "ment"),
    ("ings", ""), ("ing", ""), ("iers", "i"), ("ier", "i"), ("ied", "i"), ("ies", "i"),
    ("sses", "ss"), ("ers", ""), ("er", ""), ("ed", ""), ("es", ""), ("ly", ""), ("y", "i"),
    ("e", ""), ("s", ""),
)  # fmt: skip


# By their last letter, which is all that most words have in common with any of them.
_SUFFIXES_BY_END = {
    letter: tuple((suffix, rest) for suffix, rest in _SUFFIXES if suffix[-1] == letter)
    for letter in sorted({suffix[-1] for suffix, _ in _SUFFIXES})
}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light stem of a lower-case word: `layers` and `layer`, `training` and `trained` meet.

    Words of three letters or fewer are left alone, and so are names with digits.
    """
    if len(word) <= 3 or not word.isalpha():
        return word
    if word.endswith("ss"):
        return word
    for suffix, rest in _SUFFIXES_BY_END.get(word[-1], ()):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            base = word[: len(word) - len(suffix)] + rest
            # running, run: a doubled consonant belongs to the suffix.
            if not rest and len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            return base
    return word


def word_parts(token: str) -> list[str]:
    """The lower-case parts of an identifier: `useEMAWeights2` is use, ema, weights, 2."""
    token = token[:_MAX_TOKEN] if token.isascii() else token
    if token.islower() and token.isascii() and token.replace("_", "a").isalpha():
        # Most are like this, and split in a fraction of the time that a pattern takes.
        return [part for part in token.split("_") if part]
    return [part.lower() for part in _PART.findall(_plain(token)[:_MAX_TOKEN])]


@lru_cache(maxsize=32768)
def parts_of(token: str) -> tuple[str, ...]:
    """`word_parts` for words that come again, as those of claims do."""
    return tuple(word_parts(token))


def join_parts(parts: Sequence[str]) -> str:
    """The term of a whole name, however its parts were written apart."""
    joined = "".join(parts)
    if len(parts) == 1:
        return stem(joined)
    return joined[:-1] if joined.endswith("s") and not joined.endswith("ss") else joined


@lru_cache(maxsize=65536)
def join(token: str) -> str:
    """The term of a whole identifier or of several words: `weight decay`, `weight_decay`."""
    return join_parts(word_parts(token))


@lru_cache(maxsize=200_000)
def token_terms(token: str) -> tuple[str, ...]:
    """All terms of one token as `TOKEN` matches it: the whole, its parts, its values."""
    if token[0] in "0123456789.":
        return tuple("#" + value for value in token_values(token))
    parts = word_parts(token)
    if not parts:  # a line end, or signs that count as letters
        return ()
    if len(parts) == 1:
        return (stem(parts[0]),)
    own = [stem(part) for part in parts if not part.isdigit()]
    return tuple(dict.fromkeys((join_parts(parts), *own)))
