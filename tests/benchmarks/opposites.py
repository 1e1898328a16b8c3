"""How many plain false claims the embedded judge contradicts, and how many true ones.

    python -m tests.benchmarks.opposites --runs TREE --saus DIR

`TREE` holds `<agent>/<paper>/repo`, `DIR` `<paper>/sau.json`. Papers that are kept for acceptance
are left out. Two sets of claims:

- the papers' own: a word of each is turned round (mean for sum, largest for smallest), where a wide
  reading says that the repository does all that the claim says, so that the turned claim is false;
- plain ones that are read off lines of code (`loss = token_losses.mean()` in `train_step`: the
  token losses are averaged), true as they are and false the other way.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmark.readers import load_benchmark
from judge.embedded.contradictions import contradictions
from judge.embedded.method import look_at_method
from judge.embedded.survey import Survey
from retrieval.index import Index
from retrieval.reading import read_repository

_KEPT = frozenset({"ngpt", "sam2", "wdno", "mrq", "adjoint-matching", "lora-sb"})
_READINGS = Path(__file__).resolve().parents[2] / "calibration" / "readings" / "wide.jsonl"
_OPPOSITES = {
    "mean or sum": "averaged summed averages sums averaging summing average sum mean sum",
    "largest or smallest": "largest smallest highest lowest maximum minimum argmax argmin max min",
    "squared or absolute": "L1 L2 squared absolute MSE MAE",
    "ascending or descending": "ascending descending",
    "cosine or linear": "cosine linear",
    "Adam or SGD": "Adam SGD AdamW SGD",
    "ReLU or tanh": "ReLU tanh GELU tanh SiLU tanh",
    "before or after": "before after",
    "greater or less": "greater less larger smaller exceeds undercuts",
}
# What a line of code does, and what a claim says of it: so, and the other way.
_LINES = {
    "mean or sum": (
        (r"(\w+) = (?:self\.)?([\w.]+)\.mean\(", "averaged", "summed"),
        (r"(\w+) = (?:np|torch)\.mean\((?:self\.)?([\w.]+)", "averaged", "summed"),
        (r"(\w+) = (?:self\.)?([\w.]+)\.sum\(", "summed", "averaged"),
        (r"(\w+) = (?:np|torch)\.sum\((?:self\.)?([\w.]+)", "summed", "averaged"),
    ),
    "largest or smallest": (
        (r"(\w+) = (?:np|torch)\.(?:arg)?max\((?:self\.)?([\w.]+)", "largest", "smallest"),
        (r"(\w+) = (?:self\.)?([\w.]+)\.(?:arg)?max\(", "largest", "smallest"),
        (r"(\w+) = (?:np|torch)\.(?:arg)?min\((?:self\.)?([\w.]+)", "smallest", "largest"),
        (r"(\w+) = (?:self\.)?([\w.]+)\.(?:arg)?min\(", "smallest", "largest"),
    ),
    "mean for an extreme": (
        (r"(\w+) = (?:np|torch)\.max\((?:self\.)?([\w.]+)", "largest", "averaged"),
        (r"(\w+) = (?:self\.)?([\w.]+)\.max\(", "largest", "averaged"),
        (r"(\w+) = (?:np|torch)\.min(?:imum)?\((?:self\.)?([\w.]+)", "smallest", "averaged"),
        (r"(\w+) = (?:self\.)?([\w.]+)\.min\(", "smallest", "averaged"),
    ),
    "shuffled or not": (
        (r"(\w+) = (?:\w+\.)*DataLoader\((\w+).*shuffle=True", "shuffled", "not shuffled"),
        (r"(\w+) = (?:\w+\.)*DataLoader\((\w+).*shuffle=False", "not shuffled", "shuffled"),
    ),
    "with or without replacement": (
        (r"(\w+) = \w+(?:\.\w+)*\.choice\((\w+).*replace=False",
         "sampled without replacement", "sampled with replacement"),
        (r"(\w+) = \w+(?:\.\w+)*\.choice\((\w+).*replace=True",
         "sampled with replacement", "sampled without replacement"),
    ),
    "detached or not": ((r"(\w+) = (?:self\.)?(\w+)\.detach\(\)", "detached", "not detached"),),
    "squared or absolute": (
        (r"(\w+) = F\.mse_loss\((\w+)",
         "compared by a squared error", "compared by an absolute error"),
        (r"(\w+) = F\.l1_loss\((\w+)",
         "compared by an absolute error", "compared by a squared error"),
    ),
}  # fmt: skip
_SAYS_NOTHING = """
self out res result results val value values arr torch data idx tmp dim axis mean avg average sum
max min jnp list array best cpu detach total argmax argmin numpy
"""
_EMPTY = frozenset(_SAYS_NOTHING.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    given = parser.parse_args()
    claims = {
        (paper.name, sau.id): sau.claim
        for paper in sorted(given.saus.iterdir())
        if paper.name not in _KEPT and (paper / "sau.json").exists()
        for sau in load_benchmark(paper / "sau.json").papers[0].saus
    }
    levels: dict[tuple[str, str], dict[str, int]] = {}
    for line in _READINGS.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        levels.setdefault((record["agent"], record["paper"]), {})[record["sau"]] = record["level"]
    turned: Counter[tuple[str, str]] = Counter()
    plain: Counter[tuple[str, str]] = Counter()
    true: Counter[str] = Counter()
    for root in sorted(given.runs.glob("*/*/repo")):
        agent, paper = root.parts[-3:-1]
        if paper in _KEPT:
            continue
        survey = Survey(Index.build(read_repository(root, exclude=["result/"])))
        for sau, level in levels.get((agent, paper), {}).items():
            _count_turned(survey, claims[paper, sau], level, turned, true)
        for kind, right, wrong in _read_off(survey):
            plain[kind, "false"] += 1
            plain[kind, "false, contradicted"] += _is_contradicted(survey, wrong)
            plain[kind, "true, contradicted"] += _is_contradicted(survey, right)
    print(f"claims read as level 3 or 4: {true['all']}, contradicted: {true['contradicted']}")
    print("papers' claims with a word turned round, contradicted of all")
    for kind in _OPPOSITES:
        print(f"  {kind}: {turned[kind, 'contradicted']} of {turned[kind, 'all']}")
    print("claims read off lines: false ones contradicted of all, true ones contradicted")
    for kind in _LINES:
        false, seen, marred = (
            plain[kind, each] for each in ("false", "false, contradicted", "true, contradicted")
        )
        print(f"  {kind}: {seen} of {false}, {marred}")


def _count_turned(
    survey: Survey,
    claim: str,
    level: int,
    turned: Counter[tuple[str, str]],
    true: Counter[str],
) -> None:
    if level < 3:
        return
    true["all"] += 1
    if _is_contradicted(survey, claim):
        true["contradicted"] += 1
    elif level == 4:
        for kind, text in _turned(claim):
            turned[kind, "all"] += 1
            turned[kind, "contradicted"] += _is_contradicted(survey, text)


def _is_contradicted(survey: Survey, claim: str) -> bool:
    return bool(contradictions(look_at_method(survey, claim)))


def _turned(claim: str) -> Iterator[tuple[str, str]]:
    for kind, words in _OPPOSITES.items():
        pairs = words.split()
        other: dict[str, str] = {}
        for one, two in zip(pairs[::2], pairs[1::2], strict=True):
            other.setdefault(one, two)
            other.setdefault(two, one)
        longest = sorted(other, key=len, reverse=True)
        pattern = re.compile(rf"(?<![\w{{\\-])(?:{'|'.join(longest)})(?![\w}}])")
        text = pattern.sub(lambda match, other=other: other[match[0]], claim)  # type: ignore[misc]
        if text != claim:
            yield kind, text


def _read_off(survey: Survey) -> Iterator[tuple[str, str, str]]:
    """(kind, true claim, false claim) of lines in functions whose names say something."""
    seen: set[tuple[str, str, str]] = set()
    for row, code in enumerate(survey.codes):
        block = survey.blocks[int(survey.row_blocks[row])]
        if not block.name:
            continue
        for kind, lines in _LINES.items():
            for pattern, right, wrong in lines:
                match = re.match(r"\s*" + pattern, code)
                if match is None or (block.name, match[2], kind) in seen:
                    continue
                seen.add((block.name, match[2], kind))
                what = _words(match[2])
                where = dict.fromkeys(_words(block.name.rpartition(".")[2]) + _words(match[1]))
                if what and len({*what, *where}) > 1:
                    place = " ".join(each for each in where if each not in what)
                    subject = " ".join(what)
                    yield kind, _claim(subject, right, place), _claim(subject, wrong, place)


def _claim(what: str, done: str, place: str) -> str:
    said = (
        f"The {done} of the {what} is taken" if done.endswith("est") else f"The {what} are {done}"
    )
    return f"{said} for the {place}." if place else f"{said}."


def _words(name: str) -> list[str]:
    words = (word.lower() for word in re.findall(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])", name))
    return [word for word in words if len(word) > 2 and word not in _EMPTY]


if __name__ == "__main__":
    main()
