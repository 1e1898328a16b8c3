"""Fit the weights of the embedded judge, and say how well it reads repositories it never saw.

```
python -m tests.benchmarks.fit_embedded --readings reader_dev.jsonl --runs RUNS --saus SAUS \
    [--verdicts reference_verdicts.jsonl.gz] [--write] [--held-out]
```

Three kinds of labels, one set of weights, thresholds of their own for each scale:

- careful readings (a model's), and the authors' labels of half of the built-in suite: one scale;
- published verdicts of each reference judge, lightly weighed, as a weak second opinion.

Readings are predicted for papers that the fit has not seen. `--held-out` adds the other half of
the suite: look at it when the work is done, not while it goes on.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmark import Dimension, Sau
from judge.embedded.features import FEATURES, features_of
from judge.embedded.looking import look
from judge.embedded.model import Model, parse_model
from judge.embedded.parts import claim_of
from judge.embedded.rules import ceiling
from judge.embedded.survey import survey_of
from judge.embedded.telling import citations
from retrieval.index import Index
from retrieval.reading import read_repository

Float = npt.NDArray[np.float64]
SUITE = Path(__file__).resolve().parents[2] / "benchmark" / "suite"
WEIGHTS = Path(__file__).resolve().parents[2] / "judge" / "embedded" / "weights.json"
WITHHELD = frozenset({"ngpt", "sam2", "wdno", "mrq", "adjoint-matching", "lora-sb"})
FITTED_SUITE = frozenset({"adam", "ddpm", "kfold", "lora"})
REFERENCES = ("gpt-5.5", "deepseek-v4-pro")
SCALE = {"reading": 0, "suite": 0, "gpt-5.5": 1, "deepseek-v4-pro": 2}
WEIGHT = {"reading": 3.0, "suite": 1.0, "gpt-5.5": 0.03, "deepseek-v4-pro": 0.03}
RIDGE = 10.0
FOLDS = 7


@dataclass(frozen=True)
class Row:
    """One label, and what the judge sees of its claim."""

    source: str
    agent: str
    paper: str
    sau: str
    level: int
    features: Mapping[str, float]
    highest: int


Seen = dict[str, tuple[dict[str, float], int]]


def claims_of(path: Path) -> list[Sau]:
    record = json.loads(path.read_text(encoding="utf-8"))
    return [
        Sau(item["id"], str(record.get("paper_id", "")), dimension, item["claim"])
        for dimension in Dimension
        for item in record.get(dimension.value, [])
    ]


def look_at(job: tuple[Path, Path]) -> tuple[Seen, set[str]]:
    """Features and ceilings of all claims of a paper in one repository, and its files."""
    root, claims = job
    repository = read_repository(root, exclude=["result/"])
    survey = survey_of(Index.build(repository))
    seen: Seen = {}
    for sau in claims_of(claims):
        claim = claim_of(sau)
        found = look(survey, claim)
        features = features_of(survey, claim, found)
        proof = bool(citations(survey, found))
        seen[sau.id] = (features, int(ceiling(claim, features, found, proof=proof)))
    return seen, {file.path for file in repository.files}


def read_lines(path: Path) -> Iterable[dict[str, Any]]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    yield from map(json.loads, text.decode().splitlines())


def gather(options: argparse.Namespace) -> list[Row]:
    """All labels with what the judge sees."""
    wanted: list[tuple[str, str, str, str, int, str]] = []  # source, agent, paper, sau, level, file
    for label in read_lines(options.readings):
        wanted.append(("reading", label["agent"], label["paper"], label["sau"], label["level"], ""))
    for path in sorted((SUITE / "labels").glob("*.jsonl")):
        for label in read_lines(path):
            agent, _, paper = label["submission"].partition("/")
            wanted.append(("suite", agent, paper, label["sau"], label["level"], ""))
    if options.verdicts:
        for verdict in read_lines(options.verdicts):
            if verdict["judge"] in REFERENCES and verdict["evidence"]:
                level = round(verdict["score"] * 4)
                file = verdict["evidence"][0][0]
                where = verdict["config"], verdict["paper"], verdict["sau"]
                wanted.append((verdict["judge"], *where, level, file))
    assert not WITHHELD & {row[2] for row in wanted}
    places = sorted({(row[0] == "suite", row[1], row[2]) for row in wanted})
    jobs = [
        (SUITE / "submissions" / agent / paper / "repo", SUITE / "papers" / paper / "sau.json")
        if suite
        else (options.runs / agent / paper / "repo", options.saus / paper / "sau.json")
        for suite, agent, paper in places
    ]
    with multiprocessing.Pool(options.workers) as pool:
        results = dict(zip(places, pool.map(look_at, jobs, chunksize=2), strict=True))
    rows: list[Row] = []
    for source, agent, paper, sau, level, file in wanted:
        seen, files = results[source == "suite", agent, paper]
        # A verdict on a file that is not there was given for another repository.
        if sau in seen and (not file or file in files):
            features, highest = seen[sau]
            rows.append(Row(source, agent, paper, sau, level, features, highest))
    return rows


# ---- fitting -----------------------------------------------------------------------------------


def logistic(value: Float) -> Float:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(value, -30, 30))))


def fit(rows: Sequence[Row], version: str, steps: int = 600) -> dict[str, Any]:
    """Fit weights and thresholds by projected gradient (Adam); the signs of `FEATURES` hold."""
    raw = np.array([[row.features[name] for name in FEATURES] for row in rows])
    neutral, spread = np.nanmean(raw, axis=0), np.nanstd(raw, axis=0) + 1e-6
    x = np.nan_to_num((raw - neutral) / spread)
    signs = np.array([sign for sign, _ in FEATURES.values()])
    level = np.array([row.level for row in rows])
    scale = np.array([SCALE[row.source] for row in rows])
    mass = np.array([WEIGHT[row.source] for row in rows])
    reached = (level[:, np.newaxis] >= np.arange(1, 5)).astype(float)
    weights = np.zeros(len(FEATURES))
    thresholds = np.tile(np.array([-1.0, 0.0, 1.0, 2.0]), (3, 1))
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in (weights, thresholds)]
    for step in range(1, steps + 1):
        chance = logistic((x @ weights)[:, np.newaxis] - thresholds[scale])
        error = (chance - reached) * mass[:, np.newaxis] / mass.sum()
        slopes = [x.T @ error.sum(axis=1) + RIDGE * weights / mass.sum(), np.zeros_like(thresholds)]
        np.add.at(slopes[1], scale, -error)
        for (mean, square), parameter, slope in zip(
            moments, (weights, thresholds), slopes, strict=True
        ):
            mean[...] = 0.9 * mean + 0.1 * slope
            square[...] = 0.999 * square + 0.001 * slope**2
            rate = 0.08 / (1 - 0.9**step) * mean
            parameter[...] -= rate / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        weights[((signs > 0) & (weights < 0)) | ((signs < 0) & (weights > 0))] = 0.0
    own = np.sort(thresholds[0])
    record = {
        "version": version,
        "thresholds": [round(float(t), 3) for t in own],
        "cuts": [0.5, 1.5, 2.5, 3.5],
        "weights": {
            name: {
                "weight": round(float(w), 4),
                "neutral": round(float(n), 4),
                "spread": round(float(s), 4),
            }
            for name, w, n, s in zip(FEATURES, weights, neutral, spread, strict=True)
        },
    }
    record["cuts"] = cuts_of(parse_model(record, ""), [r for r in rows if SCALE[r.source] == 0])
    return record


def cuts_of(model: Model, rows: Sequence[Row]) -> list[float]:
    """Expected levels that give each level the share that it has among the labels."""
    expected = np.array([model.outcome(row.features, row.highest).expected for row in rows])
    mass = np.array([WEIGHT[row.source] for row in rows])
    order = np.argsort(expected, kind="stable")
    below = np.cumsum(mass[order]) / mass.sum()
    cuts: list[float] = []
    for level in range(1, 5):
        share = sum(WEIGHT[row.source] for row in rows if row.level < level) / mass.sum()
        at = min(int(np.searchsorted(below, share)), len(rows) - 1)
        cuts.append(round(float(expected[order][at]), 3))
    return cuts


# ---- judging the fit ---------------------------------------------------------------------------


def ranks(values: Float) -> Float:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])


def rank_correlation(one: Float, other: Float) -> float:
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def area(score: Float, positive: npt.NDArray[np.bool_]) -> float:
    """Area under the ROC curve."""
    ones = int(positive.sum())
    rest = len(score) - ones
    return float((ranks(score)[positive].sum() - ones * (ones + 1) / 2) / (ones * rest))


def weighted_kappa(one: Iterable[int], other: Iterable[int]) -> float:
    table = np.zeros((5, 5))
    for a, b in zip(one, other, strict=True):
        table[a, b] += 1
    cost = (np.arange(5)[:, np.newaxis] - np.arange(5)) ** 2
    chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(1 - (cost * table).sum() / (cost * chance).sum())


def trained_on(rows: Sequence[Row], without: Iterable[str] = ()) -> list[Row]:
    left_out = set(without)
    return [
        row
        for row in rows
        if row.paper not in left_out and (row.source != "suite" or row.paper in FITTED_SUITE)
    ]


Predicted = tuple[Row, float, int, float]


def predict(record: Mapping[str, Any], rows: Iterable[Row]) -> list[Predicted]:
    """(row, expected level, level, confidence)."""
    model = parse_model(record, "")
    predicted: list[Predicted] = []
    for row in rows:
        outcome = model.outcome(row.features, row.highest)
        level = model.level(outcome, row.highest)
        predicted.append((row, outcome.expected, level, outcome.chances[level]))
    return predicted


def say(title: str, predicted: Sequence[Predicted]) -> None:
    """Print figures; several labels of one claim count as their mean where ranks are compared."""
    by_claim: defaultdict[tuple[str, str], list[Predicted]] = defaultdict(list)
    for item in predicted:
        by_claim[item[0].agent, item[0].sau].append(item)
    expected = np.array([items[0][1] for items in by_claim.values()])
    label = np.array([np.mean([item[0].level for item in items]) for items in by_claim.values()])
    levels = np.array([item[2] for item in predicted])
    truth = np.array([item[0].level for item in predicted])
    confidence = np.array([item[3] for item in predicted])
    print(
        f"{title}: {len(by_claim)} claims, rank correlation "
        f"{rank_correlation(expected, label):.3f}, AUC >=2 {area(expected, label > 1.5):.3f}, "
        f"weighted kappa {weighted_kappa(levels, truth):.3f}, "
        f"exact {(levels == truth).mean():.3f}, "
        f"within one {(abs(levels - truth) <= 1).mean():.3f}, mean {levels.mean() / 4:.3f} "
        f"against {truth.mean() / 4:.3f}, confidence {confidence.mean():.3f}"
    )
    order = np.argsort(confidence)
    for part in np.array_split(order, 3):
        right = (levels == truth)[part].mean()
        print(f"    confidence {confidence[part].mean():.2f}: right {right:.2f}")
    for agent in ("faithful", "drifted", "unused", "stubbed"):
        own = [item for item in predicted if item[0].agent == agent]
        if own:
            mean = np.mean([item[2] for item in own]) / 4
            true = np.mean([item[0].level for item in own]) / 4
            top = np.mean([item[2] >= 3 for item in own])
            print(f"    {agent:9} {mean:.3f} against {true:.3f}; 0.75 or 1 for {top:.0%}")


def digest(path: Path | None) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readings", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--saus", type=Path, required=True)
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--version", default="2026-11-29")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="Replace judge/embedded/weights.json.")
    parser.add_argument("--held-out", action="store_true", help="Show the suite's other half too.")
    options = parser.parse_args()
    rows = gather(options)
    readings = [row for row in rows if row.source == "reading"]
    papers = sorted({row.paper for row in readings})
    unseen: list[Predicted] = []
    for fold in range(FOLDS):
        left_out = papers[fold::FOLDS]
        record = fit(trained_on(rows, left_out), "")
        unseen += predict(record, [row for row in readings if row.paper in left_out])
    say("readings, papers never seen", unseen)
    by_suite: list[Predicted] = []
    for paper in sorted(FITTED_SUITE):
        record = fit(trained_on(rows, [paper]), "")
        own = [row for row in rows if row.source == "suite" and row.paper == paper]
        by_suite += predict(record, own)
    say("suite, fitted half, papers never seen", by_suite)
    record = fit(trained_on(rows), options.version)
    suite = [row for row in rows if row.source == "suite" and row.paper not in FITTED_SUITE]
    if options.held_out:
        say("suite, the half that is never fitted", predict(record, suite))
    for name, item in record["weights"].items():
        print(f"    {name:17} {item['weight']:+.3f}")
    print("    thresholds", record["thresholds"], "cuts", record["cuts"])
    if options.write:
        counted = {
            source: sum(row.source == source for row in trained_on(rows)) for source in SCALE
        }
        head = {
            "version": options.version,
            "about": "Cumulative ordinal logistic; see judge/embedded/model.py and features.py.",
            "fitted_on": {
                "readings": "a strong model's readings, not people's",
                "suite": "authors' labels of " + ", ".join(sorted(FITTED_SUITE)),
                "reference": "published model verdicts, each weighed 1 % of a reading",
                "labels": counted,
                "files": {
                    "readings": digest(options.readings),
                    "verdicts": digest(options.verdicts),
                },
                "papers_never_used": sorted(WITHHELD),
            },
        }
        text = json.dumps({**head, **record}, indent=1, ensure_ascii=False) + "\n"
        WEIGHTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
