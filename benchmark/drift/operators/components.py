"""Components: an activation, a loss or a function has a neighbour in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmark.drift.naming import first_words, place
from benchmark.drift.operator import Found, Register
from benchmark.drift.source import PythonFile, Repo
from benchmark.nouns import Drift, Level

__all__ = ["OPERATORS"]

_OPERATORS = Register(Drift.METHODOLOGICAL)


def _place(file: PythonFile, node: cst.CSTNode) -> str:
    where = place(file.scope(node), file.path)
    return where[0].upper() + where[1:]


def _renamed_calls(
    repo: Repo, file: PythonFile, pairs: dict[str, str]
) -> Iterator[tuple[cst.Call, cst.Name, str]]:
    """Calls by attribute of a module (`nn.ReLU`, `x.mean`) whose last name has a neighbour."""
    for call in file.all(cst.Call):
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value in pairs and repo.used(file, call):
            yield call, func.attr, pairs[func.attr.value]


def _neighbours(
    repo: Repo, file: PythonFile, pairs: dict[str, str], what: str, level: Level
) -> Iterator[Found]:
    for call, name, other in _renamed_calls(repo, file, pairs):
        yield Found(
            (file.swap(name, other),),
            file.span(call),
            f"{_place(file, call)} uses {name.value} as the {what}: "
            f"{first_words(file.code(call))}.",
            f"{name.value} becomes {other}",
            level,
        )


@_OPERATORS.file("A sum in place of a mean, or the reverse.")
def reduction_changed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap mean and sum."""
    yield from _neighbours(repo, file, {"mean": "sum", "sum": "mean"}, "reduction", Level.PARTIAL)
    for arg in file.all(cst.Arg):
        if (
            arg.keyword is not None
            and arg.keyword.value == "reduction"
            and isinstance(arg.value, cst.SimpleString)
            and (other := {"mean": "sum", "sum": "mean"}.get(str(arg.value.raw_value)))
            and repo.used(file, arg)
        ):
            yield Found(
                (file.swap(arg.value, f'"{other}"'),),
                file.span(file.parents[arg]),
                f"{_place(file, arg)}: {first_words(file.code(file.parents[arg]))} reduces by "
                f"{arg.value.raw_value}.",
                f"the reduction becomes {other}",
                Level.PARTIAL,
            )


@_OPERATORS.file(
    "Another activation function.",
    speaks=r"relu|elu\b|tanh|sigmoid|swish|silu|mish|softplus|activation|non-?linear|rectif",
)
def activation_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap activations."""
    pairs = {
        "ReLU": "Tanh",
        "relu": "tanh",
        "Tanh": "ReLU",
        "tanh": "relu",
        "GELU": "ReLU",
        "gelu": "relu",
        "SiLU": "ReLU",
        "silu": "relu",
        "LeakyReLU": "ReLU",
        "leaky_relu": "relu",
        "ELU": "ReLU",
        "elu": "relu",
        "sigmoid": "tanh",
        "Sigmoid": "Tanh",
        "softplus": "relu",
        "Softplus": "ReLU",
        "Mish": "ReLU",
    }
    for found in _neighbours(repo, file, pairs, "activation", Level.PARTIAL):
        # A slope given to LeakyReLU would be taken for `inplace`.
        if not re.search(r"(?:[Ll]eaky_?[Rr]e[Ll][uU]|E[Ll]U|GELU)\([^)]", found.claim):
            yield found


@_OPERATORS.file("Another normalisation layer.", speaks=r"norm")
def normalisation_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap normalisation layers."""
    pairs = {
        "LayerNorm": "BatchNorm1d",
        "BatchNorm1d": "LayerNorm",
        "BatchNorm2d": "InstanceNorm2d",
        "InstanceNorm2d": "BatchNorm2d",
        "RMSNorm": "LayerNorm",
        "GroupNorm": "LocalResponseNorm",
    }
    return _neighbours(repo, file, pairs, "normalisation", Level.PARTIAL)


@_OPERATORS.file("Another optimiser.")
def optimiser_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap optimisers; AdamW for Adam is a near-equivalent, plain SGD is not."""
    near = {"Adam": "AdamW", "AdamW": "Adam"}
    far = {"SGD": "Adam", "RMSprop": "Adam", "Adagrad": "RMSprop"}
    yield from _neighbours(repo, file, near, "optimiser", Level.MINOR)
    for found in _neighbours(repo, file, far, "optimiser", Level.FRAGMENT):
        if "momentum" not in found.claim:
            yield found


@_OPERATORS.file("Another loss function in place of the stated one.")
def loss_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Replace a loss by a neighbour."""
    pairs = {
        "mse_loss": "l1_loss",
        "MSELoss": "L1Loss",
        "l1_loss": "mse_loss",
        "L1Loss": "MSELoss",
        "smooth_l1_loss": "mse_loss",
        "SmoothL1Loss": "MSELoss",
        "huber_loss": "mse_loss",
        "cross_entropy": "multi_margin_loss",
        "CrossEntropyLoss": "MultiMarginLoss",
        "kl_div": "mse_loss",
        "KLDivLoss": "MSELoss",
        "binary_cross_entropy_with_logits": "mse_loss",
        "BCEWithLogitsLoss": "MSELoss",
        "BCELoss": "MSELoss",
        "binary_cross_entropy": "mse_loss",
    }
    return _neighbours(repo, file, pairs, "loss", Level.FRAGMENT)


@_OPERATORS.file("A minimum in place of a maximum, or the reverse.")
def extremum_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap min and max."""
    pairs = {
        "min": "max",
        "max": "min",
        "minimum": "maximum",
        "maximum": "minimum",
        "argmax": "argmin",
        "argmin": "argmax",
    }
    yield from _neighbours(repo, file, pairs, "extremum", Level.FRAGMENT)


@_OPERATORS.file("Another function of the same kind: cosine for sine, a square for a root.")
def neighbour_function(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap elementwise functions."""
    pairs = {
        "sin": "cos",
        "cos": "sin",
        "sqrt": "square",
        "square": "sqrt",
        "rsqrt": "sqrt",
        "log": "log1p",
        "exp": "expm1",
        "softmax": "log_softmax",
        "log_softmax": "softmax",
        "cumsum": "cumprod",
        "cumprod": "cumsum",
        "floor": "ceil",
        "ceil": "floor",
        "abs": "square",
        "median": "mean",
        "std": "var",
        "var": "std",
    }
    for found in _neighbours(repo, file, pairs, "function", Level.PARTIAL):
        if "math." not in found.claim:
            yield found


@_OPERATORS.file(
    "Another distribution is drawn from.",
    speaks=r"gauss|normal|uniform|random|noise|initial|sampl|drawn|draws|[~∼]|N\(|𝒩",
)
def distribution_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap random draws and initialisations."""
    pairs = {
        "randn": "rand",
        "randn_like": "rand_like",
        "rand": "randn",
        "rand_like": "randn_like",
        "xavier_uniform_": "xavier_normal_",
        "xavier_normal_": "xavier_uniform_",
        "kaiming_normal_": "xavier_normal_",
        "kaiming_uniform_": "xavier_uniform_",
        "orthogonal_": "xavier_uniform_",
        "normal": "laplace",
        "uniform": "normal",
    }
    for found in _neighbours(repo, file, pairs, "distribution", Level.PARTIAL):
        if not re.search(r"nonlinearity|mode=|a=", found.claim):
            yield found


@_OPERATORS.file("Another pooling.", speaks=r"pool")
def pooling_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap maximum and average pooling."""
    pairs = {
        f"{a}{form}": f"{b}{form}"
        for a, b in (("MaxPool", "AvgPool"), ("AvgPool", "MaxPool"))
        for form in ("1d", "2d", "3d")
    }
    pairs |= {f"Adaptive{a}": f"Adaptive{b}" for a, b in pairs.items()}
    pairs |= {"max_pool2d": "avg_pool2d", "avg_pool2d": "max_pool2d"}
    return _neighbours(repo, file, pairs, "pooling", Level.PARTIAL)


OPERATORS = tuple(_OPERATORS.operators)
