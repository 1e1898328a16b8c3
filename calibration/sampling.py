"""What people should label next, and how many labels give an interval of a wanted width."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmark import InputError, Where
from benchmark.counting import counted
from calibration.crosstabs import Floats
from calibration.estimates import FEWEST_LABELS
from calibration.joining import Judged
from calibration.resampling import FEWEST_CLUSTERS, LEVEL
from calibration.samples import Sample
from calibration.student import normal_quantile, student_quantile

__all__ = ["Drawn", "LabelPlan", "draw_evenly", "draw_sample", "plan_labels"]

_UNKNOWN = 0.5


@dataclass(frozen=True, slots=True)
class Drawn:
    """A verdict that was drawn, and how many verdicts it stands for."""

    verdict: Judged
    weight: float


def draw_sample(
    verdicts: Sequence[Judged],
    count: int,
    *,
    seed: int = 0,
    already: Collection[tuple[str, str]] = (),
) -> list[Drawn]:
    """Draw verdicts to label: every dimension and level, the unsure ones more often.

    Strata are dimension and level; a stratum gets labels by the root of its size, so that rare
    levels are seen. In a stratum a verdict's chance grows as the judge's confidence falls, at most
    threefold, and papers are spread evenly (a draw at even steps, paper by paper). The weight
    is the inverse of the chance, so weighted means over the draw are unbiased for all.

    Args:
        verdicts: Of one run; those without a level are left out.
        count: How many to draw.
        seed: Of the draw.
        already: Pairs that have a label: they are left out, and the draw stands for the others.

    Raises:
        InputError: There are fewer to draw from.
    """
    pool = [one for one in verdicts if one.level is not None and one.key not in set(already)]
    if not 1 <= count <= len(pool):
        raise InputError(
            f"{count:,} cannot be drawn from "
            f"{counted(len(pool), 'verdict that has', 'verdicts that have')} a level and no label",
            where=Where("--count"),
            remedy=f"Ask for 1 to {len(pool)}" if pool else "Run the judge first",
        )
    strata: dict[tuple[str, int], list[Judged]] = {}
    generator = np.random.default_rng(seed)
    for one in _spread(pool, generator):
        strata.setdefault((one.dimension.value, one.level or 0), []).append(one)
    shares = _allocate([len(members) for _, members in sorted(strata.items())], count)
    drawn: list[Drawn] = []
    for (_, members), share in zip(sorted(strata.items()), shares, strict=True):
        chances = _chances(members, share)
        start = float(generator.random())
        before = np.concatenate([[0.0], np.cumsum(chances)])
        # A whole number of points on a line: rounding must not lose the last one.
        before[-1] = share
        hits = np.floor(before - start + 1e-12)
        drawn += [
            Drawn(one, 1 / chance)
            for one, chance, low, high in zip(members, chances, hits, hits[1:], strict=False)
            if high > low
        ]
    return drawn


def _spread(verdicts: Iterable[Judged], generator: np.random.Generator) -> list[Judged]:
    """Verdicts paper by paper, in a random order in each.

    For draws that go down a list at even steps: by ids, the steps could fall into the rhythm of
    agents or of claims, and meet the same ones in every paper.
    """
    by_paper: dict[str, list[Judged]] = {}
    for one in sorted(verdicts, key=lambda each: (each.paper, each.sau, each.submission)):
        by_paper.setdefault(one.paper, []).append(one)
    return [
        members[place]
        for _, members in sorted(by_paper.items())
        for place in generator.permutation(len(members))
    ]


def draw_evenly(verdicts: Sequence[Judged], count: int, *, seed: int = 0) -> list[Judged]:
    """Draw verdicts with equal chances, spread over papers and, in each, over dimensions.

    Their levels play no part: what is chosen by a noisy level comes back towards the mean when it
    is judged again.

    Args:
        verdicts: To draw from, at least `count`.
        count: How many.
        seed: Of the draw.
    """
    generator = np.random.default_rng(seed)
    # A stable sort: the random order stays in each dimension of a paper.
    ordered = sorted(_spread(verdicts, generator), key=lambda one: (one.paper, one.dimension.value))
    places = np.floor((generator.random() + np.arange(count)) * len(ordered) / count)
    return [ordered[int(place)] for place in places]


def _allocate(sizes: Sequence[int], count: int) -> list[int]:
    """Labels for each stratum: by the root of its size, one at least if they go round."""
    wanted = np.sqrt(np.asarray(sizes, dtype=np.float64))
    given = [0] * len(sizes)
    if count >= len(sizes):
        given = [1] * len(sizes)
    for _ in range(count - sum(given)):
        room = [
            wanted[place] / (given[place] + 1) if given[place] < size else -1.0
            for place, size in enumerate(sizes)
        ]
        given[int(np.argmax(room))] += 1
    return given


def _chances(members: Sequence[Judged], share: int) -> Floats:
    """The chance of each member, adding up to `share`, none above 1."""
    unsure = np.array(
        [1 - (_UNKNOWN if one.confidence is None else one.confidence) for one in members]
    )
    sizes = 0.5 + unsure
    chances = np.zeros(len(members))
    certain = np.zeros(len(members), dtype=bool)
    while True:
        left = share - int(certain.sum())
        free = ~certain
        chances[certain] = 1.0
        if free.any():
            chances[free] = left * sizes[free] / sizes[free].sum()
        over = free & (chances > 1 + 1e-12)
        if not over.any():
            return np.clip(chances, 1e-12, 1.0)
        certain |= over


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """How many labels give a mean within a width.

    Attributes:
        width: Half the interval's width that is wanted.
        papers: Papers of the run.
        floor: Half the width that remains, for papers in general, however many claims of these
            papers are labelled: papers differ.
        general: (labels alone, with the judge's word) for papers in general; `None`: no number of
            labels on these papers does it.
        these: The same for the mean over these papers' claims alone.
        explained: Share of the truth's variance within papers that the judge's word explains.
        pilot: Labels that this rests on.
    """

    width: float
    papers: int
    floor: float
    general: tuple[int | None, int | None]
    these: tuple[int, int]
    explained: float
    pilot: int

    def as_json(self) -> dict[str, Any]:
        """The plan for a JSON file."""
        return {
            "width": self.width,
            "papers": self.papers,
            "floor": self.floor,
            "papers_in_general": dict(
                zip(("labels_alone", "with_judge"), self.general, strict=True)
            ),
            "these_papers": dict(zip(("labels_alone", "with_judge"), self.these, strict=True)),
            "explained": self.explained,
            "pilot_labels": self.pilot,
        }


def plan_labels(
    sample: Sample, width: float, *, claims: int | None = None, level: float = LEVEL
) -> LabelPlan:
    """Plan from a pilot: labels spread evenly over the papers of a run.

    The variance of the mean is taken apart into that between papers (which more labels on the same
    papers do not lessen) and that within them (of the truth for labels alone, of what the judge's
    word leaves unexplained with it, plus that of its word over all claims).

    Args:
        sample: Verdicts of one judge, some labelled.
        width: Half the width wanted, on the scale 0 to 1.
        claims: Claims that the mean is over; those of the sample where not given. One agent's, say,
            planned from a pilot over all agents.
        level: Coverage aimed at.

    Raises:
        InputError: The pilot is too small.
    """
    everything = len(sample.predicted) if claims is None else claims
    known = sample.labelled
    clusters, truth, word = sample.clusters[known], sample.truth[known], sample.predicted[known]
    papers = len(np.unique(sample.clusters))
    labelled = len(np.unique(clusters))
    if known.sum() < FEWEST_LABELS or labelled < FEWEST_CLUSTERS or known.sum() <= labelled:
        raise InputError(
            f"{counted(int(known.sum()), 'label')} in {counted(labelled, 'paper')} "
            f"{'is' if known.sum() == 1 else 'are'} too small a pilot",
            where=Where("labels"),
            remedy=f"Label {FEWEST_LABELS} in {FEWEST_CLUSTERS} papers first: judge labels sample",
        )
    counts = np.bincount(clusters, minlength=len(sample.papers)).astype(np.float64)
    seen = counts > 0

    def inside(values: Floats) -> Floats:
        means = np.bincount(clusters, values, minlength=len(counts))[seen] / counts[seen]
        full = np.zeros(len(counts))
        full[seen] = means
        result: Floats = values - full[clusters]
        return result

    freedom = float(known.sum() - labelled)
    own, told = inside(truth), inside(word)
    within = float((own**2).sum()) / freedom
    spread = float((told**2).sum())
    slope = float((own * told).sum()) / spread if spread > 1e-12 else 0.0
    slope = min(max(slope, 0.0), 2.0)
    left = float(((own - slope * told) ** 2).sum()) / max(freedom - 1, 1.0)
    left = min(left, within)
    means = np.bincount(clusters, truth, minlength=len(counts))[seen] / counts[seen]
    between = max(0.0, float(means.var(ddof=1)) - within * float((1 / counts[seen]).mean()))
    told_all = slope**2 * spread / freedom / everything
    t = student_quantile((1 + level) / 2, papers - 1) if papers > 1 else math.inf
    z = normal_quantile((1 + level) / 2)
    floor = t * math.sqrt(between / papers)

    def needed(variance: float, allowed: float) -> int | None:
        wanted = math.inf if allowed <= 0 else max(1, math.ceil(variance / allowed))
        return None if wanted > everything else int(wanted)

    room = (width / t) ** 2 - between / papers
    here = (width / z) ** 2
    # Labelling all of these papers' claims leaves nothing open about them.
    alone, helped = (
        min(everything, math.ceil(variance / (here + variance / everything)))
        for variance in (within, left)
    )
    return LabelPlan(
        width=width,
        papers=papers,
        floor=floor,
        general=(needed(within, room), needed(left, room - told_all)),
        these=(alone, helped),
        explained=1 - left / within if within > 0 else 0.0,
        pilot=int(known.sum()),
    )
