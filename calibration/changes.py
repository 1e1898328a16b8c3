"""Two runs over the same claims: which verdicts changed, and why; whether the judge drifted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmark import InputError, Level, Where
from calibration.crosstabs import Floats
from calibration.figures import Figure, Undefined
from calibration.joining import Judged
from calibration.measures import ORDINAL, mean_error
from calibration.ratings import pair_table
from calibration.resampling import Comparison, Setting, compare_paired, figure_of

__all__ = ["CAUSES", "Change", "ChangeReport", "compare_runs"]

CAUSES = ("judge", "prompt", "code", "evidence", "settings", "chance", "unknown")
"""Why a verdict can differ, the first that applies being named first."""


@dataclass(frozen=True, slots=True)
class Change:
    """A claim whose verdict differs.

    Attributes:
        submission: Of which submission.
        sau: Which claim.
        before: Score (0, .25, .5, .75 or 1), or status where there was none.
        after: The same now.
        causes: What else differs, all that apply; `chance` where nothing does.
    """

    submission: str
    sau: str
    before: float | str
    after: float | str
    causes: tuple[str, ...]

    @property
    def direction(self) -> str:
        """`fixed`, `broken`, or `undecided` where one of the two has no level."""
        if isinstance(self.before, str) or isinstance(self.after, str):
            return "undecided"
        return "fixed" if self.after > self.before else "broken"

    @property
    def before_text(self) -> str:
        """The score as it is shown everywhere, e.g. `.25`, or the status."""
        return _shown(self.before)

    @property
    def after_text(self) -> str:
        """The same now."""
        return _shown(self.after)

    def as_json(self) -> dict[str, Any]:
        """The change for a JSON file."""
        return {
            "submission": self.submission,
            "sau": self.sau,
            "before": self.before,
            "after": self.after,
            "direction": self.direction,
            "causes": list(self.causes),
        }


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """What became of the verdicts of one run in another.

    Attributes:
        pairs: Claims in both.
        only_first: Claims in the first alone.
        only_second: Claims in the second alone.
        changes: Verdicts that differ, the broken first.
        shift: Second less first in mean score, over claims with a level in both, and its test.
        same_code: The same over claims whose code did not change: a drift of the judge itself.
        agreement: Of the two runs on claims whose code did not change.
    """

    pairs: int
    only_first: int
    only_second: int
    changes: tuple[Change, ...]
    shift: Comparison
    same_code: Comparison
    agreement: dict[str, Figure | Undefined]

    @property
    def broken(self) -> int:
        """How many claims got worse."""
        return sum(one.direction == "broken" for one in self.changes)

    @property
    def fixed(self) -> int:
        """How many claims got better."""
        return sum(one.direction == "fixed" for one in self.changes)

    def as_json(self) -> dict[str, Any]:
        """The report for a JSON file."""
        causes = Counter(one.causes[0] for one in self.changes)
        return {
            "format": 1,
            "pairs": self.pairs,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "fixed": self.fixed,
            "broken": self.broken,
            "first_causes": dict(sorted(causes.items())),
            "shift": self.shift.as_json(),
            "shift_same_code": self.same_code.as_json(),
            "agreement_same_code": {name: one.as_json() for name, one in self.agreement.items()},
            "changes": [one.as_json() for one in self.changes],
        }


def compare_runs(
    first: Iterable[Judged],
    second: Iterable[Judged],
    *,
    digests: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
    setting: Setting | None = None,
) -> ChangeReport:
    """Compare two runs claim by claim.

    Args:
        first: Verdicts before.
        second: Verdicts after.
        digests: Of each run, the digest of each submission's code by its id, where known.
        setting: How intervals are made.

    Raises:
        InputError: The two have no claim in common.
    """
    setting = setting or Setting()
    one = {each.key: each for each in first}
    two = {each.key: each for each in second}
    shared = sorted(one.keys() & two.keys())
    if not shared:
        raise InputError(
            "the two runs have no (submission, claim) in common",
            where=Where("compare"),
            remedy="Compare runs over the same submissions and claims",
        )
    changes = [
        Change(*key, _said(one[key]), _said(two[key]), _causes(one[key], two[key], digests))
        for key in shared
        if _said(one[key]) != _said(two[key])
    ]
    order = {"broken": 0, "undecided": 1, "fixed": 2}
    changes.sort(key=lambda each: (order[each.direction], each.submission, each.sau))
    graded = [key for key in shared if one[key].level is not None and two[key].level is not None]
    still = [key for key in graded if "code" not in _causes(one[key], two[key], digests)]
    tables = _tables(one, two, still)
    names = {measure.name: measure for measure in ORDINAL}
    shown = ("exact", "within_one", "quadratic_kappa", "mean_error")
    return ChangeReport(
        pairs=len(shared),
        only_first=len(one) - len(shared),
        only_second=len(two) - len(shared),
        changes=tuple(changes),
        shift=_shift(_tables(one, two, graded), setting),
        same_code=_shift(tables, setting),
        agreement={name: figure_of(names[name], tables, setting) for name in shown},
    )


def _said(one: Judged) -> float | str:
    return one.status.value if one.level is None else Level(one.level).score


def _shown(said: float | str) -> str:
    if isinstance(said, str):
        return said
    text = f"{said:g}"
    return text.removeprefix("0") or text


def _causes(
    before: Judged, after: Judged, digests: tuple[Mapping[str, str], Mapping[str, str]]
) -> tuple[str, ...]:
    known = [each.get(before.submission, "") for each in digests]
    found = []
    if before.judge != after.judge or before.model != after.model:
        found.append("judge")
    if before.prompt_hash != after.prompt_hash:
        found.append("prompt")
    if known[0] and known[1] and known[0] != known[1]:
        found.append("code")
    if before.passages != after.passages:
        found.append("evidence")
    if found:
        return tuple(found)
    if not (before.input_key and after.input_key):
        return ("unknown",)
    return ("chance",) if before.input_key == after.input_key else ("settings",)


def _tables(
    one: Mapping[tuple[str, str], Judged],
    two: Mapping[tuple[str, str], Judged],
    keys: Sequence[tuple[str, str]],
) -> Floats:
    """Second run down, first across, by paper."""
    if not keys:
        return np.zeros((0, 5, 5))
    return pair_table(
        [two[key].level or 0 for key in keys],
        [one[key].level or 0 for key in keys],
        [one[key] for key in keys],
    ).tables("paper")


def _shift(tables: Floats, setting: Setting) -> Comparison:
    """The mean change of score against none: the same table with nothing off its diagonal."""
    unchanged = np.zeros_like(tables)
    for place in range(tables.shape[-1]):
        unchanged[:, place, place] = tables[:, :, place].sum(1)
    return compare_paired(mean_error, tables, unchanged, setting)
