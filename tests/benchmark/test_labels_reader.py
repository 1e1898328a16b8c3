"""Labels: strict, since every figure of trust rests on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark import Drift, Failure, InputError, Label, Level
from benchmark.readers.labels import load_labels
from tests.planting import plant


def row(**more: Any) -> dict[str, Any]:
    return {
        "submission": "gpt/adam",
        "sau": "adam-D1-001",
        "annotator": "ann",
        "kind": "person",
        "level": 2,
        "drift": "numerical",
        "failure": "mismatch",
        **more,
    }


def lines(*rows: Any) -> str:
    return "".join(json.dumps(item) + "\n" for item in rows)


def test_labels_are_read_in_their_order(tmp_path: Path) -> None:
    full = row(sau="s2", lines=[["train.py", 3, 9]], note="lr is .1", time="2026-05-11T16:35:59Z")
    done = row(annotator="bo", kind="author", level=4, drift="none", failure="none")
    plant(tmp_path, {"b.jsonl": lines(row(), full), "a.jsonl": lines(done), "notes.txt": "x"})
    assert load_labels(tmp_path / "b.jsonl") == (
        Label("gpt/adam", "adam-D1-001", "ann", "person", Level.PARTIAL, Drift.NUMERICAL,
              Failure.MISMATCH),
        Label("gpt/adam", "s2", "ann", "person", Level.PARTIAL, Drift.NUMERICAL, Failure.MISMATCH,
              (("train.py", 3, 9),), "lr is .1", "2026-05-11T16:35:59Z"),
    )  # fmt: skip
    assert [label.annotator for label in load_labels(tmp_path)] == ["bo", "ann", "ann"]


@pytest.mark.parametrize(
    ("bad", "key", "part"),
    [
        (row(level=0.75), "level", "0.75 is not one of the integers"),
        (row(level="2"), "level", "'2' is not"),
        (row(level=True), "level", "True is not"),
        (row(level=5), "level", "5 is not"),
        (row(level=None), "level", "missing"),
        (row(kind="human"), "kind", "unknown kind 'human'"),
        (row(drift="numeric"), "drift", "unknown drift"),
        (row(failure="none"), "failure", "does not go with level 2"),
        (row(drift="none"), "drift", "does not go with level 2"),
        (row(level=4, failure="none"), "drift", "does not go with level 4"),
        (row(lines=[["a.py", 9, 3]]), "lines[0]", "first line"),
        (row(lines=[["a.py", 0, 3]]), "lines[0]", "first line"),
        (row(lines=[["a.py", True, 3]]), "lines[0]", "first line"),
        (row(lines="a.py:3"), "lines", "a list"),
        (row(time="yesterday"), "time", "ISO 8601"),
        (row(sau=""), "sau", "empty"),
        (row(annotator=7), "annotator", "should be text"),
        (row(sau="a\nb"), "sau", "not on one line"),
        (row(levle=1), "levle", "unknown key 'levle'"),
        ([1], None, "a mapping"),
    ],
)
def test_a_line_that_is_no_label_is_named(
    tmp_path: Path, bad: Any, key: str | None, part: str
) -> None:
    plant(tmp_path, {"l.jsonl": lines(row(sau="good"), bad)})
    with pytest.raises(InputError) as caught:
        load_labels(tmp_path / "l.jsonl")
    assert part in str(caught.value)
    assert (caught.value.where.line, caught.value.where.key) == (2, key)


def test_one_annotator_reads_a_pair_once(tmp_path: Path) -> None:
    plant(tmp_path, {"a.jsonl": lines(row()), "b.jsonl": lines(row(annotator="bo"), row())})
    with pytest.raises(InputError) as caught:
        load_labels(tmp_path)
    assert caught.value.where.path.endswith("b.jsonl")
    assert caught.value.where.line == 2
    assert f"{tmp_path / 'a.jsonl'}:1" in caught.value.problem


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no label file"):
        load_labels(tmp_path)
