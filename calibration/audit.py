"""What a random audit says of a cascade: the loss over all claims, with an interval.

Of the claims that the first judge could answer, a random share goes to the second judge all the
same. The mean loss among them, times the share that can be answered, estimates the loss over all
claims. The interval is the wider, at each end, of the delete-one-paper jackknife's and Wilson's for
audited claims taken one by one (E. Wilson 1927): the first sees that claims of a paper hang
together, the second that few losses say little of how rare they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmark.counting import counted
from calibration.resampling import FEWEST_CLUSTERS, LEVEL, degrees_of_freedom, jackknife_error
from calibration.student import normal_quantile, student_quantile

__all__ = ["Audit", "PaperCounts", "audit_risk"]


@dataclass(slots=True)
class PaperCounts:
    """One paper's part.

    Attributes:
        claims: All its claims.
        answerable: Those that the first judge answers or could have answered.
        audited: Those of them that the second judge graded.
        lost: Sum of the losses among these.
    """

    claims: int = 0
    answerable: int = 0
    audited: int = 0
    lost: float = 0.0


@dataclass(frozen=True, slots=True)
class Audit:
    """What was measured.

    Attributes:
        risk: Loss over all claims; `None` where nothing was audited.
        low: Lower end of its 95 % interval.
        high: Upper end.
        caveat: Why the interval may be too narrow; empty where it is not known to be.
    """

    risk: float | None
    low: float | None = None
    high: float | None = None
    caveat: str = ""


def audit_risk(papers: Sequence[PaperCounts]) -> Audit:
    """Estimate the loss over all claims."""
    counts = np.array(
        [[one.claims, one.answerable, one.audited, one.lost] for one in papers], dtype=np.float64
    ).reshape(-1, 4)
    claims, answerable, audited, lost = counts.sum(0)
    if not audited:
        return Audit(None)
    share, mean = answerable / claims, lost / audited
    risk = float(share * mean)
    low, high = (float(share * end) for end in _wilson(float(mean), float(audited)))
    without = counts.sum(0) - counts
    seen = int((counts[:, 2] > 0).sum())
    if seen < FEWEST_CLUSTERS or (without[:, 2] == 0).any():
        many = counted(seen, "paper")
        return Audit(risk, low, high, f"claims of {many} are taken for independent")
    left_out = without[:, 1] / without[:, 0] * without[:, 3] / without[:, 2]
    error = jackknife_error(left_out)
    if error > 1e-12:
        reach = student_quantile((1 + LEVEL) / 2, degrees_of_freedom(left_out)) * error
        low, high = min(low, risk - reach), max(high, risk + reach)
    return Audit(risk, max(0.0, low), min(1.0, high))


def _wilson(mean: float, count: float) -> tuple[float, float]:
    z = normal_quantile((1 + LEVEL) / 2)
    middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
    spread = mean * (1 - mean) / count + z * z / (4 * count * count)
    reach = z * math.sqrt(max(spread, 0.0)) / (1 + z * z / count)
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if mean <= 0 else max(0.0, middle - reach)
    return low, 1.0 if mean >= 1 else min(1.0, middle + reach)
