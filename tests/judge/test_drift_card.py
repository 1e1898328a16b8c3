"""The score card: what counts as seen, named, located, unseen, and as a false alarm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="drift needs the extra of that name")

from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from benchmark.nouns import Drift, Failure, Label, Level
from judge.drift_card.card import rate, score_card, wilson
from judge.drift_card.command import drift
from judge.drift_card.pairs import Pair, Unjudged
from judge.drift_card.showing import write_card

LINES = (("a.py", 10, 12),)


def pair(
    *,
    kind: str = "drift",
    operator: str = "wrong_axis",
    repo: str = "r",
    before: int = 4,
    after: int = 2,
    drift: Drift = Drift.METHODOLOGICAL,
    failure: Failure = Failure.MISMATCH,
    cited: tuple[tuple[str, int, int], ...] = (("a.py", 12, 20),),
    shown: bool | None = True,
) -> Pair:
    label = Label(
        "s", "r-D2-1", "operator", "author", Level.PARTIAL, Drift.METHODOLOGICAL,
        Failure.MISMATCH, LINES,
    )  # fmt: skip
    return Pair(
        kind, operator, "s", "r-D2-1", repo, label, "changed", before, after, drift, failure,
        cited, shown,
    )  # fmt: skip


def test_a_fall_is_seen_and_its_name_and_place_are_checked() -> None:
    card = score_card(
        [
            pair(),
            pair(drift=Drift.NUMERICAL, failure=Failure.STUB, cited=(("a.py", 1, 9),)),
            pair(after=4),
            pair(after=4, shown=False),
            pair(before=1, after=1, shown=None),
        ],
        [Unjudged("drift", "wrong_axis", "t", "error after the change: timeout: 3 s")],
        judge="j",
        facts={},
    )
    line = card.overall
    assert (line.n, line.unjudged) == (5, 1)
    assert (line.detected.hits, line.detected.n) == (2, 5)
    assert (line.detected_of_accepted.hits, line.detected_of_accepted.n) == (2, 4)
    assert (line.category.hits, line.category.n) == (1, 2)
    assert (line.failure.hits, line.failure.n) == (1, 2)
    assert (line.localised.hits, line.localised.n) == (1, 2)
    assert (line.unseen.hits, line.unseen.n) == (1, 2)
    assert (line.exact.hits, line.exact.n) == (2, 5)
    assert len(card.missed) == 3
    assert [line.name for line in card.dimensions] == ["D2"]


def test_quiet_changes_count_the_harmful_way_apart() -> None:
    card = score_card(
        [
            pair(kind="variant", operator="v", before=4, after=3),
            pair(kind="variant", operator="v", before=2, after=3),
            pair(kind="variant", operator="v", before=4, after=4),
            pair(kind="attack", operator="a", before=2, after=4),
            pair(kind="attack", operator="a", before=2, after=1),
            pair(kind="attack", operator="a", before=4, after=4),
        ],
        [],
        judge="j",
        facts={},
    )
    everything, kind = card.variants
    assert everything.wrong.hits == kind.wrong.hits == 1
    assert everything.moved.hits == 2
    assert (card.attacks[0].wrong.hits, card.attacks[0].moved.hits) == (1, 2)
    # Nothing can lift what is at the top already.
    assert (card.attacks[0].wrong.n, card.attacks[0].moved.n) == (2, 3)
    assert (len(card.alarms), len(card.fooled)) == (1, 1)
    assert card.overall.detected.value is None


def test_wilson_is_the_published_interval() -> None:
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 and 0 of 20.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


@given(st.lists(st.tuples(st.sampled_from("abcdefghij"), st.booleans()), min_size=1, max_size=80))
def test_an_interval_holds_its_rate(outcomes: list[tuple[str, bool]]) -> None:
    found = rate(outcomes)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 1
    assert found.by in {"wilson", "repositories"}


def test_repositories_are_resampled_where_they_are_enough_and_differ() -> None:
    few = [(r, r == "a") for r in "abcdefg" for _ in range(20)]
    enough = [(r, r in "abc") for r in "abcdefghi" for _ in range(20)]
    assert rate(few).by == "wilson"
    clustered = rate(enough)
    assert clustered.by == "repositories"
    independent = wilson(clustered.hits, clustered.n)
    assert clustered.low is not None
    assert clustered.low < independent[0]


def test_no_pairs_have_no_rate() -> None:
    assert rate([]).value is None


def test_the_page_shows_hostile_names_as_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    card = score_card([pair(operator=evil, after=4)], [], judge=evil, facts={})
    write_card(card, tmp_path / "card.json", tmp_path / "report" / "drift.html")
    page = (tmp_path / "report" / "drift.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))["judge"] == evil


CODE = """\
import torch


def train(model, loader, optimizer, clip_norm=0.5, epochs=20):
    for epoch in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip_norm)
            optimizer.step()
    return model


train(net, data, torch.optim.Adam(net.parameters(), lr=0.003))
"""


def test_inject_run_and_score_from_the_command_line(tmp_path: Path) -> None:
    from judge.cli import cli

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "main.py").write_text(CODE, encoding="utf-8")
    runner = CliRunner()
    out = tmp_path / "set"
    injected = runner.invoke(
        drift,
        [
            "inject", "--repo", str(tmp_path / "mine"), "--output", str(out),
            "--operator", "order_of_magnitude", "--operator", "body_not_implemented",
            "--variants", "3", "--attacks", "2",
        ],
    )  # fmt: skip
    assert injected.exit_code == 0, injected.output
    ran = runner.invoke(cli, ["run", "--config", str(out / "run.yaml"), "--quiet", "--no-report"])
    assert ran.exit_code == 0, ran.output
    scored = runner.invoke(drift, ["score", "--run", str(out / "run")])
    assert scored.exit_code == 0, scored.output
    card = json.loads((out / "run" / "drift-card.json").read_text(encoding="utf-8"))
    assert card["judge"] == "embedded"
    assert card["overall"]["unjudged"] == 0
    assert {line["name"] for line in card["operators"]} == {
        "order_of_magnitude",
        "body_not_implemented",
    }
    assert card["variants"][0]["n"] == 3
    assert (out / "run" / "report" / "drift.html").is_file()
    index = (out / "run" / "report" / "index.html").read_text(encoding="utf-8")
    assert 'href="drift.html"' in index
    (out / "drift.json").unlink()
    lost = runner.invoke(drift, ["score", "--run", str(out / "run")])
    assert lost.exit_code == 2
    assert "--set" in lost.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing to mutate"),
        (["--repo", "x", "--anchors", "a.jsonl"], "belong together"),
        (["--repo", "x", "--suite"], "stands alone"),
        (["--repo", "x"], "no folder x"),
    ],
)
def test_a_wrong_command_line_says_what_to_do(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(drift, ["inject", "--output", "out", *words])
    assert result.exit_code == 2
    assert said in result.output


def test_the_list_names_every_kind() -> None:
    result = CliRunner().invoke(drift, ["list"])
    assert result.exit_code == 0
    for name in ("loss_term_dropped", "locals_renamed", "injected_instruction"):
        assert name in result.output
