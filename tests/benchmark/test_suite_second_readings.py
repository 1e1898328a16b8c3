"""The suite's labels against what a second reader, who had not seen them, said."""

from __future__ import annotations

import pytest

from benchmark import Failure, Level
from benchmark.readers import load_labels
from judge.config import SUITE_FOLDER

LABELS = {(one.submission, one.sau): one for one in load_labels(SUITE_FOLDER / "labels")}
SECOND = {(one.submission, one.sau): one for one in load_labels(SUITE_FOLDER / "second_readings")}


def test_nearly_every_pair_was_read_twice() -> None:
    assert set(SECOND) <= set(LABELS)
    assert len(SECOND) >= 0.99 * len(LABELS)


def test_no_reading_calls_itself_a_persons() -> None:
    assert {one.kind for one in LABELS.values()} == {"author"}
    assert {one.kind for one in SECOND.values()} == {"model"}


def test_labels_and_second_readings_are_never_two_levels_apart() -> None:
    apart = {
        pair: (LABELS[pair].level, reading.level)
        for pair, reading in SECOND.items()
        if abs(LABELS[pair].level - reading.level) > 1
    }
    assert not apart


@pytest.mark.parametrize("level", list(Level))
def test_each_level_is_given_for_more_than_one_reason(level: Level) -> None:
    failures = {one.failure for one in LABELS.values() if one.level is level}
    if level is Level.FAITHFUL:
        assert failures == {Failure.NONE}
    else:
        assert len(failures) >= 2
