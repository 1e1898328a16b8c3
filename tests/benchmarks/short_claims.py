"""What the shipped embedded judge says of short claims on public repositories; no test.

    python -m tests.benchmarks.short_claims --repositories FOLDER

`calibration/readings/public.jsonl` holds the claims with their labels: a language model wrote them
and read the code; they were never fitted. `FOLDER` holds each repository under the label's `paper`,
at the commit and with the files that the label's `repository` names.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmark import Dimension, Sau
from calibration.distill import area_under_curve, quadratic_agreement, rank_correlation
from judge.models.embedded import EmbeddedJudge
from judge.protocol import Question
from prompts.schema import LEVEL_WORDS
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index
from retrieval.reading import read_repository

LABELS = Path(__file__).resolve().parents[2] / "calibration" / "readings" / "public.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repositories", type=Path, required=True)
    options = parser.parse_args()
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    by_paper: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_paper[row["paper"]].append(row)
    judge = EmbeddedJudge()
    said: list[tuple[str, int, int, float]] = []
    for paper, labels in sorted(by_paper.items()):
        index = Index.build(read_repository(options.repositories / paper))
        for row in labels:
            sau = Sau(row["sau"], paper, Dimension(row["dimension"]), row["claim"])
            evidence = find_evidence(index, sau, RetrievalSettings())
            answer = judge.judge_here(Question(f"public/{paper}", sau, evidence, index=index))
            level = int(LEVEL_WORDS[json.loads(answer.text)["level"]])
            odds = answer.odds.expected_level if answer.odds is not None else None
            said.append((row["dimension"], row["level"], level, level if odds is None else odds))
    show("all", said)
    for dimension in Dimension:
        show(dimension.value, [one for one in said if one[0] == dimension.value])
    for label in range(5):
        given = [sum(one[1] == label and one[2] == level for one in said) for level in range(5)]
        print(f"label {label}: said 0 to 4: {given}")


def show(name: str, said: list[tuple[str, int, int, float]]) -> None:
    label = np.array([one[1] for one in said])
    level = np.array([one[2] for one in said])
    expected = np.array([one[3] for one in said])
    print(
        f"{name}: {len(said)} claims, rank correlation {rank_correlation(expected, label):.3f}, "
        f"AUC for level 2 or more {area_under_curve(expected, label > 1.5):.3f}, "
        f"weighted kappa {quadratic_agreement(level, label):.3f}, "
        f"exact {(level == label).mean():.3f}, "
        f"mean {level.mean() / 4:.3f} against {label.mean() / 4:.3f}"
    )


if __name__ == "__main__":
    main()
