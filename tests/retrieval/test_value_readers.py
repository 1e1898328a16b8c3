"""Where a configured value is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.value_readers import readers_of
from retrieval.values import Fact
from tests.planting import plant

FILES = {
    "config.yaml": (
        "optimizer:\n  lr: 3e-4\n  weight-decay: 0.1\nmodel: {hidden_size: 512}\nunused: 7\n"
    ),
    "train.py": """import argparse
import yaml

from net import Net


def main():
    # cfg.optimizer.lr is what the paper says
    cfg = yaml.safe_load(open("config.yaml"))
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()
    net = Net(cfg["model"]["hidden_size"])
    cfg.optimizer.lr = 1
    optimiser = Adam(net, lr=cfg.optimizer.lr, decay=cfg["optimizer"].get("weight-decay"))
    for batch in loader(args.batch_size):
        optimiser.step(batch)


if __name__ == "__main__":
    main()
""",
    "net.py": """class Net:
    def __init__(self, hidden_size):
        self.hidden_size = hidden_size

    def forward(self, x):
        return x @ self.hidden_size
""",
    "old.py": """def never_called(cfg):
    return cfg.optimizer.lr
""",
    "tests/test_train.py": "def test_it(cfg):\n    assert cfg.optimizer.lr == 3e-4\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("repo")
    return Index.build(read_repository(plant(folder, FILES)))


def fact(index: Index, name: str, path: str = "config.yaml") -> Fact:
    return next(one for one in index.facts if (one.path, one.name) == (path, name))


@pytest.mark.parametrize(
    ("name", "path", "places"),
    [
        # Not the comment, not where it is set, not the test; dead code comes last.
        ("optimizer.lr", "config.yaml", [("train.py", 15), ("old.py", 2)]),
        ("optimizer.weight-decay", "config.yaml", [("train.py", 15)]),
        ("model.hidden_size", "config.yaml", [("net.py", 6), ("train.py", 13)]),
        ("unused", "config.yaml", []),
    ],
)
def test_a_value_is_read_where_its_name_is(
    index: Index, name: str, path: str, places: list[tuple[str, int]]
) -> None:
    found = readers_of(index, fact(index, name, path))
    assert sorted(found) == sorted(places)
    if name == "optimizer.lr":
        assert found[0] == places[0]


def test_an_option_is_read_under_its_attribute(index: Index) -> None:
    (option,) = [one for one in index.facts if one.value == "32" and one.path == "train.py"]
    assert readers_of(index, option) == (("train.py", 16),)


def test_a_name_that_is_everywhere_counts_only_where_it_is_read(tmp_path: Path) -> None:
    busy = "".join(f"x{n} = f(size, {n})\n" for n in range(60))
    files = {"config.json": '{"size": 3}', "run.py": f"import json\n{busy}print(cfg.size)\n"}
    index = Index.build(read_repository(plant(tmp_path, files)))
    assert readers_of(index, fact(index, "size", "config.json")) == (("run.py", 62),)


def test_odd_names_have_no_readers(tmp_path: Path) -> None:
    files = {"config.yaml": "'(a|b': 1\nx: 2\n'.': 3\n", "run.py": "print((a|b), x)\n"}
    index = Index.build(read_repository(plant(tmp_path, files)))
    for one in index.facts:
        assert all(path == "run.py" for path, _ in readers_of(index, one))
