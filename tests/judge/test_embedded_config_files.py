"""Settings that are written as Python, in files that are named by their paths alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import Level
from tests.judge.embedded_cases import index_of, judged, sau

USE = """
    net = torch.nn.Linear(10, 2)
    opt = torch.optim.SGD(net.parameters(), lr=cfg.learning_rate)
    for _ in range(cfg.epochs):
        net(torch.randn(cfg.batch_size, 10)).sum().backward()
        opt.step()


if __name__ == "__main__":
    main()
"""
FLAGS = "import torch\nfrom absl import app\nfrom ml_collections import config_flags\n\n"
TABLE = """
from ml_collections import ConfigDict


def get_config():
    config = ConfigDict()
    config.learning_rate = 0.03
    config.epochs = 40
    config.batch_size = 64
    return config
"""
CLASS = "class Base:\n    learning_rate = 0.03\n    epochs = 40\n    batch_size = 64\n"
SPEC = """
import importlib.util
import sys
import torch


def main():
    spec = importlib.util.spec_from_file_location("config", sys.argv[1])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    cfg = module.{asked}()
"""
WAYS = {
    "default of a flag": {
        "train.py": FLAGS
        + 'CONFIG = config_flags.DEFINE_config_file("config", "configs/base.py")\n\n\n'
        + "def main():\n    cfg = CONFIG.value"
        + USE,
    },
    "flag without default": {
        "train.py": FLAGS
        + 'CONFIG = config_flags.DEFINE_config_file("config")\n\n\n'
        + "def main():\n    cfg = CONFIG.value"
        + USE,
    },
    "named in the README": {
        "train.py": "import torch\nimport argparse\nfrom tools import settings\n\n\n"
        "def main():\n    parser = argparse.ArgumentParser()\n"
        '    parser.add_argument("--config")\n'
        "    cfg = settings(parser.parse_args().config)" + USE,
        "README.md": "```\npython train.py --config=configs/base.py\n```\n",
    },
    "named by a script": {
        "train.py": "import torch\nfrom tools import settings\n\n\n"
        "def main():\n    cfg = settings()" + USE,
        "run.sh": "python train.py --config configs/base.py\n",
    },
    "loaded from a file": {"train.py": SPEC.format(asked="get_config") + USE},
    "run by its path": {
        "train.py": "import torch\nfrom runpy import run_path\n\n\ndef main():\n"
        '    cfg = run_path("configs/base.py")["get_config"]()' + USE,
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_a_file_of_settings_that_is_named_by_its_path_acts(tmp_path: Path, way: str) -> None:
    index = index_of(tmp_path, {**WAYS[way], "configs/base.py": TABLE})
    answer, _ = judged(index, sau("Training lasts 40 epochs with batch size 64"))
    assert answer.level in {Level.MINOR, Level.FAITHFUL}, answer.found
    assert "without effect" not in answer.found


def test_a_class_of_settings_in_a_file_that_is_loaded_by_its_path_acts(tmp_path: Path) -> None:
    index = index_of(
        tmp_path, {"train.py": SPEC.format(asked="Base") + USE, "configs/base.py": CLASS}
    )
    answer, _ = judged(index, sau("Training lasts 40 epochs with batch size 64"))
    assert answer.level in {Level.MINOR, Level.FAITHFUL}, answer.found


def test_a_file_of_settings_that_nothing_names_does_not_act(tmp_path: Path) -> None:
    main = "import torch\nfrom tools import settings\n\n\ndef main():\n    cfg = settings()" + USE
    index = index_of(tmp_path, {"train.py": main, "configs/base.py": TABLE})
    answer, _ = judged(index, sau("Training lasts 40 epochs with batch size 64"))
    assert answer.level in {Level.ABSENT, Level.FRAGMENT, Level.PARTIAL}
    assert "without effect" in answer.found


LOOP = """import torch
from torch import nn
{top}

def main():
    net = nn.Linear(10, 2)
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    {start}
    for _ in range(100):
        opt.zero_grad()
        net(torch.randn(4, 10)).pow(2).mean().backward()
        opt.step()


if __name__ == "__main__":
    main()
"""
VALUES = "def get_config():\n    return dict(warmup_steps=4000, label_smoothing=0.1)\n"
OPENED = """
    spec = importlib.util.spec_from_file_location("c", "configs/base.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    config = module.get_config()
"""
IDLE = {
    "constant": (LOOP.format(top='CONFIG = "configs/base.py"', start=""), ""),
    "constant printed": (
        LOOP.format(top='CONFIG = "configs/base.py"', start="print(CONFIG)"),
        "",
    ),
    "printed": (LOOP.format(top="", start='print("configs/base.py")'), ""),
    "logged, beside a reader": (
        LOOP.format(top="import importlib", start='print("configs/base.py"); exec("1")'),
        "",
    ),
    "saved": (LOOP.format(top="", start='torch.save("configs/base.py", "a.pt")'), ""),
    "README": (LOOP.format(top="", start=""), "python main.py --config configs/base.py\n"),
    "README, option unread": (
        LOOP.format(
            top="import argparse", start='argparse.ArgumentParser().add_argument("--config")'
        ),
        "```\npython main.py \\\n  --config configs/base.py\n```\n",
    ),
    "README, another program": (
        LOOP.format(top="", start=""),
        "python other.py --config configs/base.py\n",
    ),
    "loaded and not read": (LOOP.format(top="import importlib.util", start=OPENED), ""),
}


@pytest.mark.parametrize("way", IDLE)
def test_a_file_of_settings_that_is_only_spoken_of_does_not_act(tmp_path: Path, way: str) -> None:
    main, readme = IDLE[way]
    files = {"main.py": main, "README.md": readme, "configs/base.py": VALUES}
    answer, _ = judged(index_of(tmp_path, files), sau("Label smoothing of 0.1"))
    assert answer.level in {Level.ABSENT, Level.FRAGMENT}, answer.found


def test_a_key_that_is_not_read_does_not_act_beside_one_that_is(tmp_path: Path) -> None:
    main = LOOP.format(top="import importlib.util", start=OPENED + "    print(config)")
    main = main.replace("lr=1e-3", "lr=0.1").replace("range(100)", "range(config.warmup_steps)")
    index = index_of(tmp_path, {"main.py": main, "configs/base.py": VALUES})
    answer, _ = judged(index, sau("Label smoothing of 0.1"))
    assert answer.level in {Level.ABSENT, Level.FRAGMENT}, answer.found


def test_hostile_documents_and_names_take_no_long_search(tmp_path: Path) -> None:
    readme = "\n".join(("-config" * 3000, "--config " * 2000 + ".py", "-" * 20000 + "x.py"))
    readme += "\npython " + "a/" * 9000 + "x.py --config=" + "a." * 9000 + ".py\n"
    code = f"def {'_' * 20000}():\n    pass\n\n\nclass {'Config' * 3000}x:\n    pass\n"
    index = index_of(tmp_path, {"README.md": readme, "main.py": code + LOOP})
    assert index.graph.paths
