"""Settings that a later line gives another value, and lines that only look as if they did."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmark import Level
from judge.parsing import ParsedAnswer
from tests.judge.embedded_cases import index_of, judged, sau

SETTINGS = """
from dataclasses import dataclass


@dataclass
class Config:
    learning_rate: float = 0.1
    epochs: int = 10
    dataset: str = "cifar10"
"""
TRAIN = """
import torch
import yaml
from dataclasses import replace
from omegaconf import OmegaConf
from settings import Config
{above}

def train(model, loader, cfg, opt):
    for _ in range(cfg.epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            opt.step()


def main():
    cfg = Config()
    {before}
    model = torch.nn.Linear(4, 2)
    opt = torch.optim.SGD(model.parameters(), lr=cfg.learning_rate)
    {after}
    train(model, [], cfg, opt)


if __name__ == "__main__":
    main()
"""
CLAIM = "SGD with learning rate 0.1"
TUNE = "\n\ndef tune(cfg):\n    cfg.learning_rate = 0.5\n"
SETTLED = "nothing overrides it"


def _read(
    root: Path, *, before: str = "pass", after: str = "pass", above: str = "", more: str = ""
) -> ParsedAnswer:
    files = {
        "settings.py": SETTINGS,
        "train.py": TRAIN.format(before=before, after=after, above=above),
    }
    if more:
        files["showing.py"] = more
    return judged(index_of(root, files), sau(CLAIM))[0]


def test_long_lines_are_read_in_time(tmp_path: Path) -> None:
    long = "cfg.learning_rate = " + "a." * 40_000 + "learning_rate"
    assert "overrid" not in _read(tmp_path, before=long).rationale


@pytest.mark.parametrize(
    ("before", "after", "above"),
    [
        ('cfg = yaml.safe_load(open("c.yaml"))\n    cfg["learning_rate"] = 0.5', "pass", ""),
        ("setattr(cfg, 'learning_rate', 0.5)", "pass", ""),
        ("tune(cfg)", "pass", TUNE),
        ("pass", 'for g in opt.param_groups:\n        g["lr"] = 0.5', ""),
        ("pass", 'opt.param_groups[0]["lr"] = 0.5', ""),
        ("cfg.learning_rate = 0.5", "pass", ""),
        ("cfg = replace(cfg, learning_rate=0.5)", "pass", ""),
        ('cfg = OmegaConf.merge(cfg, {"learning_rate": 0.5})', "pass", ""),
        ("cfg.update(learning_rate=0.5)", "pass", ""),
        ('cfg.update({"learning_rate": 0.5})', "pass", ""),
        ("cfg = Config(learning_rate=0.5)", "pass", ""),
        ('cfg.__dict__["learning_rate"] = 0.5', "pass", ""),
        ('vars(cfg)["learning_rate"] = 0.5', "pass", ""),
        ('object.__setattr__(cfg, "learning_rate", 0.5)', "pass", ""),
        (
            'cfg = OmegaConf.merge(\n        cfg,\n        {"learning_rate": 0.5},\n    )',
            "pass",
            "",
        ),
    ],
)
def test_a_literal_given_outright_later_overrides(
    tmp_path: Path, before: str, after: str, above: str
) -> None:
    parsed = _read(tmp_path, before=before, after=after, above=above)
    assert parsed.level is not None
    assert parsed.level <= Level.PARTIAL
    assert "= 0.5` at train.py:" in parsed.rationale
    assert "which overrides settings.py:7" in parsed.rationale


@pytest.mark.parametrize(
    ("before", "after", "above"),
    [
        ("pass", 'for g in opt.param_groups:\n        g["lr"] *= 0.1', ""),
        ("cfg.learning_rate = cfg.learning_rate * 0.5", "pass", ""),
        ('if cfg.dataset == "mnist":\n        cfg.learning_rate = 0.5', "pass", ""),
        ('if cfg.dataset == "mnist":\n        tune(cfg)', "pass", TUNE),
        ("for s in [0.5, 0.2]:\n        cfg.learning_rate = s", "pass", ""),
        ("try:\n        print()\n    except OSError:\n        cfg.learning_rate = 0.5", "pass", ""),
        ("cfg.learning_rate, cfg.epochs = 0.5, 3", "pass", ""),
        ("rate = 0.5\n    cfg.learning_rate = rate", "pass", ""),
        ("pass", "train(model, [], cfg, opt)\n    cfg.learning_rate = 0.5", ""),
        ("pass", "cfg.learning_rate = 0.5", ""),
        ("cfg.learning_rate = 0.5 if cfg.dataset == 'mnist' else 0.1", "pass", ""),
        ("quick = replace(cfg, learning_rate=0.5)\n    print(quick)", "pass", ""),
        ("head = torch.nn.Linear(2, 2)\n    head.learning_rate = 0.5", "pass", ""),
    ],
)  # fmt: skip
def test_what_may_not_take_its_place_leaves_a_doubt_only(
    tmp_path: Path, before: str, after: str, above: str
) -> None:
    parsed = _read(tmp_path, before=before, after=after, above=above)
    assert parsed.level is not None
    assert parsed.level >= Level.MINOR
    assert "which overrides" not in parsed.rationale
    assert SETTLED not in parsed.rationale


@pytest.mark.parametrize(
    ("before", "above"),
    [
        ("pass", ""),
        ("cfg.learning_rate = 0.1", ""),
        ("kept = Kept()\n    kept.learning_rate = cfg.learning_rate", "class Kept:\n    pass\n"),
        (
            "print(Head(2).learning_rate)",
            "\n\nclass Head:\n    def __init__(self, n):\n        self.learning_rate = 0.5 * n\n",
        ),
    ],
)
def test_the_same_number_and_another_class_settle_it(
    tmp_path: Path, before: str, above: str
) -> None:
    assert SETTLED in _read(tmp_path, before=before, above=above).rationale


def test_one_of_several_programs_does_not_speak_for_the_others(tmp_path: Path) -> None:
    more = """
from settings import Config


def main():
    cfg = Config()
    cfg.learning_rate = 0.5
    print(cfg)


if __name__ == "__main__":
    main()
"""
    parsed = _read(tmp_path, more=more)
    assert parsed.level is not None
    assert parsed.level >= Level.MINOR
    assert "overrid" not in parsed.rationale


def test_a_show_in_an_imported_module_overrides_nothing(tmp_path: Path) -> None:
    more = """
from settings import Config


def describe(cfg):
    return cfg.learning_rate * cfg.epochs


if __name__ == "__main__":
    demo = Config(learning_rate=0.5)
    print(describe(demo))
"""
    imported = "from showing import describe\n"
    parsed = _read(tmp_path / "a", before="print(describe(cfg))", above=imported, more=more)
    assert parsed.level is not None
    assert parsed.level >= Level.MINOR
    assert "overrid" not in parsed.rationale
