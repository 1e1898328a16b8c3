"""What a cascade came to: who answered, what that saved, and whether the bound held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from calibration.audit import PaperCounts, audit_risk
from judge.counting import counted
from judge.verdict import CascadeNote, Status, Verdict

__all__ = ["CascadeFigures", "CascadeTally", "Routed", "sentences_of", "words_of"]


class Routed(NamedTuple):
    """What is counted of a claim that went through a cascade."""

    route: str
    accepted: float
    lost: float | None
    cost: float | None

    @classmethod
    def of(cls, verdict: Verdict) -> Routed | None:
        """Take it from a verdict; `None` of one that met no cascade."""
        note: CascadeNote | None = verdict.cascade
        if note is None:
            return None
        # What the first judge answers is computed here and costs nothing.
        cost = None if note.route == "first" else verdict.provenance.usage.cost_usd
        return cls(note.route, note.accepted, note.lost, cost)


class CascadeFigures(BaseModel):
    """The cascade of a run.

    Attributes:
        claims: Claims that went through it and have a verdict.
        first: Those that the first judge answered.
        second: Those that it could not answer.
        audited: Those that it could, and the second judge answered all the same.
        errors: Those of the second judge's that are errors.
        share_first: Share that the first judge answered.
        compared: Audited claims to which the second judge gave a level.
        audit_loss: Mean loss among them, had the first judge's verdicts stood; `None` without any.
        risk: What the first judge's answers lose over all claims, as the audit measures it.
        low: Lower end of its 95 % interval.
        high: Upper end.
        caveat: Why the interval may be too narrow.
        accepted: The risk that the user accepts; `None` where verdicts of several are mixed.
        contradicted: The whole interval is above what is accepted.
        spent_usd: What the second judge's answers cost; `None` where a price is not known.
        saved_usd: What asking it about the rest would have cost at the mean of these, as a rough
            figure; `None` where a price is not known or nothing was asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    claims: int
    first: int
    second: int
    audited: int
    errors: int
    share_first: float
    compared: int
    audit_loss: float | None
    risk: float | None
    low: float | None
    high: float | None
    caveat: str
    accepted: float | None
    contradicted: bool
    spent_usd: float | None
    saved_usd: float | None


class CascadeTally:
    """Counts the claims of a cascade, by paper."""

    __slots__ = ("_accepted", "_costs", "_errors", "_papers", "_routes", "_unpriced")

    def __init__(self) -> None:
        self._routes = {"first": 0, "second": 0, "audit": 0}
        self._papers: dict[int, PaperCounts] = {}
        self._accepted: set[float] = set()
        self._costs: list[float] = []
        self._unpriced = 0
        self._errors = 0

    def add(self, paper: int, status: Status, routed: Routed) -> None:
        """Count one claim."""
        self._routes[routed.route] += 1
        self._accepted.add(routed.accepted)
        counts = self._papers.setdefault(paper, PaperCounts())
        counts.claims += 1
        counts.answerable += routed.route != "second"
        if routed.lost is not None:
            counts.audited += 1
            counts.lost += routed.lost
        if routed.route == "first":
            return
        self._errors += status is Status.ERROR
        if routed.cost is not None:
            self._costs.append(routed.cost)
        elif status is not Status.ERROR:
            self._unpriced += 1

    def figures(self) -> CascadeFigures | None:
        """Write it down; `None` where no claim went through a cascade."""
        claims = sum(self._routes.values())
        if not claims:
            return None
        papers = list(self._papers.values())
        found = audit_risk(papers)
        compared = sum(one.audited for one in papers)
        lost = sum(one.lost for one in papers)
        accepted = next(iter(self._accepted)) if len(self._accepted) == 1 else None
        first, asked = self._routes["first"], len(self._costs)
        spent = None if self._unpriced else sum(self._costs)
        return CascadeFigures(
            claims=claims,
            first=first,
            second=self._routes["second"],
            audited=self._routes["audit"],
            errors=self._errors,
            share_first=first / claims,
            compared=compared,
            audit_loss=lost / compared if compared else None,
            risk=found.risk,
            low=found.low,
            high=found.high,
            caveat=found.caveat,
            accepted=accepted,
            contradicted=found.low is not None and accepted is not None and found.low > accepted,
            spent_usd=spent,
            saved_usd=None if spent is None or not asked else spent / asked * first,
        )


def words_of(note: CascadeNote | None) -> str:
    """The way that a claim took, in words; empty where it met no cascade."""
    if note is None:
        return ""
    said = "no level" if note.said is None else f"{note.said / 4:g}"
    risk = "" if note.risk is None else f" at a risk of {note.risk:.3f}"
    match note.route:
        case "first":
            return f"answered by the first judge, which said {said}{risk}"
        case "audit":
            lost = "" if note.lost is None else f"; had that stood, {note.lost:g} were lost"
            return f"the first judge, audited here, said {said}{risk}{lost}"
        case _:
            return f"passed on: the first judge said {said}{risk}"


def sentences_of(one: CascadeFigures | None) -> Iterator[str]:
    """The figures in words; the warning, where there is one, first."""
    if one is None:
        return
    if one.contradicted:
        yield (
            f"the audit contradicts the cascade's bound: the loss is {one.low:.3f} or more with "
            f"95 % confidence, and {one.accepted:g} is accepted. Fit the rule anew on labels that "
            "are like these claims, or lower judge.risk"
        )
    line = (
        f"cascade: the first judge answered {one.first:,} of {counted(one.claims, 'claim')} "
        f"({one.share_first:.0%}), the second {one.second + one.audited:,}, {one.audited:,} of "
        "them to audit the first"
    )
    yield (
        f"{line}, {counted(one.errors, 'of them an error', 'of them errors')}"
        if one.errors
        else line
    )
    yield _saving(one)
    yield _measured(one)


def _saving(one: CascadeFigures) -> str:
    if one.spent_usd is None:
        return "money saved: unknown, for the price of the second judge's answers is not known"
    if one.saved_usd is None:
        return "money saved: unknown, for the second judge was asked nothing"
    return (
        f"money saved: about ${one.saved_usd:,.4f} beside ${one.spent_usd:,.4f} spent, at the mean "
        "price of what was asked"
    )


def _measured(one: CascadeFigures) -> str:
    if one.risk is None:
        return "measured risk: none, for no audited claim was graded by the second judge"
    bound = "" if one.accepted is None else f"; {one.accepted:g} is accepted"
    above = ""
    if not one.contradicted and one.accepted is not None and one.risk > one.accepted:
        above = " (above it, within what chance allows)"
    caveat = f"; {one.caveat}" if one.caveat else ""
    return (
        f"measured risk over all claims: {one.risk:.3f}, 95 % interval {one.low:.3f} to "
        f"{one.high:.3f}, from {counted(one.compared, 'audited claim')}{bound}{above}{caveat}"
    )
