"""A run: through all the rooms, for every submission, until every claim has a verdict.

Submissions are prepared in worker processes (`preparing`), questions that go over a wire are asked
here (`asking`), and every verdict is in the run directory before the next step. What is there
already, made from the same things, is not made again.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from benchmark import Benchmark, Submission
from judge.asking import Asker
from judge.cache import AnswerCache
from judge.checking import check, error_verdict, evidence_note, verdict
from judge.config import RunConfig
from judge.inputs import Inputs
from judge.models import make_judge
from judge.preparing import (
    Asked,
    Context,
    Job,
    Pending,
    Prepared,
    failed,
    now,
    prepare,
    provenance_of,
)
from judge.progress import Counts, Reporter, SilentReporter
from judge.protocol import AnswerError, FatalProviderError, Judge, LocalJudge, Question
from judge.records import JudgeNote, RunMeta
from judge.store import RunStore
from judge.verdict import Status, Verdict
from judge.versions import code_hash, package_versions
from judge.workers import Pool, usable_cores
from retrieval.evidence import RetrievalSettings
from retrieval.reading import ReadLimits

__all__ = ["Plan", "RunResult", "run", "run_plan"]

_SUBMISSION_SECONDS = 600.0
_QUIET_SECONDS = 60.0
_LAST_ANSWERS_SECONDS = 30.0
_BREAKER_MINIMUM = 20
_SMALL = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, with nothing left to look up.

    Attributes:
        benchmark: The claims.
        submissions: What was handed in.
        output: The run directory.
        cache: The answers cache's folder; not touched for a judge that computes here.
        judge: Who judges.
        versions: Of each paper, the version of all its claims, where the benchmark holds a choice.
        retrieval: How evidence is found.
        limits: How much of a repository is read.
        prompt_version: Name of the prompt version.
        workers: Processes; 1 is this one alone.
        concurrency: Questions on the wire at a time.
        max_errors_share: Share of errors past which the run stops.
        submission_seconds: How long preparing one submission may take.
        config: The configuration without anything secret, for `run.json`.
    """

    benchmark: Benchmark
    submissions: tuple[Submission, ...]
    output: Path
    cache: Path
    judge: Judge | LocalJudge
    versions: Mapping[str, str] = field(default_factory=dict)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    limits: ReadLimits = field(default_factory=ReadLimits)
    prompt_version: str = "v1"
    workers: int = 1
    concurrency: int = 8
    max_errors_share: float = 0.1
    submission_seconds: float = _SUBMISSION_SECONDS
    config: Mapping[str, Any] = field(default_factory=dict)


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
    """

    path: Path
    exit_code: int
    reason: str
    counts: Counts
    errors: int
    damage: tuple[str, ...] = ()


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
    jobs = len(inputs.submissions)
    asked_for = config.output.workers
    # Starting a process takes longer than preparing a few submissions.
    fitting = 1 if jobs <= _SMALL else min(usable_cores(), jobs)
    plan = Plan(
        benchmark=inputs.benchmark,
        submissions=inputs.submissions,
        output=config.output.path,
        cache=config.cache.path,
        judge=judge or make_judge(config.judge.settings()),
        versions=inputs.versions,
        retrieval=RetrievalSettings(
            budget_tokens=config.retrieval.budget_tokens, map_tokens=config.retrieval.map_tokens
        ),
        limits=config.retrieval.limits,
        prompt_version=config.prompt.version,
        workers=asked_for if isinstance(asked_for, int) else fitting,
        concurrency=config.judge.concurrency,
        max_errors_share=config.max_errors_share,
        config=config.public_dict(),
    )
    return await run_plan(plan, reporter=reporter)


async def run_plan(plan: Plan, *, reporter: Reporter | None = None) -> RunResult:
    """Run a plan; see `run`."""
    reporter = reporter or SilentReporter()
    remote = None if isinstance(plan.judge, LocalJudge) else plan.judge
    context = _context(plan)
    saus = [sau for paper in plan.benchmark.papers for sau in paper.saus]
    with contextlib.ExitStack() as stack:
        cache = None
        if remote is not None:
            cache = stack.enter_context(AnswerCache(plan.cache))
        store = stack.enter_context(RunStore.open(plan.output, _meta(plan, context), saus))
        try:
            asker = None
            if remote is not None and cache is not None:
                asker = Asker(remote, store, cache)
            running = _Run(plan, context, store, asker, reporter)
            result = await running.go()
        finally:
            if remote is not None:
                await remote.close()
    damage = tuple(cache.damage) if cache is not None else ()
    for text in damage:
        reporter.note(f"cache: {text}")
    return RunResult(
        plan.output, result.code, result.reason, running.counts, running.unsettled(), damage
    )


def _context(plan: Plan) -> Context:
    judge = plan.judge
    return Context(
        asked=Asked(judge.name, judge.provider, judge.model, dict(judge.identity())),
        local=judge if isinstance(judge, LocalJudge) else None,
        retrieval=plan.retrieval,
        limits=plan.limits,
        prompt_version=plan.prompt_version,
        code=code_hash(),
    )


def _meta(plan: Plan, context: Context) -> RunMeta:
    asked = context.asked
    wire = context.local is None
    return RunMeta(
        name=plan.benchmark.name,
        claims_version="",
        paper_versions=dict(plan.versions),
        judge=JudgeNote(
            name=asked.name,
            provider=asked.provider,
            model=asked.model,
            identity=dict(asked.identity),
        ),
        config=dict(plan.config),
        prompt_version=plan.prompt_version if wire else None,
        prompt_hash=context.prompt_hash,
        code=context.code,
        versions=package_versions(),
        started=now(),
    )


@dataclass(slots=True)
class _End:
    """Why a run ends before its time."""

    code: int = 0
    reason: str = ""
    grace: float | None = None


class _Run:
    """One run in the making."""

    def __init__(
        self,
        plan: Plan,
        context: Context,
        store: RunStore,
        asker: Asker | None,
        reporter: Reporter,
    ) -> None:
        self._plan = plan
        self._context = context
        self._store = store
        self._asker = asker
        self._reporter = reporter
        self._settled = {
            pair: settled.input_key
            for pair, settled in store.settled().items()
            if settled.status is not Status.ERROR
        }
        self._claims = {paper.id: paper.saus for paper in plan.benchmark.papers}
        self._pool: Pool[Context, Job, Prepared] = Pool(
            prepare,
            context,
            lambda job, reason: failed(context, job, reason),
            workers=plan.workers,
            seconds=plan.submission_seconds,
        )
        self._wire = asyncio.Semaphore(plan.concurrency)
        self._waiting = asyncio.Semaphore(2 * plan.concurrency + 16)
        self._tasks: set[asyncio.Task[None]] = set()
        self._asking: dict[tuple[str, str], float] = {}
        self._end: _End | None = None
        self._stopping = asyncio.Event()
        self._events = self._failures = 0
        self._moved = time.monotonic()
        self._changed_repositories = 0
        self.counts = Counts(
            planned=sum(len(self._claims.get(s.paper, ())) for s in plan.submissions),
            submissions=len(plan.submissions),
            judged_by_wire=asker is not None,
        )

    def unsettled(self) -> int:
        """How many pairs have no verdict or an error."""
        counts = self.counts
        return counts.planned - counts.kept - counts.graded - counts.abstained

    async def go(self) -> _End:
        """Do all that is to be done."""
        for torn in self._store.torn:
            self._reporter.note(str(torn))
        self._reporter.start(self.counts)
        watchdog = asyncio.create_task(self._watch())
        try:
            with self._interruptible():
                try:
                    await self._until_stopped(self._work())
                except asyncio.CancelledError:
                    self._stop(130, "interrupted", grace=0.0)
                except Exception as error:  # noqa: BLE001 - raised again by _ended
                    self._fault = error
                    self._stop(1, f"{type(error).__name__}: {error}", grace=_LAST_ANSWERS_SECONDS)
                await self._drain()
        finally:
            watchdog.cancel()
            if self._asker is not None:
                await self._asker.close()
            self._count_spent()
            self._close()
            self._reporter.finish(self.counts)
        return self._ended()

    async def _work(self) -> None:
        """Prepare every submission and hand out its questions."""
        async with contextlib.aclosing(self._pool.results(self._jobs())) as results:
            async for prepared in results:
                self._take(prepared)
                for pending in prepared.pending:
                    await self._waiting.acquire()
                    task = asyncio.create_task(self._question(prepared, pending))
                    self._tasks.add(task)
                    task.add_done_callback(self._question_done)
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _jobs(self) -> Iterator[Job]:
        for submission in self._plan.submissions:
            saus = self._claims.get(submission.paper, ())
            settled = {
                sau.id: key
                for sau in saus
                if (key := self._settled.get((submission.id, sau.id))) is not None
            }
            yield Job(submission, saus, settled)

    def _take(self, prepared: Prepared) -> None:
        """Keep what came from a worker."""
        digest = self._store.noted_digest(prepared.submission.id)
        if prepared.renewed and digest is not None and digest != prepared.note.digest:
            self._changed_repositories += 1
        self._store.append_submission(prepared.note)
        self._store.append_verdicts(line for _, line in prepared.verdicts)
        for status, _ in prepared.verdicts:
            self._count(status)
        counts = self.counts
        counts.kept += prepared.kept
        counts.renewed += prepared.renewed
        counts.submissions_done += 1
        if prepared.failure:
            self._reporter.note(f"{prepared.submission.id}: {prepared.failure}")
            self._judge_health(failures=1, events=1)
        elif prepared.verdicts:
            self._judge_health(
                failures=sum(status is Status.ERROR for status, _ in prepared.verdicts),
                events=len(prepared.verdicts),
            )
        self._progress()

    async def _question(self, prepared: Prepared, pending: Pending) -> None:
        """Ask one question, and keep its verdict."""
        assert self._asker is not None
        submission, sau = prepared.submission, pending.sau
        note = evidence_note(pending.evidence)
        flags = pending.prompt.flags
        async with self._wire:
            if self._stopping.is_set():
                return
            self._asking[submission.id, sau.id] = time.monotonic()
            try:
                judge = cast("Judge", self._plan.judge)
                request = judge.request(
                    Question(submission.id, sau, pending.evidence, pending.prompt)
                )
                reply = await self._asker.ask(request, submission.id, sau.id)
            except AnswerError as error:
                provenance = provenance_of(
                    self._context,
                    pending.input_key,
                    attempts=error.attempts,
                    model_returned=None if error.answer is None else error.answer.model,
                    **({} if error.answer is None else {"usage": error.answer.usage}),
                )
                made = error_verdict(
                    str(error),
                    sau=sau,
                    submission=submission,
                    provenance=provenance,
                    evidence=note,
                    flags=flags,
                )
                self._keep(made)
                return
            finally:
                del self._asking[submission.id, sau.id]
        assert prepared.sources is not None
        stored = reply.stored
        provenance = provenance_of(
            self._context,
            pending.input_key,
            model_returned=stored.model,
            parameters=stored.parameters,
            request_key=request.key,
            request_id=stored.request_id,
            rung=stored.rung,
            cached=reply.cached,
            attempts=stored.attempts,
            usage=stored.usage,
        )
        checked = check(reply.parsed, prepared.sources, note, local=False)
        self._keep(
            verdict(
                reply.parsed,
                checked,
                sau=sau,
                submission=submission,
                evidence=note,
                provenance=provenance,
                flags=flags,
            )
        )

    def _question_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._waiting.release()
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, FatalProviderError):
            self._stop(4, str(error), grace=_LAST_ANSWERS_SECONDS)
        else:
            self._fault = error
            self._stop(1, f"{type(error).__name__}: {error}", grace=_LAST_ANSWERS_SECONDS)

    _fault: BaseException | None = None

    def _keep(self, made: Verdict) -> None:
        self._store.append_verdict(made)
        self._count(made.status)
        self._judge_health(failures=int(made.status is Status.ERROR), events=1)
        self._progress()

    def _count(self, status: Status) -> None:
        match status:
            case Status.GRADED:
                self.counts.graded += 1
            case Status.ABSTAINED:
                self.counts.abstained += 1
            case Status.ERROR:
                self.counts.errors += 1

    def _judge_health(self, *, failures: int, events: int) -> None:
        """Stop a run that mostly fails: what is wrong then is not the claims."""
        self._events += events
        self._failures += failures
        share = self._failures / self._events
        if self._events >= _BREAKER_MINIMUM and share > self._plan.max_errors_share:
            self._stop(
                3,
                f"{self._failures} of {self._events} questions failed, more than "
                f"max_errors_share {self._plan.max_errors_share:g} allows",
                grace=_LAST_ANSWERS_SECONDS,
            )

    def _progress(self) -> None:
        self._moved = time.monotonic()
        self._count_spent()
        self._reporter.update(self.counts)

    def _count_spent(self) -> None:
        if self._asker is not None:
            spent, counts = self._asker.spent, self.counts
            counts.requests, counts.hits = spent.requests, spent.hits
            counts.cost_usd, counts.unpriced = spent.cost_usd, spent.unpriced

    def _stop(self, code: int, reason: str, *, grace: float | None) -> None:
        """Ask nothing more; wait for what is on the wire, `grace` seconds or without end."""
        if self._end is None:
            self._end = _End(code, reason, grace)
            self._stopping.set()
            self._reporter.note(f"stopping: {reason}")

    async def _until_stopped(self, work: Any) -> None:  # noqa: ANN401 - any awaitable
        doing = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                self._pool.stop()
        finally:
            stopping.cancel()
            if not doing.done():
                doing.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await doing
        doing.result()

    async def _drain(self) -> None:
        """Wait for the answers that are on the wire: they are paid for."""
        if self._tasks:
            grace = None if self._end is None else self._end.grace
            if grace is None:
                self._reporter.note(
                    f"waiting for {len(self._asking)} answers on the wire; "
                    "interrupt again to leave them"
                )
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait(self._tasks, timeout=grace)
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Make Ctrl-C stop the run, and a second one leave what is on the wire."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None

        def interrupt() -> None:
            if self._end is None:
                self._stop(130, "interrupted", grace=None)
            else:
                task.cancel()

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        try:
            loop.add_signal_handler(signal.SIGINT, interrupt)
        except NotImplementedError:  # Windows: the first Ctrl-C cancels
            yield
            return
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    async def _watch(self) -> None:
        """Say what is being waited for when nothing has moved for a while."""
        while True:
            await asyncio.sleep(_QUIET_SECONDS / 4)
            self._reporter.update(self.counts)
            if time.monotonic() - self._moved < _QUIET_SECONDS:
                continue
            self._moved = time.monotonic()
            waiting = [
                f"{submission} {sau} ({time.monotonic() - since:.0f} s)"
                for (submission, sau), since in list(self._asking.items())
            ]
            waiting += [
                f"{job.submission.id} being prepared ({seconds:.0f} s)"
                for job, seconds in self._pool.in_hand()
            ]
            shown = ", ".join(waiting[:5]) + (
                f" and {len(waiting) - 5} more" if waiting[5:] else ""
            )
            self._reporter.note(
                f"nothing has moved for {_QUIET_SECONDS:.0f} s; waiting for {shown or 'nothing'}"
            )

    def _why_renewed(self) -> str:
        """Say why verdicts that were there are made again."""
        old, new = self._store.previous, self._store.meta
        reasons = []
        if old is not None:
            reasons += [
                name
                for name, before, after in (
                    ("the judge", old.judge, new.judge),
                    ("the prompt", old.prompt_hash, new.prompt_hash),
                    ("the program", old.code, new.code),
                    (
                        "the retrieval settings",
                        old.config.get("retrieval"),
                        new.config.get("retrieval"),
                    ),
                )
                if before != after
            ]
        if self._changed_repositories:
            reasons.append(f"{self._changed_repositories} repositories")
        return ", ".join(reasons) or "something they were made from"

    def _ended(self) -> _End:
        if self._fault is not None:
            raise self._fault
        if self._end is not None:
            return self._end
        return _End(3 if self.unsettled() else 0)

    def _close(self) -> None:
        """Write how the run ended."""
        if self.counts.renewed:
            text = (
                f"{self.counts.renewed} verdicts of earlier were made again: "
                f"{self._why_renewed()} changed since"
            )
            self._reporter.note(text)
            notes = (*self._store.meta.notes, f"{now()}: {text}")
        else:
            notes = self._store.meta.notes
        state = "stopped" if self._end else "incomplete" if self.unsettled() else "complete"
        self._store.sync()
        self._store.update_meta(
            finished=now(),
            state=state,
            reason=self._end.reason if self._end else "",
            notes=notes,
        )
