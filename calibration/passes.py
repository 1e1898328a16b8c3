"""The share of claims that pass at a cut, with the judge's misses and false passes taken out."""

from __future__ import annotations

import numpy as np

from benchmark.counting import counted
from calibration.estimates import SAMPLED, Estimate, Sums, check_labels, refused, standard_error
from calibration.figures import Figure
from calibration.resampling import FEWEST_CLUSTERS, LEVEL
from calibration.samples import Sample
from calibration.student import student_quantile

__all__ = ["rogan_gladen"]


def rogan_gladen(sample: Sample, *, level: float = LEVEL) -> Estimate:
    """The true share of passes from the judge's share, its sensitivity and its specificity.

    Args:
        sample: Of scores 0 and 1 (`sample_of` with a cut).
        level: Coverage aimed at.

    Raises:
        InputError: Too few labels of either kind, or a judge that cannot be told from chance.
    """
    sums = Sums.of(sample)
    notes = check_labels(sample, sums)
    if not np.isin(sample.predicted, (0.0, 1.0)).all():
        raise refused("the scores are not pass and fail", "Give a cut")
    size = len(sample.papers)
    weight = np.where(sample.labelled, sample.weights, 0.0)
    cells = np.stack(
        [
            np.bincount(sample.clusters, weight * sample.truth * sample.predicted, minlength=size),
            np.bincount(
                sample.clusters, weight * (1 - sample.truth) * (1 - sample.predicted),
                minlength=size,
            ),
        ]
    )  # fmt: skip
    for what, mass in (("pass", sums.truth), ("fail", sums.stands - sums.truth)):
        papers = int((mass > 1e-9).sum())
        if papers < FEWEST_CLUSTERS:
            raise refused(
                f"labels that {what} are in {counted(papers, 'paper')}, and {FEWEST_CLUSTERS} "
                "are needed to know how the judge treats them",
                "Label more such claims, or use ppi++, which does not need them",
            )

    def parts(mask: np.ndarray) -> tuple[float, float]:
        kept = sums.kept(mask)
        sensitivity = cells[0, mask].sum() / kept.truth.sum()
        specificity = cells[1, mask].sum() / (kept.stands - kept.truth).sum()
        share = kept.predicted.sum() / kept.count.sum()
        youden = float(sensitivity + specificity - 1)
        return float(share + specificity - 1), youden

    everything = np.ones(size, dtype=bool)
    present = np.flatnonzero(sums.count > 0)
    above, youden = parts(everything)
    halves = []
    for paper in present:
        mask = everything.copy()
        mask[paper] = False
        halves.append(parts(mask))
    df = sample.labelled_papers - 1
    t = student_quantile((1 + level) / 2, df)
    without = np.array([each[1] for each in halves])
    spread = standard_error(youden, without, len(present))
    if youden - t * spread <= 0:
        raise refused(
            f"the judge's sensitivity + specificity - 1 is {youden:.2f}, and its interval reaches "
            "0: it cannot be told from a coin at this cut",
            "Use ppi++, which stays valid with a judge that knows nothing",
        )
    value = above / youden
    left_out = np.full(size, value)
    left_out[present] = [top / below for top, below in halves]
    if not 0 <= value <= 1:
        notes = (*notes, f"the corrected share {value:.3f} is outside 0 to 1 and was set to it")
    reach = t * standard_error(value, left_out, len(present))
    low, high = (min(max(value + side * reach, 0.0), 1.0) for side in (-1, 1))
    clipped = min(max(value, 0.0), 1.0)
    return Estimate(
        Figure(clipped, low, high),
        "rogan-gladen",
        left_out + (clipped - value),
        len(present),
        df,
        sample.labels,
        None,
        (
            "the judge's sensitivity and specificity on the labelled claims are those on all",
            *SAMPLED[1:],
        ),
        notes,
    )
