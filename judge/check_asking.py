"""A check by a judge that a configuration names: a run of its own, in a folder that goes again.

What it hands on in files lies in a folder of its own below that of the configuration's runs, so
that neither puts its questions in the place of the other's.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmark import Benchmark, Paper, Submission
from judge.check import Report, refuse_inside, report_of
from judge.check_sight import look
from judge.config import load_config
from judge.inputs import Inputs
from judge.loading import iter_verdicts, read_submissions
from judge.models import JudgeSettings, make_judge
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
    asked_ones = config.judge.asked
    for one, key in ((asked_ones, "exchange"), *((m, "members") for m in asked_ones.members or ())):
        if one.exchange is not None:
            refuse_inside(one.exchange, repository, config.where("judge", key))
    prompted = config.judge.asked.kind != "embedded"
    sight = look(repository, submission.exclude, config.retrieval.limits, prompted=prompted)
    inputs = Inputs(Benchmark("check", (paper,)), (submission,), {paper.id: paper.version})
    with tempfile.TemporaryDirectory(prefix="judge-check-") as folder:
        output = Path(folder) / "run"
        judge = make_judge(_apart(config.judge.settings(), repository, paper))
        plan = replace(plan_of(config, inputs, judge), output=output)
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
        remarks=result.remarks,
    )


def _apart(settings: JudgeSettings, repository: Path, paper: Paper) -> JudgeSettings:
    """The settings with a folder of exchange for this repository and these claims alone."""
    exchange = settings.exchange
    if exchange is not None:
        real = Path(os.path.realpath(repository))
        digest = hashlib.sha256(f"{real.as_posix()}\n{paper.id}".encode()).hexdigest()[:10]
        words = re.sub(r"[^A-Za-z0-9._-]+", "-", real.name)[:60].strip("-._")
        exchange = str(Path(exchange) / "check" / f"{words or 'repository'}-{digest}")
    members = tuple(_apart(one, repository, paper) for one in settings.members)
    return replace(settings, exchange=exchange, members=members)
