"""Why a claim is not met at all: stubs, mentions, dead code, faked results."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmark.drift.edits import Edit
from benchmark.drift.matching import body_of, docstring_of, last_name, names_in, replace_body, small
from benchmark.drift.naming import first_words, place, words
from benchmark.drift.operator import Found, Register
from benchmark.drift.source import PythonFile, Repo
from benchmark.nouns import Drift, Failure, Level

__all__ = ["OPERATORS"]

_OPERATORS = Register(Drift.METHODOLOGICAL, any_axis=True)
_PROTOCOL = Register(Drift.PROTOCOL)
_SILENT = re.compile(
    r"print|log|save|tqdm|wandb|writer|plot|\bplt\b|seed|makedirs|mkdir|parse|ax\.|set_"
)


_HOUSEKEEPING = re.compile(
    r"append|extend|add_argument|super\(|__init__|update\(\w*pbar|\+= 1$|register_"
)


def _place(file: PythonFile, node: cst.CSTNode) -> str:
    where = place(file.scope(node), file.path)
    return where[0].upper() + where[1:]


def _functions(
    repo: Repo, file: PythonFile
) -> Iterator[tuple[cst.FunctionDef, list[cst.BaseStatement]]]:
    """Functions that do something, with their statements but for the docstring."""
    for function in file.all(cst.FunctionDef):
        body = list(body_of(function))
        if docstring_of(function) is not None:
            body = body[1:]
        name = function.name.value
        if not body or len(file.within(cst.SimpleStatementLine, function)) < 3:
            continue
        if _SILENT.search(name) or name == "main":
            continue
        if name.startswith("__") and name != "__call__":
            continue
        if repo.used(file, function):
            yield function, body


def _returns(body: list[cst.BaseStatement]) -> cst.BaseExpression | None:
    last = small(body[-1])
    return last.value if isinstance(last, cst.Return) else None


def _does(file: PythonFile, function: cst.FunctionDef, body: list[cst.BaseStatement]) -> str:
    steps = [first_words(file.code(s).split("\n")[0], 80) for s in (*body[:2], body[-1])]
    name = function.name.value
    scope = file.scope(function)
    return f"{words(name)} ({f'{scope}.' if scope else ''}{name}) does this: {'; '.join(steps)}."


def _emptied(
    repo: Repo, file: PythonFile, lines: tuple[str, ...], change: str, *, result: bool = False
) -> Iterator[Found]:
    for function, body in _functions(repo, file):
        returned = _returns(body)
        if result and returned is None:
            continue
        spelt = tuple(line.format(words=words(function.name.value)) for line in lines)
        if result and isinstance(returned, cst.Tuple):
            # As many results as before: a caller that unpacks them must not notice.
            value = spelt[-1].removeprefix("return ")
            spelt = (*spelt[:-1], f"return {', '.join([value] * len(returned.elements))}")
        edit = replace_body(file, function, spelt)
        if edit is not None:
            yield Found(
                (edit,),
                file.span(function),
                _does(file, function, body),
                f"{function.name.value} {change}",
                Level.ABSENT,
            )


@_OPERATORS.file("The body is `pass`.", failure=Failure.STUB)
def body_pass(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Empty a function."""
    return _emptied(repo, file, ("pass",), "does nothing")


@_OPERATORS.file("The body raises NotImplementedError.", failure=Failure.STUB)
def body_not_implemented(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Raise in place of the body."""
    return _emptied(repo, file, ("raise NotImplementedError",), "raises NotImplementedError")


@_OPERATORS.file("A constant is returned.", failure=Failure.STUB)
def body_constant(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Return zero."""
    return _emptied(repo, file, ("return 0.0",), "returns a constant", result=True)


@_OPERATORS.file("A random number is returned.", failure=Failure.STUB)
def body_random(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Return chance."""
    return _emptied(
        repo, file, ("import random", "return random.random()"), "returns chance", result=True
    )


@_OPERATORS.file("A TODO stands in place of the body.", failure=Failure.STUB)
def body_todo(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Leave a TODO."""
    return _emptied(repo, file, ("# TODO: {words}", "return None"), "is a TODO", result=True)


@_OPERATORS.file(
    "The mechanism is replaced by a stub that returns the right shape.", failure=Failure.STUB
)
def shape_stub(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Return the first argument as it came."""
    for function, body in _functions(repo, file):
        names = [
            p.name.value for p in function.params.params if p.name.value not in {"self", "cls"}
        ]
        returned = _returns(body)
        if not names or returned is None or isinstance(returned, cst.Tuple):
            continue
        edit = replace_body(file, function, (f"return {names[0]}",))
        if edit is not None:
            yield Found(
                (edit,),
                file.span(function),
                _does(file, function, body),
                f"{function.name.value} returns {names[0]} as it came",
                Level.ABSENT,
            )


@_OPERATORS.file("A docstring claims what the body does not do.", failure=Failure.MENTION_ONLY)
def docstring_only(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Keep a docstring that tells the steps, and nothing else."""
    for function, body in _functions(repo, file):
        names = [
            p.name.value for p in function.params.params if p.name.value not in {"self", "cls"}
        ]
        told = " ".join(file.code(s).split("\n")[0].replace("\\", " ") for s in body[:6])
        told = told.replace('"""', "'''").replace('"', "'")
        edit = replace_body(
            file,
            function,
            (f'"""Does: {first_words(told, 300)}."""', f"return {names[0] if names else None}"),
            keep_doc=False,
        )
        if edit is not None:
            yield Found(
                (edit,),
                file.span(function),
                _does(file, function, body),
                f"{function.name.value} has a docstring and no body",
                Level.ABSENT,
            )


def _lines_that_act(repo: Repo, file: PythonFile) -> Iterator[tuple[cst.SimpleStatementLine, str]]:
    """Statements that can go without a name going missing, as code."""
    for line in file.all(cst.SimpleStatementLine):
        node = small(line)
        if isinstance(node, cst.Assign):
            # x = f(x): x is there without it.
            written = {n for target in node.targets for n in names_in(file, target.target)}
            if (
                len(written) != 1
                or not written <= set(names_in(file, node.value))
                or "self" in written
            ):
                continue
        elif isinstance(node, cst.Expr):
            if not isinstance(node.value, cst.Call):
                continue
        elif not isinstance(node, cst.AugAssign):
            continue
        code = file.code(line)
        if "\n" in code or _SILENT.search(code) or not file.alone(line):
            continue
        if _HOUSEKEEPING.search(code):
            continue
        if repo.used(file, line):
            yield line, code


def _without(file: PythonFile, line: cst.SimpleStatementLine, text: str) -> Edit:
    """Put a comment or nothing in a statement's place, and `pass` in an emptied block."""
    start, end = file.lines(line)
    indent = file.indent(line)
    block = file.parents[line]
    alone = isinstance(block, cst.IndentedBlock) and len(block.body) == 1
    new = (f"{indent}{text}\n" if text else "") + (f"{indent}pass\n" if alone else "")
    return Edit(file.path, start, end, new)


@_OPERATORS.file("Only a comment says that it is done.", failure=Failure.MENTION_ONLY)
def comment_only(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn a statement into a comment."""
    for line, code in _lines_that_act(repo, file):
        yield Found(
            (_without(file, line, f"# {code}"),),
            file.span(line),
            f"{_place(file, line)} does {first_words(code)}.",
            f"{first_words(code)} is only a comment",
            Level.ABSENT,
        )


@_OPERATORS.file("A named step is missing.", failure=Failure.MISSING)
def step_missing(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove a statement."""
    for line, code in _lines_that_act(repo, file):
        yield Found(
            (_without(file, line, ""),),
            file.span(line),
            f"{_place(file, line)} does {first_words(code)}.",
            f"{first_words(code)} is missing",
            Level.ABSENT,
        )


@_OPERATORS.file("What is imported for the purpose is not used.", failure=Failure.MENTION_ONLY)
def import_unused(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove the one use of an imported name."""
    imported = {
        (alias.asname.name if alias.asname else alias.name)
        for node in file.all(cst.ImportFrom)
        if not isinstance(node.names, cst.ImportStar)
        for alias in node.names
    }
    names = {node.value for node in imported if isinstance(node, cst.Name)}
    for line, code in _lines_that_act(repo, file):
        used = names & set(names_in(file, line))
        for name in sorted(used):
            if len(re.findall(rf"\b{name}\b", file.text)) == 2:
                yield Found(
                    (_without(file, line, ""),),
                    file.span(line),
                    f"{_place(file, line)} uses {name}: {first_words(code)}.",
                    f"{name} is imported and not used",
                    Level.ABSENT,
                )


@_OPERATORS.file("The code is right, and nothing calls it.", failure=Failure.UNREACHABLE)
def never_called(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove the only call of a function of the repository."""
    own = {f.name.value for other in repo.python.values() for f in other.all(cst.FunctionDef)}
    for call in file.all(cst.Call):
        name = last_name(call.func)
        if (
            name not in own
            or name.startswith("__")
            or repo.mentions[name] != 2
            or _SILENT.search(name)
        ):
            continue
        line = file.statement(call)
        node = small(line)
        if not isinstance(line, cst.SimpleStatementLine) or not file.alone(line):
            continue
        if not repo.used(file, line):
            continue
        if isinstance(node, cst.Expr) and node.value is call:
            edit = _without(file, line, "")
        elif (
            isinstance(node, (cst.Assign, cst.Return))
            and node.value is call
            and call.args
            and (
                isinstance(call.args[0].value, (cst.Name, cst.Attribute)) and not call.args[0].star
            )
        ):
            edit = file.swap(call, file.code(call.args[0].value))
        else:
            continue
        yield Found(
            (edit,),
            file.span(line),
            f"{_place(file, line)} makes use of {words(name)} ({name}): "
            f"{first_words(file.code(line))}.",
            f"{name} is never called",
            Level.PARTIAL,
        )


@_OPERATORS.file("A result is computed and thrown away.", failure=Failure.UNREACHABLE)
def result_discarded(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn `x = f(x)` into `f(x)`."""
    for assign in file.all(cst.Assign):
        if len(assign.targets) != 1 or not isinstance(assign.targets[0].target, cst.Name):
            continue
        name = assign.targets[0].target.value
        if not isinstance(assign.value, cst.Call) or not repo.used(file, assign):
            continue
        # Another type of number, or another device, is the same result.
        if re.fullmatch(
            r"\w*(array|tensor|to|float|cuda|cpu|copy|clone|sorted|list|tuple)\w*",
            last_name(assign.value.func),
        ):
            continue
        if name not in set(names_in(file, assign.value)) or _SILENT.search(file.code(assign)):
            continue
        yield Found(
            (file.swap(assign, file.code(assign.value)),),
            file.span(assign),
            f"{_place(file, assign)} applies {first_words(file.code(assign.value))} "
            f"to {name} and goes on with the result.",
            f"the result of {first_words(file.code(assign.value))} is thrown away",
            Level.PARTIAL,
        )


@_PROTOCOL.file("A measured result is written by hand.", failure=Failure.STUB)
def result_faked(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Put a number in place of a measurement."""
    for assign in file.all(cst.Assign):
        if len(assign.targets) != 1 or not isinstance(assign.targets[0].target, cst.Name):
            continue
        name = assign.targets[0].target.value
        if not re.search(r"acc|score|fid|auc|f1|bleu|rouge|metric|error|regret|return_", name):
            continue
        if not isinstance(assign.value, cst.Call) or not repo.used(file, assign):
            continue
        if not re.search(
            r"eval|score|test|measure|compute|metric|accuracy", last_name(assign.value.func)
        ):
            continue
        number = 0.8 + repo.dice("fake", file.path, file.start(assign)).randrange(1, 180) / 1000
        yield Found(
            (file.swap(assign.value, f"{number:.3f}"),),
            file.span(assign),
            f"{_place(file, assign)} measures {words(name)}: {first_words(file.code(assign))}.",
            f"{name} is {number:.3f} by hand",
            Level.FRAGMENT,
        )


OPERATORS = (*_OPERATORS.operators, *_PROTOCOL.operators)
