"""Contradictions of method that are plain enough to bound the level, each in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark import Drift, Failure, Level
from judge.embedded.choosing import Chosen, Taken
from judge.embedded.loops import BadLoop
from judge.embedded.method import Method
from judge.embedded.named_steps import Absent
from judge.embedded.phrasing import shortened
from judge.embedded.precedence import Kept, Kind, Ordered
from judge.embedded.quoted import Found, Quote
from judge.embedded.trained import Turned

__all__ = ["Contradiction", "contradictions"]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What the code does against the claim.

    Attributes:
        highest: The highest level that it leaves.
        drift: Its kind; `None` for that of the claim's dimension.
        failure: `mismatch` for another thing in its place, `incomplete` for nothing.
        said: What the claim says, in words.
        done: What the code does, in words.
        rows: The live rows that show it.
    """

    highest: Level
    drift: Drift | None
    failure: Failure
    said: str
    done: str
    rows: tuple[int, ...]


_LAST: list[tuple[Method, tuple[Contradiction, ...]]] = []


def contradictions(method: Method) -> tuple[Contradiction, ...]:
    """The contradictions of a claim, the gravest first; of the last one they are still known."""
    for last, known in _LAST:  # there is one at most: to hash all that was seen takes longer
        if last is method:
            return known
    found = [
        *(_of_order(each, method) for each in method.orders),
        *(_of_quote(each, method) for each in method.quotes),
        *(
            _of_choice(each)
            for each in method.choices
            if not _is_quoted(each, method) and not _is_told(each, method)
        ),
        *(_of_loop(each) for each in method.loops),
        *(_of_parameter(each) for each in method.turned),
        *(_of_absent(each) for each in method.missed if each.rival),
    ]
    made = tuple(sorted((each for each in found if each is not None), key=lambda c: c.highest))
    _LAST[:] = [(method, made)]
    return made


_MATCH = 0.4
_NOUNS = 1
_MOST_QUOTED = 160
_MOST_SAID = 80


def _of_order(seen: Ordered, method: Method) -> Contradiction | None:
    if seen.kept is not Kept.REVERSED:
        return None
    reversed_ = [each for each in method.orders if each.kept is Kept.REVERSED]
    known = [each for each in method.orders if each.kept in {Kept.KEPT, Kept.REVERSED}]
    whole = len(reversed_) == len(known)
    if seen.told:  # by the words of the sides: the features weigh it too
        first, second = (f"“{shortened(side, _MOST_SAID)}”" for side in (seen.first, seen.second))
        highest = Level.PARTIAL if whole else Level.MINOR
        said = f"{first} before {second}"
        return Contradiction(highest, Drift.ORDERING, Failure.MISMATCH, said, seen.told, seen.rows)
    first, second = (f"`{shortened(side, _MOST_QUOTED)}`" for side in (seen.first, seen.second))
    said, done = {
        Kind.BEFORE: (f"{first} before {second}", f"{second} comes first, or runs inside it"),
        Kind.EVERY_ROUND: (f"{first} in every round of {second}", "it stands outside of the loop"),
        Kind.AFTER_LOOP: (f"{first} once, after {second}", "it stands inside the loop"),
    }[seen.order.kind]
    return Contradiction(
        Level.FRAGMENT if whole else Level.PARTIAL,
        Drift.ORDERING,
        Failure.MISMATCH,
        said,
        done,
        seen.rows,
    )


def _of_quote(seen: Found, method: Method) -> Contradiction | None:
    quoted = f"`{shortened(' '.join(seen.fragment.tokens), _MOST_QUOTED)}`"
    if seen.quote is Quote.OPPOSED:
        return Contradiction(
            Level.PARTIAL,
            None,
            Failure.MISMATCH,
            quoted,
            f"{seen.other} stands there in place of {seen.said}",
            (seen.row,) if seen.row >= 0 else (),
        )
    if seen.quote is Quote.MISSING and method.placed:
        return Contradiction(
            Level.MINOR,
            None,
            Failure.INCOMPLETE,
            quoted,
            "the function that it names and what this calls hold nothing like it",
            (),
        )
    return None


def _is_quoted(seen: Chosen, method: Method) -> bool:
    """Whether live code holds a quote of the claim that takes the side which it says."""
    may = seen.said.choice.sides[seen.said.side].may
    return any(
        quote.quote >= Quote.ELSEWHERE and may.search("".join(quote.fragment.tokens)) is not None
        for quote in method.quotes
    )


def _is_told(seen: Chosen, method: Method) -> bool:
    """Whether the line that takes the other side tells of a component's absence already."""
    return any(each.row == seen.row for each in method.missed if each.rival)


def _of_choice(seen: Chosen) -> Contradiction | None:
    name = seen.said.choice.sides[seen.said.side].words
    if (
        seen.taken is Taken.BROKEN
        and seen.near
        and seen.said.plain
        and seen.match >= _MATCH
        and seen.nouns >= _NOUNS
    ):
        done = f"{seen.other} stands there, and {name} nowhere around it"
        highest = Level.PARTIAL
    elif seen.replaced and seen.near:
        done, highest = f"no live code holds it, and {seen.other} stands there", Level.PARTIAL
    else:
        return None
    return Contradiction(highest, None, Failure.MISMATCH, name, done, (seen.row,))


def _of_loop(seen: BadLoop) -> Contradiction:
    return Contradiction(
        Level.PARTIAL, Drift.ORDERING, Failure.MISMATCH, seen.said, seen.done, seen.rows
    )


def _of_parameter(seen: Turned) -> Contradiction:
    said, done = ("frozen", "it is trained") if seen.frozen else ("trained", "it is frozen")
    return Contradiction(
        Level.PARTIAL, None, Failure.MISMATCH, f"`{seen.name}` is {said}", done, seen.rows
    )


def _of_absent(seen: Absent) -> Contradiction:
    """What stands in the place of a component: the core of a claim that states nothing else."""
    return Contradiction(
        Level.FRAGMENT if seen.whole else Level.PARTIAL,
        None,
        Failure.MISMATCH,
        seen.name,
        f"no live code holds it, and `{shortened(seen.rival, _MOST_QUOTED)}` stands there",
        (seen.row,),
    )
