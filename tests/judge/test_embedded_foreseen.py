"""Foreseeing published verdicts: what the published scorer would be shown, and what comes of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import InputError
from judge.config import load_config
from judge.embedded.distilling.learning import told
from judge.embedded.features import FEATURES
from judge.embedded.foreseen import JUDGES, level_of, load_foreseen, parse_foreseen, which
from judge.embedded.glimpse import GLIMPSE, measure_glimpse
from judge.embedded.survey import survey_of
from judge.models.embedded import EmbeddedJudge
from judge.protocol import Answer, Question
from retrieval.values import Evidence
from tests.judge.embedded_cases import TRAIN, index_of, sau

TEMPERATURE = sau("The contrastive loss uses a temperature of 0.07.")


def glimpse(root: Path, files: dict[str, Any], claim: str) -> dict[str, float]:
    return measure_glimpse(survey_of(index_of(root, files)), sau(claim))


def answer(root: Path, files: dict[str, Any], judge: EmbeddedJudge, claim: str) -> Answer:
    return judge.judge_here(
        Question("a/x", sau(claim), Evidence((), ""), index=index_of(root, files))
    )


# ---- what is shown -----------------------------------------------------------------------------


def test_the_eight_lines_about_the_best_match_are_seen(tmp_path: Path) -> None:
    found = glimpse(tmp_path, {"train.py": TRAIN}, TEMPERATURE.claim)
    assert list(found) == list(GLIMPSE)
    assert found["glimpse_values"] == 1
    assert found["glimpse_words"] == 1  # contrastive, loss and temperature
    assert found["glimpse_defines"] == 1
    assert found["claim_terms"] == 3
    assert found["claim_numbers"] == 1


def test_comments_are_shown_to_the_published_scorer_as_code_is(tmp_path: Path) -> None:
    files = {"train.py": "x = 1\n# the contrastive loss, its temperature 0.07\ny = 2\n"}
    found = glimpse(tmp_path, files, TEMPERATURE.claim)
    assert found["glimpse_words"] == found["glimpse_text_words"] == 1
    assert found["glimpse_code_words"] == found["glimpse_code_values"] == 0


def test_what_stands_more_than_eight_lines_apart_is_seen_in_two_windows(tmp_path: Path) -> None:
    apart = "temperature = 0.07\n" + "\n" * 20 + "contrastive_loss = temperature\n"
    found = glimpse(tmp_path, {"run.py": apart}, TEMPERATURE.claim)
    # A number speaks more for lines than a word.
    assert found["glimpse_values"] == found["second_same_file"] == found["both_words"] == 1
    assert found["glimpse_words"] == pytest.approx(1 / 3)
    assert found["second_words"] == 1
    assert found["second_values"] == 0


def test_documents_and_tests_are_never_shown(tmp_path: Path) -> None:
    files = {
        "README.md": TEMPERATURE.claim,
        "test_it.py": "temperature = 0.07\n",
        "src/tests/it.py": "temperature = 0.07\n",
        "run.py": "pass\n",
    }
    found = glimpse(tmp_path, files, TEMPERATURE.claim)
    assert math.isnan(found["glimpse_words"])
    assert math.isnan(found["lines_hit"])
    assert found["claim_terms"] == 3


def test_windows_do_not_cross_files(tmp_path: Path) -> None:
    files = {"a.py": "temperature = 1\n", "b.py": "contrastive = 0.07\n"}
    found = glimpse(tmp_path, files, TEMPERATURE.claim)
    assert max(found["glimpse_words"], found["second_words"]) < 0.5
    assert found["both_words"] > 0.5


WRITTEN = st.text("ab_+-.059 eλβ²×#\n'\"():=", max_size=120)


@settings(max_examples=25)
@given(WRITTEN, WRITTEN, WRITTEN)
def test_whatever_is_written_shares_are_shares(
    tmp_path_factory: pytest.TempPathFactory, claim: str, code: str, other: str
) -> None:
    root = tmp_path_factory.mktemp("repo")
    found = glimpse(root, {"a.py": code, "config.yaml": other}, claim)
    for name, value in found.items():
        if name.endswith(("words", "values", "rare", "path", "file", "defines")):
            assert math.isnan(value) or 0 <= value <= 1, name


# ---- what comes of it --------------------------------------------------------------------------


@pytest.mark.parametrize("judge", JUDGES)
def test_an_answer_says_whose_level_it_is_and_that_it_is_foreseen(
    tmp_path: Path, judge: str
) -> None:
    given = answer(tmp_path, {"train.py": TRAIN}, EmbeddedJudge(judge), TEMPERATURE.claim)
    said = json.loads(given.text)["rationale"]
    assert judge in said.partition(".")[0] + "." + said.partition(".")[2].partition(".")[0]
    assert "foreseen" in said
    assert given.odds is not None
    assert given.odds.probabilities is not None
    assert sum(given.odds.probabilities) == pytest.approx(1)
    assert min(given.odds.probabilities) >= 0


def test_its_verdicts_are_kept_apart_from_those_by_the_rubric() -> None:
    own, other, third = EmbeddedJudge(), EmbeddedJudge("gpt-5.5"), EmbeddedJudge(JUDGES[0])
    assert own.name == "embedded"
    assert len({own.name, other.name, third.name}) == 3
    assert len({json.dumps(dict(one.identity())) for one in (own, other, third)}) == 3
    assert {own.provider, other.provider} == {"embedded"}


def test_comments_move_what_is_foreseen_and_no_level_by_the_rubric(tmp_path: Path) -> None:
    bare = {"train.py": "def run(model):\n    return model\n\n\nrun(1)\n"}
    noted = {"train.py": bare["train.py"] + f"# {TEMPERATURE.claim}\n" * 3}
    moved = {}
    for judge in (EmbeddedJudge(), EmbeddedJudge("gpt-5.5")):
        before, after = (
            answer(tmp_path / f"{judge.name}-{n}", files, judge, TEMPERATURE.claim).odds
            for n, files in enumerate((bare, noted))
        )
        assert before is not None
        assert after is not None
        assert before.expected_level is not None
        assert after.expected_level is not None
        moved[judge.name] = after.expected_level - before.expected_level
    assert abs(moved["embedded"]) < 0.05
    assert moved["embedded, foreseeing gpt-5.5"] > 0.3


def test_the_product_walks_the_trees_as_the_fit_does() -> None:
    foreseen = load_foreseen()
    names = [*FEATURES, *GLIMPSE, *which(JUDGES[0])]
    assert list(foreseen.forests[0].features) == names
    path = Path(measure_glimpse.__code__.co_filename).with_name("foreseen.json")
    record = json.loads(path.read_text(encoding="utf-8"))
    random = np.random.default_rng(0)
    table = random.normal(size=(20, len(names)))
    table[random.random(table.shape) < 0.2] = math.nan
    for forest, level in zip(foreseen.forests, record["levels"], strict=True):
        for row, score in zip(table, told(level, table), strict=True):
            assert forest.score(dict(zip(names, row.tolist(), strict=True))) == pytest.approx(score)


def test_the_chances_fall_with_the_level_for_any_features() -> None:
    foreseen = load_foreseen()
    random = np.random.default_rng(1)
    for _ in range(50):
        row = random.normal(scale=5, size=len(foreseen.forests[0].features))
        features = dict(zip(foreseen.forests[0].features, row.tolist(), strict=True))
        outcome = foreseen.outcome(features, JUDGES[0])
        assert min(outcome.chances) >= 0
        assert sum(outcome.chances) == pytest.approx(1)
        assert outcome.score == pytest.approx(outcome.expected)
        assert abs(level_of(outcome) - outcome.expected) <= 0.5


def test_a_file_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="four levels"):
        parse_foreseen({"version": "x", "features": [], "levels": []}, "")


# ---- how it is asked for -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "wrong"),
    [
        ("{kind: openai, model: m, foresee: gpt-5.5}", "foresee"),
        ("{kind: embedded, foresee: gpt-4o}", "foresee"),
        (
            "{kind: cascade, first: {kind: embedded, foresee: gpt-5.5}, "
            "then: {kind: openai, model: m}, rule: rule.json}",
            "foresee",
        ),
    ],
)
def test_it_is_asked_for_of_the_embedded_judge_alone(
    tmp_path: Path, section: str, wrong: str
) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(f"benchmark: {{path: suite}}\njudge: {section}\n", encoding="utf-8")
    with pytest.raises(InputError, match=wrong):
        load_config(file)


def test_a_configuration_makes_the_judge_that_foresees(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(
        "benchmark: {path: suite}\njudge: {kind: embedded, foresee: gpt-5.5}\n", encoding="utf-8"
    )
    assert load_config(file).judge.settings().foresee == "gpt-5.5"
