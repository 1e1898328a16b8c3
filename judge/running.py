"""One run in the making: what is handed out, what comes back, and when to stop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from judge.asking import Asker, Withdrawn
from judge.budget import CapReached
from judge.counting import counted
from judge.deciding import Decider
from judge.interrupting import on_interrupt
from judge.posing import Pending
from judge.preparing import Context, Job, Prepared, failed, now, prepare
from judge.progress import Counts, Reporter
from judge.protocol import AnswerPending, FatalProviderError, Judge
from judge.run_plan import RunPlan
from judge.store import RunStore
from judge.verdict import Status
from judge.warming import Warmth
from judge.workers import Pool

__all__ = ["End", "Running"]

_QUIET_SECONDS = 60.0
_LAST_ANSWERS_SECONDS = 30.0
_BREAKER_MINIMUM = 20


@dataclass(slots=True)
class End:
    """Why a run ends before its time."""

    code: int = 0
    reason: str = ""
    grace: float | None = None


class Running:
    """One run in the making.

    Args:
        plan: What to run.
        context: What is the same for all its submissions.
        store: The run directory, open.
        asker: For a judge over a wire; `None` for one that computes in the workers.
        reporter: Who is told how it goes.

    Attributes:
        counts: Where it stands.
    """

    def __init__(
        self,
        plan: RunPlan,
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
        self._texts = {paper.id: paper.text for paper in plan.benchmark.papers}
        self._decider = None
        if asker is not None:
            self._decider = Decider(context, cast("Judge", plan.judge), asker)
        self._pool: Pool[Context, Job, Prepared] = Pool(
            prepare,
            context,
            lambda job, reason: failed(context, job, reason),
            workers=plan.workers,
            seconds=plan.submission_seconds,
            preload=[
                type(one).__module__
                for one in (context.local, context.cascade and context.cascade.first)
                if one is not None
            ],
        )
        # A few more than are on the wire: their questions are ready when a place becomes free, and
        # their answers are looked at while the next ones are out. Those that others wait for do
        # not queue up with them, or there would be none that may go out.
        most = plan.concurrency + max(plan.concurrency // 4, 1)
        self._open = asyncio.Semaphore(most)
        self._leading = asyncio.Semaphore(most)
        self._waiting = asyncio.Semaphore(4 * plan.concurrency + 64)
        self._tasks: set[asyncio.Task[None]] = set()
        self._asking: dict[tuple[str, str], float] = {}
        self._end: End | None = None
        self._stopping = asyncio.Event()
        self._events = 0
        self._failures = 0.0
        self._moved = time.monotonic()
        self._changed_repositories = 0
        self.counts = Counts(
            planned=sum(len(self._claims.get(s.paper, ())) for s in plan.submissions),
            settled=sum(
                (s.id, sau.id) in self._settled
                for s in plan.submissions
                for sau in self._claims.get(s.paper, ())
            ),
            submissions=len(plan.submissions),
            judged_by_wire=asker is not None,
        )

    async def go(self) -> End:
        """Do all that is to be done; why it ended before its time, if it did.

        Raises:
            CancelledError: Whoever runs this cancelled it; all is written and closed.
            GraderError: Nothing more could be done.
        """
        for torn in self._store.torn:
            self._reporter.note(str(torn))
        self._reporter.start(self.counts)
        watchdog = asyncio.create_task(self._watch())
        try:
            self._task = asyncio.current_task()
            with on_interrupt(self._interrupted):
                try:
                    await self._until_stopped(self._work())
                except asyncio.CancelledError:
                    self._cancelled_by()
                    self._stop(130, "interrupted", grace=0.0)
                except Exception as error:  # noqa: BLE001 - raised again by _ended
                    self._fault = error
                    self._stop(1, f"{type(error).__name__}: {error}", grace=_LAST_ANSWERS_SECONDS)
                await self._drain()
        finally:
            watchdog.cancel()
            gc.unfreeze()
            try:
                await self._close_asker()
            finally:
                self._wind_up()
        return self._ended()

    async def _close_asker(self) -> None:
        if self._asker is not None:
            try:
                await self._asker.close()
            except Exception as error:  # noqa: BLE001 - raised by _ended, if it is the first
                self._fault = self._fault or error

    def _wind_up(self) -> None:
        """Write how the run ended; of all that goes wrong at the end the first is told."""
        for step in (self._count_spent, self._close, lambda: self._reporter.finish(self.counts)):
            try:
                step()
            except Exception as error:  # noqa: BLE001 - raised by _ended, if it is the first
                self._fault = self._fault or error

    def _cancelled_by(self) -> None:
        """Note whether the task was cancelled by a second Ctrl-C or by whoever runs this."""
        task = asyncio.current_task()
        if self._leaving and task is not None:
            self._leaving = False
            task.uncancel()
        else:
            self._cancelled = True

    async def _work(self) -> None:
        """Prepare every submission and hand out its questions."""
        async with contextlib.aclosing(self._pool.results(self._jobs())) as results:
            async for prepared in results:
                self._take(prepared)
                warmth = Warmth(needed=prepared.whole)
                for pending in prepared.pending:
                    await self._waiting.acquire()
                    task = asyncio.create_task(self._question(prepared, pending, warmth))
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
            paper = submission.paper
            among = self._plan.among.get(paper, ())
            yield Job(submission, saus, settled, self._texts.get(paper), among)

    def _take(self, prepared: Prepared) -> None:
        """Keep what came from a worker."""
        known, note = self._store.noted(prepared.submission.id), prepared.note
        if known is not None:
            if prepared.renewed and known.digest != note.digest:
                self._changed_repositories += 1
            if known.digest == note.digest and not (prepared.verdicts or prepared.pending):
                # It was not indexed now: what the index had to say of the same files still holds.
                note = known.renamed(note)
        self._store.append_submission(note)
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
            # One odd submission is one event, however many claims there are about it.
            errors = sum(status is Status.ERROR for status, _ in prepared.verdicts)
            self._judge_health(failures=errors / len(prepared.verdicts), events=1)
        self._progress()

    async def _question(self, prepared: Prepared, pending: Pending, warmth: Warmth) -> None:
        """Ask one question, and keep its verdict."""
        assert self._decider is not None
        pair = (prepared.submission.id, pending.sau.id)
        async with warmth.turn() as leads, self._leading if leads else self._open:
            if self._stopping.is_set():
                return
            self._asking[pair] = time.monotonic()
            try:
                decided = await self._decider.decide(prepared, pending)
            except Withdrawn:
                return
            except AnswerPending:
                self.counts.waiting += 1
                self._progress()
                return
            except CapReached as reached:
                self._stop(3, str(reached), grace=None)
                return
            except FatalProviderError as refusal:
                self._stop(4, str(refusal), grace=_LAST_ANSWERS_SECONDS)
                return
            finally:
                del self._asking[pair]
            made = decided.verdict
            if pending.cascade is not None and self._plan.cascade is not None:
                made = self._plan.cascade.noted(pending.cascade, made)
            if made.status is not Status.ERROR and not made.provenance.cached:
                warmth.warmed()
        self._store.append_verdict(made)
        if decided.spoilt and self._asker is not None:
            await self._asker.give_up(decided.spoilt, *pair)
        self._count(made.status)
        self._judge_health(failures=int(made.status is Status.ERROR), events=1)
        self._progress()

    def _question_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._waiting.release()
        if task.cancelled() or (error := task.exception()) is None:
            return
        self._fault = self._fault or error
        self._stop(1, f"{type(error).__name__}: {error}", grace=_LAST_ANSWERS_SECONDS)

    _task: asyncio.Task[object] | None = None
    _fault: BaseException | None = None
    _cancelled = False
    _leaving = False

    def _count(self, status: Status) -> None:
        if not self.counts.made:
            # What took its time before made no verdicts, and says nothing of how fast they come.
            self.counts.started = self._moved
            # By now all is loaded. The cycle collector walks through it again and again, a tenth
            # of a second each time in which nothing else moves, unless it is told that it stays.
            gc.freeze()
        match status:
            case Status.GRADED:
                self.counts.graded += 1
            case Status.ABSTAINED:
                self.counts.abstained += 1
            case Status.ERROR:
                self.counts.errors += 1

    def _judge_health(self, *, failures: float, events: int) -> None:
        """Stop a run that mostly fails: what is wrong then is not the claims."""
        self._events += events
        self._failures += failures
        share = self._failures / self._events
        if self._events >= _BREAKER_MINIMUM and share > self._plan.max_errors_share:
            self._stop(
                3,
                f"{self._failures:.0f} of {self._events:,} questions or submissions failed, more "
                f"than max_errors_share {self._plan.max_errors_share:g} allows",
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
            self._end = End(code, reason, grace)
            self._stopping.set()
            if self._asker is not None:
                self._asker.stop()
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
                await asyncio.wait({doing})
            error = None if doing.cancelled() else doing.exception()
        if error is not None:
            raise error

    async def _drain(self) -> None:
        """Wait for the answers that are on the wire: they are paid for."""
        if self._tasks:
            grace = None if self._end is None else self._end.grace
            if grace is None and self._asker is not None and self._asker.flying:
                self._reporter.note(
                    f"waiting for {counted(self._asker.flying, 'answer')} on the wire; "
                    f"interrupt again to leave {'it' if self._asker.flying == 1 else 'them'}"
                )
            try:
                await asyncio.wait(self._tasks, timeout=grace)
            except asyncio.CancelledError:
                self._cancelled_by()
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _interrupted(self) -> None:
        """Stop for Ctrl-C or SIGTERM; at the second one leave what is on the wire."""
        if self._end is None:
            self._stop(130, "interrupted", grace=None)
        elif self._task is not None:
            self._leaving = True
            self._task.cancel()

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
            reasons.append(counted(self._changed_repositories, "repository", "repositories"))
        return ", ".join(reasons) or "something they were made from"

    def _ended(self) -> End:
        if self._cancelled:
            raise asyncio.CancelledError from self._fault
        if self._fault is not None:
            raise self._fault
        if self._end is not None:
            return self._end
        return End()

    def _close(self) -> None:
        """Write how the run ended."""
        if self.counts.renewed:
            text = (
                f"{counted(self.counts.renewed, 'earlier verdict was', 'earlier verdicts were')} "
                f"made again: {self._why_renewed()} changed since"
            )
            self._reporter.note(text)
            notes = (*self._store.meta.notes, f"{now()}: {text}")
        else:
            notes = self._store.meta.notes
        self._store.sync()
        self._store.update_meta(
            finished=now(),
            # Whether it is complete is said by whoever counts what is on the disk.
            state="stopped" if self._end else "incomplete",
            reason=self._end.reason if self._end else "",
            notes=notes,
        )
