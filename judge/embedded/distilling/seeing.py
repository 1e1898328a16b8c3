"""What the embedded judge measures for each label, once for every repository, kept in a file."""

from __future__ import annotations

import hashlib
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmark import Drift, Failure, Level
from judge.embedded.background import Background, load_background
from judge.embedded.citing import has_proof
from judge.embedded.distilling.counting import Counted
from judge.embedded.distilling.labelled import Row, claims_of
from judge.embedded.features import MEASURES, features_of
from judge.embedded.glimpse import GLIMPSE, measure_glimpse
from judge.embedded.looking import look
from judge.embedded.parts import claim_of
from judge.embedded.rules import ceiling, drift_and_failure
from judge.embedded.survey import survey_of
from retrieval.index import Index
from retrieval.reading import read_repository

__all__ = ["Seen", "see"]

_Job = tuple[Path, Path, tuple[str, ...], Background]
_Found = tuple[list[tuple[str, list[float]]], float]
DRIFTS, FAILURES = tuple(Drift), tuple(Failure)
_RULED = 1 + 2 * len(Level)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was measured.

    Attributes:
        features: By label and measure; shape (n, measures).
        glimpse: What a judge of two windows would see, in the order of `GLIMPSE`.
        highest: The ceiling that rules set, by label.
        drift: Place in `DRIFTS` of the drift that goes with each level; shape (n, 5).
        failure: Place in `FAILURES`, the same.
        seconds: Processor seconds of each repository that was measured now.
    """

    features: npt.NDArray[np.float64]
    glimpse: npt.NDArray[np.float64]
    highest: npt.NDArray[np.int64]
    drift: npt.NDArray[np.int64]
    failure: npt.NDArray[np.int64]
    seconds: tuple[float, ...]


def _version() -> str:
    """Changes with the code that measures."""
    digest = hashlib.sha256()
    here = Path(__file__).resolve()
    for path in [*sorted(here.parents[1].glob("*.py")), here, here.with_name("counting.py")]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _measure(job: _Job) -> tuple[_Job, _Found]:
    root, claims, wanted, background = job
    start = time.process_time()
    survey = survey_of(Index.build(read_repository(root, exclude=["result/"])))
    found: list[tuple[str, list[float]]] = []
    for sau in claims_of(claims):
        if sau.id not in wanted:
            continue
        claim = claim_of(sau)
        findings = look(survey, claim)
        numbers = features_of(survey, claim, findings, background)
        proof = has_proof(survey, findings)
        highest = float(ceiling(claim, numbers, findings, proof=proof))
        kinds = [drift_and_failure(level, claim, numbers, findings) for level in Level]
        drifts = [float(DRIFTS.index(drift)) for drift, _ in kinds]
        failures = [float(FAILURES.index(failure)) for _, failure in kinds]
        shown = measure_glimpse(survey, sau).values()
        found.append((sau.id, [*numbers.values(), *shown, highest, *drifts, *failures]))
    return job, (found, time.process_time() - start)


def see(
    rows: Sequence[Row], cache: Path | None, workers: int, counted: Counted | None = None
) -> tuple[list[Row], Seen]:
    """Measure every label's claim in its repository; labels of unknown claims are left out.

    Args:
        rows: The labels.
        cache: Keeps what was measured.
        workers: Processes.
        counted: How common words are; a claim is seen without what its own paper's repositories
            hold, as the claim of a new paper would be.
    """
    backgrounds = {
        paper: counted.background(paper if paper in counted.sizes else "")
        if counted
        else load_background()
        for paper in {row.paper for row in rows}
    }
    about = {(row.root, row.claims): backgrounds[row.paper] for row in rows}
    wanted: defaultdict[tuple[Path, Path], dict[str, None]] = defaultdict(dict)
    for row in rows:
        wanted[row.root, row.claims][row.sau] = None
    known = _load(cache)
    jobs = [
        (root, claims, tuple(saus), about[root, claims])
        for (root, claims), saus in wanted.items()
        if not all(_key(root, sau) in known for sau in saus)
    ]
    seconds: list[float] = []
    if jobs:
        with multiprocessing.Pool(workers) as pool:
            for (root, *_), (found, took) in pool.imap_unordered(_measure, jobs, chunksize=2):
                seconds.append(took)
                for sau, numbers in found:
                    known[_key(root, sau)] = np.array(numbers)
        _save(cache, known)
    kept = [row for row in rows if _key(row.root, row.sau) in known]
    table = np.array([known[_key(row.root, row.sau)] for row in kept]).reshape(
        len(kept), len(MEASURES) + len(GLIMPSE) + _RULED
    )
    features, glimpse, ruled = np.split(table, [len(MEASURES), len(MEASURES) + len(GLIMPSE)], 1)
    highest, drift, failure = np.split(ruled.astype(np.int64), [1, 1 + len(Level)], axis=1)
    return kept, Seen(features, glimpse, highest[:, 0], drift, failure, tuple(seconds))


def _key(root: Path, sau: str) -> str:
    return f"{root.as_posix()}|{sau}"


def _load(cache: Path | None) -> dict[str, npt.NDArray[np.float64]]:
    if cache is None or not cache.exists():
        return {}
    with np.load(cache, allow_pickle=False) as stored:
        if str(stored["version"]) != _version():
            return {}
        return dict(zip(stored["keys"].tolist(), stored["table"], strict=True))


def _save(cache: Path | None, known: Mapping[str, npt.NDArray[np.float64]]) -> None:
    if cache is None:
        return
    cache.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        cache,
        version=np.array(_version()),
        keys=np.array(list(known)),
        table=np.array(list(known.values())),
    )
