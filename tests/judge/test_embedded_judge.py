"""The embedded judge as a run meets it: its answers, their proof, and what they depend on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark import Drift, Failure, Level
from judge.models.embedded import EmbeddedJudge
from judge.protocol import AnswerError, LocalJudge, Question
from judge.verdict import QuoteState, Status
from prompts.schema import LEVEL_WORDS
from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.values import Evidence
from tests.judge.embedded_cases import (
    JUDGE,
    SUITE,
    TRAIN,
    answer_text,
    index_of,
    judged,
    sau,
    suite_claims,
)

FITTED = ("adam", "ddpm", "kfold", "lora")
RATE = sau("The encoder is trained by Adam with a learning rate of 1e-4.")


@pytest.fixture(scope="module")
def levels() -> dict[tuple[str, str], list[Level]]:
    """Levels of the fitted half of the built-in suite; every answer passes the checks."""
    found: dict[tuple[str, str], list[Level]] = {}
    for outcome, paper, index in _suite():
        own = found.setdefault((outcome, paper), [])
        for claim in suite_claims(paper):
            parsed, checked = judged(index, claim)
            assert checked.status is Status.GRADED, (claim.id, checked.reason)
            assert all(c.state is QuoteState.VERIFIED for c in checked.citations)
            assert parsed.expected
            assert parsed.rationale
            assert checked.level is not None
            own.append(checked.level)
    return found


def _suite() -> Iterator[tuple[str, str, Index]]:
    for outcome in ("faithful", "drifted", "unused", "stubbed"):
        for paper in FITTED:
            root = SUITE / "submissions" / outcome / paper / "repo"
            yield outcome, paper, Index.build(read_repository(root))


def _mean(levels: dict[tuple[str, str], list[Level]], outcome: str) -> float:
    own = [level for (name, _), row in levels.items() if name == outcome for level in row]
    return sum(own) / len(own)


def test_the_suite_comes_out_in_order(levels: dict[tuple[str, str], list[Level]]) -> None:
    faithful, drifted, unused, stubbed = (
        _mean(levels, name) for name in ("faithful", "drifted", "unused", "stubbed")
    )
    assert faithful > drifted + 0.2 > unused + 0.2
    assert drifted > stubbed + 0.4


def test_most_faithful_claims_are_read_as_such(
    levels: dict[tuple[str, str], list[Level]],
) -> None:
    own = [level for (name, _), row in levels.items() if name == "faithful" for level in row]
    assert sum(level >= Level.MINOR for level in own) > len(own) / 2


def test_it_is_a_judge_that_computes_here() -> None:
    assert isinstance(JUDGE, LocalJudge)
    assert JUDGE.identity() == EmbeddedJudge().identity()
    assert JUDGE.identity()["weights"]


def test_the_same_question_gets_the_same_answer(tmp_path: Path) -> None:
    one = answer_text(index_of(tmp_path, {"train.py": TRAIN}), RATE)
    again = Index.build(read_repository(tmp_path))
    assert answer_text(again, RATE) == one


def test_the_chances_of_all_levels_go_with_the_answer(tmp_path: Path) -> None:
    question = Question(
        "a/x", RATE, Evidence((), ""), index=index_of(tmp_path, {"train.py": TRAIN})
    )
    answer = JUDGE.judge_here(question)
    assert answer.odds is not None
    assert answer.odds.probabilities is not None
    assert sum(answer.odds.probabilities) == pytest.approx(1, abs=1e-9)
    mean = sum(level * chance for level, chance in enumerate(answer.odds.probabilities))
    assert answer.odds.expected_level == pytest.approx(mean, abs=1e-3)
    record = json.loads(answer.text)
    level = list(LEVEL_WORDS).index(record["level"])
    assert record["confidence"] == pytest.approx(answer.odds.probabilities[level], abs=1e-3)


def test_without_an_index_there_is_no_answer() -> None:
    with pytest.raises(AnswerError, match="no_index"):
        JUDGE.judge_here(Question("a/x", RATE, Evidence((), "")))


def test_a_claim_without_a_word_to_search_for_is_not_judged(tmp_path: Path) -> None:
    parsed, checked = judged(index_of(tmp_path, {"train.py": TRAIN}), sau("It is as it was."))
    assert parsed.level is None
    assert checked.status is Status.ABSTAINED


def test_an_empty_repository_holds_nothing(tmp_path: Path) -> None:
    parsed, checked = judged(index_of(tmp_path, {}), RATE)
    assert checked.status is Status.GRADED
    assert (parsed.level, parsed.failure) == (Level.ABSENT, Failure.MISSING)


def test_the_rationale_names_the_line_of_a_value(tmp_path: Path) -> None:
    parsed, checked = judged(index_of(tmp_path, {"train.py": TRAIN}), RATE)
    assert "train.py:14 gives 1e-4; nothing overrides it" in parsed.rationale
    assert any(citation.first == 14 for citation in checked.citations)
    assert parsed.level is not None
    assert parsed.level >= Level.PARTIAL


def test_a_value_elsewhere_spelt_is_the_same_value(tmp_path: Path) -> None:
    parsed, _ = judged(
        index_of(tmp_path, {"train.py": TRAIN}),
        sau("The encoder is trained by Adam with a learning rate of 0.0001."),
    )
    assert "train.py:14 gives 0.0001" in parsed.rationale


OPTIONS = """
import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--learning-rate", type=float, default=1e-4)
    parser.add_argument("--optimizer", default="adam")
    args = parser.parse_args()
    train_encoder(args.learning_rate, args.optimizer)


def train_encoder(learning_rate, optimizer):
    encoder = build(optimizer)
    encoder.fit(learning_rate)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "script",
    [
        "python main.py --learning-rate 3e-2\n",
        'FLAGS="--learning-rate 3e-2"\npython main.py $FLAGS\n',
    ],
)
def test_a_flag_of_the_script_wins_over_a_default(tmp_path: Path, script: str) -> None:
    plain, _ = judged(index_of(tmp_path / "plain", {"main.py": OPTIONS}), RATE)
    over, checked = judged(
        index_of(tmp_path / "over", {"main.py": OPTIONS, "run.sh": script}), RATE
    )
    assert "overridden by 3e-2 at run.sh:" in over.found
    assert over.level is not None
    assert plain.level is not None
    assert over.level < plain.level
    assert (over.drift, over.failure) == (Drift.NUMERICAL, Failure.MISMATCH)
    assert "run.sh" in {citation.path for citation in checked.citations}


def test_a_flag_of_one_run_among_several_overrides_nothing(tmp_path: Path) -> None:
    script = "python main.py\npython main.py --seed 1\npython main.py --learning-rate 3e-2\n"
    parsed, _ = judged(index_of(tmp_path, {"main.py": OPTIONS, "run.sh": script}), RATE)
    assert "overridden" not in parsed.found


STUB = """
def train_encoder(loader):
    return bradley_terry_ranking(loader)


def bradley_terry_ranking(votes):
    raise NotImplementedError


if __name__ == "__main__":
    train_encoder([])
"""


def test_a_placeholder_is_at_most_a_fragment(tmp_path: Path) -> None:
    claim = sau("The Bradley-Terry ranking is fitted to the votes.", "D2")
    parsed, _ = judged(index_of(tmp_path, {"main.py": STUB}), claim)
    assert parsed.level is not None
    assert parsed.level <= Level.FRAGMENT
    assert parsed.failure is Failure.STUB


def test_what_no_run_reaches_is_at_most_partial(tmp_path: Path) -> None:
    claim = sau("The contrastive loss divides logits by a temperature of 0.07.", "D2")
    alive, _ = judged(index_of(tmp_path / "alive", {"train.py": TRAIN}), claim)
    dead, _ = judged(
        index_of(
            tmp_path / "dead",
            {
                "train.py": TRAIN.replace("loss = contrastive_loss(", "loss = torch.dist("),
            },
        ),
        claim,
    )
    assert alive.level is not None
    assert dead.level is not None
    assert alive.level > dead.level
    assert dead.level <= Level.PARTIAL
    assert dead.failure is Failure.UNREACHABLE


def test_level_and_failure_agree(tmp_path: Path) -> None:
    parsed, _ = judged(
        index_of(tmp_path, {"train.py": TRAIN}), replace(RATE, claim="Adam with lr = 1e-4.")
    )
    full = parsed.level is Level.FAITHFUL
    assert (parsed.drift is Drift.NONE) == full
    assert (parsed.failure is Failure.NONE) == full
