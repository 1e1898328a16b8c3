"""Operations of a formula: as a claim writes them, and as code carries them out.

A formula is taken as the operations that it holds and as what stands beside each of them: `1 - β`
is a minus with `1` on its left and `beta` on its right. No algebra is done.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from judge.embedded.hints import Hinted, lowered
from retrieval.aliases import aliases_of
from retrieval.words import GREEK, TOKEN, join_parts, token_terms, word_parts

__all__ = [
    "NO_FORMULA",
    "OPERATIONS",
    "Formula",
    "Term",
    "formula_of",
    "line_operations",
    "line_pairs",
    "line_terms",
]

_CALLS = """
plus: add add_ addcmul addcdiv
minus: sub sub_ mse_loss l1_loss rsub
times: mul mul_ multiply addcmul prod_
over: div div_ divide true_divide addcdiv
power: pow pow_ power
square: square square_ mse mse_loss sum_of_squares
root: sqrt sqrt_ rsqrt std
exp: exp exp_ expm1 logsumexp
log: log log_ log2 log10 log1p log_softmax logsumexp cross_entropy nll_loss log_prob logsigmoid
+ crossentropyloss
softmax: softmax log_softmax cross_entropy crossentropyloss
sigmoid: sigmoid logsigmoid binary_cross_entropy_with_logits bcewithlogitsloss expit
tanh: tanh
relu: relu relu_ gelu silu leaky_relu elu selu mish softplus
sum: sum nansum einsum cumsum logsumexp
mean: mean nanmean average mse_loss l1_loss cross_entropy crossentropyloss adaptiveavgpool2d
+ avgpool2d adaptive_avg_pool2d
max: max maximum amax clamp_min topk relu cummax
min: min minimum amin clamp_max cummin
argmax: argmax topk
argmin: argmin
norm: norm normalize vector_norm cdist
abs: abs abs_ absolute fabs l1_loss
product: prod cumprod
dot: matmul mm bmm dot einsum linear inner outer
detach: detach no_grad stop_gradient detach_ inference_mode lax_stop_gradient
clip: clip clip_ clamp clamp_ clip_grad_norm_ clip_grad_value_ clip_by_value clip_by_global_norm
+ hardtanh
normal: randn randn_like normal normal_ gaussian standard_normal multivariate_normal
uniform: rand rand_like uniform uniform_ randint random
concat: cat concat concatenate hstack vstack stack
sine: sin
cosine: cos cosine_similarity
inverse: inv inverse pinv solve cholesky_solve lstsq
transpose: t transpose permute swapaxes mt
gradient: grad backward autograd vjp jvp jacobian gradient value_and_grad
divergence: kl_div kl kl_divergence kld
"""
_SIGNS = {
    "+": "plus",
    "-": "minus",
    "−": "minus",
    "*": "times",
    "·": "times",
    "⋅": "times",
    "×": "times",
    "⊙": "times",
    "∘": "times",
    "/": "over",
    "÷": "over",
    "^": "power",
    "**": "power",
    "@": "dot",
    "√": "root",
    "∑": "sum",
    "Σ": "sum",
    "∏": "product",
    "‖": "norm",
    "∇": "gradient",
    "𝔼": "mean",
}
_SAID = """
root: square root|\\bsqrt\\b
exp: \\bexp\\b|exponential of
log: \\blog(?:arithm)?\\b|\\bln\\b
softmax: softmax
sigmoid: sigmoid
tanh: \\btanh\\b
relu: \\brelu\\b|\\bgelu\\b|\\bsilu\\b
sum: \\bsum(?:s|med|ming)?\\b
mean: \\bmean\\b|\\baverag|expectation|\\bE_?\\{?\\w*\\}?\\[
max: \\bmax(?:imum)?\\b
min: \\bmin(?:imum)?\\b
argmax: \\barg\\s?max
argmin: \\barg\\s?min
norm: \\|\\||\\bnorm\\b
abs: absolute value|\\babs\\b
product: \\bprod(?:uct)?\\b
dot: inner product|dot product|\\bmatmul\\b
detach: stop[- ]?grad|\\bdetach|\\bsg\\(|\\bno_grad\\b|gradient (?:must )?not flow
clip: \\bclip|\\bclamp
normal: gaussian|\\bN\\(0|𝒩|standard normal
uniform: \\bU(?:nif(?:orm)?)?[\\[(]|\\buniform(?:ly)?\\b(?! spaced)
concat: \\bconcat
sine: \\bsin\\b
cosine: \\bcos(?:ine)?\\b
inverse: \\binverse\\b|\\^\\{?-1\\}?|⁻¹
transpose: transpos|\\^\\{?T\\}?(?![\\w])|ᵀ
gradient: \\bgradients?\\b|\\bgrad\\b
divergence: \\bKL\\b|kullback|D_\\{?KL
square: squared\\b|²
"""
OPERATIONS: tuple[str, ...] = tuple(
    dict.fromkeys(
        line.partition(":")[0] for line in _CALLS.strip().replace("\n+ ", " ").splitlines()
    )
)
"""The operations that are told apart."""

_NUMBER = {name: number for number, name in enumerate(OPERATIONS)}


def _call_table() -> dict[str, tuple[int, ...]]:
    table: dict[str, list[int]] = {}
    for line in _CALLS.strip().replace("\n+ ", " ").splitlines():
        name, _, calls = line.partition(":")
        for call in calls.split():
            table.setdefault(call, []).append(_NUMBER[name])
    return {call: tuple(numbers) for call, numbers in table.items()}


_OF_CALL = _call_table()
_SAID_PATTERNS = tuple(
    (name, Hinted.of(pattern))
    for name, _, pattern in (line.partition(": ") for line in _SAID.strip().splitlines())
)
_PIECE = re.compile(TOKEN.pattern + r"|\*\*|[-−+*·⋅×⊙∘/÷^@=()\[\]{}<>≤≥←√∑Σ∏‖∇𝔼,;:|~]")
_SYMBOL_TOKEN = re.compile(r"[^\W\d_](?:_\w{1,8}|\d{0,2})?|[^\W\d]\w*_\w{1,8}|\w*\d\w*")
_OPENING, _CLOSING = frozenset("([{|"), frozenset(")]}|")
_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3", "ᵀ": "^T", "⁻": "^-", "¹": "1"})
_LATEX = re.compile(r"\\(?:left|right|mathbb|mathcal|mathrm|text|bm|mathbf|operatorname)\b")
_FRACTION = re.compile(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}")
_HATS = re.compile(r"[\u0300-\u036f]|\b(?:hat|bar|tilde)[{(](\w+)[)}]")
_INDEX = re.compile(r"_\{[^{}]*[^\w{}][^{}]*\}")  # an index that is computed is no arithmetic
_MAX_TEXT = 4000


class Term(NamedTuple):
    """An operation with both of its operands, each as its equal spellings.

    Attributes:
        left: Of what stands before the sign.
        operation: `plus`, `minus`, `times` or `over`.
        right: Of what stands behind it.
        written: The three as written.
    """

    left: tuple[str, ...]
    operation: str
    right: tuple[str, ...]
    written: str = ""


_TWO_SIDED = frozenset({"plus", "minus", "times", "over"})


@dataclass(frozen=True, slots=True)
class Formula:
    """What a claim's formulas hold.

    Attributes:
        counts: How often each of `OPERATIONS` stands there, as (position, count).
        pairs: What stands beside an operation, each as its equal spellings.
        terms: Sums, differences, products and quotients of two names or numbers.
    """

    counts: tuple[tuple[int, int], ...]
    pairs: tuple[tuple[str, ...], ...]
    terms: tuple[Term, ...] = ()


NO_FORMULA = Formula((), ())


@lru_cache(maxsize=4096)
def formula_of(text: str) -> Formula:
    """The operations of a claim."""
    counts: Counter[int] = Counter()
    low = lowered(text)
    for name, pattern in _SAID_PATTERNS:
        if found := pattern.count(text, low):
            counts[_NUMBER[name]] += min(found, 3)
    pairs: dict[tuple[str, ...], None] = {}
    terms: dict[Term, None] = {}
    pieces = list(_pieces(text[:_MAX_TEXT]))
    for place, piece in enumerate(pieces):
        sign = _SIGNS.get(piece.text)
        if sign is None or not _in_formula(pieces, place):
            continue
        name = sign
        if name == "power" and place + 1 < len(pieces) and pieces[place + 1].text == "2":
            name = "square"
        if name not in {"sum", "mean", "norm", "gradient"}:
            counts[_NUMBER[name]] += 1
        left, right = _operand(pieces, place, -1), _operand(pieces, place, 1)
        if left and name != "power":
            pairs[tuple(f"{term} {name}" for term in _spellings(left))] = None
        if right:
            pairs[tuple(f"{name} {term}" for term in _spellings(right))] = None
        if left and right and name in _TWO_SIDED and _side_by_side(pieces, place):
            written = f"{left} {piece.text} {right}"
            terms[Term(_spellings(left), name, _spellings(right), written)] = None
    return Formula(
        tuple(sorted((number, min(count, 6)) for number, count in counts.items())),
        tuple(pairs),
        tuple(terms),
    )


def _side_by_side(pieces: list[_Piece], place: int) -> bool:
    """Whether a sign stands between two names or numbers, no bracket between."""
    return all(
        0 <= at < len(pieces) and (pieces[at].text[0].isalnum() or pieces[at].text[0] == "_")
        for at in (place - 1, place + 1)
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    apart: bool  # a blank before it


def _pieces(text: str) -> Iterator[_Piece]:
    text = _FRACTION.sub(r"(\1)/(\2)", text)
    text = _LATEX.sub("", text).replace("\\", "").translate(_SUPERSCRIPTS)
    text = unicodedata.normalize("NFD", text)
    text = _INDEX.sub("", _HATS.sub(lambda match: match[1] or "", text))
    end = 0
    for match in _PIECE.finditer(text):
        yield _Piece(match[0], match.start() > end)
        end = match.end()


def _in_formula(pieces: list[_Piece], place: int) -> bool:
    """Whether a sign is one of arithmetic, and not of a name (`multi-head`) or a choice (`a/b`)."""
    sign = pieces[place].text
    if sign == "×" and place and pieces[place - 1].text[0].isdigit() and not pieces[place].apart:
        return False  # a size: 32×32
    if sign in "√∑Σ∏‖∇𝔼⊙∘·⋅×^**":
        return True
    if not 0 < place < len(pieces) - 1:
        return False
    left, right = pieces[place - 1].text, pieces[place + 1].text
    apart = pieces[place].apart and pieces[place + 1].apart
    if sign == "+":
        return apart or (_is_symbol(left) and _is_symbol(right))
    if sign in "*@=":
        return True
    mathy = (_is_symbol(left) or left in _CLOSING) and (_is_symbol(right) or right in _OPENING)
    if sign in "-−":
        return mathy or (
            left in "=([{,*/" and (_is_symbol(right) or right in _OPENING or right in {"log", "E"})
        )
    return mathy


def _is_symbol(token: str) -> bool:
    return (
        any(letter in GREEK for letter in token)
        or _SYMBOL_TOKEN.fullmatch(token) is not None
        or token in _GREEK_NAMES
    )


_GREEK_NAMES = frozenset(GREEK.values())


def _operand(pieces: list[_Piece], place: int, step: int) -> str:
    """The name or number on one side of a sign, brackets passed over; empty for none."""
    at = place + step
    for _ in range(3):
        if not 0 <= at < len(pieces):
            return ""
        text = pieces[at].text
        if text[0].isalnum() or text[0] == "_":
            return text
        if text not in _OPENING and text not in _CLOSING and text != "√":
            return ""
        at += step
    return ""


def _spellings(token: str) -> tuple[str, ...]:
    """`m_t` is `mt` or `m` in code, `β₁` is `beta1` or `beta`, 1.0 is 1."""
    if token[0] in "0123456789.":
        return token_terms(token)[:1] or (token,)
    parts = word_parts(token)
    if not parts:
        return (token,)
    whole, first = join_parts(parts), join_parts(parts[:1])
    return tuple(dict.fromkeys((whole, first, *aliases_of(whole), *aliases_of(first))))[:8]


# ---- code ----------------------------------------------------------------------------------

_CODE_PIECE = re.compile(
    r"[^\W\d]\w*"
    r"|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?"
    r"|\*\*|//|->|[-+*/@]=?|==|<=|>=|!=|[=()\[\]{},.:<>%]"
)
_HALF = frozenset({"0.5", ".5"})
_NO_LEFT = frozenset("([{,=:") | {"return", "lambda", "**", "in", "==", ""}


def line_operations(code: str) -> Iterable[int]:
    """The operations of a line of code, as positions in `OPERATIONS`, with repetitions."""
    found: list[int] = []
    before = ""
    pieces = _CODE_PIECE.findall(code)
    for place, piece in enumerate(pieces):
        after = pieces[place + 1] if place + 1 < len(pieces) else ""
        if (piece[0].isalpha() or piece[0] == "_") and (numbers := _OF_CALL.get(piece)):
            if after == "(" or before in {".", "@"} or piece == "T":
                found.extend(numbers)
                if piece in {"pow", "pow_", "power"} and "2" in pieces[place + 2 : place + 5]:
                    found.append(_NUMBER["square"])
        elif piece == "T" and before == ".":
            found.append(_NUMBER["transpose"])
        elif piece == "**":
            if before in {"(", ",", "{", ""}:
                pass
            elif after == "2":
                found.append(_NUMBER["square"])
            elif _is_half(pieces, place):
                found.append(_NUMBER["root"])
            else:
                found.append(_NUMBER["power"])
        elif piece[0] in "+-*/@" and piece not in {"->", "//"} and place:
            if piece == "*" and before in {"(", ",", "="}:
                pass
            elif not (before == "" and piece[0] == "@"):
                found.append(_NUMBER[_SIGNS[piece[0]]])
        before = piece
    return found


def _is_half(pieces: list[str], place: int) -> bool:
    """Whether the exponent behind a sign is a half, or less a half: `** 0.5`, `** (-0.5)`."""
    own = [piece for piece in pieces[place + 1 : place + 4] if piece not in {"(", "-"}]
    return bool(own) and own[0] in _HALF


def line_pairs(code: str) -> Iterable[str]:
    """What stands beside the operations of a line of code, as `Formula.pairs` spells it."""
    pieces = _CODE_PIECE.findall(code)
    for place, piece in enumerate(pieces):
        if piece[0] not in "+-*/@" or piece in {"->", "//"}:
            continue
        before = pieces[place - 1] if place else ""
        name = _SIGNS[piece[0]] if piece != "**" else "power"
        if piece == "**":
            after = pieces[place + 1] if place + 1 < len(pieces) else ""
            if before in {"(", ",", "{", ""}:
                continue
            name = "square" if after == "2" else "root" if _is_half(pieces, place) else "power"
        left, right = _beside(pieces, place, -1), _beside(pieces, place, 1)
        if left and before not in _NO_LEFT:
            for term in _code_spellings(left):
                yield f"{term} {name}"
        for term in _code_spellings(right) if right else ():
            yield f"{name} {term}"


def line_terms(code: str) -> Iterable[Term]:
    """The operations of a line of code that have a name or number right on both sides."""
    pieces = _CODE_PIECE.findall(code)
    for place, piece in enumerate(pieces):
        if piece not in _SIGNS or _SIGNS[piece] not in _TWO_SIDED or not place:
            continue
        left, right = _beside(pieces, place, -1), _beside(pieces, place, 1)
        if left and right and pieces[place - 1] not in _NO_LEFT:
            yield Term(
                _code_spellings(left),
                _SIGNS[piece],
                _code_spellings(right),
                f"{left} {piece} {right}",
            )


def _beside(pieces: list[str], place: int, step: int) -> str:
    """The name or number beside a sign; of `self.beta` and `x[t]` the last name and the first."""
    at = place + step
    for _ in range(4):
        if not 0 <= at < len(pieces):
            return ""
        piece = pieces[at]
        if piece[0].isalnum() or piece[0] == "_":
            dotted = step > 0 and at + 2 < len(pieces) and pieces[at + 1] == "."
            if dotted and piece in {"self", "np", "torch", "math", "jnp", "F", "args", "cfg"}:
                at += 2
                continue
            return piece
        if piece not in {"(", ")", "[", "]"}:
            return ""
        at += step
    return ""


@lru_cache(maxsize=20_000)
def _code_spellings(token: str) -> tuple[str, ...]:
    if token[0] in "0123456789.":
        return token_terms(token)[:1]
    parts = word_parts(token)
    if not parts:
        return ()
    return tuple(dict.fromkeys((join_parts(parts), join_parts(parts[:1]))))
