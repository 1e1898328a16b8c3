"""A cascade end to end: the embedded judge first, a model over a real socket for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from calibration.cascade_rule import FEATURES, CascadeRule, RulePoint
from judge.cascade import MOVED, Cascade
from judge.cli import cli
from judge.loading import iter_verdicts
from judge.models import JudgeSettings, make_judge
from judge.models.adapting import forget
from judge.preparing import Asked, judge_hash
from judge.protocol import LocalJudge
from judge.verdict import Citation, Provenance, QuoteState, Status, Verdict
from judge.versions import code_hash
from tests.planting import plant
from tests.servers.fake_provider import FakeProvider

PAPERS = 6
CLAIMS = 4
PRICES = "date: 2026-11-20\nmodels: {m: {input: 1.0, output: 10.0}}\n"


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    forget()
    yield
    forget()


def call(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def run(*more: object) -> Result:
    return call("run", "--quiet", *more)


def embedded() -> LocalJudge:
    judge = make_judge(JudgeSettings("embedded"))
    assert isinstance(judge, LocalJudge)
    return judge


def rule(**changes: Any) -> CascadeRule:
    """A rule by which verdicts below .5 are surer than those above, at limits .05 and .2."""
    first = embedded()
    asked = Asked(first.name, first.provider, first.model, dict(first.identity()))
    fields: dict[str, Any] = {
        "meaning": "made by hand",
        "judge": "embedded",
        "model": first.model,
        "judge_hash": judge_hash(asked, code_hash()),
        "labels_of": {"openai:m": 100},
        "kinds": {"model": 100},
        "labels": 100,
        "papers": 20,
        "data": "0" * 64,
        "loss": "cut",
        "cut": 2,
        "scale": "own",
        "features": FEATURES,
        "thresholds": (-1.0, 1.0, 2.0, 3.0),
        "slopes": tuple(6.0 if name == "at_least_2" else 0.0 for name in FEATURES),
        "points": (
            RulePoint(limit=0.05, share=0.5, lost=0.01, conformal=0.05, upper=0.03),
            RulePoint(limit=0.2, share=1.0, lost=0.05, conformal=0.09, upper=0.08),
        ),
    }
    return CascadeRule(**{**fields, **changes})


TRAIN = """import torch

DROPOUT = 0.1


def build(model):
    return torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1)


if __name__ == "__main__":
    build(torch.nn.Dropout(DROPOUT))
"""
WORDS = (
    "The optimiser is AdamW with a learning rate of 3e-4",
    "A momentum encoder with a queue of 65536 negatives is used",
    "The dropout rate is 0.1",
    "Beam search with width 7 and length penalty 0.6 is used at decoding",
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Papers whose claims are met and not met by turns, by two agents; 48 pairs."""
    monkeypatch.chdir(tmp_path)
    for number in range(PAPERS):
        paper = f"paper{number}"
        claims = [
            {"id": f"{paper}-D1-{n:03}", "claim": WORDS[n], "source": ""} for n in range(CLAIMS)
        ]
        plant(
            tmp_path,
            {
                f"claims/{paper}/sau.json": {"paper_id": paper, "D1": claims},
                **{
                    f"in/{agent}/{paper}/repo/train.py": TRAIN + f"\nSEED = '{agent} {paper}'\n"
                    for agent in ("one", "two")
                },
            },
        )
    rule().save(tmp_path / "rule.json")
    plant(tmp_path, {"prices.yaml": PRICES})
    return tmp_path


def configure(here: Path, server: FakeProvider | None, *, name: str = "run", **judge: Any) -> None:
    then = judge.pop("then", None)
    more = judge.pop("more", {})
    if then is None and server is not None:
        then = {"kind": "openai", "model": "m", "base_url": f"{server.url}/v1",
                "api_key_env": "none", **judge.pop("then_more", {})}  # fmt: skip
    section = {"kind": "cascade", "then": then, "rule": "rule.json", "audit": 0.0, **judge}
    plant(
        here,
        {f"{name}.yaml": {
            "benchmark": {"path": "claims"}, "submissions": {"path": "in"},
            "output": {"path": f"out-{name}", "workers": 1}, "judge": section, **more,
        }},
    )  # fmt: skip


def verdicts(here: Path, name: str = "run") -> dict[tuple[str, str], Verdict]:
    return {(one.submission, one.sau): one for one in iter_verdicts(here / f"out-{name}")}


def figures(here: Path, name: str = "run") -> dict[str, Any]:
    summary = json.loads((here / f"out-{name}" / "summary.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = summary["cascade"]
    return found


# ---- who answers ---------------------------------------------------------------------------------


def test_each_answers_its_part_under_its_own_name(here: Path) -> None:
    with FakeProvider() as server:
        configure(here, server)
        result = run()
        assert result.exit_code == 0, result.output
        asked = len(server.asked)
        found = verdicts(here)
        first = [one for one in found.values() if one.provenance.provider == "embedded"]
        second = [one for one in found.values() if one.provenance.provider == "openai"]
        assert len(found) == len(first) + len(second) == 2 * PAPERS * CLAIMS
        assert first
        assert second
        assert asked == len(second)
        for one in first:
            assert one.cascade is not None
            assert one.cascade.route == "first"
            assert (one.level or 0) < 2
            assert one.cascade.said == one.cascade.level == one.level
            assert one.provenance.judge == "embedded"
            assert one.provenance.prompt_hash is None
            assert one.provenance.model == embedded().model
        for one in second:
            assert one.cascade is not None
            assert one.cascade.route == "second"
            assert (one.cascade.said or 0) >= 2
            assert one.provenance.judge == "openai:m"
            assert one.provenance.prompt_hash
        shown = " ".join(result.output.split())
        assert f"the first judge answered {len(first)} of {len(found)} claims" in shown
        assert "judge: embedded" in shown
        assert "not an LLM's verdicts" in shown
        assert "the cascade audits nothing" in (here / "out-run" / "run.json").read_text()
        # Again: nothing is asked, nothing changes.
        before = (here / "out-run" / "verdicts.jsonl").read_bytes()
        assert run().exit_code == 0
        assert len(server.asked) == asked
        assert (here / "out-run" / "verdicts.jsonl").read_bytes() == before
    page = (here / "out-run" / "report" / "index.html").read_text(encoding="utf-8")
    assert "a cascade" in page
    told = call("show", first[0].submission, first[0].sau, "--run", here / "out-run")
    assert told.exit_code == 0
    assert "What it was asked" not in told.output
    assert "answered by the first judge, which said" in " ".join(told.output.split())
    pages = "".join(
        path.read_text(encoding="utf-8") for path in (here / "out-run" / "report").rglob("*.html")
    )
    assert "answered by the first judge" in pages
    assert "passed on: the first judge said" in pages


def test_the_second_judge_is_asked_what_it_would_be_asked_alone(here: Path) -> None:
    with FakeProvider() as server:
        configure(here, server)
        plain = {"kind": "openai", "model": "m", "base_url": f"{server.url}/v1",
                 "api_key_env": "none"}  # fmt: skip
        plant(
            here,
            {"alone.yaml": {"benchmark": {"path": "claims"}, "submissions": {"path": "in"},
                            "output": {"path": "out-alone", "workers": 1}, "judge": plain}},
        )  # fmt: skip
        assert run("--config", "alone.yaml").exit_code == 0
        asked = len(server.asked)
        assert asked == 2 * PAPERS * CLAIMS
        assert run().exit_code == 0
        assert len(server.asked) == asked
    alone, found = verdicts(here, "alone"), verdicts(here)
    for key, one in found.items():
        if one.provenance.provider == "openai":
            assert one.provenance.judge_hash == alone[key].provenance.judge_hash
            assert one.provenance.request_key == alone[key].provenance.request_key


def test_a_wider_risk_answers_more(here: Path) -> None:
    with FakeProvider() as server:
        configure(here, server)
        configure(here, server, name="wide", risk=0.1)
        assert run().exit_code == 0
        assert run("--config", "wide.yaml").exit_code == 0
    few, all_ = figures(here), figures(here, "wide")
    assert 0 < few["share_first"] < all_["share_first"] == 1.0
    assert all_["saved_usd"] is None  # nothing was asked: nobody knows what it would have cost


# ---- the audit -----------------------------------------------------------------------------------


def test_an_audit_compares_and_the_second_judges_verdict_stands(here: Path) -> None:
    """The provider is easily pleased: all is met, so all the first judge's fails are lost."""
    with FakeProvider() as server:
        configure(here, server, audit=1.0)
        result = run()
        assert result.exit_code == 0
        assert len(server.asked) == 2 * PAPERS * CLAIMS
    found = verdicts(here).values()
    audited = [one for one in found if one.cascade and one.cascade.route == "audit"]
    assert audited
    for one in audited:
        assert one.cascade is not None
        assert one.provenance.provider == "openai"
        assert (one.level, one.cascade.lost) == (4, 1.0)
        assert (one.cascade.level or 0) < 2
    told = figures(here)
    assert told["first"] == 0
    assert told["compared"] == told["audited"] == len(audited)
    assert told["audit_loss"] == 1.0
    assert told["risk"] == pytest.approx(len(audited) / len(found))
    assert told["contradicted"] is True
    assert "! the audit contradicts the cascade's bound" in result.output


def test_an_audit_that_agrees_does_not_warn(here: Path) -> None:
    absent = {"level": "0", "drift": "methodological", "failure": "missing", "citations": []}
    with FakeProvider({"answers": [{"answer": absent}]}) as server:
        configure(here, server, audit=0.5, seed=3)
        result = run()
        assert result.exit_code == 0
    told = figures(here)
    assert told["audited"] > 0
    assert told["first"] > 0
    assert told["risk"] == 0.0
    assert told["low"] == 0.0
    assert 0 < told["high"] < 0.5
    assert told["contradicted"] is False
    assert "contradicts" not in result.output


@given(st.integers(0, 50), st.text(max_size=8), st.floats(0, 1), st.floats(0, 1))
def test_draws_are_by_seed_and_ids_and_nest(seed: int, sau: str, one: float, other: float) -> None:
    low, high = sorted((one, other))
    made = rule()

    def drawn(share: float) -> bool:
        cascade = Cascade(_NOBODY, made, made.points[0], 0.05, "conformal", share, seed)
        return cascade._drawn("agent/paper", sau)

    assert drawn(low) <= drawn(high)
    assert drawn(low) is drawn(low)
    assert not drawn(0.0)
    assert drawn(1.0)


class _Nobody:
    name = provider = "embedded"
    model: str | None = None

    def identity(self) -> dict[str, Any]:
        return {}

    def judge_here(self, question: object) -> Any:
        raise AssertionError


_NOBODY = _Nobody()


def test_the_share_drawn_is_the_share_asked_for() -> None:
    made = rule()
    cascade = Cascade(_NOBODY, made, made.points[0], 0.05, "conformal", 0.1, 0)
    drawn = sum(cascade._drawn(f"a/p{n % 30}", f"s{n}") for n in range(20_000))
    assert 0.09 < drawn / 20_000 < 0.11


# ---- what goes wrong -----------------------------------------------------------------------------


def test_where_the_second_judge_has_no_answer_there_is_none(here: Path) -> None:
    with FakeProvider({"answers": [{"text": "no JSON at all"}]}) as server:
        configure(here, server, more={"max_errors_share": 1})
        result = run("--no-report")
    assert result.exit_code == 3
    found = verdicts(here).values()
    failed = [one for one in found if one.status is Status.ERROR]
    assert failed
    for one in failed:
        assert one.level is None
        assert one.provenance.judge == "openai:m"
        assert one.cascade is not None
        assert one.cascade.route == "second"
    assert figures(here)["errors"] == len(failed)
    assert all(one.provenance.provider == "embedded" for one in found if one.level is not None)


def test_where_the_second_judge_abstains_so_does_the_cascade(here: Path) -> None:
    doubt = {"level": "cannot_tell", "citations": [], "lacking": ["the optimiser"]}
    with FakeProvider({"answers": [{"answer": doubt}]}) as server:
        configure(here, server, audit=1.0)
        assert run("--no-report").exit_code == 0
    found = verdicts(here).values()
    assert {one.status for one in found} == {Status.ABSTAINED}
    told = figures(here)
    assert (told["compared"], told["risk"]) == (0, None)


@pytest.mark.parametrize(
    ("changes", "judge", "words"),
    [
        ({"judge_hash": "0" * 12}, {}, "which may answer otherwise"),
        ({"judge": "another"}, {}, "the judge 'another'"),
        ({}, {"risk": 0.01}, "nothing can be answered at a risk of 0.01"),
        ({}, {"risk": 0.02, "bound": "upper"}, "by the upper bound"),
        ({}, {"rule": "none.json"}, "cannot be read"),
    ],
)
def test_a_rule_that_does_not_hold_is_refused_before_any_call(
    here: Path, changes: dict[str, Any], judge: dict[str, Any], words: str
) -> None:
    rule(**changes).save(here / "rule.json")
    with FakeProvider() as server:
        configure(here, server, **judge)
        for command in ("run", "plan", "validate"):
            result = call(command)
            assert result.exit_code == 2, (command, result.output)
            assert words in " ".join(result.output.split())
        assert not server.asked
    assert not (here / "out-run").exists()


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"kind": "cascade", "rule": "r"}, "has no then"),
        ({"kind": "cascade", "then": {"kind": "openai", "model": "m"}}, "has no rule"),
        ({"kind": "cascade", "rule": "r", "then": {"kind": "embedded"}}, "second judge of kind"),
        ({"kind": "cascade", "rule": "r", "then": {"kind": "openai"}}, "has no model"),
        ({"kind": "cascade", "rule": "r", "then": {"kind": "openai", "model": "m"},
          "first": {"kind": "openai", "model": "m"}}, "first judge of kind openai"),
        ({"kind": "cascade", "rule": "r", "model": "m", "then": {"kind": "openai", "model": "m"}},
         "gives model"),
        ({"kind": "cascade", "rule": "r", "then": {"kind": "openai", "modle": "m"}},
         "unknown key 'modle'"),
        ({"kind": "cascade", "rule": "r", "risk": 1.5, "then": {"kind": "openai", "model": "m"}},
         "less than 1"),
        ({"kind": "embedded", "rule": "r"}, "gives rule, which kind embedded does not use"),
        ({"kind": "openai", "model": "m", "audit": 0.5}, "gives audit"),
    ],
)  # fmt: skip
def test_a_wrong_section_is_named(here: Path, section: dict[str, Any], words: str) -> None:
    plant(
        here,
        {"run.yaml": {"benchmark": {"path": "claims"}, "submissions": {"path": "in"},
                      "judge": section}},
    )  # fmt: skip
    result = call("validate")
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.output.split())


# ---- money ---------------------------------------------------------------------------------------


def test_what_is_saved_is_said_in_money_or_as_unknown(here: Path) -> None:
    with FakeProvider() as server:
        configure(here, server, then_more={"prices": "prices.yaml"})
        configure(here, server, name="unpriced", more={"cache": {"path": "other"}})
        result = run("--no-report")
        assert run("--no-report", "--config", "unpriced.yaml").exit_code == 0
    told = figures(here)
    asked = told["second"] + told["audited"]
    assert told["spent_usd"] > 0
    assert told["saved_usd"] == pytest.approx(told["spent_usd"] / asked * told["first"])
    assert "money saved: about $" in result.output
    unknown = figures(here, "unpriced")
    assert unknown["spent_usd"] is None
    assert unknown["saved_usd"] is None


def test_plan_says_what_the_first_judge_would_answer_and_what_the_rest_costs(here: Path) -> None:
    with FakeProvider() as server:
        configure(here, server, audit=0.3, then_more={"prices": "prices.yaml"})
        result = call("plan")
        assert result.exit_code == 0, result.output
        assert not server.asked
        assert not (here / "out-run").exists()
        assert run("--no-report").exit_code == 0
        told = figures(here)
        assert f"first      {told['first']} of 48 are answered by the first judge" in result.output
        assert f"{told['audited']} more audit it" in result.output
        assert f"calls      {told['second'] + told['audited']}" in result.output
        assert "$" in result.output


def test_a_cap_holds_and_the_same_command_goes_on(here: Path) -> None:
    with FakeProvider() as server:
        configure(
            here, server, then_more={"prices": "prices.yaml", "max_output_tokens": 500,
                                     "concurrency": 1},
        )  # fmt: skip
        stopped = run("--no-report", "--max-cost", "0.03")
        assert stopped.exit_code == 3, stopped.output
        asked = len(server.asked)
        assert asked > 0
        assert run("--no-report").exit_code == 0
        told = figures(here)
        assert len(server.asked) == told["second"] > asked
    unpriced = {"kind": "openai", "model": "m", "base_url": server.url, "api_key_env": "none"}
    configure(here, None, then=unpriced, more={"max_cost": 1.0})
    assert call("validate").exit_code == 2


def test_a_calibration_of_one_judge_does_not_go_with_two(here: Path) -> None:
    with FakeProvider() as server:
        configure(here, server, more={"calibration": {"path": "calibration.json"}})
        result = call("validate")
    assert result.exit_code == 2
    assert "a cascade has two" in " ".join(result.output.split())


def test_an_exchange_may_be_the_second_judge(here: Path) -> None:
    configure(here, None, then={"kind": "exchange", "model": "who", "exchange": "exchange"})
    first = run("--no-report")
    assert first.exit_code == 3
    lines = (here / "exchange" / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    told = figures(here)
    assert len(lines) == 2 * PAPERS * CLAIMS - told["first"]
    absent = {"level": "0", "drift": "methodological", "failure": "missing", "citations": [],
              "expected": "x", "found": "", "rationale": "none", "confidence": 0.9,
              "lacking": []}  # fmt: skip
    answers = [
        json.dumps({"custom_id": json.loads(line)["custom_id"], "answer": absent}) for line in lines
    ]
    (here / "exchange" / "answers.jsonl").write_text("\n".join(answers), encoding="utf-8")
    assert run("--no-report").exit_code == 0
    assert {one.provenance.judge for one in verdicts(here).values()} == {
        "embedded", "exchange:who"
    }  # fmt: skip


def test_the_second_judge_may_be_asked_by_batch(here: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("SOME_KEY", "k")
    with FakeProvider() as server:
        configure(here, server, then_more={"api_key_env": "SOME_KEY"}, audit=0.2)
        result = call("batch", "submit")
        assert result.exit_code in {0, 3}, result.output
        sent = sum(len(batch["items"]) for batch in server.batches.made.values())
        collected = call("batch", "collect")
        assert collected.exit_code == 0, collected.output
    told = figures(here)
    assert sent == told["second"] + told["audited"]
    assert told["first"] > 0
    assert told["compared"] == told["audited"] > 0


# ---- the rule ------------------------------------------------------------------------------------


def test_a_level_on_the_labels_scale_is_not_called_the_first_judges_own() -> None:
    """Nearly all mass at .25: what the first judge calls .5 stands as .25, full marks do not."""
    made = rule(
        scale="labels", thresholds=(-4.0, 4.0, 5.0, 6.0), slopes=tuple(0.0 for _ in FEATURES)
    )
    cascade = Cascade(_NOBODY, made, made.points[0], 0.05, "conformal", 0.0, 0)
    cited = Citation(path="a.py", first=1, last=1, quote="x = 1", state=QuoteState.VERIFIED)
    fields: dict[str, Any] = {
        "submission": "a/p", "agent": "a", "paper": "p", "sau": "s", "dimension": "D1",
        "status": "graded", "citations": (cited,), "confidence": 0.5,
        "provenance": Provenance(judge="embedded", provider="embedded", judge_hash="1" * 12),
    }  # fmt: skip
    part = Verdict(level=2, drift="numerical", failure="incomplete", **fields)
    full = Verdict(level=4, drift="none", failure="none", **fields)
    fragment = Verdict(level=1, drift="numerical", failure="mismatch", **fields)
    notes = cascade.routes([part, full, fragment])
    assert [(one.route, one.said, one.level) for one in notes] == [
        ("first", 2, 1), ("second", 4, 4), ("first", 1, 1)
    ]  # fmt: skip
    moved = cascade.standing(part, notes[0])
    assert (moved.level, moved.confidence) == (1, None)
    assert MOVED in moved.flags
    kept = cascade.standing(fragment, notes[2])
    assert (kept.level, kept.confidence, kept.flags) == (1, 0.5, ())
    for one in (moved, kept):
        assert one.provenance.judge == "embedded on the labels' scale"
        assert one.provenance.judge_hash != "1" * 12
        assert Verdict.model_validate_json(one.model_dump_json()) == one


def test_a_rule_is_fitted_from_a_run_and_used(here: Path) -> None:
    """Labels by the second judge, from a run of it; the rule says what it promises."""
    absent = {"level": "0", "drift": "methodological", "failure": "missing", "citations": []}
    answers = [{"when": "momentum encoder|Beam search", "answer": absent}]
    with FakeProvider({"answers": answers}) as server:
        plain = {"kind": "openai", "model": "m", "base_url": f"{server.url}/v1",
                 "api_key_env": "none"}  # fmt: skip
        for name, judge in (("alone", plain), ("first", {"kind": "embedded"})):
            plant(
                here,
                {f"{name}.yaml": {
                    "benchmark": {"path": "claims"}, "submissions": {"path": "in"},
                    "output": {"path": f"out-{name}", "workers": 1}, "judge": judge}},
            )  # fmt: skip
            assert run("--no-report", "--config", f"{name}.yaml").exit_code == 0
        words = ("calibrate", "--cascade", "--run", "out-first", "--labels-from-run", "out-alone")
        result = call(*words, "--output", "few.json")
        assert result.exit_code == 2
        assert "needs 50 in 5" in result.output
        extra = [
            {"submission": f"{a}/paper0", "sau": "paper0-D1-000", "annotator": f"ann{n}",
             "kind": "person", "level": 4}
            for a in ("one", "two") for n in range(2)
        ]  # fmt: skip
        plant(here, {"labels.jsonl": "\n".join(map(json.dumps, extra)) + "\n"})
        result = call(*words, "--labels", "labels.jsonl", "--output", "fitted.json")
        assert result.exit_code == 0, result.output
        assert "answered, conformal bound" in result.output
        assert "wrote fitted.json" in result.output
        fitted = json.loads((here / "fitted.json").read_text(encoding="utf-8"))
        assert fitted["judge_hash"] == rule().judge_hash
        assert (fitted["labels"], fitted["papers"]) == (52, PAPERS)
        assert fitted["labels_of"]["openai:m"] == 48
        assert len(fitted["data"]) == 64
        assert "new paper" in fitted["meaning"]
        configure(here, server, rule="fitted.json", risk=0.2)
        asked = len(server.asked)
        assert run("--no-report").exit_code == 0
        assert figures(here)["first"] > 0
        assert len(server.asked) == asked  # the answers of the run alone are at hand
    again = call(*words[:2], "--run", "out-run", "--labels", "labels.jsonl", "--output", "x.json")
    assert again.exit_code == 2
    assert "is a cascade's" in " ".join(again.output.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--cascade",), "give --labels or --labels-from-run"),
        (("--cascade", "--labels", "l", "--loss", "wrong"), "choose cut or distance"),
        (("--labels", "l", "--loss", "cut"), "add --cascade"),
        (("--labels", "l", "--labels-from-run", "r"), "is for --cascade"),
    ],
)
def test_words_that_do_not_go_together(words: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(cli, ["calibrate", "--run", "r", "--output", "o", *words])
    assert result.exit_code == 2
    assert told in result.output
