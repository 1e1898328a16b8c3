"""A setting acts where code reads it, not where it is carried from holder to holder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.embedded.survey import Standing, survey_of
from tests.judge.embedded_cases import index_of, judged, sau

CONFIG = """
training:
  learning_rate: 0.0004
  unroll_length: 20
intervention:
  default_p: 1
  max_p: 3
"""
LOADER = """
from dataclasses import asdict, dataclass, field

import yaml


@dataclass
class TrainingConfig:
    learning_rate: float = 0.0004
    unroll_length: int = 20


@dataclass
class InterventionConfig:
    default_p: int = 1
    max_p: int = 3


@dataclass
class Config:
    training: TrainingConfig = field(default_factory=TrainingConfig)
    intervention: InterventionConfig = field(default_factory=InterventionConfig)

    @classmethod
    def load(cls, path):
        with open(path) as handle:
            raw = yaml.safe_load(handle)
        intervention = raw.get("intervention", {})
        return cls(
            training=TrainingConfig(**raw.get("training", {})),
            intervention=InterventionConfig(
                default_p=intervention["default_p"],
                max_p=intervention.get("max_p"),
            ),
        )

    def save(self, path):
        with open(path, "w") as handle:
            yaml.dump(asdict(self), handle)

    def __repr__(self):
        return f"Config(unroll={self.training.unroll_length}, p={self.intervention.default_p})"
"""
MAIN = """
from torch.optim import Adam

from config import Config


def main(model):
    config = Config.load("config.yaml")
    print(config)
    print(f"p is {config.intervention.default_p}")
    config.save("used.yaml")
    optimizer = Adam(model.parameters(), lr=config.training.learning_rate)
    optimizer.step()


if __name__ == "__main__":
    main(None)
"""


def _unread(root: Path, files: Mapping[str, str]) -> set[str]:
    """The text of the lines that nothing reads."""
    index = index_of(root, files)
    survey = survey_of(index)
    lines = (survey.standing == Standing.UNREAD).nonzero()[0].tolist()
    places = [index.place(line) for line in lines]
    return {index.lines(path)[number - 1].strip() for path, number in places}


def test_what_is_only_carried_and_shown_is_unread(tmp_path: Path) -> None:
    files = {"config.yaml": CONFIG, "config.py": LOADER, "main.py": MAIN}
    unread = _unread(tmp_path, files)
    assert {
        "unroll_length: 20",
        "unroll_length: int = 20",
        "default_p: 1",
        "default_p: int = 1",
        "max_p: 3",
        "max_p: int = 3",
    } <= unread
    assert not any("learning_rate" in line for line in unread)


READERS = {
    "attribute": "    probe(config.intervention.default_p)\n",
    "through another name": "    part = config.intervention\n    probe(part.default_p)\n",
    "getattr": '    probe(getattr(config.intervention, "default_p"))\n',
    "key": '    probe(vars(config.intervention)["default_p"])\n',
    "keyword of a call": "    probe(default_p=config.intervention.default_p)\n",
    "spread over arguments": "    probe(**asdict(config.intervention))\n",
    "spread with all others": "    probe(**vars(config))\n",
    "computed name": '    probe(getattr(config.intervention, f"{which()}_p"))\n',
    "walked over": "    for name, p in vars(config.intervention).items():\n        probe(p)\n",
    "worked with in a print": "    print(probe(config.intervention.default_p))\n",
}


@pytest.mark.parametrize("reader", READERS)
def test_whatever_reads_it_makes_it_act(tmp_path: Path, reader: str) -> None:
    main = MAIN.replace("    optimizer.step()\n", f"    optimizer.step()\n{READERS[reader]}")
    files = {"config.yaml": CONFIG, "config.py": LOADER, "main.py": main}
    unread = _unread(tmp_path, files)
    assert "default_p: int = 1" not in unread
    assert "default_p: 1" not in unread


CARRIERS = {
    "copied": "    other.default_p = config.intervention.default_p\n",
    "into another holder": "    InterventionConfig(default_p=config.intervention.default_p)\n",
    "told": '    logger.info("p %s", config.intervention.default_p)\n',
    "asserted": "    assert config.intervention.default_p > 0\n",
    "set": "    config.intervention.default_p = 2\n",
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_carrying_it_along_does_not(tmp_path: Path, carrier: str) -> None:
    carried = CARRIERS[carrier].replace("other.", "other_config.")
    main = MAIN.replace("    optimizer.step()\n", f"    optimizer.step()\n{carried}")
    files = {"config.yaml": CONFIG, "config.py": LOADER, "main.py": main}
    assert "default_p: int = 1" in _unread(tmp_path, files)


def test_sections_tell_names_apart(tmp_path: Path) -> None:
    config = "train:\n  batch: 16\nprobe:\n  batch: 32\n"
    plain = """
import yaml

with open("c.yaml") as handle:
    CFG = yaml.safe_load(handle)
work(CFG["train"]["batch"])
"""
    assert _unread(tmp_path / "plain", {"c.yaml": config, "run.py": plain}) == {
        "probe:",
        "batch: 32",
    }
    handed = plain + 'work_on(CFG["probe"])\n'
    assert _unread(tmp_path / "handed", {"c.yaml": config, "run.py": handed}) == set()


def test_an_option_that_nothing_asks_for(tmp_path: Path) -> None:
    code = """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--clip", type=float, default=0.5)
args = parser.parse_args()
for epoch in range(args.epochs):
    work(epoch)
"""
    assert _unread(tmp_path / "one", {"train.py": code}) == {
        'parser.add_argument("--clip", type=float, default=0.5)'
    }
    spread = code + "work(**vars(args))\n"
    assert _unread(tmp_path / "all", {"train.py": spread}) == set()


def test_constants_and_tables(tmp_path: Path) -> None:
    code = """
EPOCHS = 10
CLIP = 0.5
SETTINGS = {"rate": 0.1, "decay": 0.01}
SIZES = {"small": 1, "large": 2}

for epoch in range(EPOCHS):
    work(SETTINGS["rate"])
    work(SIZES[pick()])
"""
    unread = _unread(tmp_path, {"train.py": code})
    assert "CLIP = 0.5" in unread
    assert "EPOCHS = 10" not in unread
    assert not any(line.startswith("SIZES") for line in unread)


def test_code_that_no_run_reaches_reads_too(tmp_path: Path) -> None:
    code = """
CLIP = 0.5


def never(x):
    return x * CLIP


if __name__ == "__main__":
    print(1)
"""
    assert _unread(tmp_path, {"train.py": code}) == set()


def test_records_of_results_are_no_settings(tmp_path: Path) -> None:
    code = """
from dataclasses import asdict, dataclass


@dataclass
class Outcome:
    accuracy: float = 0.0


outcome = Outcome(accuracy=measure())
write(asdict(outcome))
"""
    assert _unread(tmp_path, {"train.py": code}) == set()


def test_a_claim_is_not_met_by_what_nothing_reads(tmp_path: Path) -> None:
    files = {"config.yaml": CONFIG, "config.py": LOADER, "main.py": MAIN}
    claim = sau("The default number of intervened squares default_p is 1 and max_p is 3.")
    parsed, _ = judged(index_of(tmp_path / "unread", files), claim)
    used = "    part = config.intervention\n    work(part.default_p, part.max_p)\n"
    reading = MAIN.replace("    optimizer.step()\n", f"    optimizer.step()\n{used}")
    read, _ = judged(index_of(tmp_path / "read", files | {"main.py": reading}), claim)
    assert parsed.level is not None
    assert read.level is not None
    assert parsed.level < read.level


def test_a_table_that_only_dead_code_names_is_not_read(tmp_path: Path) -> None:
    table = "WIDTHS = [1024, 2048]\n"
    run = "import settings\n\n\ndef train(model):\n    return model.fit()\n\n\ntrain(input())\n"
    dead = "\n\ndef other(model):\n    return [model.copy(w) for w in settings.WIDTHS]\n"
    standing = {}
    for name, more in (("unnamed", ""), ("dead", dead), ("live", dead + "\n\nother(input())\n")):
        index = index_of(tmp_path / name, {"settings.py": table, "main.py": run + more})
        survey = survey_of(index)
        standing[name] = survey.standing[index.line_number("settings.py", 1)]
    assert standing["unnamed"] == standing["dead"] == Standing.UNREAD
    assert standing["live"] == Standing.LIVE
