"""Which side of a choice the code takes that matches the words beside it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from judge.embedded.choices import Said, Side, said_in
from judge.embedded.survey import Survey
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
        taken: What the code does at its best place.
        replaced: The side's names stand in no live code, those of another side do.
        row: The live row that shows the other side, -1 for none.
        other: The other side in words.
        match: The share of the words beside the side that its best function holds.
        nouns: How many of those words it holds that say something.
        near: The lines that match best show it, and not only their function.
    """

    said: Said
    taken: Taken
    replaced: bool
    row: int = -1
    other: str = ""
    match: float = 0.0
    nouns: int = 0
    near: bool = False


_REACH = 7  # words on either side that say what is chosen
_NEAR = 2  # lines around the best one that count
_COMMON = 0.3
_BREAK = ".;:()[]\n"
_WEIGHTY = 0.5


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
    if said.choice.whole and not blocks:
        return Chosen(said, _anywhere(survey, side, others), replaced, row, other, near=replaced)
    near = np.zeros(survey.live_lines)
    here = np.zeros(len(survey.blocks))
    total = 0.0
    held: list[tuple[float, np.ndarray]] = []
    for term, weight in _nouns(text, said):
        found = [survey.places(each) for each in (term, *aliases_of(term)[:2])]
        live = max(found, key=lambda places: len(places.live) > 0)
        heavy = weight * survey.rarity(live)
        total += heavy
        if not len(live.live):
            continue
        here[live.live_blocks] += heavy
        held.append((heavy, live.live_blocks))
        rows = survey.rows(live.live)
        for shift, share in ((-1, 0.4), (1, 0.4), (0, 1.0)):
            at = rows + shift
            at = at[(at >= 0) & (at < survey.live_lines)]
            near[at] += share * heavy
    if blocks:
        outside = np.ones(len(here), np.bool_)
        outside[list(blocks)] = False
        here[outside] = 0.0
    if not total or not here.any():
        return Chosen(said, Taken.UNKNOWN, replaced, row, other)
    block = int(np.argmax(here * survey.is_function + 0.9 * here * ~survey.is_function))
    match = float(here[block]) / total
    nouns = sum(weight >= _WEIGHTY * 0.5 and block in blocks for weight, blocks in held)
    own = np.flatnonzero(survey.row_blocks == block)
    if not len(own):
        return Chosen(said, Taken.UNKNOWN, replaced, row, other)
    best = own[np.argsort(-near[own], kind="stable")[:3]]
    around = {
        int(r) for b in best for r in range(b - _NEAR, b + _NEAR + 1)
        if 0 <= r < survey.live_lines and survey.row_blocks[r] == block
    }  # fmt: skip
    taken, shown, name = _at(survey, side, others, sorted(around))
    if taken is not Taken.UNKNOWN:
        if taken is Taken.BROKEN and _holds(survey, side, {block, *survey.neighbours(block)}):
            taken = Taken.MIXED
        if taken is Taken.BROKEN:
            return Chosen(said, taken, replaced, shown, name, match, nouns, near=True)
        return Chosen(said, taken, replaced, row, other, match, nouns, near=True)
    taken, _, _ = _at(survey, side, others, own.tolist(), wide=True)
    if taken is Taken.BROKEN and _holds(survey, side, set(survey.neighbours(block))):
        taken = Taken.MIXED
    return Chosen(said, taken, replaced, row, other, match, nouns)


def _at(
    survey: Survey, side: Side, others: Sequence[Side], rows: Sequence[int], *, wide: bool = False
) -> tuple[Taken, int, str]:
    """What some lines do, and the line and name of another side."""
    lines = survey.codes
    against = next(
        ((row, each.words) for row in rows for each in others if each.does.search(lines[row])),
        None,
    )
    does = any(side.does.search(lines[row]) for row in rows)
    may = does or any(side.may.search(lines[row]) for row in rows)
    if against is None:
        # In a whole function what may be it says too little.
        kept = does if wide else may
        return (Taken.KEPT if kept else Taken.UNKNOWN), -1, ""
    if may and (wide or not does):
        return Taken.MIXED, *against
    return (Taken.KEPT if does else Taken.BROKEN), *against


def _holds(survey: Survey, side: Side, blocks: set[int]) -> bool:
    """Whether some functions may take a side anywhere."""
    return any(
        side.may.search(survey.codes[row])
        for block in blocks
        for row in np.flatnonzero(survey.row_blocks == block).tolist()
    )


def _replaced(survey: Survey, side: Side, others: Sequence[Side]) -> tuple[bool, int, str]:
    """Whether a side has no live line anywhere, and another has one."""
    if any(len(survey.places(term).live) for term in side.terms):
        return False, -1, ""
    for other in others:
        for term in other.terms:
            for row in survey.rows(survey.places(term).live).tolist():
                if other.does.search(survey.codes[row]):
                    if any(side.may.search(code) for code in survey.codes):
                        return False, -1, ""
                    return True, row, other.words
    return False, -1, ""


def _anywhere(survey: Survey, side: Side, others: Sequence[Side]) -> Taken:
    """What live code does of a choice of kinds, wherever it does it."""
    own = _is_done(survey, side)
    if any(_is_done(survey, other) for other in others):
        return Taken.MIXED if own else Taken.UNKNOWN
    return Taken.KEPT if own else Taken.UNKNOWN


def _is_done(survey: Survey, side: Side) -> bool:
    return any(
        side.does.search(survey.codes[row])
        for term in side.terms
        for row in survey.rows(survey.places(term).live).tolist()
    )


def _nouns(text: str, said: Said) -> list[tuple[str, float]]:
    """The words beside a side, in its clause, and what each weighs."""
    start = max((text.rfind(mark, 0, said.start) for mark in _BREAK), default=-1) + 1
    ends = [at for mark in _BREAK if (at := text.find(mark, said.end)) >= 0]
    end = min(ends, default=len(text))
    before = TOKEN.findall(text[start : said.start])[-_REACH:]
    after = TOKEN.findall(text[said.end : end])[:_REACH]
    found: dict[str, float] = {}
    for token in (*before, *after):
        if token.lower() in STOP or token[0] in "0123456789.":
            continue
        terms = token_terms(token)
        if terms and len(terms[0]) > 1:
            found.setdefault(terms[0], _COMMON if terms[0] in GENERIC else 1.0)
    return list(found.items())
