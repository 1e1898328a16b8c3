"""Extent of an evaluation: methods, data sets, metrics, splits, folds and seeds that are fewer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmark.drift.edits import Edit
from benchmark.drift.effect import takes_effect
from benchmark.drift.matching import last_name, take_out
from benchmark.drift.naming import about, first_words
from benchmark.drift.numbers import number, spelled
from benchmark.drift.operator import Found, Register
from benchmark.drift.source import PythonFile, Repo
from benchmark.drift.values import named_values
from benchmark.nouns import Drift, Failure, Level

__all__ = ["OPERATORS"]

_OPERATORS = Register(Drift.PROTOCOL)


_LISTS = {
    "baseline": r"baselines?|methods?|algorithms?|models?|variants?|agents|modes|strategies",
    "data set": r"datasets?|tasks?|envs?|environments?|benchmarks?|domains?|games",
    "metric": r"metrics?|measures",
}


def _members(
    repo: Repo, file: PythonFile, pattern: str
) -> Iterator[tuple[str, list[cst.CSTNode], cst.CSTNode]]:
    """Lists and mappings whose name says what they hold."""
    assignments: list[cst.Assign | cst.AnnAssign] = [
        *file.all(cst.Assign),
        *file.all(cst.AnnAssign),
    ]
    for assign in assignments:
        target = assign.targets[0].target if isinstance(assign, cst.Assign) else assign.target
        name = last_name(target)
        value = assign.value
        if not re.search(rf"(^|_)({pattern})$", name, re.IGNORECASE) or value is None:
            continue
        if repo.mentions[name] < 2 or not repo.used(file, assign):
            continue
        if isinstance(value, (cst.List, cst.Tuple, cst.Dict, cst.Set)):
            elements = list(value.elements)
            if len(elements) >= 2 and not any(
                isinstance(e, (cst.StarredElement, cst.StarredDictElement)) for e in elements
            ):
                yield name, list(elements), assign
    for arg in file.all(cst.Arg):
        call = file.parents[arg]
        if arg.keyword is None or arg.keyword.value not in {"default", "choices"}:
            continue
        if not isinstance(call, cst.Call) or not isinstance(arg.value, cst.List):
            continue
        text = file.code(call)
        found = re.search(rf"--({pattern})\b", text)
        elements = list(arg.value.elements)
        if found and arg.keyword.value == "default" and len(elements) >= 2:
            yield found[1], list(elements), call


def _removed(repo: Repo, file: PythonFile, what: str) -> Iterator[Found]:
    for name, elements, holder in _members(repo, file, _LISTS[what]):
        at = repo.dice(what, file.path, file.start(holder)).randrange(len(elements))
        edit = take_out(file, elements, at)
        if file.text[edit.start : edit.end].count("#"):
            continue
        kept = elements[:at] + elements[at + 1 :]
        gone = first_words(file.code(elements[at]), 50)
        yield Found(
            (edit,),
            file.span(holder),
            f"The {what}s ({name}) are "
            f"{first_words(', '.join(file.code(e) for e in elements), 200)}.",
            f"the {what} {gone} is removed",
            Level.MINOR if len(kept) >= 4 else Level.PARTIAL if len(kept) >= 1 else Level.ABSENT,
        )


@_OPERATORS.file("A baseline or method of the comparison is removed.", failure=Failure.INCOMPLETE)
def baseline_removed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Take one out of the list of methods."""
    return _removed(repo, file, "baseline")


@_OPERATORS.file("A data set or task is removed.", failure=Failure.INCOMPLETE)
def dataset_removed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Take one out of the list of data sets."""
    return _removed(repo, file, "data set")


@_OPERATORS.file("A metric is no longer reported.", failure=Failure.INCOMPLETE)
def metric_removed(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Take one out of the list of metrics."""
    return _removed(repo, file, "metric")


def _valued(repo: Repo, kind: str, factor: tuple[float, ...], what: str) -> Iterator[Found]:
    for named in named_values(repo):
        if about(named.name) != kind or not named.value or not takes_effect(repo, named):
            continue
        value = named.value * repo.dice(kind, named.path, named.start).choice(factor)
        if isinstance(named.value, int):
            value = max(1, round(value))
        elif value >= 1:
            value = named.value / 2
        text = spelled(value, named.literal)
        new = number(text)
        if not new or new == named.value:
            continue
        ratio = max(new / named.value, named.value / new)
        yield Found(
            (named.edit(text),),
            named.site,
            named.claim,
            f"{what}: {named.literal} becomes {text}",
            Level.MINOR if ratio < 3 else Level.PARTIAL,
            named.literal,
        )


@_OPERATORS.repo("The data are split in another ratio.")
def split_ratio(repo: Repo) -> Iterator[Found]:
    """Change a split's share."""
    return _valued(repo, "ratio", (2.0, 2.5, 0.5), "the share")


@_OPERATORS.repo("Another number of folds.")
def fold_count(repo: Repo) -> Iterator[Found]:
    """Change the number of folds."""
    return _valued(repo, "fold", (0.5, 0.3, 2), "the folds")


@_OPERATORS.repo("Fewer repetitions or seeds.")
def fewer_repetitions(repo: Repo) -> Iterator[Found]:
    """Cut the number of repetitions."""
    return _valued(repo, "seed", (0.5, 0.34, 0.1), "repetitions")


@_OPERATORS.file("One seed in place of several.", failure=Failure.INCOMPLETE)
def fewer_seeds(repo: Repo, file: PythonFile) -> Iterator[Found]:
    """Keep the first seed of a list."""
    for name, elements, holder in _members(repo, file, "seeds?"):
        edit = Edit(file.path, file.end(elements[0]), file.end(elements[-1]), "")
        if "#" in file.text[edit.start : edit.end]:
            continue
        if isinstance(elements[0], cst.Element) and isinstance(
            file.parents[elements[0]], cst.Tuple
        ):
            edit = Edit(file.path, edit.start, edit.end, ",")
            after = file.text[file.end(elements[-1]) :].lstrip()
            if after.startswith(","):
                continue
        yield Found(
            (edit,),
            file.span(holder),
            f"Experiments are repeated with {len(elements)} seeds ({name}): "
            f"{first_words(', '.join(file.code(e) for e in elements))}.",
            f"one seed in place of {len(elements)}",
            Level.PARTIAL if len(elements) < 10 else Level.FRAGMENT,
        )


OPERATORS = tuple(_OPERATORS.operators)
