"""Values in Python whose reading must not take forever."""

from __future__ import annotations

import pytest

from tests.retrieval.handmade import build


@pytest.mark.parametrize(
    "text",
    [
        "[" + "1024, " * 40 + "width]",
        "[" + "0.9995, " * 40 + "width]",
        f"[{'1' * 400}, width]",
        "[" + "1True, " * 40 + "width]",
    ],
)
def test_a_list_of_many_numbers_and_a_name_is_no_value(text: str) -> None:
    """Read as any number of shorter ones, each number doubled the time with each of its digits."""
    index = build({"a.py": f"WIDTHS = {text}\nLR = 0.1\n"})
    assert [fact.name for fact in index.facts] == ["LR"]


@pytest.mark.parametrize(
    "text", ["[1, 2.5, -.5, 1e-4]", "(1, 'a', True, None)", "2 ** 10", "{1, 2}"]
)
def test_what_holds_nothing_but_values_is_one(text: str) -> None:
    index = build({"a.py": f"SIZES = {text}\n"})
    assert [(fact.name, fact.value) for fact in index.facts] == [("SIZES", text)]
