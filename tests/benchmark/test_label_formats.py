"""Labels in the forms that people have them: pass or fail, spreadsheets, graded rubrics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark import InputError
from benchmark.readers import load_label_table, load_labels, load_paperbench
from tests.planting import plant


def leaf(id_: str, score: float, category: str = "Code Development", **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "requirements": f"the text of {id_}",
        "weight": 1,
        "sub_tasks": [],
        "task_category": category,
        "finegrained_task_category": "Method Implementation",
        "score": score,
        "valid_score": True,
        "explanation": "seen",
        **more,
    }


def tree(*leaves: dict[str, Any]) -> dict[str, Any]:
    middle = {
        "id": "m",
        "requirements": "middle",
        "weight": 1,
        "sub_tasks": list(leaves),
        "score": 0.5,
    }
    return {"id": "r", "requirements": "root", "weight": 1, "sub_tasks": [middle], "score": 0.5}


def test_a_native_label_may_say_pass_and_leave_the_words_out(tmp_path: Path) -> None:
    base = {"submission": "a/p", "annotator": "ann", "kind": "person"}
    rows = [
        {**base, "sau": "s1", "pass": True},
        {**base, "sau": "s2", "level": 3, "adjudicated": True, "weight": 2.5},
        {**base, "sau": "s3", "pass": False, "drift": "numerical", "failure": "mismatch"},
    ]
    plant(tmp_path, {"l.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
    first, second, third = load_labels(tmp_path / "l.jsonl")
    assert (first.level, first.passed, first.drift, first.failure) == (None, True, None, None)
    assert (second.level, second.passed, second.adjudicated, second.weight) == (3, None, True, 2.5)
    assert (third.passed, third.drift) == (False, "numerical")


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ({"level": 2, "pass": True}, "a level and a pass"),
        ({"pass": "yes"}, "true or false"),
        ({"level": 2, "drift": "numerical"}, "failure is missing"),
        ({"pass": True, "drift": "numerical", "failure": "mismatch"}, "a pass has drift none"),
        ({"pass": False, "drift": "none", "failure": "none"}, "a fail has a drift"),
        ({"level": 2, "weight": 0}, "weight 0 is not"),
        ({"level": 2, "weight": True}, "weight True is not"),
        ({}, "level is missing, and so is pass"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, more: dict[str, Any], part: str
) -> None:
    row = {"submission": "a/p", "sau": "s", "annotator": "ann", "kind": "person", **more}
    plant(tmp_path, {"l.jsonl": json.dumps(row)})
    with pytest.raises(InputError, match=part):
        load_labels(tmp_path / "l.jsonl")


def test_one_annotator_is_one_kind(tmp_path: Path) -> None:
    base = {"submission": "a/p", "annotator": "ann", "level": 2}
    rows = [{**base, "sau": "s", "kind": "person"}, {**base, "sau": "t", "kind": "model"}]
    plant(tmp_path, {"l.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
    with pytest.raises(InputError, match="called model here and person before"):
        load_labels(tmp_path / "l.jsonl")


def test_a_table_is_read_under_its_own_column_names(tmp_path: Path) -> None:
    text = 'agent;paper;claim id;grade;remark\nx;p;s1;0.75;"a; b"\nx;p;s2;;not yet\n\nx;p;s3;0;\n'
    plant(tmp_path, {"l.csv": text})
    labels = load_label_table(
        tmp_path / "l.csv",
        columns={"sau": "claim id", "score": "grade", "note": "remark"},
        fixed={"annotator": "ann", "kind": "person"},
    )
    assert [(one.submission, one.sau, one.level, one.note) for one in labels] == [
        ("x/p", "s1", 3, "a; b"),
        ("x/p", "s3", 0, ""),
    ]


@pytest.mark.parametrize(
    ("text", "part", "line"),
    [
        ("submission,sau,score\na/p,s,.3\n", "not one of 0", 2),
        ("submission,sau,level\na/p,s,2\na/p,t,x\n", "no number", 3),
        ("submission,sau,pass\na/p,s,maybe\n", "pass is 'maybe'", 2),
        ("submission,sau,level\na/p,s,2\na/p,s,3\n", "labelled this pair before", 3),
    ],
)
def test_a_wrong_cell_is_named_with_its_line(
    tmp_path: Path, text: str, part: str, line: int
) -> None:
    plant(tmp_path, {"l.csv": text})
    with pytest.raises(InputError, match=part) as caught:
        load_label_table(tmp_path / "l.csv", fixed={"annotator": "ann", "kind": "person"})
    assert caught.value.where.line == line


def test_a_column_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    plant(tmp_path, {"l.csv": "submission,claim,level\n"})
    with pytest.raises(InputError, match="Write claim"):
        load_label_table(tmp_path / "l.csv", columns={"sau": "claims"})


def test_code_leaves_of_a_graded_rubric_become_claims_and_labels(tmp_path: Path) -> None:
    graded = tree(leaf("a", 1), leaf("b", 0, "Code Execution"), leaf("c", 0.0))
    plant(tmp_path, {"rice/0/grading/expected_result.json": graded})
    leaves = load_paperbench(tmp_path)
    assert [(one.label.submission, one.label.sau, one.label.passed) for one in leaves] == [
        ("0/rice", "a", True),
        ("0/rice", "c", False),
    ]
    assert leaves[0].sau.claim == "the text of a"
    assert leaves[0].parents == ("root", "middle")
    everything = load_paperbench(tmp_path, categories=None)
    assert [one.category for one in everything][1] == "Code Execution"


def test_a_leaf_that_was_not_graded_is_no_zero(tmp_path: Path) -> None:
    plant(tmp_path, {"p/0/expected_result.json": tree(leaf("a", 0, valid_score=False))})
    with pytest.raises(InputError, match="not validly scored"):
        load_paperbench(tmp_path)
    plant(tmp_path, {"p/0/expected_result.json": tree(leaf("a", 0) | {"score": []})})
    with pytest.raises(InputError, match="score"):
        load_paperbench(tmp_path)
    plant(tmp_path, {"p/0/expected_result.json": tree(leaf("a", 0.5))})
    with pytest.raises(InputError, match=r"0\.5, not 0 or 1"):
        load_paperbench(tmp_path)


def test_a_rubric_nested_without_end_is_refused(tmp_path: Path) -> None:
    node: dict[str, Any] = leaf("deep", 1)
    for number in range(40):
        node = {"id": f"n{number}", "requirements": "r", "weight": 1, "sub_tasks": [node]}
    plant(tmp_path, {"p/0/expected_result.json": node})
    with pytest.raises(InputError, match="nested deeper"):
        load_paperbench(tmp_path)
