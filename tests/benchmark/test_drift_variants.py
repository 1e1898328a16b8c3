"""Changes that must not matter: they leave what the code does as it is; attacks leave it wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="drift needs the extra of that name")

from benchmark.drift.attacks import ATTACKS, make_attack
from benchmark.drift.mutants import Mutant, find_mutants
from benchmark.drift.operators import OPERATORS
from benchmark.drift.source import Repo, read_repo
from benchmark.drift.variants import VARIANTS, make_variant

CODE = '''\
"""A module."""
import math


def other(x):
    """Say."""
    # nothing much
    return x + 1


def weigh(x, decay=0.25):
    """Weigh."""
    total = 0.0
    for step in range(4):
        total = total + decay * x
        if total < 0.5:
            total = math.sqrt(total + 1000)
    return total * decay


RESULT = [weigh(other(n)) for n in range(5)]
'''


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    (tmp_path / "main.py").write_text(CODE, encoding="utf-8")
    return read_repo(tmp_path, name="tiny")


def mutant_of(repo: Repo, operator: str) -> Mutant:
    return next(find_mutants(repo, [OPERATORS[operator]])[operator])


def result(texts: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Run our own code of this test, with its new files beside it."""
    folder.mkdir()
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    space: dict[str, object] = {"__file__": str(folder / "main.py"), "__name__": "main"}
    exec(compile(texts["main.py"], "main.py", "exec"), space)
    return space["RESULT"]


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_a_variant_computes_the_same(
    name: str, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operators = (
        "body_pass",
        "scaling_dropped",
        "threshold_changed",
        "boundary_moved",
        "value_digit",
    )
    made = None
    for operator in operators:
        mutant = next(find_mutants(repo, [OPERATORS[operator]])[operator], None)
        made = made or (mutant and make_variant(repo, VARIANTS[name], mutant))
    assert made, name
    texts = {"main.py": CODE, **made}
    assert texts != {"main.py": CODE}
    assert result(texts, tmp_path / "b", monkeypatch) == result(
        {"main.py": CODE}, tmp_path / "a", monkeypatch
    )


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_an_attack_leaves_the_fault_where_it_was(name: str, repo: Repo) -> None:
    mutant = mutant_of(repo, "coefficient_dropped")
    texts = make_attack(repo, ATTACKS[name], mutant)
    assert texts is not None
    wrong = mutant.texts["main.py"].rstrip()
    assert texts["main.py"].startswith(wrong)
    assert texts != dict(mutant.texts)


def test_an_attack_with_the_right_lines_is_dead_code(repo: Repo) -> None:
    texts = make_attack(repo, ATTACKS["decoy_right"], mutant_of(repo, "coefficient_dropped"))
    assert texts is not None
    assert "def _reference_form():\n    total = total + decay * x" in texts["main.py"]
    assert texts["main.py"].count("_reference_form") == 1


def test_renaming_leaves_closures_and_keywords_alone(tmp_path: Path) -> None:
    code = (
        "def f(x):\n    bound = 2\n    y = g(bound=bound)\n    y = y.mean()\n    return y\n\nf(1)\n"
    )
    (tmp_path / "main.py").write_text(code, encoding="utf-8")
    repo = read_repo(tmp_path, name="t")
    made = make_variant(repo, VARIANTS["locals_renamed"], mutant_of(repo, "reduction_changed"))
    assert made is not None
    assert "g(bound=bound_here)" in made["main.py"]
    assert "y_here.mean()" in made["main.py"]
