"""Queries with gold lines out of repositories as they are; no test, data for a measurement.

    python -m tests.benchmarks.retrieval_queries --repos TREE --out FOLDER [--each 10]

TREE holds repositories, each a folder. Of each, FOLDER/repos gets a copy of its text files without
the texts that became queries, and FOLDER/queries.jsonl the queries, in three sets: `docstring` (its
first paragraph; gold is the function or class), `comment` (of whole lines inside a body; gold is
the code below, to the next comment or blank line) and `option` (the help text of an argparse option
with its default spelt otherwise; gold is the call). Python files that do not parse give no query.
The same tree gives the same queries. To be measured by `python -m benchmark retrieval`.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SEED = 11
_LARGEST = 400_000  # bytes of a file
_LONGEST_BODY = 80  # lines of a function that is asked for
_LONGEST_BLOCK = 25  # lines below a comment
_HELP = re.compile(r"""help\s*=\s*(\(?)\s*[rRfF]?(["']).*?\2""")
_RULE = re.compile(r"[=#*-]{4}|type:|noqa|TODO|pragma")


@dataclass(frozen=True, slots=True)
class Found:
    """One text and the lines it speaks of.

    Attributes:
        set: The kind of query.
        text: The query.
        first: First gold line.
        last: Last gold line.
        blank: Lines to take out, as (first, last).
    """

    set: str
    text: str
    first: int
    last: int
    blank: tuple[int, int]


def docstrings(tree: ast.Module) -> Iterator[Found]:
    """Functions and classes with a docstring that says something."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        text = ast.get_docstring(node)
        if not text:
            continue
        start = node.body[0]
        text = " ".join(text.split("\n\n")[0].split())[:400]
        last = node.end_lineno or node.lineno
        long_enough = len(node.body) > 1 and len(text.split()) >= 5 and last - node.lineno >= 4
        if long_enough and last - node.body[1].lineno <= _LONGEST_BODY:
            blank = (start.lineno, start.end_lineno or start.lineno)
            yield Found("docstring", text, node.lineno, last, blank)


def comments(lines: list[str]) -> Iterator[Found]:
    """Comments of whole lines inside a body, with the code below."""
    number = 0
    while number < len(lines):
        start = number
        while number < len(lines) and lines[number].lstrip().startswith("#"):
            number += 1
        if number == start:
            number += 1
            continue
        text = " ".join(line.strip().lstrip("# ") for line in lines[start:number])
        indent = len(lines[start]) - len(lines[start].lstrip())
        end = number
        while end < len(lines) and _continues(lines[end], indent):
            end += 1
        says = 4 <= len(text.split()) <= 60 and not _RULE.search(text)
        if indent and says and 2 <= end - number <= _LONGEST_BLOCK:
            yield Found("comment", text[:300], number + 1, end, (start + 1, number))


def _continues(line: str, indent: int) -> bool:
    text = line.lstrip()
    return bool(text) and not text.startswith("#") and len(line) - len(text) >= indent


def options(tree: ast.Module) -> Iterator[Found]:
    """Options of argparse with a numeric default that is not 0 or 1."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "add_argument":
            continue
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        told, default = given.get("help"), given.get("default")
        if not isinstance(told, ast.Constant) or not isinstance(default, ast.Constant):
            continue
        value = default.value
        if not isinstance(told.value, str) or type(value) not in {int, float} or value in {0, 1}:
            continue
        text = re.sub(r"[(\[].*?[)\]]|[0-9.]+", "", told.value).strip()
        if len(text.split()) >= 2:
            last = node.end_lineno or node.lineno
            blank = (told.lineno, told.end_lineno or told.lineno)
            yield Found(
                "option", f"{text} = {respelt(float(str(value)))}", node.lineno, last, blank
            )


def respelt(value: float) -> str:
    """A number in another spelling than a program's: a power, a percentage, thousands."""
    if value == int(value) and value >= 1000:
        whole = int(value)
        return f"2^{whole.bit_length() - 1}" if whole & (whole - 1) == 0 else f"{whole:,}"
    if 0 < value < 0.01:
        mantissa, _, exponent = f"{value:e}".partition("e")
        short = f"{float(mantissa):g}"
        return f"10^{int(exponent)}" if short == "1" else f"{short}×10^{int(exponent)}"
    return f"{value * 100:g}%" if 0 < value < 1 else f"{value:g}"


def derive(text: str) -> list[Found]:
    """All that a Python file offers, in the order of its lines."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return []
    found = [*docstrings(tree), *comments(text.split("\n")), *options(tree)]
    return sorted(found, key=lambda one: (one.first, one.set))


def blanked(text: str, taken: list[Found]) -> str:
    """The text without what became queries; its lines keep their numbers."""
    lines = text.split("\n")
    for one in taken:
        for number in range(one.blank[0] - 1, one.blank[1]):
            # An option's help stands in a call, whose other words stay.
            is_option = one.set == "option"
            lines[number] = _HELP.sub(r'help=\1""', lines[number]) if is_option else ""
    return "\n".join(lines)


def texts_of(root: Path) -> Iterator[tuple[str, str]]:
    """Path and text of each plain file of a repository that is text, in order."""
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
            continue
        try:
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def make(tree: Path, out: Path, each: int) -> list[dict[str, object]]:
    """Write the copies; the queries, `each` of a set and repository at most."""
    chance = random.Random(_SEED)
    queries: list[dict[str, object]] = []
    for root in sorted(path for path in tree.iterdir() if path.is_dir()):
        texts = dict(texts_of(root))
        offers = [
            (path, one)
            for path, text in texts.items()
            if path.endswith(".py")
            for one in derive(text)
        ]
        chance.shuffle(offers)
        taken: dict[str, list[Found]] = {}
        counts: dict[str, int] = {}
        for path, one in offers:
            counts[one.set] = counts.get(one.set, 0) + 1
            if counts[one.set] > each:
                continue
            taken.setdefault(path, []).append(one)
            queries.append(
                {
                    "id": f"{root.name}-{len(queries)}", "set": one.set, "repo": root.name,
                    "query": one.text, "gold": [[path, one.first, one.last]],
                }
            )  # fmt: skip
        for path, text in texts.items():
            copy = out / "repos" / root.name / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(blanked(text, taken.get(path, [])), encoding="utf-8")
    return queries


def main() -> None:
    """Make the files that the command line names."""
    parser = argparse.ArgumentParser(description="Queries with gold lines out of repositories.")
    parser.add_argument("--repos", type=Path, required=True, help="a folder of repositories")
    parser.add_argument("--out", type=Path, required=True, help="a folder that is not there yet")
    parser.add_argument("--each", type=int, default=10, help="queries of a set and repository")
    given = parser.parse_args()
    given.out.mkdir(parents=True)
    queries = make(given.repos, given.out, given.each)
    lines = (json.dumps(query, sort_keys=True) for query in queries)
    (given.out / "queries.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    print(f"{len(queries)} queries")


if __name__ == "__main__":
    main()
