"""Features of method: what a claim says by words, by quoted code and by order, and what is done."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from judge.embedded.choosing import Chosen, Taken, see_choices
from judge.embedded.fragments import context_of, fragments_of
from judge.embedded.loops import BadLoop, loops_for, speaks_of_training
from judge.embedded.named_steps import Absent, missed_steps
from judge.embedded.precedence import Kept, Ordered, see_orders
from judge.embedded.quoted import Found, Quote, find_fragment, scope_of
from judge.embedded.survey import Survey
from judge.embedded.terms import TermFinding, see_terms
from judge.embedded.trained import Turned, turned_parameters

__all__ = ["METHOD", "NO_METHOD", "Method", "look_at_method", "measure_method"]

METHOD: Mapping[str, tuple[int, str]] = {
    "choice_kept": (
        1,
        "of the opposed ways that the claim names (mean or sum, max or min, softmax or sigmoid), "
        "the share that the line takes which matches the words beside them best",
    ),
    "choice_broken": (-1, "the share of which that line takes the other way and none this one"),
    "choice_mixed": (0, "the share of which both ways stand there"),
    "choice_replaced": (
        -1,
        "the share of named kinds (activation, optimiser, norm, pooling, schedule) and ways that "
        "no live code holds while it holds another of the kind",
    ),
    "order_seen": (0, "share of the stated orders of which both sides have a place without doubt"),
    "order_right": (1, "share of the stated orders that these places keep"),
    "order_wrong": (-1, "share of the stated orders that these places reverse"),
    "loop_wrong": (
        -1,
        "for a claim about training: a live function takes its step before the backward pass, "
        "erases gradients between them or clips them after the step",
    ),
    "order_lacking": (-1, "share of the stated orders of which only one side has such a place"),
    "quoted_here": (1, "share of the code that the claim quotes that stands so in live code"),
    "quoted_opposed": (-1, "share of it that stands there with an opposed operation or number"),
    "quoted_missing": (-1, "share of it that stands nowhere, all its names being known"),
    "term_right": (1, "share of the formula's operations found with both their operands"),
    "term_opposed": (-1, "share of them found only with the opposed operation between the two"),
}
"""The features, by name: the sign that each may have (0 for either), and its meaning."""


@dataclass(frozen=True, slots=True)
class Method:
    """What was seen of a claim's method.

    Attributes:
        choices: Sides of choices.
        orders: Stated orders.
        quotes: Quoted code.
        placed: The claim names a function of the repository as its place.
        terms: Operations of formulas with both their operands.
        loops: For a claim about training, functions that train in the wrong order.
        trains: The claim is about training.
        turned: Parameters that are trained where the claim has them frozen, or the other way.
        missed: Components that it names and that no live code holds.
    """

    choices: tuple[Chosen, ...] = ()
    orders: tuple[Ordered, ...] = ()
    quotes: tuple[Found, ...] = ()
    placed: bool = False
    terms: tuple[TermFinding, ...] = ()
    loops: tuple[BadLoop, ...] = ()
    trains: bool = False
    turned: tuple[Turned, ...] = ()
    missed: tuple[Absent, ...] = ()


NO_METHOD = Method()


def look_at_method(survey: Survey, text: str) -> Method:
    """Look for what a claim says of method."""
    if not text or not survey.live_lines:
        return NO_METHOD
    scope = scope_of(survey, text)
    placed = bool(scope.blocks)
    found = (
        find_fragment(survey, fragment, scope, context_of(text, fragment))
        for fragment in fragments_of(text, placed=placed)[:_MAX_FRAGMENTS]
    )
    quotes = tuple(each for each in found if each is not None)
    trains = speaks_of_training(text)
    return Method(
        see_choices(survey, text, scope.blocks),
        see_orders(survey, text, quotes),
        quotes,
        placed,
        see_terms(survey, text),
        loops_for(survey, text) if trains else (),
        trains,
        turned_parameters(survey, text),
        missed_steps(survey, text),
    )


_MAX_FRAGMENTS = 12


def measure_method(method: Method) -> dict[str, float]:
    """The features of `METHOD`; not numbers where the claim says nothing of the kind."""
    numbers = dict.fromkeys(METHOD, math.nan)
    if method.choices:
        count = len(method.choices)
        for name, taken in (
            ("choice_kept", Taken.KEPT), ("choice_broken", Taken.BROKEN),
            ("choice_mixed", Taken.MIXED),
        ):  # fmt: skip
            numbers[name] = sum(each.taken is taken for each in method.choices) / count
        numbers["choice_replaced"] = sum(each.replaced for each in method.choices) / count
    if method.trains:
        numbers["loop_wrong"] = float(bool(method.loops))
    if method.orders:
        count = len(method.orders)
        shares = {kept: sum(each.kept is kept for each in method.orders) / count for kept in Kept}
        numbers["order_seen"] = shares[Kept.KEPT] + shares[Kept.REVERSED]
        numbers["order_right"] = shares[Kept.KEPT]
        numbers["order_wrong"] = shares[Kept.REVERSED]
        numbers["order_lacking"] = shares[Kept.LACKING]
    quotes = [each for each in method.quotes if method.placed or each.quote is not Quote.MISSING]
    if quotes:
        count = len(quotes)
        numbers["quoted_here"] = sum(each.quote >= Quote.ELSEWHERE for each in quotes) / count
        numbers["quoted_opposed"] = sum(each.quote is Quote.OPPOSED for each in quotes) / count
        numbers["quoted_missing"] = sum(each.quote is Quote.MISSING for each in quotes) / count
    if method.terms:
        count = len(method.terms)
        numbers["term_right"] = sum(each.right for each in method.terms) / count
        numbers["term_opposed"] = sum(bool(each.opposed) for each in method.terms) / count
    return numbers
