"""Print the time and memory of the agreement study over a million labelled verdicts; no test.

python -m tests.benchmarks.million_pairs
"""

from __future__ import annotations

import json
import resource
import time

import numpy as np

from benchmark import Dimension, Label, Level
from calibration.agreement import agreement
from calibration.joining import Judged
from calibration.resampling import Setting
from judge.verdict import Status
from tests.benchmarks.drawing import World

PAPERS, CLAIMS, AGENTS = 100, 100, 100


def main() -> None:
    """Make verdicts and labels, study them both ways, print."""
    generator = np.random.default_rng(1)
    truth, judge = World().draw(generator, PAPERS, CLAIMS * AGENTS)
    dimensions, levels = list(Dimension), list(Level)
    names = [[f"p{paper}-{claim}" for claim in range(CLAIMS)] for paper in range(PAPERS)]
    verdicts, labels = [], []
    for paper in range(PAPERS):
        for place in range(CLAIMS * AGENTS):
            agent, claim = divmod(place, CLAIMS)
            where = f"a{agent}/p{paper}", names[paper][claim]
            verdicts.append(
                Judged(
                    *where, f"a{agent}", f"p{paper}", dimensions[claim % 4], "made",
                    Status.GRADED, int(judge[paper, place]),
                )
            )  # fmt: skip
            labels.append(Label(*where, "ann", "person", levels[truth[paper, place]], None, None))
    print(f"{len(labels):,} pairs made, {peak():.2f} GB")
    for method in ("jackknife", "bootstrap"):
        start, work = time.perf_counter(), time.process_time()
        report = agreement(verdicts, labels, setting=Setting(method=method))
        text = json.dumps(report.as_json(), allow_nan=False)
        spent, work = time.perf_counter() - start, time.process_time() - work
        print(
            f"{method}: {spent:.1f} s ({work:.1f} s of one core), peak {peak():.2f} GB, "
            f"{len(text):,} characters of JSON, "
            f"quadratic kappa {report.judges[0].figures['quadratic_kappa']}"
        )


def peak() -> float:
    """Most memory so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()
