"""Code that runs and only names things does not pay; code that acts is never taken for such."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Level, Sau
from judge.embedded.features import features_of
from judge.embedded.looking import look
from judge.embedded.model import load_model
from judge.embedded.parts import claim_of
from judge.embedded.survey import Standing, Survey, survey_of
from judge.embedded.wordy import is_wordy, told_part
from retrieval.index import Index
from tests.judge.embedded_cases import index_of, judged, sau

BASE = """
import torch
from torch import nn


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        opt.step()


{above}
if __name__ == "__main__":
    {lines}
    train(nn.Linear(1, 1), [])
"""
CLAIMS = (
    sau("The policy is optimised with a clipped surrogate objective and advantages.", "D2"),
    sau("Multi-head self attention is applied before each feed-forward layer.", "D2"),
    sau("The temperature of the contrastive loss is 0.07, the embedding dimension is 128.", "D1"),
    sau("Evaluation reports accuracy on the held-out test split, averaged over 5 seeds.", "D3"),
    sau("First the encoder is frozen, then the decoder is trained, then both jointly.", "D4"),
)
MARGIN = 0.1


def _words(claim: Sau) -> list[str]:
    return [word.strip(".,").replace("-", "_").replace(".", "") for word in claim.claim.split()]


def _name(claim: Sau) -> str:
    return "_".join(_words(claim)).lower()


def _program(lines: list[str], above: list[str]) -> str:
    return BASE.format(lines="\n    ".join(lines or ["pass"]), above="\n\n\n".join(above))


def _defined(claim: Sau, body: str, given: str = "") -> str:
    return f"def {_name(claim)}({given}):\n{body}"


def _pieces(body: str) -> tuple[list[str], list[str]]:
    """Functions that are named by three words of a claim each, called in turn."""
    names: dict[str, None] = {}
    for claim in CLAIMS:
        words = [word.lower() for word in _words(claim) if word.isidentifier()]
        for start in range(0, len(words), 3):
            names["_".join(words[start : start + 3]) + "_x"] = None
    return [f"{name}()" for name in names], [f"def {name}({body}" for name in names]


VALUES = "temperature=0.07, embedding_dimension=128, seeds=5"
ASSIGNED = [
    f"{word.lower()}_ = 0.07" for claim in CLAIMS for word in _words(claim) if word.isidentifier()
]
TOLD = ", ".join(dict.fromkeys(line.partition(" ")[0] for line in ASSIGNED))
KEYS = ", ".join(
    dict.fromkeys(f"{word.lower()}_=1" for c in CLAIMS for word in _words(c) if word.isidentifier())
)
SHAPES: dict[str, tuple[list[str], list[str]]] = {
    "functions named by claims, with nothing in them": (
        [f"{_name(claim)}()" for claim in CLAIMS],
        [_defined(claim, "    pass") for claim in CLAIMS],
    ),
    "functions named by claims whose results are dropped": (
        [f"{_name(claim)}()" for claim in CLAIMS],
        [_defined(claim, "    x = temperature * seeds\n    return x", VALUES) for claim in CLAIMS],
    ),
    "functions named by a few words": _pieces(f"{VALUES}):\n    return temperature * seeds"),
    "functions that print their own values": _pieces(f"{VALUES}):\n    print(temperature, seeds)"),
    "functions that fill a list of their own": _pieces(
        f"{VALUES}):\n    found = []\n    found.append(seeds)\n    return found"
    ),
    "results that are given a name and not read": (
        [f"out_{n} = {line}" for n, line in enumerate(_pieces("")[0])],
        _pieces(f"{VALUES}):\n    return temperature * seeds")[1],
    ),
    "variables named by claims and printed": (
        [
            *(f"{_name(claim)} = {number}.5" for number, claim in enumerate(CLAIMS)),
            f"print({' + '.join(map(_name, CLAIMS))})",
        ],
        [],
    ),
    "variables named by words and printed": ([*ASSIGNED, f"print({TOLD})"], []),
    "variables named by words and not read": (ASSIGNED, []),
    "claims logged with their values": (
        [f"logging.info({claim.claim!r}, dict({VALUES}))" for claim in CLAIMS],
        ["import logging"],
    ),
    "words asserted": (
        [f"assert {' and '.join(map(repr, _words(claim)))}" for claim in CLAIMS],
        [],
    ),
    "words printed from a dictionary": ([f"print(dict({KEYS}))"], []),
    "unused objects of libraries": (
        [
            "nn.MultiheadAttention(128, 8)",
            "nn.CrossEntropyLoss()",
            "nn.TransformerEncoderLayer(128, 8)",
            "unused = nn.MultiheadAttention(128, 8)",
            "torch.nn.functional.scaled_dot_product_attention(None, None, None)",
            "torch.optim.lr_scheduler.CosineAnnealingLR",
            "accuracy_score([0], [0])",
        ],
        ["from sklearn.metrics import accuracy_score"],
    ),
}


# ---- toys: what works on its own constants, and is printed ---------------------------------------

NAMES = [line.partition("(")[0] for line in _pieces("")[0]]
TOYS = _pieces(f"{VALUES}):\n    return temperature * seeds")[1]
TAKING = _pieces("x=0.07, seeds=5):\n    y = x * seeds + 1\n    return y")[1]
GIVING = _pieces("x):\n    return x")[1]
LOOPING = _pieces(
    f"{VALUES}):\n    t = 0\n    for i in range(seeds):\n        t += temperature\n    return t"
)[1]
GIVEN = f"{', '.join(f'{name}=0.07' for name in NAMES)}, {VALUES}"
TABLE = ", ".join(
    f"'{item.partition('=')[0]}': {item.partition('=')[2]}" for item in GIVEN.split(", ")
)
FIELDS = "\n".join(f"    {item.replace('=', ': float = ')}" for item in GIVEN.split(", "))


def _method(name: str, above: str = "") -> str:
    return f"    {above}\n    def {name}(self):\n        return 0.07 * 128"


TELLING = {
    "printed": ["print(d)"],
    "logged": ["logging.info('%s', d)"],
    "made text of": ["import json", "print(json.dumps(d))"],
    "written to the terminal": ["import json, sys", "json.dump(d, sys.stdout)"],
    "asserted": ["assert d"],
    "counted": ["n = len(d)", "print(n)"],
    "gone over": ["for k, v in d.items():\n        print(k, v)"],
    "left alone": [],
}
TOY_SHAPES: dict[str, tuple[list[str], list[str]]] = {
    "results printed": ([f"print({name}())" for name in NAMES], TOYS),
    "results in a text": ([f"print(f'{{{name}()}}')" for name in NAMES], TOYS),
    "results written": (["import sys", *(f"sys.stdout.write(str({n}()))" for n in NAMES)], TOYS),
    "results named and printed": (
        [*(f"r = {name}()" for name in NAMES), "print(r)"], TOYS
    ),
    "results added up": (["t = 0", *(f"t += {name}()" for name in NAMES), "print(t)"], TOYS),
    "results handed on": (["v = 1", *(f"v = {name}(v)" for name in NAMES), "print(v)"], TAKING),
    "arguments given back": (["v = 1", *(f"v = {name}(v)" for name in NAMES), "print(v)"], GIVING),
    "calls in calls": ([f"print({'('.join(NAMES)}(1{')' * (len(NAMES) + 1)}"], GIVING),
    "calls in a loop": (
        ["for i in range(3):", *(f"    print({name}(i))" for name in NAMES)], TAKING
    ),
    "calls while a number lasts": (
        ["i = 0", "while i < 2:", *(f"    print({n}(i))" for n in NAMES), "    i += 1"], TAKING
    ),
    "loops in them": ([f"print({name}())" for name in NAMES], LOOPING),
    "functions in a list": ([f"for f in [{', '.join(NAMES)}]:", "    print(f())"], TOYS),
    "functions mapped": ([f"print(list(map(lambda f: f(), [{', '.join(NAMES)}])))"], TOYS),
    "functions sorted": ([f"print(sorted([{', '.join(NAMES)}], key=lambda f: f()))"], TOYS),
    "functions filled in": (
        ["import functools", *(f"print(functools.partial({n}, 0.1)())" for n in NAMES)], TOYS
    ),
    "called by one that gives a table": (
        ["print(everything())"],
        [*TOYS, "def everything():\n    out = {}\n"
         + "".join(f"    out['{n}'] = {n}()\n" for n in NAMES) + "    return out"],
    ),
    "called by one that yields": (
        ["for v in everything():", "    print(v)"],
        [*TOYS, "def everything():\n" + "".join(f"    yield {n}()\n" for n in NAMES)],
    ),
    "kept in a list of the module": (
        [*(f"OUT.append({n}())" for n in NAMES), "print(OUT)"], ["OUT = []", *TOYS]
    ),
    "given the model": (
        ["model = nn.Linear(1, 1)", *(f"print({name}(model))" for name in NAMES)],
        _pieces(f"model, {VALUES}):\n    return temperature * seeds")[1],
    ),
    "the model given back with them": (
        ["model = nn.Linear(1, 1)", *(f"print({name}(model))" for name in NAMES)],
        _pieces(f"model, {VALUES}):\n    return model, temperature")[1],
    ),
    "of a library of numbers": (
        [f"print({name}())" for name in NAMES],
        ["import numpy as np", *_pieces(f"{VALUES}):\n    return np.sqrt(temperature)")[1]],
    ),
    "decorated": (
        [f"print({name}())" for name in NAMES],
        ["def step(fn):\n    def run(*args):\n        return fn(*args)\n\n    return run",
         *(f"@step\n{one}" for one in TOYS)],
    ),
    "registered": (
        ["for name, fn in REG.items():", "    print(name, fn())"],
        ["REG = {}", "def register(fn):\n    REG[fn.__name__] = fn\n    return fn",
         *(f"@register\n{one}" for one in TOYS)],
    ),
    "methods": (
        ["p = P()", *(f"print(p.{name}())" for name in NAMES)],
        ["class P:\n" + "\n\n".join(map(_method, NAMES))],
    ),
    "properties": (
        ["p = P()", *(f"print(p.{name})" for name in NAMES)],
        ["class P:\n" + "\n\n".join(_method(name, "@property") for name in NAMES)],
    ),
    "members": (
        [f"print(E.{name}.value)" for name in NAMES],
        ["from enum import Enum", "class E(Enum):\n"
         + "\n".join(f"    {n} = {i}.07" for i, n in enumerate(NAMES))],
    ),
    "lambdas": (
        [*(f"{name} = lambda x=0.07: x * 128" for name in NAMES),
         *(f"print({name}())" for name in NAMES)],
        [],
    ),
    "lambdas in a list": (
        [f"fs = [{', '.join(f'lambda {n}=0.07: {n} * 2' for n in NAMES)}]",
         "print([f() for f in fs])"],
        [],
    ),
    "named in conditions": (
        [f"if (y := {name}()) > 1e9:\n        print(y)" for name in NAMES], TOYS
    ),
    "conditions of constants": (
        ["low = 0", "if low > 1:", *(f"    train(None, [{name}()])" for name in NAMES)], TOYS
    ),
    "a way out": ([f"if {name}() > 1e9:\n        raise SystemExit" for name in NAMES], TOYS),
    "in place of each other": (
        [f"v = {' if 0 else '.join(f'{name}()' for name in NAMES)}", "print(v)"], TOYS
    ),
    "tried": (
        ["try:", *(f"    print({name}())" for name in NAMES), "except ValueError as e:",
         "    print(e)"],
        TOYS,
    ),
    "dropped together": ([f"_ = ({', '.join(f'{name}()' for name in NAMES)})"], TOYS),
    "told beside the time": (
        ["import time", *(f"print({name}(), time.time())" for name in NAMES)], TOYS
    ),
    "a progress bar": (
        ["from tqdm import tqdm", f"for f in tqdm([{', '.join(NAMES)}]):", "    print(f())"], TOYS
    ),
    **{f"a table {told}": (["d = {" + TABLE + "}", *lines], []) for told, lines in TELLING.items()},
    **{f"a dict {told}": ([f"d = dict({GIVEN})", *lines], []) for told, lines in TELLING.items()},
    "a table of many lines": (["d = dict(", *(f"    {one}," for one in GIVEN.split(", ")), ")",
                               "print(d)"], []),
    "a table that is filled": (
        ["d = {}", *(f"d['{name}'] = 0.07" for name in NAMES), "print(d)"], []
    ),
    "a list that is filled": (
        ["d = []", *(f"d.append(('{name}', 0.07))" for name in NAMES), "print(d)"], []
    ),
    "a namespace": (
        [f"s = SimpleNamespace({GIVEN})", "print(s)"], ["from types import SimpleNamespace"]
    ),
    "a table of the module": (["print(D)"], ["D = {" + TABLE + "}"]),
    "a table of the module that nothing names": ([], ["D = {" + TABLE + "}"]),
    "a class of data": (
        ["print(C())"], [f"from dataclasses import dataclass\n\n\n@dataclass\nclass C:\n{FIELDS}"]
    ),
    "a class of constants": (["print(H.x)"], [f"class H:\n{FIELDS}\n    x = 1"]),
    "attributes of a function": ([f"train.{name} = 0.07" for name in NAMES], []),
    "keywords for nothing": ([f"note({GIVEN})"], ["def note(**kwargs):\n    pass"]),
    "keywords given back": ([f"print(note({GIVEN}))"], ["def note(**kw):\n    return kw"]),
}  # fmt: skip
# Keywords of what trains: what is put into its head, into its body and into its call.
KEYWORD_SHAPES: dict[str, tuple[str, str, str]] = {
    "taken and not read": ("**kwargs", "", GIVEN),
    "taken and printed": ("**kwargs", "print(kwargs)", GIVEN),
    "taken and gone over": (
        "**kwargs", "for k, v in kwargs.items():\n        print(k, v)", GIVEN
    ),
    "taken and kept": ("**kwargs", "STORE.append(kwargs)", GIVEN),
    "a table that is not read": ("extra=None", "", "extra={" + TABLE + "}"),
    "a table that is printed": ("extra=None", "print(extra)", "extra={" + TABLE + "}"),
    "parameters that are not read": (GIVEN, "", ""),
    "parameters that are given and not read": (GIVEN, "", GIVEN),
}  # fmt: skip


def _expected(index: Index, claim: Sau) -> float:
    survey, parts = survey_of(index), claim_of(claim)
    return load_model().outcome(features_of(survey, parts, look(survey, parts))).expected


@pytest.mark.parametrize("shape", SHAPES)
def test_code_that_only_names_things_does_not_pay(tmp_path: Path, shape: str) -> None:
    before = index_of(tmp_path / "before", {"train.py": _program([], [])})
    text = _program(*SHAPES[shape])
    compile(text, "train.py", "exec")
    after = index_of(tmp_path / "after", {"train.py": text})
    for claim in CLAIMS:
        assert _expected(after, claim) <= _expected(before, claim) + MARGIN


TOY_MARGIN = 0.3


@pytest.mark.parametrize("shape", TOY_SHAPES)
def test_toys_do_not_pay(tmp_path: Path, shape: str) -> None:
    text = _program(*TOY_SHAPES[shape])
    compile(text, "train.py", "exec")
    before = index_of(tmp_path / "before", {"train.py": _program([], [])})
    after = index_of(tmp_path / "after", {"train.py": text})
    for claim in CLAIMS:
        assert _expected(after, claim) <= _expected(before, claim) + TOY_MARGIN


@pytest.mark.parametrize("shape", KEYWORD_SHAPES)
def test_keywords_that_come_to_nothing_do_not_pay(tmp_path: Path, shape: str) -> None:
    head, body, given = KEYWORD_SHAPES[shape]
    plain = _program([], ["STORE = []"])
    text = plain.replace(
        "def train(model, loader):", f"def train(model, loader, {head}):\n    {body}"
    )
    text = text.replace("nn.Linear(1, 1), []", f"nn.Linear(1, 1), [], {given}")
    compile(text, "train.py", "exec")
    before = index_of(tmp_path / "before", {"train.py": plain})
    after = index_of(tmp_path / "after", {"train.py": text})
    for claim in CLAIMS:
        assert _expected(after, claim) <= _expected(before, claim) + TOY_MARGIN


def test_toys_of_another_file_do_not_pay(tmp_path: Path) -> None:
    plain = _program([], [])
    lines = [f"print({name}())" for name in NAMES]
    text = f"from toys import {', '.join(NAMES)}\n{_program(lines, [])}"
    before = index_of(tmp_path / "before", {"train.py": plain})
    after = index_of(tmp_path / "after", {"train.py": text, "toys.py": "\n\n\n".join(TOYS)})
    for claim in CLAIMS:
        assert _expected(after, claim) <= _expected(before, claim) + TOY_MARGIN


def test_keywords_that_nothing_asks_for_do_not_pay(tmp_path: Path) -> None:
    plain = _program([], [])
    stuffed = plain.replace("nn.Linear(1, 1), []", f"nn.Linear(1, 1), dict({KEYS})")
    assert stuffed != plain
    before = index_of(tmp_path / "before", {"train.py": plain})
    after = index_of(tmp_path / "after", {"train.py": stuffed})
    for claim in CLAIMS:
        assert _expected(after, claim) <= _expected(before, claim) + MARGIN


def test_the_same_words_pay_where_they_act(tmp_path: Path) -> None:
    """The guard of the tests above: they would pass if nothing ever counted."""
    loss = """
    def contrastive_loss(a, b, temperature=0.07):
        return nn.functional.cross_entropy(a @ b.T / temperature, torch.arange(len(a)))
    """.replace("\n    ", "\n")
    lines = [
        "embedding_dimension = 128",
        "encoder = nn.Linear(8, embedding_dimension)",
        "x = encoder(torch.rand(4, 8))",
        "contrastive_loss(x, x).backward()",
    ]
    before = index_of(tmp_path / "before", {"train.py": _program([], [])})
    after = index_of(tmp_path / "after", {"train.py": _program(lines, [loss])})
    assert _expected(after, CLAIMS[2]) > _expected(before, CLAIMS[2]) + 1.0


# ---- what acts -----------------------------------------------------------------------------------


def _survey(root: Path, code: str) -> Survey:
    return survey_of(index_of(root, {"main.py": code}))


def _standing(survey: Survey, code: str, part: str) -> Standing:
    row = next(row for row, line in enumerate(code.splitlines()) if part in line)
    return Standing(int(survey.standing[survey.index.line_number("main.py", row + 1)]))


ACTING: dict[str, tuple[str, str]] = {
    "a function that steps": ("def go(opt):\n    opt.step()", "go(make())"),
    "a function that keeps in what it is given": (
        "def go(found):\n    found['rate'] = 0.1",
        "go(make())",
    ),
    "a function that adds to what it is given": ("def go(found):\n    found += [1]", "go(make())"),
    "a function that sets a global": (
        "def go():\n    global rate\n    rate = 0.1\n\n\ndef use():\n    make(rate)\n\n\nuse()",
        "go()",
    ),
    "a function that writes": ("def go():\n    open('a').write('b')", "go()"),
    "a function that raises": ("def go(x):\n    if x: raise ValueError(x)", "go(make())"),
    "a function that seeds": ("def go():\n    torch.manual_seed(0)", "go()"),
    "a function that prints what it works out": (
        "def go(x):\n    accuracy = make(x)\n    print(f'{accuracy:.3f}')",
        "go(make())",
    ),
    "a function that prints over several lines": (
        "def go(x):\n    for row in x.rows:\n        print(\n            f'{row}'\n        )",
        "go(make())",
    ),
    "a function that prints what it is given": ("def go(x):\n    print(x)", "go(make())"),
    "a function that asserts of what it is given": ("def go(x):\n    assert x > 0", "go(make())"),
    "a generator": ("def go():\n    yield 1", "make(*go())"),
    "a coroutine": ("async def go():\n    return 1", "go()"),
    "a decorated function": ("@app.command()\ndef go(rate=0.1):\n    return rate", "go()"),
    "a thread": ("def go(x):\n    Thread(target=x).start()", "go(make())"),
    "what calls what acts": (
        "def go(x):\n    inner(x)\n\n\ndef inner(x):\n    x.fit()",
        "go(make())",
    ),
    "a nested function that acts": (
        "def go(x):\n    def inner():\n        x.fit()\n    inner()",
        "go(make())",
    ),
    "a hook that is registered": ("def go(m):\n    m.register_hook(print)", "go(make())"),
    "a method of an unknown object": ("class A:\n    def go(self): return 1", "make().x.go()"),
    "a class that is run when it is made": (
        "class Go:\n    def __init__(self, x):\n        x.fit()",
        "Go(make())",
    ),
    "a class with a base that is not known": ("class Go(Task):\n    rate = 0.1", "Go()"),
    "an in-place function of a library": ("", "nn.init.xavier_uniform_(make())"),
    "a seed": ("", "torch.manual_seed(0)"),
    "a plot": ("import matplotlib.pyplot as plt", "plt.plot([1])"),
    "a run that is begun": ("import wandb", "wandb.init(project='rate')"),
    "a model set to training": ("", "make().train()"),
    "a function that sorts in place": ("def go(x):\n    x.sort()", "go(make())"),
    "a function that makes a module half as wide": ("def go(x):\n    x.half()", "go(make())"),
    "a function that maps what acts": (
        "def one(x):\n    x.fit()\n\n\ndef go(xs):\n    list(map(one, xs))",
        "go(make())",
    ),
    "a function that configures": (
        "import jax\n\n\ndef go():\n    jax.config.update('rate', 1)",
        "go()",
    ),
    "a function that puts its result somewhere": (
        "import numpy as np\n\n\ndef go(x):\n    y = np.add(x, 1, out=x)",
        "go(make())",
    ),
    "a call in place": ("", "nn.functional.relu(make(), inplace=True)"),
    "a function that changes what goes by another name": (
        "def go(x):\n    weight = x.weight\n    weight *= 0.9",
        "go(make())",
    ),
    "a function that changes what it goes over": (
        "def go(x):\n    part = []\n    for part in x:\n        part.rate = 0.1",
        "go(make())",
    ),
    "a function that adds up and prints": (
        "def go(x):\n    total = 0\n    for y in x:\n        total += y\n    print(total)",
        "go(make())",
    ),
    "functions that call each other": (
        "def walk(x):\n    for y in x:\n        go(y)\n    x.fit()\n\n\n"
        "def go(x):\n    walk(x)\n\n\nwalk(make())",
        "go(make())",
    ),
    "a class that is entered when it is made": (
        "class Go:\n    def __new__(cls):\n        found.append(cls)\n\n"
        "    def __init__(self):\n        self.x = 1",
        "Go()",
    ),
    "a class whose attribute sets": (
        "class Go:\n    @property\n    def x(self): return 1\n\n    @x.setter\n"
        "    def x(self, to): opt.rate = to\n\n    def __init__(self):\n        self.x = 1",
        "Go()",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ACTING)
def test_what_acts_is_live(tmp_path: Path, case: str) -> None:
    above, line = ACTING[case]
    code = f"import torch\nfrom torch import nn\nfrom somewhere import make\n{above}\n\n\n"
    code += f"if __name__ == '__main__':\n    {line}  # here\n"
    compile(code, "main.py", "exec")
    survey = _survey(tmp_path, code)
    assert _standing(survey, code, "# here") is Standing.LIVE


def test_a_method_that_others_override_acts(tmp_path: Path) -> None:
    code = (
        "class Base:\n    def run(self, x):\n        self.before(x)\n        x.fit()\n\n"
        "    def before(self, x):\n        return None\n\n\n"
        "class Own(Base):\n    def before(self, x):\n        x.reset()\n\n\n"
        "if __name__ == '__main__':\n    Own().run(make())\n"
    )
    assert _standing(_survey(tmp_path, code), code, "self.before(x)") is Standing.LIVE


def test_an_own_method_of_a_common_name_is_not_what_is_called(tmp_path: Path) -> None:
    code = (
        "import torch\n\n\nclass Through(torch.autograd.Function):\n    @staticmethod\n"
        "    def backward(ctx, grad):\n        return grad\n\n\n"
        "def train(loss):\n    loss.backward()\n\n\n"
        "if __name__ == '__main__':\n    train(make())\n"
    )
    assert _standing(_survey(tmp_path, code), code, "loss.backward()") is Standing.LIVE


@pytest.mark.parametrize(
    "lines",
    [
        "rate = 0.1  # here\n    go(rate)",
        "rate = 0.1  # here\n    return rate",
        "rate = 0.1  # here\n    other = rate * 2\n    go(other)",
        "rate = 0.1  # here\n    name = f'a run with the rate {rate} of all'\n    go(name)",
        "rate = 0.1  # here\n    print(go(rate))",
        "rate = 0.1  # here\n    print(f'{go(rate)}')",
        "rate = 0.1  # here\n    def inner():\n        go(rate)\n    inner()",
        "rate = 0.1  # here\n    go(**locals())",
        "rate = total / len(rows)  # here\n    print(f'accuracy {rate:.3f}')",
        "rate = total * 100  # here\n    print(rate)",
        "accuracy = go(1)  # here\n    print(f'{accuracy}')",
        "accuracy = \\\n        go(1)  # here\n    print(f'{accuracy}')",
        "rate = [  # here\n        0.1,\n    ]\n    go(rate)",
        "other = rate = 0.1  # here\n    go(rate)",
        "other = 1; rate = 0.1  # here\n    go(rate)",
        "rate = 0.1\n    if total: rate = 1\n    else: rate = 2  # here\n    go(rate)",
    ],
)
def test_a_value_that_is_worked_with_is_live(tmp_path: Path, lines: str) -> None:
    code = (
        "from somewhere import go\n\n\ndef main(total, rows):\n    "
        f"{lines}\n\n\nif __name__ == '__main__':\n    go(main(go(1), []))\n"
    )
    assert _standing(_survey(tmp_path, code), code, "# here") is Standing.LIVE


def test_what_is_reported_counts_where_it_is_worked_out(tmp_path: Path) -> None:
    """A claim about what is reported is kept by code that works it out and prints it."""
    code = (
        "from data import model, test_split\n\n\n"
        "def evaluate(model, test_split):\n    hits = 0\n    for x, y in test_split:\n"
        "        hits += int(model(x) == y)\n    accuracy = hits / len(test_split)\n"
        "    print(f'accuracy {accuracy:.3f}')\n\n\n"
        "if __name__ == '__main__':\n    evaluate(model, test_split)\n"
    )
    claim = sau("The evaluation reports the accuracy on the test split.", "D3")
    parsed, _ = judged(index_of(tmp_path, {"main.py": code}), claim)
    assert parsed.level is not None
    assert parsed.level > Level.FRAGMENT


def test_what_a_program_names_its_functions_may_read(tmp_path: Path) -> None:
    code = (
        "from somewhere import go\n\n\ndef train():\n    go(RATE)\n\n\n"
        "if __name__ == '__main__':\n    RATE = 0.1  # here\n    train()\n"
    )
    assert _standing(_survey(tmp_path, code), code, "# here") is Standing.LIVE


_CHAIN = 400
_DIAMOND = "".join(
    f"    a{n} = a{n - 1} + b{n - 1}\n    b{n} = a{n - 1} - b{n - 1}\n" for n in range(1, 40)
)


@pytest.mark.parametrize(
    "code",
    [
        "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n\n\n" for n in range(_CHAIN)) + "f0(1)\n",
        "def f():\n    x0 = 1\n"
        + "".join(f"    x{n + 1} = x{n}\n" for n in range(_CHAIN))
        + f"    print(x{_CHAIN})\n\n\nf()\n",
        f"def f():\n    a0 = 1\n    b0 = 2\n{_DIAMOND}    print(a39, b39)\n\n\nf()\n",
        "def f():\n    a = b\n    b = a\n    print(a, b)\n\n\nf()\n",
    ],
    ids=["calls in calls", "a chain of names", "names given in all ways", "names in a ring"],
)
def test_what_is_handed_on_and_on_is_followed_to_an_end(tmp_path: Path, code: str) -> None:
    """Neither by as many steps as there are ways, nor as deep as there are names."""
    code += "open('a')  # here\n"
    assert _standing(_survey(tmp_path, code), code, "# here") is Standing.LIVE


def test_a_file_that_is_cut_off_is_not_said_to_do_nothing(tmp_path: Path) -> None:
    code = (
        "def prepare(x):\n    rate = 0.1  # here\n    y = x + 1\n    return y\n\n\n"
        "if __name__ == '__main__':\n    prepare(1)\n    go(rate=(\n"
    )
    assert _standing(_survey(tmp_path, code), code, "# here") is Standing.LIVE


# ---- what is no toy ------------------------------------------------------------------------------

REAL_WORK: dict[str, tuple[str, str]] = {
    "a metric that is printed": (
        "def accuracy(hits, total):\n    return hits / total  # here",
        "print(accuracy(sum(make()), 10))",
    ),
    "a metric by way of a table": (
        "def accuracy(hits, total):\n    return hits / total  # here",
        "d = {}\n    d['a'] = accuracy(make(), 10)\n    print(d)",
    ),
    "a metric that is counted under a condition": (
        "def one():\n    return int('1')  # here",
        "n = 0\n    for x in make():\n        if x:\n            n += one()\n    print(n)",
    ),
    "a schedule that is handed over": (
        "def rate(step):\n    return 1 / step  # here",
        "opt = torch.optim.lr_scheduler.LambdaLR(make(), rate)\n    opt.step()",
    ),
    "a schedule in a table": (
        "def rate(step):\n    return 1 / step  # here\n\n\nALL = {'rate': rate}",
        "make(ALL['rate'])",
    ),
    "a constant of a function": ("def width():\n    return 2**7  # here", "make(width())"),
    "a constant by a local name": (
        "def width():\n    return 2**7  # here", "a = width()\n    b = a * 2\n    make(b)"
    ),
    "a constant that a condition asks for": (
        "def width():\n    return 2**7  # here", "if width() > 1:\n        make()"
    ),
    "a list that is filled": (
        "def fill(found):\n    found.append(128)  # here",
        "found = []\n    fill(found)\n    make(found)",
    ),
    "a list that an inner function fills": (
        "def run():\n    found = []\n\n    def fill(to):\n        to.append(128)  # here\n\n"
        "    fill(found)\n    make(found)",
        "run()",
    ),
    "an object that is set up": (
        "class Settings:\n    def __init__(self, width=128):\n        self.width = width  # here",
        "make(Settings().width)",
    ),
    "an object of which others call the methods": (
        "class Reward:\n    def compute(self, x):\n        return x * 2  # here\n\n\n"
        "class Trainer(Base):\n    def __init__(self):\n        self.reward = Reward()\n\n"
        "    def step(self, x):\n        return make(self.reward.compute(x))",
        "Trainer().step(make())",
    ),
    "a parameter on one line": (
        "def width(x, of=2): return make(x * of)  # here", "width(make())"
    ),
    "a property that is asked for": (
        "class Settings:\n    @property\n    def width(self):\n        return 2**7  # here",
        "make(Settings().width)",
    ),
    "a registry that is used": (
        "ALL = {}\n\n\ndef register(fn):\n    ALL[fn.__name__] = fn\n    return fn\n\n\n"
        "@register\ndef width():\n    return 2**7  # here",
        "make(ALL['width']())",
    ),
    "what is called by its name": (
        "import sys\n\n\ndef width():\n    return 2**7  # here",
        "make(getattr(sys.modules[__name__], 'width')())",
    ),
    "what yields": ("def widths():\n    yield 128  # here", "for w in widths():\n        make(w)"),
    "a keyword that is read": (
        "def run(**kwargs):\n    make(kwargs['width'])", "run(width=128)  # here"
    ),
    "keywords that are spread": (
        "def run(**kwargs):\n    make(**kwargs)", "run(width=128)  # here"
    ),
    "a formula of more than a few lines": (
        "def bound(n, d):\n    a = n * d  # here\n    b = a ** 2\n    c = b + n\n"
        "    e = c / d\n    return e",
        "print(bound(100, 3))",
    ),
    "an attribute that is read": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.width = 128  # here\n\n    def forward(self, x):\n"
        "        return x * self.width",
        "make(Net())",
    ),
    "a table that is imported by its name": (
        "TABLE = {'width': 128}  # here", "make(globals()['TABLE'])"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REAL_WORK)
def test_real_work_is_live(tmp_path: Path, case: str) -> None:
    above, line = REAL_WORK[case]
    code = f"import torch\nfrom torch import nn\nfrom somewhere import make\n\n\n{above}\n\n\n"
    code += f"if __name__ == '__main__':\n    {line}\n"
    compile(code, "main.py", "exec")
    assert _standing(_survey(tmp_path, code), code, "# here") is Standing.LIVE


def test_a_program_in_which_nothing_acts_is_what_it_prints(tmp_path: Path) -> None:
    code = "def area(a, b):\n    return a * b  # here\n\n\nprint(area(2, 3))\n"
    assert _standing(_survey(tmp_path, code), code, "# here") is Standing.LIVE


@pytest.mark.parametrize(
    "code",
    [
        "def g():\n    return 1\n\n\nprint(" + "g(" * 150 + ")" * 150 + ")\n",
        "def g():\n    return 1\n\n\nprint(g()" + " + 1" * 2000 + ")\n",
        "def g():\n    return 1\n\n\nx = " + "lambda: " * 400 + "g()\nprint(x)\n",
        "def g(x):\n    if x == 0:\n        print(1)\n"
        + "".join(f"    elif x == {n}:\n        print(1)\n" for n in range(500)) + "\n\ng(1)\n",
        "def g(*a):\n    return a\n\n\nx = 1\nprint(g(" + "x, " * 3000 + "))\n",
        "def g(a" + ":a" * 5000 + "):\n    return 1\n\n\nprint(g(1))\n",
        "def g():\n    return 1\n\n\n" + " " * 9000 + "x\nprint(g())\n",
    ],
    ids=["calls", "sums", "functions", "conditions", "arguments", "colons", "spaces"],
)  # fmt: skip
def test_code_without_end_is_read(tmp_path: Path, code: str) -> None:
    code += "open('a')  # here\n"
    assert _standing(_survey(tmp_path, code), code, "# here") is Standing.LIVE


# ---- names and speech ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "wordy"),
    [
        ("num_open_source_models_for_detector_training", False),
        ("_compute_full_jacobian_J_f_w_L_minus_1", False),
        ("AutoModelForSequenceClassificationWithValueHead", False),
        ("AutoModelForCausalLMWithValueHead", False),
        ("the_policy_is_optimised_with_a_clipped_surrogate_objective_first", True),
        ("ThePolicyIsOptimisedWithAClippedSurrogateObjectiveFirst", True),
    ],
)
def test_a_name_of_many_words_is_a_sentence(name: str, wordy: bool) -> None:
    assert is_wordy(name) is wordy


@given(st.text(max_size=60), st.booleans())
def test_what_is_told_is_a_part_of_the_line(code: str, inside: bool) -> None:
    part, works = told_part(code, inside=inside)
    assert code.endswith(part)
    assert bool(part) is works


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("print(rate, 0.1)", ""),
        ("print(len(rows), str(rate))", ""),
        ("print(evaluate(model, rows))", "evaluate(model, rows))"),
        ("logging.info(' ', dict(rate=0.1))", ""),
        ("assert check(rate)", "check(rate)"),
        ("raise ValueError(rate)", ""),
    ],
)
def test_only_what_is_worked_out_counts_of_what_is_told(line: str, part: str) -> None:
    assert told_part(line, inside=False)[0] == part


_NAMES: Any = st.sampled_from(["rate", "go", "print", "self.rate", "x[0]", "nn.LSTM(1)", "0.1"])
_LINES: Any = st.builds(
    lambda shape, one, two: shape.format(one, two),
    st.sampled_from(["{0} = {1}", "{0}({1})", "{0}", "assert {0}", "return {0}", "{0}, {1} = 1, 2",
                     "print({0}, {1}", "{0} = (", ")", "global {0}", "for {0} in {1}:", "\\"]),
    _NAMES,
    _NAMES,
)  # fmt: skip


@given(st.lists(_LINES, max_size=8))
def test_any_code_is_read(lines: list[str]) -> None:
    from retrieval.values import Repository, Role, SourceFile

    text = "from torch import nn\n\n\ndef go(x=1):\n    " + "\n    ".join([*lines, "pass"])
    text += "\n\n\nif __name__ == '__main__':\n    go()\n"
    file = SourceFile("main.py", "python", Role.CODE, text, "0" * 64)
    survey = Survey(Index.build(Repository((file,), (), "0" * 64)))
    assert survey.live_lines <= len(text.splitlines())
