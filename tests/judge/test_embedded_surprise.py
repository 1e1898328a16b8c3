"""How common words are in code, and what it says that a claim's rare words stand there."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.background import (
    Background,
    Count,
    background_of,
    load_background,
    parse_background,
)
from judge.embedded.distilling.counting import count_words
from judge.embedded.features import features_of
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.surprise import SURPRISE
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import index_of, sau

CODE = """
def train(model, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            loss = model(batch).mean()
            loss.backward()


if __name__ == "__main__":
    train(None, [], 3)
"""
WITH_LIPSCHITZ = CODE.replace("loss.backward()", "loss = loss + lipschitz(model)")


def _seen(root: Path, code: str, claim: str, background: Background | None = None) -> list[float]:
    survey = survey_of(index_of(root, {"train.py": code}))
    parts = claim_of(sau(claim, "D2"))
    numbers = features_of(survey, parts, look(survey, parts), background)
    return [numbers[name] for name in SURPRISE]


def test_a_rare_word_weighs_more_than_common_ones(tmp_path: Path) -> None:
    names = list(SURPRISE)
    claim = "Train the model with a Lipschitz penalty on the loss of each batch."
    without = dict(zip(names, _seen(tmp_path / "a", CODE, claim), strict=True))
    along = dict(zip(names, _seen(tmp_path / "b", WITH_LIPSCHITZ, claim), strict=True))
    assert without["bits_live"] < 0.4 < along["bits_live"]
    assert along["bits_over_chance"] - without["bits_over_chance"] > 4
    assert without["bits_heaviest"] > along["bits_heaviest"]
    assert along["bits_block"] > without["bits_block"]


def test_comments_and_strings_hold_no_bits(tmp_path: Path) -> None:
    claim = "Train the model with a Lipschitz penalty on the loss of each batch."
    plain = _seen(tmp_path / "a", CODE, claim)
    pasted = CODE.replace("loss.backward()", "loss.backward()  # the Lipschitz penalty")
    assert _seen(tmp_path / "b", pasted, claim) == pytest.approx(plain)


def test_the_repositories_of_a_claims_own_paper_are_left_out() -> None:
    papers = {
        **{f"p{n}": {"loss": Count(4, 1.0)} for n in range(6)},
        "own": {"loss": Count(4, 1.0), "sudoku": Count(4, 2.0)},
    }
    sizes = dict.fromkeys(papers, 4)
    papers["p0"]["sudoku"] = papers["p1"]["sudoku"] = Count(1, 0.1)
    every, other = background_of(papers, sizes), background_of(papers, sizes, "own")
    assert (every.repositories, other.repositories) == (28, 24)
    assert every.in_repository(["sudoku"]) < other.in_repository(["sudoku"])
    assert other.in_repository(["sudoku"]) == other.rare[0]
    assert other.in_repository(["loss"]) < 0.2
    assert other.in_repository(["sudoku", "loss"]) == other.in_repository(["loss"])


@given(
    st.dictionaries(
        st.sampled_from(["p", "q", "r", "s"]),
        st.dictionaries(st.text(max_size=5), st.integers(1, 4), max_size=5),
    )
)
def test_a_background_reads_back_as_it_was_written(papers: dict[str, dict[str, int]]) -> None:
    counts = {
        paper: {stem: Count(seen, seen / 9) for stem, seen in stems.items()}
        for paper, stems in papers.items()
    }
    background = background_of(counts, dict.fromkeys(papers, 4))
    again = parse_background(background.record())
    assert again.record() == background.record()
    for stem in background.stems:
        assert again.in_repository([stem]) == pytest.approx(
            background.in_repository([stem]), abs=0.051
        )
        assert (
            again.in_function([stem]) >= again.in_repository([stem]) or not background.repositories
        )


def test_the_shipped_background_knows_common_words_from_rare_ones() -> None:
    shipped = load_background()
    assert shipped.repositories > 200
    assert shipped.in_repository(["loss"]) < 1
    assert shipped.in_repository(["wilcoxon"]) > 4
    assert shipped.in_repository(["zzyzx"]) == shipped.rare[0]
    assert not [stem for stem in shipped.stems if stem.startswith("#")]


def test_words_are_counted_in_live_code_alone(tmp_path: Path) -> None:
    root = tmp_path / "agent" / "paper" / "repo"
    index_of(
        root, {"train.py": CODE + "\n# lipschitz\n\n\ndef never(x):\n    return wasserstein(x)\n"}
    )
    index_of(tmp_path / "agent" / "held" / "repo", {"train.py": WITH_LIPSCHITZ})
    counted = count_words(tmp_path, ["held"], 1)
    assert counted.sizes == {"paper": 1}
    stems = counted.papers["paper"]
    assert "load" in stems
    assert not {"lipschitz", "wasserstein"} & set(stems)
    assert 0 < stems["load"].functions <= 1


def test_a_claim_without_words_has_no_number(tmp_path: Path) -> None:
    assert any(math.isnan(number) for number in _seen(tmp_path, CODE, "0.5"))
