"""Whether a word or number of a claim stands on a line in its own sense.

`parser.add_argument` adds nothing that a claim speaks of, `nn.Linear` scales nothing linearly, and
the 2 of `x[:, -2]` is nobody's value. What stands so is no proof, and is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from judge.embedded.naming import is_small, names_value
from judge.embedded.signs import is_of_word
from judge.embedded.words import GENERIC
from retrieval.numbers import token_values
from retrieval.words import TOKEN, stem, token_terms

__all__ = ["is_fragment", "is_held", "is_shown", "is_suspect", "own_sense", "partner_of"]

# What code is made of, whatever it does, and the words that it would be taken for.
_MADE_OF = r"""
\badd_(?:argument|subparsers|parser|mutually_exclusive_group|argument_group|subplot|scalar|image)\w*
\bset_defaults\b|\bparse_(?:known_)?args\b|\bArgumentParser\b|\bargparse\b
\bis_available\b|\bdevice_count\b|\bmanual_seed\w*
\b(?:class|def|with|global|pass|yield|return|lambda|assert|async|await|import|from|as)\b(?!\s*=)
\bNone\b|\bself\b(?=\.|,|\))|\bcls\b(?=\.|,|\))|\bsuper\b
\b\w*(?:Error|Exception|Warning)\b
\blogg(?:ing|er)\b(?:\.\w+)?|\bwandb\.\w+|\bwriter\.\w+|\blog_(?:dir|file|path|every|freq|interval|level)\w*
\bnn\.(?:Linear|Parameter|Module|ModuleList|Sequential|Identity|Embedding)\b
\bAuto(?:Tokenizer|Processor)\.from_pretrained\b|\bos\.path\.\w+|\bsys\.path\b\.?\w*|\bPath\b
(?<![\w.])(?:open|round|range|map|filter|all|any|input|format|type|id|iter|next|sorted|zip)\(
\.(?:format|append|extend|items|keys|values|get|to|cpu|cuda|item|update|join|split|strip|read|write)\(
\b(?:description|help|title|label|xlabel|ylabel|prog|epilog|fontsize|rotation|metavar)\s*=\s*(?:rf?|f)?(?:'[^']*'|"[^"]*"|[\w.]+)
\b(?:float|int|str|bool|Tensor|Optional|List|Dict|Tuple|Union|Callable|Any)\b
\bnon_blocking\b|\bdtype\b|\bdevice\s*=\s*[\w.]+
"""
_FURNITURE = re.compile("|".join(_MADE_OF.split("\n")[1:-1]))
_LINE = 300
# Said before other words, with or without a hyphen; alone they say nothing.
_JOINED = """
    non pre post sub super multi cross semi self co off re un anti inter intra micro macro mini
    mid over under pseudo auto meta bi tri uni per log one two three low high full half near far
    zero shot wise based free aware level style like scale specific driven
"""
_FRAGMENTS = frozenset(_JOINED.split())


# The words that such code has.
_OF_CODE = """
add argument subparser parser parse group subplot scalar image set default args available device
count manual seed none self cls super error exception warning logging logger log wandb writer dir
file path every freq interval level nn linear parameter module list sequential identity embedding
auto tokenizer processor from pretrained os sys open round range map filter all any input format
type id iter next sorted zip append extend items keys values get to cpu cuda item update join split
strip read write float int str bool tensor optional dict tuple union callable non blocking dtype
class def with global pass yield return lambda assert async await import as linearly
"""
_SUSPECTS = frozenset(
    term for word in _OF_CODE.split() for term in (word, stem(word), *token_terms(word))
)
_SHOWN = re.compile(r"(?:description|help|title|label|prog|epilog|metavar)\s*=")


@lru_cache(maxsize=32768)
def _terms(code: str) -> frozenset[str]:
    """The terms of a line without what code is made of."""
    own = _FURNITURE.sub(" ", code[:_LINE])
    return frozenset(term for token in TOKEN.findall(own) for term in token_terms(token))


def is_suspect(terms: Iterable[str]) -> bool:
    """Whether one of some terms is of those that code is made of."""
    return not _SUSPECTS.isdisjoint(terms)


def is_shown(code: str) -> bool:
    """Whether a line has text that people are shown: of an option, of an axis."""
    return _SHOWN.search(code) is not None


def own_sense(code: str, terms: Iterable[str], partner: str = "") -> bool:
    """Whether one of some terms, which a line holds, stands there in its own sense.

    Args:
        code: The line.
        terms: The terms of a word.
        partner: What the claim joins to the word by a hyphen: `self-attention` is not `self`.
    """
    if (is_suspect(terms) or is_shown(code)) and _terms(code).isdisjoint(terms):
        return False
    if not partner:
        return True
    return partner in (_FURNITURE.sub(" ", code[:_LINE]) if partner == "non" else code).lower()


_BEGINNING = 3  # `attn` for `attention`


@lru_cache(maxsize=8192)
def partner_of(text: str, word: str) -> str:
    """The beginning of what a claim joins to a word by a hyphen, wherever it has the word.

    Empty where the word stands alone at some place, or nothing of weight is joined to it.
    """
    if "-" not in text:
        return ""
    found = ""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        whole = not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())
        if whole:
            after = _JOINED_BEHIND.match(text, end)
            before = _JOINED_BEFORE.search(text[max(0, start - _FAR) : start])
            other = after or before
            if other is None:
                return ""
            found = other[1].lower()
        start = text.find(word, end)
    return "" if stem(found) in GENERIC else found[:_BEGINNING]


_JOINED_BEHIND = re.compile(r"-([A-Za-z]{3,})")
_JOINED_BEFORE = re.compile(r"([A-Za-z]{3,})-\Z")
_FAR = 24


def is_fragment(word: str, text: str) -> bool:
    """Whether a word is a piece of another in its claim and says nothing alone: `pre-training`."""
    if word.lower() not in _FRAGMENTS:
        return False
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        before, behind = text[start - 1 : start], text[end : end + 1]
        if (before == "-" and not is_of_word(behind)) or (behind == "-" and not is_of_word(before)):
            return True
        start = text.find(word, start + 1)
    return False


# ---- numbers -------------------------------------------------------------------------------------


_GIVEN = re.compile(
    r"([A-Za-z_][\w.\[\]'\"]*?)['\"]?\s*(?::[^=,]{1,30})?(?:=|:|,|[<>]=?|==|!=)\s*(?:\w+\()?-?\Z"
)
_LISTED = re.compile(r"([A-Za-z_]\w*)['\"]?\s*(?::\s*[^=]{1,40})?[=:]\s*[\[(][^\])=]*\Z")


def is_held(code: str, forms: Iterable[str], near: Iterable[str], written: str = "") -> bool:
    """Whether a line holds a number as a value of what some terms say.

    A small whole number must be given to a name, or compared with one, that has such a term, or
    stand in a formula with two of them; an exponent, an index, a width of a format and a digit of
    a name are none.

    Args:
        code: The line.
        forms: The canonical forms of the number.
        near: The terms that say what it is a value of.
        written: As the claim has it: a number in a name is held where it is so, as in `LLaDA-8B`.
    """
    wanted = frozenset(forms)
    terms = frozenset(near)
    named = terms - GENERIC
    code = code[:_LINE]
    beside = 0
    for match in TOKEN.finditer(code):
        if match[0][0] not in "0123456789." or wanted.isdisjoint(token_values(match[0])):
            continue
        before = code[: match.start()]
        after = code[match.end() :]
        joined = re.search(r"[\w-]\Z", before) and not re.search(r"(?:^|[\s(,=:*/+\[])-\Z", before)
        if joined and (match[0].isdigit() or match[0].lower() != written.lower()):
            continue  # `llama-2-7b`
        if not any(map(is_small, wanted)):
            return True
        if re.search(r"(?:\*\*|\^)\s*\(?-?\Z", before) or _is_index(before, after):
            continue
        if re.search(r"\{[^{}]*:0?\Z", before):
            continue
        given = _GIVEN.search(before) or _LISTED.search(before)
        if given is not None and after.lstrip()[:1] not in {"*", "/"}:
            if names_value(given[1].rpartition(".")[2], terms):
                return True
            continue
        beside = beside or len(named & _terms(code))
    return beside >= _TWO


_TWO = 2


def _is_index(before: str, after: str) -> bool:
    """Whether a number stands in the brackets of an index or of a slice."""
    opened = before.rfind("[")
    if opened < 0 or "]" in before[opened:]:
        return False
    return bool(re.search(r"[\w\])]\Z", before[:opened])) and "]" in after
