"""Counting verdicts: by status, level, failure, drift, judge, reason, flag and quote state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from benchmark import Dimension, Drift, Failure
from judge.cascade_figures import CascadeFigures, CascadeTally, Routed
from judge.figures import (
    Counts,
    Group,
    JudgeUse,
    Mean,
    MemberFigures,
    PanelFigures,
    Repeats,
)
from judge.verdict import Status, Verdict

__all__ = [
    "NOT_GIVEN",
    "JudgeKey",
    "JudgeTally",
    "Outcome",
    "Row",
    "RunTally",
    "Tally",
    "in_order",
    "judge_name",
    "names_of",
]

NOT_GIVEN = "not_given"
"""Where a foreign verdict has no drift or no failure: unknown, which is not `none`."""


def judge_name(verdict: Verdict) -> str:
    """The judge with its model: two models that answered under one name are two judges."""
    provenance = verdict.provenance
    _, _, named = provenance.judge.partition(":")
    model = provenance.model_returned or provenance.model
    if model is None or model == named or (named and model == provenance.model):
        return provenance.judge
    return f"{provenance.judge} ({model})"


class JudgeKey(NamedTuple):
    """What tells judges apart: the name in tables, and what else decided their answers."""

    name: str
    judge: str
    provider: str
    model_returned: str | None
    judge_hash: str
    prompt_hash: str

    @classmethod
    def of(cls, verdict: Verdict) -> JudgeKey:
        """The judge of a verdict."""
        made = verdict.provenance
        return cls(
            judge_name(verdict),
            made.judge,
            made.provider,
            made.model_returned,
            made.judge_hash,
            made.prompt_hash or "",
        )


def names_of(judges: Iterable[JudgeKey]) -> dict[JudgeKey, str]:
    """Names for judges, each its own: those that share one are told apart by what differs."""
    by_name: dict[str, list[JudgeKey]] = {}
    for judge in judges:
        by_name.setdefault(judge.name, []).append(judge)
    names = {}
    for name, alike in by_name.items():
        prompts = len({judge.prompt_hash for judge in alike}) > 1
        hashes = len({judge.judge_hash for judge in alike}) > 1
        for judge in alike:
            marks = [f"prompt {judge.prompt_hash[:8] or 'unknown'}"] if prompts else []
            marks += [_settings(judge.judge_hash)] if hashes else []
            names[judge] = f"{name} [{', '.join(marks)}]" if marks else name
    return names


def _settings(judge_hash: str) -> str:
    return f"settings {judge_hash[:8] or 'unknown'}"


class Outcome(NamedTuple):
    """What is counted of a verdict. Many verdicts have the same, and share it."""

    status: Status
    level: int | None
    judge: JudgeKey
    failure: str
    drift: str
    reason: str
    flags: tuple[str, ...]
    quotes: tuple[str, ...]
    levels: tuple[int | None, ...]
    members: tuple[tuple[tuple[str, str], Status, int | None], ...]
    cascade: Routed | None

    @classmethod
    def of(cls, verdict: Verdict) -> Outcome:
        """Take from a verdict what is counted."""
        code = "" if verdict.level is not None else verdict.reason.partition(":")[0].strip()
        return cls(
            verdict.status,
            verdict.level,
            JudgeKey.of(verdict),
            word(verdict, verdict.failure),
            word(verdict, verdict.drift),
            f"{verdict.status.value}: {code}" if code else "",
            verdict.flags,
            tuple(citation.state.value for citation in verdict.citations),
            verdict.levels,
            # One that has no answer tells no model, and is the same member; one with other
            # settings is another, though it has the same name.
            tuple(
                ((m.provenance.judge, m.provenance.judge_hash), m.status, m.level)
                for m in verdict.members
            ),
            Routed.of(verdict),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One expected pair, with the outcome of its verdict where there is one.

    Attributes:
        submission: The submission's place.
        agent: The place of its agent.
        paper: The place of its paper.
        dimension: Of the claim.
        outcome: Of the verdict.
    """

    submission: int
    agent: int
    paper: int
    dimension: Dimension
    outcome: Outcome | None


def word(verdict: Verdict, of: Failure | Drift | None) -> str:
    """A failure or drift as it is counted; at level 4 it is `none` even where it is not given."""
    if of is None:
        return NOT_GIVEN if verdict.level != 4 else "none"
    return of.value


def in_order(counts: Mapping[str, int], words: type[Failure] | type[Drift]) -> dict[str, int]:
    """Counts in the order of the vocabulary, `not_given` last, zeros left out."""
    order = [*(each.value for each in words), NOT_GIVEN]
    return {name: counts[name] for name in order if counts.get(name)}


class Tally:
    """Counts of one group of rows."""

    __slots__ = ("drifts", "expected", "failures", "judges", "levels", "statuses")

    def __init__(self) -> None:
        self.expected = 0
        self.statuses: Counter[Status] = Counter()
        self.levels = [0] * 5
        self.failures: Counter[str] = Counter()
        self.drifts: Counter[str] = Counter()
        self.judges: Counter[JudgeKey] = Counter()

    def add(self, row: Row) -> None:
        """Count one pair."""
        self.expected += 1
        outcome = row.outcome
        if outcome is None:
            return
        self.statuses[outcome.status] += 1
        if outcome.status is not Status.ERROR:
            self.judges[outcome.judge] += 1
        if outcome.level is not None:
            self.levels[outcome.level] += 1
            self.failures[outcome.failure] += 1
            self.drifts[outcome.drift] += 1

    def group(self, balanced: Mean, over_saus: Mean, names: Mapping[JudgeKey, str]) -> Group:
        """Write it down, with the means and the judges' names that were made elsewhere."""
        seen = sum(self.statuses.values())
        counts = Counts(
            expected=self.expected,
            graded=self.statuses[Status.GRADED],
            abstained=self.statuses[Status.ABSTAINED],
            error=self.statuses[Status.ERROR],
            missing=self.expected - seen,
        )
        zero, one, two, three, four = self.levels
        return Group(
            counts=counts,
            coverage=counts.coverage,
            mean_of_dimension_means=balanced,
            mean_over_saus=over_saus,
            levels=(zero, one, two, three, four),
            failures=in_order(self.failures, Failure),
            drifts=in_order(self.drifts, Drift),
            judges=dict(sorted((names[judge], n) for judge, n in self.judges.items())),
        )


class RunTally:
    """Counts that are kept for the whole run only."""

    def __init__(self) -> None:
        self.drifts: dict[Dimension, Counter[str]] = {one: Counter() for one in Dimension}
        self.failures: dict[Dimension, Counter[str]] = {one: Counter() for one in Dimension}
        self.reasons: Counter[str] = Counter()
        self.flags: Counter[str] = Counter()
        self.quotes: Counter[str] = Counter()
        self._judges: dict[JudgeKey, JudgeTally] = {}
        self._repeated = 0
        self._flipped = 0
        self._ranges: list[int] = []
        self._panels = PanelTally()
        self._cascade = CascadeTally()

    def add(self, row: Row, agent: str) -> None:
        """Count one pair of an agent."""
        outcome = row.outcome
        if outcome is None:
            return
        if outcome.level is not None:
            self.drifts[row.dimension][outcome.drift] += 1
            self.failures[row.dimension][outcome.failure] += 1
        else:
            self.reasons[outcome.reason] += 1
        if outcome.cascade is not None:
            self._cascade.add(row.paper, outcome.status, outcome.cascade)
        self.flags.update(outcome.flags)
        self.quotes.update(outcome.quotes)
        if outcome.members:
            self._panels.add(outcome)
        elif len(outcome.levels) > 1:
            self._repeated += 1
            self._flipped += len(set(outcome.levels)) > 1
            given = [level for level in outcome.levels if level is not None]
            if len(given) > 1:
                self._ranges.append(max(given) - min(given))
        # A judge that failed left no mark on the table, whatever name its error carries.
        if outcome.status is not Status.ERROR:
            tally = self._judges.setdefault(outcome.judge, JudgeTally())
            tally.add(row.submission, agent, outcome.level)

    def names(self) -> dict[JudgeKey, str]:
        """The name of every judge that answered."""
        return names_of(self._judges)

    def repeats(self) -> Repeats:
        """How answers to the same question differ."""
        if not self._repeated:
            return Repeats()
        ranges = self._ranges
        return Repeats(
            pairs=self._repeated,
            flipped=self._flipped,
            flip_rate=self._flipped / self._repeated,
            mean_range=sum(ranges) / len(ranges) if ranges else None,
        )

    def cascade(self) -> CascadeFigures | None:
        """Who answered in a cascade; `None` where there is none."""
        return self._cascade.figures()

    def panel(self) -> PanelFigures:
        """How the members of panels differ."""
        return self._panels.figures()

    def judges(self) -> list[JudgeUse]:
        """Every judge that answered, the busiest first."""
        names = self.names()
        uses = [tally.use(judge, names[judge]) for judge, tally in self._judges.items()]
        return sorted(uses, key=lambda use: (-use.verdicts, use.name))


class PanelTally:
    """Counts of what the members of panels said."""

    __slots__ = ("_differences", "_ranges", "_split", "_statuses", "_verdicts")

    def __init__(self) -> None:
        self._verdicts = 0
        self._split = 0
        self._ranges: list[int] = []
        self._statuses: dict[tuple[str, str], Counter[Status]] = {}
        self._differences: dict[tuple[str, str], list[int]] = {}

    def add(self, outcome: Outcome) -> None:
        """Count one verdict."""
        self._verdicts += 1
        self._split += len({level for _, _, level in outcome.members}) > 1
        given = [level for _, _, level in outcome.members if level is not None]
        if len(given) > 1:
            self._ranges.append(max(given) - min(given))
        for member, status, level in outcome.members:
            self._statuses.setdefault(member, Counter())[status] += 1
            if level is not None and outcome.level is not None:
                self._differences.setdefault(member, []).append(level - outcome.level)

    def figures(self) -> PanelFigures:
        """Write it down."""
        if not self._verdicts:
            return PanelFigures()
        ranges = self._ranges
        return PanelFigures(
            verdicts=self._verdicts,
            split=self._split,
            disagreement_rate=self._split / self._verdicts,
            mean_range=sum(ranges) / len(ranges) if ranges else None,
            members=[self._member(member) for member in self._statuses],
        )

    def _member(self, member: tuple[str, str]) -> MemberFigures:
        statuses, away = self._statuses[member], self._differences.get(member, [])
        name, judge_hash = member
        alone = sum(other == name for other, _ in self._statuses) == 1
        return MemberFigures(
            name=name if alone else f"{name} [{_settings(judge_hash)}]",
            graded=statuses[Status.GRADED],
            abstained=statuses[Status.ABSTAINED],
            errors=statuses[Status.ERROR],
            agreement=away.count(0) / len(away) if away else None,
            mean_difference=sum(away) / len(away) if away else None,
        )


class JudgeTally:
    """One judge's part of a run."""

    __slots__ = ("levels", "submissions", "verdicts")

    def __init__(self) -> None:
        self.verdicts = 0
        self.submissions: dict[int, str] = {}
        self.levels = [0] * 5

    def add(self, submission: int, agent: str, level: int | None) -> None:
        """Count one answer."""
        self.verdicts += 1
        self.submissions[submission] = agent
        if level is not None:
            self.levels[level] += 1

    def use(self, judge: JudgeKey, name: str) -> JudgeUse:
        """Write it down."""
        zero, one, two, three, four = self.levels
        return JudgeUse(
            name=name,
            judge=judge.judge,
            provider=judge.provider,
            model_returned=judge.model_returned,
            verdicts=self.verdicts,
            submissions=len(self.submissions),
            agents=dict(sorted(Counter(self.submissions.values()).items())),
            levels=(zero, one, two, three, four),
        )
