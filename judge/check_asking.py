"""A check by a judge that a configuration names: a run of its own, in a folder that goes again."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmark import Benchmark, Paper, Submission
from judge.check import Report, refuse_inside, report_of
from judge.check_sight import look
from judge.config import load_config
from judge.inputs import Inputs
from judge.loading import iter_verdicts, read_submissions
from judge.pipeline import run_plan
from judge.progress import Reporter
from judge.run_plan import plan_of

__all__ = ["asked"]


def asked(
    repository: Path,
    paper: Paper,
    submission: Submission,
    file: Path,
    reporter: Reporter | None,
) -> Report:
    """Have a repository judged as a configuration says; of its inputs and output nothing is used.

    Args:
        repository: The folder as the user named it.
        paper: The claims.
        submission: The repository.
        file: The configuration.
        reporter: Who is told how it goes.

    Raises:
        InputError: The configuration is wrong, or would keep something inside of the repository;
            there is no code in it.
    """
    config = load_config(file)
    refuse_inside(config.cache.path, repository, config.where("cache", "path"))
    if config.judge.asked.exchange is not None:
        refuse_inside(config.judge.asked.exchange, repository, config.where("judge", "exchange"))
    prompted = config.judge.asked.kind != "embedded"
    sight = look(repository, submission.exclude, config.retrieval.limits, prompted=prompted)
    inputs = Inputs(Benchmark("check", (paper,)), (submission,), {paper.id: paper.version})
    with tempfile.TemporaryDirectory(prefix="judge-check-") as folder:
        output = Path(folder) / "run"
        plan = replace(plan_of(config, inputs), output=output)
        result = asyncio.run(run_plan(plan, reporter=reporter))
        verdicts = list(iter_verdicts(output))
        note = read_submissions(output).get(submission.id)
    report = report_of(repository, paper, submission, verdicts, note, sight=sight)
    counts = result.counts
    return replace(
        report,
        stopped=result.reason,
        stop_code=result.exit_code if result.exit_code not in {0, 3} else 0,
        cost_usd=None if counts.unpriced else counts.cost_usd,
    )
