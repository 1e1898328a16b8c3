"""Which lines the published scorer would pick for a claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.embedded.glimpsing import Pages, numbers_of, pick, words_of
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import index_of, sau

BLANKS = "\n" * 12


def picked(root: Path, files: dict[str, Any], claim: str, dimension: str = "D1") -> list[str]:
    """The windows that stay, as `path:first-last`, best first."""
    pages = Pages(survey_of(index_of(root, files)))
    return [
        f"{one.page.path}:{one.first}-{one.last}" for one in pick(pages, sau(claim, dimension))[0]
    ]


def test_two_lines_before_and_five_behind_are_taken(tmp_path: Path) -> None:
    code = BLANKS + "gamma = 0.99\n" + BLANKS
    assert picked(tmp_path, {"run.py": code}, "The discount is 0.99.") == ["run.py:11-18"]


def test_at_the_top_of_a_file_fewer_lines_are_taken(tmp_path: Path) -> None:
    code = "gamma = 0.99\n" + BLANKS
    assert picked(tmp_path, {"run.py": code}, "The discount is 0.99.") == ["run.py:1-6"]


def test_lines_that_hold_more_of_the_claim_come_first(tmp_path: Path) -> None:
    code = f"discount = 1\n{BLANKS}discount = gamma\n"
    claim = "The discount gamma is constant."
    assert picked(tmp_path, {"run.py": code}, claim) == ["run.py:12-19", "run.py:1-6"]


def test_windows_do_not_overlap(tmp_path: Path) -> None:
    code = BLANKS + "gamma = 0.99\n\ndiscount = 0.99\n"
    assert len(picked(tmp_path, {"run.py": code}, "The discount gamma is 0.99.")) == 1


def test_what_the_lines_call_is_taken_where_it_is_defined(tmp_path: Path) -> None:
    files = {
        "run.py": "discounted = returns_of(rewards)\n",
        "returning.py": BLANKS + "def returns_of(x):\n    return [each for each in x]\n",
    }
    windows = picked(tmp_path, files, "Discounted rewards are summed.", "D2")
    assert "returning.py:11-18" in windows


def test_only_the_first_thirty_lines_of_a_word_are_found(tmp_path: Path) -> None:
    files = {"a.py": "discounted = 1\n" * 30, "b.py": "discounted = 1\n"}
    assert not any(
        window.startswith("b.py") for window in picked(tmp_path, files, "It is discounted.")
    )
    files["a.py"] = "discounted = 1\n" * 29
    assert any(
        window.startswith("b.py")
        for window in picked(tmp_path / "other", files, "It is discounted.")
    )


def test_a_folder_is_looked_through_after_the_files_beside_it(tmp_path: Path) -> None:
    files = {"a/run.py": "discounted = 1\n", "z.py": "discounted = 1\n" * 30}
    assert not any(
        window.startswith("a/") for window in picked(tmp_path, files, "It is discounted.")
    )


def test_documents_use_up_the_thirty_but_are_not_taken(tmp_path: Path) -> None:
    files = {"README.md": "It is discounted.\n" * 30, "run.py": "discounted = gamma\n"}
    assert picked(tmp_path, files, "It is discounted.") == []


@pytest.mark.parametrize("folder", ["results", "build", "venv/lib"])
def test_some_folders_are_not_looked_through(tmp_path: Path, folder: str) -> None:
    files = {f"{folder}/run.py": "discounted = 1\n", "main.py": "discounted = 1\n"}
    assert picked(tmp_path, files, "It is discounted.") == ["main.py:1-6"]


def test_a_number_with_an_exponent_is_looked_for_written_out(tmp_path: Path) -> None:
    files = {"run.py": "rate = 0.001\n"}
    assert picked(tmp_path, files, "It is 1e-3.") == ["run.py:1-6"]


def test_a_size_is_looked_for_by_both_sides(tmp_path: Path) -> None:
    files = {"run.py": "shape = (640, 480)\n"}
    assert picked(tmp_path, files, "Images are 640x480.") == ["run.py:1-6"]
    # Its numbers must not touch a letter, so a digit is lost on either side.
    assert numbers_of("Images are 640x480.") == ["64", "80"]


def test_lines_that_speak_of_a_placeholder_come_later(tmp_path: Path) -> None:
    files = {"a.py": "discounted = 1  # todo\n", "b.py": "discounted = 1\n"}
    assert picked(tmp_path, files, "It is discounted.") == ["b.py:1-6", "a.py:1-6"]


def test_where_nothing_is_found_lines_on_the_subject_are_taken(tmp_path: Path) -> None:
    files = {"run.py": BLANKS + "loss_total = 3\n"}
    assert picked(tmp_path, files, "Zebras.", "D2") == ["run.py:11-18"]
    assert picked(tmp_path, files, "Zebras.", "D4") == []


def test_parts_of_joined_words_are_words_and_common_words_are_none() -> None:
    assert words_of("The weight_decay of the model") == ["decay", "weight", "weight_decay"]


WRITTEN = st.text("ab_A+-.059 eλβ²×#\n\r\x0c'\"():=İ", max_size=160)


@settings(max_examples=40)
@given(WRITTEN, WRITTEN, WRITTEN, st.sampled_from(["D1", "D2", "D3", "D4"]))
def test_whatever_is_written_at_most_eight_windows_of_the_files_stay(
    tmp_path_factory: pytest.TempPathFactory, claim: str, code: str, other: str, dimension: str
) -> None:
    root = tmp_path_factory.mktemp("repo")
    pages = Pages(survey_of(index_of(root, {"a.py": code, "config.yaml": other, "empty.py": ""})))
    windows, found = pick(pages, sau(claim or "x", dimension))
    assert len(windows) <= min(8, found)
    for one in windows:
        assert one.page.first <= one.row < one.page.first + one.page.count
        assert pages.page(one.row) is one.page
    assert [one.points for one in windows] == sorted((one.points for one in windows), reverse=True)
