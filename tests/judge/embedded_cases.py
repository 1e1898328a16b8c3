"""Small repositories and claims for tests of the embedded judge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmark import Dimension, Sau
from judge.checking import Checked, check, evidence_note
from judge.models.embedded import EmbeddedJudge
from judge.parsing import ParsedAnswer, parse_answer
from judge.protocol import Question
from judge.sources import Sources
from judge.stripping import code_lines
from retrieval.evidence import RetrievalSettings, find_evidence
from retrieval.index import Index
from retrieval.reading import read_repository
from tests.planting import plant

SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"
JUDGE = EmbeddedJudge()

TRAIN = """
import torch
from torch import nn
from torch.optim import Adam


def contrastive_loss(anchor, positive, temperature=0.07):
    logits = anchor @ positive.t() / temperature
    labels = torch.arange(len(anchor))
    return nn.functional.cross_entropy(logits, labels)


def train(encoder, loader, epochs):
    optimizer = Adam(encoder.parameters(), lr=1e-4, weight_decay=0.05)
    for _ in range(epochs):
        for first, second in loader:
            loss = contrastive_loss(encoder(first), encoder(second))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    train(nn.Linear(8, 8), [], 10)
"""


def sau(claim: str, dimension: str = "D1") -> Sau:
    return Sau(f"x-{dimension}-001", "x", Dimension(dimension), claim)


def index_of(root: Path, files: Mapping[str, Any]) -> Index:
    return Index.build(read_repository(plant(root, files)))


def answer_text(index: Index, claim: Sau) -> str:
    evidence = find_evidence(index, claim, RetrievalSettings())
    return JUDGE.judge_here(Question("a/x", claim, evidence, index=index)).text


def judged(index: Index, claim: Sau) -> tuple[ParsedAnswer, Checked]:
    """The answer as the run sees it: parsed, and its quotes looked up."""
    evidence = find_evidence(index, claim, RetrievalSettings())
    answer = JUDGE.judge_here(Question("a/x", claim, evidence, index=index))
    parsed = parse_answer(answer)
    sources = Sources(index.repository, lambda path: code_lines(index, path))
    return parsed, check(parsed, sources, evidence_note(evidence), local=True)


def suite_claims(paper: str) -> list[Sau]:
    record = json.loads((SUITE / "papers" / paper / "sau.json").read_text(encoding="utf-8"))
    return [
        Sau(item["id"], paper, dimension, item["claim"], item.get("source", ""))
        for dimension in Dimension
        for item in record.get(dimension.value, [])
    ]
