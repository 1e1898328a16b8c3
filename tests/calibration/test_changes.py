"""Two runs: what changed, why, and whether the judge drifted."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmark import InputError
from calibration.changes import compare_runs
from calibration.figures import Figure
from calibration.joining import Judged
from tests.calibration.made import seen


def run(seed: int = 0) -> list[Judged]:
    levels = np.random.default_rng(seed).integers(1, 4, (8, 10))
    return [
        seen(f"a/p{paper}", f"p{paper}-{claim}", int(levels[paper, claim]), input_key=f"k{paper}")
        for paper in range(8)
        for claim in range(10)
    ]


def test_nothing_changed_is_said_so() -> None:
    report = compare_runs(run(), run())
    assert (report.pairs, report.changes, report.fixed, report.broken) == (80, (), 0, 0)
    assert report.same_code.p == 1.0
    assert report.agreement["exact"] == Figure(
        1.0, why_no_interval="at its bound in every resample"
    )


@pytest.mark.parametrize(
    ("more", "digests", "causes"),
    [
        ({"judge": "other"}, ({}, {}), ("judge",)),
        ({"model": "newer"}, ({}, {}), ("judge",)),
        ({"prompt_hash": "b"}, ({}, {}), ("prompt",)),
        ({}, ({"a/p0": "x"}, {"a/p0": "y"}), ("code",)),
        ({"passages": 7}, ({"a/p0": "x"}, {"a/p0": "y"}), ("code", "evidence")),
        ({"passages": 7}, ({}, {}), ("evidence",)),
        ({"input_key": "k9"}, ({}, {}), ("settings",)),
        ({}, ({}, {}), ("chance",)),
        ({"input_key": ""}, ({}, {}), ("unknown",)),
    ],
)
def test_a_change_has_its_causes(
    more: dict[str, object], digests: tuple[dict[str, str], dict[str, str]], causes: tuple[str, ...]
) -> None:
    before, after = run(), run()
    after[0] = replace(after[0], level=0, **more)  # type: ignore[arg-type]
    (change,) = compare_runs(before, after, digests=digests).changes
    assert (change.causes, change.direction, change.after) == (causes, "broken", 0.0)


def test_fixed_broken_and_what_lost_its_level_are_told_apart() -> None:
    before, after = run(), run()[:-1]
    after[0] = replace(after[0], level=4)
    after[1] = replace(after[1], level=0)
    after[2] = seen("a/p0", "p0-2", None, input_key="k0")
    report = compare_runs(before, after)
    assert (report.fixed, report.broken, report.only_first, report.only_second) == (1, 1, 1, 0)
    assert [one.direction for one in report.changes] == ["broken", "undecided", "fixed"]
    json.dumps(report.as_json(), allow_nan=False)


def test_changes_are_told_in_scores() -> None:
    before, after = run(), run()
    for place, (old, new) in enumerate([(1, 0), (2, 4), (3, None)]):
        before[place] = replace(before[place], level=old)
        after[place] = replace(after[place], level=new)
    after[2] = seen("a/p0", "p0-2", None, input_key="k0")
    changes = {one.sau: one for one in compare_runs(before, after).changes}
    told = {name: (one.before_text, one.after_text) for name, one in changes.items()}
    assert told["p0-0"] == (".25", "0")
    assert told["p0-1"] == (".5", "1")
    assert told["p0-2"][0] == ".75"
    assert (changes["p0-1"].as_json()["before"], changes["p0-1"].as_json()["after"]) == (0.5, 1.0)


def test_a_judge_that_became_stricter_is_found_and_changed_code_is_kept_out_of_it() -> None:
    before = run()
    stricter = [
        replace(one, level=(one.level or 0) - (place % 3 > 0)) for place, one in enumerate(before)
    ]
    report = compare_runs(before, stricter)
    assert isinstance(report.same_code.difference, Figure)
    assert report.same_code.difference.value == pytest.approx(-53 / 80 / 4)
    assert report.same_code.p is not None
    assert report.same_code.p < 0.001
    old = {one.submission: "x" for one in before}
    new = {one.submission: "y" for one in before}
    changed = compare_runs(before, stricter, digests=(old, new))
    assert changed.same_code.p is None
    assert changed.shift.p is not None


def test_runs_without_a_common_claim_are_refused() -> None:
    with pytest.raises(InputError, match="no \\(submission, claim\\) in common"):
        compare_runs(run(), [seen("b/p", "s", 1)])
