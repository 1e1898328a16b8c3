"""Asking by the vendors' batch APIs: submit, look, collect, and again for what is missing.

Everything lies in `batch/` of the run directory, and all of it survives a kill at any moment:

| file | what it holds |
|---|---|
| `asked.jsonl` | every request's id, with the submission and claim it is about |
| `requests*.jsonl` | what the last command found neither answered nor under way |
| `sent-<name>.jsonl` | the requests of one batch; there before anything is sent |
| `batches.jsonl` | what became of each batch: planned, submitted, harvested |
| `answers-<name>.jsonl` | its results, as they came |

Each member of a panel has such a folder of its own in `batch/`, and batches of its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
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
from judge.models.panel import Member, PanelJudge, members_of
from judge.models.prompted import PromptedJudge
from judge.models.retrying import Patience, Transient
from judge.pipeline import RunResult, plan_of, run_plan
from judge.progress import Reporter
from judge.protocol import AnswerError, Judge, LocalJudge, canonical_json

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
        judge: Whose they are.
        planned: When we made it, in seconds since 1970.
        id: The vendor's id; empty until it has taken it.
        state: How the vendor sees it, where it was asked.
        harvested: Whether its results are here.
        dropped: Whether the vendor never took it.
    """

    name: str
    count: int
    judge: str
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
    """`batches.jsonl` of one judge, and the folder that it lies in."""

    def __init__(self, folder: Path, judge: str) -> None:
        self.folder = folder
        self._judge = judge
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
                count, planned = int(row["count"]), float(row["time"])
                self.notes[name] = BatchNote(name, count, self._judge, planned)
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
class _Seat:
    """One judge that is asked by batch: the run's only one, or a member of its panel."""

    judge: PromptedJudge
    repeats: int
    vendor: Vendor
    log: _Log

    def hand(self, per_batch: int | None) -> BatchedJudge:
        """The judge with the answers that are here; what it is asked beside goes into files."""
        return BatchedJudge(
            self.judge, self.vendor, self.log.folder, self.log.in_flight(), per_batch=per_batch
        )

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """Tell whoever runs the command what the vendor's refusal means, and whose vendor it is."""
        try:
            yield
        except (Transient, AnswerError) as error:
            raise as_person(error, f"{self.judge.name} by batch") from None


@dataclass(frozen=True, slots=True)
class _Desk:
    """What every command needs. `quorum` is the panel's; `None` where one judge is asked alone."""

    config: RunConfig
    seats: tuple[_Seat, ...]
    quorum: int | None

    async def ask(
        self, reporter: Reporter | None, *, cap: float | None, per_batch: int | None = None
    ) -> tuple[RunResult, list[BatchedJudge]]:
        """Run with the answers that are here; what is missing ends up in files of requests.

        Returns:
            How the run went, and each seat's judge.
        """
        hands = [seat.hand(per_batch) for seat in self.seats]
        judge: Judge = hands[0]
        if self.quorum is not None:
            pairs = zip(hands, self.seats, strict=True)
            judge = PanelJudge([Member(hand, seat.repeats) for hand, seat in pairs],
                               quorum=self.quorum)  # fmt: skip
        plan = replace(plan_of(self.config, load_inputs(self.config), judge), max_cost=cap)
        return await run_plan(plan, reporter=reporter), hands

    def notes(self) -> list[BatchNote]:
        """All batches of the run."""
        return [note for seat in self.seats for note in seat.log.notes.values()]


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
        result, hands = await desk.ask(reporter, cap=config.max_cost, per_batch=per_batch)
        submitted = 0
        for seat, hand in zip(desk.seats, hands, strict=True):
            for file in hand.files:
                note = seat.log.plan(file)
                await _send(seat, note)
                submitted += note.count
        return BatchReport(desk.notes(), result, submitted, notes=notes)


async def status(config: RunConfig, *, patience: Patience | None = None) -> BatchReport:
    """Ask how the batches stand; nothing is sent or written, but for what a kill left open.

    Raises:
        InputError: The config is wrong.
        FatalProviderError: The vendor cannot be asked.
    """
    async with _desk(config, patience) as desk:
        notes = await _reconcile(desk)
        for seat in desk.seats:
            await _look(seat)
        return BatchReport(desk.notes(), notes=notes)


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
        for seat in desk.seats:
            await _look(seat)
            for note in seat.log.notes.values():
                if note.open and note.state is not None and note.state.ended:
                    await _harvest(seat, note, note.state)
                    if note.state.problem:
                        notes.append(f"batch {note.id} {note.state.status}: {note.state.problem}")
        result, hands = await desk.ask(reporter, cap=None)
        missing = sum(
            len(hand.folder.waiting - seat.log.in_flight())
            for seat, hand in zip(desk.seats, hands, strict=True)
        )
        return BatchReport(desk.notes(), result, missing=missing, notes=notes)


@asynccontextmanager
async def _desk(config: RunConfig, patience: Patience | None) -> AsyncIterator[_Desk]:
    made = make_judge(config.judge.settings())
    if isinstance(made, LocalJudge):
        raise _no_batches(config, f"a judge of the kind {config.judge.kind!r}")
    folder = config.output.path / "batch"
    panel = isinstance(made, PanelJudge)
    seats = []
    async with AsyncExitStack() as stack:
        for member in members_of(made):
            judge = member.judge
            if not isinstance(judge, PromptedJudge):
                who = f"the panel's member {judge.name}" if panel else f"the judge {judge.name}"
                raise _no_batches(config, who)
            vendor = vendor_of(judge.endpoint, patience=patience, path=judge.path)
            stack.push_async_callback(vendor.close)
            own = folder / _folder_of(judge) if panel else folder
            seats.append(_Seat(judge, member.repeats, vendor, _Log(own, judge.name)))
        yield _Desk(config, tuple(seats), made.quorum if isinstance(made, PanelJudge) else None)


def _no_batches(config: RunConfig, who: str) -> InputError:
    return InputError(
        f"{who} has no batch API",
        where=config.where("judge", "kind"),
        remedy="Choose openai or anthropic, alone or as members of a panel; exchange writes the "
        "same files for others",
    )


def _folder_of(judge: PromptedJudge) -> str:
    """A member's folder: the same wherever it stands among the members."""
    key = canonical_json([judge.name, judge.provider, dict(judge.identity())])
    words = re.sub(r"[^A-Za-z0-9._-]+", "-", judge.name)[:60].strip("-._")
    return f"{words}-{hashlib.sha256(key.encode()).hexdigest()[:10]}"


async def _send(seat: _Seat, note: BatchNote) -> None:
    with seat.speaking():
        state = await seat.vendor.submit(seat.log.sent(note), note.name)
    seat.log.write("submitted", note.name, id=state.id)
    note.state = state


async def _reconcile(desk: _Desk) -> list[str]:
    """Find out what became of batches whose sending was cut short, so that none is sent twice."""
    notes = []
    for seat in desk.seats:
        unsure = [note for note in seat.log.notes.values() if note.open and not note.id]
        if not unsure:
            continue
        # Members may share a vendor: what is known to be another's is not taken for this one's.
        taken = {note.id for note in desk.notes()}
        with seat.speaking():
            recent = [state for state in await seat.vendor.recent() if state.id not in taken]
        for note in unsure:
            state = _match(note, recent)
            if state is None:
                seat.log.write("dropped", note.name)
                notes.append(
                    f"batch {note.name} never reached the vendor: its requests are sent anew"
                )
            else:
                recent.remove(state)
                seat.log.write("submitted", note.name, id=state.id)
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


async def _look(seat: _Seat) -> None:
    waiting = [note for note in seat.log.notes.values() if note.open and note.id]
    with seat.speaking():
        states = await asyncio.gather(*(seat.vendor.look(note.id) for note in waiting))
    for note, state in zip(waiting, states, strict=True):
        note.state = state


async def _harvest(seat: _Seat, note: BatchNote, state: BatchState) -> None:
    """Fetch the results of a batch that has ended, whole or not at all."""
    aside = seat.log.folder / f".answers-{note.name}.new"
    with seat.speaking(), aside.open("wb") as file:
        async for piece in seat.vendor.results(state):
            file.write(piece)
    aside.replace(seat.log.answers(note))
    sync_folder(seat.log.folder)
    seat.log.write("harvested", note.name, status=state.status)
