from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmark import Dimension, InputError
from judge.foreign import read_results
from judge.records import RunMeta
from judge.store import RunStore
from judge.summary import NOT_GIVEN, summarise
from tests.judge.made_runs import graded, note, sau
from tests.planting import plant

SHARED = Path(__file__).resolve().parents[3] / "shared" / "sa-bench"


def published(paper: str, model: str, **levels: list[float]) -> dict[str, Any]:
    """A result file; scores by dimension."""
    return {
        "paper_id": paper,
        "repo_path": "/somewhere/else",
        "scored_at": "2026-05-11T16:35:59Z",
        "model": model,
        "overall_score": 0.0,
        "dimensions": {
            dimension: {
                "score": 0.0,
                "total_claims": len(scores),
                "claims": [
                    {
                        "id": f"{paper}-{dimension}-{number:03}",
                        "claim": f"Claim {number}.",
                        "source": "Section 1",
                        "score": score,
                        "judge_reasoning": "As the code says.",
                        "evidence": [
                            {"file": "a.py", "lines": "3-4", "snippet": "x = 1\ny = 2"},
                        ],
                    }
                    for number, score in enumerate(scores, start=1)
                ],
            }
            for dimension, scores in levels.items()
        },
    }


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    def at(agent: str, paper: str) -> str:
        return f"runs/{agent}/{paper}/repo/result/{paper}-sau-score.json"

    plant(
        tmp_path,
        {
            at("gpt", "adam"): published("adam", "big", D1=[1.0, 0.0], D2=[0.25]),
            at("gpt", "lora"): published("lora", "big", D1=[0.5], D2=[0.5]),
            at("opus", "adam"): published("adam", "other", D1=[1.0, 1.0], D2=[0.75]),
            at("opus", "lora"): published("lora", "other", D1=[0.0], D2=[0.0]),
        },
    )
    return tmp_path / "runs"


def test_a_tree_of_published_results_becomes_a_run(tree: Path) -> None:
    run = read_results(tree)
    assert run.meta.name == "runs"
    assert run.meta.judge is None  # two of them
    assert [one.id for one in run.submissions] == [
        "gpt/adam",
        "gpt/lora",
        "opus/adam",
        "opus/lora",
    ]
    assert len(run.saus) == 5
    first = run.verdicts[0]
    assert (first.submission, first.sau, first.level) == ("gpt/adam", "adam-D1-001", 4)
    assert first.provenance.judge == "foreign:big"
    assert first.provenance.provider == "foreign"


def test_what_is_not_published_is_not_invented(tree: Path) -> None:
    run = read_results(tree)
    assert {verdict.drift for verdict in run.verdicts} == {None}
    assert {verdict.failure for verdict in run.verdicts} == {None}
    assert not any(verdict.citations for verdict in run.verdicts)
    assert {verdict.flags for verdict in run.verdicts} == {("unchecked",)}
    evidence = run.verdicts[0].evidence
    assert evidence is not None
    assert evidence.passages == [("a.py", 3, 4)]
    assert not evidence.complete
    assert summarise(run.verdicts, run.saus, run.submissions).all.failures == {
        "none": 3,
        NOT_GIVEN: 7,
    }


def test_its_summary_says_that_judges_are_mixed(tree: Path) -> None:
    run = read_results(tree)
    summary = summarise(run.verdicts, run.saus, run.submissions)
    assert summary.mixed_judges
    assert "foreign:big judged 2 submissions: gpt (2)." in summary.mixed_because
    means = {one.agent: one.all.mean_of_dimension_means.value for one in summary.agents}
    assert means == {"gpt": pytest.approx((0.375 + 0.5) / 2), "opus": pytest.approx(0.875 / 2)}


def test_one_judge_is_named_as_the_run_s(tree: Path) -> None:
    judge = read_results(tree / "gpt").meta.judge
    assert judge is not None
    assert judge.name == "foreign:big"


def test_a_run_directory_is_read_as_itself(tmp_path: Path) -> None:
    claim, one = sau(1), note("opus", "adam", digest="d" * 64)
    with RunStore.open(tmp_path / "run", RunMeta(name="mine", claims_version=""), [claim]) as store:
        store.append_submission(one)
        store.append_verdict(graded(one, claim, 3))
    run = read_results(tmp_path / "run")
    assert run.meta.name == "mine"
    assert run.verdicts == [graded(one, claim, 3)]


def test_a_folder_without_results_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither a run's run\.json nor published"):
        read_results(tmp_path)


def test_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read_results(tmp_path / "nowhere")


@pytest.fixture(scope="module")
def sa_bench() -> Path:
    """The 360 published results, from `SA_BENCH_RUNS` or a `sab` folder beside the project."""
    default = Path(__file__).resolve().parents[3] / "sab" / "experiments" / "runs"
    path = Path(os.environ.get("SA_BENCH_RUNS", default))
    if not path.is_dir():
        pytest.skip(f"no SA-Bench results at {path}: set SA_BENCH_RUNS to experiments/runs")
    if not (SHARED / "published_means.json").exists():
        pytest.skip(f"no published table at {SHARED}")
    return path


def test_the_published_table_comes_out_to_four_digits(sa_bench: Path) -> None:
    run = read_results(sa_bench)
    summary = summarise(run.verdicts, run.saus, run.submissions)
    table = json.loads((SHARED / "published_means.json").read_text(encoding="utf-8"))

    assert len(summary.agents) == len(table) == 12
    off: list[str] = []
    for agent in summary.agents:
        row = table[agent.agent]
        ours = {
            "overall": agent.all.mean_of_dimension_means.value,
            **{one.value: agent.dimensions[one].mean_of_dimension_means.value for one in Dimension},
        }
        off += [name for name, value in ours.items() if round(value or 0, 4) != row[name]]
        for name, value in ours.items():
            assert value == pytest.approx(row[name], abs=1e-4), (agent.agent, name)
        # The published table averages scores that were rounded per paper before: done likewise,
        # every figure is the published one.
        for one in Dimension:
            rounded = [
                round(each.dimensions[one].value or 0, 4)
                for each in summary.submissions
                if each.agent == agent.agent
            ]
            half_a_digit = 0.5e-4 + 1e-9
            assert sum(rounded) / len(rounded) == pytest.approx(row[one.value], abs=half_a_digit)
    assert len(off) <= 1  # of 60 figures, one lies that near to the middle of two

    assert summary.agents[0].agent == "claude-sonnet_papercoder"
    assert round(summary.agents[0].all.mean_of_dimension_means.value or 0, 3) == 0.301
    spread = summary.spread
    assert (spread.n, round(spread.mean or 0, 4), round(spread.median or 0, 4)) == (
        360,
        0.2208,
        0.2368,
    )
    assert summary.all.levels[0] == 7034
    assert summary.all.counts.graded == 18192
    assert [(use.name, use.submissions) for use in summary.judges] == [
        ("foreign:gpt-5.5", 240),
        ("foreign:deepseek-v4-pro", 120),
    ]
    assert summary.mixed_judges
    assert "along the agents" in summary.mixed_because[-1]
    high, low = summary.judges[1].levels, summary.judges[0].levels
    assert round(100 * high[4] / sum(high), 1) == 13.1
    assert round(100 * low[4] / sum(low), 1) == 1.8
