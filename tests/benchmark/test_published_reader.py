"""Published results: read as they are, cut files and mixed versions refused."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from benchmark import Dimension, InputError, Level
from benchmark.readers.published import PublishedEvidence, read_published
from tests.planting import claim, plant


def result(paper: str = "adam", model: str = "judge-1", **more: Any) -> dict[str, Any]:
    scored = {
        **claim(0, paper),
        "score": 0.25,
        "evidence": [
            {"file": "src/a.py", "lines": "3-10", "snippet": "x = 1\n", "relevance": "direct"},
            {"file": "b.py", "lines": "7", "snippet": ""},
        ],
        "search_rounds": 3,
        "search_trace": [{"round": 1}],
        "judge_reasoning": "Half of it.",
    }
    return {
        "paper_id": paper,
        "repo_path": "/somewhere",
        "scored_at": "2026-05-11T16:35:59Z",
        "model": model,
        "dimensions": {
            "D2": {"score": 1, "total_claims": 1,
                   "claims": [{**scored, **claim(0, paper, "D2"), "score": 1}]},
            "D1": {"score": 0.25, "total_claims": 1, "claims": [scored]},
        },
        "overall_score": 0.6,
        **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    "place",
    ["{a}/{p}/repo/result", "{a}/{p}/workspace/repo/result", "{a}/{p}/{p}_repo/result",
     "{a}/{p}/repo", "{a}/{p}", "{a}", "deep/er/{a}/{p}/result"],
)  # fmt: skip
def test_a_result_is_its_agents_wherever_it_lies(tmp_path: Path, place: str) -> None:
    for agent in ("b", "a"):
        for paper in ("lora", "adam"):
            folder = place.format(a=agent, p=paper)
            plant(tmp_path, {f"{folder}/{paper}-sau-score.json": result(paper)})
    verdicts = list(read_published(tmp_path))
    assert [verdict.submission for verdict in verdicts] == [
        name for name in ("a/adam", "a/lora", "b/adam", "b/lora") for _ in range(2)
    ]
    first, second = verdicts[:2]
    assert (first.agent, first.paper, first.model) == ("a", "adam", "judge-1")
    assert (first.sau.id, first.sau.dimension) == ("adam-D1-000", Dimension.D1)
    assert (second.sau.dimension, second.score, second.level) == (Dimension.D2, 1.0, Level.FAITHFUL)
    assert first.level is Level.FRAGMENT
    assert first.evidence == (
        PublishedEvidence("src/a.py", 3, 10, "x = 1\n"),
        PublishedEvidence("b.py", 7, 7, ""),
    )
    assert first.reasoning == "Half of it."
    assert first.scored_at == "2026-05-11T16:35:59Z"
    chosen = list(read_published(tmp_path, agents=["b"], papers=["lora"]))
    assert {verdict.submission for verdict in chosen} == {"b/lora"}


def test_one_file_alone_is_read(tmp_path: Path) -> None:
    plant(tmp_path, {"gpt/adam/repo/result/adam-sau-score.json": result()})
    file = tmp_path / "gpt/adam/repo/result/adam-sau-score.json"
    assert {verdict.submission for verdict in read_published(file)} == {"gpt/adam"}


def changed(*way: str | int, to: Any) -> dict[str, Any]:
    data = copy.deepcopy(result())
    inner: Any = data
    for step in way[:-1]:
        inner = inner[step]
    inner[way[-1]] = to
    return data


D1 = ("dimensions", "D1")
FIRST = (*D1, "claims", 0)


@pytest.mark.parametrize(
    ("data", "key", "part"),
    [
        (changed("paper_id", to="other"), "paper_id", "about 'other'"),
        (changed("model", to=None), None, "model is missing"),
        (changed("dimensions", "D9", to={}), "dimensions.D9", "unknown dimension 'D9'"),
        (changed(*D1, "total_claims", to=3), "dimensions.D1.total_claims", "says 3 but 1"),
        (changed(*FIRST, "score", to=0.3), "dimensions.D1.claims[0].score", "0.3 is not one of"),
        (changed(*FIRST, "score", to=True), "dimensions.D1.claims[0].score", "True is not one"),
        (changed(*FIRST, "score", to=[1]), "dimensions.D1.claims[0].score", "[1] is not one"),
        (changed(*FIRST, "claim", to=" "), "dimensions.D1.claims[0].claim", "claim is empty"),
        (changed(*FIRST, "id", to="adam-D2-000"), "adam-D2-000", "twice"),
        (changed(*FIRST, "evidence", 0, "lines", to="9-3"),
         "dimensions.D1.claims[0].evidence[0].lines", "not a range"),
        (changed(*FIRST, "evidence", 1, "snippet", to=3),
         "dimensions.D1.claims[0].evidence[1].snippet", "should be text"),
        (changed(*FIRST, to="gone"), "dimensions.D1.claims[0]", "a mapping"),
        ([], None, "a mapping"),
    ],
)  # fmt: skip
def test_a_malformed_result_is_named(tmp_path: Path, data: Any, key: str | None, part: str) -> None:
    plant(tmp_path, {"gpt/adam/adam-sau-score.json": data})
    with pytest.raises(InputError) as caught:
        list(read_published(tmp_path))
    assert part in caught.value.problem
    assert caught.value.where.key == key
    assert caught.value.where.line == 1


def test_two_versions_of_the_claims_are_not_mixed(tmp_path: Path) -> None:
    plant(tmp_path, {"a/adam/adam-sau-score.json": result()})
    plant(tmp_path, {"b/adam/adam-sau-score.json": changed(*FIRST, "claim", to="Another claim.")})
    with pytest.raises(InputError, match="two versions") as caught:
        list(read_published(tmp_path))
    assert caught.value.where.key == "adam-D1-000"


def test_two_results_of_one_submission_are_refused(tmp_path: Path) -> None:
    plant(tmp_path, {f"gpt/adam/{place}adam-sau-score.json": result() for place in ("", "repo/")})
    with pytest.raises(InputError, match="a second result for gpt/adam"):
        list(read_published(tmp_path))


def test_a_missing_or_empty_tree_is_refused_before_reading(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read_published(tmp_path / "none")
    with pytest.raises(InputError, match="no published result"):
        read_published(tmp_path)
