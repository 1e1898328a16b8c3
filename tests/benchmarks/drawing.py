"""Made labels and verdicts in the shape of SA-Bench: clustered, skewed, errors shared by paper."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

SHARES = (0.39, 0.44, 0.09, 0.03, 0.05)
CUTS = np.array([NormalDist().inv_cdf(float(p)) for p in np.cumsum(SHARES)[:-1]])


@dataclass(frozen=True)
class World:
    """How truth and a judge come about.

    Attributes:
        alike: Correlation of two claims' truth in one paper.
        skill: Correlation of the judge's view with the truth.
        shared: Share of the judge's error that all claims of a paper have in common.
        bias: How far the judge's view is shifted, in standard deviations.
    """

    alike: float = 0.15
    skill: float = 0.75
    shared: float = 0.2
    bias: float = -0.2

    def draw(
        self, generator: np.random.Generator, papers: int, claims: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Levels of (truth, judge), each of shape (papers, claims)."""

        def mixed(share: float) -> npt.NDArray[np.float64]:
            common = generator.standard_normal((papers, 1))
            own = generator.standard_normal((papers, claims))
            return np.sqrt(share) * common + np.sqrt(1 - share) * own

        truth = mixed(self.alike)
        view = self.skill * truth + np.sqrt(1 - self.skill**2) * mixed(self.shared) + self.bias
        return np.digitize(truth, CUTS), np.digitize(view, CUTS)
