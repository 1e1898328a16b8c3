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
