"""The figures of a run: what becomes of verdicts, in means with intervals, shares and counts.

Two means are told apart everywhere, because they answer different questions and differ:

- `mean_of_dimension_means`: per paper the mean of each dimension, then the mean of those, then
  the mean over papers (what SA-Bench's code computes and its table shows). Every paper and, in a
  paper, every dimension weighs the same.
- `mean_over_saus`: the mean over all claims (how SA-Bench's paper defines its score). Every claim
  weighs the same.

Only graded verdicts enter a mean. Errors, abstentions and missing verdicts are counted beside it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from benchmark import Dimension, Drift, Failure, Sau
from judge.counting import counted
from judge.figures import (
    AgentSummary,
    Counts,
    Group,
    JudgeUse,
    Mean,
    Method,
    PaperSummary,
    Spread,
    SubmissionSummary,
    Summary,
)
from judge.fitted_suite import fitted_papers
from judge.foreseeing import foreseen_remarks
from judge.intervals import DRAWS, MIN_PAPERS, SEED, Floats, bootstrap_means, rank_ranges
from judge.tally import (
    NOT_GIVEN,
    JudgeKey,
    Outcome,
    Row,
    RunTally,
    Tally,
    in_order,
    judge_name,
)
from judge.verdict import Verdict

__all__ = ["NOT_GIVEN", "HasIdentity", "judge_name", "summarise"]

FEW_PAPERS = f"fewer than {MIN_PAPERS} papers, and intervals come from how papers vary"
NOTHING_GRADED = "nothing graded"
ALONG_AGENTS = 0.9
"""Share of each agent's submissions by one judge from which on the judges split along agents."""


class HasIdentity(Protocol):
    """What is read of a submission here."""

    @property
    def id(self) -> str:
        """Unique in a run."""

    @property
    def agent(self) -> str:
        """Who wrote it."""

    @property
    def paper(self) -> str:
        """What it reproduces."""


def summarise(
    verdicts: Iterable[Verdict],
    saus: Mapping[str, Sau],
    submissions: Iterable[HasIdentity],
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Summary:
    """Count, average and resample.

    Args:
        verdicts: Of one run; where a pair was judged more than once the last one counts. A pair
            that no submission and claim ask for is left out of everything.
        saus: The run's claims by id.
        submissions: The run's submissions: what is expected is each one's claims of its paper.
        draws: Bootstrap draws.
        seed: Of the bootstrap; the same seed gives the same figures.
    """
    asked = list(submissions)
    summary = _Writer(_Table.build(verdicts, saus, asked), draws, seed).summary()
    judges = (use.judge for use in summary.judges)
    fitted = fitted_papers(judges, saus, (one.id for one in asked))
    return summary.model_copy(update={"fitted_papers": fitted}) if fitted else summary


_DIMENSIONS = tuple(Dimension)
_PLACE = {dimension: place for place, dimension in enumerate(_DIMENSIONS)}


@dataclass(frozen=True, slots=True)
class _Table:
    """The expected pairs, and sums of graded scores by submission and dimension."""

    submissions: list[HasIdentity]
    agents: list[str]
    papers: list[str]
    claims: Counter[str]
    rows: list[Row]
    agent_of: npt.NDArray[np.int64]
    paper_of: npt.NDArray[np.int64]
    sums: Floats  # (submissions, dimensions)
    counts: Floats  # (submissions, dimensions)

    @classmethod
    def build(
        cls,
        verdicts: Iterable[Verdict],
        saus: Mapping[str, Sau],
        submissions: list[HasIdentity],
    ) -> _Table:
        submissions = sorted(submissions, key=lambda one: (one.agent, one.paper, one.id))
        agents = sorted({one.agent for one in submissions})
        papers = sorted({one.paper for one in submissions})
        agent_place = {name: place for place, name in enumerate(agents)}
        paper_place = {name: place for place, name in enumerate(papers)}
        by_paper: dict[str, list[Sau]] = defaultdict(list)
        for sau in saus.values():
            by_paper[sau.paper].append(sau)
        last = _outcomes(verdicts, {one.id: one.paper for one in submissions}, saus)

        sums = np.zeros((len(submissions), len(_DIMENSIONS)))
        counts = np.zeros_like(sums)
        rows: list[Row] = []
        for place, submission in enumerate(submissions):
            agent, paper = agent_place[submission.agent], paper_place[submission.paper]
            for sau in by_paper[submission.paper]:
                outcome = last[submission.id].get(sau.id)
                rows.append(Row(place, agent, paper, sau.dimension, outcome))
                if outcome is not None and outcome.level is not None:
                    sums[place, _PLACE[sau.dimension]] += outcome.level / 4
                    counts[place, _PLACE[sau.dimension]] += 1
        return cls(
            submissions=submissions,
            agents=agents,
            papers=papers,
            claims=Counter(sau.paper for sau in saus.values()),
            rows=rows,
            agent_of=np.array([agent_place[one.agent] for one in submissions], dtype=np.int64),
            paper_of=np.array([paper_place[one.paper] for one in submissions], dtype=np.int64),
            sums=sums,
            counts=counts,
        )


def _outcomes(
    verdicts: Iterable[Verdict], papers: Mapping[str, str], saus: Mapping[str, Sau]
) -> dict[str, dict[str, Outcome]]:
    """By submission and claim the outcome of the last verdict; no verdict is held.

    Args:
        verdicts: As they come.
        papers: The paper of each submission.
        saus: The claims by id.
    """
    found: dict[str, dict[str, Outcome]] = {submission: {} for submission in papers}
    shared: dict[Outcome, Outcome] = {}
    for verdict in verdicts:
        sau = saus.get(verdict.sau)
        if sau is None or papers.get(verdict.submission) != sau.paper:
            continue
        outcome = Outcome.of(verdict)
        found[verdict.submission][sau.id] = shared.setdefault(outcome, outcome)
    return found


@dataclass(slots=True)
class _Column:
    """One mean to be: per paper a sum and what it is divided by."""

    numerators: Floats
    denominators: Floats
    n: int


class _Writer:
    """Turns the table into a summary; all means are resampled together in one go."""

    def __init__(self, table: _Table, draws: int, seed: int) -> None:
        self.table = table
        self.draws = draws
        self.seed = seed
        self.columns: list[_Column] = []
        with np.errstate(invalid="ignore"):
            self.dimension_means = table.sums / table.counts  # NaN where nothing is graded
        graded = table.counts > 0
        dimensions = graded.sum(axis=1)
        filled = np.where(graded, self.dimension_means, 0.0)
        self.balanced = np.where(dimensions > 0, filled.sum(axis=1) / np.maximum(dimensions, 1), 0)
        self.has_any = dimensions > 0

    def _cells(self, values: Floats, present: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Mean per (agent, paper) and whether there is one; several submissions are averaged."""
        shape = (len(self.table.agents), len(self.table.papers))
        sums, counts = np.zeros(shape), np.zeros(shape)
        where = (self.table.agent_of[present], self.table.paper_of[present])
        np.add.at(sums, where, values[present])
        np.add.at(counts, where, 1.0)
        means: Floats = np.divide(sums, counts, out=np.zeros(shape), where=counts > 0)
        return means, (counts > 0).astype(np.float64)

    def _per_paper(self, values: Floats, chosen: npt.NDArray[np.bool_]) -> Floats:
        out = np.zeros(len(self.table.papers))
        np.add.at(out, self.table.paper_of[chosen], values[chosen])
        return out

    def _column(self, numerators: Floats, denominators: Floats, n: float) -> int:
        self.columns.append(_Column(numerators, denominators, int(n)))
        return len(self.columns) - 1

    def _saus(self, chosen: npt.NDArray[np.bool_], dimension: int | None) -> int:
        """Register a mean over claims of some submissions."""
        axis = slice(None) if dimension is None else slice(dimension, dimension + 1)
        sums, counts = self.table.sums[:, axis].sum(axis=1), self.table.counts[:, axis].sum(axis=1)
        return self._column(
            self._per_paper(sums, chosen), self._per_paper(counts, chosen), counts[chosen].sum()
        )

    def _means(self) -> list[Mean]:
        if not self.columns or not self.table.papers:
            return []
        numerators = np.stack([column.numerators for column in self.columns], axis=1)
        denominators = np.stack([column.denominators for column in self.columns], axis=1)
        intervals = bootstrap_means(numerators, denominators, draws=self.draws, seed=self.seed)
        means: list[Mean] = []
        for place, (column, interval) in enumerate(zip(self.columns, intervals, strict=True)):
            below = float(denominators[:, place].sum())
            papers = int((denominators[:, place] > 0).sum())
            if not below:
                means.append(Mean(value=None, n=0, papers=0, no_interval=NOTHING_GRADED))
                continue
            value = float(numerators[:, place].sum()) / below
            if interval is None:
                means.append(Mean(value=value, n=column.n, papers=papers, no_interval=FEW_PAPERS))
            else:
                low, high = interval.low, interval.high
                means.append(Mean(value=value, n=column.n, papers=papers, low=low, high=high))
        return means

    def summary(self) -> Summary:
        table = self.table
        everything = np.ones(len(table.submissions), dtype=bool)
        axes = range(len(_DIMENSIONS))

        # Columns are registered first and resampled together: keys name them afterwards.
        keys: dict[tuple[str, int, int, str], int] = {}
        layers = [self._cells(self.balanced, self.has_any)]
        layers += [
            self._cells(self.dimension_means[:, axis], table.counts[:, axis] > 0) for axis in axes
        ]
        totals = [table.counts.sum(axis=1), *(table.counts[:, axis] for axis in axes)]

        def register(kind: str, place: int, chosen: npt.NDArray[np.bool_]) -> None:
            for layer, ((values, present), total) in enumerate(zip(layers, totals, strict=True)):
                match kind:
                    case "agent":
                        above, below = values[place], present[place]
                    case "paper":
                        only = np.arange(len(table.papers)) == place
                        above, below = values.sum(axis=0) * only, present.sum(axis=0) * only
                    case _:
                        above, below = values.sum(axis=0), present.sum(axis=0)
                key = (kind, place, layer)
                keys[*key, "balanced"] = self._column(above, below, total[chosen].sum())
                keys[*key, "saus"] = self._saus(chosen, None if layer == 0 else layer - 1)

        register("all", 0, everything)
        for place in range(len(table.agents)):
            register("agent", place, table.agent_of == place)
        for place in range(len(table.papers)):
            register("paper", place, table.paper_of == place)
        means = self._means()

        def mean(kind: str, place: int, layer: int, which: str) -> Mean:
            if not means:
                return Mean(value=None, n=0, papers=0, no_interval=NOTHING_GRADED)
            return means[keys[kind, place, layer, which]]

        tallies: dict[tuple[str, int, int], Tally] = defaultdict(Tally)
        run = RunTally()
        for row in table.rows:
            run.add(row, table.agents[row.agent])
            axis = _PLACE[row.dimension] + 1
            for key in (
                ("all", 0, 0),
                ("all", 0, axis),
                ("agent", row.agent, 0),
                ("agent", row.agent, axis),
                ("paper", row.paper, 0),
                ("submission", row.submission, 0),
            ):
                tallies[key].add(row)

        names = run.names()

        def group(kind: str, place: int, layer: int = 0) -> Group:
            return tallies[kind, place, layer].group(
                mean(kind, place, layer, "balanced"), mean(kind, place, layer, "saus"), names
            )

        def by_dimension(kind: str, place: int) -> dict[Dimension, Group]:
            return {one: group(kind, place, _PLACE[one] + 1) for one in _DIMENSIONS}

        agents = self._rank(
            [
                AgentSummary(
                    agent=name,
                    rank=None,
                    all=group("agent", place),
                    dimensions=by_dimension("agent", place),
                )
                for place, name in enumerate(table.agents)
            ],
            *layers[0],
        )
        papers = [
            PaperSummary(
                paper=name,
                saus=table.claims[name],
                all=group("paper", place),
                dimensions={
                    one: mean("paper", place, _PLACE[one] + 1, "balanced") for one in _DIMENSIONS
                },
            )
            for place, name in enumerate(table.papers)
        ]
        overall = group("all", 0)
        judges, panel = run.judges(), run.panel()
        because = _incomplete(overall.counts)
        return Summary(
            incomplete=bool(because),
            incomplete_because=because,
            mixed_judges=len(judges) > 1,
            mixed_because=_mixed(judges) if len(judges) > 1 else [],
            remarks=foreseen_remarks(
                [*(one.judge for one in judges), *(one.name for one in panel.members)]
            ),
            judges=judges,
            all=overall,
            dimensions=by_dimension("all", 0),
            agents=agents,
            papers=papers,
            submissions=[
                self._submission(place, tallies["submission", place, 0], names)
                for place in range(len(table.submissions))
            ],
            spread=_spread(self.balanced[self.has_any]),
            drift_by_dimension={one: in_order(run.drifts[one], Drift) for one in _DIMENSIONS},
            failure_by_dimension={one: in_order(run.failures[one], Failure) for one in _DIMENSIONS},
            reasons=dict(run.reasons.most_common()),
            flags=dict(run.flags.most_common()),
            quotes=dict(run.quotes.most_common()),
            repeats=run.repeats(),
            panel=panel,
            cascade=run.cascade(),
            method=Method(
                interval="expanded percentile bootstrap over papers",
                draws=self.draws,
                seed=self.seed,
            ),
        )

    def _submission(
        self, place: int, tally: Tally, names: Mapping[JudgeKey, str]
    ) -> SubmissionSummary:
        one = self.table.submissions[place]
        n = int(self.table.counts[place].sum())

        def alone(value: float, count: int) -> Mean:
            if not count:
                return Mean(value=None, n=0, papers=0, no_interval=NOTHING_GRADED)
            return Mean(value=value, n=count, papers=1, no_interval=FEW_PAPERS)

        over_saus = float(self.table.sums[place].sum()) / n if n else 0.0
        return SubmissionSummary(
            submission=one.id,
            agent=one.agent,
            paper=one.paper,
            all=tally.group(alone(float(self.balanced[place]), n), alone(over_saus, n), names),
            dimensions={
                dimension: alone(
                    float(self.dimension_means[place, axis]), int(self.table.counts[place, axis])
                )
                for axis, dimension in enumerate(_DIMENSIONS)
            },
        )

    def _rank(
        self, agents: list[AgentSummary], values: Floats, present: Floats
    ) -> list[AgentSummary]:
        """Sort best first, and say how firm each rank is where all met the same papers.

        With papers too few for an interval, draws of them would make any rank look firm.
        """
        shared = present.any(axis=0)
        papers = int(shared.sum())
        ranges: list[tuple[int, int]] | None = None
        if len(agents) > 1 and papers >= MIN_PAPERS and present[:, shared].all():
            ranges = rank_ranges(values[:, shared].T, draws=self.draws, seed=self.seed)
        scores = [agent.all.mean_of_dimension_means.value for agent in agents]
        ranked = []
        for place, (agent, score) in enumerate(zip(agents, scores, strict=True)):
            update: dict[str, int] = {}
            if score is not None:
                better = sum(other is not None and other > score + 1e-12 for other in scores)
                update["rank"] = 1 + better
                if ranges is not None:
                    update["rank_low"], update["rank_high"] = ranges[place]
            ranked.append(agent.model_copy(update=update))
        return sorted(ranked, key=lambda one: (one.rank is None, one.rank or 0, one.agent))


def _incomplete(counts: Counts) -> list[str]:
    reasons = []
    if counts.error:
        reasons.append(
            f"{counts.error:,} of {counted(counts.expected, 'verdict')} "
            f"{'is an error' if counts.error == 1 else 'are errors'}."
        )
    if counts.missing:
        reasons.append(
            f"{counts.missing:,} of {counted(counts.expected, 'verdict')} "
            f"{'is' if counts.missing == 1 else 'are'} missing."
        )
    return reasons


def _mixed(judges: Sequence[JudgeUse]) -> list[str]:
    """Who judged whom, and whether the split runs along the agents."""
    totals: Counter[str] = Counter()
    largest: dict[str, int] = {}
    sentences = []
    for use in judges:
        totals.update(use.agents)
        for agent, count in use.agents.items():
            largest[agent] = max(largest.get(agent, 0), count)
        agents = ", ".join(f"{agent} ({count})" for agent, count in use.agents.items())
        many = counted(use.submissions, "submission")
        sentences.append(f"{use.name} judged {many}: {agents}.")
    if all(largest[agent] >= ALONG_AGENTS * total for agent, total in totals.items()):
        sentences.append(
            "The split runs along the agents (each has nine tenths or more of its submissions "
            "from one judge): a difference between agents may be a difference between judges."
        )
    return sentences


def _spread(values: Floats) -> Spread:
    if not values.size:
        return Spread(n=0)
    return Spread(
        n=int(values.size),
        mean=float(values.mean()),
        median=float(np.median(values)),
        low=float(values.min()),
        high=float(values.max()),
    )
