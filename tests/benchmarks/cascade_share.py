"""What share of claims the embedded judge may answer in a cascade, and what that loses; no test.

```
python -m tests.benchmarks.cascade_share --runs RUNS --saus SAUS \
    --readings reader_dev.jsonl --verdicts reference_verdicts.jsonl.gz [--outputs FILE]
```

The second judge is played by careful readings, and by the published verdicts of SA-Bench's two
judges. The rule that says which claims are answered is fitted without the paper that it is looked
at on. The weights of the embedded judge have seen these labels, unless `--outputs` gives what it
says of each claim when its weights were fitted without the claim's paper: JSON Lines with agent,
paper, sau, dimension, level, confidence, chances, drift and failure.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmark import Dimension, Drift, Failure, Label, Level, Submission
from benchmark.readers import load_benchmark
from calibration.cascade_rule import CascadeRule, Loss, RulePoint, Scale
from calibration.joining import Judged, judged
from calibration.risk_control import fit_cascade, meet
from judge.models import JudgeSettings, make_judge
from judge.preparing import Asked, Context, Job, prepare
from judge.protocol import LocalJudge
from judge.verdict import Status, Verdict
from judge.versions import code_hash
from retrieval.evidence import RetrievalSettings
from retrieval.reading import ReadLimits

WITHHELD = frozenset({"ngpt", "sam2", "wdno", "mrq", "adjoint-matching", "lora-sb"})
REFERENCES = ("gpt-5.5", "deepseek-v4-pro")
LOSSES = (0.01, 0.02, 0.05, 0.1)
RISKS = (0.05, 0.075, 0.1)
BAR = (0.6, 0.05)


def read_lines(path: Path) -> Iterable[dict[str, Any]]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    yield from map(json.loads, text.decode().splitlines())


def label(agent: str, row: dict[str, Any], who: str, level: int) -> Label:
    return Label(f"{agent}/{row['paper']}", row["sau"], who, "model", Level(level), None, None)


def labels_of(options: argparse.Namespace) -> dict[str, list[Label]]:
    """By who gave them."""
    found: dict[str, list[Label]] = defaultdict(list)
    if options.readings:
        for row in read_lines(options.readings):
            found["readings"].append(label(row["agent"], row, row["annotator"], row["level"]))
    if options.verdicts:
        for row in read_lines(options.verdicts):
            # Zeros of keyword rules carry no evidence, and no judge gave them.
            if row["judge"] in REFERENCES and row["evidence"]:
                one = label(row["config"], row, row["judge"], round(row["score"] * 4))
                found[row["judge"]].append(one)
                found["both published judges"].append(one)
    assert not WITHHELD & {one.submission.split("/")[1] for rows in found.values() for one in rows}
    return found


def look_at(job: tuple[Path, Path, str]) -> list[Judged]:
    """What the embedded judge says of all claims of a paper in one repository."""
    root, claims, name = job
    agent, paper = name.split("/")
    judge = make_judge(JudgeSettings("embedded"))
    assert isinstance(judge, LocalJudge)
    context = Context(
        asked=Asked(judge.name, judge.provider, judge.model, dict(judge.identity())),
        local=judge,
        retrieval=RetrievalSettings(),
        limits=ReadLimits(),
        prompt_version="v1",
        code=code_hash(),
    )
    saus = load_benchmark(claims).papers[0].saus
    submission = Submission(name, agent, paper, root, exclude=("result/",))
    prepared = prepare(context, Job(submission, saus, {}))
    return list(judged(Verdict.model_validate_json(line) for _, line in prepared.verdicts))


def given(path: Path) -> list[Judged]:
    """What `--outputs` says."""
    return [
        Judged(
            submission=f"{row['agent']}/{row['paper']}",
            sau=row["sau"],
            agent=row["agent"],
            paper=row["paper"],
            dimension=Dimension(row["dimension"]),
            judge="embedded",
            status=Status.GRADED,
            level=row["level"],
            drift=Drift(row["drift"]) if row.get("drift") else None,
            failure=Failure(row["failure"]) if row.get("failure") else None,
            confidence=row.get("confidence"),
            chances=tuple(row["chances"]) if "chances" in row else None,
            verified=1.0,
        )
        for row in read_lines(path)
    ]


def at_loss(rule: CascadeRule, most: float) -> RulePoint | None:
    """The last point whose loss, as seen with papers held out, stays at or below a value."""
    inside = [point for point in rule.points if point.lost <= most]
    return inside[-1] if inside else None


def share(point: RulePoint | None) -> str:
    return "  -  " if point is None else f"{point.share:5.2f}"


def say(name: str, verdicts: Sequence[Judged], labels: Sequence[Label]) -> None:
    by_key = {one.key: one for one in verdicts}
    met = [one for one in labels if (one.submission, one.sau) in by_key]
    levels = np.array([int(one.level or 0) for one in met])
    own = np.array([by_key[one.submission, one.sau].level or 0 for one in met])
    print(
        f"\n{name}: {len(met)} labels, {len({by_key[o.submission, o.sau].paper for o in met})} "
        f"papers; mean of the labels {levels.mean() / 4:.3f}, of the judge {own.mean() / 4:.3f}; "
        f"were all answered, {(abs(levels - own) / 4).mean():.3f} distance, "
        f"{((levels >= 2) != (own >= 2)).mean():.3f} on the other side of .5"
    )
    head = "  ".join(f"<={loss:g}" for loss in LOSSES)
    bounds = "  ".join(f"{risk:g}" for risk in RISKS)
    print(f"  {'loss, scale':22} answered at a loss {head} | conformal {bounds} | upper {bounds}")
    losses: tuple[Loss, ...] = ("cut", "distance")
    scales: tuple[Scale, ...] = ("own", "labels")
    labelled = meet(verdicts, met)
    for loss in losses:
        for scale in scales:
            rule = fit_cascade(labelled, judge_hash="", loss=loss, scale=scale).rule
            seen = "  ".join(share(at_loss(rule, each)) for each in LOSSES)
            firm = "  ".join(share(rule.point(each, "conformal")) for each in RISKS)
            upper = "  ".join(share(rule.point(each, "upper")) for each in RISKS)
            point = at_loss(rule, BAR[1])
            reached = 0.0 if point is None else point.share
            among = 0.0 if not reached or point is None else point.lost / point.share
            print(
                f"  {loss + ', ' + scale:22} {seen:47} | {firm} | {upper}   "
                f"bar {BAR[0]:.2f}: {reached:.2f}, loss among the answered {among:.3f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--saus", type=Path)
    parser.add_argument("--readings", type=Path)
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--outputs", type=Path, help="What the judge says, papers held out.")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    labels = labels_of(options)
    if options.outputs:
        verdicts = given(options.outputs)
    else:
        names = sorted({one.submission for rows in labels.values() for one in rows})
        jobs = [
            (options.runs / name / "repo", options.saus / name.split("/")[1] / "sau.json", name)
            for name in names
        ]
        with multiprocessing.Pool(options.workers) as pool:
            parts = pool.map(look_at, jobs, chunksize=2)
        verdicts = [one for part in parts for one in part]
    judge = make_judge(JudgeSettings("embedded"))
    seen = "papers held out" if options.outputs else "weights that have seen these papers"
    print(f"embedded judge {judge.model}, {seen}; rule fitted with papers held out")
    for name, rows in labels.items():
        say(name, verdicts, rows)


if __name__ == "__main__":
    main()
