"""What a study runs before it studies: configs among its runs, the suite, JudgeEval's rows.

Runs resume like any other: what is graded is not asked again, so a study may be repeated at no
cost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import GraderError, Label, Submission
from benchmark.readers import load_judgeeval
from judge.config import RunConfig, load_config, make_config
from judge.config_sections import SUITE
from judge.inputs import Inputs, load_inputs
from judge.pipeline import RunResult
from judge.pipeline import run as run_pipeline
from judge.places import check_apart
from judge.progress import make_reporter
from judge.study_config import JudgeEvalSource, StudyConfig
from judge.trust_inputs import read_labels

__all__ = ["RunStoppedError", "StudyInputs", "prepare_study"]

_CONFIGS = {".yaml", ".yml", ".json"}


class RunStoppedError(GraderError):
    """A run that the study needs ended before its end; the exit code is the run's."""

    def __init__(self, result: RunResult) -> None:
        self.exit_code = result.exit_code  # type: ignore[misc]
        super().__init__(
            f"{result.path}: the run stopped: {result.reason or 'no reason was given'}. Mend the "
            "cause and study again: what was answered is kept."
        )


@dataclass(frozen=True, slots=True)
class StudyInputs:
    """What a study is about, once all of it is there.

    Attributes:
        runs: Run directories and trees of published results.
        labels: The labels.
        missing: Claims of runs made here that have no verdict: the study is without them.
        remarks: What these runs' judges tell of them, as what waits for an answer and where.
    """

    runs: tuple[Path, ...]
    labels: tuple[Label, ...]
    missing: int = 0
    remarks: tuple[str, ...] = ()


def prepare_study(config: StudyConfig) -> StudyInputs:
    """Run what is to be run, and read the labels.

    Raises:
        InputError: A config, its inputs or a label file are wrong.
        RunStoppedError: A provider refused, or a limit or a person stopped a run.
    """
    if config.judgeeval is not None:
        return _judgeeval(config, config.judgeeval)
    # Labels first: a typing error in their path should not cost a run.
    labels = read_labels(config.labels, columns=config.columns, fixed=config.fixed)
    results: list[RunResult] = []
    places: list[Path] = []
    for path in config.runs:
        place = path
        if path.name == SUITE and not path.exists():
            values = {"benchmark": {"path": SUITE}}
            results.append(_run(_own(config, values)))
            place = results[-1].path
        elif path.suffix.lower() in _CONFIGS and path.is_file():
            results.append(_run(load_config(path)))
            place = results[-1].path
        places.append(place)
    return StudyInputs(tuple(places), labels, _missing(results), _remarks(results))


def _judgeeval(config: StudyConfig, source: JudgeEvalSource) -> StudyInputs:
    rows = load_judgeeval(source.rows, agent=source.agent)
    values: dict[str, Any] = {
        "benchmark": {"path": str(source.rows.absolute())},
        "submissions": {"path": str(source.repository.absolute())},
        "judge": dict(source.judge),
    }
    if source.max_cost is not None:
        values["max_cost"] = source.max_cost
    own = _own(config, values)
    submissions = tuple(
        Submission(f"{source.agent}/{paper.id}", source.agent, paper.id, source.repository)
        for paper in rows.benchmark.papers
    )
    check_apart(own, submissions)
    versions = {paper.id: paper.version for paper in rows.benchmark.papers}
    result = _run(own, Inputs(rows.benchmark, submissions, versions))
    return StudyInputs((result.path,), rows.labels, _missing([result]), _remarks([result]))


def _own(config: StudyConfig, values: dict[str, Any]) -> RunConfig:
    """A run's config of the study's own; the run lies in the study's output."""
    folder = config.output.absolute()
    values = {**values, "output": {"path": str(folder / "run")}}
    values["cache"] = {"path": str(folder.parent / ".judge-cache")}
    return make_config(values, file=config.file.absolute())


def _run(config: RunConfig, inputs: Inputs | None = None) -> RunResult:
    inputs = load_inputs(config) if inputs is None else inputs
    reporter = make_reporter(quiet=False)
    result = asyncio.run(run_pipeline(config, inputs, reporter=reporter))
    if result.exit_code not in {0, 3}:
        raise RunStoppedError(result)
    return result


def _missing(results: Sequence[RunResult]) -> int:
    return sum(result.errors for result in results)


def _remarks(results: Sequence[RunResult]) -> tuple[str, ...]:
    return tuple(remark for result in results for remark in result.remarks)
