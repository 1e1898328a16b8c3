"""Files that commands write where their caller says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import InputError
from judge.output_files import write_file


def test_a_folder_that_is_not_there_is_made_and_any_text_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "file.txt"
    write_file(path, "ε = 1\nhalf of a pair: \ud800\n")
    assert path.read_bytes() == "ε = 1\nhalf of a pair: ?\n".encode()


def test_what_cannot_be_written_is_said_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in (tmp_path / "file" / "below.txt", tmp_path):
        with pytest.raises(InputError, match="cannot be written") as refused:
            write_file(path, "text")
        assert str(path) in str(refused.value)
