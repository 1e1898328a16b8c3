"""The last sentence of a rationale: what was not looked at, or is another value on a cited line.

That nothing contradicts a claim would promise more than is done: the judge looks words, values and
calls up. So where no sentence speaks against a claim the last one says what of it was not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from benchmark import Level
from judge.embedded.contradictions import contradictions
from judge.embedded.looking import Findings
from judge.embedded.mentions import Mention, name_words
from judge.embedded.naming import AFFIXES
from judge.embedded.parts import Claim
from judge.embedded.phrasing import listed, shortened
from judge.embedded.points import Kind, Point
from judge.embedded.precedence import Kept
from judge.embedded.survey import Survey
from judge.embedded.words import GENERIC
from retrieval.values import Fact
from retrieval.words import stem

__all__ = ["closing", "unchecked"]

_ORDER = re.compile(
    r"\b(?:before|after|then|followed by|prior to|precedes?|first|once|until|finally)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:instead of|rather than|not|no|never|without|neither|nor|except|only)\b", re.IGNORECASE
)
_COMPARISON = re.compile(
    r"\b(?:\w+er than|more than|less than|fewer|at least|at most|larger|smaller|higher|lower"
    r"|greater|longer|shorter|better|worse|equal to|compared (?:to|with))\b|[<>≤≥]",
    re.IGNORECASE,
)
# A positive number or some of them; a null is counted up from, and -1 is an axis.
_NUMBERS = re.compile(r"[\[(]?\s*(?=[\d.]*[1-9])[\d.][\d._eE+,\s-]*[\])]?")
_SIZES = frozenset(map(stem, ("size", "sizes", "value", "values")))
_MOST_TOLD = 2
_UNREAD = "what the claim means was not read"
_BY_SHARE = (
    "The level is by what of it stands in code, and how near together; what the claim means was not"
    " read"
)


def closing(
    survey: Survey,
    claim: Claim,
    found: Findings,
    points: Sequence[Point],
    *,
    cited: Iterable[dict[str, object]],
    lacking: bool,
    level: Level,
) -> str:
    """The last sentence, without its full stop; empty where the others say why.

    Args:
        survey: The repository.
        claim: The claim.
        found: What was found.
        points: What is told of it.
        cited: The quotes.
        lacking: Something is told to be missing.
        level: How far the claim is met.
    """
    if _is_contradicted(found, points):
        return ""
    if others := list(_others(survey, claim, points, cited)):
        return listed(others[:_MOST_TOLD], _MOST_TOLD)
    idle = any(point.kind is Kind.IDLE for point in points)
    if level is not Level.FAITHFUL and (lacking or idle):
        return ""
    parts = unchecked(claim, found)
    return f"Not checked: {listed(parts, len(parts))}; {_UNREAD}" if parts else _BY_SHARE


def unchecked(claim: Claim, found: Findings) -> list[str]:
    """What a claim states that nothing decided, in words."""
    parts: list[str] = []
    decided = any(each.kept in {Kept.KEPT, Kept.REVERSED} for each in found.method.orders)
    stated = bool(claim.precedes or found.method.orders or len(claim.steps) > 1)
    if not decided and (stated or _ORDER.search(claim.text)):
        parts.append("the order")
    denials = dict.fromkeys(match[0].lower() for match in _DENIAL.finditer(claim.text))
    if denials:
        parts.append(f"what it says by {listed([f'“{each}”' for each in denials], 3)}")
    if compared := _COMPARISON.search(claim.text):
        parts.append(f"the comparison “{compared[0].lower()}”")
    terms = found.method.terms
    if (claim.formula.terms or claim.formula.pairs) and not (
        terms and all(term.right for term in terms)
    ):
        parts.append("the formula as a whole")
    return parts


def _is_contradicted(found: Findings, points: Sequence[Point]) -> bool:
    return bool(
        found.conflicts
        or contradictions(found.method)
        or any(point.kind is Kind.AGAINST for point in points)
    )


def _others(
    survey: Survey, claim: Claim, points: Sequence[Point], cited: Iterable[dict[str, object]]
) -> Iterator[str]:
    """Values on cited lines that have a name of a number of the claim, and are none of its own."""
    own = frozenset[str]().union(*(mention.forms for mention in claim.mentions))
    if not own:
        return
    stands = {line for point in points if point.kind is Kind.STANDS for line in point.lines}
    right = {
        form
        for line in stands
        for fact in survey.facts_at(*survey.place(line))
        for form in survey.forms(fact)
        if form in own
    }
    told: set[str] = set()
    for quote in cited:
        for fact in survey.facts_at(str(quote["path"]), int(str(quote["first"]))):
            forms = frozenset(survey.forms(fact))
            if not forms or forms & own:
                continue
            for mention in claim.mentions:
                whole = not mention.forms.isdisjoint(right)
                if mention.term not in told and _is_named(fact, mention, whole=whole):
                    told.add(mention.term)
                    yield (
                        f"`{fact.name} = {shortened(fact.value, 40)}` at {fact.path}:{fact.line} "
                        f"is another value than the claimed {mention.written.strip()}"
                    )


def _is_named(fact: Fact, mention: Mention, *, whole: bool) -> bool:
    """Whether a number of code has a name that may be that of a number of the claim.

    Args:
        fact: The number of code.
        mention: That of the claim.
        whole: All of the name must be the claim's: the number stands elsewhere, too.
    """
    if not _NUMBERS.fullmatch(fact.value):
        return False
    words = name_words(fact.name.rpartition(".")[2]) - AFFIXES - _SIZES
    named = words & mention.words
    return bool(words - GENERIC) and (named == words or (not whole and len(named) > 1))
