"""The hash of the deciding code covers what decides verdicts, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import versions


def test_what_is_covered() -> None:
    names = set(versions._sources())
    assert {"judge/checking.py", "judge/parsing.py", "retrieval/index.py"} <= names
    assert "prompts/v1/question.jinja" in names
    assert not {"judge/store.py", "judge/pipeline.py", "judge/progress.py"} & names
    assert not any(name.startswith("judge/report") for name in names)


def test_a_changed_byte_changes_the_hash_and_line_ends_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "checking.py"
    monkeypatch.setattr(versions, "_sources", lambda: {"judge/checking.py": file})

    def hashed(text: bytes) -> str:
        file.write_bytes(text)
        versions.code_hash.cache_clear()
        return versions.code_hash()

    try:
        assert hashed(b"x = 1\n") == hashed(b"x = 1\r\n")
        assert hashed(b"x = 1\n") != hashed(b"x = 2\n")
    finally:
        versions.code_hash.cache_clear()


def test_versions_name_what_the_program_requires() -> None:
    found = versions.package_versions()
    assert {"python", "sau-judge", "diskcache", "tree-sitter"} <= found.keys()
    assert "pytest" not in found
