"""Small trees of files for tests of readers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def _bytes(path: Path, content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    if not isinstance(content, str):
        content = (yaml.safe_dump if path.suffix == ".yaml" else json.dumps)(content)
    return content.encode()


def plant(root: Path, files: Mapping[str, Any]) -> Path:
    """Write files below a folder: text and bytes as they are, `None` as a folder, else as data."""
    for name, content in files.items():
        path = root / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(path, content))
    return root


def claim(number: int, paper: str = "adam", dimension: str = "D1", **more: str) -> dict[str, str]:
    """A claim as an item of `sau.json`."""
    return {
        "id": f"{paper}-{dimension}-{number:03}",
        "claim": f"The claim of number {number}.",
        "source": "Section 2",
        **more,
    }


def claims(paper: str = "adam", *, d1: int = 2, d2: int = 1) -> dict[str, Any]:
    """A whole `sau.json`."""
    return {
        "paper_id": paper,
        "D1": [claim(n, paper) for n in range(d1)],
        "D2": [claim(n, paper, "D2") for n in range(d2)],
    }


def small_project(root: Path) -> Path:
    """Two papers, two agents, and a config; gives the config's path."""
    plant(
        root,
        {
            "papers/adam/sau.json": claims("adam"),
            "papers/lora/sau.json": claims("lora", d1=1),
            "papers/lora/paper.md": "# LoRA\n",
            **{
                f"grade/{agent}/{paper}/repo/train.py": "lr = 1e-3\n"
                for agent in ("gpt", "opus")
                for paper in ("adam", "lora")
            },
            "run.yaml": "benchmark: {path: papers}\nsubmissions: {path: grade}\n",
        },
    )
    return root / "run.yaml"
