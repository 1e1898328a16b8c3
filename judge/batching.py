"""Asking by the vendors' batch APIs: submit, look, collect, and again for what is missing.

Everything lies in `batch/` of the run directory, and all of it survives a kill at any moment:

| file | what it holds |
|---|---|
| `asked.jsonl` | every request's id, with the submission and claim it is about |
| `requests*.jsonl` | what the last command found neither answered nor under way |
| `sent-<name>.jsonl` | the requests of one batch; there before anything is sent |
| `batches.jsonl` | what became of each batch: planned, submitted, harvested |
| `answers-<name>.jsonl` | its results, as they came |
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmark import InputError
from judge.config import RunConfig
from judge.inputs import load_inputs
from judge.lines import AppendFile, iter_lines, mend, parse_line, sync_folder
from judge.models import make_judge
from judge.models.batch_vendors import BatchState, Vendor, as_person, vendor_of
from judge.models.batched import BatchedJudge
from judge.models.prompted import PromptedJudge
from judge.models.retrying import Patience, Transient
from judge.pipeline import RunResult, plan_of, run_plan
from judge.progress import Reporter
from judge.protocol import AnswerError

__all__ = ["BatchNote", "BatchReport", "collect", "status", "submit"]

BATCHES = "batches.jsonl"
_CLOCK_SLACK = 300.0
"""Seconds by which a vendor's clock may be behind ours."""


@dataclass(slots=True)
class BatchNote:
    """What we know of one batch.

    Attributes:
        name: Our name of it.
        count: Requests in it.
        planned: When we made it, in seconds since 1970.
        id: The vendor's id; empty until it has taken it.
        state: How the vendor sees it, where it was asked.
        harvested: Whether its results are here.
        dropped: Whether the vendor never took it.
    """

    name: str
    count: int
    planned: float
    id: str = ""
    state: BatchState | None = None
    harvested: bool = False
    dropped: bool = False

    @property
    def open(self) -> bool:
        """Whether something may still come of it."""
        return not self.harvested and not self.dropped


@dataclass(slots=True)
class BatchReport:
    """What a command did.

    Attributes:
        batches: All batches of the run.
        result: How the run went, where there was one.
        submitted: Requests that were sent now.
        missing: Requests that are neither answered nor under way.
        notes: What a person should know.
    """

    batches: list[BatchNote]
    result: RunResult | None = None
    submitted: int = 0
    missing: int = 0
    notes: list[str] = field(default_factory=list)


class _Log:
    """`batches.jsonl`, and the folder that it lies in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: dict[str, BatchNote] = {}
        file = folder / BATCHES
        mend(file)
        for line in iter_lines(file):
            self._take(parse_line(file, line))

    def write(self, event: str, name: str, **facts: object) -> None:
        """Note an event, on the disk itself, before anything else happens."""
        row: dict[str, Any] = {"event": event, "name": name, **facts}
        file = AppendFile(self.folder / BATCHES)
        file.append((json.dumps(row).encode(),))
        file.close()
        self._take(row)

    def _take(self, row: dict[str, Any]) -> None:
        name = str(row["name"])
        match row["event"]:
            case "planned":
                self.notes[name] = BatchNote(name, int(row["count"]), float(row["time"]))
            case "submitted":
                self.notes[name].id = str(row["id"])
            case "harvested":
                self.notes[name].harvested = True
            case "dropped":
                self.notes[name].dropped = True

    def sent(self, note: BatchNote) -> Path:
        return self.folder / f"sent-{note.name}.jsonl"

    def answers(self, note: BatchNote) -> Path:
        return self.folder / f"answers-{note.name}.jsonl"

    def in_flight(self) -> frozenset[str]:
        """Ids of all requests in batches that may still bring something."""
        return frozenset(
            str(json.loads(line.data)["custom_id"])
            for note in self.notes.values()
            if note.open
            for line in iter_lines(self.sent(note))
        )

    def plan(self, file: Path) -> BatchNote:
        """Give a file of requests a name, and put it where it is found again."""
        digest = hashlib.sha256(file.read_bytes() + repr(time.time_ns()).encode()).hexdigest()
        count = sum(1 for _ in iter_lines(file))
        name = f"{len(self.notes) + 1:04}-{digest[:12]}"
        file.replace(self.folder / f"sent-{name}.jsonl")
        sync_folder(self.folder)
        self.write("planned", name, count=count, time=time.time())
        return self.notes[name]


@dataclass(frozen=True, slots=True)
class _Desk:
    """What every command needs."""

    config: RunConfig
    judge: PromptedJudge
    vendor: Vendor
    log: _Log
    patience: Patience | None

    async def run(self, reporter: Reporter | None, *, cap: float | None) -> RunResult:
        return (await self.ask(reporter, cap=cap))[0]

    async def ask(
        self, reporter: Reporter | None, *, cap: float | None, per_batch: int | None = None
    ) -> tuple[RunResult, BatchedJudge]:
        """Run with the answers that are here; what is missing ends up in files of requests."""
        judge = BatchedJudge(
            self.judge, self.vendor, self.log.folder, self.log.in_flight(), per_batch=per_batch
        )
        plan = replace(plan_of(self.config, load_inputs(self.config), judge), max_cost=cap)
        return await run_plan(plan, reporter=reporter), judge


async def submit(
    config: RunConfig,
    *,
    reporter: Reporter | None = None,
    per_batch: int | None = None,
    patience: Patience | None = None,
) -> BatchReport:
    """Send whatever is neither answered nor under way.

    Args:
        config: The run.
        reporter: Who is told how it goes.
        per_batch: Requests in one batch; `None` is as many as the vendor takes.
        patience: How long one call of the vendor is tried.

    Raises:
        InputError: The config or what it names is wrong.
        FatalProviderError: The vendor takes no batches.
    """
    async with _desk(config, patience) as desk:
        notes = await _reconcile(desk)
        result, judge = await desk.ask(reporter, cap=config.max_cost, per_batch=per_batch)
        submitted = 0
        for file in judge.files:
            note = desk.log.plan(file)
            await _send(desk, note)
            submitted += note.count
        return BatchReport(list(desk.log.notes.values()), result, submitted, notes=notes)


async def status(config: RunConfig, *, patience: Patience | None = None) -> BatchReport:
    """Ask how the batches stand; nothing is sent or written, but for what a kill left open.

    Raises:
        InputError: The config is wrong.
        FatalProviderError: The vendor cannot be asked.
    """
    async with _desk(config, patience) as desk:
        notes = await _reconcile(desk)
        await _look(desk)
        return BatchReport(list(desk.log.notes.values()), notes=notes)


async def collect(
    config: RunConfig, *, reporter: Reporter | None = None, patience: Patience | None = None
) -> BatchReport:
    """Fetch what batches brought, and grade it.

    What a batch left unanswered is not lost: `submit` sends it, and it alone, once more.

    Raises:
        InputError: The config or what it names is wrong.
        FatalProviderError: The vendor cannot be asked.
    """
    async with _desk(config, patience) as desk:
        notes = await _reconcile(desk)
        await _look(desk)
        for note in desk.log.notes.values():
            if note.open and note.state is not None and note.state.ended:
                await _harvest(desk, note, note.state)
                if note.state.problem:
                    notes.append(f"batch {note.id} {note.state.status}: {note.state.problem}")
        result, judge = await desk.ask(reporter, cap=None)
        missing = len(judge.folder.waiting - desk.log.in_flight())
        return BatchReport(list(desk.log.notes.values()), result, missing=missing, notes=notes)


@asynccontextmanager
async def _desk(config: RunConfig, patience: Patience | None) -> AsyncIterator[_Desk]:
    judge = make_judge(config.judge.settings())
    if not isinstance(judge, PromptedJudge):
        raise InputError(
            f"a judge of the kind {config.judge.kind!r} has no batch API",
            where=config.where("judge", "kind"),
            remedy="Choose openai or anthropic; exchange writes the same files for others",
        )
    vendor = vendor_of(judge.endpoint, patience=patience, path=judge.path)
    try:
        yield _Desk(config, judge, vendor, _Log(config.output.path / "batch"), patience)
    except (Transient, AnswerError) as error:
        raise as_person(error, f"{judge.name} by batch") from None
    finally:
        await vendor.close()


async def _send(desk: _Desk, note: BatchNote) -> None:
    state = await desk.vendor.submit(desk.log.sent(note), note.name)
    desk.log.write("submitted", note.name, id=state.id)
    note.state = state


async def _reconcile(desk: _Desk) -> list[str]:
    """Find out what became of batches whose sending was cut short, so that none is sent twice."""
    unsure = [note for note in desk.log.notes.values() if note.open and not note.id]
    if not unsure:
        return []
    taken = {note.id for note in desk.log.notes.values()}
    recent = [state for state in await desk.vendor.recent() if state.id not in taken]
    notes = []
    for note in unsure:
        state = _match(note, recent)
        if state is None:
            desk.log.write("dropped", note.name)
            notes.append(f"batch {note.name} never reached the vendor: its requests are sent anew")
        else:
            recent.remove(state)
            desk.log.write("submitted", note.name, id=state.id)
            notes.append(f"batch {note.name} had reached the vendor as {state.id}")
    return notes


def _match(note: BatchNote, recent: Iterable[BatchState]) -> BatchState | None:
    """The vendor's batch that is ours: by its name, or by its time and size where it has none."""
    for state in recent:
        if state.name == note.name:
            return state
    fitting = [
        state
        for state in recent
        if not state.name
        and state.total == note.count
        and state.created >= note.planned - _CLOCK_SLACK
    ]
    # The oldest one that fits: a batch of somebody else would have come by chance.
    return min(fitting, key=lambda state: state.created, default=None)


async def _look(desk: _Desk) -> None:
    waiting = [note for note in desk.log.notes.values() if note.open and note.id]
    states = await asyncio.gather(*(desk.vendor.look(note.id) for note in waiting))
    for note, state in zip(waiting, states, strict=True):
        note.state = state


async def _harvest(desk: _Desk, note: BatchNote, state: BatchState) -> None:
    """Fetch the results of a batch that has ended, whole or not at all."""
    aside = desk.log.folder / f".answers-{note.name}.new"
    with aside.open("wb") as file:
        async for piece in desk.vendor.results(state):
            file.write(piece)
    aside.replace(desk.log.answers(note))
    sync_folder(desk.log.folder)
    desk.log.write("harvested", note.name, status=state.status)
