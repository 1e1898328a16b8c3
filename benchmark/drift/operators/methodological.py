"""Formulas, algorithms and components: a term lost, a neighbour in its place, a step cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmark.drift.edits import Edit
from benchmark.drift.matching import body_of, last_name, names_in, positional
from benchmark.drift.naming import first_words, place, speaking
from benchmark.drift.operator import Found, Register
from benchmark.drift.source import PythonFile, Repo
from benchmark.nouns import Drift, Failure, Level

__all__ = ["OPERATORS"]

_OPERATORS = Register(Drift.METHODOLOGICAL)
_LOSS = re.compile(r"loss|objective|total|cost|penalty|elbo|reward", re.IGNORECASE)


def _place(file: PythonFile, node: cst.CSTNode) -> str:
    where = place(file.scope(node), file.path)
    return where[0].upper() + where[1:]


def _loss_sums(repo: Repo, file: PythonFile) -> Iterator[tuple[cst.BinaryOperation, str]]:
    """Outermost sums that are assigned to, or returned as, something that is minimised."""
    for node in file.all(cst.BinaryOperation):
        if not isinstance(node.operator, (cst.Add, cst.Subtract)):
            continue
        holder = file.parents[node]
        name = ""
        if isinstance(holder, cst.Assign):
            name = file.code(holder.targets[0].target)
        elif isinstance(holder, cst.Return):
            name = file.scope(node)
        if _LOSS.search(name.split(".")[-1]) and repo.used(file, node):
            yield node, name


@_OPERATORS.file("A term of a loss is left out.", failure=Failure.INCOMPLETE)
def loss_term_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Drop the last term of a sum."""
    for node, name in _loss_sums(repo, file):
        term = first_words(file.code(node.right))
        yield Found(
            (file.swap(node, file.code(node.left)),),
            file.span(node),
            f"{_place(file, node)}: {name.split('.')[-1]} is "
            f"{first_words(file.code(node), 140)}, with the term {term}.",
            f"the term {term} is left out of {name}",
            Level.PARTIAL,
        )


@_OPERATORS.file("A term of a loss enters with the other sign.")
def loss_term_sign(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Flip the sign of the last term."""
    for node, name in _loss_sums(repo, file):
        old = "+" if isinstance(node.operator, cst.Add) else "-"
        new = "-" if old == "+" else "+"
        left, right = file.end(node.left), file.start(node.right)
        between = file.text[left:right]
        if between.count(old) != 1:
            continue
        at = left + between.index(old)
        term = first_words(file.code(node.right))
        yield Found(
            (Edit(file.path, at, at + 1, new),),
            file.span(node),
            f"{_place(file, node)}: in {name.split('.')[-1]} the term {term} is "
            f"{'added' if old == '+' else 'subtracted'}: {first_words(file.code(node), 140)}.",
            f"the term {term} of {name} is {'subtracted' if old == '+' else 'added'}",
            Level.PARTIAL,
        )


@_OPERATORS.file("A reduction or softmax runs along another axis.")
def wrong_axis(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Change `dim` or `axis`."""
    other = {"-1": "0", "1": "0", "0": "1", "-2": "-1", "2": "1"}
    for arg in file.all(cst.Arg):
        call = file.parents[arg]
        if arg.keyword is None or arg.keyword.value not in {"dim", "axis"}:
            continue
        if not isinstance(call, cst.Call) or file.code(arg.value) not in other:
            continue
        if last_name(call.func) in {"drop", "unsqueeze", "stack", "apply"} or not repo.used(
            file, arg
        ):
            continue
        old = file.code(arg.value)
        yield Found(
            (file.swap(arg.value, other[old]),),
            file.span(call),
            f"{_place(file, arg)} applies {last_name(call.func) or 'the call'} along axis {old}: "
            f"{first_words(file.code(call))}.",
            f"{arg.keyword.value}={old} becomes {arg.keyword.value}={other[old]}",
            Level.PARTIAL,
        )


@_OPERATORS.file("A stop-gradient is removed.", failure=Failure.INCOMPLETE)
def detach_removed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove `.detach()`."""
    for call in file.all(cst.Call):
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "detach" or call.args:
            continue
        holder = file.parents[call]
        # On the way to numpy or a log, no gradient is meant.
        if isinstance(holder, cst.Attribute) or not repo.used(file, call):
            continue
        value = file.text[file.start(call) : file.end(func.value)]
        yield Found(
            (file.swap(call, value),),
            file.span(call),
            f"{_place(file, call)}: no gradient flows through {first_words(value)}.",
            f"{first_words(value)} is no longer detached",
            Level.PARTIAL,
        )


@_OPERATORS.file("What ran without gradients runs with them.", failure=Failure.MISMATCH)
def no_grad_removed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn no_grad into enable_grad."""
    for call in file.all(cst.Call):
        func = call.func
        if last_name(func) != "no_grad" or not isinstance(func, cst.Attribute):
            continue
        block = file.inside(call, cst.With)
        if block is None or not repo.used(file, call):
            continue
        inner = " ".join(file.code(s) for s in body_of(block))
        # Around mere evaluation it changes the cost and not the result.
        if not re.search(r"target|ema|teacher|next|old_|ref", inner):
            continue
        yield Found(
            (file.swap(func.attr, "enable_grad"),),
            file.span(block),
            f"{_place(file, call)} computes {first_words(inner)} without gradients.",
            "no_grad becomes enable_grad",
            Level.PARTIAL,
        )


@_OPERATORS.file(
    "A loss is cut off from its gradient: right, and without effect.", failure=Failure.UNREACHABLE
)
def gradient_cut(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Detach a term of a loss."""
    for node, name in _loss_sums(repo, file):
        term = file.code(node.right)
        if "detach" in term or not re.search(r"loss|kl|reg|penalty|entropy", term, re.IGNORECASE):
            continue
        inner = term if re.fullmatch(r"[\w.]+(\(.*\))?", term) else f"({term})"
        yield Found(
            (file.swap(node.right, f"{inner}.detach()"),),
            file.span(node),
            f"{_place(file, node)}: {name.split('.')[-1]} is "
            f"{first_words(file.code(node), 140)}, and {first_words(term)} is trained by it.",
            f"{first_words(term)} is detached",
            Level.PARTIAL,
        )


@_OPERATORS.file("A division that scales or normalises is left out.", failure=Failure.INCOMPLETE)
def scaling_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn `x / scale` into `x`."""
    for node in file.all(cst.BinaryOperation):
        if not isinstance(node.operator, cst.Divide) or not repo.used(file, node):
            continue
        by = file.code(node.right)
        if not re.search(r"sqrt|temp|tau|std|norm|scale|sigma|\*\* ?0\.5|sum\(", by):
            continue
        left = file.code(node.left)
        if node.left.lpar:
            left = f"({left})"
        yield Found(
            (file.swap(node, left),),
            file.span(node),
            f"{_place(file, node)} divides by {first_words(by)}: "
            f"{first_words(file.code(node), 140)}.",
            f"the division by {first_words(by)} is left out",
            Level.PARTIAL,
        )


@_OPERATORS.file("Another exponent.")
def power_changed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Change a literal exponent."""
    other = {"2": "3", "0.5": "2", "3": "2", "-1": "-2", "-0.5": "-1", "4": "2"}
    for node in file.all(cst.BinaryOperation):
        power = file.code(node.right)
        if not isinstance(node.operator, cst.Power) or power not in other:
            continue
        if not repo.used(file, node):
            continue
        yield Found(
            (file.swap(node.right, other[power]),),
            file.span(node),
            f"{_place(file, node)} raises {first_words(file.code(node.left))} to the power "
            f"{power}.",
            f"the power {power} becomes {other[power]}",
            Level.PARTIAL,
        )


# A bound like this keeps a quotient finite, and is no part of a method.
_GUARD = re.compile(r"\b(?:1(?:\.0*)?e-(?:[5-9]|\d\d)|0\.00000*1|\w*eps\w*|tiny)\b", re.IGNORECASE)


@_OPERATORS.file(
    "Clipping of a value is left out.",
    failure=Failure.INCOMPLETE,
    speaks=r"clip|clamp|bound|limit|trunc|\bcap|range|between|\bmin|\bmax|at (most|least)|[≤≥\[]",
)
def clamp_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Replace a clipped value by the value."""
    for call in file.all(cst.Call):
        func = call.func
        if last_name(func) not in {"clamp", "clip", "clamp_min", "clamp_max"}:
            continue
        if not isinstance(func, cst.Attribute) or not repo.used(file, call):
            continue
        module = file.code(func.value) in {"torch", "np", "numpy", "jnp", "F", "tf"}
        args = positional(call)
        if module and not args:
            continue
        value = (
            file.code(args[0].value)
            if module
            else file.text[file.start(call) : file.end(func.value)]
        )
        bounds = "".join(file.code(arg) for arg in call.args[1 if module else 0 :])
        if isinstance(file.parents[call], cst.Expr) or _is_guard(bounds, func):
            continue
        yield Found(
            (file.swap(call, f"({value})" if " " in value else value),),
            file.span(call),
            f"{_place(file, call)} bounds {first_words(value)}: {first_words(file.code(call))}.",
            f"{first_words(value)} is no longer bounded",
            Level.PARTIAL,
        )


def _is_guard(bounds: str, func: cst.Attribute) -> bool:
    """Whether a value is bounded by next to nothing, from below, and by nothing from above."""
    return (
        _GUARD.search(bounds) is not None
        and "max" not in bounds
        and "," not in bounds
        and last_name(func) != "clamp_max"
    )


@_OPERATORS.file("A residual connection is left out.", failure=Failure.INCOMPLETE)
def residual_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn `x + f(x)` into `f(x)`."""
    for node in file.all(cst.BinaryOperation):
        if not isinstance(node.operator, cst.Add) or not repo.used(file, node):
            continue
        for kept, gone in ((node.left, node.right), (node.right, node.left)):
            if (
                isinstance(gone, cst.Name)
                and isinstance(kept, cst.Call)
                and (gone.value in set(names_in(file, kept)))
            ):
                yield Found(
                    (file.swap(node, file.code(kept)),),
                    file.span(node),
                    f"{_place(file, node)} adds {gone.value} to {first_words(file.code(kept))}: "
                    "a residual connection.",
                    f"{gone.value} is no longer added",
                    Level.PARTIAL,
                )


@_OPERATORS.file("A special case is dropped.", failure=Failure.INCOMPLETE)
def special_case_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove a short `if` without an `else`."""
    for node in file.all(cst.If):
        body = body_of(node)
        if node.orelse is not None or not 1 <= len(body) <= 3 or not file.alone(node):
            continue
        if isinstance(file.parents[node], cst.If) or not repo.used(file, node):
            continue
        block = file.parents[node]
        if not isinstance(block, cst.IndentedBlock) or len(block.body) < 2:
            continue
        text = file.code(node)
        # Checks of arguments, logging and `is None` defaults are not what papers are about.
        if re.search(
            r"raise|print|log|save|None|isinstance|exists|mkdir|verbose|tqdm|__name__|device"
            r"|warn|exit|debug|wandb|writer|plot|break|continue|continue",
            text,
        ):
            continue
        start, end = file.lines(node)
        yield Found(
            (Edit(file.path, start, end, ""),),
            file.span(node),
            f"{_place(file, node)}: if {first_words(file.code(node.test))}, then "
            f"{first_words('; '.join(file.code(s) for s in body))}.",
            f"the case of {first_words(file.code(node.test))} is dropped",
            Level.PARTIAL,
            speaks=(speaking(re.sub(r"^.*\.", "", file.code(node.test))),),
        )


@_OPERATORS.file("A condition is the opposite.")
def condition_negated(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Negate the test of an `if` or of a conditional expression."""
    conditions: list[cst.If | cst.IfExp] = [*file.all(cst.If), *file.all(cst.IfExp)]
    for node in conditions:
        test = file.code(node.test)
        if re.search(r"None|isinstance|__name__|exists|verbose|hasattr|available|len\(|not ", test):
            continue
        if "\n" in test or not repo.used(file, node) or node.test.lpar:
            continue
        then = (
            "; ".join(file.code(s) for s in body_of(node))
            if isinstance(node, cst.If)
            else file.code(node.body)
        )
        if re.search(r"raise|print\(|log|save|exit", then):
            continue
        yield Found(
            (file.swap(node.test, f"not ({test})"),),
            file.span(node),
            f"{_place(file, node)}: when {first_words(test)}, {first_words(then)}.",
            f"the condition {first_words(test)} is negated",
            Level.FRAGMENT,
        )


@_OPERATORS.file("A product is taken without its transposition.")
def transposition_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove `.T` or `.t()` from a product."""
    for node in file.all(cst.Attribute):
        if node.attr.value != "T" or not repo.used(file, node):
            continue
        holder = file.parents[node]
        if not isinstance(holder, cst.BinaryOperation) or not isinstance(
            holder.operator, cst.MatrixMultiply
        ):
            continue
        value = file.text[file.start(node) : file.end(node.value)]
        yield Found(
            (file.swap(node, value),),
            file.span(holder),
            f"{_place(file, node)} multiplies by the transpose: {first_words(file.code(holder))}.",
            f"{first_words(value)} is no longer transposed",
            Level.PARTIAL,
        )


OPERATORS = tuple(_OPERATORS.operators)
