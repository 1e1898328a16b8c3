"""A panel: several judges, one verdict by the median level, and who said what."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from benchmark import Drift, Failure, InputError, Level
from judge.checking import Checked
from judge.cli import cli
from judge.config import load_config, make_config
from judge.inputs import load_inputs, validate
from judge.level_odds import LevelOdds
from judge.models import JudgeSettings, make_judge
from judge.models.adapting import forget
from judge.models.panel import Member, PanelJudge
from judge.paneling import Ruling, Said, rule
from judge.parsing import ParsedAnswer
from judge.pipeline import RunPlan, RunResult, run, run_plan
from judge.planning import estimate
from judge.protocol import AnswerError, FatalProviderError
from judge.questioning import Held
from judge.report import write_report
from judge.report.exports import write_csv
from judge.run_plan import plan_of
from judge.show import show_verdict
from judge.store import iter_attempts, iter_verdicts, read_run
from judge.tables import print_summary
from judge.verdict import Citation, EvidenceNote, Provenance, QuoteState, Status, Verdict
from judge.voices import voices_of
from tests.judge.test_batching import configured
from tests.judge.toys import Wire, answer_text, bench, plan
from tests.servers.fake_provider import FakeProvider

BENCH = bench(papers=1, claims=1)
SAU = BENCH.saus[0].id
REPLACED = {"drift": "methodological", "failure": "mismatch"}


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def member(number: int, outcome: Any = None, **changes: Any) -> Wire:
    wire = Wire({} if outcome is None else {SAU: outcome}, version=number)
    wire.name, wire.model = f"wire:m{number}", f"m{number}"
    for name, value in changes.items():
        setattr(wire, name, value)
    return wire


def panel(*outcomes: Any, quorum: int | None = None, repeats: int = 1) -> PanelJudge:
    members = [Member(member(n, outcome), repeats) for n, outcome in enumerate(outcomes)]
    return PanelJudge(members, quorum=len(members) // 2 + 1 if quorum is None else quorum)


def go(made: RunPlan) -> RunResult:
    return asyncio.run(run_plan(made))


def planned(folder: Path, judge: Any, **changes: Any) -> RunPlan:
    made = plan(folder, judge, benchmark=BENCH, max_errors_share=1.0, **changes)
    return replace(made, submissions=made.submissions[:1])


def judged(folder: Path, judge: PanelJudge, **changes: Any) -> Verdict:
    made = planned(folder, judge, **changes)
    go(made)
    (verdict,) = iter_verdicts(made.output)
    return verdict


def at(level: str, **changes: Any) -> str:
    ends = {"1": {"drift": "none", "failure": "none"}, "0": {"citations": []}}.get(level, {})
    return answer_text(level=level, **{**ends, **changes})


def test_the_median_level_stands_and_who_said_what_is_kept(tmp_path: Path) -> None:
    other = {"path": "train.py", "first": 9, "last": 9, "quote": "build(torch.nn.Linear(3, 3))"}
    verdict = judged(
        tmp_path,
        panel(
            at("1"),
            at("0.5", confidence=0.7, rationale="first"),
            at("0.5", confidence=0.9, rationale="surest", citations=[other]),
            at("0.25", **REPLACED),
        ),
    )
    assert (verdict.status, verdict.level) == (Status.GRADED, 2)
    assert (verdict.drift, verdict.failure) == (Drift.NUMERICAL, Failure.MISMATCH)
    assert verdict.levels == (4, 2, 2, 1)
    assert verdict.rationale == "surest"
    assert verdict.confidence == 0.5  # two of four say so
    assert [(c.first, c.state) for c in verdict.citations] == [
        (9, QuoteState.VERIFIED),
        (5, QuoteState.VERIFIED),
    ]
    assert "members_differ" in verdict.flags
    assert [one.level for one in verdict.members] == [4, 2, 2, 1]
    assert [one.provenance.judge for one in verdict.members] == [f"wire:m{n}" for n in range(4)]
    assert verdict.members[3].drift is Drift.METHODOLOGICAL
    assert verdict.members[0].citations
    assert len({one.provenance.judge_hash for one in verdict.members}) == 4
    assert len({one.provenance.request_key for one in verdict.members}) == 4
    made = verdict.provenance
    assert (made.judge, made.provider) == ("panel:m0+m1+m2+m3", "panel")
    assert made.attempts == 4
    assert made.usage.input_tokens == 400
    assert made.usage.cost_usd == pytest.approx(0.04)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


def test_of_two_in_the_middle_the_lower_is_taken(tmp_path: Path) -> None:
    verdict = judged(tmp_path, panel(at("1"), at("0.25")))
    assert verdict.level == 1


def test_drift_and_failure_are_a_pair_that_was_given_at_the_median_level(tmp_path: Path) -> None:
    surest = at("0.5", confidence=1.0, drift="protocol", failure="external")
    common = at("0.5", confidence=0.6, drift="ordering", failure="incomplete")
    verdict = judged(tmp_path, panel(surest, common, common))
    assert (verdict.drift, verdict.failure) == (Drift.ORDERING, Failure.INCOMPLETE)


def test_an_error_leaves_a_panel_of_the_rest_if_the_quorum_gives_a_level(tmp_path: Path) -> None:
    lost = AnswerError("timeout", "no answer")
    verdict = judged(tmp_path / "enough", panel(at("0.5"), lost, at("0.25")))
    assert (verdict.level, verdict.levels) == (1, (2, None, 1))
    assert "member_missing" in verdict.flags
    assert (verdict.members[1].status, verdict.members[1].reason) == (
        Status.ERROR,
        "timeout: no answer",
    )
    verdict = judged(tmp_path / "strict", panel(at("0.5"), lost, at("0.25"), quorum=3))
    assert verdict.status is Status.ERROR
    assert verdict.reason == (
        "no_quorum: 2 of 3 members answered, 3 must (wire:m1: timeout: no answer)"
    )
    assert [one.level for one in verdict.members] == [2, None, 1]


def test_too_few_levels_are_an_abstention(tmp_path: Path) -> None:
    cannot = at("cannot_tell", citations=[], lacking=["the trainer"])
    verdict = judged(tmp_path, panel(at("0.5"), cannot, cannot))
    assert verdict.status is Status.ABSTAINED
    assert verdict.reason == (
        "no_quorum: 1 of 3 members gives a level, 2 must; wire:m1: cannot_tell: the judge lacks "
        "the trainer"
    )
    assert verdict.levels == (2, None, None)


def test_an_error_is_asked_again_by_the_next_run_and_nobody_else_is(tmp_path: Path) -> None:
    judge = panel(at("0.5"), "no JSON", at("0.25"), quorum=3)
    made = planned(tmp_path, judge)
    assert go(made).exit_code == 3
    wires = [one.judge for one in judge.members]
    assert [len(wire.asked) for wire in wires] == [1, 2, 1]  # type: ignore[attr-defined]
    wires[1].outcomes = {}  # type: ignore[attr-defined]
    assert go(made).exit_code == 0
    assert [len(wire.asked) for wire in wires] == [1, 3, 1]  # type: ignore[attr-defined]
    latest = list(iter_verdicts(made.output))[-1]
    assert latest.levels == (2, 2, 1)


def test_each_member_has_the_answers_that_it_has_alone(tmp_path: Path) -> None:
    """Whoever was asked alone is not asked again in a panel, and the other way round."""
    alone = member(1, at("0.25"))
    go(planned(tmp_path / "alone", alone, cache=tmp_path / "cache"))
    judge = panel(at("0.5"), at("0.25"), at("0.75"))
    made = planned(tmp_path / "panel", judge, cache=tmp_path / "cache")
    assert go(made).counts.hits == 1
    assert [len(one.judge.asked) for one in judge.members] == [1, 0, 1]  # type: ignore[attr-defined]
    (verdict,) = iter_verdicts(made.output)
    assert [one.provenance.cached for one in verdict.members] == [False, True, False]
    assert not verdict.provenance.cached
    smaller = member(2, at("0.75"))
    go(planned(tmp_path / "smaller", smaller, cache=tmp_path / "cache"))
    assert smaller.asked == []


def test_members_may_be_asked_several_times(tmp_path: Path) -> None:
    judge = panel(at("0.5"), at("0.25"), repeats=3)
    verdict = judged(tmp_path, judge)
    assert [len(one.judge.asked) for one in judge.members] == [3, 3]  # type: ignore[attr-defined]
    assert verdict.levels == (2, 1)
    assert [one.levels for one in verdict.members] == [(2, 2, 2), (1, 1, 1)]


def test_a_member_that_will_answer_nothing_stops_the_run_and_the_others_answers_stay(
    tmp_path: Path,
) -> None:
    judge = panel(at("0.5"), FatalProviderError("no such key"))
    made = planned(tmp_path, judge)
    result = go(made)
    assert (result.exit_code, result.reason) == (4, "no such key")
    assert [row.outcome for row in iter_attempts(made.output)].count("answer") == 1
    judge.members[1].judge.outcomes = {}  # type: ignore[attr-defined]
    assert go(made).counts.hits == 1


def test_the_summary_says_how_members_differ(tmp_path: Path) -> None:
    many = bench(papers=1, claims=4)
    judge = panel(None, None, None)
    _, second, third = (one.judge for one in judge.members)
    ids = [sau.id for sau in many.saus]
    second.outcomes = {ids[0]: at("0.25")}  # type: ignore[attr-defined]
    third.outcomes = {  # type: ignore[attr-defined]
        ids[0]: at("1"),
        ids[1]: AnswerError("timeout", "no answer"),
    }
    made = plan(tmp_path, judge, benchmark=many, max_errors_share=1.0)
    result = go(replace(made, submissions=made.submissions[:1]))
    found = result.summary.panel
    assert (found.verdicts, found.split, found.disagreement_rate) == (4, 2, 0.5)
    assert found.mean_range == pytest.approx(3 / 4)
    by_name = {one.name: one for one in found.members}
    assert [by_name[f"wire:m{n}"].graded for n in range(3)] == [4, 4, 3]
    assert by_name["wire:m2"].errors == 1
    assert by_name["wire:m1"].agreement == pytest.approx(3 / 4)
    assert by_name["wire:m2"].mean_difference == pytest.approx(2 / 3)
    assert result.summary.repeats.pairs == 0


def test_members_of_one_name_and_other_settings_are_told_apart(tmp_path: Path) -> None:
    judge = panel(at("1"), at("0.25"), at("0.25"))
    for one in judge.members[:2]:
        one.judge.name = "wire:same"
    result = go(planned(tmp_path, judge))
    found = result.summary.panel.members
    assert [(one.graded, one.agreement, one.mean_difference) for one in found] == [
        (1, 0.0, 3.0), (1, 1.0, 0.0), (1, 1.0, 0.0),
    ]  # fmt: skip
    names = [one.name for one in found]
    assert all(re.fullmatch(r"wire:same \[settings [0-9a-f]{8}\]", name) for name in names[:2])
    assert len(set(names)) == 3
    assert names[2] == "wire:m2"


def test_people_are_told_who_said_what(tmp_path: Path) -> None:
    judge = panel(
        at("0.5", rationale="half of it"), AnswerError("timeout", "no answer"), at("0.25"), quorum=2
    )
    made = planned(tmp_path, judge)
    result = go(made)
    console = Console(file=io.StringIO(), width=200)
    print_summary(result.summary, console)
    run_ = read_run(made.output)
    show_verdict(run_, made.submissions[0].id, SAU, console=console)
    write_report(run_, tmp_path / "report", result.summary)
    pages = [
        path.read_text(encoding="utf-8")
        for path in (tmp_path / "report").rglob("*.html")
        if path.name != "index.html"
    ]
    (page,) = [one for one in pages if "half of it" in one]
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "the panel's members differ on 1 of 1 claim (100%), by 1.00 levels" in printed
    assert "wire:m1: 0 graded, 0 abstained, 1 error" in printed
    for text in (printed, page):
        assert "0.5, numerical, mismatch, confidence 0.90. half of it" in text
        assert "error: timeout: no answer" in text


def test_odds_and_repeats_are_told_in_words(tmp_path: Path) -> None:
    odds = LevelOdds(expected_level=2.5, probabilities=(0, 0, 0.75, 0, 0.25), unknown=0)
    made = Verdict(
        submission="a/p", agent="a", paper="p", sau="s", dimension="D1", status="error",
        reason="x: y", levels=(2, None, 4), odds=odds,
        provenance=Provenance(judge="j", provider="p"),
    )  # fmt: skip
    write_csv(tmp_path / "v.csv", [made], {})
    with (tmp_path / "v.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["levels"], row["expected_level"]) == ("2, none, 4", "2.5")
    assert dict(voices_of(made)) == {
        "answers": "0.5, none, 1",
        "log probabilities": "expected score 0.625: 0.5 75%, 1 25%",
    }
    without = made.model_copy(update={"odds": LevelOdds(reason="split: 20% of it"), "levels": ()})
    assert dict(voices_of(without)) == {"log probabilities": "split: 20% of it"}


# ---- the rule ------------------------------------------------------------------------------------


def says(number: int, level: int | None, confidence: float) -> Said:
    parsed = ParsedAnswer(
        "e", "f", (), "r", None if level is None else Level(level), Drift.NONE, Failure.NONE,
        confidence, (),
    )  # fmt: skip
    cited = Citation(path="a", first=number + 1, last=number + 1, quote="q", state="verified")
    checked = Checked(
        Status.ABSTAINED if level is None else Status.GRADED,
        None if level is None else Level(level),
        confidence,
        (cited,),
        (),
        "cannot_tell: x" if level is None else "",
    )
    held = Held(parsed, checked, EvidenceNote(complete=True, tokens=1), ())
    return Said(f"m{number}", (), (held,), (None, held))  # type: ignore[arg-type]


@given(
    st.lists(st.tuples(st.none() | st.integers(0, 4), st.floats(0, 1)), min_size=2, max_size=9),
    st.data(),
)
@settings(max_examples=300, deadline=None)
def test_a_ruling_is_a_level_that_a_member_gave_whatever_their_order(
    answers: list[tuple[int | None, float]], data: st.DataObject
) -> None:
    quorum = data.draw(st.integers(1, len(answers)))
    said = [says(n, level, confidence) for n, (level, confidence) in enumerate(answers)]
    ruling = rule(said, quorum)
    assert isinstance(ruling, Ruling)  # all answered
    levels = sorted(level for level, _ in answers if level is not None)
    checked = ruling.held.checked
    if len(levels) < quorum:
        assert checked.status is Status.ABSTAINED
        return
    middle = levels[(len(levels) - 1) // 2]
    assert checked.level == middle
    assert len(checked.citations) == levels.count(middle)
    assert checked.confidence is not None
    assert checked.confidence <= levels.count(middle) / len(answers)
    again = rule(data.draw(st.permutations(said)), quorum)
    assert isinstance(again, Ruling)
    assert again.held.checked.level == middle


# ---- config, plan, cap ---------------------------------------------------------------------------

TWO = [
    {"kind": "openai", "model": "a-model", "api_key_env": "none"},
    {"kind": "openai", "model": "b-model", "api_key_env": "none", "repeats": 2, "concurrency": 3},
]


def at_server(url: str, members: list[dict[str, Any]] | None = None, **changes: Any) -> Any:
    urls = {"openai": f"{url}/v1", "anthropic": url}
    given = [{**one, "base_url": urls[one["kind"]]} for one in members or TWO]
    return {"kind": "panel", "members": given, **changes}


def set_up(folder: Path, url: str, judge: dict[str, Any], **more: Any) -> Any:
    configured(folder, "openai", url)
    values = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    values |= {"judge": judge, **more}
    (folder / "run.json").write_text(json.dumps(values), encoding="utf-8")
    return load_config(folder / "run.json")


def test_a_panel_of_both_vendors_from_a_config(tmp_path: Path) -> None:
    members = [*TWO, {"kind": "anthropic", "model": "c-model", "api_key_env": "none"}]
    with FakeProvider() as server:
        config = set_up(tmp_path, server.url, at_server(server.url, members, quorum=3))
        inputs = load_inputs(config)
        before = asyncio.run(estimate(plan_of(config, inputs)))
        assert before.calls == 6 * (1 + 2 + 1)
        assert [part.calls for part in before.parts] == [6, 12, 6]
        assert [part.judge for part in before.parts] == [
            "openai:a-model",
            "openai:b-model",
            "anthropic:c-model",
        ]
        assert sum(part.input_tokens for part in before.parts) == before.input_tokens
        result = asyncio.run(run(config, inputs))
        assert result.exit_code == 0
        assert sum(server.counts["answered"].values()) == before.calls
        assert asyncio.run(estimate(plan_of(config, inputs))).calls == 0
    verdicts = list(iter_verdicts(config.output.path))
    assert {verdict.provenance.judge for verdict in verdicts} == {"panel:a-model+b-model+c-model"}
    assert all(len(verdict.members) == 3 for verdict in verdicts)
    assert plan_of(config, inputs).concurrency == 8 + 3 + 8
    public = config.public_dict()["judge"]
    assert [one["model"] for one in public["members"]] == ["a-model", "b-model", "c-model"]


def test_a_cap_is_one_for_all_members(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(
        "date: 2026-11-20\nmodels:\n  '*-model*': {input: 1, output: 1}\n", encoding="utf-8"
    )
    members = [{**one, "prices": "prices.yaml", "max_output_tokens": 2000} for one in TWO]
    with FakeProvider() as server:
        config = set_up(tmp_path, server.url, at_server(server.url, members), max_cost=0.02)
        result = asyncio.run(run(config, load_inputs(config)))
        assert result.exit_code == 3
        assert "max_cost is $0.02" in result.reason
        assert 0 < result.counts.cost_usd <= 0.02
        unpriced = set_up(tmp_path, server.url, at_server(server.url), max_cost=0.02)
        with pytest.raises(InputError, match=r"a-model at .* is not known"):
            validate(unpriced)


@pytest.mark.parametrize(
    ("judge", "where", "said"),
    [
        ({"kind": "panel"}, "judge.kind", "has no members"),
        ({"kind": "panel", "members": TWO[:1]}, "judge.members", "at least 2|entry|short"),
        (
            {"kind": "panel", "members": [TWO[0], TWO[0]]},
            "judge.members.1|judge.members\\[1\\]",
            "the same member twice",
        ),
        (
            {"kind": "panel", "members": [TWO[0], {"kind": "embedded"}]},
            "members",
            "cannot sit on a panel",
        ),
        ({"kind": "panel", "members": TWO, "quorum": 3}, "judge.quorum", "wants 3 members"),
        ({"kind": "panel", "members": TWO, "model": "x"}, "judge.model", "kind panel does not use"),
        ({"kind": "panel", "members": TWO, "repeats": 2}, "judge.repeats", "does not use"),
        ({"kind": "openai", "model": "x", "members": TWO}, "judge.members", "does not use"),
        (
            {"kind": "panel", "members": [TWO[0], {**TWO[1], "modle": "x"}]},
            "members",
            "unknown key 'modle'.*Write model",
        ),
        ({"kind": "panel", "members": [TWO[0], {"kind": "openai"}]}, "members", "has no model"),
    ],
)
def test_a_panel_that_makes_no_sense_is_named(
    tmp_path: Path, judge: dict[str, Any], where: str, said: str
) -> None:
    with pytest.raises(InputError, match=f"(?s)(?:{where}).*(?:{said})"):
        make_config({"benchmark": {"path": "suite"}, "judge": judge}, file=tmp_path / "run.yaml")


def test_the_config_of_a_panel_says_all_that_it_is_made_from(tmp_path: Path) -> None:
    members = [TWO[0], {**TWO[1], "structure": None, "max_output_tokens": None}]
    values = {"benchmark": {"path": "suite"}, "judge": {"kind": "panel", "members": members}}
    made = make_config(values, file=tmp_path / "run.yaml")
    assert made.judge.members is not None
    # An empty key is as good as none, but for the cap, which may be taken away so.
    assert made.judge.members[1].structure == "auto"
    assert made.judge.members[1].max_output_tokens is None
    again = make_config(made.public_dict(), file=tmp_path / "run.yaml")
    assert again.public_dict() == made.public_dict()


def test_settings_that_make_no_panel_are_named() -> None:
    one = JudgeSettings(kind="openai", model="m", api_key_env="none")
    for members, quorum in (
        ((one,), None),
        ((one, one), None),
        ((one, replace(one, model="n")), 3),
    ):
        with pytest.raises(InputError, match=r"judge\.members"):
            make_judge(JudgeSettings(kind="panel", members=members, quorum=quorum))
    with pytest.raises(InputError, match="cannot sit on a panel"):
        make_judge(JudgeSettings(kind="panel", members=(one, JudgeSettings(kind="embedded"))))


def test_a_panel_itself_answers_nothing() -> None:
    judge = panel(at("1"), at("1"))
    with pytest.raises(TypeError, match="member by member"):
        judge.request(None)  # type: ignore[arg-type]


def test_a_plan_prices_each_member_and_all_together(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(
        "date: 2026-11-20\nmodels:\n  a-model: {input: 1, output: 1}\n"
        "  b-model: {input: 2, output: 2}\n",
        encoding="utf-8",
    )
    members = [{**one, "prices": "prices.yaml"} for one in TWO]
    with FakeProvider() as server:
        config = set_up(tmp_path, server.url, at_server(server.url, members))
        told = CliRunner().invoke(cli, ["plan", "--config", str(config.file)])
        config = set_up(tmp_path, server.url, at_server(server.url))
        unknown = CliRunner().invoke(cli, ["plan", "--config", str(config.file)])
        assert server.asked == []
    assert told.exit_code == 0, told.output
    assert "6 to openai:a-model" in told.output
    assert "12 to openai:b-model" in told.output

    def dollars(line: str) -> list[float]:
        return [float(text) for text in re.findall(r"\$([\d.]+)", line)[:2]]

    rows = told.output.split("\n")
    each = [dollars(row) for row in rows if row.startswith("price ")]
    (total,) = [dollars(row) for row in rows if row.startswith("all ")]
    assert len(each) == 2
    assert total == pytest.approx([sum(one) for one in zip(*each, strict=True)], rel=0.01)
    assert "in batch" not in told.output
    assert "all        unknown" in unknown.output
