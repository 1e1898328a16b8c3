"""What the embedded judge says of claims, to be read by a person beside the code.

    python -m tests.benchmarks.rationales --runs TREE --saus DIR --verdicts 60 --dimension D1

`TREE` holds `<agent>/<paper>/repo`, `DIR` `<paper>/sau.json`. Papers that are kept for acceptance
are left out. Repositories are drawn at random, then claims; `--json` writes one object a line.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.readers import load_benchmark
from judge.models.embedded import EmbeddedJudge
from judge.protocol import Question
from retrieval.index import Index
from retrieval.reading import read_repository
from retrieval.values import Evidence

_KEPT = frozenset({"ngpt", "sam2", "wdno", "mrq", "adjoint-matching", "lora-sb"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    parser.add_argument("--repositories", type=int, default=30)
    parser.add_argument("--verdicts", type=int, default=150)
    parser.add_argument("--dimension", choices=("D1", "D2", "D3", "D4"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    drawn = random.Random(given.seed)
    roots = sorted(root for root in given.runs.glob("*/*/repo") if root.parts[-2] not in _KEPT)
    roots = drawn.sample(roots, min(given.repositories, len(roots)))
    records = [one for root in roots for one in _verdicts(root, given.saus)]
    if given.dimension:
        records = [one for one in records if one["dimension"] == given.dimension]
    for one in drawn.sample(records, min(given.verdicts, len(records))):
        print(json.dumps(one) if given.json else _shown(one))


def _verdicts(root: Path, saus: Path) -> Iterator[dict[str, Any]]:
    agent, paper = root.parts[-3:-1]
    judge = EmbeddedJudge()
    index = Index.build(read_repository(root, exclude=["result/"]))
    for sau in load_benchmark(saus / paper / "sau.json").papers[0].saus:
        question = Question(f"{agent}/{paper}", sau, Evidence((), ""), index=index)
        record: dict[str, Any] = json.loads(judge.judge_here(question).text)
        named = {"root": str(root), "sau": sau.id, "dimension": sau.dimension.value}
        yield named | {"claim": sau.claim} | record


def _shown(one: dict[str, Any]) -> str:
    lines = [f"# {one['root']} {one['sau']}: {one['level']}, {one['drift']}/{one['failure']}"]
    lines += [f"CLAIM {one['claim']}", f"FOUND {one['found']}", f"WHY   {one['rationale']}"]
    lines += [f"      {c['path']}:{c['first']}: {c['quote'].strip()}" for c in one["citations"]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
