"""What other value the code gives to what a claim gives one that is not found."""

from __future__ import annotations

from collections.abc import Iterator

from judge.embedded.named_places import Sorted, sort_out
from judge.embedded.naming import is_enumerated, is_of_name, is_of_plot, is_one_seed, is_share_of
from judge.embedded.place_names import (
    counts_seeds,
    given_to,
    is_alone,
    is_behind_brackets,
    is_complement,
    is_number_of,
    is_of_what_follows,
    names_in,
)
from judge.embedded.survey import Survey
from retrieval.numbers import canonical
from retrieval.query import Value
from retrieval.values import Fact

__all__ = ["other_of"]

_MOST = 40  # places of a name


def other_of(survey: Survey, value: Value, claimed: frozenset[str], text: str) -> Fact | None:
    """A live number of the same name, where the claimed one is not found.

    Where the claim names a place, it is the one there.
    """
    written = value.written.strip()
    if "_" in written or is_number_of(text, written) or is_complement(text, written):
        return None  # an index and an exponent, which of several, or what is left of 1
    symbol, name = is_alone(text, written), given_to(text, written)
    if is_behind_brackets(text, written) or (not name and is_of_what_follows(text, written)):
        return None
    near = frozenset(value.near)
    is_share = value.written.rstrip().endswith(_SHARES)
    found: list[Fact] = []
    taken: set[str] = set()  # names that are given another value of the claim
    for fact in _named_facts(survey, value):
        form = canonical(fact.value)
        if form is None or not survey.acts(fact):
            continue
        own = fact.name.rpartition(".")[2]
        if form in claimed:
            taken.add(own)
            continue
        if symbol and symbol not in own.lower().split("_"):
            continue
        if is_share and _is_count(form):
            continue
        if is_one_seed(fact) and counts_seeds(text, written):
            continue
        if is_of_plot(fact) or is_enumerated(survey, fact) or is_share_of(near, own):
            continue
        if name and not is_of_name(name, own):
            continue
        found.append(fact)
        if len(found) == _MOST:
            break
    sorted_out = _UNSORTED
    if len(found) > 1:
        first = found[0].name.rpartition(".")[2]
        same = [one for one in found if one.name.rpartition(".")[2] == first]
        sorted_out = sort_out(survey, names_in(text), same)
    if sorted_out.home:
        return sorted_out.home[0]
    return next((one for one in found if one.name.rpartition(".")[2] not in taken), None)


_UNSORTED = Sorted()
_SHARES = ("%", "percent", "per cent")


def _is_count(form: str) -> bool:
    """Whether a number is a whole one above 1, and so no share of anything."""
    return form.isdigit() and form not in {"0", "1"}


def _named_facts(survey: Survey, value: Value) -> Iterator[Fact]:
    for term in value.near[:8]:
        if len(term) > 2 or term in {"lr", "wd", "bs"}:
            yield from survey.facts_named(term)
