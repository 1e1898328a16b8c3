"""Print how many labels give an agent's mean within a width, with the judge's word and without.

python -m tests.benchmarks.label_saving [--width 0.02] [--worlds 200]
    [--run TREE ... --readings reader_dev.jsonl]

One agent, 30 papers of 50 claims, papers fixed: the mean over these 1,500 claims. For judges of
several skills in made worlds, the fewest labels (in steps of 10) with which the mean half-width of
the 95 % intervals is the width or less, and how often these intervals hold the truth. With runs (or
trees of published results) and readings of them, the same planned from that pilot, as `judge labels
plan` does it, for one agent's 1,500 claims by each judge.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmark import InputError, Label, Level
from calibration.crosstabs import cluster_tables
from calibration.fixed import fixed_ppi_mean
from calibration.measures import quadratic_kappa
from calibration.samples import sample_of
from calibration.sampling import plan_labels
from judge.trust_inputs import read_verdicts
from tests.benchmarks.coverage import drawn
from tests.benchmarks.drawing import World

PAPERS, CLAIMS = 30, 50
SKILLS = (0.0, 0.6, 0.75, 0.9, 0.97)


def tried(world: World, labels: int, worlds: int, weight: float | None) -> tuple[float, float]:
    """Mean half-width with so many labels, and the share of intervals that hold."""
    generator = np.random.default_rng(23)
    widths, held = [], []
    for _ in range(worlds):
        sample, truth = drawn(generator, world, (PAPERS, CLAIMS, labels), 0)
        try:
            figure = fixed_ppi_mean(sample, weight=weight).figure
        except InputError:
            continue
        assert figure.low is not None
        assert figure.high is not None
        widths.append((figure.high - figure.low) / 2)
        held.append(figure.low <= truth.mean() <= figure.high)
    return float(np.mean(widths)), float(np.mean(held))


def fewest(world: World, width: float, worlds: int, weight: float | None) -> tuple[int, float]:
    """The fewest labels that reach a width, in steps of 10, and how often the intervals hold."""
    low, high = 50, PAPERS * CLAIMS
    while high - low > 10:
        middle = (low + high) // 20 * 10
        if tried(world, middle, max(worlds // 5, 20), weight)[0] <= width:
            high = middle
        else:
            low = middle
    return high, tried(world, high, worlds, weight)[1]


def kappa_of(world: World) -> float:
    """The judge's quadratic-weighted kappa."""
    truth, judge = world.draw(np.random.default_rng(7), 20_000, 25)
    tables = cluster_tables(judge.ravel(), truth.ravel(), np.zeros(truth.size, dtype=np.int64),
                            shape=(5, 5), count=1)  # fmt: skip
    return float(quadratic_kappa(tables.sum(0)))


def planned(runs: list[Path], readings: Path, width: float) -> None:
    """Plans from readings as a pilot, for each judge of the runs."""
    labels: dict[tuple[str, str], int] = {}
    for line in readings.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        labels.setdefault((f"{row['agent']}/{row['paper']}", row["sau"]), row["level"])
    verdicts = read_verdicts(runs)
    for judge in sorted({one.judge for one in verdicts}):
        own = [one for one in verdicts if one.judge == judge]
        read = [
            Label(*one.key, "reader", "model", Level(labels[one.key]), None, None)
            for one in own
            if one.key in labels
        ]
        try:
            plan = plan_labels(sample_of(own, read), width, claims=PAPERS * CLAIMS)
        except InputError as error:
            print(f"  {judge}: {error}")
            continue
        print(
            f"  {judge}: {plan.pilot} readings; its word explains {plan.explained:.0%} of the "
            f"variance within papers; {plan.these[0]} labels alone, {plan.these[1]} with its word"
        )


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--width", type=float, default=0.02)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--run", type=Path, action="append", default=[])
    parser.add_argument("--readings", type=Path)
    options = parser.parse_args()
    print(f"labels for an agent's mean within ± {options.width:g}, {PAPERS * CLAIMS:,} claims")
    alone, held = fewest(World(), options.width, options.worlds, 0.0)
    print(f"  labels alone: {alone}, intervals hold in {held:.2f}")
    for skill in SKILLS:
        world = World(skill=skill)
        count, held = fewest(world, options.width, options.worlds, None)
        print(
            f"  with a judge of quadratic kappa {kappa_of(world):.2f}: {count} "
            f"({1 - count / alone:.0%} fewer), intervals hold in {held:.2f}"
        )
    if options.run and options.readings:
        print("planned from careful readings (a model's, not people's)")
        planned(options.run, options.readings, options.width)


if __name__ == "__main__":
    main()
