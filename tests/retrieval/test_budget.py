"""What is sent stays within the budget: the question as it is rendered, counted line by line."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, Sau
from prompts.render import render
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.tokens import (
    LINE_NUMBER_TOKENS,
    OMITTED_TOKENS,
    estimate_tokens,
    line_tokens,
    named_within,
)

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"
PAPERS = sorted(path.parent.name for path in SUITE.glob("papers/*/sau.json"))
NUMBER = re.compile(r"^ *\d+\| ", re.MULTILINE)
FENCE = re.compile(r"(?<= )[0-9a-f]{16}(?=>>>)")
LINES = re.compile(r" lines \d+-\d+")


def question_tokens(question: str) -> float:
    """The estimate for a question, with what is known of numbers that are printed in a row."""
    total = 0.0
    # Sixteen hexadecimal digits take ten tokens, whichever they are.
    for pattern, each in ((NUMBER, LINE_NUMBER_TOKENS), (LINES, 6), (FENCE, 10)):
        question, count = pattern.subn("", question)
        total += each * count
    return total + estimate_tokens(question)


@cache
def index(paper: str) -> Index:
    """All submissions for a paper as one repository: much alike, and larger than any budget."""
    others = tuple(f"{other}/" for other in PAPERS if other != paper)
    return Index.build(read_repository(SUITE / "submissions", exclude=others))


@cache
def claims(paper: str) -> list[Sau]:
    document = json.loads((SUITE / "papers" / paper / "sau.json").read_text(encoding="utf-8"))
    return [
        Sau(row["id"], paper, dimension, row["claim"], row.get("source") or "")
        for dimension in Dimension
        for row in document[dimension.value]
    ]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("budget", [600, 1000, 2000, 4000])
def test_the_rendered_question_keeps_the_budget(paper: str, budget: int) -> None:
    assert len(index(paper).code_paths) > 8
    used = []
    for sau in claims(paper):
        evidence = find_evidence(index(paper), sau, RetrievalSettings(budget_tokens=budget))
        question = render(sau, evidence).question
        assert question_tokens(question) <= budget
        assert evidence.tokens <= budget
        used.append(question_tokens(question))
    # And it is made use of.
    assert max(used) > 0.85 * budget


WORDS = st.sampled_from(
    ["learning", "rate", "1e-4", "batch size", "Adam", "loss", "0.999", "epochs", "dataset", "λ"]
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(WORDS, min_size=1, max_size=40).map(" ".join),
    st.sampled_from(PAPERS),
    st.sampled_from(list(Dimension)),
    st.integers(500, 6000),
)
def test_any_claim_and_budget(claim: str, paper: str, dimension: Dimension, budget: int) -> None:
    sau = Sau("x", paper, dimension, claim, "Section 3")
    evidence = find_evidence(index(paper), sau, RetrievalSettings(budget_tokens=budget))
    assert question_tokens(render(sau, evidence).question) <= budget


def test_names_are_cut_to_their_room() -> None:
    names = [f"package/module_{n}.py" for n in range(500)]
    text = named_within(names, OMITTED_TOKENS)
    assert text.startswith(names[0])
    assert estimate_tokens(text) <= OMITTED_TOKENS + 10
    shown = text.count("module_")
    assert text.endswith(f" and {500 - shown:,} more")
    assert named_within(names[:2], OMITTED_TOKENS) == ", ".join(names[:2])
    assert named_within([], OMITTED_TOKENS) == ""
    assert named_within(["x" * 1000, "y"], OMITTED_TOKENS).startswith("xxx")


@given(st.lists(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\n"))))
def test_lines_and_text_are_counted_alike(lines: list[str]) -> None:
    whole = estimate_tokens("\n".join(lines))
    by_line = int(line_tokens(lines).sum())
    assert abs(whole - by_line) <= 1 + len(lines)
