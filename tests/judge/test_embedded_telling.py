"""The words of the embedded judge's verdicts: short, in the claim's words, and with their lines."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Dimension, Failure, Level, Sau
from judge.embedded.citing import citations, has_proof
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.phrasing import listed, phrases, telling_words, value_label
from judge.embedded.points import Kind, points_of
from judge.embedded.survey import survey_of
from retrieval.index import Index
from retrieval.reading import read_repository
from tests.judge.embedded_cases import SUITE, TRAIN, answer_text, index_of, sau, suite_claims

PLACE = re.compile(r"([\w./-]+\.(?:py|sh|yaml|toml|json|txt|ini|cfg)):(\d+)")


def record_of(root: Path, claim: Sau, code: str = TRAIN) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(answer_text(index_of(root, {"train.py": code}), claim))
    return record


def index_of_folder(root: Path) -> Index:
    return Index.build(read_repository(root))


# ---- the claim's own words -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "labels"),
    [
        ("A learning rate of 3e-4, weight decay 0.05", ("learning rate 3e-4", "weight decay 0.05")),
        ("batch_size=64, lr=2e-7", ("batch_size 64", "lr 2e-7")),
        ("250 valid trajectories of each regime", ("250 valid trajectories",)),
        ("Trained for 100 million transitions", ("100 million transitions",)),
        ("4,060B tokens, and 60 seeds", ("4,060B tokens", "60 seeds")),
        ("The OLMo's 1e-5 was halved", ("1e-5",)),
        ("total_experts=128, head_dim=128", ("128",)),  # two things have it
        ("The architecture, which is said in (3), has depth 12", ("depth 12",)),
    ],
)  # fmt: skip
def test_a_value_is_named_as_the_claim_names_it(
    tmp_path: Path, claim: str, labels: tuple[str, ...]
) -> None:
    parts = claim_of(sau(claim))
    found = look(survey_of(index_of(tmp_path, {"train.py": TRAIN})), parts)
    told = [value_label(parts, value) for value in found.values]
    assert [label for label in labels if label not in told] == []


def test_no_word_is_told_that_its_claim_does_not_have(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"train.py": TRAIN})
    for paper in ("dropout", "ppo", "transformer"):
        for claim in suite_claims(paper):
            parts = claim_of(claim)
            for word in telling_words(parts, look(survey_of(index), parts)):
                assert word.concept.text in claim.claim


def test_idle_words_are_not_told(tmp_path: Path) -> None:
    claim = sau("First, the final policy L maps back to the next Boxoban level.", "D2")
    record = record_of(tmp_path, claim)
    assert "Boxoban" in record["found"]
    for word in ("First", "final", "back", "next"):
        assert not re.search(rf"\b{word}\b", record["found"] + record["expected"])


def test_words_side_by_side_are_told_as_one() -> None:
    text = "Corridor Length experiment: the corridor of an agent's ground-truth path"
    assert phrases(text, ["truth", "Length", "Corridor", "path"]) == [
        "truth path",
        "Corridor Length",
    ]
    assert phrases(text, ["ground", "truth", "agent"]) == ["ground-truth", "agent"]
    assert phrases(text, []) == []


@given(st.lists(st.from_regex(r"\A[a-z]{1,8}\Z"), max_size=12), st.integers(1, 8))
def test_a_list_tells_of_every_part(parts: list[str], most: int) -> None:
    text = listed(parts, most)
    rest = re.search(r" and (\d+) more\Z", text)
    shown = re.split(r", | and ", text[: rest.start()] if rest else text) if text else []
    assert shown == parts[: len(shown)]
    assert len(shown) + (int(rest[1]) if rest else 0) == len(parts)
    assert rest is None or int(rest[1]) > 1


# ---- order and truth -----------------------------------------------------------------------------


def test_a_wrong_value_comes_first_with_both_values_and_its_line(tmp_path: Path) -> None:
    claim = sau("Adam has learning rate 1e-4 and weight decay 0.2 and a Mamba encoder.")
    record = record_of(tmp_path, claim)
    first = record["rationale"].split(". ")[0]
    assert "weight_decay = 0.05` at train.py:14, against the claimed weight decay 0.2" in first
    assert record["found"].startswith("0.2: not found, weight_decay is 0.05 at train.py:14")
    assert record["citations"][0]["first"] == 14


def test_what_is_missing_is_told_by_its_most_telling_words(tmp_path: Path) -> None:
    claim = sau("The DreamerV3 agent plays Boxoban levels from back to front.", "D3")
    record = record_of(tmp_path, claim)
    assert record["level"] == "0"
    assert record["rationale"].startswith("Looked for and found nowhere: ")
    assert {"DreamerV3", "Boxoban"} <= set(re.findall(r"\w+", record["rationale"].split(".")[0]))


def test_a_faithful_claim_is_told_by_what_stands(tmp_path: Path) -> None:
    record = record_of(tmp_path, sau("Adam is used with a learning rate of 1e-4."))
    assert record["level"] == "1"
    assert record["rationale"].startswith("`optimizer = Adam(")
    assert "nothing overrides it" in record["rationale"]
    assert record["rationale"].endswith("what the claim means was not read.")
    assert record["found"].startswith("stands: learning rate 1e-4 (train.py:14)")


def test_what_does_not_act_is_told_with_its_reason(tmp_path: Path) -> None:
    code = TRAIN.replace(
        "\n\nif __name__",
        "\n\ndef cutmix_patches(images, alpha=0.3):\n"
        "    lam = np.random.beta(alpha, alpha)\n"
        "    return lam * images + (1 - lam) * images.flip(0)\n\n\nif __name__",
    )
    claim = sau("CutMix patches mix the images with a Beta(alpha, alpha) draw, alpha = 0.3", "D2")
    record = record_of(tmp_path, claim, code)
    assert record["failure"] == "unreachable"
    line = code.splitlines().index("def cutmix_patches(images, alpha=0.3):") + 1
    assert (
        f"`cutmix_patches` at train.py:{line}, which matches, is reached by no run"
        in (record["rationale"])
    )
    assert line in {cited["first"] for cited in record["citations"]}


def test_a_name_that_only_may_be_the_word_is_not_said_to_stand(tmp_path: Path) -> None:
    record = record_of(tmp_path, sau("The encoder is trained with AdamW.", "D2"))
    assert "AdamW (" not in record["found"]
    assert "AdamW on line" not in record["rationale"]


def test_a_value_is_not_called_what_its_line_does_not_call_it(tmp_path: Path) -> None:
    code = "split_ratio = 0.2\nwarmup_ratio = 0.1\nprint(split_ratio, warmup_ratio)\n"
    record = record_of(tmp_path, sau("clip_ratio=0.2 and warmup_ratio=0.1"), code)
    assert "clip_ratio 0.2" in record["expected"]
    assert "clip_ratio 0.2 (" not in record["found"]
    assert "warmup_ratio 0.1 (train.py:2)" in record["found"]
    assert record["citations"][0]["first"] == 2


def test_values_that_do_not_act_for_one_reason_are_told_together(tmp_path: Path) -> None:
    code = (
        TRAIN
        + "\n\ndef other(mask_ratio=0.75, drop_path=0.15):\n    return mask_ratio, drop_path\n"
    )
    record = record_of(tmp_path, sau("Masks have mask_ratio=0.75 and drop_path=0.15."), code)
    line = len(code.splitlines()) - 1
    told = f"0.75 and 0.15 at train.py:{line} are without effect: no run comes there"
    assert told in record["rationale"]


# ---- citations -----------------------------------------------------------------------------------

FOLDERS = ("drifted/dropout", "faithful/ppo", "stubbed/simclr", "unused/transformer")


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_text_is_short_and_the_lines_that_it_speaks_of_are_cited_first(folder: str) -> None:
    root = SUITE / "submissions" / folder / "repo"
    index = index_of_folder(root)
    for claim in suite_claims(folder.split("/")[1]):
        record = json.loads(answer_text(index, claim))
        text = record["found"] + record["rationale"]
        assert len(record["found"]) < 900
        assert len(record["rationale"]) < 1200
        assert len(record["expected"].split("; ")) <= 8
        assert not re.search(r"\b1 (?:steps|lines|files)\b", text)
        for path, number in PLACE.findall(text):
            assert index.lines(path)[int(number) - 1].strip()
        told = [_is_told(text, cited["path"], cited["first"]) for cited in record["citations"]]
        # What the text speaks of is cited first, and behind it where else to look.
        assert told[:1] != [False] or not any(told), (claim.id, record["citations"], text)
        assert len(told) <= 5


def _is_told(text: str, path: str, line: int) -> bool:
    if path in text and re.search(rf"\bon line {line}\b", text):
        return True
    # What stands in place of a body is cited with the head that is told.
    return any(
        own == path and 0 <= line - int(number) <= _BODY for own, number in PLACE.findall(text)
    )


_BODY = 6


def test_whether_a_line_can_be_cited_is_what_bounds_the_level() -> None:
    for folder in FOLDERS:
        index = index_of_folder(SUITE / "submissions" / folder / "repo")
        survey = survey_of(index)
        for claim in suite_claims(folder.split("/")[1]):
            found = look(survey, claim_of(claim))
            assert has_proof(survey, found) == bool(citations(survey, found, [], []))
            record = json.loads(answer_text(index, claim))
            assert record["level"] == "0" or record["citations"]


def test_claims_of_one_dimension_are_told_alike_whatever_their_dimension_is(tmp_path: Path) -> None:
    """The words depend on what was found, not on the axis."""
    for dimension in Dimension:
        record = record_of(tmp_path / dimension.value, sau("Weight decay is 0.05", dimension.value))
        assert "weight decay 0.05 (train.py:14)" in record["found"].casefold()


def test_an_order_that_did_not_decide_is_not_told_against_a_claim_that_is_met() -> None:
    index = index_of_folder(SUITE / "submissions" / "faithful" / "adam" / "repo")
    (own,) = (each for each in suite_claims("adam") if each.id == "adam-D4-001")
    survey, claim = survey_of(index), claim_of(own)
    found = look(survey, claim)
    assert found.order is not None
    assert found.order < 1
    told = {
        level: [
            point
            for point in points_of(survey, claim, found, [], level=level, failure=Failure.NONE)
            if "steps were found" in point.text
        ]
        for level in (Level.MINOR, Level.FAITHFUL)
    }
    (half,), (met,) = told[Level.MINOR], told[Level.FAITHFUL]
    assert half.kind is Kind.AGAINST
    assert "keep the stated order only in part" in half.text
    assert met.kind is Kind.STANDS
    assert "their lines alone do not show the order" in met.text
    assert met.lines == half.lines


@pytest.mark.parametrize(
    "word", ["carefully", "resulting", "respectively", "thoroughly", "leveraging", "leverages"]
)
def test_no_program_is_said_to_lack_words_of_prose(tmp_path: Path, word: str) -> None:
    claim = f"The {word} contrastive loss, {word}, is divided by a temperature of 0.5"
    answer = record_of(tmp_path, sau(claim))
    assert word not in answer["found"]
    assert word not in answer["rationale"]
    assert "0.5" in answer["rationale"]


def test_words_of_methods_are_said_to_lack(tmp_path: Path) -> None:
    claim = "The temperature decays uniformly, and gradients are carefully clipped by a quantile"
    answer = record_of(tmp_path, sau(claim, "D2"))
    assert "quantile" in answer["found"]
    assert "uniformly" in answer["found"]
    assert "carefully" not in answer["found"]


def test_an_operation_that_is_missing_is_told_once(tmp_path: Path) -> None:
    answer = record_of(tmp_path, sau("Gradients are clipped at each step", "D2"))
    assert "clipped" in answer["found"]
    assert "clipping" not in answer["found"]
