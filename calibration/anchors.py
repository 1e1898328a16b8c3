"""A fixed set of claims judged again: has the judge drifted?

The same claims of the same code, before and after a change of model, prompt or settings. What is
tested is whether levels moved one way: the mean score, and the share of claims at each level or
above, paired by claim and clustered by paper, adjusted together after Holm. Single verdicts that
flip both ways are noise of the judge, which the agreement of the two shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmark import InputError, Label, Where
from benchmark.counting import counted
from calibration.agreement import agreement
from calibration.agreement_report import Contrast
from calibration.crosstabs import Floats
from calibration.figures import Figure, Undefined
from calibration.joining import Judged
from calibration.matching import CUTS, ordinal_figures, split_at
from calibration.measures import mean_error
from calibration.ratings import pair_table
from calibration.resampling import Comparison, Setting, compare_paired
from calibration.samples import one_judge
from calibration.sampling import draw_evenly
from calibration.scores import holm

__all__ = ["AnchorCheck", "Shift", "check_anchors", "draw_anchors", "draw_claims"]

NOW, THEN = "now", "then"
_SIGNIFICANT = 0.05
_STEP = 0.25
_SHOWN = ("exact", "within_one", "quadratic_kappa", "mean_error")


@dataclass(frozen=True, slots=True)
class Shift:
    """One thing that may have moved.

    Attributes:
        name: `mean score`, or `level 2 or above`.
        comparison: Now less then, its interval and p.
        adjusted_p: The p after Holm's adjustment over all that was tested.
    """

    name: str
    comparison: Comparison
    adjusted_p: float | None

    def as_json(self) -> dict[str, Any]:
        """The shift for a JSON file."""
        return {"of": self.name, **self.comparison.as_json(), "adjusted_p": self.adjusted_p}


@dataclass(frozen=True, slots=True)
class AnchorCheck:
    """What became of the anchors.

    Attributes:
        judge: Who judged now.
        anchors: Anchors in the set.
        judged: Those that have a level now.
        missing: Why the others have none, with counts.
        shifts: Of the mean, then of the share at each level.
        agreement: Of then and now, claim by claim.
        truth: Whether the judge meets the labels better or worse than it did, where there are any.
        within: Half the width that the mean's shift should be shown to stay in; `None` where none
            was asked for.
    """

    judge: str
    anchors: int
    judged: int
    missing: dict[str, int]
    shifts: tuple[Shift, ...]
    agreement: dict[str, Figure | Undefined]
    truth: tuple[Contrast, ...]
    within: float | None

    @property
    def drifted(self) -> bool:
        """Whether a shift is shown, or every anchor moved alike, which needs no test."""
        return any(
            one.adjusted_p < _SIGNIFICANT
            if one.adjusted_p is not None
            else _moved_alike(one.comparison)
            for one in self.shifts
        )

    @property
    def tested(self) -> bool:
        """Whether anything could be tested: with few papers nothing can."""
        return any(
            one.adjusted_p is not None or _moved_alike(one.comparison) for one in self.shifts
        )

    @property
    def held(self) -> bool:
        """Whether the mean's shift is shown to stay within what was asked for.

        Where no anchor moved nothing varies and there is no interval. Of n anchors that stayed, up
        to 3/n may move in the next such run with 95 % confidence (the rule of three: Hanley and
        Lippman-Hand, 1983), taking anchors for independent; a step is a quarter.
        """
        if self.within is None:
            return True
        figure = self.shifts[0].comparison.difference
        if isinstance(figure, Undefined):
            return False
        if figure.low is None or figure.high is None:
            stayed = self.shifts[0].adjusted_p == 1.0 and figure.value == 0
            return stayed and 3 / self.judged * _STEP <= self.within
        return -self.within <= figure.low and figure.high <= self.within

    def as_json(self) -> dict[str, Any]:
        """The check for a JSON file."""
        return {
            "format": 1,
            "judge": self.judge,
            "anchors": self.anchors,
            "judged": self.judged,
            "missing": self.missing,
            "shifts": [one.as_json() for one in self.shifts],
            "agreement": {name: one.as_json() for name, one in self.agreement.items()},
            "against_labels": [one.as_json() for one in self.truth],
            "within": self.within,
            "tested": self.tested,
            "drifted": self.drifted,
            "shown_within": self.held if self.within is not None else None,
        }


def _moved_alike(comparison: Comparison) -> bool:
    figure = comparison.difference
    return (
        comparison.p is None
        and isinstance(figure, Figure)
        and abs(figure.value) > 1e-12
        and "same in every resample" in figure.why_no_interval
    )


def check_anchors(
    then: Mapping[tuple[str, str], int],
    verdicts: Sequence[Judged],
    labels: Sequence[Label] = (),
    *,
    changed: frozenset[str] = frozenset(),
    within: float | None = None,
    setting: Setting | None = None,
) -> AnchorCheck:
    """Compare levels then with a run now.

    Args:
        then: Level of each anchor, by (submission, SAU).
        verdicts: Of one judge, now.
        labels: Readings, to see whether the judge got better or worse.
        changed: Submissions whose code is not what it was: their anchors do not count.
        within: Half the width that the mean's shift should be shown to stay in.
        setting: How intervals are made.

    Raises:
        InputError: Judges are mixed, or no anchor was judged.
    """
    setting = setting or Setting()
    about = [one for one in verdicts if one.key in then]
    judge = one_judge(about, where="anchors")
    now = {one.key: one for one in about}
    missing: dict[str, int] = {}
    graded: list[Judged] = []
    for key in sorted(then):
        one = now.get(key)
        if key[0] in changed:
            reason = "the code is not what it was"
        elif one is None:
            reason = "no verdict"
        elif one.level is None:
            reason = f"no level: {one.status.value}"
        else:
            graded.append(one)
            continue
        missing[reason] = missing.get(reason, 0) + 1
    if not graded:
        raise InputError(
            "no anchor has a level in this run: "
            + ", ".join(f"{count} {reason}" for reason, count in missing.items()),
            where=Where("anchors"),
            remedy="Judge them again: judge anchors run",
        )
    levels = [then[one.key] for one in graded]
    tables = pair_table([one.level or 0 for one in graded], levels, graded).tables("paper")
    figures = ordinal_figures(tables, setting, readings=len(graded))
    return AnchorCheck(
        judge=judge,
        anchors=len(then),
        judged=len(graded),
        missing=missing,
        shifts=_shifts(tables, setting),
        agreement={name: figures[name] for name in _SHOWN},
        truth=_against(graded, levels, labels, setting) if labels else (),
        within=within,
    )


def _shifts(tables: Floats, setting: Setting) -> tuple[Shift, ...]:
    found = [("mean score", _shift(tables, setting))]
    for cut in CUTS:
        both = split_at(split_at(tables, cut).swapaxes(-1, -2), cut)
        found.append((f"level {cut} or above", _shift(both.swapaxes(-1, -2), setting)))
    adjusted = holm([one.p for _, one in found])
    return tuple(Shift(name, one, p) for (name, one), p in zip(found, adjusted, strict=True))


def _shift(tables: Floats, setting: Setting) -> Comparison:
    """The mean change against none: the same table with nothing off its diagonal."""
    unchanged = np.zeros_like(tables)
    for place in range(tables.shape[-1]):
        unchanged[:, place, place] = tables[:, :, place].sum(1)
    return compare_paired(mean_error, tables, unchanged, setting)


def _against(
    graded: Sequence[Judged], levels: Sequence[int], labels: Sequence[Label], setting: Setting
) -> tuple[Contrast, ...]:
    """The judge as it is now and as it was, as two judges on the same labels."""
    pairs = [
        copy
        for one, level in zip(graded, levels, strict=True)
        for copy in (_renamed(one, NOW, one.level or 0), _renamed(one, THEN, level))
    ]
    return agreement(pairs, labels, setting=setting, groups=False).contrasts


def _renamed(one: Judged, judge: str, level: int) -> Judged:
    return Judged(
        one.submission, one.sau, one.agent, one.paper, one.dimension, judge, one.status, level
    )


def draw_anchors(
    verdicts: Sequence[Judged], count: int, *, each: int = 1, seed: int = 0
) -> list[Judged]:
    """Choose anchors: `each` submissions of every paper, agents in turn, and some of their claims.

    Claims are drawn with equal chances whatever their level, so that the same judge moves none of
    them one way on the average. All chosen submissions of a paper have the same claims.

    Args:
        verdicts: Of one judge; those without a level are left out.
        count: How many to choose; rounded down to whole claims.
        each: Submissions of each paper.
        seed: Of the draw.

    Raises:
        InputError: There are too few.
    """
    by_paper: dict[str, dict[str, dict[str, Judged]]] = {}
    for one in verdicts:
        if one.level is not None:
            by_paper.setdefault(one.paper, {}).setdefault(one.submission, {})[one.sau] = one
    start = int(np.random.default_rng(seed).integers(1_000_000))
    first: list[Judged] = []
    others: dict[str, list[dict[str, Judged]]] = {}
    for place, paper in enumerate(sorted(by_paper)):
        names = sorted(by_paper[paper])
        chosen = [
            by_paper[paper][names[(start + place + step) % len(names)]]
            for step in range(min(each, len(names)))
        ]
        # Only claims that all of them have: a run judges each claim of a paper for every one.
        shared = set.intersection(*(set(claims) for claims in chosen))
        first += [chosen[0][sau] for sau in sorted(shared)]
        others[paper] = chosen[1:]
    wanted = count // each
    if not 1 <= wanted <= len(first):
        raise InputError(
            f"{counted(count, 'anchor')} cannot be chosen: {counted(each, 'submission')} of each "
            f"paper {'has' if each == 1 else 'have'} {counted(len(first), 'claim')} in common",
            where=Where("--count"),
            remedy="Ask for fewer, or for more submissions of each paper",
        )
    return [
        one
        for claim in sorted(draw_evenly(first, wanted, seed=seed), key=lambda each_: each_.key)
        for one in (claim, *(mine[claim.sau] for mine in others[claim.paper]))
    ]


def draw_claims(verdicts: Sequence[Judged], count: int, *, seed: int = 0) -> list[Judged]:
    """Draw whole claims with equal chances, spread over papers and dimensions, for every agent.

    A fair draw of each agent's claims, for a better judge to judge: its verdicts then serve as
    labels.

    Args:
        verdicts: Of one judge; those without a level are left out.
        count: Claims to draw.
        seed: Of the draw.

    Returns:
        The verdicts on the drawn claims, of all submissions.

    Raises:
        InputError: There are fewer claims.
    """
    graded = sorted((one for one in verdicts if one.level is not None), key=lambda one: one.key)
    claims = {one.sau: one for one in graded}
    if not 1 <= count <= len(claims):
        raise InputError(
            f"{counted(count, 'claim')} cannot be drawn from {len(claims)}",
            where=Where("--count"),
            remedy=f"Ask for 1 to {len(claims)}" if claims else "Run the judge first",
        )
    chosen = {one.sau for one in draw_evenly(list(claims.values()), count, seed=seed)}
    return [one for one in graded if one.sau in chosen]
