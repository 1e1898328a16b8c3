"""Anchors: a drift that is there is found, noise is not taken for one, and gaps are told."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmark import InputError
from calibration.anchors import check_anchors, draw_anchors, draw_claims
from calibration.figures import Figure
from calibration.joining import Judged
from tests.benchmarks.drawing import World
from tests.calibration.made import read, seen


def verdicts(seed: int = 1, papers: int = 8, claims: int = 12, agents: int = 3) -> list[Judged]:
    _, judge = World().draw(np.random.default_rng(seed), papers, claims * agents)
    return [
        seen(f"a{agent}/p{paper}", f"p{paper}-{claim}", int(judge[paper, agent * claims + claim]))
        for paper in range(papers)
        for agent in range(agents)
        for claim in range(claims)
    ]


def levels(chosen: list[Judged]) -> dict[tuple[str, str], int]:
    return {one.key: int(one.level or 0) for one in chosen}


def noisy(then: list[Judged], seed: int, *, up: float, down: float) -> list[Judged]:
    """The same judge once more: levels that go up or down by one now and then."""
    generator = np.random.default_rng(seed)
    found = []
    for one in then:
        draw, level = generator.random(), int(one.level or 0)
        moved = min(4, level + 1) if draw < up else max(0, level - 1) if draw > 1 - down else level
        found.append(replace(one, level=moved))
    return found


def test_the_same_levels_are_no_drift_and_stay_within_what_so_many_can_show() -> None:
    chosen = draw_anchors(verdicts(), 60)
    assert not check_anchors(levels(chosen), verdicts(), within=0.01).held
    check = check_anchors(levels(chosen), verdicts(), within=0.013)
    assert (check.anchors, check.judged, check.missing) == (60, 60, {})
    assert not check.drifted
    assert check.held
    assert check.tested


def test_a_drift_is_found_where_it_is() -> None:
    chosen = draw_anchors(verdicts(claims=20), 120)
    harsher = [replace(one, level=max(0, (one.level or 0) - 1)) for one in verdicts(claims=20)]
    check = check_anchors(levels(chosen), harsher, within=0.02)
    assert check.drifted
    assert not check.held
    mean = check.shifts[0].comparison.difference
    assert isinstance(mean, Figure)
    assert mean.value == pytest.approx(
        float(np.mean([min(int(one.level or 0), 1) for one in chosen])) / -4
    )
    json.dumps(check.as_json(), allow_nan=False)
    # A judge that gives 4 in place of 2 moves the top cuts, and the mean with them.
    generous = [replace(one, level=4 if one.level == 1 else one.level) for one in verdicts()]
    check = check_anchors(levels(draw_anchors(verdicts(), 90)), generous)
    moved = {one.name for one in check.shifts if (one.adjusted_p or 1) < 0.05}
    assert "level 4 or above" in moved
    assert "level 1 or above" not in moved


def test_a_shift_that_is_the_same_everywhere_needs_no_test() -> None:
    then = [seen(f"a/p{paper}", f"p{paper}-{n}", 1) for paper in range(6) for n in range(5)]
    now = [replace(one, level=2) for one in then]
    check = check_anchors(levels(then), now)
    assert check.shifts[0].adjusted_p is None
    assert check.drifted


def test_noise_is_taken_for_a_drift_no_more_often_than_stated() -> None:
    """In 100 worlds without a drift; 5 % is allowed, and the draws are fixed."""
    base = verdicts(papers=10)
    wrong = 0
    for seed in range(100):
        then = noisy(base, 2 * seed, up=0.2, down=0.2)
        chosen = draw_anchors(then, 100, seed=seed)
        now = noisy(base, 2 * seed + 1, up=0.2, down=0.2)
        wrong += check_anchors(levels(chosen), now).drifted
    assert wrong / 100 <= 0.06


def test_anchors_without_a_level_and_with_other_code_are_counted_and_named() -> None:
    chosen = draw_anchors(verdicts(), 40)
    first, second, third = chosen[0], chosen[1], chosen[-1]
    now = [
        replace(one, level=None, status=seen("a/p", "s", None).status)
        if one.key == first.key
        else one
        for one in verdicts()
        if one.key != second.key
    ]
    check = check_anchors(levels(chosen), now, changed=frozenset({third.submission}))
    other = sum(one.submission == third.submission for one in chosen)
    assert check.missing == {
        "no level: error": 1,
        "no verdict": 1,
        "the code is not what it was": other,
    }
    assert check.judged == 40 - 2 - other
    with pytest.raises(InputError, match=r"no anchor has a level in this run: 40 the code"):
        check_anchors(levels(chosen), now, changed=frozenset(one.submission for one in chosen))


def test_few_papers_cannot_tell() -> None:
    few = [one for one in verdicts() if one.paper in {"p0", "p1"}]
    moved = [
        replace(one, level=min(4, (one.level or 0) + 1)) if one.sau[-1] in "024" else one
        for one in few
    ]
    check = check_anchors(levels(few), moved, within=0.02)
    assert not check.tested
    assert not check.drifted
    assert not check.held


def test_labels_tell_whether_the_judge_got_better() -> None:
    then = verdicts(claims=20)
    truth = [read(one.submission, one.sau, one.level) for one in then]
    was = {one.key: min(4, int(one.level or 0) + 1) for one in then}
    (contrast,) = check_anchors(was, then, truth).truth
    assert (contrast.first, contrast.second) == ("now", "then")
    exact = contrast.differences["exact"].difference
    assert isinstance(exact, Figure)
    assert exact.value > 0.9


def test_anchors_are_spread_over_papers_and_agents() -> None:
    made = verdicts()
    chosen = draw_anchors(made, 60)
    assert chosen == draw_anchors(made[::-1], 60)
    assert len({one.submission for one in chosen}) == len({one.paper for one in chosen}) == 8
    assert {one.agent for one in chosen} == {"a0", "a1", "a2"}
    two = draw_anchors(made, 60, each=2)
    by_paper: dict[str, dict[str, set[str]]] = {}
    for one in two:
        by_paper.setdefault(one.paper, {}).setdefault(one.submission, set()).add(one.sau)
    assert len(two) == 60
    for submissions in by_paper.values():
        first, second = submissions.values()
        assert first == second
    with pytest.raises(InputError, match="cannot be chosen"):
        draw_anchors(made, 1000)


def test_drawn_claims_are_every_agents_and_fair() -> None:
    made = verdicts()
    counts: dict[str, int] = {}
    for seed in range(300):
        chosen = draw_claims(made, 24, seed=seed)
        assert len(chosen) == 24 * 3
        for sau in {one.sau for one in chosen}:
            counts[sau] = counts.get(sau, 0) + 1
    # Each of 96 claims with the chance of a quarter: 75 of 300 draws.
    assert len(counts) == 96
    assert min(counts.values()) > 45
    assert max(counts.values()) < 105
    with pytest.raises(InputError, match="97 claims cannot be drawn from 96"):
        draw_claims(made, 97)
