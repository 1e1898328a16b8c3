"""Counts in words."""

from __future__ import annotations

import pytest

from judge.counting import counted, without_verdict


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 claims"), (1, "1 claim"), (2, "2 claims"), (2000, "2,000 claims")]
)
def test_one_thing_is_not_told_as_many(count: int, told: str) -> None:
    assert counted(count, "claim") == told


def test_what_an_s_does_not_make_many_of() -> None:
    assert counted(2, "repository", "repositories") == "2 repositories"
    assert counted(1, "repository", "repositories") == "1 repository"


def test_the_verb_goes_with_the_count() -> None:
    assert without_verdict(1) == "1 claim has no verdict"
    assert without_verdict(3) == "3 claims have no verdict"
