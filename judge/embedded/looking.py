"""Looking for a claim's parts in a repository: what was found, where, and how well it stands."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from judge.embedded.beside import is_near
from judge.embedded.defaults import defaults_of
from judge.embedded.giving import Conflict, conflicts
from judge.embedded.library import CARRIED, NOTHING, Carried, Carrying, library_of, said_by
from judge.embedded.method import NO_METHOD, Method, look_at_method
from judge.embedded.named_places import named_first
from judge.embedded.named_steps import missed_steps
from judge.embedded.ordering import trace_of
from judge.embedded.parts import Claim, Concept
from judge.embedded.place_names import names_in
from judge.embedded.proper_names import unknown_names
from judge.embedded.spelled import (
    by_other_spelling,
    by_sign,
    has_false_friends,
    own_places,
)
from judge.embedded.survey import Standing, Survey, TermPlaces
from judge.embedded.values import ValueFinding, ValueState, find_value
from judge.embedded.windows import summed
from retrieval.aliases import aliases_of
from retrieval.words import join

__all__ = ["Findings", "StepFinding", "WordFinding", "look"]

Float = npt.NDArray[np.float64]
Lines = npt.NDArray[np.int64]
NONE: Lines = np.zeros(0, np.int64)
_ALIAS = 0.6  # what an alias is worth beside the word itself
_BEGUN = 0.5  # what a word with the same beginning is worth
_STEP_FOUND = 0.4


@dataclass(slots=True)  # frozen, a thousand of them would take twice as long to make
class WordFinding:
    """What was found of one word or name; not to be changed.

    Attributes:
        concept: The word.
        places: Where its best term stands.
        credit: 1 for the word itself, less for an alias.
        weight: How much it weighs in this repository.
        carried: The calls of libraries that carry it out.
        more: Their blocks, of those that do not hold it.
    """

    concept: Concept
    places: TermPlaces
    credit: float
    weight: float
    carried: Carried | None = None
    more: Lines = field(default_factory=lambda: NONE)

    @property
    def only_carried(self) -> bool:
        """Whether it stands nowhere in live code, and calls carry it out."""
        return self.carried is not None and self.places.live is self.carried.lines


@dataclass(frozen=True, slots=True)
class StepFinding:
    """Where a step of an ordering claim stands best.

    Attributes:
        block: The block, -1 for none.
        line: The line, counted over all files from 0; -1 for none.
        cover: The share of the step's words that stand there.
        time: When it is first run; `None` where that cannot be told.
    """

    block: int
    line: int
    cover: float
    time: int | None


@dataclass(slots=True)
class Findings:
    """All that was found for a claim.

    Attributes:
        words: The claim's words and names.
        values: Its values.
        operators: (name, in the focus, live anywhere) of its operations.
        steps: Its steps.
        order: Pairs of neighbouring steps in order less those out of order, over all pairs.
        live_score: For each block the share of the claim's words that are live in it.
        idle_score: The same for lines that do not act.
        focus: The best live blocks, best first.
        match_live: Of the functions that match, by how well they do, the share that is live.
        match_stub: The share that are placeholders.
        idle_focus: The best block that does not act, -1 for none.
        stub_focus: The best placeholder, -1 for none.
        conflicts: The values whose names are given other ones.
        stray: The only value stands nowhere, or away from all words of the claim.
        method: What was seen of its choices, orders, quoted code and formulas.
        unknown: Names of data sets, baselines and the like that no live line holds.
        absent: Named steps of it of which no live line holds a sign.
        carrying: What calls of libraries carry out of it.
    """

    words: list[WordFinding]
    values: list[ValueFinding]
    operators: list[tuple[str, bool, bool]]
    steps: list[StepFinding]
    order: float | None
    live_score: Float
    idle_score: Float
    focus: list[int] = field(default_factory=list)
    match_live: float = 1.0
    match_stub: float = 0.0
    idle_focus: int = -1
    stub_focus: int = -1
    conflicts: list[Conflict] = field(default_factory=list)
    stray: bool = False
    method: Method = NO_METHOD
    unknown: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    carrying: Carrying = NOTHING


def look(survey: Survey, claim: Claim) -> Findings:
    """Look for all parts of a claim."""
    carrying = library_of(survey).carried(claim)
    by_default = defaults_of(survey).carried(claim)
    words = [
        _find_word(survey, concept, by_default.get(number) or carrying.words.get(number))
        for number, concept in enumerate(claim.concepts)
    ]
    total = sum(word.weight for word in words) or 1.0
    count = len(survey.blocks)
    claimed = frozenset(term[1:] for v in claim.values for term in (v.term, *v.also))
    acting: list[tuple[Lines, float]] = []
    resting: list[tuple[Lines, float]] = []
    for word in words:
        share = word.weight * word.credit / total
        acting.append((word.places.live_blocks, share))
        if len(word.more):
            acting.append((word.more, CARRIED * word.weight / total))
        resting.append((word.places.idle_blocks, share))
    live, idle = summed(acting, count), summed(resting, count)
    said = said_by(claim)
    values = [find_value(survey, v, claimed, said, claim.text) for v in claim.values]
    found = Findings(words, values, [], [], None, live, idle, carrying=carrying)
    if count:
        found.focus = _focus(survey, claim, live)
        idle_functions = idle * survey.is_function
        best_idle = int(np.argmax(idle_functions))
        found.idle_focus = best_idle if idle_functions[best_idle] > 0 else -1
        stubs = idle_functions * survey.stub_blocks
        best_stub = int(np.argmax(stubs))
        found.stub_focus = best_stub if stubs[best_stub] > 0 else -1
        found.match_live, found.match_stub = _matching(survey, words)
    found.stray = _is_stray(survey, found)
    found.conflicts = conflicts(survey, claim.mentions, claim.text)
    found.operators = _find_operators(survey, claim, found.focus, carrying.operators)
    by_calls = {claim.concepts[number].text.casefold() for number in by_default}
    method = look_at_method(survey, claim.text)
    missed = tuple(step for step in method.missed if step.name.casefold() not in by_calls)
    found.method = method if len(missed) == len(method.missed) else replace(method, missed=missed)
    found.unknown = unknown_names(survey, claim.text, words)
    # Where nothing is live nothing is looked at, and all is missing.
    lacking = missed if survey.live_lines else missed_steps(survey, claim.text)
    found.absent = tuple(step.name for step in lacking if not step.rival)
    if claim.steps:
        found.steps = [_find_step(survey, [words[n] for n in step]) for step in claim.steps]
        found.order = _order(found.steps)
    return found


def _focus(survey: Survey, claim: Claim, live: Float) -> list[int]:
    """The best live blocks; of equal ones that which the claim names."""
    order = np.argsort(-live, kind="stable")[:_MOST_EQUAL]
    best = [int(number) for number in order if live[number] > 0]
    equal = [number for number in best if live[number] == live[best[0]]]
    if len(equal) > 1:
        best[: len(equal)] = named_first(survey, names_in(claim.text), equal)
    return best[:3]


_MOST_EQUAL = 16


def _is_stray(survey: Survey, found: Findings) -> bool:
    if len(found.values) != 1:
        return False
    value = found.values[0]
    if value.state is not ValueState.ELSEWHERE:
        return value.state in {ValueState.ABSENT, ValueState.IDLE}
    terms = {term for word in found.words for term in (*word.concept.terms, *word.concept.aliases)}
    texts = [word.concept.text for word in found.words]
    for size in (2, 3):
        phrases = (join(" ".join(texts[n : n + size])) for n in range(len(texts)))
        terms.update(alias for phrase in phrases for alias in aliases_of(phrase))
    return not is_near(survey, value.line, terms)


def _find_word(survey: Survey, concept: Concept, carried: Carried | None) -> WordFinding:
    best, credit = own_places(survey, concept.text, concept.terms[0]), 1.0
    for term in concept.terms[1:]:
        places = survey.places(term)
        if places.standing > best.standing:
            best, credit = places, 0.7
    if best.standing < Standing.LIVE:
        for term in concept.aliases:
            places = survey.places(term)
            if places.standing is Standing.LIVE:
                best, credit = places, _ALIAS
                break
    if best.standing < Standing.LIVE and (
        (other := by_other_spelling(survey, concept.text, concept.terms[0])) is not None
    ):
        best, credit = other, _ALIAS
    if best.standing < Standing.LIVE and carried is not None:
        best, credit = _carried_out(best, carried), carried.credit
    if best.standing < Standing.STUB and not (concept.named or has_false_friends(concept.text)):
        for term in survey.begun_by(concept.terms[-1]):
            places = survey.places(term)
            if places.standing is Standing.LIVE:
                best, credit = places, _BEGUN
                break
    weight = concept.weight * survey.rarity(best) * (1.5 if concept.named else 1.0)
    more = NONE
    if carried is not None and best.live is not carried.lines:
        more = np.setdiff1d(carried.blocks, best.live_blocks, assume_unique=True)
    return WordFinding(concept, best, credit, weight, carried, more)


def _carried_out(places: TermPlaces, carried: Carried) -> TermPlaces:
    """Where a word is carried out that no live line holds."""
    return replace(
        places,
        standing=Standing.LIVE,
        live=carried.lines,
        live_blocks=carried.blocks,
        all_blocks=np.union1d(carried.blocks, places.idle_blocks),
        text_blocks=np.setdiff1d(places.text_blocks, carried.blocks, assume_unique=True),
    )


_SHARPNESS = 4


def _matching(survey: Survey, words: list[WordFinding]) -> tuple[float, float]:
    """Of the functions that match the claim, by how well they match: shares live and stubs."""
    count = len(survey.blocks)
    items: list[tuple[Lines, float]] = []
    for word in words:
        blocks = word.places.all_blocks
        if len(blocks):
            rare = math.log((count + 1.0) / len(blocks)) / math.log(count + 1.0)
            items.append((blocks, word.concept.weight * word.credit * max(rare, 0.05)))
    score = summed(items, count)
    score *= survey.is_function
    weight = score**_SHARPNESS
    total = float(weight.sum())
    if not total:
        return 1.0, 0.0
    return float(weight[survey.live_blocks].sum()) / total, float(
        weight[survey.stub_blocks].sum()
    ) / total


def _find_operators(
    survey: Survey, claim: Claim, focus: list[int], carried: Mapping[int, Carried]
) -> list[tuple[str, bool, bool]]:
    near = set(focus)
    for number in focus:
        near.update(survey.neighbours(number))
    mask = np.zeros(len(survey.blocks) + 1, np.bool_)
    mask[list(near)] = True
    found: list[tuple[str, bool, bool]] = []
    for number, operator in enumerate(claim.operators):
        own = carried.get(number)
        anywhere = own is not None
        here = own is not None and bool(mask[own.blocks].any())
        for term in operator.terms:
            blocks = survey.places(term).live_blocks
            if len(blocks):
                anywhere = True
                if here or mask[blocks].any():
                    here = True
                    break
        if not here and (signs := by_sign(survey, operator.text)) is not None:
            anywhere, here = True, bool(mask[signs.live_blocks].any())
        found.append((operator.text, here, anywhere))
    return found


def _find_step(survey: Survey, words: list[WordFinding]) -> StepFinding:
    total = sum(word.weight for word in words)
    if not total or not survey.blocks:
        return StepFinding(-1, -1, 0.0, None)
    score = summed(
        [(word.places.live_blocks, word.weight * word.credit) for word in words],
        len(survey.blocks),
    )
    block = int(np.argmax(score))
    cover = float(score[block]) / total
    if cover <= 0:
        return StepFinding(-1, -1, 0.0, None)
    hits: dict[int, float] = {}
    for word in words:
        for line in word.places.live.tolist():
            if survey.block_of_line[line] == block:
                hits[line] = hits.get(line, 0.0) + word.weight * word.credit
    if not hits:
        hits[survey.blocks[block].lines[0]] = 0.0  # only the block's name and file match
    best = max(
        hits, key=lambda line: (sum(hits.get(line + shift, 0.0) for shift in (-1, 0, 1)), -line)
    )
    _, number = survey.place(best)
    return StepFinding(block, best, cover, trace_of(survey).time(block, number))


def _order(steps: list[StepFinding]) -> float | None:
    times = [step.time for step in steps if step.time is not None and step.cover >= _STEP_FOUND]
    pairs = list(itertools.pairwise(times))
    if not pairs:
        return None
    kept = sum((later > earlier) - (later < earlier) for earlier, later in pairs)
    return kept / len(pairs)
