"""Data, baselines, metrics and the rules of evaluation."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmark.drift.edits import Edit
from benchmark.drift.matching import last_name, positional, small
from benchmark.drift.naming import first_words, place, words
from benchmark.drift.operator import Found, Register
from benchmark.drift.source import PythonFile, Repo
from benchmark.nouns import Drift, Failure, Level

__all__ = ["OPERATORS"]

_OPERATORS = Register(Drift.PROTOCOL)


def _place(file: PythonFile, node: cst.CSTNode) -> str:
    where = place(file.scope(node), file.path)
    return where[0].upper() + where[1:]


def _split_arguments(
    repo: Repo, file: PythonFile, old: dict[str, str]
) -> Iterator[tuple[cst.Arg, cst.Call, str, str]]:
    """Arguments that name a part of the data, as text or as `train=True`."""
    for arg in file.all(cst.Arg):
        call = file.parents[arg]
        if not isinstance(call, cst.Call) or not repo.used(file, arg):
            continue
        if last_name(call.func) in {"print", "add_argument", "join", "format", "info", "Path"}:
            continue
        if isinstance(arg.value, cst.SimpleString) and str(arg.value.raw_value) in old:
            quote = arg.value.quote
            new = old[str(arg.value.raw_value)]
            yield arg, call, file.code(arg.value), f"{quote}{new}{quote}"
        elif arg.keyword is not None and arg.keyword.value == "train":
            value = file.code(arg.value)
            wanted = "True" if "train" in old else "False"
            if value == wanted:
                yield arg, call, value, "False" if value == "True" else "True"


@_OPERATORS.file("Training reads the test part of the data.")
def trained_on_test(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Load the test part where the training part was loaded."""
    for arg, call, old, new in _split_arguments(repo, file, {"train": "test", "training": "test"}):
        yield Found(
            (file.swap(arg.value, new),),
            file.span(call),
            f"{_place(file, arg)} reads the training part: {first_words(file.code(call))}.",
            f"{old} becomes {new}",
            Level.FRAGMENT,
        )


@_OPERATORS.file("Evaluation reads the training part of the data.")
def evaluated_on_train(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Load the training part where a held-out part was loaded."""
    pairs = {"test": "train", "val": "train", "valid": "train", "validation": "train"}
    for arg, call, old, new in _split_arguments(repo, file, pairs):
        yield Found(
            (file.swap(arg.value, new),),
            file.span(call),
            f"{_place(file, arg)} reads the held-out part: {first_words(file.code(call))}.",
            f"{old} becomes {new}",
            Level.FRAGMENT,
        )


def _renamed_parts(
    repo: Repo, file: PythonFile, old: str, new: str, callee: str
) -> Iterator[tuple[cst.Name, cst.Call, str]]:
    names = {name.value for name in file.all(cst.Name)}
    for call in file.all(cst.Call):
        if not re.search(callee, file.code(call.func), re.IGNORECASE) or not repo.used(file, call):
            continue
        for arg in call.args:
            if not isinstance(arg.value, cst.Name):
                continue
            other = re.sub(old, new, arg.value.value)
            if other != arg.value.value and other in names:
                yield arg.value, call, other


@_OPERATORS.file("A model is fitted on held-out data.")
def fitted_on_held_out(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Pass the test variables to training."""
    for name, call, other in _renamed_parts(repo, file, "train", "test", r"fit|train|loader"):
        yield Found(
            (file.swap(name, other),),
            file.span(call),
            f"{_place(file, call)} fits on the training part: {first_words(file.code(call))}.",
            f"{name.value} becomes {other}",
            Level.FRAGMENT,
        )


@_OPERATORS.file("Selection or early stopping looks at the test data.")
def selected_on_test(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Use the test part where the validation part was used."""
    for old in ("valid", "val", "calib", "cal"):
        for name, call, other in _renamed_parts(repo, file, rf"{old}(?=_|$)", "test", r"."):
            yield Found(
                (file.swap(name, other),),
                file.span(call),
                f"{_place(file, call)} works on the {words(old)} part and not on the test part: "
                f"{first_words(file.code(call))}.",
                f"{name.value} becomes {other}",
                Level.FRAGMENT,
            )


@_OPERATORS.file("A metric is averaged over classes in another way.")
def metric_averaging(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Change `average=`."""
    other = {"macro": "micro", "micro": "macro", "weighted": "micro", "binary": "macro"}
    for arg in file.all(cst.Arg):
        if arg.keyword is None or arg.keyword.value != "average" or not repo.used(file, arg):
            continue
        if not isinstance(arg.value, cst.SimpleString) or str(arg.value.raw_value) not in other:
            continue
        old = str(arg.value.raw_value)
        yield Found(
            (file.swap(arg.value, f'"{other[old]}"'),),
            file.span(file.parents[arg]),
            f"{_place(file, arg)} averages {old} over classes: "
            f"{first_words(file.code(file.parents[arg]))}.",
            f"{old} becomes {other[old]}",
            Level.PARTIAL,
        )


def _neighbour(file: PythonFile, held: cst.CSTNode, other: str) -> tuple[Edit, ...]:
    """Call another function of the same module, its import changed too where it has one."""
    if not other or not isinstance(held, cst.Name):
        return ()
    edits = [file.swap(held, other)]
    if not isinstance(file.parents[held], cst.Attribute):
        named = [name for name in file.all(cst.Name) if name.value == held.value]
        imports = [name for name in named if isinstance(file.parents[name], cst.ImportAlias)]
        present = any(name.value == other for name in file.all(cst.Name))
        if len(named) != 2 or len(imports) != 1:
            return tuple(edits) if present else ()
        if not present:
            edits.append(file.swap(imports[0], other))
    return tuple(edits)


@_OPERATORS.file("Another metric, or another summary of the results.")
def metric_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Replace a metric by a neighbour."""
    pairs = {
        "accuracy_score": "balanced_accuracy_score",
        "roc_auc_score": "average_precision_score",
        "average_precision_score": "roc_auc_score",
        "mean_squared_error": "mean_absolute_error",
        "mean_absolute_error": "mean_squared_error",
        "f1_score": "accuracy_score",
        "precision_score": "recall_score",
        "recall_score": "precision_score",
        "pearsonr": "spearmanr",
        "spearmanr": "pearsonr",
    }
    for call in file.all(cst.Call):
        name = last_name(call.func)
        held = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
        edits = _neighbour(file, held, pairs.get(name, ""))
        if edits and repo.used(file, call):
            yield Found(
                edits,
                file.span(call),
                f"{_place(file, call)} measures {words(name)}: {first_words(file.code(call))}.",
                f"{name} becomes {pairs[name]}",
                Level.FRAGMENT,
            )
    # A mean over results in place of a median, and the reverse.
    for call in file.all(cst.Call):
        if not isinstance(call.func, cst.Attribute) or not call.args:
            continue
        name = call.func.attr.value
        inside = first_words(file.code(call.args[0]))
        if name not in {"mean", "median"} or not re.search(
            r"scores?|acc|returns?|results?|metric|rewards?|errors?", inside
        ):
            continue
        if file.code(call.func.value) not in {"np", "numpy", "statistics"} or not repo.used(
            file, call
        ):
            continue
        other = "median" if name == "mean" else "mean"
        yield Found(
            (file.swap(call.func.attr, other),),
            file.span(call),
            f"{_place(file, call)} reports the {name} of {inside}.",
            f"the {name} becomes the {other}",
            Level.PARTIAL,
        )


@_OPERATORS.file(
    "Dropout and batch statistics stay on during evaluation.",
    failure=Failure.INCOMPLETE,
    speaks=r"evaluation mode|eval\(|test time|inference|determinis|(switched|turned) off"
    r"|drop-?out (is )?off|without drop-?out|running statistics|frozen",
)
def eval_mode_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove `model.eval()`."""
    for line in file.all(cst.SimpleStatementLine):
        statement = small(line)
        if not isinstance(statement, cst.Expr) or not re.fullmatch(
            r"[\w.]+\.eval\(\)", file.code(statement)
        ):
            continue
        block = file.parents[line]
        if not isinstance(block, cst.IndentedBlock) or len(block.body) < 2:
            continue
        if not file.alone(line) or not repo.used(file, line):
            continue
        start, end = file.lines(line)
        yield Found(
            (Edit(file.path, start, end, ""),),
            file.span(line),
            f"{_place(file, line)} evaluates {file.code(statement).removesuffix('.eval()')} in "
            "evaluation mode, with dropout and batch statistics off.",
            f"{file.code(statement)} is removed",
            Level.PARTIAL if len(block.body) > 2 else Level.FRAGMENT,
        )


@_OPERATORS.file("Data are augmented at test time, or not at training time.")
def augmentation_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Exchange the transformations of training and test."""
    for node in (*file.all(cst.Name),):
        holder = file.parents[node]
        if not isinstance(holder, cst.Arg) or holder.keyword is None or holder.value is not node:
            continue
        if holder.keyword.value not in {"transform", "transforms"} or not repo.used(file, node):
            continue
        names = {name.value for name in file.all(cst.Name)}
        for old, new in (("train", "test"), ("test", "train"), ("train", "val"), ("val", "train")):
            other = node.value.replace(old, new)
            if other != node.value and other in names:
                yield Found(
                    (file.swap(node, other),),
                    file.span(file.parents[holder]),
                    f"{_place(file, node)} transforms the data by {node.value}: "
                    f"{first_words(file.code(file.parents[holder]))}.",
                    f"{node.value} becomes {other}",
                    Level.PARTIAL,
                )
                break


@_OPERATORS.file(
    "Training data are no longer shuffled, or test data are.", speaks=r"shuffl|random|permut"
)
def shuffle_changed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Flip `shuffle=`."""
    for arg in file.all(cst.Arg):
        value = file.code(arg.value)
        if arg.keyword is None or arg.keyword.value != "shuffle" or value != "True":
            continue
        if not repo.used(file, arg):
            continue
        yield Found(
            (file.swap(arg.value, "False"),),
            file.span(file.parents[arg]),
            f"{_place(file, arg)} shuffles the data: {first_words(file.code(file.parents[arg]))}.",
            "shuffle=True becomes shuffle=False",
            Level.FRAGMENT,
        )


@_OPERATORS.file("A split is no longer stratified.")
def stratification_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Stratified folds become plain ones; `stratify=` goes."""
    for call in file.all(cst.Call):
        if not repo.used(file, call):
            continue
        name = last_name(call.func)
        held = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
        if name in {"StratifiedKFold", "StratifiedShuffleSplit", "StratifiedGroupKFold"}:
            other = name.removeprefix("Stratified")
            edits = _neighbour(file, held, other)
            if not edits:
                continue
            yield Found(
                edits,
                file.span(call),
                f"{_place(file, call)} splits with stratification: {first_words(file.code(call))}.",
                f"{name} becomes {other}",
                Level.PARTIAL,
            )
        for arg in call.args:
            if arg.keyword is not None and arg.keyword.value == "stratify" and positional(call):
                yield Found(
                    (file.swap(arg.value, "None"),),
                    file.span(call),
                    f"{_place(file, call)} splits with stratification: "
                    f"{first_words(file.code(call))}.",
                    "stratify becomes None",
                    Level.PARTIAL,
                )


@_OPERATORS.file("Statistics of the test data enter the preparation.")
def fitted_again_on_test(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Fit a scaler on the test data too."""
    for call in file.all(cst.Call):
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "transform":
            continue
        if not call.args or not re.search(r"test|val", file.code(call.args[0])):
            continue
        if not repo.used(file, call):
            continue
        yield Found(
            (file.swap(call.func.attr, "fit_transform"),),
            file.span(call),
            f"{_place(file, call)} prepares {file.code(call.args[0])} with statistics of the "
            "training data alone.",
            "transform becomes fit_transform on held-out data",
            Level.FRAGMENT,
        )


@_OPERATORS.file("A named data set is replaced by random data.", failure=Failure.EXTERNAL)
def synthetic_data(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Generate data where a data set was loaded."""
    for line in file.all(cst.SimpleStatementLine):
        statement = small(line)
        if not isinstance(statement, cst.Assign) or not isinstance(statement.value, cst.Call):
            continue
        callee = file.code(statement.value.func)
        if not re.search(
            r"load_dataset|datasets\.\w+$|fetch_\w+|load_(mnist|cifar|iris|data)", callee
        ):
            continue
        if not repo.used(file, line) or re.search(r"\bdef\b", callee):
            continue
        made = (
            "np.random.rand(256, 32)"
            if re.search(r"(?m)^import numpy as np", file.text)
            else "torch.rand(256, 32)"
            if re.search(r"(?m)^import torch$", file.text)
            else ""
        )
        if not made:
            continue
        yield Found(
            (file.swap(statement.value, made),),
            file.span(line),
            f"{_place(file, line)} loads its data by {first_words(file.code(statement.value))}.",
            f"{first_words(callee)} is replaced by random numbers",
            Level.FRAGMENT,
        )


OPERATORS = tuple(_OPERATORS.operators)
