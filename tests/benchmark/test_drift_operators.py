"""Each operator on a small piece of code: what it makes of it, and what it leaves alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytest.importorskip("libcst", reason="drift needs the extra of that name")

from benchmark.drift.anchors import Anchor
from benchmark.drift.mutants import Mutant, find_mutants
from benchmark.drift.operators import OPERATORS
from benchmark.drift.source import Repo, read_repo
from benchmark.nouns import Drift, Failure, Level, Sau

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite" / "submissions" / "faithful"


def repo_of(folder: Path, **files: str) -> Repo:
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.write_text(text, encoding="utf-8")
    return read_repo(folder, name="tiny")


def mutants(repo: Repo, operator: str) -> list[Mutant]:
    return list(find_mutants(repo, [OPERATORS[operator]])[operator])


# operator, code, what stands in the mutant and does not in the original
CASES: list[tuple[str, str, str]] = [
    ("overridden_later", "LEARNING_RATE = 0.1\nuse(LEARNING_RATE)\n", "\nLEARNING_RATE = "),
    (
        "option_overridden",
        "p.add_argument('--warmup', default=100)\nargs = p.parse_args()\nrun(args.warmup)\n",
        "args.warmup = ",
    ),
    ("off_by_one", "for i in range(n):\n    f(i)\n", "range(n - 1)"),
    ("off_by_one", "for i in range(1, n + 1):\n    f(i)\n", "range(1, n)"),
    ("boundary_moved", "ok = a < bound\n", "a <= bound"),
    ("coefficient_dropped", "loss = a + 0.5 * b\n", "a + b"),
    ("formula_constant", "y = 0.5 * x\n", "y = "),
    ("keyword_dropped", "opt = Adam(params, lr=cfg.lr)\n", "Adam(params)"),
    ("loss_term_dropped", "loss = first + second\n", "loss = first\n"),
    ("loss_term_sign", "loss = first + second\n", "first - second"),
    ("reduction_changed", "y = x.mean()\n", "x.sum()"),
    ("reduction_changed", "y = F.f(a, reduction='mean')\n", 'reduction="sum"'),
    ("wrong_axis", "y = x.softmax(dim=-1)\n", "dim=0"),
    ("detach_removed", "y = f(x.detach())\n", "f(x)"),
    (
        "no_grad_removed",
        "with torch.no_grad():\n    y = target(x)\n",
        "torch.enable_grad()",
    ),
    ("gradient_cut", "loss = main + kl_loss\n", "kl_loss.detach()"),
    ("activation_swapped", "y = nn.ReLU()\n", "nn.Tanh()"),
    ("normalisation_swapped", "y = nn.LayerNorm(8)\n", "nn.BatchNorm1d(8)"),
    ("optimiser_swapped", "o = optim.Adam(p)\n", "optim.AdamW(p)"),
    ("loss_swapped", "y = F.mse_loss(a, b)\n", "F.l1_loss(a, b)"),
    ("extremum_swapped", "y = torch.min(a, b)\n", "torch.max(a, b)"),
    ("neighbour_function", "y = torch.sin(x)\n", "torch.cos(x)"),
    ("distribution_swapped", "y = torch.randn(3)\n", "torch.rand(3)"),
    ("pooling_swapped", "y = nn.MaxPool2d(2)\n", "nn.AvgPool2d(2)"),
    ("scaling_dropped", "y = q @ k / math.sqrt(d)\n", "y = q @ k\n"),
    ("scaling_dropped", "y = (a + b) / std\n", "y = (a + b)\n"),
    ("power_changed", "y = x ** 2\n", "x ** 3"),
    ("clamp_dropped", "y = torch.clamp(x, 0, 1)\n", "y = x\n"),
    ("clamp_dropped", "y = x.clamp(0, 1)\n", "y = x\n"),
    ("residual_dropped", "y = x + f(x)\n", "y = f(x)\n"),
    (
        "special_case_dropped",
        "def f(x):\n    if x > 3:\n        x = 3\n    return x\n\nf(1)\n",
        "def f(x):\n    return x",
    ),
    ("condition_negated", "y = a if t > 0 else b\n", "not (t > 0)"),
    ("transposition_dropped", "y = a @ b.T\n", "a @ b\n"),
    ("trained_on_test", "d = load(split='train')\n", "split='test'"),
    ("trained_on_test", "d = MNIST(root, train=True)\n", "train=False"),
    ("evaluated_on_train", "d = load(split='test')\n", "split='train'"),
    ("fitted_on_held_out", "m.fit(x_train)\nm.predict(x_test)\n", "m.fit(x_test)"),
    (
        "selected_on_test",
        "a = score(val_loader)\nb = score(test_loader)\n",
        "a = score(test_loader)",
    ),
    ("metric_averaging", "y = f1(a, average='macro')\n", 'average="micro"'),
    (
        "metric_swapped",
        "from sklearn.metrics import accuracy_score\ny = accuracy_score(a, b)\n",
        "import balanced_accuracy_score\ny = balanced_accuracy_score(a, b)",
    ),
    ("metric_swapped", "y = np.mean(scores)\n", "np.median(scores)"),
    ("baseline_removed", "baselines = ['a', 'b']\nrun(baselines)\n", "baselines = ['"),
    ("dataset_removed", "datasets = ['a', 'b']\nrun(datasets)\n", "datasets = ['"),
    ("metric_removed", "metrics = ['a', 'b']\nrun(metrics)\n", "metrics = ['"),
    ("split_ratio", "s(test_size=0.2)\n", "test_size=0."),
    ("fold_count", "k(n_splits=10)\n", "n_splits="),
    ("fewer_repetitions", "run(n_trials=20)\n", "n_trials="),
    ("fewer_seeds", "SEEDS = [0, 1, 2]\nrun(SEEDS)\n", "SEEDS = [0]"),
    ("fewer_seeds", "SEEDS = (0, 1, 2)\nrun(SEEDS)\n", "SEEDS = (0,)"),
    ("eval_mode_dropped", "if t:\n    m.eval()\n    s = m(x)\n", "if t:\n    s = m(x)"),
    (
        "augmentation_swapped",
        "a = D(transform=train_transform)\nb = D(transform=test_transform)\n",
        "b = D(transform=train_transform)",
    ),
    ("shuffle_changed", "d = Loader(x, shuffle=True)\n", "shuffle=False"),
    ("stratification_dropped", "a = split(x, stratify=y)\n", "stratify=None"),
    ("fitted_again_on_test", "a = s.transform(x_test)\n", "fit_transform(x_test)"),
    ("synthetic_data", "import torch\nd = load_dataset('x')\n", "d = torch.rand(256, 32)"),
    ("statements_swapped", "x = 0\nx = f(x)\nx = g(x)\n", "x = g(x)\nx = f(x)"),
    (
        "clipped_after_step",
        "clip_grad_norm_(p, 1)\noptimizer.step()\n",
        "optimizer.step()\nclip_grad_norm_(p, 1)",
    ),
    (
        "step_before_backward",
        "loss.backward()\noptimizer.step()\n",
        "optimizer.step()\nloss.backward()",
    ),
    (
        "zeroed_after_backward",
        "optimizer.zero_grad()\nloss.backward()\n",
        "loss.backward()\noptimizer.zero_grad()",
    ),
    (
        "scheduler_before_step",
        "optimizer.step()\nscheduler.step()\n",
        "scheduler.step()\noptimizer.step()",
    ),
    (
        "target_updated_first",
        "optimizer.step()\nupdate_target(net)\n",
        "update_target(net)\noptimizer.step()",
    ),
    ("normalised_before_split", "a, b = train_test_split(X, y)\n", "X = (X - X.mean(0))"),
    (
        "phases_swapped",
        "for a in x:\n    f(a)\nfor b in y:\n    g(b)\n",
        "for b in y:\n    g(b)\nfor a in x:",
    ),
    ("phases_swapped", "pretrain(m)\nfinetune_train(m)\n", "finetune_train(m)\npretrain(m)"),
    (
        "phases_merged",
        "for a in x:\n    f(a)\nfor b in y:\n    g(b)\n",
        "    f(a)\n    for b in y:\n        g(b)",
    ),
    ("moved_out_of_loop", "for a in x:\n    f(a)\n    n += a\n", "    f(a)\nn += a"),
    ("moved_into_loop", "for a in x:\n    f(a)\nstep(n)\n", "    f(a)\n    step(n)"),
    ("layers_swapped", "m = nn.Sequential(nn.Linear(1, 2), nn.ReLU())\n", "nn.ReLU(), nn.Linear"),
    ("nesting_swapped", "y = self.f(self.g(x))\n", "self.g(self.f(x))"),
    ("comment_only", "optimizer.step()\n", "# optimizer.step()"),
    ("step_missing", "a = 1\nupdate(b)\n", "a = 1\n"),
    (
        "import_unused",
        "from lib import clip\n\nif t:\n    clip(grads)\n    go()\n",
        "from lib import clip\n\nif t:\n    go()",
    ),
    ("never_called", "def reg(x):\n    return x\n\ny = reg(x)\n", "y = x\n"),
    ("result_discarded", "x = 1\nx = project(x)\n", "x = 1\nproject(x)"),
    ("result_faked", "acc = evaluate(model)\n", "acc = 0."),
]

BODY = """\
def score(x, w):
    \"\"\"Weigh.\"\"\"
    y = x * w
    y = y + 1
    return y

score(1, 2)
"""

BODIES = [
    ("body_pass", "    pass\n", Failure.STUB),
    ("body_not_implemented", "raise NotImplementedError", Failure.STUB),
    ("body_constant", "return 0.0", Failure.STUB),
    ("body_random", "return random.random()", Failure.STUB),
    ("body_todo", "# TODO: score", Failure.STUB),
    ("shape_stub", "    return x\n", Failure.STUB),
    ("docstring_only", '"""Does: y = x * w', Failure.MENTION_ONLY),
]

NUMBERS = [
    ("coefficient_factor", "lr=0.1"),
    ("value_digit", "lr=0.1"),
    ("order_of_magnitude", "lr=0.1"),
    ("percent_for_fraction", "dropout=0.1"),
    ("dimension_changed", "hidden_dim=64"),
    ("threshold_changed", "clip_eps=0.2"),
    ("schedule_length", "epochs=100"),
]


@pytest.mark.parametrize(("operator", "code", "made"), CASES)
def test_an_operator_makes_its_fault(operator: str, code: str, made: str, tmp_path: Path) -> None:
    found = mutants(repo_of(tmp_path, main__py=code), operator)
    texts = [m.texts["main.py"] for m in found]
    assert any(made in text for text in texts), texts
    assert all(text != code for text in texts)


@pytest.mark.parametrize(("operator", "made", "failure"), BODIES)
def test_a_body_is_replaced(operator: str, made: str, failure: Failure, tmp_path: Path) -> None:
    (mutant,) = mutants(repo_of(tmp_path, main__py=BODY), operator)
    text = mutant.texts["main.py"]
    assert made in text
    assert "y = y + 1" not in text.replace("; ", "").split('"""')[-1]
    assert (mutant.level, mutant.failure) == (Level.ABSENT, failure)


@pytest.mark.parametrize(("operator", "argument"), NUMBERS)
def test_a_number_is_another_and_its_level_follows(
    operator: str, argument: str, tmp_path: Path
) -> None:
    code = f"run({argument})\n"
    (mutant,) = mutants(repo_of(tmp_path, main__py=code), operator)
    name, old = argument.split("=")
    new = ast.parse(mutant.texts["main.py"]).body[0].value.keywords[0].value.value  # type: ignore[attr-defined]
    ratio = max(new / float(old), float(old) / new)
    assert mutant.texts["main.py"].startswith(f"run({name}=")
    assert mutant.level == (3 if ratio < 2.999 else 2 if ratio < 9.99 else 1)
    assert old in mutant.sau.claim
    assert mutant.drift is Drift.NUMERICAL


def test_a_configured_value_overrides_a_default_that_stays(tmp_path: Path) -> None:
    repo = repo_of(
        tmp_path, main__py="def run(lr=0.1):\n    use(lr)\n\nrun(**cfg)\n", conf__yaml="lr: 0.1\n"
    )
    (mutant,) = mutants(repo, "default_config_conflict")
    assert set(mutant.texts) == {"conf.yaml"}
    assert mutant.texts["conf.yaml"] != "lr: 0.1\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.yaml", "model:\n  hidden_dim: 64  # wide\n"),
        ("c.json", '{"model": {"hidden_dim": 64}}'),
        ("c.toml", "[model]\nhidden_dim = 64\n"),
    ],
)
def test_configuration_is_changed_in_place(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    repo = repo_of(tmp_path, main__py="net(c['hidden_dim'])\n")
    (mutant,) = mutants(repo, "dimension_changed")
    assert set(mutant.texts) == {name}
    new = mutant.texts[name]
    assert new in {text.replace("64", "32"), text.replace("64", "128")}


def test_a_value_that_nothing_reads_is_left_alone(tmp_path: Path) -> None:
    assert not mutants(repo_of(tmp_path, main__py="hidden_dim = 64\n"), "dimension_changed")


def test_a_value_that_is_set_in_two_places_is_left_alone(tmp_path: Path) -> None:
    code = "hidden_dim = 64\nif t:\n    hidden_dim = 32\nnet(hidden_dim)\n"
    assert not mutants(repo_of(tmp_path, main__py=code), "dimension_changed")


def test_a_function_that_nothing_names_is_left_alone(tmp_path: Path) -> None:
    code = BODY.removesuffix("score(1, 2)\n")
    assert not mutants(repo_of(tmp_path, main__py=code), "body_pass")


def test_code_behind_a_return_is_left_alone(tmp_path: Path) -> None:
    code = "def f(x):\n    return x\n    y = x.mean()\n\nf(1)\n"
    assert not mutants(repo_of(tmp_path, main__py=code), "reduction_changed")


def test_independent_statements_are_not_swapped(tmp_path: Path) -> None:
    assert not mutants(repo_of(tmp_path, main__py="a = f(b)\nc = f(d)\n"), "statements_swapped")


def test_a_swap_never_leaves_a_name_undefined(tmp_path: Path) -> None:
    assert not mutants(
        repo_of(tmp_path, main__py="fresh = f(1)\nx = g(fresh)\n"), "statements_swapped"
    )


def test_removing_the_only_statement_of_a_block_leaves_pass(tmp_path: Path) -> None:
    (mutant,) = mutants(repo_of(tmp_path, main__py="if t:\n    update(b)\n"), "step_missing")
    assert mutant.texts["main.py"] == "if t:\n    pass\n"


def test_every_operator_has_a_test() -> None:
    tested = {case[0] for case in (*CASES, *BODIES, *NUMBERS)} | {"default_config_conflict"}
    assert tested == set(OPERATORS)


@pytest.mark.parametrize("paper", ["ppo", "kfold"])
def test_every_mutant_of_real_code_parses_and_points_at_what_changed(paper: str) -> None:
    repo = read_repo(SUITE / paper / "repo", name=paper)
    count = 0
    for found in find_mutants(repo, list(OPERATORS.values())).values():
        for mutant, _ in zip(found, range(6), strict=False):
            count += 1
            assert (mutant.level is Level.FAITHFUL) is False
            assert mutant.lines
            for path, text in mutant.texts.items():
                if path.endswith(".py"):
                    ast.parse(text)
                old = repo.texts[path].split("\n")
                new = text.split("\n")
                before = next(i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
                first = min(low for where, low, _ in mutant.lines if where == path)
                assert first - 1 <= before + 1, mutant
                assert all(last <= len(new) for where, _, last in mutant.lines if where == path)
    assert count > 60


def test_claims_of_one_place_are_one_claim(tmp_path: Path) -> None:
    repo = repo_of(tmp_path, main__py="run(lr=0.1)\n")
    found = find_mutants(repo, [OPERATORS[name] for name in ("coefficient_factor", "value_digit")])
    assert {m.sau.claim for source in found.values() for m in source} == {
        "The learning rate of run is 0.1."
    }


@pytest.mark.parametrize(
    ("code", "script"),
    [
        ("def f(hidden_dim=64):\n    return hidden_dim\n\nf(hidden_dim=cfg.d)\n", ""),
        ("def f(x, hidden_dim=64):\n    return hidden_dim\n\nf(1, width)\n", ""),
        ("def f(x, hidden_dim=64):\n    return hidden_dim\n\nf(*both)\n", ""),
        ("class C:\n    hidden_dim: int = 64\n\nnet(C(hidden_dim=w).hidden_dim)\n", ""),
        ("p.add_argument('--hidden-dim', default=64)\nnet(a.hidden_dim)\n", "--hidden-dim 32"),
    ],
)
def test_a_value_that_something_overrides_is_left_alone(
    code: str, script: str, tmp_path: Path
) -> None:
    (tmp_path / "run.sh").write_text(f"python main.py {script}\n", encoding="utf-8")
    assert not mutants(repo_of(tmp_path, main__py=code), "dimension_changed")
    free = code.replace("hidden_dim=cfg.d", "").replace(", width", "").replace("*both", "1")
    free = free.replace("hidden_dim=w", "")
    (tmp_path / "run.sh").write_text("python main.py\n", encoding="utf-8")
    assert len(mutants(repo_of(tmp_path, main__py=free), "dimension_changed")) == 1


def test_a_value_that_two_calls_pass_is_left_alone(tmp_path: Path) -> None:
    code = "a = net(hidden_dim=64)\nb = net(hidden_dim=64)\n"
    assert not mutants(repo_of(tmp_path, main__py=code), "dimension_changed")


@pytest.mark.parametrize(
    "code",
    [
        'st["v"].mul_(b)\n    m, v = st["m"], st["v"]\n',  # another name for the same thing
        "a.query = wrap(a.query)\n    a.value = wrap(a.value)\n",
        'part["old"] = old\n    error = f(part["obs"]) - part["ret"]\n',
    ],
)
def test_statements_that_touch_other_parts_of_one_thing_are_not_swapped(
    code: str, tmp_path: Path
) -> None:
    whole = f"def f(st, a, part, old, b):\n    {code}    return a\nf()\n"
    assert not mutants(repo_of(tmp_path, main__py=whole), "statements_swapped")


def test_statements_that_touch_one_part_are_swapped(tmp_path: Path) -> None:
    code = (
        'def f(st, b):\n    st["v"] = st["v"] * b\n    step = st["v"] + 1\n    return step\nf()\n'
    )
    assert mutants(repo_of(tmp_path, main__py=code), "statements_swapped")


def test_the_default_of_a_class_in_a_table_is_left_alone(tmp_path: Path) -> None:
    head = "class Clip:\n    def __init__(self, epsilon=0.2):\n        self.epsilon = epsilon\n"
    called, table = "Clip()\n", 'TABLE = {"clip": Clip}\nTABLE[kind](0.2)\n'
    for name, use in (("called", called), ("table", table)):
        (tmp_path / name).mkdir()
        found = mutants(repo_of(tmp_path / name, main__py=head + use), "threshold_changed")
        assert bool(found) == (name == "called")


@pytest.mark.parametrize(
    ("operator", "code", "claim", "falsified"),
    [
        ("clipped_after_step", "clip_grad_norm_(p, 1)\noptimizer.step()\n",
         "Gradients are clipped, then the parameters are updated.", True),
        ("clipped_after_step", "clip_grad_norm_(p, 1)\noptimizer.step()\n",
         "First draw a batch, then take a gradient step.", False),
        ("activation_swapped", "y = nn.ReLU()\n", "A block ends with a rectifier.", True),
        ("activation_swapped", "y = nn.ReLU()\n", "Units are dropped independently.", False),
        ("clamp_dropped", "y = x.clamp(min=0.1)\n", "x is at least 0.1.", True),
        ("moved_out_of_loop", "for x in d:\n    f(x)\n    schedule.step()\n",
         "The learning rate decays after every batch.", True),
        ("moved_out_of_loop", "for x in d:\n    f(x)\n    schedule.step()\n",
         "Phase 1 - train the network; Phase 2 - evaluate it.", False),
        ("shuffle_changed", "load(d, shuffle=True)\n", "Batches come in random order.", True),
        ("shuffle_changed", "load(d, shuffle=True)\n", "Accuracy is reported on ten tasks.", False),
    ],
)  # fmt: skip
def test_a_claim_that_does_not_speak_of_it_is_not_falsified(
    operator: str, code: str, claim: str, falsified: bool, tmp_path: Path
) -> None:
    repo = repo_of(tmp_path, main__py=code)
    sau = Sau("x", "tiny", OPERATORS[operator].dimension, claim, "")
    anchors = [Anchor(sau, (("main.py", 1, code.count("\n")),))]
    found = find_mutants(repo, [OPERATORS[operator]], anchors=anchors)[operator]
    assert bool(list(found)) == falsified


def test_a_bound_that_keeps_a_quotient_finite_is_no_clipping(tmp_path: Path) -> None:
    code = "y = a / b.clamp(min=1e-8)\nz = a / b.clamp(min=0.5)\n"
    (only,) = mutants(repo_of(tmp_path, main__py=code), "clamp_dropped")
    assert "clamp(min=1e-8)" in only.texts["main.py"]
