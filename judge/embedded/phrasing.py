"""A claim's own words: which of them say something, and how the claim writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from judge.embedded.background import load_background
from judge.embedded.looking import Findings, WordFinding
from judge.embedded.parts import Claim
from judge.embedded.prose import is_prose
from judge.embedded.values import ValueFinding
from judge.embedded.words import EXPOSITORY, GENERIC, STOP
from retrieval.words import TOKEN, join, stem, word_parts

__all__ = [
    "capitalised",
    "listed",
    "phrases",
    "shortened",
    "telling_words",
    "untold",
    "value_label",
]

_LEAST_WEIGHT = 0.9  # less: words of grammar, of exposition, of every program; letters of formulas
_NAMED = 1.5
_HERE = 0.5
_IDLE = """
about according across adapt adopting again alone among anew appendices appendix assigned
associated back backward based basic beside call called calls capital case cases change changed
changes choice clean close closely combine combined come comes common complete concerning
configure consider considered corollary create created creates current de decide demonstrated
describe described detail details direct does done down draw drawn early easy empirically enable
enhance enhances entirely equation examine example examples expected expressed extended extra fig
figure find finds first formal formula formulas formulation four front further generic give given
gives good ground growing handle happens hence here hold implement implemented implements import
important include instance intend introduce introduced involve involving joint jointly justify
kind large last later lemma let line long lower made main major make many matter mean meaning
means mid middle mini most move multi need new next note nothing novel number obey onto open
operate operates original others outer own page part particular pass passed passes past place
placed plus point points precise previous produce produced proof proposed proposition prove proved
proves provided pseudocode purely put quite raw ready real realistic recall recap refer reference
related rely remain remark replaces rest return returned returns rule said second section sections
see seen serve setup short side situation solely sort speaking stand standard state stated states
still straightforward strongest subject sum summarize supplementary support supports table tables
terms theorem think third thus together top toward towards true type types unit units up upper
useful variant variants various verified verifies wait way well whole wide within work works yes
"""
_UNKNOWN = 6.0
_IDLE_STEMS = frozenset(map(stem, _IDLE.split()))
"""Stems of words that papers write and that say nothing of what a program should hold."""


def telling_words(claim: Claim, found: Findings) -> list[WordFinding]:
    """The words and names that say something, each once, those that say most first."""
    background = load_background()
    rare = background.rare[1]
    ranked: list[tuple[float, WordFinding]] = []
    for word in found.words:
        concept = word.concept
        if concept.weight < _LEAST_WEIGHT or len(concept.text.rstrip("_")) < 3:
            continue
        if not concept.named and (concept.terms[0] in _IDLE_STEMS or is_prose(concept.text)):
            continue
        if " " in concept.text and concept.text not in claim.text:
            continue  # `agent's`, in two tokens
        surprise = background.in_function(concept.terms)
        if not concept.named and surprise >= rare:
            surprise = _UNKNOWN  # no program holds it: a word of prose, as far as can be told
        rank = (surprise + 1.0) * (_HERE + word.weight if concept.named else word.weight)
        ranked.append((rank * (_NAMED if concept.named else 1.0), word))
    ranked.sort(key=lambda one: -one[0])
    return _each_once(word for _, word in ranked)


def _each_once(words: Iterable[WordFinding]) -> list[WordFinding]:
    """Without words that stand in a phrase that is told, and phrases whose words are."""
    told: set[str] = set()
    kept: list[WordFinding] = []
    for word in words:
        text = word.concept.text
        own = {join(piece) for piece in text.split()} if " " in text else {word.concept.terms[-1]}
        if not own <= told:
            told |= own
            kept.append(word)
    return kept


def value_label(claim: Claim, value: ValueFinding) -> str:
    """A value with the word of the claim that says what it is: `learning rate 1e-4`."""
    return _label(claim.text, value.value.written.strip(), value.value.near)


@lru_cache(maxsize=8192)
def _label(text: str, written: str, near: tuple[str, ...]) -> str:
    start = _place(text, written)
    if start < 0:
        return written
    label = _label_at(text, start, written, near)
    other = _place(text, written, start + 1)
    if other >= 0 and _label_at(text, other, written, near) != label:
        return written  # two things have it
    return label


def _label_at(text: str, start: int, written: str, near: tuple[str, ...]) -> str:
    end = start + len(written)
    after = _after(text[end : end + 40])
    before = _before(text[max(0, start - 60) : start], frozenset(near))
    given = text[:start].rstrip()[-1:] == "="
    if before and (given or not after):
        return f"{before} {written}"
    return f"{written}{after}" if after else written


def _place(text: str, written: str, start: int = 0) -> int:
    """Where a word or number stands by itself in a text, -1 for nowhere."""
    start = text.find(written, start)
    while start >= 0:
        end = start + len(written)
        before, after = text[max(0, start - 1) : start], text[end : end + 2]
        inside = after[:1].isalnum() or (after[:1] in {",", "."} and after[1:].isdigit())
        if not (before.isalnum() or before in {".", "_"} or (inside and written[-1:].isdigit())):
            return start
        start = text.find(written, start + 1)
    return start


_MOST_AFTER = 2
_FAR = 14  # a name further off than this, or behind a bracket, is another number's


_CLOSED = frozenset("])};")


def _after(text: str) -> str:
    """The words that a number counts, with what divides them: ` epochs`, `x magnification`."""
    found = ""
    for number, match in enumerate(TOKEN.finditer(text)):
        gap = text[len(found) : match.start()]
        if gap not in {" ", "-"} or number == _MOST_AFTER or not _says(match[0]):
            break
        if match.end() == len(text) and len(text) == 40:
            break  # cut in the middle
        found = text[: match.end()]
    return found


def _before(text: str, near: frozenset[str]) -> str:
    """The name that a number is given to, as written, of at most two words."""
    if (given := _GIVEN.search(text)) is not None:
        return given[1]
    tokens = list(TOKEN.finditer(text))
    for number in range(len(tokens) - 1, -1, -1):
        token = tokens[number]
        gap = text[token.end() :]
        if any(map(str.isdigit, gap)):
            break  # another number's name
        if text[max(0, token.start() - 1) : token.start()] in {"'", "’"}:
            break  # `OLMo's`
        if len(gap) > _FAR or not _CLOSED.isdisjoint(gap):
            break
        if not _says(token[0]) or near.isdisjoint(
            {join(token[0]), *map(stem, word_parts(token[0]))}
        ):
            continue
        if number and text[tokens[number - 1].end() : token.start()] in {" ", "-"}:
            first = tokens[number - 1]
            if _says(first[0]) and (first.start() or len(text) < 60):
                return text[first.start() : token.end()]
        return token[0] if token.start() or len(text) < 60 else ""
    return ""


_GIVEN = re.compile(r"([^\W\d]\w*)\s*=\s*\Z")
_LINKS = frozenset(
    {"after", "before", "during", "each", "either", "every", "next", "once", "per"}
) | {*("then", "until", "use", "used", "uses", "using", "whether", "while")}


def _says(token: str) -> bool:
    if token[0].isdigit() or token.lower() in STOP or token.lower() in _LINKS:
        return False
    own = stem(token.lower())
    return own not in EXPOSITORY and (own not in _IDLE_STEMS or own in GENERIC)


def phrases(text: str, words: Sequence[str]) -> list[str]:
    """Words that a text has side by side as one: `Corridor`, `Length` as `Corridor Length`.

    Args:
        text: The text.
        words: Words of it, in the order in which they are to be told.
    """
    spans = sorted(
        (start, start + len(word), rank)
        for rank, word in enumerate(words)
        if (start := _place(text, word)) >= 0
    )
    joined: list[list[int]] = []
    for start, end, rank in spans:
        if joined and start < joined[-1][1]:
            joined[-1][2] = min(joined[-1][2], rank)  # a word of a phrase that is told
            joined[-1][1] = max(joined[-1][1], end)
        elif joined and text[joined[-1][1] : start] in {" ", "-"}:
            joined[-1][1:] = end, min(joined[-1][2], rank)
        else:
            joined.append([start, end, rank])
    return [text[start:end] for start, end, _ in sorted(joined, key=lambda one: one[2])]


def untold(words: Sequence[WordFinding], labels: Sequence[str]) -> list[WordFinding]:
    """The words that some labels do not tell of already."""
    told = {join(token) for label in labels for token in TOKEN.findall(label)}
    texts = "; ".join(labels).casefold()
    return [
        word
        for word in words
        if word.concept.terms[-1] not in told and word.concept.text.casefold() not in texts
    ]


def listed(parts: Sequence[str], most: int) -> str:
    """Some parts, and how many there are beside them: `a, b and 3 more`."""
    shown = list(parts[:most])
    if len(parts) == most + 1:
        shown = list(parts)  # `and 1 more` is no shorter
    rest = len(parts) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def shortened(text: str, most: int) -> str:
    """A line of code on one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def capitalised(text: str) -> str:
    """A text as a sentence begins; what is capital in it stays so."""
    return text[:1].upper() + text[1:]
