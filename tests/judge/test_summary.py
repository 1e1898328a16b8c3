from __future__ import annotations

import json
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension
from judge.figures import AgentSummary
from judge.summary import NOT_GIVEN, summarise
from judge.verdict import Status, Verdict
from tests.judge.made_runs import by, failed, graded, note, sau, small_run

LR, DECAY, RULE = sau(1), sau(2), sau(3, dimension="D2")
RANK = sau(1, "lora")
SAUS = {one.id: one for one in (LR, DECAY, RULE, RANK)}
OPUS, OPUS_LORA, GPT = note("opus", "adam"), note("opus", "lora"), note("gpt", "adam")


def test_the_two_means_are_told_apart() -> None:
    verdicts = [
        graded(OPUS, LR, 4),
        graded(OPUS, DECAY, 4),
        graded(OPUS, RULE, 0),
        graded(OPUS_LORA, RANK, 1),
    ]
    summary = summarise(verdicts, SAUS, [OPUS, OPUS_LORA])
    # adam: D1 is 1 and D2 is 0, so .5; lora: .25; over papers .375. Over claims: 2.25 of 4.
    assert summary.all.mean_of_dimension_means.value == pytest.approx(0.375)
    assert summary.all.mean_over_saus.value == pytest.approx(0.5625)
    (agent,) = summary.agents
    d1 = agent.dimensions[Dimension.D1]
    assert d1.mean_of_dimension_means.value == pytest.approx((1 + 0.25) / 2)
    assert d1.mean_over_saus.value == pytest.approx(2.25 / 3)
    assert (d1.mean_over_saus.n, d1.mean_over_saus.papers) == (3, 2)
    assert agent.dimensions[Dimension.D4].mean_over_saus.value is None
    assert summary.spread.median == pytest.approx(0.375)


def test_errors_abstentions_and_missing_verdicts_are_counted_and_never_scored() -> None:
    verdicts = [
        graded(OPUS, LR, 4),
        failed(OPUS, DECAY),
        failed(OPUS, RULE, Status.ABSTAINED, reason="not_enough: unclear"),
    ]
    summary = summarise(verdicts, SAUS, [OPUS, OPUS_LORA])
    counts = summary.all.counts
    assert (counts.expected, counts.graded, counts.abstained, counts.error, counts.missing) == (
        4,
        1,
        1,
        1,
        1,
    )
    assert summary.all.mean_over_saus.value == 1
    assert summary.all.coverage == 0.25
    assert summary.reasons == {"error: timeout": 1, "abstained: not_enough": 1}
    assert summary.incomplete
    assert summary.incomplete_because == [
        "1 of 4 verdicts is an error.",
        "1 of 4 verdicts is missing.",
    ]


def test_answers_that_differ_are_counted_where_questions_were_repeated() -> None:
    verdicts = [
        graded(OPUS, LR, 4, levels=(4, 4, 4)),
        graded(OPUS, DECAY, 2, levels=(1, 2, 4)),
        graded(OPUS, RULE, 0, levels=(0, None, 0)),
        graded(OPUS_LORA, RANK, 1),
    ]
    repeats = summarise(verdicts, SAUS, [OPUS, OPUS_LORA]).repeats
    assert (repeats.pairs, repeats.flipped) == (3, 2)
    assert repeats.flip_rate == pytest.approx(2 / 3)
    assert repeats.mean_range == pytest.approx(1)
    once = summarise(verdicts[3:], SAUS, [OPUS_LORA]).repeats
    assert (once.pairs, once.flip_rate, once.mean_range) == (0, None, None)


def test_an_abstention_alone_leaves_a_run_complete() -> None:
    verdicts = [failed(OPUS_LORA, RANK, Status.ABSTAINED, reason="not_enough: unclear")]
    summary = summarise(verdicts, SAUS, [OPUS_LORA])
    assert not summary.incomplete
    assert summary.all.mean_over_saus.value is None


def test_few_papers_have_no_interval_and_say_why() -> None:
    summary = summarise([graded(OPUS_LORA, RANK, 2)], SAUS, [OPUS_LORA])
    figure = summary.all.mean_of_dimension_means
    assert (figure.value, figure.low, figure.high) == (0.5, None, None)
    assert "fewer than 8 papers" in figure.no_interval
    assert summary.agents[0].rank_low is None


def test_nothing_at_all_can_be_summarised() -> None:
    summary = summarise([], {}, [])
    assert summary.all.counts.expected == 0
    assert summary.all.coverage is None
    assert summary.all.mean_over_saus.no_interval == "nothing graded"
    assert not summary.mixed_judges


def test_the_last_verdict_of_a_pair_counts() -> None:
    summary = summarise([graded(GPT, LR, 0), graded(GPT, LR, 4)], SAUS, [GPT])
    assert summary.all.levels == (0, 0, 0, 0, 1)


def test_two_judges_are_named_with_whom_they_judged() -> None:
    verdicts = [
        graded(OPUS_LORA, RANK, 4, provenance=by("openai:a")),
        graded(GPT, LR, 1, provenance=by("anthropic:b")),
    ]
    summary = summarise(verdicts, SAUS, [OPUS_LORA, GPT])
    assert summary.mixed_judges
    assert [use.name for use in summary.judges] == ["anthropic:b", "openai:a"]
    assert summary.judges[1].agents == {"opus": 1}
    assert summary.judges[1].levels == (0, 0, 0, 0, 1)
    assert "openai:a judged 1 submission: opus (1)." in summary.mixed_because
    assert "along the agents" in summary.mixed_because[-1]
    assert {agent.agent: agent.all.judges for agent in summary.agents} == {
        "opus": {"openai:a": 1},
        "gpt": {"anthropic:b": 1},
    }


def test_judges_that_share_every_agent_do_not_split_along_agents() -> None:
    verdicts = [
        graded(OPUS, LR, 4, provenance=by("openai:a")),
        graded(OPUS_LORA, RANK, 1, provenance=by("openai:b")),
    ]
    summary = summarise(verdicts, SAUS, [OPUS, OPUS_LORA])
    assert summary.mixed_judges
    assert not any("along the agents" in line for line in summary.mixed_because)


def test_another_model_behind_the_same_name_is_another_judge() -> None:
    verdicts = [
        graded(GPT, LR, 1, provenance=by("openai:m", "m-2026-01-01")),
        graded(GPT, DECAY, 1, provenance=by("openai:m", "m-2026-07-01")),
        graded(GPT, RULE, 1, provenance=by("openai:m", "m-2026-07-01")),
    ]
    summary = summarise(verdicts, SAUS, [GPT])
    assert [use.name for use in summary.judges] == [
        "openai:m (m-2026-07-01)",
        "openai:m (m-2026-01-01)",
    ]
    assert summary.mixed_judges


def test_judges_of_one_name_are_told_apart_by_what_else_decided_their_answers() -> None:
    verdicts = [
        graded(GPT, LR, 1, provenance=by("openai:m", prompt_hash="aaaaaaaaaaaa", judge_hash="1")),
        graded(
            GPT, DECAY, 1, provenance=by("openai:m", prompt_hash="bbbbbbbbbbbb", judge_hash="1")
        ),
    ]
    summary = summarise(verdicts, SAUS, [GPT])
    assert summary.mixed_judges
    names = ["openai:m [prompt aaaaaaaa]", "openai:m [prompt bbbbbbbb]"]
    assert [use.name for use in summary.judges] == names
    assert list(summary.agents[0].all.judges) == names
    assert any("prompt aaaaaaaa" in line for line in summary.mixed_because)
    verdicts[1] = graded(GPT, DECAY, 1, provenance=by("openai:m", prompt_hash="aaaaaaaaaaaa"))
    assert [use.name for use in summarise(verdicts, SAUS, [GPT]).judges] == [
        "openai:m [settings 1]",
        "openai:m [settings unknown]",
    ]


def test_many_verdicts_are_summarised_in_little_memory() -> None:
    papers = [f"p{number}" for number in range(20)]
    saus = {one.id: one for paper in papers for one in (sau(n, paper) for n in range(25))}
    notes = [note(f"agent{number}", paper) for number in range(40) for paper in papers]

    def streamed() -> Iterator[Verdict]:
        for one in notes:
            for claim in (sau(n, one.paper) for n in range(25)):
                yield graded(one, claim, 2, rationale="r" * 3000)

    tracemalloc.start()
    try:
        summary = summarise(streamed(), saus, notes, draws=10)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert summary.all.counts.graded == 20_000
    # Five times as many are then 100,000 in some 50 MB; the verdicts themselves would take 500.
    assert peak < 25 << 20


def test_a_judge_that_only_failed_does_not_mix_the_table() -> None:
    verdicts = [graded(GPT, LR, 1), failed(GPT, RULE, provenance=by("openai:other"))]
    assert not summarise(verdicts, SAUS, [GPT]).mixed_judges


def test_drift_and_failure_that_are_not_given_stay_unknown() -> None:
    verdicts = [
        graded(GPT, LR, 1, drift=None, failure=None),
        graded(GPT, DECAY, 4, drift=None, failure=None),
        graded(GPT, RULE, 0),
    ]
    summary = summarise(verdicts, SAUS, [GPT])
    assert summary.all.failures == {"none": 1, "mismatch": 1, NOT_GIVEN: 1}
    assert summary.drift_by_dimension[Dimension.D1] == {"none": 1, NOT_GIVEN: 1}


def test_agents_are_ranked_with_the_range_that_other_papers_would_give() -> None:
    agents = ranked(8)
    assert [(a.agent, a.rank, a.rank_low, a.rank_high) for a in agents] == [
        ("good", 1, 1, 1),
        ("even", 2, 2, 2),
        ("twin", 2, 2, 2),
    ]


def test_ranks_of_few_papers_have_no_range_for_draws_would_make_them_look_firm() -> None:
    found = [(a.agent, a.rank, a.rank_low, a.rank_high) for a in ranked(7)]
    assert found == [("good", 1, None, None), ("even", 2, None, None), ("twin", 2, None, None)]


def ranked(count: int) -> list[AgentSummary]:
    papers = [f"p{number}" for number in range(count)]
    saus = {f"{paper}-D1-001": sau(1, paper) for paper in papers}
    notes = [note(agent, paper) for agent in ("good", "even", "twin") for paper in papers]
    levels = {"good": 4, "even": 1, "twin": 1}
    verdicts = [graded(one, saus[f"{one.paper}-D1-001"], levels[one.agent]) for one in notes]
    return summarise(verdicts, saus, notes).agents


def test_agents_on_other_papers_are_ranked_without_a_range() -> None:
    notes = [note("a", "adam"), note("a", "lora"), note("b", "adam")]
    verdicts = [graded(notes[0], LR, 1), graded(notes[1], RANK, 1), graded(notes[2], LR, 2)]
    agents = summarise(verdicts, SAUS, notes).agents
    assert [(a.agent, a.rank_low) for a in agents] == [("b", None), ("a", None)]


PAPERS = ("p", "q", "r")
POOL = {
    one.id: one
    for paper in PAPERS
    for dimension in ("D1", "D2", "D3")
    for one in (sau(1, paper, dimension), sau(2, paper, dimension))
}
NOTES = [note(agent, paper) for agent in ("a", "b") for paper in PAPERS]
CELLS = [(one, each) for one in NOTES for each in POOL.values() if each.paper == one.paper]


@given(
    st.lists(
        st.one_of(st.integers(0, 4), st.sampled_from(["error", "abstained", "missing"])),
        min_size=len(CELLS),
        max_size=len(CELLS),
    )
)
@settings(max_examples=40, deadline=None)
def test_every_figure_agrees_with_a_second_way_to_compute_it(outcomes: list[int | str]) -> None:
    verdicts: list[Verdict] = []
    scores: dict[str, dict[str, dict[Dimension, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for (one, claim), outcome in zip(CELLS, outcomes, strict=True):
        if isinstance(outcome, int):
            verdicts.append(graded(one, claim, outcome))
            scores[one.agent][one.paper][claim.dimension].append(outcome / 4)
        elif outcome != "missing":
            verdicts.append(failed(one, claim, Status(outcome)))

    summary = summarise(verdicts[::-1], POOL, NOTES, draws=50)

    for agent in summary.agents:
        papers = scores[agent.agent]
        flat = [x for paper in papers.values() for d in paper.values() for x in d]
        balanced = [mean(mean(d) for d in paper.values()) for paper in papers.values()]
        assert agent.all.mean_over_saus.value == (pytest.approx(mean(flat)) if flat else None)
        assert agent.all.mean_over_saus.n == len(flat)
        assert agent.all.mean_of_dimension_means.value == (
            pytest.approx(mean(balanced)) if balanced else None
        )
        counts = agent.all.counts
        assert counts.expected == len(CELLS) // 2
        assert counts.graded == sum(agent.all.levels) == sum(agent.all.failures.values())
        assert counts.graded + counts.abstained + counts.error + counts.missing == counts.expected
    every = [
        mean(mean(d) for d in paper.values())
        for papers in scores.values()
        for paper in papers.values()
    ]
    assert summary.spread.n == len(every)
    assert summary.all.mean_of_dimension_means.value == (
        pytest.approx(mean(every)) if every else None
    )


def test_the_summary_is_json_without_nan_and_the_same_every_time() -> None:
    run = small_run()

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    text = summarise(run.verdicts, run.saus, run.submissions).model_dump_json()
    json.loads(text, parse_constant=refuse)
    again = summarise(run.verdicts[::-1], run.saus, run.submissions[::-1]).model_dump_json()
    assert text == again
