"""What the pages promise is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    missing = [
        target for target in targets if "://" not in target and not (page.parent / target).exists()
    ]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|docs|judge|benchmark|retrieval|prompts)/[\w./]+\.\w+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_placeholder_is_left(page: Path) -> None:
    assert not re.search(r"@[A-Z]{3,}@", page.read_text(encoding="utf-8"))


def test_modules_that_are_named_can_be_run() -> None:
    for page in PAGES:
        for name in re.findall(r"python -m ([\w.]+)", page.read_text(encoding="utf-8")):
            path = ROOT.joinpath(*name.split("."))
            assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), (
                f"{page.name} names python -m {name}"
            )
