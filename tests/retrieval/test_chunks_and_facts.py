from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.values import ChunkKind, FactSource, ParseState
from tests.retrieval.handmade import build

MODEL = '''"""A model."""
import torch
from torch import nn

LR = 1e-4  # not 5e-4


# Steps the thing.
class Trainer(nn.Module):
    """Trains."""

    size: int = 128

    def __init__(self, lr=3e-4, *, betas: tuple = (0.9, 0.95)):
        self.optimizer = torch.optim.AdamW(self.parameters(), lr=lr, weight_decay=0.1)
        self.config = {"optim": {"warmup": 2_000}, "name": "cosine"}

    @torch.no_grad()
    def step(self, batch):
        def inner(x):
            return x + 1
        return inner(batch)
'''


def facts(text: str, path: str = "a.py") -> dict[str, tuple[str, int, FactSource]]:
    return {f.name: (f.value, f.line, f.source) for f in build({path: text}).facts}


def test_python_values_are_facts_with_names_and_lines() -> None:
    found = facts(MODEL)
    assert found["LR"] == ("1e-4", 5, FactSource.ASSIGNMENT)
    assert found["Trainer.size"] == ("128", 12, FactSource.FIELD)
    assert found["Trainer.lr"] == ("3e-4", 14, FactSource.DEFAULT)
    assert found["Trainer.betas"] == ("(0.9, 0.95)", 14, FactSource.DEFAULT)
    assert found["AdamW.weight_decay"] == ("0.1", 15, FactSource.KEYWORD)
    assert found["Trainer.config.optim.warmup"] == ("2_000", 16, FactSource.DICT)
    assert found["Trainer.config.name"] == ('"cosine"', 16, FactSource.DICT)
    assert "AdamW.lr" not in found  # lr=lr is a name, not a value


@pytest.mark.parametrize(
    ("code", "name", "value"),
    [
        (
            'p.add_argument("-l", "--learning-rate", type=float, default=1e-3)',
            "learning_rate",
            "1e-3",
        ),
        ('@click.option("--seed", default=7)\ndef f(seed): ...', "seed", "7"),
        ("@dataclass\nclass C:\n    lr: float = field(default=0.5)", "C.lr", "0.5"),
        ("class C:\n    def f(self):\n        self.gamma = 1 / 3", "C.gamma", "1 / 3"),
        ("steps = 2 ** 15", "steps", "2 ** 15"),
    ],
)
def test_options_and_fields_are_facts(code: str, name: str, value: str) -> None:
    assert facts(code)[name][0] == value


@pytest.mark.parametrize(
    ("path", "text", "name", "value", "line"),
    [
        ("c.yaml", "optim:\n  lr: 1e-4 # rate\n  betas: [0.9, 0.99]\n", "optim.lr", "1e-4", 2),
        ("c.yaml", "a:\n  b:\n    - 512\n", "a.b", "512", 3),
        ("c.json", '{"optim": {"lr": 0.1,\n "n": [1, 2]}}', "optim.n", "[1, 2]", 2),
        ("c.toml", "[optim]\nlr = 1e-4\n", "optim.lr", "1e-4", 2),
        ("c.ini", "[optim]\n; lr = 3\nlr = 1e-4\n", "optim.lr", "1e-4", 3),
        ("run.sh", "python train.py \\\n  --lr 1e-4 --x=2\n", "lr", "1e-4", 2),
        ("run.sh", "python train.py model.depth=12\n", "model.depth", "12", 1),
    ],
)
def test_configuration_values_are_facts(
    path: str, text: str, name: str, value: str, line: int
) -> None:
    found = facts(text, path)
    assert found[name][:2] == (value, line)


def test_chunks_carry_what_they_belong_to() -> None:
    chunks = build({"m.py": MODEL}).chunks
    by_symbol = {chunk.symbol: chunk for chunk in chunks}
    # A short head of a class goes with its first method, and its comment with it.
    assert by_symbol["Trainer.__init__"].first == 8
    fields = "".join(f"    field{n}: int = {n}\n" for n in range(6))
    head = build({"m.py": f"class Config:\n{fields}\n    def run(self):\n        go()\n"}).chunks[0]
    assert (head.symbol, head.kind, head.last) == ("Config", ChunkKind.CLASS_HEAD, 7)
    step = by_symbol["Trainer.step"]
    assert (step.first, step.kind) == (18, ChunkKind.FUNCTION)  # its decorator too
    assert step.header == "class Trainer(nn.Module)"
    assert (step.last, "Trainer.step.inner" in by_symbol) == (22, False)  # and what is inside


def test_long_functions_are_cut_where_statements_start() -> None:
    body = "".join(
        f"    if x > {n}:\n        y = f({n},\n              {n})\n        z = y\n"
        for n in range(30)
    )
    chunks = build({"m.py": f"def long(x):\n{body}"}).chunks
    assert len(chunks) > 3
    lines = f"def long(x):\n{body}".split("\n")
    assert all(lines[chunk.first - 1].startswith("    if") for chunk in chunks[1:])
    assert all(chunk.last - chunk.first < 30 for chunk in chunks)
    assert chunks[0].header == ""  # it shows the head itself
    assert {chunk.header for chunk in chunks[1:]} == {"def long(x)"}


def test_code_inside_fences_is_found_at_its_own_lines() -> None:
    text = "Here is the file:\n\n```python\ndef f(lr=1e-3):\n    return lr\n```\nThat is all.\n"
    index = build({"a.py": text})
    assert index.parse_states["a.py"] is ParseState.RECOVERED
    assert [(s.name, s.first) for s in index.symbols if s.name] == [("f", 4)]
    assert index.line_kind("a.py", 1) == "prose"
    assert index.line_kind("a.py", 4) == "code"


def test_a_broken_file_is_still_searched() -> None:
    index = build({"a.py": "def f(:\n    lr = 1e-4\n)))\nclass A\n", "b.py": "x = 1\n"})
    assert index.parse_states == {"a.py": ParseState.BROKEN, "b.py": ParseState.PARSED}
    assert [(m.path, m.line) for m in index.mentions("1e-4")] == [("a.py", 2)]


PATHS = st.sampled_from(
    [
        "a.py",
        "b.ipynb",
        "c.yaml",
        "d.json",
        "e.toml",
        "f.ini",
        "g.sh",
        "h.md",
        "i.txt",
        "pyproject.toml",
    ]
)
SNIPPETS = st.sampled_from(
    [
        "def f(a, b=1):\n    return a\n", "class A(B):\n", "    x: int = 2\n", "```python\n",
        "```\n", "if __name__ == '__main__':\n", "    main()\n", "'''", '"""', "# note\n", "\n",
        "\t\f\n", "((((", "import os, sys as s\n", "from .a import *\n", "a:\n  - b: 1\n",
        "[s]\nk = 1\n", '{"a": [1, {"b": ', "python -m a.b --lr 1e-3 \\\n", "x = 2 ** 15 # 3\n",
        "β = 1×10⁻⁴\n", "@reg\n", "lambda: ", "\\\n", "\u2028", "\x85", "\x0b", "é\n", "<<EOF\n",
        "# %% cell 1 [code]\n", "for i in range(10): pass\n",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(SNIPPETS, st.text(max_size=12)), max_size=25).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(PATHS, TEXTS, max_size=3))
def test_chunks_tile_every_line_that_is_not_blank_whatever_the_text(files: dict[str, str]) -> None:
    index = build(files)
    assert not index.notes, index.notes  # nothing failed in silence
    covered: dict[str, set[int]] = {path: set() for path in files}
    for chunk in index.chunks:
        own = set(range(chunk.first, chunk.last + 1))
        assert not covered[chunk.path] & own
        covered[chunk.path] |= own
    for path in files:
        lines = index.lines(path)
        filled = {n for n, line in enumerate(lines, 1) if line and not line.isspace()}
        assert filled <= covered[path] <= set(range(1, len(lines) + 1))
    for fact in index.facts:
        assert 1 <= fact.line <= len(index.lines(fact.path))
    for symbol in index.symbols:
        count = len(index.lines(symbol.path))
        assert 1 <= symbol.first <= symbol.last <= count
        assert all(symbol.first <= call.line <= symbol.last for call in symbol.calls)


PLACED = """import typer

app = typer.Typer()


@app.command()
def main(lr: float = typer.Option(1e-4, help="rate"), steps: int = typer.Option(2000, "--steps")):
    net = Sequential(nn.Dropout(0.1), nn.Linear(3, 512), Mixer(4))
    optimizer = torch.optim.Adam(net.parameters(), 3e-4)
    clip_grad_norm_(net.parameters(), 1.0)
    for step in range(100):
        print(step, 7)


class Settings(BaseModel):
    rate: float = Field(0.5, gt=0)
"""


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("main.lr", "1e-4", 7),
        ("main.steps", "2000", 7),
        ("Dropout.p", "0.1", 8),
        ("Linear.out_features", "512", 8),
        ("Mixer", "4", 8),
        ("Adam.lr", "3e-4", 9),
        ("clip_grad_norm_.max_norm", "1.0", 10),
        ("Settings.rate", "0.5", 16),
    ],
)
def test_values_that_are_passed_by_their_place_are_facts(name: str, value: str, line: int) -> None:
    assert facts(PLACED, "a.py")[name][:2] == (value, line)


def test_numbers_of_other_calls_are_no_facts() -> None:
    assert not {fact.value for fact in build({"a.py": PLACED}).facts} & {"100", "7"}
