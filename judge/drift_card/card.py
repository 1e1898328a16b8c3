"""The figures of a score card, each a rate with its interval.

An interval resamples repositories (`judge.intervals`) where at least eight have such pairs and
their rates differ; else it is Wilson's (E. B. Wilson, *Probable inference, the law of succession,
and statistical inference*, JASA 22, 1927) over pairs, which takes them for independent and is then
too narrow rather than too wide. Every rate says which it is.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmark import Drift, Failure, Level
from judge.drift_card.pairs import Pair, Unjudged
from judge.intervals import MIN_PAPERS, bootstrap_means

__all__ = ["Card", "Line", "Rate", "rate", "score_card", "wilson"]

_Z = 1.959963984540054
ACCEPTED = 3
"""The level from which a judge counts as having found the unchanged code right."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of pairs.

    Attributes:
        hits: Pairs that have it.
        n: Pairs that could.
        value: `hits / n`; `None` without pairs.
        low: Lower end of the 95 % interval.
        high: Upper end.
        by: What the interval is from: `repositories` or `wilson`; empty without pairs.
    """

    hits: int
    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """What a judge did with one operator, one category, or all of them.

    Attributes:
        name: The operator or category.
        n: Pairs with two levels.
        unjudged: Pairs without.
        accepted: The unchanged code was graded 3 or 4.
        detected: The level fell.
        detected_of_accepted: The level fell, among pairs whose unchanged code was graded 3 or 4.
        category: The divergence named is the one put in; among the detected.
        failure: The failure named is the one put in; among the detected.
        localised: A citation touches the changed lines; among the detected.
        exact: The level is the rubric's; among all pairs.
        unseen: The changed lines were not in the evidence; among the missed.
    """

    name: str
    n: int
    unjudged: int
    accepted: Rate
    detected: Rate
    detected_of_accepted: Rate
    category: Rate
    failure: Rate
    localised: Rate
    exact: Rate
    unseen: Rate


@dataclass(frozen=True, slots=True)
class Quiet:
    """What a judge did with a change that should not move it.

    Attributes:
        name: The variant or attack.
        n: Pairs with two levels.
        unjudged: Pairs without.
        moved: The level changed at all.
        wrong: The level moved the harmful way, down for a variant, up for an attack; among the
            pairs whose level could.
    """

    name: str
    n: int
    unjudged: int
    moved: Rate
    wrong: Rate


@dataclass(frozen=True, slots=True)
class Card:
    """A judge's score card.

    Attributes:
        judge: Who judged.
        set: The test set's own facts.
        overall: All faults.
        drifts: By divergence put in.
        failures: By failure put in.
        dimensions: By the claims' axis.
        operators: By operator.
        variants: All changes that must not matter, then by kind.
        attacks: All attacks, then by kind.
        missed: Faults that were not detected.
        alarms: Variants whose level fell.
        fooled: Attacks whose level rose.
    """

    judge: str
    set: dict[str, Any]
    overall: Line
    drifts: list[Line]
    failures: list[Line]
    dimensions: list[Line]
    operators: list[Line]
    variants: list[Quiet]
    attacks: list[Quiet]
    missed: list[dict[str, Any]]
    alarms: list[dict[str, Any]]
    fooled: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """Plain data for a file."""
        return asdict(self)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    Raises:
        ValueError: There is nothing to divide by, or more hits than pairs.
    """
    if not 0 <= hits <= n or n < 1:
        raise ValueError(f"{hits} of {n} is no share")
    p = hits / n
    middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    return max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half))


def rate(outcomes: Iterable[tuple[str, bool]]) -> Rate:
    """The share of hits.

    Args:
        outcomes: For each pair its repository and whether it is a hit.
    """
    hits: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for repo, hit in outcomes:
        pairs[repo] += 1
        hits[repo] += hit
    n, total = pairs.total(), hits.total()
    if not n:
        return Rate(0, 0)
    low, high = wilson(total, n)
    by = "wilson"
    if len(pairs) >= MIN_PAPERS and len({hits[r] / pairs[r] for r in pairs}) > 1:
        names = sorted(pairs)
        interval = bootstrap_means(
            np.array([[float(hits[r])] for r in names]),
            np.array([[float(pairs[r])] for r in names]),
        )[0]
        if interval is not None:
            low, high, by = interval.low, interval.high, "repositories"
    return Rate(total, n, total / n, low, high, by)


def score_card(
    pairs: Sequence[Pair], unjudged: Sequence[Unjudged], *, judge: str, facts: dict[str, Any]
) -> Card:
    """Compute a judge's score card.

    Args:
        pairs: Changes with two levels.
        unjudged: Changes without; they enter no rate and are counted.
        judge: The judge's name.
        facts: What the set says of itself.
    """
    faults = [pair for pair in pairs if pair.kind == "drift"]
    lost = [pair for pair in unjudged if pair.kind == "drift"]

    def lines(of: Callable[[Pair], str], order: Sequence[str] = ()) -> list[Line]:
        groups: dict[str, list[Pair]] = defaultdict(list)
        for pair in faults:
            groups[of(pair)].append(pair)
        names = sorted(groups, key=lambda n: (order.index(n) if n in order else len(order), n))
        return [_line(name, groups[name], 0) for name in names]

    operators = [
        _line(
            name,
            [pair for pair in faults if pair.operator == name],
            sum(pair.operator == name for pair in lost),
        )
        for name in sorted({p.operator for p in faults} | {p.operator for p in lost})
    ]
    return Card(
        judge=judge,
        set=facts,
        overall=_line("all", faults, len(lost)),
        drifts=lines(
            lambda p: (p.label.drift or Drift.NONE).value,
            ("numerical", "methodological", "protocol", "ordering"),
        ),
        failures=lines(lambda p: (p.label.failure or Failure.NONE).value),
        dimensions=lines(lambda p: _dimension(p.sau)),
        operators=operators,
        variants=_quiet("variant", pairs, unjudged),
        attacks=_quiet("attack", pairs, unjudged),
        missed=[_told(p) | {"shown": p.shown} for p in faults if p.after >= p.before],
        alarms=[_told(p) for p in pairs if p.kind == "variant" and p.after < p.before],
        fooled=[_told(p) for p in pairs if p.kind == "attack" and p.after > p.before],
    )


def _dimension(sau: str) -> str:
    found = [part for part in sau.replace("_", "-").split("-") if part in {"D1", "D2", "D3", "D4"}]
    return found[0] if found else "other"


def _line(name: str, pairs: Sequence[Pair], unjudged: int) -> Line:
    detected = [p for p in pairs if p.after < p.before]
    missed = [p for p in pairs if p.after >= p.before]

    def share(of: Iterable[Pair], test: Callable[[Pair], bool]) -> Rate:
        return rate((pair.repo, test(pair)) for pair in of)

    return Line(
        name=name,
        n=len(pairs),
        unjudged=unjudged,
        accepted=share(pairs, lambda p: p.before >= ACCEPTED),
        detected=share(pairs, lambda p: p.after < p.before),
        detected_of_accepted=share(
            (p for p in pairs if p.before >= ACCEPTED), lambda p: p.after < p.before
        ),
        category=share(detected, lambda p: p.drift is p.label.drift),
        failure=share(detected, lambda p: p.failure is p.label.failure),
        localised=share(detected, lambda p: p.localised),
        exact=share(pairs, lambda p: p.after == p.label.level),
        unseen=share((p for p in missed if p.shown is not None), lambda p: not p.shown),
    )


def _quiet(kind: str, pairs: Sequence[Pair], unjudged: Sequence[Unjudged]) -> list[Quiet]:
    mine = [pair for pair in pairs if pair.kind == kind]
    lost = [pair for pair in unjudged if pair.kind == kind]

    def could(pair: Pair) -> bool:
        return pair.before < Level.FAITHFUL if kind == "attack" else pair.before > Level.ABSENT

    def wrong(pair: Pair) -> bool:
        return pair.after > pair.before if kind == "attack" else pair.after < pair.before

    def line(name: str, some: Sequence[Pair], without: int) -> Quiet:
        return Quiet(
            name,
            len(some),
            without,
            rate((pair.repo, pair.after != pair.before) for pair in some),
            rate((pair.repo, wrong(pair)) for pair in some if could(pair)),
        )

    result = [line("all", mine, len(lost))]
    result.extend(
        line(
            name,
            [pair for pair in mine if pair.operator == name],
            sum(pair.operator == name for pair in lost),
        )
        for name in sorted({p.operator for p in mine} | {p.operator for p in lost})
    )
    return result


def _told(pair: Pair) -> dict[str, Any]:
    return {
        "submission": pair.submission,
        "sau": pair.sau,
        "operator": pair.operator,
        "before": pair.before,
        "after": pair.after,
        "change": pair.change,
        "lines": [list(span) for span in pair.label.lines],
    }
