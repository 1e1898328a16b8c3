"""Print how far the built-in suite's labels and its second readings agree; no test.

python -m tests.benchmarks.suite_agreement
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmark.readers import load_labels
from judge.config import SUITE_FOLDER


def main() -> None:
    """Compare and print."""
    labels = {(one.submission, one.sau): one for one in load_labels(SUITE_FOLDER / "labels")}
    second = load_labels(SUITE_FOLDER / "second_readings")
    table = np.zeros((5, 5))
    same: Counter[str] = Counter()
    for reading in second:
        label = labels[reading.submission, reading.sau]
        table[label.level, reading.level] += 1
        same["drift"] += label.drift == reading.drift
        same["failure"] += label.failure == reading.failure
    count = len(second)
    weight = np.subtract.outer(np.arange(5), np.arange(5)) ** 2
    chance = np.outer(table.sum(1), table.sum(0)) / count
    kappa = 1 - (weight * table).sum() / (weight * chance).sum()
    print(f"{len(labels)} labels, {count} of them read a second time")
    print(f"exact level {np.trace(table) / count:.3f}, quadratic-weighted kappa {kappa:.3f}")
    print(f"same drift {same['drift'] / count:.3f}, same failure {same['failure'] / count:.3f}")
    print("label (down) against second reading (across), levels 0 to 4:")
    for row in table.astype(int):
        print("  " + " ".join(f"{value:4d}" for value in row))


if __name__ == "__main__":
    main()
