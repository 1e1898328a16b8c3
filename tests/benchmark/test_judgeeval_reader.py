"""PaperBench JudgeEval's rows: requirements become claims, and a person's word a pass or a fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark import Dimension, InputError
from benchmark.readers import load_judgeeval
from benchmark.readers.judgeeval import is_judgeeval
from tests.planting import plant


def row(leaf: str, human: object = 1, **more: Any) -> dict[str, Any]:
    return {
        "paper": "kite",
        "leaf_id": leaf,
        "requirement": f"the requirement {leaf}",
        "parents": ["the whole", "a part\nof it"],
        "human": human,
        "explanation": "L3 kite.py",
        "resolved": ["kite.py"],
        "lines": [3],
        **more,
    }


def planted(folder: Path, *rows: dict[str, Any]) -> Path:
    plant(folder, {"rows.jsonl": "".join(json.dumps(one) + "\n" for one in rows)})
    return folder / "rows.jsonl"


def test_rows_become_claims_with_their_context_and_labels(tmp_path: Path) -> None:
    two = row("b", 0, paper="crane", resolved=["a.py", "b.py"], lines=[4])
    three = {"paper": "kite", "leaf_id": "c", "requirement": "bare", "human": 0}
    found = load_judgeeval(planted(tmp_path, row("a"), two, three), agent="me")
    assert [paper.id for paper in found.benchmark.papers] == ["crane", "kite"]
    first, bare = found.benchmark.papers[1].saus
    assert (first.id, first.claim, first.dimension) == ("a", "the requirement a", Dimension.D2)
    assert first.source == "part of: the whole > a part of it"
    assert bare.source == ""
    assert [(one.submission, one.sau, one.passed, one.level) for one in found.labels] == [
        ("me/kite", "a", True, None),
        ("me/crane", "b", False, None),
        ("me/kite", "c", False, None),
    ]
    assert found.labels[0].kind == "person"
    assert found.labels[0].note == "L3 kite.py"
    # Whose line it is can be told of the first and not of the second.
    assert [one.lines for one in found.labels] == [(("kite.py", 3, 3),), (), ()]


def test_of_requirements_above_the_nearest_are_kept(tmp_path: Path) -> None:
    deep = row("a", parents=["far " * 400, "near " * 300])
    (sau,) = load_judgeeval(planted(tmp_path, deep)).benchmark.saus
    assert sau.source.startswith("part of: near")
    assert "far" not in sau.source


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"human": 2}, "human is 2, not 0 or 1"),
        ({"human": True}, "human is True"),
        ({"human": [1]}, "human is "),
        ({"human": {}}, "human is "),
        ({"human": None}, "human is null"),
        ({"requirement": " "}, "requirement is empty"),
        ({"leaf_id": 7}, "leaf_id should be text"),
        ({"paper": "a/b"}, "holds a slash"),
        ({"paper": "../x"}, "has the part"),
        ({"parents": [3]}, "a parent should be text"),
        ({"parents": "x"}, "parents should be a list"),
        ({"lines": ["3"]}, "no line number"),
        ({"lines": [0]}, "no line number"),
        ({"resolved": [None]}, "is no path"),
    ],
)
def test_a_wrong_row_is_named_with_its_line(
    tmp_path: Path, change: dict[str, Any], part: str
) -> None:
    path = planted(tmp_path, row("a"), {**row("b"), **change})
    with pytest.raises(InputError, match=part) as caught:
        load_judgeeval(path)
    assert caught.value.where.line == 2


def test_a_leaf_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="labelled this pair before"):
        load_judgeeval(planted(tmp_path, row("a"), row("a", 0)))
    with pytest.raises(InputError, match="also one of the paper kite"):
        load_judgeeval(planted(tmp_path, row("a"), row("a", paper="crane")))


def test_such_a_file_is_told_from_native_labels(tmp_path: Path) -> None:
    native = {"submission": "a/p", "sau": "s", "annotator": "x", "kind": "person", "level": 1}
    plant(tmp_path, {"l.jsonl": json.dumps(native), "torn.jsonl": '{"leaf_id": "a", "requ'})
    assert is_judgeeval(planted(tmp_path, row("a")))
    assert not is_judgeeval(tmp_path / "l.jsonl")
    assert not is_judgeeval(tmp_path / "torn.jsonl")
    assert not is_judgeeval(tmp_path)
