"""What takes the place of a value that stands beside its name, and whether nothing does."""

from __future__ import annotations

from judge.embedded.named_places import in_other_branch
from judge.embedded.set_later import is_of_demonstration, set_later, sets_at_all
from judge.embedded.settings import is_given_elsewhere, is_usual
from judge.embedded.survey import Survey
from retrieval.index import Index
from retrieval.numbers import canonical
from retrieval.values import Fact, FactSource, ParseState
from retrieval.words import join

__all__ = ["RANK", "is_settled", "override_of"]

_OPTIONS = frozenset(
    {"args", "opt", "opts", "options", "cfg", "config", "hparams", "flags", "params"}
)
_SOON = 3  # lines behind which another value of the same name is a step of something else
# What is given later wins: a default gives way to configuration, and that to a flag of a script.
RANK = {
    FactSource.DEFAULT: 0,
    FactSource.FIELD: 0,
    FactSource.OPTION: 1,
    FactSource.ASSIGNMENT: 2,
    FactSource.DICT: 2,
    FactSource.KEYWORD: 2,
    FactSource.CONFIG: 3,
    FactSource.FLAG: 4,
}


def is_settled(survey: Survey, fact: Fact, wanted: set[str]) -> bool:
    """Whether nothing else gives the name of a value anything, in a repository read to its end."""
    if survey.index.unseen or ParseState.BROKEN in survey.index.parse_states.values():
        return False
    key = join(fact.name.rpartition(".")[2])
    return all(
        canonical(other.value) in wanted or not survey.acts(other)
        for other in survey.facts_named(key)
    ) and not sets_at_all(survey, fact, wanted)


def override_of(
    survey: Survey, fact: Fact, wanted: set[str], claimed: frozenset[str]
) -> Fact | None:
    """What gives the name of a fact another value than the wanted ones in its place.

    Args:
        survey: The repository.
        fact: What gives the name the value.
        wanted: The canonical forms of the value.
        claimed: Those of all values of the claim; none of them overrides it.
    """
    key = join(fact.name.rpartition(".")[2])
    best: Fact | None = None
    for other in survey.facts_named(key):
        if other is fact or not survey.acts(other):
            continue
        form = canonical(other.value)
        if form is None:
            continue
        same_call = other.source is FactSource.KEYWORD and other.name == fact.name
        higher = RANK[other.source] >= 3 and RANK[other.source] > RANK[fact.source]
        if not (
            higher
            or (same_call and fact.source in {FactSource.DEFAULT, FactSource.FIELD})
            or _is_set_later(survey, fact, other)
        ):
            continue
        if form in wanted:
            return None
        if form in claimed:
            continue
        if other.source is FactSource.FLAG and not _is_flag_of(survey.index, other, fact):
            continue
        if same_call and not higher and is_of_demonstration(survey, other):
            continue
        if best is None or RANK[other.source] > RANK[best.source]:
            best = other
    return best or set_later(survey, fact, wanted, claimed)


def _is_flag_of(index: Index, flag: Fact, fact: Fact) -> bool:
    """Whether a script's flag overrides a value: usual, and given to the program that has it."""
    return is_usual(index, flag) and not is_given_elsewhere(index, flag, fact)


def _is_set_later(survey: Survey, fact: Fact, other: Fact) -> bool:
    """Whether a value is assigned over another: an option once parsed, a name in the same block."""
    if other.source is not FactSource.ASSIGNMENT or other.path != fact.path:
        return False
    if fact.source is FactSource.OPTION:
        return other.line > fact.line and other.name.split(".")[-2:][0] in _OPTIONS
    first, second = (survey.index.line_number(fact.path, one.line) for one in (fact, other))
    codes = survey.statements(fact.path).codes
    return (
        fact.source is FactSource.ASSIGNMENT
        and fact.name == other.name
        and 0 < other.line - fact.line <= _SOON
        and bool(survey.block_of_line[first] == survey.block_of_line[second])
        and not in_other_branch(codes, fact.line - 1, other.line - 1)
    )
