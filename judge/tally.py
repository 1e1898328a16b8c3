"""Counting verdicts: by status, level, failure, drift, judge, reason, flag and quote state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from benchmark import Dimension, Drift, Failure
from judge.figures import Counts, Group, JudgeUse, Mean
from judge.verdict import Status, Verdict

__all__ = ["NOT_GIVEN", "JudgeTally", "Row", "RunTally", "Tally", "in_order", "judge_name"]

NOT_GIVEN = "not_given"
"""Where a foreign verdict has no drift or no failure: unknown, which is not `none`."""


def judge_name(verdict: Verdict) -> str:
    """The judge as tables tell it apart: two models that answered under one name are two judges."""
    provenance = verdict.provenance
    returned = provenance.model_returned
    if returned is None or returned in {provenance.model, provenance.judge.partition(":")[2]}:
        return provenance.judge
    return f"{provenance.judge} ({returned})"


@dataclass(frozen=True, slots=True)
class Row:
    """One expected pair, with its verdict where there is one and the words it is counted by."""

    submission: int
    agent: int
    paper: int
    dimension: Dimension
    verdict: Verdict | None
    judge: str = ""
    failure: str = ""
    drift: str = ""

    @classmethod
    def of(
        cls,
        places: tuple[int, int, int],
        dimension: Dimension,
        verdict: Verdict | None,
    ) -> Row:
        """Make a row; `places` are those of the submission, its agent and its paper."""
        if verdict is None:
            return cls(*places, dimension, None)
        failure, drift = word(verdict, verdict.failure), word(verdict, verdict.drift)
        return cls(*places, dimension, verdict, judge_name(verdict), failure, drift)


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
        self.judges: Counter[str] = Counter()

    def add(self, row: Row) -> None:
        """Count one pair."""
        self.expected += 1
        verdict = row.verdict
        if verdict is None:
            return
        self.statuses[verdict.status] += 1
        if verdict.status is not Status.ERROR:
            self.judges[row.judge] += 1
        if verdict.level is not None:
            self.levels[verdict.level] += 1
            self.failures[row.failure] += 1
            self.drifts[row.drift] += 1

    def group(self, balanced: Mean, over_saus: Mean) -> Group:
        """Write it down, with the means that were made elsewhere."""
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
            judges=dict(sorted(self.judges.items())),
        )


class RunTally:
    """Counts that are kept for the whole run only."""

    def __init__(self) -> None:
        self.drifts: dict[Dimension, Counter[str]] = {one: Counter() for one in Dimension}
        self.failures: dict[Dimension, Counter[str]] = {one: Counter() for one in Dimension}
        self.reasons: Counter[str] = Counter()
        self.flags: Counter[str] = Counter()
        self.quotes: Counter[str] = Counter()
        self._judges: dict[str, JudgeTally] = {}

    def add(self, row: Row, agent: str) -> None:
        """Count one pair of an agent."""
        verdict = row.verdict
        if verdict is None:
            return
        if verdict.level is not None:
            self.drifts[row.dimension][row.drift] += 1
            self.failures[row.dimension][row.failure] += 1
        else:
            code = verdict.reason.partition(":")[0].strip()
            self.reasons[f"{verdict.status.value}: {code}"] += 1
        self.flags.update(verdict.flags)
        for citation in verdict.citations:
            self.quotes[citation.state.value] += 1
        # A judge that failed left no mark on the table, whatever name its error carries.
        if verdict.status is not Status.ERROR:
            if row.judge not in self._judges:
                self._judges[row.judge] = JudgeTally(row.judge, verdict)
            self._judges[row.judge].add(row.submission, agent, verdict.level)

    def judges(self) -> list[JudgeUse]:
        """Every judge that answered, the busiest first."""
        uses = [tally.use() for tally in self._judges.values()]
        return sorted(uses, key=lambda use: (-use.verdicts, use.name))


class JudgeTally:
    """One judge's part of a run."""

    __slots__ = ("first", "levels", "name", "submissions", "verdicts")

    def __init__(self, name: str, first: Verdict) -> None:
        self.name = name
        self.first = first
        self.verdicts = 0
        self.submissions: dict[int, str] = {}
        self.levels = [0] * 5

    def add(self, submission: int, agent: str, level: int | None) -> None:
        """Count one answer."""
        self.verdicts += 1
        self.submissions[submission] = agent
        if level is not None:
            self.levels[level] += 1

    def use(self) -> JudgeUse:
        """Write it down."""
        zero, one, two, three, four = self.levels
        return JudgeUse(
            name=self.name,
            judge=self.first.provenance.judge,
            provider=self.first.provenance.provider,
            model_returned=self.first.provenance.model_returned,
            verdicts=self.verdicts,
            submissions=len(self.submissions),
            agents=dict(sorted(Counter(self.submissions.values()).items())),
            levels=(zero, one, two, three, four),
        )
