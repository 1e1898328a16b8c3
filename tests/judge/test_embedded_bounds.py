"""The bounds that rules set, each with and without what sets it; and the two kinds of trees."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark import Level
from judge.embedded.features import features_of
from judge.embedded.looking import Findings, look
from judge.embedded.model import TERSE, WORDS, Model, load_model, parse_model, share_of_long
from judge.embedded.named_steps import Absent
from judge.embedded.parts import Claim, claim_of
from judge.embedded.rules import ceiling, floor
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import TRAIN, index_of, sau

TEXT = "The contrastive loss divides the logits by a temperature"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> tuple[Claim, dict[str, float], Findings]:
    survey = survey_of(index_of(tmp_path_factory.mktemp("x"), {"train.py": TRAIN}))
    claim = claim_of(sau(TEXT, "D2"))
    found = look(survey, claim)
    assert not found.unknown
    assert not found.absent
    return claim, dict(features_of(survey, claim, found)), found


def _ceiling(
    seen: tuple[Claim, dict[str, float], Findings],
    found: Findings | None = None,
    **features: float,
) -> Level:
    claim, known, own = seen
    return ceiling(claim, {**known, **features}, found or own, proof=True)


SHORT, LONG = math.log1p(9), math.log1p(30)


@pytest.mark.parametrize(
    ("words", "feature", "within", "beyond"),
    [
        (SHORT, "idle_better", 0.14, 0.16),
        (SHORT, "match_live", 0.21, 0.19),
        (LONG, "idle_better", 0.04, 0.06),
        (LONG, "match_live", 0.41, 0.39),
    ],
)
def test_what_hardly_acts_is_half_done_at_most(
    seen: tuple[Claim, dict[str, float], Findings],
    words: float,
    feature: str,
    within: float,
    beyond: float,
) -> None:
    acting = {"claim_words": words, "match_stub": 0.0, "stub_match": 0.0, "match_live": 1.0}
    acting |= {"idle_better": 0.0, "words_live": 0.9}
    assert _ceiling(seen, None, **acting) is Level.FAITHFUL
    assert _ceiling(seen, None, **{**acting, feature: within}) is Level.FAITHFUL
    assert _ceiling(seen, None, **{**acting, feature: beyond}) is Level.PARTIAL


def test_a_short_claim_is_not_bound_by_few_of_its_words(
    seen: tuple[Claim, dict[str, float], Findings],
) -> None:
    few = {"match_live": 1.0, "match_stub": 0.0, "idle_better": 0.0, "words_live": 0.11}
    assert _ceiling(seen, None, claim_words=SHORT, **few) is Level.FAITHFUL
    assert _ceiling(seen, None, claim_words=LONG, **few) is Level.PARTIAL


@pytest.mark.parametrize("missing", ["unknown", "absent"])
def test_a_missing_name_or_step_leaves_half(
    seen: tuple[Claim, dict[str, float], Findings], missing: str
) -> None:
    _, _, found = seen
    changed: dict[str, Any] = {missing: ("GSM-8K",)}
    assert _ceiling(seen) is Level.FAITHFUL
    assert _ceiling(seen, replace(found, **changed)) is Level.PARTIAL
    changed[missing] = ()
    assert _ceiling(seen, replace(found, **changed)) is Level.FAITHFUL


@pytest.mark.parametrize(
    ("whole", "rival", "highest", "lowest"),
    [
        (True, "", Level.FRAGMENT, Level.ABSENT),
        (True, "nn.GELU", Level.FRAGMENT, Level.FRAGMENT),
        (False, "nn.GELU", Level.PARTIAL, Level.ABSENT),
        (False, "", Level.FAITHFUL, Level.ABSENT),
    ],
)
def test_a_missing_core_leaves_a_fragment(
    seen: tuple[Claim, dict[str, float], Findings],
    whole: bool,
    rival: str,
    highest: Level,
    lowest: Level,
) -> None:
    _, _, found = seen
    missed = (Absent("SwiGLU", whole, rival, 0 if rival else -1),)
    lacking = replace(found, method=replace(found.method, missed=missed))
    assert _ceiling(seen, lacking) is highest
    assert floor(lacking) is lowest


def test_an_absent_name_lowers_the_level_of_a_whole_verdict(tmp_path: Path) -> None:
    """With the rule the level keeps to its bound whatever the trees say."""
    survey = survey_of(index_of(tmp_path, {"train.py": TRAIN}))
    claim = claim_of(sau("The contrastive loss is trained on the GSM-8K dataset", "D2"))
    found = look(survey, claim)
    features = features_of(survey, claim, found)
    assert found.unknown == ("GSM-8K",)
    assert ceiling(claim, features, found, proof=True) is Level.PARTIAL
    held = ceiling(claim, features, replace(found, unknown=()), proof=True)
    assert held is Level.FAITHFUL


# ---- the two kinds of trees ----------------------------------------------------------------------

LOW, HIGH = TERSE


@pytest.mark.parametrize(
    ("words", "share"),
    [
        (0.0, 0.0),
        (LOW, 0.0),
        (LOW + (HIGH - LOW) / 4, 0.25),
        ((LOW + HIGH) / 2, 0.5),
        (HIGH, 1.0),
        (9.0, 1.0),
    ],
)
def test_long_claims_go_by_the_trees_of_long_ones(words: float, share: float) -> None:
    assert share_of_long(words) == pytest.approx(share)


def _lone(value: float) -> dict[str, Any]:
    """Trees that give every claim the same score."""
    leaf = {"feature": [-1], "threshold": [0.0], "missing_left": [0], "left": [0]}
    return {"base": 0.0, "trees": [{**leaf, "value": [value]}]}


def _of_two(long: float, terse: float) -> Model:
    return parse_model(
        {
            "version": "two",
            "features": [WORDS],
            **_lone(long),
            "terse": _lone(terse),
            "slopes": {"score": {"slope": 1.0, "neutral": 0.0, "spread": 1.0}},
            "thresholds": [-2, -1, 1, 2],
            "cuts": [0.5, 1.5, 2.5, 3.5],
        },
        "0",
    )


@pytest.mark.parametrize(
    ("words", "score"),
    [(1.0, -4.0), (LOW, -4.0), (LOW + (HIGH - LOW) / 4, -2.0), (HIGH, 4.0), (5.0, 4.0)],
)
def test_between_the_two_kinds_the_score_goes_over(words: float, score: float) -> None:
    model = _of_two(4.0, -4.0)
    assert model.score({WORDS: words}) == pytest.approx(score)
    assert model.outcome({WORDS: words}).score == pytest.approx(score)


def test_the_shipped_trees_are_of_two_kinds(
    seen: tuple[Claim, dict[str, float], Findings],
) -> None:
    model, (_, known, _) = load_model(), seen
    short, long = ({**known, WORDS: words} for words in (1.0, 4.0))
    assert model.score(short) == model.terse.score(short) != model.forest.score(short)
    assert model.score(long) == model.forest.score(long) != model.terse.score(long)


def test_a_numerical_claim_of_which_no_number_stands_is_half_done_at_most(tmp_path: Path) -> None:
    code = TRAIN.replace("lr=1e-4, weight_decay=0.05", "lr=rate(), weight_decay=decay()")
    for claim, highest in (
        ("Adam's learning rate is 3e-4.", Level.PARTIAL),
        ("Adam moves the weights.", Level.FAITHFUL),
    ):
        survey = survey_of(index_of(tmp_path / claim[:8], {"train.py": code}))
        asked = claim_of(sau(claim, "D1"))
        found = look(survey, asked)
        features = features_of(survey, asked, found)
        assert ceiling(asked, features, found, proof=True) is highest


def test_a_dead_helper_does_not_take_a_live_value_back(tmp_path: Path) -> None:
    helpers = (
        "def count_weight_decay(weights):\n    decay = 0\n    for weight in weights:\n"
        "        decay += weight.decay\n    weight_decay = decay\n    return weight_decay\n"
    )
    survey = survey_of(index_of(tmp_path, {"train.py": TRAIN, "helpers.py": helpers}))
    asked = claim_of(sau("Weight decay is 0.05.", "D1"))
    found = look(survey, asked)
    features = features_of(survey, asked, found)
    features |= {"idle_better": 0.5, "match_live": 0.1}
    assert ceiling(asked, features, found, proof=True) is Level.FAITHFUL
    wrong = claim_of(sau("Weight decay is 0.5.", "D1"))
    found = look(survey, wrong)
    assert ceiling(wrong, features, found, proof=True) <= Level.PARTIAL
