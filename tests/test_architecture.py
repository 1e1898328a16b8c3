"""The rooms: who may import whom, and what every module promises."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "benchmark": {"benchmark"},
    "retrieval": {"benchmark", "retrieval"},
    "prompts": {"benchmark", "retrieval", "prompts"},
    "judge": {"benchmark", "retrieval", "prompts", "judge", "calibration"},
    "calibration": {"benchmark", "calibration", "judge"},
}
PACKAGES = set(ROOMS)


def modules(room: str) -> list[Path]:
    return [
        path
        for path in sorted((ROOT / room).rglob("*.py"))
        if "submissions" not in path.relative_to(ROOT / room).parts
    ]


def imported(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_a_room_imports_only_what_it_may(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(room)
        for name, line in imported(path)
        if name.split(".")[0] in PACKAGES - ROOMS[room]
        # `python -m benchmark ...` is a door to the whole house, not a part of the room.
        and path.name != "__main__.py"
    ]
    assert not wrong


def test_calibration_takes_only_the_record_of_a_verdict_from_judge() -> None:
    allowed = {"judge.verdict", "judge.store"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules("calibration")
        for name, line in imported(path)
        if name.split(".")[0] == "judge"
        and name not in allowed
        and path.name != "__main__.py"  # `python -m calibration ...` is a door, as above
    ]
    assert not wrong


def test_no_vendor_sdk_outside_the_models() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for room in sorted(ROOMS)
        for path in modules(room)
        if path.parent != ROOT / "judge" / "models"
        for name, line in imported(path)
        if name.split(".")[0] in {"openai", "anthropic", "tenacity", "httpx", "httpx2"}
    ]
    assert not wrong


def test_nothing_graded_can_be_run() -> None:
    """No room can execute code that it was handed as text."""
    forbidden = {"eval", "exec", "__import__", "compile"}
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.id}"
        for room in sorted(ROOMS)
        for path in modules(room)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in forbidden
    ]
    assert not wrong
    pickled = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for room in sorted(ROOMS)
        for path in modules(room)
        for name, line in imported(path)
        if name.split(".")[0] in {"pickle", "dill", "cloudpickle", "marshal", "shelve"}
    ]
    assert not pickled


def test_every_text_file_is_opened_in_utf8() -> None:
    wrong = []
    for room in sorted(ROOMS):
        for path in modules(room):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr in {"read_text", "write_text"}
                    and not any(keyword.arg == "encoding" for keyword in node.keywords)
                ):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not wrong
