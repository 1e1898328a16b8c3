"""Print what two judges do to SA-Bench's published ranking; no test.

python -m tests.benchmarks.judge_confound --runs TREE [--readings FILE]

TREE is a tree of published results, `<agent>/<paper>/repo/result/*-sau-score.json`: each file
names its judge, and an agent's repositories nearly all got the same one. Intervals are the
delete-one-paper jackknife at 95 %. Readings are JSON Lines with agent, paper, sau and level; with
them each judge's mean error is told, and a second estimate of how the judges differ.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from calibration.figures import Figure
from calibration.joining import Judged, judged
from calibration.resampling import jackknife_error
from calibration.scores import Difference, ScoreReport, holm, score_agents
from calibration.student import student_quantile, student_two_sided
from judge.foreign import read_results

ONE = "as if one judge"
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Effect:
    """How much higher the second judge scores the same repository, and how sure that is."""

    value: float
    left_out: Floats
    df: int

    @property
    def reach(self) -> float:
        """Half the width of its interval."""
        return student_quantile(0.975, self.df) * jackknife_error(self.left_out)


def by_paper(verdicts: Sequence[Judged], value: Callable[[Sequence[Judged]], float]) -> Figure:
    """A figure of some verdicts with its interval by paper."""
    papers = sorted({one.paper for one in verdicts})
    whole = value(verdicts)
    left = np.array([value([one for one in verdicts if one.paper != p]) for p in papers])
    reach = student_quantile(0.975, len(papers) - 1) * jackknife_error(left)
    return Figure(whole, whole - reach, whole + reach)


def mean_score(verdicts: Sequence[Judged]) -> float:
    """The mean score."""
    return sum(one.level or 0 for one in verdicts) / 4 / len(verdicts)


def shares(verdicts: Sequence[Judged], judges: Sequence[str]) -> None:
    """How each judge uses the scale."""
    print("share of verdicts at each level, by judge")
    for judge in judges:
        own = [one for one in verdicts if one.judge == judge]
        repositories = len({one.submission for one in own})
        print(f"  {judge}: {repositories} repositories, {len(own):,} verdicts")
        for level in range(5):
            figure = by_paper(own, lambda part, at=level: np.mean([o.level == at for o in part]))  # type: ignore[misc]
            print(f"    level {level}: {figure}")
        print(f"    mean score: {by_paper(own, mean_score)}")


def effect_of(
    verdicts: Sequence[Judged], judges: Sequence[str], value: Callable[[Judged], float]
) -> Effect:
    """The judges' difference by least squares: repository = agent + paper + judge."""
    sums: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for one in verdicts:
        sums[one.agent, one.paper, one.judge].append(value(one))
    rows = [(*key, float(np.mean(values))) for key, values in sorted(sums.items())]
    agents = sorted({row[0] for row in rows})
    papers = sorted({row[1] for row in rows})

    def fit(kept: Sequence[tuple[str, str, str, float]]) -> float:
        there = sorted({row[1] for row in kept})
        matrix = np.zeros((len(kept), len(agents) + len(there)))
        for place, (agent, paper, judge, _) in enumerate(kept):
            matrix[place, agents.index(agent)] = 1
            if there.index(paper):
                matrix[place, len(agents) + there.index(paper) - 1] = 1
            matrix[place, -1] = judge == judges[1]
        found, *_ = np.linalg.lstsq(matrix, np.array([row[3] for row in kept]), rcond=None)
        return float(found[-1])

    left = np.array([fit([row for row in rows if row[1] != paper]) for paper in papers])
    return Effect(fit(rows), left, len(papers) - 1)


def holding(report: ScoreReport) -> list[Difference]:
    """The differences that hold at 5 % after Holm's adjustment."""
    return [one for one in report.differences if (one.adjusted_p or 1.0) < 0.05]


def tell_across(
    whole: ScoreReport, own: dict[str, str], effect: Effect, judges: Sequence[str], by: str
) -> None:
    """Pairs of agents of two judges: which hold as published, and with the judges equated.

    The judges' difference is taken off, and its own error is counted, both without each paper.
    """
    estimates = {one.agent: one.raw for one in whole.agents}
    pairs = [one for one in whole.differences if own[one.first] != own[one.second]]
    equated: list[tuple[float, float | None]] = []
    for one in pairs:
        first, second = estimates[one.first], estimates[one.second]
        side = 1.0 if own[one.first] == judges[1] else -1.0
        value = first.figure.value - second.figure.value - side * effect.value
        error = jackknife_error(first.left_out - second.left_out - side * effect.left_out)
        equated.append((value, student_two_sided(value / error, effect.df)))
    raw = holm([one.comparison.p for one in pairs])
    adjusted = holm([p for _, p in equated])
    firm = [p is not None and p < 0.05 for p in raw]
    held = [p is not None and p < 0.05 for p in adjusted]
    turned = sum(value < 0 and still for (value, _), still in zip(equated, held, strict=True))
    print(
        f"  {sum(firm)} of {len(pairs)} hold as published; with the judges equated {by}: "
        f"{sum(held)} hold, {turned} of them the other way round; {sum(map(min, firm, held))} hold "
        "both ways"
    )
    for one, (value, _), p in zip(pairs, equated, adjusted, strict=True):
        if p is not None and p < 0.05:
            better, worse = (one.first, one.second) if value > 0 else (one.second, one.first)
            print(f"    {better} over {worse}: {abs(value):.3f}, p = {p:.3f}")


def effect_of_readings(verdicts: Sequence[Judged], judges: Sequence[str], file: Path) -> Effect:
    """The judges' difference by their mean errors against the same readings' standard."""
    level_of = {one.key: (one.judge, one.paper, one.level or 0) for one in verdicts}
    rows: list[tuple[str, str, float]] = []
    read: set[tuple[str, str]] = set()
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        key = f"{row['agent']}/{row['paper']}", row["sau"]
        if key in level_of:
            judge, paper, level = level_of[key]
            rows.append((judge, paper, (level - row["level"]) / 4))
            read.add(key)
    papers = sorted({one.paper for one in verdicts})

    def error(judge: str, without: str = "") -> float:
        return float(np.mean([e for j, p, e in rows if j == judge and p != without]))

    print("mean of published score less careful reading, by judge")
    for judge in judges:
        left = np.array([error(judge, paper) for paper in papers])
        there = len({p for j, p, _ in rows if j == judge})
        reach = student_quantile(0.975, there - 1) * jackknife_error(left)
        count = sum(level_of[key][0] == judge for key in read)
        print(f"  {judge}: {error(judge):+.3f} ± {reach:.3f}, {count} verdicts, {there} papers")
    left = np.array([error(judges[1], p) - error(judges[0], p) for p in papers])
    fewest = min(len({p for j, p, _ in rows if j == judge}) for judge in judges)
    return Effect(error(judges[1]) - error(judges[0]), left, fewest - 1)


def main() -> None:
    """Read the published results and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--readings", type=Path)
    options = parser.parse_args()
    verdicts = [one for one in judged(read_results(options.runs).verdicts) if one.level is not None]
    counts = Counter(one.judge for one in verdicts)
    judges = [judge for judge, _ in counts.most_common(2)]
    shares(verdicts, judges)

    repositories: dict[str, Counter[str]] = defaultdict(Counter)
    for _, agent, judge in {(one.submission, one.agent, one.judge) for one in verdicts}:
        repositories[agent][judge] += 1
    own = {agent: found.most_common(1)[0][0] for agent, found in repositories.items()}
    mixed = sum(sum(found.values()) - found[own[agent]] for agent, found in repositories.items())
    print(
        f"the judge follows the agent in all but {mixed} of "
        f"{sum(sum(found.values()) for found in repositories.values())} repositories"
    )

    effect = effect_of(verdicts, judges, lambda one: (one.level or 0) / 4)
    print(
        f"{judges[1]} less {judges[0]} on the same repository (agent + paper + judge): "
        f"{effect.value:+.3f} ± {effect.reach:.3f}"
    )
    for level in (1, 4):
        found = effect_of(verdicts, judges, lambda one, at=level: float((one.level or 0) >= at))  # type: ignore[misc]
        print(f"  the same in the share at level {level} or above: {found.value:+.3f} ± "
              f"{found.reach:.3f}")  # fmt: skip

    whole = score_agents([replace(one, judge=ONE) for one in verdicts], [], correction="none")
    print("the published order (mean over all claims), and ranks that the data leave open")
    within: dict[str, tuple[int, int] | None] = {}
    alone: dict[str, ScoreReport] = {}
    for judge in judges:
        mine = [one for one in verdicts if own[one.agent] == judge and one.judge == judge]
        alone[judge] = score_agents(mine, [], correction="none")
        within |= {one.agent: one.ranks for one in alone[judge].agents}
    for place, one in enumerate(whole.agents, start=1):
        inside, naive = within[one.agent] or (0, 0), one.ranks or (0, 0)
        print(
            f"  {place:2d} {one.agent:24s} {one.raw.figure}  {own[one.agent]:24s} "
            f"of all, were it one judge: {naive[0]}-{naive[1]}  among its judge's: "
            f"{inside[0]}-{inside[1]}"
        )
    print(f"as if one judge: {len(holding(whole))} of {len(whole.differences)} differences hold")
    for judge in judges:
        report = alone[judge]
        print(
            f"within {judge}: {len(holding(report))} of {len(report.differences)} differences of "
            f"{len(report.agents)} agents hold"
        )
        for each in holding(report):
            print(f"    {each.first} over {each.second}: {each.comparison.difference}")
    print("differences between agents of the two judges")
    tell_across(whole, own, effect, judges, "by the repositories that the other judge got")
    if options.readings:
        read = effect_of_readings(verdicts, judges, options.readings)
        print(f"  difference of the two: {read.value:+.3f} ± {read.reach:.3f}")
        tell_across(whole, own, read, judges, "by the readings")


if __name__ == "__main__":
    main()
