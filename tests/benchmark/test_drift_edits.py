"""Edits: what they make, and which lines show them."""

from __future__ import annotations

import pytest

pytest.importorskip("libcst", reason="drift needs the extra of that name")

from hypothesis import given
from hypothesis import strategies as st

from benchmark.drift.edits import Edit, apply, changed_lines

TEXT = "one\ntwo\nthree\nfour\n"


def edit(start: int, end: int, text: str) -> Edit:
    return Edit("a.py", start, end, text)


def test_a_replaced_word_is_its_line() -> None:
    assert changed_lines(TEXT, [edit(4, 7, "2")]) == (("a.py", 2, 2),)


def test_an_inserted_line_is_where_it_then_stands() -> None:
    assert apply(TEXT, [edit(8, 8, "new\n")]) == "one\ntwo\nnew\nthree\nfour\n"
    assert changed_lines(TEXT, [edit(8, 8, "new\n")]) == (("a.py", 3, 3),)


def test_a_removed_line_is_shown_by_its_neighbours() -> None:
    assert changed_lines(TEXT, [edit(4, 8, "")]) == (("a.py", 1, 2),)


def test_a_removed_first_or_last_line_stays_inside_the_file() -> None:
    assert changed_lines(TEXT, [edit(0, 4, "")]) == (("a.py", 1, 1),)
    assert changed_lines(TEXT, [edit(14, 19, "")]) == (("a.py", 3, 3),)


def test_later_edits_count_lines_that_earlier_ones_added() -> None:
    edits = [edit(0, 0, "a\nb\n"), edit(14, 18, "4")]
    assert apply(TEXT, edits) == "a\nb\none\ntwo\nthree\n4\n"
    assert changed_lines(TEXT, edits) == (("a.py", 1, 2), ("a.py", 6, 6))


@pytest.mark.parametrize("edits", [[(0, 4, ""), (2, 5, "x")], [(3, 99, "")], [(5, 4, "")]])
def test_edits_that_do_not_fit_are_refused(edits: list[tuple[int, int, str]]) -> None:
    with pytest.raises(ValueError, match=r"a\.py"):
        apply(TEXT, [edit(*e) for e in edits])


@given(
    st.text(alphabet="ab\n", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.text(alphabet="x\n", max_size=6)), max_size=4),
)
def test_what_differs_is_within_the_changed_lines(
    text: str, inserts: list[tuple[int, str]]
) -> None:
    edits = [edit(at, at, new) for at, new in dict(inserts).items() if at <= len(text) and new]
    if not edits:
        return
    after = apply(text, edits)
    assert after.replace("x", "").count("\n") == (text + "".join(e.text for e in edits)).count("\n")
    spans = changed_lines(text, edits)
    marked = {n for _, first, last in spans for n in range(first, last + 1)}
    shown = {n for n, line in enumerate(after.split("\n"), 1) if "x" in line}
    assert shown <= marked
    assert all(1 <= first <= last for _, first, last in spans)
