"""Sequence and phase: statements, calls, layers and loops that change places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from benchmark.drift.edits import Edit
from benchmark.drift.matching import body_of, last_name, names_in, paths_in, positional, small
from benchmark.drift.naming import first_words, place, speaking
from benchmark.drift.operator import Found, Register
from benchmark.drift.source import PythonFile, Repo
from benchmark.nouns import Drift, Level

__all__ = ["OPERATORS"]

_OPERATORS = Register(Drift.ORDERING)
_SILENT = re.compile(
    r"print|log|save|tqdm|desc|wandb|writer|plot|\bplt\b|append|ax\.|fig\.|assert|\byield\b|await"
)
_BACKWARD = r"\.backward\("
_STEP = r"\b(?!sched|lr_sched|scaler)\w*opt\w*\.step\("
_SCHEDULER = r"sched\w*\.step\("
_ZERO = r"\.zero_grad\("
_CLIP = r"clip_grad"
_TARGET = r"(target|ema|polyak|soft_update|teacher)\w*(\.\w+)*\("


def _place(file: PythonFile, node: cst.CSTNode) -> str:
    return place(file.scope(node), file.path)


def _moved(
    file: PythonFile, block: Sequence[cst.BaseStatement], at: int, to: int
) -> tuple[Edit, Edit] | None:
    """Move a statement of a block to stand where another one does; `None` where it cannot go."""
    moved, other = block[at], block[to]
    if not (file.alone(moved) and file.alone(other)):
        return None
    start, end = file.lines(moved)
    text = file.text[start:end]
    first, after = file.lines(other)
    if not text.endswith("\n") or not file.text[:after].endswith("\n"):
        return None
    place = first if to < at else after
    return Edit(file.path, start, end, ""), Edit(file.path, place, place, text)


def _reads_and_writes(file: PythonFile, node: cst.BaseSmallStatement) -> tuple[set[str], set[str]]:
    """The paths (`attention.query`, `part["old"]`) that a statement reads, and that it changes."""
    paths = set(paths_in(file, node))
    if isinstance(node, cst.Assign):
        return set(paths_in(file, node.value)), {
            path for target in node.targets for path in paths_in(file, target.target)
        }
    if isinstance(node, (cst.AugAssign, cst.Expr)):
        return paths, paths
    return paths, set()


def _meet(written: str, read: str) -> bool:
    """Whether changing the one changes what the other is: one is the other, or holds it."""
    shorter, longer = sorted((written, read), key=len)
    return longer == shorter or longer.startswith((f"{shorter}.", f"{shorter}["))


def _is_alias(file: PythonFile, node: cst.BaseSmallStatement) -> bool:
    """Whether a statement gives things another name, which sees every change inside them."""
    return isinstance(node, cst.Assign) and not any(
        file.within(kind, node.value)
        for kind in (cst.Call, cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.IfExp)
    )


def _known_before(file: PythonFile, block: cst.CSTNode, name: str) -> bool:
    """Whether a name stands earlier in the function or module than a statement."""
    function = file.inside(block, cst.FunctionDef)
    start = file.start(function) if function is not None else 0
    return re.search(rf"\b{re.escape(name)}\b", file.text[start : file.lines(block)[0]]) is not None


def _pair(
    file: PythonFile,
    block: Sequence[cst.BaseStatement],
    at: int,
    to: int,
    level: Level,
    *,
    named: bool = False,
) -> Iterator[Found]:
    """One statement of a block in the place of another; `named`: of claims that name both."""
    edits = _moved(file, block, at, to)
    if edits is None:
        return
    first, second = sorted((at, to))
    a, b = (first_words(file.code(block[i])) for i in (first, second))
    path, low, _ = file.span(block[first])
    yield Found(
        edits,
        (path, low, file.span(block[second])[2]),
        f"In {_place(file, block[first])} first {a}, and after that {b}.",
        f"{b} comes before {a}",
        level,
        speaks=tuple(speaking(file.code(block[i])) for i in (first, second)) if named else (),
    )


@_OPERATORS.file("Two statements that depend on each other change places.")
def statements_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap adjacent updates of one name."""
    imported = {
        name.value
        for kind in (cst.Import, cst.ImportFrom)
        for node in file.all(kind)
        for name in file.within(cst.Name, node)
    }
    for block in file.blocks():
        for at in range(len(block) - 1):
            a, b = small(block[at]), small(block[at + 1])
            if a is None or b is None or _SILENT.search(file.code(a) + file.code(b)):
                continue
            if not isinstance(a, (cst.Assign, cst.AugAssign, cst.Expr)):
                continue
            if not isinstance(b, (cst.Assign, cst.AugAssign)):
                continue
            _, writes_a = _reads_and_writes(file, a)
            reads_b, _ = _reads_and_writes(file, b)
            if isinstance(a, cst.Expr) and _is_alias(file, b):
                continue
            carried = {
                re.split(r"[.\[]", read)[0]
                for read in reads_b
                if any(_meet(written, read) for written in writes_a - {"self"})
            } - imported
            # A name that is new would stop the program; drift is silent.
            if not carried or not all(_known_before(file, block[at], n) for n in carried):
                continue
            if repo.used(file, a):
                yield from _pair(file, block, at + 1, at, Level.PARTIAL, named=True)


def _ordered(
    repo: Repo, file: PythonFile, first: str, second: str, level: Level
) -> Iterator[Found]:
    """Pairs of lines of one block: the first kind is moved behind the second."""
    for block in file.blocks():
        texts = [file.code(s) if small(s) is not None else "" for s in block]
        for at, text in enumerate(texts):
            if not re.search(first, text):
                continue
            for to in range(at + 1, len(block)):
                if re.search(second, texts[to]):
                    if repo.used(file, block[at]):
                        yield from _pair(file, block, at, to, level)
                    break


@_OPERATORS.file("Gradients are clipped after the step that uses them.", speaks=r"clip")
def clipped_after_step(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Move the clipping behind the optimiser's step."""
    return _ordered(repo, file, _CLIP, _STEP, Level.FRAGMENT)


@_OPERATORS.file("The optimiser steps before the gradients are there.")
def step_before_backward(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Move backward behind the step."""
    return _ordered(repo, file, _BACKWARD, _STEP, Level.FRAGMENT)


@_OPERATORS.file("Gradients are erased after they were computed and before they are used.")
def zeroed_after_backward(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Move zero_grad behind backward."""
    return _ordered(repo, file, _ZERO, _BACKWARD, Level.FRAGMENT)


@_OPERATORS.file(
    "The learning rate moves before the optimiser's step.",
    speaks=r"schedul|learning rate|warm|anneal|decay",
)
def scheduler_before_step(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Move the optimiser's step behind the scheduler's."""
    return _ordered(repo, file, _STEP, _SCHEDULER, Level.MINOR)


@_OPERATORS.file(
    "The target network is updated before the loss is minimised.",
    speaks=r"target|average|\bema\b|polyak|teacher|momentum",
)
def target_updated_first(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Move the step behind the update of the target or average."""
    return _ordered(repo, file, _STEP, _TARGET, Level.PARTIAL)


@_OPERATORS.file(
    "Data are normalised by statistics of all of it, before the split.",
    speaks=r"normali|standardi|scal|split|statistic",
)
def normalised_before_split(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Normalise right before `train_test_split` or `random_split`."""
    for call in file.all(cst.Call):
        if last_name(call.func) != "train_test_split" or not repo.used(file, call):
            continue
        line = file.statement(call)
        args = positional(call)
        if not args or not isinstance(args[0].value, cst.Name) or not file.alone(line):
            continue
        name = args[0].value.value
        start, _ = file.lines(line)
        text = f"{file.indent(line)}{name} = ({name} - {name}.mean(0)) / {name}.std(0)\n"
        yield Found(
            (Edit(file.path, start, start, text),),
            file.span(line),
            f"In {_place(file, call)} {name} is split as it is; nothing is fitted to it before.",
            f"{name} is normalised before it is split",
            Level.PARTIAL,
        )


def _loops(block: Sequence[cst.BaseStatement]) -> Iterator[int]:
    for at in range(len(block) - 1):
        if isinstance(block[at], (cst.For, cst.While)) and isinstance(
            block[at + 1], (cst.For, cst.While)
        ):
            yield at


def _movable(file: PythonFile, first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether the second can run before the first without a name that is not there yet."""
    start, end = file.lines(first)
    made = set(re.findall(r"(?m)^\s*([A-Za-z_]\w*)(?:\s*,\s*\w+)*\s*=[^=]", file.text[start:end]))
    needed = set(names_in(file, second))
    return all(_known_before(file, first, name) for name in made & needed)


def _counts(file: PythonFile, loop: cst.CSTNode) -> bool:
    """Whether running a loop again can differ from running it once."""
    if file.within(cst.AugAssign, loop):
        return True
    if any(isinstance(node.value, cst.Call) for node in file.within(cst.Expr, loop)):
        return True
    return any(
        set(names_in(file, node.value))
        & {name for target in node.targets for name in names_in(file, target.target)}
        for node in file.within(cst.Assign, loop)
        if not isinstance(node.targets[0].target, cst.Subscript)
    )


def _flat(text: str) -> bool:
    return '"""' not in text and "'''" not in text and "\\\n" not in text


@_OPERATORS.file("Two phases change places.")
def phases_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap adjacent loops, or adjacent calls of the repository's own functions."""
    for block in file.blocks():
        for at in _loops(block):
            if _movable(file, block[at], block[at + 1]) and repo.used(file, block[at]):
                yield from _pair(file, block, at + 1, at, Level.FRAGMENT)
        for at in range(len(block) - 1):
            a, b = small(block[at]), small(block[at + 1])
            if not isinstance(a, cst.Expr) or not isinstance(b, cst.Expr):
                continue
            if not isinstance(a.value, cst.Call) or not isinstance(b.value, cst.Call):
                continue
            names = {last_name(a.value.func), last_name(b.value.func)}
            if len(names) < 2 or "" in names or _SILENT.search(file.code(a) + file.code(b)):
                continue
            if not re.search(
                r"train|fit|update|learn|eval|collect|prune|quant|step", " ".join(names)
            ):
                continue
            if re.search(rf"{_BACKWARD}|{_STEP}|{_ZERO}|{_SCHEDULER}", file.code(a) + file.code(b)):
                continue
            # Setting a mode and reading weights commute.
            if names & {"eval", "train", "load_state_dict", "to"} or not repo.used(file, a):
                continue
            yield from _pair(file, block, at + 1, at, Level.FRAGMENT)


@_OPERATORS.file("Two phases are merged: the second runs inside the first one's loop.")
def phases_merged(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Indent a loop into the one before it."""
    for block in file.blocks():
        for at in _loops(block):
            first, second = block[at], block[at + 1]
            if getattr(first, "orelse", None) is not None or not body_of(first):
                continue
            if not _counts(file, second):
                continue
            start, end = file.lines(second)
            text = file.text[start:end]
            if not file.alone(second) or not _flat(text) or not repo.used(file, first):
                continue
            deeper = file.indent(body_of(first)[0]).removeprefix(file.indent(first))
            moved = "".join(
                f"{deeper}{line}" if line.strip() else line
                for line in text.splitlines(keepends=True)
            )
            heads = [first_words(file.code(s).split("\n")[0], 70) for s in (first, second)]
            yield Found(
                (Edit(file.path, start, end, moved),),
                file.span(second),
                f"In {_place(file, first)} the loop `{heads[0]}` is finished before the loop "
                f"`{heads[1]}` begins: two phases, one after the other.",
                f"the loop `{heads[1]}` runs inside `{heads[0]}`",
                Level.FRAGMENT,
            )


@_OPERATORS.file("What was done at every step is done once, after the loop.")
def moved_out_of_loop(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Take the last statement of a loop out of it."""
    loops: list[cst.For | cst.While] = [*file.all(cst.For), *file.all(cst.While)]
    for loop in loops:
        body = body_of(loop)
        if len(body) < 2 or loop.orelse is not None or not repo.used(file, loop):
            continue
        last = small(body[-1])
        if not isinstance(last, (cst.Expr, cst.AugAssign, cst.Assign)):
            continue
        text = file.text[slice(*file.lines(body[-1]))]
        if _SILENT.search(text) or not file.alone(body[-1]) or not _flat(text):
            continue
        deeper = file.indent(body[-1]).removeprefix(file.indent(loop))
        moved = "".join(line.removeprefix(file.indent(loop) + deeper).join((file.indent(loop), ""))
                        if line.startswith(file.indent(loop) + deeper) else line
                        for line in text.splitlines(keepends=True))  # fmt: skip
        head = first_words(file.code(loop).split("\n")[0], 70)
        yield Found(
            (Edit(file.path, *file.lines(body[-1]), moved),),
            file.span(body[-1]),
            f"In {_place(file, loop)} {first_words(file.code(last))} is done in every round of "
            f"`{head}`, at its end.",
            f"{first_words(file.code(last))} is done once, after the loop",
            Level.PARTIAL,
            speaks=(speaking(file.code(last)),),
        )


@_OPERATORS.file("What was done once after a loop is done in every round.")
def moved_into_loop(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Take the statement after a loop into it."""
    for block in file.blocks():
        for at in range(len(block) - 1):
            loop, after = block[at], block[at + 1]
            if not isinstance(loop, (cst.For, cst.While)) or loop.orelse is not None:
                continue
            node = small(after)
            if not isinstance(node, (cst.Assign, cst.AugAssign, cst.Expr)) or not body_of(loop):
                continue
            text = file.text[slice(*file.lines(after))]
            if _SILENT.search(text) or not file.alone(after) or not _flat(text):
                continue
            # Setting a name anew from what does not depend on the loop is the same thing twice.
            if isinstance(node, cst.Assign) and not (
                set(names_in(file, node.value))
                & {n for target in node.targets for n in names_in(file, target.target)}
            ):
                continue
            if not repo.used(file, loop):
                continue
            deeper = file.indent(body_of(loop)[0]).removeprefix(file.indent(loop))
            moved = "".join(f"{deeper}{line}" for line in text.splitlines(keepends=True))
            head = first_words(file.code(loop).split("\n")[0], 70)
            yield Found(
                (Edit(file.path, *file.lines(after), moved),),
                file.span(after),
                f"In {_place(file, loop)} {first_words(file.code(node))} is done once, after "
                f"`{head}` has ended.",
                f"{first_words(file.code(node))} is done in every round",
                Level.PARTIAL,
                speaks=(speaking(file.code(node)),),
            )


_ELEMENTWISE = re.compile(
    r"^(ReLU|GELU|Tanh|Sigmoid|SiLU|LeakyReLU|ELU|Softplus|Dropout\w*|Mish|Softmax)$"
)


@_OPERATORS.file("Two layers of a sequence change places.")
def layers_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Swap neighbours in `nn.Sequential`, one of which keeps every shape."""
    for call in file.all(cst.Call):
        if last_name(call.func) != "Sequential" or len(call.args) < 2 or not repo.used(file, call):
            continue
        for a, b in zip(call.args, call.args[1:], strict=False):
            if a.star or b.star or a.keyword or b.keyword:
                continue
            if not isinstance(a.value, cst.Call) or not isinstance(b.value, cst.Call):
                continue
            names = last_name(a.value.func), last_name(b.value.func)
            plain = [bool(_ELEMENTWISE.match(name)) for name in names]
            # Two elementwise layers commute, or as good as.
            if names[0] == names[1] or sum(plain) != 1:
                continue
            yield Found(
                (file.swap(a.value, file.code(b.value)), file.swap(b.value, file.code(a.value))),
                (file.path, file.span(a)[1], file.span(b)[2]),
                f"In {_place(file, call)} {first_words(file.code(a.value))} is followed by "
                f"{first_words(file.code(b.value))}.",
                f"{names[1]} comes before {names[0]}",
                Level.PARTIAL,
            )


@_OPERATORS.file("Two functions are applied in the other order.")
def nesting_swapped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn `self.f(self.g(x))` into `self.g(self.f(x))`."""
    for outer in file.all(cst.Call):
        if len(outer.args) != 1 or not isinstance(outer.args[0].value, cst.Call):
            continue
        inner = outer.args[0].value
        if len(inner.args) != 1 or outer.args[0].keyword or inner.args[0].keyword:
            continue
        f, g = outer.func, inner.func
        if not isinstance(f, cst.Attribute) or not isinstance(g, cst.Attribute):
            continue
        names = file.code(f), file.code(g)
        if names[0] == names[1] or not all(
            name.startswith(("self.", "F.", "torch.")) for name in names
        ):
            continue
        if not repo.used(file, outer):
            continue
        yield Found(
            (file.swap(f, names[1]), file.swap(g, names[0])),
            file.span(outer),
            f"In {_place(file, outer)} {names[1]} is applied first, and {names[0]} to what it "
            "gives: "
            f"{first_words(file.code(outer))}.",
            f"{names[0]} is applied before {names[1]}",
            Level.PARTIAL,
        )


OPERATORS = tuple(_OPERATORS.operators)
