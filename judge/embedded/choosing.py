"""Which side of a choice the code takes at the place that the claim speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from judge.embedded.choices import Choice, Said, Side, said_in
from judge.embedded.linked import is_linked
from judge.embedded.survey import Kept, Survey
from judge.embedded.words import GENERIC, STOP
from retrieval.aliases import aliases_of
from retrieval.words import TOKEN, token_terms

__all__ = ["Chosen", "Taken", "see_choices"]


class Taken(Enum):
    """What the code does of a choice."""

    KEPT = "kept"
    MIXED = "mixed"  # both sides stand there
    BROKEN = "broken"  # the other side stands there, and the claim's in no line around it
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was seen of a side that a claim says.

    Attributes:
        said: The side.
        taken: What the code does at the place that matches the words beside the side best.
        replaced: The side's names stand in no live code, those of another side do.
        row: The live row that shows the other side, -1 for none.
        other: The other side in words.
        match: The share of the words beside the side that stand at its place.
        nouns: How many of those words stand there, common ones around it by half.
        near: The other side is done to what these words name.
    """

    said: Said
    taken: Taken
    replaced: bool
    row: int = -1
    other: str = ""
    match: float = 0.0
    nouns: float = 0.0
    near: bool = False


# What the kinds of choice are called by, which says nothing of what is chosen for.
_KINDS = """
error loss squared absolute mean difference distance residual criterion objective
sort order sorted ordered replacement sample sampled sampling draw drawn bootstrap
std standard deviation variance estimate estimator average averaged score
decoding decode generation temperature
"""
_OF_KIND = frozenset(term for word in _KINDS.split() for term in (word, *token_terms(word)))
_REACH = 7  # words on either side that say what is chosen
_COMMON = 0.3
_UNKNOWN = 0.5  # a word that no live line holds may be one of the sentence
_BREAK = ".;:()[]\n"
_MOST_SITES = 160
_WIDEST = 400  # characters of a line that are read
# Words that tell subjects apart.
_SPLIT_OF = {"train": "train", "test": "test", "valid": "val", "validat": "val", "val": "val"}
_OPENED = 2  # lines above, on which what it is done to may be named
_SPLIT = re.compile(r"train(?!able)|test|eval|val(?!ue)")
_VERBS = frozenset(
    {"taken", "picked", "chosen", "selected", "selects", "picks", "takes", "kept", "drawn", "done"}
)
_BESIDE, _AROUND = 0.6, 0.3  # what a word counts a line away, and elsewhere in the function
_HALF = 0.5
_CLOSE = 4  # words on either side among which that stands which it is done to
_SEEN = 0.25
_LONGEST = 80  # characters of arguments
_AKIN = 0.9  # of the score of the other side's place: a place of the claim's own that may be meant


def see_choices(survey: Survey, text: str, blocks: Sequence[int]) -> tuple[Chosen, ...]:
    """What live code does of each side that a claim says.

    Args:
        survey: The repository.
        text: The claim.
        blocks: The functions that it names as its place; may be empty.
    """
    if not survey.live_lines:
        return ()
    return tuple(_see(survey, text, said, blocks) for said in said_in(text))


def _see(survey: Survey, text: str, said: Said, blocks: Sequence[int]) -> Chosen:
    side = said.choice.sides[said.side]
    others = [other for n, other in enumerate(said.choice.sides) if n != said.side]
    replaced, row, other = _replaced(survey, side, others) if said.choice.whole else (False, -1, "")
    if said.choice.whole and (replaced or not blocks):
        return Chosen(said, _anywhere(survey, side, others), replaced, row, other, near=replaced)
    seen = _at_its_place(survey, text, said, blocks)
    if not said.choice.lone:
        return seen
    subject = _subject(survey, text, said)
    if said.plain and seen.taken is not Taken.KEPT:
        replaced, row, other = _replaced(survey, side, others)
        if replaced:
            near, name = _on_subject(survey, said.choice, others, subject)
            row, other = (near, name) if near >= 0 else (row, other)
            return Chosen(said, seen.taken, True, row, other, seen.match, seen.nouns, near >= 0)
    if seen.near:
        # Kinds of error, of drawing and of order stand all over a repository: what stands at
        # another thing is no contradiction, nor where the claim's own stands at more of this one.
        stands = _standing_at(survey, subject, seen.row)
        own = _rows(survey, said.choice)[said.side].does
        nearer = any(stands < _standing_at(survey, subject, row) for row in own)
        seen = replace(seen, near=bool(stands) and not nearer)
    return seen


def _subject(survey: Survey, text: str, said: Said) -> list[_Noun]:
    """The words beside a side that name what it is done to, and not the kind of choice."""
    return [
        noun
        for noun in _nouns(survey, text, said)
        if not noun.common and noun.rows and noun.term not in _OF_KIND
    ]


def _on_subject(
    survey: Survey, choice: Choice, sides: Sequence[Side], subject: Sequence[_Noun]
) -> tuple[int, str]:
    """The first line that takes one of some sides where the subject stands, and the side's words.

    The line is -1 where there is none.
    """
    for side, rows in zip(choice.sides, _rows(survey, choice), strict=True):
        for row in rows.does if side in sides else ():
            if _standing_at(survey, subject, row):
                return row, side.words
    return -1, ""


def _standing_at(survey: Survey, nouns: Sequence[_Noun], row: int) -> frozenset[str]:
    """The words that stand on a line, beside it, or in its function."""
    block = int(survey.row_blocks[row])
    beside = {row, *_beside(survey, row)}
    return frozenset(
        noun.term for noun in nouns if block in noun.blocks or not noun.rows.isdisjoint(beside)
    )


def _beside(survey: Survey, row: int) -> list[int]:
    """The rows above and below one that stand in its function."""
    blocks = survey.row_blocks
    return [
        other
        for other in (row - 1, row + 1)
        if 0 <= other < len(blocks) and blocks[other] == blocks[row]
    ]


# ---- where the claim's own words stand -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Noun:
    """A word beside a side: what it weighs, its places, whether it stands next to and before it."""

    weight: float
    common: bool
    rows: frozenset[int]
    blocks: frozenset[int]
    core: bool
    before: bool
    term: str


@dataclass(frozen=True, slots=True)
class _Site:
    """A line that takes a side, and how much of the claim's words stands there."""

    row: int
    score: float
    nouns: float
    here: frozenset[int]  # the words on the line itself, by their positions


def _at_its_place(survey: Survey, text: str, said: Said, blocks: Sequence[int]) -> Chosen:
    side = said.choice.sides[said.side]
    nouns = _nouns(survey, text, said)
    total = sum(noun.weight for noun in nouns)
    if not total:
        return Chosen(said, Taken.UNKNOWN, replaced=False)
    rows = _rows(survey, said.choice)
    chosen = set(blocks)

    def sites(found: Iterable[int]) -> list[_Site]:
        own = [r for r in found if not chosen or int(survey.row_blocks[r]) in chosen]
        return [_site(survey, row, nouns, total) for row in own[:_MOST_SITES]]

    own = sites(rows[said.side].may)
    best = max(own, key=_rank, default=None)
    against = [
        (site, other.words)
        for number, other in enumerate(said.choice.sides)
        if number != said.side
        for site in sites(rows[number].does)
    ]
    if not against:
        if best is None or best.score < _SEEN:
            return Chosen(said, Taken.UNKNOWN, replaced=False)
        return Chosen(said, Taken.KEPT, False, match=best.score, nouns=best.nouns)
    worst, name = max(against, key=lambda pair: _rank(pair[0]))
    if best is not None and best.score >= max(worst.score, _SEEN):
        return Chosen(said, Taken.KEPT, False, match=best.score, nouns=best.nouns)
    if worst.score < _SEEN:
        return Chosen(said, Taken.UNKNOWN, replaced=False)
    # A line of the claim's own side may be meant where it holds the same words.
    core = frozenset(n for n, noun in enumerate(nouns) if noun.core) & worst.here
    meant = any(
        site.score >= _AKIN * worst.score or (core or worst.here) <= site.here for site in own
    )
    if meant or is_linked(survey, side, worst.row):
        return Chosen(said, Taken.MIXED, False, worst.row, name, worst.score, worst.nouns)
    near = bool(worst.here) and _is_of_subject(survey, said, nouns, worst)
    return Chosen(said, Taken.BROKEN, False, worst.row, name, worst.score, worst.nouns, near)


def _is_of_subject(survey: Survey, said: Said, nouns: Sequence[_Noun], site: _Site) -> bool:
    """Whether a line that takes the other side is about what the claim speaks of.

    A line of the validation split says nothing of the training split; and of what is detached or
    frozen the words that its function holds must stand there: `teacher_logits` are no
    `student_logits`.
    """
    splits = {_SPLIT_OF[noun.term] for noun in nouns if noun.term in _SPLIT_OF}
    held = set(_SPLIT.findall(survey.codes[site.row][:_WIDEST].lower()))
    if "eval" in held:
        held |= {"val", "test"}
    if splits and held and not splits & held:
        return False
    if not said.choice.subject:
        return True
    core = [n for n, noun in enumerate(nouns) if noun.core and not noun.common and noun.rows]
    core = [n for n in core if nouns[n].before] or core
    rows = {site.row}
    for row in range(max(0, site.row - _OPENED), site.row):
        if survey.codes[row].lstrip().startswith(("for ", "with ")):
            rows.add(row)  # `for weight in encoder.parameters():`
    block = int(survey.row_blocks[site.row])
    return all(nouns[n].rows & rows or block not in nouns[n].blocks for n in core)


def _rank(site: _Site) -> tuple[float, int]:
    return site.score, -site.row


def _site(survey: Survey, row: int, nouns: Sequence[_Noun], total: float) -> _Site:
    block = int(survey.row_blocks[row])
    beside = _beside(survey, row)
    score = strength = 0.0
    here: set[int] = set()
    for number, noun in enumerate(nouns):
        if row in noun.rows:
            here.add(number)
            share = 1.0
        elif not noun.rows.isdisjoint(beside):
            share = _BESIDE
        elif block in noun.blocks:
            share = _AROUND
        else:
            continue
        score += share * noun.weight
        strength += _HALF if noun.common and row not in noun.rows else 1.0
    return _Site(row, score / total, strength, frozenset(here))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The live lines that take a side without doubt, and those that may."""

    does: tuple[int, ...]
    may: tuple[int, ...]


_ROWS: Kept[dict[str, tuple[_Rows, ...]]] = Kept()


def _rows(survey: Survey, choice: Choice) -> tuple[_Rows, ...]:
    """For each side of a choice the lines that take it; looked for once."""
    known = _ROWS.setdefault(survey, {})
    found = known.get(choice.name)
    if found is None:
        found = known[choice.name] = tuple(_of_side(survey, side) for side in choice.sides)
    return found


def _of_side(survey: Survey, side: Side) -> _Rows:
    codes = survey.codes
    here = sorted(
        {row for term in side.terms for row in survey.rows(survey.places(term).live).tolist()}
    )
    does = tuple(row for row in here if side.does.search(codes[row], 0, _WIDEST))
    certain = set(does)
    may = tuple(row for row in here if row in certain or side.may.search(codes[row], 0, _WIDEST))
    return _Rows(does, may)


# ---- kinds that are told by their names alone -------------------------------------------------


def _replaced(survey: Survey, side: Side, others: Sequence[Side]) -> tuple[bool, int, str]:
    """Whether a side has no live line anywhere, and another has one."""
    codes = survey.codes
    for term in side.terms:
        for row in survey.rows(survey.places(term).live).tolist():
            if side.does.search(codes[row], 0, _WIDEST) or side.may.search(codes[row], 0, _WIDEST):
                return False, -1, ""
    for other in others:
        for term in other.terms:
            for row in survey.rows(survey.places(term).live).tolist():
                if other.does.search(codes[row], 0, _WIDEST):
                    if _may_anywhere(survey, side):
                        return False, -1, ""
                    return True, row, other.words
    return False, -1, ""


_MAY: Kept[dict[str, bool]] = Kept()


def _may_anywhere(survey: Survey, side: Side) -> bool:
    """Whether any live line may take a side; looked for once."""
    known = _MAY.setdefault(survey, {})
    found = known.get(side.may.pattern)
    if found is None:
        may = side.may
        found = known[side.may.pattern] = any(
            may.search(code, 0, _WIDEST) is not None for code in survey.codes
        )
    return found


def _anywhere(survey: Survey, side: Side, others: Sequence[Side]) -> Taken:
    """What live code does of a choice of kinds, wherever it does it."""
    own = _is_done(survey, side)
    if any(_is_done(survey, other) for other in others):
        return Taken.MIXED if own else Taken.UNKNOWN
    return Taken.KEPT if own else Taken.UNKNOWN


def _is_done(survey: Survey, side: Side) -> bool:
    return any(
        side.does.search(survey.codes[row], 0, _WIDEST)
        for term in side.terms
        for row in survey.rows(survey.places(term).live).tolist()
    )


def _arguments(text: str) -> str:
    """What stands in the bracket that a text begins with."""
    depth = 0
    for place, mark in enumerate(text):
        depth += (mark in "({[") - (mark in ")}]")
        if place and not depth:
            return text[:place]
    return text


def _nouns(survey: Survey, text: str, said: Said) -> list[_Noun]:
    """The words beside a side, in its clause."""
    start = max((text.rfind(mark, 0, said.start) for mark in _BREAK), default=-1) + 1
    ends = [at for mark in _BREAK if (at := text.find(mark, said.end)) >= 0]
    end = min(ends, default=len(text))
    before = TOKEN.findall(text[start : said.start])[-_REACH:]
    after = TOKEN.findall(text[said.end : end])[:_REACH]
    if said.choice.inside:
        before, after = [], TOKEN.findall(_arguments(text[said.end : said.end + _LONGEST]))
    terms: dict[str, tuple[bool, bool]] = {}
    nearest = [*reversed(before), *after]
    for place, token in enumerate(nearest):
        if token.lower() in STOP or token.lower() in _VERBS or token[0] in "0123456789.":
            continue
        own = token_terms(token)
        if own and len(own[0]) > 1:
            close = place in {*range(_CLOSE), *range(len(before), len(before) + _CLOSE)}
            known_close, known_before = terms.get(own[0], (False, False))
            terms[own[0]] = close or known_close, place < len(before) or known_before
    found: list[_Noun] = []
    known = _STANDING.setdefault(survey, {})
    for term, (close, leads) in terms.items():
        standing = known.get(term)
        if standing is None:
            standing = known[term] = _stands(survey, term)
        found.append(_Noun(*standing, core=close, before=leads, term=term))
    return found


_Standing = tuple[float, bool, frozenset[int], frozenset[int]]
_STANDING: Kept[dict[str, _Standing]] = Kept()


def _stands(survey: Survey, term: str) -> _Standing:
    """What a word weighs, whether it is a common one, and its live rows and functions."""
    places = [survey.places(each) for each in (term, *aliases_of(term)[:2])]
    live = max(places, key=lambda each: len(each.live) > 0)
    common = term in GENERIC and term not in _SPLIT_OF
    weight = (_COMMON if common else 1.0) * survey.rarity(live)
    if not len(live.live):
        weight *= _UNKNOWN
    rows = frozenset(survey.rows(live.live).tolist())
    return weight, common, rows, frozenset(live.live_blocks.tolist())
