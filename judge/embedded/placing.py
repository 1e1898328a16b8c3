"""Where the two sides of a stated order stand in live code, and which of them is run first.

A side's place is the line that holds most of the words by which it differs from the other side.
Places are compared inside one function alone: by line, by what is nested in what, and not across
branches that exclude each other. Heads of functions, classes and what `__init__` builds run in no
order that a claim speaks of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from judge.embedded.events import event_rows
from judge.embedded.loops import owner_of
from judge.embedded.side_words import VERBS, Said, own_words, words_of
from judge.embedded.sides import Sides, sides_of
from judge.embedded.step_lines import are_exclusive, nested, read_line, summed_first
from judge.embedded.survey import Kept, Survey
from retrieval.words import token_terms

__all__ = ["Placed", "placed_orders"]

_FOUND = 0.45
_NEAR_BEST = 0.85
_LONGEST = 320  # a longer claim has many steps, each told with the words of others
_GIVEN = 0.8  # what a word counts in a name that a line gives a value
_READ = 0.4  # and anywhere else on it
_SHARED = 0.35  # what a word counts that both sides have
_AGAINST = 0.3  # what a word of the other side takes
_TELLING = 2
_REST = 0.3
_PLAIN_SHARE = 0.55
_DOUBT = 0.3
_MISSING = 0.3  # what a word that no live line holds takes from its side
_BOTH = 0.2
_MOST_LINES = 400
_AMONG = 0.08  # functions that match this much worse than the best may disagree
_PALE = 0.25  # what a word weighs at least that names something
_BUILDS = frozenset({"__init__", "__post_init__", "setup", "build", "__repr__"})


@dataclass(frozen=True, slots=True)
class Placed:
    """What was seen of an order.

    Attributes:
        sides: Its sides.
        kept: 1 where the first side is run first, -1 for the other way, 0 where it cannot be told.
        rows: The live rows that show it, of the first side and the second; empty for none.
        share: The least share of a side's words that stands in its place.
        how: `lines`, or `nested` where one call is given what the other gives.
    """

    sides: Sides
    kept: int = 0
    rows: tuple[int, ...] = ()
    share: float = 0.0
    how: str = ""


@dataclass(frozen=True, slots=True)
class _Word:
    terms: tuple[str, ...]
    weight: float
    places: frozenset[int]


_LAST: Kept[dict[str, tuple[Placed, ...]]] = Kept()


def placed_orders(survey: Survey, text: str) -> tuple[Placed, ...]:
    """What live code says of each order that a claim states in sentences."""
    if len(text) > _LONGEST:
        return ()
    known = _LAST.setdefault(survey, {})
    found = known.get(text)
    if found is None:
        found = known[text] = tuple(_place(survey, sides) for sides in sides_of(text))
    return found


@dataclass(frozen=True, slots=True)
class _Asked:
    """An order as it is looked for.

    Attributes:
        sides: Its sides.
        words: The words of the first side alone, and of the second.
        shared: The words of both.
        around: The words of neither.
    """

    sides: Sides
    words: tuple[Sequence[_Word], Sequence[_Word]]
    shared: Sequence[_Word]
    around: Sequence[_Word]


def _place(survey: Survey, sides: Sides) -> Placed:
    one, other = own_words(sides)
    if not (one and other):
        return Placed(sides)
    both = {**words_of(sides.first), **words_of(sides.second)}
    common = {key: said for key, said in both.items() if key not in one and key not in other}
    words = _words(survey, one), _words(survey, other)
    asked = _Asked(sides, words, _words(survey, common), _words(survey, words_of(sides.around)))
    for seen in (_by_sum(survey, asked, one, other), _by_steps(survey, asked)):
        if seen.rows:
            return seen
    if not all(any(word.places for word in own) for own in words):
        return Placed(sides)
    return _compare(survey, asked)


_SUMS = frozenset({"add", "sum", "addition", "summ"})


def _by_sum(survey: Survey, asked: _Asked, one: Said, other: Said) -> Placed:
    """`The activation comes after the sum`, by what the call is given or what is added to it."""
    adds = [not _SUMS.isdisjoint(said) for said in (one, other)]
    if adds[0] is adds[1]:
        return Placed(asked.sides)
    caller = 1 if adds[0] else 0
    own = [word for word in asked.words[caller] if word.weight > _PALE]
    # A name of one word: what stands beside it may be what is added.
    if not own:
        return Placed(asked.sides)
    terms = _terms(own)
    found: dict[int, int] = {}
    for row in sorted({row for word in own for row in word.places}):
        name = survey.blocks[survey.row_blocks[row]].name.rpartition(".")[2]
        if name in {"forward", "__call__"} and (first := summed_first(survey.codes[row], terms)):
            found[row] = first
    if len(set(found.values())) != 1:
        return Placed(asked.sides)
    row, first = next(iter(found.items()))
    kept = first if adds[0] else -first
    return Placed(asked.sides, kept, (row, row), 1.0, "sum")


_UPDATES = frozenset({"updat", "step", "train", "optimiz"})
_OPPONENT = "discriminat"


def _by_steps(survey: Survey, asked: _Asked) -> Placed:
    """`The critic is updated before the actor`, by the steps of two optimisers in one function."""
    said = {word.terms[1] for own in (*asked.words, asked.shared) for word in own}
    if said.isdisjoint(_UPDATES):
        return Placed(asked.sides)
    sides = [_terms(own) for own in asked.words]
    for n in (0, 1):
        if _OPPONENT in sides[n]:  # what it plays against is called the generator
            sides[n], sides[1 - n] = sides[n] | {"d"}, sides[1 - n] | {"g", "gen"}
    by_block: dict[int, list[tuple[int, str]]] = {}
    for row in event_rows(survey, "step"):
        by_block.setdefault(int(survey.row_blocks[row]), []).append(
            (row, owner_of(survey.codes[row]))
        )
    found: list[Placed] = []
    for steps in by_block.values():
        if len(steps) != 2 or len({owner for _, owner in steps}) != 2:
            continue
        named = [_side_of(owner, sides) for _, owner in steps]
        if sorted(named) != [0, 1]:
            continue
        rows = tuple(row for row, _ in steps)
        if not are_exclusive(survey.codes, *rows):
            kept, pair = (1, rows) if named[0] == 0 else (-1, rows[::-1])
            found.append(Placed(asked.sides, kept, pair, 1.0, "steps"))
    told = {each.kept for each in found}
    return found[0] if len(told) == 1 else Placed(asked.sides)


def _side_of(owner: str, sides: Sequence[frozenset[str]]) -> int:
    """Which side an optimiser is named for, -1 for none or both."""
    terms = {owner, *token_terms(owner)} if owner else set()
    held = [n for n in (0, 1) if not sides[n].isdisjoint(terms)]
    return held[0] if len(held) == 1 else -1


def _words(survey: Survey, said: Said) -> list[_Word]:
    made: list[_Word] = []
    for terms, weight in said.values():
        rows: set[int] = set()
        for term in terms:
            live = survey.places(term).live
            if len(live) <= _MOST_LINES:
                rows.update(survey.rows(live).tolist())
        rarity = _rarity(survey, len(rows)) if rows else _MISSING
        made.append(_Word(terms, weight * rarity, frozenset(rows)))
    return made


def _rarity(survey: Survey, count: int) -> float:
    return max(0.05, math.log((survey.live_lines + 2.0) / (count + 1.0)) / survey.log_lines)


def _rough(own: Sequence[_Word]) -> dict[int, float]:
    """By row the share of a side's words that stand on it, wherever on the line."""
    total = _whole(own)
    found: dict[int, float] = {}
    for word in own:
        for row in word.places:
            found[row] = found.get(row, 0.0) + word.weight / total
    return {row: share for row, share in found.items() if share >= _FOUND}


def _compare(survey: Survey, asked: _Asked) -> Placed:
    sides, words, shared, around = asked.sides, asked.words, asked.shared, asked.around
    by_block: list[dict[int, list[int]]] = [{}, {}]
    for number, own in enumerate(words):
        for row in _rough(own):
            by_block[number].setdefault(int(survey.row_blocks[row]), []).append(row)
    seen: list[tuple[float, Placed]] = []
    both = by_block[0].keys() & by_block[1].keys()
    for block in sorted(both):
        name = survey.blocks[block].name.rpartition(".")[2]
        if name in _BUILDS or not _runs(survey, block):
            continue
        scores = [
            {
                row: score
                for row in by_block[n][block]
                if (score := _score(survey, row, words[n], words[1 - n], shared)) >= _FOUND
            }
            for n in (0, 1)
        ]
        if not all(scores):
            continue
        best = [max(score.values()) for score in scores]
        tops = [
            sorted(row for row, share in scores[n].items() if share >= _NEAR_BEST * best[n])
            for n in (0, 1)
        ]
        kept, pair, how = _in_block(survey, tops, words)
        held = sum(
            w.weight for w in around if any(survey.row_blocks[r] == block for r in w.places)
        ) / max(1e-9, sum(w.weight for w in around))
        seen.append((sum(best) + _BOTH * held, Placed(sides, kept, pair, min(best), how)))
    if not seen:
        return Placed(sides)
    seen.sort(key=lambda each: -each[0])
    top = [each for score, each in seen if score >= seen[0][0] - _AMONG]
    told = {each.kept for each in top} - {0}
    if len(told) != 1:
        return Placed(sides)
    best_seen = next(each for each in top if each.kept)
    if best_seen.kept < 0 and not _is_plain(survey, best_seen, asked, seen):
        return Placed(sides)
    return best_seen


def _is_plain(
    survey: Survey,
    placed: Placed,
    asked: _Asked,
    seen: Sequence[tuple[float, Placed]],
) -> bool:
    """Whether a reversed order is beyond doubt: both places call what their sides say is done."""
    if placed.share < _PLAIN_SHARE:
        return False
    if any(each.kept > 0 and score >= seen[0][0] - _DOUBT for score, each in seen):
        return False
    for row, own in zip(placed.rows, asked.words, strict=True):
        calls, _, _ = read_line(survey, row)
        if all(calls.isdisjoint(word.terms) for word in own):
            return False
        deeds = [
            word
            for word in (*own, *asked.shared)
            if word.terms[0] in VERBS or word.terms[1] in VERBS
        ]
        if deeds and all(calls.isdisjoint(word.terms) for word in deeds):
            return False
    return True


def _score(
    survey: Survey,
    row: int,
    own: Sequence[_Word],
    others: Sequence[_Word],
    shared: Sequence[_Word],
) -> float:
    """The share of a side's words that a line calls, gives a name to, or reads."""
    calls, given, read = read_line(survey, row)
    if not calls and not given:
        return 0.0

    def held(words: Sequence[_Word]) -> float:
        found = 0.0
        for word in words:
            for terms, credit in ((calls, 1.0), (given, _GIVEN), (read, _READ)):
                if not terms.isdisjoint(word.terms):
                    found += credit * word.weight
                    break
        return found

    total = _whole(own) + _SHARED * _whole(shared)
    return min(1.0, (held(own) + _SHARED * held(shared) - _AGAINST * held(others)) / total)


def _whole(words: Sequence[_Word]) -> float:
    """What a line holds that tells a side: two words of it, as far as code has them at all."""
    weights = sorted((word.weight for word in words), reverse=True)
    return sum(weights[:_TELLING]) + _REST * sum(weights[_TELLING:])


def _runs(survey: Survey, block: int) -> bool:
    here = survey.blocks[block]
    at_top = not here.name and here.path.endswith((".py", ".ipynb"))
    return bool(survey.is_function[block]) or at_top


def _in_block(
    survey: Survey, tops: Sequence[list[int]], words: Sequence[Sequence[_Word]]
) -> tuple[int, tuple[int, ...], str]:
    common = set(tops[0]) & set(tops[1])
    if common:
        if len(tops[0]) == len(tops[1]) == 1:
            row = tops[0][0]
            return nested(survey.codes[row], [_terms(own) for own in words]), (row, row), "nested"
        return 0, (), ""
    ones, others = sorted(tops[0]), sorted(tops[1])
    kept = 0
    if ones[-1] < others[0]:
        kept, pair = 1, (ones[-1], others[0])
    elif others[-1] < ones[0]:
        kept, pair = -1, (ones[0], others[-1])
    elif len(ones) == len(others):
        before = [one < other for one, other in zip(ones, others, strict=True)]
        kept, pair = (1 if all(before) else -1 if not any(before) else 0), (ones[0], others[0])
    if not kept or are_exclusive(survey.codes, *sorted(pair)):
        return 0, (), ""
    return kept, pair, "lines"


def _terms(own: Sequence[_Word]) -> frozenset[str]:
    return frozenset(term for word in own for term in word.terms)
