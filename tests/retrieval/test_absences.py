"""What is imported and absent is told, and nothing that may well be there."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.absences import told_absences
from retrieval.index import Index
from retrieval.overview import repository_map
from retrieval.reading import read_repository
from tests.retrieval.handmade import build


def index_of(folder: Path, files: dict[str, str]) -> Index:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return Index.build(read_repository(folder))


def told(folder: Path, files: dict[str, str]) -> str:
    return "\n".join(told_absences(index_of(folder, files)))


def test_modules_of_its_own_that_are_not_there(tmp_path: Path) -> None:
    files = {
        "net/__init__.py": "from .blocks import Block\nfrom .heads import Head\n",
        "net/blocks.py": "class Block:\n    pass\n",
        "train.py": "from net.unet import UNet\nfrom net import Block\nimport torch\n",
    }
    assert told(tmp_path, files) == (
        "Imported from the repository itself and not in it: .heads (net/__init__.py), "
        "net.unet (train.py)"
    )


def test_packages_that_no_list_names(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "torch>=2\nscikit-learn\ngymnasium==1.0\ntorch_geometric\n",
        "a.py": "import CybORG.envs\nimport gym\nimport sklearn, numpy, os, distutils\n",
        "b.py": "from CybORG import x\nimport torch_geometric.nn\n",
    }
    assert told(tmp_path, files) == (
        "Imported, not in the repository, and not named in requirements.txt: CybORG (a.py, b.py)"
    )


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "import CybORG\n"},  # nothing says what is needed
        {"requirements.txt": "x\n", "a.py": "import own\n", "lib/own.py": "y = 1\n"},
        {"requirements.txt": "x\n", "proj/a.py": "from proj.b import c\n", "proj/b.py": "c = 1\n"},
        {"setup.py": "setup(install_requires=['einops-exts'])", "a.py": "import einops_exts\n"},
    ],
)
def test_nothing_is_said_of_what_may_be_there(files: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path, files) == ""


def test_the_map_ends_with_what_is_absent_however_small_it_is(tmp_path: Path) -> None:
    files = {"requirements.txt": "torch\n", "a.py": "import CybORG\n"}
    index = index_of(tmp_path, files)
    for budget in (800, 60):
        assert repository_map(index, budget).endswith("named in requirements.txt: CybORG (a.py)")


def test_many_lists_and_many_imports_are_compared() -> None:
    lists = "\n".join(f"package{place}" for place in range(20_000))
    imports = "\n".join(f"import other{place}" for place in range(2_000))
    found = told_absences(build({"requirements.txt": lists, "a.py": f"import package7\n{imports}"}))
    assert len(found) == 1
    assert "other0 (a.py)" in found[0]
    assert "package7" not in found[0]
