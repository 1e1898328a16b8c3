"""A run: through all the rooms, for every submission, until every claim has a verdict.

Submissions are prepared in worker processes (`preparing`), questions that go over a wire are asked
here (`asking`), and every verdict is in the run directory before the next step. What is there
already, made from the same things, is not made again.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from judge.asking import Asker
from judge.budget import capped
from judge.cache import AnswerCache
from judge.cautioning import cautions_about
from judge.config import RunConfig
from judge.figures import Summary
from judge.inputs import Inputs
from judge.loading import iter_verdicts
from judge.preparing import Context, now
from judge.progress import Counts, Reporter, SilentReporter
from judge.protocol import Judge, LocalJudge, Remarking
from judge.records import JudgeNote, RunMeta, Scope
from judge.run_plan import RunPlan, context_of, plan_of
from judge.running import Running
from judge.store import RunStore
from judge.summary import summarise
from judge.versions import package_versions

__all__ = ["RunPlan", "RunResult", "plan_of", "run", "run_plan"]


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended.

    Attributes:
        path: The run directory.
        exit_code: 0 all claims graded or abstained; 3 some are errors or have no verdict; 4 the
            provider refuses every question; 130 a person interrupted.
        reason: Why it stopped early, for a person; empty where it did not.
        counts: How much of what was done.
        errors: Pairs whose latest verdict is an error, and pairs without one.
        damage: What was found damaged in the cache.
        summary: The figures of what the plan is about, as `summary.json` holds them.
        remarks: What the judge has to say at the end, for a person.
    """

    path: Path
    exit_code: int
    reason: str
    counts: Counts
    errors: int
    damage: tuple[str, ...]
    summary: Summary
    remarks: tuple[str, ...] = ()


async def run(
    config: RunConfig,
    inputs: Inputs,
    *,
    judge: Judge | LocalJudge | None = None,
    reporter: Reporter | None = None,
) -> RunResult:
    """Run what a config says.

    Args:
        config: The config.
        inputs: What it names, read and checked.
        judge: In place of the one that the config describes.
        reporter: Who is told how it goes; nobody by default.

    Raises:
        InputError: The judge, the cache or the run directory cannot be used; nothing was spent.
    """
    return await run_plan(plan_of(config, inputs, judge), reporter=reporter)


async def run_plan(plan: RunPlan, *, reporter: Reporter | None = None) -> RunResult:
    """Run a plan; see `run`."""
    reporter = reporter or SilentReporter()
    remote = None if isinstance(plan.judge, LocalJudge) else plan.judge
    asked = None if remote is None else capped(remote, plan.max_cost)
    context = context_of(plan)
    saus = [sau for paper in plan.benchmark.papers for sau in paper.saus]
    with contextlib.ExitStack() as stack:
        cache = None
        if remote is not None:
            cache = stack.enter_context(AnswerCache(plan.cache))
        beware = cautions_about(remote, plan.submissions)
        if plan.cascade is not None:
            beware = (*beware, *plan.cascade.remarks(plan.judge.name))
        meta = _meta(plan, context).model_copy(update={"notes": beware})
        store = stack.enter_context(RunStore.open(plan.output, meta, saus))
        for text in beware:
            reporter.note(text)
        try:
            asker = None
            if asked is not None and cache is not None:
                asker = Asker(asked, store, cache, concurrency=plan.concurrency)
            running = Running(plan, context, store, asker, reporter)
            end = await running.go()
        finally:
            if remote is not None:
                await remote.close()
        # What is on the disk decides, and not what this run believes to have put there.
        summary = summarise(
            iter_verdicts(plan.output), {sau.id: sau for sau in saus}, plan.submissions
        )
        store.write_summary(summary.model_dump(mode="json"))
        counts = summary.all.counts
        errors = counts.error + counts.missing
        if not end.code:
            store.update_meta(state="incomplete" if errors else "complete")
    remarks = _remarks(remote)
    damage = tuple(cache.damage) if cache is not None else ()
    for text in damage:
        reporter.note(f"cache: {text}")
    return RunResult(
        plan.output,
        end.code or (3 if errors else 0),
        end.reason,
        running.counts,
        errors,
        damage,
        summary,
        remarks,
    )


def _remarks(judge: object) -> tuple[str, ...]:
    return judge.remarks() if isinstance(judge, Remarking) else ()


def _meta(plan: RunPlan, context: Context) -> RunMeta:
    asked = context.asked
    wire = context.local is None
    return RunMeta(
        name=plan.benchmark.name,
        claims_version="",
        paper_versions=dict(plan.versions),
        judge=JudgeNote(
            name=plan.judge_name,
            provider=asked.provider,
            model=asked.model,
            identity=dict(plan.judge_identity),
        ),
        config=dict(plan.config),
        prompt_version=plan.prompt_version if wire else None,
        prompt_hash=context.prompt_hash,
        code=context.code,
        versions=package_versions(),
        scope=Scope(
            submissions=tuple((one.id, one.agent, one.paper) for one in plan.submissions),
            claims=tuple(sau.id for sau in plan.benchmark.saus),
        ),
        started=now(),
    )
