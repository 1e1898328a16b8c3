from __future__ import annotations

import pytest

from tests.retrieval.handmade import build

TRAIN = """from models.net import Net
from models import build_loss
import helpers as h

def main():
    net = Net()
    net.fit()
    h.log_all()
    loss = build_loss("l2")

def unused():
    return 1

if __name__ == "__main__":
    main()
"""
NET = """from torch import nn

class Net(nn.Module):
    def __init__(self):
        self.block = Block()

    def forward(self, x):
        return self.block(x)

    def fit(self):
        self._step()

    def _step(self):
        pass

    def dead(self):
        pass

class Block(nn.Module):
    def forward(self, x):
        return x

class Orphan(nn.Module):
    def forward(self, x):
        return x

    def fit(self):
        pass
"""
FILES = {
    "train.py": TRAIN,
    "models/__init__.py": "from .net import Net\nfrom .losses import build_loss\n",
    "models/net.py": NET,
    "models/losses.py": "def build_loss(name):\n    return LOSSES[name]()\n\n"
    "def l2():\n    return 2\n\ndef l1():\n    return 1\n\nLOSSES = {'l2': l2, 'l1': l1}\n\n"
    "def forgotten():\n    return 0\n",
    "helpers.py": "def log_all():\n    pass\n\ndef helper():\n    pass\n",
    "island.py": "def train():\n    pass\n",
}


def reached(files: dict[str, str]) -> dict[str, bool | None]:
    index = build(files)
    return {
        f"{symbol.path}:{symbol.name}": index.reached(symbol.path, symbol.first)
        for symbol in index.symbols
        if symbol.name
    }


def test_what_the_entry_point_leads_to_is_reached_and_nothing_else() -> None:
    states = reached(FILES)
    dead = {name for name, state in states.items() if state is False}
    assert dead == {
        "train.py:unused",
        "models/net.py:Net.dead",
        "models/net.py:Orphan",
        "models/net.py:Orphan.forward",
        "models/net.py:Orphan.fit",
        "models/losses.py:forgotten",
        "helpers.py:helper",
        "island.py:train",
    }
    assert None not in states.values()


def test_a_library_has_no_entry_point_and_nothing_is_called_dead() -> None:
    files = {path: text for path, text in FILES.items() if path != "train.py"}
    index = build(files)
    assert not index.has_entry_point
    assert set(reached(files).values()) == {None}


@pytest.mark.parametrize(
    ("files", "alive"),
    [
        ({"a.py": "def f(): pass\nf()\n"}, "a.py:f"),
        ({"a.py": "def f(): pass\n@reg.add('x')\ndef g(): f()\nfor i in []: pass\n"}, "a.py:f"),
        ({"n.ipynb": "# %% cell 1 [code]\ndef f(): pass\nf()\n"}, "n.ipynb:f"),
        ({"run.sh": "python src/a.py --x\n", "src/a.py": "def f(): pass\nx = f()\n"}, "src/a.py:f"),
        ({"run.sh": "python -m src.a\n", "src/a.py": "def f(): pass\nx = [f]\n"}, "src/a.py:f"),
        (
            {"pyproject.toml": '[project.scripts]\ngo = "p.c:go"\n', "p/c.py": "def go(): pass\n"},
            "p/c.py:go",
        ),
        ({"a.py": "def f(): pass\nmap(f, [])\n"}, "a.py:f"),
        ({"a.py": "def run_x(): pass\nm = 'run_x'\nprint(globals()['run_x'])\n"}, "a.py:run_x"),
        ({"a.py": "class A:\n    def go(self): pass\nclass B(A): pass\nB().go()\n"}, "a.py:A.go"),
    ],
)  # fmt: skip
def test_ways_to_be_reached(files: dict[str, str], alive: str) -> None:
    assert reached(files)[alive] is True


def test_tests_are_no_entry_points() -> None:
    files = {
        "lib.py": "def f(): pass\n",
        "tests/test_lib.py": "from lib import f\ndef test_f(): f()\n"
        "if __name__ == '__main__':\n    test_f()\n",
    }
    assert not build(files).has_entry_point


def test_calls_are_kept_in_order_and_resolved_through_imports() -> None:
    index = build(FILES)
    main = next(symbol for symbol in index.symbols if symbol.name == "main")
    assert [(call.name, call.line) for call in index.ordered_calls(main)] == [
        ("Net", 6),
        ("net.fit", 7),
        ("h.log_all", 8),
        ("build_loss", 9),
    ]
    assert [symbol.key for symbol in index.calls_of(main)] == [
        "models/net.py::Net",
        "models/net.py::Net.fit",
        "helpers.py::log_all",
        "models/losses.py::build_loss",
    ]
    loss = index.graph.symbol("models/losses.py::build_loss")
    assert loss is not None
    assert [symbol.key for symbol in index.callers_of(loss)] == ["train.py::main"]
    assert index.symbol_at("train.py", 7) == main


CONFIG = "lr: 0.1\nghost: 5\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import yaml\nc = yaml.safe_load(open('c.yaml'))\nprint(c['lr'])\n", (True, False)),
        ("import yaml\nc = yaml.safe_load(open('c.yaml'))\nrun(c.lr, **c)\n", (True, None)),
        ("from base import c\nc.merge_from_file('c.yaml')\nrun(c.lr)\n", (True, False)),
        ("from mmengine import Config\nrun(Config.fromfile('c.yaml').lr)\n", (True, False)),
        ("lr = 0.1\nprint(lr)\n", (False, False)),
    ],
)
def test_a_setting_that_no_code_reads_is_told(
    code: str, expected: tuple[bool | None, bool | None]
) -> None:
    index = build({"c.yaml": CONFIG, "a.py": code})
    states = {fact.name: fact.reached for fact in index.facts if fact.path == "c.yaml"}
    assert (states["lr"], states["ghost"]) == expected


def test_import_cycles_and_endless_reexports_end() -> None:
    files = {f"m{i}.py": "".join(f"from m{j} import *\n" for j in range(12)) for i in range(12)}
    files["main.py"] = "from m0 import *\nmissing()\n"
    assert build(files).has_entry_point
