"""What a claim's word goes by in code, and what not: other spellings, signs, false friends.

`addition` is `+` or `+=` in code and `variance` is `var`. A stem joins unlike words, too: a line
with `mixup_prob` says nothing of probing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from judge.embedded.operations import operations_of
from judge.embedded.survey import Kept, Standing, Survey, TermPlaces
from retrieval.words import TOKEN, join, stem, word_parts

__all__ = ["by_other_spelling", "by_sign", "has_false_friends", "own_places"]

# What a claim says: what code calls it; behind a bar the operations that carry it out.
_SPELLINGS = """
variance variances: var nanvar
deviation: std
warm warms warming warmed: warmup warmupsteps
top: topk top1 top5 acc1 acc5 hit1 hit10 precisionat1
lowest smallest least: min argmin amin minimum nsmallest | min argmin
highest largest greatest: max argmax amax maximum nlargest topk | max argmax
root roots: sqrt rsqrt | root
minus negative: neg | minus
plus: add | plus
inverse: inv rsqrt | inverse root
added adds adding addition additions: add addcmul | plus
subtracted subtracts subtracting subtraction: sub rsub | minus
multiplied multiplies multiply multiplying multiplication: mul matmul | times
divided divides divide dividing division: div truediv | over
squared squares squaring: square pow | square
concatenated concatenates concatenating concatenation: cat hstack vstack | concat
"""
# What a claim says: words of code with the same stem, and another meaning.
_UNLIKE = """
probing probed probe probes: prob probs
learned learnt learn learns: learning
outer: out outs
inner: in
mining mined mines: min mins
states state stating: stat stats
stats: state states
modes mode: mod mods
planes plane: plan plans planning
planning plan plans planned: planes plane
rating rated: rate rates
rate rates: rating ratings
logged logging logs: log
grades graded grading grade: grad grads
poses pose posed: pos
dates date dated: dat
covers covered covering cover: cov
enters entered enter: ent
hyper: hyp
formation formations: format formats formatted
center centers centered: cent cents
noted notes note: not
inter: int
summer: sum
used uses: us
"""


def _table(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        said, _, rest = line.partition(": ")
        found.update(dict.fromkeys(said.split(), rest))
    return found


def _spellings() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for said, rest in _table(_SPELLINGS).items():
        terms, _, operations = rest.partition("|")
        found[said] = (tuple(map(join, terms.split())), tuple(operations.split()))
    return found


_OTHERS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = _spellings()
_FALSE: Mapping[str, frozenset[str]] = {
    said: frozenset(rest.split()) for said, rest in _table(_UNLIKE).items()
}


def own_places(survey: Survey, text: str, term: str) -> TermPlaces:
    """Where a term stands, without the lines that only hold another word of the same stem.

    Args:
        survey: The repository.
        text: The word as the claim writes it.
        term: Its term.
    """
    places = survey.places(term)
    false = _FALSE.get(text.lower())
    if false is None or places.standing is Standing.NOWHERE:
        return places
    known = _known(survey)
    key = (text.lower(), term)
    if key not in known:
        known[key] = _without(survey, term, places, false)
    return known[key]


def has_false_friends(text: str) -> bool:
    """Whether code has other words of the stem of a word."""
    return text.lower() in _FALSE


def by_other_spelling(survey: Survey, text: str, term: str) -> TermPlaces | None:
    """Where live code has a word in another spelling, or carries it out by a sign.

    Args:
        survey: The repository.
        text: The word as the claim writes it.
        term: Its term.

    Returns:
        `None` where it has none.
    """
    terms, operations = _OTHERS.get(text.lower(), ((), ()))
    if term.endswith("y") and text.lower().endswith(("s", "ed", "ing")):
        terms = (*terms, stem(term))  # `decays` and `decayed` are `decay`
    for other in terms:
        places = survey.places(other)
        if places.standing is Standing.LIVE:
            return places
    return _carried_out(survey, operations) if operations else None


_SIGNS = {"square root": ("root",), "square": ("square",)}


def by_sign(survey: Survey, operation: str) -> TermPlaces | None:
    """Where live code carries out an operation of a claim by a sign: `** 0.5`."""
    operations = _SIGNS.get(operation)
    return _carried_out(survey, operations) if operations else None


_KNOWN: Kept[dict[tuple[str, str], TermPlaces]] = Kept()
_NONE = np.zeros(0, np.int64)


def _known(survey: Survey) -> dict[tuple[str, str], TermPlaces]:
    known = _KNOWN.get(survey)
    return _KNOWN.setdefault(survey, {}) if known is None else known


def _carried_out(survey: Survey, operations: tuple[str, ...]) -> TermPlaces | None:
    if not survey.live_lines:
        return None
    known = _known(survey)
    key = ("", " ".join(operations))  # no word of a claim is empty
    if key not in known:
        live = survey.live[operations_of(survey).rows_with(operations)]
        blocks = _blocks(survey, live)
        known[key] = TermPlaces(Standing.LIVE, live, _NONE, blocks, _NONE, blocks, _NONE)
    return known[key] if len(known[key].live) else None


def _without(survey: Survey, term: str, places: TermPlaces, false: frozenset[str]) -> TermPlaces:
    def holds(text: str) -> bool:
        return any(
            part not in false and stem(part) == term
            for token in TOKEN.findall(text)
            for part in word_parts(token)
        )

    def kept(lines: np.ndarray) -> np.ndarray:
        own = [line for line in lines.tolist() if holds(survey.index.code_of(*survey.place(line)))]
        return np.array(own, np.int64)

    live, idle = kept(places.live), kept(places.idle)
    if len(live) == len(places.live) and len(idle) == len(places.idle):
        return places
    if not len(live) and not len(idle):
        lines, _ = survey.index.postings.lines_of(term)
        said = any(
            holds(survey.index.lines(path)[row - 1])
            for path, row in map(survey.place, lines.tolist())
        )
        standing = Standing.TEXT if said else Standing.NOWHERE
        return TermPlaces(standing, _NONE, _NONE, _NONE, _NONE, _NONE, places.text_blocks)
    standing = Standing(int(survey.standing[np.concatenate((live, idle))].max()))
    live_blocks, idle_blocks = _blocks(survey, live), _blocks(survey, idle)
    every = np.union1d(live_blocks, idle_blocks)
    return TermPlaces(standing, live, idle, live_blocks, idle_blocks, every, places.text_blocks)


def _blocks(survey: Survey, lines: np.ndarray) -> np.ndarray:
    numbers = np.unique(survey.block_of_line[lines]).astype(np.int64)
    return numbers[numbers >= 0]
