"""How often the bound `upper` of a cascade holds at one limit, by papers and how much they differ.

    python -m tests.benchmarks.upper_holds

A paper's rate of lost claims is drawn from Beta(shape, b), with b by the mean; 50 claims a paper.
"""

from __future__ import annotations

import numpy as np

from calibration.risk_control import upper_bound

CLAIMS = 50
WORLDS = 3000


def held(papers: int, shape: float, mean: float, *, worlds: int = WORLDS, seed: int = 1) -> float:
    """The share of made worlds in which the bound is at or above the true mean loss."""
    generator = np.random.default_rng(seed)
    rates = generator.beta(shape, shape / mean - shape, size=(worlds, papers))
    losses = generator.binomial(CLAIMS, rates) / CLAIMS
    sizes = np.full(papers, float(CLAIMS))
    return float(np.mean([upper_bound(one, sizes) >= mean for one in losses]))


def main() -> None:
    """Print the table."""
    for shape in (0.3, 1.0):
        for papers in (5, 8, 12, 24, 30):
            shares = "  ".join(f"{held(papers, shape, mean):.3f}" for mean in (0.03, 0.06, 0.1))
            print(f"Beta({shape:g}, b)  {papers:2} papers  mean loss .03 .06 .10: {shares}")


if __name__ == "__main__":
    main()
