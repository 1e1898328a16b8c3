"""The passage that a claim's source names, in the many ways in which people name it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.paper_passage import paper_passage, read_paper
from retrieval.tokens import estimate_tokens

PAPER = """# A paper about nothing

# 1 Introduction

Intro text.

# 3 Method

What the method is.

# 3.1 Loss

The loss is

$$
L = a + b \\tag{5}
$$

with a weight of 0.25 on the first term.

The second term has none.

# 3.2 Schedule

Linear warm-up over 4000 steps.

# 4.2. Results

Table 2: Main results

| model | accuracy |
|-------|----------|
| ours  | 91.5     |

# Algorithm 1 Training

for each batch: update

# References

[1] Somebody. Section 3.

# A Details

Adam, 1e-4.

# A.1 Hardware

Eight GPUs. $x = y$ (12)

## Set-up

Trained for 90 epochs.
"""
READ = read_paper(PAPER)


def passage(source: str, claim: str = "", tokens: int = 600) -> str:
    return paper_passage(READ, source, claim, tokens=tokens) or ""


@pytest.mark.parametrize(
    ("source", "holds", "leaves_out"),
    [
        ("Section 3.1", "weight of 0.25", "Linear warm-up"),
        ("Sec. 3.2", "4000 steps", "weight of 0.25"),
        ("Sec3.2", "4000 steps", "weight of 0.25"),
        ("§3.2", "4000 steps", "weight of 0.25"),
        ("3.2", "4000 steps", "weight of 0.25"),
        ("Section 3", "4000 steps", "Intro text"),
        ("Section 3", "What the method is", "Main results"),
        ("Eq. 5", "tag{5}", "4000 steps"),
        ("Equation (5)", "tag{5}", "Intro text"),
        ("Section 3.2, Eq (5)", "tag{5}", "Intro text"),
        ("Appendix A.1, Eq. 12", "(12)", "Intro text"),
        ("Table 2", "91.5", "Intro text"),
        ("Section 4.2, Table 2 Row 1", "91.5", "Intro text"),
        ("Algorithm 1", "for each batch", "Intro text"),
        ("Appendix A", "1e-4", "Intro text"),
        ("A.1", "Eight GPUs", "1e-4"),
        ("Appendix A.1.7 (some details)", "Eight GPUs", "Intro text"),
        ("Set-up", "90 epochs", "Intro text"),
        ("1", "Intro text", "4000 steps"),
    ],
)
def test_what_the_source_names_is_found(source: str, holds: str, leaves_out: str) -> None:
    found = passage(source)
    assert holds in found
    assert leaves_out not in found
    assert "[1] Somebody" not in found


@pytest.mark.parametrize("source", ["", "Section 9", "Table 7", "somewhere", "Fig. 3"])
def test_what_is_not_there_is_not_made_up(source: str) -> None:
    assert paper_passage(READ, source, "4000 steps", tokens=600) is None


def test_of_too_much_the_part_that_is_about_the_claim_is_kept() -> None:
    found = passage("Section 3", claim="warm-up over 4000 steps", tokens=20)
    assert "4000 steps" in found
    assert "What the method is" not in found
    assert "[...]" in passage("Section 3", claim="4000 steps; What the method is", tokens=40)


@given(st.text(max_size=500), st.text(max_size=40), st.text(max_size=60), st.integers(1, 300))
def test_any_paper_and_any_source_stay_within_the_bound(
    text: str, source: str, claim: str, tokens: int
) -> None:
    for paper in (text, PAPER + text, f"# 3 X\n\n{text * 20}"):
        for name in (source, "Section 3", "Eq. 5, Table 2"):
            found = paper_passage(read_paper(paper), name, claim, tokens=tokens)
            if found is not None:
                gaps = found.count("[...]")
                assert estimate_tokens(found) <= tokens + 3 * gaps + 2 * found.count("\n\n") + 3
