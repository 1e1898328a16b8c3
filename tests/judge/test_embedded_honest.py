"""Honest code of many styles is not idle, and hostile code is weighed in bounded steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.embedded.deeds import Call, Deed, Node, Parameters
from judge.embedded.needs import Flow, needed
from judge.embedded.place_names import given_to
from judge.embedded.survey import Standing, survey_of
from retrieval.index import Index
from tests.judge.embedded_cases import index_of

NET = """
import torch
from torch import nn


class Net({bases}):
{decorator}    def __init__(self, width=320, dropout=0.25):
        super().__init__()
        {reads}
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)


if __name__ == "__main__":
    torch.save(Net()(torch.randn(1, 4)), "out.pt")
"""


def _standing(index: Index, path: str, text: str) -> Standing:
    """Of the one line that holds a text."""
    (row,) = (row for row, line in enumerate(index.lines(path), 1) if text in line)
    return Standing(int(survey_of(index).standing[index.line_number(path, row)]))


def _holds(index: Index, term: str, path: str, text: str) -> bool:
    (row,) = (row for row, line in enumerate(index.lines(path), 1) if text in line)
    return index.line_number(path, row) in survey_of(index).places(term).live.tolist()


@pytest.mark.parametrize(
    ("bases", "decorator", "reads", "read"),
    [
        ("nn.Module", "", "self.width = width", False),
        ("nn.Module", "    @torch.no_grad()\n", "self.width = width", False),
        ("pl.LightningModule", "", "self.save_hyperparameters()", True),
        ("ModelMixin", "    @register_to_config\n", "self.width = self.config.width", True),
        ("nn.Module", "", "self.__dict__.update(locals())", True),
        ("nn.Module", "", "self.given = vars()", True),
        ("nn.Module", "", "self.given = inspect.getargvalues(inspect.currentframe())", True),
    ],
)
def test_parameters_may_be_read_without_their_names(
    tmp_path: Path, bases: str, decorator: str, reads: str, read: bool
) -> None:
    text = NET.format(bases=bases, decorator=decorator, reads=reads)
    index = index_of(tmp_path, {"train.py": text})
    assert _holds(index, "#0.25", "train.py", "dropout=0.25") is read


LIBRARY = """
import numpy as np


def norm(x):
    return np.linalg.norm(x)


def half(x):
    return x / 2
"""


def test_what_a_library_offers_is_no_placeholder_for_being_tested(tmp_path: Path) -> None:
    tested = "from core import half\n\n\ndef test_half():\n    assert half(2) == 1\n"
    alone = index_of(tmp_path / "alone", {"core.py": LIBRARY})
    beside = index_of(tmp_path / "beside", {"core.py": LIBRARY, "tests/test_core.py": tested})
    for index in (alone, beside):
        assert _standing(index, "core.py", "x / 2") is Standing.LIVE


def test_functions_that_give_settings_are_no_placeholders(tmp_path: Path) -> None:
    text = """
import torch


def {name}():
    return {{"lr": 0.1, "warmup": 5}}


if __name__ == "__main__":
    cfg = {name}()
    torch.optim.SGD([torch.zeros(1)], lr=cfg["lr"] / cfg["warmup"]).step()
"""
    for name, standing in (
        ("defaults", Standing.LIVE),
        ("get_default_config", Standing.LIVE),
        ("evaluate", Standing.STUB),
    ):
        index = index_of(tmp_path / name, {"train.py": text.format(name=name)})
        assert _standing(index, "train.py", '"lr": 0.1') is standing


SACRED = """
import torch
from {module} import Experiment

ex = Experiment("x")


@ex.config
def cfg():
    rate = 0.1


@ex.automain
def main(rate):
    torch.optim.SGD([torch.zeros(1)], lr=rate).step()
"""


def test_names_may_be_settings_themselves(tmp_path: Path) -> None:
    for module, standing in (("sacred", Standing.LIVE), ("other", Standing.TEXT)):
        index = index_of(tmp_path / module, {"train.py": SACRED.format(module=module)})
        assert _standing(index, "train.py", "rate = 0.1") is standing


def test_keys_beside_a_target_are_given_to_it(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        {
            "train.py": "import hydra\n\n\n@hydra.main(config_path='conf', config_name='main')\n"
            "def main(cfg):\n    net = hydra.utils.instantiate(cfg.model)\n    net.fit(cfg.steps)\n"
            "\n\nmain()\n",
            "net.py": "class Net:\n    def __init__(self, width=32):\n        self.w = width * 2\n",
            "conf/main.yaml": "defaults:\n  - model: small\nsteps: 10\nextra: 5\n",
            "conf/model/small.yaml": "_target_: net.Net\nwidth: 64\n",
        },
    )
    assert _standing(index, "conf/model/small.yaml", "width: 64") is Standing.LIVE
    assert _standing(index, "conf/main.yaml", "extra: 5") is Standing.UNREAD


class _Counted(Parameters):
    asked = 0

    def numbered(self, call: Call) -> Iterator[tuple[int, Node]]:
        for place in super().numbered(call):
            _Counted.asked += 1
            yield place


def test_methods_of_one_name_are_weighed_in_bounded_steps() -> None:
    count = 300
    deeds = [
        Deed(inside=".go", gives={("l", str(n), "y")}, reads={("l", str(n), "a")},
             calls=[Call(".go", places=[frozenset({("l", str(n), "a")})])])
        for n in range(count)
    ]  # fmt: skip
    deeds.append(Deed(works=True, calls=[Call(".go", places=[frozenset()])]))
    taken = [
        _Counted((("a", ("l", str(n), "a")), ("b", ("l", str(n), "b"))), 2, None, None)
        for n in range(count)
    ]
    _Counted.asked = 0
    flow = Flow(deeds, {".go": taken}, (), (), ())
    _, nodes = needed(flow)
    assert ("f", ".go", "") in nodes  # where it is not told apart it is of use
    assert _Counted.asked < count * count


_PLAIN = r"([^\W\d]\w*_\w+)\s*=\s*-?5(?![\w.]*\d)"


@given(st.lists(st.sampled_from([*"a_15= .-é", "b_c", "x_1 =5"]), max_size=14).map("".join))
def test_names_are_found_as_a_plain_pattern_finds_them(text: str) -> None:
    match = re.search(_PLAIN, text)
    assert given_to(text, "5") == (match[1] if match else "")


def test_long_names_in_claims_are_read_to_their_end() -> None:
    name = "1a_" * 20_000
    assert given_to(f"{name}= 5", "5") == name[1:]
    assert given_to(name, "5") == ""
