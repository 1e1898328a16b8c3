"""What is looked up for a judge is new to it, about what it lacks, and within its bound."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark import Dimension, Sau
from judge.looking_up import Library
from judge.verdict import EvidenceNote
from retrieval.evidence import RetrievalSettings, estimate_tokens
from retrieval.values import Evidence, Repository, Role, SourceFile

FILES = {
    "train.py": "import schedule\n\n\ndef train():\n    return schedule.rate(3)\n",
    "schedule.py": (
        "# warmup as in Section 3\n"
        "WARMUP_STEPS = 4000\n\n\n"
        "def rate(step):\n"
        "    return min(1.0, step / WARMUP_STEPS)\n\n\n"
        + "".join(f"def other{n}(x):\n    return x + {n}\n\n\n" for n in range(40))
    ),
}
SAU = Sau("p-D1-001", "p", Dimension.D1, "Linear warm-up over 4000 steps")


def library(tokens: int = 200, *, strip: bool = False) -> Library:
    files = tuple(
        SourceFile(path, "python", Role.CODE, text, "0" * 64)
        for path, text in sorted(FILES.items())
    )
    settings = RetrievalSettings(budget_tokens=100, map_tokens=0)
    return Library(Repository(files, (), "d"), settings, tokens, strip)


def look_up(
    lacking: tuple[str, ...],
    shown: list[tuple[str, int, int]],
    *,
    tokens: int = 200,
    strip: bool = False,
) -> Evidence | None:
    note = EvidenceNote(complete=False, tokens=0, passages=shown)
    return asyncio.run(library(tokens, strip=strip).look_up(SAU, lacking, note))


def test_what_is_lacking_is_found() -> None:
    found = look_up(("where WARMUP_STEPS is set",), [("train.py", 1, 5)])
    assert found is not None
    assert any("WARMUP_STEPS = 4000" in passage.text for passage in found.passages)
    assert "# warmup as in" not in "".join(passage.text for passage in found.passages)


@pytest.mark.parametrize("lacking", [(), ("",), ("  ", "\n")])
def test_who_lacks_nothing_is_shown_nothing(lacking: tuple[str, ...]) -> None:
    assert look_up(lacking, []) is None


def test_what_is_nowhere_is_said_to_be_so() -> None:
    found = look_up(("the definition of cosine_restart_factor",), [("schedule.py", 1, 200)])
    assert found is not None
    assert any(row.code_lines == 0 for row in found.searched)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(FILES)), st.integers(1, 60), st.integers(0, 60)).map(
            lambda span: (span[0], span[1], span[1] + span[2])
        ),
        max_size=4,
    ),
    st.integers(5, 300),
)
def test_nothing_is_shown_twice_or_beyond_the_bound(
    shown: list[tuple[str, int, int]], tokens: int
) -> None:
    found = look_up(("WARMUP_STEPS, rate, other3, schedule",), shown, tokens=tokens)
    assert found is not None
    assert sum(estimate_tokens(passage.text) for passage in found.passages) <= tokens
    for passage in found.passages:
        lines = FILES[passage.path].split("\n")
        assert passage.text == "\n".join(lines[passage.first - 1 : passage.last])
        for path, first, last in shown:
            assert path != passage.path or last < passage.first or first > passage.last
