"""What a line of `verdicts.jsonl` may say: a level is a whole number, and above 0 it is proven."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from benchmark import Level
from judge.verdict import Verdict
from tests.judge.made_runs import QUOTED, graded, note, sau


def record(**changes: Any) -> str:
    made = json.loads(graded(note("gpt", "adam"), sau(1), 2, confidence=0.5).model_dump_json())
    return json.dumps(made | changes)


def test_a_proper_line_is_read() -> None:
    assert Verdict.model_validate_json(record()).level == 2
    assert graded(note("gpt", "adam"), sau(1), Level.PARTIAL).level == 2
    assert Verdict.model_validate_json(record(confidence=1)).confidence == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"level": True}, {"level": "2"}, {"level": 2.0}, {"level": 2.5}, {"level": 5},
        {"level": -1}, {"levels": [True, 1]}, {"levels": ["1"]}, {"confidence": True},
        {"confidence": "0.5"}, {"confidence": 2},
    ],
)  # fmt: skip
def test_what_is_no_level_is_not_read_as_one(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Verdict.model_validate_json(record(**changes))


def test_line_numbers_are_numbers() -> None:
    cited = json.loads(QUOTED.model_dump_json())
    for first in (True, "1", 1.0, 0):
        with pytest.raises(ValidationError):
            Verdict.model_validate_json(record(citations=[cited | {"first": first}]))


LOST = json.loads(QUOTED.model_dump_json()) | {"state": "not_found"}


@pytest.mark.parametrize("citations", [[], [LOST]])
def test_a_level_above_0_stands_on_a_quote_that_was_found(citations: list[Any]) -> None:
    made = json.loads(record())
    for provider in ("openai", "anthropic", "embedded"):
        provenance = made["provenance"] | {"provider": provider}
        with pytest.raises(ValidationError, match="level 2 stands on no quote that was found"):
            Verdict.model_validate_json(record(citations=citations, provenance=provenance))
        none = record(citations=citations, provenance=provenance, level=0, failure="missing")
        assert Verdict.model_validate_json(none).level == 0


def test_other_people_s_verdicts_are_taken_as_they_are() -> None:
    made = json.loads(record())
    provenance = made["provenance"] | {"provider": "foreign"}
    assert Verdict.model_validate_json(record(citations=[], provenance=provenance)).level == 2
