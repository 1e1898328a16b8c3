"""A small made run, a worse one, and two people's labels for both."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmark import Dimension, Sau, claims_version
from judge.records import RunMeta, SubmissionNote
from judge.verdict import Citation, Provenance, QuoteState, Status, Verdict
from tests.benchmarks.drawing import World

PAPERS, CLAIMS = 8, 16


def make_trust(root: Path) -> None:
    """Write `run`, `worse` and `labels.jsonl`: one judge, two agents, labels by two people."""
    truth, judge = World(skill=0.9).draw(np.random.default_rng(3), PAPERS, CLAIMS)
    saus = [
        Sau(f"p{paper}-{claim}", f"p{paper}", list(Dimension)[claim % 4], f"=claim {claim}")
        for paper in range(PAPERS)
        for claim in range(CLAIMS)
    ]
    for name, shift in (("run", 0), ("worse", 1)):
        folder = root / name
        folder.mkdir()
        versions = {
            f"p{paper}": claims_version(sau for sau in saus if sau.paper == f"p{paper}")
            for paper in range(PAPERS)
        }
        meta = RunMeta(
            name="made", claims_version=claims_version(saus), paper_versions=versions,
            state="complete",
        )  # fmt: skip
        (folder / "run.json").write_text(meta.model_dump_json(), encoding="utf-8")
        write(folder / "claims.jsonl", [asdict(sau) for sau in saus])
        notes = [
            SubmissionNote(
                id=f"{agent}/p{paper}", agent=agent, paper=f"p{paper}", digest=f"{shift}"
            )
            for agent in ("one", "two")
            for paper in range(PAPERS)
        ]
        write(folder / "submissions.jsonl", [note.model_dump(mode="json") for note in notes])
        verdicts = [
            Verdict(
                submission=f"{agent}/p{paper}",
                agent=agent,
                paper=f"p{paper}",
                sau=f"p{paper}-{claim}",
                dimension=list(Dimension)[claim % 4],
                status=Status.GRADED,
                level=max(0, int(judge[paper, claim]) - shift * (claim == 0)),
                confidence=0.7,
                citations=(
                    Citation(
                        path="a.py",
                        first=claim + 1,
                        last=claim + 1 + shift,
                        quote="x = 1",
                        state=QuoteState.VERIFIED,
                    ),
                ),
                provenance=Provenance(judge="toy", provider="scripted", input_key="k"),
            )
            for agent in ("one", "two")
            for paper in range(PAPERS)
            for claim in range(CLAIMS)
        ]
        write(folder / "verdicts.jsonl", [one.model_dump(mode="json") for one in verdicts])
    rows: list[dict[str, object]] = []
    for annotator in ("ann", "bo"):
        rows += [
            {
                "submission": f"{agent}/p{paper}",
                "sau": f"p{paper}-{claim}",
                "annotator": annotator,
                "kind": "person",
                "level": int(min(4, truth[paper, claim] + (annotator == "bo" and claim == 5))),
            }
            for agent in ("one", "two")
            for paper in range(PAPERS)
            for claim in range(CLAIMS)
        ]
    write(root / "labels.jsonl", rows)


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
