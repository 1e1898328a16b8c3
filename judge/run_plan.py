"""What a run does, with nothing left to look up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark import Benchmark, Sau, Submission
from judge.cascade import Cascade
from judge.cascade_making import cascade_of
from judge.config import RunConfig
from judge.inputs import Inputs
from judge.models import make_judge
from judge.preparing import Asked, Context
from judge.protocol import Judge, LocalJudge
from judge.question_settings import QuestionSettings
from judge.versions import code_hash
from judge.workers import usable_cores
from retrieval.evidence import RetrievalSettings
from retrieval.reading import ReadLimits

__all__ = ["RunPlan", "context_of", "plan_of"]

_SMALL = 4


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What to run, with nothing left to look up.

    Attributes:
        benchmark: The claims.
        submissions: What was handed in.
        output: The run directory.
        cache: The answers cache's folder; not touched for a judge that computes here.
        judge: Who judges; in a cascade the second judge.
        versions: Of each paper, the version of all its claims, where the benchmark holds a choice.
        among: Of a paper of which single claims were taken, all those that they are asked among.
        retrieval: How evidence is found.
        limits: How much of a repository is read.
        prompt_version: Name of the prompt version.
        question: What else goes into a question for a judge that reads prompts.
        workers: Processes that prepare submissions; 0 is a thread of this one, where nothing bounds
            what a submission may take, for tests.
        concurrency: Questions on the wire at a time.
        max_errors_share: Share of errors past which the run stops.
        max_cost: Dollars that this run may spend; `None` is no cap.
        submission_seconds: How long preparing one submission may take.
        config: The configuration without anything secret, for `run.json`.
        cascade: Who answers first, and when that stands.
    """

    benchmark: Benchmark
    submissions: tuple[Submission, ...]
    output: Path
    cache: Path
    judge: Judge | LocalJudge
    versions: Mapping[str, str] = field(default_factory=dict)
    among: Mapping[str, tuple[Sau, ...]] = field(default_factory=dict)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    limits: ReadLimits = field(default_factory=ReadLimits)
    prompt_version: str = "v1"
    question: QuestionSettings = field(default_factory=QuestionSettings)
    workers: int = 1
    concurrency: int = 8
    max_errors_share: float = 0.1
    max_cost: float | None = None
    submission_seconds: float = 600.0
    config: Mapping[str, Any] = field(default_factory=dict)
    cascade: Cascade | None = None

    @property
    def judge_name(self) -> str:
        """Who judges, in a word or two."""
        if self.cascade is None:
            return self.judge.name
        return f"cascade: {self.cascade.first.name}, then {self.judge.name}"

    @property
    def judge_identity(self) -> Mapping[str, Any]:
        """All that decides verdicts besides the questions."""
        own = dict(self.judge.identity())
        if self.cascade is None:
            return own
        return {"cascade": dict(self.cascade.identity()), "then": own}


def plan_of(config: RunConfig, inputs: Inputs, judge: Judge | LocalJudge | None = None) -> RunPlan:
    """Return what a config says, with the judge it describes or another.

    Raises:
        InputError: The judge cannot be made.
    """
    jobs = len(inputs.submissions)
    asked_for = config.output.workers
    # A second process pays off from a few submissions on.
    fitting = 1 if jobs <= _SMALL else min(usable_cores(), jobs)
    return RunPlan(
        benchmark=inputs.benchmark,
        submissions=inputs.submissions,
        output=config.output.path,
        cache=config.cache.path,
        judge=judge or make_judge(config.judge.settings()),
        versions=inputs.versions,
        among=inputs.among,
        retrieval=RetrievalSettings(
            budget_tokens=config.retrieval.budget_tokens, map_tokens=config.retrieval.map_tokens
        ),
        limits=config.retrieval.limits,
        prompt_version=config.prompt.version,
        question=QuestionSettings(
            context=config.retrieval.context,
            whole_max_tokens=config.retrieval.whole_max_tokens,
            strip_comments=config.retrieval.strip_comments,
            lookup_tokens=config.retrieval.lookup_tokens,
            paper_tokens=config.prompt.paper_tokens,
            repeats=config.judge.asked.repeats,
            claims_per_request=config.prompt.claims_per_request,
        ),
        workers=asked_for if isinstance(asked_for, int) else fitting,
        # Claims that are asked together wait for one request; judges keep to their own bounds.
        concurrency=config.judge.at_a_time * config.prompt.claims_per_request,
        max_errors_share=config.max_errors_share,
        max_cost=config.max_cost,
        config=config.public_dict(),
        cascade=cascade_of(config),
    )


def context_of(plan: RunPlan) -> Context:
    """What is the same for all submissions of a plan."""
    judge = plan.judge
    return Context(
        asked=Asked(judge.name, judge.provider, judge.model, dict(judge.identity())),
        local=judge if isinstance(judge, LocalJudge) else None,
        retrieval=plan.retrieval,
        limits=plan.limits,
        prompt_version=plan.prompt_version,
        code=code_hash(),
        question=plan.question,
        cascade=plan.cascade,
    )
