"""Values: by a factor, a digit, an order of magnitude, a unit; overridden; off by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import libcst as cst

from benchmark.drift.edits import Edit
from benchmark.drift.effect import takes_effect
from benchmark.drift.naming import about, first_words, noise, place, words
from benchmark.drift.numbers import level_of, number, spelled
from benchmark.drift.operator import Found, Register
from benchmark.drift.source import PythonFile, Repo
from benchmark.drift.values import Named, named_values
from benchmark.nouns import Drift, Failure, Level

__all__ = ["OPERATORS"]

_OPERATORS = Register(Drift.NUMERICAL)

_Change = Callable[[Repo, Named], float | int | None]


def _candidates(repo: Repo, kinds: set[str]) -> Iterator[Named]:
    """Values that take effect and that a paper could speak of."""
    for value in named_values(repo):
        if noise(value.name) or len(value.name) < 2 or about(value.name) not in kinds:
            continue
        if takes_effect(repo, value):
            yield value


def _changed(repo: Repo, kinds: set[str], change: _Change) -> Iterator[Found]:
    for named in _candidates(repo, kinds):
        new = change(repo, named)
        if new is None or new == named.value:
            continue
        text = spelled(new, named.literal)
        if number(text) in {None, named.value}:
            continue
        yield Found(
            (named.edit(text),),
            named.site,
            named.claim,
            f"{named.name}: {named.literal} becomes {text}",
            level_of(named.value, number(text) or 0),
            named.literal,
        )


_ANY = {"coefficient", "dimension", "threshold", "schedule"}


@_OPERATORS.repo("A coefficient, rate or weight is multiplied or divided by 2 to 5.")
def coefficient_factor(repo: Repo) -> Iterator[Found]:
    """Multiply a coefficient."""

    def change(repo: Repo, named: Named) -> float:
        factor = repo.dice("factor", named.path, named.start).choice([2, 4, 5, 0.5, 0.25, 0.2])
        if isinstance(named.value, int):
            return named.value * max(2, int(factor))
        # What is a share stays a share: above 1 the code would stop and not drift.
        return named.value * (1 / factor if 0 < named.value <= 1 < named.value * factor else factor)

    return _changed(repo, {"coefficient"}, change)


@_OPERATORS.repo("The leading digit of a value is another.")
def value_digit(repo: Repo) -> Iterator[Found]:
    """Change the leading digit."""

    def change(repo: Repo, named: Named) -> float | None:
        for at, sign in enumerate(named.literal):
            if sign in "123456789":
                other = repo.dice("digit", named.path, named.start).choice(
                    [d for d in "123456789" if d != sign]
                )
                return number(named.literal[:at] + other + named.literal[at + 1 :])
        return None

    return _changed(repo, _ANY, change)


@_OPERATORS.repo("A value is ten times as large or as small.")
def order_of_magnitude(repo: Repo) -> Iterator[Found]:
    """Shift the decimal point."""

    def change(repo: Repo, named: Named) -> float | None:
        if isinstance(named.value, int):
            return named.value * 10 if 0 < named.value < 10**6 else None
        return named.value * repo.dice("power", named.path, named.start).choice([10, 0.1])

    return _changed(repo, _ANY, change)


@_OPERATORS.repo("A share is given in percent.")
def percent_for_fraction(repo: Repo) -> Iterator[Found]:
    """Multiply a share by a hundred."""
    return _changed(
        repo,
        {"coefficient", "ratio"},
        lambda _, named: (
            named.value * 100
            if isinstance(named.value, float) and 0.01 <= named.value < 1
            else None
        ),
    )


@_OPERATORS.repo("A size of the architecture is halved or doubled.")
def dimension_changed(repo: Repo) -> Iterator[Found]:
    """Halve or double a dimension."""

    def change(repo: Repo, named: Named) -> int | None:
        if not isinstance(named.value, int) or named.value < 2:
            return None
        halved = named.value % 2 == 0 and repo.dice("half", named.path, named.start).random() < 0.5
        return named.value // 2 if halved else named.value * 2

    return _changed(repo, {"dimension"}, change)


@_OPERATORS.repo("A threshold or clipping bound is moved.")
def threshold_changed(repo: Repo) -> Iterator[Found]:
    """Move a threshold."""
    return _changed(
        repo,
        {"threshold"},
        lambda repo, named: (
            named.value * repo.dice("bound", named.path, named.start).choice([0.25, 0.5, 2, 5])
        ),
    )


@_OPERATORS.repo("Training or a schedule is cut to a fraction of its length.")
def schedule_length(repo: Repo) -> Iterator[Found]:
    """Shorten a schedule."""

    def change(repo: Repo, named: Named) -> int | None:
        if not isinstance(named.value, int) or named.value < 4:
            return None
        return max(
            1, named.value // repo.dice("cut", named.path, named.start).choice([2, 4, 10, 20])
        )

    return _changed(repo, {"schedule"}, change)


@_OPERATORS.repo("A configuration file overrides the right default with another value.")
def default_config_conflict(repo: Repo) -> Iterator[Found]:
    """Change the configured value of a name whose default in the code stays right."""
    values = [value for value in named_values(repo) if not noise(value.name)]
    by_name: dict[str, list[Named]] = {}
    for value in values:
        by_name.setdefault(value.name, []).append(value)
    for same in by_name.values():
        configs = [value for value in same if value.source == "config"]
        defaults = [v for v in same if v.source in {"default", "option", "assignment", "dict"}]
        if len(configs) != 1 or not defaults or any(v.value != same[0].value for v in same):
            continue
        named = configs[0]
        factor = repo.dice("conflict", named.path, named.start).choice([3, 5, 10])
        text = spelled(named.value * factor, named.literal)
        if named.value == 0 or number(text) in {None, named.value}:
            continue
        yield Found(
            (named.edit(text),),
            named.site,
            named.claim,
            f"the configured {named.name} becomes {text}; the default in the code stays",
            level_of(named.value, number(text) or 0),
            named.literal,
        )


@_OPERATORS.file("A right value is set, and another one right after it.")
def overridden_later(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Assign a second value after the first."""
    for assign in file.all(cst.Assign):
        if len(assign.targets) != 1:
            continue
        target = assign.targets[0].target
        value = number(file.code(assign.value))
        if not isinstance(target, (cst.Name, cst.Attribute)) or not value:
            continue
        name = target.value if isinstance(target, cst.Name) else target.attr.value
        line = file.statement(assign)
        if noise(name) or not about(name) or not file.alone(line) or not repo.used(file, assign):
            continue
        if repo.mentions[name] < 2 or isinstance(file.parents[line], cst.ClassDef):
            continue
        literal = file.code(assign.value)
        factor = repo.dice("again", file.path, file.start(assign)).choice([3, 5, 10])
        text = spelled(value * factor, literal)
        _, end = file.lines(line)
        insert = f"{file.indent(line)}{file.code(target)} = {text}\n"
        if not file.text[:end].endswith("\n"):
            continue
        yield Found(
            (Edit(file.path, end, end, insert),),
            file.span(assign),
            f"The {words(name)} ({name}) in {place(file.scope(assign), file.path)} is {literal}.",
            f"{name} = {literal} is overridden by {text}",
            level_of(value, number(text) or 0),
            literal,
        )


@_OPERATORS.file("Parsed options are overridden before they are used.")
def option_overridden(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Set an attribute of the parsed arguments right after parsing."""
    parsed = [
        assign
        for assign in file.all(cst.Assign)
        if file.code(assign.value).endswith(".parse_args()")
        and isinstance(assign.targets[0].target, cst.Name)
    ]
    if len(parsed) != 1:
        return
    line = file.statement(parsed[0])
    if not file.alone(line):
        return
    _, end = file.lines(line)
    target = file.code(parsed[0].targets[0].target)
    for named in named_values(repo):
        if named.source != "option" or named.path != file.path or noise(named.name):
            continue
        if not about(named.name) or not named.value or not takes_effect(repo, named):
            continue
        factor = repo.dice("option", file.path, named.start).choice([3, 5, 10])
        text = spelled(named.value * factor, named.literal)
        yield Found(
            (Edit(file.path, end, end, f"{file.indent(line)}{target}.{named.name} = {text}\n"),),
            named.site,
            f"The {words(named.name)} is {named.literal} by default.",
            f"--{named.name} defaults to {named.literal} and is then set to {text}",
            level_of(named.value, number(text) or 0),
            named.literal,
        )


@_OPERATORS.file("A loop runs once too few, or starts one too late.")
def off_by_one(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Shorten a range by one."""
    for call in file.all(cst.Call):
        if file.code(call.func) != "range" or not 1 <= len(call.args) <= 2:
            continue
        loop = file.parents[call]
        if not isinstance(loop, (cst.For, cst.CompFor)) or not repo.used(file, call):
            continue
        last = call.args[-1].value
        # A one-element loop would be left empty, a literal small count says little of a paper.
        text = file.code(last)
        if len(call.args) == 2 and text.endswith("+ 1"):
            new = text.removesuffix("+ 1").rstrip()
        elif isinstance(last, cst.Integer):
            new = str(int(last.value.replace("_", ""), 0) - 1)
        else:
            new = f"{text} - 1"
        what = file.code(loop.target)
        yield Found(
            (file.swap(last, new),),
            file.span(call),
            f"In {place(file.scope(call), file.path)} the loop over "
            f"{what} runs through range({first_words(file.code(call.args[0]))}"
            f"{', ' + first_words(text) if len(call.args) == 2 else ''}), every step of it.",
            f"range ends at {first_words(new)} and not at {first_words(text)}",
            Level.MINOR,
        )


@_OPERATORS.file("A comparison takes in its bound, or leaves it out.")
def boundary_moved(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn < into <= and the like."""
    flipped: dict[type[cst.BaseCompOp], str] = {
        cst.LessThan: "<=",
        cst.LessThanEqual: "<",
        cst.GreaterThan: ">=",
        cst.GreaterThanEqual: ">",
    }
    for comparison in file.all(cst.Comparison):
        if len(comparison.comparisons) != 1 or not repo.used(file, comparison):
            continue
        operator = comparison.comparisons[0].operator
        if type(operator) not in flipped:
            continue
        if "len(" in file.code(comparison) or ".shape" in file.code(comparison):
            # Past the end of a sequence the program stops, and drift is silent.
            continue
        old = file.code(operator).strip()
        left = file.code(comparison.left)
        right = file.code(comparison.comparisons[0].comparator)
        new = flipped[type(operator)]
        where = place(file.scope(comparison), file.path)
        yield Found(
            (file.swap(comparison, f"{left} {new} {right}"),) if "\n" not in left + right else (),
            file.span(comparison),
            f"The condition in {where} is {first_words(left)} {old} {first_words(right)}, "
            "with the bound as stated.",
            f"{old} becomes {new}",
            Level.MINOR,
        )


@_OPERATORS.file("The coefficient of a term is left out.")
def coefficient_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Turn `a + w * b` into `a + b`."""
    for product in file.all(cst.BinaryOperation):
        holder = file.parents[product]
        if not isinstance(product.operator, cst.Multiply):
            continue
        if not isinstance(holder, cst.BinaryOperation) or not isinstance(
            holder.operator, (cst.Add, cst.Subtract)
        ):
            continue
        name = file.code(product.left)
        known = number(name) is not None or about(name.split(".")[-1]) == "coefficient"
        if not known or len(name) > 40 or not repo.used(file, product):
            continue
        rest = file.code(product.right)
        yield Found(
            (file.swap(product, f"({rest})" if "\n" in rest or " " in rest else rest),),
            file.span(product),
            f"In {place(file.scope(product), file.path)} the term {first_words(rest)} enters "
            f"with the coefficient {name}.",
            f"the coefficient {name} is left out",
            Level.PARTIAL,
            name if number(name) is not None else "",
        )


@_OPERATORS.file("A literal factor inside a formula is another.")
def formula_constant(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Change a number in arithmetic."""
    literals: list[cst.Float | cst.Integer] = [*file.all(cst.Float), *file.all(cst.Integer)]
    for node in literals:
        holder = file.parents[node]
        if not isinstance(holder, cst.BinaryOperation) or not isinstance(
            holder.operator, (cst.Multiply, cst.Divide, cst.Subtract, cst.Add)
        ):
            continue
        value = number(node.value)
        if not value or isinstance(file.parents[holder], (cst.Index, cst.Slice)):
            continue
        if isinstance(node, cst.Integer) and not isinstance(
            holder.operator, (cst.Divide, cst.Multiply)
        ):
            continue
        if file.inside(node, cst.FormattedString) or not repo.used(file, node):
            continue
        if re.match(r"print|log|assert", file.code(file.statement(node))):
            continue
        factor = repo.dice("inner", file.path, file.start(node)).choice(
            [2, 4, 0.5] if isinstance(node, cst.Float) else [2, 4]
        )
        text = spelled(value * factor, node.value)
        if number(text) == value:
            continue
        yield Found(
            (file.swap(node, text),),
            file.span(holder),
            f"{place(file.scope(node), file.path)} computes {first_words(file.code(holder))}, "
            f"with the constant {node.value}.",
            f"the constant {node.value} becomes {text}",
            level_of(value, number(text) or 0),
            node.value,
        )


@_OPERATORS.file(
    "A configured value is not passed on, and the callee's own default holds.",
    failure=Failure.UNREACHABLE,
)
def keyword_dropped(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Remove `lr=config.lr` from a call."""
    for arg in file.all(cst.Arg):
        call = file.parents[arg]
        if arg.keyword is None or not isinstance(call, cst.Call) or len(call.args) < 2:
            continue
        name = arg.keyword.value
        if (
            not about(name)
            or noise(name)
            or not isinstance(arg.value, (cst.Attribute, cst.Subscript))
        ):
            continue
        if not repo.used(file, arg):
            continue
        callee = file.code(call.func)
        at = call.args.index(arg)
        if at:
            start, end = file.end(call.args[at - 1].value), file.end(arg.value)
        else:
            start, end = file.start(arg), file.start(call.args[1])
        if file.text[start:end].count("#") or "\n" in callee:
            continue
        if (
            at
            and file.code(call.args[at - 1]).endswith(")") is False
            and (file.text[file.end(call.args[at - 1].value)] not in ", \n")
        ):
            continue
        yield Found(
            (Edit(file.path, start, end, ""),),
            file.span(arg),
            f"{first_words(callee, 40)} gets its {words(name)} ({name}) from "
            f"{first_words(file.code(arg.value))}.",
            f"{name} is no longer passed to {first_words(callee, 40)}",
            Level.PARTIAL,
        )


OPERATORS = tuple(_OPERATORS.operators)
