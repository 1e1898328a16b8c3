"""The hash of the deciding code covers what decides verdicts, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge import versions


def test_what_is_covered() -> None:
    names = set(versions._sources())
    assert {"judge/checking.py", "judge/parsing.py", "retrieval/index.py"} <= names
    assert {"judge/verdict.py", "judge/protocol.py", "judge/records.py"} <= names
    assert "benchmark/nouns.py" in names
    assert "prompts/v1/question.jinja" in names
    assert not {"judge/store.py", "judge/pipeline.py", "judge/progress.py"} & names
    assert not any(name.startswith("judge/report") for name in names)


def test_whatever_a_deciding_module_stands_on_is_covered_or_known_not_to_decide() -> None:
    keeps_or_carries = {
        *("benchmark", "benchmark.errors", "judge", "benchmark.counting", "judge.counting"),
        *("benchmark.collecting", "judge.foreseeing"),
        *(
            "judge.asked_again",
            "judge.asking",
            "judge.budget",
            "judge.cache",
            "judge.store",
            "judge.pricing",
        ),
    }
    covered = versions._sources()
    for name, path in covered.items():
        if path.suffix != ".py":
            continue
        for module in imported(path):
            if module.partition(".")[0] not in {"benchmark", "judge", "prompts", "retrieval"}:
                continue
            file = module.replace(".", "/")
            known = {f"{file}.py", f"{file}/__init__.py"} & covered.keys()
            assert known or module in keeps_or_carries, f"{name} imports {module}"


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


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
