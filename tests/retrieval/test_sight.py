"""What was not seen is said: evidence is complete only if nothing that could decide is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmark import Dimension, Sau
from prompts.render import render
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index
from retrieval.reading import ReadLimits, read_repository
from retrieval.values import Evidence

CLAIM = Sau("x", "p", Dimension.D1, "The learning rate is 1e-4")
ROOMY = RetrievalSettings(budget_tokens=20_000)
GOOD = "lr = 1e-4\n"
LIMITS = ReadLimits()


def ask(root: Path, limits: ReadLimits = LIMITS, exclude: tuple[str, ...] = ()) -> Evidence:
    index = Index.build(read_repository(root, limits=limits, exclude=exclude))
    return find_evidence(index, CLAIM, ROOMY)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "src").mkdir(parents=True)
    (folder / "good.py").write_text(GOOD, encoding="utf-8")
    return folder


def _large(root: Path) -> str:
    (root / "train.py").write_text("x = 1\n" * 300_000, encoding="utf-8")
    return "train.py"


def _large_config(root: Path) -> str:
    (root / "config.yaml").write_text("x: 1\n" * 50_000, encoding="utf-8")
    return "config.yaml"


def _binary_python(root: Path) -> str:
    (root / "model.py").write_bytes(b"PK\x03\x04" + bytes(200))
    return "model.py"


def _long_line(root: Path) -> str:
    (root / "table.py").write_text(f"rates = [{'0.1, ' * 2_000}]\n", encoding="utf-8")
    return "table.py"


def _line_cut_for_display(root: Path) -> str:
    (root / "table.py").write_text(f"rates = [{'0.1, ' * 200}]\n", encoding="utf-8")
    return "table.py"


def _minified(root: Path) -> str:
    (root / "loss.cpp").write_text("int a=1;" * 4_000, encoding="utf-8")
    return "loss.cpp"


def _collision(root: Path) -> str:
    if os.name == "nt":
        pytest.skip("no such names here")
    (root / "a\u200b.py").write_text(GOOD, encoding="utf-8")
    (root / "a\\u200b.py").write_text(GOOD, encoding="utf-8")
    return "a\\u200b.py"


def _link_out(root: Path) -> str:
    try:
        (root / "configs").symlink_to(root.parent)
    except OSError:
        pytest.skip("no links here")
    return "configs"


def _unreadable_folder(root: Path) -> str:
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("everything can be read here")
    (root / "src").chmod(0)
    return "src"


HIDES = [
    _large, _large_config, _binary_python, _long_line, _line_cut_for_display, _minified, _collision,
    _link_out, _unreadable_folder,
]  # fmt: skip


@pytest.mark.parametrize("hide", HIDES)
def test_what_could_decide_and_was_not_read_in_whole_is_named_first(root: Path, hide) -> None:
    path = hide(root)
    evidence = ask(root)
    assert not evidence.complete
    assert evidence.omitted[0].startswith(f"{path} (not ")
    question = render(CLAIM, evidence).question
    assert "every line" not in question
    assert path in question


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (ReadLimits(max_files=1), "more files"),
        (ReadLimits(max_total_bytes=5), "more files"),
        (ReadLimits(max_entries=3), "more names"),
        (ReadLimits(max_depth=1), "folders deep"),
        (ReadLimits(max_file_bytes=30), "too large"),
    ],
)
def test_limits_that_hide_code_are_told(root: Path, limits: ReadLimits, told: str) -> None:
    for name in ("a.py", "b.py", "src/c.py", "src/deep/d.py"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(GOOD * 4, encoding="utf-8")
    evidence = ask(root, limits)
    assert not evidence.complete
    assert told in evidence.omitted[0]


def test_one_thing_is_told_as_one_and_asked_about_as_ever(root: Path) -> None:
    """What a prompt says does not change, or else what was paid for is asked again."""
    (root / "table.py").write_text(f"ROWS = '{'x' * 6000}'\n", encoding="utf-8")
    index = Index.build(read_repository(root))
    assert index.unseen == ("table.py (not whole: 1 line over 5,000 characters cut: 1)",)
    assert index.unshown == ("table.py (not whole: 1 lines over 5,000 characters cut: 1)",)
    for name in ("a.py", "b.py"):
        (root / name).write_text(GOOD, encoding="utf-8")
    index = Index.build(read_repository(root, limits=ReadLimits(max_files=3)))
    assert ". (not read: 1 more file: over the limit of 3 files in all)" in index.unseen
    assert ". (not read: 1 more files: over the limit of 3 files in all)" in index.unshown


def _image(root: Path) -> None:
    (root / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))


def _weights(root: Path) -> None:
    (root / "model.pt").write_bytes(bytes(3 << 20))


def _vendored(root: Path) -> None:
    (root / "third_party").mkdir()
    (root / "third_party" / "lib.py").write_text(GOOD, encoding="utf-8")


def _cache(root: Path) -> None:
    (root / "__pycache__").mkdir()
    (root / ".git").mkdir()


def _table(root: Path) -> None:
    (root / "data.csv").write_text("1,2,3\n" * 10_000, encoding="utf-8")


def _results(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "all.json").write_text('{"a": "b"}' * 40_000, encoding="utf-8")


def _long_prose(root: Path) -> None:
    (root / "README.md").write_text("word " * 3_000, encoding="utf-8")


def _large_test(root: Path) -> None:
    (root / "tests").mkdir()
    (root / "tests" / "test_good.py").write_text(
        "import pytest\n\ndef test_it():\n    assert True\n", encoding="utf-8"
    )


def _link_to_data(root: Path) -> None:
    try:
        (root / "datasets").symlink_to(root.parent)
    except OSError:
        pytest.skip("no links here")


@pytest.mark.parametrize(
    "add",
    [
        _image, _weights, _vendored, _cache, _table, _results, _long_prose, _large_test,
        _link_to_data,
    ],
)  # fmt: skip
def test_what_proves_nothing_does_not_make_evidence_incomplete(root: Path, add) -> None:
    add(root)
    evidence = ask(root)
    assert evidence.complete
    assert evidence.omitted == ()
    assert "tests aside" in render(CLAIM, evidence).question


def test_what_the_caller_excludes_is_not_missed(root: Path) -> None:
    _large(root)
    assert ask(root, exclude=("train.py",)).complete


def test_what_could_decide_is_named_before_the_names_run_out(root: Path) -> None:
    for number in range(20):
        (root / f"a{number}.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    _large(root)
    evidence = ask(root, ReadLimits(max_skipped=3))
    assert evidence.omitted[0].startswith("train.py (not read")
